/* black_scholes.h: geometric Brownian motion of many assets, exact on any grid. The logarithm of an
 * asset's growth since today (in the units of path_log) is level = drift(t) + sum_f factor[f]
 * motion[f]. The motions are independent standard Brownian motions on the plan's clock. If factors
 * change over time, levels move by drift and motion increments. Lanes only. */
#ifndef LEVY_MODELS_BLACK_SCHOLES_H
#define LEVY_MODELS_BLACK_SCHOLES_H

#include "kernels/lane/lane.h"

LANE_FN lane black_scholes_level(lane level, const real *factor, const lane *motion,
                                 uint32_t n_factors)
{
    for (uint32_t f = 0; f < n_factors; ++f) level = lane_fma(lane_of(factor[f]), motion[f], level);
    return level;
}

/* A cash dividend at an ex-date, spot model: S(ex) = max(S(ex-) - D, 0). `ratio` carries what
 * dividends have taken. */
LANE_FN lane black_scholes_dividend(lane *ratio, lane growth, real amount)
{
    const lane zero = lane_of(R(0.0)), after = lane_max(growth - amount, zero);
    const lane_mask up = growth > R(0.0);
    *ratio = lane_select(up, *ratio * (after / lane_select(up, growth, lane_of(R(1.0)))), zero);
    return after;
}

#endif
