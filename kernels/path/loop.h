/* loop.h: the only path loop. Points become normals, the bridge turns them into drivers in time
 * order, the model turns these into returns of the assets, and the payoffs observe and settle them.
 * The result is the values of all items of a tile, for one lane of paths.
 *
 * The bridge tree is traversed depth first. A node is built when its two neighbours exist: the left
 * one is the last node emitted, the right one the top of a stack that is ceil(log2 N) + 1 deep (J.
 * du Toit, A high-performance Brownian bridge for GPUs, 2012; this extends its branch
 * optimisation). If one factor drives one asset in single precision on a GPU, runs of up to 8 nodes
 * are built in registers, and only their ends use the stack (traversal_registers.h).
 *
 * Included once per shape: PATH_<member> is a constant or is read from the view (shape.h).
 * PATH_NAME(x) names this inclusion's functions. C11 and CUDA. Must not know: blocks, sums,
 * threads (but that those of a warp share the product of components.h). */
#include "kernels/path/image.h"
#include "kernels/lane/normal.h"
#include "kernels/path/links.h"
#include "kernels/points/points.h"
#include "models/lanes.h"
#include "payoffs/lanes.h"

#include "kernels/path/view.h"

#include "kernels/path/shape.h"

typedef struct PATH_NAME(state) {
    const path_view *v;
    points_state *points;
#if PATH_wide /* outside the state, for an array that is indexed would take all of it along */
    lane *left, (*level)[PATH_MAX_ASSETS], (*multiplier)[PATH_MAX_ASSETS];
    lane last[PATH_MAX_ITEMS]; /* levels of the items' baskets, where a warp shares products */
#else
    lane left[PATH_MAX_FACTORS]; /* driver at the last node emitted */
    /* covariance 1: the levels; covariance 0: what elapsed before the dynamics' start */
    lane level[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS];
    /* of the gross returns: by cash dividends, or by what elapsed where they are grown */
    lane multiplier[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS];
#endif
    lane first; /* the first dynamics' gross return at this node (PATH_grown) */
    /* the model's counts at the last node emitted, and at the one that is emitted now */
    path_count counted[PATH_MAX_COUNTS], count[PATH_MAX_COUNTS];
    /* By mark, the sum of those to come. It lies outside the state: a GPU finds a path's by its
     * number, and what is in one struct with that goes to local memory. */
    lane *left_of_marks;
    lane *sums; /* of the functionals, [functional][factor]; outside for the same reason */
    lane *kept; /* [item][PATH_kept]; outside as well */
#if PATH_segments
    script_segments *segments; /* [item]; outside as well */
    lane *left_of_dates;       /* [item][PATH_left]; outside as well, unless threads take turns */
#if PATH_left
    const real *node_terms[PATH_MAX_ITEMS]; /* those of the first node */
#endif
#endif
#define LEVY_MODEL_LANES(name, NAME) NAME##_STATE
#include PATH_MODEL_LIST
#if PATH_sweep && !PATH_unrolled
    lane (*item)[PATH_states]; /* outside, since the items' number finds it */
#else
    lane item[PATH_MAX_ITEMS][PATH_states];
#endif
    uint32_t observe[PATH_MAX_ITEMS]; /* the flags that say the item observes */
} PATH_NAME(state);

#include "kernels/path/draw.h"

#define PATH_MODELS
#include "models/lanes.h"
#undef PATH_MODELS

#if LANE_GPU
#if PATH_product || PATH_construction == 2
#include "kernels/path/matrix.h"
#endif

/* Where the warp's row number `row` of shared memory has the thread's paths. Threads that load
 * numbers of four rows together, in single of every other row, must find them in different banks
 * (products_double.h, products_single.h). */
#if PATH_product && !defined(LANE_SINGLE)
#define PATH_own_place(row) (threadIdx.x % 32 * LEVY_LANES ^ ((row)&3) << 2)
#elif PATH_product
#define PATH_own_place(row) (threadIdx.x % 32 * LEVY_LANES ^ matrix_turn((row) >> 1 & 3))
#else
#define PATH_own_place(row) (threadIdx.x % 32 * LEVY_LANES)
#endif
#endif

/* Factor f's driver at the last node emitted. In shared memory it is [factor][path of the warp],
 * and the returns of its node are made from there, too. */
LANE_FN lane PATH_NAME(left)(PATH_NAME(state) *s, uint32_t f)
{
#if PATH_held
    return ((const path_own *)(s->v->held + f * 32 * LEVY_LANES + PATH_own_place(f)))->z;
#else
    return s->left[f];
#endif
}

LANE_FN void PATH_NAME(set_left)(PATH_NAME(state) *s, uint32_t f, lane z)
{
#if PATH_held
    ((path_own *)(s->v->held + f * 32 * LEVY_LANES + PATH_own_place(f)))->z = z;
#else
    s->left[f] = z;
#endif
}

/* Factor f's driver at the node that is emitted, where it lies. */
LANE_FN lane PATH_NAME(driver_at)(PATH_NAME(state) *s, const lane *driver, uint32_t f)
{
    return PATH_held ? PATH_NAME(left)(s, f) : driver[f];
}

#include "kernels/path/returns.h"

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

#if PATH_by_dynamics
/* One asset, many items: each sees the gross return under its dynamics. */
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
#endif

#if PATH_sweep
#include "kernels/path/sweep_gpu.h"
#endif
#if PATH_product
#include "kernels/path/products.h"
#endif

/* Records the levels of the first dynamics' assets after a node's dividends, relative to
 * today's. */
PAYOFF_NOINLINE void PATH_NAME(record)(PATH_NAME(state) *s, uint32_t node, const lane *driver)
{
    const path_view *const v = s->v;
    lane gross_return[PATH_MAX_ASSETS], log_return[PATH_MAX_ASSETS];
    if (PATH_grown) s->first = PATH_NAME(first_return)(v, node, driver);
    PATH_NAME(gross_returns)(s, 0, node, driver, gross_return, log_return);
    PATH_EACH
    for (uint32_t a = 0; a < PATH_assets; ++a) {
        real *const to = v->record + ((uint64_t)node * PATH_assets + a) * LEVY_BLOCK_PATHS;
#if LANE_GPU
        PATH_UNROLL
        for (int q = 0; q < LEVY_LANES; ++q)
            to[(s->points->row + (uint32_t)q) * LEVY_COLUMNS] = lane_get(gross_return[a], q);
#else
        memcpy(to, &gross_return[a], sizeof gross_return[a]);
#endif
    }
}

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
    const uint32_t left = PATH_nodes - node,
                   n = left < PATH_terms_nodes ? left : (uint32_t)PATH_terms_nodes;
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

#if PATH_left
/* From what dates leave of an item to what they leave of the next one. */
LANE_FN uint32_t PATH_NAME(left_row)(const path_view *v)
{
    return PATH_turns ? v->left_lanes * LEVY_COLUMNS : PATH_left;
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
    const uint32_t left = PATH_nodes - node,
                   n = left < PATH_threshold_nodes ? left : (uint32_t)PATH_threshold_nodes;
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

#if PATH_same_dates
/* The numbers of item i at a node. */
LANE_FN const real *PATH_NAME(terms_at)(const PATH_NAME(state) *s, uint32_t i, uint32_t node)
{
#if PATH_terms_copied
    return PATH_NAME(terms_copy) + (i * PATH_terms_nodes + node % PATH_terms_nodes) * PATH_terms;
#else
    return s->node_terms[i] + (uint64_t)node * PATH_NAME(item_node_terms)(i);
#endif
}

/* The same for items of one program with the same dates: a block of all items at a time, so that
 * they need not wait for each other's numbers. */
LANE_FN void PATH_NAME(observe_blocks)(PATH_NAME(state) *s, uint32_t node, uint32_t flags,
                                       const lane *driver, payoff_seen *seen)
{
    const path_view *const v = s->v;
    lane gross_returns[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS],
        log_returns[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS];
    seen->events = PATH_NAME(events)(&v->items[0], flags);
    seen->node = node;
    seen->n_assets = PATH_assets;
    if (PATH_grown) s->first = PATH_NAME(first_return)(v, node, driver);
    if (!PATH_thresholds_made || seen->events & SCRIPT_SEES) {
        PATH_UNROLL
        for (uint32_t m = 0; m < PATH_dynamics; ++m) {
            PATH_NAME(gross_returns)(s, m, node, driver, gross_returns[m], log_returns[m]);
            if (PATH_cash && flags >> PATH_CASH_BIT)
                PATH_NAME(dividends)(s, m, node, gross_returns[m], log_returns[m]);
        }
    }
    PATH_UNROLL
    for (uint32_t b = 0; b < SCRIPT_BLOCKS; ++b) {
        if (!(seen->events >> script_schedule(b) & 1)) continue;
        PATH_UNROLL
        for (uint32_t m = 0; m < PATH_dynamics; ++m) {
#if PATH_thresholds_made
            const real *const table =
                PATH_NAME(thresholds) + node % PATH_threshold_nodes * PATH_threshold_reals;
            lane sums[SCRIPT_TABLE_SUMS];
            script_table_sums(b, table + PATH_items * SCRIPT_TABLE_NUMBERS + m * SCRIPT_TABLE_ROWS,
                              driver, sums);
#else
            const real *const table = 0;
            const lane *const sums = 0;
            enum { SCRIPT_TABLE_NUMBERS = 0 };
#endif
            PATH_UNROLL
            PATH_EACH_ITEM(m, i)
            {
                seen->gross = gross_returns[m];
                seen->logs = log_returns[m];
                seen->slopes = PATH_model ? PATH_NAME(model_slopes)(s, m) : 0;
                seen->weights = v->coefficients + i * PATH_assets;
                seen->segments = &s->segments[i];
                script_block_0(b, s->node_terms[i] - PATH_NAME(item_constants)(i),
                               PATH_NAME(terms_at)(s, i, node), table + i * SCRIPT_TABLE_NUMBERS,
                               sums, seen, s->item[i]);
            }
        }
    }
}
#endif

/* A node in time order: the model steps, dividends are paid, the items observe. */
LANE_FN void PATH_NAME(happen)(PATH_NAME(state) *s, uint32_t node, const lane *driver)
{
    const path_view *const v = s->v;
    const uint32_t flags = PATH_always ? 0 : v->flags[node];
#if PATH_product
    PATH_NAME(observe_products)(s, node, flags, driver);
    return;
#endif
    const uint32_t stepped = PATH_model_features & (LEVY_MODEL_STEPS | LEVY_MODEL_SCALES);
    const lane *moved = driver; /* what the model steps by; it is called at one place, as its code
                                 * is most of what a CPU's general loop takes to compile */
    lane step[PATH_MAX_FACTORS];
    if (PATH_covariance || stepped) {
        PATH_EACH
        for (uint32_t f = 0; f < PATH_factors; ++f) step[f] = driver[f] - s->left[f];
        if (PATH_covariance && !(PATH_model_features & LEVY_MODEL_SCALES))
            PATH_NAME(advance)(s, node, step);
        if (stepped) moved = step;
    }
    if (PATH_model) PATH_NAME(model_step)(s, node, moved);
    if (PATH_elapsed && !PATH_covariance) PATH_NAME(subtract_elapsed)(s, node, driver);
#if PATH_terms_copied
    PATH_NAME(copy_terms)(s, node);
#elif PATH_thresholds_made
    PATH_NAME(make_thresholds)(v, node);
#endif
    if (!PATH_always && flags == 0) return;
    payoff_seen seen;
    seen.auxiliary = PATH_auxiliary > PATH_model_draws
                         ? PATH_NAME(word)(s, PATH_nodes * PATH_factors + node * PATH_auxiliary +
                                                  PATH_model_draws)
                         : lane_word_of(0);
#if PATH_same_dates
    PATH_NAME(observe_blocks)(s, node, flags, driver, &seen);
    return;
#endif
#if PATH_sweep
    PATH_NAME(sweep)(s, node, driver, flags, &seen);
    return;
#elif PATH_wide
    if (PATH_streams) {
        if (!PATH_always && !(flags & s->observe[0])) return;
        s->item[0][0] = payoff_observe_plain(PATH_item_kind(0), PATH_item_variant(0), v->item_reals,
                                             s->item[0][0], PATH_NAME(streamed)(s, node, driver));
        return;
    }
#endif
    if (PATH_grown) s->first = PATH_NAME(first_return)(v, node, driver);
/* The returns of all dynamics first: their exponentials are chains that run side by side. */
#if PATH_by_dynamics
    lane gross_returns[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS],
        log_returns[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS];
    for (uint32_t m = 0; m < PATH_dynamics; ++m)
        PATH_NAME(gross_returns)(s, m, node, driver, gross_returns[m], log_returns[m]);
#endif
    PATH_UNROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) {
#if PATH_by_dynamics
        lane *const gross_return = gross_returns[m], *const log_return = log_returns[m];
#else
        lane gross_return[PATH_MAX_ASSETS], log_return[PATH_MAX_ASSETS];
        PATH_NAME(gross_returns)(s, m, node, driver, gross_return, log_return);
#endif
        seen.before = log_return[0];
        seen.node = node;
        seen.gross = gross_return;
        seen.logs = log_return;
        seen.slopes = PATH_integrated && PATH_model ? PATH_NAME(model_slopes)(s, m) : 0;
        seen.n_assets = PATH_assets;
        if (PATH_cash && flags >> PATH_CASH_BIT)
            PATH_NAME(dividends)(s, m, node, gross_return, log_return);
#if PATH_by_dynamics
        seen.level.x = gross_return[0];
        seen.level.log_x = log_return[0];
        PATH_NAME(observe_dynamics)(s, m, node, flags, &seen);
#else
        PATH_UNROLL
        PATH_EACH_ITEM(m, i)
        {
            if (!PATH_always && !(flags & s->observe[i])) continue;
            if (PATH_shares_state(i)) continue;
            if (PATH_plain) {
                s->item[i][0] = payoff_observe_plain(
                    PATH_item_kind(i), PATH_item_variant(i), v->item_reals + i * LEVY_ITEM_REALS,
                    s->item[i][0], PATH_NAME(level_of)(s, i, gross_return, log_return));
                continue;
            }
            seen.weights = v->coefficients + i * PATH_assets;
            seen.events = PATH_NAME(events)(&v->items[i], flags);
#if PATH_interprets
            if (v->scripts && v->scripts[i].code) { /* it reads no level of a basket */
                script_interpret(v->scripts[i].code, PATH_NAME(node_terms)(v, i, node), &seen,
                                 v->scripts[i].frame, v->scripts[i].segments);
                continue;
            }
#endif
#if PATH_segments
            seen.segments = &s->segments[i];
#endif
#if PATH_left
            const real *const terms =
                s->node_terms[i] + (uint64_t)node * PATH_NAME(item_node_terms)(i);
            script_observe(PATH_item_variant(i), s->node_terms[i] - PATH_NAME(item_constants)(i),
                           terms, &seen, s->item[i]);
            continue;
#endif
            seen.level = PATH_NAME(level_of)(s, i, gross_return, log_return);
            seen.kept = s->kept + i * PATH_kept;
            payoff_observe(PATH_item_kind(i), PATH_item_variant(i),
                           PATH_NAME(terms)(v, PATH_item_kind(i), i),
                           PATH_NAME(node_terms)(v, i, node), &seen, s->item[i]);
        }
#endif
    }
}

/* Everything that happens at a node, and its record. */
LANE_FN void PATH_NAME(emit)(PATH_NAME(state) *s, uint32_t node, const lane *driver)
{
    const path_view *const v = s->v;
    PATH_NAME(happen)(s, node, driver);
    if (PATH_record && v->record) PATH_NAME(record)(s, node, driver);
}

#if PATH_by_dynamics
/* Does an average of dynamics m stand against the last level? */
LANE_FN int PATH_NAME(ends_on_level)(const path_view *v, uint32_t m)
{
    uint32_t variants = 0;
    for (uint32_t k = v->starts[m]; k < v->starts[m + 1]; ++k) variants |= v->order[k].variant;
    return (variants & ASIAN_STRIKE) != 0;
}
#endif

#if PATH_interprets
/* Do programs alone see dynamics m? Then nothing needs the last level. */
LANE_FN int PATH_NAME(is_scripts)(const path_view *v, uint32_t m)
{
    if (!v->scripts) return 0;
    for (uint32_t k = v->starts[m]; k < v->starts[m + 1]; ++k)
        if (!v->scripts[v->order[k].item].code) return 0;
    return 1;
}
#endif

/* After the last node: what the items pay. */
LANE_FN void PATH_NAME(settle)(PATH_NAME(state) *s, lane *values)
{
    const path_view *const v = s->v;
    if (PATH_grown) s->first = PATH_NAME(first_return)(v, PATH_nodes - 1, s->left);
    PATH_UNROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) {
#if PATH_by_dynamics /* equal dynamics have their items at the first; many need no last level */
        if (v->starts[m] == v->starts[m + 1]) continue;
        lane gross_return[PATH_MAX_ASSETS] = {lane_of(R(0.0))},
             log_return[PATH_MAX_ASSETS] = {lane_of(R(0.0))};
        if (!PATH_averages || PATH_NAME(ends_on_level)(v, m))
            PATH_NAME(gross_returns)(s, m, PATH_nodes - 1, s->left, gross_return, log_return);
#else
        lane gross_return[PATH_MAX_ASSETS], log_return[PATH_MAX_ASSETS];
#if PATH_interprets
        if (!PATH_NAME(is_scripts)(v, m))
#endif
            PATH_NAME(gross_returns)(s, m, PATH_nodes - 1, s->left, gross_return, log_return);
#endif
        PATH_UNROLL
        PATH_EACH_ITEM(m, i)
        {
#if PATH_interprets
            if (v->scripts && v->scripts[i].code) {
                values[i] = script_result(v->scripts[i].code, v->items[i].variant >> SCRIPT_STATE,
                                          v->scripts[i].frame, v->scripts[i].segments);
                if (PATH_model) values[i] = PATH_NAME(model_settle)(s, m, values[i]);
                continue;
            }
#endif
#if PATH_segments && !PATH_left
            if (PATH_item_kind(i) == PAYOFF_SCRIPT) {
                values[i] = script_end(PATH_item_variant(i), PATH_NAME(terms)(v, PAYOFF_SCRIPT, i),
                                       &s->segments[i], s->item[i]);
                if (PATH_model) values[i] = PATH_NAME(model_settle)(s, m, values[i]);
                continue;
            }
#endif
#if PATH_by_dynamics
            const lane *const state = s->item[v->state_of[i]];
/* Picked by comparing constants: with a computed index the compiler takes ten times as long. */
#elif PATH_shared_states
            lane state[PATH_states];
            PATH_UNROLL
            for (uint32_t j = 0; j < PATH_items; ++j)
                if (PATH_item_state_of(i) == j)
                    for (uint32_t k = 0; k < PATH_states; ++k) state[k] = s->item[j][k];
#else
            const lane *const state = s->item[i];
#endif
            values[i] = payoff_settle(PATH_item_kind(i), PATH_item_variant(i),
                                      v->item_reals + i * LEVY_ITEM_REALS, state,
                                      s->kept + PATH_carrier(i) * PATH_kept,
                                      PATH_NAME(level_of)(s, i, gross_return, log_return).x);
            if (PATH_model) values[i] = PATH_NAME(model_settle)(s, m, values[i]);
        }
    }
}

#if PATH_left
/* What segments have of shared memory. */
LANE_FN lane *PATH_NAME(near_segments)(void)
{
#if PATH_near
    return PATH_near_segments;
#else
    return 0;
#endif
}

/* What item i's program on one path is worth. left: what dates have left there. */
LANE_FN lane PATH_NAME(later)(const path_view *v, uint32_t i, const lane *left, uint32_t stride,
                              lane *room)
{
    return script_later(PATH_item_variant(i), PATH_NAME(terms)(v, PAYOFF_SCRIPT, i),
                        PATH_NAME(node_terms)(v, i, 0), v->items[i].n_node_terms, left, stride,
                        room, PATH_NAME(near_segments)(), LEVY_COLUMNS);
}

#if PATH_turns
/* The items of a path have nearly the same segments, those of other paths have not, and a warp
 * waits for the thread that has most. So the threads of a warp take the items of a few paths, and
 * show the paths' own threads what they are worth. */
enum { PATH_TURN = 8 }; /* paths that stand together in memory, and in a warp */
static __shared__ lane PATH_NAME(worth)[PATH_items * LEVY_COLUMNS];

LANE_FN void PATH_NAME(settle_turns)(const path_view *v, lane *values)
{
    lane room[PATH_segments];
    __syncthreads();
    PATH_ROLL
    for (uint32_t turn = 0; turn < PATH_items; ++turn) {
        const uint32_t u = turn * LEVY_COLUMNS + threadIdx.x, i = u / PATH_TURN % PATH_items,
                       path = u / PATH_TURN / PATH_items * PATH_TURN + u % PATH_TURN;
        PATH_NAME(worth)[i * LEVY_COLUMNS + path] =
            PATH_NAME(later)(v, i, v->left_of_dates + (uint64_t)i * PATH_NAME(left_row)(v) + path,
                             LEVY_COLUMNS, room);
    }
    __syncthreads();
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_items; ++i)
        values[i] = PATH_NAME(worth)[i * LEVY_COLUMNS + threadIdx.x];
}
#endif

/* The same of programs whose segments run after the path: one item after the other, in one room. */
LANE_FN void PATH_NAME(settle_later)(PATH_NAME(state) *s, lane *values)
{
    const path_view *const v = s->v;
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_items; ++i) script_leave(&s->segments[i], script_never());
#if PATH_turns
    PATH_NAME(settle_turns)(v, values);
#else
    lane room[PATH_segments];
    PATH_ROLL
    for (uint32_t i = 0; i < PATH_items; ++i)
        values[i] = PATH_NAME(later)(v, i, s->left_of_dates + i * PATH_left, 1, room);
#endif
    PATH_UNROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) {
        PATH_UNROLL
        PATH_EACH_ITEM(m, i)
        if (PATH_model) values[i] = PATH_NAME(model_settle)(s, m, values[i]);
    }
}
#endif

/* NULL: the driver is held already. */
LANE_FN void PATH_NAME(emit_counted)(PATH_NAME(state) *s, uint32_t node, const lane *driver)
{
    const path_view *const v = s->v;
    (void)v;
    PATH_NAME(emit)(s, node, driver);
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_carried; ++i) s->counted[i] = s->count[i];
}

/* The driver arrives at a node, and is the last one. */
LANE_FN void PATH_NAME(arrive)(PATH_NAME(state) *s, uint32_t node, const lane *driver)
{
    const path_view *const v = s->v;
    (void)v;
    PATH_EACH
    for (uint32_t f = 0; PATH_held && f < PATH_factors; ++f) PATH_NAME(set_left)(s, f, driver[f]);
    PATH_NAME(emit_counted)(s, node, driver);
    PATH_EACH
    for (uint32_t f = 0; !PATH_held && f < PATH_factors; ++f) s->left[f] = driver[f];
}

#include "kernels/path/traversal.h"

/* Values of the tile's items on one lane of paths. values[i] is in units of the item's scale. */
PAYOFF_NOINLINE void PATH_NAME(values)(const path_view *v, points_state *points, lane *values)
{
    PATH_NAME(state) state, *const s = &state;
    lane left_of_marks[PATH_MAX_MARKS];
    s->left_of_marks = left_of_marks;
#if PATH_looks_ahead
    jumps_list jumps;
    s->jump_list = &jumps;
#endif
#if PATH_wide
    lane left[PATH_MAX_FACTORS], level[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS],
        multiplier[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS];
    s->left = left;
    s->level = level;
    s->multiplier = multiplier;
#endif
#if LANE_GPU
    lane sums[PATH_MAX_SUMS], kept[PATH_MAX_KEPT];
    s->sums = sums;
    s->kept = kept;
#else
    s->sums = v->sums;
    s->kept = v->kept;
#endif
    s->v = v;
    s->points = points;
    points->cached = 0xffffffffu;
    PATH_EACH
    for (uint32_t f = 0; f < PATH_factors; ++f) PATH_NAME(set_left)(s, f, lane_of(R(0.0)));
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_carried; ++i) s->counted[i] = path_no_count();
    PATH_UNROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) PATH_EACH
    for (uint32_t a = 0; a < PATH_assets; ++a) {
        s->level[m][a] = lane_of(R(0.0));
        s->multiplier[m][a] = lane_of(R(1.0));
    }
    if (PATH_model) PATH_NAME(model_start)(s);
#if PATH_segments
    script_segments segments[PATH_MAX_ITEMS];
    s->segments = segments;
#if PATH_turns
    s->left_of_dates = v->left_of_dates + threadIdx.x;
#elif PATH_left
    lane left[PATH_MAX_ITEMS * PATH_left];
    s->left_of_dates = left;
#else
    lane segment_room[PATH_segments], *room = segment_room;
    lane segment_last[PATH_MAX_ITEMS][LEVY_SCRIPT_STATES];
#endif
#endif
#if PATH_sweep && !PATH_unrolled
    lane item[PATH_MAX_ITEMS][PATH_states];
    s->item = item;
    PATH_ROLL
#else
    PATH_UNROLL
#endif
    for (uint32_t i = 0; i < PATH_items; ++i) {
        s->item[i][0] = lane_of(v->item_reals[i * LEVY_ITEM_REALS + ITEM_START]);
        s->item[i][1] = lane_of(v->item_reals[i * LEVY_ITEM_REALS + ITEM_SECOND]);
        s->item[i][2] = lane_of(R(0.0));
        PATH_UNROLL
        for (uint32_t k = 0; k < PATH_kept; ++k) s->kept[i * PATH_kept + k] = lane_of(R(0.0));
        s->observe[i] = LEVY_ITEM_MASK(&v->items[i]);
#if PATH_scripts
        /* a bound that is another for each item would keep the states out of registers */
        PATH_UNROLL
        for (uint32_t k = 0; k < PATH_states; ++k)
            if (k < PATH_NAME(item_states)(i))
                s->item[i][k] = lane_of(PATH_NAME(terms)(v, PAYOFF_SCRIPT, i)[k]);
#if PATH_left
        s->node_terms[i] = PATH_NAME(node_terms)(v, i, 0);
        segments[i].left = s->left_of_dates + (uint64_t)i * PATH_NAME(left_row)(v);
        segments[i].left_stride = PATH_turns ? LEVY_COLUMNS : 1;
#elif PATH_segments
        if (PATH_item_kind(i) == PAYOFF_SCRIPT)
            room +=
                script_begin(PATH_item_variant(i), s->item[i], &segments[i], room, segment_last[i]);
#endif
#elif PATH_interprets
        if (v->scripts && v->scripts[i].code)
            script_start(v->scripts[i].code, v->items[i].variant >> SCRIPT_STATE,
                         v->scripts[i].frame, v->scripts[i].segments);
#endif
    }
    if (PATH_buffered) points_mrg_ahead(points, PATH_nodes * (PATH_factors + PATH_auxiliary));
    if (PATH_functionals) PATH_NAME(gather_all)(s);
#if PATH_registers
    PATH_NAME(traverse_registers)(s);
#else
#if LANE_GPU
#if PATH_construction == 2
    PATH_NAME(traverse_components)(s);
#elif PATH_construction == 1
    PATH_NAME(traverse_incremental)(s);
#elif PATH_wide
    PATH_NAME(traverse_wide)(s);
#else
    PATH_NAME(traverse_stack)(s);
#endif
#else
    if (PATH_construction == 2)
        PATH_NAME(traverse_components)(s);
    else
        PATH_NAME(traverse_kept)(s);
#endif
#endif
#if PATH_sweep
    PATH_NAME(settle_sweep)(s, values);
#elif PATH_product
    PATH_NAME(settle_products)(s, values);
#elif PATH_left
    PATH_NAME(settle_later)(s, values);
#else
    PATH_NAME(settle)(s, values);
#endif
}

#if !LANE_GPU /* undefined, because another shape may follow */
#undef PATH_NAME
#undef PATH_KNOWN
#undef PATH_GENERAL
#undef PATH_MOST_ITEMS
#undef PATH_EACH_ITEM
#undef PATH_by_dynamics
#endif
