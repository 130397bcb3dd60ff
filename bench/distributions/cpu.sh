#!/usr/bin/env bash
# Deviates on this machine's CPU, vector builds against scalar ones: bench/distributions/cpu.sh OUTPUT.json. Needs a C compiler only.
# CFLAGS: more flags. LEVY_KEEP: a folder to keep the program in.
set -eu
cd "$(dirname "$0")/../.."
work=${LEVY_KEEP:-$(mktemp -d)}
[ -n "${LEVY_KEEP:-}" ] || trap 'rm -rf "$work"' EXIT
flags=(-std=c11 -D_GNU_SOURCE -O2 -ffp-contract=off -fno-math-errno -fno-trapping-math -Wno-psabi -I.)
avx2=(-mavx2 -mfma)
avx512=(-mavx512f -mavx512dq -mavx512vl -mavx512bw -mavx2 -mfma -mprefer-vector-width=512)
objects=()
for isa in avx2 avx512 scalar; do
    case $isa in
    avx2) own=("${avx2[@]}") ;;
    avx512) own=("${avx512[@]}") ;;
    scalar) own=("${avx2[@]}" -DLANE_SCALAR) ;;
    esac
    for precision in double single; do
        [ $precision = single ] && own+=(-DLANE_SINGLE)
        # shellcheck disable=SC2086
        ${CC:-cc} "${flags[@]}" ${CFLAGS:-} "${own[@]}" -DLEVY_ISA_NAME=$isa -c kernels/cpu/draw_isa.c -o "$work/${isa}_$precision.o"
        objects+=("$work/${isa}_$precision.o")
    done
done
${CC:-cc} "${flags[@]}" bench/distributions/distributions_cpu.c "${objects[@]}" -o "$work/distributions_cpu"
"$work/distributions_cpu" >"$1"
