/* launch_build.c: see launch.h: kernels ahead of time, and the list of those that are kept. */
#include "kernels/cuda/device/launch.h"

#include <stdio.h>
#include <string.h>

static void launch_report(const levy_kernel_set *set, char *report, size_t size)
{
    static const char *const origins[] = {"shipped", "cached", "compiled"};
    size_t at = 0;
    for (size_t k = 0; k < set->count && at < size; ++k) {
        const levy_kernel *const kernel = &set->kernels[k];
        if (kernel->held) continue;
        const levy_jit_usage usage = levy_jit_usage_of(&kernel->code);
        const char *const log = usage.warned ? kernel->code.log : "";
        char used[80] = "";
        if (usage.registers >= 0)
            snprintf(used, sizeof used, ", %d registers, %d B stack, %d B spilled", usage.registers,
                     usage.stack, usage.spilled);
        const int length =
            snprintf(report + at, size - at,
                     "%s: %s in %d ms, %zu B, %u paths per thread, %u B shared%s%s%s\n",
                     kernel->id.label, origins[kernel->origin], (int)(1e3 * kernel->seconds + 0.5),
                     kernel->code.size, (unsigned)kernel->lanes, (unsigned)kernel->shared_bytes,
                     used, usage.warned ? "\n" : "", log);
        at += length > 0 ? (size_t)length : 0;
    }
}

/* The whole purpose of a build is to fill the cache, so a kernel that it did not keep is a
 * failure. */
static levy_status launch_check_kept(const levy_kernel_set *set, const levy_kernel_cache *cache,
                                     char *why)
{
    for (size_t k = 0; k < set->count; ++k)
        if (set->kernels[k].unkept) {
            snprintf(why, LEVY_REASON_SIZE, "the kernel cache %.300s cannot keep a kernel: %s",
                     cache->path, strerrordesc_np(set->kernels[k].unkept));
            return LEVY_IO;
        }
    return LEVY_OK;
}

/* The kernels of other parts are held by them. The hash of a kernel's source says whose it is, so
 * that processes that never speak to each other build each one once. */
static void launch_leave_others(const levy_backend_options *options, levy_kernel_set *set)
{
    for (size_t k = 0; options->parts > 0 && k < set->count; ++k)
        set->kernels[k].held = set->kernels[k].shape.low % options->parts + 1 != options->part;
}

levy_status levy_cuda_build(const levy_cuda_calls *calls, const levy_backend_options *options,
                            const char *architecture, const levy_image *image,
                            const levy_tile *tiles, size_t n_tiles, char *report,
                            size_t report_size, char *why)
{
    levy_device device;
    levy_kernel_set set;
    if (report_size) report[0] = 0;
    LEVY_TRY(levy_device_open_compiler(&device, calls, options, architecture, why));
    levy_status status = LEVY_OK;
    if (!options->no_cache && !device.cache.writable) {
        snprintf(why, LEVY_REASON_SIZE, "%s",
                 device.cache.reason[0] ? device.cache.reason : "the kernel cache is read-only");
        status = LEVY_IO;
    }
    if (status == LEVY_OK)
        status = levy_kernel_set_describe(&device.source, image, tiles, n_tiles, &set, why);
    if (status == LEVY_OK) launch_leave_others(options, &set);
    if (status == LEVY_OK) status = levy_kernel_set_fetch(&device.source, &set, NULL, why);
    if (status == LEVY_OK) {
        launch_report(&set, report, report_size);
        if (!options->no_cache) status = launch_check_kept(&set, &device.cache, why);
        levy_kernel_set_release(&set);
    }
    levy_device_close(&device);
    return status;
}

levy_status levy_cuda_cache(const levy_backend_options *options, int action,
                            int (*write)(void *, const char *, size_t), void *user)
{
    levy_kernel_cache cache;
    levy_kernel_cache_open(&cache, options->cache_dir, false, 0);
    const levy_status status = levy_kernel_cache_list(&cache, options->memory, action, write, user);
    levy_kernel_cache_close(&cache);
    return status;
}
