/* kinks.c: see kinks.h. */
#include "engine/plan/kinks.h"
#include "engine/problem/trade_claim.h"
#include "kernels/lane/scalar.h"

static double kinks_absolute(double x) { return x < 0.0 ? -x : x; }

double levy_kink_strike(const levy_dynamics_plan *m, const levy_trade *t)
{
    const levy_edge bend = levy_trade_bend(t);
    const bool alone =
        m->n_assets == 1 && m->group->n_nodes == 1 && t->kind.aggregate == LEVY_AGGREGATE_NONE;
    return alone && t->state != LEVY_TRADE_KNOWN && !levy_trade_is_integrated(t) &&
                   bend.of == LEVY_EDGE_END
               ? bend.level
               : 0.0;
}

/* Of the logarithm at expiry, under today's market and a moved one. */
typedef struct kinks_laws {
    double mean, deviation, moved_mean, moved;
} kinks_laws;

/* The logarithm's mean at expiry less its value today, and its deviation. */
static levy_status kinks_law(const levy_dynamics_plan *m, uint32_t set, levy_arena *arena,
                             double *mean, double *deviation)
{
    const double expiry = m->group->times[0], elapsed = m->sets[set].elapsed;
    levy_asset asset;
    LEVY_TRY(levy_dynamics_asset(m, set, 0, arena, &asset));
    const double variance = levy_asset_variance(&asset, levy_dynamics_time(m, set, expiry)) -
                            (elapsed > 0.0 ? levy_asset_variance(&asset, elapsed) : 0.0);
    *mean = levy_dynamics_log_forward(m, set, &asset, expiry) - 0.5 * variance;
    *deviation = levy_sqrt(variance > 0.0 ? variance : 0.0);
    return LEVY_OK;
}

/* Adds a kink of `bend` times a call's at a level. Several are one, of their root of squares. */
static void kinks_add(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                      const kinks_laws *laws, double level, double bend, levy_kink *kink)
{
    const double c = t->claim.coefficients[0];
    const double draw =
        (levy_log(level / (c * levy_dynamics_spot(m, 0, 0))) - laws->mean) / laws->deviation;
    const double shift =
        levy_log(c * levy_dynamics_spot(m, set, 0) / level) + laws->moved_mean + laws->moved * draw;
    const double size = bend * level * kinks_absolute(levy_exp(shift) - 1.0),
                 width = 0.3989422804014327 * levy_exp(-0.5 * draw * draw) * kinks_absolute(shift) /
                         laws->moved;
    kink->size = levy_sqrt(kink->size * kink->size + size * size);
    if (width > kink->width) kink->width = width;
}

levy_status levy_kink_of(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                         const levy_crossings *crossings, levy_arena *arena, levy_kink *kink)
{
    const double strike = levy_kink_strike(m, t);
    kinks_laws laws;
    *kink = (levy_kink){0.0, 0.0};
    if (set == 0 || !(strike > 0.0 || crossings->bent)) return LEVY_OK;
    LEVY_TRY(kinks_law(m, 0, arena, &laws.mean, &laws.deviation));
    LEVY_TRY(kinks_law(m, set, arena, &laws.moved_mean, &laws.moved));
    if (!(laws.deviation > 0.0) || !(laws.moved > 0.0)) return LEVY_OK;
    if (strike > 0.0) kinks_add(m, set, t, &laws, strike, 1.0, kink);
    for (size_t i = 0; i < crossings->n && crossings->bent; ++i)
        kinks_add(m, set, t, &laws, t->claim.coefficients[0] * crossings->each[i].level,
                  crossings->each[i].bend, kink);
    return LEVY_OK;
}
