/* items_unrolled.h: a few items of a sweep (sweep.h) that see the same sum of few assets, on a GPU.
 * Each has code of its own: it knows the asset that its dynamics moves, takes the sum up to there
 * from the first dynamics, and has its state in registers. Part of items.h, which alone includes
 * it. Must not know: models. */

/* The items' levels. A sum takes its terms in the order of the assets, so up to the moved one it is
 * the first dynamics'. */
LANE_FN void PATH_NAME(unrolled_levels)(PATH_NAME(state) *s, uint32_t node, const lane *driver,
                                        lane *level)
{
    const path_view *const v = s->v;
    lane gross_return[PATH_MAX_ASSETS], log_return[PATH_MAX_ASSETS], sum[PATH_MAX_ASSETS];
    PATH_NAME(gross_returns)(s, 0, node, driver, gross_return, log_return);
    PATH_UNROLL
    for (uint32_t a = 0; a < PATH_assets; ++a)
        sum[a] = a == 0 ? gross_return[0] * v->coefficients[0]
                        : lane_fma(lane_of(v->coefficients[a]), gross_return[a], sum[a - 1]);
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_items; ++i) {
        const uint32_t moved = PATH_NAME(item_moved)(i);
        level[i] = sum[PATH_assets - 1];
        if (moved == PATH_assets) continue;
        const real *const factor = v->factor + (PATH_assets + i) * PATH_factors; /* fused_factors */
        const lane drift = lane_of(PATH_NAME(node_number)(v, i, node));
        const lane own =
            PATH_NAME(exp)(v, black_scholes_level(drift, factor, driver, PATH_factors));
        level[i] = moved == 0
                       ? own * v->coefficients[0]
                       : lane_fma(lane_of(v->coefficients[moved]), own, sum[moved ? moved - 1 : 0]);
        PATH_UNROLL
        for (uint32_t a = 0; a < PATH_assets; ++a)
            if (a > moved)
                level[i] = lane_fma(lane_of(v->coefficients[a]), gross_return[a], level[i]);
    }
}

LANE_FN void PATH_NAME(observe)(PATH_NAME(state) *s, uint32_t node, uint32_t flags,
                                const lane *driver)
{
    const path_view *const v = s->v;
    lane level[PATH_items];
    if (!PATH_always && !(flags & s->observe[0])) return;
    PATH_NAME(unrolled_levels)(s, node, driver, level);
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_items; ++i) {
        const basket_level seen_level = {level[i], level[i]};
        s->item[i][0] =
            payoff_observe_plain(PATH_item_kind(0), PATH_item_variant(0),
                                 v->item_reals + i * LEVY_ITEM_REALS, s->item[i][0], seen_level);
    }
}

LANE_FN void PATH_NAME(settle)(PATH_NAME(state) *s, lane *values)
{
    const path_view *const v = s->v;
    lane level[PATH_items];
    PATH_NAME(unrolled_levels)(s, PATH_nodes - 1, s->last_driver, level);
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_items; ++i)
        values[i] =
            payoff_settle(PATH_item_kind(0), PATH_item_variant(0),
                          v->item_reals + i * LEVY_ITEM_REALS, s->item[i], s->kept, level[i]);
}
