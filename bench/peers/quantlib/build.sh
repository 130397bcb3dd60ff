#!/bin/bash
# Builds quantlib_asian into the folder given (default: build/peers). Prints its path. Ends with 77 where QuantLib or a C++
# compiler is missing: a peer is something to compare with, never something levy needs.
#
#     bench/peers/quantlib/build.sh [FOLDER]
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${1:-$here/../../../build/peers}
compiler=${CXX:-c++}

if ! command -v "$compiler" > /dev/null; then
    echo "quantlib: skipped, no C++ compiler ($compiler)" >&2
    exit 77
fi
if ! echo '#include <ql/version.hpp>' | "$compiler" -E -x c++ - > /dev/null 2>&1; then
    echo "quantlib: skipped, no headers (on Debian and Ubuntu: apt-get install libquantlib0-dev)" >&2
    exit 77
fi
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
program=$folder/quantlib_asian
if [ ! -x "$program" ] || [ "$here/asian.cpp" -nt "$program" ]; then
    "$compiler" -std=c++17 -O2 -o "$program" "$here/asian.cpp" -lQuantLib >&2
fi
echo "$program"
