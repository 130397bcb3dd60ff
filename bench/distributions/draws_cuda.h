/* draws_cuda.h: the benchmark's kernels of deviates: kernels/samplers/discrete as CUDA, the same
 * deviates as the CPU's (kernels/cpu/draw_isa.h), in double bit by bit. levy_distribution has them
 * of its own, by NVRTC. Compiled by nvcc, once per precision. Must not know: who asks. */
#ifndef LEVY_DISCRETE_DRAWS_CUDA_H
#define LEVY_DISCRETE_DRAWS_CUDA_H

#ifdef __cplusplus
extern "C" {
#endif

#include "engine/base/status.h"

#include <stdint.h>

typedef enum levy_draws_law {
    LEVY_DRAWS_EXPONENTIAL,
    LEVY_DRAWS_NORMAL,
    LEVY_DRAWS_GAMMA,
    LEVY_DRAWS_POISSON,
    LEVY_DRAWS_NONCENTRAL,
    LEVY_DRAWS_LAWS
} levy_draws_law; /* parameters as in draw_isa.h */

typedef struct levy_draws_cuda_job {
    levy_draws_law law;
    uint32_t stream;
    uint64_t seed, first, count; /* first: a multiple of 64 */
    double parameters[2];
    const uint32_t *words; /* device memory: invert these; NULL: pseudo-random */
    /* device memory, aligned to 16 bytes: reals in the precision, counts as uint32_t */
    void *output;
} levy_draws_cuda_job;

/* Launched on cudaStream_t `where`. LEVY_DEVICE: the launch failed. */
levy_status levy_draws_cuda_double(const levy_draws_cuda_job *job, void *where);
levy_status levy_draws_cuda_single(const levy_draws_cuda_job *job, void *where);

/* Poisson counts of one mean (up to 300) by inversion of one word a draw, with a table in shared
 * memory. For a mean up to 64 they are the draws of levy_draws_cuda_double. `bytes`: 4, 2 or 1 for
 * a count; a count that does not fit becomes the largest that does. `memory`: device memory for the
 * table, levy_poisson_cuda_size() bytes, filled by levy_poisson_cuda_table (which waits). */
uint64_t levy_poisson_cuda_size(void);
levy_status levy_poisson_cuda_table(void *memory, double mean);
levy_status levy_poisson_cuda_fill(const void *memory, uint64_t seed, uint32_t stream,
                                   uint64_t count, int bytes, void *output, void *where);

#ifdef __cplusplus
}
#endif
#endif
