/* normal_law.h: the normal law and the call of Black and Scholes by the C library's erfc, for
 * tests: nothing of levy's own. */
#ifndef LEVY_TESTS_NORMAL_LAW_H
#define LEVY_TESTS_NORMAL_LAW_H

#include <math.h>

static inline double normal_cdf(double x) { return 0.5 * erfc(-x / sqrt(2.0)); }

static inline double normal_density(double x)
{
    return exp(-0.5 * x * x) / sqrt(2.0 * 3.14159265358979323846);
}

static inline double call_price(double s, double k, double r, double q, double v, double t)
{
    const double d1 = (log(s / k) + (r - q + 0.5 * v * v) * t) / (v * sqrt(t));
    return s * exp(-q * t) * normal_cdf(d1) - k * exp(-r * t) * normal_cdf(d1 - v * sqrt(t));
}

#endif
