/* rare_decisions.c: the rare levels at which a script decides otherwise, and what it pays there.
 * See rare_parts.h. Must not know: barriers, who tells of an event. */
#include "engine/plan/rare_parts.h"

#include "engine/plan/bumped.h"
#include "engine/plan/outcome.h"
#include "engine/problem/today.h"

#include <math.h>
#include <string.h>

/* Levels of a schedule to one side that are looked at until one is rare. */
enum { DECISIONS_TRIES = 4 };
/* Dates of a schedule on which that is looked for. */
static const size_t decisions_dates = 12;
/* Levels that are made to find what a script's events are worth in a market, and so many times more
 * of them in today's. */
static const double decisions_effort = 0x1p15, decisions_more = 8.0;
/* A share of today's levels down to which it is looked for what a script decides, and up its
 * inverse. */
static const double decisions_farthest = 1.0 / 32.0;
/* A relative move beyond which a level counts only by what the script pays there. */
static const double decisions_far = 0.75;
/* The share of a move at which what it changes has not changed yet: it is found to 1e-3. */
static const double decisions_before = 0.998;

/* ---- Levels ---- */

/* A level of a script at which it decides otherwise. */
typedef struct decisions_level {
    uint32_t schedule;
    double ratio, before; /* to today's levels: there, and just before it */
    bool together;        /* all underlyings move so far */
    bool known;           /* it is no nearest one, or very far */
} decisions_level;

/* Adds an underlying that moves so far by a date, and by later ones, of many a few, unless it has
 * before. */
static levy_status decisions_moves(const levy_rare_market *x, size_t u, decisions_level to,
                                   bool *is_rare)
{
    const levy_times dates = levy_trade_schedule(x->trade, to.schedule);
    const double spot = levy_dynamics_spot(x->plan, x->set, u);
    levy_rare_event e = {.underlying = u,
                         .level = spot * to.ratio,
                         .at = spot * to.ratio,
                         .before = spot * to.before,
                         .side = to.ratio > 1.0 ? 1.0 : -1.0,
                         .schedule = to.schedule,
                         .together = to.together,
                         .share = 1.0};
    const size_t steps = dates.n < decisions_dates ? dates.n : decisions_dates;
    double before = 0.0;
    *is_rare = true;
    for (size_t i = 0; i < steps && *is_rare; ++i) {
        const size_t n = x->found->n;
        e.date = steps > 1 ? i * (dates.n - 1) / (steps - 1) : 0;
        e.time = dates.times[e.date];
        e.known = to.known || (e.date > 0 && levy_trade_is_integrated(x->trade));
        if (to.together) levy_rare_share_of(x, to.ratio, &e);
        LEVY_TRY(levy_rare_add(x, e, is_rare));
        if (x->found->n == n) continue;
        levy_rare_event *const own = &x->found->events[n];
        own->stays = own->chance > before ? e.share * (1.0 - before / own->chance) : 0.0;
        before = fmax(before, own->chance);
    }
    return LEVY_OK;
}

static double decisions_most(double side)
{
    return side > 0.0 ? 1.0 / decisions_farthest - 1.0 : 1.0 - decisions_farthest;
}

/* Adds the nearest level to one side at which a schedule decides otherwise as underlying `which`
 * goes there (levy_today_next_reach), and the next ones until one is rare. *nearest: the first. */
static levy_status decisions_walk(const levy_rare_market *x, const double *levels, uint32_t k,
                                  size_t which, double side, double *nearest)
{
    const size_t n = x->trade->n_underlyings, first = which < n ? which : 0,
                 end = which < n ? which + 1 : n;
    const double most = decisions_most(side);
    double at[LEVY_MAX_ASSETS], moved = 1.0;
    bool is_rare = false;
    memcpy(at, levels, n * sizeof *at);
    *nearest = INFINITY;
    for (int tries = 0; tries < DECISIONS_TRIES && !is_rare; ++tries) {
        if (levy_memory_stopped(x->arena->memory)) return LEVY_CANCELLED;
        const double reach = levy_today_next_reach(x->trade, at, k, which, side, most);
        if (!(reach < most)) break;
        const double ratio = moved * (1.0 + side * reach);
        const decisions_level to = {k, ratio, moved * (1.0 + decisions_before * side * reach),
                                    which >= n && n > 1,
                                    tries > 0 || fabs(ratio - 1.0) > decisions_far};
        moved = to.ratio;
        if (tries == 0) *nearest = fabs(moved - 1.0);
        for (size_t u = first; u < end; ++u) {
            at[u] = levels[u] * moved * (1.0 + side * (1e-3 * reach + 1e-6));
            LEVY_TRY(decisions_moves(x, u, to, &is_rare));
        }
    }
    return LEVY_OK;
}

/* Adds where a script's next date decides otherwise than it would at today's levels, as later ones
 * are taken to: each of several underlyings that makes it do so alone; all of them together, if
 * they do so nearer to today's levels; or, if nothing else does, which of them is the least. */
static levy_status decisions_decide(const levy_rare_market *x, const double *levels, uint32_t k,
                                    double side)
{
    static const double nearer = 0.98;
    const levy_trade *const t = x->trade;
    const size_t n = t->n_underlyings, n_dates = levy_trade_schedule(t, k).n;
    const double most = decisions_most(side);
    double nearest = INFINITY, reach;
    for (size_t u = 0; u < n && n > 1; ++u) {
        LEVY_TRY(decisions_walk(x, levels, k, u, side, &reach));
        nearest = fmin(nearest, reach);
    }
    const bool together =
        n > 1 && levy_today_next_reach(t, levels, k, n + 1, side, most) < nearer * nearest;
    if (together || !(nearest < INFINITY)) {
        LEVY_TRY(decisions_walk(x, levels, k, together ? n + 1 : n, side, &reach));
        nearest = fmin(nearest, reach);
    }
    if (nearest < INFINITY) x->found->relative = fmax(x->found->relative, 1.0 / (double)n_dates);
    return LEVY_OK;
}

levy_status levy_rare_decisions(const levy_rare_market *x)
{
    double levels[LEVY_MAX_ASSETS];
    levy_bumped_levels(x->plan, x->set, x->trade, levels);
    for (uint32_t k = 0; k <= x->trade->kind.n_further; ++k) {
        if (levy_trade_schedule(x->trade, k).n == 0) continue;
        LEVY_TRY(decisions_decide(x, levels, k, -1.0));
        LEVY_TRY(decisions_decide(x, levels, k, 1.0));
    }
    return LEVY_OK;
}

/* ---- Worth ---- */

/* Whether two events are the same decision on two dates. */
static bool decisions_are_alike(const levy_rare_event *a, const levy_rare_event *b)
{
    return a->underlying == b->underlying && a->schedule == b->schedule && a->at == b->at;
}

static double decisions_outcome(const levy_rare_market *x, const levy_outcome_view *seen,
                                const levy_script_view *view, const levy_rare_event *e)
{
    const levy_outcome outcome = {e->underlying, e->schedule, e->date,
                                  e->at,         e->before,   e->together};
    return levy_outcome_of(x->plan, seen, x->trade, view, &outcome);
}

/* Adds an event by what it is worth: wherever a path ends that has it, it tells in its own way. */
static void decisions_spread(const levy_rare_event *e, double chance, double worth, levy_rare *rare)
{
    const size_t one = levy_rare_bin(e->chance);
    double weights[LEVY_RARE_STEPS];
    const double all = levy_rare_weights(e, weights);
    for (size_t k = 0; k < levy_rare_steps(e); ++k) {
        const size_t bin = e->all > 0.0 ? e->bins[k] : one;
        rare->chance[bin] += chance * weights[k] / all;
        rare->worth[bin] += chance * weights[k] / all * worth;
    }
}

/* When what a date of a schedule pays is paid. */
static double decisions_pays(const levy_trade *t, size_t schedule, size_t date)
{
    const levy_script_dates *const dates = &t->kind.scripted->dates[schedule];
    const size_t at = dates->n_past + dates->has_today + date;
    return dates->paid ? dates->paid[at] : dates->times[at];
}

/* A trade's events as they are counted under a set. */
typedef struct decisions_count {
    const levy_rare_market *x;
    const levy_script_view *view;
    levy_outcome_view seen;
    double paid, left, effort; /* left: of what finding out may take */
    double worth;              /* the last one that was found */
} decisions_count;

/* What a decision is worth, found anew if there is time; else it is what it was. */
static levy_status decisions_worth(decisions_count *c, const levy_rare_event *e)
{
    if (levy_memory_stopped(c->x->arena->memory)) return LEVY_CANCELLED;
    if (c->left >= c->effort) c->worth = decisions_outcome(c->x, &c->seen, c->view, e);
    c->left -= c->effort;
    return LEVY_OK;
}

static double decisions_chance(const decisions_count *c, levy_rare_event *e)
{
    const levy_rare_market *const x = c->x;
    const levy_law_view law = {x->set, e->underlying, c->seen.assets[e->underlying],
                               levy_dynamics_spot(x->plan, x->set, e->underlying)};
    return levy_rare_chance(x, &law, e);
}

/* Adds the date that the view counts, if it lies between an event's date and that of the next one,
 * as only some of many dates have events. */
static levy_status decisions_between(decisions_count *c, levy_rare_event e,
                                     const levy_rare_event *next, levy_rare *rare)
{
    const levy_times dates = levy_trade_schedule(c->x->trade, e.schedule);
    const double at = c->view->time, before = e.chance;
    const size_t end = next ? next->date : dates.n;
    levy_rare_events own = {.share = 1.0};
    levy_rare_market x = *c->x;
    bool is_rare;
    for (++e.date; e.date < end; ++e.date)
        if (dates.times[e.date] == at || decisions_pays(x.trade, e.schedule, e.date) == at) break;
    if (e.date >= end) return LEVY_OK;
    e.time = dates.times[e.date];
    e.known = true;
    x.found = &own;
    if (e.together)
        levy_rare_share_of(&x, e.at / levy_dynamics_spot(x.plan, x.set, e.underlying), &e);
    LEVY_TRY(levy_rare_add(&x, e, &is_rare));
    if (own.n == 0 || !(own.events[0].chance > before)) return LEVY_OK;
    own.events[0].stays = e.share * (1.0 - before / own.events[0].chance);
    LEVY_TRY(decisions_worth(c, &own.events[0]));
    decisions_spread(&own.events[0], own.events[0].chance * own.events[0].stays, c->worth * c->paid,
                     rare);
    return LEVY_OK;
}

/* What a script's events are worth under a set. A report is no money. What a price has of the same
 * decision is the same on all its dates, and what would take too long is worth what it is today. A
 * view that counts one time has nothing of later dates, and of its own something else than of
 * earlier ones; what a view counts of all times differs by date. */
levy_status levy_rare_outcomes(const levy_rare_market *x, const levy_script_view *view,
                               levy_rare *rare)
{
    const levy_rare_events *const found = x->found;
    decisions_count c = {.x = x,
                         .view = view,
                         .paid = view && view->state != 0 ? 1.0 : x->discount,
                         .left = decisions_effort * (x->set == 0 ? decisions_more : 1.0),
                         .effort = levy_outcome_effort(x->trade)};
    const bool timed = view && !isnan(view->time);
    if (found->n == 0) return LEVY_OK;
    LEVY_TRY(levy_outcome_see(x->plan, x->set, x->trade, x->arena, &c.seen));
    for (size_t i = found->n; i-- > 0;) {
        levy_rare_event e = found->events[i];
        const bool last = i + 1 == found->n || !decisions_are_alike(&e, &found->events[i + 1]);
        const levy_rare_event *const next = last ? NULL : &found->events[i + 1];
        const bool turns =
            timed && (last || decisions_pays(x->trade, next->schedule, next->date) >= view->time);
        if (last) c.worth = view ? 0.0 : e.worth;
        if (timed && e.time > view->time) continue;
        const double chance = decisions_chance(&c, &e);
        if (turns) LEVY_TRY(decisions_between(&c, e, next, rare));
        if (last || turns || (view && !timed)) LEVY_TRY(decisions_worth(&c, &e));
        if (x->set == 0 && !view) found->events[i].worth = c.worth;
        decisions_spread(&e, chance * e.stays, c.worth * c.paid, rare);
    }
    return LEVY_OK;
}
