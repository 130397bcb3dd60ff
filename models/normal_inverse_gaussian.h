/* normal_inverse_gaussian.h: a Brownian motion with drift at the time of an inverse Gaussian
 * subordinator, interval by interval: log growth += beta I + sqrt(I) Z, I being the subordinator's
 * increment (a table look-up), Z the motion's over its deviation. Lanes only. Reads:
 * [node][asset][4] the mean of I; beta and 1 / sqrt(interval) in path_log's units; 0. Then tables
 * of quantile.h. Words: [node][asset] where its table starts, in rows of 8. Source: O.
 * Barndorff-Nielsen, Finance and Stochastics 2, 1998. */
#ifndef LEVY_MODELS_NORMAL_INVERSE_GAUSSIAN_H
#define LEVY_MODELS_NORMAL_INVERSE_GAUSSIAN_H

#include "kernels/samplers/discrete/quantile.h"

typedef struct LANE_ALIGNED(4 * sizeof(real)) nig_row {
    real mean, beta, deviation, unused;
} nig_row;

/* What asset number `at` (node * assets + asset) adds to its log growth. */
LANE_FN lane normal_inverse_gaussian_step(const real *reals, const uint32_t *tables, uint32_t at,
                                          lane_word word, lane step)
{
    const nig_row row = ((const nig_row *)reals)[at];
    const lane time = quantile_from_word(reals + LANE_ROW * (uint64_t)tables[at], word) * row.mean;
    return lane_fma(lane_sqrt(time), step * row.deviation, time * row.beta);
}

#endif
