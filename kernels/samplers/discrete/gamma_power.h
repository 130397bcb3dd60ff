/* gamma_power.h: x^a e^-x / Gamma(a + 1), which is a Poisson probability (n = a, mean x) and what
 * incomplete gamma functions start from; and log Gamma(a + 1). Lanczos' approximation (C. Lanczos,
 * SIAM J. Numer. Anal. B 1, 1964), coefficients our own: Gamma(a + 1) = sqrt(2 pi) m^(a + 1/2) e^-m
 * A(a), m = a + g + 1/2, with A collocated at 0, 1, 2, ... for the g that fits best (13 terms,
 * 3e-17 in double; 6 terms, 6e-10 in single) and written as one quotient. The power is formed from
 * log(x / m), so that neither a log x nor the log of a factorial appears: a = 10^6 costs no digits
 * in double, three in single. Must not know: who draws. */
#ifndef LEVY_DISCRETE_GAMMA_POWER_H
#define LEVY_DISCRETE_GAMMA_POWER_H

#include "kernels/samplers/discrete/draw.h"

#define GAMMA_STEP(sum, variable, coefficient)                                                     \
    sum = lane_fma(sum, variable, lane_of(R(coefficient)))
#if !defined(LANE_SINGLE)
#define GAMMA_SHIFT 5.8125 /* g + 1/2 */
#else
#define GAMMA_SHIFT 3.3125
#endif

/* sqrt(2 pi) A(a), as numerator and denominator */
LANE_FN void gamma_lanczos(lane a, lane *numerator, lane *denominator)
{
#if !defined(LANE_SINGLE)
    lane n = lane_of(R(0x1.40d931ff62705p+1)), d = a + R(78.0);
    GAMMA_STEP(n, a, 0x1.cd919f0f0c003p+7);
    GAMMA_STEP(d, a, 2717.0);
    GAMMA_STEP(n, a, 0x1.2e14777d0374dp+13);
    GAMMA_STEP(d, a, 55770.0);
    GAMMA_STEP(n, a, 0x1.dbcba0a995534p+17);
    GAMMA_STEP(d, a, 749463.0);
    GAMMA_STEP(n, a, 0x1.f6446d1e727eep+21);
    GAMMA_STEP(d, a, 6926634.0);
    GAMMA_STEP(n, a, 0x1.7670349aa7dc3p+25);
    GAMMA_STEP(d, a, 44990231.0);
    GAMMA_STEP(n, a, 0x1.945a594174c86p+28);
    GAMMA_STEP(d, a, 206070150.0);
    GAMMA_STEP(n, a, 0x1.3eb917bd35de8p+31);
    GAMMA_STEP(d, a, 657206836.0);
    GAMMA_STEP(n, a, 0x1.6c10b313de7cdp+33);
    GAMMA_STEP(d, a, 1414014888.0);
    GAMMA_STEP(n, a, 0x1.25eba0bdfa4d2p+35);
    GAMMA_STEP(d, a, 1931559552.0);
    GAMMA_STEP(n, a, 0x1.3e75624a8010ap+36);
    GAMMA_STEP(d, a, 1486442880.0);
    GAMMA_STEP(n, a, 0x1.9fdd54d02e63bp+36);
    GAMMA_STEP(d, a, 479001600.0);
    GAMMA_STEP(n, a, 0x1.ef167dc6b3d37p+35);
#else
    lane n = lane_of(R(0x1.40d932p+1)), d = a + R(15.0);
    GAMMA_STEP(n, a, 0x1.7b4569p+5);
    GAMMA_STEP(d, a, 85.0);
    GAMMA_STEP(n, a, 0x1.63e806p+8);
    GAMMA_STEP(d, a, 225.0);
    GAMMA_STEP(n, a, 0x1.4baaaap+10);
    GAMMA_STEP(d, a, 274.0);
    GAMMA_STEP(n, a, 0x1.332549p+11);
    GAMMA_STEP(d, a, 120.0);
    GAMMA_STEP(n, a, 0x1.c486b8p+10);
#endif
    *numerator = n;
    *denominator = d;
}

/* log(x^a e^-x) - log(m^a e^-m). The logarithm of x is an argument: x itself may underflow. */
LANE_FN lane gamma_exponent(lane a, lane x, lane log_x, lane m)
{
    const lane below = x - m, ratio = below / m;
    const lane_mask near = x > m * R(0.5);
    const lane w = ratio + R(1.0), d = w - R(1.0);
    const lane_mask none = d == R(0.0);
    const lane l = lane_log(lane_select(near, w, m));
    const lane close =
        lane_select(none, ratio, l * (ratio / lane_select(none, lane_of(R(1.0)), d)));
    return a * lane_select(near, close, log_x - l) - below;
}

/* x^a e^-x / Gamma(a + 1) for a >= 0, x > 0. It is 0 below the smallest exponential. */
LANE_FN lane gamma_power(lane a, lane x, lane log_x)
{
    const lane m = a + R(GAMMA_SHIFT);
    lane n, d;
    gamma_lanczos(a, &n, &d);
    return lane_exp(gamma_exponent(a, x, log_x, m)) * (d / (n * lane_sqrt(m)));
}

/* The logarithm of gamma_power, which may be of any size. */
LANE_FN lane gamma_log_power(lane a, lane x, lane log_x)
{
    const lane m = a + R(GAMMA_SHIFT);
    lane n, d;
    gamma_lanczos(a, &n, &d);
    return gamma_exponent(a, x, log_x, m) + lane_log(d / (n * lane_sqrt(m)));
}

/* log Gamma(a + 1), a >= 0; absolute error 4e-16 (1 + a log a), 2e-7 in single. */
LANE_FN lane gamma_log_factorial(lane a)
{
    const lane m = a + R(GAMMA_SHIFT);
    lane n, d;
    gamma_lanczos(a, &n, &d);
    return lane_fma(a + R(0.5), lane_log(m), -m) + lane_log(n / d);
}

#endif
