/* path_items.h: what items are given at a node, and the one place that picks how they observe and
 * settle. Each way is a file with the same two functions. observe(s, node, flags, driver): the
 * items see a node; if PATH_always, no flag is read. settle(s, values): what they pay, after the
 * last node. Part of loop.h, which alone includes it, once per shape. Must not know: how drivers
 * are built. */

/* The bits of the item's schedules that contain the node. */
LANE_FN uint32_t PATH_NAME(events)(const levy_image_item *item, uint32_t flags)
{
    const uint32_t all = (1u << item->n_flags) - 1u;
    return PATH_always ? all : flags >> item->flag & all;
}

/* An item's own numbers at a node. */
LANE_FN const real *PATH_NAME(node_terms)(const path_view *v, uint32_t i, uint32_t node)
{
    return v->node_terms + v->items[i].node_terms + (uint64_t)node * v->items[i].n_node_terms;
}

/* The terms that the lanes of an item read: of one with a program its constants, which lie before
 * its numbers at the nodes. */
LANE_FN const real *PATH_NAME(terms)(const path_view *v, uint32_t kind, uint32_t i)
{
    if (kind == PAYOFF_SCRIPT)
        return v->node_terms + v->items[i].node_terms - v->items[i].n_constants;
    return v->item_reals + i * LEVY_ITEM_REALS;
}

LANE_FN basket_level PATH_NAME(level_of)(PATH_NAME(state) *s, uint32_t i, const lane *gross_return,
                                         const lane *log_return)
{
    const path_view *const v = s->v;
    return basket_value(PATH_item_aggregate(i), v->coefficients + i * PATH_assets, gross_return,
                        log_return, PATH_assets);
}

/* The node's draw outside the bridge that payoffs may use. */
LANE_FN lane_word PATH_NAME(auxiliary)(PATH_NAME(state) *s, uint32_t node)
{
    const path_view *const v = s->v;
    (void)v;
    if (PATH_auxiliary <= PATH_model_draws) return lane_word_of(0);
    return PATH_NAME(word)(s, PATH_nodes * PATH_factors + node * PATH_auxiliary + PATH_model_draws);
}

/* Shows the items of dynamics m its returns at a node, and takes off the node's dividends. */
LANE_FN void PATH_NAME(see)(PATH_NAME(state) *s, uint32_t m, uint32_t node, uint32_t flags,
                            lane *gross_return, lane *log_return, payoff_seen *seen)
{
    const path_view *const v = s->v;
    (void)v;
    seen->before = log_return[0];
    seen->node = node;
    seen->gross = gross_return;
    seen->logs = log_return;
    seen->slopes = PATH_integrated && PATH_model != 0 ? PATH_NAME(model_slopes)(s, m) : 0;
    seen->variances = seen->integrals = 0;
    if (PATH_varies) {
        seen->variances = PATH_NAME(model_variances)(s, m, 0);
        seen->integrals = PATH_NAME(model_variances)(s, m, 1);
    }
    seen->n_assets = PATH_assets;
    if (PATH_cash && flags >> PATH_CASH_BIT)
        PATH_NAME(dividends)(s, m, node, gross_return, log_return);
}

#include "kernels/path/programs.h"

#if PATH_product
#include "kernels/path/items_products.h"
#elif PATH_unrolled
#include "kernels/path/items_unrolled.h"
#elif PATH_sweep
#include "kernels/path/items_sweep.h"
#elif PATH_same_dates
#include "kernels/path/items_blocks.h"
#elif PATH_deferred
#include "kernels/path/items_later.h"
#elif PATH_streams
#include "kernels/path/items_streamed.h"
#elif PATH_by_dynamics
#include "kernels/path/items_by_dynamics.h"
#else
#include "kernels/path/items_each.h"
#endif
