/* launch.c: see launch.h: an open GPU, and a plan's kernels and image on it. launch_batch.c runs
 * batches, launch_build.c compiles ahead of time. Must not know: files, the environment. */
#include "kernels/cuda/device/launch_state.h"
#include "kernels/cuda/compile/normal_table.h"
#include "kernels/cuda/compile/shape.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    LAUNCH_MAX_TILE = 8, /* most items, and most dynamics; more of them spill registers */
    /* paths; with fewer, sharing a kernel among many mixtures of trades gains more than one pass
     * over paths */
    LAUNCH_SEPARATE = 1 << 20
};

/* ---- Opening and closing --------------------------------------------------------------------- */

void levy_launch_free_buffers(levy_cuda *cuda)
{
    for (int i = 0; i < LAUNCH_SLOTS; ++i) {
        if (cuda->slots[i].sums)
            (void)LEVY_DEVICE_CALL(&cuda->device, memory_free, cuda->slots[i].sums);
        if (cuda->slots[i].host)
            (void)LEVY_DEVICE_CALL(&cuda->device, host_free, cuda->slots[i].host);
        cuda->slots[i].sums = 0;
        cuda->slots[i].host = NULL;
    }
    cuda->slot_bytes = cuda->host_bytes = 0;
}

static void launch_free_image(levy_cuda *cuda)
{
    if (cuda->device_image) (void)LEVY_DEVICE_CALL(&cuda->device, memory_free, cuda->device_image);
    cuda->device_image = 0;
    cuda->image_room = 0;
}

static void launch_clear(levy_cuda *cuda)
{
    char why[LEVY_REASON_SIZE];
    if (levy_device_enter(&cuda->device, why) == LEVY_OK) {
        levy_launch_free_buffers(cuda);
        launch_free_image(cuda);
        levy_loaded_clear(&cuda->loaded, &cuda->device);
        levy_device_leave(&cuda->device);
    }
    cuda->device_image = 0; /* on a dead device nothing is freed: its memory is lost with it */
    cuda->image_room = 0;
    levy_memory_release(cuda->device.memory, cuda->loaded.items);
    cuda->loaded = (levy_loaded_list){0};
}

static void launch_destroy_streams(levy_cuda *cuda)
{
    for (int i = 0; i < LAUNCH_SLOTS; ++i) {
        void **const events[] = {&cuda->slots[i].started, &cuda->slots[i].computed,
                                 &cuda->slots[i].copied};
        for (int e = 0; e < 3; ++e) {
            if (*events[e]) (void)LEVY_DEVICE_CALL(&cuda->device, event_destroy, *events[e]);
            *events[e] = NULL;
        }
    }
    if (cuda->normals) (void)LEVY_DEVICE_CALL(&cuda->device, memory_free, cuda->normals);
    cuda->normals = 0;
    if (cuda->compute) (void)LEVY_DEVICE_CALL(&cuda->device, stream_destroy, cuda->compute);
    if (cuda->copy) (void)LEVY_DEVICE_CALL(&cuda->device, stream_destroy, cuda->copy);
    cuda->compute = cuda->copy = NULL;
}

static levy_status launch_create_streams(levy_cuda *cuda, char *why)
{
    levy_device *const device = &cuda->device;
    int code =
        LEVY_DEVICE_CALL(device, stream_create, &cuda->compute, LEVY_CUDA_STREAM_NON_BLOCKING);
    if (!code)
        code = LEVY_DEVICE_CALL(device, stream_create, &cuda->copy, LEVY_CUDA_STREAM_NON_BLOCKING);
    for (int i = 0; !code && i < LAUNCH_SLOTS; ++i) {
        launch_slot *const slot = &cuda->slots[i];
        code = LEVY_DEVICE_CALL(device, event_create, &slot->started, 0);
        if (!code) code = LEVY_DEVICE_CALL(device, event_create, &slot->computed, 0);
        if (!code) code = LEVY_DEVICE_CALL(device, event_create, &slot->copied, 0);
    }
    return code ? levy_device_fail(device, code, "creating streams", why) : LEVY_OK;
}

levy_status levy_cuda_open(const levy_cuda_calls *calls, const levy_backend_options *options,
                           levy_cuda **cuda, char *why)
{
    *cuda = NULL;
    levy_cuda *const fresh = levy_memory_allocate(options->memory, 1, sizeof *fresh);
    if (!fresh) return snprintf(why, LEVY_REASON_SIZE, "no memory to open the GPU"), LEVY_MEMORY;
    levy_status status = levy_device_open(&fresh->device, calls, options, why);
    if (status != LEVY_OK) {
        levy_memory_release(options->memory, fresh);
        return status;
    }
    status = levy_device_enter(&fresh->device, why);
    if (status == LEVY_OK) {
        status = launch_create_streams(fresh, why);
        levy_device_leave(&fresh->device);
    }
    if (status == LEVY_OK)
        *cuda = fresh;
    else
        levy_cuda_close(fresh);
    return status;
}

void levy_cuda_close(levy_cuda *cuda)
{
    char why[LEVY_REASON_SIZE];
    if (!cuda) return;
    levy_cuda_unload(cuda);
    levy_foreseen_forget(&cuda->foreseen);
    launch_clear(cuda);
    if (levy_device_enter(&cuda->device, why) == LEVY_OK) {
        levy_launch_free_buffers(cuda);
        launch_destroy_streams(cuda);
        levy_device_leave(&cuda->device);
    }
    const levy_memory memory = cuda->device.own_memory;
    levy_device_close(&cuda->device);
    levy_memory_release(&memory, cuda);
}

void levy_cuda_describe(const levy_cuda *cuda, levy_backend_info *info)
{
    memset(info, 0, sizeof *info);
    snprintf(info->backend, sizeof info->backend, "cuda");
    info->tiles = (levy_tile_limits){LAUNCH_MAX_TILE, LAUNCH_MAX_TILE, LEVY_MAX_SWEEP,
                                     LAUNCH_SEPARATE};
    info->most_height = LEVY_MOST_HEIGHT;
    if (!cuda) return;
    const levy_device *const device = &cuda->device;
    snprintf(info->device, sizeof info->device, "%s (cuda:%d)", device->name, device->ordinal);
    snprintf(info->isa, sizeof info->isa, "sm_%d", device->capability);
    info->batch_blocks = (uint64_t)1 << 16;
    info->wave_blocks = (uint64_t)(device->sm_count > 0 ? device->sm_count : 1);
    for (size_t t = 0; t < cuda->n_tiles; ++t)
        if (cuda->kernels[t].wave > info->wave_blocks) info->wave_blocks = cuda->kernels[t].wave;
    if (!device->source.compiler)
        snprintf(info->warning, sizeof info->warning, "only shipped kernels can run: %.400s",
                 device->compiler_why);
    else if (device->cache.reason[0])
        snprintf(info->warning, sizeof info->warning, "kernels are compiled anew each time: %.400s",
                 device->cache.reason);
}

levy_device *levy_cuda_device(levy_cuda *cuda) { return &cuda->device; }
void *levy_cuda_stream(levy_cuda *cuda) { return cuda->compute; }

/* ---- Loading --------------------------------------------------------------------------------- */

static levy_status launch_load_image(levy_cuda *cuda, const levy_image *image, char *why)
{
    levy_device *const device = &cuda->device;
    int code = 0;
    if (image->bytes > cuda->image_room) {
        launch_free_image(cuda);
        code = LEVY_DEVICE_CALL(device, memory_allocate, &cuda->device_image, (size_t)image->bytes);
        if (code == 2) {
            snprintf(why, LEVY_REASON_SIZE,
                     "cuda:%d (%s) has no free memory for a plan of %" PRIu64 " KiB",
                     device->ordinal, device->name, image->bytes >> 10);
            return LEVY_MEMORY;
        }
        if (code) return levy_device_fail(device, code, "taking memory for the plan", why);
        cuda->image_room = (size_t)image->bytes;
    }
    code = LEVY_DEVICE_CALL(device, copy_to_device, cuda->device_image, image, (size_t)image->bytes,
                            cuda->compute);
    if (!code) code = LEVY_DEVICE_CALL(device, stream_synchronize, cuda->compute);
    return code ? levy_device_fail(device, code, "copying the plan to the GPU", why) : LEVY_OK;
}

static levy_status launch_load_normals(levy_cuda *cuda, char *why)
{
    levy_device *const device = &cuda->device;
    const size_t size = LEVY_NORMAL_FLOATS * sizeof(float);
    float *const table = levy_memory_allocate(device->memory, LEVY_NORMAL_FLOATS, sizeof *table);
    if (!table)
        return snprintf(why, LEVY_REASON_SIZE, "no memory for the table of normals"), LEVY_MEMORY;
    levy_normal_table_fill(table);
    int code = LEVY_DEVICE_CALL(device, memory_allocate, &cuda->normals, size);
    if (!code)
        code = LEVY_DEVICE_CALL(device, copy_to_device, cuda->normals, table, size, cuda->compute);
    if (!code) code = LEVY_DEVICE_CALL(device, stream_synchronize, cuda->compute);
    levy_memory_release(device->memory, table);
    if (!code) return LEVY_OK;
    if (cuda->normals) (void)LEVY_DEVICE_CALL(device, memory_free, cuda->normals);
    cuda->normals = 0;
    return levy_device_fail(device, code, "copying the table of normals to the GPU", why);
}

static levy_status launch_allocate(levy_cuda *cuda, const levy_tile *tiles, size_t n_tiles,
                                   char *why)
{
    const levy_memory *const memory = cuda->device.memory;
    cuda->tiles = levy_memory_allocate(memory, n_tiles + 1, sizeof *cuda->tiles);
    cuda->kernels = levy_memory_allocate(memory, n_tiles + 1, sizeof *cuda->kernels);
    cuda->block_seconds = levy_memory_allocate(memory, n_tiles + 1, sizeof *cuda->block_seconds);
    if (!cuda->tiles || !cuda->kernels || !cuda->block_seconds)
        return snprintf(why, LEVY_REASON_SIZE, "no memory for %zu tiles", n_tiles), LEVY_MEMORY;
    memcpy(cuda->tiles, tiles, n_tiles * sizeof *tiles);
    cuda->n_tiles = n_tiles;
    return LEVY_OK;
}

/* Loads the kernels that are not on the device yet, then the image. The device is entered. */
static levy_status launch_load(levy_cuda *cuda, const levy_image *image, const levy_kernel_set *set,
                               char *why)
{
    for (size_t k = 0; k < set->count; ++k)
        if (!set->kernels[k].held)
            LEVY_TRY(levy_loaded_add(&cuda->loaded, &cuda->device, &set->kernels[k], why));
    if (levy_shape_wants_normals(image) && !cuda->normals) LEVY_TRY(launch_load_normals(cuda, why));
    for (size_t t = 0; t < cuda->n_tiles; ++t)
        LEVY_TRY(levy_loaded_ready(&cuda->loaded, &cuda->device, &set->kernels[set->of_tile[t]],
                                   &cuda->kernels[t], why));
    return launch_load_image(cuda, image, why);
}

/* Gets the kernels first: compiling may take a second, and needs nothing of the GPU. */
static levy_status launch_get(levy_cuda *cuda, const levy_image *image, const levy_tile *tiles,
                              size_t n_tiles, char *why)
{
    levy_kernel_set set;
    LEVY_TRY(levy_kernel_set_describe(&cuda->device.source, image, tiles, n_tiles, &set, why));
    for (size_t k = 0; k < set.count; ++k)
        set.kernels[k].held = levy_loaded_has(&cuda->loaded, set.kernels[k].shape);
    LEVY_TRY(levy_kernel_set_fetch(&cuda->device.source, &set, why));
    levy_status status = launch_allocate(cuda, tiles, n_tiles, why);
    if (status == LEVY_OK) status = levy_device_enter(&cuda->device, why);
    if (status == LEVY_OK) {
        status = launch_load(cuda, image, &set, why);
        levy_device_leave(&cuda->device);
    }
    levy_kernel_set_release(&set);
    return status;
}

levy_status levy_cuda_load(levy_cuda *cuda, const levy_image *image, const levy_tile *tiles,
                           size_t n_tiles, char *why)
{
    levy_cuda_unload(cuda);
    if (cuda->device.dead) return levy_device_fail(&cuda->device, LEVY_CUDA_DEAD, "loading", why);
    const bool earlier = cuda->loaded.count > 0 || cuda->slot_bytes > 0;
    levy_status status = launch_get(cuda, image, tiles, n_tiles, why);
    if (status == LEVY_MEMORY && earlier) { /* tries again, without what earlier plans have left */
        levy_cuda_unload(cuda);
        launch_clear(cuda);
        status = launch_get(cuda, image, tiles, n_tiles, why);
    }
    if (status == LEVY_OK)
        cuda->image = image;
    else
        levy_cuda_unload(cuda);
    return status;
}

levy_status levy_cuda_foresee(levy_cuda *cuda, const levy_image *image, const levy_tile *tiles,
                              size_t n_tiles)
{
    if (cuda->device.dead) return LEVY_OK;
    if (image)
        return levy_foreseen_note(&cuda->foreseen, &cuda->device, &cuda->loaded, image, tiles,
                                  n_tiles);
    levy_foreseen_get(&cuda->foreseen, &cuda->device, &cuda->loaded);
    return LEVY_OK;
}

size_t levy_cuda_missing(levy_cuda *cuda)
{
    const size_t missing = levy_foreseen_missing(&cuda->foreseen, &cuda->device);
    levy_foreseen_forget(&cuda->foreseen);
    return missing;
}

/* Kernels and the image's memory stay for the next plan. */
void levy_cuda_unload(levy_cuda *cuda)
{
    const levy_memory *const memory = cuda->device.memory;
    levy_memory_release(memory, cuda->tiles);
    levy_memory_release(memory, cuda->kernels);
    levy_memory_release(memory, cuda->block_seconds);
    cuda->tiles = NULL;
    cuda->kernels = NULL;
    cuda->block_seconds = NULL;
    cuda->n_tiles = 0;
    cuda->image = NULL;
}
