/* items_later.h: items with programs on a GPU whose segments run after the path: the dates save
 * what these need. Part of items.h, which alone includes it. */

LANE_FN void PATH_NAME(observe)(PATH_NAME(state) *s, uint32_t node, uint32_t flags,
                                const lane *driver)
{
    const path_view *const v = s->v;
    payoff_seen seen;
    if (!PATH_always && flags == 0) return;
    seen.auxiliary = PATH_NAME(auxiliary)(s, node);
    if (PATH_grown) s->first = PATH_NAME(first_return)(v, node, driver);
    PATH_UNROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) {
        lane gross_return[PATH_MAX_ASSETS], log_return[PATH_MAX_ASSETS];
        PATH_NAME(gross_returns)(s, m, node, driver, gross_return, log_return);
        PATH_NAME(see)(s, m, node, flags, gross_return, log_return, &seen);
        PATH_UNROLL
        PATH_EACH_ITEM(m, i)
        {
            if (!PATH_always && !(flags & s->observe[i])) continue;
            seen.weights = v->coefficients + i * PATH_assets;
            seen.events = PATH_NAME(events)(&v->items[i], flags);
            seen.segments = &s->segments[i];
            script_observe(PATH_item_variant(i), s->node_terms[i] - PATH_NAME(item_constants)(i),
                           s->node_terms[i] + (uint64_t)node * PATH_NAME(item_node_terms)(i), &seen,
                           s->item[i]);
        }
    }
}

#include "kernels/path/settle_later.h"
