/* bumps.h: the sizes of the bumps of sensitivities. A size from the user holds. Otherwise there is
 * one rule: a share of the standard deviation at expiry, because values bend on that scale. The
 * share is larger if the payoff has a jump, because the noise of a difference then grows as its
 * bump shrinks. No bump crosses a continuously monitored barrier, where the value has a kink. The
 * size never depends on the number of paths: the bias of a difference is measured (requests.h).
 * Must not know: items, images. */
#ifndef LEVY_PLAN_BUMPS_H
#define LEVY_PLAN_BUMPS_H

#include "engine/plan/dynamics.h"
#include "engine/problem/today.h"

/* What decides a trade's bump sizes. */
typedef struct levy_bump_class {
    bool rough;     /* the payoff jumps */
    bool restless;  /* a bump that moves returns lets some paths change regimes at other dates */
    double nearest; /* relative distance of the spot to a barrier that the rule's bumps would cross,
                       or to where today would decide otherwise; INFINITY: there is none */
    levy_decision next; /* of what is integrated or jumps: a nearer one than expiry */
} levy_bump_class;

levy_bump_class levy_bump_class_of(const levy_dynamics_plan *plan,
                                   const levy_simulation *simulation, const levy_trade *trade);

/* Relative sizes. The first is the rule's for delta and gamma, which are extrapolated; the second
 * is for cross gamma, which is not. */
double levy_bump_spot(const levy_dynamics_plan *plan, const levy_simulation *simulation,
                      levy_bump_class of, const levy_asset *asset);
double levy_bump_cross(const levy_dynamics_plan *plan, const levy_simulation *simulation,
                       levy_bump_class of, const levy_asset *asset);

/* Absolute sizes. */
double levy_bump_volatility(const levy_dynamics_plan *plan, const levy_simulation *simulation,
                            levy_bump_class of, const levy_asset *asset);
/* for vanna and volga */
double levy_bump_volga(const levy_dynamics_plan *plan, const levy_simulation *simulation,
                       levy_bump_class of, const levy_asset *asset);
double levy_bump_rate(const levy_dynamics_plan *plan, const levy_simulation *simulation,
                      levy_bump_class of);
double levy_bump_correlation(const levy_simulation *simulation, levy_bump_class of);

bool levy_bump_is_restless(const levy_trade *trade);

/* Whether some underlying moves less until expiry than single precision can tell apart: its
 * differences then say nothing of a derivative. */
bool levy_bump_is_coarse(const levy_simulation *simulation, const levy_trade *trade);

#endif
