/* peers.h: other ways to draw by weight, as peers of the alias tables: rejection after K. Bringmann
 * and K. G. Larsen, Succinct sampling from discrete distributions, STOC 2013, and inversion by
 * bisection and by cut points. C11 and CUDA C++.
 *
 * Rejection: item i has floor(n w_i / W) + 1 places, the first of which counts for the fraction
 * only. Of the places a bit string keeps where items begin; the item of a place is the number of
 * ones up to it. At least half of all draws are kept. */
#ifndef LEVY_BENCH_PEERS_H
#define LEVY_BENCH_PEERS_H

#include "kernels/samplers/alias/alias.h"

typedef struct peer_rejection {
    uint64_t places;
    const uint64_t *starts; /* a bit per place: 1 where an item begins */
    const uint32_t *before; /* ones before each word */
    const float *fractions; /* of each item's first place */
} peer_rejection;

ALIAS_FN uint32_t peer_ones(uint64_t word)
{
#if defined(__CUDA_ARCH__)
    return (uint32_t)__popcll((long long)word);
#else
    return (uint32_t)__builtin_popcountll(word);
#endif
}

/* One attempt; -1: rejected. */
ALIAS_FN int64_t peer_rejection_try(const peer_rejection *r, uint64_t word)
{
    const uint64_t low = (word & 0xFFFFFFFFu) * r->places,
                   product = (word >> 32) * r->places + (low >> 32), place = product >> 32;
    const uint64_t bits = r->starts[place >> 6],
                   up_to = bits & (~(uint64_t)0 >> (63 - (place & 63)));
    const uint32_t item = r->before[place >> 6] + peer_ones(up_to) - 1;
    const int first = (int)(bits >> (place & 63)) & 1;
    return !first || (float)(uint32_t)product * 0x1p-32f < r->fractions[item] ? (int64_t)item : -1;
}

ALIAS_FN uint32_t peer_bisect(const double *cumulative, uint32_t low, uint32_t high, double u)
{
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (u < cumulative[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

ALIAS_FN uint32_t peer_guided(const double *cumulative, const uint32_t *start, uint32_t cells,
                              double u)
{
    const uint32_t cell = (uint32_t)(u * (double)cells);
    return peer_bisect(cumulative, start[cell], start[cell + 1], u);
}

/* The number of places that the weights need. peer_rejection_fill then fills arrays of (places +
 * 63) / 64 words and n fractions. */
static inline uint64_t peer_rejection_places(const double *w, uint64_t n, double total)
{
    uint64_t places = 0;
    for (uint64_t i = 0; i < n; ++i) places += (uint64_t)(w[i] * ((double)n / total)) + 1;
    return places;
}

static inline void peer_rejection_fill(const double *w, uint64_t n, double total, uint64_t places,
                                       uint64_t *starts, uint32_t *before, float *fractions)
{
    const uint64_t words = (places + 63) / 64;
    uint64_t place = 0;
    uint32_t ones = 0;
    for (uint64_t k = 0; k < words; ++k) starts[k] = 0;
    for (uint64_t i = 0; i < n; ++i) {
        const double x = w[i] * ((double)n / total);
        starts[place >> 6] |= (uint64_t)1 << (place & 63);
        fractions[i] = (float)(x - (double)(uint64_t)x);
        place += (uint64_t)x + 1;
    }
    for (uint64_t k = 0; k < words; ++k) {
        before[k] = ones;
        ones += peer_ones(starts[k]);
    }
}

#endif
