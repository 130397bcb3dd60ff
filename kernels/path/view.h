/* view.h: the plan image and a tile of its items as pointers, as the path loop reads them, and the
 * records that it finds there. The same for all shapes. C11 and CUDA. Must not know: what happens
 * at a node. */
#ifndef LEVY_PATH_VIEW_H
#define LEVY_PATH_VIEW_H

#include "kernels/lane/normal.h"
#include "kernels/lane/target.h"
#include "kernels/path/image.h"
#include "kernels/path/links.h"
#include "payoffs/payoff_lanes.h"

enum { PATH_AHEAD = 64 };    /* drivers that a CPU builds in one run; measured on Zen 4 */
enum { PATH_CASH_BIT = 31 }; /* the bit of a node's flags that marks a cash dividend */

/* A model's count of events, for the paths of a lane. On a GPU a byte for each path, so that few
 * registers carry many: counts are at most 255. */
#if LANE_GPU
typedef struct path_count {
    uint32_t v[(LEVY_LANES + 3) / 4];
} path_count;
/* No byte overflows into the next one: counts do not fall along a path. */
#define PATH_COUNT_EACH(word)                                                                      \
    path_count c;                                                                                  \
    LANE_UNROLL for (uint32_t w = 0; w < (LEVY_LANES + 3) / 4; ++w) c.v[w] = word;                 \
    return c
LANE_FN path_count path_no_count(void) { PATH_COUNT_EACH(0); }
LANE_FN path_count path_count_sum(path_count a, path_count b) { PATH_COUNT_EACH(a.v[w] + b.v[w]); }
LANE_FN path_count path_count_gap(path_count from, path_count to)
{
    PATH_COUNT_EACH(to.v[w] - from.v[w]);
}
#undef PATH_COUNT_EACH
#else
typedef lane path_count;
LANE_FN path_count path_no_count(void) { return lane_of(R(0.0)); }
LANE_FN path_count path_count_sum(path_count a, path_count b) { return a + b; }
LANE_FN path_count path_count_gap(path_count from, path_count to) { return to - from; }
#endif

/* A bridge entry as the image holds it, aligned so that one load reads it. Where the bridge builds
 * levels, `residual` is what the drift adds. */
typedef struct LANE_ALIGNED(4 * sizeof(real)) path_weights {
    real left, right, deviation, residual;
} path_weights;

/* What a principal component adds to 8 neighbouring nodes. */
typedef struct LANE_ALIGNED(8 * sizeof(real)) path_eight {
    real node[8];
} path_eight;

/* An item in the list of its dynamics' items, for tiles of many items. An item that shares
 * another's states observes nothing. */
typedef struct path_listed {
    uint32_t item, observe, kind, variant, is_plain;
} path_listed;

#if !LANE_GPU
/* What runs an item's program, and its frame (script.h), whose first lanes are the states. */
typedef struct path_script {
    const script_code *code; /* NULL: it has none */
    lane *frame;
    script_segments *segments; /* where the program is integrated */
    /* Of an item with LEVY_ITEM_COUNTS the last one of its trade, which runs at all nodes, after
     * it: its states are taken where it counts. NULL: it runs at all nodes itself. */
    const struct path_script *all;
} path_script;
#endif

#if LANE_GPU
/* A thread's paths in a row of what its warp shares, so that one instruction moves them. */
typedef struct LANE_ALIGNED(LEVY_LANES * sizeof(real)) path_own {
    lane z;
} path_own;
#endif

/* The image and the tile, as pointers. */
typedef struct path_view {
    const levy_image *image;
    const levy_image_segment *segments;
    const path_weights *bridge;  /* [entry] */
    const uint32_t *bridge_time; /* [entry] */
    const uint32_t *descents;    /* [node]: entries to build before it is emitted */
    const uint32_t *flags;       /* [node] */
    const real *drift; /* this and the next ones start at the tile's first dynamics or item */
    const real *factor;
    const real *drift_residual;
    const real *elapsed_share;
    const real *cash;
    const levy_image_item *items;
    const real *item_reals;
    const real *coefficients;
    const real *node_terms;     /* of the whole image */
    const uint32_t *padded;     /* bits by draw */
    const uint32_t *given_rows; /* [draw]: its row among given numbers */
    const path_eight *matrix;   /* [node / 8][component] */
    const real *gather;         /* [entry][functional]: what a draw gives to the sums */
    const real *spread;         /* [entry][functional]: what these add to the entry's normal */
    /* the image's: of each dynamics the one asset that it moves, drifts and factors */
    const uint32_t *moved;
    const real *all_drift, *all_factor, *all_own;
    const uint32_t *returns; /* these two start at the tile's first dynamics */
    const real *growth;
    const real *node_rows; /* GPU only, in shared memory: [node][PATH_node_row] */
    const real *variance;  /* these two start at the tile's first dynamics */
    const real *added;
    const real *own;                          /* this one, too */
    const real *model_reals, *arrivals_reals; /* of the whole image */
    const uint32_t *model_words, *arrivals_words;
    const path_link *links; /* CPU only: [entry] */
    lane *drivers;          /* CPU only: room for all drivers of a path, [node][factor] */
    lane *normals;          /* CPU only, PCA and functionals: room for all normals of a path */
    lane *sums;             /* CPU only: room for the functionals' sums, [functional][factor] */
    /* CPU only: room for the counts of a path, [node][count], node 0 the start */
    path_count *counts;
    /* [node][asset][path of the block], from these lanes' first path on; NULL: nothing is recorded
     */
    real *record;
    const path_listed *order; /* CPU only: the tile's items, sorted by dynamics */
    /* CPU only: dynamics m has order[starts[m]] to order[starts[m + 1] - 1] */
    const uint32_t *starts;
    const real *drift_reach; /* CPU only, one asset: by dynamics, the largest drift without sign */
#if !LANE_GPU
    const path_script *scripts; /* [item]; NULL: no item of the tile has a program */
#endif
    /* [item]: the item whose states it uses, because both sum the same returns; mostly itself */
    const uint32_t *state_of;
    lane *kept; /* CPU only: room for what items carry beside their states, [item][PATH_kept] */
    real *held; /* GPU only: where PATH_held, of the thread's warp */
    /* GPU only: what the thread's warp shows itself (components.h, items_products.h) */
    real *shown;
    /* GPU only, where PATH_redistributed: what dates save, [item][deferred_lanes][thread] */
    lane *deferred;
    uint32_t deferred_lanes;
    const real *factor_rows;      /* GPU only, in shared memory: where a warp shares products */
    uint32_t n_dynamics, n_items; /* CPU only: the tile's */
    uint32_t first_dynamics;      /* of the tile */
    uint32_t construction;        /* as in the image, but 0 also for a bridge in a given order */
    uint32_t elapsed;             /* 1: a dynamics of the tile starts later than the draws */
    uint32_t grown;               /* CPU only: shape.def */
    lane *first; /* CPU only: room for the first dynamics' gross returns of a path, [node] */
} path_view;

LANE_FN path_view path_view_of(const levy_image *image, uint32_t first_item,
                               uint32_t first_dynamics)
{
    path_view v;
    const uint64_t per_dynamics = (uint64_t)image->n_nodes * image->n_assets;
    const uint64_t factors =
        (uint64_t)(image->covariance ? image->n_nodes : 1) * image->n_assets * image->n_factors;
    v.image = image;
    v.segments = LEVY_IMAGE_AT(levy_image_segment, image, segments);
    v.bridge = LEVY_IMAGE_AT(path_weights, image, bridge);
    v.bridge_time = LEVY_IMAGE_AT(uint32_t, image, bridge_time);
    v.descents = LEVY_IMAGE_AT(uint32_t, image, descents);
    v.flags = LEVY_IMAGE_AT(uint32_t, image, flags);
    v.drift = LEVY_IMAGE_AT(real, image, drift) + first_dynamics * per_dynamics;
    v.factor = LEVY_IMAGE_AT(real, image, factor) + first_dynamics * factors;
    v.moved = LEVY_IMAGE_AT(uint32_t, image, moved);
    v.all_drift = LEVY_IMAGE_AT(real, image, drift);
    v.all_factor = LEVY_IMAGE_AT(real, image, factor);
    v.all_own = LEVY_IMAGE_AT(real, image, own);
    v.returns = LEVY_IMAGE_AT(uint32_t, image, returns) + first_dynamics;
    v.growth = LEVY_IMAGE_AT(real, image, growth) +
               (levy_image_grows(image) ? (uint64_t)first_dynamics * image->n_nodes : 0);
    v.drift_residual =
        LEVY_IMAGE_AT(real, image, drift_residual) + (uint64_t)first_dynamics * image->n_nodes;
    v.cash =
        LEVY_IMAGE_AT(real, image, cash) + (image->has_cash ? first_dynamics * per_dynamics : 0);
    v.elapsed_share = LEVY_IMAGE_AT(real, image, elapsed_share) +
                      (image->has_elapsed ? (uint64_t)first_dynamics * image->n_nodes : 0);
    v.items = LEVY_IMAGE_AT(levy_image_item, image, items) + first_item;
    v.item_reals = LEVY_IMAGE_AT(real, image, item_reals) + (uint64_t)first_item * LEVY_ITEM_REALS;
    v.coefficients =
        LEVY_IMAGE_AT(real, image, coefficients) + (uint64_t)first_item * image->n_assets;
    v.node_terms = LEVY_IMAGE_AT(real, image, node_terms);
    v.padded = LEVY_IMAGE_AT(uint32_t, image, padded);
    v.given_rows = LEVY_IMAGE_AT(uint32_t, image, directions);
    v.matrix = LEVY_IMAGE_AT(path_eight, image, matrix);
    v.gather = LEVY_IMAGE_AT(real, image, matrix);
    v.spread = v.gather + (uint64_t)image->n_nodes * image->n_functionals;
    v.variance = LEVY_IMAGE_AT(real, image, variance) +
                 (image->model_features & LEVY_MODEL_SCALES ? first_dynamics * per_dynamics : 0);
    v.added = LEVY_IMAGE_AT(real, image, added) + (image->model_features & LEVY_MODEL_SCALES
                                                       ? (uint64_t)first_dynamics * image->n_assets
                                                       : 0);
    v.own = LEVY_IMAGE_AT(real, image, own) +
            (uint64_t)first_dynamics * image->n_nodes * image->own_row;
    v.model_reals = LEVY_IMAGE_AT(real, image, parts[LEVY_PART_DIFFUSION].reals);
    v.model_words = LEVY_IMAGE_AT(uint32_t, image, parts[LEVY_PART_DIFFUSION].words);
    v.arrivals_reals = LEVY_IMAGE_AT(real, image, parts[LEVY_PART_ARRIVALS].reals);
    v.arrivals_words = LEVY_IMAGE_AT(uint32_t, image, parts[LEVY_PART_ARRIVALS].words);
    v.links = (const path_link *)0;
    v.drivers = v.normals = v.sums = v.kept = v.first = (lane *)0;
    v.counts = (path_count *)0;
    v.record = v.held = v.shown = (real *)0;
    v.factor_rows = v.node_rows = (const real *)0;
    v.order = (const path_listed *)0;
    v.starts = v.state_of = (const uint32_t *)0;
#if !LANE_GPU
    v.scripts = (const path_script *)0;
#endif
    v.drift_reach = (const real *)0;
    v.first_dynamics = first_dynamics;
    v.n_dynamics = v.n_items = v.construction = v.elapsed = v.grown = 0;
    return v;
}

#endif
