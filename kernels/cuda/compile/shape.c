/* shape.c: see shape.h. Must not know: who compiles the text. */
#include "kernels/cuda/compile/shape.h"

#include "kernels/cuda/compile/bounds.h"
#include "kernels/cuda/compile/normal_table.h"
#include "kernels/cuda/compile/scripts.h"
#include "kernels/cuda/compile/shape_text.h"
#include "kernels/lane/normal_rows.h"

#include "engine/run/backend.h"
#include "kernels/path/sweep.h"
#include "models/jumps.h"
#include "models/kinds.h"
#include "models/regimes.h"
#include "payoffs/basket.h"
#include "payoffs/european.h"
#include "payoffs/payoff.h"

#include <stdio.h>
#include <string.h>

enum {
    SHAPE_WHOLE = 8 << 10, /* bytes of base words, up to which all rows' are ready at once */
    /* bytes of base words, above which two paths leave a warp's products no room (H200, 32 assets x
     * 252, double: 47 G asset-steps/s, with one path 74) */
    SHAPE_PAIRED = 32 << 10,
    SHAPE_ALONE = 20,              /* assets, above which shared memory is left to products */
    SHAPE_NARROW = 96 << 10,       /* bytes of base words, above which they are of one row alone */
    SHAPE_STAGED = 16 << 10,       /* most bytes of weights, drifts and factors in shared memory */
    SHAPE_SLOTS = 8,               /* warps of a CTA: columns that are merged at the same time */
    SHAPE_FEW_SLOTS = 2,           /* the same beside what warps show themselves under PCA */
    SHAPE_ROUND = 2 * SHAPE_SLOTS, /* most columns of a round, blocks times outputs */
    SHAPE_RESERVED = 1 << 10,      /* bytes that the driver takes of each CTA */
    /* draws; longer paths leave no room for a table of normals */
    SHAPE_LONG = 2048,
    SHAPE_SHORT = 16, /* draws; see shape_is_short */
    /* Above so many factors * assets, loops over them are rolled. H200, 64 dates, G asset-steps/s,
     * unrolled against rolled: 32 x 32 in single 238, 222; in double 51.8, 73.6; 64 x 64: 17, 102;
     * 8.8, 36; 100 x 100: 5, 53; 3.2, 25. */
    SHAPE_WIDE_SINGLE = 1200,
    SHAPE_WIDE_DOUBLE = 900,
    SHAPE_CONSTANTS = 4 << 10, /* most bytes of factors that are a parameter of the kernel */
    SHAPE_AHEAD_SINGLE = 32,   /* least nodes for an event that is found ahead */
    SHAPE_AHEAD_DOUBLE = 8,
    SHAPE_TOGETHER = 384,    /* arrivals that the threads of a warp find together */
    SHAPE_WIDE_ASSETS = 16,  /* of the largest tile */
    SHAPE_CHAIN = 32,        /* factors, up to which products in single have one part */
    SHAPE_SUMMED = 128,      /* most registers of a thread's sums over principal components */
    SHAPE_DRIVERS = 4 << 10, /* most bytes of a tile's drivers, of more than 16 nodes */
    SHAPE_COLUMNS = 8 << 10, /* bytes for columns and few rows of normals beside PCA's weights */
    SHAPE_NEAR = 128, /* draws of mrg32k3a, up to which a thread holds several paths' in double */
    SHAPE_LOW = 16 << 10, /* most bytes of more than 8 low words a draw, in double */
    /* octaves of normals in double that shared memory holds, if it can: one word in 1,024 wants
     * others */
    SHAPE_OCTAVES = 10,
    /* where levy_shape_rows says the octaves that stand there eight times, and once */
    SHAPE_COPIED = 8,
    SHAPE_ALONE_ROWS = 16,
    SHAPE_SHARED = 16,  /* most items that share states, four bits each */
    SHAPE_MOMENTS = 64, /* most of an item that a thread holds with several paths */
    SHAPE_FEW = 8,      /* most sums of plain items for runs of nodes in registers */
    SHAPE_SUMS = 16     /* most sums of functionals that a thread holds with several paths */
};
/* Paths per thread, and CTAs per multiprocessor that the compiler is held to. More paths share a
 * draw's low word, weights and drift, and hide latency. But they cost registers, and too few
 * threads leave the multiprocessor idle. The first row that fits decides. Measured on an NVIDIA
 * H200, 2026-11-21, CUDA 13.0, sobol_scrambled and bridge: paths x CTAs, then G path-steps/s.
 * - 1 asset x 64, single: 8x2 1336, 8x3 1177, 4x3 1159 (normals computed: 8x2 959)
 *   with five Greeks: 4x2 2.87 prices, 8x2 2.94, 4x3 3.36
 * - 1 asset x 64, double (H100): 4x2 253, 8x1 231, 4x1 228, 2x2 225, 2x3 190; with five Greeks 2x2
 * - 8 assets x 64, single: 4x2 695, 4x3 562, 2x4 534 (normals computed: 676, 614, 601)
 * - 8 assets x 64, double (H100): 2x1 207, 2x2 205, 1x2 189, 4x1 162, 1x3 158
 * - 16 assets x 64, single: 2x2 490, 4x1 420, 2x3 402, 1x3 378; double (H100):
 *   1x2 151, 1x1 134, 2x1 128
 * - 32 assets x 64, single: 2x2 238, 1x3 185, 2x1 170; double, wide: 2x1 74, 1x2 69, 1x3 64
 * - 1 asset x 1, single: 16x2 970, 16x1 632, 16x3 713, 8x2 673 (normals computed: 8x4 681) */
typedef struct shape_launch {
    uint32_t lanes, ctas;
} shape_launch;
typedef struct shape_tuning {
    uint32_t max_drivers; /* factors * assets */
    uint32_t max_items;
    shape_launch in_single, in_double;
} shape_tuning;

static const shape_tuning shape_tunings[] = {
    {1, 2, {8, 2}, {4, 2}},
    {1, UINT32_MAX, {4, 3}, {2, 2}},
    {64, 2, {4, 2}, {2, 2}},
    {SHAPE_WIDE_DOUBLE, 2, {2, 2}, {1, 2}},
    {SHAPE_WIDE_SINGLE, 2, {2, 2}, {2, 1}}, /* wide in double */
    {144, UINT32_MAX, {2, 4}, {2, 2}},
    {1024, UINT32_MAX, {1, 3}, {1, 2}},
    {UINT32_MAX, UINT32_MAX, {2, 1}, {2, 1}}, /* wide */
};

/* The same of one or two items on several assets in mixed precision, whose table of normals in
 * shared memory is that of single. H200, 64 dates, G asset-steps/s:
 * - 2 assets 4x2 493, 4x1 468, 2x2 446; 4: 4x2 449, 2x2 443, 4x1 430; 6: 2x2 421, 4x1 408, 2x1 388
 * - 8 assets 4x1 384, 2x1 383, 2x2 366, 1x2 316; 12: 2x2 292, 2x1 286, 1x2 272; 16: 2x1 249, 2x2
 * 176 */
static const struct {
    uint32_t max_drivers;
    shape_launch launch;
} shape_mixed[] = {
    {16, {4, 2}}, {36, {2, 2}}, {64, {2, 1}}, {144, {2, 2}}, {SHAPE_WIDE_DOUBLE, {2, 1}}};

/* The same of sweeps, with the items that go side by side, by factors * assets. H200, prices that
 * price and vegas cost: 8 assets in single 5.5, in double 3.8 (unrolled: 2x2 in single 2.4; in
 * double 2x1 2.15, 1x2 2.26, 1x3 2.66); 32 assets 5.4 and 5.6. */
typedef struct shape_sweep {
    uint32_t max_drivers;
    shape_launch launch;
    uint32_t side;
} shape_sweep;
static const shape_sweep shape_sweeps[2][2] = {
    {{256, {2, 2}, 4}, {UINT32_MAX, {1, 2}, 8}}, /* double; the latter are wide */
    {{144, {4, 2}, 6}, {UINT32_MAX, {2, 2}, 5}}};

/* Of baskets that can share the products of a warp (items_products.h): by assets, no paths where
 * they do not. The paths and CTAs decide how many assets a thread sums. H200, 64 dates, G
 * asset-steps/s, without sharing, then paths x CTAs, before drivers were built in runs
 * (traversal_wide.h):
 * - single, by matrix instructions: 16 assets 494, 2x2 415; 32: 2x2 354, 1x2 270, 4x1 308; 64: 99,
 *   1x2 188, 2x1 173; 100: 54, 1x1 94, 2x1 62, 1x2 72
 * - double, by matrix instructions (H100): 16 assets 152, 1x2 122; 32: 1x2 128, 2x1 120, 1x1 86;
 *   64: 1x1 63, 1x2 42, 2x1 38; 100: 1x1 29 */
typedef struct shape_products {
    uint32_t max_assets;
    shape_launch in_single, in_double;
} shape_products;
static const shape_products shape_product_launches[] = {
    {20, {0, 0}, {0, 0}}, {27, {0, 0}, {1, 2}},  {32, {2, 2}, {1, 2}},         {36, {2, 2}, {1, 1}},
    {64, {1, 2}, {1, 1}}, {128, {1, 1}, {1, 1}}, {UINT32_MAX, {0, 0}, {0, 0}},
};

/* as in the image */
enum {
    SHAPE_PHILOX = 1,
    SHAPE_MRG = 2,
    SHAPE_INCREMENTAL = 1,
    SHAPE_COMPONENTS = 2,
    SHAPE_ORDERED = 3
};

/* Are a single count's events so few that a thread finds them ahead of the nodes? Finding one takes
 * as long as some nodes gain. H200, 64 dates, one and three events, G path-steps/s: ahead 434 and
 * 217 in single, 143 and 108 in double; at the nodes 349 and 237, 128 and 102. The model's first
 * word says the chance of none, in 2^-32. On the way to a single node there is nothing to find. */
static bool shape_looks_ahead(const levy_image *image)
{
    if (image->n_counts != 1 || image->model_constants[2] != 1) return false;
    if (image->n_nodes == 1) return true;
    const uint32_t none = *LEVY_IMAGE_AT(uint32_t, image, model_words),
                   each = image->precision ? SHAPE_AHEAD_SINGLE : SHAPE_AHEAD_DOUBLE;
    double least = 0x1p32; /* for an event in so many nodes */
    for (uint32_t node = each; node <= image->n_nodes && least >= 1.0; node += each)
        least *= 0.36787944117144233;
    return none > 0 && none >= least;
}

/* In single a mark does not depend on the interval (jump_together.h), so others may find that. */
static uint32_t shape_finds_together(const levy_image *image)
{
    const bool can = image->precision && image->n_nodes > 1 && image->n_nodes <= LEVY_LOOK_FAR &&
                     image->generator == 0 && image->n_padded == 0;
    return can && shape_looks_ahead(image) ? SHAPE_TOGETHER : 0;
}

/* A single step in single with a single count, whose normals are most of the work. */
static bool shape_jumps_once(const levy_image *image)
{
    return image->n_nodes == 1 && image->precision && shape_looks_ahead(image);
}

/* Are a plan's normals looked up? The plan alone decides, because this fixes bits. Two kinds are
 * computed because their time goes elsewhere: those of short paths (except held cells and jumps
 * until one date) and of very many factors (32: 140 against 151). So are those of paths whose draws
 * leave no room for a table. */
static bool shape_looks_up(const levy_image *image)
{
    const bool folded = image->generator == 0 && image->n_padded == 0 &&
                        !(image->model_features & LEVY_MODEL_GAMMA);
    const bool single = image->precision || image->mixed,
               few = (uint64_t)image->n_factors * image->n_assets <= 64;
    return folded && single && few && (image->n_draws >= SHAPE_SHORT || shape_jumps_once(image)) &&
           image->n_draws <= SHAPE_LONG;
}

/* Bytes of a path's segments in shared memory, of kernels that have no table of normals there. */
static uint32_t shape_near(const levy_image *image, const levy_tile *tile)
{
    return shape_looks_up(image) ? 0 : levy_scripts_near(image, tile);
}

/* Are a plan's normals those of double, whose table (normal.h) is another? */
static bool shape_is_exact(const levy_image *image) { return !image->precision && !image->mixed; }

/* Rows of that table in shared memory, as `rows` says it. */
static uint32_t shape_copied(const levy_image *image, uint32_t rows)
{
    return shape_is_exact(image) ? (rows >> SHAPE_COPIED & 0xff) * LEVY_NORMAL_OCTAVE : 0;
}

static uint32_t shape_alone(const levy_image *image, uint32_t rows)
{
    return shape_is_exact(image) ? (rows >> SHAPE_ALONE_ROWS & 0xff) * LEVY_NORMAL_OCTAVE : 0;
}

static size_t shape_real(const levy_image *image)
{
    return image->precision ? sizeof(float) : sizeof(double);
}

static bool shape_is_components(const levy_image *image)
{
    return image->construction == SHAPE_COMPONENTS && image->n_nodes > 1;
}

/* Draws of a path that local memory holds, rounded up to a power of two so that grids share
 * kernels: those of mrg32k3a, whose words come in the order of time alone, where another is wanted;
 * 0: none. */
static uint32_t shape_room(const levy_image *image)
{
    uint32_t room = 8;
    if (image->generator != SHAPE_MRG ||
        (image->construction == SHAPE_INCREMENTAL && !image->auxiliary))
        return 0;
    while (room < image->n_draws) room *= 2;
    return room;
}

/* Runs of 16 nodes in a tile, whose sums a thread holds at a time: 16 reals of a run for each of
 * its paths. All tiles have as many, so that the last one is nearly full. 0: no PCA. */
static uint32_t shape_node_runs(const levy_image *image, uint32_t lanes)
{
    if (!shape_is_components(image)) return 0;
    const uint32_t runs = (image->n_nodes + 15) / 16;
    uint32_t most = SHAPE_SUMMED / (16 * lanes * (uint32_t)(shape_real(image) / sizeof(float)));
    while (most > 1 && most * 16 * lanes * image->n_factors * shape_real(image) > SHAPE_DRIVERS)
        most /= 2;
    const uint32_t tiles = (runs + most - 1) / most;
    return (runs + tiles - 1) / tiles;
}

levy_status levy_shape_accepts(const levy_image *image, char *why)
{
    uint32_t depth = 0; /* 2 ceil(log2 n) */
    while ((uint64_t)1 << (depth / 2) < image->n_nodes) depth += 2;
    if (depth > LEVY_MAX_STACK - 1) depth = LEVY_MAX_STACK - 1;
    if (depth == 0) depth = 1;
    if (image->n_draws > LEVY_SHAPE_ROOM && shape_room(image) > 0)
        snprintf(why, LEVY_REASON_SIZE,
                 "on a GPU mrg32k3a other than incremental takes up to %d draws a path, but these "
                 "paths have %u; the CPU prices them",
                 LEVY_SHAPE_ROOM, (unsigned)image->n_draws);
    else if (image->n_functionals * image->n_factors > LEVY_SHAPE_FUNCTIONALS)
        snprintf(why, LEVY_REASON_SIZE,
                 "on a GPU the functionals of a bridge take up to %d draws, but these take %u; the "
                 "CPU prices them",
                 LEVY_SHAPE_FUNCTIONALS, (unsigned)(image->n_functionals * image->n_factors));
    else if (image->construction == SHAPE_ORDERED && image->stack - 1 > depth)
        snprintf(
            why, LEVY_REASON_SIZE,
            "this build order keeps %u dates at a time, but a GPU can keep %u; the CPU prices it",
            (unsigned)image->stack - 1, (unsigned)depth);
    else
        return LEVY_OK;
    return LEVY_UNSUPPORTED;
}

/* Black-Scholes in one step, on Sobol points' first dimension. */
static bool shape_holds_cells(const levy_image *image)
{
    return image->generator == 0 && image->n_padded == 0 && image->precision &&
           image->n_draws == 1 && !image->model && !image->integrated;
}

static const levy_image_item *shape_item(const levy_image *image, const levy_tile *tile, uint32_t i)
{
    return LEVY_IMAGE_AT(levy_image_item, image, items) + tile->first_item + i;
}

/* Is all that the items see a sum or an extreme of returns, under one market of no memory? */
static bool shape_can_share_products(const levy_image *image, const levy_tile *tile)
{
    bool can = tile->n_items <= 2 && tile->n_dynamics == 1 && !image->covariance &&
               !image->has_elapsed && !image->has_cash && !image->model &&
               !shape_is_components(image);
    for (uint32_t i = 0; i < tile->n_items && can; ++i) {
        const levy_image_item *const item = shape_item(image, tile, i);
        can = !(item->traits & LEVY_ITEM_LONG) &&
              (item->aggregate == BASKET_SUM || item->aggregate == BASKET_BEST_OF ||
               item->aggregate == BASKET_WORST_OF);
    }
    return can;
}

static shape_launch shape_product_launch(const levy_image *image, const levy_tile *tile)
{
    const shape_products *row = shape_product_launches;
    while (image->n_assets > row->max_assets) ++row;
    shape_launch launch = image->precision ? row->in_single : row->in_double;
    if (launch.lanes == 2 && 8 * (uint64_t)image->n_draws > SHAPE_PAIRED) launch.lanes = 1;
    return shape_can_share_products(image, tile) ? launch : (shape_launch){0, 0};
}

/* Assets whose returns a warp sums together, in whole runs of 8. All of them, if the warp's
 * registers have room, else even parts. In single, sums of many factors are in two parts
 * (products_single.h). */
static uint32_t shape_product(const levy_image *image, const levy_tile *tile, uint32_t lanes)
{
    const uint32_t ctas = shape_product_launch(image, tile).ctas,
                   twice = !image->precision || image->n_factors > SHAPE_CHAIN ? 2 : 1,
                   most = SHAPE_SUMMED / (twice * lanes * ctas),
                   parts = (image->n_assets + most - 1) / most;
    return ((image->n_assets + parts - 1) / parts + 7) / 8 * 8;
}

/* Many assets: see shape.def. */
static bool shape_is_wide(const levy_image *image, const levy_tile *tile)
{
    const uint64_t drivers = (uint64_t)image->n_factors * image->n_assets;
    const uint64_t in_double =
        levy_tile_sweeps(image, tile) ? shape_sweeps[0]->max_drivers : SHAPE_WIDE_DOUBLE;
    const uint64_t most = image->precision ? SHAPE_WIDE_SINGLE : in_double;
    return (drivers > most && image->n_assets >= SHAPE_WIDE_ASSETS) ||
           shape_product_launch(image, tile).lanes > 0;
}

static bool shape_shares_products(const levy_image *image, const levy_tile *tile, uint32_t rows)
{
    return shape_is_wide(image, tile) && rows & LEVY_SHAPE_PRODUCTS;
}

/* Numbers of a row of factors or of drivers, as instructions multiply them. */
static uint32_t shape_multiplied(const levy_image *image)
{
    const uint32_t unit = image->precision ? 8 : 4;
    return (image->n_factors + unit - 1) / unit * unit;
}

/* Bytes of the drivers that a wide kernel may hold in shared memory; 0: its steps need the drivers
 * before, too. */
static uint64_t shape_held_bytes(const levy_image *image, uint32_t lanes)
{
    const bool steps = image->covariance || image->model || image->has_elapsed;
    return steps
               ? 0
               : (uint64_t)lanes * shape_multiplied(image) * LEVY_SHAPE_THREADS * shape_real(image);
}

/* Its draw for the sum of normal marks. */
static uint32_t shape_normal_mark(const levy_image *image)
{
    const bool normal = image->model_constants[1] == 1u << JUMPS_NORMAL;
    return shape_jumps_once(image) && normal ? image->n_factors + 1 : 0;
}

/* Long paths have base words of the first of a thread's rows alone. Models read words of a path by
 * themselves. */
static bool shape_is_narrow(const levy_image *image, uint32_t lanes)
{
    return image->generator == 0 && !image->model && lanes > 1 &&
           4 * (uint64_t)lanes * image->n_draws > SHAPE_NARROW;
}

static uint64_t shape_base_bytes(const levy_image *image, uint32_t lanes)
{
    const uint64_t ends = shape_holds_cells(image) ? 2 * LEVY_BLOCK_ROWS : 0,
                   rows = shape_is_narrow(image, lanes) ? 1 : lanes;
    return (4 * rows * image->n_draws + 4 * ends + 15) / 16 * 16;
}

static bool shape_has_long_item(const levy_image *image, const levy_tile *tile)
{
    const levy_image_item *const items =
        LEVY_IMAGE_AT(levy_image_item, image, items) + tile->first_item;
    for (uint32_t i = 0; i < tile->n_items; ++i)
        if (items[i].traits & LEVY_ITEM_LONG) return true;
    return false;
}

/* Have all runs of nodes 8, where they may lie in registers (PATH_registers)? */
static bool shape_is_full(const levy_image *image, const levy_tile *tile)
{
    return image->full && image->n_assets * image->n_factors == 1 &&
           (image->precision || image->mixed) && !shape_has_long_item(image, tile);
}

/* Do all items of the tile observe at all nodes, and no node pays a dividend? Then no flag need be
 * read. */
static bool shape_is_always(const levy_image *image, const levy_tile *tile)
{
    const uint32_t *const flags = LEVY_IMAGE_AT(uint32_t, image, flags);
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < tile->n_items; ++i)
        wanted |= LEVY_ITEM_MASK(shape_item(image, tile, i));
    for (uint32_t node = 0; node < image->n_nodes; ++node)
        if ((flags[node] & wanted) != wanted) return false;
    return !image->has_cash;
}

/* The item whose states item i uses. Averages, for example, under one dynamics that start alike
 * have the same sums, whatever their strikes and spots; the first such item keeps them. */
static uint32_t shape_state_of(const levy_image *m, const levy_tile *t, uint32_t i)
{
    const size_t real_size = m->precision ? sizeof(float) : sizeof(double),
                 row = LEVY_ITEM_REALS * real_size;
    const char *const starts =
        LEVY_IMAGE_AT(char, m, item_reals) + t->first_item * row + ITEM_START * real_size;
    const levy_image_item *const item = shape_item(m, t, i);
    for (uint32_t j = 0; j < i && item->traits & LEVY_ITEM_SHARES; ++j) {
        const levy_image_item *const other = shape_item(m, t, j);
        if (other->kind == item->kind && other->flag == item->flag &&
            other->n_flags == item->n_flags && other->variant == item->variant &&
            other->dynamics == item->dynamics && other->aggregate == item->aggregate &&
            m->n_assets == 1 && memcmp(starts + i * row, starts + j * row, real_size) == 0)
            return j;
    }
    return i;
}

/* The sums that a tile of plain items keeps; 0: other items, or too many. */
static uint32_t shape_sums(const levy_image *m, const levy_tile *t)
{
    uint32_t sums = 0;
    if (m->n_assets > 1 || m->model || shape_has_long_item(m, t) || !shape_is_always(m, t))
        return 0;
    for (uint32_t i = 0; i < t->n_items; ++i) sums += shape_state_of(m, t, i) == i;
    return sums <= SHAPE_FEW && t->n_items <= SHAPE_SHARED ? sums : 0;
}

/* Lanes that an item carries: as programs want them, or of any payoff. */
static uint32_t shape_states(const levy_image *m, const levy_tile *t)
{
    const uint32_t states = levy_scripts_states(m, t);
    return states > LEVY_ITEM_STATES ? states : (uint32_t)LEVY_ITEM_STATES;
}

static const shape_sweep *shape_sweep_of(const levy_image *image)
{
    const shape_sweep *const rows = shape_sweeps[image->precision ? 1 : 0];
    return &rows[(uint64_t)image->n_factors * image->n_assets > rows->max_drivers];
}

bool levy_shape_unrolls(const levy_image *image, const levy_tile *tile)
{
    const size_t row = image->n_assets * shape_real(image);
    const char *const coefficients =
        LEVY_IMAGE_AT(char, image, coefficients) + tile->first_item * row;
    if (!levy_tile_sweeps(image, tile) || tile->n_items > LEVY_SHAPE_UNROLLED ||
        image->n_assets > LEVY_SHAPE_UNROLLED_ASSETS ||
        image->n_factors > LEVY_SHAPE_UNROLLED_ASSETS || shape_has_long_item(image, tile) ||
        shape_item(image, tile, 0)->aggregate != BASKET_SUM)
        return false;
    for (uint32_t i = 1; i < tile->n_items; ++i)
        if (memcmp(coefficients, coefficients + i * row, row) != 0) return false;
    return image->n_nodes * (uint64_t)(4 + image->n_assets + tile->n_items) * shape_real(image) +
               image->n_factors * row <=
           SHAPE_STAGED;
}

const void *levy_shape_factors(const levy_image *image, const levy_tile *tile, void *room)
{
    const size_t row = image->n_factors * shape_real(image), each = image->n_assets * row;
    const char *const factors = LEVY_IMAGE_AT(char, image, factor);
    const uint32_t *const moved = LEVY_IMAGE_AT(uint32_t, image, moved);
    if (!levy_shape_unrolls(image, tile)) return factors + tile->first_dynamics * each;
    memcpy(room, factors, each);
    for (uint32_t i = 0; i < tile->n_items; ++i) {
        const uint32_t m = shape_item(image, tile, i)->dynamics;
        memcpy((char *)room + each + i * row, factors + m * each + moved[m] % image->n_assets * row,
               row); /* of none, any */
    }
    return room;
}

/* A bridge on words of Philox alone. H200, 64 dates, single: 4x2 530, 8x2 482 G path-steps/s. */
static bool shape_is_philox(const levy_image *image)
{
    return image->generator == SHAPE_PHILOX && image->construction == 0 && !image->model;
}

/* Streams of mrg32k3a take six registers a path, and local memory is scarce, so both limit the
 * paths of a thread. Under PCA so do the sums over components, and their registers leave room for
 * one CTA. */
static shape_launch shape_tuned(const levy_image *image, const levy_tile *tile)
{
    const shape_tuning *row = shape_tunings;
    const uint64_t drivers = (uint64_t)image->n_factors * image->n_assets;
    while (drivers > row->max_drivers || tile->n_items > row->max_items) ++row;
    shape_launch launch = image->precision ? row->in_single : row->in_double;
    if (image->mixed && image->n_assets > 1 && !image->model && tile->n_items <= 2)
        for (size_t i = sizeof shape_mixed / sizeof *shape_mixed; i-- > 0;)
            if (drivers <= shape_mixed[i].max_drivers) launch = shape_mixed[i].launch;
    if (levy_tile_sweeps(image, tile)) launch = shape_sweep_of(image)->launch;
    if (levy_shape_unrolls(image, tile)) launch = (shape_launch){2, image->precision ? 2 : 1};
    if (shape_product_launch(image, tile).lanes > 0) launch = shape_product_launch(image, tile);
    if (image->precision && drivers == 1 && image->n_draws >= SHAPE_SHORT &&
        (tile->n_items > 2 ? shape_sums(image, tile) > 0 : shape_is_philox(image)))
        launch = (shape_launch){4, 2};
    if (shape_holds_cells(image))
        launch = tile->n_items <= 2 ? (shape_launch){LEVY_BLOCK_ROWS, 2} : (shape_launch){4, 2};
    if (shape_has_long_item(image, tile))
        launch = image->precision ? (shape_launch){2, 3} : (shape_launch){2, 2};
    /* Moments of an average are registers. H200, ms of 64 and of 12 dates, 2^22 paths: in single
     * 4x3 0.635, 0.176, 4x2 0.648, 0.185, 2x2 0.76, 0.22, 8x2 2.48, 0.43; in double 4x1 1.77, 0.48,
     * 2x2 2.07, 0.50, 1x2 2.54, 0.58, 4x2 4.52, 0.77. With Greeks, 2^20 paths: in single 2x2 2.35,
     * 0.213, 4x2 2.67, 0.230; in double 1x2 7.9, 1.48, 2x2 7.7, 1.90. */
    if (image->kept > 0 && tile->n_items <= 2)
        launch = image->precision ? (shape_launch){4, 3} : (shape_launch){4, 1};
    else if (image->kept > 0)
        launch = image->precision ? (shape_launch){2, 2} : (shape_launch){1, 2};
    while (launch.lanes > 1 && launch.lanes * image->kept > SHAPE_MOMENTS) launch.lanes /= 2;
    /* Segments of a path are branches of its own, and their states registers. H200, ms of 2^22
     * paths, 1x2 and 1x3: autocallable in single 1.00, 0.84, snowball 2.75, 2.46, range accrual
     * 5.69, 4.92; in double 1.85, 2.49, 6.1, 8.2 and 12.0, 11.0; with a sum of levels (2^20 paths)
     * in single 2.36, 3.03. With Greeks, whose segments run after the path (2^18 paths): in single
     * 4.8, 5.3, with 29 items on three assets 113, 118. */
    if (levy_scripts_segments(image, tile) > 0) {
        const bool several = tile->n_items > 1 && levy_scripts_left(image, tile) > 0,
                   sum = levy_scripts_sum(image, tile);
        launch = (shape_launch){1, image->precision && !sum && !several ? 3 : 2};
    }
    /* loops in which each lane has its own number of turns */
    const bool loops = image->model_features & LEVY_MODEL_SCALES &&
                       image->model_constants[0] & (REGIMES_EXACT | REGIMES_JUMPS);
    if (loops) launch = image->precision ? (shape_launch){4, 3} : (shape_launch){2, 3};
    uint32_t most = launch.lanes;
    if (image->generator == SHAPE_MRG) most = image->precision ? 4 : 2;
    if (shape_room(image)) most = shape_is_exact(image) && shape_room(image) <= SHAPE_NEAR ? 4 : 1;
    if (shape_is_components(image) && most > (image->precision ? 2 : 1))
        most = image->precision ? 2 : 1;
    while (most > 1 && most * image->n_functionals * image->n_factors > SHAPE_SUMS) most /= 2;
    if (launch.lanes > most) launch.lanes = most;
    if (shape_node_runs(image, launch.lanes) > 0 && launch.ctas > 1)
        launch.ctas = shape_node_runs(image, launch.lanes) > 2 ? 1 : 2;
    return launch;
}

uint32_t levy_shape_lanes(const levy_image *image, const levy_tile *tile)
{
    uint32_t lanes = shape_tuned(image, tile).lanes;
    while (image->generator == 0 && lanes > 1 &&
           shape_base_bytes(image, lanes) > LEVY_SHAPE_SHARED_PORTABLE)
        lanes /= 2;
    return lanes;
}

uint32_t levy_shape_shared_low(const levy_image *image, uint32_t lanes)
{
    static const uint32_t words[] = {32, 20, 8}; /* SOBOL_DOUBLE, SOBOL_TRIPLE, SOBOL_SINGLE */
    const uint64_t base = shape_base_bytes(image, lanes);
    const bool can = image->generator == 0 && image->n_assets <= SHAPE_ALONE;
    /* Paths' lists of jumps lie in local memory, whose cache is what shared memory leaves over.
     * merton64_f32 on an NVIDIA H100: 32 words 627, 20 words 632 G path-steps/s. */
    const bool lists = image->precision && image->n_counts > 0 && image->n_draws >= SHAPE_SHORT;
    for (size_t i = lists ? 1 : 0; can && i < sizeof words / sizeof *words; ++i) {
        const uint64_t bytes = 4 * (uint64_t)words[i] * image->n_draws;
        /* in double the table of normals gains more from shared memory */
        if (shape_is_exact(image) && words[i] > 8 && bytes > SHAPE_LOW) continue;
        if (base + bytes <= LEVY_SHAPE_SHARED_STATIC) return words[i];
    }
    return 0;
}

/* Are the base words of all rows of a block made at once? Those of short paths are, which saves
 * barriers. */
static bool shape_is_whole(const levy_image *image)
{
    return image->generator == 0 && !shape_is_narrow(image, LEVY_BLOCK_ROWS) &&
           shape_base_bytes(image, LEVY_BLOCK_ROWS) <= SHAPE_WHOLE;
}

/* Are factors a parameter of the kernel? Few enough for the constant cache are. H200, 64 dates, G
 * asset-steps/s, in shared memory against parameters: 8 assets in single 695, 747; 16 in single and
 * with one path a thread 269, 378; in double 106, 110. 64 x 64 in a kernel of nothing else: 33 G
 * asset-steps/s, since the constant cache misses. */
static bool shape_has_constants(const levy_image *image, const levy_tile *tile)
{
    const uint64_t bytes = (uint64_t)image->n_assets * image->n_factors * shape_real(image);
    if (levy_shape_unrolls(image, tile)) return true;
    return bytes <= SHAPE_CONSTANTS && image->n_assets > 1 && tile->n_dynamics == 1 &&
           !image->covariance && !image->model && !shape_is_wide(image, tile);
}

/* Items of a sweep that go side by side; 0: the tile does not sweep. */
static uint32_t shape_swept(const levy_image *image, const levy_tile *tile)
{
    return levy_tile_sweeps(image, tile) ? shape_sweep_of(image)->side : 0;
}

/* Dynamics whose returns a path makes in full. */
static uint32_t shape_n_dynamics(const levy_image *image, const levy_tile *tile)
{
    return levy_tile_sweeps(image, tile) ? 1 : tile->n_dynamics;
}

/* Of an item of an unrolled sweep: see shape.def. */
static uint32_t shape_moved(const levy_image *image, const levy_tile *tile, uint32_t i)
{
    return levy_shape_unrolls(image, tile)
               ? LEVY_IMAGE_AT(uint32_t, image, moved)[shape_item(image, tile, i)->dynamics]
               : 0;
}

/* Bytes of what every node reads, if they may stand in shared memory; else 0. */
static uint64_t shape_staged(const levy_image *image, const levy_tile *tile)
{
    const uint64_t per_dynamics =
        (uint64_t)image->n_assets *
        (image->n_nodes + (image->covariance ? image->n_nodes : 1) * (uint64_t)image->n_factors);
    const uint64_t more = levy_shape_unrolls(image, tile) ? tile->n_items : image->has_elapsed,
                   bytes = ((4 + more) * image->n_nodes +
                            shape_n_dynamics(image, tile) * per_dynamics) *
                           shape_real(image); /* more: numbers of a node's row beside drifts */
    return bytes <= SHAPE_STAGED && !shape_is_wide(image, tile) ? bytes : 0;
}

/* The same for what each path looks up at each node: of a model that scales increments, the
 * intervals' variances too, and of one whose counts are bridged. */
static uint64_t shape_staged_model(const levy_image *image, const levy_tile *tile)
{
    const bool scales = image->model_features & LEVY_MODEL_SCALES;
    const uint64_t reals =
        (image->n_model_reals + 3) / 4 * 4 +
        (scales ? (uint64_t)tile->n_dynamics * image->n_nodes * image->n_assets : 0);
    const uint64_t bytes = reals * (image->precision ? sizeof(float) : sizeof(double)) +
                           (uint64_t)(image->n_model_words + 3) / 4 * 16;
    const bool wanted = (scales || image->n_counts) && shape_staged(image, tile) > 0;
    return wanted && bytes + shape_staged(image, tile) <= SHAPE_STAGED ? bytes : 0;
}

/* Bytes of what the warps of a CTA show themselves: two of an arrival, or under PCA 16 rows of
 * their paths' reals. */
static uint64_t shape_shown_bytes(const levy_image *image, uint32_t lanes)
{
    const uint32_t arrivals = LEVY_SHAPE_THREADS / 32 * shape_finds_together(image);
    if (arrivals > 0) return arrivals * sizeof(uint16_t);
    return shape_is_components(image) ? 16 * LEVY_SHAPE_THREADS * lanes * shape_real(image) : 0;
}

/* The same, 8 rows, with factors, of products that warps share: see items_products.h. In single,
 * drivers that are held need not be shown. */
static uint64_t shape_product_bytes(const levy_image *image, const levy_tile *tile, uint32_t lanes,
                                    uint32_t rows)
{
    const uint64_t pass = shape_product(image, tile, lanes),
                   assets = (image->n_assets + pass - 1) / pass * pass,
                   unit = image->precision ? 8 : 4,
                   row = (shape_multiplied(image) / unit | 1) * unit,
                   shown = image->precision && rows & LEVY_SHAPE_HELD ? 0 : 8;
    return (shown * LEVY_SHAPE_THREADS * lanes + assets * row) * shape_real(image);
}

/* Bytes of the weights of PCA, if they may stand in shared memory; else 0. */
static uint64_t shape_staged_matrix(const levy_image *image, const levy_tile *tile, uint32_t lanes)
{
    if (!shape_is_components(image) || shape_is_wide(image, tile)) return 0;
    const uint64_t nodes = 16 * (uint64_t)shape_node_runs(image, lanes),
                   row = (image->n_nodes + nodes - 1) / nodes * nodes + (image->precision ? 8 : 0),
                   bytes = image->n_nodes * row * shape_real(image),
                   low = 4 * (uint64_t)levy_shape_shared_low(image, lanes) * image->n_draws,
                   others = shape_shown_bytes(image, lanes) + shape_base_bytes(image, lanes) + low +
                            shape_staged(image, tile) + shape_staged_model(image, tile);
    return bytes + others <= LEVY_SHAPE_SHARED_PORTABLE - SHAPE_COLUMNS ? bytes : 0;
}

/* Short paths run in rounds of several blocks, which CTAs do not share. Segments of the integrated
 * normal make a path long, however few its draws are; so do roots of averages. */
static bool shape_is_short(const levy_image *image)
{
    const bool is_long = (image->integrated && image->n_scripts > 0) || image->kept > 0;
    return image->n_draws < SHAPE_SHORT && !is_long;
}

/* Blocks of a round: for short paths, as many as there are warps that can merge their sums, in two
 * turns at most; else 1. */
static uint32_t shape_round(const levy_image *image, const levy_tile *tile)
{
    const bool ready = image->generator != 0 || shape_is_whole(image);
    const uint32_t most = tile->n_outputs ? SHAPE_ROUND / tile->n_outputs : 0;
    if (!ready || !shape_is_short(image) || most == 0) return 1;
    return most < SHAPE_SLOTS ? most : SHAPE_SLOTS;
}

/* Sets of columns that stand in shared memory at the same time: those of all outputs of all blocks
 * of a round, or of a group of outputs. */
static uint32_t shape_slots(const levy_image *image, const levy_tile *tile)
{
    const uint32_t round = shape_round(image, tile);
    const uint32_t wanted = round * tile->n_outputs;
    const uint32_t most =
        shape_is_components(image) && !shape_is_short(image) ? SHAPE_FEW_SLOTS : SHAPE_SLOTS;
    return wanted < most || round > 1 ? wanted : most;
}

/* Rows of normals in single of a kernel that is not wide. */
static uint32_t shape_table_rows(const levy_image *image, const levy_tile *tile, uint32_t rows)
{
    return shape_is_exact(image) || shape_is_wide(image, tile) ? 0 : rows;
}

/* Has a multiprocessor room for as many CTAs of this choice as the tuning wants, or as it has room
 * for without any table? */
static bool shape_has_room(const levy_image *image, const levy_tile *tile, uint32_t lanes,
                           uint32_t rows, uint32_t room)
{
    const uint64_t own = levy_scripts_shared(image, tile), /* of its programs, then ratios */
        reserved = SHAPE_RESERVED + own + tile->n_outputs * LEVY_OUTPUT_TERMS * shape_real(image),
                   bytes = levy_shape_shared_bytes(image, tile, lanes, rows) + reserved,
                   least = levy_shape_shared_bytes(image, tile, lanes, 0) + reserved,
                   wanted = shape_tuned(image, tile).ctas, most = room / least;
    return bytes * (most < wanted && most > 0 ? most : wanted) <= room;
}

/* Most octaves of normals in double that stand in shared memory eight times. What lies in local
 * memory or is looked up has the cache that shared memory leaves over. NVIDIA H100, 2^26 paths of
 * 64 dates, 0 to 4 octaves: variance gamma 110, 113, 115, 119, 129 ms; mrg32k3a in a bridge, 2^28
 * paths, 1 path a thread: 330, -, 318, 327, 338 ms; 252 dates by PCA, 2^23 paths: 4 octaves 118 ms,
 * 10 octaves 119. Segments of the integrated normal, H200, 2^22 paths, 0, 2, 10 octaves:
 * autocallable on three assets 1.53, 1.64, 2.22 ms, accumulator 9.00, 8.99, 11.9. */
static uint32_t shape_most_copied(const levy_image *image, const levy_tile *tile)
{
    if (levy_scripts_segments(image, tile) > 0) return 0;
    if (image->model_features & LEVY_MODEL_GAMMA) return 0;
    if (shape_room(image)) return 2;
    return shape_is_components(image) ? 4 : SHAPE_OCTAVES;
}

/* With what `wide` says, as many octaves of normals in double as there is room for, eight times if
 * it can be; 0: not even one. */
static uint32_t shape_octaves(const levy_image *image, const levy_tile *tile, uint32_t lanes,
                              uint32_t wide, uint32_t room)
{
    /* few numbers, so that grids share kernels */
    static const uint32_t some[] = {10, 8, 6, 5, 4, 2, 0};
    const uint32_t most = shape_most_copied(image, tile);
    for (uint32_t octaves = SHAPE_OCTAVES; shape_is_exact(image) && octaves > 0; --octaves)
        for (size_t i = 0; i < sizeof some / sizeof *some; ++i) {
            const uint32_t rows =
                wide | some[i] << SHAPE_COPIED | (octaves - some[i]) << SHAPE_ALONE_ROWS;
            if (some[i] > most || some[i] > octaves || (some[i] && octaves < SHAPE_OCTAVES))
                continue;
            if (shape_has_room(image, tile, lanes, rows, room)) return rows;
        }
    return 0;
}

/* As many rows as leave room for the CTAs that the tuning wants; else as many as fit on every
 * GPU. */
static uint32_t shape_rows_of(const levy_image *image, const levy_tile *tile, uint32_t lanes,
                              uint32_t room)
{
    static const uint32_t rows[] = {LEVY_NORMAL_ROWS, 16 * 16 + 1, 12 * 16 + 1, 4 * 16 + 1};
    for (size_t i = 0; i < 3; ++i)
        if (shape_has_room(image, tile, lanes, rows[i], room)) return rows[i];
    for (size_t i = 1; i < 3; ++i)
        if (levy_shape_shared_bytes(image, tile, lanes, rows[i]) +
                levy_scripts_shared(image, tile) <=
            LEVY_SHAPE_SHARED_PORTABLE)
            return rows[i];
    return rows[3];
}

uint32_t levy_shape_rows(const levy_image *image, const levy_tile *tile, uint32_t lanes,
                         uint32_t room)
{
    const bool products = shape_product_launch(image, tile).lanes > 0,
               holds = shape_held_bytes(image, lanes) > 0, is_wide = shape_is_wide(image, tile);
    for (uint32_t wide = products ? 3 : 1; wide > 0 && is_wide; --wide) {
        if (!holds && wide & LEVY_SHAPE_HELD) continue;
        const uint32_t rows = shape_octaves(image, tile, lanes, wide, room);
        if (rows) return rows;
        if (shape_has_room(image, tile, lanes, wide, room)) return wide;
    }
    if (shape_is_exact(image)) return shape_octaves(image, tile, lanes, 0, room);
    if (is_wide || !shape_looks_up(image)) return 0;
    return shape_rows_of(image, tile, lanes, room);
}

bool levy_shape_wants_normals(const levy_image *image)
{
    return shape_looks_up(image) || shape_holds_cells(image) || shape_is_exact(image);
}

uint32_t levy_shape_shared_bytes(const levy_image *image, const levy_tile *tile, uint32_t lanes,
                                 uint32_t rows)
{
    const bool ready = image->generator != 0 || shape_is_whole(image);
    const uint64_t columns =
        (uint64_t)shape_slots(image, tile) * sizeof(levy_block_sum) * LEVY_SHAPE_THREADS;
    const uint64_t words =
        image->generator
            ? 0
            : shape_round(image, tile) *
                  shape_base_bytes(image, shape_is_whole(image) ? LEVY_BLOCK_ROWS : lanes);
    uint64_t bytes = words > columns ? words : columns;
    if (ready) bytes = 2 * words + columns;
    bytes += 4 * (uint64_t)levy_shape_shared_low(image, lanes) * image->n_draws;
    bytes += shape_staged(image, tile) + shape_staged_model(image, tile);
    bytes += shape_near(image, tile) * (uint64_t)LEVY_SHAPE_THREADS;
    bytes += shape_shown_bytes(image, lanes) + shape_staged_matrix(image, tile, lanes);
    if (shape_is_wide(image, tile))
        bytes = (bytes + 15) / 16 * 16 +
                (rows & LEVY_SHAPE_HELD ? shape_held_bytes(image, lanes) : 0) +
                (rows & LEVY_SHAPE_PRODUCTS ? shape_product_bytes(image, tile, lanes, rows) : 0);
    if (shape_is_exact(image))
        bytes += 128 + 512 * (uint64_t)shape_copied(image, rows) + 64 * shape_alone(image, rows);
    else if (shape_table_rows(image, tile, rows))
        bytes += 128 + 128 * (uint64_t)rows;
    return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

uint32_t levy_shape_left(const levy_image *image, const levy_tile *tile)
{
    return levy_scripts_turn(image, tile) ? levy_scripts_lanes_left(image, tile) : 0;
}

size_t levy_shape_scratch(const levy_image *image, const levy_tile *tile, uint32_t left)
{
    return (size_t)left * tile->n_items * LEVY_SHAPE_THREADS * shape_real(image);
}

uint32_t levy_shape_split(const levy_image *image, uint32_t lanes)
{
    return shape_is_short(image) ? 1 : LEVY_BLOCK_ROWS / lanes;
}

uint32_t levy_shape_chunk(const levy_image *image)
{
    /* 128 blocks: 970 G paths/s; 64 blocks: 953 (H200) */
    if (shape_holds_cells(image)) return 16 * SHAPE_SLOTS;
    return shape_is_short(image) ? 8 * SHAPE_SLOTS : SHAPE_SLOTS;
}

static void shape_between(levy_shape_text *out, const char *before, const char *name,
                          const char *after)
{
    levy_shape_word(out, before);
    levy_shape_word(out, name);
    levy_shape_word(out, after);
}

/* A macro's two arguments, and the end of the call. */
static void shape_pair(levy_shape_text *out, const char *call, const char *name, const char *upper)
{
    shape_between(out, call, name, ", ");
    shape_between(out, upper, ")", "");
}

static const levy_image_output *shape_output(const levy_image *image, const levy_tile *tile,
                                             uint32_t i)
{
    return LEVY_IMAGE_AT(levy_image_output, image, outputs) + tile->first_output + i;
}

static uint32_t shape_dynamics(const levy_image *m, const levy_tile *t, uint32_t i)
{
    return levy_tile_sweeps(m, t) ? 0 : shape_item(m, t, i)->dynamics - t->first_dynamics;
}
static uint32_t shape_first(const levy_image *m, const levy_tile *t, uint32_t i)
{
    return shape_output(m, t, i)->first_item - t->first_item;
}
static uint32_t shape_terms(const levy_image *m, const levy_tile *t, uint32_t i)
{
    return shape_output(m, t, i)->n_terms;
}
static uint32_t shape_term(const levy_image *m, const levy_tile *t, uint32_t i)
{
    return shape_output(m, t, i / LEVY_OUTPUT_TERMS)->term[i % LEVY_OUTPUT_TERMS];
}
static uint32_t shape_elapsed(const levy_image *m, const levy_tile *t, uint32_t i)
{
    return levy_image_is_late(m, t->first_dynamics + i) ? 1 : 0;
}

/* Numbers of a node's row, where the kernel has such rows: see shape.def. */
static uint32_t shape_node_row(const levy_image *image, const levy_tile *tile)
{
    uint32_t late = 0;
    if (levy_shape_unrolls(image, tile)) return tile->n_items;
    for (uint32_t m = 0; m < tile->n_dynamics; ++m) late += shape_elapsed(image, tile, m);
    const bool can = levy_image_grows(image) && tile->n_dynamics > 1 && late <= 1;
    return can && shape_staged(image, tile) > 0 ? tile->n_dynamics + late : 0;
}

/* [dynamics of the tile] */
static const uint32_t *shape_returns(const levy_image *m, const levy_tile *t)
{
    return LEVY_IMAGE_AT(uint32_t, m, returns) + t->first_dynamics;
}

static uint32_t shape_any_elapsed(const levy_image *m, const levy_tile *t)
{
    for (uint32_t i = 0; i < t->n_dynamics; ++i)
        if (shape_elapsed(m, t, i)) return 1;
    return 0;
}
/* Does a wide kernel's only item see a sum or an extreme of returns that nothing else needs? */
static bool shape_streams(const levy_image *image, const levy_tile *tile)
{
    const uint32_t aggregate = shape_item(image, tile, 0)->aggregate;
    return shape_is_wide(image, tile) && tile->n_items == 1 && shape_n_dynamics(image, tile) == 1 &&
           !shape_has_long_item(image, tile) && !image->covariance &&
           !shape_any_elapsed(image, tile) && !image->has_cash && !image->model &&
           aggregate != BASKET_NONE && aggregate != BASKET_GEOMETRIC;
}

static uint32_t shape_construction(const levy_image *m)
{
    return m->n_nodes == 1 ? (uint32_t)SHAPE_INCREMENTAL : m->construction;
}
static bool shape_shares_states(const levy_image *m, const levy_tile *t)
{
    for (uint32_t i = 0; i < t->n_items && t->n_items <= 16; ++i)
        if (shape_state_of(m, t, i) != i) return true;
    return false;
}

static bool shape_tile_fits(const levy_image *image, const levy_tile *tile)
{
    if (tile->n_outputs == 0 || tile->n_items == 0 || tile->n_dynamics == 0) return false;
    if ((uint64_t)tile->first_output + tile->n_outputs > image->n_outputs ||
        (uint64_t)tile->first_item + tile->n_items > image->n_items ||
        (uint64_t)tile->first_dynamics + tile->n_dynamics > image->n_dynamics)
        return false;
    for (uint32_t i = 0; i < tile->n_items; ++i)
        if (shape_dynamics(image, tile, i) >= tile->n_dynamics) return false;
    for (uint32_t i = 0; i < tile->n_outputs; ++i) {
        const uint64_t first = shape_first(image, tile, i), count = shape_terms(image, tile, i);
        if (first >= tile->n_items || count > LEVY_OUTPUT_TERMS) return false;
        for (uint32_t k = 0; k < count; ++k)
            if (first + shape_term(image, tile, LEVY_OUTPUT_TERMS * i + k) >= tile->n_items)
                return false;
    }
    return true;
}

/* Writes the image's model by its names in models.def; one without lanes of its own has an empty
 * name. */
static void shape_model(levy_shape_text *out, uint32_t model)
{
    static const struct {
        uint32_t number;
        const char *name, *upper;
    } models[] = {
#define LEVY_MODEL_LANES(name, NAME) {LEVY_MODEL_##NAME, #name, #NAME},
#include "models/models.def"
    };
    for (size_t i = 0; i < sizeof models / sizeof models[0]; ++i)
        if (models[i].number == model) {
            shape_pair(out, "#define PATH_MODEL_OWN LEVY_MODEL_LANES(", models[i].name,
                       models[i].upper);
            shape_between(out, "\n#define PATH_MODEL_HEADER \"models/", models[i].name, ".h\"\n");
            shape_between(out, "#define PATH_MODEL_IS_SHORT ", models[i].upper, "_IS_SHORT\n");
            return;
        }
    levy_shape_word(out,
                    "#define PATH_MODEL_OWN\n#define PATH_MODEL_HEADER \"models/black_scholes.h\"\n"
                    "#define PATH_MODEL_IS_SHORT 1\n");
}

/* Writes the payoffs of the tile's items by their names in payoffs.def, and their headers. */
static void shape_payoffs(levy_shape_text *out, const levy_image *image, const levy_tile *tile)
{
    static const struct {
        uint32_t number;
        const char *name, *upper;
    } payoffs[] = {
#define LEVY_PAYOFF_LANES(name, NAME) {LEVY_PAYOFF_##NAME, #name, #NAME},
#include "payoffs/payoffs.def"
    };
    enum { COUNT = sizeof payoffs / sizeof payoffs[0] };
    bool has[COUNT] = {false};
    for (uint32_t i = 0; i < tile->n_items; ++i)
        for (size_t k = 0; k < COUNT; ++k)
            if (shape_item(image, tile, i)->kind == payoffs[k].number) has[k] = true;
    levy_shape_word(out, "#define PATH_PAYOFF_OWN");
    for (size_t k = 0; k < COUNT; ++k)
        if (has[k]) shape_pair(out, " LEVY_PAYOFF_LANES(", payoffs[k].name, payoffs[k].upper);
    levy_shape_word(out, "\n");
    for (size_t k = 0; k < COUNT; ++k)
        if (has[k]) shape_between(out, "#include \"payoffs/", payoffs[k].name, ".h\"\n");
}

/* Writes all members of shape.def. */
static void shape_members(levy_shape_text *out, const levy_image *image, const levy_tile *tile,
                          uint32_t lanes, uint32_t rows)
{
    const struct {
        const char *name;
        uint32_t value;
    } numbers[] = {
#define SHAPE(name, read, told) {#name, told},
#define SHAPE_GPU(name, told) {#name, told},
#include "kernels/path/shape.def"
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
        levy_shape_define(out, numbers[i].name, numbers[i].value);
#define SHAPE_GPU_LIST(name, count, told)                                                          \
    levy_shape_word(out, "#define PATH_" #name "_list {");                                         \
    for (uint32_t i = 0; i < (count); ++i) {                                                       \
        if (i) levy_shape_put(out, ", ", 2);                                                       \
        levy_shape_number(out, (uint32_t)(told), 10);                                              \
    }                                                                                              \
    levy_shape_put(out, "}\n", 2);
#define SHAPE_ITEM(name, read, told) SHAPE_GPU_LIST(name, tile->n_items, told)
#include "kernels/path/shape.def"
}

levy_status levy_shape_write(const levy_image *image, const levy_tile *tile, uint32_t lanes,
                             uint32_t rows, char *text, size_t size)
{
    levy_shape_text out = {.text = text, .size = size};
    if (size == 0 || !shape_tile_fits(image, tile)) return LEVY_ARGUMENT;
    if (image->precision) levy_shape_word(&out, "#define LANE_SINGLE\n");
    levy_shape_word(&out, "#define LEVY_LANES ");
    levy_shape_number(&out, lanes, 10);
    levy_shape_word(&out, "\n");
    levy_shape_define(&out, "ctas", (uint32_t)shape_tuned(image, tile).ctas);
    shape_model(&out, image->model);
    shape_members(&out, image, tile, lanes, rows);
    uint64_t states = 0;
    for (uint32_t i = 0; i < tile->n_items && tile->n_items <= 16; ++i)
        states |= (uint64_t)shape_state_of(image, tile, i) << 4 * i;
    levy_shape_word(&out, "#define PATH_state_of_list 0x");
    levy_shape_number(&out, states, 16);
    levy_shape_word(&out, "ull\n");
    shape_payoffs(&out, image, tile);
    return out.length < out.size ? LEVY_OK : LEVY_ARGUMENT;
}
