/* barrier.h: a European payoff that a touch of the barrier at an observation date knocks out (or in). Terms: [START] 1, or
 * 0 when already touched; [A] barrier times [B], [B] +1 up, -1 down; the path's weight is [C] alive + [D]: out (1, 0), in
 * (-1, 1); the rest as european.h. Lanes only. */
#ifndef LEVY_PAYOFFS_BARRIER_H
#define LEVY_PAYOFFS_BARRIER_H

#include "payoffs/european.h"

LANE_FN lane barrier_observe(const real *terms, lane alive, lane x)
{
    return lane_select(x * terms[ITEM_B] >= terms[ITEM_A], lane_of(R(0.0)), alive);
}

LANE_FN lane barrier_settle(const real *terms, lane alive, lane x)
{
    return european_settle(terms, x) * lane_fma(lane_of(terms[ITEM_C]), alive, lane_of(terms[ITEM_D]));
}

#endif
