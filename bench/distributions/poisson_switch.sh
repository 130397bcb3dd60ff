#!/usr/bin/env bash
# Where Poisson's two methods cross: M draws/s on one thread by products and by the envelope, for some means and instruction sets.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/main.c" <<'C'
#include "kernels/cpu/draw_isa.h"
#include <stdio.h>
#include <time.h>
extern const levy_draw_isa levy_draw_products_double, levy_draw_envelope_double;
static unsigned output[200000];
static double rate(const levy_draw_isa *isa, double mean)
{
    double best = 1e9;
    const levy_draw_job job = {.law = LEVY_DRAW_POISSON, .seed = 1, .parameters = {mean}, .output = output};
    for (int k = 0; k < 15; ++k) {
        struct timespec a, b;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
        isa->fill(&job, 0, 200000);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
        const double time = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
        if (time < best) best = time;
    }
    return 0.2 / best;
}
int main(void)
{
    for (double mean = 6.0; mean <= 24.0; mean += 2.0)
        printf("  mean %4.0f: products %6.1f, envelope %6.1f\n", mean, rate(&levy_draw_products_double, mean), rate(&levy_draw_envelope_double, mean));
    return 0;
}
C
flags=(-std=c11 -D_GNU_SOURCE -O2 -ffp-contract=off -fno-math-errno -fno-trapping-math -Wno-psabi -I.)
for isa in "avx2: -mavx2 -mfma" "avx512: -mavx512f -mavx512dq -mavx512vl -mavx512bw -mavx2 -mfma -mprefer-vector-width=512"; do
    read -r -a own <<<"${isa#*: }"
    ${CC:-cc} "${flags[@]}" "${own[@]}" -DPOISSON_KNUTH=100.0 -DLEVY_ISA_NAME=products -c kernels/cpu/draw_isa.c -o "$work/products.o"
    ${CC:-cc} "${flags[@]}" "${own[@]}" -DPOISSON_KNUTH=0.0 -DLEVY_ISA_NAME=envelope -c kernels/cpu/draw_isa.c -o "$work/envelope.o"
    ${CC:-cc} "${flags[@]}" "$work/main.c" "$work/products.o" "$work/envelope.o" -o "$work/main"
    echo "${isa%%:*}"
    "$work/main"
done
