#!/bin/bash
# test_lane_nvcc.sh: the lane functions as CUDA. nvcc's host pass gives the golden hashes; nvcc and NVRTC compile every function
# for sm_80 (NVRTC, with LEVY_TEST_FULL=1) and sm_90, both precisions, 1, 2 and 4 paths a thread; single kernels hold no double, double ones no call of a
# compiler's own division or root. Skips what is not here. Environment: CC (set by ctest), NVCC, LEVY_TEST_FULL.
set -u
root=$(cd "$(dirname "$0")/.." && pwd) || exit 1
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)} cc=${CC:-cc} failed=0 ran=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAIL: $*"
    failed=1
}

check_ptx() { # what, precision, file
    ran=$((ran + 1))
    if [ "$2" = single ] && grep -q '\.f64' "$3"; then fail "$1: doubles in a single kernel: $(grep -m 1 '\.f64' "$3")"; fi
    if [ "$2" = double ] && grep -Eq '(div|sqrt|rcp|rsqrt)\.rn\.f64' "$3"; then fail "$1: a division or root of the compiler's own"; fi
    grep -q 'lane_probe_kernel' "$3" || fail "$1: no kernel"
}

if [ -x "$nvcc" ]; then
    for precision in double single; do
        macro=(-DLEVY_ISA_NAME=nvcc)
        [ "$precision" = single ] && macro+=(-DLANE_SINGLE)
        golden=$(awk -v precision="$precision" '$1 == precision { print $2 }' "$root/tests/known_answers/lane_hash.txt")
        ran=$((ran + 1))
        if ! "$nvcc" -x cu -std=c++17 -fmad=false -Xcompiler -ffp-contract=off -I "$root" "${macro[@]}" "$root/tests/lane_probe.c" -o "$work/host"; then
            fail "nvcc does not compile the $precision probe"
        elif hash=$("$work/host") && [ "$hash" = "$golden" ]; then
            echo "ok: nvcc's host pass, $precision: $hash"
        else
            fail "nvcc's host pass, $precision: $hash, not $golden"
        fi
        for lanes in 1 4; do
            "$nvcc" -x cu -std=c++17 -fmad=false -arch=sm_90 -ptx -I "$root" "${macro[@]}" -DLEVY_LANES=$lanes "$root/tests/lane_probe.c" -o "$work/ptx" ||
                fail "nvcc, sm_90, $precision, $lanes paths a thread"
            check_ptx "nvcc, sm_90, $precision, $lanes" "$precision" "$work/ptx"
        done
    done
else
    echo "skipped: no nvcc"
fi

"$cc" ${LEVY_SYSROOT:+"--sysroot=$LEVY_SYSROOT"} -std=gnu11 -O1 "$root/tests/lane_nvrtc.c" -o "$work/nvrtc" -ldl || fail "lane_nvrtc.c does not compile"
for arch in compute_90 ${LEVY_TEST_FULL:+compute_80}; do
    for precision in double single; do
        for lanes in 1 2 4; do
            options=("--gpu-architecture=$arch" --fmad=false -std=c++17 --no-source-include "-DLEVY_LANES=$lanes")
            [ "$precision" = single ] && options+=(-DLANE_SINGLE)
            "$work/nvrtc" "$root" "${options[@]}" > "$work/ptx"
            case $? in
            0) check_ptx "NVRTC, $arch, $precision, $lanes" "$precision" "$work/ptx" ;;
            77) echo "skipped: no NVRTC"; break 3 ;;
            *) fail "NVRTC, $arch, $precision, $lanes paths a thread" ;;
            esac
        done
    done
done
echo "$ran checks, failed: $failed"
if [ "$failed" -eq 0 ] && [ "$ran" -eq 0 ]; then exit 77; fi
exit $failed
