/* standalone.c: see standalone.h. */
#include "kernels/cuda/device/standalone.h"

#include <stdio.h>
#include <string.h>

enum { STANDALONE_PIECE = 1 << 22 }; /* bytes of pinned memory to copy through */

/* ---- Objects --------------------------------------------------------------------------------- */

static const levy_cuda_kind *const standalone_kinds[LEVY_OBJECT_KINDS] = {
    [LEVY_OBJECT_BRIDGE] = &levy_cuda_bridge,
    [LEVY_OBJECT_NORMALS] = &levy_cuda_normals,
    [LEVY_OBJECT_PATHS] = &levy_cuda_paths,
    [LEVY_OBJECT_SAMPLER] = &levy_cuda_sampler,
    [LEVY_OBJECT_DISTRIBUTION] = &levy_cuda_distribution,
    [LEVY_OBJECT_DRAWS] = &levy_cuda_draws,
};

static levy_status standalone_compile(levy_device *device, levy_kernel *kernel, char *why)
{
    kernel->id.compiler = device->source.compiler;
    levy_kernel_make(&device->source, kernel);
    if (kernel->status != LEVY_OK) snprintf(why, LEVY_REASON_SIZE, "%s", kernel->why);
    return kernel->status;
}

/* Writes, compiles or finds, and loads. What was loaded is the object's also after a failure. */
static levy_status standalone_make(levy_cuda_object *o, char *why)
{
    levy_device *const device = o->device;
    const levy_cuda_kind *const kind = o->kind;
    levy_kernel *const kernel = levy_memory_allocate(device->memory, 1, sizeof *kernel);
    if (!kernel)
        return snprintf(why, LEVY_REASON_SIZE, "no memory for %s", kind->kernels), LEVY_MEMORY;
    levy_status status = kind->write(o, kernel, why);
    if (status == LEVY_OK) status = standalone_compile(device, kernel, why);
    if (status == LEVY_OK) status = levy_device_enter(device, why);
    if (status == LEVY_OK) {
        status = kind->load(o, kernel, why);
        levy_device_leave(device);
    }
    levy_jit_release(device->memory, &kernel->code);
    levy_memory_release(device->memory, kernel);
    return status;
}

levy_status levy_cuda_object_create(levy_device *device, levy_object_kind kind, const void *tables,
                                    void **object, char *why)
{
    return levy_cuda_object_make(device, standalone_kinds[kind], tables, object, why);
}

levy_status levy_cuda_object_make(levy_device *device, const levy_cuda_kind *k, const void *tables,
                                  void **object, char *why)
{
    levy_status status = LEVY_OK;
    *object = NULL;
    if (device->dead) return levy_device_fail(device, LEVY_CUDA_DEAD, k->doing, why);
    levy_cuda_object *const o = levy_memory_allocate(device->memory, 1, k->size);
    if (!o) return snprintf(why, LEVY_REASON_SIZE, "no memory for %s", k->name), LEVY_MEMORY;
    o->kind = k;
    o->device = device;
    o->tables = tables;
    if (k->prepare) status = k->prepare(o, why);
    if (status == LEVY_OK) status = standalone_make(o, why);
    if (status == LEVY_OK)
        *object = o;
    else
        levy_cuda_object_destroy(o);
    return status;
}

levy_status levy_cuda_object_run(void *object, const void *call, char *why)
{
    return ((const levy_cuda_object *)object)->kind->run(object, call, why);
}

void levy_cuda_object_describe(void *object, levy_kernel_made *made)
{
    *made = ((const levy_cuda_object *)object)->made;
}

void levy_cuda_object_destroy(void *object)
{
    levy_cuda_object *const o = object;
    if (!o) return;
    levy_device *const device = o->device;
    levy_standalone_drop(device, o->data, o->module);
    levy_memory_release(device->memory, o->constants);
    levy_memory_release(device->memory, o);
}

/* ---- What kinds do alike --------------------------------------------------------------------- */

static levy_status standalone_loaded(const levy_cuda_object *o, int code, char *why)
{
    char doing[96];
    snprintf(doing, sizeof doing, "loading %s", o->kind->kernels);
    return code ? levy_device_fail(o->device, code, doing, why) : LEVY_OK;
}

levy_status levy_standalone_load(levy_cuda_object *o, const levy_kernel *kernel,
                                 const char *const *names, size_t count, void **functions,
                                 char *why)
{
    int code = LEVY_DEVICE_CALL(o->device, module_load, &o->module, kernel->code.data);
    if (code) o->module = NULL;
    for (size_t i = 0; i < count && !code; ++i)
        code = LEVY_DEVICE_CALL(o->device, module_function, &functions[i], o->module, names[i]);
    return standalone_loaded(o, code, why);
}

levy_status levy_standalone_share(levy_cuda_object *o, void *function, uint32_t shared_bytes,
                                  char *why)
{
    if (shared_bytes == 0) return LEVY_OK;
    return standalone_loaded(o,
                             LEVY_DEVICE_CALL(o->device, function_set, function,
                                              LEVY_CUDA_FUNCTION_MAX_DYNAMIC_SHARED,
                                              (int)shared_bytes),
                             why);
}

void levy_standalone_measure(levy_cuda_object *o, void *function, uint32_t threads,
                             uint32_t shared_bytes, const levy_kernel *kernel)
{
    levy_device *const device = o->device;
    levy_kernel_made *const made = &o->made;
    int registers = -1, local = -1, blocks = -1;
    if (LEVY_DEVICE_CALL(device, function_get, &registers, LEVY_CUDA_FUNCTION_REGISTERS, function))
        registers = -1;
    if (LEVY_DEVICE_CALL(device, function_get, &local, LEVY_CUDA_FUNCTION_LOCAL_BYTES, function))
        local = -1;
    if (LEVY_DEVICE_CALL(device, occupancy, &blocks, function, (int)threads, shared_bytes))
        blocks = -1;
    made->registers = registers;
    made->spilled_bytes = local;
    made->blocks_per_processor = blocks;
    made->threads_per_block = threads;
    made->compiled = kernel->origin == LEVY_KERNEL_COMPILED;
}

levy_status levy_standalone_fill(levy_cuda_object *o, size_t size, const char *what,
                                 void (*write)(const void *object, void *bytes), char *why)
{
    const levy_memory *const memory = o->device->memory;
    void *const bytes = levy_memory_allocate(memory, size, 1);
    if (!bytes) return snprintf(why, LEVY_REASON_SIZE, "no memory for %s", what), LEVY_MEMORY;
    write(o, bytes);
    const levy_status status = levy_standalone_upload(o->device, bytes, size, what, &o->data, why);
    levy_memory_release(memory, bytes);
    return status;
}

levy_status levy_standalone_upload(levy_device *device, const void *bytes, size_t size,
                                   const char *what, levy_cuda_pointer *data, char *why)
{
    char doing[96];
    levy_cuda_pointer pointer = 0;
    int code = LEVY_DEVICE_CALL(device, memory_allocate, &pointer, size);
    snprintf(doing, sizeof doing, "taking memory for %s", what);
    if (code) return levy_device_fail(device, code, doing, why);
    *data = pointer;
    code = LEVY_DEVICE_CALL(device, copy_to_device, pointer, bytes, size, NULL);
    if (!code) code = LEVY_DEVICE_CALL(device, stream_synchronize, NULL);
    snprintf(doing, sizeof doing, "copying %s", what);
    return code ? levy_device_fail(device, code, doing, why) : LEVY_OK;
}

/* A copy that failed may still be under way for others, so the stream is waited for in any case. */
static int standalone_pieces(levy_device *device, void *pinned, char *to, levy_cuda_pointer from,
                             size_t size, void *stream)
{
    int code = 0;
    for (size_t at = 0, some; at < size && !code; at += some) {
        some = size - at < STANDALONE_PIECE ? size - at : STANDALONE_PIECE;
        code = LEVY_DEVICE_CALL(device, copy_to_host, pinned, from + at, some, stream);
        const int waited = LEVY_DEVICE_CALL(device, stream_synchronize, stream);
        if (!code) code = waited;
        if (!code) memcpy(to + at, pinned, some);
    }
    return code;
}

levy_status levy_standalone_download(levy_device *device, void *to, levy_cuda_pointer from,
                                     size_t size, void *stream, char *why)
{
    void *pinned = NULL;
    const size_t piece = size < STANDALONE_PIECE ? size : STANDALONE_PIECE;
    LEVY_TRY(levy_device_enter(device, why));
    int code = LEVY_DEVICE_CALL(device, host_allocate, &pinned, piece);
    const bool taken = code == 0;
    if (taken) code = standalone_pieces(device, pinned, to, from, size, stream);
    if (taken) (void)LEVY_DEVICE_CALL(device, host_free, pinned);
    levy_device_leave(device);
    return code ? levy_device_fail(device, code, "copying from the GPU's memory", why) : LEVY_OK;
}

levy_status levy_standalone_launch(levy_cuda_object *o, void *function, levy_standalone_grid grid,
                                   void *stream, void **arguments, char *why)
{
    char doing[96];
    LEVY_TRY(levy_device_enter(o->device, why));
    const int code = LEVY_DEVICE_CALL(o->device, launch, function, grid.x, grid.y, 1, grid.threads,
                                      1, 1, grid.shared_bytes, stream, arguments, NULL);
    levy_device_leave(o->device);
    snprintf(doing, sizeof doing, "starting %s", o->kind->name);
    return code ? levy_device_fail(o->device, code, doing, why) : LEVY_OK;
}

levy_status levy_standalone_take(levy_device *device, size_t size, void **memory, char *why)
{
    enum { OUT_OF_MEMORY = 2 };
    levy_cuda_pointer taken = 0;
    *memory = NULL;
    LEVY_TRY(levy_device_enter(device, why));
    const int code = LEVY_DEVICE_CALL(device, memory_allocate, &taken, size);
    levy_device_leave(device);
    if (code == OUT_OF_MEMORY) {
        snprintf(why, LEVY_REASON_SIZE, "cuda:%d (%s) has no %zu KiB of free memory",
                 device->ordinal, device->name, size >> 10);
        return LEVY_MEMORY;
    }
    if (code) return levy_device_fail(device, code, "taking memory", why);
    *memory = (void *)(uintptr_t)taken;
    return LEVY_OK;
}

levy_status levy_standalone_within(levy_device *device, levy_status (*work)(void *user, char *why),
                                   void *user, char *why)
{
    LEVY_TRY(levy_device_enter(device, why));
    const levy_status status = work(user, why);
    levy_device_leave(device);
    return status;
}

void levy_standalone_drop(levy_device *device, levy_cuda_pointer data, void *module)
{
    char why[LEVY_REASON_SIZE];
    if ((!data && !module) || levy_device_enter(device, why) != LEVY_OK) return;
    if (data) (void)LEVY_DEVICE_CALL(device, memory_free, data);
    if (module) (void)LEVY_DEVICE_CALL(device, module_unload, module);
    levy_device_leave(device);
}
