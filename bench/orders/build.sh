#!/usr/bin/env bash
# Builds the benchmark of bridges whose program is data: bench/orders/build.sh BUILD [ARCHITECTURE]. BUILD: a build of levy, whose
# liblevy.a is linked; the program is BUILD/bench_orders. Needs nvcc and libyaml's archive.
#     LEVY_MODULE_DIR=BUILD/lib/levy BUILD/bench_orders      runs it
set -eu
cd "$(dirname "$0")/../.."
build=$(cd "$1" && pwd) arch=${2:-sm_90}
nvcc -O2 -std=c++17 -arch="$arch" -I. bench/orders/bench_orders.cu "$build/lib/liblevy.a" \
    -Xlinker -Bstatic -lyaml -Xlinker -Bdynamic -lpthread -ldl -lm -o "$build/bench_orders"
