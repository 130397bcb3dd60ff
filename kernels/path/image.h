/* image.h: the flat plan image, the only data that a backend reads. One buffer without pointers:
 * this header, then arrays at byte offsets from its start. The planner writes it
 * (engine/plan/plan.c). The CPU reads it in place; the CUDA backend copies it to the device. It is
 * the numeric half of the plan: what to compute. The schedule (tiles, batches) says how. C11 and
 * CUDA. Must not know: any engine struct. */
#ifndef LEVY_PATH_IMAGE_H
#define LEVY_PATH_IMAGE_H

#include "engine/script/program.h"
#include "kernels/lane/lane.h"
#include "models/kinds.h"

#define LEVY_IMAGE_VERSION 23 /* of the layout below; a part of the build id, hence a macro */
#define LEVY_MOVES_MORE 0xffffffffu
enum {
    LEVY_IMAGE_MAGIC = 0x4c455659, /* "LEVY" */
    /* paths of one block of the summation tree; a block never spans replicates */
    LEVY_BLOCK_PATHS = 4096,
    LEVY_COLUMNS = 256,            /* column = path mod 256 */
    LEVY_NODE_NUMBERS = 16 << 10,  /* bytes of items' numbers in shared memory, at a few nodes */
    LEVY_SCRATCH_FRONT = 32 << 10, /* of a kernel's memory: which CTAs have which place in it */
    LEVY_BLOCK_ROWS = LEVY_BLOCK_PATHS / LEVY_COLUMNS,
    LEVY_MAX_ASSETS = 100,
    LEVY_MAX_STACK = 40,
    LEVY_MAX_TILE = 128, /* most items of a tile */
    LEVY_MAX_TILE_DYNAMICS = 128,
    LEVY_MAX_LOOP_DYNAMICS = 32, /* of a tile that levy_image_shares_draws is not true of */
    LEVY_MAX_SWEEP = 72,         /* most items of a tile that sweeps (sweep.h) */
    LEVY_CLUSTER = 8,            /* most items, and most dynamics, of a cluster of outputs */
    LEVY_OUTPUT_TERMS = 6,
    LEVY_ITEM_REALS = 16,
    LEVY_ITEM_STATES = 3, /* lanes that an item carries along a path */
    LEVY_MRG_POWERS = 32,
    LEVY_MRG_STRIDES = 12,
    LEVY_MOST_HEIGHT = 10, /* of a branch */
    /* an item kind: the value is 1 on paths where a cash dividend met the floor at 0 */
    LEVY_FLOOR_KIND = 100
};

/* One trade under one parameter set: what the payoff's lane functions read. Terms that are levels
 * are divided by the claim's unit (levy_claim_unit), so that lanes work on spots relative to
 * today's. */
typedef struct levy_image_item {
    uint32_t kind;      /* LEVY_PAYOFF_ of the lane code, or LEVY_FLOOR_KIND */
    uint32_t variant;   /* bits whose meaning depends on the kind: see the payoff's lane header */
    uint32_t aggregate; /* levy_aggregate */
    uint32_t dynamics;
    /* Each of its schedules has a bit of the node flags: n_flags bits from bit `flag` on. It
     * observes a node where one of them is set. */
    uint32_t flag, n_flags;
    uint32_t trade;        /* index in the group */
    uint32_t traits;       /* LEVY_ITEM_ bits */
    uint32_t n_node_terms; /* count of its own numbers at a node; 0: none */
    uint32_t n_constants;  /* its own numbers that no node changes: right before those */
    /* With LEVY_ITEM_COUNTS: the first and the last node at which it counts something. */
    uint32_t counts_from, counts_to;
    uint64_t node_terms; /* offset of these numbers, in reals, from the image's `node_terms` */
    /* the claim's unit (1 for a return) * discount factor: value = scale * settled payoff */
    double scale;
} levy_image_item;

enum {
    LEVY_ITEM_LONG = 1, /* its code at a node is long, or it carries more than one lane */
    /* what it carries depends on its level and its start alone, so items may share it */
    LEVY_ITEM_SHARES = 2,
    /* it runs a program, whose number is the lower 16 bits of its variant */
    LEVY_ITEM_SCRIPT = 4,
    /* It counts what its program pays, or that it ends, at some nodes alone, and settles on that.
     * The other states are those of all such items of the trade. */
    LEVY_ITEM_COUNTS = 8
};

/* The gross returns of a dynamics. A market that differs from the first one in its drift or its
 * date alone has the same exponentials, up to a factor that no path changes. */
enum {
    LEVY_RETURNS_OWN = 0,   /* exponentials of its own */
    LEVY_RETURNS_FIRST = 1, /* those of the first dynamics, bit for bit */
    /* those of the first dynamics times 1 + growth, and divided by what the asset has gained before
     * the dynamics' start */
    LEVY_RETURNS_GROWN = 2
};

/* The bits of the node flags that tell the item to observe. */
#define LEVY_ITEM_MASK(item) (((1u << (item)->n_flags) - 1u) << (item)->flag)

/* value of a path = sum of coefficient[i] * settled payoff of item first_item + term[i]. Outputs
 * that share items are neighbours and name the same span of items. They form a cluster, which a
 * tile never splits. */
typedef struct levy_image_output {
    uint32_t first_item, n_items;        /* of the cluster */
    uint32_t first_dynamics, n_dynamics; /* span of its items' dynamics */
    /* measure: LEVY_MEASURE_ bit, or LEVY_OUTPUT_FLOOR; factor: number of its label */
    uint32_t trade, measure, factor;
    uint32_t remarks; /* LEVY_OUTPUT_ bits */
    uint32_t n_terms;
    /* 0, or LEVY_PROBE_: how this output shows the bias of the output that it belongs to */
    uint32_t probe;
    uint32_t term[LEVY_OUTPUT_TERMS];
    double weight[LEVY_OUTPUT_TERMS];
    double coefficient[LEVY_OUTPUT_TERMS]; /* each weight times its item's scale */
    double constant;                       /* the host adds this to the mean of the paths */
    /* how far one path moves the value when it changes sides of a step; 0: not at all, or not
     * known */
    double jump;
    double ramp; /* share of the paths that lie on the ramp of the step; 0: the step is a jump */
} levy_image_output;

enum {
    /* a remark: one of the two bumped sets is not a valid market, so today's set replaces it */
    LEVY_OUTPUT_ONE_SIDED = 1,
    LEVY_OUTPUT_NOT_BUMPED = 2, /* neither set is valid: the value says nothing */
    /* a bumped spot lies beyond a barrier that is watched at all times */
    LEVY_OUTPUT_ACROSS = 4,
    LEVY_OUTPUT_STEPPED = 8, /* the model has an error in proportion to the grid's steps */
    LEVY_OUTPUT_HEAVY = 16,  /* the mean depends on paths that are hardly ever drawn */
    /* a measure, the group's floor probability; its trade is all ones */
    LEVY_OUTPUT_FLOOR = 1 << 30
};

/* A probe has the trade, measure and factor of an output and shows how large its bias is. The error
 * of a difference shrinks with a known power of its bump, so another bump on the same draws reveals
 * it. A probe is simulated on the first replicate alone or, if that is the only one, on its leading
 * blocks (levy_probe_blocks). */
enum {
    LEVY_PROBE_SAME = 1,        /* the output itself, if there is one replicate */
    LEVY_PROBE_TWICE = 2,       /* a central difference by twice the bump */
    LEVY_PROBE_TWICE_ASIDE = 3, /* a one-sided difference by twice the bump */
    LEVY_PROBE_HALF = 4,        /* central, by half the bump */
    LEVY_PROBE_HALF_ASIDE = 5,
    /* extrapolated from one and three bumps, where the output uses one and two */
    LEVY_PROBE_EXTRAPOLATED = 6,
    LEVY_PROBE_SHARE = 32 /* with a single replicate, a probe takes one block in so many */
};

/* Cash dividends: none; taken off the spot on their dates, so that it is carried, not only its
 * level; or still to come, and added at each node to what moves. */
enum { LEVY_CASH_NONE, LEVY_CASH_TAKEN, LEVY_CASH_ADDED };

/* A run of up to 8 consecutive nodes whose last one lies on the stack. First, `pushes` bridge
 * entries go to the stack. Then the top is taken as the right end, and the entries of the inner
 * slots that are present follow in the order 4 2 1 3 6 5 7. Slot 8, the right end itself, is always
 * present. Nodes are emitted in time order, from `first_node` on. */
typedef struct levy_image_segment {
    uint32_t pushes, present; /* bit s-1: slot s is present */
    uint32_t first_node, first_entry;
} levy_image_segment;

/* What the step of a part of the model reads, in the part's own layout. */
typedef struct levy_image_part {
    uint64_t reals; /* byte offsets: real[n_reals], logarithms in path_log's units */
    uint64_t words; /* uint32_t[n_words] */
    uint32_t n_reals, n_words;
    uint32_t draws;   /* words of a node's; the arrivals' come first */
    uint32_t carried; /* numbers that a path carries for each dynamics and asset */
    uint32_t constants[LEVY_MODEL_CONSTANTS]; /* of its code: kernels have them compiled in */
} levy_image_part;

/* Where the draws of a path come from. Sobol: for each replicate, `directions` holds 33 rows of
 * n_draws words. Rows 0..31 are the (scrambled) direction numbers by bit of the Gray-coded point
 * index; row 32 is the digital shift. `low` repeats the first 8 rows as [draw][8]. Draws are stored
 * in the order in which the traversal uses them. Those past the table are marked in `padded` and
 * come from philox under the keys of `padding`. Philox: one key per replicate. mrg32k3a: the start
 * of each replicate's stream, then the jumps of mrg32k3a.h by 2^b paths, b < LEVY_MRG_POWERS, and
 * by 2^k - 1 paths, k < LEVY_MRG_STRIDES. Given words or normals: `directions` holds the row of
 * each draw among the numbers of a batch (levy_batch). */
typedef struct levy_image {
    uint32_t magic, version;
    uint64_t bytes;
    /* of everything below and of the arrays, the replicates' tables included */
    uint64_t numeric_hash;
    uint32_t precision; /* 0 double, 1 single: type of the `real` arrays */
    uint32_t mixed;     /* 1 (precision 0): normals are computed in single */
    uint32_t model;     /* of the lane code: LEVY_MODEL_, LEVY_MODEL_ARRIVALS */
    /* 0 Sobol tables, 1 philox, 2 mrg32k3a, 3 given words, 4 given normals */
    uint32_t generator;
    /* 0 bridge by bisection, 1 incremental, 2 PCA, 3 bridge in a given order (no segments) */
    uint32_t construction;
    /* 0: factors are constant and levels are linear in the drivers; 1: factors differ by interval
     * and levels are sums of increments */
    uint32_t covariance;
    uint32_t has_cash; /* LEVY_CASH_: cash dividends */
    uint32_t full;     /* every segment has all 8 slots */
    uint32_t n_assets, n_factors, n_nodes, n_segments, stack;
    uint32_t n_draws; /* n_nodes * (n_factors + auxiliary): dimensions of a path */
    uint32_t n_dynamics, n_items, n_outputs, n_trades, n_replicates;
    uint32_t n_padded; /* Sobol draws past the table */
    /* covariance 0: some dynamics start later than the draws, namely those with
     * elapsed_share[dynamics][0] > 0 */
    uint32_t has_elapsed;
    /* more draws per node, outside the bridge: the model's, then 0 or 1. They come after all
     * others, in time order */
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
    uint64_t factor; /* real[n_dynamics][covariance ? n_nodes : 1][n_assets][n_factors] */
    /* real[n_dynamics][n_nodes]: an entry's drift less the weighted drifts of its neighbours (only
     * single precision, one factor, one asset, covariance 0, bisection) */
    uint64_t drift_residual;
    /* real[n_dynamics][n_nodes]: share of a node's step that lies before the dynamics' start
     * (has_elapsed) */
    uint64_t elapsed_share;
    /* real[n_dynamics][n_nodes][n_assets] over today's spot: what is paid at the node, or what is
     * added to the gross return (has_cash) */
    uint64_t cash;
    /* uint32_t[n_dynamics]: the one asset whose levels differ from those of the first dynamics;
     * n_assets: none; LEVY_MOVES_MORE: other differences, too */
    uint64_t moved;
    /* uint32_t[n_dynamics]: LEVY_RETURNS_, how the only asset's gross returns are made */
    uint64_t returns;
    /* real[n_dynamics][n_nodes] (levy_image_grows): what LEVY_RETURNS_GROWN adds to each of the
     * first dynamics' gross returns, in proportion to it */
    uint64_t growth;
    uint64_t items;        /* levy_image_item[n_items] */
    uint64_t item_reals;   /* real[n_items][LEVY_ITEM_REALS] */
    uint64_t coefficients; /* real[n_items][n_assets] */
    /* real[]: of each item that has any, [n_constants], then [n_nodes][n_node_terms] */
    uint64_t node_terms;
    uint64_t outputs;    /* levy_image_output[n_outputs] */
    uint64_t keys;       /* uint64_t[n_replicates] */
    uint64_t directions; /* uint32_t[n_replicates][33][n_draws]; given: [n_draws] */
    uint64_t low;        /* uint32_t[n_replicates][n_draws][8] */
    uint64_t padded;     /* uint32_t[ceil(n_draws / 32)]: bits by draw (n_padded > 0) */
    uint64_t padding;    /* uint64_t[n_replicates]: keys (n_padded > 0 or the model draws) */
    uint64_t streams;    /* uint32_t[n_replicates][6] (mrg32k3a) */
    uint64_t jumps;      /* uint32_t[LEVY_MRG_POWERS + LEVY_MRG_STRIDES][18] (mrg32k3a) */
    /* PCA: real[ceil(n_nodes / 8)][n_nodes][8], of 8 nodes each, by principal component.
     * Functionals: real[2][n_nodes][n_functionals], what each entry's draw gives to their sums,
     * then what these add to the entry's normal (engine/plan/functionals.h). */
    uint64_t matrix;
    uint32_t model_features; /* LEVY_MODEL_STEPS, ... */
    uint32_t model_loops;    /* 1: each path has its own number of turns */
    levy_image_part parts[LEVY_PARTS];
    /* real[n_dynamics][n_nodes][n_assets]: of each interval, in path_log's units
     * (LEVY_MODEL_SCALES)
     */
    uint64_t variance;
    /* real[n_dynamics][n_assets]: added to the scale of all increments (LEVY_MODEL_SCALES) */
    uint64_t added;
    /* 1: kernels can record levels by date (levy_batch); 2: and the variances of a model that has
     * them shown (LEVY_MODEL_VARIES); 3: and discount factors (LEVY_MODEL_DISCOUNTS) */
    uint32_t records;
    /* counts of events, at most LEVY_MAX_COUNTS, that are built in the order of the bridge, beside
     * the drivers */
    uint32_t n_counts;
    /* bisection: functionals of the path that the first dimensions draw, by a turn of the normals
     * before the bridge */
    uint32_t n_functionals;
    uint32_t n_scripts;
    /* 1: the normal of the first draw is 0, because the payoffs integrate over it
     * (payoffs/integral.h) */
    uint32_t integrated;
    uint32_t kept;    /* the most lanes that an item carries beside its states */
    uint32_t n_own;   /* the model's drivers beside the assets': [asset][driver] */
    uint32_t own_row; /* the numbers of a node's row of `own`; 0: no own */
    /* The items' programs, each once: uint64_t[n_scripts], each one's byte offset from here, then
     * the programs. */
    uint64_t scripts;
    /* real[n_dynamics][n_nodes][own_row]: the years of the interval, from LEVY_OWN_FIRST on how its
     * increments move the model's own drivers, [driver][factor], and at the end what the kind makes
     * of it, by asset. All begin at fours, for a GPU loads several at once. */
    uint64_t own;
} levy_image;

#define LEVY_IMAGE_AT(type, image, member) ((const type *)((const char *)(image) + (image)->member))

/* Number i of the image's reals from a byte offset on. */
static inline double levy_image_real(const levy_image *image, uint64_t offset, uint64_t i)
{
    const void *const at = (const char *)image + offset;
    return image->precision ? (double)((const float *)at)[i] : ((const double *)at)[i];
}

/* Does the dynamics start later than the draws? */
static inline int levy_image_is_late(const levy_image *image, uint32_t dynamics)
{
    return image->has_elapsed &&
           levy_image_real(image, image->elapsed_share, (uint64_t)dynamics * image->n_nodes) > 0.0;
}

static inline const levy_script_program *levy_image_script(const levy_image *image, uint32_t number)
{
    const void *const at =
        LEVY_IMAGE_AT(char, image, scripts) + LEVY_IMAGE_AT(uint64_t, image, scripts)[number];
    return (const levy_script_program *)at;
}

/* The program of an item with LEVY_ITEM_SCRIPT. */
static inline const levy_script_program *levy_image_program(const levy_image *image,
                                                            const levy_image_item *item)
{
    return levy_image_script(image, item->variant & 0xffff);
}

/* Words that a node draws for the model. */
LANE_FN uint32_t levy_image_model_draws(const levy_image *image)
{
    return image->parts[LEVY_PART_DIFFUSION].draws + image->parts[LEVY_PART_ARRIVALS].draws;
}

/* One asset with constant factors, by Sobol points and bisection: its dynamics need little room, so
 * that a CPU's tile may have all of them, and make the draws once. */
static inline int levy_image_shares_draws(const levy_image *image)
{
    return image->n_assets == 1 && !image->model && !image->covariance && !image->has_cash &&
           image->generator == 0 && (image->construction == 0 || image->construction == 3);
}

/* May dynamics have gross returns in proportion to those of the first one? */
LANE_FN int levy_image_grows(const levy_image *image)
{
    return image->n_assets == 1 && image->n_dynamics > 1 && !image->model &&
           !image->model_features && !image->covariance && !image->has_cash;
}

static inline uint64_t levy_probe_blocks(const levy_image *image)
{
    return image->n_replicates > 1 ? image->blocks
                                   : (image->blocks + LEVY_PROBE_SHARE - 1) / LEVY_PROBE_SHARE;
}

/* Paths that a probe sees of a replicate that has `paths` of them. */
static inline uint64_t levy_probe_paths(const levy_image *image, uint32_t replicate, uint64_t paths)
{
    const uint64_t blocks = (paths + LEVY_BLOCK_PATHS - 1) / LEVY_BLOCK_PATHS;
    const uint64_t share = (blocks + LEVY_PROBE_SHARE - 1) / LEVY_PROBE_SHARE * LEVY_BLOCK_PATHS;
    if (image->n_replicates > 1) return replicate == 0 ? paths : 0;
    return share < paths ? share : paths;
}

/* What a path shows of an asset at a date, for records: its level, and what the model adds. */
static inline uint32_t levy_image_shown(const levy_image *image)
{
    const uint32_t shape = image->parts[LEVY_PART_DIFFUSION].constants[0];
    if (!(shape & LEVY_MODEL_VARIES)) return 1;
    return shape & LEVY_MODEL_DISCOUNTS ? 3 : 2;
}

/* Levels recorded of one block, or what is recorded beside them:
 * [n_nodes][records][n_assets][LEVY_BLOCK_PATHS]. */
LANE_FN uint64_t levy_record_reals(const levy_image *image)
{
    return (uint64_t)image->n_nodes * image->records * image->n_assets * LEVY_BLOCK_PATHS;
}

static inline size_t levy_record_bytes(const levy_image *image)
{
    return (size_t)levy_record_reals(image) * (image->precision ? sizeof(float) : sizeof(double));
}

/* Bytes of a given number, and of those of one block. 0: the image's numbers are not given. */
static inline size_t levy_given_size(const levy_image *image)
{
    if (image->generator == 3) return sizeof(uint32_t);
    if (image->generator != 4) return 0;
    return image->precision ? sizeof(float) : sizeof(double);
}

static inline size_t levy_given_bytes(const levy_image *image)
{
    return (size_t)image->n_draws * LEVY_BLOCK_PATHS * levy_given_size(image);
}

/* A tile: neighbouring outputs that one pass over the paths evaluates, with the items and dynamics
 * they span. */
typedef struct levy_tile {
    uint32_t first_output, n_outputs, first_item, n_items, first_dynamics, n_dynamics;
} levy_tile;

/* 0: all dynamics of the tile have exponentials of their own. Else one plus the number, in the
 * tile, of a dynamics with the numbers of the image's first; n_dynamics, if the tile has none. */
static inline uint32_t levy_tile_grown(const levy_image *image, const levy_tile *tile)
{
    const uint32_t *const returns = LEVY_IMAGE_AT(uint32_t, image, returns) + tile->first_dynamics;
    uint32_t grown = 0, first = tile->n_dynamics;
    for (uint32_t m = tile->n_dynamics; m-- > 0;) {
        if (returns[m] == LEVY_RETURNS_GROWN) grown = 1;
        if (returns[m] == LEVY_RETURNS_FIRST) first = m;
    }
    return grown ? 1 + first : 0;
}

/* The sums of one output over one block, or one branch. The count follows from the place. */
typedef struct levy_block_sum {
    double mean, m2;
} levy_block_sum;

/* A branch of the summation tree: 2^height consecutive blocks of one replicate, from a multiple of
 * 2^height on. The last branch of a replicate can have fewer. */
LANE_FN uint64_t levy_branches_each(const levy_image *image, uint32_t height) /* of a replicate */
{
    return ((image->blocks - 1) >> height) + 1;
}

/* The number of the branch that holds a block, over all replicates. */
LANE_FN uint64_t levy_branch_of(const levy_image *image, uint64_t block, uint32_t height)
{
    return block / image->blocks * levy_branches_each(image, height) +
           (block % image->blocks >> height);
}

/* Branches that n consecutive blocks lie in. */
LANE_FN uint64_t levy_branches(const levy_image *image, uint64_t first, uint64_t n, uint32_t height)
{
    return n ? levy_branch_of(image, first + n - 1, height) - levy_branch_of(image, first, height) +
                   1
             : 0;
}

#endif
