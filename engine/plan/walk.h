/* walk.h: the construction of a group's motions: from the requested construction and the group's
 * grid to the instructions of the image. Must not know: factors, generators. */
#ifndef LEVY_PLAN_WALK_H
#define LEVY_PLAN_WALK_H

#include "engine/plan/plan.h"
#include "kernels/bridge/strategy.h"

/* the image's construction */
enum { LEVY_WALK_BISECTION, LEVY_WALK_INCREMENTAL, LEVY_WALK_COMPONENTS, LEVY_WALK_ORDERED };

typedef struct levy_walk {
    uint32_t construction;
    levy_strategy strategy;
    double *matrix, *variance; /* components: [node][component]; [component]. NULL else. */
} levy_walk;

/* LEVY_UNSUPPORTED with `why` (LEVY_PLAN_WHY bytes): the order does not fit the grid, or the grid
 * is too long for it. */
levy_status levy_walk_create(const levy_problem *problem, const levy_group *group,
                             const double *clock, levy_arena *arena, levy_walk *walk, char *why);

#endif
