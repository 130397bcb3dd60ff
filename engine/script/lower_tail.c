/* lower_tail.c: see lower_tail.h. Folds constants: one walk through the steps, which knows of each
 * register that it is 0, that it is 1, or nothing. It never reads a number of the script, so
 * scripts that differ in numbers alone stay one program (form.c). */
#include "engine/script/lower_tail.h"

#include <string.h>

typedef enum tail_value { TAIL_ANY, TAIL_ZERO, TAIL_ONE } tail_value;

typedef struct tail_walk {
    emitter *e;
    const emit_step *steps; /* [n]: the block's, run on each segment */
    size_t n;
    emit_step *to; /* [n]: those that remain */
    size_t n_to;
    uint32_t zero, one; /* constants */
    tail_value known[LEVY_SCRIPT_REGISTERS];
} tail_walk;

static tail_value tail_of(const tail_walk *w, uint32_t operand)
{
    if (operand == w->zero) return TAIL_ZERO;
    if (operand == w->one) return TAIL_ONE;
    return operand < EMIT_CONSTANT ? w->known[operand] : TAIL_ANY;
}

/* The operand, or its known constant. */
static uint32_t tail_operand(const tail_walk *w, uint32_t operand)
{
    const tail_value known = tail_of(w, operand);
    if (known == TAIL_ZERO) return w->zero;
    return known == TAIL_ONE ? w->one : operand;
}

/* ---- A step ---- */

static uint32_t tail_not(const tail_walk *w, tail_value value)
{
    if (value == TAIL_ANY) return EMIT_NOWHERE;
    return value == TAIL_ZERO ? w->one : w->zero;
}

/* The other operand, if one of the two is `known`; else EMIT_NOWHERE. */
static uint32_t tail_other(const tail_walk *w, const emit_step *s, tail_value known)
{
    if (tail_of(w, s->a) == known) return s->b;
    return tail_of(w, s->b) == known ? s->a : EMIT_NOWHERE;
}

/* The operand that equals the step's value; EMIT_NOWHERE: the step must run. */
static uint32_t tail_folded(const tail_walk *w, const emit_step *s)
{
    const tail_value a = tail_of(w, s->a), b = tail_of(w, s->b);
    switch ((int)s->op) {
    case LEVY_SCRIPT_SPLIT:
        return w->zero;
    case LEVY_SCRIPT_MOVE:
        return s->a;
    case LEVY_SCRIPT_NOT:
        return tail_not(w, a);
    case LEVY_SCRIPT_SELECT:
        if (a == TAIL_ZERO) return s->c;
        return a == TAIL_ONE ? s->b : EMIT_NOWHERE;
    case LEVY_SCRIPT_AND:
    case LEVY_SCRIPT_MULTIPLY:
        return a == TAIL_ZERO || b == TAIL_ZERO ? w->zero : tail_other(w, s, TAIL_ONE);
    case LEVY_SCRIPT_OR:
        return a == TAIL_ONE || b == TAIL_ONE ? w->one : tail_other(w, s, TAIL_ZERO);
    case LEVY_SCRIPT_ADD:
        return tail_other(w, s, TAIL_ZERO);
    case LEVY_SCRIPT_SUBTRACT:
        return b == TAIL_ZERO ? s->a : EMIT_NOWHERE;
    default:
        return EMIT_NOWHERE;
    }
}

static void tail_put(tail_walk *w, const emit_step *step)
{
    emit_step own = *step;
    uint32_t *const operands[] = {&own.a, &own.b, &own.c};
    for (uint32_t k = 0; k < levy_script_operands(own.op); ++k)
        *operands[k] = tail_operand(w, *operands[k]);
    w->to[w->n_to++] = own;
}

static void tail_step(tail_walk *w, const emit_step *step)
{
    const uint32_t folded = tail_folded(w, step);
    const emit_step move = {LEVY_SCRIPT_MOVE, step->to, folded, 0, 0, step->at};
    const tail_value value = folded == EMIT_NOWHERE ? TAIL_ANY : tail_of(w, folded);
    const bool same = folded == step->to || (value != TAIL_ANY && w->known[step->to] == value);
    if (!same && folded != EMIT_NOWHERE)
        tail_put(w, &move);
    else if (!same)
        tail_put(w, step);
    if (folded != step->to) w->known[step->to] = value;
}

/* Steps [from, end). A register that a WHERE may write is unknown behind it. */
static void tail_steps(tail_walk *w, size_t from, size_t end)
{
    for (size_t k = from; k < end; ++k) {
        const emit_step *const s = &w->steps[k];
        if (s->op != LEVY_SCRIPT_WHERE) {
            tail_step(w, s);
            continue;
        }
        const tail_value when = tail_of(w, s->a);
        if (when == TAIL_ZERO) k += s->b;
        if (when != TAIL_ANY) continue;
        const size_t at = w->n_to;
        tail_put(w, s);
        tail_steps(w, k + 1, k + 1 + s->b);
        w->to[at].b = (uint32_t)(w->n_to - at - 1);
        for (size_t i = k + 1; i <= k + s->b; ++i)
            if (w->steps[i].op != LEVY_SCRIPT_WHERE) w->known[w->steps[i].to] = TAIL_ANY;
        k += s->b;
    }
}

/* ---- What is left ---- */

/* Removes steps whose result no step reads. */
static void tail_drop_idle(tail_walk *w)
{
    bool read[LEVY_SCRIPT_REGISTERS] = {false};
    for (size_t k = w->n_to; k-- > 0;) {
        emit_step *const s = &w->to[k];
        const bool where = s->op == LEVY_SCRIPT_WHERE;
        const uint32_t operands[] = {s->a, s->b, s->c};
        if (where ? s->b == 0 : s->to >= w->e->n_states && !read[s->to]) {
            for (size_t i = 0; i < k; ++i)
                if (w->to[i].op == LEVY_SCRIPT_WHERE && i + w->to[i].b >= k) --w->to[i].b;
            memmove(s, s + 1, (w->n_to - k - 1) * sizeof *s);
            --w->n_to;
            continue;
        }
        for (uint32_t i = 0; i < levy_script_operands(s->op); ++i)
            if (operands[i] < EMIT_CONSTANT) read[operands[i]] = true;
    }
}

/* Whether the steps write per-segment states only. */
static bool tail_is_own(const tail_walk *w)
{
    for (size_t k = 0; k < w->n_to; ++k) {
        const emit_step *const s = &w->to[k];
        if (s->op == LEVY_SCRIPT_WHERE) continue;
        if (s->op >= LEVY_SCRIPT_SPLIT) return false; /* it changes the path's sum */
        if (s->to < w->e->n_states && !(w->e->own >> s->to & 1)) return false;
    }
    return true;
}

/* ---- The least normal ---- */

/* Whether the normal is the same on all segments. */
static bool tail_is_shared(const tail_walk *w, uint32_t normal)
{
    if (normal >= EMIT_CONSTANT) return true;
    if (normal < w->e->first_shared) return false;
    for (size_t k = 0; k < w->n; ++k)
        if (w->steps[k].op != LEVY_SCRIPT_WHERE && w->steps[k].to == normal) return false;
    return true;
}

/* Inserts a step behind the first n_before. */
static bool tail_insert(emitter *e, size_t n_before, emit_step step)
{
    (void)levy_emit_add(e, LEVY_SCRIPT_MOVE, step.to, step.a, 0, 0);
    if (e->fault->out_of_memory) return false;
    emit_step *const at = e->steps + e->first + n_before;
    memmove(at + 1, at, (e->n_steps - e->first - n_before - 1) * sizeof *at);
    *at = step;
    return true;
}

/* Whether the normals of all the block's conditions are the same on all segments. */
static bool tail_is_all_shared(const tail_walk *w)
{
    for (size_t k = 0; k < w->n; ++k)
        if (w->steps[k].op == LEVY_SCRIPT_SPLIT && !tail_is_shared(w, w->steps[k].a)) return false;
    return true;
}

/* The operand that holds the least normal of the block's conditions; EMIT_NOWHERE: there is none.
 * Whether there is one is decided before any step is inserted. */
static uint32_t tail_normal(tail_walk *w, size_t *n_before)
{
    emitter *const e = w->e;
    const uint32_t own = e->n_registers > e->n_states ? e->n_registers : e->n_states;
    uint32_t least = EMIT_NOWHERE;
    if (own == LEVY_SCRIPT_REGISTERS || !tail_is_all_shared(w)) return EMIT_NOWHERE;
    for (size_t k = 0; k < w->n; ++k) {
        const emit_step s = w->steps[k];
        if (s.op != LEVY_SCRIPT_SPLIT || s.a == least) continue;
        if (least == EMIT_NOWHERE) {
            least = s.a;
            continue;
        }
        const emit_step step = {LEVY_SCRIPT_LEAST, own, least, s.a, 0, s.at};
        if (!tail_insert(e, (*n_before)++, step)) return EMIT_NOWHERE;
        w->steps = e->steps + e->first + *n_before;
        e->n_registers = own + 1;
        least = own;
    }
    return least;
}

static bool tail_begin(tail_walk *w, emitter *e, size_t n_before)
{
    *w = (tail_walk){.e = e,
                     .steps = e->steps + e->first + n_before,
                     .n = e->n_steps - e->first - n_before,
                     .zero = levy_emit_new_constant(e, 0.0),
                     .one = levy_emit_new_constant(e, 1.0)};
    w->to = levy_arena_allocate(e->arena, w->n + 1, sizeof *w->to);
    if (!w->to) e->fault->out_of_memory = true;
    for (uint32_t k = e->emptied; k < e->first_shared; ++k) w->known[k] = TAIL_ZERO;
    if (e->alive) w->known[e->alive] = TAIL_ONE;
    return !e->fault->out_of_memory;
}

bool levy_lower_tail_add(emitter *e, size_t n_before, levy_script_block *block)
{
    tail_walk w;
    uint32_t normal = EMIT_NOWHERE;
    if (!tail_begin(&w, e, n_before)) return false;
    tail_steps(&w, 0, w.n);
    tail_drop_idle(&w);
    if (tail_is_own(&w) && e->n_steps + w.n + w.n_to <= LEVY_SCRIPT_STEPS)
        normal = tail_normal(&w, &n_before);
    block->first = (uint32_t)e->first;
    block->n = (uint32_t)(e->n_steps - e->first);
    block->n_before = (uint32_t)n_before;
    block->lower_tail = normal;
    block->n_lower_tail = 0;
    for (size_t k = 0; normal != EMIT_NOWHERE && k < w.n_to; ++k, ++block->n_lower_tail) {
        const emit_step s = w.to[k];
        levy_emit_add(e, (levy_script_op)s.op, s.to, s.a, s.b, s.c);
    }
    return !e->fault->out_of_memory;
}
