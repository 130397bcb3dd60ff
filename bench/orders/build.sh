#!/usr/bin/env bash
# Builds the benchmark of bridges whose program is data: bench/orders/build.sh BUILD [ARCHITECTURE]. BUILD: a build of levy, whose
# liblevy.a is linked; the program is BUILD/bench_orders. Needs nvcc and libyaml's archive.
#     LEVY_MODULE_DIR=BUILD/lib/levy BUILD/bench_orders      runs it
set -eu
exec "$(dirname "$0")/../program.sh" orders "$1" "${2:-sm_90}"
