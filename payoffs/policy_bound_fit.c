/* policy_bound_fit.c: the coefficients of a bound's martingale, see policy_bound.h. From the last
 * date to the first, what the rule gets less later gains is regressed on the gains of one interval,
 * beside a polynomial of what is known at its beginning, which the bound does not take. */
#include "payoffs/policy_fit.h"

#include "kernels/lane/scalar.h"

#include <string.h>

/* Paths of the fit for each column: with as many as there are columns, gains of 30 dates made a
 * bound of 1e18 for 24; with 3.5 times as many one of 28.2; without gains it is 41.7. */
enum { BOUND_LEAST = 2 };
static const double bound_least = 1e-9; /* a deviation that can be divided by */

/* Of two logarithms at a date; 0 of other models. */
static double bound_covariance(const levy_rule_pass *f, size_t date, size_t i, size_t j)
{
    const size_t n = f->levels->n_assets;
    const bool moved = f->policy->bound->normal && date < f->levels->n_dates;
    return moved ? f->levels->covariances[(date * n + i) * n + j] : 0.0;
}

/* Mean and variance of a level's logarithm at a date. */
static void bound_law(const levy_rule_pass *f, size_t date, size_t u, double *mean,
                      double *variance)
{
    const levy_policy *const p = f->policy;
    const levy_stage_levels *const l = f->levels;
    const bool today = date == l->n_dates, whole = f->policy->bound->n_levels < p->n_assets;
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

static double bound_apart(const levy_rule_pass *f, size_t date, size_t u, size_t v)
{
    return bound_covariance(f, date, u, u) + bound_covariance(f, date, v, v) -
           2.0 * bound_covariance(f, date, u, v);
}

/* What the market says of a date. */
static void bound_know(const levy_rule_pass *f, size_t date, double *numbers)
{
    const levy_policy_bound *const b = f->policy->bound;
    const size_t last = f->levels->n_dates - 1;
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

/* Mean and inverse deviation of the variables of a date, from a number near each, and its sums. */
static void bound_standardise(const levy_rule_pass *f, const double *sums, double *moments)
{
    const double n = (double)f->levels->n_paths;
    for (size_t j = 0; j < f->policy->bound->n_variables; ++j, sums += 2, moments += 2) {
        const double far = sums[0] / n, square = sums[1] - sums[0] * far;
        moments[0] += far;
        /* of equal ones nothing but rounding is left */
        const double least = 1e-20 * n * moments[0] * moments[0] + 1e-12 * sums[1];
        moments[1] = square > least ? levy_sqrt(n / square) : 0.0;
    }
}

static size_t bound_columns(const levy_policy_bound *b)
{
    return levy_policy_terms(b->n_variables, b->degree) + b->n_claims * b->n_terms;
}

size_t levy_bound_least(const levy_policy_bound *b) { return BOUND_LEAST * bound_columns(b); }

bool levy_bound_fit_begin(levy_rule_fit *fit, double *fitted)
{
    levy_rule_pass *const f = &fit->pass;
    const levy_policy_bound *const b = f->policy->bound;
    const size_t n_dates = f->levels->n_dates, n_sums = 2 * b->n_variables;
    f->later = levy_arena_allocate(fit->scratch, f->stride, sizeof *f->later);
    f->seen = levy_arena_allocate(fit->scratch, b->n_variables * f->stride, sizeof *f->seen);
    f->gains = levy_arena_allocate(fit->scratch, b->n_claims * f->stride, sizeof *f->gains);
    double *const sums = levy_arena_allocate(fit->scratch, (n_dates + 1) * n_sums, sizeof *sums);
    if (!f->later || !f->seen || !f->gains || !sums) return false;
    levy_rule_monomials_of(b->n_variables, b->degree, &f->known);
    levy_rule_monomials_of(b->n_read, LEVY_BOUND_DEGREE(b->n_read), &f->products);
    for (size_t date = 0; date <= n_dates; ++date) {
        double *const row = fitted + date * f->policy->stage.n_fitted + f->policy->n_own;
        bound_know(f, date, row);
        fit->team->policy->bound_near(f, date, 0, fit->rooms, row + b->variables);
    }
    if (!levy_rule_run(fit, fit->team->policy->bound_moments, 0, n_dates + 1, n_sums, 0, sums))
        return false;
    for (size_t date = 0; date <= n_dates; ++date)
        bound_standardise(f, sums + date * n_sums,
                          fitted + date * f->policy->stage.n_fitted + f->policy->n_own +
                              b->variables);
    return true;
}

bool levy_bound_fit_date(levy_rule_fit *fit, size_t date, double *fitted)
{
    const levy_policy_bound *const b = fit->pass.policy->bound;
    const size_t known = fit->pass.known.n, own = b->n_claims * b->n_terms, n = bound_columns(b);
    double c[LEVY_RULE_MOST];
    if (fit->pass.levels->n_paths < levy_bound_least(b)) return true;
    if (!levy_rule_run(fit, fit->team->policy->bound_products, date, date + 1,
                       LEVY_RULE_PRODUCTS(n), 0, fit->products))
        return false;
    levy_rule_solve(n, fit->products, c);
    double *const row = fitted + date * fit->pass.policy->stage.n_fitted + fit->pass.policy->n_own;
    memcpy(row + b->coefficients, c + known, own * sizeof *c);
    return levy_rule_run(fit, fit->team->policy->bound_later, date, date + 1, 0, 0, NULL);
}
