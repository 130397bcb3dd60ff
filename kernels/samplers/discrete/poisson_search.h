/* poisson_search.h: a generator's word to a Poisson count by adding probabilities from 0 on: the
 * least k with P(N <= k) >= (u + 1/2) 2^-32. Masked: each comparison with the sum adds to a lane's
 * count, and a lane that has its count no longer changes, because the sum never falls. The mask is
 * tested once in four steps. For means up to POISSON_SEARCH. Must not know: where words come
 * from. */
#ifndef LEVY_DISCRETE_POISSON_SEARCH_H
#define LEVY_DISCRETE_POISSON_SEARCH_H

#include "kernels/lane/target.h"
#include "kernels/samplers/discrete/draw.h"

#define POISSON_SEARCH LANE_PICK(100.0, 64.0f)
enum { POISSON_TERMS = 256, POISSON_STEPS = 4 }; /* P(N > 256) of a mean of 100 is below 1e-36 */

#define POISSON_1(k) R(1.0 / (k)),
#define POISSON_4(k) POISSON_1(k) POISSON_1(k + 1) POISSON_1(k + 2) POISSON_1(k + 3)
#define POISSON_16(k) POISSON_4(k) POISSON_4(k + 4) POISSON_4(k + 8) POISSON_4(k + 12)
#define POISSON_64(k) POISSON_16(k) POISSON_16(k + 16) POISSON_16(k + 32) POISSON_16(k + 48)
LANE_TABLE(poisson_reciprocals) = {POISSON_64(1) POISSON_64(65) POISSON_64(129) POISSON_64(193)};
#undef POISSON_1
#undef POISSON_4
#undef POISSON_16
#undef POISSON_64

/* Counts are integers, so that the result of a comparison is added in one step. */
#if LANE_GPU
typedef lane_word poisson_tally;
LANE_FN poisson_tally poisson_tally_none(void) { return lane_word_of(0); }
LANE_FN poisson_tally poisson_tally_more(poisson_tally t, lane_mask m)
{
    LANE_EACH(poisson_tally, t.v[i] + m.v[i]);
}
LANE_FN lane poisson_tally_real(poisson_tally t) { return lane_from_word(t); }
#else
typedef lane_bits poisson_tally;
LANE_FN poisson_tally poisson_tally_none(void) { return (lane_bits){0}; }
LANE_FN poisson_tally poisson_tally_more(poisson_tally t, lane_mask m) { return t - (lane_bits)m; }
LANE_FN lane poisson_tally_real(poisson_tally t)
{
    return lane_from_bits(t + LANE_PICK(0x4338000000000000LL, 0x4b400000)) -
           LANE_PICK(0x1.8p52, 0x1.8p23f);
}
#endif

/* A probability and the sum up to it. */
typedef struct poisson_partial {
    lane p, sum;
} poisson_partial;

LANE_FN poisson_partial poisson_partial_of(lane lambda)
{
    poisson_partial w;
    w.p = w.sum = lane_exp(-lane_min(lambda, lane_of(POISSON_SEARCH)));
    return w;
}

/* Goes from count k to k + 1. */
LANE_FN void poisson_partial_step(poisson_partial *w, lane lambda, int k)
{
    w->p = w->p * (lambda * poisson_reciprocals[k]);
    w->sum = w->sum + w->p;
}

/* Whether terms after count k still matter: up to the mean always, beyond it while they exceed the
 * rounding. */
LANE_FN lane_mask poisson_partial_on(const poisson_partial *w, lane lambda, int k)
{
    return (w->p > LANE_PICK(0x1p-60, 0x1p-30f)) | (lambda > (real)k);
}

/* Lanes that are not `open` get 0. */
LANE_FN poisson_tally poisson_search(lane lambda, lane_word word, lane_mask open)
{
    const lane none = lane_of(R(0.0));
    poisson_partial partial = poisson_partial_of(lambda);
    lane u = lane_select(open, lane_uniform_from_word(word), none);
    poisson_tally tally = poisson_tally_more(poisson_tally_none(), u > partial.sum);
    for (int k = 0; k < POISSON_TERMS; k += POISSON_STEPS) {
        u = lane_select(poisson_partial_on(&partial, lambda, k), u, none);
        if (!lane_any(u > partial.sum)) break;
        LANE_UNROLL for (int step = 0; step < POISSON_STEPS; ++step)
        {
            poisson_partial_step(&partial, lambda, k + step);
            tally = poisson_tally_more(tally, u > partial.sum);
        }
    }
    return tally;
}

/* The same for POISSON_TOGETHER words of one small mean, which share the sums. The loop goes on as
 * far as the largest word needs. This changes no other count, because a sum that a word does not
 * exceed adds nothing. */
#if LANE_GPU
enum { POISSON_TOGETHER = 16 };
#else
enum { POISSON_TOGETHER = 4 };
#endif

LANE_FN void poisson_search_together(lane lambda, poisson_partial partial, const lane_word *words,
                                     poisson_tally *tally)
{
    lane u[POISSON_TOGETHER], most = lane_of(R(0.0));
    LANE_UNROLL for (int i = 0; i < POISSON_TOGETHER; ++i)
    {
        u[i] = lane_uniform_from_word(words[i]);
        most = lane_max(most, u[i]);
        tally[i] = poisson_tally_more(poisson_tally_none(), u[i] > partial.sum);
    }
    for (int k = 0; k < POISSON_TERMS &&
                    lane_any((most > partial.sum) & poisson_partial_on(&partial, lambda, k));
         k += POISSON_STEPS)
        LANE_UNROLL for (int step = 0; step < POISSON_STEPS; ++step)
        {
            poisson_partial_step(&partial, lambda, k + step);
            LANE_UNROLL for (int i = 0; i < POISSON_TOGETHER; ++i) tally[i] =
                poisson_tally_more(tally[i], u[i] > partial.sum);
        }
}

#endif
