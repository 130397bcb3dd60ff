/* cpu_isa.h: the interface of one build of the path loop (an instruction set and a precision) for
 * the CPU backend. */
#ifndef LEVY_CPU_ISA_H
#define LEVY_CPU_ISA_H

#include "kernels/path/image.h"

#include <stddef.h>

/* What lies beside a block's sums, from the block's first path on (levy_batch). */
typedef struct levy_cpu_beside {
    void *record;          /* room for levy_record_reals of the image, or NULL */
    const void *given;     /* [row][path], if the image's numbers are given */
    uint64_t given_stride; /* numbers from row to row */
} levy_cpu_beside;

typedef struct levy_cpu_isa {
    const char *name;
    uint32_t lanes;
    /* Bytes of scratch a worker needs for an image and tiles of up to `n_outputs` outputs; 64-byte
     * aligned. */
    size_t (*scratch_size)(const levy_image *image, uint32_t n_outputs);
    /* Simulates one block of one tile into sums[output - tile->first_output]. Blocks are numbered
     * through all replicates. `replicate` remembers which replicate's tables the scratch holds; all
     * ones: none. */
    void (*block)(const levy_image *image, const levy_tile *tile, uint64_t block, void *scratch,
                  uint64_t *replicate, levy_block_sum *sums, const levy_cpu_beside *beside);
} levy_cpu_isa;

#endif
