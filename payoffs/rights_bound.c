/* rights_bound.c: see rights_bound.h. */
#include "payoffs/rights_bound.h"

#include "engine/base/least_squares.h"
#include "kernels/lane/scalar.h"
#include "payoffs/policy.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    DUAL_FARTHEST = 4, /* deviations that a polynomial sees */
    DUAL_LEAST = 2     /* paths of the fit for each column */
};
static const double dual_least = 1e-9; /* a deviation that can be divided by */
/* By the number of variables: degrees of a claim's polynomial, and of what is known beside it. */
static const size_t dual_degrees[] = {5, 2, 1}, dual_known[] = {8, 4, 3};

/* ---- Layout ---- */

static void dual_name(levy_rights_bound *b)
{
    enum { SIZE = sizeof b->names[0] };
    snprintf(b->names[0], SIZE, "dual_open");
    for (size_t u = 1; u <= b->n_assets; ++u)
        snprintf(b->names[u], SIZE, "dual_slope%hhu", (unsigned char)u);
    snprintf(b->names[b->own], SIZE, "dual_own");
    for (size_t j = 0; j < 2 * b->n_variables; ++j)
        snprintf(b->names[b->means + j], SIZE, "dual_%s%hhu", j % 2 ? "share" : "mean",
                 (unsigned char)(j / 2 + 1));
    for (size_t k = b->coefficients; k < b->n_numbers; ++k)
        snprintf(b->names[k], SIZE, "dual_c%hhu", (unsigned char)(k - b->coefficients));
}

void levy_rights_bound_begin(levy_rights_bound *b, size_t n_strikes, bool varies)
{
    const bool one = b->n_assets == 1;
    b->n_claims = one ? 1 + n_strikes : b->n_assets;
    b->n_variables = b->n_assets + (one && varies);
    b->slopes = 1;
    b->own = b->slopes + b->n_assets;
    b->means = b->own + 1;
    b->coefficients = b->means + 2 * b->n_variables;
    b->n_terms = levy_policy_terms(b->n_variables, dual_degrees[b->n_variables - 1]);
    b->n_numbers = b->coefficients + b->n_claims * b->n_terms;
    dual_name(b);
}

/* ---- The script ---- */

static void dual_line(levy_script_form *form, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void dual_line(levy_script_form *form, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    levy_script_form_write(form, line);
}

/* The claims' values now. */
static void dual_write_values(const levy_rights_bound *b, levy_script_form *form)
{
    for (size_t u = 1; u <= b->n_assets; ++u) {
        dual_line(form, "  let dual_now%zu = ", u);
        dual_line(form, b->several ? "levels[%zu]\n" : "level\n", u);
        dual_line(form, "  let dual_then%zu = dual_now%zu * dual_slope%zu[number]\n", u - 1, u, u);
    }
    for (size_t k = b->n_assets; k < b->n_claims; ++k) {
        const double strike = b->strikes[k - 1];
        dual_line(form,
                  "  let dual_to%zu = log(dual_then0 / %.17g) / dual_own[number] + "
                  "dual_own[number] / 2\n",
                  k, strike);
        dual_line(
            form,
            "  let dual_then%zu = dual_then0 * cdf(dual_to%zu) + %.17g * cdf(dual_own[number] "
            "- dual_to%zu)\n",
            k, k, strike, k);
    }
}

/* What the martingale gains until now, and where the next interval begins. */
static void dual_write_gains(const levy_rights_bound *b, levy_script_form *form)
{
    size_t c = b->coefficients;
    dual_write_values(b, form);
    for (size_t k = 0; k < b->n_claims; ++k) {
        dual_line(form, "  dual_gained += (dual_then%zu - dual_held%zu) * (", k, k);
        levy_policy_polynomial(b->names, "dual_x", b->n_variables, dual_degrees[b->n_variables - 1],
                               &c, form);
        dual_line(form, ")\n  dual_held%zu = dual_then%zu\n", k, k);
    }
    for (size_t j = 1; j <= b->n_variables; ++j) {
        dual_line(form, "  dual_x%zu = min(max((", j);
        dual_line(form, j > b->n_assets ? "level.variance" : "log(dual_now%zu)", j);
        dual_line(form, " - dual_mean%zu[number]) * dual_share%zu[number], -%d), %d)\n", j, j,
                  DUAL_FARTHEST, DUAL_FARTHEST);
    }
}

void levy_rights_bound_write(const levy_rights_bound *b, const char *schedule,
                             levy_script_form *before, levy_script_form *behind)
{
    dual_line(before, "var dual_gained = 0\nvar dual_best = %s\n", b->least ? "1e30" : "-1e30");
    for (size_t k = 0; k < b->n_claims; ++k) dual_line(before, "var dual_held%zu = 0\n", k);
    for (size_t j = 1; j <= b->n_variables; ++j) dual_line(before, "var dual_x%zu = 0\n", j);
    dual_line(before, "at %s {\n", schedule);
    dual_write_gains(b, before);
    dual_line(before, "}\n");
    dual_line(behind, "\nat expiry {\n");
    dual_write_gains(b, behind);
    dual_line(behind, "  pay %s(dual_best, dual_paid - dual_gained) - dual_paid\n}\n",
              b->least ? "min" : "max");
}

/* ---- Lanes of one path ---- */

static void dual_values(const levy_rights_bound *b, const double *numbers, const double *levels,
                        double *values)
{
    const double own = numbers[b->own];
    for (size_t u = 0; u < b->n_assets; ++u) values[u] = levels[u] * numbers[b->slopes + u];
    for (size_t k = b->n_assets; k < b->n_claims; ++k) {
        const double strike = b->strikes[k - 1],
                     to = levy_script_apply(LEVY_SCRIPT_LOG, values[0] / strike, 0.0, 0.0) / own +
                          0.5 * own;
        values[k] = values[0] * levy_script_apply(LEVY_SCRIPT_BELOW, to, 0.0, 0.0) +
                    strike * levy_script_apply(LEVY_SCRIPT_BELOW, own - to, 0.0, 0.0);
    }
}

static double dual_variable(const levy_rights_bound *b, const double *at, size_t j)
{
    return j < b->n_assets ? levy_script_apply(LEVY_SCRIPT_LOG, at[j], 0.0, 0.0) : at[j];
}

void levy_rights_bound_start(const levy_rights_bound *b, const levy_script *script,
                             const double *levels, const double *fitted, double *constants)
{
    double values[LEVY_DUAL_CLAIMS];
    dual_values(b, fitted + b->first, levels, values);
    for (size_t k = 0; k < b->n_claims; ++k)
        constants[script->variables[LEVY_DUAL_HELD + k].state] = values[k];
}

/* ---- The fit ---- */

struct levy_dual_fit {
    const levy_rights_bound *bound;
    const levy_stage_levels *levels;
    levy_dual_see *see;
    const void *of;
    size_t n_fitted;
    double *fitted, *later; /* later: [path] gains of what it gets */
    levy_least_squares *squares;
};

static double *dual_row(const levy_dual_fit *f, size_t date)
{
    return f->fitted + date * f->n_fitted + f->bound->first;
}

/* What the market says of a date. */
static void dual_know(const levy_dual_fit *f, size_t date)
{
    const levy_stage_levels *const l = f->levels;
    const size_t n = l->n_assets, last = l->n_dates - 1;
    double *const numbers = dual_row(f, date);
    const bool today = date == l->n_dates;
    for (size_t u = 0; u < f->bound->n_assets; ++u)
        numbers[f->bound->slopes + u] =
            l->forwards[last * n + u] / (today ? l->spot[u] : l->forwards[date * n + u]);
    if (!l->covariances) return;
    const double gone = today ? 0.0 : l->covariances[date * n * n],
                 left = l->covariances[last * n * n] - gone;
    numbers[f->bound->own] = left > dual_least * dual_least ? levy_sqrt(left) : dual_least;
}

/* Mean and inverse deviation of what is seen on a date. */
static void dual_standardise(const levy_dual_fit *f, size_t date)
{
    const levy_rights_bound *const b = f->bound;
    const size_t n = f->levels->n_paths;
    double at[2 * LEVY_SCRIPT_ASSETS];
    double sum[LEVY_DUAL_ASSETS + 1] = {0.0}, square[LEVY_DUAL_ASSETS + 1] = {0.0};
    double *const numbers = dual_row(f, date) + b->means;
    f->see(f->of, date, 0, at);
    for (size_t j = 0; j < b->n_variables; ++j) numbers[2 * j] = dual_variable(b, at, j);
    for (size_t k = 0; k < n; ++k) {
        f->see(f->of, date, k, at);
        for (size_t j = 0; j < b->n_variables; ++j) {
            const double x = dual_variable(b, at, j) - numbers[2 * j];
            sum[j] += x;
            square[j] += x * x;
        }
    }
    for (size_t j = 0; j < b->n_variables; ++j) {
        const double mean = sum[j] / (double)n, left = square[j] - sum[j] * mean;
        numbers[2 * j] += mean;
        /* of equal ones nothing but rounding is left */
        numbers[2 * j + 1] = left > 1e-12 * square[j] && left > 1e-20 * (double)n
                                 ? levy_sqrt((double)n / left)
                                 : 0.0;
    }
}

levy_dual_fit *levy_dual_begin(const levy_rights_bound *bound, const levy_stage_levels *levels,
                               levy_dual_see *see, const void *of, size_t n_fitted,
                               levy_arena *scratch, double *fitted)
{
    levy_dual_fit *const f = levy_arena_allocate(scratch, 1, sizeof *f);
    if (!f) return NULL;
    *f = (levy_dual_fit){.bound = bound,
                         .levels = levels,
                         .see = see,
                         .of = of,
                         .n_fitted = n_fitted,
                         .fitted = fitted,
                         .later = levy_arena_allocate(scratch, levels->n_paths, sizeof *f->later),
                         .squares = levy_arena_allocate(scratch, 1, sizeof *f->squares)};
    if (!f->later || !f->squares) return NULL;
    memset(f->later, 0, levels->n_paths * sizeof *f->later);
    for (size_t date = 0; date <= levels->n_dates; ++date) {
        dual_know(f, date);
        dual_standardise(f, date);
    }
    return f;
}

/* Columns of a path: a polynomial of what is known at the beginning, then each claim's gain times
 * one. Returns their number. */
static size_t dual_columns(const levy_dual_fit *f, size_t from, size_t to, size_t path, double *x)
{
    const levy_rights_bound *const b = f->bound;
    const double *const numbers = dual_row(f, from);
    const size_t n = b->n_variables;
    double at[2 * LEVY_SCRIPT_ASSETS], v[LEVY_DUAL_ASSETS + 1], begun[LEVY_DUAL_CLAIMS],
        ended[LEVY_DUAL_CLAIMS];
    f->see(f->of, from, path, at);
    dual_values(b, numbers, at, begun);
    for (size_t j = 0; j < n; ++j) {
        const double far =
            (dual_variable(b, at, j) - numbers[b->means + 2 * j]) * numbers[b->means + 2 * j + 1];
        v[j] = fmin(fmax(far, -DUAL_FARTHEST), DUAL_FARTHEST);
    }
    f->see(f->of, to, path, at);
    dual_values(b, dual_row(f, to), at, ended);
    double *next = levy_policy_monomials(n, dual_known[n - 1], v, 1.0, x);
    for (size_t k = 0; k < b->n_claims; ++k)
        next = levy_policy_monomials(n, dual_degrees[n - 1], v, ended[k] - begun[k], next);
    return (size_t)(next - x);
}

static size_t dual_known_terms(const levy_rights_bound *b)
{
    return levy_policy_terms(b->n_variables, dual_known[b->n_variables - 1]);
}

size_t levy_dual_least(const levy_rights_bound *b)
{
    return DUAL_LEAST * (dual_known_terms(b) + b->n_claims * b->n_terms);
}

void levy_dual_interval(levy_dual_fit *f, size_t from, size_t to, const double *paid)
{
    const levy_rights_bound *const b = f->bound;
    const size_t known = dual_known_terms(b), own = b->n_claims * b->n_terms,
                 n_paths = f->levels->n_paths;
    double x[LEVY_LEAST_SQUARES_MOST], c[LEVY_LEAST_SQUARES_MOST];
    *f->squares = (levy_least_squares){.n = known + own};
    if (n_paths < levy_dual_least(b)) return;
    for (size_t k = 0; k < n_paths; ++k) {
        dual_columns(f, from, to, k, x);
        levy_least_squares_add(f->squares, x, paid[k] - f->later[k]);
    }
    levy_least_squares_solve(f->squares, c);
    for (size_t k = 0; k < n_paths; ++k) {
        dual_columns(f, from, to, k, x);
        for (size_t i = known; i < known + own; ++i) f->later[k] += c[i] * x[i];
    }
    memcpy(dual_row(f, to) + b->coefficients, c + known, own * sizeof *c);
}

void levy_dual_use(levy_dual_fit *f, size_t path) { f->later[path] = 0.0; }
