/* fake_backend.h: the CUDA backend's table over the fake driver (fake_cuda.h). Must not know: what
 * is priced. */
#ifndef LEVY_TESTS_FAKE_BACKEND_H
#define LEVY_TESTS_FAKE_BACKEND_H

#include "tests/cmocka_all.h"

#include "kernels/cuda/device/launch.h"
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
static inline levy_status fake_object_create(void *state, levy_object_kind kind, const void *tables,
                                             void **object, char *why)
{
    return levy_cuda_object_create(levy_cuda_device(state), kind, tables, object, why);
}
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
                                          .objects = 1u << LEVY_OBJECT_NORMALS,
                                          .object_create = fake_object_create,
                                          .object_run = levy_cuda_object_run,
                                          .object_describe = levy_cuda_object_describe,
                                          .object_destroy = levy_cuda_object_destroy,
                                          .read = fake_read,
                                          .memory_take = fake_take,
                                          .memory_give = fake_give,
                                          .within = fake_within,
                                          .stream = fake_stream};

#endif
