#!/usr/bin/env bash
# Alias tables on this machine's GPU and CPU: builds both programs, checks, times. Needs nvcc and a C compiler, no build tree.
#     bench/alias/run.sh OUTPUT [check]     rows go to OUTPUT/alias_gpu.json and alias_cpu.json; check: compute-sanitizer too
set -eu
cd "$(dirname "$0")/../.."
output=$1
mkdir -p "$output"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bench/alias/build.sh "$work"
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
