/* policy_bound_fit.c: the coefficients of a bound's martingale, see policy_bound.h. From the last
 * date to the first, what the rule gets less later gains is regressed on the gains of one interval,
 * beside a polynomial of what is known at its beginning, which the bound does not take. */
#include "payoffs/policy_bound.h"

#include "engine/base/least_squares.h"
#include "kernels/lane/scalar.h"

#include <math.h>

#include <string.h>

/* Paths of the fit for each column: with as many as there are columns, gains of 30 dates made a
 * bound of 1e18 for 24; with 3.5 times as many one of 28.2; without gains it is 41.7. */
enum { BOUND_LEAST = 2 };
static const double bound_least = 1e-9; /* a deviation that can be divided by */

struct levy_bound_fit {
    const levy_policy_bound *bound;
    const levy_stage_levels *levels;
    double *fitted;
    levy_least_squares *squares;
    double *later;             /* [path] gains after the date until its end */
    double *variables, *gains; /* [path][variable], [path][claim] of one interval */
    double level[LEVY_BOUND_LISTS], mean[LEVY_BOUND_LISTS];
};

/* The bound's numbers of a date, of today behind the last. */
static double *bound_row(const levy_bound_fit *f, size_t date)
{
    const levy_policy *const p = f->bound->policy;
    return f->fitted + date * p->stage.n_fitted + p->n_own;
}

/* The levels of a path; today's behind the last date. */
static void bound_levels(const levy_bound_fit *f, size_t date, size_t path, double *level)
{
    const levy_policy *const p = f->bound->policy;
    const levy_stage_levels *const l = f->levels;
    for (size_t u = 0; u < p->n_assets; ++u) {
        const size_t at = (date * l->n_assets + u) * l->n_paths + path;
        level[u] = p->coefficients[u] * (date == l->n_dates ? l->spot[u] : l->levels[at]);
    }
    if (f->bound->n_levels < p->n_assets) level[0] = levy_policy_level(p, level);
}

/* Of two logarithms at a date; 0 of other models. */
static double bound_covariance(const levy_bound_fit *f, size_t date, size_t i, size_t j)
{
    const size_t n = f->levels->n_assets;
    const bool moved = f->bound->normal && date < f->levels->n_dates;
    return moved ? f->levels->covariances[(date * n + i) * n + j] : 0.0;
}

/* Mean and variance of a level's logarithm at a date. */
static void bound_law(const levy_bound_fit *f, size_t date, size_t u, double *mean,
                      double *variance)
{
    const levy_policy *const p = f->bound->policy;
    const levy_stage_levels *const l = f->levels;
    const bool today = date == l->n_dates, whole = f->bound->n_levels < p->n_assets;
    const size_t end = whole ? p->n_assets : u + 1;
    *mean = *variance = 0.0;
    for (size_t i = whole ? 0 : u; i < end; ++i) {
        const double w = whole ? p->weights[i] : 1.0;
        const double forward = today ? l->spot[i] : l->forwards[date * l->n_assets + i];
        *mean += w * (levy_log(forward) - 0.5 * bound_covariance(f, date, i, i));
        for (size_t j = whole ? 0 : u; j < end; ++j)
            *variance += w * (whole ? p->weights[j] : 1.0) * bound_covariance(f, date, i, j);
    }
}

/* What is left of a variance, as a deviation that can be divided by. */
static double bound_left(double whole, double gone)
{
    const double left = whole - gone;
    return left > bound_least * bound_least ? levy_sqrt(left) : bound_least;
}

static double bound_apart(const levy_bound_fit *f, size_t date, size_t u, size_t v)
{
    return bound_covariance(f, date, u, u) + bound_covariance(f, date, v, v) -
           2.0 * bound_covariance(f, date, u, v);
}

/* What the market says of a date. */
static void bound_know(const levy_bound_fit *f, size_t date)
{
    const levy_policy_bound *const b = f->bound;
    const size_t last = f->levels->n_dates - 1;
    double *const numbers = bound_row(f, date);
    double mean, variance, end, whole;
    numbers[0] = date > last ? f->levels->today : f->levels->worth[date];
    for (size_t u = 0; u < b->n_levels; ++u) {
        bound_law(f, date, u, &mean, &variance);
        bound_law(f, last, u, &end, &whole);
        numbers[b->slopes + u] = levy_exp(end + 0.5 * whole - mean - 0.5 * variance);
        if (b->deviates) numbers[b->own + u] = bound_left(whole, variance);
    }
    for (size_t v = 1; v < b->n_levels && b->variables > b->pairs; ++v)
        for (size_t u = 0; u < v; ++u)
            numbers[levy_bound_pair(b, u, v)] =
                bound_left(bound_apart(f, last, u, v), bound_apart(f, date, u, v));
}

static size_t bound_columns(const levy_policy_bound *b)
{
    return levy_policy_terms(b->n_variables, b->degree) + b->n_claims * b->n_terms;
}

size_t levy_bound_least(const levy_policy_bound *b) { return BOUND_LEAST * bound_columns(b); }

levy_bound_fit *levy_bound_fit_begin(const levy_policy_bound *b, const levy_stage_levels *levels,
                                     levy_arena *scratch, double *fitted)
{
    levy_bound_fit *const f = levy_arena_allocate(scratch, 1, sizeof *f);
    if (!f) return NULL;
    *f = (levy_bound_fit){.bound = b, .levels = levels, .fitted = fitted};
    f->squares = levy_arena_allocate(scratch, 1, sizeof *f->squares);
    f->later = levy_arena_allocate(scratch, levels->n_paths, sizeof *f->later);
    f->variables =
        levy_arena_allocate(scratch, levels->n_paths, b->n_variables * sizeof *f->variables);
    f->gains = levy_arena_allocate(scratch, levels->n_paths, b->n_claims * sizeof *f->gains);
    if (!f->squares || !f->later || !f->variables || !f->gains) return NULL;
    for (size_t date = 0; date <= levels->n_dates; ++date) bound_know(f, date);
    return f;
}

void levy_bound_fit_stop(levy_bound_fit *f, size_t path) { f->later[path] = 0.0; }

/* What polynomials read of levels: logarithms, but of a sum of many, which may be negative. */
static void bound_variables(const levy_policy_bound *b, const double *level, const size_t *at,
                            double *v)
{
    const bool whole = levy_bound_reads_sum(b);
    if (whole) v[0] = levy_policy_level(b->policy, level);
    for (size_t j = 0; j < b->n_variables && !whole; ++j)
        if (j == 0 || !b->policy->varies) v[j] = levy_log(fabs(level[at[j]]));
}

/* Gains of a path from one date to another, and variables at the first. */
static void bound_path(levy_bound_fit *f, size_t from, size_t to, size_t path)
{
    const levy_policy_bound *const b = f->bound;
    const double *const before = bound_row(f, from), *const after = bound_row(f, to);
    double *const gains = f->gains + path * b->n_claims;
    double *const v = f->variables + path * b->n_variables;
    double held[LEVY_BOUND_CLAIMS];
    size_t at[LEVY_BOUND_PLACES];
    bound_levels(f, from, path, f->level);
    levy_bound_places(b, f->level, at);
    bound_variables(b, f->level, at, v);
    const bool today = from == f->levels->n_dates;
    if (b->policy->varies)
        v[1] = today ? 0.0 : f->levels->variances[from * f->levels->n_paths + path];
    for (size_t u = 0; u < b->n_levels; ++u) f->mean[u] = f->level[u] * before[b->slopes + u];
    levy_bound_values(b, before, f->mean, at, held);
    bound_levels(f, to, path, f->level);
    for (size_t u = 0; u < b->n_levels; ++u) f->mean[u] = f->level[u] * after[b->slopes + u];
    levy_bound_values(b, after, f->mean, at, gains);
    for (size_t k = 0; k < b->n_claims; ++k) gains[k] -= held[k];
}

/* Standardises variable j, which no path has farther away than a polynomial sees. */
static void bound_standardise(levy_bound_fit *f, size_t j, double *numbers)
{
    const size_t n = f->levels->n_paths, step = f->bound->n_variables;
    double *const v = f->variables + j;
    double mean;
    const double square = levy_policy_moments(n, step, v, &mean);
    /* of equal ones nothing but rounding is left */
    const bool differ = square > 1e-20 * (double)n * mean * mean;
    const double share = differ ? levy_sqrt((double)n / square) : 0.0;
    for (size_t k = 0; k < n; ++k)
        v[k * step] =
            fmin(fmax((v[k * step] - mean) * share, -LEVY_BOUND_FARTHEST), LEVY_BOUND_FARTHEST);
    numbers[0] = mean;
    numbers[1] = share;
}

/* Gains times the polynomial's monomials. Returns what follows. */
static double *bound_products(const levy_bound_fit *f, size_t path, double *x)
{
    const levy_policy_bound *const b = f->bound;
    for (size_t k = 0; k < b->n_claims; ++k)
        x = levy_policy_monomials(b->n_read, LEVY_BOUND_DEGREE(b->n_read),
                                  f->variables + path * b->n_variables,
                                  f->gains[path * b->n_claims + k], x);
    return x;
}

void levy_bound_fit_date(levy_bound_fit *f, size_t date, const double *paid)
{
    const levy_policy_bound *const b = f->bound;
    const size_t before = date ? date - 1 : f->levels->n_dates, degree = b->degree,
                 known = levy_policy_terms(b->n_variables, degree);
    double x[LEVY_LEAST_SQUARES_MOST],
        c[LEVY_LEAST_SQUARES_MOST], *const numbers = bound_row(f, date),
                                           *const moments = bound_row(f, before) + b->variables;
    *f->squares = (levy_least_squares){.n = bound_columns(b)};
    for (size_t k = 0; k < f->levels->n_paths; ++k) bound_path(f, before, date, k);
    for (size_t j = 0; j < b->n_variables; ++j) bound_standardise(f, j, moments + 2 * j);
    for (size_t k = 0; k < f->levels->n_paths; ++k) {
        bound_products(f, k,
                       levy_policy_monomials(b->n_variables, degree,
                                             f->variables + k * b->n_variables, 1.0, x));
        levy_least_squares_add(f->squares, x, paid[k] - f->later[k]);
    }
    if (f->levels->n_paths >= levy_bound_least(b))
        levy_least_squares_solve(f->squares, c);
    else
        memset(c, 0, sizeof c);
    memcpy(numbers + b->coefficients, c + known, b->n_claims * b->n_terms * sizeof *c);
    for (size_t k = 0; k < f->levels->n_paths; ++k) {
        bound_products(f, k, x);
        for (size_t i = 0; i < b->n_claims * b->n_terms; ++i) f->later[k] += c[known + i] * x[i];
    }
}
