/* rare_strikes.c: what an option pays beyond a strike that hardly a path reaches. Of a call deep in
 * the money that is the put, of which a gamma may consist, while all paths agree on what a
 * geometric average bends by itself. See rare_parts.h. Must not know: images, sums, scripts. */
#include "engine/plan/rare_parts.h"

#include "engine/plan/kinks.h"
#include "engine/problem/trade.h"
#include "engine/problem/trade_claim.h"
#include "kernels/lane/scalar.h"

#include <math.h>

/* Of more underlyings nothing is said. */
enum { STRIKES_ASSETS = LEVY_RARE_PARTS / LEVY_RARE_DATES };
/* Nearer to today's level than so many of the last date's deviations, a strike is not rare. */
static const double strikes_near = 1.0;
/* Beyond a strike of one draw that more paths reach, kinks.h says it: three deviations out. */
static const double strikes_alone = 1.35e-3;

/* Whether the level is that of one underlying, whichever is the worst or the best. */
static bool strikes_picks(const levy_trade *t)
{
    return t->kind.aggregate == LEVY_AGGREGATE_WORST_OF ||
           t->kind.aggregate == LEVY_AGGREGATE_BEST_OF;
}

bool levy_rare_has_strike(const levy_trade *t)
{
    const levy_edge bend = levy_trade_bend(t);
    const bool product = t->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC,
               sum = t->kind.aggregate == LEVY_AGGREGATE_BASKET;
    bool known = t->state == LEVY_TRADE_PRICED && t->form == LEVY_FORM_WRITTEN &&
                 !levy_trade_is_integrated(t) && bend.level > 0.0 &&
                 t->n_underlyings <= STRIKES_ASSETS;
    if (bend.of == LEVY_EDGE_ROOT)
        known = known && !sum && !strikes_picks(t);
    else if (bend.of == LEVY_EDGE_MEAN)
        known = known && !product && !strikes_picks(t);
    for (size_t u = 0; u < t->n_underlyings; ++u) known = known && t->claim.coefficients[u] > 0.0;
    return known && bend.of != LEVY_EDGE_OTHER;
}

/* ---- Under a set ---- */

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
                               levy_rare_level *level)
{
    const levy_trade *const t = x->trade;
    const bool ends = bend.of == LEVY_EDGE_END, picks = strikes_picks(t),
               powers = t->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC,
               product = bend.of == LEVY_EDGE_ROOT || powers || picks;
    double expiry = t->claim.expiry, known = 0.0, dates = 1.0;
    const levy_times times = ends ? (levy_times){1, &expiry} : t->claim.observations;
    const size_t n_dates = times.n < LEVY_RARE_DATES ? times.n : LEVY_RARE_DATES;
    levy_rare_part parts[LEVY_RARE_PARTS];
    size_t n = 0;
    levy_law law;
    if (!ends) strikes_past(x, product, &dates, &known);
    *level = (levy_rare_level){.mean = product ? known / dates : 0.0};
    level->size = bend.level - (product ? 0.0 : known / dates);
    level->at = levy_log(fmax(level->size, 0.0));
    for (size_t u = from; u < to; ++u, n += n_dates) {
        LEVY_TRY(levy_rare_dates(x, times, u, t->claim.coefficients[u], n_dates, parts + n,
                                 u == from ? &level->law : &law));
        for (size_t i = n; i < n + n_dates && powers; ++i) parts[i].share *= t->claim.weights[u];
    }
    if (product)
        levy_rare_product(x, parts, n, picks ? (double)(to - from) : dates, level);
    else
        levy_rare_sum(x, parts, n, dates, level);
    return LEVY_OK;
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

/* Of the worst or the best, each underlying alone may be beyond the strike, or all must: then they
 * are together as far out as their product is, and a share of the paths that this is. */
levy_status levy_rare_strike(const levy_rare_market *x, levy_rare *rare)
{
    const levy_trade *const t = x->trade;
    const double side = x->found->beyond;
    const bool picks = strikes_picks(t),
               any = picks && (t->kind.aggregate == LEVY_AGGREGATE_BEST_OF) == (side > 0.0);
    const size_t n = t->n_underlyings, n_levels = any ? n : 1;
    double share = 1.0;
    for (size_t u = 1; u < n && picks && !any; ++u) share *= levy_rare_each;
    for (size_t k = 0; k < n_levels && side != 0.0; ++k) {
        levy_rare_level level;
        LEVY_TRY(strikes_see(x, levy_trade_bend(t), k, any ? k + 1 : n, &level));
        if (level.size > 0.0) levy_rare_beyond(x, &level, side, share, 0, rare);
    }
    return LEVY_OK;
}

levy_status levy_rare_strikes(const levy_rare_market *x)
{
    const levy_edge bend = levy_trade_bend(x->trade);
    levy_rare_level level;
    levy_rare rare = {.beyond_chance = {0.0}};
    if (!levy_rare_has_strike(x->trade) || strikes_is_near(x, bend)) return LEVY_OK;
    LEVY_TRY(strikes_see(x, bend, 0, x->trade->n_underlyings, &level));
    if (!(level.size > 0.0)) return LEVY_OK;
    x->found->beyond = level.at > level.mean ? 1.0 : -1.0;
    LEVY_TRY(levy_rare_strike(x, &rare));
    const bool alone = levy_kink_strike(x->plan, x->trade) > 0.0;
    if (!levy_rare_counts(rare.beyond_chance[0]) ||
        (alone && rare.beyond_chance[0] > strikes_alone))
        x->found->beyond = 0.0;
    return LEVY_OK;
}
