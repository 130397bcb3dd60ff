/* european.h: max(sign (X - K), 0) on the value at expiry; also the settlement of averages,
 * barriers, baskets, best-of and worst-of. Terms: [0] sign (+1 call, -1 put), [1] strike in the
 * claim's unit. Lanes only. */
#ifndef LEVY_PAYOFFS_EUROPEAN_H
#define LEVY_PAYOFFS_EUROPEAN_H

#include "kernels/lane/target.h"
#include "kernels/lane/lane.h"

/* The terms of an item; most have a meaning of their own in each kind. An item carries up to three
 * lanes along a path. They start with the values of START, SECOND and 0. */
enum {
    ITEM_SIGN,
    ITEM_STRIKE,
    ITEM_START,
    ITEM_A,
    ITEM_B,
    ITEM_C,
    ITEM_D,
    ITEM_E,
    ITEM_F,
    ITEM_G,
    ITEM_H,
    ITEM_SECOND = 15
};

LANE_FN lane european_pays(const real *terms, lane x)
{
#if LANE_GPU && defined(LANE_SINGLE) /* one operation with the same result for either sign */
    const lane gain =
        lane_fma(x, lane_of(terms[ITEM_SIGN]), lane_of(-terms[ITEM_STRIKE] * terms[ITEM_SIGN]));
#else
    const lane gain = (x - terms[ITEM_STRIKE]) * terms[ITEM_SIGN];
#endif
    return lane_max(gain, lane_of(R(0.0)));
}

#define european_is_plain payoff_always_plain
#define european_observe_plain payoff_keeps_state
#define european_observe payoff_no_observe

LANE_FN lane european_settle(uint32_t variant, const real *terms, const lane *state, lane x)
{
    (void)variant, (void)state;
    return european_pays(terms, x);
}

#endif
