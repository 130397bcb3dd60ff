/* lanes.h: the payoffs as the path loop calls them: observe at a node whose flag is set, settle at
 * the end. A payoff that needs more than European settlement has its case here. Lanes only. */
#ifndef LEVY_PAYOFFS_LANES_H
#define LEVY_PAYOFFS_LANES_H

#include "payoffs/asian.h"
#include "payoffs/barrier.h"
#include "payoffs/cliquet.h"
#include "payoffs/digital.h"
#include "payoffs/forward_start.h"
#include "payoffs/lookback.h"

enum {
#define LEVY_PAYOFF(name, NAME) PAYOFF_##NAME,
#include "payoffs/payoffs.def"
#undef LEVY_PAYOFF
    PAYOFF_FLOOR = 100 /* LEVY_FLOOR_KIND */
};

/* What carries one lane and needs nothing but the level: a loop that knows its items to be so stays
 * short. */
LANE_FN int payoff_is_plain(uint32_t kind, uint32_t variant)
{
    if (kind == PAYOFF_BARRIER) return !(variant & (BARRIER_CONTINUOUS | BARRIER_AT_HIT));
    if (kind == PAYOFF_LOOKBACK) return !(variant & LOOKBACK_CONTINUOUS);
    return kind != PAYOFF_CLIQUET;
}

LANE_FN lane payoff_observe_plain(uint32_t kind, uint32_t variant, const real *terms, lane state,
                                  basket_level level)
{
    if (kind == PAYOFF_ASIAN) return asian_observe(variant, state, level.x, level.log_x);
    if (kind == PAYOFF_BARRIER)
        return lane_select(barrier_beyond(variant, terms, level.x), lane_of(R(0.0)), state);
    if (kind == PAYOFF_LOOKBACK) return lookback_extreme(variant, state, level.x);
    return kind == PAYOFF_FORWARD_START ? level.x : state;
}

/* `row`: the item's own numbers at the node; `state`: the lanes it carries. */
LANE_FN void payoff_observe(uint32_t kind, uint32_t variant, const real *terms, const real *row,
                            const payoff_seen *seen, lane *state)
{
    if (kind == PAYOFF_ASIAN)
        state[0] = asian_observe(variant, state[0], seen->level.x, seen->level.log_x);
    else if (kind == PAYOFF_BARRIER)
        barrier_observe(variant, terms, row, seen, state);
    else if (kind == PAYOFF_LOOKBACK)
        lookback_observe(variant, row, seen, state);
    else if (kind == PAYOFF_FORWARD_START)
        state[0] = seen->level.x;
    else if (kind == PAYOFF_CLIQUET)
        cliquet_observe(terms, seen->level.x, state);
}

LANE_FN lane payoff_settle(uint32_t kind, uint32_t variant, const real *terms, const lane *state,
                           lane x)
{
    if (kind == PAYOFF_ASIAN) return asian_settle(variant, terms, state[0], x);
    if (kind == PAYOFF_BARRIER) return barrier_settle(variant, terms, state, x);
    if (kind == PAYOFF_DIGITAL) return digital_settle(terms, x);
    if (kind == PAYOFF_LOOKBACK) return lookback_settle(variant, terms, state, x);
    if (kind == PAYOFF_FORWARD_START) return forward_start_settle(variant, terms, state[0], x);
    if (kind == PAYOFF_CLIQUET) return cliquet_settle(terms, state[0]);
    if (kind == PAYOFF_BEST_OF_CASH) return lane_max(x, lane_of(terms[ITEM_STRIKE]));
    if (kind == PAYOFF_WORST_OF_CASH) return lane_min(x, lane_of(terms[ITEM_STRIKE]));
    if (kind == PAYOFF_FLOOR) return lane_select(x <= R(0.0), lane_of(R(1.0)), lane_of(R(0.0)));
    return european_settle(terms, x);
}

#endif
