/* script.c: host half of a payoff that the book writes as text: its keys, and the numbers of its
 * items. The language is in engine/script. Must not know: how the levels' paths are made. */
#include "payoffs/checks.h"
#include "payoffs/defined.h"
#include "payoffs/scripted.h"
#include "payoffs/written.h"

#include "engine/base/number.h"
#include "kernels/lane/scalar.h"

#define LANE_SCALAR
#include "payoffs/script.h"

#include <math.h>
#include <string.h>

typedef struct script_terms {
    levy_payoff_terms payoff;
    const char *script;
    const levy_node *parameters; /* NULL: none */
    levy_list schedules;         /* of levy_named_schedule */
} script_terms;

/* ---- In a plan ---- */

/* The script that the lanes run. */
static const levy_script *script_of(const levy_claim *claim)
{
    return levy_scripted_in_use(claim->scripted, claim->integrated, claim->softened);
}

const levy_script_program *levy_written_program(const levy_claim *claim)
{
    return script_of(claim)->program;
}

void levy_written_numbers(const levy_claim *claim, const levy_claim_unit *unit,
                          levy_claim_numbers *numbers)
{
    (void)unit;
    numbers->variant = claim->view.state << SCRIPT_STATE;
}

/* 1 where the item counts what happens at a time, else 0. */
static double script_counts(const levy_claim *claim, double time)
{
    return claim->view.time == claim->view.time && claim->view.time != time ? 0.0 : 1.0;
}

/* What 1 is worth that is paid at a time, where the item counts it. */
static double script_worth(const levy_claim *claim, const levy_claim_step *step, double time)
{
    const levy_claim_market *const market = &step->market;
    const double at = fmax(time, market->now);
    return levy_exp(market->discount(market->of, at) - step->paid) * script_counts(claim, time);
}

/* Date `number` of a schedule as the item sees it, at a step that is one of its dates. */
static levy_script_date script_date(const levy_claim *claim, const levy_script_dates *dates,
                                    size_t number, const levy_claim_step *step)
{
    const double now = levy_exp(step->to - step->paid) * script_counts(claim, step->time);
    return (levy_script_date){
        .number = number,
        .time = step->time,
        .worth = dates->paid ? script_worth(claim, step, dates->paid[number]) : now,
        .due = script_counts(claim, claim->payment_time),
        .ends = script_counts(claim, step->time),
        .market = &step->market,
    };
}

/* Runs what is observed today, whose levels are those of the item's own market. */
static void script_today(const levy_claim *claim, const double *levels,
                         const levy_claim_step *start, double *states)
{
    const levy_scripted *const scripted = claim->scripted;
    const levy_script_program *const p = scripted->script.program;
    for (uint32_t k = 0; k < p->n_blocks; ++k) {
        const levy_script_dates *const dates =
            &scripted->dates[LEVY_SCRIPT_PROGRAM_BLOCKS(p)[k].schedule];
        if (!dates->has_today) continue;
        levy_script_date date = script_date(claim, dates, dates->n_past, start);
        date.weights = levels; /* of gross returns of 1 */
        date.rule = claim->today;
        levy_scripted_run(scripted, k, &date, levels, states);
    }
}

/* The first constants are the states that the path starts at. */
void levy_written_constants(const levy_claim *claim, const double *levels,
                            const levy_claim_step *start, double *constants)
{
    const levy_scripted *const s = claim->scripted;
    const levy_script *const script = script_of(claim);
    memcpy(constants, script->constants, script->program->n_constants * sizeof *constants);
    memcpy(constants, s->states, s->script.program->n_states * sizeof *constants);
    /* what the past has left to pay is due at the payment; and a path ends at expiry unless it is
     * stopped */
    constants[0] *= script_counts(claim, claim->payment_time);
    for (size_t k = 0; k < s->n_owed; ++k)
        constants[0] += s->owed[k].amount * script_worth(claim, start, s->owed[k].time);
    if (s->script.ended && s->states[s->script.alive] > 0.0)
        constants[s->script.ended] = script_counts(claim, s->expiry);
    script_today(claim, levels, start, constants);
    if (claim->softened) { /* what has passed is certain, whatever compares over a width later */
        const uint32_t n = s->script.program->n_states;
        memcpy(constants + n, constants, n * sizeof *constants);
        if (s->script.ended) constants[2 * n + 1] = constants[s->script.ended];
    }
}

static double script_most(const levy_claim *claim)
{
    const levy_scripted *const s = claim->scripted;
    return s->most > 0.0 && claim->view.state == s->settles ? s->most : (double)INFINITY;
}

bool levy_written_is_known(const levy_claim *claim, const levy_claim_numbers *numbers,
                           double log_unit, bool alone)
{
    const levy_script *const script = &claim->scripted->script;
    (void)log_unit, (void)alone;
    if (!script->reads_levels) return true; /* its payments are fixed, in each market */
    return script->alive != 0 && numbers->terms[script->alive] == 0.0;
}

void levy_written_node_terms(const levy_claim *claim, uint32_t variant, const levy_claim_step *step,
                             double *node_terms)
{
    const levy_scripted *const s = claim->scripted;
    const levy_script *const script = script_of(claim);
    (void)variant;
    for (uint32_t k = 0; k < script->program->n_terms; ++k) {
        const levy_script_term *const term = &script->terms[k];
        const levy_script_dates *const dates = &s->dates[term->schedule];
        if (!(step->events >> term->schedule & 1)) continue;
        levy_script_date date = script_date(
            claim, dates, dates->n_past + dates->has_today + step->number[term->schedule], step);
        date.loadings = step->loadings;
        date.weights = step->weights;
        date.added = step->added;
        date.variance = step->since[term->schedule];
        node_terms[k] = levy_scripted_term(s, term, &date);
    }
}

static bool script_counts_at(const levy_claim *claim, const double *node_terms)
{
    const levy_script *const script = script_of(claim);
    bool counts = false;
    for (uint32_t k = 0; k < script->program->n_terms; ++k) {
        const levy_script_term_kind kind = script->terms[k].kind;
        const bool is =
            kind == LEVY_SCRIPT_WORTH || kind == LEVY_SCRIPT_DUE || kind == LEVY_SCRIPT_ENDS;
        counts = counts || (is && node_terms[k] != 0.0);
    }
    return counts;
}

/* ---- As written ---- */

static const levy_field script_fields[] = {
    {LEVY_KEY("script", TEXT, script_terms, script), .also = "code formula program expression",
     .flags = LEVY_REQUIRED, .doc = "What is paid and when, in the language of docs/language.md."},
    {LEVY_KEY("parameters", NODE, script_terms, parameters), .also = "params variables constants",
     .example = "{coupon: 0.025, barrier: 0.7}",
     .json = "\"type\": \"object\", \"additionalProperties\": {\"anyOf\": [{\"type\": \"number\"}, "
             "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"number\"}}]}",
     .doc = "Numbers that the script names, and lists of numbers: one for each date, or for each "
            "asset."},
    {LEVY_KEY("schedules", MAP, script_terms, schedules), .also = "dates observations",
     .table = &levy_named_schedule_table,
     .doc = "Dates on which blocks of the script run, by name. The name expiry is there always. "
            "Past levels are taken from the assets' fixings."},
    LEVY_WRITTEN_ABSOLUTE_FIELDS,
    {0}};
static const levy_synonym script_synonyms[] = {
    {"straddle", "{kind: script, script: \"at expiry { pay abs(level - 100) }\"}"},
    {"strangle", "{kind: script, script: \"at expiry { pay max(level - 110, 90 - level, 0) }\"}"},
    {"call_spread",
     "{kind: script, script: \"at expiry { pay max(level - 100, 0) - max(level - 110, "
     "0) }\"}"},
    {"put_spread",
     "{kind: script, script: \"at expiry { pay max(100 - level, 0) - max(90 - level, 0) }\"}"},
    {"butterfly", "{kind: script, script: \"at expiry { pay max(10 - abs(level - 100), 0) }\"}"},
    {"custom", "{kind: script, script: \"at expiry { pay max(level - 100, 0) }\"}"},
    {0}};
const levy_table levy_payoff_script_table = {
    .name = "payoff script",
    .example = "{kind: script, script: \"at expiry { pay max(level - 100, 0) }\"}",
    .synonyms = script_synonyms,
    .doc = "A payoff written in the file: what is paid on which dates, by the levels of all "
           "underlyings. It runs at the speed of built-in payoffs, on every device.",
    LEVY_FILLS_TERMS(script_terms),
    .fields = script_fields};

/* ---- In a book ---- */

enum { SCRIPT_MOST_ITEMS = 100000 }; /* numbers of a parameter */

static bool script_number(const levy_payoff_frame *frame, const levy_node *node, const char *path,
                          double *value)
{
    if (node->kind == LEVY_NODE_SCALAR && !node->quoted &&
        levy_number_read(node->text, node->length, value) == LEVY_NUMBER_OK)
        return true;
    const char *hint = "Write 0.05, or [0.05, 0.06].";
    if (node->kind == LEVY_NODE_SCALAR && node->quoted)
        hint = "Remove the quotes: text in quotes is not a number.";
    else if (node->kind == LEVY_NODE_SCALAR && node->length && node->text[node->length - 1] == '%')
        hint = "Write percentages as decimals: 0.05, not 5%.";
    return LEVY_REFUSE(frame->check, TYPE, node, path, hint,
                       "a parameter is a number or a list of numbers; got %s",
                       levy_check_shown(node));
}

static bool script_parameter(const levy_payoff_frame *frame, const levy_node *node,
                             levy_script_parameter *parameter)
{
    const char *const name = levy_check_key(node);
    const char *const path =
        levy_check_text(frame->check, "%s.payoff.parameters.%s", frame->path, name);
    const bool is_list = node->kind == LEVY_NODE_LIST;
    const char *const why = levy_script_refuses_name(name);
    const size_t n = is_list ? node->count : 1;
    size_t k = 0;
    if (why)
        return LEVY_REFUSE(frame->check, UNKNOWN_NAME, node->key, path, "Choose another name.",
                           "'%s' %s", name, why);
    if (n == 0 || n > SCRIPT_MOST_ITEMS)
        return LEVY_REFUSE(frame->check, LIMIT, node, path, "Give at least one number.",
                           "a list has 1 to %d numbers", SCRIPT_MOST_ITEMS);
    double *const values = levy_check_allocate(frame->check, n, sizeof *values);
    if (!values) return false;
    *parameter =
        (levy_script_parameter){.name = name, .values = values, .n = n, .is_list = is_list};
    if (!is_list) return script_number(frame, node, path, values);
    for (const levy_node *item = node->children; item; item = item->next, ++k)
        if (!script_number(frame, item, levy_check_text(frame->check, "%s[%zu]", path, k),
                           &values[k]))
            return false;
    return true;
}

static bool script_source(const levy_payoff_frame *frame, levy_script_source *source)
{
    const script_terms *const p = (const script_terms *)frame->terms;
    if (levy_defined_of(frame->table)) return levy_defined_source(frame, source);
    source->text = p->script;
    source->place = levy_check_at(frame->node, "script");
    source->is_own = true;
    source->schedules = p->schedules.items;
    source->n_schedules = p->schedules.count;
    if (!p->parameters) return true;
    if (p->parameters->kind != LEVY_NODE_MAP)
        return LEVY_REFUSE(frame->check, TYPE, p->parameters,
                           levy_check_text(frame->check, "%s.payoff.parameters", frame->path),
                           "Write parameters: {coupon: 0.05}, for example.",
                           "must be a map of numbers; got %s", levy_check_shown(p->parameters));
    source->parameters =
        levy_check_allocate(frame->check, p->parameters->count, sizeof *source->parameters);
    if (!source->parameters) return false;
    for (const levy_node *node = p->parameters->children; node; node = node->next)
        if (!script_parameter(frame, node, &source->parameters[source->n_parameters++]))
            return false;
    return true;
}

const levy_payoff levy_payoff_script = {.kind = "script",
                                        .table = &levy_payoff_script_table,
                                        .numbers = levy_written_numbers,
                                        .program = levy_written_program,
                                        .constants = levy_written_constants,
                                        .node_terms = levy_written_node_terms,
                                        .counts = script_counts_at,
                                        .aggregate = LEVY_AGGREGATE_WORST_OF,
                                        .is_known = levy_written_is_known,
                                        .owes = levy_written_owes,
                                        .most = script_most,
                                        .pays_numbers = levy_payoff_always,
                                        .source = script_source,
                                        .lanes = LEVY_PAYOFF_SCRIPT};
