/* scripted.c: see scripted.h. */
#include "payoffs/scripted.h"

#include "engine/base/tie.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

/* 1 / x, of what is 0 a number whose product with any logarithm is finite in single precision. */
static double scripted_inverse(double x)
{
    const double most = 1e30;
    return x > 1.0 / most || x < -1.0 / most ? 1.0 / x : most;
}

static double scripted_loading(const levy_script_term *term, const levy_script_date *date)
{
    const size_t a = term->parameter;
    const double *const loadings = date->loadings;
    switch ((int)term->kind) {
    case LEVY_SCRIPT_LOADING:
        return loadings[a];
    case LEVY_SCRIPT_INVERSE_LOADING:
        return scripted_inverse(loadings[a]);
    case LEVY_SCRIPT_GROWTH:
        return levy_exp(0.5 * loadings[a] * loadings[a]);
    case LEVY_SCRIPT_LOG_WEIGHT:
        return levy_log(date->weights[a]);
    case LEVY_SCRIPT_ADDED:
        return date->added ? date->weights[a] * date->added[a] : 0.0;
    default:
        return scripted_inverse(loadings[a / LEVY_SCRIPT_PAIR] - loadings[a % LEVY_SCRIPT_PAIR]);
    }
}

/* Of a quotient. */
static double scripted_variance(const levy_script_term *term, const levy_script_date *date)
{
    const double least = 1e-30, variance = date->variance ? date->variance[term->parameter] : 0.0;
    return variance > least ? variance : least;
}

/* ---- Two times ---- */

static double scripted_time(const levy_scripted *scripted, const levy_script_when *when,
                            const levy_script_date *date)
{
    double time = when->years;
    if (when->kind == LEVY_SCRIPT_NOW) time = date->time;
    if (when->kind == LEVY_SCRIPT_ON_DATE)
        time = scripted->dates[when->number]
                   .times[when->date == LEVY_SCRIPT_ONLY_DATE ? 0 : when->date];
    if (when->kind == LEVY_SCRIPT_BY_TERM)
        time = levy_scripted_term(scripted, &scripted->script.terms[when->number], date);
    return time;
}

/* Over no time it is that of the time itself. */
static double scripted_volatility(const levy_claim_market *market, size_t underlying, double from,
                                  double to)
{
    static const double least = 1e-6;
    const double end = fabs(to - from) < least ? from + least : to,
                 rate = (market->variance(market->of, underlying, end) -
                         market->variance(market->of, underlying, from)) /
                        (end - from);
    return rate > 0.0 ? levy_sqrt(rate) : 0.0;
}

static double scripted_span(const levy_scripted *scripted, const levy_script_term *term,
                            const levy_script_date *date)
{
    const levy_claim_market *const market = date->market ? date->market : &scripted->market;
    const levy_script_span *const span =
        &scripted->script.spans[term->parameter / LEVY_SCRIPT_SPAN];
    const double from = scripted_time(scripted, &span->from, date),
                 to = scripted_time(scripted, &span->to, date);
    if (term->kind == LEVY_SCRIPT_APART) return to - from;
    if (term->kind == LEVY_SCRIPT_VOLATILITY)
        return scripted_volatility(market, term->parameter % LEVY_SCRIPT_SPAN, from, to);
    return levy_exp(market->discount(market->of, to) - market->discount(market->of, from));
}

static double scripted_coupon(const levy_scripted *scripted, const levy_script_date *date)
{
    const levy_floating_coupon *const c = &scripted->floating[date->number];
    const levy_claim_market *const market = date->market ? date->market : &scripted->market;
    if (c->multiplier == 0.0) return c->fixed;
    const double growth =
        levy_exp(market->forward(market->of, c->from) - market->forward(market->of, c->to));
    return c->fixed + c->multiplier * (c->grown * growth - 1.0);
}

static double scripted_item(const levy_scripted *scripted, const levy_script_term *term,
                            const levy_script_date *date)
{
    if (scripted->floating) return scripted_coupon(scripted, date);
    return scripted->parameters[term->parameter].values[date->number];
}

double levy_scripted_term(const levy_scripted *scripted, const levy_script_term *term,
                          const levy_script_date *date)
{
    switch ((int)term->kind) {
    case LEVY_SCRIPT_WORTH:
        return date->worth;
    case LEVY_SCRIPT_DUE:
        return date->due;
    case LEVY_SCRIPT_ENDS:
        return date->ends;
    case LEVY_SCRIPT_YEARS:
        return date->time;
    case LEVY_SCRIPT_NUMBER:
        return (double)(date->number + 1);
    case LEVY_SCRIPT_DATES:
        return (double)scripted->dates[term->schedule].n;
    case LEVY_SCRIPT_LOADING:
    case LEVY_SCRIPT_INVERSE_LOADING:
    case LEVY_SCRIPT_GROWTH:
    case LEVY_SCRIPT_LOG_WEIGHT:
    case LEVY_SCRIPT_INVERSE_GAP:
    case LEVY_SCRIPT_ADDED:
        return scripted_loading(term, date);
    case LEVY_SCRIPT_VARIANCE:
        return scripted_variance(term, date);
    case LEVY_SCRIPT_RULE:
        return date->rule ? date->rule[term->parameter] : 0.0;
    case LEVY_SCRIPT_VOLATILITY:
    case LEVY_SCRIPT_DISCOUNT:
    case LEVY_SCRIPT_APART:
        return scripted_span(scripted, term, date);
    case LEVY_SCRIPT_LOG_ITEM:
        return levy_script_apply(LEVY_SCRIPT_LOG, scripted_item(scripted, term, date), 0.0, 0.0);
    default:
        return scripted_item(scripted, term, date);
    }
}

static double scripted_at_number(double state, double size, const double *numbers, size_t n)
{
    for (size_t k = 0; k < n; ++k)
        if (levy_is_tie_of(state, numbers[k], fmax(size, fabs(numbers[k])))) return numbers[k];
    return state;
}

/* Makes states that are known equal to the numbers of the file that they are meant to be, because
 * lanes compare without a tolerance: such as the lowest level so far, which a later date compares.
 * sizes: of the numbers that they were made of. */
static void scripted_settle_ties(const levy_scripted *scripted, const double *sizes, double *states)
{
    const levy_script *const script = &scripted->script;
    const levy_script_program *const p = script->program;
    for (uint32_t s = 0; s < p->n_states; ++s) {
        states[s] = scripted_at_number(states[s], sizes[s], script->constants, p->n_constants);
        for (uint32_t k = 0; k < p->n_terms; ++k) {
            const levy_script_term *const term = &script->terms[k];
            if (term->kind != LEVY_SCRIPT_ITEM) continue;
            const levy_script_parameter *const list = &scripted->parameters[term->parameter];
            states[s] = scripted_at_number(states[s], sizes[s], list->values, list->n);
        }
    }
}

/* Levels, and what the program reads behind them. Until today a variance sums up to nothing. */
static const double *scripted_levels(const levy_scripted *scripted, double time,
                                     const double *levels, double *room)
{
    const size_t n = scripted->script.program->n_assets;
    if (!scripted->variances) return levels;
    for (size_t a = 0; a < n; ++a) {
        room[a] = levels[a];
        room[n + a] = scripted->variances[a];
        room[2 * n + a] = scripted->variances[a] * fmax(time, 0.0);
    }
    return room;
}

uint64_t levy_scripted_run(const levy_scripted *scripted, uint32_t block,
                           const levy_script_date *date, const double *levels, double *states)
{
    const levy_script *const script = &scripted->script;
    const uint32_t schedule = LEVY_SCRIPT_PROGRAM_BLOCKS(script->program)[block].schedule;
    double terms[LEVY_SCRIPT_TERMS], registers[LEVY_SCRIPT_REGISTERS],
        room[LEVY_SCRIPT_LEVELS * LEVY_SCRIPT_ASSETS];
    const double *const seen = scripted_levels(scripted, date->time, levels, room);
    for (uint32_t i = 0; i < script->program->n_terms; ++i)
        terms[i] = script->terms[i].schedule == schedule
                       ? levy_scripted_term(scripted, &script->terms[i], date)
                       : 0.0;
    const uint64_t decided =
        levy_script_run(script, block, terms, seen, !date->supposed, states, registers);
    if (!date->supposed) scripted_settle_ties(scripted, registers, states);
    return decided;
}

const levy_script *levy_scripted_in_use(const levy_scripted *scripted, bool integrated,
                                        bool softened)
{
    if (integrated) return &scripted->integrated;
    return softened ? &scripted->soft : &scripted->script;
}

static const levy_script_dates *scripted_dates(const levy_scripted *scripted, uint32_t block)
{
    return &scripted->dates[LEVY_SCRIPT_PROGRAM_BLOCKS(scripted->script.program)[block].schedule];
}

/* What the next date of a block decides at the levels `now`, if what it asks to be crossed was
 * crossed from `levels` on. No decision reads a payment, so none counts. */
static uint64_t scripted_next(const levy_scripted *scripted, uint32_t block, const double *levels,
                              const double *now)
{
    const levy_script_dates *const dates = scripted_dates(scripted, block);
    levy_script_date next = {.number = dates->n_past + dates->has_today, .weights = levels};
    double states[LEVY_SCRIPT_STATES];
    if (next.number >= dates->n) return 0;
    if (dates->times) next.time = dates->times[next.number];
    memcpy(states, scripted->states, scripted->script.program->n_states * sizeof *states);
    return levy_scripted_run(scripted, block, &next, now, states);
}

uint64_t levy_scripted_decides(const levy_scripted *scripted, const double *levels,
                               const double *now)
{
    const levy_script_program *const p = scripted->script.program;
    double states[LEVY_SCRIPT_STATES];
    uint64_t decided = 0;
    memcpy(states, scripted->states, p->n_states * sizeof *states);
    for (uint32_t k = 0; k < p->n_blocks; ++k) {
        const levy_script_dates *const dates = scripted_dates(scripted, k);
        const uint32_t schedule = LEVY_SCRIPT_PROGRAM_BLOCKS(p)[k].schedule;
        const bool crosses = scripted->script.crosses >> schedule & 1;
        const levy_script_date today = {.number = dates->n_past, .weights = levels};
        if (dates->has_today)
            decided = decided * 31 + levy_scripted_run(scripted, k, &today, levels, states);
        decided = decided * 31 + (crosses ? scripted_next(scripted, k, levels, now) : 0);
    }
    return decided;
}

uint64_t levy_scripted_decides_after(const levy_scripted *scripted, const double *levels,
                                     const double *later)
{
    const levy_script_program *const p = scripted->script.program;
    double states[LEVY_SCRIPT_STATES];
    uint64_t decided = 0;
    memcpy(states, scripted->states, p->n_states * sizeof *states);
    for (int after = 0; after <= 1; ++after) {
        decided = 0;
        for (uint32_t k = 0; k < p->n_blocks; ++k) {
            const levy_script_dates *const dates = scripted_dates(scripted, k);
            const levy_script_date date = {
                .number = dates->n_past + (after && dates->has_today ? 1 : 0), .weights = levels};
            if (after ? date.number < dates->n : dates->has_today)
                decided = decided * 31 +
                          levy_scripted_run(scripted, k, &date, after ? later : levels, states);
        }
    }
    return decided;
}

uint64_t levy_scripted_will_decide(const levy_scripted *scripted, uint32_t block,
                                   const double *levels)
{
    return scripted_next(scripted, block, levels, levels);
}

bool levy_scripted_jumps(const levy_scripted *scripted)
{
    const levy_script_program *const p = scripted->script.program;
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p);
    for (uint32_t k = 0; k < p->n_steps; ++k)
        if (steps[k].op == LEVY_SCRIPT_LESS || steps[k].op == LEVY_SCRIPT_NOT_ABOVE ||
            steps[k].op == LEVY_SCRIPT_EQUAL)
            return true;
    return false;
}

/* The constant that an operand names, without a sign; 0: it names none. */
static double scripted_constant(const levy_script *script, uint32_t operand)
{
    if ((operand & LEVY_SCRIPT_AT) != LEVY_SCRIPT_AT_CONSTANT) return 0.0;
    return fabs(script->constants[operand - LEVY_SCRIPT_AT_CONSTANT]);
}

double levy_scripted_added(const levy_scripted *scripted)
{
    const levy_script *const script = &scripted->script;
    double most = 0.0;
    for (uint32_t i = 0; i < script->program->n_steps; ++i) {
        const levy_script_step *const step = LEVY_SCRIPT_PROGRAM_STEPS(script->program) + i;
        const bool adds = step->op == LEVY_SCRIPT_ADD || step->op == LEVY_SCRIPT_SUBTRACT;
        if (!adds && !(step->op == LEVY_SCRIPT_MULTIPLY && levy_script_is_number(step->a) &&
                       levy_script_is_number(step->b)))
            continue;
        most = fmax(most,
                    fmax(scripted_constant(script, step->a), scripted_constant(script, step->b)));
    }
    return most;
}
