/* plan.c: makes a plan: every part in order, then one flat image of them. Everything here is a
 * function of the problem alone. See plan.h and builder.h. */
#include "engine/plan/builder.h"

#include "engine/base/hash.h"
#include "engine/exercise/grid.h"
#include "engine/plan/dimensions.h"
#include "engine/plan/known.h"
#include "engine/plan/loadings.h"

#include <stdio.h>
#include <string.h>

static levy_status plan_dimensions(levy_plan_builder *b)
{
    b->plan->dimensions =
        levy_arena_allocate(&b->plan->arena, levy_builder_draws(b), sizeof *b->plan->dimensions);
    if (!b->plan->dimensions) return LEVY_MEMORY;
    return levy_dimensions_create(&b->build_order, (uint32_t)b->dynamics.n_factors,
                                  b->dynamics.rotation.variance, levy_builder_auxiliary(b),
                                  b->group->integrated, b->arena, b->plan->dimensions);
}

/* The hash of the numbers, and of what names the paths that some of them were fitted to. */
static void plan_hash(levy_plan *plan)
{
    levy_image *const h = plan->image;
    h->numeric_hash = 0;
    h->numeric_hash = XXH3_64bits(h, h->bytes);
    const uint64_t parts[] = {h->numeric_hash, plan->fit};
    if (plan->fit) h->numeric_hash = XXH3_64bits(parts, sizeof parts);
}

/* There must be a factor, because the path loop divides by their number. */
static levy_status plan_check(levy_plan_builder *b)
{
    if (b->dynamics.n_factors == 0) {
        snprintf(b->why, LEVY_PLAN_WHY,
                 "the underlyings have no random factor: their volatilities are too "
                 "small");
        return LEVY_UNSUPPORTED;
    }
    if (b->dynamics.n_factors > 2 * LEVY_MAX_ASSETS) {
        snprintf(b->why, LEVY_PLAN_WHY, "%zu factors are too many: price fewer underlyings",
                 b->dynamics.n_factors);
        return LEVY_UNSUPPORTED;
    }
    if (b->group->integrated && b->problem->simulation.records) {
        snprintf(b->why, LEVY_PLAN_WHY,
                 "a path whose first normal is integrated has no levels to record: set "
                 "simulation.smoothing to none");
        return LEVY_UNSUPPORTED;
    }
    LEVY_TRY(levy_builder_check_supply(b));
    if (levy_builder_draws(b) <= UINT32_MAX / 64) return LEVY_OK;
    snprintf(b->why, LEVY_PLAN_WHY, "%zu dates x %zu factors are too many", b->group->n_nodes,
             b->dynamics.n_factors + levy_builder_auxiliary(b));
    return LEVY_UNSUPPORTED;
}

/* Outputs name their factors by number. Where a quote decides what is bumped, the numbers change.
 */
static bool plan_same_labels(const levy_plan *a, const levy_plan *b)
{
    bool same = a->n_labels == b->n_labels;
    for (size_t i = 0; i < a->n_labels && same; ++i) same = strcmp(a->labels[i], b->labels[i]) == 0;
    return same;
}

/* An image with the same header, names of factors and dimensions differs in quotes alone. Its build
 * order, items and dynamics are written anew, and its points stay. */
static bool plan_takes_over(const levy_plan_builder *b, const levy_plan *old, const levy_image *h)
{
    levy_image before = *old->image;
    before.numeric_hash = 0;
    return memcmp(&before, h, sizeof before) == 0 && plan_same_labels(old, b->plan) &&
           memcmp(old->dimensions, b->plan->dimensions, h->n_draws * sizeof *old->dimensions) == 0;
}

static levy_status plan_image(levy_plan_builder *b, const levy_plan *old)
{
    levy_image h;
    levy_builder_header(b, &h);
    LEVY_TRY(levy_builder_measure(b, &h));
    const bool taken = old && plan_takes_over(b, old, &h);
    b->plan->image = taken ? old->image : levy_arena_allocate(&b->plan->arena, h.bytes, 1);
    if (!b->plan->image) return LEVY_MEMORY;
    memcpy(b->plan->image, &h, sizeof h);
    LEVY_TRY(levy_builder_put_parts(b));
    LEVY_TRY(levy_builder_put_dynamics(b));
    for (int part = 0; part < LEVY_PARTS; ++part) {
        const levy_model_plan *const from = &b->parts[part];
        const levy_image_part *const to = &b->plan->image->parts[part];
        levy_builder_put(b->plan, to->reals, 0, from->reals, from->n_reals);
        if (from->n_words)
            memcpy(levy_builder_at(b->plan, to->words), from->words,
                   from->n_words * sizeof *from->words);
    }
    if (!taken) LEVY_TRY(levy_builder_put_points(b));
    plan_hash(b->plan);
    return LEVY_OK;
}

void levy_plan_set_paths(levy_plan *plan, uint64_t paths)
{
    levy_image *const h = plan->image;
    if (h->paths == paths) return;
    h->paths = paths;
    h->blocks = (paths + LEVY_BLOCK_PATHS - 1) / LEVY_BLOCK_PATHS;
    plan_hash(plan);
}

static uint64_t plan_node_terms(const levy_plan *plan, uint32_t item, size_t node,
                                const levy_image_item **of)
{
    *of = LEVY_IMAGE_AT(levy_image_item, plan->image, items) + item;
    return (*of)->node_terms + node * (*of)->n_node_terms;
}

void levy_plan_get_node_terms(const levy_plan *plan, uint32_t item, size_t node, double *terms)
{
    const levy_image_item *of;
    const uint64_t first = plan_node_terms(plan, item, node, &of);
    for (uint32_t k = 0; k < of->n_node_terms; ++k)
        terms[k] = levy_image_real(plan->image, plan->image->node_terms, first + k);
}

void levy_plan_put_node_terms(levy_plan *plan, uint32_t item, size_t node, const double *terms)
{
    const levy_image_item *of;
    const uint64_t first = plan_node_terms(plan, item, node, &of);
    levy_builder_put(plan, plan->image->node_terms, first, terms, of->n_node_terms);
}

static uint64_t plan_constants(const levy_plan *plan, uint32_t item, const levy_image_item **of)
{
    *of = LEVY_IMAGE_AT(levy_image_item, plan->image, items) + item;
    return (*of)->node_terms - (*of)->n_constants;
}

void levy_plan_get_constants(const levy_plan *plan, uint32_t item, double *constants)
{
    const levy_image_item *of;
    const uint64_t first = plan_constants(plan, item, &of);
    for (uint32_t k = 0; k < of->n_constants; ++k)
        constants[k] = levy_image_real(plan->image, plan->image->node_terms, first + k);
}

void levy_plan_put_constants(levy_plan *plan, uint32_t item, const double *constants)
{
    const levy_image_item *of;
    const uint64_t first = plan_constants(plan, item, &of);
    levy_builder_put(plan, plan->image->node_terms, first, constants, of->n_constants);
}

void levy_plan_set_fit(levy_plan *plan, uint64_t fit)
{
    plan->fit = fit;
    plan_hash(plan);
}

static double *plan_keep(levy_plan_builder *b, const double *values, size_t n)
{
    double *const kept = levy_arena_allocate(&b->plan->arena, n, sizeof *kept);
    if (kept) memcpy(kept, values, n * sizeof *kept);
    return kept;
}

/* The shifts of bumps, which live as long as the builder; those of scenarios are the problem's. */
static levy_status plan_keep_shifts(levy_plan_builder *b)
{
    levy_plan *const p = b->plan;
    for (size_t i = 0; i < b->items.n_items; ++i) {
        levy_moved *const m = &p->markets[i];
        size_t first = 0;
        if (m->scenario || m->n_shifts == 0) continue;
        while (b->items.sets[first] != b->items.sets[i]) ++first;
        levy_shift *const kept = first < i
                                     ? p->shifts[first]
                                     : levy_arena_allocate(&p->arena, m->n_shifts, sizeof *kept);
        if (!kept) return LEVY_MEMORY;
        memcpy(kept, m->shifts, m->n_shifts * sizeof *kept);
        m->shifts = p->shifts[i] = kept;
    }
    return LEVY_OK;
}

static levy_status plan_keep_units(levy_plan_builder *b)
{
    if (!b->group->fits) return LEVY_OK;
    levy_plan *const p = b->plan;
    const size_t n = b->items.n_items;
    p->units = levy_arena_allocate(&p->arena, n, sizeof *p->units);
    p->views = levy_arena_allocate(&p->arena, n, sizeof *p->views);
    p->markets = levy_arena_allocate(&p->arena, n, sizeof *p->markets);
    p->shifts = levy_arena_allocate(&p->arena, n, sizeof *p->shifts);
    p->remarks = levy_arena_allocate(&p->arena, b->group->n_trades, sizeof *p->remarks);
    p->notes = levy_arena_allocate(&p->arena, b->group->n_trades, sizeof *p->notes);
    p->levels = levy_arena_allocate(&p->arena, b->group->n_trades, sizeof *p->levels);
    if (!p->units || !p->views || !p->markets || !p->shifts || !p->remarks || !p->notes ||
        !p->levels)
        return LEVY_MEMORY;
    memcpy(p->units, b->items.units, n * sizeof *p->units);
    memcpy(p->views, b->items.views, n * sizeof *p->views);
    memcpy(p->markets, b->items.markets, n * sizeof *p->markets);
    return plan_keep_shifts(b);
}

static levy_status plan_keep_turned(levy_plan_builder *b)
{
    const levy_functionals *const f = &b->build_order.functionals;
    const size_t n = b->group->n_nodes;
    if (f->n == 0) return LEVY_OK;
    b->plan->turned = levy_arena_allocate(&b->plan->arena, n, 2 * sizeof *b->plan->turned);
    if (!b->plan->turned) return LEVY_MEMORY;
    memcpy(b->plan->turned, f->added, n * sizeof *f->added);
    memcpy(b->plan->turned + n, f->moved, n * sizeof *f->moved);
    return LEVY_OK;
}

/* The parts of the model, once it is known what dynamics move of the jumps. */
static levy_status plan_model(levy_plan_builder *b)
{
    LEVY_TRY(levy_model_prepare(b->problem, &b->dynamics, &b->build_order, b->driver,
                                levy_builder_log_scale(b->problem), b->arena, b->parts));
    const uint32_t moves = b->parts[LEVY_PART_ARRIVALS].constants[3] >> LEVY_ARRIVALS_MOVES;
    if (moves <= LEVY_MAX_MOVES) return LEVY_OK;
    snprintf(b->why, LEVY_PLAN_WHY,
             "Greeks of %u numbers of jumps are too many, the most are %d: price fewer underlyings",
             moves, LEVY_MAX_MOVES);
    return LEVY_UNSUPPORTED;
}

static levy_status plan_build(levy_plan_builder *b, const levy_plan *old)
{
    LEVY_TRY(levy_dynamics_create(b->problem, b->group,
                                  levy_simulation_is_quasi(&b->problem->simulation), b->arena,
                                  &b->dynamics));
    LEVY_TRY(levy_model_draws(b->problem, &b->dynamics, b->arena, b->draws));
    LEVY_TRY(plan_check(b));
    LEVY_TRY(levy_builder_estimate(b));
    LEVY_TRY(levy_build_order_create(b->problem, b->group, b->dynamics.clock, b->arena,
                                     &b->build_order, b->why));
    if (b->group->integrated) {
        b->driver = levy_arena_allocate(b->arena, b->group->n_nodes, sizeof *b->driver);
        if (!b->driver) return LEVY_MEMORY;
        LEVY_TRY(levy_loadings_driver(&b->build_order, b->arena, b->driver));
    }
    LEVY_TRY(plan_dimensions(b));
    LEVY_TRY(
        levy_outputs_plan(b->problem, &b->dynamics, b->arena, &b->plan->arena, &b->items, b->why));
    LEVY_TRY(plan_model(b));
    b->plan->labels = b->items.labels;
    b->plan->n_labels = b->items.n_labels;
    b->plan->still =
        b->parts[LEVY_PART_DIFFUSION].still || (b->group->integrated && levy_builder_draws(b) == 1);
    b->plan->clock = plan_keep(b, b->dynamics.clock, b->group->n_nodes);
    b->plan->factor_variance = plan_keep(b, b->dynamics.rotation.variance, b->dynamics.n_factors);
    b->plan->limits = plan_keep(b, b->items.limits, b->items.n_outputs);
    b->plan->rare = levy_arena_allocate(&b->plan->arena, b->items.n_items, sizeof *b->plan->rare);
    if (!b->plan->clock || !b->plan->factor_variance || !b->plan->limits || !b->plan->rare)
        return LEVY_MEMORY;
    memcpy(b->plan->rare, b->items.rare, b->items.n_items * sizeof *b->plan->rare);
    LEVY_TRY(plan_keep_units(b));
    LEVY_TRY(plan_keep_turned(b));
    return plan_image(b, old);
}

static void plan_says_limit(const levy_meter *meter, char *why)
{
    char limit[LEVY_MEMORY_TEXT];
    snprintf(why, LEVY_PLAN_WHY, "planning would need more than the memory limit, %s (max_memory)",
             levy_memory_text(meter->limit, limit));
}

/* Copies the problem, with the simulation of groups of known amounts. NULL: no memory. */
static const levy_problem *plan_known(levy_plan *plan, const levy_problem *problem)
{
    levy_problem *const copy = levy_arena_allocate(&plan->arena, 1, sizeof *copy);
    if (!copy) return NULL;
    *copy = *problem;
    levy_known_simulation(&copy->simulation);
    return copy;
}

/* Fills `plan`, whose arena is fresh. `old`: the plan whose image it may take over, or NULL. */
static levy_status plan_fill(levy_plan *plan, const levy_plan *old, levy_point_tables *tables,
                             const levy_problem *problem, const levy_group *group, char *why)
{
    levy_arena scratch;
    levy_arena_init(&scratch, plan->arena.memory);
    why[0] = '\0';
    plan->problem = levy_group_is_still(group) ? plan_known(plan, problem) : problem;
    plan->group = group;
    if (!plan->problem) return LEVY_MEMORY;
    problem = plan->problem;
    levy_plan_builder b = {.plan = plan,
                           .problem = problem,
                           .group = group,
                           .arena = &scratch,
                           .tables = tables,
                           .why = why};
    levy_meter *const meter = scratch.memory->meter;
    if (meter) meter->over = false;
    const levy_status status = plan_build(&b, old);
    levy_arena_release(&scratch);
    if (status == LEVY_OK || !meter) return status;
    if (meter->stopped) return LEVY_CANCELLED;
    if (status == LEVY_MEMORY && meter->over && !why[0]) plan_says_limit(meter, why);
    return status;
}

levy_status levy_plan_create_with(const levy_memory *memory, levy_point_tables *tables,
                                  const levy_problem *problem, const levy_group *group,
                                  levy_plan **plan, char *why)
{
    levy_plan *const p = levy_memory_allocate(memory, 1, sizeof *p);
    if (!p) return LEVY_MEMORY;
    levy_arena_init(&p->arena, memory);
    const levy_status status = plan_fill(p, NULL, tables, problem, group, why);
    if (status != LEVY_OK)
        levy_plan_destroy(p);
    else
        *plan = p;
    return status;
}

levy_status levy_plan_create(const levy_memory *memory, const levy_problem *problem,
                             const levy_group *group, levy_plan **plan, char *why)
{
    return levy_plan_create_with(memory, NULL, problem, group, plan, why);
}

/* The image, clock and dimensions stay where they are. */
static void plan_take_numbers(levy_plan *plan, const levy_plan *fresh)
{
    const size_t n = fresh->group->n_nodes;
    memcpy(plan->clock, fresh->clock, n * sizeof *plan->clock);
    memcpy(plan->factor_variance, fresh->factor_variance,
           plan->image->n_factors * sizeof *plan->factor_variance);
    memcpy(plan->limits, fresh->limits, plan->image->n_outputs * sizeof *plan->limits);
    memcpy(plan->rare, fresh->rare, plan->image->n_items * sizeof *plan->rare);
    if (plan->turned) memcpy(plan->turned, fresh->turned, 2 * n * sizeof *plan->turned);
    const size_t items = plan->image->n_items;
    if (plan->units) memcpy(plan->units, fresh->units, items * sizeof *plan->units);
    if (plan->units) memcpy(plan->views, fresh->views, items * sizeof *plan->views);
    for (size_t i = 0; plan->units && i < items; ++i) {
        const levy_moved *const market = &fresh->markets[i];
        plan->markets[i] = *market;
        if (!plan->shifts[i]) continue; /* a scenario's are the problem's */
        memcpy(plan->shifts[i], market->shifts, market->n_shifts * sizeof *market->shifts);
        plan->markets[i].shifts = plan->shifts[i];
    }
    for (size_t t = 0; plan->remarks && t < fresh->group->n_trades; ++t) {
        plan->remarks[t] = plan->notes[t] = NULL;
        plan->levels[t].n = 0;
    }
    plan->fit = 0;
    plan->pilot.sums = NULL;
    plan->still = fresh->still;
    plan->problem = fresh->problem;
    plan->group = fresh->group;
}

levy_status levy_plan_renew(levy_plan *plan, const levy_memory *memory, levy_point_tables *tables,
                            const levy_problem *problem, const levy_group *group,
                            levy_plan **renewed, char *why)
{
    levy_plan *const fresh = levy_memory_allocate(memory, 1, sizeof *fresh);
    why[0] = '\0';
    *renewed = NULL;
    if (!fresh) return LEVY_MEMORY;
    levy_arena_init(&fresh->arena, memory);
    const levy_status status =
        plan_fill(fresh, levy_group_is_still(group) ? NULL : plan, tables, problem, group, why);
    const bool same = fresh->image == plan->image;
    if (status == LEVY_OK) *renewed = same ? plan : fresh;
    if (status == LEVY_OK && same) plan_take_numbers(plan, fresh);
    if (status != LEVY_OK || same) levy_plan_destroy(fresh);
    return status;
}

void levy_plan_destroy(levy_plan *plan)
{
    if (!plan) return;
    const levy_memory *const memory = plan->arena.memory;
    levy_arena_release(&plan->arena);
    levy_memory_release(memory, plan);
}
