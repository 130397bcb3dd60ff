#!/bin/bash
# same_options.sh: for scripts that configure levy once more: `same` becomes the options by which CMake finds what the build in
# $LEVY_BINARY_DIR was configured with, wherever that was unpacked. Sourced. Must not know: what is built.
same=()
while IFS= read -r line; do same+=("-D$line"); done \
    < <(sed -nE 's/^(CMAKE_PREFIX_PATH|CMAKE_SYSROOT|CMAKE_MAKE_PROGRAM|LEVY_[A-Z]+_(INCLUDE|LIBRARY)|LEVY_RUN_DIR):[A-Z]+=(.+)$/\1=\3/p' \
        "${LEVY_BINARY_DIR:?the build folder}/CMakeCache.txt")
