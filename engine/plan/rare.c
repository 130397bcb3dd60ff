/* rare.c: see rare.h. */
#include "engine/plan/rare.h"

#include "engine/plan/bumped.h"
#include "engine/problem/claim.h"
#include "engine/problem/today.h"
#include "engine/problem/twin.h"
#include "kernels/lane/scalar.h"
#include "models/jump_plan.h"

#include <math.h>

/* A chance beyond is no rare one; one below is never met. */
static const double rare_most = 0.02, rare_least = 1e-13;
/* A later date counts if it adds so many times what the ones before do. */
static const double rare_more = 2.0;
/* Deviations within which what a script decides is looked for, and the largest move. */
static const double rare_near = 8.0, rare_farthest = 0.75;

/* ---- Chances ---- */

/* The law of an underlying's logarithm at a time, less that of its forward. */
typedef struct rare_law {
    const levy_model *model;
    size_t asset;
    double variance, time; /* of the diffusion */
    bool jumps;
} rare_law;

/* log E exp(s X) */
static double rare_cumulant(const rare_law *law, double s)
{
    return 0.5 * law->variance * s * (s - 1.0) +
           law->time * levy_model_cumulant(law->model->kind, law->model->terms, law->asset, s);
}

/* The least of cumulant - s x on the side of x: where it is, and what. */
static double rare_saddle(const rare_law *law, double x, double side, double *least)
{
    const double golden = 0.6180339887498949;
    double low = 0.0, high = 1.0;
    while (high < 1e9 && rare_cumulant(law, side * high) - side * high * x <
                             rare_cumulant(law, side * 0.5 * high) - side * 0.5 * high * x)
        high *= 2.0;
    for (int k = 0; k < 60; ++k) {
        const double a = high - golden * (high - low), b = low + golden * (high - low);
        const double at_a = rare_cumulant(law, side * a) - side * a * x,
                     at_b = rare_cumulant(law, side * b) - side * b * x;
        if (!(at_a < 1e200))
            high = a; /* the cumulant has ended */
        else if (at_a < at_b)
            high = b;
        else
            low = a;
    }
    const double s = side * 0.5 * (low + high);
    *least = rare_cumulant(law, s) - s * x;
    return s;
}

/* The second derivative of the cumulant. Of exponential tails it may lie close to their rate, where
 * the cumulant ends. */
static double rare_curve(const rare_law *law, double s)
{
    double h = 1e-3 * fabs(s);
    for (int k = 0; k < 60 && !(rare_cumulant(law, s + h) + rare_cumulant(law, s - h) < 1e200); ++k)
        h *= 0.5;
    h *= 0.25;
    return (rare_cumulant(law, s + h) - 2.0 * rare_cumulant(law, s) + rare_cumulant(law, s - h)) /
           (h * h);
}

/* The chance that X is beyond x, upward for a side of 1. */
static double rare_beyond(const rare_law *law, double x, double side)
{
    if (!law->jumps) {
        const double deviation = levy_sqrt(law->variance);
        return deviation > 0.0 ? levy_normal_cdf(-side * (x + 0.5 * law->variance) / deviation)
                               : 0.0;
    }
    double least;
    const double s = rare_saddle(law, x, side, &least);
    if (!(fabs(s) > 1e-3) || !(least < -1e-3)) return 0.5;
    const double curve = rare_curve(law, s);
    const double u = fabs(s) * levy_sqrt(curve);
    if (!(u > 0.0) || !(u < INFINITY)) return 0.5;
    const double mills = u < 6.0 ? levy_exp(0.5 * u * u) * levy_normal_cdf(-u)
                                 : 0.3989422804014327 * (1.0 - 1.0 / (u * u)) / u;
    return levy_exp(least) * mills;
}

static levy_status rare_law_of(const levy_dynamics_plan *m, uint32_t set, size_t u, double time,
                               levy_arena *arena, rare_law *law, double *forward)
{
    const levy_model *const model = m->trade->model;
    const size_t asset = m->trade->underlyings[u];
    levy_asset moved;
    LEVY_TRY(levy_dynamics_asset(m, set, u, arena, &moved));
    const bool driven = levy_model_features(model->kind, model->terms) & LEVY_MODEL_DRIVEN;
    const double deviation = driven ? 0.0 : levy_dynamics_deviation(m, &moved, time),
                 rise = driven ? 1.0
                               : levy_model_rise(model->kind, model->terms, asset,
                                                 deviation / levy_sqrt(time));
    *law = (rare_law){.model = model,
                      .asset = asset,
                      .variance = deviation * deviation * rise * rise,
                      .time = time,
                      .jumps = levy_model_has_cumulant(model->kind, model->terms)};
    *forward = levy_dynamics_log_forward(m, set, &moved, time);
    return LEVY_OK;
}

/* The chance that an underlying whose level is `from` today is at `to` or beyond at a time. */
static levy_status rare_chance(const levy_dynamics_plan *m, uint32_t set, size_t u, double time,
                               double from, double to, double side, levy_arena *arena,
                               double *chance)
{
    rare_law law;
    double forward;
    LEVY_TRY(rare_law_of(m, set, u, time, arena, &law, &forward));
    *chance = rare_beyond(&law, levy_log(to / from) - forward, side);
    return LEVY_OK;
}

static void rare_add(levy_rare *rare, double chance, double size)
{
    size_t k = 0;
    if (!(chance > rare_least) || !(chance < rare_most) || size == 0.0) return;
    while (k < LEVY_RARE_EVENTS && rare->events[k].chance > 0.0) ++k;
    if (k < LEVY_RARE_EVENTS) rare->events[k] = (levy_rare_event){chance, size};
}

/* ---- Barriers on dates ---- */

/* What a touch at a time changes of the payment, as expected from there: the middle and both sides
 * of a normal law (Gauss and Hermite). */
static double rare_stake(const levy_dynamics_plan *m, const levy_trade *t, double level,
                         double time)
{
    const levy_payoff *const kind = levy_payoffs[t->payoff];
    const levy_claim claim = levy_claim_of(t);
    const levy_asset *const asset = m->trade->model->assets[m->trade->underlyings[0]];
    const double d = levy_dynamics_deviation(m, asset, t->expiry),
                 before = levy_dynamics_deviation(m, asset, time),
                 left = 1.7320508075688772 *
                        levy_sqrt(d * d > before * before ? d * d - before * before : 0.0);
    if (!kind->stake) return 0.0;
    return (4.0 * kind->stake(&claim, level) + kind->stake(&claim, level * levy_exp(left)) +
            kind->stake(&claim, level * levy_exp(-left))) /
           6.0;
}

/* Touches of one barrier on the dates to come. */
static levy_status rare_touches(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                                double level, double discount, levy_arena *arena, levy_rare *rare)
{
    const double today = t->coefficients[0] * levy_dynamics_spot(m, 0, 0),
                 from = t->coefficients[0] * levy_dynamics_spot(m, set, 0),
                 side = level > today ? 1.0 : -1.0;
    double sum = 0.0;
    for (size_t i = 0; i < t->n_observations && sum < rare_most; ++i) {
        double chance;
        LEVY_TRY(rare_chance(m, set, 0, t->observations[i], from, level, side, arena, &chance));
        if (chance > rare_more * sum)
            rare_add(rare, chance, rare_stake(m, t, level, t->observations[i]) * discount);
        sum += chance;
    }
    return LEVY_OK;
}

static levy_status rare_barriers(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                                 double discount, levy_arena *arena, levy_rare *rare)
{
    const levy_barrier_terms *const barrier = levy_terms_barrier(levy_payoffs[t->payoff], t->terms);
    if (!barrier || t->continuous || t->past.knocked || t->n_underlyings != 1 ||
        !(t->coefficients[0] > 0.0))
        return LEVY_OK;
    if (!levy_barrier_is_double(barrier))
        return rare_touches(m, set, t, barrier->level, discount, arena, rare);
    LEVY_TRY(rare_touches(m, set, t, barrier->lower, discount, arena, rare));
    return rare_touches(m, set, t, barrier->upper, discount, arena, rare);
}

/* ---- Scripts ---- */

void levy_rare_find_dates(const levy_dynamics_plan *m, const levy_trade *t, levy_rare_dates *found)
{
    double levels[LEVY_MAX_ASSETS], deviation = 0.0;
    found->n = 0;
    if (!t->scripted || t->is_twin || !t->integrated || t->known || t->exact) return;
    levy_bumped_levels(m, 0, t, levels);
    for (size_t k = 0; k <= t->n_further && found->n < LEVY_PAYOFF_SCHEDULES; ++k) {
        const levy_times dates = levy_trade_schedule(t, k);
        if (dates.n == 0) continue;
        for (size_t u = 0; u < t->n_underlyings; ++u) {
            const levy_asset *const asset = t->model->assets[t->underlyings[u]];
            const double own = levy_dynamics_deviation(m, asset, dates.times[0]);
            if (own > deviation) deviation = own;
        }
        const double most = rare_near * deviation < rare_farthest ? rare_near * deviation
                                                                  : rare_farthest,
                     reach = levy_today_next_reach(t, levels, (uint32_t)k, most);
        if (!(reach < most)) continue;
        found->dates[found->n].time = dates.times[0];
        found->dates[found->n++].reach = reach;
    }
}

static levy_status rare_decisions(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                                  const levy_rare_dates *found, levy_arena *arena, levy_rare *rare)
{
    for (size_t k = 0; k < found->n; ++k) {
        double sum = 0.0;
        for (size_t u = 0; u < t->n_underlyings; ++u) {
            const double today = levy_dynamics_spot(m, 0, u), from = levy_dynamics_spot(m, set, u),
                         time = found->dates[k].time, reach = found->dates[k].reach;
            double up, down;
            LEVY_TRY(rare_chance(m, set, u, time, from, today * (1.0 + reach), 1.0, arena, &up));
            LEVY_TRY(rare_chance(m, set, u, time, from, today * (1.0 - reach), -1.0, arena, &down));
            sum += up + down;
        }
        rare_add(rare, sum, -1.0);
    }
    return LEVY_OK;
}

/* ---- Strikes ---- */

/* Paths between the strikes of two markets, of a payoff at expiry that is not integrated. Where
 * there is one draw, kinks.h says it better. */
static levy_status rare_strike(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                               double discount, levy_arena *arena, levy_rare *rare)
{
    const levy_payoff *const kind = levy_payoffs[t->payoff];
    const bool alone = m->n_assets == 1 && m->group->n_nodes == 1 && !t->integrated &&
                       t->aggregate == LEVY_AGGREGATE_NONE;
    const double strike = alone && kind->kink ? kind->kink(t->terms) : 0.0;
    const double today = t->coefficients[0] * levy_dynamics_spot(m, 0, 0),
                 from = t->coefficients[0] * levy_dynamics_spot(m, set, 0);
    if (!(strike > 0.0) || from == today || !(today > 0.0)) return LEVY_OK;
    rare_law law;
    double forward;
    LEVY_TRY(rare_law_of(m, 0, 0, t->expiry, arena, &law, &forward));
    if (!law.jumps) return LEVY_OK;
    const double x = levy_log(strike / today) - forward, shift = levy_log(from / today),
                 side = x > 0.0 ? 1.0 : -1.0;
    const double chance = fabs(rare_beyond(&law, x, side) - rare_beyond(&law, x - shift, side));
    if (chance > rare_least && chance < rare_most)
        rare->strike = (levy_rare_event){chance, strike * fabs(levy_exp(shift) - 1.0) * discount};
    return LEVY_OK;
}

levy_status levy_rare_of(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                         const levy_rare_dates *dates, double discount, levy_arena *arena,
                         levy_rare *rare)
{
    const levy_trade own = levy_trade_written(t);
    *rare = (levy_rare){.strike = {0.0, 0.0}};
    if (t->known || t->exact || m->sets[set].elapsed > 0.0) return LEVY_OK;
    if (own.scripted) return rare_decisions(m, set, t, dates, arena, rare);
    LEVY_TRY(rare_strike(m, set, t, discount, arena, rare));
    return rare_barriers(m, set, &own, discount, arena, rare);
}
