/* normal_inverse_gaussian.h: a Brownian motion with drift, time-changed by an inverse Gaussian
 * subordinator, interval by interval: log return += beta I + sqrt(I) Z. I is the increment of the
 * subordinator (a table look-up), Z that of the driver over its deviation. Lanes only. Source: O.
 * Barndorff-Nielsen, Finance and Stochastics 2, 1998.
 *   Reads: [node][asset][4] the mean of I; beta and 1 / sqrt(interval) in path_log's units; the
 *          latter times what the integrated normal moves of the step, or 0. Then tables of
 *          quantile.h.
 *   Words: [node][asset] the start of its table, in rows of 8. */
#ifndef LEVY_MODELS_NORMAL_INVERSE_GAUSSIAN_H
#define LEVY_MODELS_NORMAL_INVERSE_GAUSSIAN_H

#include "kernels/samplers/discrete/quantile.h"

typedef struct LANE_ALIGNED(4 * sizeof(real)) nig_row {
    real mean, beta, deviation, moved;
} nig_row;

/* what the steps have added to the assets' log returns, in the units of path_log, and what the
 * integrated normal moves of these */
#define NORMAL_INVERSE_GAUSSIAN_STATE lane nig_return[PATH_MAX_ASSETS], nig_slope[PATH_MAX_ASSETS];
#define NORMAL_INVERSE_GAUSSIAN_IS_SHORT 0
#define normal_inverse_gaussian_settle no_settle
#define normal_inverse_gaussian_variances no_variances
#define normal_inverse_gaussian_between no_between

/* The increment of an asset's subordinator over an interval. `at` is node * assets + asset. */
LANE_FN lane nig_time(const real *reals, const uint32_t *tables, uint32_t at, lane_word word)
{
    return quantile_from_word(reals + LANE_ROW * (uint64_t)tables[at], word) *
           ((const nig_row *)reals)[at].mean;
}

#endif
#if defined(PATH_MODELS)

LANE_FN void PATH_NAME(normal_inverse_gaussian_start)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    (void)v;
    PATH_UNROLL
    for (uint32_t a = 0; a < PATH_assets; ++a) s->nig_return[a] = s->nig_slope[a] = lane_of(R(0.0));
}

/* What the integrated normal moves by a step of the one asset that it is integrated for. On a CPU
 * it stays out of that of other paths. */
PAYOFF_NOINLINE void PATH_NAME(nig_move)(PATH_NAME(state) *s, uint32_t node, lane root)
{
    const nig_row *const rows = (const nig_row *)s->v->model_reals;
    s->nig_slope[0] = lane_fma(root, lane_of(rows[node].moved), s->nig_slope[0]);
}

LANE_FN void PATH_NAME(normal_inverse_gaussian_step)(PATH_NAME(state) *s, uint32_t node,
                                                     const lane *step)
{
    const path_view *const v = s->v;
    lane root[PATH_MAX_ASSETS]; /* of the subordinator's increment */
    PATH_UNROLL
    for (uint32_t a = 0; a < PATH_assets; ++a) {
        const uint32_t at = node * PATH_assets + a;
        const nig_row row = ((const nig_row *)v->model_reals)[at];
        const lane time =
            nig_time(v->model_reals, v->model_words, at, PATH_NAME(model_word)(s, node, a));
        root[a] = lane_sqrt(time);
        s->nig_return[a] =
            s->nig_return[a] + lane_fma(root[a], step[a] * row.deviation, time * row.beta);
    }
    if (PATH_integrated) PATH_NAME(nig_move)(s, node, root[0]);
}

LANE_FN const lane *PATH_NAME(normal_inverse_gaussian_slopes)(PATH_NAME(state) *s, uint32_t m)
{
    (void)m;
    return s->nig_slope;
}

LANE_FN lane PATH_NAME(normal_inverse_gaussian_return)(PATH_NAME(state) *s, uint32_t m, uint32_t a)
{
    (void)m;
    return s->nig_return[a];
}

#endif
