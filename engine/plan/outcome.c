/* outcome.c: see outcome.h. */
#include "engine/plan/outcome.h"

#include "engine/plan/bumped.h"
#include "kernels/lane/scalar.h"
#include "payoffs/scripted.h"

#include <math.h>
#include <string.h>

/* A path, and how it is read. */
typedef struct outcome_path {
    const levy_dynamics_plan *dynamics;
    const levy_outcome_view *seen;
    const levy_trade *trade;
    const levy_script_view *view;
    const levy_outcome *outcome;
    double today[LEVY_MAX_ASSETS]; /* levels, as the payoff sees them */
    double moved;    /* the logarithm of the underlying less its median, on the date */
    double variance; /* of it until then */
    double point;    /* of the normal law */
    bool goes;       /* to the level, and not just before it */
} outcome_path;

/* The variance of an underlying's logarithm from the set's own date on. */
static double outcome_variance(const outcome_path *p, size_t u, double time)
{
    const double elapsed = p->dynamics->sets[p->seen->set].elapsed,
                 now = levy_dynamics_deviation(p->dynamics, &p->seen->assets[u], time),
                 then = elapsed > 0.0
                            ? levy_dynamics_deviation(p->dynamics, &p->seen->assets[u], elapsed)
                            : 0.0;
    return time > elapsed ? now * now - then * then : 0.0;
}

/* The logarithm of an underlying's median at a time, over its spot. */
static double outcome_median(const outcome_path *p, size_t u, double time)
{
    return levy_dynamics_log_forward(p->dynamics, p->seen->set, &p->seen->assets[u], time) -
           0.5 * outcome_variance(p, u, time);
}

/* How far the path of an underlying is from its median: by its share of the move of the one that
 * goes to the level, and by what is left of its law. */
static double outcome_move(const outcome_path *p, size_t u, double time)
{
    const levy_outcome *const o = p->outcome;
    const double rho =
        levy_dynamics_correlation(p->dynamics, p->seen->set, o->time, o->underlying, u);
    const double until = outcome_variance(p, u, fmin(time, o->time)),
                 date = outcome_variance(p, u, o->time), all = outcome_variance(p, u, time),
                 share = date > 0.0 ? rho * until / levy_sqrt(date * p->variance) : 0.0,
                 left = all - rho * rho * until;
    return share * p->moved + p->point * levy_sqrt(left > 0.0 ? left : 0.0);
}

static double outcome_level(const outcome_path *p, size_t u, double time)
{
    return p->today[u] * levy_exp(outcome_median(p, u, time) + outcome_move(p, u, time));
}

/* Holds those that go to the level back on all dates of its schedule but one. */
static void outcome_levels(const outcome_path *p, size_t schedule, double time, double *levels)
{
    const levy_outcome *const o = p->outcome;
    const double side = o->level > o->before ? 1.0 : -1.0,
                 spot = levy_dynamics_spot(p->dynamics, p->seen->set, o->underlying);
    const bool here = p->goes && schedule == o->schedule && fabs(time - o->time) < 1e-9;
    for (size_t u = 0; u < p->trade->n_underlyings; ++u) {
        const double most = p->today[u] * (here ? o->level : o->before) / spot;
        levels[u] = outcome_level(p, u, time);
        if (u != o->underlying && !(o->together && schedule == o->schedule)) continue;
        if (here || (schedule == o->schedule && side * levels[u] > side * most)) levels[u] = most;
    }
}

/* 1 where the view counts what happens at a time. */
static double outcome_counts(const outcome_path *p, double time)
{
    return p->view && p->view->time == p->view->time && p->view->time != time ? 0.0 : 1.0;
}

/* What 1 is worth, in money of the payment date, that is paid at a time and counts. */
static double outcome_worth(const outcome_path *p, double time)
{
    const double paid = levy_curve_log_discount(p->seen->curve, p->trade->claim.payment_time);
    return levy_exp(levy_curve_log_discount(p->seen->curve, fmax(time, 0.0)) - paid) *
           outcome_counts(p, time);
}

static levy_script_date outcome_date(const outcome_path *p, size_t schedule, size_t number)
{
    const levy_script_dates *const dates = &p->trade->kind.scripted->dates[schedule];
    const double time = dates->times[number];
    return (levy_script_date){.number = number,
                              .time = time,
                              .worth = outcome_worth(p, dates->paid ? dates->paid[number] : time),
                              .due = outcome_counts(p, p->trade->claim.payment_time),
                              .ends = outcome_counts(p, time),
                              .weights = p->today};
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

/* What the path pays. */
static double outcome_run(const outcome_path *p)
{
    const levy_scripted *const s = p->trade->kind.scripted;
    const levy_script_program *const program = s->script.program;
    const levy_script_block *const blocks = LEVY_SCRIPT_PROGRAM_BLOCKS(program);
    double states[LEVY_SCRIPT_STATES], levels[LEVY_MAX_ASSETS], time;
    size_t done[LEVY_SCRIPT_BLOCKS];
    memcpy(states, s->states, program->n_states * sizeof *states);
    if (s->script.ended && s->states[s->script.alive] > 0.0)
        states[s->script.ended] = outcome_counts(p, s->expiry);
    for (size_t k = 0; k < LEVY_SCRIPT_BLOCKS; ++k) done[k] = s->dates[k].n_past;
    while ((time = outcome_next(s, program->n_blocks, done)) < INFINITY) {
        bool ran[LEVY_SCRIPT_BLOCKS] = {false};
        for (uint32_t k = 0; k < program->n_blocks; ++k) {
            const uint32_t schedule = blocks[k].schedule;
            const levy_script_dates *const dates = &s->dates[schedule];
            if (done[schedule] == dates->n || dates->times[done[schedule]] > time + 1e-9) continue;
            const levy_script_date date = outcome_date(p, schedule, done[schedule]);
            outcome_levels(p, schedule, time, levels);
            levy_scripted_run(s, k, &date, levels, states);
            ran[schedule] = true;
        }
        for (size_t k = 0; k < LEVY_SCRIPT_BLOCKS; ++k) done[k] += ran[k];
    }
    return states[p->view ? p->view->state : s->settles];
}

levy_status levy_outcome_see(const levy_dynamics_plan *m, uint32_t set, const levy_trade *t,
                             levy_arena *arena, levy_outcome_view *seen)
{
    levy_asset *const assets = levy_arena_allocate(arena, t->n_underlyings, sizeof *assets);
    if (!assets) return LEVY_MEMORY;
    for (size_t u = 0; u < t->n_underlyings; ++u)
        LEVY_TRY(levy_dynamics_asset(m, set, u, arena, &assets[u]));
    *seen = (levy_outcome_view){set, assets, NULL};
    return levy_dynamics_curve(m, set, t->discount_curve, arena, &seen->curve);
}

double levy_outcome_of(const levy_dynamics_plan *m, const levy_outcome_view *seen,
                       const levy_trade *t, const levy_script_view *view,
                       const levy_outcome *outcome)
{
    static const double points[] = {-1.7320508075688772, 0.0, 1.7320508075688772},
                        shares[] = {1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0};
    outcome_path p = {.dynamics = m, .seen = seen, .trade = t, .view = view, .outcome = outcome};
    const size_t u = outcome->underlying;
    double more = 0.0;
    levy_bumped_levels(m, seen->set, t, p.today);
    p.variance = outcome_variance(&p, u, outcome->time);
    p.moved = levy_log(outcome->level / levy_dynamics_spot(m, seen->set, u)) -
              outcome_median(&p, u, outcome->time);
    for (size_t k = 0; k < sizeof points / sizeof *points && p.variance > 0.0; ++k) {
        p.point = points[k];
        p.goes = true;
        const double there = outcome_run(&p);
        p.goes = false;
        more += shares[k] * (there - outcome_run(&p));
    }
    return more;
}
