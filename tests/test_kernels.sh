#!/bin/bash
# test_kernels.sh: `levy kernels build` fills a cache for an architecture that need not be here, several kernels at a time, and
# builds nothing twice. Skips where there is no module or no NVRTC. Environment: LEVY (set by ctest).
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
levy=${LEVY:?the program to test}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TSAN_OPTIONS="ignore_noninstrumented_modules=1${TSAN_OPTIONS:+:$TSAN_OPTIONS}" # NVRTC's own threads and locks are unseen
build=("$levy" kernels build "$root/configs/quickstart.yaml" --arch sm_90 --cache-dir "$work/cache")

code=0
"${build[@]}" > "$work/first" 2> "$work/message" || code=$?
if [ "$code" -eq 4 ]; then echo "skipped: no CUDA compiler: $(head -n 1 "$work/message")"; exit 77; fi
[ "$code" -eq 0 ] || { cat "$work/message"; exit 1; }
[ "$(wc -l < "$work/first")" -ge 4 ] || { echo "a line per group and more was expected:"; cat "$work/first"; exit 1; }
built=$(grep -c ': compiled in ' "$work/first")
kernels=$("$levy" kernels list --cache-dir "$work/cache" | grep -c 'sm_90 double')
if [ "$built" -lt "$kernels" ] || [ "$kernels" -lt 3 ]; then echo "$built compiled, $kernels in the cache"; exit 1; fi

"${build[@]}" > "$work/second"
if grep -v ': cached in ' "$work/second"; then echo "these were built again"; exit 1; fi
[ "$(wc -l < "$work/second")" -eq "$(wc -l < "$work/first")" ]

if [ -w /dev/full ]; then
    code=0
    "${build[@]}" > /dev/full 2> "$work/message" || code=$?
    [ "$code" -eq 7 ] || { echo "a full output gave exit code $code"; cat "$work/message"; exit 1; }
fi
if [ "$(id -u)" -eq 0 ] && command -v unshare > /dev/null && unshare -m true 2> /dev/null; then
    mkdir "$work/disk"
    code=0
    # shellcheck disable=SC2016
    unshare -m bash -c 'mount -t tmpfs -o size=16k levy "$1" || exit 50
        shift; exec "$@"' _ "$work/disk" "$levy" kernels build "$root/configs/quickstart.yaml" --arch sm_90 \
        --cache-dir "$work/disk/cache" > /dev/null 2> "$work/message" || code=$?
    if [ "$code" -ne 50 ] && { [ "$code" -ne 7 ] || ! grep -q 'cannot keep a kernel: No space left on device' "$work/message"; }; then
        echo "a disk of 16 KiB gave exit code $code:"
        cat "$work/message"
        exit 1
    fi
fi
"$levy" kernels clear --cache-dir "$work/cache" > /dev/null
[ "$("$levy" kernels list --cache-dir "$work/cache" | grep -c 'sm_90 double')" -eq 0 ] || { echo "the cache was not emptied"; exit 1; }
