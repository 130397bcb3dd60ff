/* sampler_host.cpp: sampler.cu on a machine without a GPU: compiled as C++ behind its shape, its
 * threads one after the other, step by step where they meet. test_cuda_sampler.c compiles and runs
 * it. Usage: sampler_host INPUT OUTPUT. INPUT: the work, blocks, bytes of the output, where in it the
 * pointer is, bytes of the table, bytes of the numbers u (uint64 each), the arguments, then table
 * and numbers. OUTPUT: what the kernel made of bytes of 0xff. */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define __CUDACC__ 1
#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __noinline__

#include "tests/host_words.h"

struct host_index {
    unsigned x, y;
};
static host_index threadIdx, blockIdx, gridDim;

static uint32_t sampler_own[4096];
static void atomicAdd(uint32_t *at, uint32_t x) { *at += x; }

#include "shape.h"

#undef SAMPLER_KERNELS
#include "kernels/cuda/kernels/sampler.cu"

typedef void (*host_step)(const sampler_arguments *a);

static void host_run(uint64_t work, const sampler_arguments *a)
{
    static const host_step steps[3][3] = {
        {sampler_draw_all, nullptr, nullptr},
        {sampler_invert_all, nullptr, nullptr},
        {sampler_count_clear, sampler_count_all, sampler_count_add}};
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
        for (int s = 0; s < 3 && steps[work][s]; ++s)
            for (threadIdx.x = 0; threadIdx.x < SAMPLER_THREADS; ++threadIdx.x) steps[work][s](a);
}

int main(int count, char **arguments)
{
    uint64_t head[6];
    sampler_arguments a;
    FILE *f = count == 3 ? fopen(arguments[1], "rb") : nullptr;
    if (!f || fread(head, sizeof head, 1, f) != 1 || fread(&a, sizeof a, 1, f) != 1) return 2;
    unsigned char *const data = (unsigned char *)aligned_alloc(64, (head[4] + 127) / 64 * 64),
                         *const u = (unsigned char *)aligned_alloc(64, (head[5] + 127) / 64 * 64);
    if (fread(data, head[4], 1, f) != 1 || (head[5] && fread(u, head[5], 1, f) != 1)) return 2;
    fclose(f);
    unsigned char *const output = (unsigned char *)aligned_alloc(64, (head[2] + 63) / 64 * 64);
    std::memset(output, 0xff, head[2]);
    const uintptr_t from = (uintptr_t)a.rows;
    a.rows = (const uint2 *)data;
    a.thresholds = (const double *)(data + ((uintptr_t)a.thresholds - from));
    a.cumulative = (const double *)(data + ((uintptr_t)a.cumulative - from));
    a.start = (const uint32_t *)(data + ((uintptr_t)a.start - from));
    a.u = (const double *)u;
    a.output = (uint32_t *)(output + head[3]);
    gridDim = {(unsigned)head[1], 1};
    host_run(head[0], &a);
    f = fopen(arguments[2], "wb");
    const bool good = f && fwrite(output, head[2], 1, f) == 1;
    return f && fclose(f) == 0 && good ? 0 : 4;
}
