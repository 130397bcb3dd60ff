/* policy_fit.c: the fit of a rule of exercise (policy.h): what paths are at each date is summed for
 * all dates together, and then, from the last date to the first, the rule is fitted, and paths that
 * exercise are paid. Workers take blocks of groups of paths, and sums have a fixed order
 * (policy_fit.h). Must not know: items. */
#define LANE_SCALAR
#include "payoffs/policy_control.h"
#include "payoffs/policy_fit.h"

#include "payoffs/policy_sums.h"
#include "payoffs/scripted.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

/* ---- Polynomials ---- */

static void fit_monomial(levy_rule_monomials *m, size_t n, size_t degree, size_t parent,
                         size_t variable)
{
    const size_t first = m->n;
    if (n == 0 || degree == 0) {
        m->parent[first] = (uint8_t)parent;
        m->variable[first] = (uint8_t)variable;
        ++m->n;
        return;
    }
    fit_monomial(m, n - 1, degree, parent, variable);
    fit_monomial(m, n, degree - 1, first, n - 1);
}

void levy_rule_monomials_of(size_t n_variables, size_t degree, levy_rule_monomials *monomials)
{
    *monomials = (levy_rule_monomials){.n = 0};
    fit_monomial(monomials, n_variables, degree, 0, 0);
}

void levy_rule_monomials_by(const levy_policy *p, levy_rule_monomials *monomials)
{
    levy_rule_monomials_of(p->n_levels, p->degree, monomials);
    for (size_t v = p->n_levels; v < p->n_variables; ++v)
        fit_monomial(monomials, p->n_levels, p->apart, 0, v);
}

void levy_rule_solve(size_t n, double *products, double *c)
{
    double *row[LEVY_RULE_MOST], whole[LEVY_RULE_MOST]; /* row[i][j], j from i to n */
    for (size_t i = 0, at = 0; i < n; at += n + 1 - i, ++i) {
        row[i] = products + at - i;
        whole[i] = row[i][i];
    }
    for (size_t k = 0; k < n; ++k) {
        if (!(row[k][k] > LEVY_RULE_RANK * whole[k])) row[k][k] = 0.0;
        for (size_t i = k + 1; i < n && row[k][k] > 0.0; ++i) {
            const double share = row[k][i] / row[k][k];
            for (size_t j = i; j <= n; ++j) row[i][j] -= share * row[k][j];
        }
    }
    for (size_t k = n; k-- > 0;) {
        double left = row[k][n];
        for (size_t j = k + 1; j < n; ++j) left -= row[k][j] * c[j];
        c[k] = row[k][k] > 0.0 ? left / row[k][k] : 0.0;
    }
}

/* ---- Work ---- */

typedef struct fit_job {
    const levy_rule_fit *fit;
    levy_rule_work *work;
    size_t from, n_blocks, n_units; /* a unit: a block of a date */
    size_t n_added, n_sums;
    double *sums; /* [unit][n_sums]; NULL: none */
    atomic_size_t next;
} fit_job;

/* Numbers that a worker has: its working memory, and columns of sums behind it. */
static size_t fit_worker_room(void)
{
    return levy_rule_room() + LEVY_RULE_PRODUCTS(LEVY_RULE_MOST) * (size_t)LEVY_RULE_COLUMNS;
}

/* A column's next number: the sums of a date are added ones first, then least and most in turn. */
static double fit_next(const fit_job *job, size_t k, double a, double b)
{
    if (k < job->n_added) return a + b;
    const bool better = (k - job->n_added) % 2 ? b > a : b < a;
    return better ? b : a;
}

/* Column after column, where sums begin. */
static void fit_clear(const fit_job *job, double *columns)
{
    memset(columns, 0, job->n_added * LEVY_RULE_COLUMNS * sizeof *columns);
    for (size_t k = job->n_added; k < job->n_sums; ++k)
        for (size_t j = 0; j < LEVY_RULE_COLUMNS; ++j)
            columns[k * LEVY_RULE_COLUMNS + j] = (k - job->n_added) % 2 ? -1e300 : 1e300;
}

/* The sums of a block, from those of its columns. */
static void fit_fold(const fit_job *job, double *columns, double *sums)
{
    for (size_t k = 0; k < job->n_sums; ++k, columns += LEVY_RULE_COLUMNS) {
        for (size_t half = LEVY_RULE_COLUMNS / 2; half; half /= 2)
            for (size_t j = 0; j < half; ++j)
                if (k < job->n_added)
                    columns[j] += columns[j + half];
                else
                    columns[j] = fit_next(job, k, columns[j], columns[j + half]);
        sums[k] = columns[0];
    }
}

static void fit_block(const fit_job *job, size_t unit, double *room)
{
    const size_t date = job->from + unit / job->n_blocks,
                 first = unit % job->n_blocks * LEVY_RULE_GROUPS, left = job->fit->n_groups - first,
                 end = first + (left < LEVY_RULE_GROUPS ? left : LEVY_RULE_GROUPS);
    double *const columns = room + levy_rule_room();
    fit_clear(job, columns);
    for (size_t group = first; group < end; ++group)
        job->work(&job->fit->pass, date, group, room, columns);
    if (job->sums) fit_fold(job, columns, job->sums + unit * job->n_sums);
}

static void fit_work(void *user, uint32_t worker)
{
    fit_job *const job = user;
    double *const room = job->fit->rooms + worker * fit_worker_room();
    for (size_t unit; (unit = atomic_fetch_add(&job->next, 1)) < job->n_units;)
        fit_block(job, unit, room);
}

bool levy_rule_run(levy_rule_fit *fit, levy_rule_work *work, size_t from, size_t to, size_t n_added,
                   size_t n_ranges, double *totals)
{
    const size_t n_blocks = (fit->n_groups + LEVY_RULE_GROUPS - 1) / LEVY_RULE_GROUPS;
    fit_job job = {.fit = fit,
                   .work = work,
                   .from = from,
                   .n_blocks = n_blocks,
                   .n_units = (to - from) * n_blocks,
                   .n_added = n_added,
                   .n_sums = n_added + 2 * n_ranges};
    const levy_memory *const memory = fit->scratch->memory;
    atomic_init(&job.next, 0);
    if (totals &&
        !(job.sums = levy_memory_allocate(memory, job.n_units * job.n_sums, sizeof *job.sums)))
        return false;
    fit->team->run(fit->team->state, fit_work, &job);
    for (size_t unit = 0; unit < job.n_units && totals; ++unit) {
        double *const total = totals + unit / n_blocks * job.n_sums;
        const double *const sums = job.sums + unit * job.n_sums;
        for (size_t k = 0; k < job.n_sums; ++k)
            total[k] = unit % n_blocks ? fit_next(&job, k, total[k], sums[k]) : sums[k];
    }
    levy_memory_release(memory, job.sums);
    return true;
}

/* ---- The rule ---- */

typedef struct policy_work {
    levy_rule_fit fit;
    double *fitted, *moments, *slope, *shift;
    size_t without; /* dates that have no exercise */
} policy_work;

static const double *policy_moments(const policy_work *w, size_t date)
{
    return w->moments + date * LEVY_RULE_RANGE(w->fit.pass.policy, w->fit.pass.policy->n_variables);
}

/* The martingales of a date, from those of the next. */
static void policy_forwards(const policy_work *w, size_t date)
{
    const levy_policy *const p = w->fit.pass.policy;
    const levy_stage_levels *const l = w->fit.pass.levels;
    const double *const next = date + 1 < l->n_dates ? policy_moments(w, date + 1) : NULL;
    for (size_t u = 0; u < p->n_controls; ++u)
        rule_martingale(p, u, (double)l->n_paths, l->spot[u], policy_moments(w, date), next,
                        w->slope + date * p->n_assets + u, w->shift + date * p->n_assets + u);
}

/* How variables are standardised on a date. */
static void policy_standardise(const policy_work *w, size_t date)
{
    const levy_policy *const p = w->fit.pass.policy;
    double *const numbers = w->fitted + date * p->stage.n_fitted;
    for (size_t j = 0; j < p->n_variables; ++j)
        rule_standard(p, j, policy_moments(w, date), numbers + j * LEVY_POLICY_NUMBERS);
}

/* Fits the polynomial of a date to what paths in the money get later beyond exercise. */
static bool policy_date(policy_work *w, size_t date)
{
    const levy_policy *const p = w->fit.pass.policy;
    const size_t terms = w->fit.pass.monomials.n, n = terms + p->n_controls * p->n_powers;
    double c[LEVY_RULE_MOST], *const more = w->fitted + date * p->stage.n_fitted +
                                            LEVY_POLICY_NUMBERS * p->n_variables;
    if (policy_moments(w, date)[0] < (double)(LEVY_POLICY_PATHS * terms)) {
        more[0] = LEVY_POLICY_NEVER;
        ++w->without;
        return true;
    }
    policy_standardise(w, date);
    if (!levy_rule_run(&w->fit, w->fit.team->policy->products, date, date + 1,
                       LEVY_RULE_PRODUCTS(n), 0, w->fit.products))
        return false;
    levy_rule_solve(n, w->fit.products, c);
    memcpy(more, c + (n - terms), terms * sizeof *more);
    return levy_rule_run(&w->fit, w->fit.team->policy->decide, date, date + 1, 0, 0, NULL);
}

/* What exercise pays today. */
static double policy_gain(const levy_policy *p, const levy_stage_levels *l)
{
    double at[LEVY_SCRIPT_ASSETS];
    for (size_t u = 0; u < p->n_assets; ++u) at[u] = p->coefficients[u] * l->spot[u];
    return p->sign * (levy_policy_level(p, at) - p->strike);
}

/* Whether that is at least the mean of what paths get later. False: no memory. */
static bool policy_today(policy_work *w, double *exercised)
{
    const levy_policy *const p = w->fit.pass.policy;
    const levy_stage_levels *const l = w->fit.pass.levels;
    const double gain = policy_gain(p, l);
    double sum = 0.0;
    if (!(gain > 0.0)) return true;
    if (!levy_rule_run(&w->fit, w->fit.team->policy->paid, 0, 1, 1, 0, &sum)) return false;
    *exercised = gain * l->today >= sum / (double)l->n_paths;
    return true;
}

static bool policy_reserve(policy_work *w)
{
    levy_rule_fit *const f = &w->fit;
    levy_rule_pass *const pass = &f->pass;
    const levy_policy *const p = pass->policy;
    const size_t n_dates = pass->levels->n_dates, each = fit_worker_room();
    f->n_groups = (pass->levels->n_paths + LEVY_RULE_GROUP - 1) / LEVY_RULE_GROUP;
    pass->stride = f->n_groups * LEVY_RULE_GROUP;
    f->rooms = levy_arena_allocate(f->scratch, f->team->n_workers * each + 8, sizeof *f->rooms);
    pass->paid = levy_arena_allocate(f->scratch, pass->stride, sizeof *pass->paid);
    pass->last = levy_arena_allocate(f->scratch, p->n_controls * pass->stride, sizeof *pass->last);
    w->slope = levy_arena_allocate(f->scratch, n_dates * p->n_assets, sizeof *w->slope);
    w->shift = levy_arena_allocate(f->scratch, n_dates * p->n_assets, sizeof *w->shift);
    w->moments = levy_arena_allocate(f->scratch, n_dates * LEVY_RULE_RANGE(p, p->n_variables),
                                     sizeof *w->moments);
    w->fit.products = levy_arena_allocate(f->scratch, LEVY_RULE_PRODUCTS(LEVY_RULE_MOST),
                                          sizeof *w->fit.products);
    if (!f->rooms || !pass->paid || !pass->last || !w->slope || !w->shift || !w->moments ||
        !w->fit.products)
        return false;
    if (p->control &&
        !(pass->control = levy_arena_allocate(f->scratch, pass->stride, sizeof *pass->control)))
        return false;
    f->rooms = (double *)(((uintptr_t)f->rooms + 63) & ~(uintptr_t)63);
    pass->slope = w->slope;
    pass->shift = w->shift;
    levy_rule_monomials_by(p, &pass->monomials);
    return true;
}

/* What holds on all dates, and what paths get at expiry. */
static bool policy_begin(policy_work *w)
{
    const levy_policy *const p = w->fit.pass.policy;
    const size_t n_dates = w->fit.pass.levels->n_dates;
    if (!levy_rule_run(&w->fit, w->fit.team->policy->moments, 0, n_dates, LEVY_RULE_RANGE(p, 0),
                       p->n_variables, w->moments))
        return false;
    for (size_t date = n_dates; date-- > 0;) policy_forwards(w, date);
    return levy_rule_run(&w->fit, w->fit.team->policy->decide, n_dates - 1, n_dates, 0, 0, NULL);
}

/* Says what too few paths leave out. */
static void policy_remark(const policy_work *w, bool bounds, char *why)
{
    const levy_policy *const p = w->fit.pass.policy;
    if (w->without > 0)
        snprintf(why, LEVY_STAGE_WHY,
                 "%zu of its dates have no exercise: fewer than %zu of the paths of the fit are in "
                 "the money there",
                 w->without, LEVY_POLICY_PATHS * w->fit.pass.monomials.n);
    const size_t said = strlen(why);
    if (bounds && w->fit.pass.levels->n_paths < levy_bound_least(p->bound))
        snprintf(why + said, LEVY_STAGE_WHY - said,
                 "%sits upper bound has no martingale: that takes %zu paths of the fit",
                 said ? "; " : "", levy_bound_least(p->bound));
}

/* The same by the device that has the levels. */
static bool policy_fit_there(const levy_policy *p, const levy_stage_levels *levels, double *fitted,
                             char *why)
{
    levy_stage_device *const device = levels->device;
    policy_work w = {.fit = {.pass = {.policy = p, .levels = levels}}};
    const double *const more = fitted + LEVY_POLICY_NUMBERS * p->n_variables;
    double *const today = fitted + levels->n_dates * p->stage.n_fitted, gain = 0.0;
    levy_rule_monomials_by(p, &w.fit.pass.monomials);
    device->status = device->fit(device->state, &w.fit.pass, fitted, device->why);
    if (device->status != LEVY_OK) return false;
    for (size_t date = 0; date + 1 < levels->n_dates; ++date)
        w.without += more[date * p->stage.n_fitted] == LEVY_POLICY_NEVER;
    if (p->today) gain = policy_gain(p, levels);
    *today = gain > 0.0 && gain * levels->today >= *today / (double)levels->n_paths;
    policy_remark(&w, false, why);
    return true;
}

bool levy_policy_fit(const levy_claim *claim, const levy_stage_levels *levels, levy_arena *scratch,
                     double *fitted, char *why)
{
    const levy_policy *const p = claim->scripted->policy;
    const bool bounds = p->bound && levels->forwards;
    policy_work w = {.fit = {.pass = {.policy = p, .levels = levels, .fitted = fitted},
                             .team = levels->team,
                             .scratch = scratch},
                     .fitted = fitted};
    size_t date = levels->n_dates - 1;
    if (levels->device) return policy_fit_there(p, levels, fitted, why);
    if (!policy_reserve(&w) || (bounds && !levy_bound_fit_begin(&w.fit, fitted)) ||
        !policy_begin(&w) || (bounds && !levy_bound_fit_date(&w.fit, date, fitted)))
        return false;
    while (date-- > 0) {
        if (levy_memory_stopped(scratch->memory)) return false;
        if ((levels->events[date] & 1) && !policy_date(&w, date)) return false;
        if (bounds && !levy_bound_fit_date(&w.fit, date, fitted)) return false;
    }
    if (p->today && !policy_today(&w, fitted + levels->n_dates * p->stage.n_fitted)) return false;
    if (p->control)
        levy_control_fit(p, levels->n_paths, levels->n_dates, w.fit.pass.paid, w.fit.pass.control,
                         fitted);
    policy_remark(&w, bounds, why);
    return true;
}
