#!/usr/bin/env bash
# Builds the benchmark of the stand-alone sampler: bench/sampler/build.sh BUILD [ARCHITECTURE]. BUILD: a build of levy, whose
# liblevy.a is linked; the program is BUILD/bench_sampler. Needs nvcc, and libyaml's archive.
#     LEVY_MODULE_DIR=BUILD/lib/levy BUILD/bench_sampler      runs it
set -eu
cd "$(dirname "$0")/../.."
build=$(cd "$1" && pwd) arch=${2:-sm_90}
nvcc -O2 -std=c++17 -arch="$arch" -I. bench/sampler/bench_sampler.cu "$build/lib/liblevy.a" \
    -Xlinker -Bstatic -lyaml -Xlinker -Bdynamic -lpthread -ldl -lm -o "$build/bench_sampler"
