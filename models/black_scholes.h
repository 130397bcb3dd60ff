/* black_scholes.h: geometric Brownian motion of many assets, exact on any grid. The log return of
 * an asset since today (in the units of path_log) is level = drift(t) + sum_f factor[f] driver[f].
 * The drivers are independent standard Brownian motions on the plan's clock. If factors change over
 * time, levels move by drift and driver increments. Lanes only. */
#ifndef LEVY_MODELS_BLACK_SCHOLES_H
#define LEVY_MODELS_BLACK_SCHOLES_H

#include "kernels/lane/lane.h"

LANE_FN lane black_scholes_level(lane level, const real *factor, const lane *driver,
                                 uint32_t n_factors)
{
    for (uint32_t f = 0; f < n_factors; ++f) level = lane_fma(lane_of(factor[f]), driver[f], level);
    return level;
}

/* The levels of four assets, whose rows of factors follow each other. Each level is the same sum as
 * above, but the four sums do not wait for each other. */
LANE_FN void black_scholes_four_levels(lane *level, const real *factor, const lane *driver,
                                       uint32_t n_factors)
{
    const real *const second = factor + n_factors, *const third = second + n_factors,
                      *const fourth = third + n_factors;
    lane a = level[0], b = level[1], c = level[2], d = level[3];
    for (uint32_t f = 0; f < n_factors; ++f) {
        a = lane_fma(lane_of(factor[f]), driver[f], a);
        b = lane_fma(lane_of(second[f]), driver[f], b);
        c = lane_fma(lane_of(third[f]), driver[f], c);
        d = lane_fma(lane_of(fourth[f]), driver[f], d);
    }
    level[0] = a, level[1] = b, level[2] = c, level[3] = d;
}

#if LANE_GPU
/* Four drivers' parts of the levels of a tile of assets, whose rows of factors follow each other. A
 * driver is loaded once for all assets, and a load of four factors serves all paths of a thread. */
enum { BLACK_SCHOLES_TILE = LANE_PICK(8, 16) };
typedef struct LANE_ALIGNED(4 * sizeof(real)) black_scholes_quad {
    real factor[4];
} black_scholes_quad;

LANE_FN void black_scholes_four(lane *sum, const real *factor, const lane *driver,
                                uint32_t n_factors)
{
    LANE_UNROLL for (uint32_t k = 0; k < BLACK_SCHOLES_TILE; ++k)
    {
        const black_scholes_quad quad = *(const black_scholes_quad *)(factor + k * n_factors);
        LANE_UNROLL for (int j = 0; j < 4; ++j) sum[k] =
            lane_fma(lane_of(quad.factor[j]), driver[j], sum[k]);
    }
}
#endif

/* A cash dividend at an ex-date in the spot model: S(ex) = max(S(ex-) - D, 0). `dividend_factor` is
 * the product of what the dividends so far have left of the spot. */
LANE_FN lane black_scholes_dividend(lane *dividend_factor, lane gross_return, real amount)
{
    const lane zero = lane_of(R(0.0)), after = lane_max(gross_return - amount, zero);
    const lane_mask up = gross_return > R(0.0);
    *dividend_factor = lane_select(
        up, *dividend_factor * (after / lane_select(up, gross_return, lane_of(R(1.0)))), zero);
    return after;
}

#endif
