/* calibration.c: see calibration.h. */
#include "engine/calibrate/calibration.h"

#include "engine/fourier/black.h"
#include "engine/market/correlation_build.h"

#include <math.h>
#include <string.h>

/* ---- What is fitted to what ---- */

static bool calibration_has_variance(const levy_calibration *made)
{
    return strcmp(made->each->parameters[0].name, "v0") == 0;
}

/* False: the market's correlations, which are written with the model, are at fault, or they give
 * that of the asset with its variance, which is fitted. */
static bool calibration_correlations(levy_check *build, levy_market *market, size_t asset,
                                     const levy_calibration *made)
{
    levy_correlation_data data;
    levy_correlation_build(build, market, &data);
    if (!data.good) return false;
    if (made->law->n_beside && data.rows[asset + data.n_assets] != 0)
        return LEVY_REFUSE(build, INCONSISTENT, data.node, data.path,
                           "Leave the variance out, or fit without terms.",
                           "correlations of %s.variance go with one rho, which is by term",
                           market->asset_map.names.items[asset]);
    if (!calibration_has_variance(made) ||
        levy_correlation_given(&data, 0, asset, asset + data.n_assets) == LEVY_NO_CORRELATION)
        return true;
    return LEVY_REFUSE(build, INCONSISTENT, data.node, data.path, "Leave the pair out.",
                       "%s.spot with %s.variance is rho, which is fitted",
                       market->asset_map.names.items[asset], market->asset_map.names.items[asset]);
}

/* Where an asset is named: the calibration's, or that of the first quote that has it. */
static size_t calibration_use(levy_check *build, levy_market *market, const levy_calibration *made,
                              size_t number)
{
    const levy_raw_calibration *const raw = made->raw;
    const levy_raw_smile_quote *const quotes = raw->quotes.items;
    size_t i = 0;
    if (number == 0)
        return levy_market_use(build, &market->asset_map, raw->asset,
                               levy_check_at(raw->node, "asset"), "calibration.asset");
    while (made->of[i] != number) ++i;
    return levy_market_use(build, &market->asset_map, made->names[number],
                           levy_check_at(quotes[i].node, "asset"),
                           levy_check_text(build, "calibration.quotes[%zu].asset", i));
}

static bool calibration_assets(levy_check *build, levy_quotes *quotes, levy_smile *smile,
                               levy_calibration *made)
{
    levy_market *const market = &quotes->collection.market;
    levy_market_resolve(build, market);
    made->market = market;
    smile->of = made->of;
    for (size_t a = 0; a < made->n_assets; ++a) {
        const size_t asset = calibration_use(build, market, made, a);
        if (build->out_of_memory || asset == LEVY_NO_NAME || !market->asset_map.items[asset].good)
            return false;
        smile->assets[a] = &market->assets[asset];
        if (!calibration_correlations(build, market, asset, made)) return false;
    }
    return true;
}

static bool calibration_read(levy_check *build, levy_smile *smile, levy_fit *fit,
                             levy_calibration *made)
{
    const levy_raw_calibration *const raw = made->raw;
    const size_t n = raw->quotes.count;
    fit->quotes = levy_check_allocate(build, n, sizeof *fit->quotes);
    smile->fitted = made->fitted = levy_check_allocate(build, n, sizeof *made->fitted);
    smile->raised = levy_check_allocate(build, n, sizeof *smile->raised);
    if (!fit->quotes || !made->fitted || !smile->raised) return false;
    const bool known = levy_bounds_read(build, raw, fit), read = levy_smile_read(smile, fit);
    if (!known || !read) return false;
    /* in units of what errors are not given for: 1 % of volatility */
    for (size_t j = 0; j < fit->law->n && !smile->is_weighted; ++j) fit->bounds[j].within *= 100.0;
    levy_fit_order(fit);
    levy_smile_check_pairs(smile, fit);
    return levy_fit_has_enough(build, raw, fit);
}

/* ---- What was found ---- */

static void calibration_parameter(levy_calibration *made, const levy_fit *fit, double scale,
                                  size_t j)
{
    const levy_exponent_parameter *const law = &fit->law->parameters[j];
    const levy_fit_bound *const bound = &fit->bounds[j];
    const double value = made->result.values[j], variance = made->result.covariance[j][j];
    const double error = made->result.free[j] ? levy_sqrt(scale * variance) : NAN;
    const double distance = 1.959963984540054 * error, factor = levy_exp(distance / value);
    made->parameters[j] = (levy_fitted_value){
        .name = law->name,
        .value = value,
        .std_error = error,
        .ci_low = fmax(law->by_ratio ? value / factor : value - distance, bound->low),
        .ci_high = fmin(law->by_ratio ? value * factor : value + distance, bound->high),
        .low = bound->low,
        .high = bound->high,
        .fixed = bound->is_fixed,
        .at_bound = made->result.at_bound[j]};
    if (isnan(error)) made->parameters[j].ci_low = made->parameters[j].ci_high = NAN;
    for (size_t k = 0; k < fit->law->n; ++k) made->result.covariance[j][k] *= scale;
}

/* Without errors of the quotes, their scale is what they differ from the model by; NaN: there are
 * no more of them than of parameters. */
static double calibration_scale(const levy_calibration *made, const levy_fit *fit)
{
    const levy_calibration_facts *const f = &made->facts;
    size_t rows = f->quotes;
    for (size_t j = 0; j < fit->law->n; ++j)
        rows += made->result.free[j] && fit->bounds[j].within > 0.0;
    if (f->has_errors) return 1.0;
    return rows > f->sought ? made->result.cost / (double)(rows - f->sought) : NAN;
}

/* The model's price of a quote, and its volatility; NaN: the price, a put by the forward with
 * fifteen digits, shows none. */
static void calibration_model(const levy_smile *smile, double put, levy_fitted_quote *quote)
{
    const double strike = levy_log(quote->strike / quote->forward), root = levy_sqrt(quote->years),
                 in_money = fmax(levy_exp(strike) - 1.0, 0.0), out = fmax(put - in_money, 0.0),
                 deviation = levy_black_implied(strike, strike > 0.0, out);
    quote->model_price = levy_smile_price(smile, quote, fmax(put, in_money));
    quote->model_volatility =
        levy_black_vega(strike, deviation) * root > LEVY_QUOTE_LEAST_VEGA ? deviation / root : NAN;
}

/* What the model misses a quote by, and what the series may leave out of it. */
static void calibration_miss(levy_calibration *made, const levy_fitted_quote *quote, double off)
{
    const double error = quote->model_volatility - quote->volatility;
    if (off > made->off) made->off_years = quote->years;
    made->off = fmax(made->off, off);
    if (isnan(error)) {
        made->n_unseen++;
        return;
    }
    made->facts.rms += error * error;
    made->facts.worst = fmax(made->facts.worst, fabs(error));
}

static levy_status calibration_quotes(levy_calibration *made, const levy_fit *fit,
                                      const levy_smile *smile)
{
    made->response = levy_arena_allocate(&made->arena, fit->n, sizeof *made->response);
    if (!made->response) return LEVY_MEMORY;
    for (size_t i = 0; i < fit->n; ++i) {
        const size_t source = fit->quotes[i].source;
        levy_fitted_quote *const quote = &made->fitted[source];
        const double raised = smile->raised[source], scale = 1.0 + raised / quote->forward,
                     strike = levy_log(quote->strike / quote->forward),
                     root = levy_sqrt(quote->years),
                     vega = root * levy_black_vega(strike, quote->volatility * root);
        quote->asset = made->names[made->of[source]];
        calibration_model(smile, scale * made->result.puts[i], quote);
        for (size_t j = 0; j < fit->law->n; ++j)
            made->response[source][j] = vega / scale * made->result.response[i][j];
        made->pays_cash = made->pays_cash || raised > 0.0;
        calibration_miss(made, quote,
                         scale * made->result.left_out[i] / fmax(vega, made->raw->floor));
    }
    made->facts.rms = levy_sqrt(made->facts.rms / (double)(fit->n - made->n_unseen));
    if (made->n_unseen == fit->n) made->facts.worst = NAN;
    return LEVY_OK;
}

static levy_status calibration_starts(levy_calibration *made, const levy_fit *fit)
{
    made->starts = levy_arena_allocate(&made->arena, fit->n_starts, sizeof *made->starts);
    if (!made->starts) return LEVY_MEMORY;
    for (size_t i = 0; i < fit->n_starts; ++i) {
        const levy_fit_end *const end = &made->result.starts[i];
        made->starts[i] = (levy_fitted_start){.error = levy_sqrt(end->cost / (double)fit->n),
                                              .agrees = end->agrees,
                                              .values = end->values};
        made->facts.agreeing += end->agrees;
    }
    return LEVY_OK;
}

/* The least 2 kappa theta / xi^2 of any term and asset; NaN: the law has no such variance */
static double calibration_feller(const levy_calibration *made)
{
    const double *const v = made->result.values;
    double least = HUGE_VAL;
    if (!calibration_has_variance(made)) return NAN;
    for (size_t a = 0; a < made->n_assets && made->law->n_beside == 0; ++a) {
        const size_t *const at = made->places[a];
        least = fmin(least, 2.0 * v[at[1]] * v[at[2]] / (v[at[3]] * v[at[3]]));
    }
    for (size_t j = 0; j < made->law->n && made->law->n_beside > 0; ++j)
        if (strncmp(made->law->parameters[j].name, "theta", 5) == 0)
            least = fmin(least, 2.0 * v[1] * v[j] / (v[j + 1] * v[j + 1]));
    return least;
}

static levy_status calibration_fill(levy_calibration *made, const levy_fit *fit,
                                    const levy_smile *smile)
{
    const levy_raw_calibration *const raw = made->raw;
    made->facts = (levy_calibration_facts){.asset = made->all_names,
                                           .model = fit->law->kind,
                                           .name = raw->name,
                                           .quotes = fit->n,
                                           .parameters = fit->law->n,
                                           .starts = fit->n_starts,
                                           .feller = calibration_feller(made),
                                           .converged = made->result.converged,
                                           .has_errors = smile->has_errors};
    made->parameters = levy_arena_allocate(&made->arena, fit->law->n, sizeof *made->parameters);
    if (!made->parameters) return LEVY_MEMORY;
    for (size_t j = 0; j < fit->law->n; ++j) made->facts.sought += made->result.free[j];
    const double scale = calibration_scale(made, fit);
    for (size_t j = 0; j < fit->law->n; ++j) calibration_parameter(made, fit, scale, j);
    LEVY_TRY(calibration_quotes(made, fit, smile));
    return calibration_starts(made, fit);
}

/* ---- All of it ---- */

static levy_status calibration_run(levy_check *build, levy_quotes *quotes, levy_progress *progress,
                                   levy_calibration *made)
{
    if (!levy_assets_read(build, made) || !levy_terms_read(build, made))
        return build->out_of_memory ? LEVY_MEMORY : LEVY_INPUT;
    levy_smile smile = {.build = build, .raw = made->raw};
    levy_fit fit = {.law = made->law,
                    .each = made->each,
                    .places = made->n_assets > 1 ? made->places : NULL,
                    .n_starts = made->raw->starts,
                    .seed = made->raw->seed,
                    .progress = progress};
    if (!calibration_assets(build, quotes, &smile, made) ||
        !calibration_read(build, &smile, &fit, made))
        return build->out_of_memory ? LEVY_MEMORY : LEVY_INPUT;
    const levy_status status = levy_fit_run(&fit, &made->arena, &made->result);
    if (status == LEVY_NUMERIC)
        LEVY_REFUSE(build, NUMERIC_ERROR, made->raw->node, "calibration",
                    "Narrow the parameters' bounds, or leave out quotes of very short expiries.",
                    "no start has finite prices");
    if (status != LEVY_OK) return status;
    LEVY_TRY(calibration_fill(made, &fit, &smile));
    levy_calibration_say(build, made);
    return LEVY_OK;
}

static levy_status calibration_make(levy_check *build, levy_quotes *quotes, levy_progress *progress,
                                    levy_calibration *made)
{
    const levy_raw_calibration *const raw = quotes->collection.calibration;
    const size_t errors = build->faults->errors;
    if (!levy_fault_list_add_all(build->faults, &quotes->faults)) return LEVY_MEMORY;
    if (build->faults->errors > errors) return LEVY_INPUT;
    if (!raw) {
        const levy_node node = {
            .place = {.file = levy_quotes_file(quotes, 0), .line = 1, .column = 1}};
        LEVY_REFUSE(build, MISSING_KEY, &node, "calibration",
                    "Write calibration: {asset, model, quotes}. `levy describe calibration` says "
                    "more.",
                    "there is nothing to fit");
        return LEVY_INPUT;
    }
    made->raw = raw;
    made->law = levy_exponent_find(levy_calibrated_kinds[raw->model]);
    return made->law ? calibration_run(build, quotes, progress, made) : LEVY_INTERNAL;
}

levy_status levy_calibration_create(const levy_memory *memory, levy_quotes *quotes,
                                    levy_fault_list *faults, levy_progress *progress,
                                    levy_calibration **calibration)
{
    levy_calibration *const made = levy_memory_allocate(memory, 1, sizeof *made);
    const size_t first = faults->count;
    levy_check build = quotes->build;
    *calibration = NULL;
    if (!made) {
        levy_quotes_destroy(quotes);
        return LEVY_MEMORY;
    }
    levy_arena_init(&made->arena, memory);
    made->quotes = quotes;
    build.arena = &made->arena;
    build.faults = faults;
    build.first_fault = first;
    levy_status status = calibration_make(&build, quotes, progress, made);
    if (build.out_of_memory) status = LEVY_MEMORY;
    levy_fault_list_keep_places(faults, first);
    if (status == LEVY_OK)
        *calibration = made;
    else
        levy_calibration_destroy(made);
    return status;
}
