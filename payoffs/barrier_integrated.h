/* barrier_integrated.h: barriers watched on dates, integrated over the first normal z
 * (integral.h). A path that is not touched so far has z in a range: below every date's threshold of
 * an upper barrier, above every date's of a lower one. A touch is paid its rebate at the hit with
 * the probability that the range loses.
 *
 * States 0 and 1: the range; [START] and [SECOND] begin it, and one that is empty is touched
 * already. State 2: rebates at the hit. Terms: [A] and [E] logarithms of the lower and upper
 * barrier, [B] that of the strike; the rest as in barrier.h. Lanes only. */
#ifndef LEVY_PAYOFFS_BARRIER_INTEGRATED_H
#define LEVY_PAYOFFS_BARRIER_INTEGRATED_H

#include "payoffs/integral.h"
#include "payoffs/seen.h"

/* Variants of all lanes on barriers. */
enum {
    BARRIER_CONTINUOUS = 1,
    BARRIER_DOUBLE = 2,
    BARRIER_AT_HIT = 4, /* the rebate is paid at the hit */
    BARRIER_REBATE = 8, /* a rebate is paid at expiry */
    BARRIER_CROSS = 16, /* one barrier, whichever side the window opens on */
    BARRIER_DIGITAL = 32,
    BARRIER_INTEGRATED = 64,
    BARRIER_UP = 128,    /* integrated: of one barrier, it is the upper one */
    BARRIER_IN = 256,    /* integrated: it knocks in */
    BARRIER_VARIES = 512 /* continuous: the variance of an interval is the path's (seen.h) */
};

enum {                  /* an integrated item's numbers at a node */
       BARRIER_INVERSE, /* 1 / b, in the units of path_log */
       BARRIER_WORTH,   /* what 1 paid at the node is worth at the payment */
       BARRIER_INTEGRATED_NODE_TERMS
};

LANE_FN integral_range barrier_range(const lane *state)
{
    const integral_range range = {state[0], state[1]};
    return range;
}

LANE_FN void barrier_narrow(uint32_t variant, const real *terms, const real *node_terms,
                            const payoff_seen *seen, lane *state)
{
    const lane a = seen->level.log_x;
    const integral_range before = barrier_range(state);
    const bool lower = variant & BARRIER_DOUBLE || !(variant & BARRIER_UP),
               upper = variant & (BARRIER_DOUBLE | BARRIER_UP);
    if (lower)
        state[0] = lane_max(state[0], integral_at(terms[ITEM_A], a, node_terms[BARRIER_INVERSE]));
    if (upper)
        state[1] = lane_min(state[1], integral_at(terms[ITEM_E], a, node_terms[BARRIER_INVERSE]));
    if (!(variant & BARRIER_AT_HIT)) return;
    const real worth = node_terms[BARRIER_WORTH];
    const integral_range below = {before.low, lane_min(state[0], before.high)},
                         above = {lane_max(state[1], before.low), before.high};
    if (lower) state[2] = state[2] + integral_mass(below) * (terms[ITEM_F] * worth);
    if (upper)
        state[2] = state[2] + integral_mass(above) *
                                  (terms[variant & BARRIER_DOUBLE ? ITEM_G : ITEM_F] * worth);
}

/* What a path pays that is knocked out beyond the range. */
LANE_FN lane barrier_gain(uint32_t variant, const real *terms, integral_range range, lane x)
{
    if (!(variant & BARRIER_DIGITAL)) return integral_option(terms, terms[ITEM_B], range, x);
    return integral_worth(terms, integral_pays(terms, terms[ITEM_B], range, x), x,
                          terms[ITEM_H + 1], terms[ITEM_H]);
}

LANE_FN lane barrier_settle_range(uint32_t variant, const real *terms, const lane *state, lane x)
{
    const integral_range alive = barrier_range(state);
    lane value = barrier_gain(variant, terms, alive, x);
    if (variant & BARRIER_IN) value = barrier_gain(variant, terms, integral_all(), x) - value;
    if (variant & BARRIER_REBATE) {
        const lane survives = integral_mass(alive),
                   paid = variant & BARRIER_IN ? survives : R(1.0) - survives;
        value = lane_fma(lane_of(terms[ITEM_F]), paid, value);
    }
    return variant & BARRIER_AT_HIT ? value + state[2] : value;
}

#endif
