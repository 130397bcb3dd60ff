/* shape_lanes.c: see shape_parts.h: paths per thread and CTAs per multiprocessor, as measured, and
 * what a thread sums in registers. Must not know: shared memory. */
#include "kernels/cuda/compile/scripts.h"
#include "kernels/cuda/compile/shape_parts.h"

#include "kernels/path/sweep.h"
#include "payoffs/basket.h"

enum {
    /* bytes of base words, above which two paths leave a warp's products no room (H200, 32 assets x
     * 252, double: 47 G asset-steps/s, with one path 74) */
    SHAPE_PAIRED = 32 << 10,
    /* Above so many factors * assets, loops over them are rolled. H200, 64 dates, G asset-steps/s,
     * unrolled against rolled: 32 x 32 in single 238, 222; in double 51.8, 73.6; 64 x 64: 17, 102;
     * 8.8, 36; 100 x 100: 5, 53; 3.2, 25. */
    SHAPE_WIDE_SINGLE = 1200,
    SHAPE_WIDE_DOUBLE = 900,
    SHAPE_WIDE_ASSETS = 16,  /* of the largest tile */
    SHAPE_CHAIN = 32,        /* factors, up to which products in single have one part */
    SHAPE_SUMMED = 128,      /* most registers of a thread's sums over principal components */
    SHAPE_DRIVERS = 4 << 10, /* most bytes of a tile's drivers, of more than 16 nodes */
    SHAPE_NEAR = 128,   /* draws of mrg32k3a, up to which a thread holds several paths' in double */
    SHAPE_MOMENTS = 64, /* most of an item that a thread holds with several paths */
    SHAPE_SUMS = 16,    /* most sums of functionals that a thread holds with several paths */
    SHAPE_CARRIED = 32  /* most registers of what a model carries, of several paths */
};

/* Paths per thread, and CTAs per multiprocessor that the compiler is held to. More paths share a
 * draw's low word, weights and drift, and hide latency. But they cost registers, and too few
 * threads leave the multiprocessor idle. The first row that fits decides. Measured on an NVIDIA
 * H200, 2026-11-21, CUDA 13.0, sobol_scrambled and bridge: paths x CTAs, then G path-steps/s.
 * - 1 asset x 64, single: 8x2 1336, 8x3 1177, 4x3 1159 (normals computed: 8x2 959)
 *   with five Greeks: 4x2 2.87 prices, 8x2 2.94, 4x3 3.36
 * - 1 asset x 64, double (H100): 4x2 253, 8x1 231, 4x1 228, 2x2 225, 2x3 190; with five Greeks 2x2
 * - 1 asset and its variance x 64, single: 8x2 198, 4x2 189, 4x3 185; double: 2x2 57.2, 2x3 56.6,
 *   1x3 54.1, 1x4 53.7
 * - 8 assets x 64, single: 4x2 695, 4x3 562, 2x4 534 (normals computed: 676, 614, 601)
 * - 8 assets x 64, double (H100): 2x1 207, 2x2 205, 1x2 189, 4x1 162, 1x3 158
 * - 16 assets x 64, single: 2x2 490, 4x1 420, 2x3 402, 1x3 378; double (H100):
 *   1x2 151, 1x1 134, 2x1 128
 * - 32 assets x 64, single: 2x2 238, 1x3 185, 2x1 170; double, wide: 2x1 74, 1x2 69, 1x3 64
 * - 1 asset x 1, single: 16x2 970, 16x1 632, 16x3 713, 8x2 673 (normals computed: 8x4 681) */
typedef struct shape_tuning {
    uint32_t max_drivers; /* factors * assets */
    uint32_t max_items;
    shape_launch in_single, in_double;
} shape_tuning;

static const shape_tuning shape_tunings[] = {
    {1, 2, {8, 2}, {4, 2}},
    {1, UINT32_MAX, {4, 3}, {2, 2}},
    {2, 2, {8, 2}, {2, 2}},
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

/* Is all that the items see a sum or an extreme of returns, under one market of no memory? */
static bool shape_can_share_products(const levy_image *image, const levy_tile *tile)
{
    bool can = tile->n_items <= 2 && tile->n_dynamics == 1 && !image->covariance &&
               !image->has_elapsed && !image->has_cash && !image->model &&
               !levy_shape_is_components(image);
    for (uint32_t i = 0; i < tile->n_items && can; ++i) {
        const levy_image_item *const item = levy_shape_item(image, tile, i);
        can = !(item->traits & LEVY_ITEM_LONG) &&
              (item->aggregate == BASKET_SUM || item->aggregate == BASKET_BEST_OF ||
               item->aggregate == BASKET_WORST_OF);
    }
    return can;
}

shape_launch levy_shape_product_launch(const levy_image *image, const levy_tile *tile)
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
uint32_t levy_shape_product(const levy_image *image, const levy_tile *tile, uint32_t lanes)
{
    const uint32_t ctas = levy_shape_product_launch(image, tile).ctas,
                   twice = !image->precision || image->n_factors > SHAPE_CHAIN ? 2 : 1,
                   most = SHAPE_SUMMED / (twice * lanes * ctas),
                   parts = (image->n_assets + most - 1) / most;
    return ((image->n_assets + parts - 1) / parts + 7) / 8 * 8;
}

/* Many assets: see shape.def. */
bool levy_shape_is_wide(const levy_image *image, const levy_tile *tile)
{
    const uint64_t drivers = (uint64_t)image->n_factors * image->n_assets;
    const uint64_t in_double =
        levy_tile_sweeps(image, tile) ? shape_sweeps[0]->max_drivers : SHAPE_WIDE_DOUBLE;
    const uint64_t most = image->precision ? SHAPE_WIDE_SINGLE : in_double;
    return (drivers > most && image->n_assets >= SHAPE_WIDE_ASSETS) ||
           levy_shape_product_launch(image, tile).lanes > 0;
}

bool levy_shape_shares_products(const levy_image *image, const levy_tile *tile, uint32_t rows)
{
    return levy_shape_is_wide(image, tile) && rows & LEVY_SHAPE_PRODUCTS;
}

static const shape_sweep *shape_sweep_of(const levy_image *image)
{
    const shape_sweep *const rows = shape_sweeps[image->precision ? 1 : 0];
    return &rows[(uint64_t)image->n_factors * image->n_assets > rows->max_drivers];
}

/* Items of a sweep that go side by side; 0: the tile does not sweep. */
uint32_t levy_shape_swept(const levy_image *image, const levy_tile *tile)
{
    return levy_tile_sweeps(image, tile) ? shape_sweep_of(image)->side : 0;
}

/* A bridge on words of Philox alone. H200, 64 dates, single: 4x2 530, 8x2 482 G path-steps/s. */
static bool shape_is_philox(const levy_image *image)
{
    return image->generator == SHAPE_PHILOX && image->construction == 0 && !image->model;
}

/* Registers of a path for what its model carries. */
static uint32_t shape_carried(const levy_image *image, const levy_tile *tile)
{
    return (image->parts[LEVY_PART_DIFFUSION].carried + image->parts[LEVY_PART_ARRIVALS].carried) *
           levy_shape_n_dynamics(image, tile) * image->n_assets * (image->precision ? 1 : 2);
}

/* Streams of mrg32k3a take six registers a path, and local memory is scarce, so both limit the
 * paths of a thread. Under PCA so do the sums over components, and their registers leave room for
 * one CTA. */
shape_launch levy_shape_tuned(const levy_image *image, const levy_tile *tile)
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
    if (levy_shape_product_launch(image, tile).lanes > 0)
        launch = levy_shape_product_launch(image, tile);
    if (image->precision && drivers == 1 && image->n_draws >= SHAPE_SHORT &&
        (tile->n_items > 2 ? levy_shape_sums(image, tile) > 0 : shape_is_philox(image)))
        launch = (shape_launch){4, 2};
    if (levy_shape_holds_cells(image))
        launch = tile->n_items <= 2 ? (shape_launch){LEVY_BLOCK_ROWS, 2} : (shape_launch){4, 2};
    if (levy_shape_has_long_item(image, tile))
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
    const bool segmented = levy_scripts_segments(image, tile) > 0;
    if (segmented) {
        const bool several = tile->n_items > 1 && levy_scripts_deferred(image, tile) > 0,
                   sum = levy_scripts_sum(image, tile);
        launch = (shape_launch){1, image->precision && !sum && !several ? 3 : 2};
    }
    if (image->model_loops && !segmented)
        launch = image->precision ? (shape_launch){4, 3} : (shape_launch){2, 3};
    while (launch.lanes > 1 && launch.lanes * shape_carried(image, tile) > SHAPE_CARRIED)
        launch.lanes /= 2;
    uint32_t most = launch.lanes;
    if (image->generator == SHAPE_MRG) most = image->precision ? 4 : 2;
    if (levy_shape_room(image))
        most = levy_shape_is_exact(image) && levy_shape_room(image) <= SHAPE_NEAR ? 4 : 1;
    if (levy_shape_is_components(image) && most > (image->precision ? 2 : 1))
        most = image->precision ? 2 : 1;
    while (most > 1 && most * image->n_functionals * image->n_factors > SHAPE_SUMS) most /= 2;
    if (launch.lanes > most) launch.lanes = most;
    if (levy_shape_node_runs(image, launch.lanes) > 0 && launch.ctas > 1)
        launch.ctas = levy_shape_node_runs(image, launch.lanes) > 2 ? 1 : 2;
    return launch;
}

uint32_t levy_shape_lanes(const levy_image *image, const levy_tile *tile)
{
    uint32_t lanes = levy_shape_tuned(image, tile).lanes;
    while (image->generator == 0 && lanes > 1 &&
           levy_shape_base_bytes(image, lanes) > LEVY_SHAPE_SHARED_PORTABLE)
        lanes /= 2;
    return lanes;
}

/* Runs of 16 nodes in a tile, whose sums a thread holds at a time: 16 reals of a run for each of
 * its paths. All tiles have as many, so that the last one is nearly full. 0: no PCA. */
uint32_t levy_shape_node_runs(const levy_image *image, uint32_t lanes)
{
    if (!levy_shape_is_components(image)) return 0;
    const uint32_t runs = (image->n_nodes + 15) / 16;
    uint32_t most =
        SHAPE_SUMMED / (16 * lanes * (uint32_t)(levy_shape_real(image) / sizeof(float)));
    while (most > 1 &&
           most * 16 * lanes * image->n_factors * levy_shape_real(image) > SHAPE_DRIVERS)
        most /= 2;
    const uint32_t tiles = (runs + most - 1) / most;
    return (runs + tiles - 1) / tiles;
}
