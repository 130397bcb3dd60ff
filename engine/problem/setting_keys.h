/* setting_keys.h: the keys that overrides may set, by the tables of the schema. Must not know: what
 * a setting does. */
#ifndef LEVY_PROBLEM_SETTING_KEYS_H
#define LEVY_PROBLEM_SETTING_KEYS_H

#include "engine/market/market.h"
#include "engine/problem/problem.h"

/* Known keys are dotted: "simulation.paths", "simulation.bumps.spot", "measures". False with a
 * fault: the key is none of them, and no map of some whose value is a map; or there is no memory.
 * The market (NULL: none) names the quotes that may have been meant. */
bool levy_setting_key_check(levy_check *build, const levy_market *market, const levy_override *set);

#endif
