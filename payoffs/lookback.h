/* lookback.h: options on the extremum of the observations, or of the whole path between two times.
 * Lanes only.
 *
 * Continuous, on one asset: given an interval's two ends x and y (logarithms) and its variance v,
 * the extremum of the bridge is (x + y +- sqrt((y - x)^2 - 2 v log u)) / 2 with u uniform: the
 * node's draw outside the bridge. It is exact in distribution. L. Andersen and R.
 * Brotherton-Ratcliffe, Exact exotics, Risk 9 (1996). State 0: the extremum so far, as a level, or
 * if continuous as a logarithm in the units of path_log; state 1: the left end. Terms: [START] the
 * extremum so far; the rest as in european.h. */
#ifndef LEVY_PAYOFFS_LOOKBACK_H
#define LEVY_PAYOFFS_LOOKBACK_H

#include "payoffs/european.h"
#include "payoffs/seen.h"

enum { /* variant */
       LOOKBACK_CONTINUOUS = 1,
       LOOKBACK_MINIMUM = 2,
       LOOKBACK_FLOATING = 4,
       LOOKBACK_VARIES = 8 /* v is the path's, as in barrier.h */
};
/* node terms: -2 v log_unit, without v where that is the path's; the others as in barrier.h */
enum { LOOKBACK_SPREAD, LOOKBACK_JUMP, LOOKBACK_OPENS, LOOKBACK_NODE_TERMS };

LANE_FN lane lookback_extreme(uint32_t variant, lane a, lane b)
{
    return variant & LOOKBACK_MINIMUM ? lane_min(a, b) : lane_max(a, b);
}

/* varies: a constant, LOOKBACK_VARIES of the variant. */
LANE_FN void lookback_watch_by(int varies, uint32_t variant, const real *node_terms,
                               const payoff_seen *seen, lane *state)
{
    const lane after = seen->level.log_x;
    if (node_terms[LOOKBACK_OPENS] == R(0.0)) {
        const lane end = seen->before - node_terms[LOOKBACK_JUMP], step = end - state[1];
        const lane log_uniform = path_log(lane_uniform_from_word(seen->auxiliary));
        lane spread = log_uniform * node_terms[LOOKBACK_SPREAD];
        if (varies) spread = spread * (seen->integrals[0] - seen->kept[0]);
        const lane width = lane_sqrt(lane_fma(step, step, spread));
        const lane middle = end + state[1];
        state[0] = lookback_extreme(variant, state[0],
                                    (variant & LOOKBACK_MINIMUM ? middle - width : middle + width) *
                                        R(0.5));
    }
    state[0] = lookback_extreme(variant, state[0], after);
    state[1] = after;
    if (varies) seen->kept[0] = seen->integrals[0];
}

PAYOFF_NOINLINE void lookback_watch(uint32_t variant, const real *node_terms,
                                    const payoff_seen *seen, lane *state)
{
    lookback_watch_by(0, variant, node_terms, seen, state);
}

PAYOFF_NOINLINE void lookback_watch_varied(uint32_t variant, const real *node_terms,
                                           const payoff_seen *seen, lane *state)
{
    lookback_watch_by(1, variant, node_terms, seen, state);
}

LANE_FN int lookback_is_plain(uint32_t variant) { return !(variant & LOOKBACK_CONTINUOUS); }

LANE_FN lane lookback_observe_plain(uint32_t variant, const real *terms, lane state,
                                    basket_level level)
{
    (void)terms;
    return lookback_extreme(variant, state, level.x);
}

LANE_FN void lookback_observe(uint32_t variant, const real *terms, const real *node_terms,
                              const payoff_seen *seen, lane *state)
{
    (void)terms;
    if (variant & LOOKBACK_VARIES)
        lookback_watch_varied(variant, node_terms, seen, state);
    else if (variant & LOOKBACK_CONTINUOUS)
        lookback_watch(variant, node_terms, seen, state);
    else
        state[0] = lookback_extreme(variant, state[0], seen->level.x);
}

LANE_FN lane lookback_settle(uint32_t variant, const real *terms, const lane *state,
                             const lane *kept, lane x)
{
    (void)kept;
    const lane extremum = variant & LOOKBACK_CONTINUOUS ? path_exp(state[0]) : state[0];
    if (!(variant & LOOKBACK_FLOATING)) return european_pays(terms, extremum);
    return lane_max((x - extremum) * terms[ITEM_SIGN], lane_of(R(0.0)));
}

#endif
