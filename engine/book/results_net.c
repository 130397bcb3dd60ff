/* results_net.c: see results_net.h. */
#include "engine/book/results_net.h"

#include "engine/base/date.h"
#include "engine/base/number.h"
#include "engine/book/netting_keys.h"
#include "engine/book/results_translate.h"

#include <math.h>
#include <string.h>

enum { NET_FLOWS_BIT = 10 };
_Static_assert(1u << NET_FLOWS_BIT == LEVY_MEASURE_CASH_FLOWS, "the bit of cash flows");

static const levy_image_output *net_outputs(const levy_results_net *net)
{
    return LEVY_IMAGE_AT(levy_image_output, net->plan->image, outputs);
}

bool levy_results_net_begin(levy_results_net *net, const levy_plan *plan, levy_arena *scratch)
{
    uint32_t labels = 0;
    *net = (levy_results_net){.plan = plan, .scratch = scratch};
    for (uint32_t o = 0; o < plan->image->n_outputs; ++o)
        if (net_outputs(net)[o].trade < plan->group->n_trades &&
            net_outputs(net)[o].factor >= labels)
            labels = net_outputs(net)[o].factor + 1;
    net->lines = levy_arena_allocate(scratch, labels, LEVY_NETTING_MEASURES * sizeof *net->lines);
    net->trades = levy_arena_allocate(scratch, plan->group->n_trades, sizeof *net->trades);
    return net->lines && net->trades;
}

bool levy_results_net_expect(levy_results_net *net, uint32_t trade, size_t most)
{
    struct levy_results_net_trade *const t = &net->trades[trade];
    t->parts = levy_arena_allocate(net->scratch, most, sizeof *t->parts);
    t->sources = levy_arena_allocate(net->scratch, most, sizeof *t->sources);
    t->most = most;
    return t->parts && t->sources;
}

/* A date of payments, as a number that rises with it. */
static double net_date(const char *factor)
{
    const size_t length = strlen(factor);
    levy_date date;
    double years = 0.0;
    if (levy_date_read(factor, length, &date)) return (double)date;
    return levy_number_read(factor, length, &years) == LEVY_NUMBER_OK ? years : 0.0;
}

levy_netting_line levy_results_net_line(uint32_t bit, const char *measure, const char *factor)
{
    return (levy_netting_line){.measure = measure,
                               .factor = factor,
                               .bit = bit,
                               .place = levy_results_measure_place(1u << bit),
                               .at = bit == NET_FLOWS_BIT ? net_date(factor) : 0.0,
                               .second = (1u << bit & LEVY_MEASURES_SECOND) != 0};
}

/* The number of the output's line, asked of the netting once for each measure and label. */
static bool net_line(levy_results_net *net, levy_results *results, const levy_image_output *output,
                     const levy_measure *measure, uint32_t *number)
{
    const uint32_t bit = (uint32_t)__builtin_ctz(output->measure);
    uint32_t *const known = &net->lines[(size_t)output->factor * LEVY_NETTING_MEASURES + bit];
    if (*known == 0) {
        const levy_netting_line line =
            levy_results_net_line(bit, measure->measure, measure->factor);
        if (!levy_netting_find(&results->netting, &line, number)) return false;
        *known = *number + 1;
    }
    *number = *known - 1;
    return true;
}

void levy_results_net_take(levy_results_net *net, uint32_t trade,
                           const levy_results_net_measure *measure)
{
    const levy_image_output *const output = &net_outputs(net)[measure->output];
    struct levy_results_net_trade *const t = &net->trades[trade];
    if (output->measure & LEVY_RESULTS_APART || t->n == t->most) return;
    const bool none = (output->remarks & LEVY_OUTPUT_NOT_BUMPED) != 0;
    const double scale =
        levy_trade_scale(&net->plan->problem->trades[net->plan->group->trades[trade]]);
    t->has |= output->measure;
    t->sources[t->n] = (struct levy_results_net_source){measure->output, measure->measure};
    t->parts[t->n++] = (levy_netting_part){.sums = measure->sums,
                                           .scale = scale,
                                           .rate = 1.0,
                                           .bias = none ? 0.0 : measure->bias,
                                           .errors = measure->errors,
                                           .heavy = (output->remarks & LEVY_OUTPUT_HEAVY) != 0,
                                           .none = none,
                                           .step_bias = none ? NAN : measure->steps.value,
                                           .step_bias_se = measure->steps.std_error};
}

void levy_results_net_drop(levy_results_net *net, uint32_t trade) { net->trades[trade].n = 0; }

/* Lines and notes of a trade's parts, from its measures as the results keep them. */
static bool net_name(levy_results_net *net, levy_results *results, uint32_t trade)
{
    const struct levy_results_net_trade *const t = &net->trades[trade];
    const levy_trade_result *const result = &results->trades[net->plan->group->trades[trade]];
    bool ok = true;
    for (size_t i = 0; i < t->n && ok; ++i) {
        const levy_measure *const measure = &result->measures[t->sources[i].measure];
        t->parts[i].note = measure->flagged ? measure->note : NULL;
        ok = net_line(net, results, &net_outputs(net)[t->sources[i].output], measure,
                      &t->parts[i].line);
    }
    return ok;
}

uint32_t levy_results_net_covers(const levy_results_net *net, uint32_t trade)
{
    const levy_problem *const problem = net->plan->problem;
    const uint32_t asked =
        levy_trade_asks(problem, &problem->trades[net->plan->group->trades[trade]]);
    const uint32_t always =
        LEVY_MEASURE_PRICE | LEVY_MEASURE_SCENARIO_PRICE | LEVY_MEASURE_SCENARIO_PNL;
    /* of others, a trade that does not report one adds 0 */
    const uint32_t some = LEVY_MEASURE_CASH_FLOWS | LEVY_MEASURES_OF_TODAY;
    return ((asked | always) & ~some) | (net->trades[trade].has & some);
}

/* The number of a line of the book's netting among those of the sums of legs. */
static bool net_leg_line(levy_results *results, uint32_t line, uint32_t *number)
{
    return levy_netting_find(&results->legs, &results->netting.lines[line], number);
}

/* Adds a leg to its trade. The parts have been added to the book. */
static bool net_add_leg(levy_results *results, const levy_netting_trade *leg, size_t whole,
                        size_t n_replicates, levy_arena *scratch)
{
    levy_netting_trade trade = *leg;
    levy_netting_part *const parts = levy_arena_allocate(scratch, leg->n_parts, sizeof *parts);
    if (!parts) return false;
    memset(trade.labels, 0, sizeof trade.labels);
    trade.labels[0] = results->trades[whole].id;
    trade.counts = true;
    trade.translated = false;
    trade.parts = parts;
    for (size_t i = 0; i < leg->n_parts; ++i) {
        parts[i] = leg->parts[i];
        if (!net_leg_line(results, parts[i].line, &parts[i].line)) return false;
    }
    return levy_netting_add(&results->legs, &trade, n_replicates);
}

bool levy_results_net_counts(const levy_trade *of, bool translated)
{
    for (const levy_trade *leg = of - of->from->leg + 1; leg < of; ++leg)
        if (levy_trade_is_planned(leg) &&
            (translated || strcmp(leg->header.currency, of->header.currency) == 0))
            return false;
    return true;
}

/* A leg in the currency of its trade, which is the report's where its legs have several. */
static const levy_netting_trade *net_in(const levy_trade *whole, const levy_netting_trade *leg,
                                        const levy_netting_trade *translated)
{
    return strcmp(whole->header.currency, leg->currency) == 0 ? leg : translated;
}

bool levy_results_net_add(levy_results *results, const levy_problem *problem,
                          const levy_results_net_sums *sums, size_t n_replicates,
                          levy_arena *scratch)
{
    const levy_trade_result *const result = &results->trades[sums->index];
    const levy_trade *const of = &problem->trades[sums->index], *const whole = of - of->from->leg;
    levy_netting *const netting = &results->netting;
    levy_netting_trade translated;
    if (strcmp(result->status, "ok") != 0 || sums->n_parts == 0) return true;
    if (of->from->leg > 0 && whole->state == LEVY_TRADE_FAILED) return true;
    levy_netting_trade trade = {.index = sums->index,
                                .id = of->header.name,
                                .currency = result->currency,
                                .counts = levy_results_net_counts(of, false),
                                .covers = sums->covers,
                                .parts = sums->parts,
                                .n_parts = sums->n_parts};
    for (size_t key = 0; key < netting->n_keys; ++key)
        trade.labels[key] = levy_netting_label(result, netting->keys[key]);
    return levy_netting_add(netting, &trade, n_replicates) &&
           levy_results_translate(results, problem, &trade, n_replicates, scratch, &translated) &&
           (of->from->leg == 0 || net_add_leg(results, net_in(whole, &trade, &translated),
                                              sums->index - of->from->leg, n_replicates, scratch));
}

/* A leg that was priced before another one failed is in the sums. */
static bool net_is_torn(const levy_trade_result *trade, const levy_trade *of)
{
    bool torn = false;
    for (size_t k = 1; of->state != LEVY_TRADE_FAILED && k <= of->from->n_legs; ++k)
        torn = torn || (strcmp(trade[k].status, "ok") == 0 && trade[k].n_measures > 0 &&
                        of[k].state != LEVY_TRADE_SETTLED);
    return torn;
}

bool levy_results_net_miss(levy_results *results, const levy_problem *problem, size_t index)
{
    const levy_trade_result *const result = &results->trades[index];
    levy_netting *const netting = &results->netting;
    levy_netting_trade trade = {.index = index,
                                .id = problem->trades[index].header.name,
                                .currency = result->currency ? result->currency : ""};
    for (size_t key = 0; key < netting->n_keys; ++key)
        trade.labels[key] = levy_netting_label(result, netting->keys[key]);
    for (size_t key = 0; key < netting->n_keys; ++key) /* of a payoff that could not be read */
        if (trade.labels[key] && !*trade.labels[key]) trade.labels[key] = NULL;
    const bool torn = net_is_torn(result, &problem->trades[index]);
    if (!levy_netting_miss(netting, &trade, torn)) return false;
    if (!results->report_currency) return true;
    trade.currency = results->report_currency;
    trade.translated = true;
    return levy_netting_miss(netting, &trade, torn);
}

bool levy_results_net_end(levy_results_net *net, levy_results *results)
{
    bool ok = true;
    for (uint32_t i = 0; i < net->plan->group->n_trades && ok; ++i) {
        const levy_results_net_sums sums = {.index = net->plan->group->trades[i],
                                            .covers = levy_results_net_covers(net, i),
                                            .parts = net->trades[i].parts,
                                            .n_parts = net->trades[i].n};
        ok = net_name(net, results, i) &&
             levy_results_net_add(results, net->plan->problem, &sums,
                                  net->plan->image->n_replicates, net->scratch);
    }
    return ok;
}
