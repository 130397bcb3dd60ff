/* fit_isa.c: the work of a fit on groups of paths (payoffs/policy_fit.h), compiled once per
 * instruction set. A part of a group is the paths of its rows that lie in one register. Must not
 * know: threads, the order of dates. */
#include "kernels/lane/lane.h"

#if !defined(LANE_SINGLE) /* one build: fits are in double */

#include "payoffs/policy_bound_lanes.h"
#include "payoffs/policy_fit.h"

#include <string.h>

enum {
    FIT_PARTS = LEVY_RULE_COLUMNS / LANES,
    FIT_GROUP = LEVY_RULE_GROUP / LANES,
    FIT_STEP = LEVY_RULE_APART / LANES
};

/* ---- Sums ---- */

static lane fit_load(const double *from)
{
    lane x;
    memcpy(&x, from, sizeof x);
    return x;
}
static void fit_store(double *to, lane x) { memcpy(to, &x, sizeof x); }

/* Adds to the columns of a sum. */
static void fit_add(double *sum, size_t part, lane x)
{
    fit_store(sum + part * LANES, fit_load(sum + part * LANES) + x);
}

/* Sums of products of columns i and i + 1 with `width` of them from j on. sums: by column of i, and
 * behind them at `next` of i + 1, whose products with columns from `second` on are wanted. */
LANE_FN void fit_tile(const lane *a, const lane *b, size_t width, double *sums, size_t next,
                      size_t second)
{
    for (size_t part = 0; part < FIT_PARTS; ++part) {
        lane sum[2][LEVY_RULE_TILE];
        LANE_UNROLL for (size_t k = 0; k < width; ++k) sum[0][k] = sum[1][k] = (lane){0};
        for (size_t at = part; at < FIT_GROUP; at += FIT_PARTS)
            LANE_UNROLL for (size_t k = 0; k < width; ++k)
            {
                sum[0][k] = sum[0][k] + a[at] * b[k * FIT_STEP + at];
                sum[1][k] = sum[1][k] + a[FIT_STEP + at] * b[k * FIT_STEP + at];
            }
        LANE_UNROLL for (size_t k = 0; k < width; ++k)
        {
            double *const to = sums + k * LEVY_RULE_COLUMNS;
            fit_add(to, part, sum[0][k]);
            if (k >= second) fit_add(to + next, part, sum[1][k]);
        }
    }
}

/* Sums of products of columns 0 to n - 1 with themselves and column n. */
static void fit_products(const lane *x, size_t n, double *sums)
{
    for (size_t i = 0; i < n; i += 2) {
        const lane *const a = x + i * FIT_STEP;
        const size_t next = (n - i) * LEVY_RULE_COLUMNS;
        for (size_t j = i; j <= n; j += LEVY_RULE_TILE) {
            const lane *const b = x + j * FIT_STEP;
            double *const to = sums + (j - i) * LEVY_RULE_COLUMNS;
            /* column i + 1 has its own row from itself on; there is none behind the last */
            const size_t left = n + 1 - j,
                         second = i + 1 == n ? (size_t)LEVY_RULE_TILE : (size_t)(j == i);
            if (left >= 4)
                fit_tile(a, b, 4, to, next, second);
            else if (left == 3)
                fit_tile(a, b, 3, to, next, second);
            else if (left == 2)
                fit_tile(a, b, 2, to, next, second);
            else
                fit_tile(a, b, 1, to, next, second);
        }
        sums += (2 * (n - i) + 1) * LEVY_RULE_COLUMNS;
    }
}

/* ---- Paths ---- */

/* The first path of part `at` of a group, whose rows' parts follow each other. */
static size_t fit_path(size_t group, size_t at) { return group * LEVY_RULE_GROUP + at * LANES; }

/* Which paths there are. */
static lane_mask fit_alive(const levy_rule_pass *w, size_t path)
{
    lane number = {0.0};
    if (path + LANES <= w->levels->n_paths) return lane_not((lane_mask){0});
    for (int i = 0; i < LANES; ++i) number[i] = (double)(path + (size_t)i);
    return number < (double)w->levels->n_paths;
}

static const double *fit_row(const levy_rule_pass *w, size_t date, size_t u)
{
    return w->levels->levels + (date * w->levels->n_assets + u) * w->levels->n_paths;
}
static lane fit_variance(const levy_rule_pass *w, size_t date, size_t path)
{
    if (!w->policy->varies) return lane_of(0.0);
    return fit_load(w->levels->variances + date * w->levels->n_paths + path);
}

/* What a path is at a date. */
typedef struct fit_seen {
    lane_mask pays;
    lane gain, v[LEVY_POLICY_VARIABLES];
} fit_seen;

static fit_seen fit_see(const levy_rule_pass *w, size_t date, size_t path)
{
    const levy_policy *const p = w->policy;
    lane x[LEVY_SCRIPT_ASSETS + 1];
    fit_seen seen;
    x[0] = lane_of(0.0); /* for a compiler that does not know that there is an asset */
    for (size_t u = 0; u < p->n_assets; ++u) {
        const double *const row = fit_row(w, date, u) + path;
        __builtin_prefetch(row + LEVY_RULE_GROUP); /* a page, at whose end the processor stops */
        x[u] = fit_load(row) * p->coefficients[u];
    }
    const lane level = policy_level(p, x);
    seen.gain = (level - p->strike) * p->sign;
    seen.pays = (seen.gain > 0.0) & fit_alive(w, path);
    if (p->varies) x[1] = fit_variance(w, date, path);
    policy_variables(p, level, x, seen.v);
    return seen;
}

/* Standardises the variables of a path. */
static void fit_standardise(const levy_rule_pass *w, size_t date, lane *v)
{
    const double *number = w->fitted + date * w->policy->stage.n_fitted;
    for (size_t j = 0; j < w->policy->n_variables; ++j, number += LEVY_POLICY_NUMBERS)
        v[j] = (v[j] - number[LEVY_POLICY_MEAN]) * number[LEVY_POLICY_SHARE];
}

static void fit_monomials(const levy_rule_monomials *m, const lane *v, lane product, lane *x)
{
    x[0] = product;
    for (size_t k = 1; k < m->n; ++k) { /* the last one is not read again while it is stored */
        const size_t parent = m->parent[k];
        product = (parent + 1 == k ? product : x[parent * FIT_STEP]) * v[m->variable[k]];
        x[k * FIT_STEP] = product;
    }
}

static lane fit_if(lane_mask m, lane x) { return lane_select(m, x, (lane){0}); }

/* ---- The rule ---- */

static void fit_moments(const levy_rule_pass *w, size_t date, size_t group, double *room,
                        double *sums)
{
    const levy_policy *const p = w->policy;
    const size_t next = date + 1 < w->levels->n_dates ? date + 1 : date;
    (void)room;
    for (size_t at = 0; at < FIT_GROUP; ++at) {
        const size_t path = fit_path(group, at), part = at % FIT_PARTS;
        const fit_seen seen = fit_see(w, date, path);
        const lane_mask alive = fit_alive(w, path);
        fit_add(sums, part, fit_if(seen.pays, lane_of(1.0)));
        for (size_t j = 0; j < p->n_variables; ++j) {
            const lane v = seen.v[j], x = fit_if(seen.pays, v - levy_policy_near(p, j));
            double *const moment = sums + LEVY_RULE_MOMENT(j) * LEVY_RULE_COLUMNS;
            double *const range = sums + LEVY_RULE_RANGE(p, j) * LEVY_RULE_COLUMNS;
            double *const least = range + part * LANES, *const most = least + LEVY_RULE_COLUMNS;
            fit_add(moment, part, x);
            fit_add(moment + LEVY_RULE_COLUMNS, part, x * x);
            const lane low = fit_load(least), high = fit_load(most);
            fit_store(least, lane_select(seen.pays, lane_min(v, low), low));
            fit_store(most, lane_select(seen.pays, lane_max(v, high), high));
        }
        for (size_t u = 0; u < p->n_controls; ++u) {
            double *const line = sums + LEVY_RULE_LINE(p, u) * LEVY_RULE_COLUMNS;
            const lane spot = lane_of(w->levels->spot[u]),
                       x = fit_if(alive, fit_load(fit_row(w, date, u) + path) - spot);
            fit_add(line, part, x);
            if (!p->cash) continue;
            fit_add(line + LEVY_RULE_COLUMNS, part, x * x);
            fit_add(line + 2 * LEVY_RULE_COLUMNS, part,
                    x * (fit_load(fit_row(w, next, u) + path) - spot));
        }
    }
}

/* What paths have gained since the date where they are paid, by powers of the first variable.
 * Returns the next column. */
static lane *fit_controls(const levy_rule_pass *w, size_t date, size_t path, const fit_seen *seen,
                          lane *x)
{
    const levy_policy *const p = w->policy;
    for (size_t u = 0; u < p->n_controls; ++u) {
        const double slope = w->slope[date * p->n_assets + u],
                     shift = w->shift[date * p->n_assets + u];
        const lane now = fit_load(fit_row(w, date, u) + path) * slope,
                   gained = fit_load(w->last + u * w->stride + path) - now - shift;
        lane gain = fit_if(seen->pays & (now > 0.0), gained / now);
        for (size_t i = 0; i < p->n_powers; ++i, gain = gain * seen->v[0], x += FIT_STEP) *x = gain;
    }
    return x;
}

static void fit_rule(const levy_rule_pass *w, size_t date, size_t group, double *room, double *sums)
{
    const levy_policy *const p = w->policy;
    const size_t n = w->monomials.n + p->n_controls * p->n_powers;
    const double share = 1.0 / w->levels->worth[date];
    lane *const x = (lane *)room;
    for (size_t at = 0; at < FIT_GROUP; ++at) {
        const size_t path = fit_path(group, at);
        fit_seen seen = fit_see(w, date, path);
        fit_standardise(w, date, seen.v);
        /* the columns that a later one resembles lose nothing: the polynomial's are last */
        fit_monomials(&w->monomials, seen.v, fit_if(seen.pays, lane_of(1.0)),
                      fit_controls(w, date, path, &seen, x + at));
        x[n * FIT_STEP + at] = fit_if(seen.pays, fit_load(w->paid + path) * share - seen.gain);
    }
    fit_products(x, n, sums);
}

static void fit_decide(const levy_rule_pass *w, size_t date, size_t group, double *room,
                       double *sums)
{
    const levy_policy *const p = w->policy;
    const double *const c =
        w->fitted + date * p->stage.n_fitted + LEVY_POLICY_NUMBERS * p->n_variables;
    const bool end = date + 1 == w->levels->n_dates;
    lane *const x = (lane *)room;
    (void)sums;
    for (size_t at = 0; at < FIT_GROUP; ++at) {
        const size_t path = fit_path(group, at);
        fit_seen seen = fit_see(w, date, path);
        lane_mask stops = seen.pays;
        if (!end) {
            lane more = (lane){0};
            fit_standardise(w, date, seen.v);
            fit_monomials(&w->monomials, seen.v, lane_of(1.0), x);
            for (size_t k = 0; k < w->monomials.n; ++k) more = more + x[k * FIT_STEP] * c[k];
            stops = stops & (more <= 0.0);
        }
        const lane paid = end ? lane_of(0.0) : fit_load(w->paid + path);
        fit_store(w->paid + path, lane_select(stops, seen.gain * w->levels->worth[date], paid));
        for (size_t u = 0; u < p->n_controls; ++u) {
            double *const last = w->last + u * w->stride + path;
            const lane now =
                fit_load(fit_row(w, date, u) + path) * w->slope[date * p->n_assets + u] +
                w->shift[date * p->n_assets + u];
            fit_store(last, end ? now : lane_select(stops, now, fit_load(last)));
        }
        if (w->later)
            fit_store(w->later + path, fit_if(lane_not(stops), fit_load(w->later + path)));
    }
}

#include "kernels/cpu/fit_bound.h"

#define FIT_JOIN_(a, b) a##b
#define FIT_JOIN(a, b) FIT_JOIN_(a, b)
#define FIT_BUILD FIT_JOIN(levy_policy_, LEVY_ISA_NAME)

extern const levy_policy_isa FIT_BUILD;
const levy_policy_isa FIT_BUILD = {.moments = fit_moments,
                                   .products = fit_rule,
                                   .decide = fit_decide,
                                   .bound_near = fit_bound_near,
                                   .bound_moments = fit_bound_moments,
                                   .bound_products = fit_bound,
                                   .bound_later = fit_bound_later};

#endif
