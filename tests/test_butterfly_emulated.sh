#!/bin/bash
# test_butterfly_emulated.sh: the GPU's butterfly kernels on the host (butterfly_host.cpp): their items are the CPU's, of every
# size, kind and number of paths with LEVY_TEST_FULL=1. Skipped without g++.
set -u
cd "$(dirname "$0")/.." || exit 1
if ! command -v g++ >/dev/null; then
    echo "skipped: no g++"
    exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
flags=(-O1 -ffp-contract=off -w -I. ${LEVY_SYSROOT:+"--sysroot=$LEVY_SYSROOT"})
"${CC:-cc}" -std=c11 -D_GNU_SOURCE "${flags[@]}" -c kernels/samplers/butterfly/butterfly.c -o "$work/butterfly.o" || exit 1
g++ -std=c++17 -fno-strict-aliasing "${flags[@]}" tests/butterfly_host.cpp "$work/butterfly.o" -o "$work/host" || exit 1
"$work/host" ${LEVY_TEST_FULL:+all}
