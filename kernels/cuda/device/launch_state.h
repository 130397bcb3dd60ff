/* launch_state.h: what the CUDA backend holds of an open GPU: streams, buffers, the loaded plan,
 * and what several states on one GPU share, so that each may work on a thread of its own. Part of
 * launch.c, launch_open.c, launch_batch.c and launch_reserve.c, which alone include it. */
#ifndef LEVY_CUDA_DEVICE_LAUNCH_STATE_H
#define LEVY_CUDA_DEVICE_LAUNCH_STATE_H

#include "kernels/cuda/device/fit_launch.h"
#include "kernels/cuda/device/foreseen.h"
#include "kernels/cuda/device/launch.h"
#include "kernels/cuda/device/loaded.h"

#include <pthread.h>

/* LAUNCH_LEAST: bytes of a slot's sums, if there is memory. Most groups of a book need less, and
 * giving memory back waits for all that the GPU does, for other states too. */
enum { LAUNCH_SLOTS = 2, LAUNCH_LEAST = 128 << 10 };

/* One piece under way. */
typedef struct launch_slot {
    levy_cuda_pointer sums;            /* of blocks, then of branches */
    levy_block_sum *host;              /* pinned; of branches, or of blocks without a height */
    void *started, *computed, *copied; /* events */
    uint64_t first, count;             /* blocks; count 0: idle */
} launch_slot;

/* The first state on a GPU holds this, and is closed last. */
typedef struct launch_shared {
    levy_device device;
    pthread_mutex_t lock; /* of what follows */
    levy_loaded_list loaded;
    levy_cuda_pointer normals; /* the table of normals, once a kernel has wanted it */
    size_t others;             /* states beside the first */
} launch_shared;

struct levy_cuda {
    launch_shared own; /* in use in the first state alone */
    launch_shared *shared;
    levy_device *device;  /* the shared one */
    void *compute, *copy; /* streams */
    launch_slot slots[LAUNCH_SLOTS];
    size_t slot_bytes, host_bytes; /* of sums, in each slot */
    const levy_image *image;
    levy_cuda_pointer device_image, normals; /* the shared table; 0: the plan looks none up */
    size_t image_room;
    uint64_t image_hash;       /* numeric_hash of what device_image holds; 0: not known */
    levy_cuda_pointer scratch; /* of the CTAs of a kernel that wants it; 0: none did */
    size_t scratch_bytes;
    bool image_copying;  /* the GPU may still be reading the host's plan */
    levy_cuda_fits fits; /* and the levels that they read */
    levy_foreseen foreseen;
    const levy_cancel *cancel; /* of loading; NULL: none */
    levy_tile *tiles;
    levy_launchable *kernels; /* [tile] */
    double *block_seconds;    /* [tile], 0: not yet timed */
    size_t n_tiles;
};

/* Give back the buffers of all slots, and the image's memory. The device is entered. */
void levy_launch_free_buffers(levy_cuda *cuda);
void levy_launch_free_image(levy_cuda *cuda);
/* Gives back all memory that earlier plans have left, and their kernels unless other states on the
 * GPU may be using them. */
void levy_launch_clear(levy_cuda *cuda);
/* Whether that is worth trying where memory is short: there is something, and no other state. */
bool levy_launch_can_clear(levy_cuda *cuda);

#endif
