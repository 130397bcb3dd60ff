/* known.h: groups of trades that pay a known amount (LEVY_TRADE_KNOWN). Nothing is simulated: every
 * output is the weighted sum of its items' payments. Must not know: results. */
#ifndef LEVY_PLAN_KNOWN_H
#define LEVY_PLAN_KNOWN_H

#include "engine/plan/plan.h"
#include "kernels/lane/tree.h"

/* [n_outputs][n_replicates], as a run would leave them; every replicate is the same. */
void levy_known_sums(const levy_plan *plan, tree_sum *sums);

/* An error >= 0: what half the resolution changes an output by, per unit, of a trade that may be
 * exercised early (early.h); else 0. */
double levy_known_unresolved(const levy_plan *plan, uint32_t output);

/* Reduces a simulation to the fewest paths, in double, which such a group is planned with. */
void levy_known_simulation(levy_simulation *simulation);

#endif
