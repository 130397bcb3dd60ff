/* heston_lanes.h: one step of Heston's model for one asset: dS/S = (rates - yields) dt + sqrt(v)
 * dW, dv = kappa (theta - v) dt + xi sqrt(v) dB, dW dB = rho dt. S. L. Heston, A closed-form
 * solution for options with stochastic volatility, Review of Financial Studies 6, 1993.
 *
 * QE-M (L. Andersen, Simple and efficient simulation of the Heston stochastic volatility model, J.
 * Computational Finance 11, 2008). Let m and s^2 be the mean and variance of v at the step's end
 * given v, and psi = s^2 / m^2. Up to psi = 1.5 the end is v' = a (b + Z)^2, beyond it v' is 0 with
 * probability p and else exponential, in both cases with these two moments. With y = Z / 2, Q = 4
 * sqrt(1 - psi / 2) and G = 4 - Q the first is v' = m (1 + G (y^2 - 1/4) + sqrt(Q G) y), as a = m G
 * / 4 and a b^2 = m Q / 4, and the second is v' = m u (E(Z) - log u) where that is positive, with u
 * = (psi + 1) / 2 and E = -log Phi(-Z): few divisions and roots. The integral of v is taken by the
 * trapezoid, so that the log return has the term K v' and the normal part
 * sqrt(dt (1 - rho^2) (v + v') / 2). Subtracting log E exp(A v'), A = K + dt (1 - rho^2) / 4, makes
 * the mean return the forward's, whatever v and the step. All is written in v' - m and in
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

/* path_log's logarithm of e */
#define HESTON_LOG LANE_PICK(R(1.0), R(1.4426950408889634))
#define HESTON_LN LANE_PICK(R(1.0), R(0.6931471805599453))
/* Least variance: no root is of 0, and what rounding loses of so small a move is lost anyway. */
#define HESTON_LEAST_VARIANCE R(0x1p-123)
/* 8 psi at which the law changes, and the bounds beyond which the other law is not to be kept: a
 * bump moves psi by a twentieth at most. See lane_below. */
#define HESTON_SWITCH R(12.0)
#define HESTON_MOST_QUADRATIC R(15.75)
#define HESTON_LEAST_EXPONENTIAL R(9.5)

/* The law of a step's end: its mean, 8 psi, and where it is quadratic. */
typedef struct heston_law {
    lane mean, eight_psi;
    lane_mask quadratic;
} heston_law;

/* What a step makes of v: how far its end is from its mean, over the mean; x = 2 A a or A / beta;
 * and 2 A a b^2, or p x. */
typedef struct heston_move {
    lane beyond, x, y;
} heston_move;

/* G, to all digits: Q is rounded. */
LANE_FN lane heston_gap(lane eight_psi, lane q)
{
#if defined(LANE_SINGLE)
    return path_quotient(eight_psi, q + R(4.0));
#else /* 4 - Q is exact where it is small; added is what the root was rounded by */
    const lane rounded = lane_fma(-q, q, lane_of(R(16.0))) - eight_psi;
    return lane_fma(rounded, lane_of(R(-0.125)), R(4.0) - q);
#endif
}

/* `scaled` is A m / 2, `y` half a normal. */
LANE_FN heston_move heston_draw(heston_law law, lane scaled, lane y)
{
    /* of other lanes nothing is read, but the roots of numbers below 0 are slow or raise flags */
    const lane eight_psi = LANE_GPU
                               ? law.eight_psi
                               : lane_select(law.quadratic, law.eight_psi, lane_of(HESTON_SWITCH));
    const lane q = path_root(R(16.0) - eight_psi), gap = heston_gap(eight_psi, q);
    heston_move move;
    move.beyond = lane_fma(gap, lane_fma(y, y, lane_of(R(-0.25))), path_root(q * gap) * y);
    move.x = gap;
    move.y = q;
    if (lane_any(lane_not(law.quadratic))) {
        const lane unit = lane_fma(law.eight_psi, lane_of(R(0.0625)), lane_of(R(0.5)));
        const lane above = lane_raised(
            lane_fma(path_log_bounded(unit), lane_of(-HESTON_LN), path_exponential(y + y)), R(0.0));
        move.beyond =
            lane_select(law.quadratic, move.beyond, lane_fma(above, unit, lane_of(R(-1.0))));
        move.x = lane_select(law.quadratic, move.x, unit + unit);
        move.y = lane_select(law.quadratic, move.y,
                             lane_fma(law.eight_psi, lane_of(R(0.125)), lane_of(R(-1.0))));
    }
    move.x = move.x * scaled;
    move.y = move.y * scaled;
    return move;
}

/* Coefficients of (-log(1 - x) - x) / x^2: 1 / 8, 1 / 7, ..., 1 / 2. */
LANE_TABLE(heston_series_table) = {R(0.125), R(1.0 / 7.0), R(1.0 / 6.0), R(0.2),
                                   R(0.25),  R(1.0 / 3.0), R(0.5)};

/* for |x| up to HESTON_SERIES */
LANE_FN lane heston_series(lane x)
{
    enum { FIRST = LANE_PICK(0, 4) };
    lane sum = lane_of(heston_series_table[FIRST]);
    LANE_UNROLL
    for (int k = FIRST + 1; k < 7; ++k) sum = lane_fma(sum, x, lane_of(heston_series_table[k]));
    return sum;
}

/* 1 / (1 - x) for |x| up to HESTON_SERIES */
LANE_FN lane heston_geometric(lane x)
{
#if defined(LANE_SINGLE)
    return lane_fma(x, x, x + R(1.0));
#else
    const lane square = x * x, two = x + R(1.0), four = lane_fma(two, square, two);
    return lane_fma(four, square * square, four);
#endif
}

/* Twice log E exp(A v') - A m. `small`: |x| is at most HESTON_SERIES, and so is |y| of exponential
 * ends. */
LANE_FN lane heston_correction(heston_move move, lane_mask quadratic, int small)
{
    const lane x = move.x, y = move.y;
    if (small) {
        const lane first = x * heston_series(x);
        const lane usual = x * lane_fma(y, heston_geometric(x), first);
        if (!lane_any(lane_not(quadratic))) return usual;
        const lane half = lane_fma(x, first, -y * (y * heston_series(y)));
        return lane_select(quadratic, usual, half + half);
    }
    const lane over = path_quotient(lane_of(R(1.0)), R(1.0) - x);
    const lane log =
        path_log_bounded(lane_select(quadratic, over, (R(1.0) - y) * over)) * HESTON_LN;
    const lane usual = lane_fma(x * y, over, log - x), half = log - (x - y);
    return lane_select(quadratic, usual, half + half);
}

/* Which law has v'. Those that follow another keep `*quadratic` if they can; for others it is set.
 */
LANE_FN lane_mask heston_is_quadratic(lane eight_psi, int follows, lane_mask *quadratic)
{
    if (!follows) return *quadratic = lane_below(eight_psi, HESTON_SWITCH);
    return (*quadratic & lane_below(eight_psi, HESTON_MOST_QUADRATIC)) |
           lane_below(eight_psi, HESTON_LEAST_EXPONENTIAL);
}

/* Moves v over a step by y, half a normal; returns the log return without its normal part, in
 * path_log's units. */
LANE_FN lane heston_quadratic_exponential(const real *n, lane *v, lane y, int follows,
                                          lane_mask *quadratic)
{
    const lane from = *v;
    heston_law law;
    law.mean = lane_fma(from, lane_of(n[HESTON_DECAY]), lane_of(n[HESTON_LIFT]));
    const lane spread = lane_fma(from, lane_of(n[HESTON_SLOPE]), lane_of(n[HESTON_SPREAD]));
    law.eight_psi = path_quotient(spread, law.mean * law.mean);
    law.quadratic = heston_is_quadratic(law.eight_psi, follows, quadratic);
    const heston_move move = heston_draw(law, law.mean * n[HESTON_TILT], y);
    const lane correction = heston_correction(move, law.quadratic, n[HESTON_SMALL] > R(0.0));
    const lane moved = law.mean * move.beyond;
    *v = lane_raised(law.mean + moved, HESTON_LEAST_VARIANCE);
    const lane still =
        lane_fma(correction, lane_of(R(-0.5) * HESTON_LOG), lane_of(n[HESTON_FORWARD]));
    const lane kept = lane_fma(lane_of(-n[HESTON_LOST]), from, still);
    return lane_fma(moved, lane_of(n[HESTON_PULL]), kept);
}

#endif
