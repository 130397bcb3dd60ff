/* xorwow.cuh: what the peers on cuRAND's XORWOW share: a state for each thread, normals in pairs,
 * as many blocks as fill the GPU, and the mean of what threads have summed. */
#pragma once
#include "bench/peers/peer.cuh"

#include <cmath>
#include <curand_kernel.h>

__global__ void xorwow_states(curandStateXORWOW_t *states, unsigned long long seed)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(seed, i, 0, &states[i]);
}

__device__ __forceinline__ float2 xorwow_pair(curandStateXORWOW_t *state, float)
{
    return curand_normal2(state);
}
__device__ __forceinline__ double2 xorwow_pair(curandStateXORWOW_t *state, double)
{
    return curand_normal2_double(state);
}

template <class F>
static int xorwow_blocks(F *kernel, int threads)
{
    int device = 0, processors = 0, resident = 0;
    PEER_CHECK(cudaGetDevice(&device));
    PEER_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    PEER_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0));
    return processors * resident * 4;
}

/* Paths of each of so many threads. */
static int xorwow_paths(size_t threads)
{
    return std::max(1, (int)(peer_paths((double)(1 << 28)) / (double)threads));
}

/* The mean of all paths' values and, where sums of squares follow the threads' sums, its standard
 * error. */
template <class R>
static double xorwow_mean(const R *sums, size_t n, size_t threads, double paths, double *error)
{
    std::vector<R> host(n);
    double total = 0.0, squares = 0.0;
    PEER_CHECK(cudaMemcpy(host.data(), sums, n * sizeof(R), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < threads; ++i) total += host[i];
    for (size_t i = threads; i < n; ++i) squares += host[i];
    const double mean = total / paths;
    *error = std::sqrt((squares / paths - mean * mean) / paths);
    return mean;
}
