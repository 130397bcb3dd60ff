#!/usr/bin/env bash
# Builds the GPU benchmark of the deviates: bench/distributions/build.sh OUTPUT [ARCHITECTURE]: the program is OUTPUT/bench_distributions.
# Needs nvcc and a C compiler; run it without arguments, or with `check` for the comparison with the CPU alone.
set -eu
cd "$(dirname "$0")/../.."
work=$1 arch=${2:-sm_90}
mkdir -p "$work"
flags=(-std=c11 -D_GNU_SOURCE -O2 -ffp-contract=off -fno-math-errno -fno-trapping-math -Wno-psabi -I.)
for precision in double single; do
    own=(-mavx2 -mfma -DLEVY_ISA_NAME=avx2)
    [ $precision = single ] && own+=(-DLANE_SINGLE)
    ${CC:-cc} "${flags[@]}" "${own[@]}" -c kernels/cpu/draw_isa.c -o "$work/draw_avx2_$precision.o"
done
${CC:-cc} "${flags[@]}" -c bench/distributions/poisson_table.c -o "$work/poisson_table.o"
${CC:-cc} "${flags[@]}" -c kernels/lane/normal_rows.c -o "$work/normal_rows.o"
cuda=(nvcc -std=c++17 -O3 -arch="$arch" -I.)
"${cuda[@]}" -fmad=false -c bench/distributions/draws_cuda.cu -o "$work/cuda_double.o" &
"${cuda[@]}" -fmad=false -DLANE_SINGLE -c bench/distributions/draws_cuda.cu -o "$work/cuda_single.o" &
wait
"${cuda[@]}" -fmad=false -c bench/distributions/loops.cu -o "$work/loops_double.o" &
"${cuda[@]}" -fmad=false -DLANE_SINGLE -c bench/distributions/loops.cu -o "$work/loops_single.o" &
wait
"${cuda[@]}" -c bench/distributions/loops_curand.cu -o "$work/loops_curand.o" &
"${cuda[@]}" -fmad=false -c bench/distributions/bench_distributions.cu -o "$work/bench.o" &
wait
nvcc -arch="$arch" "$work"/{bench,loops_curand,loops_double,loops_single,cuda_double,cuda_single,draw_avx2_double,draw_avx2_single,poisson_table,normal_rows}.o \
    -ldl -o "$work/bench_distributions"
