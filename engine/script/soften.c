/* soften.c: see soften.h. Walks through the steps of a program and writes them twice. What a
 * comparison may do depends on what is compared: levels and what is made of them change over the
 * width; a variable of two values, such as whether a barrier was hit, lies between the two, and so
 * does the condition; numbers that no path changes are compared as they are. A part of a path may
 * have stopped: payments are those of the part that has not, and variables are what they are on it,
 * so that a condition counts for them as if nothing had stopped. */
#include "engine/script/soften.h"

#include "engine/script/emit.h"

#include <string.h>

enum { SOFTEN_PAID = 0, SOFTEN_MANY = 3 };

/* A value of the softened program: an operand. */
typedef struct soft_value {
    uint32_t at;
    bool level;        /* it depends on levels */
    bool soft;         /* a condition strictly between 0 and 1 may enter it */
    bool sum;          /* of these two operands, or their difference */
    uint32_t parts[2]; /* operands */
    bool running;      /* a condition: it holds on the part of the path that has not stopped, */
    uint32_t local;    /* and of that part on this one, an operand */
} soft_value;

typedef struct softening {
    emitter e;
    const levy_script *script;
    uint32_t n;          /* states of the script */
    uint32_t *constants; /* [n_constants] */
    uint32_t zero, one, half, half_width, least;
    bool plain; /* the second writing */
    soft_value registers[LEVY_SCRIPT_REGISTERS];
    bool level[LEVY_SCRIPT_STATES], soft[LEVY_SCRIPT_STATES]; /* what is known of states */
    uint32_t n_values[LEVY_SCRIPT_STATES];                    /* that a state takes */
    double values[LEVY_SCRIPT_STATES][2];
    const char *why;
} softening;

static const levy_script_program *soften_program(const softening *s) { return s->script->program; }

static uint32_t soften_emit(softening *s, levy_script_op op, uint32_t a, uint32_t b, uint32_t c)
{
    return levy_emit_add(&s->e, op, EMIT_NOWHERE, a, b, c);
}

static uint32_t soften_two(softening *s, levy_script_op op, uint32_t a, uint32_t b)
{
    return soften_emit(s, op, a, b, 0);
}

static uint32_t soften_constant(softening *s, double value)
{
    return levy_emit_new_constant(&s->e, value);
}

/* ---- What states take ---- */

static void soften_takes(softening *s, uint32_t state, double value)
{
    for (uint32_t k = 0; k < s->n_values[state] && k < 2; ++k)
        if (s->values[state][k] == value) return;
    if (s->n_values[state] < 2) s->values[state][s->n_values[state]] = value;
    if (s->n_values[state] < SOFTEN_MANY) ++s->n_values[state];
}

static void soften_find_values(softening *s)
{
    const levy_script_program *const p = soften_program(s);
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p);
    for (uint32_t r = 0; r < s->n; ++r) soften_takes(s, r, s->script->constants[r]);
    for (uint32_t k = 0; k < p->n_steps; ++k) {
        const levy_script_step *const step = &steps[k];
        const bool chosen = step->op == LEVY_SCRIPT_SELECT && step->c == step->to;
        const uint16_t from = chosen ? step->b : step->a;
        if (step->to >= s->n) continue; /* that of WHERE is what is paid, which takes many */
        if ((chosen || step->op == LEVY_SCRIPT_MOVE) &&
            (from & LEVY_SCRIPT_AT) == LEVY_SCRIPT_AT_CONSTANT)
            soften_takes(s, step->to, s->script->constants[from & ~LEVY_SCRIPT_AT]);
        else
            s->n_values[step->to] = SOFTEN_MANY;
    }
}

/* Whether the operand is a state of one or two values. */
static bool soften_is_flag(const softening *s, uint16_t operand)
{
    return !(operand & LEVY_SCRIPT_AT) && operand < s->n && s->n_values[operand] < SOFTEN_MANY;
}

/* ---- Values ---- */

static soft_value soften_number(uint32_t at) { return (soft_value){.at = at, .local = at}; }

static soft_value soften_state(const softening *s, uint32_t state)
{
    const uint32_t at = s->plain ? s->n + state : state;
    const bool alive = state > 0 && state == s->script->alive && !s->plain;
    return (soft_value){.at = at,
                        .level = s->level[state],
                        .soft = s->soft[state] && !s->plain,
                        .running = alive,
                        .local = alive ? s->one : at};
}

static soft_value soften_operand(softening *s, uint16_t operand)
{
    const uint32_t number = operand & ~(uint32_t)LEVY_SCRIPT_AT;
    switch (operand & LEVY_SCRIPT_AT) {
    case LEVY_SCRIPT_AT_CONSTANT:
        return soften_number(s->constants[number]);
    case LEVY_SCRIPT_AT_TERM:
        return soften_number(EMIT_TERM | number);
    case LEVY_SCRIPT_AT_LEVEL:
        return (soft_value){.at = EMIT_LEVEL | number, .level = true};
    default:
        return number < s->n ? soften_state(s, number) : s->registers[number];
    }
}

/* ---- Comparisons ---- */

/* The size of what is compared: of a difference that of its parts, since it may be 0. */
static uint32_t soften_size(softening *s, const soft_value *x)
{
    if (!x->sum) return soften_two(s, LEVY_SCRIPT_MAGNITUDE, x->at, 0);
    return soften_two(s, LEVY_SCRIPT_ADD, soften_two(s, LEVY_SCRIPT_MAGNITUDE, x->parts[0], 0),
                      soften_two(s, LEVY_SCRIPT_MAGNITUDE, x->parts[1], 0));
}

/* a < b: from 0 to 1 as b - a goes through the width, 1/2 in the middle. Numbers that are equal are
 * no levels in the middle, but have come out the same, such as two variables that nothing has
 * changed, and compare as they do. */
static uint32_t soften_ramp(softening *s, levy_script_op op, const soft_value *a,
                            const soft_value *b)
{
    const uint32_t gap = soften_two(s, LEVY_SCRIPT_SUBTRACT, b->at, a->at),
                   size = soften_two(s, LEVY_SCRIPT_ADD, soften_size(s, a), soften_size(s, b)),
                   own = soften_two(s, LEVY_SCRIPT_MULTIPLY, size, s->half_width),
                   width = soften_two(s, LEVY_SCRIPT_GREATEST, own, s->least),
                   part = soften_two(s, LEVY_SCRIPT_DIVIDE, gap, width),
                   middle = soften_two(s, LEVY_SCRIPT_ADD, part, s->half),
                   most = soften_two(s, LEVY_SCRIPT_LEAST, middle, s->one),
                   ramp = soften_two(s, LEVY_SCRIPT_GREATEST, most, s->zero),
                   equal = soften_two(s, LEVY_SCRIPT_EQUAL, a->at, b->at);
    return soften_emit(s, LEVY_SCRIPT_SELECT, equal, op == LEVY_SCRIPT_LESS ? s->zero : s->one,
                       ramp);
}

/* Compares a state, or one of its values, with a number. first: the state is the first operand. */
static uint32_t soften_against(softening *s, levy_script_op op, uint32_t state, uint32_t number,
                               bool first)
{
    return first ? soften_two(s, op, state, number) : soften_two(s, op, number, state);
}

/* A comparison of a state of two values: interpolates between its results at the two. */
static uint32_t soften_between(softening *s, levy_script_op op, uint32_t state, uint32_t number,
                               bool first)
{
    const double *const v = s->values[state];
    const uint32_t low = soften_constant(s, v[0]), high = soften_constant(s, v[1]),
                   at_low = soften_against(s, op, low, number, first),
                   at_high = soften_against(s, op, high, number, first),
                   over = soften_two(s, LEVY_SCRIPT_SUBTRACT, state, low),
                   part = soften_two(s, LEVY_SCRIPT_MULTIPLY, over,
                                     soften_constant(s, 1.0 / (v[1] - v[0]))),
                   change = soften_two(s, LEVY_SCRIPT_SUBTRACT, at_high, at_low);
    return soften_two(s, LEVY_SCRIPT_ADD, at_low,
                      soften_two(s, LEVY_SCRIPT_MULTIPLY, part, change));
}

static soft_value soften_compare(softening *s, const levy_script_step *step, const soft_value *a,
                                 const soft_value *b)
{
    const levy_script_op op = (levy_script_op)step->op;
    soft_value is = {.soft = true};
    if (!a->level && !a->soft && !b->level && !b->soft)
        return soften_number(soften_two(s, op, a->at, b->at));
    if (a->soft && !b->soft && !b->level && soften_is_flag(s, step->a))
        is.at = soften_between(s, op, step->a, b->at, true);
    else if (b->soft && !a->soft && !a->level && soften_is_flag(s, step->b))
        is.at = soften_between(s, op, step->b, a->at, false);
    else if (op == LEVY_SCRIPT_EQUAL)
        s->why = "it asks whether a level is equal to something";
    else if (a->level || b->level)
        is.at = soften_ramp(s, op, a, b);
    else
        s->why = "it compares a count that levels decide";
    is.local = is.at;
    return is;
}

/* ---- Steps ---- */

/* a and b. The part of the path that still runs counts once. */
static soft_value soften_both(softening *s, const soft_value *a, const soft_value *b)
{
    soft_value y = {.soft = a->soft || b->soft, .running = a->running || b->running};
    if (a->local == s->one)
        y.local = b->local;
    else
        y.local =
            b->local == s->one ? a->local : soften_two(s, LEVY_SCRIPT_AND, a->local, b->local);
    y.at = y.running ? soften_two(s, LEVY_SCRIPT_AND, s->script->alive, y.local) : y.local;
    return y;
}

/* A state's new value under a condition. Of a state that a stop sets, the part of the path that
 * still runs has the initial value. */
static void soften_set(softening *s, uint32_t state, const soft_value *when, uint32_t value)
{
    const levy_script *const script = s->script;
    const bool stops = script->alive &&
                       (state == script->alive || state == script->ended || state == script->life),
               all = stops || state == SOFTEN_PAID;
    const uint32_t where = all ? when->at : when->local;
    uint32_t from = state;
    if (stops) from = s->constants[state];
    if (stops && state == script->ended) from = 2 * s->n + 1;
    const uint32_t change = soften_two(s, LEVY_SCRIPT_SUBTRACT, value, from),
                   part = soften_two(s, LEVY_SCRIPT_MULTIPLY, where, change);
    levy_emit_add(&s->e, LEVY_SCRIPT_ADD, state, state, part, 0);
}

static soft_value soften_value(softening *s, const levy_script_step *step, const soft_value *x)
{
    const levy_script_op op = (levy_script_op)step->op;
    const bool compares =
        op == LEVY_SCRIPT_LESS || op == LEVY_SCRIPT_NOT_ABOVE || op == LEVY_SCRIPT_EQUAL;
    const uint32_t n = levy_script_operands(op);
    soft_value y = {.sum = op == LEVY_SCRIPT_ADD || op == LEVY_SCRIPT_SUBTRACT};
    if (compares && !s->plain) return soften_compare(s, step, &x[0], &x[1]);
    if (op == LEVY_SCRIPT_AND && !s->plain) return soften_both(s, &x[0], &x[1]);
    for (uint32_t i = 0; i < n; ++i) {
        const bool only_chooses = op == LEVY_SCRIPT_SELECT && i == 0;
        y.level = y.level || (x[i].level && !only_chooses);
        y.soft = y.soft || x[i].soft;
    }
    for (uint32_t i = 0; y.sum && i < 2; ++i) y.parts[i] = x[i].at;
    if (op == LEVY_SCRIPT_SELECT && x[0].soft) { /* a mean of both */
        const uint32_t change = soften_two(s, LEVY_SCRIPT_SUBTRACT, x[1].at, x[2].at),
                       part = soften_two(s, LEVY_SCRIPT_MULTIPLY, x[0].at, change);
        y.at = soften_two(s, LEVY_SCRIPT_ADD, x[2].at, part);
    } else {
        y.at = soften_emit(s, op, x[0].at, x[1].at, x[2].at);
    }
    y.local = y.at;
    return y;
}

static void soften_step(softening *s, const levy_script_step *step)
{
    const uint16_t from[] = {step->a, step->b, step->c};
    soft_value x[3] = {{0}};
    for (uint32_t i = 0; i < levy_script_operands(step->op); ++i) x[i] = soften_operand(s, from[i]);
    if (step->to < s->n && step->op == LEVY_SCRIPT_SELECT && step->c == step->to && x[0].soft) {
        soften_set(s, step->to, &x[0], x[1].at);
        s->level[step->to] = s->level[step->to] || x[1].level;
        s->soft[step->to] = true;
        return;
    }
    const soft_value y = soften_value(s, step, x);
    if (step->to >= s->n) {
        s->registers[step->to] = y;
        return;
    }
    levy_emit_add(&s->e, LEVY_SCRIPT_MOVE, s->plain ? s->n + step->to : step->to, y.at, 0, 0);
    if (s->plain) return;
    s->level[step->to] = s->level[step->to] || y.level;
    s->soft[step->to] = s->soft[step->to] || y.soft;
}

/* The steps of a block, once. */
static void soften_walk(softening *s, const levy_script_block *block)
{
    const levy_script_step *const steps =
        LEVY_SCRIPT_PROGRAM_STEPS(soften_program(s)) + block->first;
    size_t ends[LEVY_SCRIPT_NESTED], begun[LEVY_SCRIPT_NESTED], open = 0;
    for (uint32_t k = 0; k < block->n && !s->why && !levy_script_failed(s->e.fault); ++k) {
        if (steps[k].op <= LEVY_SCRIPT_LEVEL || open == LEVY_SCRIPT_NESTED) {
            s->why = "its steps are unknown"; /* no compiler writes that */
        } else if (steps[k].op == LEVY_SCRIPT_WHERE) {
            const soft_value when = soften_operand(s, steps[k].a);
            ends[open] = k + steps[k].b;
            begun[open++] = levy_emit_begin(&s->e, when.at);
        } else {
            soften_step(s, &steps[k]);
        }
        for (; open > 0 && ends[open - 1] == k; --open) levy_emit_end(&s->e, begun[open - 1]);
    }
}

static bool soften_block(softening *s, const levy_script_block *block)
{
    static const script_token nowhere = {.line = 1, .column = 1};
    levy_emit_begin_block(&s->e);
    s->plain = false;
    soften_walk(s, block);
    s->plain = true;
    soften_walk(s, block);
    levy_emit_add(&s->e, LEVY_SCRIPT_SUBTRACT, 2 * s->n, SOFTEN_PAID, s->n + SOFTEN_PAID, 0);
    if (s->why || s->e.fault->out_of_memory) return false;
    if (levy_emit_end_block(&s->e, block->schedule, &nowhere)) return true;
    if (!s->e.fault->out_of_memory) s->why = "it takes too many steps";
    return false;
}

/* ---- The whole ---- */

/* known: what an earlier walk has found of states. */
static bool soften_begin(softening *s, const levy_script *script, const softening *known,
                         double width, levy_arena *arena, levy_script_fault *fault)
{
    const levy_script_program *const p = script->program;
    *s = (softening){.e = {.arena = arena, .fault = fault}, .script = script, .n = p->n_states};
    if (known) memcpy(s->level, known->level, sizeof s->level);
    if (known) memcpy(s->soft, known->soft, sizeof s->soft);
    s->e.n_assets = p->n_assets;
    s->e.n_states = s->e.n_registers = 2 * s->n + 2;
    s->e.terms = levy_arena_allocate(arena, p->n_terms + 1, sizeof *s->e.terms);
    s->constants = levy_arena_allocate(arena, p->n_constants + 1, sizeof *s->constants);
    if (!s->e.terms || !s->constants) return false;
    if (p->n_terms > 0) memcpy(s->e.terms, script->terms, p->n_terms * sizeof *s->e.terms);
    s->e.n_terms = p->n_terms;
    s->e.term_room = p->n_terms + 1;
    for (uint32_t k = 0; k < p->n_constants; ++k)
        s->constants[k] = soften_constant(s, script->constants[k]);
    s->zero = soften_constant(s, 0.0);
    s->one = soften_constant(s, 1.0);
    s->half = soften_constant(s, 0.5);
    s->half_width = soften_constant(s, 0.5 * width);
    s->least = soften_constant(s, 1e-30); /* of a quotient */
    soften_find_values(s);
    return !fault->out_of_memory;
}

static bool soften_same(const softening *a, const softening *b)
{
    return memcmp(a->level, b->level, sizeof a->level) == 0 &&
           memcmp(a->soft, b->soft, sizeof a->soft) == 0;
}

/* Reports read the plain states: a softened variable still changes after a stop. */
static bool soften_reports(const levy_script *script, uint32_t n_states, levy_arena *arena,
                           levy_script *soft)
{
    const size_t n = script->n_reports;
    levy_script_report *const reports = levy_arena_allocate(arena, n + 1, sizeof *reports);
    if (!reports) return false;
    for (size_t k = 0; k < n; ++k)
        reports[k] =
            (levy_script_report){script->reports[k].name, n_states + script->reports[k].state};
    reports[n] = (levy_script_report){LEVY_SCRIPT_BIAS, 2 * n_states};
    soft->reports = reports;
    soft->n_reports = n + 1;
    return true;
}

static bool soften_finish(softening *s, levy_arena *arena, levy_script *soft)
{
    uint32_t starts[LEVY_SCRIPT_STATES];
    for (uint32_t k = 0; k < s->e.n_states; ++k)
        starts[k] = k < 2 * s->n ? s->constants[k % s->n] : s->zero;
    if (s->script->ended) starts[2 * s->n + 1] = s->constants[s->script->ended];
    return soften_reports(s->script, s->n, arena, soft) &&
           levy_emit_finish(&s->e, starts, arena, soft);
}

/* What levy_script_soften does. work: for what is not kept. */
static const char *soften_script(const levy_script *script, double width, levy_arena *work,
                                 levy_arena *kept, levy_script *soft)
{
    const levy_script_program *const p = script->program;
    levy_script_fault fault = {0};
    softening s, known;
    bool again = false;
    if (2 * p->n_states + 2 > LEVY_SCRIPT_STATES) return "it has too many variables";
    do { /* states that a later block makes soft are so from the start */
        if (again) known = s;
        if (!soften_begin(&s, script, again ? &known : NULL, width, work, &fault)) return NULL;
        for (uint32_t k = 0; k < p->n_blocks; ++k)
            if (!soften_block(&s, &LEVY_SCRIPT_PROGRAM_BLOCKS(p)[k])) return s.why;
        if (again && soften_same(&s, &known)) break;
        again = true;
    } while (true);
    if (!soften_finish(&s, kept, soft)) soft->program = NULL;
    return NULL;
}

const char *levy_script_soften(const levy_script *script, double width, levy_arena *arena,
                               levy_script *soft)
{
    levy_arena work;
    levy_arena_init(&work, arena->memory);
    *soft = *script;
    soft->program = NULL;
    const char *const why = soften_script(script, width, &work, arena, soft);
    levy_arena_release(&work);
    return why;
}
