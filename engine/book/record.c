/* record.c: see record.h. A record is [common, trade, trade, ...], in the order of the group. */
#include "engine/book/record.h"

#include "engine/plan/known.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/* ---- Doubles: offsets of a struct's members, in the order of the record ---- */

static const size_t record_trade_doubles[] = {
    offsetof(levy_trade_result, unit_price),     offsetof(levy_trade_result, price),
    offsetof(levy_trade_result, std_error),      offsetof(levy_trade_result, ci_low),
    offsetof(levy_trade_result, ci_high),        offsetof(levy_trade_result, tolerance),
    offsetof(levy_trade_result, tolerance_width)};
static const size_t record_measure_doubles[] = {
    offsetof(levy_measure, value),     offsetof(levy_measure, std_error),
    offsetof(levy_measure, ci_low),    offsetof(levy_measure, ci_high),
    offsetof(levy_measure, step_bias), offsetof(levy_measure, step_bias_se)};
static const size_t record_part_doubles[] = {
    offsetof(levy_netting_part, bias), offsetof(levy_netting_part, errors.rounding),
    offsetof(levy_netting_part, errors.resolution), offsetof(levy_netting_part, errors.rare),
    offsetof(levy_netting_part, errors.unseen)};
#define RECORD_ALL(doubles) (doubles), sizeof(doubles) / sizeof *(doubles)
_Static_assert(sizeof record_part_doubles / sizeof *record_part_doubles ==
                   1 + offsetof(levy_output_errors, exact) / sizeof(double),
               "a part's record has its bias and all its errors");

/* ---- Writing ---- */

static void record_put_doubles(levy_line_out *out, const void *of, const size_t *doubles, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        if (i > 0) levy_line_put(out, ", ");
        levy_line_put_double(out, *(const double *)(const void *)((const char *)of + doubles[i]));
    }
}

/* The contribution of a measure to sums: the output that has its sums, then errors and remarks. */
static void record_put_part(levy_line_out *out, const levy_netting_part *part, size_t output)
{
    levy_line_put(out, ", %zu, %d, %d, %d, %d, ", output, part->errors.exact, part->errors.zero,
                  part->heavy, part->none);
    record_put_doubles(out, part, RECORD_ALL(record_part_doubles));
}

/* The number of a measure's bit, by its name. */
static uint32_t record_bit(const char *name)
{
    uint32_t bit = 0;
    while (bit < 31 && levy_results_measure_name(1u << bit) &&
           strcmp(levy_results_measure_name(1u << bit), name) != 0)
        ++bit;
    return bit;
}

static void record_put_measure(levy_line_out *out, const levy_measure *measure)
{
    levy_line_put(out, ", [%" PRIu32 ", ", record_bit(measure->measure));
    levy_line_put_text(out, measure->factor);
    levy_line_put(out, ", %d, ", measure->flagged);
    levy_line_put_text(out, measure->note);
    levy_line_put(out, ", ");
    levy_line_put_text(out, measure->interval);
    levy_line_put(out, ", ");
    record_put_doubles(out, measure, RECORD_ALL(record_measure_doubles));
}

/* Measures and parts are in the same order; a measure that cannot be added up has no part. */
static void record_put_measures(levy_line_out *out, const levy_trade_result *result,
                                const struct levy_results_net_trade *net, const tree_sum *sums,
                                uint32_t n_replicates)
{
    const levy_netting_part *part = net->parts;
    for (size_t i = 0; i < result->n_measures; ++i) {
        const uint32_t bit = record_bit(result->measures[i].measure);
        record_put_measure(out, &result->measures[i]);
        if (!(1u << bit & LEVY_RESULTS_APART)) {
            record_put_part(out, part, (size_t)(part->sums - sums) / n_replicates);
            ++part;
        }
        levy_line_put(out, "]");
    }
}

/* Why a simulated trade may have no price; the first is that it has one. */
static const levy_reason record_reasons[] = {LEVY_REASON_NONE, LEVY_REASON_NUMERIC_ERROR,
                                             LEVY_REASON_INTERNAL};
enum { RECORD_REASONS = sizeof record_reasons / sizeof *record_reasons };

static int record_reason(const char *text)
{
    int k = 0;
    while (k + 1 < RECORD_REASONS && strcmp(levy_reason_text(record_reasons[k]), text) != 0) ++k;
    return k;
}

static void record_put_trade(levy_line_out *out, const levy_trade_result *result, uint32_t covers)
{
    levy_line_put(out, ", [%d, %" PRIu64 ", %" PRIu32 ", %d, ", record_reason(result->reason),
                  result->paths, covers, result->tolerance_met + 1);
    levy_line_put_text(out, result->interval);
    levy_line_put(out, ", ");
    levy_line_put_text(out, result->message);
    levy_line_put(out, ", ");
    record_put_doubles(out, result, RECORD_ALL(record_trade_doubles));
}

bool levy_record_write(levy_line_out *out, const levy_results *results, const levy_plan *plan,
                       const tree_sum *sums, const levy_results_net *net)
{
    const levy_trade_result *const first = &results->trades[plan->group->trades[0]];
    levy_line_put(out, "[[%" PRIu32 ", %" PRIu32 ", %d, ", first->dimensions, first->padding,
                  strcmp(first->pipeline, "staged") == 0);
    levy_line_put_text(out, first->first);
    levy_line_put(out, ", ");
    levy_line_put_double(out, first->floor_probability);
    levy_line_put(out, "]");
    for (uint32_t i = 0; i < plan->group->n_trades; ++i) {
        const levy_trade_result *const result = &results->trades[plan->group->trades[i]];
        record_put_trade(out, result, levy_results_net_covers(net, i));
        record_put_measures(out, result, &net->trades[i], sums, plan->image->n_replicates);
        levy_line_put(out, "]");
    }
    levy_line_put(out, "]");
    return !out->full;
}

/* ---- Reading ---- */

typedef struct record_in {
    levy_line_in line;
    levy_results *results;
    const levy_problem *problem;
    const tree_sum *sums;
    size_t n_outputs;
    uint64_t n_replicates;
    bool memory; /* false: there was none */
} record_in;

/* One group's trades on their way to the netting. */
typedef struct record_trade {
    levy_netting_part *parts;
    size_t n_parts, room;
    uint32_t covers;
} record_trade;

static bool record_count(record_in *in, const char *before, size_t *count)
{
    return levy_line_take(&in->line, before) && levy_line_take_count(&in->line, count);
}

static bool record_text(record_in *in, const char *before, const char **text)
{
    return levy_line_take(&in->line, before) &&
           levy_line_take_kept(&in->line, &in->results->arena, text);
}

static bool record_double(record_in *in, double *value)
{
    return levy_line_take(&in->line, ", ") && levy_line_take_double(&in->line, value);
}

static bool record_doubles(record_in *in, void *of, const size_t *doubles, size_t n)
{
    size_t i = 0;
    while (i < n && record_double(in, (double *)(void *)((char *)of + doubles[i]))) ++i;
    return i == n;
}

static bool record_line(record_in *in, const levy_measure *measure, uint32_t bit, uint32_t *number)
{
    const levy_netting_line line = levy_results_net_line(bit, measure->measure, measure->factor);
    in->memory = in->memory && levy_netting_find(&in->results->netting, &line, number);
    return in->memory;
}

static bool record_part(record_in *in, const levy_measure *measure, uint32_t bit, double scale,
                        record_trade *trade)
{
    size_t output = 0, exact = 0, zero = 0, heavy = 0, none = 0;
    in->memory = in->memory && LEVY_ARENA_GROW(&in->results->netting.work, trade->parts,
                                               trade->n_parts, trade->room, 4);
    if (!in->memory) return false;
    levy_netting_part *const part = &trade->parts[trade->n_parts++];
    if (!record_count(in, ", ", &output) || !record_count(in, ", ", &exact) ||
        !record_count(in, ", ", &zero) || !record_count(in, ", ", &heavy) ||
        !record_count(in, ", ", &none) ||
        !record_doubles(in, part, RECORD_ALL(record_part_doubles)) || output >= in->n_outputs)
        return false;
    part->sums = in->sums + output * in->n_replicates;
    part->scale = scale;
    part->rate = 1.0;
    part->errors.exact = exact != 0;
    part->errors.zero = zero != 0;
    part->heavy = heavy != 0;
    part->none = none != 0;
    part->note = measure->flagged ? measure->note : NULL;
    part->step_bias = measure->step_bias;
    part->step_bias_se = measure->step_bias_se;
    return record_line(in, measure, bit, &part->line);
}

static bool record_measure(record_in *in, double scale, record_trade *trade, levy_measure *measure)
{
    size_t bit = 0, flagged = 0;
    if (!record_count(in, ", [", &bit) || bit >= LEVY_NETTING_MEASURES ||
        !record_text(in, ", ", &measure->factor) || !measure->factor ||
        !record_count(in, ", ", &flagged) || !record_text(in, ", ", &measure->note) ||
        !record_text(in, ", ", &measure->interval) || !measure->interval ||
        !record_doubles(in, measure, RECORD_ALL(record_measure_doubles)))
        return false;
    measure->measure = levy_results_measure_name(1u << bit);
    measure->flagged = flagged != 0;
    const bool pure = (1u << bit & LEVY_RESULTS_APART) != 0;
    return measure->measure && (pure || record_part(in, measure, (uint32_t)bit, scale, trade)) &&
           levy_line_take(&in->line, "]");
}

static bool record_measures(record_in *in, double scale, record_trade *trade,
                            levy_trade_result *result)
{
    levy_measure *measures = NULL;
    size_t room = 0, n = 0;
    while (in->line.at < in->line.end && *in->line.at != ']') {
        in->memory = in->memory && LEVY_ARENA_GROW(&in->results->arena, measures, n, room, 8);
        if (!in->memory || !record_measure(in, scale, trade, &measures[n])) return false;
        ++n;
    }
    result->measures = measures;
    result->n_measures = n;
    return levy_line_take(&in->line, "]");
}

static bool record_trade_of(record_in *in, const levy_trade *of, record_trade *trade,
                            levy_trade_result *result)
{
    size_t reason = 0, paths = 0, covers = 0, met = 0;
    if (!record_count(in, ", [", &reason) || reason >= RECORD_REASONS ||
        !record_count(in, ", ", &paths) || !record_count(in, ", ", &covers) ||
        !record_count(in, ", ", &met) || !record_text(in, ", ", &result->interval) ||
        !result->interval || !record_text(in, ", ", &result->message) ||
        !record_doubles(in, result, RECORD_ALL(record_trade_doubles)))
        return false;
    result->status = reason ? "failed" : "ok";
    result->reason = levy_reason_text(record_reasons[reason]);
    result->paths = paths;
    result->tolerance_met = (int)met - 1;
    trade->covers = (uint32_t)covers;
    return record_measures(in, levy_trade_scale(of), trade, result);
}

static bool record_common(record_in *in, levy_results_group *group)
{
    size_t dimensions = 0, padding = 0, staged = 0;
    if (!record_count(in, "[[", &dimensions) || !record_count(in, ", ", &padding) ||
        !record_count(in, ", ", &staged) || !record_text(in, ", ", &group->first) ||
        !record_double(in, &group->floor_probability))
        return false;
    group->dimensions = (uint32_t)dimensions;
    group->padding = (uint32_t)padding;
    group->staged = staged != 0;
    return levy_line_take(&in->line, "]");
}

levy_status levy_record_take(levy_results *results, const levy_problem *problem,
                             const levy_group *group, const levy_journal_group *line,
                             const tree_sum *sums)
{
    const levy_simulation *const s = &problem->simulation;
    levy_simulation priced = *s; /* what the group was priced by */
    if (levy_group_is_still(group)) levy_known_simulation(&priced);
    record_in in = {.line = {line->record, line->record + line->record_length},
                    .results = results,
                    .problem = problem,
                    .sums = sums,
                    .n_outputs = line->n_sums / s->replicates,
                    .n_replicates = s->replicates,
                    .memory = true};
    bool memory = true;
    levy_results_group common = {.number = (uint32_t)line->group,
                                 .plan_hash = line->plan_hash,
                                 .backend = levy_results_copy(results, line->backend, &memory),
                                 .device = levy_results_copy(results, line->device, &memory),
                                 .seconds = __builtin_nan("")};
    record_trade *const trades =
        levy_arena_allocate(&results->netting.work, group->n_trades, sizeof *trades);
    if (!memory || !trades) return LEVY_MEMORY;
    bool good = record_common(&in, &common);
    for (size_t i = 0; good && i < group->n_trades; ++i) {
        const uint32_t index = group->trades[i];
        good = record_trade_of(&in, &problem->trades[index], &trades[i], &results->trades[index]);
        levy_results_set_group(&results->trades[index], &priced, &common);
    }
    if (!in.memory) return LEVY_MEMORY;
    if (!good || !levy_line_take(&in.line, "]") || in.line.at != in.line.end) return LEVY_RESUME;
    for (size_t i = 0; i < group->n_trades && memory; ++i) {
        const levy_results_net_sums added = {.index = group->trades[i],
                                             .covers = trades[i].covers,
                                             .parts = trades[i].parts,
                                             .n_parts = trades[i].n_parts};
        memory =
            levy_results_net_add(results, problem, &added, s->replicates, &results->netting.work);
    }
    return memory ? LEVY_OK : LEVY_MEMORY;
}
