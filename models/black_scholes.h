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

#if !LANE_GPU
/* The levels of n neighbouring assets, a constant of at most BLACK_SCHOLES_TILE, whose rows of
 * factors follow each other. Each level is the same sum as above, but the sums do not wait for each
 * other, and a driver is loaded once for all. A sum takes a register. */
enum { BLACK_SCHOLES_TILE = LANE_REGISTERS / 2 };
LANE_FN void black_scholes_tile(lane *level, const real *factor, const lane *driver,
                                uint32_t n_factors, uint32_t n)
{
    const real *row[BLACK_SCHOLES_TILE];
    lane sum[BLACK_SCHOLES_TILE];
    LANE_UNROLL for (uint32_t k = 0; k < n; ++k)
    {
        row[k] = factor + (size_t)k * n_factors;
        sum[k] = level[k];
    }
    for (size_t f = 0; f < n_factors; ++f)
        LANE_UNROLL for (uint32_t k = 0; k < n; ++k) sum[k] =
            lane_fma(lane_of(row[k][f]), driver[f], sum[k]);
    LANE_UNROLL for (uint32_t k = 0; k < n; ++k) level[k] = sum[k];
}
#endif

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
