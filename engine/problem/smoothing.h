/* smoothing.h: decides which trades integrate over the first normal of their paths. Only the
 * setting, the trade and the unbumped market decide, so that no price depends on what else is
 * asked. Must not know: loadings, lanes. */
#ifndef LEVY_PROBLEM_SMOOTHING_H
#define LEVY_PROBLEM_SMOOTHING_H

#include "engine/market/market.h"
#include "engine/problem/problem.h"

/* Decides it for a trade whose terms are built. An integrated payoff does not jump any more. */
void levy_trade_smooth(levy_check *build, const levy_simulation *simulation, levy_trade *trade);

/* Decides it again, for the construction of another simulation, or for none of it. */
void levy_trade_integrate(const levy_simulation *simulation, levy_trade *trade);

#endif
