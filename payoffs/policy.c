/* policy.c: see policy.h. A polynomial P of n variables and degree d is P(n - 1, d) + v_n P(n, d -
 * 1), down to single coefficients: in that order they are fitted, and in it the script has them. */
#include "payoffs/policy_bound.h"

#include "engine/base/least_squares.h"
#include "kernels/lane/scalar.h"
#include "payoffs/scripted.h"

#include <math.h>

#include <stdio.h>
#include <string.h>

/* Dates on which fewer paths in the money stand for each coefficient have no exercise. */
enum { POLICY_LEAST = 10 };
/* Of a regression: the most. */
enum { POLICY_COLUMNS = 32 };

/* ---- Levels ---- */

double levy_policy_level(const levy_policy *p, const double *levels)
{
    const bool best = p->aggregate == LEVY_AGGREGATE_BEST_OF;
    double level = levels[0];
    if (p->aggregate == LEVY_AGGREGATE_GEOMETRIC) level = p->weights[0] * levy_log(level);
    for (size_t u = 1; u < p->n_assets; ++u) {
        const double x = levels[u];
        if (p->aggregate == LEVY_AGGREGATE_GEOMETRIC)
            level += p->weights[u] * levy_log(x);
        else if (p->aggregate == LEVY_AGGREGATE_BASKET)
            level += x;
        else
            level = best == (x > level) ? x : level;
    }
    return p->aggregate == LEVY_AGGREGATE_GEOMETRIC ? levy_exp(level) : level;
}

/* Brings the levels next to the best or the worst to the front. */
static void policy_sort(const levy_policy *p, double *levels)
{
    const double sign = p->aggregate == LEVY_AGGREGATE_WORST_OF ? -1.0 : 1.0;
    for (size_t k = 0; k < p->n_variables && k < p->n_assets; ++k)
        for (size_t u = k + 1; u < p->n_assets; ++u) {
            const double x = levels[u];
            if (!(sign * x > sign * levels[k])) continue;
            levels[u] = levels[k];
            levels[k] = x;
        }
}

/* The variables: of the best or the worst the levels next to it, and of two the first asset's, by
 * which unlike assets are told apart; of a sum of two both; else the level and, if it is recorded,
 * the variance. levels: [asset], which it may sort, and room for one more, or the variance. */
static void policy_variables(const levy_policy *p, double level, double *levels, double *v)
{
    if (p->n_variables == 1) {
        v[0] = level;
        return;
    }
    if (p->varies) {
        levels[0] = level;
    } else if (p->aggregate != LEVY_AGGREGATE_BASKET) {
        if (p->n_variables > p->n_assets) levels[p->n_assets] = levels[0];
        policy_sort(p, levels);
    }
    memcpy(v, levels, p->n_variables * sizeof *v);
}

/* ---- Polynomials ---- */

size_t levy_policy_terms(size_t n_variables, size_t degree)
{
    if (n_variables == 0 || degree == 0) return 1;
    return levy_policy_terms(n_variables - 1, degree) + levy_policy_terms(n_variables, degree - 1);
}

double *levy_policy_monomials(size_t n, size_t degree, const double *v, double product, double *x)
{
    if (n == 0 || degree == 0) {
        *x = product;
        return x + 1;
    }
    x = levy_policy_monomials(n - 1, degree, v, product, x);
    return levy_policy_monomials(n, degree - 1, v, product * v[n - 1], x);
}

/* The value of the polynomial whose coefficients begin at *c, which it moves behind them. */
static double policy_value(size_t n, size_t degree, const double *v, const double **c)
{
    if (n == 0 || degree == 0) return *(*c)++;
    if (n == 1) {
        double sum = (*c)[degree];
        for (size_t k = degree; k-- > 0;) sum = (*c)[k] + v[0] * sum;
        *c += degree + 1;
        return sum;
    }
    const double low = policy_value(n - 1, degree, v, c);
    return low + v[n - 1] * policy_value(n, degree - 1, v, c);
}

/* ---- The fit ---- */

typedef struct policy_work {
    const levy_policy *policy;
    const levy_stage_levels *levels;
    levy_least_squares *fit;
    double *paid;          /* [path] in money of the payment date */
    double *last;          /* [asset][path] where it is paid, the martingale */
    double *slope, *shift; /* [asset] on a date: by which a level becomes the martingale */
    /* of the paths in the money on a date: */
    size_t n;
    uint32_t *path;
    double *gain, *variables; /* [n]; [n][variable], standardised */
    double *at;               /* [asset] levels of a path */
    double *fitted;
    size_t without; /* dates that have no exercise */
    levy_bound_fit *bound;
} policy_work;

/* The levels of an asset at a date. */
static const double *policy_spots(const policy_work *w, size_t date, size_t u)
{
    return w->levels->levels + (date * w->policy->n_assets + u) * w->levels->n_paths;
}

/* What exercise pays on a path at a date, whose levels it fills. */
static double policy_gain(const policy_work *w, size_t date, size_t path, double *level)
{
    const levy_policy *const p = w->policy;
    for (size_t u = 0; u < p->n_assets; ++u)
        w->at[u] = p->coefficients[u] * policy_spots(w, date, u)[path];
    *level = levy_policy_level(p, w->at);
    return p->sign * (*level - p->strike);
}

/* Collects the paths in the money. */
static void policy_collect(policy_work *w, size_t date)
{
    double level;
    w->n = 0;
    const double *const variances =
        w->policy->varies ? w->levels->variances + date * w->levels->n_paths : NULL;
    for (size_t k = 0; k < w->levels->n_paths; ++k) {
        const double gain = policy_gain(w, date, k, &level);
        if (!(gain > 0.0)) continue;
        if (variances) w->at[1] = variances[k];
        w->path[w->n] = (uint32_t)k;
        w->gain[w->n] = gain;
        policy_variables(w->policy, level, w->at, w->variables + w->n * w->policy->n_variables);
        ++w->n;
    }
}

double levy_policy_moments(size_t n, size_t step, const double *v, double *mean)
{
    double sum = 0.0, square = 0.0;
    for (size_t k = 0; k < n; ++k) sum += v[k * step];
    *mean = sum / (double)n;
    for (size_t k = 0; k < n; ++k) square += (v[k * step] - *mean) * (v[k * step] - *mean);
    return square;
}

/* Standardises variable j. numbers: its own of the date. */
static void policy_standardise(const policy_work *w, size_t j, double *numbers)
{
    const size_t step = w->policy->n_variables;
    double *const v = w->variables + j;
    double mean;
    const double square = levy_policy_moments(w->n, step, v, &mean);
    const double share = square > 0.0 ? levy_sqrt((double)w->n / square) : 0.0;
    double least = INFINITY, most = -INFINITY;
    for (size_t k = 0; k < w->n; ++k) {
        const double x = (v[k * step] - mean) * share;
        v[k * step] = x;
        least = x < least ? x : least;
        most = x > most ? x : most;
    }
    numbers[LEVY_POLICY_MEAN] = mean;
    numbers[LEVY_POLICY_SHARE] = share;
    numbers[LEVY_POLICY_LEAST] = least;
    numbers[LEVY_POLICY_MOST] = most;
}

static double policy_mean(size_t n, const double *x)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; ++k) sum += x[k];
    return sum / (double)n;
}

/* Where cash is paid, the mean of what an asset is on the next date is a line of what it is now. */
static void policy_line(const policy_work *w, size_t date, size_t u)
{
    const size_t n = w->levels->n_paths;
    const double *const now = policy_spots(w, date, u), *const next = policy_spots(w, date + 1, u);
    const double from = policy_mean(n, now), to = policy_mean(n, next);
    double square = 0.0, product = 0.0;
    for (size_t k = 0; k < n; ++k) {
        square += (now[k] - from) * (now[k] - from);
        product += (now[k] - from) * (next[k] - to);
    }
    const double slope = square > 0.0 ? product / square : 0.0;
    w->shift[u] += w->slope[u] * (to - slope * from);
    w->slope[u] *= slope;
}

/* The martingales of a date, from those of the next. */
static void policy_forwards(const policy_work *w, size_t date)
{
    const size_t n = w->levels->n_paths;
    for (size_t u = 0; u < w->policy->n_controls; ++u)
        if (w->policy->cash && date + 1 < w->levels->n_dates)
            policy_line(w, date, u);
        else
            w->slope[u] = 1.0 / policy_mean(n, policy_spots(w, date, u));
}

/* What path k, of those in the money, has gained since the date where it is paid. */
static double *policy_controls(const policy_work *w, size_t date, size_t k, double *x)
{
    const levy_policy *const p = w->policy;
    const size_t path = w->path[k];
    for (size_t u = 0; u < p->n_controls; ++u) {
        const double spot = policy_spots(w, date, u)[path], now = w->slope[u] * spot,
                     gained = w->last[u * w->levels->n_paths + path] - now - w->shift[u];
        double gain = now > 0.0 ? gained / now : 0.0;
        for (size_t i = 0; i < p->n_powers; ++i, gain *= w->variables[k * p->n_variables])
            *x++ = gain;
    }
    return x;
}

/* A path ends at the date. */
static void policy_stop(const policy_work *w, size_t date, size_t path)
{
    if (w->bound) levy_bound_fit_stop(w->bound, path);
    for (size_t u = 0; u < w->policy->n_controls; ++u)
        w->last[u * w->levels->n_paths + path] =
            w->slope[u] * policy_spots(w, date, u)[path] + w->shift[u];
}

/* Path k, of those in the money, is paid at the date. */
static void policy_pay(const policy_work *w, size_t date, size_t k)
{
    w->paid[w->path[k]] = w->gain[k] * w->levels->worth[date];
}

/* Fits the polynomial of a date to what paths in the money get later beyond exercise. */
static void policy_regress(const policy_work *w, size_t date, double *more)
{
    const levy_policy *const p = w->policy;
    const size_t n = levy_policy_terms(p->n_variables, p->degree);
    double x[POLICY_COLUMNS], c[POLICY_COLUMNS];
    *w->fit = (levy_least_squares){.n = n + p->n_controls * p->n_powers};
    for (size_t k = 0; k < w->n; ++k) {
        const double *const v = w->variables + k * p->n_variables;
        /* the columns that a later one resembles lose nothing: the polynomial's are last */
        levy_policy_monomials(p->n_variables, p->degree, v, 1.0, policy_controls(w, date, k, x));
        levy_least_squares_add(w->fit, x,
                               w->paid[w->path[k]] / w->levels->worth[date] - w->gain[k]);
    }
    const size_t first = w->fit->n - n;
    levy_least_squares_solve(w->fit, c);
    memcpy(more, c + first, n * sizeof *more);
}

/* One date: the rule is fitted, and then paths take what is more. */
static void policy_date(policy_work *w, size_t date)
{
    const levy_policy *const p = w->policy;
    double *const numbers = w->fitted + date * p->stage.n_fitted;
    double *const more = numbers + LEVY_POLICY_NUMBERS * p->n_variables;
    policy_forwards(w, date);
    policy_collect(w, date);
    if (w->n < POLICY_LEAST * levy_policy_terms(p->n_variables, p->degree)) {
        more[0] = LEVY_POLICY_NEVER;
        ++w->without;
        return;
    }
    for (size_t j = 0; j < p->n_variables; ++j)
        policy_standardise(w, j, numbers + LEVY_POLICY_NUMBERS * j);
    policy_regress(w, date, more);
    for (size_t k = 0; k < w->n; ++k) {
        const double *c = more, *const v = w->variables + k * p->n_variables;
        if (policy_value(p->n_variables, p->degree, v, &c) > 0.0) continue;
        policy_pay(w, date, k);
        policy_stop(w, date, w->path[k]);
    }
}

/* Whether exercise today pays at least the mean of what paths get later. */
static bool policy_today(const policy_work *w)
{
    const levy_policy *const p = w->policy;
    double sum = 0.0;
    for (size_t u = 0; u < p->n_assets; ++u) w->at[u] = p->coefficients[u] * w->levels->spot[u];
    const double gain = p->sign * (levy_policy_level(p, w->at) - p->strike);
    for (size_t k = 0; k < w->levels->n_paths; ++k) sum += w->paid[k];
    return gain > 0.0 && gain * w->levels->today >= sum / (double)w->levels->n_paths;
}

static bool policy_reserve(policy_work *w, levy_arena *scratch)
{
    const size_t n = w->levels->n_paths;
    w->fit = levy_arena_allocate(scratch, 1, sizeof *w->fit);
    w->paid = levy_arena_allocate(scratch, n, sizeof *w->paid);
    w->path = levy_arena_allocate(scratch, n, sizeof *w->path);
    w->gain = levy_arena_allocate(scratch, n, sizeof *w->gain);
    w->variables = levy_arena_allocate(scratch, n, w->policy->n_variables * sizeof *w->variables);
    w->last = levy_arena_allocate(scratch, w->policy->n_controls * n, sizeof *w->last);
    w->slope = levy_arena_allocate(scratch, w->policy->n_assets, sizeof *w->slope);
    w->shift = levy_arena_allocate(scratch, w->policy->n_assets, sizeof *w->shift);
    w->at = levy_arena_allocate(scratch, w->policy->n_assets + 1, sizeof *w->at);
    return w->at && w->last && w->slope && w->shift && w->fit && w->paid && w->path && w->gain &&
           w->variables;
}

/* What paths get at expiry. */
static void policy_end(policy_work *w, size_t date)
{
    const size_t n = w->levels->n_paths;
    policy_collect(w, date);
    policy_forwards(w, date);
    memset(w->paid, 0, n * sizeof *w->paid);
    for (size_t k = 0; k < n; ++k) policy_stop(w, date, k);
    for (size_t k = 0; k < w->n; ++k) policy_pay(w, date, k);
}

/* Says what too few paths leave out. */
static void policy_remark(const policy_work *w, char *why)
{
    const levy_policy *const p = w->policy;
    const size_t n = w->levels->n_paths;
    if (w->without > 0)
        snprintf(why, LEVY_STAGE_WHY,
                 "%zu of its dates have no exercise: fewer than %zu of the paths of the fit are in "
                 "the money there",
                 w->without, POLICY_LEAST * levy_policy_terms(p->n_variables, p->degree));
    const size_t said = strlen(why);
    if (w->bound && n < levy_bound_least(p->bound))
        snprintf(why + said, LEVY_STAGE_WHY - said,
                 "%sits upper bound has no martingale: that takes %zu paths of the fit",
                 said ? "; " : "", levy_bound_least(p->bound));
}

static bool policy_fit(const levy_claim *claim, const levy_stage_levels *levels,
                       levy_arena *scratch, double *fitted, char *why)
{
    const levy_policy *const policy = claim->scripted->policy;
    policy_work w = {.policy = policy, .levels = levels, .fitted = fitted};
    size_t date = levels->n_dates - 1;
    if (!policy_reserve(&w, scratch)) return false;
    const bool bounds = policy->bound && levels->forwards;
    if (bounds) w.bound = levy_bound_fit_begin(policy->bound, levels, scratch, fitted);
    if (bounds && !w.bound) return false;
    policy_end(&w, date);
    if (w.bound) levy_bound_fit_date(w.bound, date, w.paid);
    while (date-- > 0) {
        if (levy_memory_stopped(scratch->memory)) return false;
        if (levels->events[date] & 1)
            policy_date(&w, date);
        else if (policy->cash)
            policy_forwards(&w, date);
        if (w.bound) levy_bound_fit_date(w.bound, date, w.paid);
    }
    fitted[levels->n_dates * policy->stage.n_fitted] = policy->today && policy_today(&w);
    policy_remark(&w, why);
    return true;
}

/* ---- In an item ---- */

static void policy_put(const levy_claim *claim, const levy_claim_unit *unit, const double *fitted,
                       double *node_terms)
{
    const levy_script *const script = &claim->scripted->script;
    (void)unit; /* a script's levels are in money */
    if (claim->view.bounds) fitted += claim->scripted->policy->n_own;
    for (uint32_t k = 0; k < script->program->n_terms; ++k)
        if (script->terms[k].kind == LEVY_SCRIPT_ITEM)
            node_terms[k] = fitted[script->terms[k].parameter - LEVY_POLICY_FIXED];
}

/* Whether the numbers of a date exercise where they see the level alone. */
static bool policy_exercises(const levy_policy *p, const double *numbers, double level)
{
    const double *c = numbers + LEVY_POLICY_NUMBERS;
    const double x = (level - numbers[LEVY_POLICY_MEAN]) * numbers[LEVY_POLICY_SHARE],
                 v = fmin(fmax(x, numbers[LEVY_POLICY_LEAST]), numbers[LEVY_POLICY_MOST]);
    return policy_value(1, p->degree, &v, &c) <= 0.0;
}

/* The first level from the strike into the money that is exercised. */
static double policy_level(const levy_claim *claim, const double *numbers)
{
    enum { STEPS = 256, HALVES = 50 };
    const levy_policy *const p = claim->scripted->policy;
    const double share = numbers[LEVY_POLICY_SHARE],
                 end = numbers[p->sign > 0.0 ? LEVY_POLICY_MOST : LEVY_POLICY_LEAST] / share +
                       numbers[LEVY_POLICY_MEAN],
                 step = (end - p->strike) / STEPS;
    int k = 1;
    if (!(share > 0.0) || numbers[LEVY_POLICY_NUMBERS] == LEVY_POLICY_NEVER) return NAN;
    while (k <= STEPS && !policy_exercises(p, numbers, p->strike + k * step)) ++k;
    if (k > STEPS) return NAN;
    double kept = p->strike + (k - 1) * step, paid = kept + step;
    for (int i = 0; i < HALVES; ++i) {
        const double middle = 0.5 * (kept + paid);
        if (policy_exercises(p, numbers, middle))
            paid = middle;
        else
            kept = middle;
    }
    return paid;
}

/* An option that is exercised today has ended on all paths, and so has an item that counts today
 * alone. To suppose exercise needs no gain. */
static void policy_start(const levy_claim *claim, const double *levels,
                         const levy_claim_market *market, double discount, const double *fitted,
                         double *constants)
{
    const levy_policy *const p = claim->scripted->policy;
    const levy_script *const script = &claim->scripted->script;
    const levy_now now = claim->view.now;
    (void)market;
    if (claim->view.bounds) {
        const double paid = p->sign * (levy_policy_level(p, levels) - p->strike) / discount;
        levy_bound_start(p->bound, script, levels, fitted + p->n_own, p->today ? paid : 0.0,
                         constants);
        return;
    }
    const bool only = claim->view.time == 0.0, counts = only || isnan(claim->view.time),
               ends = now == LEVY_NOW_EXERCISED || (now == LEVY_NOW_BY_RULE && fitted[0] != 0.0);
    if (only || ends) constants[script->alive] = 0.0;
    if (!ends) return;
    const double gain = p->sign * (levy_policy_level(p, levels) - p->strike);
    if (counts && gain > 0.0) constants[0] += gain / discount;
    constants[script->ended] = counts;
    constants[script->life] = 0.0;
}

/* Of one variable, two and three. More of two gain nothing, more of three are too many. */
static const size_t policy_degrees[] = {8, 4, 3};
size_t levy_policy_degree(size_t n_variables) { return policy_degrees[n_variables - 1]; }

static const size_t policy_powers[] = {3, 2, 2}; /* of controls, by assets; of more assets 1 */

void levy_policy_begin(levy_policy *p, uint64_t paths)
{
    const bool sum = p->aggregate == LEVY_AGGREGATE_BASKET;
    size_t n = p->n_assets < LEVY_POLICY_VARIABLES ? p->n_assets : LEVY_POLICY_VARIABLES;
    if (p->aggregate == LEVY_AGGREGATE_GEOMETRIC || (sum && n > 2) ||
        p->n_assets > LEVY_POLICY_SORTED)
        n = 1;
    p->varies = p->varies && p->n_assets == 1;
    if (p->varies) n = 2;
    if (n == 2 && p->n_assets == 2 && !sum) n = 3;
    p->n_variables = n;
    p->degree = policy_degrees[n - 1];
    const size_t left = POLICY_COLUMNS - levy_policy_terms(n, p->degree);
    p->n_powers = p->n_assets <= 3 ? policy_powers[p->n_assets - 1] : 1;
    p->n_controls = p->n_assets * p->n_powers <= left ? p->n_assets : 0;
    p->n_own = LEVY_POLICY_NUMBERS * n + levy_policy_terms(n, p->degree);
    p->stage = (levy_stage){.paths = paths,
                            .n_fitted = (uint32_t)p->n_own,
                            .fit = policy_fit,
                            .write = policy_put,
                            .begin = policy_start,
                            .level = n == 1 ? policy_level : NULL,
                            .seed = &p->seed};
}
