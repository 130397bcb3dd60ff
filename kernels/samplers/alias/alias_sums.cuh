/* alias_sums.cuh: the checked sum of the weights on the GPU, in the shape of alias_sum.c and with
 * its bits. */
#ifndef LEVY_ALIAS_SUMS_CUH
#define LEVY_ALIAS_SUMS_CUH

#include "kernels/samplers/alias/alias_block.cuh"

struct alias_sum_result {
    alias_pair sum;
    unsigned long long first_bad; /* the first refused weight; ~0: none */
};

/* sums[0] becomes the sum of all, merged by halves. */
ALIAS_DEV void pairs_halve(alias_pair *sums, unsigned count)
{
    for (unsigned half = count / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] = alias_pair_add(sums[threadIdx.x], sums[threadIdx.x + half]);
    }
    __syncthreads();
}

/* From the last chunk to the first, which the next kernel then finds in the cache. */
template <class W>
ALIAS_KERNEL(ALIAS_COLUMNS)
alias_sum_chunks(const W *weights, uint64_t n, double factor, alias_pair *partials,
                 alias_sum_result *result)
{
    __shared__ alias_pair sums[ALIAS_COLUMNS];
    enum { ROWS = ALIAS_CHUNK / ALIAS_COLUMNS, TOGETHER = 8 };
    const uint64_t chunk = gridDim.x - 1 - blockIdx.x, first = chunk * ALIAS_CHUNK + threadIdx.x;
    alias_pair sum = {0.0, 0.0};
    for (int row = 0; row < ROWS; row += TOGETHER) {
        double w[TOGETHER];
#pragma unroll
        for (int k = 0; k < TOGETHER; ++k) {
            const uint64_t i = first + (uint64_t)(row + k) * ALIAS_COLUMNS;
            w[k] = i < n ? (double)weights[i] : 0.0;
        }
#pragma unroll
        for (int k = 0; k < TOGETHER; ++k) {
            if (!(w[k] >= 0.0 && w[k] <= 1.7976931348623157e308))
                atomicMin(&result->first_bad,
                          (unsigned long long)(first + (uint64_t)(row + k) * ALIAS_COLUMNS));
            alias_pair_add_one(&sum, w[k] * factor);
        }
    }
    sums[threadIdx.x] = sum;
    pairs_halve(sums, ALIAS_COLUMNS);
    if (threadIdx.x == 0) partials[chunk] = sums[0];
}

ALIAS_KERNEL(ALIAS_MERGE)
alias_sum_merge(const alias_pair *partials, uint64_t chunks, alias_sum_result *result)
{
    __shared__ alias_pair sums[ALIAS_MERGE];
    alias_pair sum = {0.0, 0.0};
    for (uint64_t chunk = threadIdx.x; chunk < chunks; chunk += ALIAS_MERGE)
        sum = alias_pair_add(sum, partials[chunk]);
    sums[threadIdx.x] = sum;
    pairs_halve(sums, ALIAS_MERGE);
    if (threadIdx.x == 0) result->sum = sums[0];
}

#endif
