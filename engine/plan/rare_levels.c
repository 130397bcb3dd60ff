/* rare_levels.c: the law of a level that several underlyings make on several dates, which is taken
 * to be lognormal of its first two moments, and what is paid beyond where few paths are. Its tail
 * falls as that of its first underlying, whose law may jump. See rare_parts.h. Sources: E. Levy, J.
 * Int. Money and Finance 11, 1992, and A. Kemna and A. Vorst, J. Banking and Finance 14, 1990
 * (moments of averages). Must not know: trades, images, sums. */
#include "engine/plan/rare_parts.h"

#include "kernels/lane/scalar.h"

#include <math.h>

/* Over which the fall of a tail is measured, in deviations. */
static const double levels_step = 0.02;

levy_rare_part levy_rare_part_of(const levy_rare_market *x, const levy_law_view *seen, double time,
                                 double scale, levy_law *law)
{
    const double then = levy_dynamics_time(x->plan, x->set, time);
    double forward, mean = 0.0, variance = 0.0;
    *law = levy_law_of(x->plan, seen, then, &forward);
    if (then > x->plan->sets[x->set].elapsed) levy_law_moments(law, &mean, &variance);
    return (levy_rare_part){seen->underlying, then, 1.0,
                            levy_log(scale * seen->spot) + forward + mean, levy_sqrt(variance)};
}

static double levels_mean(const double *times, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; ++i) sum += times[i];
    return sum / (double)n;
}

levy_status levy_rare_dates(const levy_rare_market *x, levy_times dates, size_t u, double scale,
                            size_t n, levy_rare_part *parts, levy_law *last)
{
    levy_law_view seen;
    LEVY_TRY(levy_law_see(x->plan, x->set, u, x->arena, &seen));
    for (size_t i = 0; i < n; ++i) {
        const size_t first = i * dates.n / n, end = (i + 1) * dates.n / n;
        parts[i] =
            levy_rare_part_of(x, &seen, levels_mean(dates.times + first, end - first), scale, last);
        parts[i].share = (double)(end - first);
    }
    return LEVY_OK;
}

/* The deviation of a logarithm until a time before its date. */
static double levels_until(const levy_rare_part *part, double time)
{
    return time < part->time ? part->deviation * levy_sqrt(time / part->time) : part->deviation;
}

/* Until the earlier of both dates. */
double levy_rare_covariance(const levy_rare_market *x, const levy_rare_part *a,
                            const levy_rare_part *b)
{
    const double time = fmin(a->time, b->time), first = levels_until(a, time);
    if (a->underlying == b->underlying) return first * first;
    return first * levels_until(b, time) *
           levy_dynamics_correlation(x->plan, x->set, time, a->underlying, b->underlying);
}

double levy_rare_joint(const levy_rare_market *x, const levy_rare_part *a, size_t n_a,
                       const levy_rare_part *b, size_t n_b)
{
    double covariance = 0.0;
    for (size_t i = 0; i < n_a; ++i)
        for (size_t j = 0; j < n_b; ++j)
            covariance += a[i].share * b[j].share * levy_rare_covariance(x, &a[i], &b[j]);
    return covariance;
}

void levy_rare_product(const levy_rare_market *x, const levy_rare_part *parts, size_t n, double all,
                       levy_rare_level *level)
{
    double variance = 0.0;
    for (size_t i = 0; i < n; ++i) {
        level->mean += parts[i].share / all * parts[i].mean;
        for (size_t j = 0; j <= i; ++j)
            variance += (j < i ? 2.0 : 1.0) * parts[i].share * parts[j].share / (all * all) *
                        levy_rare_covariance(x, &parts[i], &parts[j]);
    }
    level->deviation = levy_sqrt(fmax(variance, 0.0));
}

void levy_rare_sum(const levy_rare_market *x, const levy_rare_part *parts, size_t n, double all,
                   levy_rare_level *level)
{
    double means[LEVY_RARE_PARTS], mean = 0.0, square = 0.0;
    for (size_t i = 0; i < n; ++i) {
        const double d = parts[i].deviation;
        means[i] = parts[i].share / all * levy_exp(parts[i].mean + 0.5 * d * d);
        mean += means[i];
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j <= i; ++j)
            square += (j < i ? 2.0 : 1.0) * means[i] * means[j] *
                      levy_exp(fmin(levy_rare_covariance(x, &parts[i], &parts[j]), 50.0));
    const double variance = levy_log(square / (mean * mean));
    level->deviation = levy_sqrt(fmax(variance, 0.0));
    level->mean = levy_log(mean) - 0.5 * variance;
}

/* The chance that the level is beyond what is so many deviations from its mean. */
static double levels_chance(const levy_rare_level *level, double z, double side)
{
    double mean, variance;
    levy_law_moments(&level->law, &mean, &variance);
    return levy_law_beyond(&level->law, mean + z * levy_sqrt(variance), side);
}

void levy_rare_beyond(const levy_rare_market *x, const levy_rare_level *level, double side,
                      double share, size_t slot, levy_rare *rare)
{
    if (!(level->deviation > 0.0)) return;
    const double z = (level->at - level->mean) / level->deviation,
                 chance = levels_chance(level, z, side),
                 further = levels_chance(level, z + side * levels_step, side),
                 falls = chance > further && further > 0.0
                             ? levy_log(chance / further) / (levels_step * level->deviation)
                             : 0.0;
    rare->beyond_chance[slot] += share * chance;
    rare->beyond_missed[slot] +=
        share * chance * x->discount * level->size / fmax(falls - side, 1.0);
}
