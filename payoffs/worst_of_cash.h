/* worst_of_cash.h: the smallest of the underlyings' weighted levels at expiry and an amount of
 * cash, [STRIKE]. Terms as european.h. Lanes only. */
#ifndef LEVY_PAYOFFS_WORST_OF_CASH_H
#define LEVY_PAYOFFS_WORST_OF_CASH_H

#include "payoffs/european.h"

#define worst_of_cash_is_plain payoff_always_plain
#define worst_of_cash_observe_plain payoff_keeps_state
#define worst_of_cash_observe payoff_no_observe

LANE_FN lane worst_of_cash_settle(uint32_t variant, const real *terms, const lane *state,
                                  const lane *kept, lane x)
{
    (void)kept;
    (void)variant, (void)state;
    return lane_min(x, lane_of(terms[ITEM_STRIKE]));
}

#endif
