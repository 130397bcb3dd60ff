/* pilot.h: runs a plan again on two grids of longer steps, up to eight and sixteen times as long,
 * on the points of so many of its replicates as cost a sixteenth of it, three at least. What that
 * changes tells what the run's own steps leave of an error (engine/statistics/step_bias.h). Half
 * steps would cost far more and leave more noise. Must not know: statistics, results. */
#ifndef LEVY_RUN_PILOT_H
#define LEVY_RUN_PILOT_H

#include "engine/run/run.h"

/* Sets plan->pilot, if the simulation asks for it and the group's model has steps. `how` and
 * `times` as in levy_stage_prepare. There is none of a group that fits, of given normals, with a
 * tolerance, and where the trades' own dates leave no longer steps. LEVY_CANCELLED, or a failure of
 * the backend: the plan is as before. */
levy_status levy_pilot_run(const levy_backend *backend, void *state, levy_plan *plan,
                           const levy_run_options *how, levy_run_times *times, char *why);

#endif
