/* rare.c: see rare.h. */
#include "engine/plan/rare.h"

#include "engine/plan/bumped.h"
#include "engine/plan/kinks.h"
#include "engine/plan/law.h"
#include "engine/problem/trade_claim.h"
#include "engine/problem/today.h"
#include "engine/problem/trade.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

/* A chance beyond is no rare one; one below is never met. */
static const double rare_most = 0.02, rare_least = 1e-13;
/* The first bin's upper end, and how many times less the next one's is. */
static const double rare_first = 0x1p-5, rare_ratio = 2.0;
/* A market in which an event is so much less likely is not one of a small bump. */
static const double rare_far = 0x1p-4;
/* Levels of a schedule to one side that are looked at until one is rare. */
enum { RARE_TRIES = 4 };
/* Dates of a schedule on which that is looked for, and a move beyond which a scenario is no bump.
 */
static const size_t rare_dates = 12;
static const double rare_moved = 0.05;
/* Levels that are made to find what a script's events are worth in a market, and so many times more
 * of them in today's. */
static const double rare_effort = 0x1p15, rare_more = 8.0;
/* A share of today's levels down to which it is looked for what a script decides, and up its
 * inverse. */
static const double rare_farthest = 1.0 / 32.0;
/* A relative move beyond which a level counts only by what the script pays there. */
static const double rare_far_off = 0.75;
/* The share of a move at which what it changes has not changed yet: it is found to 1e-3. */
static const double rare_before = 0.998;

/* ---- Chances ---- */

static bool rare_counts(double chance) { return chance > rare_least && chance < rare_most; }

/* The chance of an event under a set, which may be far from today's market: other paths tell of it
 * then. */
static double rare_chance(const levy_dynamics_plan *m, const levy_law_view *seen,
                          const levy_trade *own, levy_rare_event *e)
{
    const bool passed = !(e->time > m->sets[seen->set].elapsed);
    const double chance = passed ? 0.0 : levy_law_chance(m, seen, e->time, e->level, e->side);
    if (chance < rare_far * e->chance ||
        (!levy_trade_is_integrated(own) && rare_far * chance > e->chance))
        e->chance = chance;
    return chance;
}

/* The share of paths beyond a level that are so near to it that the integrated normal, which moves
 * them by `width`, sees it: these tell how the chance changes. */
static double rare_share(const levy_law *law, const levy_rare_event *e, double x, double width)
{
    const double seen = levy_law_beyond(law, x - e->side * width, e->side) -
                        levy_law_beyond(law, x + e->side * width, e->side);
    return seen < 2.0 * e->chance ? 0.5 * seen / e->chance : 1.0;
}

/* Adds an event to the last run, or as a run of its own. */
static levy_status rare_keep(levy_rare_event e, levy_arena *arena, levy_rare_events *found)
{
    levy_rare_event *const events =
        levy_arena_extend(arena, found->events, found->n, &found->room, 16, sizeof *events);
    if (!events) return LEVY_MEMORY;
    found->events = events;
    if (found->n_runs == 0 || found->runs[found->n_runs - 1].underlying != e.underlying) {
        levy_rare_run *const runs =
            levy_arena_extend(arena, found->runs, found->n_runs, &found->run_room, 1, sizeof *runs);
        if (!runs) return LEVY_MEMORY;
        found->runs = runs;
        runs[found->n_runs++] = (levy_rare_run){.underlying = e.underlying, .first = found->n};
    }
    ++found->runs[found->n_runs - 1].n;
    events[found->n++] = e;
    return LEVY_OK;
}

/* Adds an event if it is rare. */
static levy_status rare_add(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                            levy_rare_event e, levy_arena *arena, levy_rare_events *found,
                            bool *is_rare)
{
    const levy_asset *const asset = t->model->assets[t->underlyings[e.underlying]];
    const double d = levy_dynamics_deviation(m, asset, e.time),
                 first = m->first ? fmax(m->first[e.underlying], 1e-12) : 1.0,
                 all = levy_dynamics_deviation(m, asset, levy_dynamics_expiry(m)) /
                       levy_sqrt(first); /* of which the integrated normal would be all */
    levy_law_view seen;
    double forward;
    if (!(e.time > m->sets[set].elapsed)) return LEVY_OK;
    LEVY_TRY(levy_law_see(m, set, e.underlying, arena, &seen));
    const levy_law law = levy_law_of(m, &seen, e.time, &forward);
    const double x = levy_log(e.level / seen.spot) - forward;
    e.chance = levy_law_beyond(&law, x, e.side);
    *is_rare = e.chance < rare_most;
    if (!rare_counts(e.chance)) return LEVY_OK;
    if (levy_trade_is_integrated(t) && !law.jumps)
        e.distance = e.side * x, e.variance = d * d, e.all = all * all;
    const double share = levy_trade_is_integrated(t) ? rare_share(&law, &e, x, d * d / all) : 0.0;
    if (e.date == 0) found->share = fmin(share, found->share);
    return rare_keep(e, arena, found);
}

double levy_rare_told(size_t bin)
{
    double told = rare_first / levy_sqrt(rare_ratio);
    while (bin-- > 0) told /= rare_ratio;
    return told;
}

static size_t rare_bin(double told)
{
    size_t bin = 0;
    for (double end = rare_first / rare_ratio; bin + 1 < LEVY_RARE_BINS && told < end; ++bin)
        end /= rare_ratio;
    return bin;
}

/* ---- Events of all underlyings together ---- */

/* The deviation of the sum of a trade's levels, and the logarithm of its forward, until a time,
 * relative to today's. */
static double rare_sum(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t, double time,
                       const double *shares, double *forward)
{
    double deviations[LEVY_MAX_ASSETS], variance = 0.0;
    *forward = 0.0;
    for (size_t u = 0; u < t->n_underlyings; ++u) {
        const levy_asset *const asset = t->model->assets[t->underlyings[u]];
        deviations[u] = shares[u] * levy_dynamics_deviation(m, asset, time);
        *forward += shares[u] * levy_dynamics_log_forward(m, set, asset, time);
        for (size_t v = 0; v <= u; ++v)
            variance += (v < u ? 2.0 : 1.0) * deviations[u] * deviations[v] *
                        levy_dynamics_correlation(m, set, time, u, v);
    }
    return levy_sqrt(fmax(variance, 0.0));
}

/* Makes an event the share of one underlying in what all do together, whose sum moves by `ratio`:
 * it is to be as far out as the sum is, in deviations, and varies by so much more. */
static void rare_share_of(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                          double ratio, levy_rare_event *e)
{
    const size_t n = t->n_underlyings;
    const levy_asset *const asset = t->model->assets[t->underlyings[e->underlying]];
    const double d = levy_dynamics_deviation(m, asset, e->time);
    double shares[LEVY_MAX_ASSETS], sum = 0.0, forward;
    for (size_t u = 0; u < n; ++u) {
        shares[u] = fabs(t->claim.coefficients[u] * levy_dynamics_spot(m, set, u));
        sum += shares[u];
    }
    for (size_t u = 0; u < n; ++u) shares[u] /= sum;
    const double all = rare_sum(m, set, t, e->time, shares, &forward);
    e->share = shares[e->underlying];
    e->narrow = d > 0.0 && all > 0.0 ? all / d : 1.0;
    e->level = levy_dynamics_spot(m, set, e->underlying) *
               levy_exp(levy_dynamics_log_forward(m, set, asset, e->time) - 0.5 * d * d +
                        (levy_log(ratio) - forward + 0.5 * all * all) / e->narrow);
}

/* ---- Barriers on dates ---- */

static const levy_barrier_terms *rare_terms(const levy_trade *own)
{
    return levy_terms_barrier(levy_payoffs[own->kind.payoff], own->claim.terms);
}

/* The chance that a path tells of an event after which the logarithm goes back by `back`. Where the
 * normal is integrated that moves the end, a path tells if the rest of it is far enough out. */
static double rare_told(const levy_rare_event *e, double back)
{
    const double share = e->all > 0.0 ? e->variance / e->all : 0.0,
                 rest = e->variance * (1.0 - share);
    if (!(e->all > 0.0)) return e->chance;
    if (!(rest > 0.0)) return 1.0;
    return levy_normal_cdf((share * (e->distance - back) - e->distance) / levy_sqrt(rest));
}

/* The variance of an underlying's logarithm from an event to expiry. */
static double rare_left(const levy_dynamics_plan *m, const levy_trade *t, const levy_asset *asset,
                        double time)
{
    const double all = levy_dynamics_deviation(m, asset, t->claim.expiry),
                 before = levy_dynamics_deviation(m, asset, time);
    return all > before ? all * all - before * before : 0.0;
}

static size_t rare_steps(const levy_rare_event *e)
{
    return e->later ? LEVY_RARE_STEPS / 2 : LEVY_RARE_STEPS;
}

/* By how many deviations the level goes back: it may go on too, unless it is to stay there. */
static double rare_back(const levy_rare_event *e, size_t step)
{
    return 0.25 * ((double)step + 0.5) - (e->later ? 0.0 : 0.125 * LEVY_RARE_STEPS);
}

/* How likely it does, by these steps, and the sum of that: by a normal law if it is free, by its
 * upper half if it stays on its side on one later date, by Rayleigh's if on many. */
static double rare_weights(const levy_rare_event *e, double *weights)
{
    const double power = e->later ? 1.0 - 1.0 / (double)e->later : 0.0;
    double all = 0.0;
    for (size_t k = 0; k < rare_steps(e); ++k) {
        const double z = rare_back(e, k);
        all += weights[k] = levy_exp(power * levy_log(fabs(z)) - 0.5 * z * z);
    }
    return all;
}

/* Finds the bins of an event, which are alike in all markets. Where the integrated normal moves but
 * a part of the underlying, what is left of its law stands for the rest of the path too. */
static void rare_place(levy_rare_event *e)
{
    const double left = levy_sqrt(fmax(e->all - e->variance, 0.0));
    for (size_t k = 0; k < rare_steps(e); ++k)
        e->bins[k] = (unsigned char)rare_bin(rare_told(e, rare_back(e, k) * left));
}

/* Adds what a touch on a date changes of the payment, if none follows on later dates. The worst or
 * best underlying that has touched is taken to remain it. If few ends are worth something, the
 * integrated normal sees the date from these alone: from (sum w)^2 / sum w^2 deviations of it,
 * where rare_share has two. */
static void rare_missed(const levy_dynamics_plan *m, const levy_law_view *seen, const levy_trade *t,
                        const levy_rare_event *e, double chance, double share, levy_rare_run *run)
{
    const levy_claim claim = levy_claim_of(t);
    const size_t one = rare_bin(e->chance);
    const double variance = rare_left(m, t, &seen->asset, e->time),
                 left = e->narrow * levy_sqrt(variance),
                 grows = levy_dynamics_log_forward(m, seen->set, &seen->asset, t->claim.expiry) -
                         levy_dynamics_log_forward(m, seen->set, &seen->asset, e->time),
                 drift = e->later ? 0.0 : grows - 0.5 * left * left;
    double weights[LEVY_RARE_STEPS], sum = 0.0, square = 0.0;
    const double all = rare_weights(e, weights);
    for (size_t k = 0; k < rare_steps(e); ++k) {
        const double level = e->end * levy_exp(drift - e->side * rare_back(e, k) * left),
                     worth = weights[k] * e->size(&claim, level);
        run->missed[e->all > 0.0 ? e->bins[k] : one] += chance * e->stays * worth / all;
        sum += fabs(worth);
        square += worth * worth;
    }
    const double told = square > 0.0 ? 0.125 * sum * sum / square : 1.0;
    run->share = fmin(run->share, share * fmin(told, 1.0));
}

/* Sparre Andersen's chance that a level at a barrier is beyond it on none of n dates. */
static double rare_never(size_t n)
{
    double chance = 1.0;
    for (size_t k = 1; k <= n; ++k) chance *= 1.0 - 0.5 / (double)k;
    return chance;
}

/* The chance that a level beyond a barrier on a date is so on no later one: that from the barrier
 * itself; beyond it by some moves of a date, it must first come back. */
static double rare_stays(const levy_dynamics_plan *m, const levy_trade *t, size_t u, size_t date,
                         double distance, double never)
{
    const levy_asset *const asset = t->model->assets[t->underlyings[u]];
    if (date + 1 == t->claim.observations.n) return 1.0;
    const double d = levy_dynamics_deviation(m, asset, t->claim.observations.times[date]),
                 next = levy_dynamics_deviation(m, asset, t->claim.observations.times[date + 1]),
                 beyond = d * d / distance, moves = levy_sqrt(next > d ? next * next - d * d : 0.0);
    return moves > 0.0 ? never * moves / (moves + beyond) : 0.0;
}

/* The least of several falls to a barrier, or the greatest rises to it, if any of them does. */
static bool rare_by_any(const levy_trade *own, double level, double today)
{
    if (own->kind.aggregate == LEVY_AGGREGATE_WORST_OF) return level < today;
    return own->kind.aggregate == LEVY_AGGREGATE_BEST_OF && level > today;
}

/* own: the trade as it is written. u: the underlying that touches, or a share of all that do
 * together. A level that starts beyond a barrier is rarely back on the first date, without which it
 * has touched. */
static levy_status rare_touches(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                                const levy_trade *own, size_t u, double today,
                                const levy_edge *touch, levy_arena *arena, levy_rare_events *found)
{
    const double level = touch->level, distance = fabs(levy_log(level / today)),
                 side = level > today ? 1.0 : -1.0;
    const levy_barrier_terms *const barrier = rare_terms(own);
    const bool beyond = own->n_underlyings == 1 && levy_barrier_touches(barrier, today);
    const size_t n = beyond && own->claim.observations.n > 1 ? 1 : own->claim.observations.n;
    const bool together = own->n_underlyings > 1 && !rare_by_any(own, level, today);
    bool is_rare = true;
    double never = own->claim.observations.n > 0 ? rare_never(own->claim.observations.n - 1) : 1.0;
    for (size_t i = 0; i < n && is_rare; ++i) {
        const size_t later = beyond ? 0 : own->claim.observations.n - 1 - i;
        levy_rare_event e = {.underlying = u,
                             .time = own->claim.observations.times[i],
                             .level = level / own->claim.coefficients[u],
                             .side = side,
                             .size = touch->size,
                             .later = later,
                             .end = level,
                             .narrow = 1.0,
                             .stays = beyond ? never : rare_stays(m, own, u, i, distance, never)};
        if (together) rare_share_of(m, set, own, level / today, &e);
        if (together) e.stays *= e.share;
        const size_t before = found->n;
        LEVY_TRY(rare_add(m, set, t, e, arena, found, &is_rare));
        if (found->n > before) rare_place(&found->events[before]);
        never /= later > 0 ? 1.0 - 0.5 / (double)later : 1.0;
    }
    return LEVY_OK;
}

static levy_status rare_barrier(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                                const levy_trade *own, const levy_edge *touch, levy_arena *arena,
                                levy_rare_events *found)
{
    double spots[LEVY_MAX_ASSETS];
    for (size_t u = 0; u < own->n_underlyings; ++u) spots[u] = levy_dynamics_spot(m, set, u);
    const double level = levy_trade_level(own, spots);
    const bool any = own->n_underlyings == 1 || rare_by_any(own, touch->level, level);
    for (size_t u = 0; u < own->n_underlyings && level > 0.0; ++u) {
        const double today = own->claim.coefficients[u] * spots[u];
        if (!(today > 0.0)) continue;
        LEVY_TRY(rare_touches(m, set, t, own, u, any ? today : level, touch, arena, found));
    }
    return LEVY_OK;
}

static levy_status rare_barriers(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                                 levy_arena *arena, levy_rare_events *found)
{
    const levy_trade own = levy_trade_written(t);
    const levy_edges edges = levy_trade_edges(&own);
    for (size_t i = 0; i < edges.n && !own.claim.continuous && !own.claim.past.knocked; ++i)
        if (edges.each[i].of == LEVY_EDGE_TOUCH)
            LEVY_TRY(rare_barrier(m, set, t, &own, &edges.each[i], arena, found));
    return LEVY_OK;
}

/* ---- Scripts ---- */

/* A level of a script at which it decides otherwise. */
typedef struct rare_level {
    uint32_t schedule;
    double ratio, before; /* to today's levels: there, and just before it */
    bool together;        /* all underlyings move so far */
    bool known;           /* it is no nearest one, or very far */
} rare_level;

/* Adds an underlying that moves so far by a date, and by later ones, of many a few, unless it has
 * before. */
static levy_status rare_moves(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                              size_t u, rare_level to, levy_arena *arena, levy_rare_events *found,
                              bool *is_rare)
{
    const levy_times dates = levy_trade_schedule(t, to.schedule);
    const double spot = levy_dynamics_spot(m, set, u);
    levy_rare_event e = {.underlying = u,
                         .level = spot * to.ratio,
                         .at = spot * to.ratio,
                         .before = spot * to.before,
                         .side = to.ratio > 1.0 ? 1.0 : -1.0,
                         .schedule = to.schedule,
                         .together = to.together,
                         .share = 1.0};
    const size_t steps = dates.n < rare_dates ? dates.n : rare_dates;
    double before = 0.0;
    *is_rare = true;
    for (size_t i = 0; i < steps && *is_rare; ++i) {
        const size_t n = found->n;
        e.date = steps > 1 ? i * (dates.n - 1) / (steps - 1) : 0;
        e.time = dates.times[e.date];
        e.known = to.known || (e.date > 0 && levy_trade_is_integrated(t));
        if (to.together) rare_share_of(m, set, t, to.ratio, &e);
        LEVY_TRY(rare_add(m, set, t, e, arena, found, is_rare));
        if (found->n == n) continue;
        levy_rare_event *const own = &found->events[n];
        rare_place(own);
        own->stays = own->chance > before ? e.share * (1.0 - before / own->chance) : 0.0;
        before = fmax(before, own->chance);
    }
    return LEVY_OK;
}

/* Adds the nearest level to one side at which a schedule decides otherwise as underlying `which`
 * goes there (levy_today_next_reach), and the next ones until one is rare. *nearest: the first. */
static levy_status rare_walk(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                             uint32_t k, size_t which, double side, levy_arena *arena,
                             levy_rare_events *found, double *nearest)
{
    const size_t n = t->n_underlyings, first = which < n ? which : 0,
                 end = which < n ? which + 1 : n;
    const double far = rare_farthest, most = side > 0.0 ? 1.0 / far - 1.0 : 1.0 - far;
    double levels[LEVY_MAX_ASSETS], at[LEVY_MAX_ASSETS], moved = 1.0;
    bool is_rare = false;
    levy_bumped_levels(m, set, t, levels);
    memcpy(at, levels, n * sizeof *at);
    *nearest = INFINITY;
    for (int tries = 0; tries < RARE_TRIES && !is_rare; ++tries) {
        const double reach = levy_today_next_reach(t, at, k, which, side, most);
        if (!(reach < most)) break;
        const double ratio = moved * (1.0 + side * reach);
        const rare_level to = {k, ratio, moved * (1.0 + rare_before * side * reach),
                               which >= n && n > 1, tries > 0 || fabs(ratio - 1.0) > rare_far_off};
        moved = to.ratio;
        if (tries == 0) *nearest = fabs(moved - 1.0);
        for (size_t u = first; u < end; ++u) {
            at[u] = levels[u] * moved * (1.0 + side * (1e-3 * reach + 1e-6));
            LEVY_TRY(rare_moves(m, set, t, u, to, arena, found, &is_rare));
        }
    }
    return LEVY_OK;
}

/* Adds where a script's next date decides otherwise than it would at today's levels, as later ones
 * are taken to: each of several underlyings that makes it do so alone; all of them together, if
 * they do so nearer to today's levels; or, if nothing else does, which of them is the least. */
static levy_status rare_decides(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                                uint32_t k, double side, levy_arena *arena, levy_rare_events *found)
{
    static const double nearer = 0.98;
    const size_t n = t->n_underlyings, n_dates = levy_trade_schedule(t, k).n;
    const double far = rare_farthest, most = side > 0.0 ? 1.0 / far - 1.0 : 1.0 - far;
    double levels[LEVY_MAX_ASSETS], nearest = INFINITY, reach;
    levy_bumped_levels(m, set, t, levels);
    for (size_t u = 0; u < n && n > 1; ++u) {
        LEVY_TRY(rare_walk(m, set, t, k, u, side, arena, found, &reach));
        nearest = fmin(nearest, reach);
    }
    const bool together =
        n > 1 && levy_today_next_reach(t, levels, k, n + 1, side, most) < nearer * nearest;
    if (together || !(nearest < INFINITY)) {
        LEVY_TRY(rare_walk(m, set, t, k, together ? n + 1 : n, side, arena, found, &reach));
        nearest = fmin(nearest, reach);
    }
    if (nearest < INFINITY) found->relative = fmax(found->relative, 1.0 / (double)n_dates);
    return LEVY_OK;
}

static levy_status rare_decisions(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                                  levy_arena *arena, levy_rare_events *found)
{
    for (uint32_t k = 0; k <= t->kind.n_further; ++k) {
        if (levy_trade_schedule(t, k).n == 0) continue;
        LEVY_TRY(rare_decides(m, set, t, k, -1.0, arena, found));
        LEVY_TRY(rare_decides(m, set, t, k, 1.0, arena, found));
    }
    return LEVY_OK;
}

levy_status levy_rare_find(const levy_dynamics_plan *m, const levy_trade *t, levy_arena *arena,
                           levy_rare_events *found)
{
    *found = (levy_rare_events){.share = 1.0};
    if (t->state != LEVY_TRADE_PRICED) return LEVY_OK;
    LEVY_TRY(levy_crossings_find(m, t, arena, &found->crossings));
    found->edge = levy_peak_edge_of(m, t);
    return levy_trade_written(t).kind.scripted ? rare_decisions(m, 0, t, arena, found)
                                               : rare_barriers(m, 0, t, arena, found);
}

/* ---- Strikes ---- */

/* Paths between the strikes of two markets, of a payoff at expiry that is not integrated. Where
 * there is one draw, kinks.h says it better. */
static levy_status rare_strike(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                               double discount, levy_arena *arena, levy_rare *rare)
{
    const double strike = levy_kink_strike(m, t),
                 today = t->claim.coefficients[0] * levy_dynamics_spot(m, 0, 0),
                 from = t->claim.coefficients[0] * levy_dynamics_spot(m, set, 0);
    if (!(strike > 0.0) || from == today || !(today > 0.0) || m->sets[set].elapsed > 0.0)
        return LEVY_OK;
    levy_law_view seen;
    double forward;
    LEVY_TRY(levy_law_see(m, 0, 0, arena, &seen));
    const levy_law law = levy_law_of(m, &seen, t->claim.expiry, &forward);
    if (!law.jumps) return LEVY_OK;
    const double x = levy_log(strike / today) - forward, shift = levy_log(from / today),
                 side = x > 0.0 ? 1.0 : -1.0;
    const double chance =
        fabs(levy_law_beyond(&law, x, side) - levy_law_beyond(&law, x - shift, side));
    if (!rare_counts(chance)) return LEVY_OK;
    rare->strike_chance = chance;
    rare->strike_missed = 0.5 * chance * strike * fabs(levy_exp(shift) - 1.0) * discount;
    return LEVY_OK;
}

static bool rare_is_touched(const levy_dynamics_plan *m, uint32_t set, const levy_trade *own)
{
    double levels[LEVY_MAX_ASSETS];
    levy_bumped_levels(m, set, own, levels);
    return levy_today_is_touched(own, levels);
}

/* Whether other events are rare in a scenario than today: a barrier lies between its level and
 * today's, or a script may decide otherwise there. */
static bool rare_is_elsewhere(const levy_dynamics_plan *m, uint32_t set, const levy_trade *own)
{
    const levy_barrier_terms *const barrier = rare_terms(own);
    for (size_t u = 0; u < own->n_underlyings && own->kind.scripted; ++u)
        if (fabs(levy_dynamics_spot(m, set, u) / levy_dynamics_spot(m, 0, u) - 1.0) > rare_moved)
            return true;
    if (!barrier || own->n_underlyings != 1) return false;
    return levy_barrier_touches(barrier,
                                own->claim.coefficients[0] * levy_dynamics_spot(m, set, 0)) !=
           levy_barrier_touches(barrier, own->claim.coefficients[0] * levy_dynamics_spot(m, 0, 0));
}

/* ---- Under a set ---- */

/* By how much a level goes back that ends where it was today, or as far as it may. */
static double rare_today(const levy_dynamics_plan *m, const levy_trade *t, const levy_rare_event *e)
{
    static const double farthest = 4.0;
    const levy_asset *const asset = t->model->assets[t->underlyings[e->underlying]];
    return fmin(e->distance, farthest * levy_sqrt(rare_left(m, t, asset, e->time)));
}

/* Counts what a run's events miss under a set. */
static levy_status rare_count(const levy_dynamics_plan *m, uint32_t set, const levy_trade *own,
                              const levy_rare_events *found, double discount, levy_arena *arena,
                              levy_rare_run *run)
{
    levy_law_view seen;
    run->discount = discount;
    run->share = found->share;
    if (levy_memory_stopped(arena->memory)) return LEVY_CANCELLED;
    LEVY_TRY(levy_law_see(m, set, run->underlying, arena, &seen));
    for (size_t i = run->first; i < run->first + run->n; ++i) {
        levy_rare_event e = found->events[i];
        const double chance = rare_chance(m, &seen, own, &e);
        if (e.known) continue;
        if (found->relative > 0.0)
            run->missed[rare_bin(rare_told(&e, rare_today(m, own, &e)))] += chance * e.stays;
        else
            rare_missed(m, &seen, own, &e, chance * discount, found->share, run);
    }
    return LEVY_OK;
}

/* The run as counted under a set, again only if the set moves its underlying or the discount. */
static levy_status rare_run(const levy_dynamics_plan *m, uint32_t set, const levy_trade *own,
                            const levy_rare_events *found, double discount, levy_arena *arena,
                            levy_rare_run *kept, levy_rare_run *run)
{
    const bool moves = levy_dynamics_moves_asset(m, set, kept->underlying);
    *run = (levy_rare_run){kept->underlying, kept->first, kept->n, .counted = true};
    if (!moves && kept->counted && kept->discount == discount) {
        *run = *kept;
        return LEVY_OK;
    }
    LEVY_TRY(rare_count(m, set, own, found, discount, arena, run));
    if (!moves) *kept = *run;
    return LEVY_OK;
}

/* Whether two events are the same decision on two dates. */
static bool rare_is_alike(const levy_rare_event *a, const levy_rare_event *b)
{
    return a->underlying == b->underlying && a->schedule == b->schedule && a->at == b->at;
}

static double rare_outcome(const levy_dynamics_plan *m, const levy_outcome_view *seen,
                           const levy_trade *t, const levy_script_view *view,
                           const levy_rare_event *e)
{
    const levy_outcome outcome = {e->underlying, e->schedule, e->date,
                                  e->at,         e->before,   e->together};
    return levy_outcome_of(m, seen, t, view, &outcome);
}

/* Adds an event by what it is worth: wherever a path ends that has it, it tells in its own way. */
static void rare_spread(const levy_rare_event *e, double chance, double worth, levy_rare *rare)
{
    const size_t one = rare_bin(e->chance);
    double weights[LEVY_RARE_STEPS];
    const double all = rare_weights(e, weights);
    for (size_t k = 0; k < rare_steps(e); ++k) {
        const size_t bin = e->all > 0.0 ? e->bins[k] : one;
        rare->chance[bin] += chance * weights[k] / all;
        rare->worth[bin] += chance * weights[k] / all * worth;
    }
}

/* What a script's events are worth under a set. A report is no money. On other dates the same
 * decision is worth the same; and what would take too long is worth what it is today, or nothing.
 */
static levy_status rare_outcomes(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                                 const levy_script_view *view, const levy_rare_events *found,
                                 double discount, levy_arena *arena, levy_rare *rare)
{
    const double effort = levy_outcome_effort(t);
    double left = rare_effort * (set == 0 ? rare_more : 1.0), worth = 0.0;
    levy_outcome_view seen;
    if (found->n == 0) return LEVY_OK;
    LEVY_TRY(levy_outcome_see(m, set, t, arena, &seen));
    for (size_t i = found->n; i-- > 0;) {
        levy_rare_event e = found->events[i];
        const levy_law_view law = {set, e.underlying, seen.assets[e.underlying],
                                   levy_dynamics_spot(m, set, e.underlying)};
        const double chance = rare_chance(m, &law, t, &e);
        if (i + 1 == found->n || !rare_is_alike(&e, &found->events[i + 1])) {
            worth = view ? 0.0 : e.worth;
            if (left >= effort) worth = rare_outcome(m, &seen, t, view, &e);
            left -= effort;
        }
        if (set == 0 && !view) found->events[i].worth = worth;
        rare_spread(&e, chance * e.stays, worth * (view && view->state != 0 ? 1.0 : discount),
                    rare);
    }
    return LEVY_OK;
}

/* What paths with little clocks give. */
static levy_status rare_little(const levy_dynamics_plan *m, uint32_t set, const levy_peak_edge *e,
                               double discount, levy_arena *arena, levy_rare *rare)
{
    levy_law_view now, seen;
    if (!(e->time > m->sets[set].elapsed)) return LEVY_OK;
    LEVY_TRY(levy_law_see(m, 0, 0, arena, &now));
    LEVY_TRY(levy_law_see(m, set, 0, arena, &seen));
    const double moved = levy_log(seen.spot / now.spot) +
                         levy_dynamics_log_forward(m, set, &seen.asset, e->time) -
                         levy_dynamics_log_forward(m, 0, &now.asset, e->time);
    for (size_t bin = 0; bin < LEVY_RARE_BINS; ++bin)
        rare->little[bin] = discount * levy_peak_little(m, e, levy_rare_told(bin), moved);
    return LEVY_OK;
}

levy_status levy_rare_of(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                         const levy_script_view *view, levy_rare_events *found, double discount,
                         levy_arena *arena, levy_rare *rare)
{
    const levy_trade own = levy_trade_written(t);
    *rare = (levy_rare){.share = found->share, .relative = found->relative};
    if (rare_is_touched(m, set, &own)) {
        rare->settled = rare_terms(&own)->knock != LEVY_KNOCK_IN;
        return LEVY_OK;
    }
    if (t->state != LEVY_TRADE_PRICED) return LEVY_OK;
    levy_rare_events here = *found;
    if (rare_is_elsewhere(m, set, &own)) {
        here = (levy_rare_events){.share = 1.0};
        LEVY_TRY(own.kind.scripted ? rare_decisions(m, set, t, arena, &here)
                                   : rare_barriers(m, set, t, arena, &here));
        rare->relative = here.relative;
    }
    for (size_t i = 0; i < here.n_runs; ++i) {
        levy_rare_run run;
        LEVY_TRY(rare_run(m, set, &own, &here, discount, arena, &here.runs[i], &run));
        for (size_t bin = 0; bin < LEVY_RARE_BINS; ++bin) rare->missed[bin] += run.missed[bin];
        rare->share = fmin(rare->share, run.share);
    }
    if (own.kind.scripted)
        LEVY_TRY(rare_outcomes(m, set, &own, view, &here, discount, arena, rare));
    LEVY_TRY(levy_crossed_of(m, set, &found->crossings, discount, arena, &rare->crossed));
    if (found->edge.time > 0.0 && (!view || view->state == t->kind.scripted->settles))
        LEVY_TRY(rare_little(m, set, &found->edge, discount, arena, rare));
    return rare_strike(m, set, t, discount, arena, rare);
}
