/* foreseen.c: see foreseen.h. */
#include "kernels/cuda/device/foreseen.h"

#include <string.h>

static bool foreseen_has(const levy_foreseen *f, levy_cache_key shape)
{
    for (size_t k = 0; k < f->set.count; ++k)
        if (f->set.kernels[k].shape.low == shape.low && f->set.kernels[k].shape.high == shape.high)
            return true;
    return false;
}

static bool foreseen_grow(levy_foreseen *f, const levy_memory *memory)
{
    const size_t room = f->room ? 2 * f->room : 16;
    if (f->set.count < f->room) return true;
    levy_kernel *const kernels = levy_memory_allocate(memory, room, sizeof *kernels);
    if (!kernels) return false;
    if (f->set.count) memcpy(kernels, f->set.kernels, f->set.count * sizeof *kernels);
    levy_memory_release(memory, f->set.kernels);
    f->set.memory = memory;
    f->set.kernels = kernels;
    f->room = room;
    return true;
}

/* Moves the kernels of a set that are new here to those that are noted. */
static levy_status foreseen_add(levy_foreseen *foreseen, const levy_memory *memory,
                                const levy_loaded_list *loaded, levy_kernel_set *set)
{
    for (size_t k = 0; k < set->count; ++k) {
        levy_kernel *const kernel = &set->kernels[k];
        if (levy_loaded_has(loaded, kernel->shape) || foreseen_has(foreseen, kernel->shape))
            continue;
        if (!foreseen_grow(foreseen, memory)) return LEVY_MEMORY;
        foreseen->set.kernels[foreseen->set.count++] = *kernel;
        kernel->scripts = NULL; /* they have another owner */
    }
    return LEVY_OK;
}

levy_status levy_foreseen_note(levy_foreseen *foreseen, const levy_device *device,
                               const levy_loaded_list *loaded, pthread_mutex_t *lock,
                               const levy_image *image, const levy_tile *tiles, size_t n_tiles)
{
    levy_kernel_set set;
    char why[LEVY_REASON_SIZE];
    levy_status status =
        levy_kernel_set_describe(&device->source, image, tiles, n_tiles, &set, why);
    if (status != LEVY_OK) return status == LEVY_MEMORY ? LEVY_MEMORY : LEVY_OK;
    pthread_mutex_lock(lock);
    status = foreseen_add(foreseen, device->memory, loaded, &set);
    pthread_mutex_unlock(lock);
    levy_kernel_set_release(&set);
    return status;
}

void levy_foreseen_get(levy_foreseen *foreseen, levy_device *device, levy_loaded_list *loaded,
                       const levy_cancel *cancel)
{
    char why[LEVY_REASON_SIZE];
    levy_kernel_set *const set = &foreseen->set;
    if (set->count == 0) return;
    levy_kernel_set_make(&device->source, set, cancel);
    if (!device->dead && levy_device_enter(device, why) == LEVY_OK) {
        for (size_t k = 0; k < set->count; ++k)
            if (set->kernels[k].status == LEVY_OK &&
                levy_loaded_add(loaded, device, &set->kernels[k], why) != LEVY_OK)
                break;
        levy_device_leave(device);
    }
    levy_foreseen_forget(foreseen);
}

size_t levy_foreseen_missing(const levy_foreseen *foreseen, const levy_device *device)
{
    size_t missing = 0;
    for (size_t k = 0; k < foreseen->set.count; ++k)
        missing += !levy_kernel_is_kept(&device->source, &foreseen->set.kernels[k]);
    return missing;
}

void levy_foreseen_forget(levy_foreseen *foreseen)
{
    if (foreseen->set.kernels) levy_kernel_set_release(&foreseen->set);
    *foreseen = (levy_foreseen){.room = 0};
}
