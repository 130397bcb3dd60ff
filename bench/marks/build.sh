#!/usr/bin/env bash
# Builds the benchmark of jumps with listed marks: bench/marks/build.sh BUILD. BUILD: a build of levy, whose liblevy.a is linked; the
# program is BUILD/bench_marks. Needs a C compiler and libyaml's archive, and no CUDA toolkit.
#     LEVY_BENCH_DEVICE=cuda:0 LEVY_MODULE_DIR=BUILD/lib/levy BUILD/bench_marks      measures on a GPU
set -eu
cd "$(dirname "$0")/../.."
build=$(cd "$1" && pwd)
${CC:-cc} -O2 -std=c11 -D_GNU_SOURCE -I. bench/marks/marks.c "$build/lib/liblevy.a" -lyaml -lpthread -ldl -lm -o "$build/bench_marks"
