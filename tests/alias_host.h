/* alias_host.h: just enough of a GPU, its runtime and CUB for kernels/samplers/alias/*.cu to be
 * compiled as C++ and run: the threads of a block are contexts that take turns, blocks run one
 * after the other, device memory is the host's, filled with rubbish. */
#ifndef LEVY_TESTS_ALIAS_HOST_H
#define LEVY_TESTS_ALIAS_HOST_H

#define LEVY_ALIAS_HOST 1
#include "tests/host_block.h"

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
static unsigned __ballot_sync(unsigned, bool value)
{
    static bool values[HOST_THREADS];
    const unsigned me = threadIdx.x;
    values[me] = value;
    host_warp_meet();
    unsigned bits = 0;
    for (unsigned lane = 0; lane < 32; ++lane) bits |= (unsigned)values[(me & ~31u) + lane] << lane;
    host_warp_meet();
    return bits;
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
static T atomicAdd(T *place, T value)
{
    const T before = *place;
    *place += value;
    return before;
}

/* ---- The runtime ----------------------------------------------------------------------------- */

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

#define ALIAS_SHARED(type, name) type *const name = reinterpret_cast<type *>(host_shared)

#include "kernels/samplers/alias/alias_cuda_table.cuh"

template <class Kernel, class... Arguments>
static levy_status alias_launch(levy_alias_cuda *, Kernel *kernel, uint64_t blocks,
                                unsigned threads, size_t shared, Arguments... arguments)
{
    if (blocks == 0 || blocks > 0x7FFFFFFF || threads > HOST_THREADS || shared > 227 << 10)
        return LEVY_DEVICE;
    host_launch(blocks, threads, [&] { kernel(arguments...); });
    return LEVY_OK;
}

/* ---- What CUB does --------------------------------------------------------------------------- */

#include "kernels/samplers/alias/alias_block.cuh"

template <class W>
static int alias_cub_partition(void *temporary, size_t *bytes, const W *weights, uint64_t n,
                               const alias_scale &scale, uint32_t *items, uint32_t *n_lights, int)
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
static int alias_cub_sums(void *temporary, size_t *bytes, const W *weights,
                          const alias_scale &scale, bool heavy, const uint32_t *items, uint64_t n,
                          alias_entry *entries, int)
{
    alias_wide sum = 0;
    *bytes = 1;
    for (uint64_t k = 0; temporary && k < n; ++k) {
        const alias_wide q = alias_quantise(&scale, (double)weights[items[k]]),
                         one = alias_one(&scale);
        sum += heavy ? q - one : one - q;
        entries[k] = alias_entry_make(sum, items[k]);
    }
    return 0;
}

#endif
