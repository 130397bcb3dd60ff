/* heston.h: lanes of Heston's model: an asset's variance and level over an interval of the grid.
 * heston_lanes.h has the step of one asset. Lanes only. Must not know: payoffs. */
#ifndef LEVY_MODELS_HESTON_H
#define LEVY_MODELS_HESTON_H

#include "models/heston_lanes.h"

/* each asset's variance in a year, by Euler's scheme before it is truncated at 0; that of the first
 * dynamics, if the tile has no copy of it; the integral since today, if items see it; and what the
 * integrated normal moves of the levels */
#define HESTON_STATE                                                                               \
    lane heston_variance[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS];                                      \
    lane heston_first[PATH_MAX_ASSETS];                                                            \
    lane heston_integral[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS];                                      \
    lane heston_loading[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS];
#define HESTON_IS_SHORT 0
#define heston_return no_return
#define heston_settle no_settle
#define heston_between no_between

#endif
#if defined(PATH_MODELS)

LANE_FN lane PATH_NAME(heston_today)(const path_view *v, const real *own, uint32_t a)
{
    return lane_of(PATH_NAME(own_numbers)(v, own, a, HESTON_NUMBERS)[HESTON_START]);
}

LANE_FN void PATH_NAME(heston_start)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    PATH_EACH
    for (uint32_t a = 0; PATH_apart && a < PATH_assets; ++a)
        s->heston_first[a] = PATH_NAME(heston_today)(v, PATH_NAME(first_own_row)(v, 0), a);
    PATH_UNROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) PATH_EACH
    for (uint32_t a = 0; a < PATH_assets; ++a) {
        s->heston_variance[m][a] = PATH_NAME(heston_today)(v, PATH_NAME(own_row)(v, m, 0), a);
        if (PATH_varies) s->heston_integral[m][a] = lane_of(R(0.0));
        if (PATH_integrated) s->heston_loading[m][a] = lane_of(R(0.0));
    }
}

LANE_FN const lane *PATH_NAME(heston_variances)(PATH_NAME(state) *s, uint32_t m, int integrals)
{
    return integrals ? s->heston_integral[m] : s->heston_variance[m];
}

/* Adds what the variance sums up to over an interval of `years` years, which it began at `from`: as
 * the scheme takes it. */
LANE_FN void PATH_NAME(heston_integrate)(PATH_NAME(state) *s, uint32_t m, uint32_t a, lane from,
                                         real years)
{
    const path_view *const v = s->v;
    const lane euler = lane_max(from, lane_of(R(0.0))), to = s->heston_variance[m][a];
    (void)v;
    s->heston_integral[m][a] =
        PATH_model_constant0 & HESTON_EULER
            ? lane_fma(euler, lane_of(years), s->heston_integral[m][a])
            : lane_fma(from + to, lane_of(R(0.5) * years), s->heston_integral[m][a]);
}

LANE_FN const lane *PATH_NAME(heston_slopes)(PATH_NAME(state) *s, uint32_t m)
{
    const path_view *const v = s->v;
    (void)v;
    return PATH_integrated ? s->heston_loading[m] : 0;
}

/* Adds what the integrated normal moves of a level over an interval, which its variance began at
 * `from`. The first factor moves no variance (engine/plan/factors.h). On a CPU it stays out of the
 * step of other paths. */
PAYOFF_NOINLINE void PATH_NAME(heston_load)(PATH_NAME(state) *s, uint32_t m, uint32_t node,
                                            uint32_t a, const lane *from)
{
    const path_view *const v = s->v;
    const uint64_t row = (m * PATH_nodes + node) * PATH_assets + a;
    const real moved = v->factor[row * PATH_factors] * v->model_reals[node];
    const lane root =
        PATH_model_constant0 & HESTON_EULER
            ? lane_sqrt(lane_max(*from, lane_of(R(0.0)))) /* path_root has none of 0 */
            : path_root(*from + s->heston_variance[m][a]);
    s->heston_loading[m][a] = lane_fma(root, lane_of(moved), s->heston_loading[m][a]);
}

/* Full truncation: moves a variance, and returns what the level moves by; the forward moves by
 * `forward`. `asset` and `own` are what the factors of the two move. */
LANE_FN lane PATH_NAME(heston_euler)(const real *n, real forward, lane *variance, lane asset,
                                     lane own)
{
    const lane kept = lane_max(*variance, lane_of(R(0.0))), root = lane_sqrt(kept);
    const lane back = lane_fma(kept, lane_of(-n[HESTON_DECAY]), lane_of(n[HESTON_LIFT]));
    *variance = *variance + lane_fma(root * n[HESTON_SLOPE], own, back);
    return lane_fma(root, asset, lane_fma(kept, lane_of(-n[HESTON_HALF]), lane_of(forward)));
}

/* The same by the other scheme. `quadratic`: see heston_is_quadratic. */
LANE_FN lane PATH_NAME(heston_qe)(const real *n, real forward, lane *variance, lane asset, lane own,
                                  lane_mask *quadratic)
{
    const lane from = *variance,
               alone = heston_quadratic_exponential(n, forward, variance, own, quadratic);
    return lane_fma(path_root(from + *variance), asset, alone);
}

/* Moves the first dynamics' variance of an asset, for those that follow its law. */
LANE_FN void PATH_NAME(heston_lead)(PATH_NAME(state) *s, uint32_t node, uint32_t a,
                                    const lane *step, lane_mask *quadratic)
{
    const path_view *const v = s->v;
    const real *const own = PATH_NAME(first_own_row)(v, node);
    const real *const n = PATH_NAME(own_numbers)(v, own, a, HESTON_NUMBERS);
    const lane z = PATH_NAME(own_moved)(v, own, a, step);
    (void)heston_quadratic_exponential(n, R(0.0), &s->heston_first[a], z, quadratic);
}

LANE_FN void PATH_NAME(heston_step)(PATH_NAME(state) *s, uint32_t node, const lane *step)
{
    const path_view *const v = s->v;
    const uint32_t euler = PATH_model_constant0 & HESTON_EULER;
    lane_mask quadratic[PATH_MAX_ASSETS];
    PATH_EACH
    for (uint32_t a = 0; a < PATH_assets; ++a) {
        quadratic[a] = lane_of(R(0.0)) > R(0.0);
        if (PATH_apart && !euler) PATH_NAME(heston_lead)(s, node, a, step, &quadratic[a]);
    }
    PATH_UNROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) {
        const real *const own = PATH_NAME(own_row)(v, m, node);
        PATH_EACH
        for (uint32_t a = 0; a < PATH_assets; ++a) {
            const uint32_t row = (m * PATH_nodes + node) * PATH_assets + a;
            const real *const n = PATH_NAME(own_numbers)(v, own, a, HESTON_NUMBERS);
            lane *const variance = &s->heston_variance[m][a];
            const lane asset = PATH_NAME(moved)(v, v->factor + (uint64_t)row * PATH_factors, step),
                       moved = PATH_NAME(own_moved)(v, own, a, step);
            const lane from = *variance;
            const real forward = PATH_NAME(forward_step)(v, row);
            lane grown;
            if (euler)
                grown = PATH_NAME(heston_euler)(n, forward, variance, asset, moved);
            else
                grown = PATH_NAME(heston_qe)(n, forward, variance, asset, moved, &quadratic[a]);
            s->level[m][a] = s->level[m][a] + grown;
            if (PATH_integrated) PATH_NAME(heston_load)(s, m, node, a, &from);
            if (PATH_varies) PATH_NAME(heston_integrate)(s, m, a, from, PATH_NAME(own_years)(own));
        }
    }
}

#endif
