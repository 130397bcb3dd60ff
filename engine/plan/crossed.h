/* crossed.h: which share of plain paths a bump moves across a level at which a payoff decides: a
 * barrier, a digital's strike, a comparison of a script. A difference by the bump is what these
 * paths pay otherwise, and if hardly one of them is drawn, replicates agree that it is nothing
 * (estimate.h). Must not know: images, sums. */
#ifndef LEVY_PLAN_CROSSED_H
#define LEVY_PLAN_CROSSED_H

#include "engine/plan/dynamics.h"

/* Most levels that are kept apart. */
enum { LEVY_CROSSED_LEVELS = 8 };

/* An underlying at one of these levels on a date. */
typedef struct levy_crossing {
    size_t underlying, number;
    double time, level, side; /* level: in spots; side: 1 upward, -1 downward */
    double chance;            /* that it is beyond under today's market */
    double share;             /* of the dates of the level that were looked at */
    double bend;              /* by how much the slope changes there, if `bent` */
} levy_crossing;

/* A trade's crossings, found once for all markets. */
typedef struct levy_crossings {
    size_t n, room, n_levels;
    levy_crossing *each;
    double worth; /* of crossing, undiscounted; 0: not known */
    bool bends;   /* what is paid has a kink there and no jump */
    bool bent;    /* and it is paid on one date, of one level, so that the kink is known */
} levy_crossings;

/* How much more likely paths cross the levels under a set than under today's market, and what that
 * is worth, discounted. */
typedef struct levy_crossed {
    double more[LEVY_CROSSED_LEVELS];
    double worth;
    bool bends;
} levy_crossed;

levy_status levy_crossings_find(const levy_dynamics_plan *plan, const levy_trade *trade,
                                levy_arena *arena, levy_crossings *found);

levy_status levy_crossed_of(const levy_dynamics_plan *plan, uint32_t set,
                            const levy_crossings *found, double discount, levy_arena *arena,
                            levy_crossed *crossed);

#endif
