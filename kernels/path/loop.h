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
 * Included once per shape: PATH_<member> is a constant or is read from the view (path_shape.h).
 * PATH_NAME(x) names this inclusion's functions. C11 and CUDA. Must not know: blocks, sums,
 * threads (but that those of a warp share the product of components.h). */
#include "kernels/path/image.h"
#include "kernels/lane/normal.h"
#include "kernels/path/links.h"
#include "kernels/points/points.h"
#include "models/model_lanes.h"
#include "payoffs/payoff_lanes.h"

#include "kernels/path/view.h"

#include "kernels/path/path_shape.h"

typedef struct PATH_NAME(state) {
    const path_view *v;
    points_state *points;
#if PATH_wide /* outside the state, for an array that is indexed would take all of it along */
    lane *last_driver, (*level)[PATH_MAX_ASSETS], (*multiplier)[PATH_MAX_ASSETS];
    lane last_level[PATH_MAX_ITEMS]; /* of the items' baskets, where a warp shares products */
#else
    lane last_driver[PATH_MAX_FACTORS]; /* at the last node emitted */
    /* covariance 1: the levels; covariance 0: what elapsed before the dynamics' start */
    lane level[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS];
    /* of the gross returns: by cash dividends, or by what elapsed where they are grown */
    lane multiplier[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS];
#endif
    lane first; /* the first dynamics' gross return at this node (PATH_grown) */
    /* the model's counts at the last node emitted, and at the one that is emitted now */
    path_count counted[PATH_MAX_COUNTS], count[PATH_MAX_COUNTS];
    /* [mark]: the sum of the jumps still to come. It lies outside the state: a GPU indexes it by
     * path, and an indexed array takes the struct that it is in to local memory. */
    lane *remaining_marks;
    lane *jump_moves; /* the moves' sums so far (jumps.h); outside for the same reason */
    lane *sums;       /* of the functionals, [functional][factor]; outside for the same reason */
    lane *kept;       /* [item][PATH_kept]; outside as well */
#if PATH_segments
    script_segments *segments; /* [item]; outside as well */
#if PATH_deferred
    lane *deferred; /* [item][PATH_deferred]; outside as well, or in global memory */
    const real *node_terms[PATH_MAX_ITEMS]; /* those of the first node */
#else
    lane *segment_room, (*segment_last)[LEVY_SCRIPT_STATES];
#endif
#endif
#if LANE_GPU
#define LEVY_MODEL_LANES(name, NAME) NAME##_STATE
#include PATH_MODEL_LIST
#else /* one of them runs: a CPU's stack has room for the largest */
    union {
#define LEVY_MODEL_LANES(name, NAME)                                                               \
    struct {                                                                                       \
        NAME##_STATE                                                                               \
    };
#include PATH_MODEL_LIST
    };
#endif
    ARRIVALS_STATE
#if PATH_sweep && !PATH_unrolled
    lane (*item)[PATH_states]; /* outside, since the items' number finds it */
#else
    lane item[PATH_MAX_ITEMS][PATH_states];
#endif
    uint32_t observe[PATH_MAX_ITEMS]; /* the flags that say the item observes */
} PATH_NAME(state);

#include "kernels/path/path_draw.h"

#define PATH_MODELS
#include "models/model_lanes.h"
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
LANE_FN lane PATH_NAME(last_driver)(PATH_NAME(state) *s, uint32_t f)
{
#if PATH_held
    return ((const path_own *)(s->v->held + f * 32 * LEVY_LANES + PATH_own_place(f)))->z;
#else
    return s->last_driver[f];
#endif
}

LANE_FN void PATH_NAME(set_last_driver)(PATH_NAME(state) *s, uint32_t f, lane z)
{
#if PATH_held
    ((path_own *)(s->v->held + f * 32 * LEVY_LANES + PATH_own_place(f)))->z = z;
#else
    s->last_driver[f] = z;
#endif
}

/* Factor f's driver at the node that is emitted, where it lies. */
LANE_FN lane PATH_NAME(driver_at)(PATH_NAME(state) *s, const lane *driver, uint32_t f)
{
    return PATH_held ? PATH_NAME(last_driver)(s, f) : driver[f];
}

#include "kernels/path/returns.h"

#include "kernels/path/path_items.h"

/* Keeps a number of the lane's paths in a row of the record. */
LANE_FN void PATH_NAME(record_row)(PATH_NAME(state) *s, real *to, lane x)
{
#if LANE_GPU
    PATH_UNROLL
    for (int q = 0; q < LEVY_LANES; ++q)
        to[(s->points->row + (uint32_t)q) * LEVY_COLUMNS] = lane_get(x, q);
#else
    (void)s;
    memcpy(to, &x, sizeof x);
#endif
}

/* Records the levels of the first dynamics' assets after a node's dividends, relative to
 * today's, and behind them the variances and the discount factors that the model shows. */
PAYOFF_NOINLINE void PATH_NAME(record)(PATH_NAME(state) *s, uint32_t node, const lane *driver)
{
    const path_view *const v = s->v;
    lane gross_return[PATH_MAX_ASSETS], log_return[PATH_MAX_ASSETS];
    if (PATH_grown) s->first = PATH_NAME(first_return)(v, node, driver);
    PATH_NAME(gross_returns)(s, 0, node, driver, gross_return, log_return);
    const uint32_t parts = 1u + (PATH_varies != 0) + (PATH_discounts != 0);
    PATH_UNROLL
    for (uint32_t part = 0; part < parts; ++part) {
        const lane *const shown =
            part ? PATH_NAME(model_variances)(s, 0, (int)part - 1) : gross_return;
        real *const to =
            v->record + ((uint64_t)node * parts + part) * PATH_assets * (uint64_t)LEVY_BLOCK_PATHS;
        PATH_EACH
        for (uint32_t a = 0; a < PATH_assets; ++a)
            PATH_NAME(record_row)(s, to + a * (uint64_t)LEVY_BLOCK_PATHS, shown[a]);
    }
}

/* The model steps to a node, and with it what dynamics keep of the path before. */
LANE_FN void PATH_NAME(step)(PATH_NAME(state) *s, uint32_t node, const lane *driver)
{
    const path_view *const v = s->v;
    const uint32_t stepped = PATH_model_features & (LEVY_MODEL_STEPS | LEVY_MODEL_SCALES);
    const lane *moved = driver; /* what the model steps by; it is called at one place, as its code
                                 * is most of what a CPU's general loop takes to compile */
    lane step[PATH_MAX_FACTORS];
    (void)v;
    if (PATH_covariance || stepped) {
        PATH_EACH
        for (uint32_t f = 0; f < PATH_factors; ++f) step[f] = driver[f] - s->last_driver[f];
        if (PATH_covariance && !(PATH_model_features & LEVY_MODEL_SCALES))
            PATH_NAME(advance)(s, node, step);
        if (stepped) moved = step;
    }
    if (PATH_model) PATH_NAME(model_step)(s, node, moved);
    if (PATH_elapsed && !PATH_covariance) PATH_NAME(subtract_elapsed)(s, node, driver);
}

/* A node in time order: the model steps, dividends are paid, the items observe. */
LANE_FN void PATH_NAME(emit)(PATH_NAME(state) *s, uint32_t node, const lane *driver)
{
    const path_view *const v = s->v;
    const uint32_t flags = PATH_always ? 0 : v->flags[node];
    PATH_NAME(step)(s, node, driver);
    PATH_NAME(observe)(s, node, flags, driver);
    if (PATH_record && v->record) PATH_NAME(record)(s, node, driver);
}

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
    for (uint32_t f = 0; PATH_held && f < PATH_factors; ++f)
        PATH_NAME(set_last_driver)(s, f, driver[f]);
    PATH_NAME(emit_counted)(s, node, driver);
    PATH_EACH
    for (uint32_t f = 0; !PATH_held && f < PATH_factors; ++f) s->last_driver[f] = driver[f];
}

#include "kernels/path/traversal.h"

/* The path before its first node. */
LANE_FN void PATH_NAME(start)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    (void)v;
    s->points->cached = 0xffffffffu;
    PATH_EACH
    for (uint32_t f = 0; f < PATH_factors; ++f) PATH_NAME(set_last_driver)(s, f, lane_of(R(0.0)));
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_carried; ++i) s->counted[i] = path_no_count();
    PATH_UNROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) PATH_EACH
    for (uint32_t a = 0; a < PATH_assets; ++a) {
        s->level[m][a] = lane_of(R(0.0));
        s->multiplier[m][a] = lane_of(R(1.0));
    }
    if (PATH_model) PATH_NAME(model_start)(s);
}

/* The items before it. */
LANE_FN void PATH_NAME(start_items)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
#if PATH_sweep && !PATH_unrolled
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
#endif
        PATH_NAME(start_program)(s, i);
    }
}

#if PATH_abreast > 1
#include "kernels/path/abreast.h"
#else
/* Values of the tile's items on one lane of paths. values[i] is in units of the item's scale. */
PAYOFF_NOINLINE void PATH_NAME(values)(const path_view *v, points_state *points, lane *values)
{
    PATH_NAME(state) state, *const s = &state;
    lane remaining_marks[PATH_MAX_MARKS], jump_moves[PATH_MAX_MOVES];
    s->v = v;
    s->points = points;
    s->remaining_marks = remaining_marks;
    s->jump_moves = jump_moves;
#if PATH_looks_ahead
    jumps_list jumps;
    s->jump_list = &jumps;
#endif
#if PATH_wide
    lane last_driver[PATH_MAX_FACTORS], level[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS],
        multiplier[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS];
    s->last_driver = last_driver;
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
#if PATH_segments
    script_segments segments[PATH_MAX_ITEMS];
    s->segments = segments;
#if PATH_redistributed
    s->deferred = v->deferred + threadIdx.x;
#elif PATH_deferred
    lane deferred[PATH_MAX_ITEMS * PATH_deferred];
    s->deferred = deferred;
#else
    lane segment_room[PATH_segments], segment_last[PATH_MAX_ITEMS][LEVY_SCRIPT_STATES];
    s->segment_room = segment_room;
    s->segment_last = segment_last;
#endif
#endif
#if PATH_sweep && !PATH_unrolled
    lane item[PATH_MAX_ITEMS][PATH_states];
    s->item = item;
#endif
    PATH_NAME(start)(s);
    PATH_NAME(start_items)(s);
    if (PATH_buffered) points_mrg_ahead(points, PATH_nodes * (PATH_factors + PATH_auxiliary));
    if (PATH_functionals) PATH_NAME(gather_all)(s);
    PATH_NAME(traverse)(s);
    PATH_NAME(settle)(s, values);
}
#endif

#if !LANE_GPU /* undefined, because another shape may follow */
#undef PATH_NAME
#undef PATH_KNOWN
#undef PATH_GENERAL
#undef PATH_MOST_ITEMS
#undef PATH_EACH_ITEM
#undef PATH_by_dynamics
#undef PATH_abreast
#endif
