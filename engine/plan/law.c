/* law.c: see law.h. */
#include "engine/plan/law.h"

#include "kernels/lane/scalar.h"

#include <math.h>

/* log E exp(s X) */
static double law_cumulant(const levy_law *law, double s)
{
    if (law->random)
        return levy_model_moment(law->model->kind, law->terms, law->asset, law->time, s);
    return 0.5 * law->variance * s * (s - 1.0) +
           law->time * levy_model_cumulant(law->model->kind, law->terms, law->asset, s);
}

/* The least of cumulant - s x on the side of x: where it is, and what. */
static double law_saddle(const levy_law *law, double x, double side, double *least)
{
    const double golden = 0.6180339887498949;
    double low = 0.0, high = 1.0;
    while (high < 1e9 && law_cumulant(law, side * high) - side * high * x <
                             law_cumulant(law, side * 0.5 * high) - side * 0.5 * high * x)
        high *= 2.0;
    for (int k = 0; k < 60; ++k) {
        const double a = high - golden * (high - low), b = low + golden * (high - low);
        const double at_a = law_cumulant(law, side * a) - side * a * x,
                     at_b = law_cumulant(law, side * b) - side * b * x;
        if (!(at_a < 1e200))
            high = a; /* the cumulant has ended */
        else if (at_a < at_b)
            high = b;
        else
            low = a;
    }
    const double s = side * 0.5 * (low + high);
    *least = law_cumulant(law, s) - s * x;
    return s;
}

/* The second derivative of the cumulant. Of exponential tails it may lie close to their rate, where
 * the cumulant ends. */
static double law_curve(const levy_law *law, double s)
{
    double h = 1e-3 * fabs(s);
    for (int k = 0; k < 60 && !(law_cumulant(law, s + h) + law_cumulant(law, s - h) < 1e200); ++k)
        h *= 0.5;
    h *= 0.25;
    return (law_cumulant(law, s + h) - 2.0 * law_cumulant(law, s) + law_cumulant(law, s - h)) /
           (h * h);
}

void levy_law_moments(const levy_law *law, double *mean, double *variance)
{
    static const double step = 1e-3;
    *mean = -0.5 * law->variance;
    *variance = law->variance;
    if (!law->jumps) return;
    const double up = law_cumulant(law, step), down = law_cumulant(law, -step);
    *mean = (up - down) / (2.0 * step);
    *variance = (up + down) / (step * step);
}

/* The chance that X is beyond x, upward for a side of 1. */
double levy_law_beyond(const levy_law *law, double x, double side)
{
    if (!law->jumps) {
        const double deviation = levy_sqrt(law->variance);
        return deviation > 0.0 ? levy_normal_cdf(-side * (x + 0.5 * law->variance) / deviation)
                               : 0.0;
    }
    double least;
    const double s = law_saddle(law, x, side, &least);
    if (!(fabs(s) > 1e-3) || !(least < -1e-3)) return 0.5;
    const double curve = law_curve(law, s);
    const double u = fabs(s) * levy_sqrt(curve);
    if (!(u > 0.0) || !(u < INFINITY)) return 0.5;
    const double mills = u < 6.0 ? levy_exp(0.5 * u * u) * levy_normal_cdf(-u)
                                 : 0.3989422804014327 * (1.0 - 1.0 / (u * u)) / u;
    return levy_exp(least) * mills;
}

static bool law_is_random(const levy_dynamics_plan *m)
{
    return levy_model_has_moment(m->trade->model->kind) && !levy_trade_is_integrated(m->trade);
}

bool levy_law_has_tails(const levy_dynamics_plan *m)
{
    const levy_model *const model = m->trade->model;
    return levy_model_has_cumulant(model->kind, model->terms) || law_is_random(m);
}

levy_status levy_law_see(const levy_dynamics_plan *m, uint32_t set, size_t u, levy_arena *arena,
                         levy_law_view *seen)
{
    *seen = (levy_law_view){.set = set, .underlying = u, .spot = levy_dynamics_spot(m, set, u)};
    return levy_dynamics_asset(m, set, u, arena, &seen->asset);
}

/* Of what is to come after the set's own date. */
levy_law levy_law_of(const levy_dynamics_plan *m, const levy_law_view *seen, double time,
                     double *forward)
{
    const levy_model *const model = m->trade->model;
    const size_t asset = m->trade->underlyings[seen->underlying];
    const double elapsed = m->sets[seen->set].elapsed;
    const bool driven = levy_model_features(model->kind, model->terms) & LEVY_MODEL_DRIVEN;
    const double until = driven ? 0.0 : levy_dynamics_deviation(m, &seen->asset, time);
    const double before =
        driven || elapsed == 0.0 ? 0.0 : levy_dynamics_deviation(m, &seen->asset, elapsed);
    const double rise =
        driven ? 1.0 : levy_model_rise(model->kind, model->terms, asset, until / levy_sqrt(time));
    *forward = levy_dynamics_log_forward(m, seen->set, &seen->asset, time);
    return (levy_law){.model = model,
                      .terms = m->terms[seen->set],
                      .asset = asset,
                      .variance = (until * until - before * before) * rise * rise,
                      .time = time - elapsed,
                      .jumps = levy_law_has_tails(m),
                      .random = law_is_random(m)};
}

double levy_law_chance(const levy_dynamics_plan *m, const levy_law_view *seen, double time,
                       double level, double side)
{
    double forward;
    const levy_law law = levy_law_of(m, seen, time, &forward);
    return levy_law_beyond(&law, levy_log(level / seen->spot) - forward, side);
}
