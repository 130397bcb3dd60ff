#!/usr/bin/env bash
# Builds the benchmark of levy_draw_each on a GPU: bench/draws/build.sh BUILD [ARCHITECTURE]. BUILD: a build of levy, whose
# liblevy.a is linked; the program is BUILD/bench_draws. Needs libyaml's archive and nvcc.
#     LEVY_MODULE_DIR=BUILD/lib/levy BUILD/bench_draws          checks and measures
#     LEVY_MODULE_DIR=BUILD/lib/levy BUILD/bench_draws check    checks alone
set -eu
exec "$(dirname "$0")/../program.sh" draws "$1" "${2:-sm_90}"
