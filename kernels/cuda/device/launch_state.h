/* launch_state.h: what the CUDA backend holds of an open GPU: streams, buffers, the loaded plan.
 * Part of launch.c and launch_batch.c, which alone include it. */
#ifndef LEVY_CUDA_DEVICE_LAUNCH_STATE_H
#define LEVY_CUDA_DEVICE_LAUNCH_STATE_H

#include "kernels/cuda/device/foreseen.h"
#include "kernels/cuda/device/launch.h"
#include "kernels/cuda/device/loaded.h"

enum { LAUNCH_SLOTS = 2 };

/* One piece under way. */
typedef struct launch_slot {
    levy_cuda_pointer sums;            /* of blocks, then of branches */
    levy_block_sum *host;              /* pinned; of branches, or of blocks without a height */
    void *started, *computed, *copied; /* events */
    uint64_t first, count;             /* blocks; count 0: idle */
} launch_slot;

struct levy_cuda {
    levy_device device;
    void *compute, *copy; /* streams */
    launch_slot slots[LAUNCH_SLOTS];
    size_t slot_bytes, host_bytes; /* of sums, in each slot */
    const levy_image *image;
    levy_cuda_pointer device_image, normals; /* the table of normals, once a kernel has wanted it */
    size_t image_room;
    levy_loaded_list loaded;
    levy_foreseen foreseen;
    levy_tile *tiles;
    levy_launchable *kernels; /* [tile] */
    double *block_seconds;    /* [tile], 0: not yet timed */
    size_t n_tiles;
};

/* Gives back the buffers of all slots. The device is entered. */
void levy_launch_free_buffers(levy_cuda *cuda);

#endif
