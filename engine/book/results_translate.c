/* results_translate.c: see results_translate.h. What a trade is worth in the report's currency is a
 * product of its own worth V and of the exchange rate's f, so that a derivative by the rate's spot
 * has the product's rule: f V' + f' V once, f V'' + 2 f' V' + f'' V twice, and f' times the other
 * derivative beside one. All else is f V, and V at f(s) of a scenario s; the profit or loss there
 * is f(s) (V(s) - V) + (f(s) - f) V. */
#include "engine/book/results_translate.h"

#include "engine/book/results_net.h"
#include "engine/problem/report_currency.h"

#include <math.h>
#include <string.h>

typedef struct translate_job {
    levy_results *results;
    const levy_report_currency *report;
    const levy_translation *of;
    const levy_netting_trade *trade;
    const char *spot; /* the rate's name as a factor: "EURUSD.spot" */
    levy_netting_part *parts;
    size_t n;
} translate_job;

static const char translate_none[] = "the exchange rate has no spot in the scenario";

static const levy_netting_line *translate_line(const translate_job *job,
                                               const levy_netting_part *part)
{
    return &job->results->netting.lines[part->line];
}

/* The part of a measure by its bit, of a factor; NULL: the trade has none. */
static const levy_netting_part *translate_find(const translate_job *job, uint32_t measure,
                                               const char *factor)
{
    for (size_t i = 0; i < job->trade->n_parts; ++i) {
        const levy_netting_line *const line = translate_line(job, &job->trade->parts[i]);
        if (1u << line->bit == measure && strcmp(line->factor, factor) == 0)
            return &job->trade->parts[i];
    }
    return NULL;
}

/* Adds `rate` times a part of the trade to a line. */
static void translate_put(translate_job *job, const levy_netting_part *part, double rate,
                          uint32_t line)
{
    levy_netting_part *const to = &job->parts[job->n++];
    *to = *part;
    to->line = line;
    to->rate = rate;
    if (!isnan(rate)) return;
    to->rate = 0.0;
    to->none = true;
    to->note = translate_none;
}

/* The same, to the line of a measure and a factor. False: no memory. */
static bool translate_add(translate_job *job, const levy_netting_part *part, double rate,
                          uint32_t measure, const char *factor)
{
    const uint32_t bit = (uint32_t)__builtin_ctz(measure);
    const char *const kept = levy_arena_copy_text(&job->results->arena, factor, strlen(factor));
    const levy_netting_line line =
        levy_results_net_line(bit, levy_results_measure_name(measure), kept);
    uint32_t number;
    if (!part || rate == 0.0) return true;
    if (!kept || !levy_netting_find(&job->results->netting, &line, &number)) return false;
    translate_put(job, part, rate, number);
    return true;
}

/* Each part at the spot of its market. */
static void translate_worth(translate_job *job)
{
    const levy_netting_part *const price = translate_find(job, LEVY_MEASURE_PRICE, "");
    for (size_t i = 0; i < job->trade->n_parts; ++i) {
        const levy_netting_part *const part = &job->trade->parts[i];
        const levy_netting_line *const line = translate_line(job, part);
        const uint32_t measure = 1u << line->bit,
                       moved = LEVY_MEASURE_SCENARIO_PRICE | LEVY_MEASURE_SCENARIO_PNL;
        const size_t s = measure & moved && job->of->fx
                             ? levy_names_find(&job->report->scenarios, line->factor)
                             : LEVY_NO_NAME;
        const double worth = s == LEVY_NO_NAME ? job->of->worth : job->of->in_scenario[s];
        translate_put(job, part, worth, part->line);
        if (price && measure == LEVY_MEASURE_SCENARIO_PNL && fabs(worth - job->of->worth) > 0.0)
            translate_put(job, price, worth - job->of->worth, part->line);
    }
}

/* What the rate's spot moves beside the asset's: the mixed second differences. */
static bool translate_crossed(translate_job *job, levy_arena *scratch)
{
    bool ok = true;
    for (size_t i = 0; ok && i < job->trade->n_parts; ++i) {
        const levy_netting_part *const part = &job->trade->parts[i];
        const levy_netting_line *const line = translate_line(job, part);
        if (1u << line->bit != LEVY_MEASURE_DELTA || strcmp(line->factor, job->spot) == 0) continue;
        const char *pair = levy_arena_format(scratch, "%s,%s", job->spot, line->factor);
        if (!pair) return false;
        if (!translate_find(job, LEVY_MEASURE_CROSS_GAMMA, pair))
            pair = levy_arena_format(scratch, "%s,%s", line->factor, job->spot);
        ok = pair && translate_add(job, part, job->of->slope, LEVY_MEASURE_CROSS_GAMMA, pair);
    }
    return ok;
}

/* What the rate's spot moves by the translation. */
static bool translate_moves(translate_job *job, levy_arena *scratch)
{
    const levy_translation *const of = job->of;
    const uint32_t covers = job->trade->covers;
    const levy_netting_part *const price = translate_find(job, LEVY_MEASURE_PRICE, "");
    const levy_netting_part *const delta = translate_find(job, LEVY_MEASURE_DELTA, job->spot);
    const char *const volatility = levy_arena_format(scratch, "%s.volatility", of->fx->name);
    bool ok = volatility;
    if (ok && covers & LEVY_MEASURE_DELTA)
        ok = translate_add(job, price, of->slope, LEVY_MEASURE_DELTA, job->spot);
    if (ok && covers & LEVY_MEASURE_DELTA_MINIMUM_VARIANCE)
        ok = translate_add(job, price, of->slope, LEVY_MEASURE_DELTA_MINIMUM_VARIANCE, job->spot);
    if (ok && covers & LEVY_MEASURE_GAMMA)
        ok = translate_add(job, price, of->bend, LEVY_MEASURE_GAMMA, job->spot) &&
             translate_add(job, delta, 2.0 * of->slope, LEVY_MEASURE_GAMMA, job->spot);
    if (ok && covers & LEVY_MEASURE_VANNA) {
        const char *const pair = levy_arena_format(scratch, "%s,%s", job->spot, volatility);
        ok = pair && translate_add(job, translate_find(job, LEVY_MEASURE_VEGA, volatility),
                                   of->slope, LEVY_MEASURE_VANNA, pair);
    }
    return ok && (!(covers & LEVY_MEASURE_CROSS_GAMMA) || translate_crossed(job, scratch));
}

bool levy_results_translate(levy_results *results, const levy_problem *problem,
                            const levy_netting_trade *trade, size_t n_replicates,
                            levy_arena *scratch, levy_netting_trade *translated)
{
    if (!problem->report) return true;
    const levy_translation *const of = levy_translation_of(problem->report, trade->currency);
    *translated = *trade;
    translate_job job = {
        .results = results, .report = problem->report, .of = of, .trade = trade, .spot = ""};
    job.parts = levy_arena_allocate(scratch, 3 * trade->n_parts + 5, sizeof *job.parts);
    if (!job.parts || !of) return job.parts != NULL;
    if (of->fx) job.spot = levy_arena_format(scratch, "%s.spot", of->fx->name);
    if (!job.spot) return false;
    translate_worth(&job);
    if (of->fx && !translate_moves(&job, scratch)) return false;
    translated->currency = results->report_currency;
    translated->translated = true;
    translated->counts = levy_results_net_counts(&problem->trades[trade->index], true);
    translated->parts = job.parts;
    translated->n_parts = job.n;
    return levy_netting_add(&results->netting, translated, n_replicates);
}
