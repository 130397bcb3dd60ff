/* host_butterfly.h: the kernels of kernels/samplers/butterfly/ on the host (host_block.h): shuffles
 * between the threads of a warp, shared memory, loads that must be aligned. Must not know: which
 * kernels. */
#ifndef LEVY_TESTS_HOST_BUTTERFLY_H
#define LEVY_TESTS_HOST_BUTTERFLY_H

#define LEVY_BUTTERFLY_HOST 1
#include "tests/host_block.h"

struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) double2 {
    double x, y;
};
#define BUTTERFLY_SHARED(type, name) type *const name = reinterpret_cast<type *>(host_shared)
template <class T>
static T warp_from(T value, unsigned lane)
{
    return host_shuffle(value, lane);
}
template <class T>
static T warp_across(T value, unsigned bit)
{
    return host_shuffle(value, threadIdx.x % 32 ^ bit);
}
static void warp_meet() { host_warp_meet(); }
static void block_meet() { __syncthreads(); }
static int misaligned;
template <class P>
static P load_often(const P *at)
{
    misaligned += (uintptr_t)at % sizeof(P) != 0; /* a GPU would stop */
    P value;
    memcpy(&value, at, sizeof value);
    return value;
}
template <class P>
static P load_once(const P *at)
{
    return load_often(at);
}

#endif
