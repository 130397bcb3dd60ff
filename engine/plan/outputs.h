/* outputs.h: what a group reports of each trade: price, sensitivities and scenarios. Each is a
 * fixed linear combination of items on the same draws, so each has its own standard error.
 *
 *     delta        D(h) = (V(S + h) - V(S - h)) / 2h
 *                  by asset; h = bumps.spot * S, or by the rule of bumps.h: (4 D(h) - D(2h)) / 3
 *     gamma        (V(S + h) - 2 V(S) + V(S - h)) / h^2
 *                  by asset; h = bumps.gamma * S, or by the same rule
 *     vega         (V(v + h) - V(v - h)) / 2h
 *                  by asset: Black volatilities of all nodes, or of one
 *     rho          (V(r + h) - V(r - h)) / 2h
 *                  by currency: zero rates of its curves, or of one node of one curve; dividend
 *                  yields do not move
 *     theta        (V(n days later) - V) / n
 *                  per day; dynamics.h says what time changes
 *     cross_gamma  (V(++) - V(+-) - V(-+) + V(--)) / 4 h k
 *                  by pair of assets
 *     correlation  (V(r + h) - V(r - h)) / 2h
 *                  by pair of assets; one-sided at the edge of the valid correlations
 *
 * Differences by a bump have probes after all outputs, in clusters of their own (image.h). Outputs
 * that share items are neighbours, in clusters of at most LEVY_CLUSTER items and as many dynamics.
 * Must not know: images. */
#ifndef LEVY_PLAN_OUTPUTS_H
#define LEVY_PLAN_OUTPUTS_H

#include "engine/plan/items.h"

/* `labels`: the arena that keeps the names of factors. */
levy_status levy_outputs_plan(const levy_problem *problem, levy_dynamics_plan *dynamics,
                              levy_arena *arena, levy_arena *labels, levy_item_plan *plan,
                              char *why);

#endif
