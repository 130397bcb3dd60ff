/* kinks.c: see kinks.h. */
#include "engine/plan/kinks.h"
#include "kernels/lane/scalar.h"

static double kinks_absolute(double x) { return x < 0.0 ? -x : x; }

/* The level at which the payoff bends; 0 if it has no such kink. */
static double kinks_strike(const levy_dynamics_plan *m, const levy_trade *t)
{
    const levy_payoff *const kind = levy_payoffs[t->payoff];
    const bool alone =
        m->n_assets == 1 && m->group->n_nodes == 1 && t->aggregate == LEVY_AGGREGATE_NONE;
    return alone && !t->known && !t->integrated && kind->kink ? kind->kink(t->terms) : 0.0;
}

/* The logarithm's mean at expiry less its value today, and its deviation. */
static levy_status kinks_law(const levy_dynamics_plan *m, uint32_t set, levy_arena *arena,
                             double *mean, double *deviation)
{
    const double expiry = m->group->times[0], elapsed = m->sets[set].elapsed;
    levy_asset asset;
    LEVY_TRY(levy_dynamics_asset(m, set, 0, arena, &asset));
    const double variance = levy_asset_total_variance(&asset, levy_dynamics_time(m, set, expiry)) -
                            (elapsed > 0.0 ? levy_asset_total_variance(&asset, elapsed) : 0.0);
    *mean = levy_dynamics_log_forward(m, set, &asset, expiry) - 0.5 * variance;
    *deviation = levy_sqrt(variance > 0.0 ? variance : 0.0);
    return LEVY_OK;
}

levy_status levy_kink_of(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                         levy_arena *arena, levy_kink *kink)
{
    const double strike = kinks_strike(m, t), c = t->coefficients[0];
    double mean, deviation, moved_mean, moved;
    *kink = (levy_kink){0.0, 0.0};
    if (set == 0 || !(strike > 0.0)) return LEVY_OK;
    LEVY_TRY(kinks_law(m, 0, arena, &mean, &deviation));
    LEVY_TRY(kinks_law(m, set, arena, &moved_mean, &moved));
    if (!(deviation > 0.0) || !(moved > 0.0)) return LEVY_OK;
    const double draw = (levy_log(strike / (c * levy_dynamics_spot(m, 0, 0))) - mean) / deviation;
    const double shift =
        levy_log(c * levy_dynamics_spot(m, set, 0) / strike) + moved_mean + moved * draw;
    kink->size = strike * kinks_absolute(levy_exp(shift) - 1.0);
    kink->width = 0.3989422804014327 * levy_exp(-0.5 * draw * draw) * kinks_absolute(shift) / moved;
    return LEVY_OK;
}
