#!/usr/bin/env bash
# Builds the benchmark of stand-alone normals: bench/normals/build.sh BUILD [ARCHITECTURE]. BUILD: a build of levy, whose liblevy.a is
# linked; the program is BUILD/bench_normals. Needs nvcc with cuRAND, and libyaml's archive.
#     LEVY_MODULE_DIR=BUILD/lib/levy BUILD/bench_normals      runs it
set -eu
cd "$(dirname "$0")/../.."
build=$(cd "$1" && pwd) arch=${2:-sm_90}
nvcc -O2 -std=c++17 -arch="$arch" -I. bench/normals/bench_normals.cu "$build/lib/liblevy.a" -lcurand \
    -Xlinker -Bstatic -lyaml -Xlinker -Bdynamic -lpthread -ldl -lm -o "$build/bench_normals"
