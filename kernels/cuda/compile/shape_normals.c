/* shape_normals.c: see shape_parts.h: how many rows of the table of normals stand in shared memory.
 * Must not know: payoffs. */
#include "kernels/cuda/compile/normal_table.h"
#include "kernels/cuda/compile/scripts.h"
#include "kernels/cuda/compile/shape_parts.h"

#include "kernels/lane/normal_rows.h"
#include "models/kinds.h"

enum {
    SHAPE_RESERVED = 1 << 10, /* bytes that the driver takes of each CTA */
    /* draws; longer paths leave no room for a table of normals */
    SHAPE_LONG = 2048,
    /* octaves of normals in double that shared memory holds, if it can: one word in 1,024 wants
     * others */
    SHAPE_OCTAVES = 10,
    /* where levy_shape_rows says the octaves that stand there eight times, and once */
    SHAPE_COPIED = 8,
    SHAPE_ALONE_ROWS = 16
};

/* Are a plan's normals looked up? The plan alone decides, because this fixes bits. Two kinds are
 * computed because their time goes elsewhere: those of short paths (except held cells and jumps
 * until one date) and of very many factors (32: 140 against 151). So are those of paths whose draws
 * leave no room for a table. */
bool levy_shape_looks_up(const levy_image *image)
{
    const bool folded = image->generator == 0 && image->n_padded == 0 &&
                        !(image->model_features & LEVY_MODEL_GAMMA);
    const bool single = image->precision || image->mixed,
               few = (uint64_t)image->n_factors * image->n_assets <= (image->n_own ? 128 : 64);
    return folded && single && few &&
           (image->n_draws >= SHAPE_SHORT || levy_shape_jumps_once(image)) &&
           image->n_draws <= SHAPE_LONG;
}

/* Are a plan's normals those of double, whose table (normal.h) is another? */
bool levy_shape_is_exact(const levy_image *image) { return !image->precision && !image->mixed; }

/* Rows of that table in shared memory, as `rows` says it. */
uint32_t levy_shape_copied(const levy_image *image, uint32_t rows)
{
    return levy_shape_is_exact(image) ? (rows >> SHAPE_COPIED & 0xff) * LEVY_NORMAL_OCTAVE : 0;
}

uint32_t levy_shape_alone(const levy_image *image, uint32_t rows)
{
    return levy_shape_is_exact(image) ? (rows >> SHAPE_ALONE_ROWS & 0xff) * LEVY_NORMAL_OCTAVE : 0;
}

/* Rows of normals in single of a kernel that is not wide. */
uint32_t levy_shape_table_rows(const levy_image *image, const levy_tile *tile, uint32_t rows)
{
    return levy_shape_is_exact(image) || levy_shape_is_wide(image, tile) ? 0 : rows;
}

/* Has a multiprocessor room for as many CTAs of this choice as the tuning wants, or as it has room
 * for without any table? */
static bool shape_has_room(const levy_image *image, const levy_tile *tile, uint32_t lanes,
                           uint32_t rows, uint32_t room)
{
    /* of its programs, of the queues of heston_lanes.h, then ratios */
    const uint64_t own = levy_scripts_shared(image, tile),
                   queued = image->n_own && lanes > 2
                                ? 2 * LEVY_SHAPE_THREADS * levy_shape_real(image)
                                : 0,
                   reserved = SHAPE_RESERVED + own + queued +
                              tile->n_outputs * LEVY_OUTPUT_TERMS * levy_shape_real(image),
                   bytes = levy_shape_shared_bytes(image, tile, lanes, rows) + reserved,
                   least = levy_shape_shared_bytes(image, tile, lanes, 0) + reserved,
                   wanted = levy_shape_tuned(image, tile).ctas, most = room / least;
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
    if (levy_shape_room(image)) return 2;
    return levy_shape_is_components(image) ? 4 : SHAPE_OCTAVES;
}

/* With what `wide` says, as many octaves of normals in double as there is room for, eight times if
 * it can be; 0: not even one. */
static uint32_t shape_octaves(const levy_image *image, const levy_tile *tile, uint32_t lanes,
                              uint32_t wide, uint32_t room)
{
    /* few numbers, so that grids share kernels; 3 is one asset's and its variance's: H200, 64
     * dates, 62.4 G path-steps/s with 2 octaves, 63.4 */
    static const uint32_t some[] = {10, 8, 6, 5, 4, 3, 2, 0};
    const uint32_t most = shape_most_copied(image, tile);
    for (uint32_t octaves = SHAPE_OCTAVES; levy_shape_is_exact(image) && octaves > 0; --octaves)
        for (size_t i = 0; i < sizeof some / sizeof *some; ++i) {
            const uint32_t rows =
                wide | some[i] << SHAPE_COPIED | (octaves - some[i]) << SHAPE_ALONE_ROWS;
            if (some[i] > most || some[i] > octaves || (some[i] && octaves < SHAPE_OCTAVES) ||
                (some[i] == 3 && !image->n_own))
                continue;
            if (shape_has_room(image, tile, lanes, rows, room)) return rows;
        }
    return 0;
}

/* As many rows as leave room for the CTAs that the tuning wants; else as many as fit on every GPU.
 * Beside a model's own drivers the stack of nodes needs the cache that the rarest rows would take:
 * H200, one asset and its variance x 64, 219 G path-steps/s with all rows, 222. */
static uint32_t shape_rows_of(const levy_image *image, const levy_tile *tile, uint32_t lanes,
                              uint32_t room)
{
    static const uint32_t rows[] = {LEVY_NORMAL_ROWS, 16 * 16 + 1, 12 * 16 + 1, 4 * 16 + 1};
    for (size_t i = image->n_own == 1 ? 1 : 0; i < 3; ++i)
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
    const bool products = levy_shape_product_launch(image, tile).lanes > 0,
               holds = levy_shape_held_bytes(image, lanes) > 0,
               is_wide = levy_shape_is_wide(image, tile);
    for (uint32_t wide = products ? 3 : 1; wide > 0 && is_wide; --wide) {
        if (!holds && wide & LEVY_SHAPE_HELD) continue;
        const uint32_t rows = shape_octaves(image, tile, lanes, wide, room);
        if (rows) return rows;
        if (shape_has_room(image, tile, lanes, wide, room)) return wide;
    }
    if (levy_shape_is_exact(image)) return shape_octaves(image, tile, lanes, 0, room);
    if (is_wide || !levy_shape_looks_up(image)) return 0;
    return shape_rows_of(image, tile, lanes, room);
}

bool levy_shape_wants_normals(const levy_image *image)
{
    return levy_shape_looks_up(image) || levy_shape_holds_cells(image) ||
           levy_shape_is_exact(image);
}
