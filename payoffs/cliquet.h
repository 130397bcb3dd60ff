/* cliquet.h: the sum of returns from fixing to fixing. Each return is limited to a local range, the
 * sum to a global one. State 0: the sum; state 1: the last fixing, 0 before the first. Terms:
 * [START] the sum so far, [SECOND] the last fixing, [A] [B] local floor and cap, [C] [D] global
 * ones. Lanes only. */
#ifndef LEVY_PAYOFFS_CLIQUET_H
#define LEVY_PAYOFFS_CLIQUET_H

#include "payoffs/european.h"
#include "payoffs/seen.h"

LANE_FN lane cliquet_cut(lane x, real floor, real cap)
{
    return lane_min(lane_max(x, lane_of(floor)), lane_of(cap));
}

#define cliquet_is_plain payoff_never_plain
#define cliquet_observe_plain payoff_keeps_state

LANE_FN void cliquet_observe(uint32_t variant, const real *terms, const real *node_terms,
                             const payoff_seen *seen, lane *state)
{
    (void)variant, (void)node_terms;
    const lane x = seen->level.x;
    const lane_mask running = state[1] > R(0.0);
    const lane base = lane_select(running, state[1], lane_of(R(1.0)));
    const lane part = cliquet_cut(x / base - R(1.0), terms[ITEM_A], terms[ITEM_B]);
    state[0] = state[0] + lane_select(running, part, lane_of(R(0.0)));
    state[1] = x;
}

LANE_FN lane cliquet_settle(uint32_t variant, const real *terms, const lane *state,
                            const lane *kept, lane x)
{
    (void)kept;
    (void)variant, (void)x;
    return cliquet_cut(state[0], terms[ITEM_C], terms[ITEM_D]);
}

#endif
