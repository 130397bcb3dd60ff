/* estimate.h: from the sums of one output of a plan to its estimate: the statistics that its points
 * allow, the limits of its payoff, and the addition of rounding. Must not know: trades' sizes,
 * reports. */
#ifndef LEVY_STATISTICS_ESTIMATE_H
#define LEVY_STATISTICS_ESTIMATE_H

#include "engine/plan/rounding.h"
#include "engine/statistics/stats.h"
#include "kernels/lane/tree.h"

/* Of the sums of a price, [n_replicates]: what it pays, and the square of it. */
levy_spread levy_spread_of(const tree_sum *sums, size_t n_replicates);

/* Of output `o`, per unit. sums: [replicate] of that output; price: of its trade's; moments:
 * scratch, [replicate]. */
levy_estimate levy_output_estimate(const levy_plan *plan, uint32_t o, const tree_sum *sums,
                                   levy_spread price, double confidence, levy_moments *moments);

/* Of output `o`, per unit: a standard error that its replicates share and need not show; 0: none.
 * By the paths of its sums, which a tolerance doubles beyond the plan's. */
double levy_output_resolution(const levy_plan *plan, uint32_t o, const tree_sum *sums);

#endif
