#!/usr/bin/env bash
# Compiles BUILD/bench_NAME of bench/NAME/bench_NAME.cu, linked with the liblevy.a of BUILD, a build of levy:
# bench/program.sh NAME BUILD ARCHITECTURE [FLAG...]. The build.sh of each benchmark says what more it needs. Needs nvcc and
# libyaml's archive.
set -eu
cd "$(dirname "$0")/.."
name=$1 build=$(cd "$2" && pwd) arch=$3
shift 3
nvcc -O2 -std=c++17 -arch="$arch" -I. "bench/$name/bench_$name.cu" "$build/lib/liblevy.a" "$@" \
    -Xlinker -Bstatic -lyaml -Xlinker -Bdynamic -lpthread -ldl -lm -o "$build/bench_$name"
