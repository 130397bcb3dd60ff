/* verify.c: see verify.h. One walk through the steps of each block; which registers hold a value is
 * known at every step, since a block has no loops. */
#include "engine/script/verify.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    VERIFY_ENDS = 4,    /* states at the end of a segment: see program.h */
    VERIFY_NESTED = 128 /* WHEREs that are open at the same time */
};
static const uint32_t verify_ever = UINT32_MAX;

typedef struct verify_walk {
    const levy_script_program *p;
    const levy_script_step *steps;
    const levy_script_block *block;
    uint32_t most[4]; /* registers, constants, terms and levels */
    uint8_t walk;     /* 0: the first steps; else a bit: per-segment steps, lower-tail steps */
    /* [register]: the step before which it holds a value: the end of the WHERE that filled it */
    uint32_t until[LEVY_SCRIPT_REGISTERS];
    bool shared[LEVY_SCRIPT_REGISTERS]; /* per-segment steps read the first steps' result there */
    uint8_t written[LEVY_SCRIPT_REGISTERS]; /* bits of the walks that write there */
    char *why;
} verify_walk;

static const char *const verify_names[] = {"register", "constant", "term", "level"};

static bool verify_fail(char *why, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool verify_fail(char *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, LEVY_SCRIPT_VERIFY_WHY, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- The whole ---- */

static bool verify_sizes(const levy_script_program *p, char *why)
{
    const size_t bytes =
        sizeof *p + p->n_blocks * sizeof(levy_script_block) + p->n_steps * sizeof(levy_script_step);
    if (p->n_states == 0 || p->n_states > LEVY_SCRIPT_STATES || p->n_registers < p->n_states ||
        p->n_registers > LEVY_SCRIPT_REGISTERS)
        return verify_fail(why, "%u states in %u registers", p->n_states, p->n_registers);
    if (p->n_constants < p->n_states || p->n_constants > LEVY_SCRIPT_AT_CONSTANT ||
        p->n_terms > LEVY_SCRIPT_TERMS || p->n_assets > LEVY_SCRIPT_ASSETS)
        return verify_fail(why, "%u constants, %u terms, %u assets", p->n_constants, p->n_terms,
                           p->n_assets);
    if (p->n_blocks > LEVY_SCRIPT_BLOCKS || p->bytes != (bytes + 7) / 8 * 8)
        return verify_fail(why, "%u blocks and %u steps in %u bytes", p->n_blocks, p->n_steps,
                           p->bytes);
    return true;
}

/* States of an integrated program: per-segment states come first, their ends last. */
static bool verify_segments(const levy_script_program *p, char *why)
{
    if (p->n_segments == 0)
        return p->n_splits + p->n_summed + p->n_left == 0 ||
               verify_fail(why, "segments' room without segments");
    if (p->low + 1 < VERIFY_ENDS || p->low + 2 >= p->n_states || p->alive >= p->low)
        return verify_fail(why, "segments end in state %u of %u", p->low, p->n_states);
    if (p->n_segments > LEVY_SCRIPT_SEGMENTS || p->n_summed > LEVY_SCRIPT_SUMMED)
        return verify_fail(why, "%u segments, %u dates of a sum", p->n_segments, p->n_summed);
    if (p->own >> (p->low + 1 - VERIFY_ENDS) || p->reset >> (p->low + 1 - VERIFY_ENDS) ||
        p->own & p->reset)
        return verify_fail(why, "states of segments are not among those of segments");
    return true;
}

/* ---- A step ---- */

static bool verify_operand(verify_walk *w, uint32_t k, uint32_t operand)
{
    const uint32_t number = operand & ~(uint32_t)LEVY_SCRIPT_AT;
    const bool is_register = (operand & LEVY_SCRIPT_AT) == 0;
    if (number >= w->most[operand / LEVY_SCRIPT_AT_CONSTANT] ||
        (is_register && k >= w->until[number]))
        return verify_fail(w->why, "step %u reads %s %u, which holds nothing", k,
                           verify_names[operand / LEVY_SCRIPT_AT_CONSTANT], number);
    if (is_register && w->walk && !(w->written[number] & w->walk)) w->shared[number] = true;
    return true;
}

/* Whether an operation beside the ordinary ones may stand here. */
static bool verify_operation(const verify_walk *w, uint32_t k, const levy_script_step *s)
{
    static const uint8_t kinds[] = {[LEVY_SCRIPT_CONSTANT] = LEVY_SCRIPT_AT_CONSTANT >> 14,
                                    [LEVY_SCRIPT_TERM] = LEVY_SCRIPT_AT_TERM >> 14,
                                    [LEVY_SCRIPT_LEVEL] = LEVY_SCRIPT_AT_LEVEL >> 14};
    if (s->op >= LEVY_SCRIPT_OPS) return verify_fail(w->why, "step %u: operation %u", k, s->op);
    if ((s->op <= LEVY_SCRIPT_LEVEL && s->a >= w->most[kinds[s->op]]) ||
        (s->op == LEVY_SCRIPT_LEVEL && s->a >= w->p->n_assets))
        return verify_fail(w->why, "step %u: number %u", k, s->a);
    if (s->op == LEVY_SCRIPT_SPLIT && !w->walk)
        return verify_fail(w->why, "step %u cuts a segment where there is none", k);
    if (s->op > LEVY_SCRIPT_SPLIT && s->op < LEVY_SCRIPT_WHERE && w->p->n_summed == 0)
        return verify_fail(w->why, "step %u works on a sum that the program has not", k);
    return true;
}

/* inside: the end of the WHERE that the step lies in */
static bool verify_step(verify_walk *w, uint32_t k, uint32_t inside)
{
    const levy_script_step *const s = &w->steps[k];
    const bool ordinary = s->op > LEVY_SCRIPT_LEVEL && s->op < LEVY_SCRIPT_SPLIT;
    if (!ordinary && !verify_operation(w, k, s)) return false;
    const uint32_t n = levy_script_operands(s->op);
    if ((n > 0 && !verify_operand(w, k, s->a)) || (n > 1 && !verify_operand(w, k, s->b)) ||
        (n > 2 && !verify_operand(w, k, s->c)))
        return false;
    if (s->op == LEVY_SCRIPT_WHERE) return true;
    if (s->to >= w->most[0])
        return verify_fail(w->why, "step %u writes register %u of %u", k, s->to, w->most[0]);
    if (w->until[s->to] < inside) w->until[s->to] = inside;
    w->written[s->to] |= w->walk;
    return true;
}

/* Steps from `from` to before `end`. */
static bool verify_steps(verify_walk *w, uint32_t from, uint32_t end)
{
    uint32_t ends[VERIFY_NESTED], n = 0;
    for (uint32_t k = from; k < end; ++k) {
        for (; n > 0 && ends[n - 1] == k; --n) {}
        if (!verify_step(w, k, n > 0 ? ends[n - 1] : verify_ever)) return false;
        if (w->steps[k].op != LEVY_SCRIPT_WHERE) continue;
        const uint32_t last = k + 1 + w->steps[k].b;
        if (last > (n > 0 ? ends[n - 1] : end) || n == VERIFY_NESTED)
            return verify_fail(w->why, "step %u leaves out %u steps, which do not lie in its block",
                               k, w->steps[k].b);
        ends[n++] = last;
    }
    return true;
}

/* ---- A block ---- */

/* Segments run the same steps in turn: none may overwrite a result of the first steps. */
static bool verify_shared(const verify_walk *w)
{
    for (uint32_t r = w->p->n_states; r < w->p->n_registers; ++r)
        if (w->shared[r] && w->written[r])
            return verify_fail(w->why, "segments write over register %u, which they share", r);
    return true;
}

/* Lower-tail steps write per-segment states only. */
static bool verify_low(const verify_walk *w, uint32_t from, uint32_t end)
{
    for (uint32_t k = from; k < end; ++k) {
        const levy_script_step *const s = &w->steps[k];
        if (s->op == LEVY_SCRIPT_WHERE || s->to >= w->p->n_states) continue;
        if (s->to == 0 || !(w->p->own >> (s->to - 1) & 1))
            return verify_fail(w->why, "step %u of the lower tail sets state %u", k, s->to);
    }
    return true;
}

/* Those beside states hold nothing when a block begins. */
static void verify_begin(verify_walk *w)
{
    w->walk = 0;
    memset(w->shared, 0, w->p->n_registers * sizeof *w->shared);
    memset(w->written, 0, w->p->n_registers * sizeof *w->written);
    for (uint32_t r = 0; r < w->p->n_registers; ++r)
        w->until[r] = r < w->p->n_states ? verify_ever : 0;
}

static bool verify_block(verify_walk *w)
{
    const levy_script_block *const b = w->block;
    const uint32_t first = b->first, segments = first + b->n_before, low = first + b->n;
    uint32_t until[LEVY_SCRIPT_REGISTERS];
    verify_begin(w);
    if (!verify_steps(w, first, segments)) return false;
    memcpy(until, w->until, w->p->n_registers * sizeof *until);
    w->walk = w->p->n_segments > 0;
    if (!verify_steps(w, segments, low)) return false;
    if (b->lower_tail == LEVY_SCRIPT_NO_LOWER_TAIL) return verify_shared(w);
    memcpy(w->until, until, w->p->n_registers * sizeof *until);
    w->walk = 2;
    return verify_operand(w, low, b->lower_tail) && verify_steps(w, low, low + b->n_lower_tail) &&
           verify_low(w, low, low + b->n_lower_tail) && verify_shared(w);
}

static bool verify_range(const verify_walk *w)
{
    const levy_script_block *const b = w->block;
    const uint64_t end = (uint64_t)b->first + b->n + b->n_lower_tail;
    return (b->schedule < LEVY_SCRIPT_BLOCKS && b->n_before <= b->n && end <= w->p->n_steps &&
            (b->n_lower_tail == 0 || b->lower_tail != LEVY_SCRIPT_NO_LOWER_TAIL)) ||
           verify_fail(w->why, "a block of %u and %u steps from step %u", b->n, b->n_lower_tail,
                       b->first);
}

/* At most as many SPLITs as a path has room for. */
static bool verify_splits(const verify_walk *w)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < w->block->n; ++k)
        n += w->steps[w->block->first + k].op == LEVY_SCRIPT_SPLIT;
    return n <= w->p->n_splits ||
           verify_fail(w->why, "a block cuts %u times, not %u at most", n, w->p->n_splits);
}

_Bool levy_script_verify(const levy_script_program *program, char why[LEVY_SCRIPT_VERIFY_WHY])
{
    verify_walk w;
    w.p = program;
    w.why = why;
    w.most[0] = program->n_registers;
    w.most[1] = program->n_constants;
    w.most[2] = program->n_terms;
    w.most[3] = program->n_assets * LEVY_SCRIPT_LEVELS;
    if (!verify_sizes(program, why) || !verify_segments(program, why)) return false;
    w.steps = LEVY_SCRIPT_PROGRAM_STEPS(program);
    for (uint32_t k = 0; k < program->n_blocks; ++k) {
        w.block = &LEVY_SCRIPT_PROGRAM_BLOCKS(program)[k];
        if (!verify_range(&w) || !verify_block(&w) || !verify_splits(&w)) return false;
    }
    return true;
}
