/* asian_integrated.h: options and digitals on an average, integrated over the first normal z
 * (integral.h). The average rises with z, so it is at the strike at one z. Of a geometric mean that
 * is a quotient.
 *
 * The levels of an arithmetic one add up to the sum of x exp(b z), with x the level at a date where
 * z is 0. All loadings b lie within c of c, half of the one at expiry. So the sum is exp(c z) times
 * a power series in z, whose coefficients are the sums of x (b - c)^j / j!: some of these moments
 * are all that a path carries. The series has so many that those left out are rounding
 * (asian_moments). Its root: Halley's steps on the sum's logarithm, which is nearly a line; a lane
 * that has arrived stays where it is.
 *
 * Beyond the root a level is worth x g(b), with g(b) = exp(b^2 / 2) Phi(b - z), or Phi(z - b)
 * below. From g'(b) = b g(b) + exp(b z) phi(z), or less that, follow g's derivatives at c, one from
 * two others, and the moments times these are what all levels are worth.
 *
 * State 0: the sum of the levels, [START] included (geometric: of logarithms); 1, geometric: of
 * loadings. Terms: [E] what the sum of the levels to come is compared with, [F] its logarithm;
 * geometric: [F] the strike's; the rest as in asian.h. Lanes only. */
#ifndef LEVY_PAYOFFS_ASIAN_INTEGRATED_H
#define LEVY_PAYOFFS_ASIAN_INTEGRATED_H

#include "payoffs/integral.h"
#include "payoffs/seen.h"

/* Variants of all lanes on averages: the average is geometric; it is the strike; the payment is
 * digital; the first normal is integrated. */
enum { ASIAN_GEOMETRIC = 1, ASIAN_STRIKE = 2, ASIAN_DIGITAL = 4, ASIAN_INTEGRATED = 8 };

enum {
    ASIAN_MOMENTS = 8, /* the bit of a variant from which on the number of moments after the first
                          stands; of each, a node has the factor of its level */
    ASIAN_STEP = 0,    /* geometric, a node's number: b in the units of path_log */
    ASIAN_MOST_STEPS = 24
};
#define ASIAN_REACH LANE_PICK(R(12.0), R(9.0))  /* nothing is left of the distribution beyond */
#define ASIAN_CLOSE LANE_PICK(R(1e-5), R(2e-2)) /* the next step would be its third power */
#define ASIAN_DENSITY R(0.39894228040143268)    /* of a normal at 0 */

/* A GPU's text has the number of moments as a constant, and the moments in registers. */
#if LANE_GPU
#define ASIAN_UNROLL _Pragma("unroll")
#else
#define ASIAN_UNROLL
#endif

/* The series at a z, with its first and half its second derivative. */
typedef struct asian_series {
    lane sum, slope, half;
} asian_series;

LANE_FN asian_series asian_series_at(uint32_t variant, lane first, const lane *moments, lane z)
{
    asian_series s = {lane_of(R(0.0)), lane_of(R(0.0)), lane_of(R(0.0))};
    ASIAN_UNROLL
    for (uint32_t j = variant >> ASIAN_MOMENTS; j-- > 0;) {
        s.half = lane_fma(s.half, z, s.slope);
        s.slope = lane_fma(s.slope, z, s.sum);
        s.sum = lane_fma(s.sum, z, moments[j]);
    }
    s.half = lane_fma(s.half, z, s.slope);
    s.slope = lane_fma(s.slope, z, s.sum);
    s.sum = lane_fma(s.sum, z, first);
    return s;
}

LANE_FN real asian_middle(const real *terms) { return terms[INTEGRAL_LOADING] * R(0.5); }

/* A step of Halley's from z. */
LANE_FN lane asian_step(const real *terms, lane z, asian_series s)
{
    const real unit = LANE_PICK(R(1.0), R(0.69314718055994531));
    const lane sum = lane_max(s.sum, lane_of(R(1e-30))),
               inverse = lane_quotient(lane_of(R(1.0)), sum), share = s.slope * inverse,
               slope = lane_max(share + asian_middle(terms), lane_of(R(1e-30))),
               curve = lane_fma(share, R(0.0) - share, s.half * inverse * R(2.0)),
               off =
                   lane_fma(path_log(sum) - terms[ITEM_F], lane_of(unit), z * asian_middle(terms)),
               each = lane_quotient(lane_of(R(1.0)), slope), newton = off * each,
               bend = R(1.0) - newton * curve * each * R(0.5),
               next = z - lane_quotient(newton,
                                        lane_min(lane_max(bend, lane_of(R(0.5))), lane_of(R(2.0))));
    return lane_min(lane_max(next, lane_of(-ASIAN_REACH)), lane_of(ASIAN_REACH));
}

/* The z at which the sum is [E]. first: the sum of the levels to come at 0. */
LANE_FN lane asian_root(uint32_t variant, const real *terms, lane first, const lane *moments)
{
    if (!(terms[ITEM_E] > R(0.0))) return lane_of(-INTEGRAL_FAR);
    lane from = lane_of(R(0.0));
    const asian_series start = {first, moments[0], moments[1]};
    lane z = asian_step(terms, from, start);
    for (int turn = 0; turn < ASIAN_MOST_STEPS; ++turn) {
        const lane_mask moves = lane_abs(z - from) > ASIAN_CLOSE;
        if (!lane_any(moves)) break;
        const lane next = asian_step(terms, z, asian_series_at(variant, first, moments, z));
        from = lane_select(moves, z, from);
        z = lane_select(moves, next, z);
        from = lane_select(moves, from, z);
    }
    return lane_select(lane_abs(z) < ASIAN_REACH, z, z * INTEGRAL_FAR);
}

/* What the average of the levels on the paying side of z is worth. */
LANE_FN lane asian_worth(uint32_t variant, const real *terms, lane first, const lane *moments,
                         lane z, lane pays)
{
    const real c = asian_middle(terms);
    const lane at = lane_min(lane_max(z, lane_of(-ASIAN_REACH)), lane_of(ASIAN_REACH)),
               density = lane_exp(at * (c - at * R(0.5))) * (terms[ITEM_SIGN] * ASIAN_DENSITY);
    lane before = lane_of(R(0.0)), power = density,
         now = lane_normal_cdf((c - at) * terms[ITEM_SIGN]) * lane_exp(lane_of(c * c * R(0.5)));
    lane sum = lane_fma(pays, lane_of(terms[ITEM_START]), first * now);
    ASIAN_UNROLL
    for (uint32_t j = 0; j < variant >> ASIAN_MOMENTS; ++j) {
        const lane next = lane_fma(now, lane_of(c), lane_fma(before, lane_of((real)j), power));
        sum = lane_fma(next, moments[j], sum);
        before = now;
        now = next;
        power = power * at;
    }
    return sum * terms[ITEM_A];
}

/* What is paid where the average beyond z is worth `worth`, with probability `pays`. */
LANE_FN lane asian_paid(uint32_t variant, const real *terms, lane worth, lane pays)
{
    if (variant & ASIAN_DIGITAL)
        return lane_fma(worth, lane_of(terms[ITEM_C]), pays * terms[ITEM_B]);
    return lane_fma(pays, lane_of(-terms[ITEM_STRIKE]), worth) * terms[ITEM_SIGN];
}

LANE_FN void asian_gather(uint32_t variant, const real *node_terms, const payoff_seen *seen,
                          lane *state)
{
    if (variant & ASIAN_GEOMETRIC) {
        state[0] = state[0] + seen->level.log_x;
        state[1] = state[1] + node_terms[ASIAN_STEP];
        return;
    }
    state[0] = state[0] + seen->level.x;
    ASIAN_UNROLL
    for (uint32_t j = 0; j < variant >> ASIAN_MOMENTS; ++j)
        seen->kept[j] = lane_fma(seen->level.x, lane_of(node_terms[j]), seen->kept[j]);
}

LANE_FN lane asian_settle_arithmetic(uint32_t variant, const real *terms, const lane *state,
                                     const lane *moments)
{
    const lane first = state[0] - terms[ITEM_START], z = asian_root(variant, terms, first, moments),
               pays = lane_normal_cdf(z * -terms[ITEM_SIGN]);
    const int levels = !(variant & ASIAN_DIGITAL) || terms[ITEM_C] != R(0.0);
    if (!levels) return asian_paid(variant, terms, pays, pays);
    return asian_paid(variant, terms, asian_worth(variant, terms, first, moments, z, pays), pays);
}

/* A geometric mean is one level with the mean of the loadings. */
LANE_FN lane asian_settle_integrated(uint32_t variant, const real *terms, const lane *state,
                                     const lane *kept)
{
    if (!(variant & ASIAN_GEOMETRIC)) return asian_settle_arithmetic(variant, terms, state, kept);
    const lane mean = state[0] * terms[ITEM_A], step = state[1] * terms[ITEM_A],
               b = step * LANE_PICK(R(1.0), R(0.69314718055994531));
    const lane z = lane_quotient(terms[ITEM_F] - mean, lane_max(step, lane_of(R(1e-30)))),
               beyond = lane_normal_cdf((b - z) * terms[ITEM_SIGN]),
               worth = path_exp(lane_fma(step * b, lane_of(R(0.5)), mean)) * beyond;
    return asian_paid(variant, terms, worth, lane_normal_cdf(z * -terms[ITEM_SIGN]));
}

#endif
