/* normals_host.cpp: normals.cu on a machine without a GPU: compiled as C++ behind one shape, its
 * threads one after the other, as they never meet. test_cuda_points.c compiles and runs it. Usage:
 * normals_host INPUT OUTPUT. INPUT: the grid, bytes of the output, where in it the pointer is, bytes of the data (uint64 each),
 * the arguments, then the data. OUTPUT: what the kernel wrote, over bytes of 0xff. */
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
#define __grid_constant__
#define __launch_bounds__(...)
#define __noinline__
#define NORMALS_HOST

#include "tests/host_words.h"

struct host_index {
    unsigned x, y;
};
static host_index threadIdx, blockIdx, gridDim;

extern unsigned char normals_shared[];
alignas(128) unsigned char normals_shared[1 << 18];

#include "shape.h"

#undef NORMALS_KERNELS
#include "kernels/cuda/kernels/normals.cu"

int main(int count, char **arguments)
{
    uint64_t head[5];
    normals_arguments a;
    FILE *f = count == 3 ? fopen(arguments[1], "rb") : nullptr;
    if (!f || fread(head, sizeof head, 1, f) != 1 || fread(&a, sizeof a, 1, f) != 1) return 2;
    unsigned char *const data = (unsigned char *)aligned_alloc(64, (head[4] + 127) / 64 * 64);
    if (head[4] && fread(data, head[4], 1, f) != 1) return 2;
    fclose(f);
    unsigned char *const output = (unsigned char *)aligned_alloc(64, (head[2] + 63) / 64 * 64);
    std::memset(output, 0xff, head[2]);
    a.output = (normals_number *)(output + head[3]);
    a.numbers = (const uint32_t *)(data + ((uintptr_t)a.numbers - (uintptr_t)a.table));
    a.table = data;
    a.words = (const uint32_t *)(data + (uintptr_t)a.words); /* behind the generator's numbers */
    gridDim = {(unsigned)head[0], (unsigned)head[1]};
    for (blockIdx.y = 0; blockIdx.y < gridDim.y; ++blockIdx.y)
        for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
            for (unsigned i = 0; i < 2 * NORMALS_THREADS; ++i) {
                threadIdx.x = i % NORMALS_THREADS;
                i < NORMALS_THREADS ? normals_stage(&a) : normals_all(&a);
            }
    f = fopen(arguments[2], "wb");
    const bool good = f && fwrite(output, head[2], 1, f) == 1;
    return f && fclose(f) == 0 && good ? 0 : 4;
}
