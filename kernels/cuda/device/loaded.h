/* loaded.h: kernels on a device, kept by shape. The groups of a book use the same few hundred again
 * and again, and loading one takes longer than running it. Must not know: images, launches. */
#ifndef LEVY_CUDA_DEVICE_LOADED_H
#define LEVY_CUDA_DEVICE_LOADED_H

#include "kernels/cuda/device/device.h"

enum { LEVY_LOADED_MOST = 4096 }; /* kernels; some 100 KB of device memory each */

typedef struct levy_loaded {
    levy_cache_key shape;
    void *module, *function, *merge, *columns;
    uint32_t own_shared;  /* bytes of shared memory that a launch need not ask for */
    uint32_t most_shared; /* bytes that one may ask for beside those */
    /* how many blocks a multiprocessor holds of a launch with so many bytes; 0: not yet asked */
    int resident;
    uint32_t resident_shared;
} levy_loaded;

/* A loaded kernel as one plan launches it. Its shared memory follows from the grid, not from the
 * shape. */
typedef struct levy_launchable {
    void *function;
    void *merge;   /* of the same outputs: blocks to branches */
    void *columns; /* paths' values to blocks, where CTAs share a block */
    uint32_t shared_bytes;
    uint32_t split; /* most CTAs that can share a block */
    uint64_t wave;  /* blocks that run at the same time */
} levy_launchable;

typedef struct levy_loaded_list {
    levy_loaded *items; /* has room for LEVY_LOADED_MOST as soon as there is one */
    size_t count;
} levy_loaded_list;

bool levy_loaded_has(const levy_loaded_list *list, levy_cache_key shape);

/* Loads a kernel that has its code; the device is entered. LEVY_MEMORY: also when the list is full.
 */
levy_status levy_loaded_add(levy_loaded_list *list, levy_device *device, const levy_kernel *kernel,
                            char *why);

/* Prepares a kernel that is loaded for launches; the device is entered. LEVY_UNSUPPORTED: it needs
 * more shared memory than there is. */
levy_status levy_loaded_ready(levy_loaded_list *list, levy_device *device,
                              const levy_kernel *kernel, levy_launchable *launchable, char *why);

/* Unloads all; the device is entered. */
void levy_loaded_clear(levy_loaded_list *list, levy_device *device);

#endif
