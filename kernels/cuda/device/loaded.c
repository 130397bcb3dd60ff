/* loaded.c: see loaded.h. */
#include "kernels/cuda/device/loaded.h"

#include <stdio.h>

static levy_loaded *loaded_find(const levy_loaded_list *list, levy_cache_key shape)
{
    for (size_t i = 0; i < list->count; ++i)
        if (list->items[i].shape.low == shape.low && list->items[i].shape.high == shape.high)
            return &list->items[i];
    return NULL;
}

bool levy_loaded_has(const levy_loaded_list *list, levy_cache_key shape)
{
    return loaded_find(list, shape) != NULL;
}

levy_status levy_loaded_add(levy_loaded_list *list, levy_device *device, const levy_kernel *kernel,
                            char *why)
{
    levy_loaded fresh = {.shape = kernel->shape};
    int own = 0;
    if (!list->items)
        list->items = levy_memory_allocate(device->memory, LEVY_LOADED_MOST, sizeof *list->items);
    if (!list->items || list->count == LEVY_LOADED_MOST)
        return snprintf(why, LEVY_REASON_SIZE, "no room for one more kernel"), LEVY_MEMORY;
    int code = LEVY_DEVICE_CALL(device, module_load, &fresh.module, kernel->code.data);
    if (code) return levy_device_fail(device, code, "loading a kernel", why);
    code =
        LEVY_DEVICE_CALL(device, module_function, &fresh.function, fresh.module, "levy_simulate");
    if (!code)
        code = LEVY_DEVICE_CALL(device, module_function, &fresh.merge, fresh.module, "levy_merge");
    if (!code && kernel->split > 1)
        code =
            LEVY_DEVICE_CALL(device, module_function, &fresh.columns, fresh.module, "levy_columns");
    if (!code)
        code = LEVY_DEVICE_CALL(device, function_get, &own, LEVY_CUDA_FUNCTION_SHARED_BYTES,
                                fresh.function);
    if (code) {
        (void)LEVY_DEVICE_CALL(device, module_unload, fresh.module);
        return levy_device_fail(device, code, "preparing a kernel", why);
    }
    fresh.own_shared = (uint32_t)own;
    if (fresh.own_shared < LEVY_SHAPE_SHARED_STATIC)
        fresh.most_shared = LEVY_SHAPE_SHARED_STATIC - fresh.own_shared;
    list->items[list->count++] = fresh;
    return LEVY_OK;
}

levy_status levy_loaded_ready(levy_loaded_list *list, levy_device *device,
                              const levy_kernel *kernel, levy_launchable *launchable, char *why)
{
    levy_loaded *const loaded = loaded_find(list, kernel->shape);
    const uint64_t shared = (uint64_t)kernel->shared_bytes + loaded->own_shared;
    int code = 0;
    if (shared > (uint64_t)device->shared_limit) {
        snprintf(why, LEVY_REASON_SIZE,
                 "a path has too many dimensions for cuda:%d (%s): its points need %u KiB of "
                 "shared memory, the GPU "
                 "has %d KiB",
                 device->ordinal, device->name, (unsigned)(shared >> 10),
                 device->shared_limit >> 10);
        return LEVY_UNSUPPORTED;
    }
    if (kernel->shared_bytes > loaded->most_shared)
        code = LEVY_DEVICE_CALL(device, function_set, loaded->function,
                                LEVY_CUDA_FUNCTION_MAX_DYNAMIC_SHARED, (int)kernel->shared_bytes);
    if (!code && kernel->shared_bytes > loaded->most_shared)
        loaded->most_shared = kernel->shared_bytes;
    if (!code && (loaded->resident == 0 || loaded->resident_shared != kernel->shared_bytes)) {
        code = LEVY_DEVICE_CALL(device, occupancy, &loaded->resident, loaded->function,
                                LEVY_SHAPE_THREADS, kernel->shared_bytes);
        if (code || loaded->resident < 1) loaded->resident = code ? 0 : 1;
        loaded->resident_shared = kernel->shared_bytes;
    }
    if (code) return levy_device_fail(device, code, "preparing a kernel", why);
    *launchable =
        (levy_launchable){.function = loaded->function,
                          .merge = loaded->merge,
                          .columns = loaded->columns,
                          .shared_bytes = kernel->shared_bytes,
                          .split = kernel->split,
                          .wave = (uint64_t)loaded->resident *
                                  (uint64_t)(device->sm_count > 0 ? device->sm_count : 1)};
    return LEVY_OK;
}

void levy_loaded_clear(levy_loaded_list *list, levy_device *device)
{
    for (size_t i = 0; i < list->count; ++i)
        (void)LEVY_DEVICE_CALL(device, module_unload, list->items[i].module);
    levy_memory_release(device->memory, list->items);
    *list = (levy_loaded_list){0};
}
