#!/bin/bash
# test_distributions_gpu.sh: the deviates as CUDA: the kernels as C++ on the host give the CPU's hashes in both precisions; nvcc
# compiles them for sm_90, with LEVY_TEST_FULL=1 for sm_80 too, the single ones without arithmetic in double. Skips what is not
# here. Environment: CC, NVCC, LEVY_TEST_FULL.
set -u
cd "$(dirname "$0")/.." || exit 1
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)} cc=${CC:-cc} failed=0 ran=0
sysroot=(${LEVY_SYSROOT:+"--sysroot=$LEVY_SYSROOT"})
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
for precision in double single; do
    macro=()
    [ "$precision" = single ] && macro=(-DLANE_SINGLE)
    golden=$(awk -v precision="$precision" '$1 == precision { print $2 }' tests/known_answers/distributions_hash.txt)
    if command -v g++ >/dev/null; then
        ran=$((ran + 1))
        "$cc" ${sysroot[@]+"${sysroot[@]}"} -std=c11 -D_GNU_SOURCE -O1 -ffp-contract=off -Wno-psabi -I. -c bench/distributions/poisson_table.c -o "$work/table.o" || failed=1
        "$cc" ${sysroot[@]+"${sysroot[@]}"} -std=c11 -O1 -I. -c kernels/lane/normal_rows.c -o "$work/rows.o" || failed=1
        g++ ${sysroot[@]+"${sysroot[@]}"} -std=c++17 -O1 -ffp-contract=off -w -I. ${macro[@]+"${macro[@]}"} tests/distributions_host.cpp "$work/table.o" "$work/rows.o" -o "$work/host" || failed=1
        hash=$("$work/host")
        if [ "$hash" = "$golden" ]; then
            echo "ok: kernels on the host, $precision: $hash"
        else
            echo "FAIL: kernels on the host, $precision: $hash, not $golden"
            failed=1
        fi
    fi
    if [ -x "$nvcc" ]; then
        for arch in ${LEVY_TEST_FULL:+sm_80} sm_90; do
            ran=$((ran + 1))
            if ! "$nvcc" -std=c++17 -fmad=false -arch="$arch" -ptx -I. ${macro[@]+"${macro[@]}"} bench/distributions/draws_cuda.cu -o "$work/ptx"; then
                echo "FAIL: nvcc, $arch, $precision"
                failed=1
            elif [ "$precision" = single ] && grep -E '(add|sub|mul|div|fma|sqrt|rcp)[a-z.]*\.f64' "$work/ptx" | head -n 3 | grep .; then
                echo "FAIL: arithmetic in double in a single kernel"
                failed=1
            fi
        done
    fi
done
echo "$ran checks, failed: $failed"
if [ "$failed" -eq 0 ] && [ "$ran" -eq 0 ]; then exit 77; fi
exit $failed
