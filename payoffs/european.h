/* european.h: max(sign (X - K), 0) on the value at expiry; also the settlement of averages,
 * barriers, baskets, best-of and worst-of. Terms: [0] sign (+1 call, -1 put), [1] strike in the
 * claim's unit; integrated (integral.h): [A] the strike's logarithm. Lanes only. */
#ifndef LEVY_PAYOFFS_EUROPEAN_H
#define LEVY_PAYOFFS_EUROPEAN_H

#include "payoffs/integral.h"

enum { EUROPEAN_INTEGRATED = 1 }; /* variant */

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

LANE_FN lane european_settle(uint32_t variant, const real *terms, const lane *state,
                             const lane *kept, lane x)
{
    (void)kept;
    (void)state;
    if (variant & EUROPEAN_INTEGRATED)
        return integral_option(terms, terms[ITEM_A], integral_all(), x);
    return european_pays(terms, x);
}

#endif
