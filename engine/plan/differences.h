/* differences.h: adds differences of prices by a bump, and their probes, to the list of requests.
 * Must not know: which of them a trade requests, the rule for bump sizes. */
#ifndef LEVY_PLAN_DIFFERENCES_H
#define LEVY_PLAN_DIFFERENCES_H

#include "engine/plan/requests.h"

/* "SPX.borrow"; "SPX.spot,NDX.spot" of "spot" and "spot", in the market's order of assets, so that
 * a sum has one line of a pair, in whichever order its trades have it. */
const char *levy_requests_name(levy_requests *requests, const char *owner, int32_t factor);
const char *levy_requests_pair(levy_requests *requests, const levy_asset *asset, const char *factor,
                               const levy_asset *other, const char *its);
/* A NULL `label` means that memory ran out; the result is then LEVY_MEMORY. */
levy_status levy_requests_label(levy_requests *requests, const char *label, uint32_t *number);
levy_status levy_requests_add(levy_requests *requests, levy_request request);

/* (V(up) - V(down)) / 2h for a shift by `size`; one-sided if one side is not a valid market. */
levy_status levy_requests_central(levy_requests *requests, uint32_t measure, const char *label,
                                  levy_shift shift, double size, double h);

/* Adds delta or gamma by the user's bump `given`. If that is 0, it extrapolates from `bump` and
 * twice `bump` to no bump, which takes one more set per side; delta and gamma share it. */
levy_status levy_requests_spot(levy_requests *requests, uint32_t measure, const levy_asset *asset,
                               double given, double bump);

/* Delta by the same bumps plus `weight` times the slope of a factor of the asset by `h`. */
levy_status levy_requests_hedge(levy_requests *requests, const levy_asset *asset, double given,
                                double bump, levy_shift shift, double h, double weight);

levy_status levy_requests_cross(levy_requests *requests, const levy_asset *const assets[2],
                                const double h[2]);

/* (V(++) - V(+-) - V(-+) + V(--)) / 4 h k, of the spot and the volatility; (V(+) - 2 V + V(-)) /
 * h^2 of the volatility. No value if a side is not a valid market. */
levy_status levy_requests_vanna(levy_requests *requests, const levy_asset *asset, double spot,
                                double volatility);
levy_status levy_requests_volga(levy_requests *requests, const levy_asset *asset, double h);

#endif
