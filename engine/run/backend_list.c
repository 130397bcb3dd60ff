/* backend_list.c: see backend_list.h. Must not know: plans, problems. */
#include "engine/run/backend_list.h"

#include "engine/run/device_names.h"
#include "engine/run/module.h"
#include "engine/run/pool.h"

#include <stdio.h>
#include <string.h>

#ifndef LEVY_INSTALL_LIBDIR
#define LEVY_INSTALL_LIBDIR "/usr/local/lib"
#endif

levy_status levy_backend_cuda(const char *module_dir, levy_backend *backend, char *why)
{
    return levy_module_load(module_dir, backend, why);
}

/* Those that are named must be there; "all" are as many as there are. */
static levy_status list_find(const levy_backend *gpu, levy_device_names *devices, char *why)
{
    int32_t count = 0;
    if (!gpu->count)
        return snprintf(why, LEVY_REASON_SIZE, "this backend has one GPU"), LEVY_UNSUPPORTED;
    LEVY_TRY(gpu->count(&count, why));
    for (int32_t i = 0; devices->kind == LEVY_DEVICE_ALL && i < count; ++i)
        if (devices->count < LEVY_DEVICES_MOST) devices->ordinals[devices->count++] = i;
    for (size_t i = 0; i < devices->count; ++i) {
        if (devices->ordinals[i] < count) continue;
        snprintf(why, LEVY_REASON_SIZE, "there is no cuda:%d: %d GPU%s found, from cuda:0",
                 (int)devices->ordinals[i], (int)count, count == 1 ? " was" : "s were");
        return LEVY_DEVICE;
    }
    return LEVY_OK;
}

static levy_status list_open_cuda(levy_device_names *devices, const levy_backend_options *options,
                                  const char *module_dir, levy_backend *backend, void **state,
                                  char *why)
{
    levy_backend gpu;
    levy_backend_options own = *options;
    if (!own.install_dir) own.install_dir = LEVY_INSTALL_LIBDIR "/levy/kernels";
    LEVY_TRY(levy_module_load(module_dir, &gpu, why));
    if (levy_device_names_are_many(devices)) LEVY_TRY(list_find(&gpu, devices, why));
    if (devices->count > 1) {
        const levy_pool_wish wish = {devices->ordinals, devices->count, &gpu, &own};
        return levy_pool_open(&wish, backend, state, why);
    }
    own.device = devices->count == 1 ? devices->ordinals[0] : -1;
    *backend = gpu;
    return gpu.open(&own, state, why);
}

levy_status levy_backend_choose(const char *device, const levy_backend_options *options,
                                const char *module_dir, levy_backend *backend, void **state,
                                char *why)
{
    levy_device_names devices;
    *state = NULL;
    why[0] = 0;
    LEVY_TRY(levy_device_names_read(device, &devices, why, LEVY_REASON_SIZE));
    const bool any = devices.kind == LEVY_DEVICE_AUTO;
    if (devices.kind != LEVY_DEVICE_CPU) {
        const levy_status status =
            list_open_cuda(&devices, options, module_dir, backend, state, why);
        if (status == LEVY_OK || !any) return status;
    }
    char cpu_why[LEVY_REASON_SIZE] = "";
    *backend = levy_backend_cpu;
    const levy_status status = backend->open(options, state, cpu_why);
    if (status != LEVY_OK) memcpy(why, cpu_why, sizeof cpu_why);
    return status;
}
