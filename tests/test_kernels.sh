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

names() { "$levy" kernels list --cache-dir "$1" | sed 's/ .*//' | sort; }

echo "-- in three parts, each with a cache of its own: every kernel is built by one of them"
mkdir -m 700 "$work/cache"
for k in 1 2 3; do
    code=0
    "$levy" kernels build "$root/configs/quickstart.yaml" --arch sm_90 --cache-dir "$work/parts.$k" --part "$k/3" > "$work/part.$k" 2> "$work/message" || code=$?
    if [ "$code" -eq 4 ]; then echo "skipped: no CUDA compiler: $(head -n 1 "$work/message")"; exit 77; fi
    [ "$code" -eq 0 ] || { cat "$work/message"; exit 1; }
    names "$work/parts.$k" >> "$work/of_parts"
    cp -p "$work/parts.$k"/*.kernel "$work/cache/" 2> /dev/null || [ ! -s "$work/part.$k" ]
done
cat "$work"/part.[123] > "$work/first"
built=$(grep -c ': compiled in ' "$work/first")
kernels=$("$levy" kernels list --cache-dir "$work/cache" | grep -c 'sm_90 double')
if [ "$built" -lt "$kernels" ] || [ "$kernels" -lt 3 ]; then echo "$built compiled, $kernels in the cache"; exit 1; fi
sort "$work/of_parts" | cmp - <(names "$work/cache") || { echo "two parts have built one kernel"; exit 1; }

echo "-- all of it: nothing is missing, and nothing is built again"
"${build[@]}" > "$work/second"
if grep -v ': cached in ' "$work/second"; then echo "no part has built these"; exit 1; fi
[ "$(wc -l < "$work/second")" -ge 4 ] || { echo "a line per group and more was expected:"; cat "$work/second"; exit 1; }
[ "$(wc -l < "$work/second")" -eq "$(wc -l < "$work/first")" ]
"${build[@]}" --part 2/3 > "$work/again"
cmp <(sed 's/: .*//' "$work/part.2" | sort) <(sed 's/: .*//' "$work/again" | sort) || { echo "part 2 has other kernels the second time"; exit 1; }
code=0
"$levy" kernels list --part 1/2 2> "$work/message" || code=$?
if [ "$code" -ne 2 ] || ! grep -q -- '--part is for .levy kernels build.' "$work/message"; then echo "list takes --part"; exit 1; fi
env OMPI_COMM_WORLD_RANK=5 OMPI_COMM_WORLD_SIZE=6 OMPI_COMM_WORLD_LOCAL_RANK=1 OMPI_COMM_WORLD_LOCAL_SIZE=3 "${build[@]}" --part env > "$work/env"
cmp <(sed 's/ in .*//' "$work/again" | sort) <(sed 's/ in .*//' "$work/env" | sort) || { echo "rank 5, the second of its host, has another part"; exit 1; }

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
