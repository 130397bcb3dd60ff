/* items_later.h: items with programs on a GPU whose segments run after the path: the dates save
 * what these need. Part of items.h, which alone includes it. */

/* Item i observes a node. */
LANE_FN void PATH_NAME(observe_item)(PATH_NAME(state) *s, uint32_t i, uint32_t node, uint32_t flags,
                                     payoff_seen *seen)
{
    const path_view *const v = s->v;
    seen->weights = v->coefficients + i * PATH_assets;
    seen->events = PATH_NAME(events)(&v->items[i], flags);
    seen->segments = &s->segments[i];
    script_observe(PATH_item_variant(i), s->node_terms[i] - PATH_NAME(item_constants)(i),
                   s->node_terms[i] + (uint64_t)node * PATH_NAME(item_node_terms)(i), seen,
                   s->item[i]);
}

#include "kernels/path/observe_each.h"
#include "kernels/path/settle_later.h"
