/* strategy.c: see strategy.h. Indices are nodes, 0 being the start of the driver. Depth of
 * recursion: log2 N. */
#include "kernels/bridge/strategy.h"

typedef struct strategy_builder {
    levy_strategy *s;
    const double *clock; /* clock[node - 1] */
    double (*square_root)(double);
    uint32_t n_entries, n_emitted, pending, depth;
} strategy_builder;

static double strategy_time(const strategy_builder *b, uint32_t node)
{
    return node == 0 ? 0.0 : b->clock[node - 1];
}

static void strategy_push(strategy_builder *b, uint32_t left, uint32_t node, uint32_t right,
                          uint32_t level)
{
    levy_strategy_entry *const e = &b->s->entries[b->n_entries++];
    const double l = strategy_time(b, left), m = strategy_time(b, node);
    e->node = node;
    e->level = level;
    /* no node to its right has been built: it depends only on its left neighbour */
    if (right == node) {
        e->left = left ? 1.0 : 0.0;
        e->right = 0.0;
        e->deviation = b->square_root(m - l);
    } else {
        const double r = strategy_time(b, right);
        e->left = (r - m) / (r - l);
        e->right = (m - l) / (r - l);
        e->deviation = b->square_root((r - m) * (m - l) / (r - l));
    }
    ++b->pending;
    if (++b->depth > b->s->stack) b->s->stack = b->depth;
}

static void strategy_emit(strategy_builder *b, uint32_t node)
{
    b->s->descents[node - 1] = b->pending;
    b->pending = 0;
    --b->depth;
}

/* Adds the nodes strictly between left and right, in build order. `slot` and `step`: the place in a
 * run of 8 (0: none). */
static void strategy_inner(strategy_builder *b, uint32_t left, uint32_t right, uint32_t level,
                           uint32_t slot, uint32_t step)
{
    if (right - left < 2) return;
    const uint32_t node = left + (right - left) / 2;
    strategy_push(b, left, node, right, level);
    b->s->runs[b->s->n_runs].present |= 1u << (slot - 1);
    strategy_inner(b, left, node, level + 1, slot - step, step / 2);
    strategy_emit(b, node);
    strategy_inner(b, node, right, level + 1, slot + step, step / 2);
}

/* Adds everything in (left, right]; right itself is on the stack already. */
static void strategy_span(strategy_builder *b, uint32_t left, uint32_t right, uint32_t level,
                          uint32_t *pushes)
{
    if (right - left > 8) {
        const uint32_t node = left + (right - left) / 2;
        strategy_push(b, left, node, right, level);
        ++*pushes;
        strategy_span(b, left, node, level + 1, pushes);
        strategy_span(b, node, right, level + 1, pushes);
        return;
    }
    levy_strategy_run *const run = &b->s->runs[b->s->n_runs];
    run->pushes = *pushes;
    run->present = 1u << 7;
    run->first_node = left;
    run->first_entry = b->n_entries - *pushes;
    *pushes = 0;
    strategy_inner(b, left, right, level, 4, 2);
    strategy_emit(b, right);
    b->s->full = b->s->full && run->present == 0xffu;
    ++b->s->n_runs;
}

void levy_strategy_bridge(uint32_t n_nodes, const double *clock, double (*square_root)(double),
                          levy_strategy *s)
{
    strategy_builder b = {.s = s, .clock = clock, .square_root = square_root};
    uint32_t pushes = 1;
    s->n_nodes = n_nodes;
    s->n_runs = s->stack = 0;
    s->full = true;
    strategy_push(&b, 0, n_nodes, n_nodes, 0);
    strategy_span(&b, 0, n_nodes, 1, &pushes);
}

/* Children of each node in the heap of `rank` over time, from 1; 0: none. Returns the root. */
static uint32_t strategy_heap(uint32_t n, const uint32_t *rank, uint32_t *left, uint32_t *right,
                              uint32_t *stack)
{
    uint32_t depth = 0;
    for (uint32_t node = 1; node <= n; ++node) {
        uint32_t last = 0;
        while (depth > 0 && rank[stack[depth - 1] - 1] > rank[node - 1]) last = stack[--depth];
        left[node - 1] = last;
        right[node - 1] = 0;
        if (depth > 0) right[stack[depth - 1] - 1] = node;
        stack[depth++] = node;
    }
    return stack[0];
}

void levy_strategy_ordered(uint32_t n_nodes, const double *clock, const uint32_t *rank,
                           double (*square_root)(double), uint32_t *work, levy_strategy *s)
{
    strategy_builder b = {.s = s, .clock = clock, .square_root = square_root};
    uint32_t *const left = work, *const right = work + n_nodes,
                    *const stack = work + 2 * (uint64_t)n_nodes;
    uint32_t node = strategy_heap(n_nodes, rank, left, right, stack), depth = 0, emitted = 0;
    s->n_nodes = n_nodes;
    s->n_runs = s->stack = 0;
    s->full = false;
    while (node || depth) {
        for (; node; node = left[node - 1]) {
            strategy_push(&b, emitted, node, depth ? stack[depth - 1] : node, 0);
            stack[depth++] = node;
        }
        emitted = stack[--depth];
        strategy_emit(&b, emitted);
        node = right[emitted - 1];
    }
}

void levy_strategy_incremental(uint32_t n_nodes, const double *clock, double (*square_root)(double),
                               levy_strategy *s)
{
    s->n_nodes = n_nodes;
    s->n_runs = 0;
    s->stack = 1;
    s->full = false;
    for (uint32_t k = 0; k < n_nodes; ++k) {
        const double step = clock[k] - (k ? clock[k - 1] : 0.0);
        s->entries[k] = (levy_strategy_entry){
            .node = k + 1, .level = k, .left = 1.0, .deviation = square_root(step)};
        s->descents[k] = 1;
    }
}
