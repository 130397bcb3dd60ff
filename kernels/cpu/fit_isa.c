/* fit_isa.c: the work of a fit on groups of paths (payoffs/policy_fit.h), compiled once per
 * instruction set. A part of a group is the paths of its rows that lie in one register. Must not
 * know: threads, the order of dates. */
#include "kernels/lane/lane.h"

#if !defined(LANE_SINGLE) /* one build: fits are in double */

#include "payoffs/policy_fit.h"

#include "payoffs/policy_bound_lanes.h"

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
    if (!w->policy->varies && w->policy->n_regimes < 2) return lane_of(0.0);
    return fit_load(w->levels->variances + date * w->levels->n_assets * w->levels->n_paths + path);
}

/* ---- The rule ---- */

typedef double rule_sums;

LANE_FN lane rule_level(const levy_rule_pass *w, size_t date, size_t u, size_t path)
{
    const double *const row = fit_row(w, date, u) + path;
    __builtin_prefetch(row + LEVY_RULE_GROUP); /* a page, at whose end the processor stops */
    return fit_load(row);
}
LANE_FN lane rule_variance(const levy_rule_pass *w, size_t date, size_t path)
{
    return fit_variance(w, date, path);
}
LANE_FN lane rule_discount(const levy_rule_pass *w, size_t date, size_t path)
{
    return fit_load(w->levels->discounts + date * w->levels->n_assets * w->levels->n_paths + path);
}
LANE_FN lane_mask rule_alive(const levy_rule_pass *w, size_t path) { return fit_alive(w, path); }
LANE_FN lane rule_paid(const levy_rule_pass *w, size_t path) { return fit_load(w->paid + path); }
LANE_FN lane rule_last(const levy_rule_pass *w, size_t u, size_t path)
{
    return fit_load(w->last + u * w->stride + path);
}
LANE_FN lane rule_quotient(lane a, lane b) { return a / b; }
LANE_FN void rule_pay(const levy_rule_pass *w, size_t path, lane x)
{
    fit_store(w->paid + path, x);
}
LANE_FN void rule_end(const levy_rule_pass *w, size_t u, size_t path, lane x)
{
    fit_store(w->last + u * w->stride + path, x);
}
LANE_FN void rule_add(rule_sums *sums, size_t k, size_t part, lane x)
{
    fit_add(sums + k * LEVY_RULE_COLUMNS, part, x);
}
LANE_FN void rule_hold(rule_sums *sums, size_t k, size_t part, lane_mask pays, lane x)
{
    double *const least = sums + k * LEVY_RULE_COLUMNS + part * LANES;
    double *const most = least + LEVY_RULE_COLUMNS;
    const lane low = fit_load(least), high = fit_load(most);
    fit_store(least, lane_select(pays, lane_min(x, low), low));
    fit_store(most, lane_select(pays, lane_max(x, high), high));
}

#include "payoffs/policy_fit_lanes.h"

static void fit_moments(const levy_rule_pass *w, size_t date, size_t group, double *room,
                        double *sums)
{
    const size_t next = date + 1 < w->levels->n_dates ? date + 1 : date;
    (void)room;
    for (size_t at = 0; at < FIT_GROUP; ++at)
        rule_moments(w, w, date, next, fit_path(group, at), at % FIT_PARTS, sums);
}

static void fit_rule(const levy_rule_pass *w, size_t date, size_t group, double *room, double *sums)
{
    const levy_policy *const p = w->policy;
    const double share = 1.0 / w->levels->worth[date];
    lane *const x = (lane *)room;
    for (size_t at = 0; at < FIT_GROUP; ++at)
        rule_columns(w, date, fit_path(group, at), share, x + at, FIT_STEP);
    fit_products(x, w->monomials.n + p->n_controls * p->n_powers, sums);
}

/* Keeps what the European is worth where paths are paid. */
static void fit_keep_control(const levy_rule_pass *w, size_t date, size_t path, lane_mask stops)
{
    const levy_policy *const p = w->policy;
    const levy_stage_law *const law = w->levels->law + date;
    lane x[LEVY_SCRIPT_ASSETS], value = fit_load(w->paid + path);
    x[0] = value; /* as in rule_see */
    if (date + 1 < w->levels->n_dates) {
        for (size_t u = 0; u < p->n_assets; ++u)
            x[u] = rule_level(w, date, u, path) * p->coefficients[u];
        value = control_european(p, policy_level(p, x) * law->growth, law->deviation);
        value = lane_select(stops, value, fit_load(w->control + path));
    }
    fit_store(w->control + path, value);
}

static void fit_decide(const levy_rule_pass *w, size_t date, size_t group, double *room,
                       double *sums)
{
    (void)sums;
    for (size_t at = 0; at < FIT_GROUP; ++at) {
        const size_t path = fit_path(group, at);
        const lane_mask stops = rule_decide(w, date, path, (lane *)room, FIT_STEP);
        if (w->control) fit_keep_control(w, date, path, stops);
        if (w->later)
            fit_store(w->later + path, rule_if(lane_not(stops), fit_load(w->later + path)));
    }
}

static void fit_paid(const levy_rule_pass *w, size_t date, size_t group, double *room, double *sums)
{
    (void)date;
    (void)room;
    for (size_t at = 0; at < FIT_GROUP; ++at) {
        const size_t path = fit_path(group, at);
        rule_add(sums, 0, at % FIT_PARTS, rule_if(rule_alive(w, path), rule_paid(w, path)));
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
                                   .paid = fit_paid,
                                   .bound_near = fit_bound_near,
                                   .bound_moments = fit_bound_moments,
                                   .bound_products = fit_bound,
                                   .bound_later = fit_bound_later};

#endif
