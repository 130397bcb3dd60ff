/* policy_bound_lanes.h: the values of a bound's claims (policy_bound.h) and what its polynomials
 * read, for lanes. The fit runs it on every path, the host one path wide. Lanes only. Must not
 * know: sums. */
#ifndef LEVY_PAYOFFS_POLICY_BOUND_LANES_H
#define LEVY_PAYOFFS_POLICY_BOUND_LANES_H

#include "payoffs/policy_bound.h"

#include "payoffs/policy_lanes.h"

LANE_FN lane bound_size(lane x) { return lane_select(x < R(0.0), -x, x); }

/* Which level has each place, as a number: of equal ones the first has the better rank. */
LANE_FN void bound_places(const levy_policy_bound *b, const lane *levels, lane *place)
{
    const real sign = b->policy->aggregate == LEVY_AGGREGATE_WORST_OF ? R(-1.0) : R(1.0);
    for (size_t i = 0; i < b->n_places; ++i) {
        lane best = lane_of(R(-1e300));
        place[i] = lane_of((real)i);
        for (size_t u = 0; u < b->n_levels && b->ranked; ++u) {
            const lane x = levels[u] * sign;
            lane_mask better = x > best;
            for (size_t j = 0; j < i; ++j) better = better & (place[j] != (real)u);
            best = lane_select(better, x, best);
            place[i] = lane_select(better, lane_of((real)u), place[i]);
        }
    }
}

/* Of the level that has place i. */
LANE_FN lane bound_pick(const levy_policy_bound *b, const lane *x, lane place)
{
    lane picked = x[0];
    for (size_t u = 1; u < b->n_levels; ++u) picked = lane_select(place == (real)u, x[u], picked);
    return picked;
}
LANE_FN lane bound_own(const levy_policy_bound *b, const double *numbers, lane place)
{
    lane picked = lane_of(numbers[b->own]);
    for (size_t u = 1; u < b->n_levels; ++u)
        picked = lane_select(place == (real)u, lane_of(numbers[b->own + u]), picked);
    return picked;
}
LANE_FN lane bound_pair(const levy_policy_bound *b, const double *numbers, lane i, lane j)
{
    const double *number = numbers + b->pairs;
    const lane low = lane_min(i, j), high = lane_max(i, j);
    lane picked = lane_of(*number);
    for (size_t v = 1; v < b->n_levels; ++v)
        for (size_t u = 0; u < v; ++u)
            picked = lane_select((low == (real)u) & (high == (real)v), lane_of(*number++), picked);
    return picked;
}

/* The mean of the greater one, where the logarithm of their ratio has the deviation. */
LANE_FN lane bound_best(lane a, lane b, lane deviation)
{
    const lane at = lane_log(a / b) / deviation + deviation * R(0.5);
    return a * lane_normal_cdf(at) + b * lane_normal_cdf(deviation - at);
}

/* A European, of the mean of its level at expiry. */
LANE_FN lane control_european(const levy_policy *p, lane mean, double deviation)
{
    const lane strike = lane_of(p->strike), better = bound_best(mean, strike, lane_of(deviation));
    return better - (p->sign > 0.0 ? strike : mean);
}

LANE_FN lane bound_square(const levy_policy_bound *b, const double *numbers, const lane *means)
{
    lane sum = lane_of(R(0.0));
    for (size_t v = 0; v < b->n_levels; ++v) {
        const double own = numbers[b->own + v] * numbers[b->own + v];
        sum = sum + means[v] * means[v] * lane_exp(lane_of(own));
        for (size_t u = 0; u < v; ++u) {
            const double other = numbers[b->own + u], pair = numbers[levy_bound_pair(b, u, v)];
            const double half = 0.5 * (own + other * other - pair * pair);
            sum = sum + means[u] * means[v] * R(2.0) * lane_exp(lane_of(half));
        }
    }
    return sum;
}

/* The claims' values by the numbers of a date. means: [level] of the levels at expiry; place:
 * whose claims they are. */
LANE_FN void bound_values(const levy_policy_bound *b, const double *numbers, const lane *means,
                          const lane *place, lane *values)
{
    for (size_t k = 0; k < b->n_claims; ++k) {
        const lane i = place[b->claims[k].first], j = place[b->claims[k].second],
                   first = bound_pick(b, means, i);
        switch (b->claims[k].kind) {
        case LEVY_BOUND_LEVEL:
            values[k] = first;
            for (size_t u = 1; u < b->n_levels && b->n_places == 1; ++u)
                values[k] = values[k] + means[u];
            break;
        case LEVY_BOUND_OPTION:
            values[k] = bound_best(first, lane_of(b->policy->strike), bound_own(b, numbers, i));
            break;
        case LEVY_BOUND_BEST:
            values[k] = bound_best(bound_size(first), bound_size(bound_pick(b, means, j)),
                                   bound_pair(b, numbers, i, j));
            break;
        case LEVY_BOUND_SQUARE:
            values[k] = bound_square(b, numbers, means);
            break;
        }
    }
}

/* What polynomials read of levels: logarithms, but of a sum of many, which may be negative. Of one
 * a second variable is the variance, or the number of the regime. */
LANE_FN void bound_variables(const levy_policy_bound *b, const lane *levels, const lane *place,
                             lane variance, lane *v)
{
    const bool whole = levy_bound_reads_sum(b);
    if (whole) v[0] = policy_level(b->policy, levels);
    for (size_t j = 0; j < b->n_variables && !whole; ++j)
        v[j] = j == 1 && b->n_levels == 1 ? variance
                                          : lane_log(bound_size(bound_pick(b, levels, place[j])));
}

#endif
