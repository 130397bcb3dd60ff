/* fused_host.cpp: the CUDA kernel on a machine without a GPU: fused.cu compiled as C++ behind the shape of a plan, its 256
 * threads as 256 threads of the host that meet at a barrier. test_cuda_emulated.c compiles and runs it: what the kernel's own
 * code computes must be the CPU's bits. shape.h says HOST_SHARED, the bytes of shared memory that a launch asks for, and a
 * kernel that writes behind them fails. Usage: fused_host IMAGE SUMS. IMAGE: the tile, the image, the table of
 * normals, and given numbers where the image has such; SUMS is written. */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>

#define __CUDACC__ 1
#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __noinline__
#define __constant__ static
#define __shared__
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __grid_constant__

#include "tests/host_words.h"

struct host_index { unsigned x; };
static thread_local host_index threadIdx, blockIdx;
static host_index gridDim;
static pthread_barrier_t host_barrier;
static inline void __syncthreads() { pthread_barrier_wait(&host_barrier); }
static pthread_barrier_t host_warp[8];
static inline void __syncwarp() { pthread_barrier_wait(&host_warp[threadIdx.x / 32]); }
static double host_shuffled[256];
static inline double __shfl_down_sync(unsigned, double x, unsigned by)
{
    const unsigned at = threadIdx.x;
    host_shuffled[at] = x;
    pthread_barrier_wait(&host_warp[at / 32]);
    x = at % 32 + by < 32 ? host_shuffled[at + by] : x;
    pthread_barrier_wait(&host_warp[at / 32]);
    return x;
}
static unsigned host_shuffled_words[256];
static inline unsigned __shfl_xor_sync(unsigned, unsigned x, unsigned by)
{
    const unsigned at = threadIdx.x;
    host_shuffled_words[at] = x;
    pthread_barrier_wait(&host_warp[at / 32]);
    x = host_shuffled_words[at ^ by];
    pthread_barrier_wait(&host_warp[at / 32]);
    return x;
}
static inline unsigned host_word_of(unsigned x, unsigned at, unsigned other)
{
    host_shuffled_words[at] = x;
    pthread_barrier_wait(&host_warp[at / 32]);
    x = host_shuffled_words[other];
    pthread_barrier_wait(&host_warp[at / 32]);
    return x;
}
static inline unsigned __shfl_sync(unsigned, unsigned x, unsigned lane)
{
    return host_word_of(x, threadIdx.x, (threadIdx.x & ~31u) | (lane & 31));
}
static inline unsigned __shfl_up_sync(unsigned, unsigned x, unsigned by)
{
    return host_word_of(x, threadIdx.x, threadIdx.x % 32 < by ? threadIdx.x : threadIdx.x - by);
}
static inline bool __all_sync(unsigned, bool x)
{
    unsigned all = x;
    for (unsigned by = 1; by < 32; by *= 2) all &= __shfl_xor_sync(0, all, by);
    return all;
}
extern unsigned char fused_shared[];
alignas(128) unsigned char fused_shared[1 << 20];

#include "shape.h"

#include "kernels/cuda/kernels/fused.cu"
#include "kernels/cuda/compile/normal_table.h"

/* What lies behind the shared memory that a launch asks for: no kernel writes there. */
static const unsigned char host_guard = 0xff;
static bool guard_is_whole()
{
    for (size_t i = HOST_SHARED; i < sizeof fused_shared; ++i)
        if (fused_shared[i] != host_guard) return false;
    return true;
}

static levy_tile tile;
static char *bytes;
static levy_block_sum *sums;
static real *record;
static uint64_t n_blocks;
static char *given;
static float normals[LEVY_NORMAL_FLOATS];
static unsigned split = 1; /* CTAs that share a block */
static double *values;

/* The tile's factors, as a launch passes them. */
static fused_factors factors()
{
    const levy_image *const image = (const levy_image *)bytes;
    fused_factors f;
    const size_t reals = sizeof f.v / sizeof f.v[0];
    memcpy(f.v, LEVY_IMAGE_AT(real, image, factor) + tile.first_dynamics * reals, sizeof f.v);
    return f;
}

static void *run(void *argument)
{
    threadIdx.x = (unsigned)(uintptr_t)argument;
    for (uint64_t b = 0; b < gridDim.x; ++b) {
        blockIdx.x = (unsigned)b;
        levy_simulate(bytes, 0, n_blocks, tile.first_output, tile.first_item, tile.first_dynamics, sums, (const float4 *)normals, record, given, n_blocks * LEVY_BLOCK_PATHS, split, values, factors());
        __syncthreads();
    }
#if PATH_split
    for (uint64_t b = 0; split > 1 && b < n_blocks * PATH_outputs; ++b) {
        blockIdx.x = (unsigned)b;
        levy_columns(bytes, 0, tile.first_output, tile.first_item, values, sums);
        __syncthreads();
    }
#endif
    return nullptr;
}

static bool run_all()
{
    pthread_t threads[LEVY_COLUMNS];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 1 << 20);
    for (uintptr_t i = 0; i < LEVY_COLUMNS; ++i)
        if (pthread_create(&threads[i], &attributes, run, (void *)i) != 0) return false;
    for (pthread_t thread : threads) pthread_join(thread, nullptr);
    return true;
}

static bool load(const char *path)
{
    FILE *const f = fopen(path, "rb");
    levy_image head;
    if (!f || fread(&tile, sizeof tile, 1, f) != 1 || fread(&head, sizeof head, 1, f) != 1) return false;
    bytes = (char *)aligned_alloc(64, head.bytes);
    fseek(f, (long)sizeof tile, SEEK_SET);
    const bool good = bytes && fread(bytes, head.bytes, 1, f) == 1 && fread(normals, sizeof normals, 1, f) == 1;
    n_blocks = head.blocks * head.n_replicates;
    const size_t n_given = n_blocks * levy_given_bytes(&head);
    given = (char *)calloc(n_given + 1, 1);
    const bool all = given && fread(given, 1, n_given, f) == n_given;
    fclose(f);
    return good && all;
}

int main(int count, char **arguments)
{
    if (count != 3 || !load(arguments[1])) return 2;
    sums = (levy_block_sum *)calloc(n_blocks * PATH_outputs, sizeof *sums);
    const size_t n_record = PATH_record ? n_blocks * levy_record_reals((const levy_image *)bytes) : 0;
    if (n_record) record = (real *)calloc(n_record, sizeof *record);
    pthread_barrier_init(&host_barrier, nullptr, LEVY_COLUMNS);
    for (pthread_barrier_t &warp : host_warp) pthread_barrier_init(&warp, nullptr, 32);
    memset(fused_shared, host_guard, sizeof fused_shared);
    gridDim.x = (unsigned)((n_blocks + 2) / 3); /* up to three blocks in turn */
    if (!run_all()) return 3;
#if PATH_split
    if (n_blocks <= 4 && !PATH_record && LEVY_LANES < LEVY_BLOCK_ROWS) { /* blocks that are shared have the same bits */
        levy_block_sum *const whole = sums;
        split = LEVY_BLOCK_ROWS / LEVY_LANES;
        gridDim.x = (unsigned)n_blocks * split;
        values = (double *)calloc(n_blocks * PATH_outputs * LEVY_BLOCK_PATHS, sizeof *values);
        sums = (levy_block_sum *)calloc(n_blocks * PATH_outputs, sizeof *sums);
        if (!run_all()) return 3;
        if (memcmp(sums, whole, n_blocks * PATH_outputs * sizeof *sums) != 0) return 5;
    }
#endif
    if (!guard_is_whole()) return 6;
    FILE *const f = fopen(arguments[2], "wb");
    const bool good = f && fwrite(sums, sizeof *sums, n_blocks * PATH_outputs, f) == n_blocks * PATH_outputs && fwrite(record, sizeof *record, n_record, f) == n_record;
    return f && fclose(f) == 0 && good ? 0 : 4;
}
