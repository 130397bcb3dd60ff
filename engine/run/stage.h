/* stage.h: what happens between a plan and its run where trades are fitted first: a backend records
 * levels on paths of LEVY_PURPOSE_EXERCISE, the payoff's kind fits numbers to them on the calling
 * thread, and these become node terms of the plan's image. The numbers are the same for every
 * backend, count of threads, precision and cut into parts, so that whoever repeats the fit gets the
 * same image and hash. Must not know: what is fitted. */
#ifndef LEVY_RUN_STAGE_H
#define LEVY_RUN_STAGE_H

#include "engine/run/run.h"
#include "payoffs/payoff_stage.h"

/* Fits the trades of a plan's group, unless that is done or none is to be fitted. `how` gives
 * batches, progress (which counts no blocks here) and stop; its other members are not read. Adds to
 * `times`. LEVY_NUMERIC with `why`: a fit has failed. After a failure the plan is as before, and
 * the fit can be tried again, on any backend. */
levy_status levy_stage_prepare(const levy_backend *backend, void *state, levy_plan *plan,
                               const levy_run_options *how, levy_run_times *times, char *why);

#endif
