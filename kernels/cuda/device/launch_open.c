/* launch_open.c: see launch.h: an open GPU: its streams, the data that states on it share, and its
 * description. Must not know: files, the environment. */
#include "kernels/cuda/device/launch_state.h"

#include <stdio.h>
#include <string.h>

enum {
    LAUNCH_MAX_TILE = 8,   /* most items, and most dynamics; more of them spill registers */
    LAUNCH_MAX_PLAIN = 16, /* most plain items of one asset: five Greeks are one tile */
    /* Most postponed programs, and their dynamics. H200, 29 of 756 dates: 8 54.3, 16 50.5 ms, and,
     * with what came later, 12 42.6, 16 43.1, 29 (which spill) more. */
    LAUNCH_MAX_POSTPONED = 12,
    /* paths; with fewer, sharing a kernel among many mixtures of trades gains more than one pass
     * over paths */
    LAUNCH_SEPARATE = 1 << 20
};

void levy_launch_free_buffers(levy_cuda *cuda)
{
    for (int i = 0; i < LAUNCH_SLOTS; ++i) {
        if (cuda->slots[i].sums)
            (void)LEVY_DEVICE_CALL(cuda->device, memory_free, cuda->slots[i].sums);
        if (cuda->slots[i].host)
            (void)LEVY_DEVICE_CALL(cuda->device, host_free, cuda->slots[i].host);
        cuda->slots[i].sums = 0;
        cuda->slots[i].host = NULL;
    }
    cuda->slot_bytes = cuda->host_bytes = 0;
    if (cuda->scratch) (void)LEVY_DEVICE_CALL(cuda->device, memory_free, cuda->scratch);
    cuda->scratch = 0;
    cuda->scratch_bytes = 0;
}

void levy_launch_free_image(levy_cuda *cuda)
{
    if (cuda->device_image) (void)LEVY_DEVICE_CALL(cuda->device, memory_free, cuda->device_image);
    cuda->device_image = 0;
    cuda->image_room = 0;
    cuda->image_hash = 0;
}

static bool launch_is_first(const levy_cuda *cuda) { return cuda->shared == &cuda->own; }

/* Forbids other states on the GPU to use the shared data. The caller holds the lock. */
static bool launch_is_alone(const levy_cuda *cuda)
{
    return launch_is_first(cuda) && cuda->shared->others == 0;
}

bool levy_launch_can_clear(levy_cuda *cuda)
{
    launch_shared *const shared = cuda->shared;
    pthread_mutex_lock(&shared->lock);
    const bool can = launch_is_alone(cuda) && (shared->loaded.count > 0 || cuda->slot_bytes > 0);
    pthread_mutex_unlock(&shared->lock);
    return can;
}

/* `entered`: the device's context is current; else the device has failed, and its memory is lost.
 */
static void launch_clear_loaded(levy_cuda *cuda, bool entered)
{
    launch_shared *const shared = cuda->shared;
    pthread_mutex_lock(&shared->lock);
    if (launch_is_alone(cuda)) {
        if (entered) levy_loaded_clear(&shared->loaded, cuda->device);
        levy_memory_release(cuda->device->memory, shared->loaded.items);
        shared->loaded = (levy_loaded_list){0};
    }
    pthread_mutex_unlock(&shared->lock);
}

void levy_launch_clear(levy_cuda *cuda)
{
    char why[LEVY_REASON_SIZE];
    const bool entered = levy_device_enter(cuda->device, why) == LEVY_OK;
    if (entered) {
        levy_launch_free_buffers(cuda);
        levy_launch_free_image(cuda);
        levy_fits_clear(cuda->device, &cuda->fits);
    }
    launch_clear_loaded(cuda, entered);
    if (entered) levy_device_leave(cuda->device);
    cuda->device_image = 0; /* on a dead device nothing is freed: its memory is lost with it */
    cuda->image_room = 0;
    cuda->image_hash = 0;
}

static void launch_destroy_streams(levy_cuda *cuda)
{
    for (int i = 0; i < LAUNCH_SLOTS; ++i) {
        void **const events[] = {&cuda->slots[i].started, &cuda->slots[i].computed,
                                 &cuda->slots[i].copied};
        for (int e = 0; e < 3; ++e) {
            if (*events[e]) (void)LEVY_DEVICE_CALL(cuda->device, event_destroy, *events[e]);
            *events[e] = NULL;
        }
    }
    if (launch_is_first(cuda) && cuda->shared->normals)
        (void)LEVY_DEVICE_CALL(cuda->device, memory_free, cuda->shared->normals);
    cuda->normals = cuda->own.normals = 0;
    if (cuda->compute) (void)LEVY_DEVICE_CALL(cuda->device, stream_destroy, cuda->compute);
    if (cuda->copy) (void)LEVY_DEVICE_CALL(cuda->device, stream_destroy, cuda->copy);
    cuda->compute = cuda->copy = NULL;
}

static levy_status launch_create_streams(levy_cuda *cuda, char *why)
{
    levy_device *const device = cuda->device;
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

/* *cuda becomes the state, or it is closed. */
static levy_status launch_start(levy_cuda *fresh, levy_cuda **cuda, char *why)
{
    levy_status status = levy_device_enter(fresh->device, why);
    if (status == LEVY_OK) {
        status = launch_create_streams(fresh, why);
        levy_device_leave(fresh->device);
    }
    if (status == LEVY_OK)
        *cuda = fresh;
    else
        levy_cuda_close(fresh);
    return status;
}

levy_status levy_cuda_open(const levy_cuda_calls *calls, const levy_backend_options *options,
                           levy_cuda **cuda, char *why)
{
    *cuda = NULL;
    levy_cuda *const fresh = levy_memory_allocate(options->memory, 1, sizeof *fresh);
    if (!fresh) return snprintf(why, LEVY_REASON_SIZE, "no memory to open the GPU"), LEVY_MEMORY;
    fresh->shared = &fresh->own;
    fresh->device = &fresh->own.device;
    const levy_status status = levy_device_open(fresh->device, calls, options, why);
    if (status != LEVY_OK) {
        levy_memory_release(options->memory, fresh);
        return status;
    }
    pthread_mutex_init(&fresh->own.lock, NULL);
    return launch_start(fresh, cuda, why);
}

levy_status levy_cuda_open_beside(levy_cuda *first, levy_cuda **cuda, char *why)
{
    *cuda = NULL;
    if (first->device->dead) return levy_device_fail(first->device, LEVY_CUDA_DEAD, "opening", why);
    levy_cuda *const fresh = levy_memory_allocate(first->device->memory, 1, sizeof *fresh);
    if (!fresh) return snprintf(why, LEVY_REASON_SIZE, "no memory to share the GPU"), LEVY_MEMORY;
    fresh->shared = first->shared;
    fresh->device = first->device;
    pthread_mutex_lock(&first->shared->lock);
    ++first->shared->others;
    pthread_mutex_unlock(&first->shared->lock);
    return launch_start(fresh, cuda, why);
}

void levy_cuda_close(levy_cuda *cuda)
{
    char why[LEVY_REASON_SIZE];
    if (!cuda) return;
    levy_cuda_unload(cuda);
    levy_foreseen_forget(&cuda->foreseen);
    levy_launch_clear(cuda);
    levy_fits_close(&cuda->fits);
    if (levy_device_enter(cuda->device, why) == LEVY_OK) {
        levy_launch_free_buffers(cuda);
        launch_destroy_streams(cuda);
        levy_device_leave(cuda->device);
    }
    const levy_memory memory = cuda->device->own_memory;
    if (launch_is_first(cuda)) {
        levy_device_close(cuda->device);
        pthread_mutex_destroy(&cuda->own.lock);
    } else {
        pthread_mutex_lock(&cuda->shared->lock);
        --cuda->shared->others;
        pthread_mutex_unlock(&cuda->shared->lock);
    }
    levy_memory_release(&memory, cuda);
}

void levy_cuda_describe(const levy_cuda *cuda, levy_backend_info *info)
{
    memset(info, 0, sizeof *info);
    snprintf(info->backend, sizeof info->backend, "cuda");
    info->tiles = (levy_tile_limits){LAUNCH_MAX_TILE,  LAUNCH_MAX_TILE, LEVY_MAX_SWEEP,
                                     LAUNCH_MAX_PLAIN, LAUNCH_SEPARATE, LAUNCH_MAX_POSTPONED};
    info->most_height = LEVY_MOST_HEIGHT;
    if (!cuda) return;
    const levy_device *const device = cuda->device;
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

levy_device *levy_cuda_device(levy_cuda *cuda) { return cuda->device; }
void *levy_cuda_stream(levy_cuda *cuda) { return cuda->compute; }
