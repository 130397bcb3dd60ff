/* asian.h: a European payoff on the average of the fixings. Variant 0 arithmetic, 1 geometric. Terms: [START] sum of the
 * past fixings (or of their logarithms, in the units of path_log), [A] 1 / number of all fixings; the rest as european.h.
 * Lanes only. */
#ifndef LEVY_PAYOFFS_ASIAN_H
#define LEVY_PAYOFFS_ASIAN_H

#include "kernels/lane/maths.h"
#include "payoffs/european.h"

LANE_FN lane asian_observe(uint32_t variant, lane sum, lane x, lane log_x) { return sum + (variant == 0 ? x : log_x); }

LANE_FN lane asian_settle(uint32_t variant, const real *terms, lane sum)
{
    const lane average = sum * terms[ITEM_A];
    return european_settle(terms, variant == 0 ? average : path_exp(average));
}

#endif
