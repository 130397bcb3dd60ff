/* launch_run.h: a batch under way on a GPU, and the buffers that it needs. Part of launch_batch.c,
 * which runs it, and launch_reserve.c. */
#ifndef LEVY_CUDA_DEVICE_LAUNCH_RUN_H
#define LEVY_CUDA_DEVICE_LAUNCH_RUN_H

#include "kernels/cuda/device/launch_state.h"

typedef struct launch_run {
    levy_cuda *cuda;
    const levy_batch *batch;
    const levy_launchable *kernel;
    double *block_seconds;
    levy_block_sum *sums;
    levy_cuda_pointer record; /* of the whole batch; 0: nothing is recorded */
    levy_cuda_pointer given;  /* of the whole batch; 0: no numbers are given */
    uint64_t submitted, done; /* blocks of the batch */
    uint64_t piece_limit;     /* most blocks that memory has allowed so far */
    uint32_t split;           /* CTAs that share a block; 1: none does */
    uint32_t deferred;        /* lanes that the dates of an item save for a path */
    bool reserved;            /* the slots hold a piece of that size */
    bool direct;              /* the kernel writes its sums where the host reads them */
    double seconds;
} launch_run;

/* Of the sums of a block. */
size_t levy_launch_block_bytes(const launch_run *run);

/* CTAs that share each of n blocks: of the ways to do them, the one with the shortest time, by
 * waves of CTAs and the rows that each does. */
uint32_t levy_launch_split(const launch_run *run, uint64_t n);

/* Places for CTAs in the kernel's memory: for all that can run at a time. */
uint32_t levy_launch_places(const launch_run *run);

/* Makes sure of buffers for the largest piece that memory allows, while nothing is under way.
 * Returns a code. */
int levy_launch_reserve(launch_run *run);

#endif
