/* image.h: the flat plan image, the only data that a backend reads. One buffer without pointers:
 * this header, then arrays at byte offsets from its start. The planner writes it
 * (engine/plan/plan.c). The CPU reads it in place; the CUDA backend copies it to the device. It is
 * the numeric half of the plan: what to compute. The schedule (tiles, batches) says how. C11 and
 * CUDA. Must not know: any engine struct. */
#ifndef LEVY_PATH_IMAGE_H
#define LEVY_PATH_IMAGE_H

#include "kernels/lane/lane.h"

#define LEVY_IMAGE_VERSION 7 /* of the layout below; a part of the build id, hence a macro */
enum {
    LEVY_IMAGE_MAGIC = 0x4c455659, /* "LEVY" */
    /* paths of one block of the summation tree; never spans replicates */
    LEVY_BLOCK_PATHS = 4096,
    LEVY_COLUMNS = 256, /* column = path mod 256 */
    LEVY_BLOCK_ROWS = LEVY_BLOCK_PATHS / LEVY_COLUMNS,
    LEVY_MAX_ASSETS = 100,
    LEVY_MAX_STACK = 40,
    LEVY_MAX_TILE = 128, /* items of a tile at most */
    LEVY_MAX_TILE_DYNAMICS = 32,
    LEVY_CLUSTER = 8, /* items, and dynamics, of a cluster of outputs at most */
    LEVY_OUTPUT_TERMS = 6,
    LEVY_ITEM_REALS = 16,
    LEVY_ITEM_STATES = 3, /* lanes that an item carries along a path */
    LEVY_MRG_POWERS = 32,
    LEVY_MRG_STRIDES = 12,
    /* item kind: 1 on paths where a cash dividend met the floor at 0 */
    LEVY_FLOOR_KIND = 100
};

/* One trade under one parameter set: what the payoff's lane functions read. Terms are divided by
 * `scale`, so that lanes work on spots relative to today's. */
typedef struct levy_image_item {
    uint32_t kind;      /* LEVY_PAYOFF_ of the lane code, or LEVY_FLOOR_KIND */
    uint32_t variant;   /* bits, by kind: see the payoff's lane header */
    uint32_t aggregate; /* levy_aggregate */
    uint32_t dynamics;
    /* It observes where one of n_flags bits of the node flags is set, from `flag` on: a bit for
     * each of its schedules. */
    uint32_t flag, n_flags;
    uint32_t trade;        /* index in the group */
    uint32_t traits;       /* LEVY_ITEM_ bits */
    uint32_t n_node_terms; /* its own numbers at a node; 0: none */
    uint32_t spare;
    uint64_t node_terms; /* where they start, in reals from `node_terms` on */
    double scale;        /* discount factor * units: value = scale * settled payoff, in double */
} levy_image_item;

enum {
    LEVY_ITEM_LONG = 1, /* its code at a node is long, or carries more than one lane */
    /* what it carries depends on its level and its start alone */
    LEVY_ITEM_SHARES = 2
};

/* The bits of the node flags that say "observe". */
#define LEVY_ITEM_MASK(item) (((1u << (item)->n_flags) - 1u) << (item)->flag)

/* value of a path = sum of weight[i] * value of item first_item + term[i]. Outputs that share items
 * stand together, with the same span of items: a cluster, which tiles keep whole. */
typedef struct levy_image_output {
    uint32_t first_item, n_items;        /* of the cluster */
    uint32_t first_dynamics, n_dynamics; /* span of its items' dynamics */
    /* measure: LEVY_MEASURE_ bit, or LEVY_OUTPUT_FLOOR; factor: number of its label */
    uint32_t trade, measure, factor;
    uint32_t remarks; /* LEVY_OUTPUT_ bits */
    uint32_t n_terms;
    /* LEVY_PROBE_: 0, or what the output says of the bias of the one it goes with */
    uint32_t probe;
    uint32_t term[LEVY_OUTPUT_TERMS];
    double weight[LEVY_OUTPUT_TERMS];
    double constant; /* what is added to what the paths give; by the host */
    /* by how much one path that changes sides moves it; 0: not known, or by nothing */
    double jump;
    double ramp; /* the share of the paths among which it moves; 0: it jumps */
} levy_image_output;

enum {
    /* a remark: one of the two bumped sets is no market, and today's stands for it */
    LEVY_OUTPUT_ONE_SIDED = 1,
    LEVY_OUTPUT_NOT_BUMPED = 2, /* neither is one: the value says nothing */
    /* a bumped spot lies beyond a barrier that is watched at all times */
    LEVY_OUTPUT_ACROSS = 4,
    LEVY_OUTPUT_STEPPED = 8, /* the model has an error in proportion to the grid's steps */
    LEVY_OUTPUT_HEAVY = 16,  /* the mean lies in paths that hardly ever come */
    /* a measure: the group's floor probability; its trade is all ones */
    LEVY_OUTPUT_FLOOR = 1 << 30
};

/* A probe has the trade, measure and factor of an output and tells how far its bumps put it off. It
 * is simulated on the first replicate alone or, where there is one, on the leading blocks of it
 * (levy_probe_blocks): the error of a difference shrinks with a known power of its bump, so that
 * another bump on the same draws shows how large it is. */
enum {
    LEVY_PROBE_SAME = 1,        /* the output itself, where there is one replicate */
    LEVY_PROBE_TWICE = 2,       /* a central difference by twice the bump */
    LEVY_PROBE_TWICE_ASIDE = 3, /* a one-sided one */
    LEVY_PROBE_HALF = 4,        /* central, by half the bump */
    LEVY_PROBE_HALF_ASIDE = 5,
    /* extrapolated from one and three bumps, the output being so from one and two */
    LEVY_PROBE_EXTRAPOLATED = 6,
    LEVY_PROBE_SHARE = 32 /* one of so many blocks of an only replicate */
};

/* A run of up to 8 consecutive nodes whose last one lies on the stack: first `pushes` bridge
 * entries go to the stack, then the top is taken as the right end and the entries of the present
 * inner slots follow in the order 4 2 1 3 6 5 7. Slot 8, the right end itself, is always there.
 * Nodes come out in time order, from `first_node` on. */
typedef struct levy_image_segment {
    uint32_t pushes, present; /* bit s-1: slot s is there */
    uint32_t first_node, first_entry;
} levy_image_segment;

/* Where the draws of a path come from. Sobol: `directions` holds, per replicate, 33 rows of n_draws
 * words: rows 0..31 the (scrambled) direction numbers by bit of the Gray-coded point index, row 32
 * the digital shift; `low` the first 8 rows again, [draw][8]. Draws are stored in the order in
 * which the traversal uses them; those past the table are marked in `padded` and come from philox
 * under the keys of `padding`. Philox: key per replicate. mrg32k3a: where each replicate's stream
 * starts, and the jumps of mrg32k3a.h by 2^b paths, b < LEVY_MRG_POWERS, then by 2^k - 1 paths, k <
 * LEVY_MRG_STRIDES. */
typedef struct levy_image {
    uint32_t magic, version;
    uint64_t bytes;
    /* of everything below and the arrays, replicates' tables included */
    uint64_t numeric_hash;
    uint32_t precision; /* 0 double, 1 single: type of the `real` arrays */
    uint32_t mixed;     /* 1 (precision 0): normals are computed in single */
    uint32_t model;     /* LEVY_MODEL_ of the lane code */
    uint32_t generator; /* 0 Sobol tables, 1 philox, 2 mrg32k3a */
    /* 0 bridge by bisection, 1 incremental, 2 PCA, 3 bridge in a given order (no segments) */
    uint32_t construction;
    /* 0: factors constant, levels are linear in the drivers; 1: per interval, increments */
    uint32_t covariance;
    uint32_t has_cash; /* cash dividends: the spot is carried, not its level alone */
    uint32_t full;     /* every segment has all 8 slots */
    uint32_t n_assets, n_factors, n_nodes, n_segments, stack;
    uint32_t n_draws; /* n_nodes * (n_factors + auxiliary): dimensions of a path */
    uint32_t n_dynamics, n_items, n_outputs, n_trades, n_replicates;
    uint32_t n_padded; /* Sobol draws past the table */
    /* covariance 0: some dynamics start later than the draws; elapsed_share[dynamics][0] > 0 says
     * which */
    uint32_t has_elapsed;
    /* more draws per node, after all others, in time order, outside the bridge: model_draws, then 0
     * or 1 */
    uint32_t auxiliary;
    uint64_t paths;  /* per replicate */
    uint64_t blocks; /* per replicate: ceil(paths / 4096) */
    /* byte offsets; every array starts on a multiple of 64 */
    uint64_t segments; /* levy_image_segment[n_segments] (bridge) */
    /* real[n_nodes][4]: weight left, weight right, deviation, 0; build order */
    uint64_t bridge;
    uint64_t bridge_time; /* uint32_t[n_nodes]: node of each entry, from 1 */
    /* uint32_t[n_nodes]: bridge entries to build before the node is emitted */
    uint64_t descents;
    /* uint32_t[n_nodes]: observation bits; bit 31: a cash dividend is paid here */
    uint64_t flags;
    /* real[n_dynamics][n_nodes][n_assets]: levels (covariance 0) or their increments (1) */
    uint64_t drift;
    uint64_t factor;         /* real[n_dynamics][covariance ? n_nodes : 1][n_assets][n_factors] */
    uint64_t drift_residual; /* real[n_dynamics][n_nodes]: an entry's drift less the weighted drifts
                              * of its neighbours (single precision, one factor, one asset,
                              * covariance 0, bisection) */
    /* real[n_dynamics][n_nodes]: share of a node's step that lies before the dynamics' start
     * (has_elapsed) */
    uint64_t elapsed_share;
    /* real[n_dynamics][n_nodes][n_assets]: amount / today's spot (has_cash) */
    uint64_t cash;
    uint64_t items;        /* levy_image_item[n_items] */
    uint64_t item_reals;   /* real[n_items][LEVY_ITEM_REALS] */
    uint64_t coefficients; /* real[n_items][n_assets] */
    uint64_t node_terms;   /* real[]: of each item that has any, [n_nodes][n_node_terms] */
    uint64_t outputs;      /* levy_image_output[n_outputs] */
    uint64_t keys;         /* uint64_t[n_replicates] */
    uint64_t directions;   /* uint32_t[n_replicates][33][n_draws] */
    uint64_t low;          /* uint32_t[n_replicates][n_draws][8] */
    uint64_t padded;       /* uint32_t[ceil(n_draws / 32)]: bits by draw (n_padded > 0) */
    uint64_t padding;      /* uint64_t[n_replicates]: keys (n_padded > 0 or model_draws > 0) */
    uint64_t streams;      /* uint32_t[n_replicates][6] (mrg32k3a) */
    uint64_t jumps;        /* uint32_t[LEVY_MRG_POWERS + LEVY_MRG_STRIDES][18] (mrg32k3a) */
    /* real[ceil(n_nodes / 8)][n_nodes][8]: of 8 nodes, by principal component (PCA) */
    uint64_t matrix;
    uint32_t model_draws;        /* words a node draws for the model */
    uint32_t model_features;     /* LEVY_MODEL_STEPS, ... */
    uint32_t model_constants[4]; /* of the step; kernels have them compiled in */
    /* real[]: what the model's step reads, laid out as it likes; logarithms in path_log's units */
    uint64_t model_reals;
    uint64_t model_words; /* uint32_t[] */
    /* real[n_dynamics][n_nodes][n_assets]: of each interval, in path_log's units
     * (LEVY_MODEL_SCALES)
     */
    uint64_t variance;
    /* real[n_dynamics][n_assets]: to the scale of all increments (LEVY_MODEL_SCALES) */
    uint64_t added;
    uint32_t n_model_reals, n_model_words;
    uint32_t records; /* 1: kernels can record levels by date (levy_batch) */
    uint32_t unused;
} levy_image;

#define LEVY_IMAGE_AT(type, image, member) ((const type *)((const char *)(image) + (image)->member))

static inline uint64_t levy_probe_blocks(const levy_image *image)
{
    return image->n_replicates > 1 ? image->blocks
                                   : (image->blocks + LEVY_PROBE_SHARE - 1) / LEVY_PROBE_SHARE;
}

/* Paths that a probe sees of a replicate, of which the image has so many. */
static inline uint64_t levy_probe_paths(const levy_image *image, uint32_t replicate, uint64_t paths)
{
    const uint64_t blocks = (paths + LEVY_BLOCK_PATHS - 1) / LEVY_BLOCK_PATHS;
    const uint64_t share = (blocks + LEVY_PROBE_SHARE - 1) / LEVY_PROBE_SHARE * LEVY_BLOCK_PATHS;
    if (image->n_replicates > 1) return replicate == 0 ? paths : 0;
    return share < paths ? share : paths;
}

/* Levels recorded of one block: [n_nodes][n_assets][LEVY_BLOCK_PATHS]. */
LANE_FN uint64_t levy_record_reals(const levy_image *image)
{
    return (uint64_t)image->n_nodes * image->n_assets * LEVY_BLOCK_PATHS;
}

static inline size_t levy_record_bytes(const levy_image *image)
{
    return (size_t)levy_record_reals(image) * (image->precision ? sizeof(float) : sizeof(double));
}

/* A tile: neighbouring outputs that one pass over the paths evaluates, with the items and dynamics
 * they span. */
typedef struct levy_tile {
    uint32_t first_output, n_outputs, first_item, n_items, first_dynamics, n_dynamics;
} levy_tile;

/* Of one output over one block. The count follows from the block's place. */
typedef struct levy_block_sum {
    double mean, m2;
} levy_block_sum;

#endif
