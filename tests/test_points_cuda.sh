#!/bin/bash
# test_points_cuda.sh: the generators as CUDA against the known answers, and on a GPU also the inverse normal over all words. Read by a plain C++ compiler, by nvcc on the host and, where there is a GPU, on the device; skips what is not here.
# Each count of paths a thread in one precision; in both with LEVY_TEST_FULL=1. Environment: CC, CXX, NVCC, LEVY_TEST_FULL.
set -u
root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)} cc=${CC:-cc} cxx=${CXX:-g++} failed=0 ran=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
sysroot=(${LEVY_SYSROOT:+"--sysroot=$LEVY_SYSROOT"})
answers=$root/tests/known_answers/points.txt

check() { # a program and its arguments
    ran=$((ran + 1))
    "$@" || { echo "FAIL: $*"; failed=1; }
}

for source in sobol_tables mrg_streams; do
    "$cc" ${sysroot[@]+"${sysroot[@]}"} -std=c11 -O1 -w -ffp-contract=off -I "$root" -DLEVY_JOE_KUO_PATH="\"$root/kernels/points/joe_kuo.txt\"" \
        -c "$root/kernels/points/$source.c" -o "$work/$source.o" || { echo "FAIL: $source.c"; exit 1; }
done
objects=("$work/sobol_tables.o" "$work/mrg_streams.o")
checksum=$(awk '$1 == "normals" { print $2 }' "$root/tests/known_answers/lane_hash.txt")
gpu=no
if command -v nvidia-smi >/dev/null && nvidia-smi -L >/dev/null 2>&1; then gpu=yes; fi

for lanes in 1 4 8; do
    for precision in double single; do
        case $lanes$precision in 1single | 4double | 8single) ;; *) [ -n "${LEVY_TEST_FULL:-}" ] || continue ;; esac
        flags=(-I "$root" "-DLEVY_LANES=$lanes")
        [ "$precision" = single ] && flags+=(-DLANE_SINGLE)
        if command -v "$cxx" >/dev/null; then
            if "$cxx" ${sysroot[@]+"${sysroot[@]}"} -x c++ -std=c++17 -O1 -w -ffp-contract=off -DLEVY_HOST_ONLY "${flags[@]}" -c "$root/tests/points_cuda.cu" -o "$work/host.o" &&
                "$cxx" ${sysroot[@]+"${sysroot[@]}"} "$work/host.o" "${objects[@]}" -o "$work/host"; then
                check "$work/host" "$answers"
            else
                echo "FAIL: $cxx, $precision, $lanes paths a thread" && failed=1
            fi
        fi
        [ -x "$nvcc" ] || continue
        if "$nvcc" -std=c++17 -O1 -w -arch=sm_90 -fmad=false -Xcompiler -ffp-contract=off "${flags[@]}" "$root/tests/points_cuda.cu" "${objects[@]}" -o "$work/cuda"; then
            check "$work/cuda" "$answers"
            [ "$gpu" = yes ] && check "$work/cuda" "$answers" device
        else
            echo "FAIL: nvcc, $precision, $lanes paths a thread" && failed=1
        fi
    done
done
if [ -x "$nvcc" ]; then
    if "$nvcc" -std=c++17 -O2 -arch=sm_90 -fmad=false -I "$root" -DLANE_SINGLE -c "$root/tests/normal_cuda.cu" -o "$work/single.o" &&
        "$nvcc" -std=c++17 -O2 -arch=sm_90 -fmad=false -I "$root" "$root/tests/normal_cuda.cu" "$work/single.o" -o "$work/normal"; then
        if [ "$gpu" = yes ]; then check "$work/normal" "$checksum"; else echo "skipped: no GPU"; fi
    else
        echo "FAIL: normal_cuda.cu" && failed=1
    fi
else
    echo "skipped: no nvcc"
fi
echo "$ran checks, failed: $failed"
if [ "$failed" -eq 0 ] && [ "$ran" -eq 0 ]; then exit 77; fi
exit $failed
