/* asian.h: a European payoff on the average of the fixings, or on the level with the average as its
 * strike, or a digital one on the average. Terms: [START] sum of the past fixings (or of their
 * logarithms, in the units of path_log), [A] 1 / number of all fixings; digital: [B] cash, [C] 1 if
 * it pays the average, else 0; the rest as in european.h. Lanes only. */
#ifndef LEVY_PAYOFFS_ASIAN_H
#define LEVY_PAYOFFS_ASIAN_H

#include "kernels/lane/maths.h"
#include "payoffs/asian_integrated.h"
#include "payoffs/digital.h"
#include "payoffs/seen.h"

LANE_FN int asian_is_plain(uint32_t variant) { return !(variant & ASIAN_INTEGRATED); }

LANE_FN lane asian_observe_plain(uint32_t variant, const real *terms, lane sum, basket_level level)
{
    (void)terms;
    return sum + (variant & ASIAN_GEOMETRIC ? level.log_x : level.x);
}

LANE_FN void asian_observe(uint32_t variant, const real *terms, const real *node_terms,
                           const payoff_seen *seen, lane *state)
{
    if (variant & ASIAN_INTEGRATED) {
        asian_gather(variant, node_terms, seen, state);
        return;
    }
    state[0] = asian_observe_plain(variant, terms, state[0], seen->level);
}

LANE_FN lane asian_settle(uint32_t variant, const real *terms, const lane *state, const lane *kept,
                          lane x)
{
    if (variant & ASIAN_INTEGRATED) return asian_settle_integrated(variant, terms, state, kept);
    const lane mean = state[0] * terms[ITEM_A],
               average = variant & ASIAN_GEOMETRIC ? path_exp(mean) : mean;
    if (variant & ASIAN_DIGITAL) return digital_pays(terms, average, terms[ITEM_B], terms[ITEM_C]);
    if (variant & ASIAN_STRIKE) return lane_max((x - average) * terms[ITEM_SIGN], lane_of(R(0.0)));
    return european_pays(terms, average);
}

#endif
