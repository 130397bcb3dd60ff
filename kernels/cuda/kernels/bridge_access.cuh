/* bridge_access.cuh: how bridge.cu moves numbers: neighbouring paths as vectors, streams past the
 * caches, copies that pass the registers by (cp.async, and sm_90's bulk copies with their
 * barriers). On the host (its pass of nvcc, tests) copies are plain ones. Must not know: bridges.
 */
#ifndef LEVY_CUDA_BRIDGE_ACCESS_CUH
#define LEVY_CUDA_BRIDGE_ACCESS_CUH

#include "kernels/lane/target.h"

#if LANE_GPU_ALONE
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#else
#include <stdint.h>
#endif

#if !defined(BRIDGE_FN)
#define BRIDGE_FN static __device__ __forceinline__
#define BRIDGE_FN_MEMBER __device__ __forceinline__
#endif

/* ---- Numbers of neighbouring paths ----------------------------------------------------------- */

template <class Real, int V>
struct alignas(sizeof(Real) * V) bridge_pack {
    Real v[V];
};

template <int bytes>
struct bridge_word; /* what one access moves */
template <>
struct bridge_word<4> {
    typedef unsigned int type;
};
template <>
struct bridge_word<8> {
    typedef uint2 type;
};
template <>
struct bridge_word<16> {
    typedef uint4 type;
};

template <class Real, int V>
struct bridge_words {
    enum { bytes = (int)sizeof(Real) * V, each = bytes < 16 ? bytes : 16, count = bytes / each };
    typedef typename bridge_word<each>::type word;
    union both {
        word w[count];
        Real v[V];
    };
};

template <class Real, int V, bool streams>
BRIDGE_FN void bridge_load(const Real *at, Real v[V])
{
    typedef bridge_words<Real, V> words;
    typename words::both b;
#pragma unroll
    for (int i = 0; i < words::count; ++i)
        b.w[i] = streams ? __ldcs((const typename words::word *)at + i)
                         : ((const typename words::word *)at)[i];
#pragma unroll
    for (int i = 0; i < V; ++i) v[i] = b.v[i];
}

template <class Real, int V, bool streams>
BRIDGE_FN void bridge_store(Real *at, const Real v[V])
{
    typedef bridge_words<Real, V> words;
    typename words::both b;
#pragma unroll
    for (int i = 0; i < V; ++i) b.v[i] = v[i];
#pragma unroll
    for (int i = 0; i < words::count; ++i)
        if (streams)
            __stcs((typename words::word *)at + i, b.w[i]);
        else
            ((typename words::word *)at)[i] = b.w[i];
}

/* The same without a hint, for shared memory. */
template <class Real, int V>
BRIDGE_FN void bridge_fetch(const void *at, Real v[V])
{
    typedef bridge_words<Real, V> words;
    typename words::both b;
#pragma unroll
    for (int i = 0; i < words::count; ++i) b.w[i] = ((const typename words::word *)at)[i];
#pragma unroll
    for (int i = 0; i < V; ++i) v[i] = b.v[i];
}

template <class Real, int V>
BRIDGE_FN void bridge_keep(void *at, const Real v[V])
{
    typedef bridge_words<Real, V> words;
    typename words::both b;
#pragma unroll
    for (int i = 0; i < V; ++i) b.v[i] = v[i];
#pragma unroll
    for (int i = 0; i < words::count; ++i) ((typename words::word *)at)[i] = b.w[i];
}

BRIDGE_FN float bridge_fma(float a, float b, float c) { return fmaf(a, b, c); }
BRIDGE_FN double bridge_fma(double a, double b, double c) { return fma(a, b, c); }

/* ---- Copies that pass the registers by ------------------------------------------------------- */

#if LANE_GPU_CODE
BRIDGE_FN unsigned bridge_address(const void *shared)
{
    return (unsigned)__cvta_generic_to_shared(shared);
}

template <int bytes>
BRIDGE_FN void bridge_copy(void *to, const void *from)
{
    if (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(bridge_address(to)),
                     "l"(from)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(bridge_address(to)),
                     "l"(from), "n"(bytes)
                     : "memory");
}
BRIDGE_FN void bridge_copy_end() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int pending>
BRIDGE_FN void bridge_copy_wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

#if LANE_GPU_BULK
BRIDGE_FN void bridge_barrier_make(uint64_t *barrier, unsigned count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bridge_address(barrier)),
                 "r"(count)
                 : "memory");
}
BRIDGE_FN void bridge_barrier_fence()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
BRIDGE_FN void bridge_barrier_expect(uint64_t *barrier, unsigned bytes)
{
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bridge_address(barrier)),
        "r"(bytes)
        : "memory");
}
BRIDGE_FN void bridge_barrier_arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bridge_address(barrier))
                 : "memory");
}
BRIDGE_FN void bridge_barrier_wait(uint64_t *barrier, unsigned parity)
{
    asm volatile("{\n\t.reg .pred done;\n\tagain:\n\t"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
                 "@done bra.uni end;\n\tbra.uni again;\n\tend:\n\t}" ::"r"(bridge_address(barrier)),
                 "r"(parity)
                 : "memory");
}
BRIDGE_FN void bridge_bulk(void *to, const void *from, unsigned bytes, uint64_t *barrier)
{
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(bridge_address(to)),
        "l"(from), "r"(bytes), "r"(bridge_address(barrier))
        : "memory");
}
#define BRIDGE_HAS_BULK 1
#endif
#elif !defined(BRIDGE_HOST_COPIES) /* the host pass: plain copies */
template <int bytes>
BRIDGE_FN void bridge_copy(void *to, const void *from)
{
    for (int i = 0; i < bytes; ++i) ((char *)to)[i] = ((const char *)from)[i];
}
BRIDGE_FN void bridge_copy_end() {}
template <int pending>
BRIDGE_FN void bridge_copy_wait()
{
}
#endif

#endif
