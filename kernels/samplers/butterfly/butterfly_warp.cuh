/* butterfly_warp.cuh: what all versions on a GPU share: a warp's 32 paths, how their weights are
 * read, shuffles, the order of butterfly.h for either precision. For nvcc and NVRTC;
 * tests/host_butterfly.h compiles it as C++ and stands in for shuffles and loads. Must not know:
 * where words come from. */
#ifndef LEVY_BUTTERFLY_WARP_CUH
#define LEVY_BUTTERFLY_WARP_CUH

#include "kernels/samplers/butterfly/butterfly_size.h"
#include "kernels/samplers/butterfly/butterfly_target.h"

#define BUTTERFLY_DEV static __device__ __forceinline__

/* How the kernels are built; bench/butterfly/ builds them otherwise too. LOADS: registers of theta
 * that a thread asks for together. THREADS: of a block. RESIDENT: blocks that a multiprocessor is
 * to hold, which bounds a thread's registers. IN_STEP: a block's warps go from items to items
 * together, so that rows of phi that one of them brought to the first cache are still there for the
 * others. LOAD_ONCE: how theta is read. */
#if !defined(BUTTERFLY_LOADS)
#define BUTTERFLY_LOADS 32
#endif
#if !defined(BUTTERFLY_THREADS)
#define BUTTERFLY_THREADS 128
#endif
#if !defined(BUTTERFLY_RESIDENT_SINGLE)
#define BUTTERFLY_RESIDENT_SINGLE 4
#define BUTTERFLY_RESIDENT_DOUBLE 3
#endif
#if !defined(BUTTERFLY_IN_STEP)
#define BUTTERFLY_IN_STEP 0
#endif
#if !defined(BUTTERFLY_LOAD_ONCE)
#define BUTTERFLY_LOAD_ONCE __ldcs
#endif

enum { BUTTERFLY_WARP = 32 };

template <class Real>
struct butterfly_tuning {
    enum {
        loads = BUTTERFLY_LOADS * 4 / sizeof(Real),
        resident = sizeof(Real) == 4 ? BUTTERFLY_RESIDENT_SINGLE : BUTTERFLY_RESIDENT_DOUBLE
    };
};

#if !defined(LEVY_BUTTERFLY_HOST)
#define BUTTERFLY_SHARED(type, name)                                                               \
    extern __shared__ __align__(16) unsigned char butterfly_shared[];                              \
    type *const name = reinterpret_cast<type *>(butterfly_shared)
template <class T>
BUTTERFLY_DEV T warp_from(T value, unsigned lane)
{
    return __shfl_sync(0xFFFFFFFFu, value, lane);
}
template <class T>
BUTTERFLY_DEV T warp_across(T value, unsigned bit)
{
    return __shfl_xor_sync(0xFFFFFFFFu, value, bit);
}
BUTTERFLY_DEV void warp_meet() { __syncwarp(); }
BUTTERFLY_DEV void block_meet() { __syncthreads(); }
template <class P>
BUTTERFLY_DEV P load_once(const P *at)
{
    return BUTTERFLY_LOAD_ONCE(at);
}
template <class P>
BUTTERFLY_DEV P load_often(const P *at)
{
    return __ldg(at);
}
#endif

/* ---- Either precision ------------------------------------------------------------------------ */

template <class Real, int V>
struct butterfly_pack; /* V neighbouring numbers, one load */
template <>
struct butterfly_pack<float, 1> {
    typedef float type;
};
template <>
struct butterfly_pack<float, 2> {
    typedef float2 type;
};
template <>
struct butterfly_pack<float, 4> {
    typedef float4 type;
};
template <>
struct butterfly_pack<double, 1> {
    typedef double type;
};
template <>
struct butterfly_pack<double, 2> {
    typedef double2 type;
};

/* The lowest levels of the tree: sums of the products inside a pack. */
BUTTERFLY_DEV float pack_sum(float a, float b) { return a * b; }
BUTTERFLY_DEV double pack_sum(double a, double b) { return a * b; }
BUTTERFLY_DEV float pack_sum(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
BUTTERFLY_DEV double pack_sum(double2 a, double2 b) { return a.x * b.x + a.y * b.y; }
BUTTERFLY_DEV float pack_sum(float4 a, float4 b)
{
    return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
}
BUTTERFLY_DEV bool drawable(float total) { return butterfly_drawable_single(total); }
BUTTERFLY_DEV bool drawable(double total) { return butterfly_drawable_double(total); }
BUTTERFLY_DEV float target_of(float total, uint32_t word)
{
    return butterfly_target_single(total, word);
}
BUTTERFLY_DEV double target_of(double total, uint32_t word)
{
    return butterfly_target_double(total, word);
}

/* ---- A warp's paths -------------------------------------------------------------------------- */

template <class Real>
struct butterfly_view {
    const Real *theta, *phi;
    const uint32_t *states, *words;
    uint32_t *items;
    uint64_t n_paths;
    /* from row to row: 32 bits, so that a row's place is one instruction */
    uint32_t theta_bytes, phi_bytes;
    uint32_t n_items, n_states, blocks; /* of items */
};

template <class Real>
BUTTERFLY_DEV const Real *row_at(const Real *rows, uint32_t row, uint32_t bytes)
{
    return reinterpret_cast<const Real *>(reinterpret_cast<const char *>(rows) +
                                          (uint64_t)row * bytes);
}

template <class Real>
BUTTERFLY_DEV uint32_t view_state(const butterfly_view<Real> &v, uint64_t path)
{
    const uint32_t state = v.states ? v.states[path] : 0;
    return state < v.n_states ? state : v.n_states - 1;
}

/* Lane r stands for path first + r. There are 32 paths at least, and the last warp takes the last
 * 32: it may repeat, and write once more, what the warp before it does, and no warp has to ask
 * whether it is full. */
template <class Real>
struct butterfly_warp {
    const butterfly_view<Real> &v;
    const Real *theta; /* the first path's row */
    unsigned lane;
    uint64_t path; /* the lane's own */
    uint32_t state;

    __device__ __forceinline__ butterfly_warp(const butterfly_view<Real> &view) : v(view)
    {
        const uint64_t wanted =
            ((uint64_t)blockIdx.x * (blockDim.x / BUTTERFLY_WARP) + threadIdx.x / BUTTERFLY_WARP) *
            BUTTERFLY_WARP;
        const uint64_t most = v.n_paths - BUTTERFLY_WARP, first = wanted < most ? wanted : most;
        lane = threadIdx.x % BUTTERFLY_WARP;
        theta = reinterpret_cast<const Real *>(reinterpret_cast<const char *>(v.theta) +
                                               first * v.theta_bytes);
        path = first + lane;
        state = view_state(v, path);
    }
    __device__ __forceinline__ const Real *theta_row(unsigned path) const
    {
        return row_at(theta, path, v.theta_bytes);
    }
    __device__ __forceinline__ const Real *phi_row(unsigned path) const
    {
        return row_at(v.phi, warp_from(state, path), v.phi_bytes);
    }
};

/* Sums of packs: of paths `path` to path + N - 1, items from `item` on; nothing where the row has
 * none. All are asked for before the first is used, and no lane branches: one past the row's end
 * reads the row's last pack, as its neighbour does. */
template <class Real, int V, int N>
BUTTERFLY_DEV void warp_read(const butterfly_warp<Real> &w, unsigned path, uint32_t item,
                             Real *sums)
{
    typedef typename butterfly_pack<Real, V>::type pack;
    pack a[N], b[N];
    const bool inside = item < w.v.n_items;
    const uint32_t at = inside ? item : w.v.n_items - V;
#pragma unroll
    for (int i = 0; i < N; ++i) {
        a[i] = load_once(reinterpret_cast<const pack *>(w.theta_row(path + i) + at));
        b[i] = load_often(reinterpret_cast<const pack *>(w.phi_row(path + i) + at));
    }
#pragma unroll
    for (int i = 0; i < N; ++i) sums[i] = inside ? pack_sum(a[i], b[i]) : (Real)0;
}

/* Lane k: weight k of block `block of path i` for each of the 32 paths i, each path's block being
 * its own lane's. */
template <class Real>
BUTTERFLY_DEV void warp_read_blocks(const butterfly_warp<Real> &w, uint32_t block, Real *weights)
{
    /* as many again of phi, and the products stay */
    enum { N = butterfly_tuning<Real>::loads / 2 };
#pragma unroll
    for (int from = 0; from < BUTTERFLY_WARP; from += N) {
        Real a[N], b[N];
        bool inside[N];
#pragma unroll
        for (int i = 0; i < N; ++i) {
            const uint32_t item = warp_from(block, from + i) * LEVY_BUTTERFLY_BLOCK + w.lane;
            inside[i] = item < w.v.n_items;
            const uint32_t at = inside[i] ? item : w.v.n_items - 1;
            a[i] = load_once(w.theta_row(from + i) + at);
            b[i] = load_often(w.phi_row(from + i) + at);
        }
#pragma unroll
        for (int i = 0; i < N; ++i) weights[from + i] = inside[i] ? a[i] * b[i] : (Real)0;
    }
}

/* ---- Which block ----------------------------------------------------------------------------- */

/* The block of a target: ends[b * stride]: sums to the end of block b. */
template <class Real>
BUTTERFLY_DEV uint32_t block_of(const Real *ends, unsigned stride, uint32_t blocks, Real target)
{
    uint32_t block = 0, last = blocks - 1;
    while (block < last) {
        const uint32_t middle = (block + last) / 2;
        if (target < ends[middle * stride])
            last = middle;
        else
            block = middle + 1;
    }
    return block;
}

/* ---- A block in one thread's registers ------------------------------------------------------- */

/* Sum of N neighbours; w is kept. */
template <int N, class Real>
BUTTERFLY_DEV Real tree_sum(const Real *w)
{
    if constexpr (N == 1)
        return w[0];
    else
        return tree_sum<N / 2>(w) + tree_sum<N / 2>(w + N / 2);
}

/* The place of the target among N neighbours; w is lost. */
template <int N, class Real>
BUTTERFLY_DEV uint32_t tree_search(Real *w, Real low, Real target)
{
    if constexpr (N == 1)
        return 0;
    else {
        const Real middle = low + tree_sum<N / 2>(w), right = tree_sum<N / 2>(w + N / 2);
        const bool up = target >= middle && right > (Real)0;
#pragma unroll
        for (int i = 0; i < N / 2; ++i) w[i] = up ? w[i + N / 2] : w[i];
        const uint32_t before = up ? N / 2 : 0;
        return before + tree_search<N / 2>(w, up ? middle : low, target);
    }
}

#endif
