/* pilot.h: what the steps of a model leave of an error: a pilot is the same run with steps two to
 * eight times as long, two to expiry if there are so many, of as many of the replicates as cost a
 * twentieth of it, four at least. Replicate by replicate, on the same points, it differs from the
 * run by the error of its steps less that of the run's, and the latter follows by weak order 1 (D.
 * Talay, L. Tubaro, Stochastic Analysis and Applications 8, 1990): such an error goes with the sum
 * of the steps' squares. Of a higher order, as that of short expiries, it is less than that. Half
 * steps would cost far more and leave more noise. Must not know: results. */
#ifndef LEVY_RUN_PILOT_H
#define LEVY_RUN_PILOT_H

#include "engine/run/run.h"

/* Sets plan->pilot, if the simulation asks for it and the group's model has steps. `how` and
 * `times` as in levy_stage_prepare. There is none of a group that fits, of given normals, with a
 * tolerance, and where the trades' own dates leave no longer steps. LEVY_CANCELLED, or a failure of
 * the backend: the plan is as before. */
levy_status levy_pilot_run(const levy_backend *backend, void *state, levy_plan *plan,
                           const levy_run_options *how, levy_run_times *times, char *why);

/* What steps leave of an error, and the standard error of that; NaN: unknown. */
typedef struct levy_step_bias {
    double value, std_error;
    double noise; /* that chance may make of it; whoever marks sets it */
} levy_step_bias;

/* Of output `o`, per unit; sums: [replicate], of the plan's own run. */
levy_step_bias levy_pilot_bias(const levy_plan *plan, uint32_t o, const tree_sum *sums);

#endif
