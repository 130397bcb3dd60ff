/* noncentral_inverse.h: a generator's word to a non-central chi-square deviate: the quantile at p =
 * (u + 1/2) 2^-32, monotone in the word. The distribution is a Poisson mixture of incomplete gammas
 * (tails P or Q of shape d/2 + j with weight p_j(c/2)), summed by the recurrence of the shape the
 * way that only adds, P downwards and Q upwards, about the largest term; the nearer tail is solved
 * for log x by Newton's method on its logarithm, kept inside a bracket (from gamma's bound below
 * and L. Birge's tail bound above) and bisecting it where a step would leave it. Relative error of
 * x at most 1e-12 in double for d >= 0.1 (tests/known_answers/noncentral_inverse.txt), 5e-5 in
 * single above 1e-30. The work grows like sqrt(c). Must not know: who draws. */
#ifndef LEVY_DISCRETE_NONCENTRAL_INVERSE_H
#define LEVY_DISCRETE_NONCENTRAL_INVERSE_H

#include "kernels/samplers/discrete/gamma_inverse.h"

enum { NONCENTRAL_TERMS = 100000, NONCENTRAL_STEPS = 100 };

typedef struct noncentral_sum {
    lane tail, slope; /* the tail, and its derivative by log y without sign */
} noncentral_sum;

/* A term of the mixture at y = x/2: its weight, its shape a, the tail of that shape, y^a e^-y /
 * Gamma(a + 1) as `power`, and its index. */
typedef struct noncentral_term {
    lane weight, shape, tail, power, index;
} noncentral_term;

LANE_FN noncentral_term noncentral_next(const noncentral_term *t, lane half, lane y,
                                        lane_mask lower)
{
    const lane one = lane_of(R(1.0)), index = lane_max(t->index, one);
    noncentral_term down, up, next;
    down.power = t->power * (t->shape / y);
    down.shape = t->shape - one;
    up.shape = t->shape + one;
    up.power = t->power * (y / up.shape);
    up.index = t->index + one;
    next.weight = t->weight * lane_select(lower, index / half, half / up.index);
    next.shape = lane_select(lower, down.shape, up.shape);
    next.tail = t->tail + lane_select(lower, down.power, t->power);
    next.power = lane_select(lower, down.power, up.power);
    next.index = lane_select(lower, index - one, up.index);
    return next;
}

/* The index of the first term. It lies so far ahead of the largest term that nothing that counts is
 * left out. */
LANE_FN lane noncentral_start(lane half, lane mode, lane log_y, lane_mask lower)
{
    const lane raw = lane_log(half) + log_y, log_ratio = lane_min(raw, lane_of(R(-0.1)));
    const lane wide =
        lane_fma(lane_sqrt(mode), lane_of(LANE_PICK(9.0, 6.0f)), lane_of(LANE_PICK(20.0, 10.0f)));
    const lane few = R(1.0) - LANE_PICK(40.0, 18.0f) / log_ratio;
    const lane reach = lane_select(raw > log_ratio, wide, lane_min(wide, few));
    return discrete_floor(
        lane_max(lane_select(lower, mode + reach, mode - reach), lane_of(R(0.0))));
}

LANE_FN noncentral_sum noncentral_at(lane shape, lane half, lane log_y, lane_mask lower,
                                     lane_mask open)
{
    const lane zero = lane_of(R(0.0)), y = lane_exp(log_y);
    const lane mode =
        R(2.0) * half * y / (shape + lane_sqrt(lane_fma(shape, shape, R(4.0) * half * y)));
    noncentral_term t;
    noncentral_sum sum = {zero, zero};
    lane ratio;
    t.index = noncentral_start(half, mode, log_y, lower);
    t.weight = gamma_power(t.index, half, lane_log(half));
    t.shape = shape + t.index;
    t.power = gamma_power(t.shape, y, log_y);
    t.tail = lane_exp(incomplete_log(t.shape, log_y, lower, open, &ratio));
    for (int k = 0; k < NONCENTRAL_TERMS && lane_any(open); ++k) {
        const lane term = t.weight * t.tail;
        sum.tail = lane_select(open, sum.tail + term, sum.tail);
        sum.slope = lane_select(open, lane_fma(t.weight * t.shape, t.power, sum.slope), sum.slope);
        const lane_mask passed = (lower & (t.index < mode)) | (lane_not(lower) & (t.index > mode));
        open = open & lane_not(passed & (term <= sum.tail * INCOMPLETE_SMALL)) &
               lane_not(lower & (t.index < R(0.5)));
        t = noncentral_next(&t, half, y, lower);
    }
    return sum;
}

/* Bounds of log y. Returns a start, the quantile of a gamma with the same mean and variance. */
LANE_FN lane noncentral_bounds(lane shape, lane half, lane p, lane z, lane *low, lane *high)
{
    const lane mean = shape + half, variance = mean + half, matched = mean * mean / variance;
    *low = lane_max((lane_log(p) + gamma_log_factorial(shape)) / shape,
                    lane_of(LANE_PICK(-700.0, -80.0f)));
    *high = lane_log(mean + lane_sqrt(variance * R(48.0)) + R(24.0));
    const lane t = gamma_start(matched, p, z) + lane_log(variance / mean);
    return lane_min(lane_max(t, *low), *high);
}

LANE_FN lane noncentral_inverse(lane degrees, lane noncentrality, lane_word u)
{
    const lane shape = degrees * R(0.5),
               half = lane_max(noncentrality * R(0.5), lane_of(LANE_PICK(0x1p-100, 0x1p-40f)));
    const lane z = normal_from_word(u), tail = discrete_tail(u),
               tiny = lane_of(LANE_PICK(0x1p-1000, 0x1p-120f));
    const lane_mask lower = z < R(0.0);
    const lane target = lane_log(tail);
    lane low, high,
        t = noncentral_bounds(shape, half, lane_select(lower, tail, R(1.0) - tail), z, &low, &high);
    lane_mask open = low < high;
    for (int k = 0; k < NONCENTRAL_STEPS && lane_any(open); ++k) {
        const noncentral_sum sum = noncentral_at(shape, half, t, lower, open);
        const lane value = lane_log(lane_max(sum.tail, tiny));
        lane step = lane_select(lower, target - value, value - target) *
                    (sum.tail / lane_max(sum.slope, tiny));
        low = lane_select(step > R(0.0), t, low);
        high = lane_select(step > R(0.0), high, t);
        /* What a step leaves is its square by how fast the tail falls: narrow laws need more. */
        const lane enough = (R(1.0) + lane_abs(t)) * GAMMA_CLOSE, least = lane_max(sum.tail, tiny);
        const lane_mask steep = sum.slope > least * LANE_PICK(64.0, 0x1p20f);
        const lane_mask close =
            (lane_abs(step) <= enough) &
            (lane_not(steep) | (step * step * sum.slope <= enough * GAMMA_CLOSE * least));
        const lane_mask inside = (t + step > low) & (t + step < high);
        step = lane_select(close | inside, step, (low + high) * R(0.5) - t);
        t = lane_select(open, t + step, t);
        open = open & lane_not(close);
    }
    return lane_exp(t) * R(2.0);
}

#endif
