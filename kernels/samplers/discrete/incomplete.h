/* incomplete.h: the regularised incomplete gamma functions on lanes, in the form for Newton's
 * method: the logarithm of either tail, and the ratio of that tail to its derivative by log x.
 * Below alpha + 1 by the power series, above by Legendre's continued fraction (modified Lentz; W.
 * Gautschi, A computational procedure for incomplete gamma functions, ACM TOMS 5, 1979); each lane
 * stops at its own term. Must not know: quantiles. */
#ifndef LEVY_DISCRETE_INCOMPLETE_H
#define LEVY_DISCRETE_INCOMPLETE_H

#include "kernels/samplers/discrete/gamma_power.h"

#define INCOMPLETE_SMALL LANE_PICK(0x1p-54, 0x1p-25f)
/* About 9 sqrt(a) terms are needed near x = a: shapes to 5e8, in single to 5e3. */
enum { INCOMPLETE_TERMS = LANE_PICK(1 << 18, 1000) };

/* P(a, x) Gamma(a + 1) / (x^a e^-x) = 1 + x / (a + 1) + ..., in the lanes of `open`; elsewhere
 * anything finite. */
LANE_FN lane incomplete_series(lane a, lane x, lane_mask open)
{
    lane sum = lane_of(R(1.0)), term = sum, n = a;
    for (int k = 0; k < INCOMPLETE_TERMS && lane_any(open); ++k) {
        n = n + R(1.0);
        term = term * (x / n);
        sum = lane_select(open, sum + term, sum);
        open = open & (term > sum * INCOMPLETE_SMALL);
    }
    return sum;
}

/* Q(a, x) Gamma(a) / (x^a e^-x) in the lanes of `open`. */
LANE_FN lane incomplete_fraction(lane a, lane x, lane_mask open)
{
    const lane tiny = lane_of(LANE_PICK(0x1p-900, 0x1p-100f));
    lane b = x + R(1.0) - a, d = R(1.0) / lane_max(b, tiny),
         c = lane_of(LANE_PICK(0x1p900, 0x1p100f)), h = d, n = lane_of(R(0.0));
    for (int k = 0; k < INCOMPLETE_TERMS && lane_any(open); ++k) {
        n = n + R(1.0);
        const lane an = n * (a - n);
        b = b + R(2.0);
        const lane low = lane_fma(an, d, b), high = b + an / c;
        d = R(1.0) / lane_select(lane_abs(low) < tiny, tiny, low);
        c = lane_select(lane_abs(high) < tiny, tiny, high);
        const lane factor = c * d;
        h = lane_select(open, h * factor, h);
        open = open & (lane_abs(factor - R(1.0)) > INCOMPLETE_SMALL * R(4.0));
    }
    return h;
}

/* log of P (lower) or of Q at x = e^log_x. *ratio is that tail over d P / d log x. */
LANE_FN lane incomplete_log(lane a, lane log_x, lane_mask lower, lane_mask open, lane *ratio)
{
    const lane x = lane_exp(log_x);
    const lane_mask series = x < a + R(1.0);
    const lane log_power = gamma_log_power(a, x, log_x); /* x^a e^-x / Gamma(a + 1) */
    const lane sum = incomplete_series(a, x, open & series), one = lane_of(R(1.0));
    lane h = one;
    const lane_mask fraction = open & lane_not(series);
    if (lane_any(fraction)) h = incomplete_fraction(a, x, fraction);
    /* log P, or log Q */
    const lane own = lane_select(series, log_power + lane_log(sum), log_power + lane_log(a * h));
    const lane_mask direct = (series & lower) | lane_not(series | lower);
    const lane density = a * lane_exp(log_power);
    const lane other = lane_max(one - lane_exp(lane_min(own, lane_of(R(0.0)))),
                                lane_of(LANE_PICK(0x1p-60, 0x1p-30f)));
    *ratio = lane_select(direct, lane_select(series, sum / a, h),
                         other / lane_max(density, lane_of(LANE_PICK(0x1p-1000, 0x1p-100f))));
    return lane_select(direct, own, lane_log(other));
}

#endif
