/* shape_shared.c: see shape_parts.h: what a CTA has in shared memory, and its bytes. Must not know:
 * compilers, caches. */
#include "kernels/cuda/compile/scripts.h"
#include "kernels/cuda/compile/shape_parts.h"

#include "models/kinds.h"

enum {
    SHAPE_CONSTANTS = 4 << 10, /* most bytes of factors that are a parameter of the kernel */
    SHAPE_COLUMNS = 8 << 10    /* bytes for columns and few rows of normals beside PCA's weights */
};

/* Bytes of a path's segments in shared memory, of kernels that have no table of normals there. */
uint32_t levy_shape_shared_segments(const levy_image *image, const levy_tile *tile)
{
    return levy_shape_looks_up(image) ? 0 : levy_scripts_shared_segments(image, tile);
}

/* Numbers of a row of factors or of drivers, as instructions multiply them. */
static uint32_t shape_multiplied(const levy_image *image)
{
    const uint32_t unit = image->precision ? 8 : 4;
    return (image->n_factors + unit - 1) / unit * unit;
}

/* Bytes of the drivers that a wide kernel may hold in shared memory; 0: its steps need the drivers
 * before, too. */
uint64_t levy_shape_held_bytes(const levy_image *image, uint32_t lanes)
{
    const bool steps = image->covariance || image->model || image->has_elapsed;
    return steps ? 0
                 : (uint64_t)lanes * shape_multiplied(image) * LEVY_SHAPE_THREADS *
                       levy_shape_real(image);
}

/* Are factors a parameter of the kernel? Few enough for the constant cache are. H200, 64 dates, G
 * asset-steps/s, in shared memory against parameters: 8 assets in single 695, 747; 16 in single and
 * with one path a thread 269, 378; in double 106, 110. 64 x 64 in a kernel of nothing else: 33 G
 * asset-steps/s, since the constant cache misses. */
bool levy_shape_has_constants(const levy_image *image, const levy_tile *tile)
{
    const uint64_t bytes = (uint64_t)image->n_assets * image->n_factors * levy_shape_real(image);
    if (levy_shape_unrolls(image, tile)) return true;
    return bytes <= SHAPE_CONSTANTS && image->n_assets > 1 && tile->n_dynamics == 1 &&
           !image->covariance && !image->model && !levy_shape_is_wide(image, tile);
}

/* Bytes of what every node reads, if they may stand in shared memory; else 0. */
uint64_t levy_shape_staged(const levy_image *image, const levy_tile *tile)
{
    const uint64_t per_dynamics =
        (uint64_t)image->n_assets *
        (image->n_nodes + (image->covariance ? image->n_nodes : 1) * (uint64_t)image->n_factors);
    const uint64_t more = levy_shape_unrolls(image, tile) ? tile->n_items : image->has_elapsed,
                   bytes = ((4 + more) * image->n_nodes +
                            levy_shape_n_dynamics(image, tile) * per_dynamics) *
                           levy_shape_real(image); /* more: numbers of a node's row beside drifts */
    return bytes <= SHAPE_STAGED && !levy_shape_is_wide(image, tile) ? bytes : 0;
}

/* The same for what each path looks up at each node: of a model that scales increments, the
 * intervals' variances too, and of one whose counts are bridged. */
uint64_t levy_shape_staged_model(const levy_image *image, const levy_tile *tile)
{
    const bool scales = image->model_features & LEVY_MODEL_SCALES;
    uint64_t reals = scales ? (uint64_t)tile->n_dynamics * image->n_nodes * image->n_assets : 0,
             words = 0;
    for (int part = 0; part < LEVY_PARTS; ++part) {
        reals += (image->parts[part].n_reals + 3) / 4 * 4;
        words += (image->parts[part].n_words + 3) / 4 * 4;
    }
    const uint64_t bytes = reals * levy_shape_real(image) + 4 * words;
    const bool wanted = (scales || image->n_counts) && levy_shape_staged(image, tile) > 0;
    return wanted && bytes + levy_shape_staged(image, tile) <= SHAPE_STAGED ? bytes : 0;
}

/* Numbers of a node's row, where the kernel has such rows: see shape.def. */
uint32_t levy_shape_node_row(const levy_image *image, const levy_tile *tile)
{
    uint32_t late = 0;
    if (levy_shape_unrolls(image, tile)) return tile->n_items;
    for (uint32_t m = 0; m < tile->n_dynamics; ++m) late += levy_shape_elapsed(image, tile, m);
    const bool can = levy_image_grows(image) && tile->n_dynamics > 1 && late <= 1;
    return can && levy_shape_staged(image, tile) > 0 ? tile->n_dynamics + late : 0;
}

/* Bytes of what the warps of a CTA show themselves: two of an arrival, or under PCA 16 rows of
 * their paths' reals. */
static uint64_t shape_shown_bytes(const levy_image *image, uint32_t lanes)
{
    const uint32_t arrivals = LEVY_SHAPE_THREADS / 32 * levy_shape_finds_together(image);
    if (arrivals > 0) return arrivals * sizeof(uint16_t);
    return levy_shape_is_components(image)
               ? 16 * LEVY_SHAPE_THREADS * lanes * levy_shape_real(image)
               : 0;
}

/* The same, 8 rows, with factors, of products that warps share: see items_products.h. In single,
 * drivers that are held need not be shown. */
static uint64_t shape_product_bytes(const levy_image *image, const levy_tile *tile, uint32_t lanes,
                                    uint32_t rows)
{
    const uint64_t pass = levy_shape_product(image, tile, lanes),
                   assets = (image->n_assets + pass - 1) / pass * pass,
                   unit = image->precision ? 8 : 4,
                   row = (shape_multiplied(image) / unit | 1) * unit,
                   shown = image->precision && rows & LEVY_SHAPE_HELD ? 0 : 8;
    return (shown * LEVY_SHAPE_THREADS * lanes + assets * row) * levy_shape_real(image);
}

/* Bytes of the weights of PCA, if they may stand in shared memory; else 0. */
uint64_t levy_shape_staged_matrix(const levy_image *image, const levy_tile *tile, uint32_t lanes)
{
    if (!levy_shape_is_components(image) || levy_shape_is_wide(image, tile)) return 0;
    const uint64_t nodes = 16 * (uint64_t)levy_shape_node_runs(image, lanes),
                   row = (image->n_nodes + nodes - 1) / nodes * nodes + (image->precision ? 8 : 0),
                   bytes = image->n_nodes * row * levy_shape_real(image),
                   low = 4 * (uint64_t)levy_shape_shared_low(image, lanes) * image->n_draws,
                   others = shape_shown_bytes(image, lanes) + levy_shape_base_bytes(image, lanes) +
                            low + levy_shape_staged(image, tile) +
                            levy_shape_staged_model(image, tile);
    return bytes + others <= LEVY_SHAPE_SHARED_PORTABLE - SHAPE_COLUMNS ? bytes : 0;
}

uint32_t levy_shape_shared_bytes(const levy_image *image, const levy_tile *tile, uint32_t lanes,
                                 uint32_t rows)
{
    const bool ready = image->generator != 0 || levy_shape_is_whole(image);
    const uint64_t columns =
        (uint64_t)levy_shape_slots(image, tile) * sizeof(levy_block_sum) * LEVY_SHAPE_THREADS;
    const uint64_t words =
        image->generator ? 0
                         : levy_shape_round(image, tile) *
                               levy_shape_base_bytes(
                                   image, levy_shape_is_whole(image) ? LEVY_BLOCK_ROWS : lanes);
    uint64_t bytes = words > columns ? words : columns;
    if (ready) bytes = 2 * words + columns;
    bytes += 4 * (uint64_t)levy_shape_shared_low(image, lanes) * image->n_draws;
    bytes += levy_shape_staged(image, tile) + levy_shape_staged_model(image, tile);
    bytes += levy_shape_shared_segments(image, tile) * (uint64_t)LEVY_SHAPE_THREADS;
    bytes += shape_shown_bytes(image, lanes) + levy_shape_staged_matrix(image, tile, lanes);
    if (levy_shape_is_wide(image, tile))
        bytes = (bytes + 15) / 16 * 16 +
                (rows & LEVY_SHAPE_HELD ? levy_shape_held_bytes(image, lanes) : 0) +
                (rows & LEVY_SHAPE_PRODUCTS ? shape_product_bytes(image, tile, lanes, rows) : 0);
    if (levy_shape_is_exact(image))
        bytes += 128 + 512 * (uint64_t)levy_shape_copied(image, rows) +
                 64 * levy_shape_alone(image, rows);
    else if (levy_shape_table_rows(image, tile, rows))
        bytes += 128 + 128 * (uint64_t)rows;
    return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

uint32_t levy_shape_deferred(const levy_image *image, const levy_tile *tile)
{
    return levy_scripts_redistributes(image, tile) ? levy_scripts_deferred_lanes(image, tile) : 0;
}

size_t levy_shape_scratch(const levy_image *image, const levy_tile *tile, uint32_t deferred)
{
    return (size_t)deferred * tile->n_items * LEVY_SHAPE_THREADS * levy_shape_real(image);
}
