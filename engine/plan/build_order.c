/* build_order.c: see build_order.h. */
#include "engine/plan/build_order.h"

#include "engine/base/order.h"
#include "engine/base/number.h"
#include "engine/plan/principal.h"
#include "engine/plan/leading.h"
#include "kernels/lane/scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static levy_status build_order_arrays(uint32_t n, levy_arena *arena, levy_strategy *s)
{
    s->entries = levy_arena_allocate(arena, n, sizeof *s->entries);
    s->descents = levy_arena_allocate(arena, n, sizeof *s->descents);
    s->runs = levy_arena_allocate(arena, n, sizeof *s->runs);
    return s->entries && s->descents && s->runs ? LEVY_OK : LEVY_MEMORY;
}

/* ---- Orders of a bridge ---- */

static levy_status build_order_levels_by_order(const levy_simulation *s, size_t n, uint32_t *levels,
                                               char *why)
{
    if (s->n_order != n) {
        snprintf(why, LEVY_PLAN_WHY,
                 "simulation.construction.order has %zu dates, but the grid of this "
                 "trade has %zu",
                 s->n_order, n);
        return LEVY_UNSUPPORTED;
    }
    for (size_t i = 0; i < n; ++i) levels[s->order[i] - 1] = (uint32_t)i;
    return LEVY_OK;
}

/* Gives levels to the nodes strictly between two nodes that have theirs: first to the midpoint,
 * then to both halves. Nodes count from 1. The recursion is log2 of their number deep. */
static void build_order_levels_between(uint32_t left, uint32_t right, uint32_t level,
                                       uint32_t *levels)
{
    if (right - left < 2) return;
    const uint32_t node = left + (right - left) / 2;
    levels[node - 1] = level;
    build_order_levels_between(left, node, level + 1, levels);
    build_order_levels_between(node, right, level + 1, levels);
}

static levy_status build_order_levels_by_first(const levy_simulation *s, const levy_group *group,
                                               uint32_t *levels, char *why)
{
    const uint32_t n = (uint32_t)group->n_nodes, none = UINT32_MAX;
    for (uint32_t k = 0; k < n; ++k) levels[k] = none;
    for (uint32_t i = 0; i < s->n_first; ++i) {
        uint32_t k = 0;
        while (k < n && group->times[k] != s->first[i]) ++k;
        if (k == n) {
            char years[LEVY_NUMBER_SIZE];
            levy_number_write(s->first[i], years);
            snprintf(why, LEVY_PLAN_WHY,
                     "simulation.construction.first contains %.40s years, but the grid of "
                     "this trade has no such date",
                     years);
            return LEVY_UNSUPPORTED;
        }
        levels[k] = i;
    }
    uint32_t level = (uint32_t)s->n_first;
    if (levels[n - 1] == none) levels[n - 1] = level++;
    for (uint32_t left = 0, node = 1; node <= n; ++node)
        if (levels[node - 1] != none && levels[node - 1] < level) {
            build_order_levels_between(left, node, level, levels);
            left = node;
        }
    return LEVY_OK;
}

typedef struct build_order_rank {
    uint32_t level, node;
} build_order_rank;

LEVY_ORDER_BY(build_order_compare, build_order_rank, level, node)

static levy_status build_order_ordered(const levy_problem *problem, const levy_group *group,
                                       const double *clock, levy_arena *arena,
                                       levy_build_order *build_order, char *why)
{
    const levy_simulation *const s = &problem->simulation;
    const uint32_t n = (uint32_t)group->n_nodes;
    uint32_t *const levels = levy_arena_allocate(arena, n, sizeof *levels);
    uint32_t *const rank = levy_arena_allocate(arena, n, sizeof *rank);
    uint32_t *const work = levy_arena_allocate(arena, n, 3 * sizeof *work);
    build_order_rank *const sorted = levy_arena_allocate(arena, n, sizeof *sorted);
    if (!levels || !rank || !work || !sorted) return LEVY_MEMORY;
    LEVY_TRY(s->order ? build_order_levels_by_order(s, n, levels, why)
                      : build_order_levels_by_first(s, group, levels, why));
    for (uint32_t k = 0; k < n; ++k) sorted[k] = (build_order_rank){levels[k], k};
    qsort(sorted, n, sizeof *sorted, build_order_compare);
    for (uint32_t i = 0; i < n; ++i) rank[sorted[i].node] = i;
    levy_strategy_ordered(n, clock, rank, levy_sqrt, work, &build_order->strategy);
    for (uint32_t i = 0; i < n; ++i)
        build_order->strategy.entries[i].level = levels[build_order->strategy.entries[i].node - 1];
    return LEVY_OK;
}

/* ---- Components ---- */

/* The traversal visits components in the way the incremental construction visits dates. */
static levy_status build_order_pca(uint32_t n, const double *clock, levy_arena *arena,
                                   levy_build_order *build_order, char *why)
{
    if (n > LEVY_MOST_COMPONENTS) {
        snprintf(why, LEVY_PLAN_WHY,
                 "construction pca supports at most %d dates, but this trade has %u; use bridge, "
                 "which can draw the largest components first",
                 LEVY_MOST_COMPONENTS, (unsigned)n);
        return LEVY_UNSUPPORTED;
    }
    build_order->matrix = levy_arena_allocate(arena, n, n * sizeof *build_order->matrix);
    build_order->variance = levy_arena_allocate(arena, n, sizeof *build_order->variance);
    if (!build_order->matrix || !build_order->variance) return LEVY_MEMORY;
    const levy_status status =
        levy_components_create(n, clock, arena, build_order->matrix, build_order->variance);
    if (status != LEVY_NUMERIC) return status;
    snprintf(why, LEVY_PLAN_WHY,
             "the principal components of this grid could not be computed; use bridge");
    return LEVY_UNSUPPORTED;
}

double levy_build_order_first(const levy_simulation *s, const levy_group *group)
{
    const size_t n = group->n_nodes;
    if (n == 0) return 0.0;
    if (s->construction == LEVY_CONSTRUCTION_INCREMENTAL) return group->times[0];
    if (s->first) return s->first[0];
    return group->times[s->order && s->n_order == n ? s->order[0] - 1 : n - 1];
}

/* ---- Functionals ---- */

uint32_t levy_build_order_functionals(const levy_simulation *s, const levy_group *group)
{
    if (s->construction != LEVY_CONSTRUCTION_BRIDGE || group->n_nodes == 1) return 0;
    if (s->first_average) return 1;
    return s->first_components < group->n_nodes ? s->first_components : (uint32_t)group->n_nodes;
}

static levy_status build_order_functionals(const levy_problem *problem, const levy_group *group,
                                           const double *clock, levy_arena *arena,
                                           levy_build_order *build_order)
{
    const levy_simulation *const s = &problem->simulation;
    const uint32_t n = (uint32_t)group->n_nodes,
                   n_functionals = levy_build_order_functionals(s, group);
    if (n_functionals == 0) return LEVY_OK;
    double *const weights = levy_arena_allocate(arena, n_functionals, n * sizeof *weights);
    if (!weights) return LEVY_MEMORY;
    for (uint32_t k = 0; k < n; ++k) weights[k] = 1.0;
    if (!s->first_average) LEVY_TRY(levy_leading_create(n, clock, n_functionals, arena, weights));
    LEVY_TRY(levy_functionals_create(&build_order->strategy, n_functionals, weights, arena,
                                     &build_order->functionals));
    build_order->variance = build_order->functionals.variance;
    return LEVY_OK;
}

levy_status levy_build_order_create(const levy_problem *problem, const levy_group *group,
                                    const double *clock, levy_arena *arena,
                                    levy_build_order *build_order, char *why)
{
    const levy_simulation *const s = &problem->simulation;
    const uint32_t n = (uint32_t)group->n_nodes;
    *build_order = (levy_build_order){.construction = LEVY_BUILD_BISECTION};
    LEVY_TRY(build_order_arrays(n, arena, &build_order->strategy));
    if (s->construction != LEVY_CONSTRUCTION_BRIDGE) {
        build_order->construction = s->construction == LEVY_CONSTRUCTION_PCA
                                        ? LEVY_BUILD_COMPONENTS
                                        : LEVY_BUILD_INCREMENTAL;
        levy_strategy_incremental(n, clock, levy_sqrt, &build_order->strategy);
        return build_order->construction == LEVY_BUILD_COMPONENTS
                   ? build_order_pca(n, clock, arena, build_order, why)
                   : LEVY_OK;
    }
    if (s->order || s->first) {
        build_order->construction = LEVY_BUILD_ORDERED;
        return build_order_ordered(problem, group, clock, arena, build_order, why);
    }
    levy_strategy_bridge(n, clock, levy_sqrt, &build_order->strategy);
    return build_order_functionals(problem, group, clock, arena, build_order);
}
