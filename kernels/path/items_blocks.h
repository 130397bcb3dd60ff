/* items_blocks.h: items of one program with the same dates on a GPU, whose segments run after the
 * path: a block of all items at a time, so that they need not wait for each other's numbers. A CTA
 * has these in shared memory, a few nodes at a time: as copies, or as a table of thresholds. Part
 * of items.h, which alone includes it. */

#if PATH_terms_copied
/* The items' own numbers at a few nodes, which a CTA copies to shared memory together: a warp that
 * asks for them node by node waits for the second cache, since all nodes do not fit into the first
 * one. */
enum {
    PATH_terms = PATH_NAME(list_item_node_terms)[0],
    PATH_terms_of_node = PATH_items * PATH_terms,
    PATH_terms_nodes = PATH_terms ? LEVY_NODE_NUMBERS / (PATH_terms_of_node * sizeof(real)) : 1
};
static_assert(PATH_terms_nodes > 0, "a node's numbers take more than the copy");
static __shared__ real PATH_NAME(terms_copy)[PATH_terms_nodes * PATH_terms_of_node + 1];

/* Every thread of the CTA is at the node. */
LANE_FN void PATH_NAME(copy_terms)(const PATH_NAME(state) *s, uint32_t node)
{
    const path_view *const v = s->v;
    const uint32_t remaining = PATH_nodes - node,
                   n = remaining < PATH_terms_nodes ? remaining : (uint32_t)PATH_terms_nodes;
    if (PATH_terms == 0 || node % PATH_terms_nodes != 0) return;
    __syncthreads();
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_items; ++i)
        for (uint32_t k = threadIdx.x; k < n * PATH_terms; k += LEVY_COLUMNS)
            PATH_NAME(terms_copy)[i * PATH_terms_nodes * PATH_terms + k] =
                s->node_terms[i][(uint64_t)node * PATH_terms + k];
    __syncthreads();
    (void)v;
}
#endif

#if PATH_thresholds_made
/* The table of thresholds at a few nodes (kernels/cuda/compile/thresholds.h), which a CTA makes
 * together: [node][numbers of each item, rows of each dynamics]. */
enum {
    PATH_threshold_reals = PATH_items * SCRIPT_TABLE_NUMBERS + PATH_dynamics * SCRIPT_TABLE_ROWS,
    PATH_threshold_nodes = LEVY_NODE_NUMBERS / (PATH_threshold_reals * sizeof(real))
};
static_assert(PATH_threshold_nodes > 0, "a node's thresholds take more than the table");
static __shared__ LANE_ALIGNED(16) real
    PATH_NAME(thresholds)[PATH_threshold_nodes * PATH_threshold_reals];

/* The first item under dynamics m. A tile may have dynamics that none of its items sees. */
LANE_FN uint32_t PATH_NAME(first_item)(uint32_t m)
{
    uint32_t i = 0;
    while (i + 1 < PATH_items && PATH_item_dynamics(i) != m) ++i;
    return i;
}

/* Every thread of the CTA is at the node. */
LANE_FN void PATH_NAME(make_thresholds)(const path_view *v, uint32_t node)
{
    const uint32_t remaining = PATH_nodes - node;
    const uint32_t n =
        remaining < PATH_threshold_nodes ? remaining : (uint32_t)PATH_threshold_nodes;
    if (node % PATH_threshold_nodes != 0) return;
    __syncthreads();
    PATH_ROLL
    for (uint32_t k = threadIdx.x; k < n * (PATH_items + PATH_dynamics); k += LEVY_COLUMNS) {
        const uint32_t j = k / n, at = node + k % n, own = j < PATH_items ? 1u : 0u,
                       i = own ? j : PATH_NAME(first_item)(j - PATH_items),
                       m = own ? PATH_item_dynamics(i) : j - PATH_items;
        const real *const t = PATH_NAME(node_terms)(v, i, at);
        real *const to = PATH_NAME(thresholds) + (at - node) * PATH_threshold_reals;
        if (own)
            script_table_numbers(PATH_NAME(terms)(v, PAYOFF_SCRIPT, i), t,
                                 v->drift + (m * PATH_nodes + at) * PATH_assets,
                                 to + i * SCRIPT_TABLE_NUMBERS);
        else
            script_table_rows(t, v->factor + m * PATH_assets * PATH_factors,
                              to + PATH_items * SCRIPT_TABLE_NUMBERS + m * SCRIPT_TABLE_ROWS);
    }
    __syncthreads();
}
#endif

/* The numbers of item i at a node. */
LANE_FN const real *PATH_NAME(terms_at)(const PATH_NAME(state) *s, uint32_t i, uint32_t node)
{
#if PATH_terms_copied
    return PATH_NAME(terms_copy) + (i * PATH_terms_nodes + node % PATH_terms_nodes) * PATH_terms;
#else
    return s->node_terms[i] + (uint64_t)node * PATH_NAME(item_node_terms)(i);
#endif
}

/* The items under dynamics m run block b of their program at a node. */
LANE_FN void PATH_NAME(observe_block)(PATH_NAME(state) *s, uint32_t b, uint32_t m, uint32_t node,
                                      const lane *driver, payoff_seen *seen)
{
    const path_view *const v = s->v;
#if PATH_thresholds_made
    const real *const table =
        PATH_NAME(thresholds) + node % PATH_threshold_nodes * PATH_threshold_reals;
    lane sums[SCRIPT_TABLE_SUMS];
    script_table_sums(b, table + PATH_items * SCRIPT_TABLE_NUMBERS + m * SCRIPT_TABLE_ROWS, driver,
                      sums);
#else
    const real *const table = 0;
    const lane *const sums = 0;
    enum { SCRIPT_TABLE_NUMBERS = 0 };
    (void)driver;
#endif
    seen->slopes = PATH_model ? PATH_NAME(model_slopes)(s, m) : 0;
    PATH_UNROLL
    PATH_EACH_ITEM(m, i)
    {
        seen->weights = v->coefficients + i * PATH_assets;
        seen->segments = &s->segments[i];
        script_block_0(b, s->node_terms[i] - PATH_NAME(item_constants)(i),
                       PATH_NAME(terms_at)(s, i, node), table + i * SCRIPT_TABLE_NUMBERS, sums,
                       seen, s->item[i]);
    }
}

/* Makes ready what the items' blocks read of a node. Every thread of the CTA is there. */
LANE_FN void PATH_NAME(prepare_terms)(PATH_NAME(state) *s, uint32_t node)
{
#if PATH_terms_copied
    PATH_NAME(copy_terms)(s, node);
#elif PATH_thresholds_made
    PATH_NAME(make_thresholds)(s->v, node);
#else
    (void)s, (void)node;
#endif
}

LANE_FN void PATH_NAME(observe)(PATH_NAME(state) *s, uint32_t node, uint32_t flags,
                                const lane *driver)
{
    const path_view *const v = s->v;
    lane gross_returns[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS],
        log_returns[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS];
    payoff_seen seen;
    PATH_NAME(prepare_terms)(s, node);
    if (!PATH_always && flags == 0) return;
    seen.auxiliary = PATH_NAME(auxiliary)(s, node);
    seen.events = PATH_NAME(events)(&v->items[0], flags);
    seen.node = node;
    seen.n_assets = PATH_assets;
    if (PATH_grown) s->first = PATH_NAME(first_return)(v, node, driver);
    if (!PATH_thresholds_made || seen.events & SCRIPT_SEES) {
        PATH_UNROLL
        for (uint32_t m = 0; m < PATH_dynamics; ++m) {
            PATH_NAME(gross_returns)(s, m, node, driver, gross_returns[m], log_returns[m]);
            if (PATH_cash && flags >> PATH_CASH_BIT)
                PATH_NAME(dividends)(s, m, node, gross_returns[m], log_returns[m]);
        }
    }
    PATH_UNROLL
    for (uint32_t b = 0; b < SCRIPT_BLOCKS; ++b) {
        if (!(seen.events >> script_schedule(b) & 1)) continue;
        PATH_UNROLL
        for (uint32_t m = 0; m < PATH_dynamics; ++m) {
            seen.gross = gross_returns[m];
            seen.logs = log_returns[m];
            PATH_NAME(observe_block)(s, b, m, node, driver, &seen);
        }
    }
}

#include "kernels/path/settle_later.h"
