/* dimensions.h: the Sobol dimension of each draw of a build order: the most important draws come
 * first. Must not know: direction numbers. */
#ifndef LEVY_PLAN_DIMENSIONS_H
#define LEVY_PLAN_DIMENSIONS_H

#include "engine/plan/build_order.h"

/* dimensions: [n_nodes * (n_factors + auxiliary)], from 0, in build order. A bridge is sorted by
 * level from the coarsest, then by factor, then by node in time. Components are sorted by the
 * variance that component and factor carry together; so are functionals, and the rest of their
 * bridge follows. The `auxiliary` draws of each node outside the bridge are stored after all
 * others, in time order. Their dimensions come after those of the node's level; with components,
 * they come last of all. `integrated`: the first draw is 0 in all paths and gets the last
 * dimension. */
levy_status levy_dimensions_create(const levy_build_order *build_order, uint32_t n_factors,
                                   const double *factor_variance, uint32_t auxiliary,
                                   bool integrated, levy_arena *arena, uint32_t *dimensions);

/* shares: [n_draws], the part of the driver's variance that each dimension carries. The variance is
 * summed over dates and weighted by that of the factors. Draws outside the bridge carry 0. The
 * shares add up to 1. Returns LEVY_OK or LEVY_MEMORY. */
levy_status levy_dimension_shares(const levy_plan *plan, levy_arena *scratch, double *shares);

/* The same for the variance of the driver's average over the dates. The average is a linear
 * function of the draws, so the shares are exactly its Sobol' indices. With constant volatility,
 * the logarithm of a geometric average follows it. */
levy_status levy_dimension_average_shares(const levy_plan *plan, levy_arena *scratch,
                                          double *shares);

/* How many of the first dimensions carry 99 % (the effective dimension in the truncation sense: R.
 * E. Caflisch, W. Morokoff, A. Owen, J. Computational Finance 1, 1997). */
uint32_t levy_dimension_effective(const double *shares, uint32_t n);

#endif
