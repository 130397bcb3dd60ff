/* heston_ends.h: the end of a step of Heston's model by QE-M, under either of its laws.
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
 * log E exp(A v') - A m, whose large parts cancel before they are rounded. Lanes only. Must not
 * know: which law a path has. */
#ifndef LEVY_MODELS_HESTON_ENDS_H
#define LEVY_MODELS_HESTON_ENDS_H

#include "kernels/lane/maths.h"
#include "models/heston_numbers.h"

/* path_log's logarithm of e */
#define HESTON_LOG LANE_PICK(R(1.0), R(1.4426950408889634))
#define HESTON_LN LANE_PICK(R(1.0), R(0.6931471805599453))

/* Of a step's end: 4 m, 8 s^2, (4 m)^2, and (4 m)^2 less 8 s^2, which is (m Q)^2. */
typedef struct heston_law {
    lane four, spread, square, left;
} heston_law;

LANE_FN heston_law heston_law_of(const real *n, lane from)
{
    heston_law law;
    law.four = lane_fma(from, lane_of(n[HESTON_DECAY]), lane_of(n[HESTON_LIFT]));
    law.spread = lane_fma(from, lane_of(n[HESTON_SLOPE]), lane_of(n[HESTON_SPREAD]));
    law.square = law.four * law.four;
    law.left = law.square - law.spread;
    return law;
}

/* What a step makes of v: how far its end is from its mean, and what the level has of the forward
 * and of the correction, in path_log's units. */
typedef struct heston_end {
    lane moved, still;
} heston_end;

/* ---- The correction: log E exp(A v') - A m is h (-log(1 - x) - x + x y) ----
 * Of the first law h = 1/2, x = 2 A a and y = 2 A a b^2 / (1 - x). Of the second h = 1, y = A p /
 * beta, where 1 / beta = m u and p / beta = m u - m, and x = A m / (1 - y). */

#if defined(LANE_SINGLE)
/* Coefficients of (-log(1 - x) - x) / x^2: 1 / 4, 1 / 3, 1 / 2. */
LANE_TABLE(heston_series_table) = {R(0.25), R(1.0 / 3.0), R(0.5)};
#else /* the same, fitted to 1.2e-14 of the logarithm */
LANE_TABLE(heston_series_table) = {
    0x1.5583b018c6642p-3, 0x1.99bf6feb34423p-3, 0x1.fffffdc6164d4p-3,
    0x1.555554d8176abp-2, 0x1.0000000001223p-1,
};
#endif

/* for |x| up to HESTON_SERIES */
LANE_FN lane heston_series(lane x)
{
    lane sum = lane_of(heston_series_table[0]);
    LANE_UNROLL
    for (int k = 1; k < LANE_PICK(5, 3); ++k)
        sum = lane_fma(sum, x, lane_of(heston_series_table[k]));
    return sum;
}

/* 1 / (1 - x). `small`: |x| is at most HESTON_SERIES. */
LANE_FN lane heston_over(lane x, int small)
{
    if (!small) return path_quotient(lane_of(R(1.0)), R(1.0) - x);
#if defined(LANE_SINGLE)
    return lane_fma(x, x, x + R(1.0));
#else
    const lane square = x * x, two = x + R(1.0), four = lane_fma(two, square, two);
    return lane_fma(four, square * square, four);
#endif
}

LANE_FN lane heston_rest(lane x, lane y, int small)
{
    if (small) return x * lane_fma(x, heston_series(x), y);
    return lane_fma(x, y, lane_fma(path_log_bounded(R(1.0) - x), lane_of(-HESTON_LN), -x));
}

/* ---- The two laws ---- */

enum { HESTON_QUADRATIC, HESTON_EXPONENTIAL, HESTON_EACH }; /* paths that are asked for */

LANE_FN lane heston_pick(int laws, lane_mask quadratic, lane a, lane b)
{
    if (laws == HESTON_EACH) return lane_select(quadratic, a, b);
    return laws == HESTON_QUADRATIC ? a : b;
}

/* What v' is beyond m by the second law. `part` is 2 psi m, and `over`, in single, 1 / (4 m). */
LANE_FN lane heston_beyond(const heston_law *law, lane y, lane part, lane over)
{
#if defined(LANE_SINGLE)
    const lane above = path_exponential(y + y, lane_fma(part, over, lane_of(R(0.5))));
#else
    const lane above =
        path_exponential(y + y, lane_fma(law->square, lane_of(R(0.5)), law->spread), law->square);
    (void)over;
#endif
    const lane unit = lane_fma(law->four, lane_of(R(0.5)), part);
    return lane_fma(unit * R(0.25), lane_raised(above, R(0.0)), law->four * R(-0.25));
}

/* `y` is half a normal. The laws share a quotient: m G = 8 s^2 / (4 m + m Q), of which all digits
 * are there while those of 4 m - m Q cancel, and 2 psi m = 8 s^2 / (4 m). `quadratic` is read if
 * each path's own law is asked for. */
LANE_FN heston_end heston_end_of(const real *n, const heston_law *law, lane y, int laws,
                                 lane_mask quadratic, int small)
{
    /* of other lanes nothing is read, but the roots of numbers below 0 are slow or raise flags */
    const lane left = LANE_GPU ? law->left : lane_max(law->left, lane_of(R(0.0)));
    const lane q = path_root(left), below = heston_pick(laws, quadratic, law->four + q, law->four);
#if defined(LANE_SINGLE)
    const lane over = lane_reciprocal(below), gap = law->spread * over;
#else
    const lane over = below, gap = path_quotient(law->spread, below);
#endif
    const lane tilted = law->four * (R(0.25) * n[HESTON_TILT]), x = gap * n[HESTON_TILT],
               p = lane_fma(x, lane_of(R(0.5)), -tilted),
               given = heston_pick(laws, quadratic, q * n[HESTON_TILT], tilted + tilted) *
                       heston_over(heston_pick(laws, quadratic, x, p), small);
    const lane rest = heston_rest(heston_pick(laws, quadratic, x, given),
                                  heston_pick(laws, quadratic, given, p), small);
    lane moved = gap;
    heston_end end;
    if (laws != HESTON_EXPONENTIAL)
        moved = lane_fma(gap, lane_fma(y, y, lane_of(R(-0.25))), path_root(q * gap) * y);
    if (laws != HESTON_QUADRATIC)
        moved = heston_pick(laws, quadratic, moved, heston_beyond(law, y, gap, over));
    end.moved = moved;
    end.still = lane_fma(
        rest,
        heston_pick(laws, quadratic, lane_of(R(-0.5) * HESTON_LOG), lane_of(R(-1.0) * HESTON_LOG)),
        lane_of(n[HESTON_FORWARD]));
    return end;
}

#endif
