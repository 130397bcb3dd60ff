/* early.h: the values of trades that may be exercised early, under the sets of their group. They
 * are found while the plan is made and become numbers of the items, so that bumps, scenarios and
 * sums of them are those of any trade whose value needs no path. Must not know: outputs, images. */
#ifndef LEVY_PLAN_EARLY_H
#define LEVY_PLAN_EARLY_H

#include "engine/exercise/exercise.h"
#include "engine/plan/dynamics.h"
#include "engine/plan/items.h"

/* The terms of such an item: the value of a unit, discounted; the same at half the resolution, and
 * before extrapolation; the error of one that was held within what is known; and the method. */
enum {
    LEVY_EARLY_VALUE = 3,
    LEVY_EARLY_COARSE,
    LEVY_EARLY_PLAIN,
    LEVY_EARLY_WRONG,
    LEVY_EARLY_METHOD
};

/* Fills these terms of all such items, whose sets are known. */
levy_status levy_early_fill(const levy_problem *problem, const levy_dynamics_plan *dynamics,
                            levy_arena *arena, levy_item_plan *items);

/* The levels at which a trade whose value needs no path is exercised, as the strike is written. */
levy_status levy_early_levels(const levy_trade *trade, levy_arena *arena,
                              levy_exercise_levels *levels);

/* What the price's note says of the method: "deterministic: spectral". `terms`: of an item. */
const char *levy_early_method(const double *terms);

#endif
