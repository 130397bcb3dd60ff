/* kinks.h: finds where a call, a put or a script on one date bends. A difference by a small bump is
 * 0 up to its strike and then a ramp, as wide as the shift of the strike by the bump. Among the
 * points of a replicate that is a step. All replicates may see it alike, and then their spread does
 * not show it (estimate.h). Must not know: items, images, sums. */
#ifndef LEVY_PLAN_KINKS_H
#define LEVY_PLAN_KINKS_H

#include "engine/plan/crossed.h"

typedef struct levy_kink {
    /* the payment under the set of a path that ends at the strike under today's market,
     * undiscounted; 0: the payoff has no such kink */
    double size;
    double width; /* the probability between the two strikes */
} levy_kink;

/* The level at which a call or a put of one asset on one date bends; 0: it is none. */
double levy_kink_strike(const levy_dynamics_plan *plan, const levy_trade *trade);

levy_status levy_kink_of(const levy_dynamics_plan *plan, uint32_t set, const levy_trade *trade,
                         const levy_crossings *crossings, levy_arena *arena, levy_kink *kink);

#endif
