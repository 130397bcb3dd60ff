/* sums.h: a variable of an integrated program that adds up levels over dates, such as the gains of
 * a target redemption forward or the sum of an average: one function of the normal z that is
 * integrated (engine/script/integrate.h), the same on all segments. At each date it grows by
 * c e^(b z) + a, with c the multiple of the level at z = 0 and b its loading: everywhere, or where
 * that is greater than another number, and else by that. All c have one sign, so the sum rises or
 * falls with z, and is at a number at one z: Halley's steps, kept between two ends, since a sum of
 * such parts has corners; where it is so steep that these go on for long, every other one halves
 * what is between the ends. The first one needs no sum, for that at the last root is known. A lane
 * that has arrived stays where it is. A date that adds 0 at the last root leaves it. Lanes only.
 * Must not know: steps, programs. */
#ifndef LEVY_PAYOFFS_SUMS_H
#define LEVY_PAYOFFS_SUMS_H

#include "kernels/lane/maths.h"
#include "payoffs/integral.h"
#include "payoffs/segments.h"

/* Lanes of a date. */
enum { SUMS_FROM, SUMS_LOADING, SUMS_GROWTH, SUMS_TIMES, SUMS_PLUS, SUMS_ELSE };
enum { SUMS_STEEP = 8, SUMS_MOST_STEPS = 64 };
#define SUMS_REACH R(12.0)                     /* nothing is left of the distribution beyond */
#define SUMS_CLOSE LANE_PICK(R(1e-6), R(1e-3)) /* the next step would be its third power */
#define SUMS_HALF LANE_PICK(R(1e-15), R(3e-7)) /* as close come halves, as shares of the reach */

LANE_FN const lane *sums_date(const script_sum *s, uint32_t k)
{
    return s->dates + (size_t)k * LEVY_SCRIPT_SUM_LANES;
}

/* Where the next date's level counts: above z = from if it has a positive multiplier, else below.
 * growth: exp(loading^2 / 2). */
LANE_FN lane sums_at(script_sum *s, lane from, lane loading, lane growth)
{
    lane *const to = s->dates + (size_t)s->n * LEVY_SCRIPT_SUM_LANES;
    to[SUMS_FROM] = from;
    to[SUMS_LOADING] = loading;
    to[SUMS_GROWTH] = growth;
    return from;
}

LANE_FN lane sums_add(script_sum *s, lane times, lane plus, lane otherwise)
{
    lane *const to = s->dates + (size_t)s->n++ * LEVY_SCRIPT_SUM_LANES;
    to[SUMS_TIMES] = times;
    to[SUMS_PLUS] = plus;
    to[SUMS_ELSE] = otherwise;
    return times;
}

LANE_FN lane sums_sign(const script_sum *s)
{
    if (s->n == 0) return lane_of(R(1.0));
    return lane_select(sums_date(s, 0)[SUMS_TIMES] < R(0.0), lane_of(R(-1.0)), lane_of(R(1.0)));
}

/* Does a date's level count at z? */
LANE_FN lane_mask sums_counts(const lane *date, lane z)
{
    const lane beyond =
        lane_select(date[SUMS_TIMES] < R(0.0), date[SUMS_FROM] - z, z - date[SUMS_FROM]);
    return beyond > R(0.0);
}

/* A sum at a z, with its first two derivatives. */
typedef struct sums_point {
    lane sum, slope, curve;
} sums_point;

LANE_FN sums_point sums_chosen(lane_mask which, sums_point a, sums_point b)
{
    const sums_point p = {lane_select(which, a.sum, b.sum), lane_select(which, a.slope, b.slope),
                          lane_select(which, a.curve, b.curve)};
    return p;
}

/* Adds the dates from number `from` on to p, the sum at z of those before it. */
LANE_FN sums_point sums_value(const script_sum *s, uint32_t from, lane z, sums_point p)
{
    for (uint32_t k = from; k < s->n; ++k) {
        const lane *const date = sums_date(s, k);
        const lane_mask counts = sums_counts(date, z);
        const lane level = lane_exp(z * date[SUMS_LOADING]) * date[SUMS_TIMES],
                   slope = lane_select(counts, level * date[SUMS_LOADING], lane_of(R(0.0)));
        p.sum = p.sum + lane_select(counts, level + date[SUMS_PLUS], date[SUMS_ELSE]);
        p.slope = p.slope + slope;
        p.curve = lane_fma(slope, date[SUMS_LOADING], p.curve);
    }
    return p;
}

/* Whether the last root is that still. */
LANE_FN lane_mask sums_stays(const script_sum *s, lane at, lane strict)
{
    lane_mask stays = (s->at == at) & (s->strict == strict);
    for (uint32_t k = s->n_root; k < s->n; ++k) {
        const lane *const date = sums_date(s, k);
        stays = stays & lane_not(sums_counts(date, s->root)) & (date[SUMS_ELSE] == R(0.0));
    }
    return stays;
}

/* Where the sum is `at` or above (strict: above) even at its least, where it rests as long as no
 * date's level counts: the root lies at that end; strict: where the first level counts. */
LANE_FN lane_mask sums_rests(const script_sum *s, lane at, lane strict, lane sign, lane *root,
                             lane *value)
{
    const lane least = sign * -SUMS_REACH;
    lane sum = lane_of(R(0.0)), first = lane_of(SUMS_REACH);
    lane_mask rests = lane_of(R(0.0)) < R(1.0);
    for (uint32_t k = 0; k < s->n; ++k) {
        const lane *const date = sums_date(s, k);
        rests = rests & lane_not(sums_counts(date, least));
        sum = sum + date[SUMS_ELSE];
        first = lane_min(first, date[SUMS_FROM] * sign);
    }
    const lane_mask leaves = (sum == at) & (strict != R(0.0));
    *root = lane_select(leaves, first * sign, least);
    *value = sum;
    return rests & (sum >= at);
}

/* A step, and how close it may come at the least for it to be the last. */
typedef struct sums_next {
    lane z, close;
} sums_next;

/* Halley's step from z, between the ends, or to the middle of these; none from a root itself. */
LANE_FN sums_next sums_step(lane z, sums_point p, lane off, lane sign, lane low, lane high)
{
    const lane size = lane_abs(p.slope),
               inverse = lane_quotient(lane_of(R(1.0)), lane_max(size, lane_of(R(1e-30)))),
               newton = off * inverse * sign, bend = p.curve * inverse * sign,
               share = lane_min(lane_max(R(1.0) - newton * bend * R(0.5), lane_of(R(0.5))),
                                lane_of(R(2.0))),
               there = z - lane_quotient(newton, share), middle = (low + high) * R(0.5);
    const lane_mask inside = (there > low) & (there < high),
                    arrived = (off == R(0.0)) & (size > R(0.0));
    const lane close =
        lane_select(inside | arrived, lane_of(SUMS_CLOSE), lane_of(SUMS_HALF * SUMS_REACH));
    const sums_next next = {lane_select(arrived, z, lane_select(inside, there, middle)), close};
    return next;
}

/* The sum behind a step, from what it was before. */
LANE_FN sums_point sums_moved(sums_point p, lane step)
{
    const sums_point to = {lane_fma(step, lane_fma(step * R(0.5), p.curve, p.slope), p.sum),
                           lane_fma(step, p.curve, p.slope), p.curve};
    return to;
}

/* From the root and its point, where `moves`, to the root at `at`. known: the point is that. */
LANE_FN void sums_search(script_sum *s, lane at, lane sign, sums_point point, lane_mask moves,
                         int known)
{
    const sums_point none = {lane_of(R(0.0)), lane_of(R(0.0)), lane_of(R(0.0))};
    lane low = lane_of(-SUMS_REACH), high = lane_of(SUMS_REACH);
    for (int turn = 0; turn < SUMS_MOST_STEPS && lane_any(moves); ++turn) {
        const lane z = s->root;
        if (turn > 0 || !known) point = sums_chosen(moves, sums_value(s, 0, z, none), point);
        const lane off = point.sum - at;
        const lane_mask right = off * sign >= R(0.0); /* of the root */
        high = lane_select(right, lane_min(high, z), high);
        low = lane_select(right, low, lane_max(low, z));
        sums_next step = sums_step(z, point, off, sign, low, high);
        if (turn >= SUMS_STEEP && turn % 2) {
            step.z = (low + high) * R(0.5);
            step.close = lane_of(SUMS_HALF * SUMS_REACH);
        }
        const lane next = lane_select(moves, step.z, z);
        point = sums_moved(point, next - z);
        s->root = next;
        moves = moves & (lane_abs(next - z) > step.close);
    }
    s->value = point.sum;
    s->slope = point.slope;
    s->curve = point.curve;
}

/* The z at which the sum reaches `at` on its way up; strict: leaves it, where it rests there for a
 * while. From the last root, or the end where the sum is greatest. */
LANE_FN lane sums_root(script_sum *s, lane at, lane strict)
{
    const lane sign = sums_sign(s);
    const int known = s->n_root > 0;
    const lane_mask moves = known ? lane_not(sums_stays(s, at, strict)) : lane_of(R(0.0)) < R(1.0);
    sums_point point = {s->value, s->slope, s->curve};
    if (!known) s->root = sign * SUMS_REACH;
    if (known) point = sums_value(s, s->n_root, s->root, point);
    if (lane_any(moves)) {
        const sums_point none = {lane_of(R(0.0)), lane_of(R(0.0)), lane_of(R(0.0))};
        lane end;
        sums_point rest = none;
        const lane_mask rests = moves & sums_rests(s, at, strict, sign, &end, &rest.sum);
        s->root = lane_select(rests, end, s->root);
        point = sums_chosen(rests, rest, point);
        sums_search(s, at, sign, point, moves & lane_not(rests), known);
    }
    s->at = at;
    s->strict = strict;
    s->n_root = s->n;
    return lane_select(lane_abs(s->root) < SUMS_REACH, s->root, s->root * INTEGRAL_FAR);
}

/* What one date is worth on [low, high], of which `all` is the chance. Its level mostly counts on
 * all of the range or nowhere, which take fewer distribution functions to the same numbers. */
LANE_FN lane sums_date_worth(const lane *date, lane low, lane high, lane all)
{
    const lane_mask falls = date[SUMS_TIMES] < R(0.0);
    const lane from = lane_select(falls, low, lane_max(low, date[SUMS_FROM])),
               to = lane_select(falls, lane_min(high, date[SUMS_FROM]), high),
               loading = date[SUMS_LOADING];
    const integral_range cash = {from, to}, level = {from - loading, to - loading};
    const lane_mask some = from < to, part = some & ((from > low) | (to < high));
    if (!lane_any(some)) return all * date[SUMS_ELSE];
    lane counts = lane_select(some, all, lane_of(R(0.0)));
    if (lane_any(part)) counts = lane_select(part, integral_mass(cash), counts);
    return lane_fma(integral_mass(level), date[SUMS_GROWTH] * date[SUMS_TIMES],
                    lane_fma(counts, date[SUMS_PLUS], (all - counts) * date[SUMS_ELSE]));
}

/* The sum as it was before the block, times the density of z, over [low, high]. */
LANE_FN lane sums_worth(const script_sum *s, lane low, lane high)
{
    const integral_range range = {low, high};
    const lane all = integral_mass(range);
    lane worth = lane_of(R(0.0));
    for (uint32_t k = 0; k < s->n_before; ++k)
        worth = worth + sums_date_worth(sums_date(s, k), low, high, all);
    return worth;
}

#endif
