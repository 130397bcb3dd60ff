/* foreseen.h: kernels of plans that are still to come. A book's groups have kernels of their own;
 * if each group compiled its few when its turn comes, most processors would idle. Must not know:
 * launches. */
#ifndef LEVY_CUDA_DEVICE_FORESEEN_H
#define LEVY_CUDA_DEVICE_FORESEEN_H

#include "kernels/cuda/compile/kernel_set.h"
#include "kernels/cuda/device/device.h"
#include "kernels/cuda/device/loaded.h"

#include <pthread.h>

typedef struct levy_foreseen {
    levy_kernel_set set; /* distinct shapes; of_tile NULL */
    size_t room;
} levy_foreseen;

/* Notes the kernels of a plan's tiles that are neither noted nor loaded. A plan that the GPU does
 * not take has none. LEVY_MEMORY: some are not noted. Several threads may call it at once: the lock
 * is that of both lists, and is not held while kernels are described. */
levy_status levy_foreseen_note(levy_foreseen *foreseen, const levy_device *device,
                               const levy_loaded_list *loaded, pthread_mutex_t *lock,
                               const levy_image *image, const levy_tile *tiles, size_t n_tiles);
/* Gets all that are noted, side by side, loads them and forgets them. What fails is left out: the
 * plan that needs it will meet the failure again and say so. */
void levy_foreseen_get(levy_foreseen *foreseen, levy_device *device, levy_loaded_list *loaded,
                       const levy_cancel *cancel);
/* How many of those that are noted no cache holds, so that they would have to be compiled. */
size_t levy_foreseen_missing(const levy_foreseen *foreseen, const levy_device *device);
void levy_foreseen_forget(levy_foreseen *foreseen);

#endif
