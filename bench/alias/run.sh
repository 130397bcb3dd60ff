#!/usr/bin/env bash
# Alias tables on this machine's GPU and CPU: builds both programs, checks, times. Needs nvcc and a C compiler, no build tree.
#     bench/alias/run.sh OUTPUT [check]     rows go to OUTPUT/alias_gpu.json and alias_cpu.json; check: compute-sanitizer too
set -eu
cd "$(dirname "$0")/../.."
output=$1 arch=${LEVY_ARCH:-native}
mkdir -p "$output"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
objects=()
for source in kernels/alias/*.c kernels/cpu/threads.c engine/base/memory.c engine/base/number.c; do
    object=$work/$(basename "$source" .c).o
    ${CC:-cc} -std=c11 -D_GNU_SOURCE -O2 -ffp-contract=off -fno-math-errno -fno-trapping-math -I. -c "$source" -o "$object"
    objects+=("$object")
done
${CC:-cc} -std=c11 -D_GNU_SOURCE -O2 -ffp-contract=off -I. bench/alias/alias_cpu.c "${objects[@]}" -lm -lpthread -o "$work/alias_cpu"
for source in kernels/alias/alias_cuda.cu kernels/alias/alias_sample.cu bench/alias/bench_alias.cu; do
    nvcc -std=c++17 -O3 -fmad=false -arch="$arch" -I. -c "$source" -o "$work/$(basename "$source").o" &
done
wait
nvcc -arch="$arch" "$work"/*.cu.o "${objects[@]}" -o "$work/bench_alias"
if [ "${2:-}" = check ]; then
    for tool in memcheck racecheck synccheck; do
        compute-sanitizer --tool "$tool" --error-exitcode 9 "$work/bench_alias" check >"$output/$tool.log" 2>&1 || echo "$tool: FAILED"
        echo "$tool: $(grep -E 'ERROR SUMMARY|RACECHECK SUMMARY' "$output/$tool.log" | tail -n 1)"
    done
fi
status=0
"$work/bench_alias" all >"$output/alias_gpu.json" || status=$?
"$work/alias_cpu" >"$output/alias_cpu.json" || status=$?
exit $status
