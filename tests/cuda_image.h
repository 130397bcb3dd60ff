/* cuda_image.h: plan images of a few numbers, for tests of what the CUDA backend does around a
 * kernel: they have items and outputs, but no paths. */
#ifndef LEVY_TESTS_CUDA_IMAGE_H
#define LEVY_TESTS_CUDA_IMAGE_H

#include "kernels/path/image.h"

#include <string.h>

enum { CUDA_IMAGE_ITEMS = 8 };

typedef struct cuda_image {
    _Alignas(64) levy_image header;
    _Alignas(64) levy_image_item items[CUDA_IMAGE_ITEMS];
    _Alignas(64) double reals[CUDA_IMAGE_ITEMS][LEVY_ITEM_REALS];
    _Alignas(64) levy_image_output outputs[CUDA_IMAGE_ITEMS];
    _Alignas(64) uint32_t moved[CUDA_IMAGE_ITEMS], returns[CUDA_IMAGE_ITEMS];
} cuda_image;

/* One asset, 64 nodes; `n` outputs of one item each, item i under dynamics i / 2. */
static inline void cuda_image_make(cuda_image *image, uint32_t n, double strike)
{
    memset(image, 0, sizeof *image);
    image->header = (levy_image){.magic = LEVY_IMAGE_MAGIC,
                                 .version = LEVY_IMAGE_VERSION,
                                 .bytes = sizeof *image,
                                 .full = 1,
                                 .n_assets = 1,
                                 .n_factors = 1,
                                 .n_nodes = 64,
                                 .n_segments = 8,
                                 .stack = 4,
                                 .n_draws = 64,
                                 .n_dynamics = (n + 1) / 2,
                                 .n_items = n,
                                 .n_outputs = n,
                                 .n_trades = n,
                                 .n_replicates = 16,
                                 .paths = 1 << 20,
                                 .blocks = 1 << 8};
    image->header.items = (uint64_t)((char *)image->items - (char *)image);
    image->header.item_reals = (uint64_t)((char *)image->reals - (char *)image);
    image->header.outputs = (uint64_t)((char *)image->outputs - (char *)image);
    image->header.moved = (uint64_t)((char *)image->moved - (char *)image);
    image->header.returns = (uint64_t)((char *)image->returns - (char *)image);
    for (uint32_t i = 0; i < n; ++i) {
        image->moved[i] = LEVY_MOVES_MORE;
        image->returns[i] = LEVY_RETURNS_OWN;
        image->items[i] = (levy_image_item){.kind = i % 3,
                                            .variant = i % 2,
                                            .dynamics = i / 2,
                                            .trade = i,
                                            .n_flags = 1,
                                            .scale = 1.0};
        image->reals[i][0] = strike;
        image->outputs[i] = (levy_image_output){.first_item = i,
                                                .n_items = 1,
                                                .first_dynamics = i / 2,
                                                .n_dynamics = 1,
                                                .n_terms = 1,
                                                .weight = {1.0},
                                                .coefficient = {1.0}};
    }
}

static inline levy_tile cuda_image_tile(uint32_t first, uint32_t n)
{
    return (levy_tile){.first_output = first,
                       .n_outputs = n,
                       .first_item = first,
                       .n_items = n,
                       .first_dynamics = first / 2,
                       .n_dynamics = (first + n - 1) / 2 - first / 2 + 1};
}

#endif
