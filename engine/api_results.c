/* api_results.c: see api_results.h. Statistics happen here, by engine/report/stats.h; nothing else is computed. */
#include "engine/api_results.h"

#include "engine/plan/items.h"
#include "engine/report/stats.h"

#include <math.h>
#include <string.h>

static const char *const results_generators[] = {"sobol_scrambled", "sobol", "philox"};
static const char *const results_constructions[] = {"bridge", "incremental"};
static const char *const results_precisions[] = {"double", "single"};

static const char *results_copy(levy_results *results, const char *text, bool *ok)
{
    if (!text) return NULL;
    const char *copy = levy_arena_copy_text(&results->arena, text, strlen(text));
    *ok &= copy != NULL;
    return copy;
}

static const char *results_model_kind(const levy_trade *trade)
{
    return trade->model ? levy_model_kinds[trade->model->kind]->kind : NULL;
}

static bool results_start_trade(levy_results *results, const levy_book *book, size_t index)
{
    const levy_trade *trade = &book->problem->trades[index];
    bool ok = true;
    levy_trade_result *result = &results->trades[index];
    *result = (levy_trade_result){.status = "failed",
                                  .interval = "none",
                                  .maturity = NAN,
                                  .price = NAN,
                                  .std_error = NAN,
                                  .ci_low = NAN,
                                  .ci_high = NAN,
                                  .confidence = NAN,
                                  .unit_price = NAN,
                                  .seconds = NAN,
                                  .floor_probability = NAN};
    result->id = results_copy(results, trade->id, &ok);
    result->currency = results_copy(results, trade->currency, &ok);
    result->payoff = results_copy(results, trade->payoff_kind_name, &ok);
    if (!trade->failed) {
        result->model = results_model_kind(trade);
        result->maturity = trade->expiry;
    }
    const char *reason = trade->failed ? book->trade_reasons[index] : levy_reason_text(LEVY_REASON_CANCELLED);
    result->reason = reason ? reason : levy_reason_text(LEVY_REASON_UNSUPPORTED);
    result->message = results_copy(results, trade->failed ? book->trade_messages[index] : NULL, &ok);
    return ok;
}

levy_status levy_results_create(const levy_book *book, levy_results **results)
{
    const levy_memory *memory = &book->context->memory;
    const size_t n = book->problem->n_trades;
    levy_results *made = levy_memory_allocate(memory, 1, sizeof *made);
    if (!made) return LEVY_MEMORY;
    made->own_memory = *memory;
    made->memory = &made->own_memory;
    levy_arena_init(&made->arena, made->memory);
    made->n_trades = n;
    made->trades = levy_arena_allocate(&made->arena, n, sizeof *made->trades);
    bool ok = made->trades != NULL;
    for (size_t i = 0; ok && i < n; i++) ok = results_start_trade(made, book, i);
    if (ok) {
        *results = made;
        return LEVY_OK;
    }
    levy_results_destroy(made);
    return LEVY_MEMORY;
}

void levy_results_destroy(levy_results *results)
{
    if (!results) return;
    const levy_memory memory = results->own_memory;
    levy_arena_release(&results->arena);
    levy_memory_release(&memory, results);
}

levy_status levy_results_fail_group(levy_results *results, const levy_group *group, levy_reason reason,
                                    const char *message)
{
    bool ok = true;
    const char *copy = results_copy(results, message && *message ? message : NULL, &ok);
    for (size_t i = 0; i < group->n_trades; i++) {
        results->trades[group->trades[i]].reason = levy_reason_text(reason);
        results->trades[group->trades[i]].message = copy;
    }
    return ok ? LEVY_OK : LEVY_MEMORY;
}

/* One output's estimate. Philox has one stream of paths; Sobol points have replicates. */
static levy_estimate results_estimate(const levy_simulation *simulation, const tree_sum *sums, levy_moments *moments)
{
    for (uint64_t r = 0; r < simulation->replicates; r++)
        moments[r] = (levy_moments){(uint64_t)sums[r].n, sums[r].mean, sums[r].m2};
    if (simulation->generator == LEVY_GENERATOR_PHILOX && simulation->replicates == 1)
        return levy_estimate_paths(moments, simulation->confidence);
    return levy_estimate_replicates(moments, simulation->replicates, simulation->confidence);
}

/* The simulation's unit estimate times the position's signed size; a negative size turns the interval round. */
static levy_estimate results_scale(levy_estimate unit, double scale)
{
    const double low = unit.ci_low * scale, high = unit.ci_high * scale;
    return (levy_estimate){unit.n,
                           unit.value * scale,
                           unit.std_error * fabs(scale),
                           scale < 0.0 ? high : low,
                           scale < 0.0 ? low : high,
                           unit.interval};
}

static void results_set_price(levy_trade_result *result, double unit_price, const levy_estimate *estimate)
{
    result->price = estimate->value;
    result->std_error = estimate->std_error;
    result->ci_low = estimate->ci_low;
    result->ci_high = estimate->ci_high;
    result->interval = levy_interval_text(estimate->interval);
    result->unit_price = unit_price;
}

static bool results_set_measure(levy_results *results, const levy_trade *trade, const levy_image_output *output,
                                const levy_estimate *estimate, levy_measure *measure)
{
    static const char *const names[] = {"price", "delta", "vega"};
    static const char *const suffixes[] = {"", ".spot", ".volatility"};
    const int kind = output->measure == LEVY_MEASURE_DELTA ? 1 : output->measure == LEVY_MEASURE_VEGA ? 2 : 0;
    const char *asset = kind ? trade->model->assets[output->factor]->name : "";
    measure->measure = names[kind];
    measure->factor = levy_arena_format(&results->arena, "%s%s", asset, suffixes[kind]);
    measure->value = estimate->value;
    measure->std_error = estimate->std_error;
    measure->flagged = kind && (levy_payoffs[trade->payoff]->features & LEVY_PAYOFF_DISCONTINUOUS);
    return measure->factor != NULL;
}

static bool results_is_greek(const levy_image_output *output)
{
    return output->measure == LEVY_MEASURE_DELTA || output->measure == LEVY_MEASURE_VEGA;
}

/* The outputs of one trade, price first. */
static bool results_take_trade(levy_results *results, const levy_plan *plan, uint32_t trade_number,
                               const tree_sum *sums, levy_moments *moments)
{
    const levy_image_output *outputs = LEVY_IMAGE_AT(levy_image_output, plan->image, outputs);
    const uint32_t index = plan->group->trades[trade_number];
    const levy_trade *trade = &plan->problem->trades[index];
    levy_trade_result *result = &results->trades[index];
    size_t count = 1, next = 1;
    for (uint32_t o = 0; o < plan->image->n_outputs; o++)
        count += outputs[o].trade == trade_number && results_is_greek(&outputs[o]);
    levy_measure *measures = levy_arena_allocate(&results->arena, count, sizeof *measures);
    bool finite = true, ok = measures != NULL;
    for (uint32_t o = 0; ok && o < plan->image->n_outputs; o++) {
        if (outputs[o].trade != trade_number) continue;
        const levy_estimate unit =
            results_estimate(&plan->problem->simulation, &sums[(size_t)o * plan->image->n_replicates], moments);
        const levy_estimate estimate = results_scale(unit, trade->scale);
        const bool greek = results_is_greek(&outputs[o]);
        finite = finite && isfinite(estimate.value);
        if (!greek) results_set_price(result, unit.value, &estimate);
        ok = results_set_measure(results, trade, &outputs[o], &estimate, &measures[greek ? next++ : 0]);
    }
    result->measures = measures;
    result->n_measures = ok ? count : 0;
    result->status = finite ? "ok" : "failed";
    result->reason = levy_reason_text(finite ? LEVY_REASON_NONE : LEVY_REASON_NUMERIC_ERROR);
    if (!finite) result->message = "a result is not a finite number: an input is too extreme";
    return ok;
}

/* The share of a group's paths on which a cash dividend met the floor at 0; NaN without cash dividends. */
static double results_floor(const levy_plan *plan, const tree_sum *sums)
{
    const levy_image_output *outputs = LEVY_IMAGE_AT(levy_image_output, plan->image, outputs);
    for (uint32_t o = 0; o < plan->image->n_outputs; o++) {
        if (outputs[o].measure != LEVY_OUTPUT_FLOOR) continue;
        const uint32_t n = plan->image->n_replicates;
        double sum = 0.0;
        for (uint32_t r = 0; r < n; r++) sum += sums[(size_t)o * n + r].mean;
        return sum / n;
    }
    return NAN;
}

static void results_set_method(levy_trade_result *result, const levy_plan *plan, uint32_t group_number)
{
    const levy_simulation *simulation = &plan->problem->simulation;
    result->confidence = simulation->confidence;
    result->paths = simulation->paths;
    result->replicates = simulation->replicates;
    result->seed = simulation->seed;
    result->dimensions = plan->image->n_draws;
    result->generator = results_generators[simulation->generator];
    result->construction = results_constructions[simulation->construction];
    result->precision = results_precisions[simulation->precision];
    result->reproducibility = simulation->precision == LEVY_PRECISION_DOUBLE ? "R3" : "R2";
    result->group = group_number;
    result->plan_hash = plan->image->numeric_hash;
}

levy_status levy_results_take_group(levy_results *results, const levy_plan *plan, uint32_t group_number,
                                    const tree_sum *sums, double seconds, const levy_api_device *device)
{
    bool ok = true;
    levy_moments *moments = levy_arena_allocate(&results->arena, plan->image->n_replicates, sizeof *moments);
    const char *backend = results_copy(results, device->info.backend, &ok);
    const char *name = results_copy(results, device->info.device, &ok);
    const double floor = results_floor(plan, sums);
    if (!moments || !ok) return LEVY_MEMORY;
    for (uint32_t i = 0; i < plan->group->n_trades; i++) {
        if (!results_take_trade(results, plan, i, sums, moments)) return LEVY_MEMORY;
        levy_trade_result *result = &results->trades[plan->group->trades[i]];
        results_set_method(result, plan, group_number);
        result->seconds = seconds;
        result->floor_probability = floor;
        result->backend = backend;
        result->device = name;
    }
    return LEVY_OK;
}

levy_status levy_results_finish(levy_results *results, const levy_book *book, const levy_api_device *device,
                                size_t n_groups)
{
    bool ok = true;
    levy_run_info *run = &results->run;
    run->version = levy_version();
    run->contract = 1;
    run->fingerprint = book->problem->fingerprint;
    run->backend = results_copy(results, device->info.backend, &ok);
    run->device = results_copy(results, device->info.device, &ok);
    run->device_reason = results_copy(results, device->reason, &ok);
    run->isa = results_copy(results, device->info.isa, &ok);
    run->threads = device->info.threads;
    run->groups = n_groups;
    run->priced = 0;
    for (size_t i = 0; i < results->n_trades; i++) run->priced += strcmp(results->trades[i].status, "ok") == 0;
    run->failed = results->n_trades - run->priced;
    return ok ? LEVY_OK : LEVY_MEMORY;
}

size_t levy_results_size(const levy_results *results) { return results ? results->n_trades : 0; }

const levy_trade_result *levy_results_trade(const levy_results *results, size_t index)
{
    return results && index < results->n_trades ? &results->trades[index] : NULL;
}

const levy_run_info *levy_results_run(const levy_results *results) { return results ? &results->run : NULL; }
