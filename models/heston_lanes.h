/* heston_lanes.h: one step of Heston's model for one asset: dS/S = (rates - yields) dt + sqrt(v)
 * dW, dv = kappa (theta - v) dt + xi sqrt(v) dB, dW dB = rho dt. S. L. Heston, A closed-form
 * solution for options with stochastic volatility, Review of Financial Studies 6, 1993.
 *
 * QE-M (L. Andersen, Simple and efficient simulation of the Heston stochastic volatility model, J.
 * Computational Finance 11, 2008). Let m and s^2 be the mean and variance of v at the step's end
 * given v, and psi = s^2 / m^2. Up to psi = 1.5 the end is v' = a (b + Z)^2, beyond it v' is 0 with
 * probability p and else exponential, in both cases with these two moments. With h = psi / 2 and q
 * = sqrt(1 - h) the first is v' = m (1 + (1 - q) (Z^2 - 1) + 2 sqrt(q (1 - q)) Z), as a = m (1 - q)
 * and a b^2 = m q, and the second is v' = m (h + 1/2) (E(Z) - log(h + 1/2)) where that is positive,
 * with E = -log Phi(-Z): few divisions and roots. The integral of v is taken by the trapezoid, so
 * that the log return has the term K v' and the normal part sqrt(dt (1 - rho^2) (v + v') / 2).
 * Subtracting log E exp(A v'), A = K + dt (1 - rho^2) / 4, makes the mean return the forward's,
 * whatever v and the step. All is written in v' - m and in log E exp(A v') - A m, whose large parts
 * cancel before they are rounded.
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
#define HESTON_LEAST_VARIANCE R(1e-37)
/* psi / 2 at which the law changes, and the bounds beyond which the other law is not to be kept: a
 * bump moves psi by a twentieth at most */
#define HESTON_SWITCH R(0.75)
#define HESTON_MOST_QUADRATIC R(0.99)
#define HESTON_LEAST_EXPONENTIAL R(0.6)

/* The law of a step's end: its mean, psi / 2, and where it is quadratic. */
typedef struct heston_law {
    lane mean, half;
    lane_mask quadratic;
} heston_law;

/* What a step makes of v: how far its end is from its mean, over the mean; x = 2 A a or A / beta;
 * and A a b^2, or p x. */
typedef struct heston_move {
    lane beyond, x, y;
} heston_move;

/* 1 - q, to all digits: q is sqrt(1 - half) rounded. */
LANE_FN lane heston_gap(lane half, lane q)
{
#if defined(LANE_SINGLE)
    return path_quotient(half, q + R(1.0));
#else /* 1 - q is exact where it is small; added is what the root and 1 - half were rounded by */
    const lane gap = R(1.0) - q, square = R(1.0) - half;
    const lane rounded = lane_fma(-q, q, square) + ((R(1.0) - square) - half);
    return lane_fma(rounded, lane_fma(gap, lane_of(R(-0.5)), lane_of(R(-0.5))), gap);
#endif
}

/* `scaled` is A m. */
LANE_FN heston_move heston_draw(heston_law law, lane scaled, lane z)
{
    /* of other lanes nothing is read, but the roots of numbers below 0 are slow or raise flags */
    const lane half = LANE_GPU && LANE_PICK(0, 1)
                          ? law.half
                          : lane_select(law.quadratic, law.half, lane_of(HESTON_SWITCH));
    const lane q = path_root(R(1.0) - half), gap = heston_gap(half, q);
    heston_move move;
    move.beyond = lane_fma(gap, lane_fma(z, z, lane_of(R(-1.0))), path_root(q * gap) * (z + z));
    move.x = gap + gap;
    move.y = q;
    if (lane_any(lane_not(law.quadratic))) {
        const lane unit = law.half + R(0.5);
        const lane above =
            lane_max(lane_fma(path_log_bounded(unit), lane_of(-HESTON_LN), path_exponential(z)),
                     lane_of(R(0.0)));
        move.beyond =
            lane_select(law.quadratic, move.beyond, lane_fma(above, unit, lane_of(R(-1.0))));
        move.x = lane_select(law.quadratic, move.x, unit);
        move.y = lane_select(law.quadratic, move.y, law.half - R(0.5));
    }
    move.x = move.x * scaled;
    move.y = move.y * scaled;
    return move;
}

/* Coefficients of (-log(1 - x) - x) / 2 x^2: 1 / 18, 1 / 16, ..., 1 / 4. */
LANE_TABLE(heston_series_table) = {R(1.0 / 18.0), R(0.0625), R(1.0 / 14.0), R(1.0 / 12.0),
                                   R(0.1),        R(0.125),  R(1.0 / 6.0),  R(0.25)};

/* for |x| up to HESTON_SERIES */
LANE_FN lane heston_series(lane x)
{
    enum { FIRST = LANE_PICK(0, 5) };
    lane sum = lane_of(heston_series_table[FIRST]);
    LANE_UNROLL
    for (int k = FIRST + 1; k < 8; ++k) sum = lane_fma(sum, x, lane_of(heston_series_table[k]));
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

/* log E exp(A v') - A m. `small`: |x| is at most HESTON_SERIES, and so is |y| of exponential ends.
 */
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
    const lane usual = lane_fma(x * y, over, (log - x) * R(0.5));
    return lane_select(quadratic, usual, log - (x - y));
}

/* Which law has v' where psi / 2 is `half`. Those that follow keep `*quadratic` if they can; for
 * others it is set. */
LANE_FN lane_mask heston_is_quadratic(const real *n, lane half, lane_mask *quadratic)
{
    if (!(n[HESTON_FOLLOWS] > R(0.0))) return *quadratic = half <= HESTON_SWITCH;
    return (*quadratic & (half <= HESTON_MOST_QUADRATIC)) | (half < HESTON_LEAST_EXPONENTIAL);
}

/* Moves v over a step by the normal z; returns the log return without its normal part, in
 * path_log's units. `forward` is the forward's. */
LANE_FN lane heston_quadratic_exponential(const real *n, real forward, lane *v, lane z,
                                          lane_mask *quadratic)
{
    const lane from = *v;
    heston_law law;
    law.mean = lane_fma(from, lane_of(n[HESTON_DECAY]), lane_of(n[HESTON_LIFT]));
    const lane spread = lane_fma(from, lane_of(n[HESTON_SLOPE]), lane_of(n[HESTON_SPREAD]));
    law.half = path_quotient(spread, law.mean * law.mean);
    law.quadratic = heston_is_quadratic(n, law.half, quadratic);
    const heston_move move = heston_draw(law, law.mean * n[HESTON_TILT], z);
    const lane correction = heston_correction(move, law.quadratic, n[HESTON_SMALL] > R(0.0));
    const lane moved = law.mean * move.beyond;
    *v = lane_max(law.mean + moved, lane_of(HESTON_LEAST_VARIANCE));
    const lane still =
        lane_fma(correction, lane_of(-HESTON_LOG), lane_of(forward - n[HESTON_STILL]));
    const lane kept = lane_fma(lane_of(-n[HESTON_LOST]), from, still);
    return lane_fma(moved, lane_of(n[HESTON_PULL]), kept);
}

#endif
