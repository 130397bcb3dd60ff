/* alias_cuda.h: builds alias tables and draws from them on an NVIDIA GPU. nvcc compiles it,
 * separately from the engine's module, because the kernels use CUB. Weights and table are in device
 * memory. Its masses are as exact as the CPU's; its bits are a function of the weights and the
 * options alone. Every function returns a levy_status; for LEVY_DEVICE, levy_alias_cuda_message
 * gives the reason. Must not know: who draws. */
#ifndef LEVY_ALIAS_CUDA_H
#define LEVY_ALIAS_CUDA_H

#include "kernels/samplers/alias/alias.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct levy_alias_cuda levy_alias_cuda;

/* How items are put into the lists. */
typedef enum levy_alias_front {
    LEVY_ALIAS_FRONT_TILE, /* PSA+: tiles matched by whole blocks while they are partitioned */
    /* PSA+: packed by single threads while they are partitioned, above a threshold */
    LEVY_ALIAS_FRONT_GREEDY,
    LEVY_ALIAS_FRONT_PARTITION, /* PSA: partitioned in one pass with all running sums */
    LEVY_ALIAS_FRONT_CUB        /* PSA: CUB's partition and scans */
} levy_alias_front;
typedef enum levy_alias_split_method {
    LEVY_ALIAS_SPLIT_PARTIAL,
    LEVY_ALIAS_SPLIT_BINARY
} levy_alias_split_method;
typedef enum levy_alias_pack {
    LEVY_ALIAS_PACK_MERGE,    /* by whole blocks */
    LEVY_ALIAS_PACK_BASELINE, /* by single threads, from device memory */
    LEVY_ALIAS_PACK_SHARED,   /* from shared memory */
    LEVY_ALIAS_PACK_CHUNKED   /* from shared memory, by chunks */
} levy_alias_pack;

/* All zero: what was fastest when measured. */
typedef struct levy_alias_cuda_options {
    levy_alias_front front;
    levy_alias_split_method split;
    levy_alias_pack pack;
    /* FRONT_CUB with PACK_BASELINE or PACK_SHARED: lists hold items' numbers without amounts */
    int numbers;
    uint32_t threshold; /* FRONT_GREEDY: items of each kind per thread; 0: 2 */
    uint64_t steps;     /* PACK_BASELINE, PACK_CHUNKED: steps of a section; 0: 64, 512 */
    int tile_blocks;    /* FRONT_TILE: blocks per multiprocessor, 2 to 4; 0: 4 */
} levy_alias_cuda_options;

/* capacity: 1 to 2^30 - 1. After a failure *table may be NULL; if it is not, it holds the message
 * and must be destroyed. */
levy_status levy_alias_cuda_create(uint64_t capacity, levy_alias_cuda **table);
void levy_alias_cuda_destroy(levy_alias_cuda *table);
const char *levy_alias_cuda_message(const levy_alias_cuda *table);

/* One of the two pointers of `weights` is set, to device memory. options NULL: all zero. Returns
 * when the sum is known. The rows are complete for whatever is launched later on the same (the
 * default) stream. Only the first build that uses FRONT_CUB allocates memory. */
levy_status levy_alias_cuda_build(levy_alias_cuda *table, const levy_alias_weights *weights,
                                  const levy_alias_cuda_options *options, levy_alias_fault *fault);
/* device memory */
const levy_alias_row *levy_alias_cuda_rows(const levy_alias_cuda *table);
/* device memory */
levy_status levy_alias_cuda_shorten(levy_alias_cuda *table, const levy_alias_short_row **rows);
/* Count, scale and total for levy_alias_error; no rows. */
levy_alias levy_alias_cuda_describe(const levy_alias_cuda *table);
/* How many light and heavy items the last build listed. Waits for the device. */
levy_status levy_alias_cuda_listed(levy_alias_cuda *table, uint32_t counts[2]);

/* ---- Drawing --------------------------------------------------------------------------------- */

typedef enum levy_alias_sampler {
    LEVY_ALIAS_SAMPLE_AUTO,   /* by table size and number of draws */
    LEVY_ALIAS_SAMPLE_DIRECT, /* every draw from the whole table */
    /* a block draws from one section of the table, whose number of draws is binomial */
    LEVY_ALIAS_SAMPLE_CACHED,
    LEVY_ALIAS_SAMPLE_LIMITED, /* the same, one block per multiprocessor */
    LEVY_ALIAS_SAMPLE_SHARED   /* the section copied to shared memory */
} levy_alias_sampler;
typedef enum levy_alias_generator {
    LEVY_ALIAS_MWC,
    LEVY_ALIAS_XORWOW,
    LEVY_ALIAS_PHILOX
} levy_alias_generator;

typedef struct levy_alias_sample_options {
    levy_alias_sampler sampler;
    levy_alias_generator generator;
    int wide;                               /* 1: from the 16-byte rows; 0: from the short ones */
    uint32_t section_rows;                  /* 0: chosen */
    uint32_t threads, blocks_per_processor; /* 0: chosen */
} levy_alias_sample_options;

/* Adds the sum of `draws` items, known modulo 2^32, to *sum (device memory). counts (device memory,
 * one per item, or NULL): also adds one for every draw. The draws are a function of seed, options,
 * table and the device's number of multiprocessors; those of sectioned samplers come grouped by
 * section. */
levy_status levy_alias_cuda_sum(levy_alias_cuda *table, uint64_t seed, uint64_t draws,
                                const levy_alias_sample_options *options, uint64_t *sum,
                                uint32_t *counts);
/* The sampler that AUTO takes. */
levy_alias_sampler levy_alias_cuda_choose(uint64_t rows, uint64_t draws, int wide);

#ifdef __cplusplus
}
#endif
#endif
