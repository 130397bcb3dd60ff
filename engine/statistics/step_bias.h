/* step_bias.h: what the steps of a model leave of an error, by a pilot (engine/run/pilot.h).
 * Replicate by replicate, on the same points, each of its grids differs from the run by the error
 * of its steps less that of the run's. An error of weak order p goes with the sum of h^(p + 1) over
 * the steps h (D. Talay, L. Tubaro, Stochastic Analysis and Applications 8, 1990, for p = 1). The
 * differences of two grids give p, held between the scheme's least and 2, and so the run's error;
 * by one grid, all orders between are alike. The standard error is that of three parts: of chance,
 * by the jackknife over the replicates; of the order; and what no such order explains. Must not
 * know: results. */
#ifndef LEVY_STATISTICS_STEP_BIAS_H
#define LEVY_STATISTICS_STEP_BIAS_H

#include "engine/plan/plan.h"

/* What steps leave of an error, and the standard error of that; NaN: unknown. */
typedef struct levy_step_bias {
    double value, std_error;
    double doubt; /* what marks a value is more: the most of chance, and what no order explains */
} levy_step_bias;

/* Of output `o`, per unit; sums: [replicate], of the plan's own run. */
levy_step_bias levy_step_bias_of(const levy_plan *plan, uint32_t o, const tree_sum *sums);

#endif
