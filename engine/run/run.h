/* run.h: runs a plan on a backend: tiles, batches, progress, cancellation; merges block sums in the
 * fixed tree. Must not know: statistics, reports. */
#ifndef LEVY_RUN_H
#define LEVY_RUN_H

#include "engine/plan/plan.h"
#include "engine/run/backend.h"
#include "engine/run/supply.h"
#include "kernels/lane/tree.h"

/* Blocks of one replicate that are simulated by themselves: 2^height of them, from a multiple of
 * 2^height on, or fewer up to the end of the replicate. */
typedef struct levy_run_slice {
    uint32_t replicate, height;
    uint64_t first_block, end_block; /* of the replicate */
} levy_run_slice;

typedef struct levy_run_options {
    uint64_t batch_blocks; /* 0: about 20 ms of work, and at least a wave */
    /* The calling thread calls it with the number of blocks, counted per tile, done since the last
     * call: after each batch, and with 0 when the backend ticks (backend.h). Nonzero cancels. May
     * be NULL. */
    int (*progress)(void *user, uint64_t done);
    int (*stop)(void *user); /* polled from worker threads; NULL: none */
    void *user;
    /* NULL, or room for [output][replicate][n_powers]: the sums of a replicate's first 1, 2, 4, ...
     * blocks, each with the bits of a run of that size. */
    tree_sum *powers;
    uint32_t n_powers;
    /* If not 0: a power of two, and the first known_blocks of each replicate are not simulated.
     * `known` holds their sums from a run of that size; it must not be the array of the results.
     * The results have the bits of a whole run. */
    uint64_t known_blocks;
    const tree_sum *known;
    levy_normals_source normals; /* of generator given */
    /* NULL: all blocks. Else sums are [output], those of the slice: a node of the summation tree,
     * or what the nodes behind the last whole one merge to (levy_run_join). A probe that sees none
     * of its blocks has 0 paths. Not with known blocks or given numbers; `powers`, then
     * [output][n_powers], only of a slice that is a whole replicate. */
    const levy_run_slice *slice;
    bool no_probes; /* probes see no path, and their sums are 0 */
    /* NULL, or who takes levels by date (levy_batch.record) of the first tile's blocks, in their
     * order, on the calling thread. Other tiles are then not run, and their sums stay as they are.
     * Only of an image with `records`. */
    void (*record)(void *user, uint64_t first_block, uint64_t n_blocks, const void *levels);
    void *record_user;
    bool keeps; /* levels of the first tile stay with the backend (levy_batch.keeps), likewise */
} levy_run_options;

/* For a run within the one of `outer`: its blocks count for nothing, and both stop alike. */
levy_run_options levy_run_within(const levy_run_options *outer);

typedef struct levy_run_times {
    double seconds, device_seconds;
} levy_run_times;

/* The blocks of all tiles that a plan takes on a backend, for totals of progress. 0: no memory to
 * count them. */
uint64_t levy_run_blocks(const levy_plan *plan, const levy_backend_info *info);

/* Tells a backend with `foresee` of the plan's tiles, as it will get them. */
levy_status levy_run_foresee(const levy_plan *plan, const levy_backend *backend, void *state,
                             const levy_backend_info *info);

/* sums[output * n_replicates + replicate]. LEVY_CANCELLED: the sums are not complete and must not
 * be used. A plan whose group fits must have been prepared (stage.h). */
levy_status levy_run_plan(const levy_memory *memory, const levy_backend *backend, void *state,
                          const levy_plan *plan, const levy_run_options *options, tree_sum *sums,
                          levy_run_times *times, char *why);

/* The sum of an output over a replicate, with the bits of a whole run, from those of slices that
 * follow each other and cover it. sums[slice * step]. */
tree_sum levy_run_join(const levy_image *image, uint32_t output, const levy_run_slice *slices,
                       size_t n_slices, const tree_sum *sums, size_t step);

#endif
