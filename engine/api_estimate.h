/* api_estimate.h: from the sums of one output of a plan to its estimate: which statistics its points allow, what its payoff
 * lets them say. Must not know: trades' sizes, reports. */
#ifndef LEVY_API_ESTIMATE_H
#define LEVY_API_ESTIMATE_H

#include "engine/plan/plan.h"
#include "engine/report/stats.h"
#include "kernels/lane/tree.h"

/* Of output `o`, per unit. sums: [replicate] of that output; moments: scratch, [replicate]. */
levy_estimate levy_output_estimate(const levy_plan *plan, uint32_t o, const tree_sum *sums, double confidence,
                                   levy_moments *moments);

#endif
