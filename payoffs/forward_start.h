/* forward_start.h: an option whose strike is a fraction of the level at a later time. State 0: that
 * level. Variant 0 pays max(sign (X - fraction X1), 0), variant 1 max(sign (X / X1 - fraction), 0).
 * Terms: [STRIKE] the fraction, [START] the level if it is known. Lanes only. */
#ifndef LEVY_PAYOFFS_FORWARD_START_H
#define LEVY_PAYOFFS_FORWARD_START_H

#include "payoffs/european.h"
#include "payoffs/seen.h"

#define forward_start_is_plain payoff_always_plain

LANE_FN lane forward_start_observe_plain(uint32_t variant, const real *terms, lane state,
                                         basket_level level)
{
    (void)variant, (void)terms, (void)state;
    return level.x;
}

LANE_FN void forward_start_observe(uint32_t variant, const real *terms, const real *node_terms,
                                   const payoff_seen *seen, lane *state)
{
    (void)variant, (void)terms, (void)node_terms;
    state[0] = seen->level.x;
}

LANE_FN lane forward_start_settle(uint32_t variant, const real *terms, const lane *state,
                                  const lane *kept, lane x)
{
    (void)kept;
    if (variant) return european_pays(terms, x / state[0]);
    return lane_max((x - state[0] * terms[ITEM_STRIKE]) * terms[ITEM_SIGN], lane_of(R(0.0)));
}

#endif
