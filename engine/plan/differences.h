/* differences.h: adds differences of prices by a bump, with their probes, to the list of wishes.
 * Must not know: which of them a trade requests, the rule for bump sizes. */
#ifndef LEVY_PLAN_DIFFERENCES_H
#define LEVY_PLAN_DIFFERENCES_H

#include "engine/plan/wishes.h"

/* Every `label` may be NULL: no memory for it. */
levy_status levy_wishes_label(levy_wishes *wishes, const char *label, uint32_t *number);
levy_status levy_wishes_add(levy_wishes *wishes, levy_wish wish);

/* (V(up) - V(down)) / 2h of a shift by `size`; one-sided where a side is no market. */
levy_status levy_wishes_central(levy_wishes *wishes, uint32_t measure, const char *label,
                                levy_shift shift, double size, double h);

/* Delta or gamma: by the bump a user gave; or, with 0, by `bump` and twice of it, extrapolated to
 * none at the cost of a set more per side, which delta and gamma share. */
levy_status levy_wishes_spot(levy_wishes *wishes, uint32_t measure, const levy_asset *asset,
                             double given, double bump);

levy_status levy_wishes_cross(levy_wishes *wishes, const levy_asset *const assets[2],
                              const double h[2]);

#endif
