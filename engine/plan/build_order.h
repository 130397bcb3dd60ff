/* build_order.h: the construction of a group's drivers: from the requested construction and the
 * group's grid to the instructions of the image. Must not know: factors, generators. */
#ifndef LEVY_PLAN_BUILD_ORDER_H
#define LEVY_PLAN_BUILD_ORDER_H

#include "engine/plan/functionals.h"
#include "engine/plan/plan.h"
#include "kernels/bridge/strategy.h"

/* the image's construction */
enum { LEVY_BUILD_BISECTION, LEVY_BUILD_INCREMENTAL, LEVY_BUILD_COMPONENTS, LEVY_BUILD_ORDERED };

typedef struct levy_build_order {
    uint32_t construction;
    levy_strategy strategy;
    double *matrix; /* components: [node][component]; otherwise NULL */
    /* orders dimensions before levels do: components have [component]; functionals have [entry], 0
     * where the draw is the bridge's own; otherwise NULL */
    double *variance;
    levy_functionals functionals; /* a bisection may have functionals */
} levy_build_order;

/* How many functionals of the path the group's bridge draws first: at most one component for each
 * date. A bridge of one date has none, because it draws nothing else. */
uint32_t levy_build_order_functionals(const levy_simulation *simulation, const levy_group *group);

/* The time of the date that a path draws first, or nearly so: the last one of a bridge. */
double levy_build_order_first(const levy_simulation *simulation, const levy_group *group);

/* Returns LEVY_UNSUPPORTED and fills `why` (LEVY_PLAN_WHY bytes) if the order does not fit the
 * grid, or if the grid is too long for the construction. */
levy_status levy_build_order_create(const levy_problem *problem, const levy_group *group,
                                    const double *clock, levy_arena *arena,
                                    levy_build_order *build_order, char *why);

#endif
