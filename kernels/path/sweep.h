/* sweep.h: tiles whose items differ in little: one payoff on several assets, under markets of which
 * each moves one asset at most, as for all vegas of a basket. A GPU's kernel then makes the returns
 * of the first dynamics once for all items, and of each item those of the moved asset alone
 * (items_sweep.h). Host only. Must not know: payoffs, models by name. */
#ifndef LEVY_PATH_SWEEP_H
#define LEVY_PATH_SWEEP_H

#include "kernels/path/image.h"

#include <stdbool.h>

/* Has the item segments of its own (payoffs/segments.h), which a sweep does not run? */
static inline bool levy_item_has_segments(const levy_image *image, const levy_image_item *item)
{
    return item->traits & LEVY_ITEM_SCRIPT && levy_image_program(image, item)->n_segments > 0;
}

/* May item j be in one sweep with item i? */
static inline bool levy_sweeps_with(const levy_image *image, uint32_t i, uint32_t j)
{
    const levy_image_item *const items = LEVY_IMAGE_AT(levy_image_item, image, items),
                                 *const a = &items[i], *const b = &items[j];
    return LEVY_IMAGE_AT(uint32_t, image, moved)[b->dynamics] != LEVY_MOVES_MORE &&
           a->kind == b->kind && a->variant == b->variant && a->aggregate == b->aggregate &&
           a->flag == b->flag && a->n_flags == b->n_flags && a->traits == b->traits &&
           !levy_item_has_segments(image, b);
}

/* Does the tile sweep? Few items under one dynamics are as fast without. */
static inline bool levy_tile_sweeps(const levy_image *image, const levy_tile *tile)
{
    if (tile->n_dynamics == 1 && tile->n_items <= LEVY_CLUSTER) return false;
    for (uint32_t i = 0; i < tile->n_items; ++i)
        if (!levy_sweeps_with(image, tile->first_item, tile->first_item + i)) return false;
    return true;
}

#endif
