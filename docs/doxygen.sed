# doxygen.sed: the comments of levy.h as Doxygen reads them. One on a line of its own is about what follows, one behind a
# declaration about that; a heading of dashes is none.
/^\/\* ---- /b
1s:^/\* levy\.h\: :/** @file levy.h\n * :
s:^\( *\)/\* :\1/** :
s:\([;,({}]\)\( *\)/\* :\1\2/**< :
s:\([^ /(]\)\( *\)/\* \(.*\*/\)$:\1\2/**< \3:
