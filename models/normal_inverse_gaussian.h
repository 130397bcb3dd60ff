/* normal_inverse_gaussian.h: a Brownian motion with drift, time-changed by an inverse Gaussian
 * subordinator, interval by interval: log return += beta I + sqrt(I) Z. I is the increment of the
 * subordinator (a table look-up), Z that of the driver over its deviation. Lanes only. Source: O.
 * Barndorff-Nielsen, Finance and Stochastics 2, 1998.
 *   Reads: [node][asset][4] the mean of I; beta and 1 / sqrt(interval) in path_log's units; 0. Then
 *          tables of quantile.h.
 *   Words: [node][asset] the start of its table, in rows of 8. */
#ifndef LEVY_MODELS_NORMAL_INVERSE_GAUSSIAN_H
#define LEVY_MODELS_NORMAL_INVERSE_GAUSSIAN_H

#include "kernels/samplers/discrete/quantile.h"

typedef struct LANE_ALIGNED(4 * sizeof(real)) nig_row {
    real mean, beta, deviation, unused;
} nig_row;

/* what the steps have added to the assets' log returns, in the units of path_log */
#define NORMAL_INVERSE_GAUSSIAN_STATE lane nig_return[PATH_MAX_ASSETS];
#define NORMAL_INVERSE_GAUSSIAN_IS_SHORT 0
#define normal_inverse_gaussian_settle no_settle
#define normal_inverse_gaussian_count no_count
#define normal_inverse_gaussian_look_ahead no_look_ahead
#define normal_inverse_gaussian_between no_between

/* The addition to an asset's log return over an interval. `at` is node * assets + asset. */
LANE_FN lane nig_return_of(const real *reals, const uint32_t *tables, uint32_t at, lane_word word,
                           lane step)
{
    const nig_row row = ((const nig_row *)reals)[at];
    const lane time = quantile_from_word(reals + LANE_ROW * (uint64_t)tables[at], word) * row.mean;
    return lane_fma(lane_sqrt(time), step * row.deviation, time * row.beta);
}

#endif
#if defined(PATH_MODELS)

LANE_FN void PATH_NAME(normal_inverse_gaussian_start)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    (void)v;
    PATH_UNROLL
    for (uint32_t a = 0; a < PATH_assets; ++a) s->nig_return[a] = lane_of(R(0.0));
}

LANE_FN void PATH_NAME(normal_inverse_gaussian_step)(PATH_NAME(state) *s, uint32_t node,
                                                     const lane *step)
{
    const path_view *const v = s->v;
    PATH_UNROLL
    for (uint32_t a = 0; a < PATH_assets; ++a)
        s->nig_return[a] =
            s->nig_return[a] + nig_return_of(v->model_reals, v->model_words, node * PATH_assets + a,
                                             PATH_NAME(model_word)(s, node, a), step[a]);
}

LANE_FN lane PATH_NAME(normal_inverse_gaussian_return)(PATH_NAME(state) *s, uint32_t m, uint32_t a)
{
    (void)m;
    return s->nig_return[a];
}

#endif
