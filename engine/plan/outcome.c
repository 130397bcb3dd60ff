/* outcome.c: see outcome.h. */
#include "engine/plan/outcome.h"

#include "engine/plan/bumped.h"
#include "engine/problem/today.h"
#include "engine/problem/trade.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

enum { OUTCOME_POINTS = 3 };
static const double outcome_points[OUTCOME_POINTS] = {-1.7320508075688772, 0.0, 1.7320508075688772},
                    outcome_shares[OUTCOME_POINTS] = {1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0};

/* A payment that changes by less than this share of what it changes further on bends there. */
static const double outcome_bends = 0.125;

/* A path that goes to a level, or stops before it. */
typedef struct outcome_path {
    levy_outcome_path own;
    const levy_outcome *outcome;
    double rho[LEVY_MAX_ASSETS];    /* with the underlying that goes to the level */
    double level[LEVY_MAX_ASSETS];  /* where the script decides otherwise, */
    double before[LEVY_MAX_ASSETS]; /* and just before it */
    double moved;                   /* by how many deviations the underlying is there */
    double point;                   /* of the normal law */
    bool goes;                      /* to the level, and not just before it */
} outcome_path;

/* ---- Levels ---- */

static size_t outcome_row(const levy_outcome_path *p, size_t schedule, size_t date)
{
    return (p->seen->first[schedule] + date) * p->trade->n_underlyings;
}

/* A level on a date: its median, its share of the move of the one that goes to the level, and a
 * point of what is left of its law. */
static double outcome_level(const outcome_path *p, size_t u, size_t schedule, size_t date)
{
    const double *const variance = p->own.seen->variance + u;
    const double all = variance[outcome_row(&p->own, schedule, date)],
                 then = variance[outcome_row(&p->own, p->outcome->schedule, p->outcome->date)],
                 until = fmin(all, then), left = all - p->rho[u] * p->rho[u] * until,
                 share = then > 0.0 ? p->rho[u] * until / levy_sqrt(then) : 0.0;
    return p->own.today[u] *
           levy_exp(p->own.seen->median[outcome_row(&p->own, schedule, date) + u] +
                    share * p->moved + p->point * levy_sqrt(fmax(left, 0.0)));
}

/* Holds those that go to the level back on the dates of its schedule before, and those that do not
 * on all. */
static void outcome_levels(const levy_outcome_path *path, size_t schedule, size_t date,
                           double *levels)
{
    const outcome_path *const p = (const outcome_path *)path;
    const levy_outcome *const o = p->outcome;
    const double side = o->level > o->before ? 1.0 : -1.0;
    const bool own = schedule == o->schedule, here = own && date == o->date;
    for (size_t u = 0; u < path->trade->n_underlyings; ++u) {
        const double most = here && p->goes ? p->level[u] : p->before[u];
        levels[u] = outcome_level(p, u, schedule, date);
        if (!own || (u != o->underlying && !o->together)) continue;
        if (p->goes && date > o->date) continue;
        if (here || side * levels[u] > side * most) levels[u] = most;
    }
}

/* ---- The script ---- */

/* 1 where the view counts what happens at a time. */
static double outcome_counts(const levy_outcome_path *p, double time)
{
    return p->view && p->view->time == p->view->time && p->view->time != time ? 0.0 : 1.0;
}

/* Runs a block on the date of its schedule, today's at today's levels. */
static uint64_t outcome_date(const levy_outcome_path *p, uint32_t block, size_t schedule,
                             size_t number, double *states)
{
    const levy_scripted *const s = p->trade->kind.scripted;
    const levy_script_dates *const dates = &s->dates[schedule];
    const size_t past = dates->n_past + dates->has_today;
    const double time = dates->times[number], paid = dates->paid ? dates->paid[number] : time;
    levy_script_date date = {.number = number,
                             .time = time,
                             .due = outcome_counts(p, p->trade->claim.payment_time),
                             .ends = outcome_counts(p, time),
                             .weights = p->today,
                             .supposed = number >= past};
    double levels[LEVY_MAX_ASSETS];
    memcpy(levels, p->today, p->trade->n_underlyings * sizeof *levels);
    if (number >= past) {
        p->levels(p, schedule, number - past, levels);
        date.worth = p->seen->worth[p->seen->first[schedule] + number - past];
        date.worth *= outcome_counts(p, paid);
    }
    return levy_scripted_run(s, block, &date, levels, states);
}

/* The time of the next date of any schedule. */
static double outcome_next(const levy_scripted *s, uint32_t n_blocks, const size_t *done)
{
    double time = INFINITY;
    for (uint32_t k = 0; k < n_blocks; ++k) {
        const uint32_t schedule = LEVY_SCRIPT_PROGRAM_BLOCKS(s->script.program)[k].schedule;
        if (done[schedule] < s->dates[schedule].n)
            time = fmin(time, s->dates[schedule].times[done[schedule]]);
    }
    return time;
}

/* What a built-in payoff pays on the path, which is its past until it ends. */
static double outcome_built_in(const levy_outcome_path *p, uint64_t *decided)
{
    levy_trade own = *p->trade;
    const size_t now = own.claim.observes_now ? 1 : 0, n = now + own.claim.observations.n;
    double levels[LEVY_MAX_ASSETS];
    own.claim.observations.n = 0;
    own.claim.observes_now = false;
    for (size_t i = 0; i < n; ++i) {
        memcpy(levels, p->today, own.n_underlyings * sizeof *levels);
        if (i >= now) p->levels(p, 0, i - now, levels);
        for (size_t u = 0; u < own.n_underlyings; ++u) levels[u] /= own.claim.coefficients[u];
        levy_trade_take_past(&own, levels, false);
    }
    p->levels(p, 1, 0, levels);
    return levy_today_end(&own, levels, decided);
}

double levy_outcome_run(const levy_outcome_path *p, uint64_t *decided)
{
    if (!p->trade->kind.scripted) return outcome_built_in(p, decided);
    const levy_scripted *const s = p->trade->kind.scripted;
    const levy_script_program *const program = s->script.program;
    double states[LEVY_SCRIPT_STATES], time;
    size_t done[LEVY_SCRIPT_BLOCKS];
    *decided = 0;
    memcpy(states, s->states, program->n_states * sizeof *states);
    if (s->script.ended && s->states[s->script.alive] > 0.0)
        states[s->script.ended] = outcome_counts(p, s->expiry);
    for (size_t k = 0; k < LEVY_SCRIPT_BLOCKS; ++k) done[k] = s->dates[k].n_past;
    while ((time = outcome_next(s, program->n_blocks, done)) < INFINITY) {
        const bool counts = !(p->only > 0.0) || fabs(time - p->only) <= 1e-9;
        bool ran[LEVY_SCRIPT_BLOCKS] = {false};
        for (uint32_t k = 0; k < program->n_blocks; ++k) {
            const uint32_t schedule = LEVY_SCRIPT_PROGRAM_BLOCKS(program)[k].schedule;
            const levy_script_dates *const dates = &s->dates[schedule];
            if (done[schedule] == dates->n || dates->times[done[schedule]] > time + 1e-9) continue;
            const uint64_t date = outcome_date(p, k, schedule, done[schedule], states);
            if (counts) *decided = *decided * 31 + date;
            ran[schedule] = true;
        }
        for (size_t k = 0; k < LEVY_SCRIPT_BLOCKS; ++k) done[k] += ran[k];
    }
    return states[p->view ? p->view->state : s->settles];
}

/* ---- Markets ---- */

static size_t outcome_dates(const levy_trade *t)
{
    size_t n = t->kind.scripted ? 0 : 1; /* a built-in payoff's expiry */
    for (size_t k = 0; k <= t->kind.n_further; ++k) n += levy_trade_schedule(t, k).n;
    return n;
}

size_t levy_outcome_size(const levy_trade *t) { return outcome_dates(t) * t->n_underlyings; }

double levy_outcome_effort(const levy_trade *t)
{
    return 4.0 * OUTCOME_POINTS * (double)levy_outcome_size(t);
}

/* Fills the row of a date. What is until the set's own date has happened. */
static void outcome_see_date(const levy_dynamics_plan *m, const levy_trade *t, double time,
                             size_t row, levy_outcome_view *seen)
{
    const double elapsed = m->sets[seen->set].elapsed;
    for (size_t u = 0; u < t->n_underlyings; ++u) {
        const size_t at = row * t->n_underlyings + u;
        const double now = levy_dynamics_deviation(m, &seen->assets[u], time),
                     then = elapsed > 0.0 ? levy_dynamics_deviation(m, &seen->assets[u], elapsed)
                                          : 0.0;
        seen->variance[at] = time > elapsed ? now * now - then * then : 0.0;
        seen->median[at] = levy_dynamics_log_forward(m, seen->set, &seen->assets[u], time) -
                           0.5 * seen->variance[at];
    }
}

levy_status levy_outcome_see(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                             levy_arena *arena, levy_outcome_view *seen)
{
    const size_t n = t->n_underlyings, n_dates = outcome_dates(t);
    *seen = (levy_outcome_view){.set = set, .first = {0, n_dates - 1}};
    if (!t->kind.scripted) return LEVY_OK;
    levy_asset *const assets = levy_arena_allocate(arena, n, sizeof *assets);
    const levy_curve *curve;
    size_t row = 0;
    LEVY_TRY(levy_dynamics_curve(m, set, t->discount_curve, arena, &curve));
    *seen = (levy_outcome_view){.set = set, .assets = assets};
    seen->median = levy_arena_allocate(arena, n_dates * n, sizeof *seen->median);
    seen->variance = levy_arena_allocate(arena, n_dates * n, sizeof *seen->variance);
    seen->worth = levy_arena_allocate(arena, n_dates, sizeof *seen->worth);
    if (!assets || !seen->median || !seen->variance || !seen->worth) return LEVY_MEMORY;
    for (size_t u = 0; u < n; ++u) LEVY_TRY(levy_dynamics_asset(m, set, u, arena, &assets[u]));
    const double due = levy_curve_log_discount(curve, t->claim.payment_time);
    for (size_t k = 0; k <= t->kind.n_further; ++k) {
        const levy_script_dates *const dates = &t->kind.scripted->dates[k];
        const levy_times times = levy_trade_schedule(t, k);
        seen->first[k] = row;
        for (size_t i = 0; i < times.n; ++i, ++row) {
            const double paid =
                dates->paid ? dates->paid[dates->n_past + dates->has_today + i] : times.times[i];
            outcome_see_date(m, t, times.times[i], row, seen);
            seen->worth[row] = levy_exp(levy_curve_log_discount(curve, paid) - due);
        }
    }
    return LEVY_OK;
}

/* What paths that go to the level pay more than those that stop before it. */
static double outcome_differs(outcome_path *p)
{
    double more = 0.0;
    uint64_t decided;
    for (size_t k = 0; k < OUTCOME_POINTS; ++k) {
        p->point = outcome_points[k];
        p->goes = true;
        const double there = levy_outcome_run(&p->own, &decided);
        p->goes = false;
        more += outcome_shares[k] * (there - levy_outcome_run(&p->own, &decided));
    }
    return more;
}

double levy_outcome_of(const levy_dynamics_plan *m, const levy_outcome_view *seen,
                       const levy_trade *t, const levy_script_view *view,
                       const levy_outcome *outcome)
{
    outcome_path p = {.own = {seen, t, view, {0.0}, 0.0, outcome_levels}, .outcome = outcome};
    const size_t u = outcome->underlying;
    const double spot = levy_dynamics_spot(m, seen->set, u),
                 time = levy_trade_schedule(t, outcome->schedule).times[outcome->date];
    const size_t at = outcome_row(&p.own, outcome->schedule, outcome->date) + u;
    if (!(seen->variance[at] > 0.0)) return 0.0;
    levy_bumped_levels(m, seen->set, t, p.own.today);
    for (size_t v = 0; v < t->n_underlyings; ++v) {
        p.rho[v] = levy_dynamics_correlation(m, seen->set, time, u, v);
        p.level[v] = p.own.today[v] * outcome->level / spot;
        p.before[v] = p.own.today[v] * outcome->before / spot;
    }
    p.moved = (levy_log(outcome->level / spot) - seen->median[at]) / levy_sqrt(seen->variance[at]);
    const double jump = outcome_differs(&p);
    /* where paths that are beyond it are on average, by the tail of a normal law */
    const double side = outcome->level > outcome->before ? 1.0 : -1.0,
                 past = side / fmax(fabs(p.moved), 1.0),
                 further = levy_exp(past * levy_sqrt(seen->variance[at]));
    p.moved += past;
    for (size_t v = 0; v < t->n_underlyings; ++v) p.level[v] *= further;
    const double bend = outcome_differs(&p);
    return fabs(jump) > outcome_bends * fabs(bend) ? jump : 0.0;
}
