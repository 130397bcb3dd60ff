/* scenarios.h: builds the book's scenarios: it resolves factors, spells out grids and checks every
 * moved market. */
#ifndef LEVY_PROBLEM_SCENARIOS_H
#define LEVY_PROBLEM_SCENARIOS_H

#include "engine/market/market.h"
#include "engine/problem/problem.h"

enum { LEVY_MOST_SCENARIOS = 10000 };

/* Fills problem->scenarios from `list` (of levy_raw_scenario). The market must be resolved before.
 * False with a fault. */
bool levy_scenarios_build(levy_check *build, const levy_market *market, const levy_list *list,
                          levy_problem *problem);

/* Warns of scenarios in which a trade has no value. Trades must be resolved before. */
void levy_scenarios_warn(levy_check *build, const levy_problem *problem);

#endif
