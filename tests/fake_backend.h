/* fake_backend.h: the CUDA backend's table over the fake driver (fake_cuda.h). Must not know: what
 * is priced. */
#ifndef LEVY_TESTS_FAKE_BACKEND_H
#define LEVY_TESTS_FAKE_BACKEND_H

#include "tests/cmocka_all.h"

#include "kernels/cuda/device/launch.h"
#include "kernels/cuda/device/normals_launch.h"
#include "kernels/cuda/device/standalone.h"
#include "tests/fake_cuda.h"

/* For setup: a GPU whose kernels are the CPU's path loop. */
static inline int fake_reset(void **state)
{
    (void)state;
    fake_cuda_reset();
    fake.simulate = fake_cuda_simulate_cpu;
    return 0;
}

/* For teardown: all was given back. */
static inline int fake_check_closed(void **state)
{
    (void)state;
    assert_int_equal(fake.held, 0);
    assert_int_equal(fake.misuse, 0);
    return 0;
}

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
static inline levy_status fake_normals_create(void *state, const levy_normals_tables *tables,
                                              void **normals, char *why)
{
    levy_cuda_normals *made = NULL;
    const levy_status status =
        levy_cuda_normals_create(levy_cuda_device(state), tables, &made, why);
    *normals = made;
    return status;
}
static inline levy_status fake_normals_generate(void *normals, const levy_normals_call *call,
                                                char *why)
{
    return levy_cuda_normals_generate(normals, call, why);
}
static inline void fake_normals_destroy(void *normals) { levy_cuda_normals_destroy(normals); }
static inline levy_status fake_read(void *state, void *to, const void *from, size_t size,
                                    void *stream, char *why)
{
    return levy_standalone_download(levy_cuda_device(state), to, (uintptr_t)from, size, stream,
                                    why);
}
static inline levy_status fake_take(void *state, size_t size, void **memory, char *why)
{
    return levy_standalone_take(levy_cuda_device(state), size, memory, why);
}
static inline void fake_give(void *state, void *memory)
{
    levy_standalone_drop(levy_cuda_device(state), (uintptr_t)memory, NULL);
}
static inline levy_status fake_within(void *state, levy_status (*work)(void *user, char *why),
                                      void *user, char *why)
{
    return levy_standalone_within(levy_cuda_device(state), work, user, why);
}
static inline void *fake_stream(void *state) { return levy_cuda_stream(state); }
static const levy_backend fake_backend = {.version = LEVY_BACKEND_VERSION,
                                          .size = sizeof fake_backend,
                                          .name = "cuda",
                                          .open = fake_open,
                                          .close = fake_close,
                                          .describe = fake_describe,
                                          .load = fake_load,
                                          .simulate = fake_simulate,
                                          .unload = fake_unload,
                                          .normals_create = fake_normals_create,
                                          .normals_generate = fake_normals_generate,
                                          .normals_destroy = fake_normals_destroy,
                                          .read = fake_read,
                                          .memory_take = fake_take,
                                          .memory_give = fake_give,
                                          .within = fake_within,
                                          .stream = fake_stream};

#endif
