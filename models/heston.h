/* heston.h: lanes of Heston's model: an asset's variance and level over an interval of the grid.
 * heston_lanes.h has the step of one asset. Lanes only. Must not know: payoffs. */
#ifndef LEVY_MODELS_HESTON_H
#define LEVY_MODELS_HESTON_H

#include "models/heston_lanes.h"

/* each asset's variance in a year; by Euler's scheme before it is truncated at 0 */
#define HESTON_STATE lane heston_variance[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS];
#define HESTON_IS_SHORT 0
#define heston_return no_return
#define heston_settle no_settle
#define heston_slopes no_slopes
#define heston_between no_between

#endif
#if defined(PATH_MODELS)

LANE_FN void PATH_NAME(heston_start)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    PATH_UNROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) PATH_EACH
    for (uint32_t a = 0; a < PATH_assets; ++a) {
        const real *const own = PATH_NAME(own_row)(v, m, 0);
        const real *const n = PATH_NAME(own_numbers)(v, own, a, HESTON_NUMBERS);
        s->heston_variance[m][a] = lane_of(n[HESTON_START]);
    }
}

/* Moves an asset's variance; returns what its level moves by beyond the forward. `asset` and `own`
 * are what the drivers of the two move. */
LANE_FN lane PATH_NAME(heston_moved)(const path_view *v, const real *n, lane *variance, lane asset,
                                     lane own)
{
    const lane from = *variance;
    (void)v;
    if (PATH_model_constant0 & HESTON_EULER) {
        const lane kept = lane_max(from, lane_of(R(0.0))), root = lane_sqrt(kept);
        *variance =
            from + lane_fma(root * n[HESTON_SLOPE], own,
                            lane_fma(kept, lane_of(-n[HESTON_DECAY]), lane_of(n[HESTON_LIFT])));
        return lane_fma(root * n[HESTON_WHOLE], asset, kept * -n[HESTON_HALF]);
    }
    const lane alone = heston_quadratic_exponential(n, variance, own * n[HESTON_RATE]);
    const lane residual = lane_fma(asset, lane_of(n[HESTON_WHOLE]), own * -n[HESTON_SHARED]);
    return lane_fma(lane_sqrt(from + *variance), residual, alone);
}

LANE_FN void PATH_NAME(heston_step)(PATH_NAME(state) *s, uint32_t node, const lane *step)
{
    const path_view *const v = s->v;
    PATH_UNROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) {
        const real *const own = PATH_NAME(own_row)(v, m, node);
        PATH_EACH
        for (uint32_t a = 0; a < PATH_assets; ++a) {
            const uint32_t row = (m * PATH_nodes + node) * PATH_assets + a;
            const real *const n = PATH_NAME(own_numbers)(v, own, a, HESTON_NUMBERS);
            const lane asset = PATH_NAME(moved)(v, v->factor + (uint64_t)row * PATH_factors, step);
            const lane variance = PATH_NAME(own_moved)(v, own, a, step);
            const lane beyond =
                PATH_NAME(heston_moved)(v, n, &s->heston_variance[m][a], asset, variance);
            s->level[m][a] = s->level[m][a] + PATH_NAME(forward_step)(v, row) + beyond;
        }
    }
}

#endif
