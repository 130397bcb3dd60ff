/* residuals.c: see residuals.h. */
#include "engine/calibrate/residuals.h"

#include <math.h>

double levy_search_of(const levy_exponent_parameter *parameter, double value)
{
    return parameter->by_ratio ? levy_log(value) : value;
}

double levy_search_value(const levy_exponent_parameter *parameter, double searched)
{
    return parameter->by_ratio ? levy_exp(searched) : searched;
}

double levy_search_unit(const levy_exponent_parameter *parameter, double value)
{
    return parameter->by_ratio ? value : 1.0;
}

levy_status levy_residuals_create(const levy_fit *fit, levy_arena *arena, levy_residuals *r)
{
    *r = (levy_residuals){.fit = fit, .memory = arena->memory, .n_rows = fit->n};
    for (size_t j = 0; j < fit->law->n; ++j) r->n_rows += fit->bounds[j].within > 0.0;
    r->cos.room = LEVY_COS_MOST;
    r->cos.terms = levy_arena_allocate(arena, r->cos.room, sizeof *r->cos.terms);
    r->left_out = levy_arena_allocate(arena, fit->n, sizeof *r->left_out);
    return r->cos.terms && r->left_out ? LEVY_OK : LEVY_MEMORY;
}

levy_status levy_residual_rows_create(const levy_residuals *r, levy_arena *arena,
                                      levy_residual_rows *rows)
{
    rows->values = levy_arena_allocate(arena, r->n_rows, sizeof *rows->values);
    rows->slopes = levy_arena_allocate(arena, r->n_rows, sizeof *rows->slopes);
    return rows->values && rows->slopes ? LEVY_OK : LEVY_MEMORY;
}

/* How many quotes from the first-th on have its asset and expiry. */
static size_t residuals_expiry(const levy_fit *fit, size_t first)
{
    const levy_fit_quote *const quotes = fit->quotes, *const one = quotes + first;
    size_t n = 1;
    while (first + n < fit->n && one[n].years == one->years && one[n].asset == one->asset) ++n;
    return n;
}

static const levy_exponent *residuals_law(const levy_fit *fit)
{
    return fit->places ? fit->each : fit->law;
}

/* An asset's own parameters, and behind them what is beside. */
static void residuals_own(const levy_fit *fit, size_t asset, const double *values, double *own)
{
    const levy_exponent *const law = residuals_law(fit);
    for (size_t k = 0; k < law->n; ++k) own[k] = values[levy_fit_place(fit, asset, k)];
    for (size_t k = 0; k < law->n_beside; ++k) own[LEVY_EXPONENT_MOST + k] = law->beside[k];
}

static void residuals_quote(const levy_residuals *r, size_t i, const double *units,
                            const levy_residual_rows *rows)
{
    const levy_fit_quote *const quote = &r->fit->quotes[i];
    double *const slopes = rows->slopes[i], own[LEVY_EXPONENT_MOST] = {0.0};
    const double put = levy_cos_put(&r->cos, quote->log_strike, own);
    r->left_out[i] = r->cos.left_out * levy_exp(quote->log_strike);
    rows->values[i] = quote->per_unit * (put - quote->put);
    for (size_t j = 0; j < r->fit->law->n; ++j) slopes[j] = 0.0;
    for (size_t k = 0; k < residuals_law(r->fit)->n; ++k) {
        const size_t j = levy_fit_place(r->fit, quote->asset, k);
        slopes[j] = own[k] * (quote->per_unit * units[j]);
    }
}

static void residuals_pulls(const levy_fit *fit, const double *values, const double *units,
                            const levy_residual_rows *rows)
{
    size_t row = fit->n;
    for (size_t j = 0; j < fit->law->n; ++j) {
        const levy_fit_bound *const bound = &fit->bounds[j];
        if (!(bound->within > 0.0)) continue;
        for (size_t k = 0; k < fit->law->n; ++k) rows->slopes[row][k] = 0.0;
        rows->slopes[row][j] = units[j] / bound->within;
        rows->values[row++] = (values[j] - bound->toward) / bound->within;
    }
}

double levy_residuals_at(levy_residuals *r, const double *point, const levy_residual_rows *rows)
{
    const levy_fit *const fit = r->fit;
    const levy_exponent *const law = residuals_law(fit);
    double values[LEVY_EXPONENT_MOST], units[LEVY_EXPONENT_MOST],
        sum = 0.0, own[LEVY_EXPONENT_MOST + LEVY_EXPONENT_BESIDE] = {0.0};
    for (size_t j = 0; j < fit->law->n; ++j) {
        values[j] = levy_search_value(&fit->law->parameters[j], point[j]);
        units[j] = levy_search_unit(&fit->law->parameters[j], values[j]);
    }
    for (size_t i = 0, n; i < fit->n; i += n) {
        if (levy_memory_stopped(r->memory)) return HUGE_VAL;
        n = residuals_expiry(fit, i);
        const levy_fit_quote *const quotes = &fit->quotes[i];
        residuals_own(fit, quotes->asset, values, own);
        if (law->allows && !law->allows(own)) return HUGE_VAL;
        if (!levy_cos_begin(&r->cos, law, own, quotes->years, quotes[0].log_strike,
                            quotes[n - 1].log_strike, r->error, true))
            return HUGE_VAL;
        for (size_t k = 0; k < n && !levy_memory_stopped(r->memory); ++k)
            residuals_quote(r, i + k, units, rows);
    }
    if (levy_memory_stopped(r->memory)) return HUGE_VAL;
    residuals_pulls(fit, values, units, rows);
    for (size_t i = 0; i < r->n_rows; ++i) sum += rows->values[i] * rows->values[i];
    return isfinite(sum) ? sum : HUGE_VAL;
}
