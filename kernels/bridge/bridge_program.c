/* bridge_program.c: see bridge_program.h. Nothing recurses: an order may be as deep as it is long.
 */
#include "kernels/bridge/bridge_program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Points are numbered from 1. Child 0: there is none. Right neighbour PROGRAM_NONE: no point to the
 * right has been built. */
#define PROGRAM_NONE UINT32_MAX

typedef struct program_node {
    uint32_t before, after; /* children: the point built next in the gap on each side */
    uint32_t left, right;   /* neighbours it is built from */
    /* the most points kept at once while its gap is filled; [2 * left end needed outside the gap +
     * right end needed outside it] */
    uint8_t most[4];
} program_node;

/* `needed` is an index of `most`. */
typedef struct program_gap {
    uint32_t node;
    uint8_t needed;
} program_gap;

typedef struct program_builder {
    levy_bridge_program *program;
    const double *times;
    const uint32_t *order;
    program_node *nodes; /* [n + 1] */
    uint32_t *rank, *build_order, *last_read, *slot;
    program_gap *gaps;
    uint64_t *sources; /* [n]: instructions without slots */
} program_builder;

/* ---- Checks ---------------------------------------------------------------------------------- */

static levy_status program_check_times(uint32_t n, const double *times, char *why)
{
    for (uint32_t i = 0; i <= n; ++i)
        if (!isfinite(times[i]))
            return snprintf(why, LEVY_BRIDGE_WHY, "times[%u] is not a finite number", (unsigned)i),
                   LEVY_ARGUMENT;
    for (uint32_t i = 0; i < n; ++i)
        if (!(times[i] < times[i + 1])) {
            snprintf(why, LEVY_BRIDGE_WHY, "times must ascend, and times[%u] is %s times[%u]",
                     (unsigned)i + 1, times[i] == times[i + 1] ? "equal to" : "before",
                     (unsigned)i);
            return LEVY_ARGUMENT;
        }
    if (!isfinite(times[n] - times[0]))
        return snprintf(why, LEVY_BRIDGE_WHY, "the times span more than a double can hold"),
               LEVY_ARGUMENT;
    return LEVY_OK;
}

static levy_status program_check_order(program_builder *b, char *why)
{
    const uint32_t n = b->program->n_steps;
    for (uint32_t i = 0; i <= n; ++i) b->rank[i] = PROGRAM_NONE;
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t node = b->order[i];
        if (node < 1 || node > n) {
            snprintf(why, LEVY_BRIDGE_WHY, "order[%u] is %u, and points are numbered from 1 to %u",
                     (unsigned)i, (unsigned)node, (unsigned)n);
            return LEVY_ARGUMENT;
        }
        if (b->rank[node] != PROGRAM_NONE) {
            snprintf(
                why, LEVY_BRIDGE_WHY,
                "order[%u] is point %u again, which order[%u] is: an order holds every point once",
                (unsigned)i, (unsigned)node, (unsigned)b->rank[node]);
            return LEVY_ARGUMENT;
        }
        b->rank[node] = i;
    }
    return LEVY_OK;
}

/* ---- The tree, and the build order that keeps the fewest points ------------------------------ */

/* Finds children and neighbours of every point: the heap of `rank` over time, in one pass with a
 * stack of the points that are still open to the right. Returns the root. */
static uint32_t program_tree(program_builder *b)
{
    const uint32_t n = b->program->n_steps;
    uint32_t *const stack = b->build_order, depth = 0;
    for (uint32_t node = 1; node <= n; ++node) {
        uint32_t last = 0;
        while (depth > 0 && b->rank[stack[depth - 1]] > b->rank[node]) {
            last = stack[--depth];
            b->nodes[last].right = node;
        }
        b->nodes[node] = (program_node){
            .before = last, .left = depth > 0 ? stack[depth - 1] : 0, .right = PROGRAM_NONE};
        if (depth > 0) b->nodes[stack[depth - 1]].after = node;
        stack[depth++] = node;
    }
    return stack[0];
}

static uint8_t program_most(const program_builder *b, uint32_t node, bool left_needed,
                            bool right_needed)
{
    return node ? b->nodes[node].most[2 * left_needed + right_needed] : 0;
}

static uint8_t program_larger(unsigned a, unsigned b) { return (uint8_t)(a > b ? a : b); }

/* Peak number of points kept while the gaps before and after a point are filled; which gap comes
 * first is the argument. */
static uint8_t program_filled(const program_builder *b, const program_node *v, bool left_needed,
                              bool right_needed, bool before_first)
{
    const bool right = v->right != PROGRAM_NONE;
    if (!v->before && !v->after) return 0;
    if (!v->after)
        return (uint8_t)(program_most(b, v->before, left_needed, false) + (right && right_needed));
    if (!v->before) return (uint8_t)(program_most(b, v->after, false, right_needed) + left_needed);
    if (before_first)
        return program_larger(program_most(b, v->before, left_needed, true) + (unsigned)right,
                              program_most(b, v->after, false, right_needed) +
                                  (unsigned)left_needed);
    return program_larger(program_most(b, v->after, true, right_needed) + 1u,
                          program_most(b, v->before, left_needed, false) +
                              (unsigned)(right && right_needed));
}

static bool program_before_first(const program_builder *b, const program_node *v, bool left_needed,
                                 bool right_needed)
{
    return program_filled(b, v, left_needed, right_needed, true) <=
           program_filled(b, v, left_needed, right_needed, false);
}

/* Backwards, because children come later in the order than their parents. */
static void program_count(program_builder *b)
{
    for (uint32_t i = b->program->n_steps; i-- > 0;) {
        program_node *const v = &b->nodes[b->order[i]];
        const bool right = v->right != PROGRAM_NONE;
        for (unsigned needed = 0; needed < 4; ++needed) {
            const bool l = needed >> 1, r = needed & 1;
            const unsigned built =
                (l || v->before) + (unsigned)(right && (r || v->after)) + (v->before || v->after);
            const bool first = program_before_first(b, v, l, r);
            v->most[needed] = program_larger(program_larger(1u + right, built),
                                             program_filled(b, v, l, r, first));
        }
    }
}

static void program_build_order(program_builder *b, uint32_t root)
{
    uint32_t depth = 0, n = 0;
    b->gaps[depth++] = (program_gap){root, 0};
    while (depth > 0) {
        const program_gap gap = b->gaps[--depth];
        const program_node *const v = &b->nodes[gap.node];
        const bool l = gap.needed >> 1, r = gap.needed & 1,
                   first = program_before_first(b, v, l, r);
        const program_gap before = {v->before, (uint8_t)(2 * l + (first && v->after))};
        const program_gap after = {v->after, (uint8_t)(2 * (!first && v->before) + r)};
        b->build_order[n++] = gap.node;
        const program_gap later = first ? after : before;
        const program_gap sooner = first ? before : after;
        if (later.node) b->gaps[depth++] = later;
        if (sooner.node) b->gaps[depth++] = sooner;
    }
}

/* ---- Instructions ---------------------------------------------------------------------------- */

typedef struct program_registers {
    uint32_t left, right, centre;
} program_registers; /* points */

static uint32_t program_source(const program_registers *held, bool registers, uint32_t point)
{
    if (!registers) return BRIDGE_SLOT;
    return point == held->centre  ? BRIDGE_CENTRE
           : point == held->left  ? BRIDGE_LEFT
           : point == held->right ? BRIDGE_RIGHT
                                  : BRIDGE_SLOT;
}

/* Where neighbours come from, and when a point is read from its slot for the last time. */
static void program_sources(program_builder *b, bool registers)
{
    const uint32_t n = b->program->n_steps;
    program_registers held = {0, 0, 0};
    for (uint32_t p = 0; p <= n; ++p) b->last_read[p] = PROGRAM_NONE;
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t node = b->build_order[i], left = b->nodes[node].left;
        const bool alone = b->nodes[node].right == PROGRAM_NONE;
        const uint32_t right = alone ? left : b->nodes[node].right;
        const uint32_t left_from = program_source(&held, registers, left),
                       right_from = program_source(&held, registers, right);
        if (left_from == BRIDGE_SLOT) b->last_read[left] = i;
        if (right_from == BRIDGE_SLOT) b->last_read[right] = i;
        held = (program_registers){left, right, node};
        b->sources[i] = BRIDGE_PACK(b->rank[node], node - 1, 0, 0, 0, left_from, right_from, alone,
                                    left + 1 == node, right == node + 1);
    }
}

static uint32_t program_take(uint32_t *taken, uint32_t *slots)
{
    uint32_t slot = 0;
    while (*taken >> slot & 1u) ++slot;
    *taken |= 1u << slot;
    if (slot + 1 > *slots) *slots = slot + 1;
    return slot;
}

/* A slot is free again once its point has been read for the last time, and may take the point just
 * built. */
static void program_slots(program_builder *b)
{
    levy_bridge_program *const p = b->program;
    uint32_t taken = 0;
    b->slot[0] = b->last_read[0] != PROGRAM_NONE ? program_take(&taken, &p->slots) : BRIDGE_NOWHERE;
    p->start_slot = b->slot[0];
    for (uint32_t i = 0; i < p->n_steps; ++i) {
        const uint32_t node = b->build_order[i], left = b->nodes[node].left;
        const uint32_t right = BRIDGE_ALONE(b->sources[i]) ? left : b->nodes[node].right;
        const bool left_read = BRIDGE_LEFT_FROM(b->sources[i]) == BRIDGE_SLOT,
                   right_read = BRIDGE_RIGHT_FROM(b->sources[i]) == BRIDGE_SLOT;
        const uint64_t slots = (uint64_t)(left_read ? b->slot[left] : 0) << 40 |
                               (uint64_t)(right_read ? b->slot[right] : 0) << 45;
        if (left_read && b->last_read[left] == i) taken &= ~(1u << b->slot[left]);
        if (right_read && b->last_read[right] == i) taken &= ~(1u << b->slot[right]);
        b->slot[node] =
            b->last_read[node] != PROGRAM_NONE ? program_take(&taken, &p->slots) : BRIDGE_NOWHERE;
        p->instructions[i] = b->sources[i] | slots | (uint64_t)b->slot[node] << 50;
    }
}

/* The quotient comes first, because the product of two small spans may underflow. */
static void program_weights(program_builder *b, double (*square_root)(double))
{
    levy_bridge_program *const p = b->program;
    for (uint32_t i = 0; i < p->n_steps; ++i) {
        const program_node *const v = &b->nodes[b->build_order[i]];
        const double l = b->times[v->left], m = b->times[b->build_order[i]];
        double *const w = p->weights + 3 * (size_t)i;
        if (v->right == PROGRAM_NONE) {
            w[0] = 1.0;
            w[1] = 0.0;
            w[2] = square_root(m - l);
        } else {
            const double r = b->times[v->right];
            w[0] = (r - m) / (r - l);
            w[1] = (m - l) / (r - l);
            w[2] = square_root(w[0] * (m - l));
        }
    }
    for (uint32_t i = 0; i < p->n_steps; ++i) p->inverse[i] = 1.0 / (b->times[i + 1] - b->times[i]);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void program_release_work(program_builder *b, const levy_memory *memory)
{
    levy_memory_release(memory, b->nodes);
    levy_memory_release(memory, b->rank);
    levy_memory_release(memory, b->gaps);
    levy_memory_release(memory, b->sources);
}

static bool program_allocate(program_builder *b, const levy_memory *memory)
{
    levy_bridge_program *const p = b->program;
    const size_t n = (size_t)p->n_steps + 1;
    p->instructions = levy_memory_allocate(memory, n, sizeof *p->instructions);
    p->weights = levy_memory_allocate(memory, n, 3 * sizeof *p->weights);
    p->inverse = levy_memory_allocate(memory, n, sizeof *p->inverse);
    b->nodes = levy_memory_allocate(memory, n, sizeof *b->nodes);
    b->rank = levy_memory_allocate(memory, n, 4 * sizeof *b->rank);
    b->gaps = levy_memory_allocate(memory, n, sizeof *b->gaps);
    b->sources = levy_memory_allocate(memory, n, sizeof *b->sources);
    if (!b->rank) return false;
    b->build_order = b->rank + n;
    b->last_read = b->build_order + n;
    b->slot = b->last_read + n;
    return p->instructions && p->weights && p->inverse && b->nodes && b->gaps && b->sources;
}

levy_status levy_bridge_program_create(const levy_memory *memory, uint32_t n_steps,
                                       const double *times, const uint32_t *order, bool registers,
                                       double (*square_root)(double), levy_bridge_program *program,
                                       char *why)
{
    program_builder b = {.program = program, .times = times, .order = order};
    *program = (levy_bridge_program){.memory = memory, .n_steps = n_steps};
    if (n_steps < 1 || n_steps > LEVY_BRIDGE_MAX_STEPS) {
        snprintf(why, LEVY_BRIDGE_WHY, "a bridge has 1 to %d steps, not %u", LEVY_BRIDGE_MAX_STEPS,
                 (unsigned)n_steps);
        return LEVY_ARGUMENT;
    }
    LEVY_TRY(program_check_times(n_steps, times, why));
    levy_status status = program_allocate(&b, memory) ? LEVY_OK : LEVY_MEMORY;
    if (status == LEVY_MEMORY)
        snprintf(why, LEVY_BRIDGE_WHY, "no memory for a bridge of %u steps", (unsigned)n_steps);
    if (status == LEVY_OK) status = program_check_order(&b, why);
    if (status == LEVY_OK) {
        const uint32_t root = program_tree(&b);
        program_count(&b);
        program_build_order(&b, root);
        program_sources(&b, registers);
        program_slots(&b);
        program_weights(&b, square_root);
    }
    program_release_work(&b, memory);
    return status;
}

void levy_bridge_program_release(levy_bridge_program *program)
{
    if (!program->memory) return;
    levy_memory_release(program->memory, program->instructions);
    levy_memory_release(program->memory, program->weights);
    levy_memory_release(program->memory, program->inverse);
    *program = (levy_bridge_program){0};
}

/* ---- Orders ---------------------------------------------------------------------------------- */

/* This bit of order[p - 1] says that point p is in the list, which the other bits hold. */
#define PROGRAM_STANDS 0x80000000u

/* Adds the midpoints of all gaps, in the order of time. Returns how many there are. */
static uint32_t program_halve(uint32_t n, uint32_t *order, uint32_t built)
{
    uint32_t left = 0, found = 0;
    for (uint32_t p = 1; p <= n; ++p) {
        if (!(order[p - 1] & PROGRAM_STANDS)) continue;
        if (p - left > 1) {
            uint32_t *const entry = &order[built + found++];
            *entry = (*entry & PROGRAM_STANDS) | (left + (p - left) / 2);
        }
        left = p;
    }
    for (uint32_t i = 0; i < found; ++i)
        order[(order[built + i] & ~PROGRAM_STANDS) - 1] |= PROGRAM_STANDS;
    return found;
}

bool levy_bridge_first(uint32_t n, const uint32_t *first, uint32_t n_first, uint32_t *order)
{
    uint32_t built = 0;
    memset(order, 0, n * sizeof *order);
    for (uint32_t i = 0; i < n_first; ++i) {
        if (first[i] < 1 || first[i] > n || (order[first[i] - 1] & PROGRAM_STANDS)) return false;
        order[built++] |= first[i];
        order[first[i] - 1] |= PROGRAM_STANDS;
    }
    if (n > 0 && !(order[n - 1] & PROGRAM_STANDS)) {
        order[built++] |= n;
        order[n - 1] |= PROGRAM_STANDS;
    }
    while (built < n) built += program_halve(n, order, built);
    for (uint32_t i = 0; i < n; ++i) order[i] &= ~PROGRAM_STANDS;
    return true;
}
