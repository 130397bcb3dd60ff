/* fake_backend.h: the CUDA backend's table over the fake driver (fake_cuda.h). Must not know: what
 * is priced. */
#ifndef LEVY_TESTS_FAKE_BACKEND_H
#define LEVY_TESTS_FAKE_BACKEND_H

#include "kernels/cuda/device/launch.h"
#include "tests/fake_cuda.h"

static inline levy_status fake_open(const levy_backend_options *options, void **state, char *why)
{
    levy_cuda *cuda = NULL;
    const levy_status status = levy_cuda_open(fake_cuda_calls(), options, &cuda, why);
    *state = cuda;
    return status;
}
static inline void fake_close(void *state) { levy_cuda_close(state); }
static inline void fake_describe(void *state, levy_backend_info *info)
{
    levy_cuda_describe(state, info);
}
static inline void fake_unload(void *state) { levy_cuda_unload(state); }
static inline levy_status fake_load(void *state, const levy_image *image, const levy_tile *tiles,
                                    size_t n, char *why)
{
    return levy_cuda_load(state, image, tiles, n, why);
}
static inline levy_status fake_simulate(void *state, const levy_batch *batch,
                                        const levy_cancel *cancel, levy_block_sum *sums,
                                        double *seconds, char *why)
{
    return levy_cuda_simulate(state, batch, cancel, sums, seconds, why);
}
static const levy_backend fake_backend = {.version = LEVY_BACKEND_VERSION,
                                          .size = sizeof fake_backend,
                                          .name = "cuda",
                                          .open = fake_open,
                                          .close = fake_close,
                                          .describe = fake_describe,
                                          .load = fake_load,
                                          .simulate = fake_simulate,
                                          .unload = fake_unload};

#endif
