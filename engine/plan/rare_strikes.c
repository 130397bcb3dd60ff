/* rare_strikes.c: what an option pays beyond a strike that hardly a path reaches. Of a call deep in
 * the money that is the put, of which a gamma may consist, while all paths agree on what a
 * geometric average bends by itself. The level is taken to be as far out as a lognormal one of its
 * first two moments, in deviations, and its tail to fall as that of its first underlying, whose law
 * may jump. See rare_parts.h. Sources: E. Levy, J. Int. Money and Finance 11, 1992, and A. Kemna
 * and A. Vorst, J. Banking and Finance 14, 1990 (moments of averages). Must not know: images, sums.
 */
#include "engine/plan/rare_parts.h"

#include "engine/plan/kinks.h"
#include "engine/problem/trade.h"
#include "engine/problem/trade_claim.h"
#include "kernels/lane/scalar.h"

#include <math.h>

/* So many dates stand for all; of more underlyings nothing is said. */
enum { STRIKES_DATES = 6, STRIKES_ASSETS = 16 };
/* Nearer to today's level than so many of the last date's deviations, a strike is not rare. */
static const double strikes_near = 1.0;
/* Over which the fall of a tail is measured, in deviations. */
static const double strikes_step = 0.02;
/* Of the paths whose product is beyond, those on which one more underlying is, too: of two at a
 * correlation of 0.4, four deviations out. */
static const double strikes_each = 0.25;

/* A level on a date, as a share of what is averaged. */
typedef struct strikes_part {
    size_t underlying;
    double time, share, mean, deviation; /* mean: of the logarithm in the units of the strike */
} strikes_part;

/* The level that a strike acts on. */
typedef struct strikes_level {
    levy_law law;                   /* of the first underlying at the last date */
    double strike, mean, deviation; /* less what is known; of the logarithm */
} strikes_level;

/* Whether the level is that of one underlying, whichever is the worst or the best. */
static bool strikes_picks(const levy_trade *t)
{
    return t->kind.aggregate == LEVY_AGGREGATE_WORST_OF ||
           t->kind.aggregate == LEVY_AGGREGATE_BEST_OF;
}

/* Whether the level is a sum, a product or a pick of levels that none sells. */
static bool strikes_is_known(const levy_dynamics_plan *m, const levy_trade *t, levy_edge bend)
{
    const bool product = t->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC,
               sum = t->kind.aggregate == LEVY_AGGREGATE_BASKET;
    bool known = t->state == LEVY_TRADE_PRICED && t->form == LEVY_FORM_WRITTEN &&
                 !levy_trade_is_integrated(t) && bend.level > 0.0 &&
                 t->n_underlyings <= STRIKES_ASSETS && levy_kink_strike(m, t) == 0.0;
    if (bend.of == LEVY_EDGE_ROOT)
        known = known && !sum && !strikes_picks(t);
    else if (bend.of == LEVY_EDGE_MEAN)
        known = known && !product && !strikes_picks(t);
    for (size_t u = 0; u < t->n_underlyings; ++u) known = known && t->claim.coefficients[u] > 0.0;
    return known && bend.of != LEVY_EDGE_OTHER;
}

/* ---- Under a set ---- */

static double strikes_mean(const double *times, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; ++i) sum += times[i];
    return sum / (double)n;
}

/* Fills an underlying's levels on some of the dates, each with the share of those that it stands
 * for. */
static levy_status strikes_dates(const levy_rare_market *x, levy_times dates, size_t u,
                                 strikes_part *parts, levy_law *last)
{
    const levy_dynamics_plan *const m = x->plan;
    const levy_trade *const t = x->trade;
    const size_t n = dates.n < STRIKES_DATES ? dates.n : STRIKES_DATES;
    levy_law_view seen;
    LEVY_TRY(levy_law_see(m, x->set, u, x->arena, &seen));
    for (size_t i = 0; i < n; ++i) {
        const size_t first = i * dates.n / n, end = (i + 1) * dates.n / n;
        const double time =
            levy_dynamics_time(m, x->set, strikes_mean(dates.times + first, end - first));
        double forward, mean = 0.0, variance = 0.0;
        const levy_law law = levy_law_of(m, &seen, time, &forward);
        if (time > m->sets[x->set].elapsed) levy_law_moments(&law, &mean, &variance);
        parts[i] = (strikes_part){u, time, (double)(end - first),
                                  levy_log(t->claim.coefficients[u] * seen.spot) + forward + mean,
                                  levy_sqrt(variance)};
        *last = law;
    }
    return LEVY_OK;
}

/* The deviation of a logarithm until a time before its date. */
static double strikes_until(const strikes_part *part, double time)
{
    return time < part->time ? part->deviation * levy_sqrt(time / part->time) : part->deviation;
}

/* The covariance of two logarithms: until the earlier of both dates. */
static double strikes_covariance(const levy_rare_market *x, const strikes_part *a,
                                 const strikes_part *b)
{
    const double time = fmin(a->time, b->time), first = strikes_until(a, time);
    if (a->underlying == b->underlying) return first * first;
    return first * strikes_until(b, time) *
           levy_dynamics_correlation(x->plan, x->set, time, a->underlying, b->underlying);
}

/* The level of a product: a power of each part, by its share. */
static void strikes_product(const levy_rare_market *x, const strikes_part *parts, size_t n,
                            double all, strikes_level *level)
{
    double variance = 0.0;
    for (size_t i = 0; i < n; ++i) {
        level->mean += parts[i].share / all * parts[i].mean;
        for (size_t j = 0; j <= i; ++j)
            variance += (j < i ? 2.0 : 1.0) * parts[i].share * parts[j].share / (all * all) *
                        strikes_covariance(x, &parts[i], &parts[j]);
    }
    level->deviation = levy_sqrt(fmax(variance, 0.0));
}

/* The level of a sum: lognormal, with its first two moments. */
static void strikes_sum(const levy_rare_market *x, const strikes_part *parts, size_t n, double all,
                        strikes_level *level)
{
    double means[STRIKES_DATES * STRIKES_ASSETS], mean = 0.0, square = 0.0;
    for (size_t i = 0; i < n; ++i) {
        const double d = parts[i].deviation;
        means[i] = parts[i].share / all * levy_exp(parts[i].mean + 0.5 * d * d);
        mean += means[i];
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j <= i; ++j)
            square += (j < i ? 2.0 : 1.0) * means[i] * means[j] *
                      levy_exp(fmin(strikes_covariance(x, &parts[i], &parts[j]), 50.0));
    const double variance = levy_log(square / (mean * mean));
    level->deviation = levy_sqrt(fmax(variance, 0.0));
    level->mean = levy_log(mean) - 0.5 * variance;
}

/* What is known of an average already, and of how many dates it is one. */
static void strikes_past(const levy_rare_market *x, bool product, double *n, double *sum)
{
    const levy_trade *const t = x->trade;
    const levy_past *const past = &t->claim.past;
    double now = 0.0;
    for (size_t u = 0; u < t->n_underlyings && t->claim.observes_now; ++u) {
        const double level = t->claim.coefficients[u] * levy_dynamics_spot(x->plan, x->set, u),
                     weight =
                         t->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC ? t->claim.weights[u] : 1.0;
        now += product ? weight * levy_log(level) : level;
    }
    *sum = (product ? past->log_sum : past->sum) + now;
    *n = (double)(past->n + t->claim.observations.n) + (t->claim.observes_now ? 1.0 : 0.0);
}

/* The level that underlyings from `from` to `to` make. */
static levy_status strikes_see(const levy_rare_market *x, levy_edge bend, size_t from, size_t to,
                               strikes_level *level)
{
    const levy_trade *const t = x->trade;
    const bool ends = bend.of == LEVY_EDGE_END, picks = strikes_picks(t),
               powers = t->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC,
               product = bend.of == LEVY_EDGE_ROOT || powers || picks;
    double expiry = t->claim.expiry, known = 0.0, dates = 1.0;
    const levy_times times = ends ? (levy_times){1, &expiry} : t->claim.observations;
    const size_t n_dates = times.n < STRIKES_DATES ? times.n : STRIKES_DATES;
    strikes_part parts[STRIKES_DATES * STRIKES_ASSETS];
    size_t n = 0;
    levy_law law;
    if (!ends) strikes_past(x, product, &dates, &known);
    *level = (strikes_level){.mean = product ? known / dates : 0.0};
    level->strike = bend.level - (product ? 0.0 : known / dates);
    for (size_t u = from; u < to; ++u, n += n_dates) {
        LEVY_TRY(strikes_dates(x, times, u, parts + n, u == from ? &level->law : &law));
        for (size_t i = n; i < n + n_dates && powers; ++i) parts[i].share *= t->claim.weights[u];
    }
    if (product)
        strikes_product(x, parts, n, picks ? (double)(to - from) : dates, level);
    else
        strikes_sum(x, parts, n, dates, level);
    return LEVY_OK;
}

/* The chance that the level is beyond what is so many deviations from its mean. */
static double strikes_chance(const strikes_level *level, double z, double side)
{
    double mean, variance;
    levy_law_moments(&level->law, &mean, &variance);
    return levy_law_beyond(&level->law, mean + z * levy_sqrt(variance), side);
}

/* ---- The events ---- */

/* Whether the strike is so near to today's level that paths are beyond it on both sides. */
static bool strikes_is_near(const levy_rare_market *x, levy_edge bend)
{
    const levy_trade *const t = x->trade;
    double deviation = 0.0, spots[LEVY_MAX_ASSETS];
    for (size_t u = 0; u < t->n_underlyings; ++u) {
        spots[u] = levy_dynamics_spot(x->plan, 0, u);
        deviation = fmax(deviation,
                         levy_dynamics_deviation(x->plan, levy_trade_asset(t, u), t->claim.expiry));
    }
    const double level = levy_trade_level(t, spots);
    return t->claim.past.n == 0 && fabs(levy_log(bend.level / level)) < strikes_near * deviation;
}

/* Adds what lies beyond the strike of a level, on a share of the paths that are there. */
static void strikes_add(const levy_rare_market *x, const strikes_level *level, double side,
                        double share, levy_rare *rare)
{
    if (!(level->strike > 0.0) || !(level->deviation > 0.0)) return;
    const double z = (levy_log(level->strike) - level->mean) / level->deviation,
                 chance = strikes_chance(level, z, side),
                 further = strikes_chance(level, z + side * strikes_step, side),
                 falls = chance > further && further > 0.0
                             ? levy_log(chance / further) / (strikes_step * level->deviation)
                             : 0.0;
    rare->beyond_chance += share * chance;
    rare->beyond_missed += share * chance * x->discount * level->strike / fmax(falls - side, 1.0);
}

/* Of the worst or the best, each underlying alone may be beyond the strike, or all must: then they
 * are together as far out as their product is, and a share of the paths that this is. */
levy_status levy_rare_beyond(const levy_rare_market *x, levy_rare *rare)
{
    const levy_trade *const t = x->trade;
    const double side = x->found->beyond;
    const bool picks = strikes_picks(t),
               any = picks && (t->kind.aggregate == LEVY_AGGREGATE_BEST_OF) == (side > 0.0);
    const size_t n = t->n_underlyings, n_levels = any ? n : 1;
    double share = 1.0;
    for (size_t u = 1; u < n && picks && !any; ++u) share *= strikes_each;
    for (size_t k = 0; k < n_levels && side != 0.0; ++k) {
        strikes_level level;
        LEVY_TRY(strikes_see(x, levy_trade_bend(t), k, any ? k + 1 : n, &level));
        strikes_add(x, &level, side, share, rare);
    }
    return LEVY_OK;
}

levy_status levy_rare_strikes(const levy_rare_market *x)
{
    const levy_edge bend = levy_trade_bend(x->trade);
    strikes_level level;
    levy_rare rare = {.beyond_chance = 0.0};
    if (!strikes_is_known(x->plan, x->trade, bend) || strikes_is_near(x, bend)) return LEVY_OK;
    LEVY_TRY(strikes_see(x, bend, 0, x->trade->n_underlyings, &level));
    if (!(level.strike > 0.0)) return LEVY_OK;
    x->found->beyond = levy_log(level.strike) > level.mean ? 1.0 : -1.0;
    LEVY_TRY(levy_rare_beyond(x, &rare));
    if (!levy_rare_counts(rare.beyond_chance)) x->found->beyond = 0.0;
    return LEVY_OK;
}
