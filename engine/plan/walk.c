/* walk.c: see walk.h. */
#include "engine/plan/walk.h"

#include "engine/base/number.h"
#include "engine/plan/components.h"
#include "kernels/lane/scalar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static levy_status walk_arrays(uint32_t n, levy_arena *arena, levy_strategy *s)
{
    s->entries = levy_arena_allocate(arena, n, sizeof *s->entries);
    s->descents = levy_arena_allocate(arena, n, sizeof *s->descents);
    s->runs = levy_arena_allocate(arena, n, sizeof *s->runs);
    return s->entries && s->descents && s->runs ? LEVY_OK : LEVY_MEMORY;
}

/* ---- Orders of a bridge ---- */

static levy_status walk_levels_by_order(const levy_simulation *s, size_t n, uint32_t *levels,
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

/* Midpoints of the nodes strictly between two that stand. Nodes from 1; depth log2 of their number.
 */
static void walk_levels_between(uint32_t left, uint32_t right, uint32_t level, uint32_t *levels)
{
    if (right - left < 2) return;
    const uint32_t node = left + (right - left) / 2;
    levels[node - 1] = level;
    walk_levels_between(left, node, level + 1, levels);
    walk_levels_between(node, right, level + 1, levels);
}

static levy_status walk_levels_by_first(const levy_simulation *s, const levy_group *group,
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
            walk_levels_between(left, node, level, levels);
            left = node;
        }
    return LEVY_OK;
}

typedef struct walk_rank {
    uint32_t level, node;
} walk_rank;

static int walk_compare(const void *a, const void *b)
{
    const walk_rank *const x = a, *const y = b;
    if (x->level != y->level) return x->level < y->level ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static levy_status walk_ordered(const levy_problem *problem, const levy_group *group,
                                const double *clock, levy_arena *arena, levy_walk *walk, char *why)
{
    const levy_simulation *const s = &problem->simulation;
    const uint32_t n = (uint32_t)group->n_nodes;
    uint32_t *const levels = levy_arena_allocate(arena, n, sizeof *levels), *const rank =
                                                                                levy_arena_allocate(
                                                                                    arena, n,
                                                                                    sizeof *rank);
    uint32_t *const work = levy_arena_allocate(arena, n, 3 * sizeof *work);
    walk_rank *const sorted = levy_arena_allocate(arena, n, sizeof *sorted);
    if (!levels || !rank || !work || !sorted) return LEVY_MEMORY;
    LEVY_TRY(s->order ? walk_levels_by_order(s, n, levels, why)
                      : walk_levels_by_first(s, group, levels, why));
    for (uint32_t k = 0; k < n; ++k) sorted[k] = (walk_rank){levels[k], k};
    qsort(sorted, n, sizeof *sorted, walk_compare);
    for (uint32_t i = 0; i < n; ++i) rank[sorted[i].node] = i;
    levy_strategy_ordered(n, clock, rank, levy_sqrt, work, &walk->strategy);
    for (uint32_t i = 0; i < n; ++i)
        walk->strategy.entries[i].level = levels[walk->strategy.entries[i].node - 1];
    return LEVY_OK;
}

/* ---- Components ---- */

/* The walk visits components as an incremental one visits dates. */
static levy_status walk_components(uint32_t n, const double *clock, levy_arena *arena,
                                   levy_walk *walk, char *why)
{
    if (n > LEVY_MOST_COMPONENTS) {
        snprintf(why, LEVY_PLAN_WHY,
                 "construction pca supports at most %d dates, but this trade has %u; "
                 "use bridge",
                 LEVY_MOST_COMPONENTS, (unsigned)n);
        return LEVY_UNSUPPORTED;
    }
    walk->matrix = levy_arena_allocate(arena, n, n * sizeof *walk->matrix);
    walk->variance = levy_arena_allocate(arena, n, sizeof *walk->variance);
    if (!walk->matrix || !walk->variance) return LEVY_MEMORY;
    const levy_status status =
        levy_components_create(n, clock, arena, walk->matrix, walk->variance);
    if (status == LEVY_NUMERIC)
        snprintf(why, LEVY_PLAN_WHY,
                 "the principal components of this grid could not be computed; use "
                 "bridge");
    return status == LEVY_NUMERIC ? LEVY_UNSUPPORTED : status;
}

levy_status levy_walk_create(const levy_problem *problem, const levy_group *group,
                             const double *clock, levy_arena *arena, levy_walk *walk, char *why)
{
    const levy_simulation *const s = &problem->simulation;
    const uint32_t n = (uint32_t)group->n_nodes;
    *walk = (levy_walk){.construction = LEVY_WALK_BISECTION};
    LEVY_TRY(walk_arrays(n, arena, &walk->strategy));
    if (s->construction != LEVY_CONSTRUCTION_BRIDGE) {
        walk->construction =
            s->construction == LEVY_CONSTRUCTION_PCA ? LEVY_WALK_COMPONENTS : LEVY_WALK_INCREMENTAL;
        levy_strategy_incremental(n, clock, levy_sqrt, &walk->strategy);
        return walk->construction == LEVY_WALK_COMPONENTS
                   ? walk_components(n, clock, arena, walk, why)
                   : LEVY_OK;
    }
    if (s->order || s->first) {
        walk->construction = LEVY_WALK_ORDERED;
        return walk_ordered(problem, group, clock, arena, walk, why);
    }
    levy_strategy_bridge(n, clock, levy_sqrt, &walk->strategy);
    return LEVY_OK;
}
