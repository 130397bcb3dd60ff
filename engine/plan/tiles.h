/* tiles.h: which outputs one pass over the paths evaluates. Tiles belong to the schedule and never
 * change a result. Must not know: backends. */
#ifndef LEVY_PLAN_TILES_H
#define LEVY_PLAN_TILES_H

#include "kernels/path/image.h"

#include <stddef.h>

typedef struct levy_tile_limits {
    /* most items and most dynamics of a tile, each at least LEVY_CLUSTER; most items of one that
     * sweeps, 0: none does; most items of one whose items are plain and see one asset, if more */
    uint32_t items, dynamics, swept, plain;
    /* If the image has fewer paths in all, each tile has one trade. */
    uint64_t separate_paths;
    /* most items, and dynamics, of a tile in single whose programs are postponed
     * (engine/script/postpone.h) on many dates, if more */
    uint32_t postponed;
} levy_tile_limits;

/* Splits the outputs into tiles. `tiles` has room for image->n_outputs. Returns how many there
 * are. */
size_t levy_plan_tiles(const levy_image *image, const levy_tile_limits *limits, levy_tile *tiles);

/* Fills the image's `moved` and `returns` from the numbers of its dynamics. */
void levy_plan_put_moved(const levy_image *image, uint32_t *moved);
void levy_plan_put_returns(const levy_image *image, uint32_t *returns);

#endif
