#!/bin/bash
# nvcc.sh: nvcc reads the kernels' source as NVRTC does, warnings as errors: for sm_80 behind the shape of one kernel for each
# model and set of its features that the examples have (the widest shape stands for the others), in double and in single by
# turns, little optimised where nvcc can, which takes a third of the time and says the same of the text; or, with `all`, for
# sm_80 and sm_90 behind all of them, optimised. For sm_90 .ci/run has NVRTC read the same text.
# The samplers' own .cu files, which users' nvcc compiles, for sm_75, the oldest that the toolkit knows.
#
#     tests/nvcc.sh BUILD [all]     BUILD holds tests/kernel_sources
#
# Compilers run side by side. Ends with the count of sources; exit code 1: one failed; 77: there is no nvcc.
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=$(cd "${1:?usage: nvcc.sh BUILD [all]}" && pwd -P)
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
if [ ! -x "$nvcc" ]; then echo "skipped: no nvcc"; exit 77; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$build/tests/kernel_sources" "$work" "$root"/configs/*.yaml

# A line a source: what it stands for, how wide it is, its name.
describe() {
    awk 'FNR == 1 && name { say() } FNR == 1 { name = FILENAME; width = 0; key = "double" }
         /LANE_SINGLE/ { key = "single" } /PATH_model |PATH_model_features / { key = key "," $3 } /PATH_(assets|dynamics|items) / { width += $3 }
         function say() { print key, width, name } END { say() }' "$work"/*.cu
}
describe | sort -k1,1 -k2,2nr -k3,3 > "$work/list"
archs=(sm_80)
optimise=
if [ "${2:-}" = all ]; then
    archs+=(sm_90)
    cut -d' ' -f3- "$work/list" > "$work/chosen"
else
    if "$nvcc" --help | grep -e --Ofast-compile > /dev/null; then optimise=--Ofast-compile=max; fi
    # the list has those in double first
    awk '{ precision = kind = $1; sub(/,.*/, "", precision); sub(/^[a-z]*,/, "", kind) }
         !(kind in turn) { turn[kind] = ++n % 2 }
         !((precision, kind) in seen) { seen[precision, kind] = 1; if ((precision == "double") == turn[kind]) print $3 }' "$work/list" > "$work/chosen"
fi
[ "$(wc -l < "$work/chosen")" -ge 6 ] || { echo "only these sources:"; cat "$work/list"; exit 1; }

# Two warnings say only that a shape's constant is 0, or a loop's one turn the last: 128 "loop is not reachable", 186 "pointless
# comparison of unsigned integer with zero".
compile() { # source, architecture
    local out=$1.$2.cubin
    # shellcheck disable=SC2086
    "$nvcc" -cubin -arch="$2" $optimise -std=c++17 -fmad=false -Werror all-warnings -diag-suppress 128,186 -I "$root" "$1" -o "$out" > "$out.log" 2>&1 && rm -f "$out" && return 0
    echo "FAIL: nvcc, $2: $(sed -n 's/^#define PATH_//p' "$1" | tr '\n' ',' | cut -c1-900)"
    head -n 30 "$out.log"
    return 1
}
export -f compile
export root nvcc optimise
# shellcheck disable=SC2016
{
    for each in "$root"/kernels/samplers/*/*.cu; do
        cp "$each" "$work/own_$(basename "$each")" # its cubin goes beside it
        echo "$work/own_$(basename "$each") sm_75"
    done
    for arch in "${archs[@]}"; do sed "s/\$/ $arch/" "$work/chosen"; done
} | xargs -P "$(nproc)" -L 1 bash -c 'compile "$@"' _
echo "nvcc: $(wc -l < "$work/chosen") of $(wc -l < "$work/list") sources for ${archs[*]}, the samplers for sm_75"
