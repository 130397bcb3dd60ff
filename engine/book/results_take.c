/* results_take.c: results of a group's trades, from its sums; see results.h. Statistics happen
 * here, by engine/statistics/estimate.h; nothing else is computed. Any thread makes them, in an
 * arena of its own; the pricing thread copies them to the book's. */
#include "engine/book/record.h"
#include "engine/book/results_net.h"

#include "engine/book/tolerance.h"
#include "engine/plan/early.h"
#include "engine/plan/known.h"
#include "engine/market/nodes.h"
#include "engine/base/number.h"
#include "engine/schema/schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The estimate per unit times the position's signed size. A negative size swaps the interval's
 * ends. */
static levy_estimate results_scale(levy_estimate unit, double scale)
{
    const double low = unit.ci_low * scale, high = unit.ci_high * scale;
    return (levy_estimate){unit.n,
                           unit.value * scale + 0.0, /* no -0 */
                           unit.std_error * fabs(scale),
                           scale < 0.0 ? high : low,
                           scale < 0.0 ? low : high,
                           unit.interval,
                           unit.doubt};
}

/* A known price has no paths, and no error but rounding. */
static levy_estimate results_pathless(levy_estimate scaled)
{
    scaled.n = 0;
    return scaled;
}

static void results_set_price(levy_trade_result *result, double unit_price,
                              const levy_estimate *estimate)
{
    result->price = estimate->value;
    result->std_error = estimate->std_error;
    result->ci_low = estimate->ci_low;
    result->ci_high = estimate->ci_high;
    result->interval = levy_interval_text(estimate->interval);
    result->unit_price = unit_price;
}

/* [number of a measure's bit]: its place among a trade's results. */
static const uint32_t results_order[] = {0,  3,  6,  5,  7,  8,  9,  10, 11, 12, 21, 22, 23, 24,
                                         25, 25, 13, 14, 15, 16, 18, 4,  2,  19, 20, 26, 1,  17};
enum {
    RESULTS_MEASURES = sizeof results_order / sizeof *results_order,
    RESULTS_NAMED = 0
#define MEASURE(name, factor, unit, doc) +1
#include "engine/schema/measures.def"
};
_Static_assert((int)RESULTS_MEASURES == (int)LEVY_NETTING_MEASURES &&
                   (int)RESULTS_MEASURES == (int)RESULTS_NAMED,
               "every measure has a place and is netted");

const char *levy_results_measure_name(uint32_t bit)
{
    if (!bit || __builtin_ctz(bit) >= RESULTS_MEASURES) return NULL;
    return levy_measures[__builtin_ctz(bit)].name;
}

uint32_t levy_results_measure_place(uint32_t bit) { return results_order[__builtin_ctz(bit)]; }

/* An output of a trade and its sort keys: the place of its measure, its factor, the measure (so
 * that a scenario's price precedes its difference), and the probe (probes follow their output). */
typedef struct results_place {
    uint32_t output, place, factor, measure, probe;
} results_place;

static int results_compare(const void *a, const void *b)
{
    const results_place *x = a, *y = b;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    if (x->factor != y->factor) return x->factor < y->factor ? -1 : 1;
    if (x->measure != y->measure) return x->measure < y->measure ? -1 : 1;
    return x->probe < y->probe ? -1 : x->probe > y->probe;
}

/* The outputs of each trade as a linked list, so that no search through the whole group is needed
 * for each trade. */
typedef struct results_chains {
    uint32_t *first; /* [trade of the group], n_outputs: none */
    uint32_t *next;  /* [output] */
} results_chains;

static bool results_chain(const levy_plan *plan, levy_arena *arena, results_chains *chains)
{
    const levy_image_output *outputs = LEVY_IMAGE_AT(levy_image_output, plan->image, outputs);
    const uint32_t none = plan->image->n_outputs;
    chains->first = levy_arena_allocate(arena, plan->group->n_trades, sizeof *chains->first);
    chains->next = levy_arena_allocate(arena, none, sizeof *chains->next);
    if (!chains->first || !chains->next) return false;
    for (size_t t = 0; t < plan->group->n_trades; ++t) chains->first[t] = none;
    for (uint32_t o = none; o-- > 0;) {
        if (outputs[o].trade >= plan->group->n_trades) continue; /* belongs to no trade */
        chains->next[o] = chains->first[outputs[o].trade];
        chains->first[outputs[o].trade] = o;
    }
    return true;
}

/* The outputs of one trade in the order of its results, price first. NULL: no memory. */
static const results_place *results_places(const levy_plan *plan, uint32_t trade_number,
                                           const results_chains *chains, levy_arena *arena,
                                           size_t *n)
{
    const levy_image_output *outputs = LEVY_IMAGE_AT(levy_image_output, plan->image, outputs);
    const uint32_t first = chains->first[trade_number], none = plan->image->n_outputs;
    *n = 0;
    for (uint32_t o = first; o < none; o = chains->next[o]) ++*n;
    results_place *places = levy_arena_allocate(arena, *n, sizeof *places), *at = places;
    if (!places) return NULL;
    for (uint32_t o = first; o < none; o = chains->next[o])
        *at++ = (results_place){o, levy_results_measure_place(outputs[o].measure),
                                outputs[o].factor, outputs[o].measure, outputs[o].probe};
    qsort(places, *n, sizeof *places, results_compare);
    return places;
}

/* To four digits. */
static void results_number(double value, char text[LEVY_NUMBER_SIZE])
{
    int decimals = 0;
    for (double scaled = fabs(value); scaled > 0.0 && scaled < 999.95 && decimals < 12; ++decimals)
        scaled *= 10.0;
    levy_number_write_fixed(value, decimals, text, LEVY_NUMBER_SIZE);
}

/* Whether the price is within the tolerance, and if not, by how much it misses. */
static bool results_accuracy(levy_arena *arena, const levy_plan *plan, uint32_t output,
                             const tree_sum *price, double scale, levy_trade_result *result)
{
    char width[LEVY_NUMBER_SIZE], target[LEVY_NUMBER_SIZE], excess[LEVY_NUMBER_SIZE];
    levy_accuracy accuracy;
    if (!plan->problem->simulation.tolerance.asked) return true;
    if (levy_group_is_still(plan->group) && !plan->group->early) {
        result->tolerance_met = 1;
        result->tolerance_width = 0.0;
        return true;
    }
    if (levy_accuracy_of(arena->memory, plan, output, price, scale, &accuracy) != LEVY_OK)
        return false;
    result->tolerance_met = accuracy.inside ? 1 : -1;
    result->tolerance = accuracy.target;
    result->tolerance_width = accuracy.width;
    if (accuracy.inside) return true;
    results_number(accuracy.width, width);
    results_number(accuracy.target, target);
    results_number(accuracy.width - accuracy.target, excess);
    result->message =
        isnan(accuracy.width)
            ? levy_arena_format(arena,
                                "the tolerance %s was missed: %llu paths do not give a reliable "
                                "interval",
                                target, (unsigned long long)result->paths)
            : levy_arena_format(arena,
                                "the tolerance %s was missed by %s: the inflated half-width is %s "
                                "after %llu paths",
                                target, excess, width, (unsigned long long)result->paths);
    return result->message != NULL;
}

/* The bias of a finite difference against the derivative, estimated from its probes: bumps of
 * another size on the same paths, which follow it among the places. A difference by two bumps has a
 * probe of each. 0: no usable probe. */
static double results_bias(const levy_plan *plan, const results_place *places, size_t at, size_t n,
                           const tree_sum *sums)
{
    static const double shares[] = {[LEVY_PROBE_TWICE] = 1.0 / 3.0,
                                    [LEVY_PROBE_TWICE_ASIDE] = 1.0,
                                    [LEVY_PROBE_HALF] = -4.0 / 3.0,
                                    [LEVY_PROBE_HALF_ASIDE] = -2.0,
                                    [LEVY_PROBE_EXTRAPOLATED] = 0.8};
    const levy_image_output *outputs = LEVY_IMAGE_AT(levy_image_output, plan->image, outputs);
    double same = sums[(size_t)places[at].output * plan->image->n_replicates].mean, bias = 0.0;
    for (size_t i = at + 1; i < n && places[i].probe; ++i) {
        const double mean = sums[(size_t)places[i].output * plan->image->n_replicates].mean;
        if (places[i].probe == LEVY_PROBE_SAME)
            same = mean;
        else if (!(outputs[places[i].output].remarks & LEVY_OUTPUT_NOT_BUMPED))
            bias += shares[places[i].probe] * (mean - same);
    }
    return isfinite(bias) ? bias : 0.0;
}

/* An amount that the price misses is missed by its differences, too. A scenario is another market.
 */
static levy_estimate results_doubt(levy_estimate e, const levy_image_output *output,
                                   levy_doubt price)
{
    const uint32_t others = LEVY_MEASURE_SCENARIO_PRICE | LEVY_MEASURE_SCENARIO_PNL;
    if (price == LEVY_DOUBT_NONE || price == LEVY_DOUBT_BELOW || output->measure & others) return e;
    return levy_estimate_doubtful(e, price);
}

struct levy_results_made {
    const levy_plan *plan;
    const tree_sum *sums;
    levy_arena *arena;
    results_chains chains;
    levy_moments *moments;
    levy_trade_result *trades; /* [trade of the group] */
    levy_results_net net;
    const char *first; /* as of levy_results_group */
};

/* The data that the measures of one trade share while they are made. */
typedef struct results_course {
    uint32_t number; /* of the trade in the group */
    const levy_trade *trade;
    levy_trade_result *result;
    const results_place *places;
    size_t n_places;
    levy_spread price;
    levy_estimate unit; /* of the price, per unit */
    levy_doubt doubt;
    bool finite;
    bool beyond; /* a value lies outside the range of possible payments: result->message says so */
} results_course;

/* A price that no path can pay is none. */
static bool results_check(const levy_results_made *made, results_course *course, uint32_t o,
                          const levy_estimate *unit)
{
    char value[LEVY_NUMBER_SIZE], error[LEVY_NUMBER_SIZE], limit[LEVY_NUMBER_SIZE];
    double least, most;
    if (course->beyond || !levy_output_is_beyond(made->plan, o, unit, course->price, &least, &most))
        return true;
    results_number(unit->value, value);
    results_number(unit->std_error, error);
    results_number(unit->value > most ? most : least, limit);
    course->beyond = true;
    course->result->message = levy_arena_format(
        made->arena,
        "a defect of levy, please report it: the value of a unit, %s, with an error of %s, is %s "
        "than its contract can pay, %s",
        value, error, unit->value > most ? "more" : "less", limit);
    return course->result->message != NULL;
}

/* The trade has no results, for that reason. */
static void results_refuse(levy_results_made *made, uint32_t number, levy_reason reason)
{
    levy_results_refuse(&made->trades[number], reason);
    levy_results_net_drop(&made->net, number);
}

/* The estimate of the position, and its errors per unit. The price comes first. *ok: false if there
 * is no memory. */
static levy_estimate results_estimate(const levy_results_made *made, results_course *course,
                                      size_t i, levy_output_errors *errors, bool *ok)
{
    const levy_plan *const plan = made->plan;
    const uint32_t o = course->places[i].output;
    const levy_image_output *const output =
        &LEVY_IMAGE_AT(levy_image_output, plan->image, outputs)[o];
    const tree_sum *const of = &made->sums[(size_t)o * plan->image->n_replicates];
    const bool price = output->measure == LEVY_MEASURE_PRICE;
    if (output->measure == LEVY_MEASURE_IMPLIED_VOLATILITY)
        return levy_results_implied(course->trade, course->unit);
    if (price) course->price = levy_spread_of(of, plan->image->n_replicates);
    levy_estimate unit = levy_output_estimate_with(
        plan, o, of, course->price, plan->problem->simulation.confidence, made->moments, errors);
    if (price) course->doubt = unit.doubt;
    if (levy_output_reaches_below(plan, o, &unit, course->price))
        unit = levy_estimate_doubtful(unit, LEVY_DOUBT_BELOW);
    if (price) course->unit = unit;
    *ok = results_check(made, course, o, &unit);
    const double scale =
        output->measure & LEVY_RESULTS_PURE ? 1.0 : levy_trade_scale(course->trade);
    const levy_estimate e = results_scale(results_doubt(unit, output, course->doubt), scale);
    return course->trade->state != LEVY_TRADE_PRICED ? results_pathless(e) : e;
}

/* What the model's steps leave, of the position. */
static levy_step_bias results_steps(const levy_results_made *made, const results_course *course,
                                    uint32_t o, double scale, bool zero)
{
    const levy_plan *const plan = made->plan;
    const levy_image_output *const output =
        &LEVY_IMAGE_AT(levy_image_output, plan->image, outputs)[o];
    if (zero || course->trade->state != LEVY_TRADE_PRICED ||
        !(output->remarks & LEVY_OUTPUT_STEPPED))
        return (levy_step_bias){0.0, 0.0, 0.0};
    const levy_step_bias unit =
        levy_step_bias_of(plan, o, &made->sums[(size_t)o * plan->image->n_replicates]);
    const double size = fabs(scale);
    return (levy_step_bias){unit.value * scale, unit.std_error * size, unit.doubt * size};
}

/* What a unit's error is multiplied by. That of an implied volatility is the price's by vega. */
static double results_factor(const results_course *course, uint32_t measure, const levy_estimate *e)
{
    if (measure == LEVY_MEASURE_IMPLIED_VOLATILITY) return e->std_error / course->unit.std_error;
    return measure & LEVY_RESULTS_PURE ? 1.0 : levy_trade_scale(course->trade);
}

static bool results_make_measure(levy_results_made *made, results_course *course, size_t i,
                                 levy_measure *measure)
{
    const levy_plan *const plan = made->plan;
    const uint32_t o = course->places[i].output;
    const levy_image_output *const output =
        &LEVY_IMAGE_AT(levy_image_output, plan->image, outputs)[o];
    levy_results_net_measure netted = {.output = o,
                                       .place = course->places[i].place,
                                       .sums = &made->sums[(size_t)o * plan->image->n_replicates],
                                       .measure = (size_t)(measure - course->result->measures)};
    bool ok = true;
    const levy_estimate e = results_estimate(made, course, i, &netted.errors, &ok);
    const double scale = results_factor(course, output->measure, &e);
    course->finite =
        course->finite && (isfinite(e.value) || output->remarks & LEVY_OUTPUT_NOT_BUMPED ||
                           e.doubt == LEVY_DOUBT_UNIMPLIED);
    netted.steps = results_steps(made, course, o, scale, netted.errors.zero);
    if (!netted.errors.zero) { /* what is unresolved has no sign, and cancels no bias */
        const double unresolved = levy_known_unresolved(plan, o) * fabs(scale);
        netted.bias = results_bias(plan, course->places, i, course->n_places, made->sums) * scale;
        netted.bias += netted.bias < 0.0 ? -unresolved : unresolved;
    }
    if (output->measure == LEVY_MEASURE_PRICE) {
        const levy_estimate whole =
            levy_estimate_bias(e, netted.bias, plan->problem->simulation.confidence);
        results_set_price(course->result, course->unit.value, &whole);
        course->result->paths = e.n;
        if (ok && !course->beyond)
            ok = results_accuracy(made->arena, plan, o, netted.sums,
                                  levy_trade_scale(course->trade), course->result);
    }
    if (!ok || !levy_results_set_measure(made->arena, plan, course->trade, output, &e, netted.bias,
                                         netted.steps, measure))
        return false;
    levy_results_net_take(&made->net, course->number, &netted);
    return true;
}

/* The levels at which the trade is exercised, if it asks for them. */
static bool results_find_levels(const levy_results_made *made, const results_course *course,
                                levy_exercise_levels *levels)
{
    const levy_trade *const t = course->trade;
    *levels = (levy_exercise_levels){.n = 0};
    if (!t->early || !(levy_trade_asks(made->plan->problem, t) & LEVY_MEASURE_BOUNDARY))
        return true;
    if (!t->stage) return levy_early_levels(t, made->arena, levels) == LEVY_OK;
    *levels = made->plan->levels[course->number];
    return true;
}

/* Adds them behind n measures, for which there is room: one of a day, the first, but at the end of
 * all the last: there the level jumps. */
static bool results_add_levels(const levy_results_made *made, const levy_exercise_levels *levels,
                               bool fitted, levy_measure *measures, size_t *n)
{
    const levy_problem *const problem = made->plan->problem;
    for (size_t k = 0; k < levels->n; ++k) {
        char at[LEVY_NUMBER_SIZE];
        levy_node_name((levy_origin){problem->has_date, problem->valuation}, levels->times[k], at);
        const bool again = k > 0 && strcmp(at, measures[*n - 1].factor) == 0;
        if (again && (k + 1 < levels->n || levels->times[k] == levels->times[k - 1])) continue;
        levy_measure *const m = &measures[again ? *n - 1 : (*n)++];
        *m = (levy_measure){.measure = levy_results_measure_name(LEVY_MEASURE_BOUNDARY),
                            .factor = levy_arena_copy_text(made->arena, at, strlen(at)),
                            .value = levels->levels[k],
                            .note = fitted ? "of the fitted rule, whose error is not known" : NULL,
                            .std_error = NAN,
                            .ci_low = NAN,
                            .ci_high = NAN,
                            .interval = levy_interval_text(LEVY_INTERVAL_NONE)};
        if (!m->factor) return false;
    }
    return true;
}

/* Adds what the trade's fit says. False: no memory. */
static bool results_fit(levy_arena *arena, const levy_plan *plan, uint32_t trade,
                        levy_trade_result *result)
{
    const char *const said = plan->remarks ? plan->remarks[trade] : NULL;
    return !said || levy_results_add_message(arena, result, said);
}

static bool results_make_trade(levy_results_made *made, uint32_t trade_number)
{
    const levy_plan *const plan = made->plan;
    levy_arena *const arena = made->arena;
    const levy_image_output *const outputs = LEVY_IMAGE_AT(levy_image_output, plan->image, outputs);
    const uint32_t index = plan->group->trades[trade_number];
    levy_trade_result *const result = &made->trades[trade_number];
    results_course course = {.number = trade_number,
                             .trade = &plan->problem->trades[index],
                             .result = result,
                             .finite = true};
    course.places = results_places(plan, trade_number, &made->chains, arena, &course.n_places);
    levy_exercise_levels levels;
    bool ok = results_find_levels(made, &course, &levels);
    levy_measure *const measures =
        levy_arena_allocate(arena, course.n_places + levels.n, sizeof *measures);
    ok = ok && measures && course.places &&
         levy_results_net_expect(&made->net, trade_number, course.n_places);
    size_t count = 0;
    result->measures = measures;
    for (size_t i = 0; ok && i < course.n_places; ++i)
        if (!outputs[course.places[i].output].probe)
            ok = results_make_measure(made, &course, i, &measures[count++]);
    ok = ok && results_add_levels(made, &levels, course.trade->stage, measures, &count);
    result->n_measures = count;
    result->status = course.finite ? "ok" : "failed";
    result->reason = levy_reason_text(course.finite ? LEVY_REASON_NONE : LEVY_REASON_NUMERIC_ERROR);
    if (!course.finite)
        result->message = "a result is not a finite number: an input is too extreme";
    else if (course.beyond)
        results_refuse(made, trade_number, LEVY_REASON_INTERNAL);
    else
        ok = ok && results_fit(arena, plan, trade_number, result);
    return ok;
}

/* The share of a group's paths on which a cash dividend met the floor at 0; NaN without cash
 * dividends. */
static double results_floor(const levy_plan *plan, const tree_sum *sums)
{
    const levy_image_output *outputs = LEVY_IMAGE_AT(levy_image_output, plan->image, outputs);
    for (uint32_t o = 0; o < plan->image->n_outputs && !plan->group->early; ++o) {
        if (outputs[o].measure != LEVY_OUTPUT_FLOOR) continue;
        const uint32_t n = plan->image->n_replicates;
        double sum = 0.0;
        for (uint32_t r = 0; r < n; ++r) sum += sums[(size_t)o * n + r].mean;
        return sum / n;
    }
    return NAN;
}

/* The first functional that the group's bridge draws; NULL: none. `ok`: false if there is no
 * memory. */
static const char *results_first(levy_arena *arena, const levy_plan *plan, bool *ok)
{
    const levy_simulation *const s = &plan->problem->simulation;
    const uint32_t n = plan->image->n_functionals;
    if (s->construction != LEVY_CONSTRUCTION_BRIDGE) return NULL;
    if (s->order || s->first) return s->order ? "order" : "dates";
    if (n == 0 || s->first_average) return n ? "average" : NULL;
    const char *const text =
        levy_arena_format(arena, n == 1 ? "%u component" : "%u components", (unsigned)n);
    *ok = *ok && text;
    return text;
}

levy_results_made *levy_results_make(const levy_results *results, const levy_plan *plan,
                                     const tree_sum *sums, levy_arena *arena)
{
    const size_t n = plan->group->n_trades;
    levy_results_made *const made = levy_arena_allocate(arena, 1, sizeof *made);
    if (!made) return NULL;
    *made = (levy_results_made){.plan = plan, .sums = sums, .arena = arena};
    made->moments = levy_arena_allocate(arena, plan->image->n_replicates, sizeof *made->moments);
    made->trades = levy_arena_allocate(arena, n, sizeof *made->trades);
    bool ok = made->moments && made->trades && results_chain(plan, arena, &made->chains) &&
              levy_results_net_begin(&made->net, plan, arena);
    for (uint32_t i = 0; ok && i < n; ++i) {
        made->trades[i] = results->trades[plan->group->trades[i]];
        ok = results_make_trade(made, i);
    }
    if (ok) made->first = results_first(arena, plan, &ok);
    return ok ? made : NULL;
}

const levy_trade_result *levy_results_made_trade(const levy_results_made *made, uint32_t number)
{
    return &made->trades[number];
}

/* Copies a trade's result with its texts, which may be the book's. */
static bool results_keep_trade(levy_results *results, const levy_trade_result *made, size_t index)
{
    bool ok = true;
    levy_trade_result *const result = &results->trades[index];
    levy_measure *const measures =
        levy_arena_allocate(&results->arena, made->n_measures, sizeof *measures);
    *result = *made;
    result->measures = measures;
    result->message = levy_results_copy(results, made->message, &ok);
    if (!measures) result->n_measures = 0;
    for (size_t i = 0; i < result->n_measures; ++i) {
        measures[i] = made->measures[i];
        measures[i].factor = levy_results_copy(results, made->measures[i].factor, &ok);
        measures[i].note = levy_results_copy(results, made->measures[i].note, &ok);
    }
    return ok && measures;
}

levy_status levy_results_take_made(levy_results *results, levy_results_made *made,
                                   uint32_t group_number, double seconds,
                                   const levy_call_device *device, levy_line_out *record)
{
    bool ok = true;
    const levy_plan *const plan = made->plan;
    const levy_results_group common = {
        .number = group_number,
        .dimensions = plan->image->n_draws,
        .padding = plan->image->n_padded,
        .plan_hash = plan->image->numeric_hash,
        .staged = levy_given_size(plan->image) > 0,
        .first = levy_results_copy(results, made->first, &ok),
        .backend = levy_results_copy(results, device->info.backend, &ok),
        .device = levy_results_copy(results, device->info.device, &ok),
        .seconds = seconds,
        .floor_probability = results_floor(plan, made->sums)};
    for (uint32_t i = 0; ok && i < plan->group->n_trades; ++i) {
        ok = results_keep_trade(results, &made->trades[i], plan->group->trades[i]);
        levy_results_set_group(&results->trades[plan->group->trades[i]], &plan->problem->simulation,
                               &common);
    }
    ok = ok && levy_results_net_end(&made->net, results);
    if (ok && record) ok = levy_record_write(record, results, plan, made->sums, &made->net);
    return ok ? LEVY_OK : LEVY_MEMORY;
}

levy_status levy_results_take_group(levy_results *results, const levy_plan *plan,
                                    uint32_t group_number, const tree_sum *sums, double seconds,
                                    const levy_call_device *device, levy_line_out *record)
{
    levy_arena scratch;
    levy_arena_init(&scratch, results->memory);
    levy_results_made *const made = levy_results_make(results, plan, sums, &scratch);
    const levy_status status =
        made ? levy_results_take_made(results, made, group_number, seconds, device, record)
             : LEVY_MEMORY;
    levy_arena_release(&scratch);
    return status;
}
