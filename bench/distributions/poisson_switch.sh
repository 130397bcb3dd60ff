#!/usr/bin/env bash
# Which of Poisson's methods is the fastest where: M draws/s on one thread by a search with one word, by Atkinson's envelope and by
# Knuth's products, for some means and instruction sets. The first two as the library runs them, products in a plain loop over lanes.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/products.c" <<'C'
#include "bench/distributions/poisson_products.h"
#include <string.h>
void products_fill(double mean, unsigned *output, unsigned count);
void products_fill(double mean, unsigned *output, unsigned count)
{
    const lane bound = poisson_products_bound(lane_of(mean));
    discrete_source source = {1, lane_word_of(0), lane_word_of(0), lane_word_of(0)};
    for (int i = 0; i < LANES; ++i) source.low[i] = (unsigned)i;
    for (unsigned at = 0; at < count; at += LANES, source.low = source.low + (unsigned)LANES) {
        const lane_int whole = __builtin_convertvector(poisson_products(bound, &source), lane_int);
        memcpy(output + at, &whole, sizeof whole);
    }
}
C
cat >"$work/main.c" <<'C'
#include "kernels/cpu/draw_isa.h"
#include <stdio.h>
#include <time.h>
extern const levy_draw_isa levy_draw_search_double, levy_draw_envelope_double;
void products_fill(double mean, unsigned *output, unsigned count);
static unsigned output[100032];
static double rate(const levy_draw_isa *isa, double mean)
{
    double best = 1e9;
    const levy_draw_job job = {.law = LEVY_DRAW_POISSON, .seed = 1, .parameters = {mean}, .output = output};
    for (int k = 0; k < 15; ++k) {
        struct timespec a, b;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
        if (isa) isa->fill(&job, 0, 100000);
        else products_fill(mean, output, 100000);
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
        const double time = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
        if (time < best) best = time;
    }
    return 0.1 / best;
}
int main(void)
{
    static const double means[] = {0.5, 2, 6, 12, 16, 20, 24, 28, 32, 40, 50, 64, 80};
    for (unsigned i = 0; i < sizeof means / sizeof *means; ++i)
        printf("  mean %4g: search %6.1f, envelope %6.1f, products %6.1f\n", means[i], rate(&levy_draw_search_double, means[i]),
               rate(&levy_draw_envelope_double, means[i]), rate(0, means[i]));
    return 0;
}
C
flags=(-std=c11 -D_GNU_SOURCE -O2 -ffp-contract=off -fno-math-errno -fno-trapping-math -Wno-psabi -I.)
for isa in "avx2: -mavx2 -mfma" "avx512: -mavx512f -mavx512dq -mavx512vl -mavx512bw -mavx2 -mfma -mprefer-vector-width=512"; do
    read -r -a own <<<"${isa#*: }"
    ${CC:-cc} "${flags[@]}" "${own[@]}" -DPOISSON_FEW=100.0 -DLEVY_ISA_NAME=search -c kernels/cpu/draw_isa.c -o "$work/search.o"
    ${CC:-cc} "${flags[@]}" "${own[@]}" -DPOISSON_FEW=-1.0 -DLEVY_ISA_NAME=envelope -c kernels/cpu/draw_isa.c -o "$work/envelope.o"
    ${CC:-cc} "${flags[@]}" "${own[@]}" -c "$work/products.c" -o "$work/products.o"
    ${CC:-cc} "${flags[@]}" "$work/main.c" "$work"/{search,envelope,products}.o -o "$work/main"
    echo "${isa%%:*}"
    "$work/main"
done
