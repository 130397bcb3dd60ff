/* rounding.h: bounds the effect of rounding on an output, compared with exact arithmetic on the
 * same points. Standard errors cannot show it: rounded constants (strikes, factors, drifts) are the
 * same on every path. It needs the plan and two moments of the price; nothing runs on a path.
 * docs/decisions.md D6e has the derivation. Must not know: statistics, reports. */
#ifndef LEVY_PLAN_ROUNDING_H
#define LEVY_PLAN_ROUNDING_H

#include "engine/plan/plan.h"

/* The mean, over all paths, of what a trade pays per unit, and the mean of its square. */
typedef struct levy_spread {
    double mean, square;
} levy_spread;

/* The standard deviation of the rounding error of output number `output`, whose mean is `value`.
 * `price`: what its trade pays. */
double levy_plan_rounding(const levy_plan *plan, uint32_t output, double value, levy_spread price);

/* Whether the output is by construction the same number on every path: what it pays is known now,
 * no draw moves anything, or its terms are equal and cancel. The number of paths then changes
 * nothing, so its error is rounding alone. */
bool levy_plan_is_exact(const levy_plan *plan, uint32_t output);

/* Whether the output is 0 by construction, whatever a path does: its terms differ in their scale
 * alone, and these cancel, as in the gamma of a payment that is in proportion to the spot. */
bool levy_plan_is_zero(const levy_plan *plan, uint32_t output);

#endif
