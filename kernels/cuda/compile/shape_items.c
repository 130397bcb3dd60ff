/* shape_items.c: see shape_parts.h: what the items of a tile have in common. Must not know: draws,
 * shared memory. */
#include "kernels/cuda/compile/scripts.h"
#include "kernels/cuda/compile/shape_parts.h"

#include "kernels/path/sweep.h"
#include "payoffs/basket.h"
#include "payoffs/item.h"

#include <string.h>

enum {
    SHAPE_SHARED = 16, /* most items that share states, four bits each */
    SHAPE_FEW = 8      /* most sums of plain items for runs of nodes in registers */
};

const levy_image_item *levy_shape_item(const levy_image *image, const levy_tile *tile, uint32_t i)
{
    return LEVY_IMAGE_AT(levy_image_item, image, items) + tile->first_item + i;
}

uint32_t levy_shape_dynamics(const levy_image *m, const levy_tile *t, uint32_t i)
{
    return levy_tile_sweeps(m, t) ? 0 : levy_shape_item(m, t, i)->dynamics - t->first_dynamics;
}

uint32_t levy_shape_elapsed(const levy_image *m, const levy_tile *t, uint32_t i)
{
    return levy_image_is_late(m, t->first_dynamics + i) ? 1 : 0;
}

uint32_t levy_shape_any_elapsed(const levy_image *m, const levy_tile *t)
{
    for (uint32_t i = 0; i < t->n_dynamics; ++i)
        if (levy_shape_elapsed(m, t, i)) return 1;
    return 0;
}

/* Dynamics whose returns a path makes in full. */
uint32_t levy_shape_n_dynamics(const levy_image *image, const levy_tile *tile)
{
    return levy_tile_sweeps(image, tile) ? 1 : tile->n_dynamics;
}

bool levy_shape_has_long_item(const levy_image *image, const levy_tile *tile)
{
    const levy_image_item *const items =
        LEVY_IMAGE_AT(levy_image_item, image, items) + tile->first_item;
    for (uint32_t i = 0; i < tile->n_items; ++i)
        if (items[i].traits & LEVY_ITEM_LONG) return true;
    return false;
}

/* Have all runs of nodes 8, where they may lie in registers (PATH_registers)? */
bool levy_shape_is_full(const levy_image *image, const levy_tile *tile)
{
    return image->full && image->n_assets * image->n_factors == 1 &&
           (image->precision || image->mixed) && !levy_shape_has_long_item(image, tile);
}

/* Do all items of the tile observe at all nodes, and no node pays a dividend? Then no flag need be
 * read. */
bool levy_shape_is_always(const levy_image *image, const levy_tile *tile)
{
    const uint32_t *const flags = LEVY_IMAGE_AT(uint32_t, image, flags);
    uint32_t wanted = 0;
    for (uint32_t i = 0; i < tile->n_items; ++i)
        wanted |= LEVY_ITEM_MASK(levy_shape_item(image, tile, i));
    for (uint32_t node = 0; node < image->n_nodes; ++node)
        if ((flags[node] & wanted) != wanted) return false;
    return !image->has_cash;
}

/* The item whose states item i uses. Averages, for example, under one dynamics that start alike
 * have the same sums, whatever their strikes and spots; the first such item keeps them. */
static uint32_t shape_state_of(const levy_image *m, const levy_tile *t, uint32_t i)
{
    const size_t real_size = levy_shape_real(m), row = LEVY_ITEM_REALS * real_size;
    const char *const starts =
        LEVY_IMAGE_AT(char, m, item_reals) + t->first_item * row + ITEM_START * real_size;
    const levy_image_item *const item = levy_shape_item(m, t, i);
    for (uint32_t j = 0; j < i && item->traits & LEVY_ITEM_SHARES; ++j) {
        const levy_image_item *const other = levy_shape_item(m, t, j);
        if (other->kind == item->kind && other->flag == item->flag &&
            other->n_flags == item->n_flags && other->variant == item->variant &&
            other->dynamics == item->dynamics && other->aggregate == item->aggregate &&
            m->n_assets == 1 && memcmp(starts + i * row, starts + j * row, real_size) == 0)
            return j;
    }
    return i;
}

bool levy_shape_shares_states(const levy_image *m, const levy_tile *t)
{
    for (uint32_t i = 0; i < t->n_items && t->n_items <= SHAPE_SHARED; ++i)
        if (shape_state_of(m, t, i) != i) return true;
    return false;
}

/* The items whose states the tile's items use, four bits each; 0: there are too many. */
uint64_t levy_shape_state_list(const levy_image *m, const levy_tile *t)
{
    uint64_t states = 0;
    for (uint32_t i = 0; i < t->n_items && t->n_items <= SHAPE_SHARED; ++i)
        states |= (uint64_t)shape_state_of(m, t, i) << 4 * i;
    return states;
}

/* The sums that a tile of plain items keeps; 0: other items, or too many. */
uint32_t levy_shape_sums(const levy_image *m, const levy_tile *t)
{
    uint32_t sums = 0;
    if (m->n_assets > 1 || m->model || levy_shape_has_long_item(m, t) ||
        !levy_shape_is_always(m, t))
        return 0;
    for (uint32_t i = 0; i < t->n_items; ++i) sums += shape_state_of(m, t, i) == i;
    return sums <= SHAPE_FEW && t->n_items <= SHAPE_SHARED ? sums : 0;
}

/* Lanes that an item carries: as programs want them, or of any payoff. */
uint32_t levy_shape_states(const levy_image *m, const levy_tile *t)
{
    const uint32_t states = levy_scripts_states(m, t);
    return states > LEVY_ITEM_STATES ? states : (uint32_t)LEVY_ITEM_STATES;
}

/* Does a wide kernel's only item see a sum or an extreme of returns that nothing else needs? */
bool levy_shape_streams(const levy_image *image, const levy_tile *tile)
{
    const uint32_t aggregate = levy_shape_item(image, tile, 0)->aggregate;
    return levy_shape_is_wide(image, tile) && tile->n_items == 1 &&
           levy_shape_n_dynamics(image, tile) == 1 && !levy_shape_has_long_item(image, tile) &&
           !image->covariance && !levy_shape_any_elapsed(image, tile) && !image->has_cash &&
           !image->model && aggregate != BASKET_NONE && aggregate != BASKET_GEOMETRIC;
}

bool levy_shape_unrolls(const levy_image *image, const levy_tile *tile)
{
    const size_t row = image->n_assets * levy_shape_real(image);
    const char *const coefficients =
        LEVY_IMAGE_AT(char, image, coefficients) + tile->first_item * row;
    if (!levy_tile_sweeps(image, tile) || tile->n_items > LEVY_SHAPE_UNROLLED ||
        image->n_assets > LEVY_SHAPE_UNROLLED_ASSETS ||
        image->n_factors > LEVY_SHAPE_UNROLLED_ASSETS || levy_shape_has_long_item(image, tile) ||
        levy_shape_item(image, tile, 0)->aggregate != BASKET_SUM)
        return false;
    for (uint32_t i = 1; i < tile->n_items; ++i)
        if (memcmp(coefficients, coefficients + i * row, row) != 0) return false;
    return image->n_nodes * (uint64_t)(4 + image->n_assets + tile->n_items) *
                   levy_shape_real(image) +
               image->n_factors * row <=
           SHAPE_STAGED;
}

/* Of an item of an unrolled sweep: see shape.def. */
uint32_t levy_shape_moved(const levy_image *image, const levy_tile *tile, uint32_t i)
{
    return levy_shape_unrolls(image, tile)
               ? LEVY_IMAGE_AT(uint32_t, image, moved)[levy_shape_item(image, tile, i)->dynamics]
               : 0;
}

const void *levy_shape_factors(const levy_image *image, const levy_tile *tile, void *room)
{
    const size_t row = image->n_factors * levy_shape_real(image), each = image->n_assets * row;
    const char *const factors = LEVY_IMAGE_AT(char, image, factor);
    const uint32_t *const moved = LEVY_IMAGE_AT(uint32_t, image, moved);
    if (!levy_shape_unrolls(image, tile)) return factors + tile->first_dynamics * each;
    memcpy(room, factors, each);
    for (uint32_t i = 0; i < tile->n_items; ++i) {
        const uint32_t m = levy_shape_item(image, tile, i)->dynamics;
        memcpy((char *)room + each + i * row, factors + m * each + moved[m] % image->n_assets * row,
               row); /* of none, any */
    }
    return room;
}
