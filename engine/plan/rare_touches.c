/* rare_touches.c: the rare touches of a barrier on dates, and what a touch changes of the payment.
 * See rare_parts.h. Must not know: scripts, other markets' events. */
#include "engine/plan/rare_parts.h"

#include "engine/problem/trade_claim.h"
#include "engine/problem/trade.h"
#include "kernels/lane/scalar.h"

#include <math.h>

/* ---- Dates ---- */

/* Sparre Andersen's chance that a level at a barrier is beyond it on none of n dates. */
static double touches_never(size_t n)
{
    double chance = 1.0;
    for (size_t k = 1; k <= n; ++k) chance *= 1.0 - 0.5 / (double)k;
    return chance;
}

/* The chance that a level beyond a barrier on a date is so on no later one: that from the barrier
 * itself; beyond it by some moves of a date, it must first come back. */
static double touches_stays(const levy_dynamics_plan *m, const levy_trade *t, size_t u, size_t date,
                            double distance, double never)
{
    const levy_asset *const asset = levy_trade_asset(t, u);
    if (date + 1 == t->claim.observations.n) return 1.0;
    const double d = levy_dynamics_deviation(m, asset, t->claim.observations.times[date]),
                 next = levy_dynamics_deviation(m, asset, t->claim.observations.times[date + 1]),
                 beyond = d * d / distance, moves = levy_sqrt(next > d ? next * next - d * d : 0.0);
    return moves > 0.0 ? never * moves / (moves + beyond) : 0.0;
}

/* The least of several falls to a barrier, or the greatest rises to it, if any of them does. */
static bool touches_by_any(const levy_trade *own, double level, double today)
{
    if (own->kind.aggregate == LEVY_AGGREGATE_WORST_OF) return level < today;
    return own->kind.aggregate == LEVY_AGGREGATE_BEST_OF && level > today;
}

/* u: the underlying that touches, or a share of all that do
 * together. A level that starts beyond a barrier is rarely back on the first date, without which it
 * has touched. */
static levy_status touches_dates(const levy_rare_market *x, size_t u, double today,
                                 const levy_edge *touch)
{
    const levy_trade *const own = x->own;
    const levy_times dates = own->claim.observations;
    const double level = touch->level, distance = fabs(levy_log(level / today)),
                 side = level > today ? 1.0 : -1.0;
    const levy_barrier_terms *const barrier = levy_trade_barrier(own);
    const bool beyond = own->n_underlyings == 1 && levy_barrier_touches(barrier, today);
    const size_t n = beyond && dates.n > 1 ? 1 : dates.n;
    const bool together = own->n_underlyings > 1 && !touches_by_any(own, level, today);
    bool is_rare = true;
    double never = dates.n > 0 ? touches_never(dates.n - 1) : 1.0;
    for (size_t i = 0; i < n && is_rare; ++i) {
        const size_t later = beyond ? 0 : dates.n - 1 - i;
        levy_rare_event e = {.underlying = u,
                             .time = dates.times[i],
                             .level = level / own->claim.coefficients[u],
                             .side = side,
                             .size = touch->size,
                             .later = later,
                             .end = level,
                             .narrow = 1.0,
                             .stays = beyond ? never
                                             : touches_stays(x->plan, own, u, i, distance, never)};
        if (together) levy_rare_share_of(x, level / today, &e);
        if (together) e.stays *= e.share;
        LEVY_TRY(levy_rare_add(x, e, &is_rare));
        never /= later > 0 ? 1.0 - 0.5 / (double)later : 1.0;
    }
    return LEVY_OK;
}

static levy_status touches_barrier(const levy_rare_market *x, const levy_edge *touch)
{
    const levy_trade *const own = x->own;
    double spots[LEVY_MAX_ASSETS];
    for (size_t u = 0; u < own->n_underlyings; ++u)
        spots[u] = levy_dynamics_spot(x->plan, x->set, u);
    const double level = levy_trade_level(own, spots);
    const bool any = own->n_underlyings == 1 || touches_by_any(own, touch->level, level);
    for (size_t u = 0; u < own->n_underlyings && level > 0.0; ++u) {
        const double today = own->claim.coefficients[u] * spots[u];
        if (!(today > 0.0)) continue;
        LEVY_TRY(touches_dates(x, u, any ? today : level, touch));
    }
    return LEVY_OK;
}

levy_status levy_rare_touches(const levy_rare_market *x)
{
    const levy_edges edges = levy_trade_edges(x->own);
    if (levy_trade_is_continuous(x->own) || x->own->claim.past.knocked) return LEVY_OK;
    for (size_t i = 0; i < edges.n; ++i)
        if (edges.each[i].of == LEVY_EDGE_TOUCH) LEVY_TRY(touches_barrier(x, &edges.each[i]));
    return LEVY_OK;
}

/* ---- Payments ---- */

/* Adds what a touch on a date changes of the payment, if none follows on later dates. The worst or
 * best underlying that has touched is taken to remain it. If few ends are worth something, the
 * integrated normal sees the date from these alone: from (sum w)^2 / sum w^2 deviations of it,
 * where rare_events.c has two. */
void levy_rare_touch_misses(const levy_rare_market *x, const levy_law_view *seen,
                            const levy_rare_event *e, double chance, levy_rare_run *run)
{
    const levy_claim claim = levy_claim_of(x->own);
    const size_t one = levy_rare_bin(e->chance);
    const levy_asset *const asset = &seen->asset;
    const double left = e->narrow * levy_sqrt(levy_rare_left(x, asset, e->time)),
                 until = levy_dynamics_log_forward(x->plan, x->set, asset, x->own->claim.expiry),
                 grows = until - levy_dynamics_log_forward(x->plan, x->set, asset, e->time),
                 drift = e->later ? 0.0 : grows - 0.5 * left * left;
    double weights[LEVY_RARE_STEPS], sum = 0.0, square = 0.0;
    const double all = levy_rare_weights(e, weights);
    for (size_t k = 0; k < levy_rare_steps(e); ++k) {
        const double level = e->end * levy_exp(drift - e->side * levy_rare_back(e, k) * left),
                     worth = weights[k] * e->size(&claim, level);
        run->missed[e->all > 0.0 ? e->bins[k] : one] +=
            chance * x->discount * e->stays * worth / all;
        sum += fabs(worth);
        square += worth * worth;
    }
    const double told = square > 0.0 ? 0.125 * sum * sum / square : 1.0;
    run->share = fmin(run->share, x->found->share * fmin(told, 1.0));
}
