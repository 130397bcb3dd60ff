/* decided.h: whether the numbers of a plan say what a script pays, whatever levels paths have: a
 * rule that is fitted may use a right on all of them. Must not know: statistics, how rules are
 * fitted. */
#ifndef LEVY_PLAN_DECIDED_H
#define LEVY_PLAN_DECIDED_H

#include "engine/plan/plan.h"

/* False: levels decide, or some payoff of the output is no script, or an integrated one. */
bool levy_plan_is_decided(const levy_plan *plan, uint32_t output);

#endif
