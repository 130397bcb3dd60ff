/* lanes.h: the payoffs as the path loop calls them: observe at a node whose flag is set, settle at the end. A payoff that
 * needs more than European settlement has its case here. Lanes only. */
#ifndef LEVY_PAYOFFS_LANES_H
#define LEVY_PAYOFFS_LANES_H

#include "payoffs/asian.h"
#include "payoffs/barrier.h"
#include "payoffs/basket.h"
#include "payoffs/digital.h"
#include "payoffs/european.h"

enum {
#define LEVY_PAYOFF(name, NAME) PAYOFF_##NAME,
#include "payoffs/payoffs.def"
#undef LEVY_PAYOFF
    PAYOFF_FLOOR = 100 /* LEVY_FLOOR_KIND */
};

LANE_FN lane payoff_observe(uint32_t kind, uint32_t variant, const real *terms, lane state, basket_level level)
{
    if (kind == PAYOFF_ASIAN) return asian_observe(variant, state, level.x, level.log_x);
    if (kind == PAYOFF_BARRIER) return barrier_observe(terms, state, level.x);
    return state;
}

LANE_FN lane payoff_settle(uint32_t kind, uint32_t variant, const real *terms, lane state, lane x)
{
    if (kind == PAYOFF_ASIAN) return asian_settle(variant, terms, state);
    if (kind == PAYOFF_BARRIER) return barrier_settle(terms, state, x);
    if (kind == PAYOFF_DIGITAL) return digital_settle(terms, x);
    if (kind == PAYOFF_FLOOR) return lane_select(x <= R(0.0), lane_of(R(1.0)), lane_of(R(0.0)));
    return european_settle(terms, x);
}

#endif
