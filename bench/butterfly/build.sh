#!/usr/bin/env bash
# Builds the benchmark of one draw per distribution: bench/butterfly/build.sh OUTPUT [ARCHITECTURE | cpu]. The programs are
# OUTPUT/bench_butterfly, left out with `cpu`, and OUTPUT/butterfly_cpu. Needs a C compiler, and nvcc for the first; no build of levy.
#     OUTPUT/bench_butterfly ROWS.json          checks and measures
#     OUTPUT/bench_butterfly ROWS.json check    small checks alone
#     OUTPUT/butterfly_cpu > ROWS.json          the same draws on one core
set -eu
cd "$(dirname "$0")/../.."
mkdir -p "$1"
output=$(cd "$1" && pwd) arch=${2:-sm_90}
work=$output/bench_butterfly.parts
mkdir -p "$work"
c_flags=(-std=c11 -D_GNU_SOURCE -O2 -ffp-contract=off -fno-math-errno -fno-trapping-math -I.)
${CC:-cc} "${c_flags[@]}" -c kernels/samplers/butterfly/butterfly.c -o "$work/butterfly.o"
${CC:-cc} "${c_flags[@]}" bench/butterfly/butterfly_cpu.c "$work/butterfly.o" -o "$output/butterfly_cpu"
[ "$arch" != cpu ] || exit 0
nvcc_flags=(-std=c++17 -O3 -fmad=false -arch="$arch" -I. -Xptxas -v)
compile() { # object, flags...
    local object=$1
    shift
    nvcc "${nvcc_flags[@]}" "$@" -c kernels/samplers/butterfly/butterfly_cuda.cu -o "$work/$object.o" 2>"$work/$object.log" || {
        cat "$work/$object.log"
        exit 1
    }
}
tuned() { # suffix, registers asked for, blocks in single, in double, threads, flags...: the list TUNINGS of bench_butterfly.cu
    local suffix=$1 loads=$2 single=$3 double=$4 threads=$5
    shift 5
    compile "tuned_$suffix" "-Dlevy_butterfly_cuda_draw=levy_butterfly_cuda_draw_$suffix" "-DBUTTERFLY_LOADS=$loads" \
        "-DBUTTERFLY_RESIDENT_SINGLE=$single" "-DBUTTERFLY_RESIDENT_DOUBLE=$double" "-DBUTTERFLY_THREADS=$threads" "$@"
}
compile cuda
tuned a 64 3 2 128
tuned b 16 5 4 128
tuned c 16 6 4 128
tuned d 32 4 4 128
tuned e 32 3 2 128
tuned f 32 2 2 256
tuned g 32 4 3 128 -DBUTTERFLY_IN_STEP=1
tuned h 32 2 2 256 -DBUTTERFLY_IN_STEP=1
tuned i 16 3 2 256 -DBUTTERFLY_IN_STEP=1
tuned j 32 4 3 128 -DBUTTERFLY_LOAD_ONCE=__ldg
tuned k 32 4 3 128 -DBUTTERFLY_LOAD_ONCE=__ldlu
nvcc "${nvcc_flags[@]}" bench/butterfly/bench_butterfly.cu "$work"/*.o -o "$output/bench_butterfly" 2>"$work/bench.log" || {
    cat "$work/bench.log"
    exit 1
}
echo "$output/bench_butterfly"
