/* fit.c: see fit.h. Starts are searched roughly first; the best of them is then searched to the
 * last digits. */
#include "engine/calibrate/levenberg.h"

#include "engine/base/eigen.h"
#include "engine/base/split_mix.h"

#include "engine/levy.h"

#include <math.h>
#include <stdlib.h>

static int fit_compare(const void *a, const void *b)
{
    const levy_fit_quote *const x = a, *const y = b;
    if (x->asset != y->asset) return x->asset < y->asset ? -1 : 1;
    if (x->years != y->years) return x->years < y->years ? -1 : 1;
    if (x->log_strike != y->log_strike) return x->log_strike < y->log_strike ? -1 : 1;
    return x->source < y->source ? -1 : x->source > y->source;
}

void levy_fit_order(levy_fit *fit) { qsort(fit->quotes, fit->n, sizeof *fit->quotes, fit_compare); }

/* ---- Starts ---- */

/* Uniform on [0, 1). */
static double fit_uniform(uint64_t *state)
{
    return (double)(levy_split_mix(state) >> 11) * 0x1p-53;
}

/* What is searched, as a value within its bounds. */
static double fit_value(const levy_fit *fit, size_t j, double searched)
{
    const double value = levy_search_value(&fit->law->parameters[j], searched);
    return fmin(fmax(value, fit->bounds[j].low), fit->bounds[j].high);
}

static double fit_draw(const levy_fit *fit, size_t j, double u)
{
    const levy_exponent_parameter *const p = &fit->law->parameters[j];
    double scale = p->scale == LEVY_SCALE_ONE ? 1.0 : fit->volatility;
    if (p->scale == LEVY_SCALE_VARIANCE) scale *= fit->volatility;
    const double low = levy_search_of(p, scale * p->likely_low),
                 high = levy_search_of(p, scale * p->likely_high);
    return fit_value(fit, j, low + u * (high - low));
}

/* The first start is what is given, and the middle of what is likely; all others are drawn. */
static void fit_start(const levy_fit *fit, size_t number, uint64_t *state, double *point)
{
    for (int tries = 0; tries < 100; ++tries) {
        double values[LEVY_EXPONENT_MOST];
        for (size_t j = 0; j < fit->law->n; ++j) {
            const levy_fit_bound *const bound = &fit->bounds[j];
            const double u = number || tries ? fit_uniform(state) : 0.5;
            const bool given = !isnan(bound->start) && (number == 0 || bound->is_fixed);
            values[j] = given ? bound->start : fit_draw(fit, j, u);
            point[j] = levy_search_of(&fit->law->parameters[j], values[j]);
        }
        if (!fit->law->allows || fit->law->allows(values)) return;
    }
}

static void fit_bounds(const levy_fit *fit, levy_search *search)
{
    for (size_t j = 0; j < fit->law->n; ++j) {
        const levy_exponent_parameter *const p = &fit->law->parameters[j];
        const levy_fit_bound *const bound = &fit->bounds[j];
        search->low[j] = levy_search_of(p, bound->is_fixed ? bound->start : bound->low);
        search->high[j] = levy_search_of(p, bound->is_fixed ? bound->start : bound->high);
    }
}

static void fit_values(const levy_fit *fit, const double *point, double *values)
{
    for (size_t j = 0; j < fit->law->n; ++j) {
        const levy_fit_bound *const bound = &fit->bounds[j];
        values[j] = bound->is_fixed ? bound->start : fit_value(fit, j, point[j]);
    }
}

/* ---- What the quotes tell ---- */

static double fit_product(const levy_search *search, size_t a, size_t b)
{
    double sum = 0.0;
    for (size_t i = 0; i < search->residuals.n_rows; ++i)
        sum += search->here.slopes[i][a] * search->here.slopes[i][b];
    return sum;
}

/* J'J over the free parameters, its columns of length 1; the lengths. Returns how many are free. */
static size_t fit_square(const levy_search *search, levy_fit_result *result, size_t *free,
                         double *lengths, double *square)
{
    size_t n = 0;
    for (size_t j = 0; j < search->residuals.fit->law->n; ++j) {
        if (!result->free[j]) continue;
        lengths[n] = levy_sqrt(fit_product(search, j, j));
        result->idle[j] = !(lengths[n] > 0.0);
        result->free[j] = !result->idle[j];
        free[n] = j;
        n += result->free[j];
    }
    for (size_t k = 0; k < n; ++k)
        for (size_t m = 0; m < n; ++m)
            square[k * n + m] = fit_product(search, free[k], free[m]) / (lengths[k] * lengths[m]);
    return n;
}

static double fit_unit(const levy_fit *fit, const levy_fit_result *result, size_t j)
{
    return levy_search_unit(&fit->law->parameters[j], result->values[j]);
}

static void fit_covariance(const levy_search *search, levy_fit_result *result)
{
    const levy_fit *const fit = search->residuals.fit;
    enum { MOST = LEVY_EXPONENT_MOST };
    size_t free[MOST], least = 0;
    double lengths[MOST], square[MOST * MOST], vectors[MOST * MOST];
    const size_t n = fit_square(search, result, free, lengths, square);
    if (n == 0) return;
    levy_eigen_symmetric(n, square, vectors);
    for (size_t k = 1; k < n; ++k)
        if (square[k * n + k] < square[least * n + least]) least = k;
    result->weakest = square[least * n + least];
    for (size_t a = 0; a < n; ++a) {
        const double unit_a = fit_unit(fit, result, free[a]);
        result->direction[free[a]] = vectors[a * n + least];
        for (size_t b = 0; b < n; ++b) {
            const double unit_b = fit_unit(fit, result, free[b]);
            double sum = 0.0;
            for (size_t k = 0; k < n; ++k)
                sum += vectors[a * n + k] * vectors[b * n + k] / square[k * n + k];
            result->covariance[free[a]][free[b]] =
                sum * unit_a * unit_b / (lengths[a] * lengths[b]);
        }
    }
}

/* How parameters follow the quotes, by the implicit function theorem: where the slopes of the cost
 * stay 0, J'J dp = J' per_unit dput. Exact where the residuals are 0. */
static levy_status fit_response(const levy_search *search, levy_arena *arena,
                                levy_fit_result *result)
{
    const levy_fit *const fit = search->residuals.fit;
    const levy_residual_rows *const at = &search->here;
    result->response = levy_arena_allocate(arena, fit->n, sizeof *result->response);
    result->puts = levy_arena_allocate(arena, fit->n, sizeof *result->puts);
    if (!result->response || !result->puts) return LEVY_MEMORY;
    for (size_t i = 0; i < fit->n; ++i) {
        result->puts[i] = fit->quotes[i].put + at->values[i] / fit->quotes[i].per_unit;
        for (size_t j = 0; j < fit->law->n; ++j) {
            double sum = 0.0;
            for (size_t k = 0; k < fit->law->n; ++k)
                sum += result->covariance[j][k] * at->slopes[i][k] / fit_unit(fit, result, k);
            result->response[i][j] = sum * fit->quotes[i].per_unit;
        }
    }
    return LEVY_OK;
}

/* ---- The fit ---- */

static void fit_agree(const levy_fit *fit, levy_fit_result *result)
{
    const levy_fit_end *const best = &result->starts[result->n_best];
    const double weight = fit->weight > 0.0 && fit->weight < 1.0 ? fit->weight : 1.0,
                 all = weight * weight * (double)fit->n, cost = best->cost + 1e-12 * all;
    for (size_t i = 0; i < fit->n_starts; ++i) {
        levy_fit_end *const end = &result->starts[i];
        end->agrees = end->cost <= 1.1 * cost + 1e-9 * all;
    }
}

static void fit_rough(const levy_fit *fit, levy_search *search, levy_fit_result *result,
                      double *best)
{
    uint64_t state = fit->seed;
    double point[LEVY_EXPONENT_MOST], least = HUGE_VAL;
    for (size_t i = 0; i < fit->n_starts; ++i) {
        levy_fit_end *const end = &result->starts[i];
        bool converged;
        fit_start(fit, i, &state, point);
        end->cost = levy_search_run(search, point, &converged);
        fit_values(fit, point, end->values);
        if (fit->progress) fit->progress->done = i + 1;
        if (!(end->cost < least)) continue;
        least = end->cost;
        result->n_best = i;
        for (size_t j = 0; j < fit->law->n; ++j) best[j] = point[j];
    }
    result->cost = least;
}

static void fit_fine(const levy_fit *fit, levy_search *search, levy_fit_result *result,
                     double *point)
{
    search->residuals.error = 1e-13;
    search->residuals.cos.room = LEVY_COS_MOST;
    search->most_steps = 100;
    search->least_step = 1e-11;
    result->cost = levy_search_run(search, point, &result->converged);
    fit_values(fit, point, result->values);
    for (size_t j = 0; j < fit->law->n; ++j) {
        const bool held = levy_search_is_held(search, point, j);
        result->at_bound[j] = held && !fit->bounds[j].is_fixed;
        result->free[j] = !held;
    }
    result->left_out = search->residuals.left_out;
}

levy_status levy_fit_run(const levy_fit *fit, levy_arena *arena, levy_fit_result *result)
{
    levy_search search = {.most_steps = 60, .least_step = 1e-4};
    double point[LEVY_EXPONENT_MOST];
    *result = (levy_fit_result){
        .starts = levy_arena_allocate(arena, fit->n_starts, sizeof *result->starts)};
    if (!result->starts) return LEVY_MEMORY;
    LEVY_TRY(levy_residuals_create(fit, arena, &search.residuals));
    LEVY_TRY(levy_residual_rows_create(&search.residuals, arena, &search.here));
    LEVY_TRY(levy_residual_rows_create(&search.residuals, arena, &search.there));
    search.residuals.error = 1e-8;
    search.residuals.cos.room = LEVY_COS_MOST / 16;
    fit_bounds(fit, &search);
    if (fit->progress) fit->progress->total = fit->n_starts + 1;
    fit_rough(fit, &search, result, point);
    if (levy_memory_stopped(arena->memory)) return LEVY_CANCELLED;
    if (!(result->cost < HUGE_VAL)) return LEVY_NUMERIC;
    fit_agree(fit, result);
    fit_fine(fit, &search, result, point);
    if (levy_memory_stopped(arena->memory)) return LEVY_CANCELLED;
    if (!(result->cost < HUGE_VAL)) return LEVY_NUMERIC;
    fit_covariance(&search, result);
    return fit_response(&search, arena, result);
}
