/* launch.c: see launch.h: a plan's kernels and image on a GPU. launch_open.c opens it,
 * launch_batch.c runs batches in what launch_reserve.c has, launch_build.c compiles ahead of time.
 * Must not know: files, the environment. */
#include "kernels/cuda/device/launch_state.h"
#include "kernels/cuda/compile/normal_table.h"
#include "kernels/cuda/compile/shape.h"
#include "kernels/lane/normal_rows.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

levy_status levy_cuda_fit(levy_cuda *cuda, const levy_rule_pass *pass, double *fitted, char *why)
{
    if (cuda->device->dead)
        return levy_device_fail(cuda->device, LEVY_CUDA_DEAD, "fitting a rule", why);
    return levy_fits_run(cuda->device, &cuda->fits, cuda->compute, pass, fitted, why);
}

/* Copies the plan to the GPU, unless it is there: a plan is often priced again and again. */
static levy_status launch_load_image(levy_cuda *cuda, const levy_image *image, char *why)
{
    levy_device *const device = cuda->device;
    int code = 0;
    if (image->bytes > cuda->image_room) {
        levy_launch_free_image(cuda);
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
    if (image->numeric_hash && image->numeric_hash == cuda->image_hash) return LEVY_OK;
    cuda->image_hash = 0;
    code = LEVY_DEVICE_CALL(device, copy_to_device, cuda->device_image, image, (size_t)image->bytes,
                            cuda->compute);
    cuda->image_copying = true; /* the first batch waits for it, or whoever unloads the plan */
    if (!code) cuda->image_hash = image->numeric_hash;
    return code ? levy_device_fail(device, code, "copying the plan to the GPU", why) : LEVY_OK;
}

/* The tables of normals as they lie on a GPU: that of double, then that of single. */
typedef struct launch_tables {
    double exact[LEVY_NORMAL_DOUBLES];
    float single[LEVY_NORMAL_FLOATS];
} launch_tables;

/* Copies the tables of normals to the GPU. The caller holds the lock of the shared state. */
static levy_status launch_load_normals(levy_cuda *cuda, char *why)
{
    levy_device *const device = cuda->device;
    levy_cuda_pointer *const normals = &cuda->shared->normals;
    launch_tables *const tables = levy_memory_allocate(device->memory, 1, sizeof *tables);
    if (!tables)
        return snprintf(why, LEVY_REASON_SIZE, "no memory for the tables of normals"), LEVY_MEMORY;
    memcpy(tables->exact, levy_normal_rows, sizeof tables->exact);
    memcpy(tables->single, levy_normal_table(), sizeof tables->single);
    int code = LEVY_DEVICE_CALL(device, memory_allocate, normals, sizeof *tables);
    if (!code)
        code = LEVY_DEVICE_CALL(device, copy_to_device, *normals, tables, sizeof *tables,
                                cuda->compute);
    if (!code) code = LEVY_DEVICE_CALL(device, stream_synchronize, cuda->compute);
    levy_memory_release(device->memory, tables);
    if (!code) return LEVY_OK;
    if (*normals) (void)LEVY_DEVICE_CALL(device, memory_free, *normals);
    *normals = 0;
    return levy_device_fail(device, code, "copying the tables of normals to the GPU", why);
}

static levy_status launch_allocate(levy_cuda *cuda, const levy_tile *tiles, size_t n_tiles,
                                   char *why)
{
    const levy_memory *const memory = cuda->device->memory;
    cuda->tiles = levy_memory_allocate(memory, n_tiles + 1, sizeof *cuda->tiles);
    cuda->kernels = levy_memory_allocate(memory, n_tiles + 1, sizeof *cuda->kernels);
    cuda->block_seconds = levy_memory_allocate(memory, n_tiles + 1, sizeof *cuda->block_seconds);
    if (!cuda->tiles || !cuda->kernels || !cuda->block_seconds)
        return snprintf(why, LEVY_REASON_SIZE, "no memory for %zu tiles", n_tiles), LEVY_MEMORY;
    memcpy(cuda->tiles, tiles, n_tiles * sizeof *tiles);
    cuda->n_tiles = n_tiles;
    return LEVY_OK;
}

/* Loads the kernels that are not on the device yet. The caller holds the lock of the shared state.
 */
static levy_status launch_load_kernels(levy_cuda *cuda, const levy_image *image,
                                       const levy_kernel_set *set, char *why)
{
    levy_loaded_list *const loaded = &cuda->shared->loaded;
    for (size_t k = 0; k < set->count; ++k)
        if (!levy_loaded_has(loaded, set->kernels[k].shape))
            LEVY_TRY(levy_loaded_add(loaded, cuda->device, &set->kernels[k], why));
    if (levy_shape_wants_normals(image) && !cuda->shared->normals)
        LEVY_TRY(launch_load_normals(cuda, why));
    cuda->normals = cuda->shared->normals;
    if (cuda->normals && (image->precision || image->mixed))
        cuda->normals += offsetof(launch_tables, single);
    for (size_t t = 0; t < cuda->n_tiles; ++t)
        LEVY_TRY(levy_loaded_ready(loaded, cuda->device, &set->kernels[set->of_tile[t]],
                                   &cuda->kernels[t], why));
    return LEVY_OK;
}

/* The device is entered. */
static levy_status launch_load(levy_cuda *cuda, const levy_image *image, const levy_kernel_set *set,
                               char *why)
{
    pthread_mutex_lock(&cuda->shared->lock);
    const levy_status status = launch_load_kernels(cuda, image, set, why);
    pthread_mutex_unlock(&cuda->shared->lock);
    return status == LEVY_OK ? launch_load_image(cuda, image, why) : status;
}

/* Which kernels are on the device, so that nobody fetches them. */
static void launch_find_held(levy_cuda *cuda, levy_kernel_set *set)
{
    pthread_mutex_lock(&cuda->shared->lock);
    for (size_t k = 0; k < set->count; ++k)
        set->kernels[k].held = levy_loaded_has(&cuda->shared->loaded, set->kernels[k].shape);
    pthread_mutex_unlock(&cuda->shared->lock);
}

/* Gets the kernels first: compiling may take a second, and needs nothing of the GPU. */
static levy_status launch_get(levy_cuda *cuda, const levy_image *image, const levy_tile *tiles,
                              size_t n_tiles, char *why)
{
    levy_kernel_set set;
    LEVY_TRY(levy_kernel_set_describe(&cuda->device->source, image, tiles, n_tiles, &set, why));
    launch_find_held(cuda, &set);
    LEVY_TRY(levy_kernel_set_fetch(&cuda->device->source, &set, cuda->cancel, why));
    levy_status status = launch_allocate(cuda, tiles, n_tiles, why);
    if (status == LEVY_OK) status = levy_device_enter(cuda->device, why);
    if (status == LEVY_OK) {
        status = launch_load(cuda, image, &set, why);
        levy_device_leave(cuda->device);
    }
    levy_kernel_set_release(&set);
    return status;
}

void levy_cuda_watch(levy_cuda *cuda, const levy_cancel *cancel) { cuda->cancel = cancel; }

levy_status levy_cuda_load(levy_cuda *cuda, const levy_image *image, const levy_tile *tiles,
                           size_t n_tiles, char *why)
{
    levy_cuda_unload(cuda);
    if (cuda->device->dead) return levy_device_fail(cuda->device, LEVY_CUDA_DEAD, "loading", why);
    const bool earlier = levy_launch_can_clear(cuda);
    levy_status status = launch_get(cuda, image, tiles, n_tiles, why);
    if (status == LEVY_MEMORY && earlier) { /* tries again after freeing the kernels and buffers of
                                             * earlier plans */
        levy_cuda_unload(cuda);
        levy_launch_clear(cuda);
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
    if (cuda->device->dead) return LEVY_OK;
    if (image)
        return levy_foreseen_note(&cuda->foreseen, cuda->device, &cuda->shared->loaded,
                                  &cuda->shared->lock, image, tiles, n_tiles);
    levy_foreseen_get(&cuda->foreseen, cuda->device, &cuda->shared->loaded, cuda->cancel);
    return LEVY_OK;
}

size_t levy_cuda_missing(levy_cuda *cuda)
{
    const size_t missing = levy_foreseen_missing(&cuda->foreseen, cuda->device);
    levy_foreseen_forget(&cuda->foreseen);
    return missing;
}

/* Waits until the GPU has the plan, whose memory the caller may free now. */
static void launch_end_copy(levy_cuda *cuda)
{
    char why[LEVY_REASON_SIZE];
    if (!cuda->image_copying) return;
    cuda->image_copying = false;
    if (levy_device_enter(cuda->device, why) != LEVY_OK) return;
    (void)LEVY_DEVICE_CALL(cuda->device, stream_synchronize, cuda->compute);
    levy_device_leave(cuda->device);
}

/* Kernels and the image's memory stay for the next plan. */
void levy_cuda_unload(levy_cuda *cuda)
{
    launch_end_copy(cuda);
    const levy_memory *const memory = cuda->device->memory;
    levy_memory_release(memory, cuda->tiles);
    levy_memory_release(memory, cuda->kernels);
    levy_memory_release(memory, cuda->block_seconds);
    cuda->tiles = NULL;
    cuda->kernels = NULL;
    cuda->block_seconds = NULL;
    cuda->n_tiles = 0;
    cuda->image = NULL;
}
