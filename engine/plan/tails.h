/* tails.h: payoffs whose mean depends on very rare paths. A lognormal level of deviation s
 * (volatility times the root of time) has its mean in paths s deviations above the median. As s
 * grows, a sample's interval covers less than it claims: an interval of 95 % covers 94 at s = 1, 92
 * to 95 at 1.25, 87 to 93 at 2 and 28 to 68 at 5 (16 replicates of 2^8 to 2^12 points, one date and
 * twelve). A call on a level that is linear in the assets is then simulated as the put, which is
 * bounded, plus the forward, which is known: a control variate of weight one. Other payoffs without
 * an upper bound are marked unreliable, and so is any option whose strike very few paths reach.
 * Must not know: items, images. */
#ifndef LEVY_PLAN_TAILS_H
#define LEVY_PLAN_TAILS_H

#include "engine/plan/dynamics.h"

typedef struct levy_tail {
    bool controlled; /* a call: the put is simulated, the forward added */
    bool heavy;      /* its interval would cover less than it claims */
    bool wide;       /* so would that of what has no bound, as gains of its levels */
} levy_tail;

/* How a trade is simulated. Today's market decides, so that all its bumps are simulated alike. */
levy_tail levy_tail_of(const levy_dynamics_plan *plan, const levy_trade *trade);

/* Whether a trade that is not controlled becomes heavy under a set, because a scenario raised the
 * deviations. Bumps are small and do not count. */
levy_status levy_tail_grows(const levy_dynamics_plan *plan, uint32_t set, const levy_trade *trade,
                            levy_arena *arena, bool *grows);

/* The expected value of what a controlled trade is paid on, less its strike. */
levy_status levy_tail_forward(const levy_dynamics_plan *plan, uint32_t set, const levy_trade *trade,
                              levy_arena *arena, double *forward);

#endif
