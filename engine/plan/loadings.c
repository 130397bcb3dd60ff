/* loadings.c: see loadings.h. */
#include "engine/plan/loadings.h"

#include <string.h>

/* The entries' normals where the first draw is 1 and all others are 0: functionals spread it. */
static void loadings_normals(const levy_build_order *order, double *normals)
{
    const levy_functionals *const f = &order->functionals;
    for (uint32_t i = 0; i < order->strategy.n_nodes; ++i) {
        normals[i] = i == 0 ? 1.0 : 0.0;
        for (uint32_t j = 0; j < f->n; ++j) normals[i] += f->spread[i * f->n + j] * f->gather[j];
    }
}

/* The path loop's traversal: on the left is the last node emitted, on the right the top of the
 * stack. */
static void loadings_bridge(const levy_strategy *s, const double *normals, double *stack,
                            double *driver)
{
    uint32_t top = 0, entry = 0;
    double left = 0.0;
    stack[0] = 0.0;
    for (uint32_t node = 0; node < s->n_nodes; ++node) {
        for (uint32_t n = s->descents[node]; n > 0; --n, ++entry, ++top) {
            const levy_strategy_entry *const e = &s->entries[entry];
            stack[top + 1] = e->left * left + e->right * stack[top] + e->deviation * normals[entry];
        }
        driver[node] = left = stack[top--];
    }
}

levy_status levy_loadings_driver(const levy_build_order *order, levy_arena *arena, double *driver)
{
    const size_t n = order->strategy.n_nodes;
    if (order->matrix) {
        for (size_t k = 0; k < n; ++k) driver[k] = order->matrix[k * n];
        return LEVY_OK;
    }
    double *const normals = levy_arena_allocate(arena, n, sizeof *normals);
    double *const stack = levy_arena_allocate(arena, n + 1, sizeof *stack);
    if (!normals || !stack) return LEVY_MEMORY;
    loadings_normals(order, normals);
    loadings_bridge(&order->strategy, normals, stack, driver);
    return LEVY_OK;
}

void levy_loadings_asset(const levy_dynamics_plan *p, const double *driver, const double *factor,
                         const double *elapsed_share, size_t u, double *loading)
{
    double before = 0.0, sum = 0.0;
    for (size_t k = 0; k < p->group->n_nodes; ++k) {
        const size_t row = p->per_interval ? k * p->n_assets + u : u;
        sum += factor[row * p->n_factors] * (1.0 - elapsed_share[k]) * (driver[k] - before);
        before = driver[k];
        loading[k] = sum;
    }
}
