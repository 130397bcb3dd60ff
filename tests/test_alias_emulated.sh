#!/bin/bash
# test_alias_emulated.sh: the GPU's alias kernels on the host (alias_host.cpp): masses by every front, split and pack, draws by
# every sampler; of all large tables with LEVY_TEST_FULL=1. Skipped without g++.
set -u
cd "$(dirname "$0")/.." || exit 1
if ! command -v g++ >/dev/null; then
    echo "skipped: no g++"
    exit 77
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
objects=()
for source in kernels/samplers/alias/alias kernels/samplers/alias/alias_sum kernels/samplers/alias/alias_mass kernels/samplers/alias/alias_sequential kernels/samplers/alias/alias_psa \
    kernels/samplers/alias/alias_section engine/base/memory engine/base/number; do
    object=$work/${source##*/}.o
    "${CC:-cc}" ${LEVY_SYSROOT:+"--sysroot=$LEVY_SYSROOT"} -std=c11 -D_GNU_SOURCE -O1 -ffp-contract=off -w -I. -c "$source.c" -o "$object" || exit 1
    objects+=("$object")
done
g++ ${LEVY_SYSROOT:+"--sysroot=$LEVY_SYSROOT"} -std=c++17 -O1 -fno-strict-aliasing -ffp-contract=off -w -I. tests/alias_host.cpp "${objects[@]}" -o "$work/host" || exit 1
"$work/host" ${LEVY_TEST_FULL:+all}
