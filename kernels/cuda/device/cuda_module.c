/* cuda_module.c: the module's one exported symbol, and the backend table over the real calls. Must
 * not know: how. */
#include "kernels/cuda/compile/bridge_shape.h"
#include "kernels/cuda/device/launch.h"
#include "kernels/cuda/device/standalone.h"
#include "payoffs/policy_fit.h"
#include "kernels/cuda/compile/shape.h"

#include <stdio.h>
#include <string.h>

static levy_status module_open(const levy_backend_options *options, void **state, char *why)
{
    levy_cuda *cuda = NULL;
    const levy_status status = levy_cuda_open(&levy_cuda_calls_real, options, &cuda, why);
    *state = cuda;
    return status;
}

static levy_status module_beside(void *state, void **other, char *why)
{
    levy_cuda *cuda = NULL;
    const levy_status status = levy_cuda_open_beside(state, &cuda, why);
    *other = cuda;
    return status;
}

static levy_status module_join(void *state, void *other, char *why)
{
    return levy_device_join(levy_cuda_device(state), levy_cuda_device(other), why);
}

static levy_status module_count(int32_t *devices, char *why)
{
    return levy_device_count(&levy_cuda_calls_real, devices, why);
}

static void module_close(void *state) { levy_cuda_close(state); }
static void module_describe(void *state, levy_backend_info *info)
{
    levy_cuda_describe(state, info);
}
static void module_unload(void *state) { levy_cuda_unload(state); }

static void module_watch(void *state, const levy_cancel *cancel) { levy_cuda_watch(state, cancel); }

static levy_status module_load(void *state, const levy_image *image, const levy_tile *tiles,
                               size_t n_tiles, char *why)
{
    return levy_cuda_load(state, image, tiles, n_tiles, why);
}

static levy_status module_simulate(void *state, const levy_batch *batch, const levy_cancel *cancel,
                                   levy_block_sum *sums, double *seconds, char *why)
{
    return levy_cuda_simulate(state, batch, cancel, sums, seconds, why);
}

static levy_status module_fit(void *state, const levy_rule_pass *pass, double *fitted, char *why)
{
    return levy_cuda_fit(state, pass, fitted, why);
}

static levy_status module_list_devices(const levy_backend_options *options,
                                       int (*write)(void *, const char *, size_t), void *user)
{
    (void)options;
    return levy_device_list(&levy_cuda_calls_real, write, user);
}

static levy_status module_build(const levy_backend_options *options, const char *architecture,
                                const levy_image *image, const levy_tile *tiles, size_t n_tiles,
                                char *report, size_t report_size, char *why)
{
    return levy_cuda_build(&levy_cuda_calls_real, options, architecture, image, tiles, n_tiles,
                           report, report_size, why);
}

static levy_status module_foresee(void *state, const levy_image *image, const levy_tile *tiles,
                                  size_t n_tiles)
{
    return levy_cuda_foresee(state, image, tiles, n_tiles);
}

static size_t module_missing(void *state) { return levy_cuda_missing(state); }
static bool module_present(void)
{
    const levy_cuda_calls *const calls = &levy_cuda_calls_real;
    return calls->present();
}

static levy_status module_object_create(void *state, levy_object_kind kind, const void *tables,
                                        void **object, char *why)
{
    return levy_cuda_object_create(levy_cuda_device(state), kind, tables, object, why);
}

static levy_status module_read(void *state, void *to, const void *from, size_t size, void *stream,
                               char *why)
{
    return levy_standalone_download(levy_cuda_device(state), to, (uintptr_t)from, size, stream,
                                    why);
}

static levy_status module_memory_take(void *state, size_t size, void **memory, char *why)
{
    return levy_standalone_take(levy_cuda_device(state), size, memory, why);
}

static void module_memory_give(void *state, void *memory)
{
    levy_standalone_drop(levy_cuda_device(state), (uintptr_t)memory, NULL);
}

static levy_status module_within(void *state, levy_status (*work)(void *user, char *why),
                                 void *user, char *why)
{
    return levy_standalone_within(levy_cuda_device(state), work, user, why);
}

static void *module_stream(void *state) { return levy_cuda_stream(state); }

__attribute__((visibility("default"))) levy_status
levy_module_entry(const levy_host_table *host, levy_backend *backend, char *why);

levy_status levy_module_entry(const levy_host_table *host, levy_backend *backend, char *why)
{
    if (host->version != LEVY_BACKEND_VERSION || host->size != sizeof *host) {
        snprintf(why, LEVY_REASON_SIZE,
                 "the CUDA module speaks version %d of the backend table, its host version %u",
                 LEVY_BACKEND_VERSION, (unsigned)host->version);
        return LEVY_UNSUPPORTED;
    }
    if (strcmp(host->build_id, LEVY_BUILD_ID) != 0) {
        snprintf(why, LEVY_REASON_SIZE,
                 "the CUDA module is of another build ('%s') than its host ('%.100s')",
                 LEVY_BUILD_ID, host->build_id);
        return LEVY_UNSUPPORTED;
    }
    *backend = (levy_backend){.version = LEVY_BACKEND_VERSION,
                              .size = sizeof *backend,
                              .name = "cuda",
                              .open = module_open,
                              .close = module_close,
                              .beside = module_beside,
                              .join = module_join,
                              .count = module_count,
                              .describe = module_describe,
                              .watch = module_watch,
                              .load = module_load,
                              .simulate = module_simulate,
                              .unload = module_unload,
                              .fit = module_fit,
                              .foresee = module_foresee,
                              .missing = module_missing,
                              .present = module_present,
                              .list_devices = module_list_devices,
                              .build = module_build,
                              .accepts = levy_shape_accepts,
                              .cache = levy_cuda_cache,
                              .bridge_registers = LEVY_BRIDGE_NARROW,
                              .objects = (1u << LEVY_OBJECT_KINDS) - 1,
                              .object_create = module_object_create,
                              .object_run = levy_cuda_object_run,
                              .object_describe = levy_cuda_object_describe,
                              .object_destroy = levy_cuda_object_destroy,
                              .read = module_read,
                              .memory_take = module_memory_take,
                              .memory_give = module_memory_give,
                              .within = module_within,
                              .stream = module_stream};
    return LEVY_OK;
}
