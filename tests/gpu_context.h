/* gpu_context.h: one context for all tests of a group, on a machine whose GPU is fake
 * (fake_module.c in the place of the CUDA module). Included once per test program. */
#ifndef LEVY_TESTS_GPU_CONTEXT_H
#define LEVY_TESTS_GPU_CONTEXT_H

#include "tests/cmocka_all.h"

#include "engine/book/choice.h"
#include "engine/book/handles.h"
#include "tests/fake_loaded.h"

static fake_cuda *gpu;
static void (*gpu_reset)(void);
static levy_context *context;

/* A GPU that starts at once and is as fast as can be, so that auto takes it for small books too. */
static const levy_choice_costs costs = {.threads = {1e12, 1e12, 1e12}};

static inline int gpu_start(void **state)
{
    (void)state;
    const levy_context_options options = {.struct_size = sizeof options, .module_dir = fake_folder};
    gpu = fake_load(&gpu_reset, NULL);
    gpu_reset();
    const int status = levy_context_create(&options, &context);
    if (status == 0) context->costs = &costs;
    return status;
}

static inline int gpu_finish(void **state)
{
    (void)state;
    levy_context_destroy(context);
    return 0;
}

/* As a new process finds it: whole. */
static inline void gpu_renew(void)
{
    levy_call_device_drop(context);
    gpu_reset();
}

#endif
