/* items_streamed.h: one plain item on a sum or an extreme of many assets, on a GPU: a tile of
 * assets joins its level where their returns are made. Part of items.h, which alone includes it. */

/* The only item's level. No return goes to memory. */
LANE_FN basket_level PATH_NAME(streamed)(PATH_NAME(state) *s, uint32_t node, const lane *driver)
{
    const path_view *const v = s->v;
    basket_level level = {lane_of(R(0.0)), lane_of(R(0.0))};
    PATH_ROLL
    for (uint32_t known = 0; known < PATH_assets; known += BLACK_SCHOLES_TILE) {
        const uint32_t first = PATH_NAME(tile_first)(known);
        lane sum[BLACK_SCHOLES_TILE];
        PATH_NAME(tile)(s, 0, node * PATH_assets, first, driver, sum);
        PATH_UNROLL
        for (uint32_t k = 0; k < BLACK_SCHOLES_TILE; ++k) {
            const lane gross_return = PATH_NAME(exp)(v, sum[k]);
            const real coefficient = v->coefficients[first + k];
            if (first + k == 0)
                level.x = gross_return * coefficient;
            else if (first + k >= known)
                level.x = basket_next(PATH_item_aggregate(0), level.x, coefficient, gross_return);
        }
    }
    return level;
}

LANE_FN void PATH_NAME(observe)(PATH_NAME(state) *s, uint32_t node, uint32_t flags,
                                const lane *driver)
{
    const path_view *const v = s->v;
    if (!PATH_always && !(flags & s->observe[0])) return;
    s->item[0][0] = payoff_observe_plain(PATH_item_kind(0), PATH_item_variant(0), v->item_reals,
                                         s->item[0][0], PATH_NAME(streamed)(s, node, driver));
}

#include "kernels/path/settle_each.h"
