/* variance_gamma.h: the difference of two gamma processes for each asset, built by bridges. A
 * driver is a standard gamma process M of mean t and variance nu t. Its first value is a gamma
 * draw. Given two neighbours, left and right, a value between them is left + (right - left) B with
 * a beta draw B that is independent of both (F. Dufresne, H. Gerber, E. Shiu, 1991; as a bridge: C.
 * Ribeiro, N. Webber, J. Computational Finance 7, 2004; two of them: A. Avramidis, P. L'Ecuyer,
 * Management Science 52, 2006). Each draw increases with its word. Lanes only.
 *   Reads: [entry] the mean of a gamma draw, or 0 for a beta draw, to a multiple of 8; then tables
 *          of quantile.h.
 *   Words: [entry][asset] the start of its table, in rows of 8. */
#ifndef LEVY_MODELS_VARIANCE_GAMMA_H
#define LEVY_MODELS_VARIANCE_GAMMA_H

#include "kernels/samplers/discrete/quantile.h"

#define VARIANCE_GAMMA_STATE lane variance_gamma_none; /* C wants a member */
#define VARIANCE_GAMMA_IS_SHORT 0
#define variance_gamma_start no_start
#define variance_gamma_step no_step
#define variance_gamma_return no_return
#define variance_gamma_settle no_settle
#define variance_gamma_slopes no_slopes
#define variance_gamma_variances no_variances

LANE_FN lane gamma_between(const real *reals, const uint32_t *tables, uint32_t entry,
                           uint32_t n_assets, uint32_t asset, lane_word word, lane left, lane right)
{
    const real mean = reals[entry];
    const real *const table = reals + LANE_ROW * (uint64_t)tables[entry * n_assets + asset];
    if (!(mean > R(0.0))) return quantile_between(table, word, left, right);
    return lane_fma(lane_of(mean), quantile_from_word(table, word), left);
}

#endif
#if defined(PATH_MODELS)

LANE_FN lane PATH_NAME(variance_gamma_between)(PATH_NAME(state) *s, uint32_t entry, uint32_t f,
                                               lane left, lane right)
{
    const path_view *const v = s->v;
    return gamma_between(v->model_reals, v->model_words, entry, PATH_assets, f / 2,
                         PATH_NAME(word)(s, entry * PATH_factors + f), left, right);
}

#endif
