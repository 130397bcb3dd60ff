/* draws.cuh: the kernels of draws_cuda.h. A draw by rejection gets one cheap try; what is left of a
 * tile is collected in shared memory and done by neighbouring threads, so that a warp does not wait
 * for its unluckiest thread. Must not know: launches. */
#ifndef LEVY_DISCRETE_DRAWS_CUH
#define LEVY_DISCRETE_DRAWS_CUH

#include "bench/distributions/draws_cuda.h"
#include "bench/distributions/poisson_table.h"
#include "kernels/samplers/discrete/one_draw.cuh"

#if !defined(DRAWS_THREADS)
#define DRAWS_THREADS 256u
#endif
enum { DRAWS_TILE = 4096 };

static_assert((int)LEVY_DRAWS_EXPONENTIAL == ONE_EXPONENTIAL &&
                  (int)LEVY_DRAWS_NORMAL == ONE_NORMAL && (int)LEVY_DRAWS_GAMMA == ONE_GAMMA &&
                  (int)LEVY_DRAWS_POISSON == ONE_POISSON &&
                  (int)LEVY_DRAWS_NONCENTRAL == ONE_NONCENTRAL,
              "the laws of one_draw.cuh");

LANE_FN discrete_source draws_source(const levy_draws_cuda_job &job, uint64_t index)
{
    return one_source(job.seed, job.stream, index);
}

LANE_FN lane draws_parameter(const levy_draws_cuda_job &job, int which)
{
    return lane_of((real)job.parameters[which]);
}

template <int LAW>
LANE_FN real draws_of_word(const levy_draws_cuda_job &job, lane_word u)
{
    return one_of_word<LAW>(draws_parameter(job, 0), draws_parameter(job, 1), u);
}

/* The first try; false: not taken. */
template <int LAW>
LANE_FN bool draws_first(const levy_draws_cuda_job &job, uint64_t index, real *value)
{
    return one_first<LAW>(draws_parameter(job, 0), draws_parameter(job, 1),
                          draws_source(job, index), value);
}

template <int LAW>
LANE_FN real draws_whole(const levy_draws_cuda_job &job, uint64_t index)
{
    return one_whole<LAW>(draws_parameter(job, 0), draws_parameter(job, 1),
                          draws_source(job, index));
}

template <class T>
LANE_FN void draws_put(void *output, uint64_t at, real value)
{
    ((T *)output)[at] = (T)value;
}

/* ---- Kernels --------------------------------------------------------------------------------- */

template <class T>
struct alignas(sizeof(T) * 4) draws_four {
    T v[4];
};

/* Draws `at` to at + 3 of the job, where they are asked for. */
template <class T>
LANE_FN void draws_store(const levy_draws_cuda_job &job, uint64_t at, const draws_four<T> &four)
{
    T *const output = (T *)job.output + at;
    if (at + 4 <= job.count)
        *(draws_four<T> *)output = four;
    else
        for (int k = 0; k < 4; ++k)
            if (at + (uint64_t)k < job.count) output[k] = four.v[k];
}

/* One word a draw: a thread takes four neighbouring blocks of words, and so four neighbouring draws
 * four times. */
template <int LAW>
static __global__ void __launch_bounds__(DRAWS_THREADS) draws_by_word(const levy_draws_cuda_job job)
{
    one_stage<LAW>(DRAWS_THREADS);
    const uint64_t quads = (job.count + 63) / 64 * 4, step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t q = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; q < quads; q += step) {
        const uint64_t block = job.first / 4 + q * 4, at = q / 4 * 64 + q % 4 * 4;
        draws_four<real> four[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const philox_words w = one_block(job.seed, 0, job.stream, block + (uint64_t)k);
#pragma unroll
            for (int j = 0; j < 4; ++j) four[j].v[k] = draws_of_word<LAW>(job, w.w[j]);
        }
#pragma unroll
        for (int j = 0; j < 4; ++j) draws_store(job, at + 16u * (uint64_t)j, four[j]);
    }
}

/* Poisson counts of one small mean, one word each. */
static __global__ void __launch_bounds__(DRAWS_THREADS)
    draws_by_search(const levy_draws_cuda_job job)
{
    const uint64_t quads = (job.count + 63) / 64 * 4, step = (uint64_t)gridDim.x * blockDim.x;
    const lane lambda = lane_of((real)job.parameters[0]);
    const poisson_partial start = poisson_partial_of(lambda);
    for (uint64_t q = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; q < quads; q += step) {
        const uint64_t block = job.first / 4 + q * 4, at = q / 4 * 64 + q % 4 * 4;
        lane_word words[POISSON_TOGETHER];
        poisson_tally tally[POISSON_TOGETHER];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const philox_words w =
                one_block(job.seed, DISCRETE_SHARED, job.stream, block + (uint64_t)k);
#pragma unroll
            for (int j = 0; j < 4; ++j) words[4 * j + k] = w.w[j];
        }
        poisson_search_together(lambda, start, words, tally);
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const poisson_tally *const t = &tally[4 * j];
            const draws_four<uint32_t> four = {{t[0].v[0], t[1].v[0], t[2].v[0], t[3].v[0]}};
            draws_store(job, at + 16u * (uint64_t)j, four);
        }
    }
}

template <int LAW, class T>
static __global__ void __launch_bounds__(DRAWS_THREADS)
    draws_inverted(const levy_draws_cuda_job job)
{
    one_stage<LAW>(DRAWS_THREADS);
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < job.count; i += step)
        draws_put<T>(job.output, i, draws_of_word<LAW>(job, lane_word_of(job.words[i])));
}

template <int LAW, class T>
static __global__ void __launch_bounds__(DRAWS_THREADS) draws_by_tile(const levy_draws_cuda_job job)
{
    one_stage<LAW>(DRAWS_THREADS);
    __shared__ uint32_t left[DRAWS_TILE], n_left;
    const uint64_t tiles = (job.count + DRAWS_TILE - 1) / DRAWS_TILE;
    for (uint64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        const uint64_t base = tile * DRAWS_TILE;
        const uint32_t size =
            job.count - base < DRAWS_TILE ? (uint32_t)(job.count - base) : (uint32_t)DRAWS_TILE;
        if (threadIdx.x == 0) n_left = 0;
        __syncthreads();
        for (uint32_t i = threadIdx.x; i < size; i += DRAWS_THREADS) {
            real value;
            if (draws_first<LAW>(job, job.first + base + i, &value))
                draws_put<T>(job.output, base + i, value);
            else
                left[atomicAdd(&n_left, 1u)] = i;
        }
        __syncthreads();
        const uint32_t n = n_left;
        for (uint32_t k = threadIdx.x; k < n; k += DRAWS_THREADS)
            draws_put<T>(job.output, base + left[k],
                         draws_whole<LAW>(job, job.first + base + left[k]));
        __syncthreads();
    }
}

template <int LAW>
static __global__ void __launch_bounds__(DRAWS_THREADS) draws_each(const levy_draws_cuda_job job)
{
    one_stage<LAW>(DRAWS_THREADS);
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < job.count; i += step)
        draws_put<real>(job.output, i, draws_whole<LAW>(job, job.first + i));
}

template <class T>
static __global__ void __launch_bounds__(DRAWS_THREADS)
    draws_poisson_table(const levy_poisson_table *table, uint64_t seed, uint32_t stream,
                        uint64_t count, T *output)
{
    __shared__ uint32_t cells[POISSON_TABLE_CELLS];
    for (uint32_t i = threadIdx.x; i < POISSON_TABLE_CELLS; i += DRAWS_THREADS)
        cells[i] = table->cells[i];
    const uint32_t last = table->last;
    const uint64_t quads = (count + 63) / 64 * 4, step = (uint64_t)gridDim.x * blockDim.x;
    __syncthreads();
    for (uint64_t q = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; q < quads; q += step) {
        const uint64_t at = q / 4 * 64 + q % 4 * 4;
        draws_four<T> four[4];
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const philox_words w = one_block(seed, DISCRETE_SHARED, stream, q * 4 + (uint64_t)k);
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                const uint32_t n = poisson_table_count(cells, table->first, last, w.w[j].v[0]);
                four[j].v[k] = sizeof(T) == 1 && n > 255 ? (T)255 : (T)n;
            }
        }
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const uint64_t to = at + 16u * (uint64_t)j;
            if (to + 4 <= count)
                *(draws_four<T> *)(output + to) = four[j];
            else
                for (int k = 0; k < 4; ++k)
                    if (to + (uint64_t)k < count) output[to + (uint64_t)k] = four[j].v[k];
        }
    }
}

#endif
