/* rare.c: what an item misses under a market: its rare events counted there, what lies between two
 * strikes, and paths with little clocks. See rare.h. */
#include "engine/plan/rare.h"

#include "engine/plan/bumped.h"
#include "engine/plan/kinks.h"
#include "engine/plan/rare_parts.h"
#include "engine/problem/today.h"
#include "engine/problem/trade_claim.h"
#include "kernels/lane/scalar.h"
#include "payoffs/scripted.h"

#include <math.h>
#include <string.h>

/* A move beyond which a scenario is no bump. */
static const double rare_moved = 0.05;

static levy_status rare_look(const levy_rare_market *x)
{
    return x->own->kind.scripted ? levy_rare_decisions(x) : levy_rare_touches(x);
}

bool levy_rare_is_told(const levy_trade *t)
{
    return t->state == LEVY_TRADE_PRICED &&
           !(t->kind.scripted && (t->kind.scripted->policy || t->kind.scripted->rights));
}

levy_status levy_rare_find(const levy_dynamics_plan *m, const levy_trade *t, levy_arena *arena,
                           levy_rare_events *found)
{
    levy_trade room;
    const levy_trade *const own = levy_trade_written(t, &room);
    const levy_rare_market x = {m, t, own, arena, found, 1.0, 0};
    *found = (levy_rare_events){.share = 1.0};
    if (!levy_rare_is_told(t)) return LEVY_OK;
    LEVY_TRY(levy_crossings_find(m, t, arena, &found->crossings));
    found->edge = levy_peak_edge_of(m, t);
    LEVY_TRY(levy_rare_strikes(&x));
    LEVY_TRY(levy_rare_bends(&x));
    return rare_look(&x);
}

/* ---- Strikes ---- */

/* Paths between the strikes of two markets, of a payoff at expiry that is not integrated. Where
 * there is one draw, kinks.h says it better. */
static levy_status rare_strike(const levy_rare_market *x, levy_rare *rare)
{
    const levy_dynamics_plan *const m = x->plan;
    const levy_trade *const t = x->trade;
    const double strike = levy_kink_strike(m, t), today = levy_bumped_level(m, 0, t),
                 from = levy_bumped_level(m, x->set, t);
    if (!(strike > 0.0) || from == today || !(today > 0.0) || m->sets[x->set].elapsed > 0.0)
        return LEVY_OK;
    levy_law_view seen;
    double forward;
    LEVY_TRY(levy_law_see(m, 0, 0, x->arena, &seen));
    const levy_law law = levy_law_of(m, &seen, t->claim.expiry, &forward);
    if (!law.jumps) return LEVY_OK;
    const double at = levy_log(strike / today) - forward, shift = levy_log(from / today),
                 side = at > 0.0 ? 1.0 : -1.0;
    const double chance =
        fabs(levy_law_beyond(&law, at, side) - levy_law_beyond(&law, at - shift, side));
    if (!levy_rare_counts(chance)) return LEVY_OK;
    rare->strike_chance = chance;
    rare->strike_missed = 0.5 * chance * strike * fabs(levy_exp(shift) - 1.0) * x->discount;
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
    const levy_barrier_terms *const barrier = levy_trade_barrier(own);
    for (size_t u = 0; u < own->n_underlyings && own->kind.scripted; ++u)
        if (fabs(levy_dynamics_spot(m, set, u) / levy_dynamics_spot(m, 0, u) - 1.0) > rare_moved)
            return true;
    if (!barrier || own->n_underlyings != 1) return false;
    return levy_barrier_touches(barrier, levy_bumped_level(m, set, own)) !=
           levy_barrier_touches(barrier, levy_bumped_level(m, 0, own));
}

/* ---- Under a set ---- */

/* By how much a level goes back that ends where it was today, or as far as it may. */
static double rare_today(const levy_rare_market *x, const levy_rare_event *e)
{
    static const double farthest = 4.0;
    const levy_asset *const asset = levy_trade_asset(x->own, e->underlying);
    return fmin(e->distance, farthest * levy_sqrt(levy_rare_left(x, asset, e->time)));
}

/* Counts what a run's events miss under a set. */
static levy_status rare_count(const levy_rare_market *x, levy_rare_run *run)
{
    levy_law_view seen;
    run->counted = true;
    run->discount = x->discount;
    run->share = x->found->share;
    memset(run->missed, 0, sizeof run->missed);
    if (levy_memory_stopped(x->arena->memory)) return LEVY_CANCELLED;
    LEVY_TRY(levy_law_see(x->plan, x->set, run->underlying, x->arena, &seen));
    for (size_t i = run->first; i < run->first + run->n; ++i) {
        levy_rare_event e = x->found->events[i];
        const double chance = levy_rare_chance(x, &seen, &e);
        if (e.known) continue;
        if (x->found->relative > 0.0)
            run->missed[levy_rare_bin(levy_rare_told_of(&e, rare_today(x, &e)))] +=
                chance * e.stays;
        else
            levy_rare_touch_misses(x, &seen, &e, chance, run);
    }
    return LEVY_OK;
}

/* The run as counted under a set, again only if the set moves its underlying or the discount. */
static levy_status rare_run(const levy_rare_market *x, levy_rare_run *kept, levy_rare_run *run)
{
    const bool moves = levy_dynamics_moves_asset(x->plan, x->set, kept->underlying);
    *run = *kept;
    if (!moves && kept->counted && kept->discount == x->discount) return LEVY_OK;
    LEVY_TRY(rare_count(x, run));
    if (!moves) *kept = *run;
    return LEVY_OK;
}

/* What paths with little clocks give. */
static levy_status rare_little(const levy_rare_market *x, const levy_peak_edge *e, levy_rare *rare)
{
    const levy_dynamics_plan *const m = x->plan;
    levy_law_view now, seen;
    if (!(e->time > m->sets[x->set].elapsed)) return LEVY_OK;
    LEVY_TRY(levy_law_see(m, 0, 0, x->arena, &now));
    LEVY_TRY(levy_law_see(m, x->set, 0, x->arena, &seen));
    const double moved = levy_log(seen.spot / now.spot) +
                         levy_dynamics_log_forward(m, x->set, &seen.asset, e->time) -
                         levy_dynamics_log_forward(m, 0, &now.asset, e->time);
    for (size_t bin = 0; bin < LEVY_RARE_BINS; ++bin)
        rare->little[bin] = x->discount * levy_peak_little(m, e, levy_rare_told(bin), moved);
    return LEVY_OK;
}

levy_status levy_rare_of(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                         const levy_script_view *view, levy_rare_events *found, double discount,
                         levy_arena *arena, levy_rare *rare)
{
    levy_trade room;
    const levy_trade *const own = levy_trade_written(t, &room);
    *rare = (levy_rare){.share = found->share, .relative = found->relative};
    if (rare_is_touched(m, set, own)) {
        rare->settled = levy_trade_barrier(own)->knock != LEVY_KNOCK_IN;
        return LEVY_OK;
    }
    if (!levy_rare_is_told(t)) return LEVY_OK;
    levy_rare_events here = *found;
    const levy_rare_market x = {m, t, own, arena, &here, discount, set};
    LEVY_TRY(levy_rare_strike(&x, rare));
    LEVY_TRY(levy_rare_bent(&x, view, rare));
    if (rare_is_elsewhere(m, set, own)) {
        here = (levy_rare_events){.share = 1.0};
        LEVY_TRY(rare_look(&x));
        rare->relative = here.relative;
    }
    for (size_t i = 0; i < here.n_runs; ++i) {
        levy_rare_run run;
        LEVY_TRY(rare_run(&x, &here.runs[i], &run));
        for (size_t bin = 0; bin < LEVY_RARE_BINS; ++bin) rare->missed[bin] += run.missed[bin];
        rare->share = fmin(rare->share, run.share);
    }
    if (own->kind.scripted) LEVY_TRY(levy_rare_outcomes(&x, view, rare));
    LEVY_TRY(levy_crossed_of(m, set, &found->crossings, discount, arena, &rare->crossed));
    if (found->edge.time > 0.0 && (!view || view->state == t->kind.scripted->settles))
        LEVY_TRY(rare_little(&x, &found->edge, rare));
    return rare_strike(&x, rare);
}
