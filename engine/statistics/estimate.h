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

/* The same estimate, and its errors. */
levy_estimate levy_output_estimate_with(const levy_plan *plan, uint32_t o, const tree_sum *sums,
                                        levy_spread price, double confidence, levy_moments *moments,
                                        levy_output_errors *errors);

/* Whether a price's interval, or its value if it has none, reaches below 0 by more than rounding
 * although no path can pay less than nothing. Such an interval may hold all the same, and its width
 * is that of the error; one that lies below 0 is doubtful at once. */
bool levy_output_reaches_below(const levy_plan *plan, uint32_t o, const levy_estimate *estimate,
                               levy_spread price);

/* Whether a value lies farther outside the range of its contract's payments than its error
 * explains: that is a fault of levy. `least`, `most`: the range, per unit and discounted. */
bool levy_output_is_beyond(const levy_plan *plan, uint32_t o, const levy_estimate *estimate,
                           levy_spread price, double *least, double *most);

#endif
