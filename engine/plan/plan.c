/* plan.c: the numeric half of a plan, written as one flat image. Everything here is a function of the problem alone. */
#include "engine/plan/items.h"
#include "engine/plan/plan.h"
#include "kernels/bridge/strategy.h"
#include "kernels/lane/scalar.h"
#include "kernels/points/points.h"
#include "kernels/points/sobol_tables.h"

#define XXH_INLINE_ALL
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const uint64_t plan_image_bytes = (uint64_t)4 << 30;

typedef struct plan_builder {
    levy_plan *plan;
    const levy_problem *problem;
    const levy_group *group;
    levy_arena *arena; /* the plan's: scratch lives there too */
    levy_market_plan markets;
    levy_item_plan items;
    levy_strategy strategy;
    char *why;
} plan_builder;

static bool plan_is_sobol(const levy_problem *p) { return p->simulation.generator != LEVY_GENERATOR_PHILOX; }

/* ---- The walk ---- */

static levy_status plan_strategy(plan_builder *b)
{
    const uint32_t n = (uint32_t)b->group->n_nodes;
    levy_strategy *const s = &b->strategy;
    s->entries = levy_arena_allocate(b->arena, n, sizeof *s->entries);
    s->descents = levy_arena_allocate(b->arena, n, sizeof *s->descents);
    s->runs = levy_arena_allocate(b->arena, n, sizeof *s->runs);
    if (!s->entries || !s->descents || !s->runs) return LEVY_MEMORY;
    if (b->problem->simulation.construction == LEVY_CONSTRUCTION_BRIDGE)
        levy_strategy_bridge(n, b->markets.clock, levy_sqrt, s);
    else
        levy_strategy_incremental(n, b->markets.clock, levy_sqrt, s);
    return LEVY_OK;
}

typedef struct plan_draw { uint32_t level, factor, node, draw; } plan_draw;

static int plan_compare_draws(const void *a, const void *b)
{
    const plan_draw *const x = a, *const y = b;
    if (x->level != y->level) return x->level < y->level ? -1 : 1;
    if (x->factor != y->factor) return x->factor < y->factor ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* Most important first: bridge levels from the coarsest, inside a level factors by variance, then nodes in time. */
static levy_status plan_dimensions(plan_builder *b)
{
    const size_t f = b->markets.n_factors, n = b->group->n_nodes * f;
    plan_draw *const draws = levy_arena_allocate(b->arena, n, sizeof *draws);
    b->plan->dimensions = levy_arena_allocate(b->arena, n, sizeof *b->plan->dimensions);
    if (!draws || !b->plan->dimensions) return LEVY_MEMORY;
    for (size_t i = 0; i < n; ++i) {
        const levy_strategy_entry *const e = &b->strategy.entries[i / f];
        draws[i] = (plan_draw){e->level, (uint32_t)(i % f), e->node, (uint32_t)i};
    }
    qsort(draws, n, sizeof *draws, plan_compare_draws);
    for (size_t i = 0; i < n; ++i) b->plan->dimensions[draws[i].draw] = (uint32_t)i;
    return LEVY_OK;
}

/* ---- The image ---- */

static bool plan_reserve(levy_image *h, uint64_t *offset, uint64_t count, uint64_t size)
{
    uint64_t bytes;
    *offset = h->bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > plan_image_bytes) return false;
    h->bytes = (h->bytes + bytes + 63) & ~(uint64_t)63;
    return h->bytes <= plan_image_bytes;
}

static bool plan_layout(const plan_builder *b, levy_image *h)
{
    const uint64_t real_size = h->precision == LEVY_PRECISION_SINGLE ? 4 : 8, n = h->n_nodes, a = h->n_assets, m = h->n_markets;
    const uint64_t tables = plan_is_sobol(b->problem) ? h->n_replicates : 0;
    h->bytes = (sizeof *h + 63) & ~(uint64_t)63;
    return plan_reserve(h, &h->segments, h->n_segments, sizeof(levy_image_segment)) &&
           plan_reserve(h, &h->bridge, n * 4, real_size) && plan_reserve(h, &h->bridge_time, n, 4) &&
           plan_reserve(h, &h->descents, n, 4) && plan_reserve(h, &h->flags, n, 4) &&
           plan_reserve(h, &h->drift, m * n * a, real_size) &&
           plan_reserve(h, &h->factor, m * (h->covariance ? n : 1) * a * h->n_factors, real_size) &&
           plan_reserve(h, &h->cash, h->has_cash ? m * n * a : 0, real_size) &&
           plan_reserve(h, &h->items, h->n_items, sizeof(levy_image_item)) &&
           plan_reserve(h, &h->item_reals, (uint64_t)h->n_items * LEVY_ITEM_REALS, real_size) &&
           plan_reserve(h, &h->coefficients, h->n_items * a, real_size) &&
           plan_reserve(h, &h->outputs, h->n_outputs, sizeof(levy_image_output)) &&
           plan_reserve(h, &h->keys, h->n_replicates, 8) && plan_reserve(h, &h->directions, tables * 33 * h->n_draws, 4) &&
           plan_reserve(h, &h->low, tables * h->n_draws * 8, 4);
}

static void plan_header(const plan_builder *b, levy_image *h)
{
    const levy_simulation *const s = &b->problem->simulation;
    memset(h, 0, sizeof *h);
    h->magic = LEVY_IMAGE_MAGIC;
    h->version = LEVY_IMAGE_VERSION;
    h->precision = (uint32_t)s->precision;
    h->model = (uint32_t)b->markets.trade->model->kind;
    h->generator = plan_is_sobol(b->problem) ? POINTS_SOBOL : POINTS_PHILOX;
    h->construction = (uint32_t)s->construction;
    h->covariance = b->markets.per_interval;
    h->has_cash = b->markets.has_cash;
    h->full = b->strategy.full;
    h->n_assets = (uint32_t)b->markets.n_assets;
    h->n_factors = (uint32_t)b->markets.n_factors;
    h->n_nodes = (uint32_t)b->group->n_nodes;
    h->n_segments = b->strategy.n_runs;
    h->stack = b->strategy.stack + 1; /* and the start */
    h->n_draws = h->n_nodes * h->n_factors;
    h->n_markets = (uint32_t)b->markets.n_sets;
    h->n_items = (uint32_t)b->items.n_items;
    h->n_outputs = (uint32_t)b->items.n_outputs;
    h->n_trades = (uint32_t)b->group->n_trades;
    h->n_replicates = (uint32_t)s->replicates;
    h->paths = s->paths / s->replicates;
    h->blocks = (h->paths + LEVY_BLOCK_PATHS - 1) / LEVY_BLOCK_PATHS;
}

static void *plan_at(const levy_plan *plan, uint64_t offset) { return (char *)plan->image + offset; }

/* Doubles into the image's reals. */
static void plan_put(const levy_plan *plan, uint64_t offset, uint64_t first, const double *values, size_t n)
{
    if (plan->image->precision == LEVY_PRECISION_SINGLE) {
        float *const to = (float *)plan_at(plan, offset) + first;
        for (size_t i = 0; i < n; ++i) to[i] = (float)values[i];
    } else if (n) {
        memcpy((double *)plan_at(plan, offset) + first, values, n * sizeof *values);
    }
}

static void plan_put_walk(const plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    for (uint32_t i = 0; i < h->n_nodes; ++i) {
        const levy_strategy_entry *const e = &b->strategy.entries[i];
        const double weights[4] = {e->left, e->right, e->deviation, 0.0};
        plan_put(b->plan, h->bridge, 4 * (uint64_t)i, weights, 4);
        ((uint32_t *)plan_at(b->plan, h->bridge_time))[i] = e->node;
    }
    memcpy(plan_at(b->plan, h->descents), b->strategy.descents, h->n_nodes * sizeof(uint32_t));
    memcpy(plan_at(b->plan, h->flags), b->items.flags, h->n_nodes * sizeof(uint32_t));
    levy_image_segment *const segments = plan_at(b->plan, h->segments);
    for (uint32_t g = 0; g < h->n_segments; ++g) {
        const levy_strategy_run *const r = &b->strategy.runs[g];
        segments[g] = (levy_image_segment){r->pushes, r->present, r->first_node, r->first_entry};
    }
}

static void plan_put_items(const plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    memcpy(plan_at(b->plan, h->items), b->items.items, h->n_items * sizeof *b->items.items);
    memcpy(plan_at(b->plan, h->outputs), b->items.outputs, h->n_outputs * sizeof *b->items.outputs);
    plan_put(b->plan, h->item_reals, 0, b->items.reals, (size_t)h->n_items * LEVY_ITEM_REALS);
    plan_put(b->plan, h->coefficients, 0, b->items.coefficients, (size_t)h->n_items * h->n_assets);
}

/* Logarithms of single-precision plans are to base 2: the scale of drifts and factors. */
static void plan_scale(const levy_image *h, double *values, size_t n)
{
    if (h->precision == LEVY_PRECISION_SINGLE)
        for (size_t i = 0; i < n; ++i) values[i] *= 1.4426950408889634;
}

static levy_status plan_put_markets(const plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    const size_t row = (size_t)h->n_nodes * h->n_assets, factors = (size_t)(h->covariance ? h->n_nodes : 1) * h->n_assets * h->n_factors;
    double *const drift = levy_arena_allocate(b->arena, row, sizeof *drift), *const factor = levy_arena_allocate(b->arena, factors, sizeof *factor);
    double *const cash = levy_arena_allocate(b->arena, row, sizeof *cash);
    if (!drift || !factor || !cash) return LEVY_MEMORY;
    for (uint32_t m = 0; m < h->n_markets; ++m) {
        LEVY_TRY(levy_markets_fill(&b->markets, m, b->arena, drift, factor, h->has_cash ? cash : NULL));
        plan_scale(h, drift, row);
        plan_scale(h, factor, factors);
        plan_put(b->plan, h->drift, m * row, drift, row);
        plan_put(b->plan, h->factor, m * factors, factor, factors);
        if (h->has_cash) plan_put(b->plan, h->cash, m * row, cash, row);
    }
    return LEVY_OK;
}

/* Direction numbers of every replicate, in the order of the walk. */
static void plan_put_table(const plan_builder *b, uint64_t key, uint32_t replicate, const uint32_t *numbers)
{
    const levy_image *const h = b->plan->image;
    uint32_t *const rows = (uint32_t *)plan_at(b->plan, h->directions) + (size_t)replicate * 33 * h->n_draws;
    uint32_t *const low = (uint32_t *)plan_at(b->plan, h->low) + (size_t)replicate * 8 * h->n_draws;
    for (uint32_t c = 0; c < h->n_draws; ++c) {
        uint32_t v[32], shift = 0;
        memcpy(v, numbers + 32 * (size_t)b->plan->dimensions[c], sizeof v);
        if (b->problem->simulation.generator == LEVY_GENERATOR_SOBOL_SCRAMBLED)
            levy_sobol_scramble(key, b->plan->dimensions[c], v, &shift);
        for (uint32_t bit = 0; bit < 32; ++bit) rows[(size_t)bit * h->n_draws + c] = v[bit];
        rows[(size_t)32 * h->n_draws + c] = shift;
        memcpy(low + 8 * (size_t)c, v, 8 * sizeof *v);
    }
}

static levy_status plan_put_points(const plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    uint64_t *const keys = plan_at(b->plan, h->keys);
    for (uint32_t r = 0; r < h->n_replicates; ++r) keys[r] = levy_points_key(b->problem->simulation.seed, r, LEVY_PURPOSE_PRICE);
    if (!plan_is_sobol(b->problem)) return LEVY_OK;
    uint32_t *const numbers = levy_memory_allocate(b->arena->memory, (size_t)h->n_draws * 32, sizeof *numbers);
    if (!numbers) return LEVY_MEMORY;
    const bool fits = levy_sobol_directions(h->n_draws, numbers);
    for (uint32_t r = 0; fits && r < h->n_replicates; ++r) plan_put_table(b, keys[r], r, numbers);
    levy_memory_release(b->arena->memory, numbers);
    return fits ? LEVY_OK : LEVY_INTERNAL;
}

static levy_status plan_check(plan_builder *b)
{
    const uint64_t draws = (uint64_t)b->group->n_nodes * b->markets.n_factors;
    if (plan_is_sobol(b->problem) && draws > LEVY_SOBOL_DIMENSIONS) {
        snprintf(b->why, LEVY_PLAN_WHY, "%llu dimensions (%zu dates x %zu factors) are more than the Sobol table's %d; use generator: philox",
                 (unsigned long long)draws, b->group->n_nodes, b->markets.n_factors, LEVY_SOBOL_DIMENSIONS);
        return LEVY_UNSUPPORTED;
    }
    if (b->strategy.stack + 1 > LEVY_MAX_STACK || draws > UINT32_MAX / 64) {
        snprintf(b->why, LEVY_PLAN_WHY, "%zu dates x %zu factors are too many", b->group->n_nodes, b->markets.n_factors);
        return LEVY_UNSUPPORTED;
    }
    return LEVY_OK;
}

static levy_status plan_image(plan_builder *b)
{
    levy_image h;
    plan_header(b, &h);
    if (!plan_layout(b, &h)) {
        snprintf(b->why, LEVY_PLAN_WHY, "the plan would take more than %llu GiB", (unsigned long long)(plan_image_bytes >> 30));
        return LEVY_UNSUPPORTED;
    }
    b->plan->image = levy_arena_allocate(b->arena, h.bytes, 1);
    if (!b->plan->image) return LEVY_MEMORY;
    memcpy(b->plan->image, &h, sizeof h);
    plan_put_walk(b);
    plan_put_items(b);
    LEVY_TRY(plan_put_markets(b));
    LEVY_TRY(plan_put_points(b));
    b->plan->image->numeric_hash = XXH3_64bits(b->plan->image, h.bytes);
    return LEVY_OK;
}

static levy_status plan_build(plan_builder *b)
{
    LEVY_TRY(levy_markets_plan(b->problem, b->group, plan_is_sobol(b->problem), b->arena, &b->markets));
    LEVY_TRY(plan_strategy(b));
    LEVY_TRY(plan_check(b));
    LEVY_TRY(plan_dimensions(b));
    LEVY_TRY(levy_items_plan(b->problem, &b->markets, b->arena, &b->items, b->why));
    b->plan->clock = b->markets.clock;
    b->plan->factor_variance = b->markets.rotation.variance;
    b->plan->variance_clock = b->markets.per_interval;
    b->plan->covariance_text = b->markets.per_interval ? "per interval" : "constant";
    return plan_image(b);
}

levy_status levy_plan_create(const levy_memory *memory, const levy_problem *problem, const levy_group *group, levy_plan **plan, char *why)
{
    why[0] = '\0';
    levy_plan *const p = levy_memory_allocate(memory, 1, sizeof *p);
    if (!p) return LEVY_MEMORY;
    levy_arena_init(&p->arena, memory);
    p->problem = problem;
    p->group = group;
    plan_builder b = {.plan = p, .problem = problem, .group = group, .arena = &p->arena, .why = why};
    const levy_status status = plan_build(&b);
    if (status != LEVY_OK) levy_plan_destroy(p);
    else *plan = p;
    return status;
}

void levy_plan_destroy(levy_plan *plan)
{
    if (!plan) return;
    const levy_memory *const memory = plan->arena.memory;
    levy_arena_release(&plan->arena);
    levy_memory_release(memory, plan);
}

size_t levy_plan_tiles(const levy_image *image, uint32_t max_items, uint32_t max_markets, levy_tile *tiles)
{
    const levy_image_output *const outputs = LEVY_IMAGE_AT(levy_image_output, image, outputs);
    size_t n = 0;
    for (uint32_t o = 0; o < image->n_outputs; ++o) {
        levy_tile *const last = n ? &tiles[n - 1] : NULL;
        const uint32_t end = outputs[o].first_market + outputs[o].n_markets;
        if (last && last->n_items + outputs[o].n_items <= max_items && outputs[o].first_market >= last->first_market &&
            end - last->first_market <= max_markets) {
            if (end > last->first_market + last->n_markets) last->n_markets = end - last->first_market;
            last->n_items += outputs[o].n_items;
            ++last->n_outputs;
        } else {
            tiles[n++] = (levy_tile){o, 1, outputs[o].first_item, outputs[o].n_items, outputs[o].first_market, outputs[o].n_markets};
        }
    }
    return n;
}
