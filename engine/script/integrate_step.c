/* integrate_step.c: what a step of a script becomes on a segment: its operands as numbers and
 * multiples of levels, the states it sets, and the conditions under which it matters. Must not
 * know: blocks, dates, how often the script is walked through. */
#include "engine/script/integration.h"

#include "engine/script/sum.h"

static bool integrate_is_latch(const integration *g, uint32_t state)
{
    return g->latches.found >> state & 1;
}

static script_latch integrate_latch(const integration *g, uint32_t state)
{
    return (script_latch){&g->latches, state, g->s.e.first_shared};
}

static script_form integrate_state(integration *g, uint32_t state)
{
    if (state > 0 && state == g->s.summed) return g->s.added ? g->sum : levy_sum_read(&g->s);
    script_form f = levy_form_number(&g->s, state == INTEGRATE_PAID ? g->s.zero : state);
    f.paid = state == INTEGRATE_PAID;
    f.split = g->s.decided >> state & 1;
    f.sum = g->s.summed == 0; /* it may be the one */
    if (integrate_is_latch(g, state)) {
        const script_latch latch = integrate_latch(g, state);
        f.alpha = levy_latch_read(&g->s, &latch);
        f.split = true;
    }
    return f;
}

static script_form integrate_level(integration *g, uint32_t asset)
{
    const script_form level = levy_form_asset(&g->s, asset);
    if (!g->added || level.rough) return level;
    const script_form added =
        levy_form_number(&g->s, levy_form_term(&g->s, LEVY_SCRIPT_ADDED, asset));
    return levy_form_apply(&g->s, LEVY_SCRIPT_ADD, &level, &added, &added);
}

static script_form integrate_operand(integration *g, uint16_t operand)
{
    const uint32_t number = operand & ~(uint32_t)LEVY_SCRIPT_AT;
    switch (operand & LEVY_SCRIPT_AT) {
    case LEVY_SCRIPT_AT_CONSTANT:
        return levy_form_number(&g->s, g->constants[number]);
    case LEVY_SCRIPT_AT_TERM:
        return levy_form_number(&g->s, EMIT_TERM | number);
    case LEVY_SCRIPT_AT_LEVEL:
        return integrate_level(g, number);
    default:
        if (number < levy_integrate_program(g)->n_states) return integrate_state(g, number);
        return g->registers[number];
    }
}

/* ---- States ---- */

/* state += amount, under the current condition. */
static void integrate_collect(integration *g, uint32_t state, uint32_t amount, uint32_t where)
{
    const uint32_t sum = levy_form_emit(&g->s, LEVY_SCRIPT_ADD, state, amount, 0);
    if (where == g->s.one)
        levy_emit_add(&g->s.e, LEVY_SCRIPT_MOVE, state, sum, 0, 0);
    else
        levy_emit_add(&g->s.e, LEVY_SCRIPT_SELECT, state, where, sum, state);
}

static void integrate_pay(integration *g, const script_form *amount, uint32_t where)
{
    if (amount->rough || !amount->paid) {
        levy_integrate_refuse(g, "it pays what is no sum of levels");
        return;
    }
    if (amount->alpha != g->s.zero) integrate_collect(g, g->cash, amount->alpha, where);
    g->cash_paid = g->cash_paid || amount->alpha != g->s.zero;
    for (uint32_t j = 0; j < g->s.n_columns && j < g->n_shares; ++j) {
        if (amount->beta[j] == g->s.zero) continue;
        integrate_collect(g, g->first_share + j, amount->beta[j], where);
        g->shares_paid |= 1u << j;
    }
}

/* state = value, which contains levels. The first walk only records the state. */
static void integrate_add_up(integration *g, uint32_t state, const script_form *value,
                             const script_form *when)
{
    const bool alone = g->adds_up == 0 || g->adds_up == state,
               grows = value->grown && value->reads == (uint64_t)1 << state,
               known = state == g->s.summed && levy_form_is_always(&g->s, when->alpha);
    if (g->s.summed == 0 && grows && alone) {
        g->adds_up = state;
    } else if (known && levy_sum_add(&g->s, value)) {
        g->adds_up = state;
        g->sum = *value;
        g->sum.sum = 1 + g->s.added;
    } else {
        levy_integrate_refuse(g, "it carries a level from date to date");
    }
}

/* Records whether a state differs from segment to segment, and how: by one constant, which leaves
 * at most two segments after many dates, or by several numbers, of which each date may bring
 * another. */
static void integrate_decided(integration *g, uint32_t state, const script_form *value,
                              const script_form *when)
{
    const bool split = when->split || value->split, own = value->reads >> state & 1,
               constant = (value->alpha & EMIT_KIND) == EMIT_CONSTANT && !value->split;
    if (!split || levy_integrate_stopped(g->script) >> state & 1) return;
    if (value->moves || when->moves)
        levy_integrate_refuse(g, "a comparison with what was on the path changes a variable");
    if (own)
        g->self |= (uint64_t)1 << state;
    else
        g->set |= (uint64_t)1 << state;
    if (constant && (g->only[state] == 0 || g->only[state] == value->alpha)) {
        g->only[state] = value->alpha;
        g->flags = true;
    } else {
        g->counts = true;
    }
}

static void integrate_set(integration *g, const levy_script_step *step)
{
    const bool chosen =
        step->op == LEVY_SCRIPT_SELECT && step->c == step->to; /* else it keeps what it has */
    const script_form when = chosen ? integrate_operand(g, step->a)
                                    : levy_form_number(&g->s, g->s.one),
                      value = integrate_operand(g, chosen ? step->b : step->a);
    if (!levy_form_is_number(&g->s, &when) ||
        (step->op != LEVY_SCRIPT_MOVE && !chosen)) { /* no compiler writes that */
        levy_integrate_refuse(g, "its steps are unknown");
        return;
    }
    if (step->to == INTEGRATE_PAID) {
        integrate_pay(g, &value, when.alpha);
        return;
    }
    if (!levy_form_is_number(&g->s, &value) || step->to == g->s.summed) {
        integrate_add_up(g, step->to, &value, &when);
        return;
    }
    levy_latch_note(&g->latches, &g->s, step->to, &when, &value);
    if (integrate_is_latch(g, step->to)) {
        const script_latch latch = integrate_latch(g, step->to);
        levy_latch_set(&g->s, &latch, &when);
        return;
    }
    integrate_decided(g, step->to, &value, &when);
    if (chosen)
        levy_emit_add(&g->s.e, LEVY_SCRIPT_SELECT, step->to, when.alpha, value.alpha, step->to);
    else
        levy_emit_add(&g->s.e, LEVY_SCRIPT_MOVE, step->to, value.alpha, 0, 0);
}

/* ---- Conditions that change nothing ---- */

enum { INTEGRATE_SETS = 4 }; /* states that one condition sets */

typedef struct integrate_sets {
    const levy_script_step *step[INTEGRATE_SETS];
    size_t n;
} integrate_sets;

/* registers: [LEVY_SCRIPT_REGISTERS], of the block. */
static bool integrate_reads(const levy_script_step *step, const bool *registers)
{
    const uint16_t operands[] = {step->a, step->b, step->c};
    for (uint32_t i = 0; i < levy_script_operands(step->op); ++i)
        if (!(operands[i] & LEVY_SCRIPT_AT) && registers[operands[i]]) return true;
    return false;
}

/* Whether a step sets a state to a constant or a term under the condition of its first operand. */
static bool integrate_is_set(const integration *g, const levy_script_step *step)
{
    return step->op == LEVY_SCRIPT_SELECT && step->to == step->c && step->to != INTEGRATE_PAID &&
           step->to < levy_integrate_program(g)->n_states && levy_script_is_number(step->b);
}

/* Whether every reader of a condition, or of a condition joined from it, sets a state. One walk,
 * however often it is joined. */
static bool integrate_only_sets(const integration *g, const levy_script_step *step,
                                const levy_script_step *end, integrate_sets *sets)
{
    bool in[LEVY_SCRIPT_REGISTERS] = {false}; /* registers that hold it */
    uint32_t n = 1;
    in[step->to] = true;
    for (++step; step < end && n > 0; ++step) {
        const bool reads = integrate_reads(step, in), joins = reads && step->op == LEVY_SCRIPT_AND;
        if (step->op == LEVY_SCRIPT_WHERE) continue;
        if (reads && !joins) {
            if (!integrate_is_set(g, step) || sets->n == INTEGRATE_SETS) return false;
            sets->step[sets->n++] = step;
        }
        n = n + joins - in[step->to];
        in[step->to] = joins;
    }
    return sets->n > 0;
}

/* Where a condition matters, and whether it only sets latches: a barrier that was hit may be hit
 * again. Without this most dates would split a segment and merge it again. */
static uint32_t integrate_counts(integration *g, const levy_script_step *step,
                                 const levy_script_step *end)
{
    integrate_sets sets = {.n = 0};
    uint32_t counts = g->s.zero;
    const bool compares = step->op == LEVY_SCRIPT_LESS || step->op == LEVY_SCRIPT_NOT_ABOVE;
    g->s.latched = false;
    if (!compares || !integrate_only_sets(g, step, end, &sets)) return g->s.where;
    g->s.latched = true;
    for (size_t k = 0; k < sets.n; ++k)
        g->s.latched = g->s.latched && integrate_is_latch(g, sets.step[k]->to);
    if (g->s.latched) return g->s.where;
    for (size_t k = 0; k < sets.n; ++k) {
        const script_form value = integrate_operand(g, sets.step[k]->b);
        const uint32_t equal =
            levy_form_emit(&g->s, LEVY_SCRIPT_EQUAL, sets.step[k]->to, value.alpha, 0);
        const uint32_t other = levy_form_not(&g->s, equal);
        counts = k == 0 ? other : levy_form_emit(&g->s, LEVY_SCRIPT_OR, counts, other, 0);
    }
    return g->s.where == g->s.one ? counts
                                  : levy_form_emit(&g->s, LEVY_SCRIPT_AND, g->s.where, counts, 0);
}

/* ---- Steps ---- */

/* A value copied for later steps, because a state changes. */
static script_form integrate_kept(integration *g, const script_form *value)
{
    script_form own = *value;
    if (value->alpha < g->s.e.n_states)
        own.alpha = levy_form_emit(&g->s, LEVY_SCRIPT_MOVE, value->alpha, 0, 0);
    for (uint32_t j = 0; j < g->s.n_columns; ++j)
        if (value->beta[j] < g->s.e.n_states)
            own.beta[j] = levy_form_emit(&g->s, LEVY_SCRIPT_MOVE, value->beta[j], 0, 0);
    return own;
}

static void integrate_value(integration *g, const levy_script_step *step,
                            const levy_script_step *end)
{
    const uint16_t from[] = {step->a, step->b, step->c};
    const uint32_t n = levy_script_operands(step->op), where = g->s.where;
    script_form of[3], value;
    for (uint32_t i = 0; i < 3; ++i)
        of[i] = i < n ? integrate_operand(g, from[i]) : levy_form_number(&g->s, g->s.zero);
    g->s.always = levy_form_is_always(&g->s, where);
    g->s.where = integrate_counts(g, step, end);
    value = levy_form_apply(&g->s, (levy_script_op)step->op, &of[0], &of[1], &of[2]);
    g->s.where = where;
    g->s.latched = false;
    g->registers[step->to] = integrate_kept(g, &value);
}

static void integrate_where(integration *g, size_t at, const levy_script_step *step)
{
    const script_form when = integrate_operand(g, step->a);
    if (g->open == LEVY_SCRIPT_NESTED || !levy_form_is_number(&g->s, &when)) {
        levy_integrate_refuse(g, "its conditions are nested too deep");
        return;
    }
    g->wheres[g->open] = g->s.where;
    g->ends[g->open] = at + step->b;
    g->begun[g->open++] = levy_emit_begin(&g->s.e, when.alpha);
    g->s.where = when.alpha;
}

void levy_integrate_step(integration *g, size_t at, const levy_script_step *step,
                         const levy_script_step *end)
{
    if (step->op == LEVY_SCRIPT_WHERE)
        integrate_where(g, at, step);
    else if (step->op <= LEVY_SCRIPT_LEVEL)
        levy_integrate_refuse(g, "its steps are unknown");
    else if (step->to < levy_integrate_program(g)->n_states)
        integrate_set(g, step);
    else
        integrate_value(g, step, end);
    for (; g->open > 0 && g->ends[g->open - 1] == at; --g->open) {
        levy_emit_end(&g->s.e, g->begun[g->open - 1]);
        g->s.where = g->wheres[g->open - 1];
    }
}
