/* model_lanes.h: the models as the path loop calls them, made of models.def. loop.h includes it
 * twice: at its top for the parts that all shapes share, then with PATH_MODELS defined for the
 * functions of a shape.
 *
 * A model is a diffusion, which moves the levels, and arrivals, which jump on top (arrivals.h).
 * Each part has its own state, numbers of the image (v->model_reals, model_words, constants;
 * arrivals_...) and words of a node's draws.
 *
 * A diffusion with lanes of its own has them in models/<kind>.h. All shapes share
 *     <KIND>_STATE      members of the path's state, by PATH_MAX_DYNAMICS and PATH_MAX_ASSETS:
 *                       at least one; on a CPU they lie where those of other kinds do
 *     <KIND>_IS_SHORT   1: the step may occur eight times in a kernel; for the preprocessor
 * and each shape has, as PATH_NAME(<kind>_...) or as no_..., which does nothing,
 *     start(s)                             before the first node
 *     step(s, node, step)                  to a node; step[factor]: the drivers' increments over
 *                                          the interval (LEVY_MODEL_STEPS, _SCALES), or the drivers
 *     return(s, m, a)                      the model's addition to the log return of asset a, of
 *                                          dynamics m
 *     slopes(s, m)                         by asset, what the integrated normal moves of the log
 *                                          return so far (LEVY_MODEL_SLOPES); NULL: none
 *     variances(s, m, integrals)           by asset, the variance in a year, or its integral since
 *                                          today (LEVY_MODEL_VARIES); or the regime, and the path's
 *                                          discount factor (LEVY_MODEL_DISCOUNTS); NULL: none
 *     settle(s, m, value)                  an item's payment, discounted by the model
 *     between(s, entry, f, left, right)    a driver given its neighbours (LEVY_MODEL_GAMMA)
 *
 * Arrivals have start, step, return(s, m, a, log_return), settle(s, m, value) and, where the image
 * has counts of events,
 *     count(s, entry, i, left, right)      a count given its neighbours
 *     ahead(s, node, near, far)            on a GPU, instead of count where PATH_looks_ahead:
 *                                          before `node`, finds what happens until `far`, or at
 *                                          least until `near`; returns until where
 *
 * s is the path's state; PATH_NAME(model_word)(s, node, k) is word k of the diffusion's draws. A
 * specialised kernel knows only its own diffusion: PATH_MODEL_OWN is that line of models.def. Lanes
 * only. Must not know: payoffs. */
#ifndef LEVY_MODELS_LANES_H
#define LEVY_MODELS_LANES_H

#include "models/black_scholes.h"
#include "models/kinds.h"

#if defined(PATH_MODEL_OWN)
#define PATH_MODEL_LIST "models/own.def"
#define PATH_MODEL_HEADERS PATH_MODEL_HEADER
#else /* the build lists the headers of models.def */
#define PATH_MODEL_LIST "models/models.def"
#define PATH_MODEL_HEADERS LEVY_MODEL_HEADERS
#endif
#include PATH_MODEL_HEADERS

#define PATH_diffusion (PATH_model & LEVY_MODEL_LANES_MASK)
#define PATH_arrivals (PATH_model & LEVY_MODEL_ARRIVALS)
/* 1: items see the variances of their dynamics */
#define PATH_varies                                                                                \
    (PATH_diffusion && PATH_model_features & LEVY_MODEL_RANDOM &&                                  \
     PATH_model_constant0 & LEVY_MODEL_VARIES)
/* 1: and the path's discount factors */
#define PATH_discounts (PATH_varies && PATH_model_constant0 & LEVY_MODEL_DISCOUNTS)
#if LANE_GPU
#define PATH_HAS_ARRIVALS PATH_arrivals
#else
#define PATH_HAS_ARRIVALS 1
#endif
#if PATH_HAS_ARRIVALS
#include "models/arrivals.h"
#else
#define ARRIVALS_STATE
#endif

#if LANE_GPU
/* what a load brings at once */
enum { MODEL_PACK = 16 / sizeof(real) };
typedef struct LANE_ALIGNED(16) model_pack {
    real v[MODEL_PACK];
} model_pack;
#endif

#endif
#if defined(PATH_MODELS)

/* An extra expansion, so that a model can define its start as no_start. */
#define PATH_HOOK(function) PATH_NAME(function)

LANE_FN void PATH_NAME(no_start)(PATH_NAME(state) *s) { (void)s; }

LANE_FN void PATH_NAME(no_step)(PATH_NAME(state) *s, uint32_t node, const lane *step)
{
    (void)s, (void)node, (void)step;
}

LANE_FN lane PATH_NAME(no_return)(PATH_NAME(state) *s, uint32_t m, uint32_t a)
{
    (void)s, (void)m, (void)a;
    return lane_of(R(0.0));
}

LANE_FN const lane *PATH_NAME(no_slopes)(PATH_NAME(state) *s, uint32_t m)
{
    (void)s, (void)m;
    return 0;
}

LANE_FN const lane *PATH_NAME(no_variances)(PATH_NAME(state) *s, uint32_t m, int integrals)
{
    (void)s, (void)m, (void)integrals;
    return 0;
}

LANE_FN lane PATH_NAME(no_settle)(PATH_NAME(state) *s, uint32_t m, lane value)
{
    (void)s, (void)m;
    return value;
}

LANE_FN lane PATH_NAME(no_between)(PATH_NAME(state) *s, uint32_t entry, uint32_t f, lane left,
                                   lane right)
{
    (void)s, (void)entry, (void)f, (void)right;
    return left;
}

/* ---- What a diffusion's step is made of ---- */

/* The sum of the increments of the first n factors. A GPU loads several numbers of a row at once,
 * if rows fill up what a load brings. */
LANE_FN lane PATH_NAME(moved_by)(const path_view *v, const real *factor, uint32_t n,
                                 const lane *step)
{
    lane moved = step[0] * factor[0];
    (void)v;
#if LANE_GPU
    if (PATH_factors % MODEL_PACK == 0) {
        PATH_UNROLL
        for (uint32_t f = 0; f < n; f += MODEL_PACK) {
            const model_pack some = *(const model_pack *)(factor + f);
            PATH_UNROLL
            for (uint32_t k = 0; k < MODEL_PACK && f + k < n; ++k)
                moved = f + k == 0 ? step[0] * some.v[0]
                                   : lane_fma(lane_of(some.v[k]), step[f + k], moved);
        }
        return moved;
    }
#endif
    PATH_UNROLL
    for (uint32_t f = 1; f < n; ++f) moved = lane_fma(lane_of(factor[f]), step[f], moved);
    return moved;
}

/* The same of all of them. */
LANE_FN lane PATH_NAME(moved)(const path_view *v, const real *factor, const lane *step)
{
    return PATH_NAME(moved_by)(v, factor, PATH_factors, step);
}

/* The interval's row of the model's own drivers under dynamics m: see own_years, own_moved and
 * own_numbers. */
LANE_FN const real *PATH_NAME(own_row)(const path_view *v, uint32_t m, uint32_t node)
{
    return v->own + (uint64_t)(m * PATH_nodes + node) * PATH_own_row;
}

/* The same under the image's first dynamics, which the tile may not have. */
LANE_FN const real *PATH_NAME(first_own_row)(const path_view *v, uint32_t node)
{
    return v->all_own + (uint64_t)node * PATH_own_row;
}

/* By how much own driver i moves in it, whose variance is the interval's years. */
LANE_FN lane PATH_NAME(own_moved)(const path_view *v, const real *row, uint32_t i, const lane *step)
{
    (void)v;
    return PATH_NAME(moved)(v, row + LEVY_OWN_FIRST + i * PATH_factors, step);
}

LANE_FN real PATH_NAME(own_years)(const real *row) { return row[0]; }

/* The numbers of asset a that the kind has put there, of which each asset has n. */
LANE_FN const real *PATH_NAME(own_numbers)(const path_view *v, const real *row, uint32_t a,
                                           uint32_t n)
{
    (void)v;
    return row + PATH_own_row - (PATH_assets - a) * n;
}

/* Moves an asset's level over the interval, whose variance is multiplied by `by`. */
LANE_FN void PATH_NAME(scale_level)(PATH_NAME(state) *s, uint32_t m, uint32_t node, uint32_t a,
                                    lane by, const lane *step)
{
    const path_view *const v = s->v;
    const uint32_t row = (m * PATH_nodes + node) * PATH_assets + a;
    const lane half = lane_fma(by, lane_of(R(-0.5)), lane_of(R(0.5)));
    const lane drift = lane_fma(half, lane_of(v->variance[row]), lane_of(v->drift[row]));
    const lane moved = PATH_NAME(moved)(v, v->factor + (uint64_t)row * PATH_factors, step);
    s->level[m][a] = lane_fma(lane_sqrt(by), moved, s->level[m][a] + drift);
}

#include PATH_MODEL_HEADERS
#if PATH_HAS_ARRIVALS
#include "models/arrivals.h"
#else /* for code that is never run */
LANE_FN void PATH_NAME(arrivals_start)(PATH_NAME(state) *s) { (void)s; }

LANE_FN void PATH_NAME(arrivals_step)(PATH_NAME(state) *s, uint32_t node) { (void)s, (void)node; }

LANE_FN lane PATH_NAME(arrivals_return)(PATH_NAME(state) *s, uint32_t m, uint32_t a,
                                        lane log_return)
{
    (void)s, (void)m, (void)a;
    return log_return;
}

LANE_FN lane PATH_NAME(arrivals_settle)(PATH_NAME(state) *s, uint32_t m, lane value)
{
    (void)s, (void)m;
    return value;
}

LANE_FN path_count PATH_NAME(arrivals_count)(PATH_NAME(state) *s, uint32_t entry, uint32_t i,
                                             path_count left, path_count right)
{
    (void)s, (void)entry, (void)i, (void)right;
    return left;
}
#endif
#if !PATH_looks_ahead || PATH_one_node
LANE_FN uint32_t PATH_NAME(arrivals_ahead)(PATH_NAME(state) *s, uint32_t node, uint32_t near,
                                           uint32_t far)
{
    (void)s, (void)node, (void)near;
    return far;
}
#endif

LANE_FN void PATH_NAME(model_start)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    (void)v;
#define LEVY_MODEL_LANES(name, NAME)                                                               \
    if (PATH_diffusion == LEVY_MODEL_##NAME) PATH_HOOK(name##_start)(s);
#include PATH_MODEL_LIST
    if (PATH_arrivals) PATH_NAME(arrivals_start)(s);
}

LANE_FN void PATH_NAME(model_step)(PATH_NAME(state) *s, uint32_t node, const lane *step)
{
    const path_view *const v = s->v;
    (void)v;
    (void)node, (void)step;
#define LEVY_MODEL_LANES(name, NAME)                                                               \
    if (PATH_diffusion == LEVY_MODEL_##NAME) PATH_HOOK(name##_step)(s, node, step);
#include PATH_MODEL_LIST
    if (PATH_arrivals) PATH_NAME(arrivals_step)(s, node);
}

LANE_FN lane PATH_NAME(model_return)(PATH_NAME(state) *s, uint32_t m, uint32_t a)
{
    const path_view *const v = s->v;
    (void)v;
    (void)m, (void)a;
#define LEVY_MODEL_LANES(name, NAME)                                                               \
    if (PATH_diffusion == LEVY_MODEL_##NAME) return PATH_HOOK(name##_return)(s, m, a);
#include PATH_MODEL_LIST
    return lane_of(R(0.0));
}

LANE_FN const lane *PATH_NAME(model_slopes)(PATH_NAME(state) *s, uint32_t m)
{
    const path_view *const v = s->v;
    (void)v;
    (void)m;
#define LEVY_MODEL_LANES(name, NAME)                                                               \
    if (PATH_diffusion == LEVY_MODEL_##NAME) return PATH_HOOK(name##_slopes)(s, m);
#include PATH_MODEL_LIST
    return 0;
}

LANE_FN const lane *PATH_NAME(model_variances)(PATH_NAME(state) *s, uint32_t m, int integrals)
{
    const path_view *const v = s->v;
    (void)v;
    (void)m, (void)integrals;
#define LEVY_MODEL_LANES(name, NAME)                                                               \
    if (PATH_diffusion == LEVY_MODEL_##NAME) return PATH_HOOK(name##_variances)(s, m, integrals);
#include PATH_MODEL_LIST
    return 0;
}

LANE_FN lane PATH_NAME(model_settle)(PATH_NAME(state) *s, uint32_t m, lane value)
{
    const path_view *const v = s->v;
    lane settled = value;
    (void)v;
    (void)m;
#define LEVY_MODEL_LANES(name, NAME)                                                               \
    if (PATH_diffusion == LEVY_MODEL_##NAME) settled = PATH_HOOK(name##_settle)(s, m, value);
#include PATH_MODEL_LIST
    return PATH_arrivals ? PATH_NAME(arrivals_settle)(s, m, settled) : settled;
}

LANE_FN lane PATH_NAME(model_between)(PATH_NAME(state) *s, uint32_t entry, uint32_t f, lane left,
                                      lane right)
{
    const path_view *const v = s->v;
    (void)v;
    (void)entry, (void)f, (void)right;
#define LEVY_MODEL_LANES(name, NAME)                                                               \
    if (PATH_diffusion == LEVY_MODEL_##NAME)                                                       \
        return PATH_HOOK(name##_between)(s, entry, f, left, right);
#include PATH_MODEL_LIST
    return left;
}

#undef PATH_HOOK
#endif
