/* alias_host.h: just enough of a GPU, its runtime and CUB for kernels/alias/*.cu to be compiled as C++ and run: the
 * threads of a block are contexts that take turns, blocks run one after the other, device memory is the host's, filled
 * with rubbish. */
#ifndef LEVY_TESTS_ALIAS_HOST_H
#define LEVY_TESTS_ALIAS_HOST_H

#define LEVY_ALIAS_HOST 1
#define __CUDACC__ 1
#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __shared__ static
#define __launch_bounds__(...)

#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <ucontext.h>
#include <vector>

struct host_index {
    unsigned x;
};
struct uint4 {
    unsigned x, y, z, w;
};
struct uint2 {
    unsigned x, y;
};
static host_index threadIdx, blockIdx, blockDim, gridDim;

/* ---- Threads of a block ------------------------------------------------------------------------------------------ */

enum { HOST_THREADS = 1024, HOST_STACK = 64 << 10 };
static ucontext_t host_contexts[HOST_THREADS]; /* to start with; then jumps, which cost no system call */
static jmp_buf host_scheduler, host_places[HOST_THREADS];
static bool host_done[HOST_THREADS];
static unsigned host_current;
static unsigned host_running, host_running_of[HOST_THREADS / 32]; /* in the block, in its warps */
static std::function<void()> host_body;
static std::vector<char> host_stacks((size_t)HOST_THREADS *HOST_STACK);

static void host_yield()
{
    if (_setjmp(host_places[host_current]) == 0) _longjmp(host_scheduler, 1);
}
static void host_enter()
{
    host_body();
    host_done[host_current] = true;
    --host_running;
    --host_running_of[host_current / 32];
    _longjmp(host_scheduler, 1);
}

/* Threads meet when all that still run have come; a thread that has ended counts as come. */
struct host_meeting {
    unsigned arrived, round;
};
static host_meeting host_block, host_warps[HOST_THREADS / 32];
static void host_meet(host_meeting *m, const unsigned *running)
{
    const unsigned round = m->round;
    ++m->arrived;
    while (m->round == round) {
        if (m->arrived >= *running) {
            m->arrived = 0;
            ++m->round;
        } else {
            host_yield();
        }
    }
}
static void __syncthreads() { host_meet(&host_block, &host_running); }
static int host_or[2];
static int __syncthreads_or(int value)
{
    const unsigned slot = host_block.round % 2; /* two in turn: a fast thread may be one round ahead */
    host_or[slot] |= value;
    __syncthreads();
    const int result = host_or[slot];
    host_or[1 - slot] = 0;
    return result;
}
static void host_warp_meet() { host_meet(&host_warps[threadIdx.x / 32], &host_running_of[threadIdx.x / 32]); }

template <class T>
static T host_shuffle_up(const T &value, unsigned by)
{
    static T values[HOST_THREADS];
    const unsigned me = threadIdx.x;
    values[me] = value;
    host_warp_meet();
    const T result = me % 32 >= by ? values[me - by] : value;
    host_warp_meet();
    return result;
}
template <class T>
static T host_shuffle(const T &value, unsigned lane)
{
    static T values[HOST_THREADS];
    const unsigned me = threadIdx.x;
    values[me] = value;
    host_warp_meet();
    const T result = values[(me & ~31u) + lane % 32];
    host_warp_meet();
    return result;
}
static uint32_t __reduce_add_sync(unsigned, uint32_t value)
{
    static uint32_t values[HOST_THREADS];
    const unsigned me = threadIdx.x;
    values[me] = value;
    host_warp_meet();
    uint32_t sum = 0;
    for (unsigned t = me & ~31u; t < (me & ~31u) + 32; ++t) sum += values[t];
    host_warp_meet();
    return sum;
}
template <class T>
static void atomicMin(T *place, T value)
{
    *place = value < *place ? value : *place;
}
template <class T>
static void atomicMax(T *place, T value)
{
    *place = value > *place ? value : *place;
}
template <class T>
static void atomicAdd(T *place, T value)
{
    *place += value;
}

static void host_resume(unsigned t, bool started)
{
    host_current = threadIdx.x = t;
    if (_setjmp(host_scheduler)) return;
    if (started) _longjmp(host_places[t], 1);
    setcontext(&host_contexts[t]);
}

static void host_block_run(unsigned threads)
{
    host_running = threads;
    for (unsigned t = 0; t < threads; ++t) {
        host_running_of[t / 32] = t % 32 + 1;
        host_done[t] = false;
        getcontext(&host_contexts[t]);
        host_contexts[t].uc_stack.ss_sp = &host_stacks[(size_t)t * HOST_STACK];
        host_contexts[t].uc_stack.ss_size = HOST_STACK;
        host_contexts[t].uc_link = nullptr;
        makecontext(&host_contexts[t], host_enter, 0);
    }
    for (bool started = false, left = true; left; started = true) {
        left = false;
        for (unsigned t = 0; t < threads; ++t)
            if (!host_done[t]) {
                host_resume(t, started);
                left |= !host_done[t];
            }
    }
}

static void host_launch(uint64_t blocks, unsigned threads, const std::function<void()> &body)
{
    gridDim.x = (unsigned)blocks;
    blockDim.x = threads;
    host_body = body;
    for (uint64_t b = 0; b < blocks; ++b) {
        blockIdx.x = (unsigned)b;
        host_block_run(threads);
    }
}

/* ---- The runtime ------------------------------------------------------------------------------------------------- */

typedef int cudaError_t;
typedef int cudaStream_t;
enum {
    cudaSuccess,
    cudaErrorMemoryAllocation,
    cudaMemcpyDeviceToHost,
    cudaMemcpyHostToDevice,
    cudaDevAttrMultiProcessorCount
};
static const char *cudaGetErrorString(int) { return "none"; }
static int cudaGetDevice(int *device) { return *device = 0; }
static int cudaDeviceGetAttribute(int *value, int, int)
{
    *value = 3;
    return 0;
}
static int cudaMalloc(void **p, size_t size)
{
    *p = aligned_alloc(256, (size + 255) / 256 * 256);
    if (*p) memset(*p, 0xA5, size);
    return *p ? 0 : 1;
}
static int cudaMallocHost(void **p, size_t size) { return cudaMalloc(p, size); }
static int cudaFree(void *p)
{
    free(p);
    return 0;
}
static int cudaFreeHost(void *p)
{
    free(p);
    return 0;
}
static int cudaMemsetAsync(void *p, int value, size_t size, int)
{
    memset(p, value, size);
    return 0;
}
static int cudaMemcpy(void *to, const void *from, size_t size, int)
{
    memcpy(to, from, size);
    return 0;
}
static int cudaMemcpyAsync(void *to, const void *from, size_t size, int, int)
{
    memcpy(to, from, size);
    return 0;
}
static int cudaStreamSynchronize(int) { return 0; }

alignas(64) static unsigned char host_shared[256 << 10];
#define ALIAS_SHARED(type, name) type *const name = reinterpret_cast<type *>(host_shared)

#include "kernels/alias/alias_cuda_table.cuh"

template <class Kernel, class... Arguments>
static levy_status alias_launch(levy_alias_cuda *, Kernel *kernel, uint64_t blocks, unsigned threads, size_t shared,
                                Arguments... arguments)
{
    if (blocks == 0 || blocks > 0x7FFFFFFF || threads > HOST_THREADS || shared > 227 << 10) return LEVY_DEVICE;
    host_launch(blocks, threads, [&] { kernel(arguments...); });
    return LEVY_OK;
}

/* ---- What CUB does ----------------------------------------------------------------------------------------------- */

#include "kernels/alias/alias_block.cuh"

struct alias_chain {
    alias_tally *sums;
}; /* blocks come in order: the sum of all before is there */
struct alias_chain_storage {
    int none;
};
static size_t alias_chain_size(uint32_t tiles) { return tiles * sizeof(alias_tally); }
static alias_chain alias_chain_at(void *memory, size_t, uint32_t) { return {(alias_tally *)memory}; }
static void alias_chain_reset(alias_chain, uint32_t) {}
static alias_tally chain_sum(const alias_chain &c, uint32_t tile)
{
    return tile ? c.sums[tile - 1] : tally_make(0, 0, 0, 0);
}
static void chain_publish(alias_chain &c, uint32_t tile, const alias_tally &own)
{
    c.sums[tile] = tally_add(chain_sum(c, tile), own);
}
static alias_tally chain_before(alias_chain &c, alias_chain_storage &, uint32_t tile, const alias_tally &)
{
    return chain_sum(c, tile);
}

template <class W>
static int alias_cub_partition(void *temporary, size_t *bytes, const W *weights, uint64_t n, const alias_scale &scale,
                               uint32_t *items, uint32_t *n_lights, int)
{
    *bytes = 1;
    if (!temporary) return 0;
    uint64_t light = 0, heavy = n;
    for (uint64_t i = 0; i < n; ++i)
        if (alias_quantise(&scale, (double)weights[i]) < alias_one(&scale))
            items[light++] = (uint32_t)i;
        else
            items[--heavy] = (uint32_t)i;
    *n_lights = (uint32_t)light;
    return 0;
}
template <class W>
static int alias_cub_sums(void *temporary, size_t *bytes, const W *weights, const alias_scale &scale, bool heavy,
                          const uint32_t *items, uint64_t n, alias_entry *entries, int)
{
    alias_wide sum = 0;
    *bytes = 1;
    for (uint64_t k = 0; temporary && k < n; ++k) {
        const alias_wide q = alias_quantise(&scale, (double)weights[items[k]]), one = alias_one(&scale);
        sum += heavy ? q - one : one - q;
        entries[k] = alias_entry_make(sum, items[k]);
    }
    return 0;
}

#endif
