/* basket.h: many underlyings to one number: weighted sum (basket), weighted product (geometric
 * basket), best, worst. `coefficients` are weight times today's level over the item's scale
 * (geometric: the exponents). Lanes only. */
#ifndef LEVY_PAYOFFS_BASKET_H
#define LEVY_PAYOFFS_BASKET_H

#include "kernels/lane/maths.h"

/* as enum levy_aggregate */
enum { BASKET_NONE, BASKET_SUM, BASKET_GEOMETRIC, BASKET_BEST_OF, BASKET_WORST_OF };

/* log_x is valid for NONE and GEOMETRIC only */
typedef struct basket_level {
    lane x, log_x;
} basket_level;

LANE_FN lane basket_extreme(uint32_t aggregate, lane best, lane x)
{
    return aggregate == BASKET_BEST_OF ? lane_max(x, best) : lane_min(x, best);
}

/* A weighted sum, a best or a worst of what came before, with one more asset. */
LANE_FN lane basket_next(uint32_t aggregate, lane x, real coefficient, lane gross_return)
{
    return aggregate == BASKET_SUM ? lane_fma(lane_of(coefficient), gross_return, x)
                                   : basket_extreme(aggregate, x, gross_return * coefficient);
}

LANE_FN basket_level basket_value(uint32_t aggregate, const real *coefficients,
                                  const lane *gross_return, const lane *log_return, uint32_t n)
{
    basket_level b;
    b.log_x = log_return[0];
    if (aggregate == BASKET_NONE) {
        b.x = gross_return[0];
    } else if (aggregate == BASKET_GEOMETRIC) {
        b.log_x = log_return[0] * coefficients[0];
        for (uint32_t a = 1; a < n; ++a)
            b.log_x = lane_fma(lane_of(coefficients[a]), log_return[a], b.log_x);
        b.x = path_exp(b.log_x);
    } else {
        b.x = gross_return[0] * coefficients[0];
        for (uint32_t a = 1; a < n; ++a)
            b.x = basket_next(aggregate, b.x, coefficients[a], gross_return[a]);
    }
    return b;
}

#endif
