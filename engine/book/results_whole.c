/* results_whole.c: trades that are the sums of their legs; see results.h. The sums are those of
 * engine/statistics/netting.h: the legs are added up replicate by replicate. */
#include "engine/book/results.h"

#include <string.h>

void levy_results_start_whole(const levy_trade *trade, levy_trade_result *result)
{
    result->maturity = trade->claim.expiry;
    result->status = "cancelled"; /* until all legs are priced */
    result->reason = levy_reason_text(LEVY_REASON_CANCELLED);
}

/* An amount that has been paid is worth nothing. */
void levy_results_start_settled(const levy_trade *trade, levy_trade_result *result)
{
    static const levy_measure nothing = {.measure = "price", .factor = ""};
    result->maturity = trade->claim.expiry;
    result->status = "ok";
    result->reason = levy_reason_text(LEVY_REASON_NONE);
    result->interval = levy_interval_text(LEVY_INTERVAL_EXACT);
    result->price = result->unit_price = result->std_error = 0.0;
    result->ci_low = result->ci_high = 0.0;
    result->measures = &nothing;
    result->n_measures = 1;
    result->message = "settled: it has been paid";
}

/* ---- How it was made ---- */

/* The leg that tells how the trade was simulated: the first one with paths, or the first. */
static const levy_trade_result *whole_model(const levy_trade_result *legs, size_t n)
{
    for (size_t k = 0; k < n; ++k)
        if (legs[k].paths > 0) return &legs[k];
    for (size_t k = 0; k < n; ++k)
        if (legs[k].generator) return &legs[k];
    return &legs[0];
}

static void whole_set_method(const levy_trade_result *legs, size_t n, levy_trade_result *result)
{
    const levy_trade_result *const from = whole_model(legs, n);
    result->paths = from->paths;
    result->replicates = from->replicates;
    result->seed = from->seed;
    result->dimensions = from->dimensions;
    result->padding = from->padding;
    result->generator = from->generator;
    result->construction = from->construction;
    result->precision = from->precision;
    result->reproducibility = from->reproducibility;
    result->backend = from->backend;
    result->device = from->device;
    result->group = from->group;
    result->plan_hash = from->plan_hash;
    result->first = from->first;
    result->pipeline = from->pipeline;
    for (size_t k = 0; k < n; ++k)
        if (legs[k].tolerance_met < 0 || !result->tolerance_met)
            result->tolerance_met = legs[k].tolerance_met;
}

/* ---- The sum ---- */

/* The first leg that has no price, if there is one. */
static const levy_trade_result *whole_fault(const levy_trade_result *legs, size_t n)
{
    const levy_trade_result *found = NULL;
    for (size_t k = 0; k < n; ++k) {
        const bool failed = strcmp(legs[k].status, "failed") == 0;
        if (failed || (!found && strcmp(legs[k].status, "ok") != 0)) found = &legs[k];
        if (failed) break;
    }
    return found;
}

static bool whole_fail(levy_results *results, const levy_trade_result *leg,
                       levy_trade_result *result)
{
    result->status = leg->status;
    result->reason = leg->reason;
    result->message = leg->message
                          ? levy_arena_format(&results->arena, "leg %s: %s", leg->id, leg->message)
                          : NULL;
    return !leg->message || result->message;
}

static void whole_take(const levy_trade *trade, const levy_netted *sum, levy_trade_result *result)
{
    result->status = "ok";
    result->reason = levy_reason_text(LEVY_REASON_NONE);
    result->price = sum->value;
    result->std_error = sum->std_error;
    result->ci_low = sum->ci_low;
    result->ci_high = sum->ci_high;
    result->confidence = sum->confidence;
    result->interval = sum->interval;
    result->unit_price = sum->value / levy_trade_scale(trade);
    result->measures = sum->measures;
    result->n_measures = sum->n_measures;
}

/* ---- One replicate ---- */

/* The only leg that is not exact, of which the error of the sum is; NULL: there are several. */
static const levy_trade_result *whole_random(const levy_trade_result *legs, size_t n)
{
    const levy_trade_result *found = NULL;
    for (size_t k = 0; k < n; ++k) {
        if (strcmp(legs[k].interval, "exact") == 0) continue;
        if (found) return NULL;
        found = &legs[k];
    }
    return found;
}

/* Whether legs add up in another currency than theirs. */
static bool whole_translates(const levy_trade *trade)
{
    bool translates = false;
    for (size_t k = 1; k <= trade->from->n_legs; ++k)
        translates = translates || (trade[k].state != LEVY_TRADE_SETTLED &&
                                    strcmp(trade[k].header.currency, trade->header.currency) != 0);
    return translates;
}

static void whole_measure_error(const levy_measure *leg, levy_measure *sum)
{
    const double rest = sum->value - leg->value;
    sum->std_error = leg->std_error;
    sum->ci_low = leg->ci_low + rest;
    sum->ci_high = leg->ci_high + rest;
    sum->interval = leg->interval;
}

/* A sum of one replicate has no error of its own. If all legs but one are exact, it has the error
 * of that leg. */
static bool whole_take_error(levy_results *results, const levy_trade_result *leg,
                             levy_trade_result *result)
{
    const double rest = result->price - leg->price;
    levy_measure *const own = levy_arena_allocate(&results->arena, result->n_measures, sizeof *own);
    if (!own) return false;
    result->std_error = leg->std_error;
    result->ci_low = leg->ci_low + rest;
    result->ci_high = leg->ci_high + rest;
    result->interval = leg->interval;
    for (size_t i = 0; i < result->n_measures; ++i) {
        own[i] = result->measures[i];
        for (size_t k = 0; k < leg->n_measures; ++k)
            if (strcmp(leg->measures[k].measure, own[i].measure) == 0 &&
                strcmp(leg->measures[k].factor, own[i].factor) == 0)
                whole_measure_error(&leg->measures[k], &own[i]);
    }
    result->measures = own;
    return true;
}

/* The next sum under the key, in the order of trades; NULL: there is none of the trade. */
static const levy_netted *whole_sum(const levy_netting *legs, size_t *next, const char *id)
{
    while (*next < legs->n_netted && !legs->netted[*next].key) ++*next;
    if (*next == legs->n_netted || strcmp(legs->netted[*next].label, id) != 0) return NULL;
    return &legs->netted[(*next)++];
}

bool levy_results_join(levy_results *results, const levy_problem *problem)
{
    static const char apart[] = "the legs differ in their number of replicates";
    size_t next = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < problem->n_trades; ++i) {
        const levy_trade *const trade = &problem->trades[i];
        levy_trade_result *const result = &results->trades[i];
        if (trade->state != LEVY_TRADE_SUM) continue;
        const levy_netted *const sum = whole_sum(&results->legs, &next, result->id);
        const levy_trade_result *const fault = whole_fault(result + 1, trade->from->n_legs);
        if (fault) {
            ok = whole_fail(results, fault, result);
            continue;
        }
        if (!sum) {
            result->status = "failed";
            result->reason = levy_reason_text(LEVY_REASON_UNSUPPORTED);
            result->message = apart;
            continue;
        }
        const bool lacks = sum->replicates == 1 && !whole_translates(trade);
        const levy_trade_result *const random =
            lacks ? whole_random(result + 1, trade->from->n_legs) : NULL;
        whole_take(trade, sum, result);
        ok = !random || whole_take_error(results, random, result);
        whole_set_method(result + 1, trade->from->n_legs, result);
    }
    return ok;
}
