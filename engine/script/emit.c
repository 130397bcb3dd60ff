/* emit.c: see emit.h. Registers: a linear scan, M. Poletto and V. Sarkar, ACM TOPLAS 21, 1999; a
 * block has no loops, so a value lives from its step to its last reader. */
#include "engine/script/emit.h"

#include "engine/script/lower_tail.h"

#include <string.h>

/* A list may have twice what a program has, for at a block's end some steps go: no text takes more
 * memory than that. */
static bool emit_is_full(emitter *e, size_t n, size_t most)
{
    static const script_token start = {.line = 1, .column = 1};
    if (n < 2 * most) return false;
    e->fault->ends = true;
    levy_script_fail(e->fault, e->arena, e->at ? e->at : &start, "Say it with fewer operations.",
                     "the script takes more than %d steps or numbers", LEVY_SCRIPT_STEPS);
    return true;
}

static bool emit_grow(emitter *e, void *items, size_t n, size_t *room, size_t size)
{
    const bool grown = levy_arena_grow(e->arena, items, n, room, 32, size);
    if (!grown) e->fault->out_of_memory = true;
    return grown;
}
#define EMIT_GROW(e, items, n, room) emit_grow((e), &(items), (n), &(room), sizeof *(items))

uint32_t levy_emit_new_constant(emitter *e, double value)
{
    if (emit_is_full(e, e->n_constants, LEVY_SCRIPT_AT_CONSTANT)) return EMIT_NOWHERE;
    if (!EMIT_GROW(e, e->constants, e->n_constants, e->constant_room)) return EMIT_NOWHERE;
    e->constants[e->n_constants] = (emit_constant){value, EMIT_NOWHERE};
    return EMIT_CONSTANT | (uint32_t)e->n_constants++;
}

double levy_emit_constant_value(const emitter *e, uint32_t operand)
{
    return e->constants[operand - EMIT_CONSTANT].value;
}

uint32_t levy_emit_level(emitter *e, uint32_t asset)
{
    if (asset >= e->n_assets) e->n_assets = asset + 1;
    return EMIT_LEVEL | asset;
}

uint32_t levy_emit_variance(emitter *e, uint32_t n, uint32_t kind, uint32_t asset)
{
    e->n_assets = n;
    return EMIT_LEVEL | (kind * n + asset);
}

uint32_t levy_emit_add(emitter *e, levy_script_op op, uint32_t to, uint32_t a, uint32_t b,
                       uint32_t c)
{
    if (emit_is_full(e, e->n_steps, LEVY_SCRIPT_STEPS)) return 0;
    if (!EMIT_GROW(e, e->steps, e->n_steps, e->step_room)) return 0;
    if (to == EMIT_NOWHERE) to = e->next++;
    e->steps[e->n_steps++] = (emit_step){(uint32_t)op, to, a, b, c, e->at};
    return to;
}

uint32_t levy_emit_term(emitter *e, levy_script_term_kind kind, uint32_t schedule, size_t parameter,
                        const script_token *at)
{
    for (size_t k = 0; k < e->n_terms; ++k)
        if (e->terms[k].kind == kind && e->terms[k].schedule == schedule &&
            e->terms[k].parameter == parameter)
            return EMIT_TERM | (uint32_t)k;
    if (!EMIT_GROW(e, e->terms, e->n_terms, e->term_room)) return 0;
    e->terms[e->n_terms] = (levy_script_term){kind, schedule, parameter, at->line, at->column};
    return EMIT_TERM | (uint32_t)e->n_terms++;
}

size_t levy_emit_begin(emitter *e, uint32_t condition)
{
    const size_t begun = e->n_steps;
    if (e->open++ >= LEVY_SCRIPT_NESTED) return begun;
    levy_emit_add(e, LEVY_SCRIPT_WHERE, 0, condition, 0, 0);
    return begun;
}

/* Running a single step is cheaper than skipping it. */
void levy_emit_end(emitter *e, size_t begun)
{
    enum { EMIT_LEAST = 2 };
    if (e->open-- > LEVY_SCRIPT_NESTED || levy_script_failed(e->fault)) return;
    const size_t n = e->n_steps - begun - 1;
    e->steps[begun].b = (uint32_t)n;
    if (n >= EMIT_LEAST) return;
    memmove(e->steps + begun, e->steps + begun + 1, n * sizeof *e->steps);
    --e->n_steps;
}

void levy_emit_begin_block(emitter *e)
{
    e->first = e->n_steps;
    e->next = e->n_states;
    e->open = 0;
}

/* ---- What segments share ---- */

/* Whether a step has the same value on all segments. fixed: [register]. */
static bool emit_is_fixed(emitter *e, const emit_step *s, const bool *fixed)
{
    const uint32_t operands[] = {s->a, s->b, s->c};
    if (s->op == LEVY_SCRIPT_WHERE || s->op == LEVY_SCRIPT_SPLIT || s->to < e->first_shared)
        return false;
    for (uint32_t i = 0; i < levy_script_operands(s->op); ++i)
        if (operands[i] < EMIT_CONSTANT && !fixed[operands[i]]) return false;
    return true;
}

/* Takes a step out of the block, and of the WHEREs that it lies in. */
static void emit_remove(emitter *e, size_t at)
{
    for (size_t k = e->first; k < at; ++k) {
        emit_step *const s = &e->steps[k];
        if (s->op == LEVY_SCRIPT_WHERE && k + s->b >= at) --s->b;
    }
    memmove(e->steps + at, e->steps + at + 1, (e->n_steps - at - 1) * sizeof *e->steps);
    --e->n_steps;
}

/* Whether nothing reads what a step makes. read: [register]: a later step does. */
static bool emit_is_idle(const emitter *e, const emit_step *s, const bool *read)
{
    if (s->op == LEVY_SCRIPT_WHERE) return s->b == 0;
    const bool acts = s->op == LEVY_SCRIPT_SPLIT || s->op == LEVY_SCRIPT_SUM_AT ||
                      s->op == LEVY_SCRIPT_SUM_ADD || s->op == LEVY_SCRIPT_CASH_PAY;
    return !acts && s->to >= e->n_states && !read[s->to];
}

/* Moves the fixed steps of the block to its beginning, and takes them out of the WHEREs. Returns
 * their number. */
static size_t emit_move_fixed(emitter *e)
{
    const size_t n = e->n_steps - e->first;
    bool *const fixed = levy_arena_allocate(e->arena, (size_t)e->next + 1, sizeof *fixed),
                *const moves = levy_arena_allocate(e->arena, n + 1, sizeof *moves);
    emit_step *const steps = e->steps + e->first;
    emit_step *const copy = levy_arena_allocate(e->arena, n + 1, sizeof *copy);
    size_t before = 0, behind = 0;
    if (!fixed || !moves || !copy) return e->fault->out_of_memory = true, 0;
    for (uint32_t k = e->first_shared; k < e->n_states; ++k) fixed[k] = true;
    if (e->kept) fixed[e->kept] = true;
    for (size_t k = 0; k < n; ++k)
        if ((moves[k] = emit_is_fixed(e, &steps[k], fixed))) fixed[steps[k].to] = true;
    for (size_t k = 0; k < n; ++k) {
        uint32_t inside = 0;
        if (steps[k].op != LEVY_SCRIPT_WHERE) continue;
        for (size_t i = k + 1; i <= k + steps[k].b; ++i) inside += moves[i];
        steps[k].b -= inside;
    }
    for (size_t k = 0; k < n; ++k)
        if (moves[k]) copy[before++] = steps[k];
    for (size_t k = 0; k < n; ++k)
        if (!moves[k]) copy[before + behind++] = steps[k];
    memcpy(steps, copy, n * sizeof *copy);
    return before;
}

/* Removes steps whose result no step reads; conditions that only set latches leave such. Returns
 * how many of the first n_before steps remain. */
static size_t emit_drop_idle(emitter *e, size_t n_before)
{
    bool *const read = levy_arena_allocate(e->arena, (size_t)e->next + 1, sizeof *read);
    if (!read) return e->fault->out_of_memory = true, 0;
    for (size_t k = e->n_steps; k-- > e->first;) {
        emit_step *const s = &e->steps[k];
        const uint32_t operands[] = {s->a, s->b, s->c};
        if (emit_is_idle(e, s, read)) {
            emit_remove(e, k);
            n_before -= k < e->first + n_before;
            continue;
        }
        for (uint32_t i = 0; i < levy_script_operands(s->op); ++i)
            if (operands[i] < EMIT_CONSTANT) read[operands[i]] = true;
    }
    return n_before;
}

/* Moves the steps that give the same on all segments to the front; returns their number. */
static size_t emit_order(emitter *e)
{
    const size_t n_before = emit_move_fixed(e);
    return e->fault->out_of_memory ? 0 : emit_drop_idle(e, n_before);
}

/* ---- Registers ---- */

static uint32_t *emit_operand(emit_step *s, uint32_t k)
{
    uint32_t *const all[] = {&s->a, &s->b, &s->c};
    return all[k];
}

/* [register]: the block's last step that reads it. Of what the first n_before steps fill that is
 * the last step of all, since the others run again and again. */
static void emit_last_readers(emitter *e, size_t n_before, size_t *last)
{
    for (size_t k = e->first; k < e->n_steps; ++k) {
        emit_step *const s = &e->steps[k];
        if (s->op != LEVY_SCRIPT_WHERE && s->to >= e->n_states && last[s->to] < k) last[s->to] = k;
        for (uint32_t i = 0; i < levy_script_operands(s->op); ++i)
            if (*emit_operand(s, i) < EMIT_CONSTANT) last[*emit_operand(s, i)] = k;
    }
    for (size_t k = e->first; k < e->first + n_before; ++k)
        if (last[e->steps[k].to] >= e->first + n_before) last[e->steps[k].to] = e->n_steps;
}

/* A free register; LEVY_SCRIPT_REGISTERS: there is none. */
static uint32_t emit_free(const emitter *e, const bool *taken)
{
    uint32_t r = e->n_states;
    while (r < LEVY_SCRIPT_REGISTERS && taken[r]) ++r;
    return r;
}

static bool emit_registers(emitter *e, size_t n_before)
{
    bool taken[LEVY_SCRIPT_REGISTERS] = {false};
    size_t *const last = levy_arena_allocate(e->arena, (size_t)e->next + 1, sizeof *last);
    uint32_t *const given = levy_arena_allocate(e->arena, (size_t)e->next + 1, sizeof *given);
    if (!last || !given) return e->fault->out_of_memory = true, false;
    emit_last_readers(e, n_before, last);
    for (uint32_t r = 0; r < e->n_states; ++r) given[r] = r;
    for (size_t k = e->first; k < e->n_steps; ++k) {
        emit_step *const s = &e->steps[k];
        for (uint32_t i = 0; i < levy_script_operands(s->op); ++i) {
            uint32_t *const r = emit_operand(s, i);
            if (*r >= EMIT_CONSTANT) continue;
            const bool done = *r >= e->n_states && last[*r] == k;
            *r = given[*r];
            if (done) taken[*r] = false;
        }
        if (s->op == LEVY_SCRIPT_WHERE || s->to < e->n_states) continue;
        const uint32_t r = emit_free(e, taken);
        if (r == LEVY_SCRIPT_REGISTERS) return false;
        taken[r] = last[s->to] > k;
        given[s->to] = r;
        s->to = r;
        if (r >= e->n_registers) e->n_registers = r + 1;
    }
    return true;
}

bool levy_emit_end_block(emitter *e, uint32_t schedule, const script_token *at)
{
    if (levy_script_failed(e->fault)) return false;
    if (e->n_steps > LEVY_SCRIPT_STEPS || e->n_constants > LEVY_SCRIPT_AT_CONSTANT - 1)
        return levy_script_fail(e->fault, e->arena, at, "Say it with fewer operations.",
                                "the script takes more than %d steps or numbers",
                                LEVY_SCRIPT_STEPS);
    if (e->n_terms > LEVY_SCRIPT_TERMS)
        return levy_script_fail(e->fault, e->arena, at, "Use fewer lists.",
                                "the script reads more than %d numbers by date", LEVY_SCRIPT_TERMS);
    const bool orders = e->integrates && e->n_steps > e->first; /* else there may be no array */
    const size_t n_before = orders ? emit_order(e) : 0;
    if (e->fault->out_of_memory) return false;
    if (!emit_registers(e, n_before))
        return levy_script_fail(e->fault, e->arena, at, "Use fewer values at a time.",
                                "the block holds more than %d values at a time",
                                LEVY_SCRIPT_REGISTERS);
    if (!EMIT_GROW(e, e->blocks, e->n_blocks, e->block_room)) return false;
    levy_script_block *const block = &e->blocks[e->n_blocks++];
    *block = (levy_script_block){.schedule = schedule,
                                 .first = (uint32_t)e->first,
                                 .n = (uint32_t)(e->n_steps - e->first),
                                 .n_before = (uint32_t)n_before,
                                 .lower_tail = EMIT_NOWHERE};
    return !orders || levy_lower_tail_add(e, n_before, block);
}

/* ---- The whole ---- */

/* Numbers the constants that are read: those that the states start at come first. */
static uint32_t emit_number_constants(emitter *e, const uint32_t *states, double *values)
{
    uint32_t n = 0;
    for (uint32_t r = 0; r < e->n_states; ++r) values[n++] = levy_emit_constant_value(e, states[r]);
    for (size_t k = 0; k < e->n_steps; ++k)
        for (uint32_t i = 0; i < levy_script_operands(e->steps[k].op); ++i) {
            const uint32_t operand = *emit_operand(&e->steps[k], i);
            if ((operand & EMIT_KIND) != EMIT_CONSTANT) continue;
            emit_constant *const c = &e->constants[operand - EMIT_CONSTANT];
            if (c->number != EMIT_NOWHERE) continue;
            values[n] = c->value;
            c->number = n++;
        }
    return n;
}

/* An operand as the program has it. */
static uint16_t emit_final(const emitter *e, uint32_t operand)
{
    const uint32_t number = operand & ~(uint32_t)EMIT_KIND;
    switch (operand & EMIT_KIND) {
    case EMIT_CONSTANT:
        return (uint16_t)(LEVY_SCRIPT_AT_CONSTANT | e->constants[number].number);
    case EMIT_TERM:
        return (uint16_t)(LEVY_SCRIPT_AT_TERM | number);
    case EMIT_LEVEL:
        return (uint16_t)(LEVY_SCRIPT_AT_LEVEL | number);
    default:
        return (uint16_t)number;
    }
}

static void emit_copy_steps(emitter *e, levy_script_step *to)
{
    for (size_t k = 0; k < e->n_steps; ++k) {
        emit_step *const s = &e->steps[k];
        uint16_t final[3] = {0, 0, 0};
        for (uint32_t i = 0; i < levy_script_operands(s->op); ++i)
            final[i] = emit_final(e, *emit_operand(s, i));
        if (s->op == LEVY_SCRIPT_WHERE) final[1] = (uint16_t)s->b;
        to[k] = (levy_script_step){(uint8_t)s->op, (uint8_t)s->to, final[0], final[1], final[2]};
    }
}

/* Where the text has the statements of the steps. */
static bool emit_copy_places(const emitter *e, levy_arena *kept, levy_script *script)
{
    levy_script_spot *const places = levy_arena_allocate(kept, e->n_steps, sizeof *places);
    if (!places) return e->fault->out_of_memory = true, false;
    for (size_t k = 0; k < e->n_steps; ++k)
        if (e->steps[k].at)
            places[k] = (levy_script_spot){e->steps[k].at->line, e->steps[k].at->column};
    script->places = places;
    return true;
}

/* Copies of the constants and terms that the program has. */
static bool emit_copy_numbers(const emitter *e, const double *values, uint32_t n, levy_arena *kept,
                              levy_script *script)
{
    double *const constants = levy_arena_allocate(kept, n, sizeof *constants);
    levy_script_term *const terms = levy_arena_allocate(kept, e->n_terms, sizeof *terms);
    if (!constants || !terms) return e->fault->out_of_memory = true, false;
    memcpy(constants, values, n * sizeof *constants);
    if (e->n_terms > 0) memcpy(terms, e->terms, e->n_terms * sizeof *terms);
    script->constants = constants;
    script->terms = terms;
    return true;
}

bool levy_emit_finish(emitter *e, const uint32_t *states, levy_arena *kept, levy_script *script)
{
    const size_t bytes = (sizeof(levy_script_program) + e->n_blocks * sizeof(levy_script_block) +
                          e->n_steps * sizeof(levy_script_step) + 7) /
                         8 * 8;
    levy_script_program *const p = levy_arena_allocate(kept, 1, bytes);
    double *const values =
        levy_arena_allocate(e->arena, e->n_states + e->n_constants, sizeof *values);
    if (!p || !values) return e->fault->out_of_memory = true, false;
    *p = (levy_script_program){.bytes = (uint32_t)bytes,
                               .n_states = e->n_states,
                               .n_registers =
                                   e->n_registers > e->n_states ? e->n_registers : e->n_states,
                               .n_constants = emit_number_constants(e, states, values),
                               .n_terms = (uint32_t)e->n_terms,
                               .n_blocks = (uint32_t)e->n_blocks,
                               .n_steps = (uint32_t)e->n_steps,
                               .n_assets = e->n_assets};
    for (size_t k = 0; k < e->n_blocks; ++k) {
        levy_script_block *const block = &e->blocks[k];
        if (block->lower_tail == EMIT_NOWHERE)
            block->lower_tail = (uint32_t)LEVY_SCRIPT_NO_LOWER_TAIL;
        else
            block->lower_tail = emit_final(e, block->lower_tail);
    }
    memcpy(p + 1, e->blocks, e->n_blocks * sizeof *e->blocks);
    emit_copy_steps(e, (levy_script_step *)((levy_script_block *)(p + 1) + e->n_blocks));
    script->program = p;
    script->reads_levels = e->n_assets > 0;
    return emit_copy_places(e, kept, script) &&
           emit_copy_numbers(e, values, p->n_constants, kept, script);
}
