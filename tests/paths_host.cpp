/* paths_host.cpp: paths.cu on a machine without a GPU: compiled as C++ behind one shape, the
 * threads of the one block as threads of the host that meet at barriers. test_cuda_points.c
 * compiles and runs it. Usage: paths_host INPUT OUTPUT. INPUT: bytes of the output, where in it the
 * pointer is, bytes of the data and of the constants (uint64 each), the arguments, the data, the
 * constants. OUTPUT: what the kernel wrote, over bytes of 0xff. */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <vector>

#define __CUDACC__ 1
#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __noinline__
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __launch_bounds__(...)
#define NORMALS_HOST
#define BRIDGE_FN static inline
#define BRIDGE_FN_MEMBER inline

#include "tests/host_words.h"

struct host_index {
    unsigned x, y;
};
static thread_local host_index threadIdx;
static host_index blockIdx, gridDim = {1, 1};
static pthread_barrier_t host_barrier;
static inline void __syncthreads() { pthread_barrier_wait(&host_barrier); }
static inline void __syncwarp() { pthread_barrier_wait(&host_barrier); } /* all warps come here */
extern unsigned char normals_shared[];
alignas(128) unsigned char normals_shared[1 << 17];

#include "shape.h"

#undef PATHS_KERNELS
#include "kernels/cuda/kernels/paths.cu"

static paths_arguments arguments;
static bridge_constants<bridge_shape> constants;
alignas(128) static unsigned char shared[1 << 20];

static void *run(void *thread)
{
    threadIdx.x = (unsigned)(uintptr_t)thread;
    paths_run<bridge_shape>(&arguments, constants, shared);
    return nullptr;
}

static bool take(FILE *f, void *to, uint64_t bytes)
{
    return bytes == 0 || fread(to, bytes, 1, f) == 1;
}

int main(int count, char **words)
{
    static pthread_t threads[PATHS_THREADS];
    uint64_t head[4];
    pthread_attr_t attributes;
    FILE *f = count == 3 ? fopen(words[1], "rb") : nullptr;
    if (!f || !take(f, head, sizeof head) || !take(f, &arguments, sizeof arguments)) return 2;
    unsigned char *const data = (unsigned char *)aligned_alloc(64, (head[2] + 127) / 64 * 64);
    if (!take(f, data, head[2]) || head[3] != sizeof constants || !take(f, &constants, head[3]))
        return 3;
    fclose(f);
    unsigned char *const output = (unsigned char *)aligned_alloc(64, (head[0] + 63) / 64 * 64);
    std::memset(output, 0xff, head[0]);
    const uintptr_t device = (uintptr_t)arguments.normals.table;
    arguments.normals.output = (normals_number *)(output + head[1]);
    arguments.normals.numbers =
        (const uint32_t *)(data + ((uintptr_t)arguments.normals.numbers - device));
    arguments.normals.table = (const float *)data;
    arguments.program =
        (const bridge_record<real> *)(data + ((uintptr_t)arguments.program - device));
    if (arguments.drift)
        arguments.drift = (const real *)(data + ((uintptr_t)arguments.drift - device));
    pthread_barrier_init(&host_barrier, nullptr, PATHS_THREADS);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    for (uintptr_t i = 0; i < PATHS_THREADS; ++i)
        if (pthread_create(&threads[i], &attributes, run, (void *)i) != 0) return 4;
    for (pthread_t thread : threads) pthread_join(thread, nullptr);
    f = fopen(words[2], "wb");
    const bool good = f && fwrite(output, head[0], 1, f) == 1;
    return f && fclose(f) == 0 && good ? 0 : 5;
}
