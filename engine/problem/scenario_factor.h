/* scenario_factor.h: what number of the market a scenario's factor names: "SPX.spot", "ALL.rate",
 * "SPX.volatility[2027-11-20]", "SPX,NDX.correlation" or "days". Must not know: what moving it
 * does.
 */
#ifndef LEVY_PROBLEM_SCENARIO_FACTOR_H
#define LEVY_PROBLEM_SCENARIO_FACTOR_H

#include "engine/market/market.h"
#include "engine/problem/problem.h"

/* Fills `shift`, given the problem's models. False with a fault, or without one if what it names
 * was refused already. */
bool levy_scenario_factor(levy_check *build, const levy_market *market, const levy_problem *problem,
                          const levy_raw_shift *raw, const char *path, levy_shift *shift);

#endif
