/* items_each.h: each item sees the returns of its dynamics, one dynamics after the other. The way
 * of all items that no other file of items.h takes. Part of items.h, which alone includes it. */

/* Item i observes a node. */
LANE_FN void PATH_NAME(observe_item)(PATH_NAME(state) *s, uint32_t i, uint32_t node, uint32_t flags,
                                     payoff_seen *seen)
{
    const path_view *const v = s->v;
    if (PATH_plain) {
        s->item[i][0] = payoff_observe_plain(PATH_item_kind(i), PATH_item_variant(i),
                                             v->item_reals + i * LEVY_ITEM_REALS, s->item[i][0],
                                             PATH_NAME(level_of)(s, i, seen->gross, seen->logs));
        return;
    }
    seen->weights = v->coefficients + i * PATH_assets;
    seen->events = PATH_NAME(events)(&v->items[i], flags);
    if (PATH_NAME(observe_program)(s, i, node, seen)) return; /* it reads no level of a basket */
    seen->level = PATH_NAME(level_of)(s, i, seen->gross, seen->logs);
    seen->kept = s->kept + i * PATH_kept;
    payoff_observe(PATH_item_kind(i), PATH_item_variant(i),
                   PATH_NAME(terms)(v, PATH_item_kind(i), i), PATH_NAME(node_terms)(v, i, node),
                   seen, s->item[i]);
}

#include "kernels/path/observe_each.h"
#include "kernels/path/settle_each.h"

#if !LANE_GPU
/* One average on one asset, four nodes at a time: it only observes, so no node waits for it. */
LANE_FN uint32_t PATH_NAME(arrive_by_four)(PATH_NAME(state) *s, uint32_t node, uint32_t ready)
{
    const path_view *const v = s->v;
    lane sum = s->item[0][0];
    for (; node + 4 <= ready; node += 4) {
        lane log_return[4], gross_return[4];
        LANE_UNROLL for (uint32_t i = 0; i < 4; ++i) log_return[i] = black_scholes_level(
            lane_of(v->drift[node + i]), v->factor, v->drivers + node + i + 1, 1);
        PATH_NAME(exp_four)(v, log_return, gross_return, 0);
        LANE_UNROLL for (uint32_t i = 0; i < 4; ++i) if (v->flags[node + i] & s->observe[0]) sum =
            payoff_observe_plain(PATH_item_kind(0), PATH_item_variant(0), v->item_reals, sum,
                                 (basket_level){gross_return[i], log_return[i]});
    }
    s->item[0][0] = sum;
    s->last_driver[0] = v->drivers[node];
    return node;
}

/* The nodes [node, ready) arrive, if the items take several at a time. Returns the first node that
 * has not. */
LANE_FN uint32_t PATH_NAME(arrive_together)(PATH_NAME(state) *s, uint32_t node, uint32_t ready)
{
    return PATH_average ? PATH_NAME(arrive_by_four)(s, node, ready) : node;
}
#endif
