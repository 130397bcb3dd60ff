/* slow_backend.h: a backend in front of another one, or of nothing, whose every batch takes 50 ms
 * however small it is, as one wave of heavy blocks does; it counts the batches. Must not know: what
 * is priced. */
#ifndef LEVY_TESTS_SLOW_BACKEND_H
#define LEVY_TESTS_SLOW_BACKEND_H

#include "engine/run/backend.h"

#include <string.h>
#include <time.h>

enum { SLOW_MOST = 256 };

typedef struct slow_backend {
    const levy_backend *inner; /* NULL: sums are zero */
    uint64_t first, wave;      /* without `inner`: what describe says */
    size_t batches;
    uint64_t blocks[SLOW_MOST]; /* of each batch */
} slow_backend;

static slow_backend slow;

static inline levy_status slow_open(const levy_backend_options *options, void **state, char *why)
{
    return slow.inner ? slow.inner->open(options, state, why) : LEVY_OK;
}

static inline void slow_close(void *state)
{
    if (slow.inner) slow.inner->close(state);
}

static inline void slow_describe(void *state, levy_backend_info *info)
{
    memset(info, 0, sizeof *info);
    *info = (levy_backend_info){
        .tiles = {8, 8, 0, 0, 0, 0}, .batch_blocks = slow.first, .wave_blocks = slow.wave};
    if (slow.inner) slow.inner->describe(state, info);
}

static inline levy_status slow_load(void *state, const levy_image *image, const levy_tile *tiles,
                                    size_t n, char *why)
{
    return slow.inner ? slow.inner->load(state, image, tiles, n, why) : LEVY_OK;
}

static inline levy_status slow_simulate(void *state, const levy_batch *batch,
                                        const levy_cancel *cancel, levy_block_sum *sums,
                                        double *seconds, char *why)
{
    const struct timespec rest = {0, 50000000};
    if (slow.batches < SLOW_MOST) slow.blocks[slow.batches] = batch->n_blocks;
    ++slow.batches;
    nanosleep(&rest, NULL);
    *seconds = 0.0;
    if (slow.inner) return slow.inner->simulate(state, batch, cancel, sums, seconds, why);
    memset(sums, 0, batch->n_blocks * batch->tile.n_outputs * sizeof *sums);
    return LEVY_OK;
}

static inline void slow_unload(void *state)
{
    if (slow.inner) slow.inner->unload(state);
}

static const levy_backend slow_table = {.version = LEVY_BACKEND_VERSION,
                                        .size = sizeof slow_table,
                                        .name = "slow",
                                        .open = slow_open,
                                        .close = slow_close,
                                        .describe = slow_describe,
                                        .load = slow_load,
                                        .simulate = slow_simulate,
                                        .unload = slow_unload};

#endif
