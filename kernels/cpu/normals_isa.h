/* normals_isa.h: the interface of one build of the stand-alone normals (an instruction set and a
 * precision). */
#ifndef LEVY_CPU_NORMALS_ISA_H
#define LEVY_CPU_NORMALS_ISA_H

#include "kernels/points/normals_tables.h"

/* points that a worker makes together, at most, and dimensions: a multiple of 4 */
enum { LEVY_NORMALS_TILE = 1024, LEVY_NORMALS_DIMENSIONS = 64 };

/* Points [first, first + count), count at most LEVY_NORMALS_TILE, and rows [from, to) of those that
 * the tables name, `from` a multiple of 4. Number (d, i) goes to output[d * stride + i]. mrg32k3a
 * makes all rows of a point at once. */
typedef struct levy_normals_tile {
    void *output;
    size_t stride;
    uint64_t first;
    uint32_t count, from, to;
    const uint32_t *words; /* given ones: [row][point of the call], from the tile's first on */
    size_t words_stride;
} levy_normals_tile;

typedef struct levy_normals_isa {
    const char *name;
    void (*run)(const levy_normals_tables *tables, const levy_normals_tile *tile);
    /* Stores rows of paths, `width` numbers apart and padded to whole registers: each with its
     * drift (NULL: none), or the exponential of that. */
    void (*place)(const void *paths, size_t width, const void *drift, bool exponential,
                  size_t n_rows, void *output, size_t stride, size_t count);
} levy_normals_isa;

#endif
