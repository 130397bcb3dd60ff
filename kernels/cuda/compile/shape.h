/* shape.h: the kernel that a tile of an image needs. A shape is a canonical block of #define lines,
 * compiled in front of fused.cu. It contains everything that determines the code (counts, kinds,
 * precision) and no data (strikes, weights, grids, curves), so trades of one shape share one
 * kernel. Must not know: CUDA's calls, compilers, caches. */
#ifndef LEVY_CUDA_COMPILE_SHAPE_H
#define LEVY_CUDA_COMPILE_SHAPE_H

#include "engine/base/memory.h"
#include "engine/base/status.h"
#include "kernels/path/image.h"

#include <stddef.h>
#include <stdint.h>

enum {
    LEVY_SHAPE_FUNCTIONALS = 32, /* most draws of functionals: a thread holds as many sums */
    LEVY_SHAPE_ROOM = 1024,      /* most draws of a path in local memory */
    LEVY_SHAPE_THREADS = 256,    /* of a CTA: one per column of the summation tree */
    LEVY_SHAPE_TEXT_SIZE = 8192, /* enough for the largest tile */
    LEVY_SHAPE_SHARED_STATIC =
        48 << 10, /* what every GPU gives without asking: the low table goes there when it fits */
    /* what sm_80 and later give on request: paths per thread shrink to fit */
    LEVY_SHAPE_SHARED_PORTABLE = 96 << 10,
    /* what a wide kernel has in shared memory: a node's drivers; factors, of products that the
     * threads of a warp share */
    LEVY_SHAPE_HELD = 1,
    LEVY_SHAPE_PRODUCTS = 2,
    /* most items and assets of a sweep whose items are unrolled, and bytes of its factors */
    LEVY_SHAPE_UNROLLED = 24,
    LEVY_SHAPE_UNROLLED_ASSETS = 8,
    LEVY_SHAPE_FACTORS =
        (LEVY_SHAPE_UNROLLED_ASSETS + LEVY_SHAPE_UNROLLED) * LEVY_SHAPE_UNROLLED_ASSETS * 8
};

/* LEVY_UNSUPPORTED with `why` (LEVY_REASON_SIZE bytes): no kernel does this, though the CPU can.
 * Kernels hold a path's normals (PCA) or words (where the traversal is not in the order of time) of
 * mrg32k3a in local memory, and a short stack. */
levy_status levy_shape_accepts(const levy_image *image, char *why);

/* Paths per thread that the tuning table of shape_lanes.c chooses: 1, 2, 4, 8 or 16. */
uint32_t levy_shape_lanes(const levy_image *image, const levy_tile *tile);

/* Words per draw in the low table of Sobol points that stands in shared memory: as many as fit,
 * because fewer words need more arithmetic (sobol.h). 0: the table stays in the image. */
uint32_t levy_shape_shared_low(const levy_image *image, uint32_t lanes);

/* Rows of the table of normals that stand in shared memory, if a multiprocessor has `room` bytes of
 * it. The number changes no bit. In single (normal_table.h) 0: this plan's kernels compute their
 * normals, which the plan alone decides. In double octaves of rows, those that stand there eight
 * times from bit 8 on, those that stand there once from bit 16 on (normal.h). Of a wide kernel,
 * which has no table in single, also LEVY_SHAPE_HELD and LEVY_SHAPE_PRODUCTS, as far as there is
 * room. */
uint32_t levy_shape_rows(const levy_image *image, const levy_tile *tile, uint32_t lanes,
                         uint32_t room);

/* Are the items of a sweep so few, and so alike, that each has code of its own (items_unrolled.h)?
 */
bool levy_shape_unrolls(const levy_image *image, const levy_tile *tile);

/* The factors that a kernel may have as a parameter: those of the tile's first dynamics; where
 * items are unrolled, those of the image's first, then for each item the row of the asset that it
 * moves, written to `room` (LEVY_SHAPE_FACTORS bytes). */
const void *levy_shape_factors(const levy_image *image, const levy_tile *tile, void *room);

/* Do this plan's kernels read a table of normals at all? */
bool levy_shape_wants_normals(const levy_image *image);

/* Dynamic shared memory of a CTA, as fused.cu lays it out. First `rows` rows of normals, what warps
 * show themselves (components.h, items_products.h), then the base words uint32[n_draws][lanes] (for
 * short paths of all 16 rows, twice; for held cells (normal.h) with the normals at the ends), and
 * the columns, which overlay the base words of a few rows. Then, aligned to 16, the low table if it
 * is there, the weights of PCA if they have room, and what every node reads. Last in a wide kernel,
 * aligned to 16, factors and drivers. */
uint32_t levy_shape_shared_bytes(const levy_image *image, const levy_tile *tile, uint32_t lanes,
                                 uint32_t rows);
/* Lanes that the dates of an item save in global memory for each path; 0: none. Bytes of that
 * memory for a CTA, with so many lanes. */
uint32_t levy_shape_deferred(const levy_image *image, const levy_tile *tile);
size_t levy_shape_scratch(const levy_image *image, const levy_tile *tile, uint32_t deferred);

/* Blocks that a CTA should take in turn: several of short paths, because starting a CTA costs as
 * much as a block. */
uint32_t levy_shape_chunk(const levy_image *image);

/* Most CTAs that can share a block's rows, where there are few blocks; 1: the paths are too short
 * for that. */
uint32_t levy_shape_split(const levy_image *image, uint32_t lanes);

/* Writes the text, NUL-terminated. LEVY_ARGUMENT: the tile does not lie in the image, or the text
 * outgrows `size`. */
levy_status levy_shape_write(const levy_image *image, const levy_tile *tile, uint32_t lanes,
                             uint32_t rows, char *text, size_t size);

#endif
