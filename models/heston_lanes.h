/* heston_lanes.h: one step of Heston's model for one asset: dS/S = (rates - yields) dt + sqrt(v)
 * dW, dv = kappa (theta - v) dt + xi sqrt(v) dB, dW dB = rho dt. S. L. Heston, A closed-form
 * solution for options with stochastic volatility, Review of Financial Studies 6, 1993.
 *
 * QE-M (L. Andersen, Simple and efficient simulation of the Heston stochastic volatility model, J.
 * Computational Finance 11, 2008). Let m and s^2 be the mean and variance of v at the step's end
 * given v, and psi = s^2 / m^2. Up to psi = 1.5 the end is v' = a (b + Z)^2, beyond it v' is 0 with
 * probability p and else exponential, in both cases with these two moments. The integral of v is
 * taken by the trapezoid, so that the log return has the term K v' and the normal part sqrt(dt (1 -
 * rho^2) (v + v') / 2). Subtracting log E exp(A v'), A = K + dt (1 - rho^2) / 4, makes the mean
 * return the forward's, whatever v and the step. All is written in d = v' - m and in
 * log E exp(A v') - A m, whose large parts cancel before they are rounded.
 *
 * Where psi crosses the switch, v' jumps. A bumped market therefore keeps the law that today's has
 * on the path, as long as that is near its own: else differences are the noise of these jumps.
 *
 * With full truncation (R. Lord, R. Koekkoek, D. van Dijk, Quantitative Finance 10, 2010) Euler's
 * step reads the larger of v and 0. Lanes only. Must not know: grids, drivers. */
#ifndef LEVY_MODELS_HESTON_LANES_H
#define LEVY_MODELS_HESTON_LANES_H

#include "kernels/lane/maths.h"
#include "models/heston_numbers.h"

/* logarithms of path_log by natural ones, and back */
#define HESTON_LOG LANE_PICK(R(1.0), R(1.4426950408889634))
#define HESTON_LN LANE_PICK(R(1.0), R(0.6931471805599453))
/* Least mean and s^2, and the most of 2 / psi: nothing divides by 0 or overflows, and what rounding
 * loses of so small a move is lost anyway. */
#define HESTON_LEAST_MEAN R(1e-15)
#define HESTON_LEAST_SPREAD LANE_PICK(R(1e-300), R(1e-37))
#define HESTON_MOST LANE_PICK(R(1e30), R(1e17))
/* psi at which the law changes, and the bounds beyond which the other law is not to be kept */
#define HESTON_SWITCH R(1.5)
#define HESTON_MOST_QUADRATIC R(2.0)
#define HESTON_LEAST_EXPONENTIAL R(1.0)

/* What a step makes of v: how far its end is from its mean, and what is to be subtracted from the
 * log return for the forward. */
typedef struct heston_move {
    lane from_mean, correction;
} heston_move;

/* The law beyond the switch, which few lanes have. `half` is 1 / psi. */
typedef struct heston_tail {
    lane from_mean, tilt, share; /* tilt = A / beta; share = 1 - p */
} heston_tail;

LANE_FN heston_tail heston_exponential(real tilt, lane mean, lane twice, lane z)
{
    const lane two = lane_of(R(2.0));
    heston_tail tail;
    tail.share = (twice + twice) / (twice + two);
    const lane unit = mean / tail.share; /* 1 / beta */
    /* the complement of the uniform, whose small values are exact */
    const lane above = lane_max(path_log(tail.share / lane_normal_cdf(-z)), lane_of(R(0.0)));
    tail.from_mean = lane_fma(above * HESTON_LN, unit, -mean);
    tail.tilt = unit * tilt;
    return tail;
}

/* `mean` at least HESTON_LEAST_MEAN; `twice` is 2 / psi. */
LANE_FN heston_move heston_draw(real tilt, lane mean, lane twice, lane_mask quadratic, lane z)
{
    const lane one = lane_of(R(1.0)), none = lane_of(R(0.0));
    const lane less = lane_max(twice - one, none), square = less + lane_sqrt(twice * less),
               unit = mean / (one + square), root = lane_sqrt(square);
    heston_tail tail = {none, none, one};
    heston_move move;
    if (lane_any(lane_not(quadratic))) tail = heston_exponential(tilt, mean, twice, z);
    const lane x = lane_select(quadratic, unit * (tilt + tilt), tail.tilt);
    const lane over = one / (one - x), p = one - tail.share;
    const lane log = path_log(lane_select(quadratic, over, lane_fma(-p, x, one) * over));
    const lane bend = x * lane_fma(x * square, over, -one);
    move.from_mean =
        lane_select(quadratic, unit * lane_fma(z, root + root + z, -one), tail.from_mean);
    move.correction = lane_select(quadratic, lane_fma(bend, lane_of(HESTON_LOG), log) * R(0.5),
                                  lane_fma(tail.share * x, lane_of(-HESTON_LOG), log));
    return move;
}

/* Which law has v' where 2 / psi is `twice`. Those that follow keep `*quadratic` if they can; for
 * others it is set. */
LANE_FN lane_mask heston_is_quadratic(const real *n, lane twice, lane_mask *quadratic)
{
    if (!(n[HESTON_FOLLOWS] > R(0.0))) return *quadratic = twice >= R(2.0) / HESTON_SWITCH;
    return (*quadratic & (twice >= R(2.0) / HESTON_MOST_QUADRATIC)) |
           (twice > R(2.0) / HESTON_LEAST_EXPONENTIAL);
}

/* Moves v over a step by the normal z; returns the log return beyond the forward's without its
 * normal part, in path_log's units. */
LANE_FN lane heston_quadratic_exponential(const real *n, lane *v, lane z, lane_mask *quadratic)
{
    const lane from = *v;
    const lane mean = lane_max(lane_fma(from, lane_of(n[HESTON_DECAY]), lane_of(n[HESTON_LIFT])),
                               lane_of(HESTON_LEAST_MEAN));
    const lane square = mean * mean,
               spread = lane_fma(from, lane_of(n[HESTON_SLOPE]), lane_of(n[HESTON_SPREAD])),
               ratio = (square + square) / lane_max(spread, lane_of(HESTON_LEAST_SPREAD)),
               twice = lane_min(ratio, lane_of(HESTON_MOST));
    const heston_move move =
        heston_draw(n[HESTON_TILT], mean, twice, heston_is_quadratic(n, twice, quadratic), z);
    *v = lane_max(mean + move.from_mean, lane_of(R(0.0)));
    const lane pulled = lane_fma(lane_of(n[HESTON_PULL]), move.from_mean, -move.correction);
    return lane_fma(lane_of(-n[HESTON_HALF]), from + mean, pulled);
}

#endif
