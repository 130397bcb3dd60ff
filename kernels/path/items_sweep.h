/* items_sweep.h: the items of a sweep (sweep.h) on a GPU. The returns of the first dynamics are
 * made once; for each item, that of the asset which its own dynamics moves takes its place.
 * PATH_sweep items go side by side, so that a driver and a return are read once for all of them.
 * The same code serves all items, so their states lie in local memory. Part of items.h, which alone
 * includes it. Must not know: models. */

/* Items that go side by side: `item` in the tile, and of its dynamics the moved asset. */
typedef struct PATH_NAME(swept) {
    uint32_t item[PATH_sweep], moved[PATH_sweep];
    lane log_return[PATH_sweep], gross_return[PATH_sweep]; /* of the moved asset */
} PATH_NAME(swept);

/* The items from `first` on, the last one again where there are too few, with their returns. */
LANE_FN PATH_NAME(swept)
    PATH_NAME(sweep_from)(PATH_NAME(state) *s, uint32_t first, uint32_t node, const lane *driver)
{
    const path_view *const v = s->v;
    PATH_NAME(swept) swept;
    const real *factor[PATH_sweep];
    PATH_UNROLL
    for (uint32_t j = 0; j < PATH_sweep; ++j) {
        const uint32_t i = first + j < PATH_items ? first + j : PATH_items - 1,
                       m = v->items[i].dynamics, moved = v->moved[m],
                       a = moved < PATH_assets ? moved : 0;
        swept.item[j] = i;
        swept.moved[j] = moved;
        factor[j] = v->all_factor + (m * PATH_assets + a) * PATH_factors;
        swept.log_return[j] = lane_of(v->all_drift[(m * PATH_nodes + node) * PATH_assets + a]);
    }
#if PATH_factors % 4 == 0
    _Pragma("unroll 4") for (uint32_t f = 0; f < PATH_factors; f += 4)
    {
        lane z[4];
        PATH_UNROLL
        for (uint32_t k = 0; k < 4; ++k) z[k] = PATH_NAME(driver_at)(s, driver, f + k);
        PATH_UNROLL
        for (uint32_t j = 0; j < PATH_sweep; ++j) {
            const black_scholes_quad quad = *(const black_scholes_quad *)(factor[j] + f);
            PATH_UNROLL
            for (uint32_t k = 0; k < 4; ++k)
                swept.log_return[j] = lane_fma(lane_of(quad.factor[k]), z[k], swept.log_return[j]);
        }
    }
#else
    PATH_EACH
    for (uint32_t f = 0; f < PATH_factors; ++f) {
        const lane z = PATH_NAME(driver_at)(s, driver, f);
        PATH_UNROLL
        for (uint32_t j = 0; j < PATH_sweep; ++j)
            swept.log_return[j] = lane_fma(lane_of(factor[j][f]), z, swept.log_return[j]);
    }
#endif
    PATH_UNROLL
    for (uint32_t j = 0; j < PATH_sweep; ++j)
        swept.gross_return[j] = PATH_NAME(exp)(v, swept.log_return[j]);
    return swept;
}

/* All returns that item j sees. */
LANE_FN void PATH_NAME(sweep_returns)(const PATH_NAME(swept) *swept, uint32_t j,
                                      const lane *gross_return, const lane *log_return, lane *gross,
                                      lane *log)
{
    PATH_EACH
    for (uint32_t a = 0; a < PATH_assets; ++a) {
        log[a] = a == swept->moved[j] ? swept->log_return[j] : log_return[a];
        gross[a] = a == swept->moved[j] ? swept->gross_return[j] : gross_return[a];
    }
}

/* The items' levels. Sums go side by side, term by term. */
LANE_FN void PATH_NAME(sweep_levels)(PATH_NAME(state) *s, const PATH_NAME(swept) *swept,
                                     const lane *gross_return, const lane *log_return,
                                     basket_level *level)
{
    const path_view *const v = s->v;
    if (PATH_item_aggregate(0) == BASKET_SUM) {
        PATH_EACH
        for (uint32_t a = 0; a < PATH_assets; ++a) PATH_UNROLL
        for (uint32_t j = 0; j < PATH_sweep; ++j) {
            const lane own = a == swept->moved[j] ? swept->gross_return[j] : gross_return[a];
            const real weight = v->coefficients[swept->item[j] * PATH_assets + a];
            level[j].x = a == 0 ? own * weight : lane_fma(lane_of(weight), own, level[j].x);
        }
        return;
    }
    PATH_UNROLL
    for (uint32_t j = 0; j < PATH_sweep; ++j) {
        lane gross[PATH_MAX_ASSETS], log[PATH_MAX_ASSETS];
        PATH_NAME(sweep_returns)(swept, j, gross_return, log_return, gross, log);
        level[j] =
            basket_value(PATH_item_aggregate(0), v->coefficients + swept->item[j] * PATH_assets,
                         gross, log, PATH_assets);
    }
}

/* An item that is not plain observes. */
LANE_FN void PATH_NAME(sweep_observe)(PATH_NAME(state) *s, const PATH_NAME(swept) *swept,
                                      uint32_t j, uint32_t node, uint32_t flags,
                                      const lane *gross_return, const lane *log_return,
                                      payoff_seen *seen, basket_level level)
{
    const path_view *const v = s->v;
    const uint32_t i = swept->item[j];
    lane gross[PATH_MAX_ASSETS], log[PATH_MAX_ASSETS];
    PATH_NAME(sweep_returns)(swept, j, gross_return, log_return, gross, log);
    seen->before = log[0];
    seen->gross = gross;
    seen->n_assets = PATH_assets;
    seen->weights = v->coefficients + i * PATH_assets;
    seen->level = level;
    seen->events = PATH_NAME(events)(&v->items[i], flags);
    payoff_observe(PATH_item_kind(0), PATH_item_variant(0),
                   PATH_NAME(terms)(v, PATH_item_kind(0), i), PATH_NAME(node_terms)(v, i, node),
                   seen, s->item[i]);
}

LANE_FN void PATH_NAME(observe)(PATH_NAME(state) *s, uint32_t node, uint32_t flags,
                                const lane *driver)
{
    const path_view *const v = s->v;
    lane gross_return[PATH_MAX_ASSETS], log_return[PATH_MAX_ASSETS];
    payoff_seen seen;
    if (!PATH_always && !(flags & s->observe[0])) return;
    seen.auxiliary = PATH_NAME(auxiliary)(s, node);
    PATH_NAME(gross_returns)(s, 0, node, driver, gross_return, log_return);
    PATH_ROLL
    for (uint32_t first = 0; first < PATH_items; first += PATH_sweep) {
        const PATH_NAME(swept) swept = PATH_NAME(sweep_from)(s, first, node, driver);
        basket_level level[PATH_sweep];
        lane carried[PATH_sweep];
        PATH_NAME(sweep_levels)(s, &swept, gross_return, log_return, level);
        PATH_UNROLL
        for (uint32_t j = 0; j < PATH_sweep; ++j) carried[j] = s->item[swept.item[j]][0];
        PATH_UNROLL
        for (uint32_t j = 0; j < PATH_sweep; ++j) {
            if (first + j >= PATH_items) break;
            if (payoff_is_plain(PATH_item_kind(0), PATH_item_variant(0)))
                s->item[swept.item[j]][0] = payoff_observe_plain(
                    PATH_item_kind(0), PATH_item_variant(0),
                    v->item_reals + swept.item[j] * LEVY_ITEM_REALS, carried[j], level[j]);
            else
                PATH_NAME(sweep_observe)(s, &swept, j, node, flags, gross_return, log_return, &seen,
                                         level[j]);
        }
    }
}

LANE_FN void PATH_NAME(settle)(PATH_NAME(state) *s, lane *values)
{
    const path_view *const v = s->v;
    lane gross_return[PATH_MAX_ASSETS], log_return[PATH_MAX_ASSETS];
    PATH_NAME(gross_returns)(s, 0, PATH_nodes - 1, s->last_driver, gross_return, log_return);
    PATH_ROLL
    for (uint32_t first = 0; first < PATH_items; first += PATH_sweep) {
        const PATH_NAME(swept) swept =
            PATH_NAME(sweep_from)(s, first, PATH_nodes - 1, s->last_driver);
        basket_level level[PATH_sweep];
        PATH_NAME(sweep_levels)(s, &swept, gross_return, log_return, level);
        PATH_UNROLL
        for (uint32_t j = 0; j < PATH_sweep; ++j)
            values[swept.item[j]] = payoff_settle(PATH_item_kind(0), PATH_item_variant(0),
                                                  v->item_reals + swept.item[j] * LEVY_ITEM_REALS,
                                                  s->item[swept.item[j]], s->kept, level[j].x);
    }
}
