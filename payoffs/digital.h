/* digital.h: pays cash, or the asset, if sign (X - K) > 0 at expiry. Terms: [A] cash, [B] 1 if it
 * pays the asset, else 0; integrated (integral.h): [C] the strike's logarithm; the rest as in
 * european.h. Lanes only. */
#ifndef LEVY_PAYOFFS_DIGITAL_H
#define LEVY_PAYOFFS_DIGITAL_H

#include "payoffs/european.h"

enum { DIGITAL_INTEGRATED = 1 }; /* variant */

LANE_FN lane digital_pays(const real *terms, lane x, real cash, real asset)
{
    const lane gain = (x - terms[ITEM_STRIKE]) * terms[ITEM_SIGN];
    const lane paid = lane_fma(lane_of(asset), x, lane_of(cash));
    return lane_select(gain > R(0.0), paid, lane_of(R(0.0)));
}

#define digital_is_plain payoff_always_plain
#define digital_observe_plain payoff_keeps_state
#define digital_observe payoff_no_observe

LANE_FN lane digital_settle(uint32_t variant, const real *terms, const lane *state,
                            const lane *kept, lane x)
{
    (void)kept;
    (void)state;
    if (variant & DIGITAL_INTEGRATED)
        return integral_worth(terms, integral_pays(terms, terms[ITEM_C], integral_all(), x), x,
                              terms[ITEM_B], terms[ITEM_A]);
    return digital_pays(terms, x, terms[ITEM_A], terms[ITEM_B]);
}

#endif
