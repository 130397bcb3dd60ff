/* estimate.h: from the sums of one output of a plan to its estimate: the statistics that its points
 * allow, the limits of its payoff, and the addition of rounding. Must not know: trades' sizes,
 * reports. */
#ifndef LEVY_STATISTICS_ESTIMATE_H
#define LEVY_STATISTICS_ESTIMATE_H

#include "engine/plan/rounding.h"
#include "engine/plan/unseen.h"
#include "engine/statistics/stats.h"
#include "kernels/lane/tree.h"

/* The means of a payment and of its square, from the sums of a price, [n_replicates]. */
levy_spread levy_spread_of(const tree_sum *sums, size_t n_replicates);

/* The estimate of output `o`, per unit. sums: [replicate] of that output; price: of its trade's
 * price; moments: scratch, [replicate]. */
levy_estimate levy_output_estimate(const levy_plan *plan, uint32_t o, const tree_sum *sums,
                                   levy_spread price, double confidence, levy_moments *moments);

/* Whether a price's interval, or its value if it has none, reaches below 0 by more than rounding
 * although no path can pay less than nothing. Such an interval may hold all the same, and its width
 * is that of the error; one that lies below 0 is doubtful at once. */
bool levy_output_reaches_below(const levy_plan *plan, uint32_t o, const levy_estimate *estimate,
                               levy_spread price);

/* A standard error of output `o`, per unit, that its replicates share and may not show; 0: none. It
 * depends on the paths in the sums, which may be more than the plan's if there is a tolerance. */
double levy_output_resolution(const levy_plan *plan, uint32_t o, const tree_sum *sums);

/* What output `o` owes, per unit, to events that too few paths meet; 0: nothing. Likewise. */
double levy_output_unseen(const levy_plan *plan, uint32_t o, const tree_sum *sums);

#endif
