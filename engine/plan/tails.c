/* tails.c: see tails.h. */
#include "engine/plan/tails.h"
#include "engine/problem/trade_claim.h"
#include "kernels/lane/scalar.h"
#include "models/jump_plan.h"
#include "payoffs/scripted.h"

/* deviation above which a call is simulated as the put */
static const double tails_controlled = 0.8;
/* deviation above which other payoffs without a bound are called unreliable */
static const double tails_heavy = 1.1;
/* exponential tails that fall more slowly than this are as heavy: covered 90 % at rate 3, 82 at
 * 2 */
static const double tails_rate = 5.0;
static const double tails_scenario = 1.5; /* as tails_heavy, for scenarios */
/* 6 of 2^16 paths lie more than this many deviations above the median */
static const double tails_seen = 3.75;

/* ---- Payoffs ---- */

/* Whether the level is a sum of assets, none of them sold. */
static bool tails_is_sum(const levy_trade *t)
{
    bool positive =
        t->kind.aggregate == LEVY_AGGREGATE_NONE || t->kind.aggregate == LEVY_AGGREGATE_BASKET;
    for (size_t u = 0; u < t->n_underlyings; ++u)
        positive = positive && t->claim.coefficients[u] > 0.0;
    return positive;
}

static bool tails_is_bounded(const levy_trade *t)
{
    levy_trade room;
    const levy_trade *const own = levy_trade_written(t, &room);
    const levy_payoff *const kind = levy_payoffs[own->kind.payoff];
    const levy_claim claim = levy_claim_of(own);
    return levy_payoff_most(kind, &claim) < INFINITY;
}

/* Whether the payoff is the put plus a level whose mean is known. Calls on a sum of assets, or on
 * its average, are. */
static bool tails_has_parity(const levy_dynamics_plan *m, const levy_trade *t)
{
    const int32_t bend = levy_trade_bend(t).of;
    const uint32_t features = levy_model_features(m->trade->model->kind, NULL);
    return m->has_cash != LEVY_CASH_TAKEN && !(features & LEVY_MODEL_SCALES) && tails_is_sum(t) &&
           t->claim.terms->option_type == LEVY_CALL &&
           (bend == LEVY_EDGE_END || bend == LEVY_EDGE_MEAN);
}

/* ---- Deviations ---- */

/* The deviation of an asset's logarithm at `time`, jumps included. `asset`: the asset as a set sees
 * it; NULL: as today's market does. */
static double tails_deviation(const levy_dynamics_plan *m, size_t u, const levy_asset *asset,
                              double added, double time)
{
    const levy_model *const model = m->trade->model;
    const double diffusion = levy_dynamics_deviation(m, levy_trade_asset(m->trade, u), time);
    const double own = asset ? levy_sqrt(levy_asset_variance(asset, time)) : diffusion;
    const double base = own > diffusion ? own : diffusion, root = levy_sqrt(time);
    const double moved =
        base * levy_model_rise(model->kind, model->terms, m->trade->underlyings[u], base / root) +
        added * root;
    return levy_sqrt(moved * moved +
                     levy_jump_rise(model->kind, model->terms, m->trade->underlyings[u], time));
}

/* Whether any path goes beyond the strike, by its distance from the median of a lognormal level in
 * deviations. A put struck higher is a forward, except on paths that no sample has. */
static bool tails_sees_strike(const levy_dynamics_plan *m, const levy_trade *t, double deviation)
{
    double forward = 0.0;
    if (!(t->claim.terms->strike > 0.0) || !tails_is_sum(t)) return true;
    for (size_t u = 0; u < t->n_underlyings; ++u) {
        const levy_asset *const asset = levy_trade_asset(m->trade, u);
        forward += t->claim.coefficients[u] * asset->spot *
                   levy_exp(levy_dynamics_log_forward(m, 0, asset, levy_dynamics_expiry(m)));
    }
    return levy_log(t->claim.terms->strike / forward) + 0.5 * deviation * deviation <=
           tails_seen * deviation;
}

/* The rate at which the upper tail of the slowest asset's logarithm falls, if it is exponential. */
static double tails_slowest(const levy_dynamics_plan *m)
{
    const levy_model *const model = m->trade->model;
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    double slowest = 1e30;
    for (size_t u = 0; u < m->n_assets && model->terms; ++u) {
        const size_t asset = m->trade->underlyings[u];
        const double own = kind->tail ? kind->tail(model->terms, asset) : 1e30,
                     jumps = levy_jump_tail(model->kind, model->terms, asset);
        if (own < slowest) slowest = own;
        if (jumps < slowest) slowest = jumps;
    }
    return slowest;
}

/* Whether some asset's square has no mean at expiry, so that no error can be told from a sample. */
static bool tails_explodes(const levy_dynamics_plan *m, uint32_t set)
{
    const levy_model_kind *const kind = levy_model_kinds[m->trade->model->kind];
    bool explodes = false;
    for (size_t u = 0; u < m->trade->n_underlyings && kind->explodes; ++u)
        explodes = explodes || kind->explodes(m->terms[set], m->trade->underlyings[u], 2.0) <=
                                   levy_dynamics_expiry(m);
    return explodes;
}

levy_tail levy_tail_of(const levy_dynamics_plan *m, const levy_trade *t)
{
    double most = 0.0;
    if (t->state == LEVY_TRADE_KNOWN) return (levy_tail){0};
    if (t->kind.scripted && t->kind.scripted->puts) return (levy_tail){.controlled = true};
    if (t->state == LEVY_TRADE_EXACT)
        return (levy_tail){.controlled = levy_payoffs[t->kind.payoff]->is_forward};
    for (size_t u = 0; u < t->n_underlyings; ++u) {
        const double deviation = tails_deviation(m, u, NULL, 0.0, levy_dynamics_expiry(m));
        if (deviation > most) most = deviation;
    }
    const bool slow = tails_slowest(m) < tails_rate || tails_explodes(m, 0);
    if (!slow && !(most > tails_controlled)) return (levy_tail){0};
    const bool controlled = tails_has_parity(m, t), bounded = controlled || tails_is_bounded(t);
    const bool unseen = most > tails_heavy && !tails_sees_strike(m, t, most),
               wide = slow || most > tails_heavy;
    return (levy_tail){controlled, unseen || (wide && !bounded), wide};
}

levy_status levy_tail_grows(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                            levy_arena *arena, bool *grows)
{
    const levy_tail today = levy_tail_of(m, t);
    *grows = false;
    if (set == 0 || t->state == LEVY_TRADE_KNOWN || tails_is_bounded(t) || today.controlled ||
        today.heavy)
        return LEVY_OK;
    *grows = tails_explodes(m, set);
    for (size_t u = 0; u < t->n_underlyings; ++u) {
        levy_asset asset;
        LEVY_TRY(levy_dynamics_asset(m, set, u, arena, &asset));
        *grows = *grows || tails_deviation(m, u, &asset, levy_dynamics_added(m, set, u),
                                           levy_dynamics_expiry(m)) > tails_scenario;
    }
    return LEVY_OK;
}

/* ---- The forward ---- */

/* The expected level at a date of today's grid. */
static double tails_level(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                          const levy_asset *assets, double time)
{
    double level = 0.0;
    for (size_t u = 0; u < t->n_underlyings; ++u)
        level += t->claim.coefficients[u] * levy_dynamics_spot(m, set, u) *
                 levy_exp(levy_dynamics_log_forward(m, set, &assets[u], time));
    return level;
}

levy_status levy_tail_forward(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                              levy_arena *arena, double *forward)
{
    /* NaN: the book gives no strike, and the payoff needs none */
    const double strike =
        t->claim.terms->strike == t->claim.terms->strike ? t->claim.terms->strike : 0.0;
    levy_asset *const assets = levy_arena_allocate(arena, m->n_assets, sizeof *assets);
    double sum = t->claim.past.sum;
    if (!assets) return LEVY_MEMORY;
    for (size_t u = 0; u < m->n_assets; ++u)
        LEVY_TRY(levy_dynamics_asset(m, set, u, arena, &assets[u]));
    if (!(levy_trade_written_payoff(t)->features & LEVY_PAYOFF_AVERAGES)) {
        *forward = tails_level(m, set, t, assets, levy_dynamics_expiry(m)) - strike;
        return LEVY_OK;
    }
    for (size_t u = 0; u < t->n_underlyings && t->claim.observes_now; ++u)
        sum += t->claim.coefficients[u] * levy_dynamics_spot(m, set, u);
    for (size_t i = 0; i < t->claim.observations.n; ++i)
        sum += tails_level(m, set, t, assets, t->claim.observations.times[i]);
    *forward = sum / ((double)(t->claim.past.n + t->claim.observations.n) +
                      (t->claim.observes_now ? 1.0 : 0.0)) -
               strike;
    return LEVY_OK;
}
