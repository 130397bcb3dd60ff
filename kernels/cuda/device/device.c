/* device.c: see device.h. Must not know: images, launches. */
#include "kernels/cuda/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* free memory below which a GPU is not worth opening */
static const size_t device_min_memory = (size_t)64 << 20;

/* ---- Codes ----------------------------------------------------------------------------------- */

int levy_device_note(levy_device *device, int code, const char *member)
{
    if (!levy_cuda_code_is_fatal(code) || atomic_exchange(&device->dying, true)) return code;
    char text[256];
    levy_cuda_code_write(&device->calls, code, text, sizeof text);
    snprintf(device->dead_why, sizeof device->dead_why,
             "cuda:%d (%s) is lost for this process: %s in %s", device->ordinal, device->name, text,
             member);
    atomic_store(&device->dead, true);
    return code;
}

levy_status levy_device_fail(levy_device *device, int code, const char *what, char *why)
{
    if (device->dead) {
        snprintf(why, LEVY_REASON_SIZE, "%s", device->dead_why);
        return LEVY_DEVICE;
    }
    char text[256];
    levy_cuda_code_write(&device->calls, code, text, sizeof text);
    snprintf(why, LEVY_REASON_SIZE, "cuda:%d (%s): %s failed: %s", device->ordinal, device->name,
             what, text);
    return levy_cuda_code_status(code);
}

levy_status levy_device_enter(levy_device *device, char *why)
{
    const int code = LEVY_DEVICE_CALL(device, context_push, device->context);
    return code ? levy_device_fail(device, code, "making the GPU current", why) : LEVY_OK;
}

void levy_device_leave(levy_device *device)
{
    void *popped = NULL;
    (void)LEVY_DEVICE_CALL(device, context_pop, &popped);
}

/* ---- Driver and compiler --------------------------------------------------------------------- */

/* A failure before any device is chosen. */
static levy_status device_driver_fail(const levy_cuda_calls *calls, int code, const char *what,
                                      char *why)
{
    char text[256];
    levy_cuda_code_write(calls, code, text, sizeof text);
    if (code == 100)
        snprintf(why, LEVY_REASON_SIZE, "no CUDA-capable GPU was found");
    else
        snprintf(why, LEVY_REASON_SIZE, "the NVIDIA driver is unusable: %s failed: %s", what, text);
    return levy_cuda_code_status(code);
}

levy_status levy_device_start(levy_cuda_calls *calls, int *driver_version, int *count, char *why)
{
    LEVY_TRY(calls->load_driver(calls, why));
    int code = calls->init(0);
    if (code) return device_driver_fail(calls, code, "cuInit", why);
    code = calls->driver_version(driver_version);
    if (code) return device_driver_fail(calls, code, "cuDriverGetVersion", why);
    if (*driver_version < LEVY_CUDA_MIN_DRIVER) {
        snprintf(why, LEVY_REASON_SIZE,
                 "the NVIDIA driver is too old: it supports CUDA %d.%d, and levy needs CUDA 12.0 "
                 "(driver 525) or newer",
                 *driver_version / 1000, *driver_version % 1000 / 10);
        return LEVY_DEVICE;
    }
    code = calls->device_count(count);
    if (code == 0 && *count < 1) code = 100;
    return code ? device_driver_fail(calls, code, "cuDeviceGetCount", why) : LEVY_OK;
}

/* Sets source.compiler, or leaves it 0 and says why. `driver_version` 0: there is no driver to
 * match. */
static levy_status device_find_compiler(levy_device *device, int driver_version, char *why)
{
    int version = 0;
    LEVY_TRY(device->calls.load_compiler(&device->calls, driver_version / 1000, why));
    LEVY_TRY(levy_jit_version(&device->calls, &version, why));
    if (driver_version && version / 1000 > driver_version / 1000) {
        snprintf(why, LEVY_REASON_SIZE,
                 "the NVIDIA driver is too old: it supports CUDA %d.%d, but NVRTC %d.%d needs "
                 "driver %s or newer",
                 driver_version / 1000, driver_version % 1000 / 10, version / 1000,
                 version % 1000 / 10, version >= 13000 ? "580" : "525");
        return LEVY_DEVICE;
    }
    device->source.compiler = version;
    return LEVY_OK;
}

static void device_init(levy_device *device, const levy_cuda_calls *calls,
                        const levy_backend_options *options)
{
    *device = (levy_device){.calls = *calls,
                            .own_memory = options->memory ? *options->memory : levy_memory_default};
    device->memory = &device->own_memory;
    levy_kernel_cache_init(&device->cache);
    levy_kernel_cache_init(&device->installed);
}

static void device_open_caches(levy_device *device, const levy_backend_options *options)
{
    levy_kernel_cache_open_installed(&device->installed, options->install_dir);
    if (!options->no_cache) levy_kernel_cache_open(&device->cache, options->cache_dir, true, 0);
    device->source.calls = &device->calls;
    device->source.memory = device->memory;
    device->source.cache = &device->cache;
    device->source.installed = &device->installed;
    device->source.compiler_why = device->compiler_why;
}

/* Without NVRTC the shipped kernels may suffice; without those, too, the device is of no use. */
static levy_status device_find_kernels(levy_device *device, const levy_backend_options *options,
                                       char *why)
{
    device_open_caches(device, options);
    const levy_status status =
        device_find_compiler(device, device->driver_version, device->compiler_why);
    if (status == LEVY_OK)
        return levy_jit_choose(&device->calls, device->memory, device->capability,
                               device->driver_version, &device->source.target, why);
    snprintf(device->source.target.architecture, sizeof device->source.target.architecture, "sm_%d",
             device->capability);
    if (device->installed.directory >= 0) return LEVY_OK;
    snprintf(why, LEVY_REASON_SIZE, "%s", device->compiler_why);
    return status;
}

/* ---- Choice ---------------------------------------------------------------------------------- */

levy_status levy_device_read(levy_device *device, char *why)
{
    int major = 0, minor = 0;
    const struct {
        int attribute;
        int *value;
    } wanted[] = {{LEVY_CUDA_ATTRIBUTE_MAJOR, &major},
                  {LEVY_CUDA_ATTRIBUTE_MINOR, &minor},
                  {LEVY_CUDA_ATTRIBUTE_SM_COUNT, &device->sm_count},
                  {LEVY_CUDA_ATTRIBUTE_SHARED_OPTIN, &device->shared_limit}};
    snprintf(device->name, sizeof device->name, "unknown GPU");
    int code = LEVY_DEVICE_CALL(device, device_get, &device->handle, device->ordinal);
    if (!code)
        code = LEVY_DEVICE_CALL(device, device_name, device->name, (int)sizeof device->name,
                                device->handle);
    for (size_t i = 0; !code && i < sizeof wanted / sizeof wanted[0]; ++i)
        code = LEVY_DEVICE_CALL(device, device_attribute, wanted[i].value, wanted[i].attribute,
                                device->handle);
    if (code) return levy_device_fail(device, code, "reading its properties", why);
    device->capability = 10 * major + minor;
    return LEVY_OK;
}

/* Retains the context, and checks that there is memory to work with. */
static levy_status device_take(levy_device *device, char *why)
{
    size_t available = 0, total = 0;
    void *context = NULL;
    int code = LEVY_DEVICE_CALL(device, context_retain, &context, device->handle);
    if (code == 2) {
        snprintf(why, LEVY_REASON_SIZE, "cuda:%d (%s) has no free memory: other programs fill it",
                 device->ordinal, device->name);
        return LEVY_MEMORY;
    }
    if (code) return levy_device_fail(device, code, "taking the GPU", why);
    device->context = context;
    LEVY_TRY(levy_device_enter(device, why));
    code = LEVY_DEVICE_CALL(device, memory_info, &available, &total);
    levy_device_leave(device);
    if (code) return levy_device_fail(device, code, "asking for free memory", why);
    if (available >= device_min_memory) return LEVY_OK;
    snprintf(
        why, LEVY_REASON_SIZE,
        "cuda:%d (%s) has no free memory: %zu MiB of %zu MiB are free, at least %zu are needed",
        device->ordinal, device->name, available >> 20, total >> 20, device_min_memory >> 20);
    return LEVY_MEMORY;
}

static void device_give_back(levy_device *device)
{
    if (device->context) (void)LEVY_DEVICE_CALL(device, context_release, device->handle);
    device->context = NULL;
}

/* Takes the device asked for, or the first that can be taken, from `place` on and around; `why`
 * keeps the first failure. */
static levy_status device_choose(levy_device *device, int wanted, uint32_t place, int count,
                                 char *why)
{
    if (wanted >= count) {
        snprintf(why, LEVY_REASON_SIZE, "there is no cuda:%d: %d GPU%s found, from cuda:0", wanted,
                 count, count == 1 ? " was" : "s were");
        return LEVY_DEVICE;
    }
    levy_status first = LEVY_OK;
    const bool any = wanted < 0;
    const int from = any ? 0 : wanted;
    const int to = any ? count : wanted + 1;
    for (int i = from; i < to; ++i) {
        char reason[LEVY_REASON_SIZE] = "";
        device->ordinal = any ? (int)(((uint32_t)i + place) % (uint32_t)count) : i;
        levy_status status = levy_device_read(device, reason);
        if (status == LEVY_OK) status = device_take(device, reason);
        if (status == LEVY_OK) return LEVY_OK;
        device_give_back(device);
        if (first == LEVY_OK) snprintf(why, LEVY_REASON_SIZE, "%s", reason);
        if (first == LEVY_OK) first = status;
        if (device->dead) break;
    }
    return first;
}

levy_status levy_device_open(levy_device *device, const levy_cuda_calls *calls,
                             const levy_backend_options *options, char *why)
{
    int count = 0;
    device_init(device, calls, options);
    levy_status status = levy_device_start(&device->calls, &device->driver_version, &count, why);
    if (status == LEVY_OK)
        status = device_choose(device, options->device, options->place % 65536u, count, why);
    if (status == LEVY_OK) status = device_find_kernels(device, options, why);
    if (status != LEVY_OK) levy_device_close(device);
    return status;
}

levy_status levy_device_open_compiler(levy_device *device, const levy_cuda_calls *calls,
                                      const levy_backend_options *options, const char *architecture,
                                      char *why)
{
    device_init(device, calls, options);
    device_open_caches(device, options);
    char *end = NULL;
    const long capability =
        strncmp(architecture, "sm_", 3) == 0 ? strtol(architecture + 3, &end, 10) : 0;
    levy_status status = LEVY_OK;
    if (!end || *end || end == architecture + 3 || capability < 50 || capability > 999) {
        snprintf(why, LEVY_REASON_SIZE, "'%.40s' is no architecture: give one such as sm_90",
                 architecture);
        status = LEVY_ARGUMENT;
    }
    if (status == LEVY_OK) status = device_find_compiler(device, 0, why);
    if (status == LEVY_OK)
        status = levy_jit_choose(&device->calls, device->memory, (int)capability, 0,
                                 &device->source.target, why);
    if (status != LEVY_OK) levy_device_close(device);
    return status;
}

levy_status levy_device_join(levy_device *device, levy_device *other, char *why)
{
    if (!device->source.store) device->source.store = levy_kernel_store_create(device->memory);
    if (!device->source.store)
        return snprintf(why, LEVY_REASON_SIZE, "no memory to share kernels"), LEVY_MEMORY;
    other->source.store = levy_kernel_store_share(device->source.store);
    return LEVY_OK;
}

void levy_device_close(levy_device *device)
{
    levy_kernel_store_release(device->source.store);
    device->source.store = NULL;
    device_give_back(device);
    levy_kernel_cache_close(&device->cache);
    levy_kernel_cache_close(&device->installed);
    if (device->calls.unload) device->calls.unload(&device->calls);
}

levy_status levy_device_count(const levy_cuda_calls *calls, int32_t *count, char *why)
{
    levy_cuda_calls loaded = *calls;
    int driver_version = 0, found = 0;
    const levy_status status = levy_device_start(&loaded, &driver_version, &found, why);
    loaded.unload(&loaded);
    *count = found;
    return status;
}
