/* unseen.h: what a price owes to events that hardly any path meets. Points that never meet an event
 * agree about it, so no statistic of theirs can show what they miss. Over an interval watched at
 * all times every path has a chance of a touch, however small, so the replicates differ even if the
 * paths that carry the price are not among them. Estimates of money per unit, discounted, that are
 * compared with a standard error: today's market alone counts. Source of the chance of a touch: J.
 * Harrison, "Brownian Motion and Stochastic Flow Systems", 1985, section 1.8. Must not know:
 * statistics, reports. */
#ifndef LEVY_PLAN_UNSEEN_H
#define LEVY_PLAN_UNSEEN_H

#include "engine/plan/plan.h"

typedef struct levy_unseen {
    double touches; /* of barriers that are watched at all times */
    double jumps;   /* whose mean the drift takes off all paths */
} levy_unseen;

/* What the price with output number `output` owes to events that too few of `paths` paths meet.
 * Other measures owe nothing. */
levy_unseen levy_plan_unseen(const levy_plan *plan, uint32_t output, double paths);

#endif
