/* low.c: see low.h. Walks through the steps with what is known of each register: 0, 1 or nothing.
 * Numbers of the script are not looked at (form.c). */
#include "engine/script/low.h"

#include <string.h>

typedef enum low_value { LOW_ANY, LOW_ZERO, LOW_ONE } low_value;

typedef struct low_walk {
    emitter *e;
    const emit_step *steps; /* [n]: of segments */
    size_t n;
    emit_step *to; /* [n]: what is left of them */
    size_t n_to;
    uint32_t zero, one; /* constants */
    low_value known[LEVY_SCRIPT_REGISTERS];
} low_walk;

static low_value low_of(const low_walk *w, uint32_t operand)
{
    if (operand == w->zero) return LOW_ZERO;
    if (operand == w->one) return LOW_ONE;
    return operand < EMIT_CONSTANT ? w->known[operand] : LOW_ANY;
}

/* The operand, or the constant that it is known to be. */
static uint32_t low_operand(const low_walk *w, uint32_t operand)
{
    const low_value known = low_of(w, operand);
    if (known == LOW_ZERO) return w->zero;
    return known == LOW_ONE ? w->one : operand;
}

/* ---- A step ---- */

static uint32_t low_not(const low_walk *w, low_value value)
{
    if (value == LOW_ANY) return EMIT_NOWHERE;
    return value == LOW_ZERO ? w->one : w->zero;
}

/* The other operand of a step of two, where one is `known`. */
static uint32_t low_other(const low_walk *w, const emit_step *s, low_value known)
{
    if (low_of(w, s->a) == known) return s->b;
    return low_of(w, s->b) == known ? s->a : EMIT_NOWHERE;
}

/* The operand that a step's value is; EMIT_NOWHERE: it takes the step. */
static uint32_t low_folded(const low_walk *w, const emit_step *s)
{
    const low_value a = low_of(w, s->a), b = low_of(w, s->b);
    switch ((int)s->op) {
    case LEVY_SCRIPT_SPLIT:
        return w->zero;
    case LEVY_SCRIPT_MOVE:
        return s->a;
    case LEVY_SCRIPT_NOT:
        return low_not(w, a);
    case LEVY_SCRIPT_SELECT:
        if (a == LOW_ZERO) return s->c;
        return a == LOW_ONE ? s->b : EMIT_NOWHERE;
    case LEVY_SCRIPT_AND:
    case LEVY_SCRIPT_MULTIPLY:
        return a == LOW_ZERO || b == LOW_ZERO ? w->zero : low_other(w, s, LOW_ONE);
    case LEVY_SCRIPT_OR:
        return a == LOW_ONE || b == LOW_ONE ? w->one : low_other(w, s, LOW_ZERO);
    case LEVY_SCRIPT_ADD:
        return low_other(w, s, LOW_ZERO);
    case LEVY_SCRIPT_SUBTRACT:
        return b == LOW_ZERO ? s->a : EMIT_NOWHERE;
    default:
        return EMIT_NOWHERE;
    }
}

static void low_put(low_walk *w, const emit_step *step)
{
    emit_step own = *step;
    uint32_t *const operands[] = {&own.a, &own.b, &own.c};
    for (uint32_t k = 0; k < levy_script_operands(own.op); ++k)
        *operands[k] = low_operand(w, *operands[k]);
    w->to[w->n_to++] = own;
}

static void low_step(low_walk *w, const emit_step *step)
{
    const uint32_t folded = low_folded(w, step);
    const emit_step move = {LEVY_SCRIPT_MOVE, step->to, folded, 0, 0, step->at};
    const low_value value = folded == EMIT_NOWHERE ? LOW_ANY : low_of(w, folded);
    const bool same = folded == step->to || (value != LOW_ANY && w->known[step->to] == value);
    if (!same && folded != EMIT_NOWHERE)
        low_put(w, &move);
    else if (!same)
        low_put(w, step);
    if (folded != step->to) w->known[step->to] = value;
}

/* Steps from `from` to before `end`. What a WHERE may set is not known behind it. */
static void low_steps(low_walk *w, size_t from, size_t end)
{
    for (size_t k = from; k < end; ++k) {
        const emit_step *const s = &w->steps[k];
        if (s->op != LEVY_SCRIPT_WHERE) {
            low_step(w, s);
            continue;
        }
        const low_value when = low_of(w, s->a);
        if (when == LOW_ZERO) k += s->b;
        if (when != LOW_ANY) continue;
        const size_t at = w->n_to;
        low_put(w, s);
        low_steps(w, k + 1, k + 1 + s->b);
        w->to[at].b = (uint32_t)(w->n_to - at - 1);
        for (size_t i = k + 1; i <= k + s->b; ++i)
            if (w->steps[i].op != LEVY_SCRIPT_WHERE) w->known[w->steps[i].to] = LOW_ANY;
        k += s->b;
    }
}

/* ---- What is left ---- */

/* Leaves out what nothing reads. */
static void low_drop_idle(low_walk *w)
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

/* Whether the steps set states of the segment alone. */
static bool low_is_own(const low_walk *w)
{
    for (size_t k = 0; k < w->n_to; ++k) {
        const emit_step *const s = &w->to[k];
        if (s->op == LEVY_SCRIPT_WHERE) continue;
        if (s->op >= LEVY_SCRIPT_SPLIT) return false; /* it works on the path's sum */
        if (s->to < w->e->n_states && !(w->e->own >> s->to & 1)) return false;
    }
    return true;
}

/* ---- The least normal ---- */

/* Whether the normal is the same on all segments. */
static bool low_is_shared(const low_walk *w, uint32_t normal)
{
    if (normal >= EMIT_CONSTANT) return true;
    if (normal < w->e->first_shared) return false;
    for (size_t k = 0; k < w->n; ++k)
        if (w->steps[k].op != LEVY_SCRIPT_WHERE && w->steps[k].to == normal) return false;
    return true;
}

/* Puts a step at the end of the first n_before. */
static bool low_insert(emitter *e, size_t n_before, emit_step step)
{
    (void)levy_emit_add(e, LEVY_SCRIPT_MOVE, step.to, step.a, 0, 0);
    if (e->fault->out_of_memory) return false;
    emit_step *const at = e->steps + e->first + n_before;
    memmove(at + 1, at, (e->n_steps - e->first - n_before - 1) * sizeof *at);
    *at = step;
    return true;
}

/* Whether all conditions of the block have normals that are the same on all segments. */
static bool low_is_all_shared(const low_walk *w)
{
    for (size_t k = 0; k < w->n; ++k)
        if (w->steps[k].op == LEVY_SCRIPT_SPLIT && !low_is_shared(w, w->steps[k].a)) return false;
    return true;
}

/* The operand that has the least normal of the block's conditions; EMIT_NOWHERE: there is none. It
 * is known to exist before a step is inserted, so no step is left behind without its register. */
static uint32_t low_normal(low_walk *w, size_t *n_before)
{
    emitter *const e = w->e;
    const uint32_t own = e->n_registers > e->n_states ? e->n_registers : e->n_states;
    uint32_t least = EMIT_NOWHERE;
    if (own == LEVY_SCRIPT_REGISTERS || !low_is_all_shared(w)) return EMIT_NOWHERE;
    for (size_t k = 0; k < w->n; ++k) {
        const emit_step s = w->steps[k];
        if (s.op != LEVY_SCRIPT_SPLIT || s.a == least) continue;
        if (least == EMIT_NOWHERE) {
            least = s.a;
            continue;
        }
        const emit_step step = {LEVY_SCRIPT_LEAST, own, least, s.a, 0, s.at};
        if (!low_insert(e, (*n_before)++, step)) return EMIT_NOWHERE;
        w->steps = e->steps + e->first + *n_before;
        e->n_registers = own + 1;
        least = own;
    }
    return least;
}

static bool low_begin(low_walk *w, emitter *e, size_t n_before)
{
    *w = (low_walk){.e = e,
                    .steps = e->steps + e->first + n_before,
                    .n = e->n_steps - e->first - n_before,
                    .zero = levy_emit_new_constant(e, 0.0),
                    .one = levy_emit_new_constant(e, 1.0)};
    w->to = levy_arena_allocate(e->arena, w->n + 1, sizeof *w->to);
    if (!w->to) e->fault->out_of_memory = true;
    for (uint32_t k = e->emptied; k < e->first_shared; ++k) w->known[k] = LOW_ZERO;
    if (e->alive) w->known[e->alive] = LOW_ONE;
    return !e->fault->out_of_memory;
}

bool levy_low_add(emitter *e, size_t n_before, levy_script_block *block)
{
    low_walk w;
    uint32_t normal = EMIT_NOWHERE;
    if (!low_begin(&w, e, n_before)) return false;
    low_steps(&w, 0, w.n);
    low_drop_idle(&w);
    if (low_is_own(&w) && e->n_steps + w.n + w.n_to <= LEVY_SCRIPT_STEPS)
        normal = low_normal(&w, &n_before);
    block->first = (uint32_t)e->first;
    block->n = (uint32_t)(e->n_steps - e->first);
    block->n_before = (uint32_t)n_before;
    block->low = normal;
    block->n_low = 0;
    for (size_t k = 0; normal != EMIT_NOWHERE && k < w.n_to; ++k, ++block->n_low) {
        const emit_step s = w.to[k];
        levy_emit_add(e, (levy_script_op)s.op, s.to, s.a, s.b, s.c);
    }
    return !e->fault->out_of_memory;
}
