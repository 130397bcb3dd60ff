/* loops.cu: the library's own lane functions in a plain loop: a thread makes one draw from start to
 * end, then its next; Poisson counts also by products of the same generator's words. */
#include "bench/distributions/loops.cuh"
#include "bench/distributions/poisson_products.h"

enum { LOOP_BLOCKS = 132 * 8 };

/* A draw that needs one word takes the first word of a block of its own. */
template <int LAW, class T>
static __global__ void __launch_bounds__(DRAWS_THREADS) loop_same(const levy_draws_cuda_job job)
{
    one_stage<LAW>(DRAWS_THREADS);
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < job.count; i += step) {
        if (LAW == LEVY_DRAWS_EXPONENTIAL || LAW == LEVY_DRAWS_NORMAL)
            draws_put<T>(job.output, i,
                         draws_of_word<LAW>(job, one_block(job.seed, 0, job.stream, i).w[0]));
        else
            draws_put<T>(job.output, i, draws_whole<LAW>(job, i));
    }
}

void LANE_PICK(loops_same_double, loops_same_single)(levy_draws_law law, double a, double b,
                                                     uint64_t count, void *output)
{
    const levy_draws_cuda_job job = {law, 7, 42, 0, count, {a, b}, nullptr, output};
    switch (law) {
    case LEVY_DRAWS_EXPONENTIAL:
        loop_same<LEVY_DRAWS_EXPONENTIAL, real><<<LOOP_BLOCKS, DRAWS_THREADS>>>(job);
        break;
    case LEVY_DRAWS_NORMAL:
        loop_same<LEVY_DRAWS_NORMAL, real><<<LOOP_BLOCKS, DRAWS_THREADS>>>(job);
        break;
    case LEVY_DRAWS_GAMMA:
        loop_same<LEVY_DRAWS_GAMMA, real><<<LOOP_BLOCKS, DRAWS_THREADS>>>(job);
        break;
    case LEVY_DRAWS_POISSON:
        loop_same<LEVY_DRAWS_POISSON, uint32_t><<<LOOP_BLOCKS, DRAWS_THREADS>>>(job);
        break;
    default:
        break;
    }
}

static __global__ void __launch_bounds__(DRAWS_THREADS) loop_products(const levy_draws_cuda_job job)
{
    const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
    const lane bound = poisson_products_bound(lane_of((real)job.parameters[0]));
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < job.count; i += step) {
        const discrete_source source = draws_source(job, i);
        draws_put<uint32_t>(job.output, i, lane_get(poisson_products(bound, &source), 0));
    }
}

void LANE_PICK(loops_products_double, loops_products_single)(double mean, uint64_t count,
                                                             void *output)
{
    const levy_draws_cuda_job job = {LEVY_DRAWS_POISSON, 7,       42,    0, count,
                                     {mean, 0},          nullptr, output};
    loop_products<<<LOOP_BLOCKS, DRAWS_THREADS>>>(job);
}
