/* stage_law.h: what is left of a trade's level from each date of a stage to the last, in a market.
 * Part of a stage's work (stage.h). Must not know: fits, backends. */
#ifndef LEVY_RUN_STAGE_LAW_H
#define LEVY_RUN_STAGE_LAW_H

#include "engine/plan/plan.h"
#include "payoffs/payoff_stage.h"

/* Fills law, [n_dates] and today's behind them, of trade number `trade` of the plan's group, whose
 * level is lognormal. nodes, times: [n_dates]. */
levy_status levy_stage_law_of(const levy_plan *plan, size_t trade, const levy_moved *market,
                              size_t n_dates, const uint32_t *nodes, const double *times,
                              const levy_memory *memory, levy_stage_law *law);

#endif
