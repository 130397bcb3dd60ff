/* items_by_dynamics.h: many items of one asset on a CPU, listed by dynamics: each sees the gross
 * return of its own. Part of items.h, which alone includes it. */

/* The items of dynamics m observe a node. */
LANE_FN void PATH_NAME(observe_dynamics)(PATH_NAME(state) *s, uint32_t m, uint32_t node,
                                         uint32_t flags, payoff_seen *seen)
{
    const path_view *const v = s->v;
    for (uint32_t k = v->starts[m]; k < v->starts[m + 1]; ++k) {
        const path_listed *const it = &v->order[k];
        if (!(flags & it->observe)) continue;
        lane *const state = s->item[it->item];
        const real *const terms = v->item_reals + it->item * LEVY_ITEM_REALS;
        if (it->is_plain) {
            state[0] = payoff_observe_plain(it->kind, it->variant, terms, state[0], seen->level);
            continue;
        }
        seen->weights = v->coefficients + it->item;
        seen->events = PATH_NAME(events)(&v->items[it->item], flags);
        seen->kept = s->kept + it->item * PATH_kept;
        payoff_observe(it->kind, it->variant, terms, PATH_NAME(node_terms)(v, it->item, node), seen,
                       state);
    }
}

/* The returns of all dynamics come first: their exponentials are chains that run side by side. */
LANE_FN void PATH_NAME(observe)(PATH_NAME(state) *s, uint32_t node, uint32_t flags,
                                const lane *driver)
{
    const path_view *const v = s->v;
    lane gross_returns[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS],
        log_returns[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS];
    payoff_seen seen;
    if (!PATH_always && flags == 0) return;
    seen.auxiliary = PATH_NAME(auxiliary)(s, node);
    if (PATH_grown) s->first = PATH_NAME(first_return)(v, node, driver);
    for (uint32_t m = 0; m < PATH_dynamics; ++m)
        PATH_NAME(gross_returns)(s, m, node, driver, gross_returns[m], log_returns[m]);
    for (uint32_t m = 0; m < PATH_dynamics; ++m) {
        PATH_NAME(see)(s, m, node, flags, gross_returns[m], log_returns[m], &seen);
        seen.level.x = gross_returns[m][0];
        seen.level.log_x = log_returns[m][0];
        PATH_NAME(observe_dynamics)(s, m, node, flags, &seen);
    }
}

/* Is any floating-strike average priced under dynamics m? */
LANE_FN int PATH_NAME(ends_on_level)(const path_view *v, uint32_t m)
{
    uint32_t variants = 0;
    for (uint32_t k = v->starts[m]; k < v->starts[m + 1]; ++k) variants |= v->order[k].variant;
    return (variants & ASIAN_STRIKE) != 0;
}

/* Dynamics whose items are listed under an equal one have none. Many need no last level. */
LANE_FN void PATH_NAME(settle)(PATH_NAME(state) *s, lane *values)
{
    const path_view *const v = s->v;
    if (PATH_grown) s->first = PATH_NAME(first_return)(v, PATH_nodes - 1, s->last_driver);
    for (uint32_t m = 0; m < PATH_dynamics; ++m) {
        if (v->starts[m] == v->starts[m + 1]) continue;
        lane gross_return[PATH_MAX_ASSETS] = {lane_of(R(0.0))},
             log_return[PATH_MAX_ASSETS] = {lane_of(R(0.0))};
        if (!PATH_averages || PATH_NAME(ends_on_level)(v, m))
            PATH_NAME(gross_returns)(s, m, PATH_nodes - 1, s->last_driver, gross_return,
                                     log_return);
        PATH_EACH_ITEM(m, i)
        {
            values[i] = payoff_settle(PATH_item_kind(i), PATH_item_variant(i),
                                      v->item_reals + i * LEVY_ITEM_REALS, s->item[v->state_of[i]],
                                      s->kept + v->state_of[i] * PATH_kept,
                                      PATH_NAME(level_of)(s, i, gross_return, log_return).x);
            if (PATH_model) values[i] = PATH_NAME(model_settle)(s, m, values[i]);
        }
    }
}

#include "kernels/path/averages.h"

/* The nodes [node, ready) arrive, if the items take several at a time. Returns the first node that
 * has not. */
LANE_FN uint32_t PATH_NAME(arrive_together)(PATH_NAME(state) *s, uint32_t node, uint32_t ready)
{
    return PATH_averages ? PATH_NAME(arrive_averages)(s, node, ready) : node;
}
