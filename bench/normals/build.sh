#!/usr/bin/env bash
# Builds the benchmark of stand-alone normals: bench/normals/build.sh BUILD [ARCHITECTURE]. BUILD: a build of levy, whose liblevy.a is
# linked; the program is BUILD/bench_normals. Needs nvcc with cuRAND, and libyaml's archive.
#     LEVY_MODULE_DIR=BUILD/lib/levy BUILD/bench_normals      runs it
set -eu
exec "$(dirname "$0")/../program.sh" normals "$1" "${2:-sm_90}" -lcurand
