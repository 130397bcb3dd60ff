# find_package(levy) gives levy::levy (shared) and levy::levy-static.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include("${CMAKE_CURRENT_LIST_DIR}/levy-targets.cmake")
