/* butterfly_cuda.h: the draws of butterfly.h on an NVIDIA GPU, for programs that have the CUDA
 * runtime. nvcc compiles it, separately from the engine's module. All arrays are in device memory;
 * nothing is allocated. Must not know: who draws. */
#ifndef LEVY_BUTTERFLY_CUDA_H
#define LEVY_BUTTERFLY_CUDA_H

#include "kernels/samplers/butterfly/butterfly.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum levy_butterfly_version {
    LEVY_BUTTERFLY_AUTO, /* by the count of items */
    LEVY_BUTTERFLY_EACH, /* a thread per path reads and adds its own weights */
    /* a warp reads 32 paths' weights a row at a time and transposes them in registers */
    LEVY_BUTTERFLY_TRANSPOSED,
    LEVY_BUTTERFLY_BUTTERFLY, /* a warp reads them likewise and adds them while it transposes */
    /* The paper's own two programs, which keep a table of all partial sums in local memory, for at
     * most 1,024 items. They do not add in the contract's order, so an item differs where the
     * target is a rounding error from a partial sum. */
    LEVY_BUTTERFLY_PAPER_TRANSPOSED,
    LEVY_BUTTERFLY_PAPER_BUTTERFLY
} levy_butterfly_version;

/* All zero: chosen by the count of items and by the rows' alignment. */
typedef struct levy_butterfly_options {
    levy_butterfly_version version;
    /* LEVY_BUTTERFLY_BUTTERFLY: weights per load, 1, 2 or 4 (float); 0: chosen. Fewer are loaded
     * where the rows' alignment does not allow as many. */
    uint32_t vector;
} levy_butterfly_options;

/* Queues the work on `stream`, a cudaStream_t, and returns. *code is 0, or with LEVY_DEVICE the
 * CUDA runtime's error. LEVY_ARGUMENT: as levy_butterfly_admit, or more than 2^36 paths, a stride
 * of 2^29 numbers or more, or too many items for a version of the paper. Every version but the
 * paper's gives the items of levy_butterfly_draw. Fewer than 32 paths get a thread each, whatever
 * the version. options NULL: all zero. */
levy_status levy_butterfly_cuda_draw(const levy_butterfly_draws *draws,
                                     const levy_butterfly_options *options, void *stream,
                                     int *code);

#ifdef __cplusplus
}
#endif
#endif
