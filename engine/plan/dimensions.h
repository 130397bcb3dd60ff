/* dimensions.h: the Sobol dimension of each draw of a build order: the most important draws come
 * first. Must not know: direction numbers. */
#ifndef LEVY_PLAN_DIMENSIONS_H
#define LEVY_PLAN_DIMENSIONS_H

#include "engine/plan/build_order.h"

/* dimensions: [n_nodes * (n_factors + auxiliary)], from 0, in build order. A bridge: by level
 * from the coarsest, in a level by factor, in a factor by node in time. Components: by the variance
 * that component and factor carry together. A node's draws outside the bridge (`auxiliary` of them;
 * stored after all others, in time order) come after its level's, or last of all beside components.
 */
levy_status levy_dimensions_create(const levy_build_order *build_order, uint32_t n_factors,
                                   const double *factor_variance, uint32_t auxiliary,
                                   levy_arena *arena, uint32_t *dimensions);

/* shares[dimension] of all n_draws: the part of the driver's variance, summed over dates and
 * weighted by the factors', that the dimension carries; 0 for draws outside the bridge. They add up
 * to 1. LEVY_OK or LEVY_MEMORY. */
levy_status levy_dimension_shares(const levy_plan *plan, levy_arena *scratch, double *shares);

/* The same of the variance of the driver's average over the dates: a linear function of the draws,
 * so that the shares are its Sobol' indices, exactly. With constant volatility it is what the
 * logarithm of a geometric average follows. */
levy_status levy_dimension_average_shares(const levy_plan *plan, levy_arena *scratch,
                                          double *shares);

/* How many of the first dimensions carry 99 % (the effective dimension in the truncation sense: R.
 * E. Caflisch, W. Morokoff, A. Owen, J. Computational Finance 1, 1997). */
uint32_t levy_dimension_effective(const double *shares, uint32_t n);

#endif
