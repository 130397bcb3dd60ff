#!/usr/bin/env bash
# Builds the benchmarks of alias tables: bench/alias/build.sh OUTPUT [cpu]. The programs are OUTPUT/bench_alias, for a GPU (left out
# with `cpu`), and OUTPUT/alias_cpu. Needs a C compiler, and nvcc for the first; no build of levy. LEVY_ARCH: sm_90, default native.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p "$1"
output=$1 arch=${LEVY_ARCH:-native}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
objects=()
for source in kernels/samplers/alias/*.c kernels/cpu/threads.c engine/base/memory.c engine/base/number.c engine/base/thread.c engine/base/machine.c; do
    object=$work/$(basename "$source" .c).o
    ${CC:-cc} -std=c11 -D_GNU_SOURCE -O2 -ffp-contract=off -fno-math-errno -fno-trapping-math -I. -c "$source" -o "$object"
    objects+=("$object")
done
${CC:-cc} -std=c11 -D_GNU_SOURCE -O2 -ffp-contract=off -I. bench/alias/alias_cpu.c "${objects[@]}" -lm -lpthread -o "$output/alias_cpu"
[ "${2:-}" != cpu ] || exit 0
for source in kernels/samplers/alias/alias_cuda.cu kernels/samplers/alias/alias_sample.cu bench/alias/bench_alias.cu; do
    nvcc -std=c++17 -O3 -fmad=false -arch="$arch" -I. -c "$source" -o "$work/$(basename "$source").o" &
done
wait
nvcc -arch="$arch" "$work"/*.cu.o "${objects[@]}" -o "$output/bench_alias"
