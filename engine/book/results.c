/* results.c: see results.h. The results before a group is priced, and after the last one. */
#include "engine/book/results.h"

#include "engine/book/results_net.h"
#include "engine/problem/report_currency.h"

#include <math.h>
#include <string.h>

const char *levy_results_copy(levy_results *results, const char *text, bool *ok)
{
    if (!text) return NULL;
    const char *copy = levy_arena_copy_text(&results->arena, text, strlen(text));
    *ok &= copy != NULL;
    return copy;
}

static const char *results_model_kind(const levy_trade *trade)
{
    if (!trade->model || trade->model->stands_in) return NULL;
    return levy_model_kinds[trade->model->kind]->kind;
}

/* The trade whose first fault says why this one has no price: with legs, the first faulty leg. */
static size_t results_culprit(const levy_book *book, size_t index)
{
    const levy_trade *const trade = &book->problem->trades[index];
    size_t k = 0;
    if (book->trade_reasons[index]) return index;
    while (k < trade->from->n_legs && !book->trade_reasons[index + 1 + k]) ++k;
    return k < trade->from->n_legs ? index + 1 + k : index;
}

static bool results_start_trade(levy_results *results, const levy_book *book, size_t index)
{
    const levy_trade *trade = &book->problem->trades[index];
    const size_t culprit = results_culprit(book, index);
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
                                  .floor_probability = NAN,
                                  .tolerance = NAN,
                                  .tolerance_width = NAN};
    result->id = levy_results_copy(results, trade->from->raw->id, &ok);
    result->currency = levy_results_copy(results, trade->header.currency, &ok);
    result->payoff = levy_results_copy(results, trade->header.payoff, &ok);
    ok = ok && levy_results_label(results, trade, result);
    if (trade->from->leg > 0) result->leg_of = results->trades[index - trade->from->leg].id;
    if (trade->state == LEVY_TRADE_SETTLED && !book->trade_reasons[culprit]) {
        levy_results_start_settled(trade, result);
        return ok;
    }
    if (trade->from->n_legs > 0 && trade->state != LEVY_TRADE_FAILED) {
        result->model = results_model_kind(trade);
        levy_results_start_whole(trade, result);
        return ok;
    }
    result->model = results_model_kind(trade);
    const bool planned = levy_trade_is_planned(trade);
    if (planned) result->maturity = trade->claim.expiry;
    const char *reason =
        planned ? levy_reason_text(LEVY_REASON_CANCELLED) : book->trade_reasons[culprit];
    result->reason = reason ? reason : levy_reason_text(LEVY_REASON_UNSUPPORTED);
    if (planned) result->status = "cancelled"; /* until its turn comes */
    result->message =
        levy_results_copy(results, planned ? NULL : book->trade_messages[culprit], &ok);
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
    levy_netting_init(&made->netting, made->memory);
    levy_netting_init(&made->legs, made->memory);
    made->legs.keys[made->legs.n_keys++] = "leg_of";
    made->legs.noun = "legs";
    made->n_trades = n;
    made->trades = levy_arena_allocate(&made->arena, n, sizeof *made->trades);
    bool ok = made->trades != NULL;
    if (book->problem->report)
        made->report_currency = levy_results_copy(made, book->problem->report->name, &ok);
    for (size_t i = 0; ok && i < n; ++i) ok = results_start_trade(made, book, i);
    ok = ok && levy_results_grids(made, book->problem);
    if (ok && levy_results_note_origin(made, book) == LEVY_OK) {
        *results = made;
        return LEVY_OK;
    }
    levy_results_release(made);
    return LEVY_MEMORY;
}

void levy_results_release(levy_results *results)
{
    if (!results) return;
    const levy_memory memory = results->own_memory;
    levy_netting_release(&results->netting);
    levy_netting_release(&results->legs);
    levy_arena_release(&results->arena);
    levy_memory_release(&memory, results);
}

/* The trades that sums lack. Those of an unknown currency come last: they may belong to any. */
static bool results_miss(levy_results *results, const levy_problem *problem)
{
    bool ok = true;
    for (size_t i = 0; ok && i < 2 * results->n_trades; ++i) {
        const size_t index = i % results->n_trades;
        const levy_trade_result *const trade = &results->trades[index];
        const bool last = !trade->currency || !*trade->currency;
        if (trade->leg_of || strcmp(trade->status, "ok") == 0 || last != (i >= results->n_trades))
            continue;
        ok = levy_results_net_miss(results, problem, index);
    }
    return ok;
}

/* The level of docs/contract.md. */
static const char *results_level(const levy_simulation *simulation)
{
    if (simulation->supply == LEVY_SUPPLY_CURAND || simulation->supply == LEVY_SUPPLY_CALLER)
        return "R1";
    return simulation->precision == LEVY_PRECISION_DOUBLE ? "R3" : "R2";
}

void levy_results_set_group(levy_trade_result *result, const levy_simulation *simulation,
                            const levy_results_group *group)
{
    result->confidence = simulation->confidence;
    result->replicates = simulation->replicates;
    result->seed = simulation->seed;
    result->dimensions = group->dimensions;
    result->padding = group->padding;
    result->generator = levy_generator_text(simulation);
    result->construction = levy_construction_text(simulation->construction);
    result->precision = levy_precision_text(simulation->precision);
    result->reproducibility = results_level(simulation);
    result->group = group->number;
    result->plan_hash = group->plan_hash;
    result->pipeline = group->staged ? "staged" : "fused";
    result->first = group->first;
    result->seconds = group->seconds;
    result->floor_probability = group->floor_probability;
    result->backend = group->backend;
    result->device = group->device;
}

void levy_results_refuse(levy_trade_result *result, levy_reason reason)
{
    result->status = "failed";
    result->reason = levy_reason_text(reason);
    result->interval = "none";
    result->price = result->std_error = result->ci_low = result->ci_high = result->unit_price = NAN;
    result->n_measures = 0;
}

bool levy_results_add_message(levy_arena *arena, levy_trade_result *result, const char *more)
{
    result->message =
        result->message ? levy_arena_format(arena, "%s; %s", result->message, more) : more;
    return result->message != NULL;
}

levy_status levy_results_fail_group(levy_results *results, const levy_book *book,
                                    const levy_group *group, levy_reason reason,
                                    const char *message)
{
    const levy_collected_trade *const first = book->problem->trades[group->trades[0]].from;
    const char *const id = first->raw->id ? first->raw->id : "";
    bool ok = true;
    levy_fault *const fault = levy_fault_add(&book->context->faults, reason, &first->node->place,
                                             id, NULL, "%s", message);
    if (fault) fault->trade = group->trades[0];
    const char *copy = levy_results_copy(results, *message ? message : NULL, &ok);
    for (size_t i = 0; i < group->n_trades; ++i) {
        levy_trade_result *result = &results->trades[group->trades[i]];
        levy_results_refuse(result, reason); /* also one that was done before memory failed */
        result->message = copy;
    }
    return ok ? LEVY_OK : LEVY_MEMORY;
}

levy_status levy_results_move_group(levy_results *results, const levy_group *group, const char *why)
{
    const char *const moved =
        levy_arena_format(&results->arena,
                          "moved to the CPU, whose results differ in bits from the GPU's in this "
                          "precision: %s",
                          why);
    bool ok = moved;
    for (size_t i = 0; ok && i < group->n_trades; ++i)
        ok = levy_results_add_message(&results->arena, &results->trades[group->trades[i]], moved);
    return ok ? LEVY_OK : LEVY_MEMORY;
}

/* A trade counts once, however many legs it has. */
static void results_count(levy_results *results)
{
    levy_run_info *const run = &results->run;
    run->priced = run->failed = run->cancelled = run->tolerance_missed = 0;
    for (size_t i = 0; i < results->n_trades; ++i) {
        const levy_trade_result *const trade = &results->trades[i];
        if (trade->leg_of) continue;
        const bool priced = strcmp(trade->status, "ok") == 0,
                   cancelled = strcmp(trade->status, "cancelled") == 0;
        run->priced += priced;
        run->cancelled += cancelled;
        run->failed += !priced && !cancelled;
        run->tolerance_missed += priced && trade->tolerance_met < 0;
    }
}

levy_status levy_results_finish(levy_results *results, const levy_book *book,
                                const levy_call_device *device, size_t n_groups)
{
    bool ok = true;
    levy_run_info *run = &results->run;
    run->version = levy_version();
    run->contract = LEVY_CONTRACT;
    run->fingerprint = book->problem->fingerprint;
    run->backend = levy_results_copy(results, device->info.backend, &ok);
    run->device = levy_results_copy(results, device->info.device, &ok);
    run->device_reason = levy_results_copy(results, device->reason, &ok);
    run->isa = levy_results_copy(results, device->info.isa, &ok);
    run->threads = device->info.threads;
    run->groups = n_groups;
    ok = ok &&
         levy_netting_finish(&results->legs, &results->arena,
                             book->problem->simulation.confidence) &&
         levy_results_join(results, book->problem);
    results_count(results);
    ok = ok && results_miss(results, book->problem) &&
         levy_netting_finish(&results->netting, &results->arena,
                             book->problem->simulation.confidence);
    return ok ? LEVY_OK : LEVY_MEMORY;
}
