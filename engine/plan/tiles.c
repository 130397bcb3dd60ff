/* tiles.c: see tiles.h. */
#include "engine/plan/tiles.h"

#include "kernels/path/sweep.h"

#include <string.h>

enum {
    TILE_ASSETS = 4, /* with fewer, sweeps are no faster */
    TILE_LONG = 256  /* nodes from which on passes over the paths cost more than segments */
};
static const double tile_growth = 0.5; /* most of a market whose returns are today's, grown */

static const levy_image_item *tile_items(const levy_image *image, const levy_tile *tile)
{
    return LEVY_IMAGE_AT(levy_image_item, image, items) + tile->first_item;
}

/* Are the first n items of the tile postponed programs, on paths of many dates? */
static bool tile_is_postponed(const levy_image *image, const levy_tile *tile, uint32_t n)
{
    const levy_image_item *const items = tile_items(image, tile);
    if (!image->precision || image->n_nodes < TILE_LONG) return false;
    for (uint32_t i = 0; i < n; ++i)
        if (!(items[i].traits & LEVY_ITEM_SCRIPT) ||
            levy_image_program(image, &items[i])->n_left == 0)
            return false;
    return true;
}

/* Most items of the tile. Plain items of one asset carry one sum at most, and those of equal
 * dynamics often share it, so more of them fit. */
static uint32_t tile_room(const levy_image *image, const levy_tile_limits *limits,
                          const levy_tile *tile, uint32_t n_items)
{
    const levy_image_item *const items = tile_items(image, tile);
    if (limits->postponed > limits->items && tile_is_postponed(image, tile, n_items))
        return limits->postponed;
    if (limits->plain <= limits->items || !levy_image_shares_draws(image)) return limits->items;
    for (uint32_t i = 0; i < n_items; ++i)
        if (items[i].traits & LEVY_ITEM_LONG) return limits->items;
    return limits->plain;
}

/* Most dynamics of it. */
static uint32_t tile_dynamics(const levy_image *image, const levy_tile_limits *limits,
                              const levy_tile *tile, uint32_t n_items)
{
    if (limits->postponed > limits->dynamics && tile_is_postponed(image, tile, n_items))
        return limits->postponed;
    if (limits->dynamics < LEVY_MAX_LOOP_DYNAMICS || levy_image_shares_draws(image))
        return limits->dynamics;
    return LEVY_MAX_LOOP_DYNAMICS;
}

/* May the cluster of `output` join the tile before it? */
static bool tile_takes(const levy_image *image, const levy_tile_limits *limits,
                       const levy_tile *tile, const levy_image_output *output)
{
    const levy_image_output *const before = output - 1;
    const bool separate = image->paths * image->n_replicates < limits->separate_paths;
    const uint32_t n_items = tile->n_items + output->n_items,
                   end = output->first_dynamics + output->n_dynamics;
    if ((before->probe == 0) != (output->probe == 0)) return false;
    if (separate && before->trade != output->trade) return false;
    if (output->first_dynamics < tile->first_dynamics) return false;
    if (n_items <= tile_room(image, limits, tile, n_items) &&
        end - tile->first_dynamics <= tile_dynamics(image, limits, tile, n_items))
        return true;
    if (n_items > limits->swept) return false;
    for (uint32_t i = 0; i < n_items; ++i)
        if (!levy_sweeps_with(image, tile->first_item, tile->first_item + i)) return false;
    return true;
}

size_t levy_plan_tiles(const levy_image *image, const levy_tile_limits *limits, levy_tile *tiles)
{
    const levy_image_output *const outputs = LEVY_IMAGE_AT(levy_image_output, image, outputs);
    size_t n = 0;
    for (uint32_t o = 0; o < image->n_outputs; ++o) {
        const levy_image_output *const output = &outputs[o];
        levy_tile *const last = n ? &tiles[n - 1] : NULL;
        const uint32_t end = output->first_dynamics + output->n_dynamics;
        if (o && outputs[o - 1].first_item == output->first_item) { /* cluster */
            ++last->n_outputs;
        } else if (last && tile_takes(image, limits, last, output)) {
            if (end > last->first_dynamics + last->n_dynamics)
                last->n_dynamics = end - last->first_dynamics;
            last->n_items += output->n_items;
            ++last->n_outputs;
        } else {
            tiles[n++] = (levy_tile){o,
                                     1,
                                     output->first_item,
                                     output->n_items,
                                     output->first_dynamics,
                                     output->n_dynamics};
        }
    }
    return n;
}

static size_t tile_real(const levy_image *image)
{
    return image->precision ? sizeof(float) : sizeof(double);
}

/* Has asset a other factors under dynamics m than under the first? */
static bool tile_turns(const levy_image *image, uint32_t m, uint32_t a)
{
    const size_t factors = image->n_factors * tile_real(image);
    const char *const factor = LEVY_IMAGE_AT(char, image, factor) + a * factors;
    return memcmp(factor, factor + m * image->n_assets * factors, factors) != 0;
}

/* Has it another drift? */
static bool tile_drifts(const levy_image *image, uint32_t m, uint32_t a)
{
    const size_t real_size = tile_real(image), row = image->n_assets * real_size;
    const char *const drift = LEVY_IMAGE_AT(char, image, drift) + a * real_size;
    for (uint32_t k = 0; k < image->n_nodes; ++k)
        if (memcmp(drift + k * row, drift + ((size_t)m * image->n_nodes + k) * row, real_size) != 0)
            return true;
    return false;
}

/* The asset that dynamics m moves. */
static uint32_t tile_moved(const levy_image *image, uint32_t m)
{
    uint32_t moved = image->n_assets;
    if (levy_image_is_late(image, m)) return LEVY_MOVES_MORE;
    for (uint32_t a = 0; a < image->n_assets; ++a)
        if (tile_turns(image, m, a) || tile_drifts(image, m, a)) {
            if (moved < image->n_assets) return LEVY_MOVES_MORE;
            moved = a;
        }
    return moved;
}

void levy_plan_put_moved(const levy_image *image, uint32_t *moved)
{
    const bool simple = image->n_assets >= TILE_ASSETS && !image->covariance && !image->has_cash &&
                        !image->model && !image->model_features && !image->records &&
                        !levy_image_is_late(image, 0);
    for (uint32_t m = 0; m < image->n_dynamics; ++m)
        moved[m] = simple ? tile_moved(image, m) : LEVY_MOVES_MORE;
}

/* Is the dynamics' growth small at all nodes? Then 1 + growth has all digits. */
static bool tile_grows_little(const levy_image *image, uint32_t m)
{
    for (uint64_t i = (uint64_t)m * image->n_nodes; i < (m + UINT64_C(1)) * image->n_nodes; ++i) {
        const double growth = levy_image_real(image, image->growth, i);
        if (!(growth >= -tile_growth && growth <= tile_growth)) return false;
    }
    return true;
}

void levy_plan_put_returns(const levy_image *image, uint32_t *returns)
{
    const bool grows = levy_image_grows(image) && !levy_image_is_late(image, 0);
    for (uint32_t m = 0; m < image->n_dynamics; ++m) {
        returns[m] = LEVY_RETURNS_OWN;
        if (!grows || tile_turns(image, m, 0)) continue;
        if (!levy_image_is_late(image, m) && !tile_drifts(image, m, 0))
            returns[m] = LEVY_RETURNS_FIRST;
        else if (tile_grows_little(image, m))
            returns[m] = LEVY_RETURNS_GROWN;
    }
}
