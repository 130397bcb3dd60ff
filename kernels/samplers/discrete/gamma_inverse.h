/* gamma_inverse.h: a generator's word to a gamma deviate of unit scale: the quantile at p = (u +
 * 1/2) 2^-32, monotone in the word. For alpha >= 32 by the series of gamma_series.h, without a
 * branch. Below by Newton's method for log P (from the lower half of the words) or log Q (from the
 * upper) as a function of log x: both are concave, for the density of log x is log-concave, so that
 * every start converges and, after a step, from one side. Starts: the series where |s| <= 2.5 and
 * alpha >= 1/2, else (p Gamma(alpha + 1))^(1/alpha), which the quantile never lies below. Lanes
 * stop one by one. Relative error of x: at most 1e-13 in double for alpha >= 1e-3, against 40
 * digits (tests/known_answers/gamma_inverse.txt); below that 2^-52 / alpha; 5e-5 in single for
 * alpha >= 0.01. What is below 3e-308 (1e-38) is given as that. Must not know: who draws. */
#ifndef LEVY_DISCRETE_GAMMA_INVERSE_H
#define LEVY_DISCRETE_GAMMA_INVERSE_H

#include "kernels/samplers/discrete/gamma_series.h"
#include "kernels/samplers/discrete/incomplete.h"

#define GAMMA_CLOSE LANE_PICK(0x1p-27, 0x1p-13f)
enum { GAMMA_STEPS = 60 };

/* log x at the start: p is the lower tail, z its normal quantile. */
LANE_FN lane gamma_start(lane alpha, lane p, lane z)
{
    const lane s = z / lane_sqrt(alpha), a = lane_max(alpha, lane_of(R(0.5)));
    const lane_mask near = (lane_abs(s) <= R(2.5)) & (alpha >= R(0.5));
    const lane below = (lane_log(p) + gamma_log_factorial(alpha)) / alpha;
    const lane series =
        lane_log(a) + gamma_series(R(1.0) / a, lane_select(near, s, lane_of(R(0.0))));
    return lane_select(near, lane_max(series, below), below);
}

/* The quantile for alpha < 32, by its logarithm. */
LANE_FN lane gamma_newton(lane alpha, lane_word u, lane z, lane_mask open)
{
    const lane tail = discrete_tail(u);
    const lane_mask lower = z < R(0.0);
    const lane target = lane_log(tail);
    lane t = gamma_start(alpha, lane_select(lower, tail, R(1.0) - tail), z);
    for (int k = 0; k < GAMMA_STEPS && lane_any(open); ++k) {
        lane ratio;
        const lane value = incomplete_log(alpha, t, lower, open, &ratio);
        lane step = lane_select(lower, target - value, value - target) * ratio;
        step = lane_max(lane_min(step, lane_of(R(1.0))), lane_of(R(-1e4)));
        t = lane_select(open, t + step, t);
        open = open & (lane_abs(step) > (R(1.0) + lane_abs(t)) * GAMMA_CLOSE);
    }
    return t;
}

LANE_FN lane gamma_inverse(lane alpha, lane_word u)
{
    const lane z = normal_from_word(u);
    const lane_mask small = alpha < R(SERIES_LEAST);
    const lane a = lane_max(alpha, lane_of(R(SERIES_LEAST))), inverse = R(1.0) / a;
    lane x = a * lane_exp(gamma_series(inverse, z * lane_sqrt(inverse)));
    if (lane_any(small)) x = lane_select(small, lane_exp(gamma_newton(alpha, u, z, small)), x);
    return x;
}

#endif
