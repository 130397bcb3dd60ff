/* copies.cuh: the kernels that the bridge is held against and fed with: copies in several patterns,
 * normals from a hash, a count of differences, an Asian payoff on stored paths. */
#ifndef LEVY_BENCH_COPIES_CUH
#define LEVY_BENCH_COPIES_CUH

#include <cstddef>
#include <cstdint>

/* Copies. In one line over all bytes, strided by the grid: */
__global__ void copy_line(const uint4 *from, uint4 *to, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        to[i] = from[i];
}
/* ... several at once, each block its own piece: */
template <int K, bool streams>
__global__ void copy_piece(const uint4 *from, uint4 *to, size_t n)
{
    const size_t first = blockIdx.x * (size_t)blockDim.x * K + threadIdx.x;
    uint4 v[K];
#pragma unroll
    for (int k = 0; k < K; ++k)
        if (first + k * blockDim.x < n)
            v[k] = streams ? __ldcs(from + first + k * blockDim.x) : from[first + k * blockDim.x];
#pragma unroll
    for (int k = 0; k < K; ++k)
        if (first + k * blockDim.x < n) {
            if (streams)
                __stcs(to + first + k * blockDim.x, v[k]);
            else
                to[first + k * blockDim.x] = v[k];
        }
}
/* ... and as a bridge does: a thread takes its paths through all rows, K rows under way. */
template <class Word, int K, bool streams>
__global__ void copy_rows(const Word *from, Word *to, size_t words, int rows)
{
    const size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (at >= words) return;
    for (int r = 0; r < rows; r += K) {
        Word v[K];
#pragma unroll
        for (int k = 0; k < K; ++k)
            v[k] = streams ? __ldcs(from + (size_t)(r + k) * words + at)
                           : from[(size_t)(r + k) * words + at];
#pragma unroll
        for (int k = 0; k < K; ++k) {
            if (streams)
                __stcs(to + (size_t)(r + k) * words + at, v[k]);
            else
                to[(size_t)(r + k) * words + at] = v[k];
        }
    }
}

__device__ uint32_t hash(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)(x >> 32);
}
template <class Real>
__global__ void fill(Real *to, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        to[i] = (Real)(float)normcdfinv((hash(i) + 0.5) / 4294967296.0);
}
__global__ void differ(const uint4 *a, const uint4 *b, size_t n, unsigned long long *count)
{
    unsigned long long mine = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        mine += a[i].x != b[i].x || a[i].y != b[i].y || a[i].z != b[i].z || a[i].w != b[i].w;
    if (mine) atomicAdd(count, mine);
}
/* Payoffs of one path per thread from stored paths: an arithmetic and a geometric Asian call. */
__global__ void asian(const float *x, size_t paths, int steps, float spot, float drift,
                      float volatility, float strike, double *sums)
{
    const size_t p = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    float sum = 0.0f, logs = 0.0f, arithmetic = 0.0f, geometric = 0.0f;
    if (p < paths) {
#pragma unroll 8
        for (int i = 0; i < steps; ++i) {
            const float l = drift * (float)(i + 1) + volatility * __ldcs(x + (size_t)i * paths + p);
            logs += l;
            sum += __expf(l);
        }
        arithmetic = fmaxf(spot * sum / (float)steps - strike, 0.0f);
        geometric = fmaxf(spot * __expf(logs / (float)steps) - strike, 0.0f);
    }
    for (int half = 16; half > 0; half /= 2) {
        arithmetic += __shfl_down_sync(0xffffffffu, arithmetic, half);
        geometric += __shfl_down_sync(0xffffffffu, geometric, half);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(sums, (double)arithmetic);
        atomicAdd(sums + 1, (double)geometric);
    }
}

#endif
