/* rare.h: what a path pays otherwise if something happens of which so few paths hear that
 * replicates may agree about it: a level at a barrier, or on the other side of what decides, on a
 * near date; or at a strike between two markets of a difference. In each replicate the number of
 * such paths is off by its fraction, or more if none is to be expected, and all replicates may be
 * off alike (estimate.h). A difference weighs these by the powers of its bump. Only events with a
 * small chance are kept: of others the replicates tell. Chances are those of the law of the
 * logarithm; where it jumps, by J. Robinson, J. Royal Statistical Society B 44, 1982.
 * Must not know: images, sums. */
#ifndef LEVY_PLAN_RARE_H
#define LEVY_PLAN_RARE_H

#include "engine/plan/dynamics.h"

enum { LEVY_RARE_EVENTS = 3 };

typedef struct levy_rare_event {
    double chance; /* 0: there is none */
    double size;   /* of the payment, discounted; < 0: times its deviation from path to path */
} levy_rare_event;

typedef struct levy_rare {
    /* of levels: a path that meets one under a market meets it under those where its chance is more
     */
    levy_rare_event events[LEVY_RARE_EVENTS];
    levy_rare_event strike; /* between the strikes of this market and today's */
} levy_rare;

/* What the decisions of a script depend on: the first date of a schedule, and how far the levels
 * are from deciding otherwise. */
typedef struct levy_rare_dates {
    size_t n;
    struct {
        double time, reach;
    } dates[LEVY_PAYOFF_SCHEDULES];
} levy_rare_dates;

void levy_rare_find_dates(const levy_dynamics_plan *plan, const levy_trade *trade,
                          levy_rare_dates *dates);

/* The events of a trade under a set; `discount`: of its payment. */
levy_status levy_rare_of(const levy_dynamics_plan *plan, uint32_t set, const levy_trade *trade,
                         const levy_rare_dates *dates, double discount, levy_arena *arena,
                         levy_rare *rare);

#endif
