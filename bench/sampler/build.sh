#!/usr/bin/env bash
# Builds the benchmarks of the stand-alone sampler: bench/sampler/build.sh BUILD [ARCHITECTURE | cpu]. BUILD: a build of levy, whose
# liblevy.a is linked; the programs are BUILD/sampler_cpu and, but for `cpu`, BUILD/bench_sampler. Needs a C compiler, libyaml's
# archive, and nvcc for the latter.
#     LEVY_MODULE_DIR=BUILD/lib/levy BUILD/bench_sampler      runs it
set -eu
cd "$(dirname "$0")/../.."
build=$(cd "$1" && pwd) arch=${2:-sm_90}
${CC:-cc} -O2 -std=c11 -D_GNU_SOURCE -ffp-contract=off -Wno-psabi -I. bench/sampler/sampler_cpu.c "$build/lib/liblevy.a" \
    -lyaml -lpthread -ldl -lm -o "$build/sampler_cpu"
[ "$arch" != cpu ] || exit 0
bench/program.sh sampler "$build" "$arch"
