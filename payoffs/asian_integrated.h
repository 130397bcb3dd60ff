/* asian_integrated.h: options and digitals on an average, integrated over the first normal z
 * (integral.h). The average rises with z, so it is at the strike at one z: of a geometric mean a
 * quotient, of an arithmetic one a root of the sum of x exp(b z), with x the level at a date where
 * z is 0. Newton's steps on the sum's logarithm, which is convex and nearly a line, need two or
 * three turns; a lane that has arrived stays where it is. Each level beyond the root is worth a
 * normal distribution function.
 *
 * States 0 and 1: sums of levels (geometric: of logarithms) and of levels times loadings
 * (geometric: of loadings); at the last observation of an arithmetic mean, 1 becomes what is paid.
 * Terms: [E] what the sum of the levels to come is compared with, [F] its logarithm; geometric: [F]
 * the strike's; the rest as in asian.h. Lanes only. */
#ifndef LEVY_PAYOFFS_ASIAN_INTEGRATED_H
#define LEVY_PAYOFFS_ASIAN_INTEGRATED_H

#include "payoffs/asian.h"
#include "payoffs/integral.h"

enum {                /* an integrated item's numbers at a node; 0 where it observes nothing */
       ASIAN_STEP,    /* b in the units of path_log */
       ASIAN_LOADING, /* b of the natural logarithm */
       ASIAN_GROWTH,  /* exp(b^2 / 2) */
       ASIAN_SEEN,    /* 1: an observation, 2: the last one */
       ASIAN_NODE_TERMS
};
enum { ASIAN_MOST_STEPS = 24 };
#define ASIAN_REACH R(12.0) /* a root beyond it is there: nothing is left of the distribution */
#define ASIAN_CLOSE LANE_PICK(R(1e-7), R(1e-3)) /* the next step would be its square */

/* The sum at z, and its slope. */
LANE_FN void asian_sum_at(const real *node_terms, const payoff_seen *seen, lane z, lane *sum,
                          lane *slope)
{
    *sum = *slope = lane_of(R(0.0));
    for (uint32_t k = 0; k <= seen->node; ++k) {
        const real *const of = node_terms - (seen->node - k) * ASIAN_NODE_TERMS;
        if (of[ASIAN_SEEN] == R(0.0)) continue;
        const lane x = seen->kept[k] * path_exp(z * of[ASIAN_STEP]);
        *sum = *sum + x;
        *slope = lane_fma(x, lane_of(of[ASIAN_STEP]), *slope);
    }
}

/* A Newton step from z, where the sum is `sum`. */
LANE_FN lane asian_step(const real *terms, lane z, lane sum, lane slope)
{
    const lane off = path_log(sum) - terms[ITEM_F],
               step = lane_quotient(off * sum, lane_max(slope, lane_of(R(1e-30))));
    return lane_min(lane_max(z - step, lane_of(-ASIAN_REACH)), lane_of(ASIAN_REACH));
}

/* The z at which the sum is [E]. */
LANE_FN lane asian_root(const real *terms, const real *node_terms, const payoff_seen *seen,
                        const lane *state)
{
    if (!(terms[ITEM_E] > R(0.0))) return lane_of(-INTEGRAL_FAR);
    lane from = lane_of(R(0.0)),
         z = asian_step(terms, from, state[0] - terms[ITEM_START], state[1]);
    for (int turn = 0; turn < ASIAN_MOST_STEPS; ++turn) {
        const lane_mask moves = lane_abs(z - from) > ASIAN_CLOSE;
        lane sum, slope;
        if (!lane_any(moves)) break;
        asian_sum_at(node_terms, seen, z, &sum, &slope);
        const lane next = asian_step(terms, z, sum, slope);
        from = lane_select(moves, z, from);
        z = lane_select(moves, next, z);
        from = lane_select(moves, from, z);
    }
    return z;
}

/* What the average of the levels on the paying side of z is worth. */
LANE_FN lane asian_worth(const real *terms, const real *node_terms, const payoff_seen *seen, lane z,
                         lane pays)
{
    lane sum = pays * terms[ITEM_START];
    for (uint32_t k = 0; k <= seen->node; ++k) {
        const real *const of = node_terms - (seen->node - k) * ASIAN_NODE_TERMS;
        if (of[ASIAN_SEEN] == R(0.0)) continue;
        const lane beyond = lane_normal_cdf((of[ASIAN_LOADING] - z) * terms[ITEM_SIGN]);
        sum = lane_fma(seen->kept[k] * of[ASIAN_GROWTH], beyond, sum);
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

INTEGRAL_ONCE lane asian_integral(uint32_t variant, const real *terms, const real *node_terms,
                                  const payoff_seen *seen, const lane *state)
{
    const lane z = asian_root(terms, node_terms, seen, state),
               pays = lane_normal_cdf(z * -terms[ITEM_SIGN]);
    const int levels = !(variant & ASIAN_DIGITAL) || terms[ITEM_C] != R(0.0);
    return asian_paid(variant, terms, levels ? asian_worth(terms, node_terms, seen, z, pays) : pays,
                      pays);
}

LANE_FN void asian_gather(uint32_t variant, const real *terms, const real *node_terms,
                          const payoff_seen *seen, lane *state)
{
    if (variant & ASIAN_GEOMETRIC) {
        state[0] = state[0] + seen->level.log_x;
        state[1] = state[1] + node_terms[ASIAN_STEP];
        return;
    }
    seen->kept[seen->node] = seen->level.x;
    state[0] = state[0] + seen->level.x;
    state[1] = lane_fma(seen->level.x, lane_of(node_terms[ASIAN_STEP]), state[1]);
    if (node_terms[ASIAN_SEEN] > R(1.0))
        state[1] = asian_integral(variant, terms, node_terms, seen, state);
}

/* A geometric mean is one level with the mean of the loadings. */
LANE_FN lane asian_settle_integrated(uint32_t variant, const real *terms, const lane *state)
{
    if (!(variant & ASIAN_GEOMETRIC)) return state[1];
    const lane mean = state[0] * terms[ITEM_A], step = state[1] * terms[ITEM_A],
               b = step * LANE_PICK(R(1.0), R(0.69314718055994531));
    const lane z = lane_quotient(terms[ITEM_F] - mean, lane_max(step, lane_of(R(1e-30)))),
               beyond = lane_normal_cdf((b - z) * terms[ITEM_SIGN]),
               worth = path_exp(lane_fma(step * b, lane_of(R(0.5)), mean)) * beyond;
    return asian_paid(variant, terms, worth, lane_normal_cdf(z * -terms[ITEM_SIGN]));
}

#endif
