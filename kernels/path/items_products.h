/* items_products.h: levels of baskets of many assets at a node, by products of drivers and factors
 * that the threads of a warp share. Part of items.h, for a GPU. Must not know: how drivers are
 * built.
 *
 * A load on a GPU costs by the words that it delivers to threads, so a thread that multiplied its
 * own few paths would spend its time on factors (components.h does the same for nodes). The drivers
 * of all paths of a warp stand in shared memory instead, [driver][path], and so do the factors. The
 * warp's threads sum a pass of assets in registers. In double they hand the gross returns to the
 * paths' owners, a run of assets at a time, who add them to their baskets in the assets' order; in
 * single they add what they have, and hand on the sums. */
enum {
    /* assets of a tile, and rows that a warp shows itself at a time */
    PRODUCT_RUN = 8,
    PRODUCT_PATHS = 32 * LEVY_LANES, /* of a warp: a row */
    PRODUCT_TILES = PRODUCT_PATHS / 16,
    PRODUCT_PASS = PATH_product, /* assets whose returns are summed together */
    PRODUCT_RUNS = PRODUCT_PASS / PRODUCT_RUN,
    PRODUCT_ASSETS = (PATH_assets + PRODUCT_PASS - 1) / PRODUCT_PASS * PRODUCT_PASS
};

/* What a thread sums, [run of assets][tile of paths]: two paths of the tile, each at assets 2
 * `along` and 2 `along` + 1 of the run. In double they are paths `across` and `across` + 8 of the
 * tile; in single tile m has paths 2 m and 2 m + 1 of those that the thread's quad owns. */
typedef struct product_sums {
    real of[PRODUCT_RUNS][PRODUCT_TILES][4];
} product_sums;

#if defined(LANE_SINGLE)
#include "kernels/path/products_single.h"
#else
#include "kernels/path/products_double.h"
#endif

/* The drifts of a pass of assets from `first` on. Of assets past the last one nobody reads the
 * sums.
 */
LANE_FN void PATH_NAME(product_start)(PATH_NAME(state) *s, uint32_t node, uint32_t first,
                                      product_sums *sums)
{
    const path_view *const v = s->v;
    PATH_UNROLL
    for (uint32_t k = 0; k < PRODUCT_RUNS; ++k) PATH_UNROLL
    for (uint32_t i = 0; i < 2; ++i) {
        const uint32_t asset = first + k * PRODUCT_RUN + 2 * matrix_along() + i,
                       known = asset < PATH_assets ? asset : PATH_assets - 1;
        const real drift = v->drift[node * PATH_assets + known];
        PATH_UNROLL
        for (uint32_t m = 0; m < PRODUCT_TILES; ++m)
            sums->of[k][m][i] = sums->of[k][m][2 + i] = drift;
    }
}

LANE_FN const real *product_factors(const path_view *v, uint32_t first)
{
    return v->factor_rows + first * PRODUCT_STRIDE;
}

/* The thread's own drivers from `first` on, and zeros after the last. */
LANE_FN void product_run(const lane *driver, uint32_t first, lane run[PRODUCT_RUN])
{
    PATH_UNROLL
    for (uint32_t i = 0; i < PRODUCT_RUN; ++i)
        run[i] = first + i < PATH_factors ? driver[first + i] : lane_of(R(0.0));
}

/* Shows them to the warp. */
LANE_FN void product_show(const path_view *v, const lane run[PRODUCT_RUN])
{
    __syncwarp();
    PATH_UNROLL
    for (uint32_t i = 0; i < PRODUCT_RUN; ++i)
        ((path_own *)(v->shown + i * PRODUCT_PATHS + PATH_own_place(i)))->z = run[i];
    __syncwarp();
}

/* The log returns of a pass of assets from `first` on. */
LANE_FN void PATH_NAME(product)(PATH_NAME(state) *s, uint32_t node, uint32_t first,
                                const lane *driver, product_sums *sums)
{
    const path_view *const v = s->v;
    const real *const factors = product_factors(v, first);
    PATH_NAME(product_start)(s, node, first, sums);
    if (PATH_held) {
        product_add_all(v->held, factors, PATH_factors, sums);
        return;
    }
    lane run[PRODUCT_RUN], next[PRODUCT_RUN];
    product_run(driver, 0, next);
    PATH_ROLL
    for (uint32_t f = 0; f < PATH_factors; f += PRODUCT_RUN) {
        const uint32_t remaining = PATH_factors - f;
        PATH_UNROLL
        for (uint32_t i = 0; i < PRODUCT_RUN; ++i) run[i] = next[i];
        product_run(driver, f + PRODUCT_RUN, next); /* it comes while this one is multiplied */
        product_show(v, run);
        product_add_all(v->shown, factors + f, remaining < PRODUCT_RUN ? remaining : PRODUCT_RUN,
                        sums);
    }
}

/* The items observe a node. The last one's levels are what they settle on, observed or not. */
LANE_FN void PATH_NAME(observe)(PATH_NAME(state) *s, uint32_t node, uint32_t flags,
                                const lane *driver)
{
    const path_view *const v = s->v;
    uint32_t observed = PATH_always;
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_items; ++i) observed |= flags & s->observe[i];
    if (!observed && node + 1 < PATH_nodes) return;
    __syncwarp();
    product_level level[PATH_items];
    PATH_ROLL
    for (uint32_t first = 0; first < PATH_assets; first += PRODUCT_PASS) {
        product_sums sums;
        PATH_NAME(product)(s, node, first, driver, &sums);
        PATH_NAME(product_baskets)(v, first, &sums, level);
    }
    product_end(level, s->last_level);
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_items; ++i) {
        const basket_level last = {s->last_level[i], lane_of(R(0.0))};
        if (PATH_always || flags & s->observe[i])
            s->item[i][0] =
                payoff_observe_plain(PATH_item_kind(i), PATH_item_variant(i),
                                     v->item_reals + i * LEVY_ITEM_REALS, s->item[i][0], last);
    }
}

/* What all items pay. */
LANE_FN void PATH_NAME(settle)(PATH_NAME(state) *s, lane *values)
{
    const path_view *const v = s->v;
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_items; ++i)
        values[i] = payoff_settle(PATH_item_kind(i), PATH_item_variant(i),
                                  v->item_reals + i * LEVY_ITEM_REALS, s->item[i], s->kept,
                                  s->last_level[i]);
}
