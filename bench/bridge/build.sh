#!/usr/bin/env bash
# Builds the bridge's GPU benchmark: bench/bridge/build.sh BUILD [ARCHITECTURE]. BUILD: a build of levy, whose liblevy.a is linked;
# the program is BUILD/bench_bridge. Needs nvcc and libyaml's archive.
#     LEVY_MODULE_DIR=BUILD/lib/levy BUILD/bench_bridge ROWS.json      runs it
set -eu
cd "$(dirname "$0")/../.."
build=$(cd "$1" && pwd) arch=${2:-sm_90}
work=$build/bench_bridge.parts
mkdir -p "$work"
cc=${CC:-cc}
for file in bridge/program bridge/tables cuda/compile/bridge_shape cuda/compile/bridge_runs; do
    "$cc" -std=c11 -D_GNU_SOURCE -O2 -I. -c "kernels/$file.c" -o "$work/$(basename "$file").o"
done
"$cc" -std=c11 -D_GNU_SOURCE -O2 -I. bench/bridge/make_shapes.c "$work"/program.o "$work"/tables.o "$work"/bridge_shape.o "$work"/bridge_runs.o engine/base/memory.c -lm -o "$work/make_shapes"
"$work/make_shapes" >"$work/shapes.inc"
nvcc -O2 -std=c++17 -arch="$arch" -fmad=false -diag-suppress 128,111,186,177 -Xptxas -v -I. -I"$work" bench/bridge/bench_bridge.cu "$work/bridge_shape.o" "$work/bridge_runs.o" \
    "$build/lib/liblevy.a" -Xlinker -Bstatic -lyaml -Xlinker -Bdynamic -lpthread -ldl -lm -o "$build/bench_bridge" 2>"$work/ptxas.log" || { cat "$work/ptxas.log"; exit 1; }
# A kernel that spills is no candidate.
spilled=$(grep -c "bytes spill" "$work/ptxas.log" || true) clean=$(grep -c "0 bytes spill stores, 0 bytes spill loads" "$work/ptxas.log" || true)
echo "$build/bench_bridge: $clean of $spilled kernels without spills"
