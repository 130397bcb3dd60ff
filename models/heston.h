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
#define HESTON_IS_LED (PATH_assets > 1 && PATH_model_constant0 & LEVY_MODEL_LED)
#define HESTON_IS_PAID (PATH_model_constant0 & LEVY_MODEL_PAID)
/* the rates that pay are simulated: what pays comes first, and stands last */
#define HESTON_IS_RATED (HESTON_IS_PAID && PATH_model_constant1 > 0)
#define HESTON_AT(k) (HESTON_IS_RATED ? ((k) + PATH_model_constant1 - 1) % PATH_assets : (k))
#define HESTON_ROW (HESTON_IS_PAID ? HESTON_PAID_NUMBERS : HESTON_NUMBERS)
#define heston_return no_return
#define heston_settle no_settle
#define heston_between no_between

#endif
#if defined(PATH_MODELS)

LANE_FN lane PATH_NAME(heston_today)(const path_view *v, const real *own, uint32_t a)
{
    return lane_of(PATH_NAME(own_numbers)(v, own, a, HESTON_ROW)[HESTON_START]);
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

/* The numbers of an asset and interval that a step reads, in registers on a GPU, which loads
 * several at once. The host pads rows (levy_dynamics_own_row). */
#if LANE_GPU
typedef struct PATH_NAME(heston_read) {
    real n[HESTON_PAID_NUMBERS];
} PATH_NAME(heston_read);
LANE_FN PATH_NAME(heston_read)
    PATH_NAME(heston_numbers)(const path_view *v, const real *own, uint32_t a)
{
    const real *const from = PATH_NAME(own_numbers)(v, own, a, HESTON_ROW);
    PATH_NAME(heston_read) read;
    PATH_UNROLL
    for (uint32_t i = 0; i < HESTON_ROW; i += MODEL_PACK) {
        const model_pack some = *(const model_pack *)(from + i);
        PATH_UNROLL
        for (uint32_t k = 0; k < MODEL_PACK; ++k) read.n[i + k] = some.v[k];
    }
    return read;
}
#else
typedef struct PATH_NAME(heston_read) {
    const real *n;
} PATH_NAME(heston_read);
LANE_FN PATH_NAME(heston_read)
    PATH_NAME(heston_numbers)(const path_view *v, const real *own, uint32_t a)
{
    const PATH_NAME(heston_read) read = {PATH_NAME(own_numbers)(v, own, a, HESTON_ROW)};
    return read;
}
#endif

/* What moves each variance alone, if LEVY_MODEL_LED holds: the last factors' increments, turned. */
LANE_FN void PATH_NAME(heston_turn)(const path_view *v, const lane *step, lane *alone)
{
    PATH_EACH
    for (uint32_t a = 0; HESTON_IS_LED && a < PATH_assets; ++a)
        alone[a] = PATH_NAME(moved_by)(v, v->model_reals + a * ((PATH_own + 3) & ~3u), PATH_own,
                                       step + (PATH_factors - PATH_own));
}

/* What moves an asset's level and its variance. */
typedef struct PATH_NAME(heston_moved) {
    lane asset, own;
} PATH_NAME(heston_moved);
LANE_FN PATH_NAME(heston_moved)
    PATH_NAME(heston_move_both)(const path_view *v, const real *factor, const real *own,
                                const real *n, uint32_t a, const lane *step, const lane *alone,
                                lane rate)
{
    PATH_NAME(heston_moved) moved;
    (void)rate;
    if (HESTON_IS_LED) {
        const lane all = PATH_NAME(moved_by)(v, factor, PATH_factors - PATH_own, step);
        moved.asset = lane_fma(lane_of(n[HESTON_ASIDE]), alone[a], all * n[HESTON_LEVEL]);
        moved.own = lane_fma(lane_of(n[HESTON_SHARE]), all, alone[a] * n[HESTON_OWN]);
    } else {
        moved.asset = PATH_NAME(moved)(v, factor, step);
        moved.own = PATH_NAME(own_moved)(v, own, a, step);
    }
    if (HESTON_IS_PAID) moved.own = lane_fma(rate, lane_of(n[HESTON_PAID_OWN]), moved.own);
    return moved;
}

/* Full truncation: moves a variance, and returns what the level moves by. */
LANE_FN lane PATH_NAME(heston_euler)(const path_view *v, const real *n, lane *variance,
                                     PATH_NAME(heston_moved) moved, lane rate)
{
    (void)v, (void)rate;
    const lane kept = lane_max(*variance, lane_of(R(0.0))), root = lane_sqrt(kept);
    const lane back = lane_fma(kept, lane_of(-n[HESTON_DECAY]), lane_of(n[HESTON_LIFT]));
    *variance = *variance + lane_fma(root * n[HESTON_SLOPE], moved.own, back);
    if (HESTON_IS_PAID) moved.asset = lane_fma(rate, lane_of(n[HESTON_PAID_LEVEL]), moved.asset);
    return lane_fma(root, moved.asset,
                    lane_fma(kept, lane_of(-n[HESTON_HALF]), lane_of(n[HESTON_FORWARD])));
}

/* The same by the other scheme. `follows`, `kept`: see heston_exponential. The root that the normal
 * part has is of a mean, and more than the mean of roots by which a payment abroad drifts: in its
 * place they keep the order of the scheme. `itself`: what is paid is the rate that pays. */
LANE_FN lane PATH_NAME(heston_qe)(const path_view *v, const real *n, lane *variance,
                                  PATH_NAME(heston_moved) moved, lane rate, int itself, int follows,
                                  heston_paths *kept)
{
    (void)v, (void)rate, (void)itself;
    const lane from = *variance,
               alone = heston_quadratic_exponential(n, variance, moved.own, follows, kept);
    const lane grown = lane_fma(path_root(from + *variance), moved.asset, alone);
    if (!HESTON_IS_PAID) return grown;
    const lane roots = path_root(lane_raised(from, HESTON_LEAST_VARIANCE)) + path_root(*variance);
    const lane by = itself ? from + *variance : roots * rate;
    return lane_fma(by, lane_of(n[HESTON_PAID_LEVEL]), grown);
}

/* ---- Rates that pay, where they are simulated ----
 * The root of a rate's variance in the interval: the mean of both ends' once that asset has moved,
 * so that rates go before what they pay, and until then the one at the start. */

LANE_FN lane PATH_NAME(heston_root)(const path_view *v, lane variance)
{
    (void)v;
    return PATH_model_constant0 & HESTON_EULER
               ? lane_sqrt(lane_max(variance, lane_of(R(0.0))))
               : path_root(lane_raised(variance, HESTON_LEAST_VARIANCE));
}

LANE_FN void PATH_NAME(heston_begin_roots)(const path_view *v, const lane *variance, lane *roots)
{
    (void)v;
    PATH_EACH
    for (uint32_t a = 0; HESTON_IS_RATED && a < PATH_assets; ++a)
        roots[a] = PATH_NAME(heston_root)(v, variance[a]);
}

LANE_FN void PATH_NAME(heston_end_root)(const path_view *v, lane variance, lane *root)
{
    (void)v;
    if (HESTON_IS_RATED && !(PATH_model_constant0 & HESTON_EULER))
        *root = (*root + path_root(variance)) * R(0.5);
}

LANE_FN lane PATH_NAME(heston_rate)(const path_view *v, const real *n, const lane *roots)
{
    lane root = lane_of(R(1.0));
    (void)v;
    PATH_EACH
    for (uint32_t a = 0; HESTON_IS_RATED && a < PATH_assets; ++a)
        if (n[HESTON_PAID_RATE] == (real)a) root = roots[a];
    return root;
}

/* ---- Steps ---- */

/* Moves the first dynamics' variance of an asset, for those that follow its law. */
LANE_FN void PATH_NAME(heston_lead)(PATH_NAME(state) *s, uint32_t node, uint32_t a,
                                    const lane *step, const lane *alone, lane *roots,
                                    heston_paths *kept)
{
    const path_view *const v = s->v;
    const real *const own = PATH_NAME(first_own_row)(v, node);
    const PATH_NAME(heston_read) read = PATH_NAME(heston_numbers)(v, own, a);
    const real *const factor = v->all_factor + (uint64_t)(node * PATH_assets + a) * PATH_factors;
    const PATH_NAME(heston_moved) moved = PATH_NAME(heston_move_both)(
        v, factor, own, read.n, a, step, alone, PATH_NAME(heston_rate)(v, read.n, roots));
    (void)heston_quadratic_exponential(read.n, &s->heston_first[a], moved.own, 0, kept);
    PATH_NAME(heston_end_root)(v, s->heston_first[a], &roots[a]);
}

/* Moves an asset of dynamics m. */
LANE_FN void PATH_NAME(heston_move)(PATH_NAME(state) *s, uint32_t m, uint32_t node, uint32_t a,
                                    const lane *step, const lane *alone, lane *roots,
                                    heston_paths *kept)
{
    const path_view *const v = s->v;
    const real *const own = PATH_NAME(own_row)(v, m, node);
    const uint64_t row = (m * PATH_nodes + node) * PATH_assets + a;
    const PATH_NAME(heston_read) read = PATH_NAME(heston_numbers)(v, own, a);
    const int follows = (m > 0 || PATH_apart) && read.n[HESTON_FOLLOWS] > R(0.0);
    const int itself = HESTON_IS_RATED && read.n[HESTON_PAID_RATE] == (real)a;
    const lane rate = PATH_NAME(heston_rate)(v, read.n, roots);
    const PATH_NAME(heston_moved) moved = PATH_NAME(heston_move_both)(
        v, v->factor + row * PATH_factors, own, read.n, a, step, alone, rate);
    lane *const variance = &s->heston_variance[m][a];
    const lane from = *variance;
    lane grown;
    if (PATH_model_constant0 & HESTON_EULER)
        grown = PATH_NAME(heston_euler)(v, read.n, variance, moved, rate);
    else
        grown = PATH_NAME(heston_qe)(v, read.n, variance, moved, rate, itself, follows, kept);
    s->level[m][a] = s->level[m][a] + grown;
    PATH_NAME(heston_end_root)(v, *variance, &roots[a]);
    if (PATH_integrated) PATH_NAME(heston_load)(s, m, node, a, &from);
    if (PATH_varies) PATH_NAME(heston_integrate)(s, m, a, from, PATH_NAME(own_years)(own));
}

LANE_FN void PATH_NAME(heston_step)(PATH_NAME(state) *s, uint32_t node, const lane *step)
{
    const path_view *const v = s->v;
    heston_paths kept[PATH_MAX_ASSETS];
    lane alone[PATH_MAX_ASSETS], roots[PATH_MAX_ASSETS];
    PATH_NAME(heston_turn)(v, step, alone);
    PATH_NAME(heston_begin_roots)(v, s->heston_first, roots);
    PATH_EACH
    for (uint32_t k = 0; k < PATH_assets; ++k) {
        const uint32_t a = HESTON_AT(k);
        kept[a] = heston_none();
        if (PATH_apart && !(PATH_model_constant0 & HESTON_EULER))
            PATH_NAME(heston_lead)(s, node, a, step, alone, roots, &kept[a]);
    }
    PATH_UNROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) {
        PATH_NAME(heston_begin_roots)(v, s->heston_variance[m], roots);
        PATH_EACH
        for (uint32_t k = 0; k < PATH_assets; ++k)
            PATH_NAME(heston_move)(s, m, node, HESTON_AT(k), step, alone, roots,
                                   &kept[HESTON_AT(k)]);
    }
}

#endif
