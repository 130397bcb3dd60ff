/* cpu_order.h: the items of a tile as the path loops ask for them: sorted by dynamics, those of
 * equal dynamics together, and which of them share states. Part of cpu_isa.c, which alone includes
 * it, after the loops. Must not know: paths, sums. */
#ifndef LEVY_CPU_ORDER_H
#define LEVY_CPU_ORDER_H

#include "kernels/path/image.h"

/* The items of the tile, sorted by dynamics. */
typedef struct cpu_order {
    path_listed order[LEVY_MAX_TILE];
    uint32_t starts[LEVY_MAX_TILE_DYNAMICS + 1], state_of[LEVY_MAX_TILE];
    real drift_reach[LEVY_MAX_TILE_DYNAMICS];
} cpu_order;

/* The item whose states item i uses. Averages, for example, of one asset under one dynamics that
 * start alike have the same sums, whatever their strikes and spots. */
static uint32_t cpu_state_of(const levy_image_item *items, const real *reals,
                             const cpu_order *by_dynamics, uint32_t m, uint32_t n, uint32_t i)
{
    for (uint32_t k = by_dynamics->starts[m]; k < n && items[i].traits & LEVY_ITEM_SHARES; ++k) {
        const uint32_t j = by_dynamics->order[k].item;
        if (by_dynamics->state_of[j] == j && items[j].kind == items[i].kind &&
            items[j].flag == items[i].flag && items[j].n_flags == items[i].n_flags &&
            items[j].variant == items[i].variant &&
            reals[j * LEVY_ITEM_REALS + ITEM_START] == reals[i * LEVY_ITEM_REALS + ITEM_START])
            return j;
    }
    return i;
}

/* The first dynamics of the tile with the numbers of dynamics m. Today's market is there once for
 * each cluster of scenarios. */
static uint32_t cpu_alike(const levy_image *image, const path_view *view, uint32_t m)
{
    const size_t drifts = (size_t)image->n_nodes * image->n_assets,
                 factors = (size_t)image->n_assets * image->n_factors;
    if (image->covariance || image->has_cash || image->has_elapsed || image->model) return m;
    for (uint32_t k = 0; k < m; ++k)
        if (memcmp(view->factor + k * factors, view->factor + m * factors,
                   factors * sizeof(real)) == 0 &&
            memcmp(view->drift + k * drifts, view->drift + m * drifts, drifts * sizeof(real)) == 0)
            return k;
    return m;
}

/* The largest drift of an asset under dynamics m at any node, without its sign. */
static real cpu_drift_reach(const levy_image *image, const path_view *view, uint32_t m)
{
    const size_t drifts = (size_t)image->n_nodes * image->n_assets;
    real reach = R(0.0);
    for (size_t i = m * drifts; i < (m + 1) * drifts; ++i) {
        const real size = view->drift[i] < R(0.0) ? -view->drift[i] : view->drift[i];
        if (!(size <= reach)) reach = size;
    }
    return reach;
}

static void cpu_sort_items(const levy_image *image, const levy_tile *tile, const path_view *view,
                           cpu_order *by_dynamics)
{
    const levy_image_item *const items = view->items;
    const real *const reals = view->item_reals;
    uint32_t n = 0, alike[LEVY_MAX_TILE_DYNAMICS];
    for (uint32_t m = 0; m < tile->n_dynamics; ++m) {
        alike[m] = cpu_alike(image, view, m);
        by_dynamics->drift_reach[m] = cpu_drift_reach(image, view, m);
    }
    for (uint32_t m = 0; m < tile->n_dynamics; ++m) {
        by_dynamics->starts[m] = n;
        for (uint32_t i = 0; i < tile->n_items; ++i)
            if (alike[items[i].dynamics - tile->first_dynamics] == m) {
                by_dynamics->state_of[i] = cpu_state_of(items, reals, by_dynamics, m, n, i);
                by_dynamics->order[n++] = (path_listed){
                    i, by_dynamics->state_of[i] == i ? LEVY_ITEM_MASK(&items[i]) : 0, items[i].kind,
                    items[i].variant, !(items[i].traits & LEVY_ITEM_LONG)};
            }
    }
    by_dynamics->starts[tile->n_dynamics] = n;
}

#endif
