/* dividends.h: a level that pays cash dividends by the spot model, as a function of the normal z
 * that is integrated (engine/script/integrate.h). Without them it would be e^(a + b z). A dividend
 * takes the share w_i e^(-b_i z) of it, on its date and from then on; w_i is the amount over the
 * level at z = 0 on that date. So the level is at a number K where the sum of the shares and of
 * K e^(-a - b z) is 1. That sum falls in z, and its logarithm is convex: Newton's steps from the
 * left end at the root and never pass it. A lane that has arrived stays where it is. Where shares
 * sum up to 1 the level is 0 for good. Lanes only. Must not know: steps, programs. */
#ifndef LEVY_PAYOFFS_DIVIDENDS_H
#define LEVY_PAYOFFS_DIVIDENDS_H

#include "payoffs/sums.h"

enum { DIVIDENDS_MOST_STEPS = 64 };
#define DIVIDENDS_CLOSE LANE_PICK(R(1e-7), R(1e-4)) /* the next step would be about its square */
#define DIVIDENDS_NOTHING R(-80.0)                  /* the logarithm of a level of 0 */

/* A dividend takes `share` of the level at z = 0, whose loading is that. */
LANE_FN lane dividends_pay(script_sum *s, lane share, lane loading)
{
    lane *const to = s->dates + (size_t)s->n++ * LEVY_SCRIPT_SUM_LANES;
    to[SUMS_TIMES] = share;
    to[SUMS_LOADING] = loading;
    return share;
}

/* Adds the shares that n dividends take at z to `p`, of which the slope is without its sign. */
LANE_FN sums_point dividends_taken(const lane *dates, uint32_t n, lane z, sums_point p)
{
    for (uint32_t k = 0; k < n; ++k, dates += LEVY_SCRIPT_SUM_LANES) {
        const lane share = lane_exp(-z * dates[SUMS_LOADING]) * dates[SUMS_TIMES];
        p.sum = p.sum + share;
        p.slope = lane_fma(share, dates[SUMS_LOADING], p.slope);
    }
    return p;
}

LANE_FN lane dividends_within(lane z)
{
    return lane_min(lane_max(z, lane_of(-SUMS_REACH)), lane_of(SUMS_REACH));
}

/* The z at which the level is e^gap times what it would be at z = 0 without dividends; its loading
 * is that. */
INTEGRAL_ONCE lane dividends_find(const lane *dates, uint32_t n, lane gap, lane loading)
{
    lane z = dividends_within(lane_quotient(gap, lane_max(loading, lane_of(R(1e-30)))));
    lane_mask moves = lane_of(R(0.0)) < R(1.0);
    for (int turn = 0; turn < DIVIDENDS_MOST_STEPS && lane_any(moves); ++turn) {
        const lane own = lane_exp(lane_min(gap - z * loading, lane_of(R(60.0))));
        const sums_point rest = {own, own * loading, lane_of(R(0.0))},
                         all = dividends_taken(dates, n, z, rest);
        const lane inverse = lane_quotient(all.sum, lane_max(all.slope, lane_of(R(1e-30)))),
                   there = dividends_within(lane_fma(lane_log(all.sum), inverse, z)),
                   next = lane_select(moves, there, z);
        moves = moves & (lane_abs(next - z) > DIVIDENDS_CLOSE);
        z = next;
    }
    return lane_select(lane_abs(z) < SUMS_REACH, z, z * INTEGRAL_FAR);
}

LANE_FN lane dividends_root(const script_sum *s, lane gap, lane loading)
{
    return dividends_find(s->dates, s->n, gap, loading);
}

/* The least z from `low` on where the level is above 0. */
LANE_FN lane dividends_floor(const lane *dates, uint32_t n, lane low, lane loading)
{
    const sums_point none = {lane_of(R(0.0)), lane_of(R(0.0)), lane_of(R(0.0))};
    const lane taken = dividends_taken(dates, n, dividends_within(low), none).sum;
    if (!lane_any(taken > R(1.0))) return low;
    return lane_max(low, dividends_find(dates, n, lane_of(DIVIDENDS_NOTHING), loading));
}

/* e^(d^2 / 2) times the chance of a normal in [low - d, high - d] */
LANE_FN lane dividends_moved(lane low, lane high, lane d)
{
    const integral_range range = {low - d, high - d};
    return lane_exp(d * d * R(0.5)) * integral_mass(range);
}

INTEGRAL_ONCE lane dividends_count(const lane *dates, uint32_t n, lane low, lane high, lane loading)
{
    const lane from = dividends_floor(dates, n, low, loading);
    lane worth = dividends_moved(from, high, loading);
    for (uint32_t k = 0; k < n; ++k, dates += LEVY_SCRIPT_SUM_LANES)
        worth =
            worth - dividends_moved(from, high, loading - dates[SUMS_LOADING]) * dates[SUMS_TIMES];
    return worth;
}

/* The level over what it would be at z = 0 without dividends, times the density of z, over
 * [low, high]. */
LANE_FN lane dividends_worth(const script_sum *s, lane low, lane high, lane loading)
{
    return dividends_count(s->dates, s->n, low, high, loading);
}

#endif
