/* butterfly_kernels.cuh: the versions that keep the order of butterfly.h.
 *
 * Reading is what takes time: theta is read once, phi comes from the caches, and a path's sums to
 * the end of each block are all that is kept, in shared memory. When the target is known, the one
 * block it falls into is read again; that is a 32nd of 1,024 items.
 *
 * Butterfly: a warp reads rows of 32 paths one after the other, so lane k holds the weights (or the
 * sums of packs of V weights) k of all paths. Two registers of paths i and j become one in a step:
 * each lane keeps the one whose path has the lane's bit, gives the other to the lane with the
 * opposite bit, and adds what it gets. After five steps lane r holds path r's sum, for 31 shuffles,
 * where transposing takes 80. With packs a block is spread over 32 / V lanes only: after log2(32 /
 * V) steps the lanes hold the sums of V blocks, and none is idle. In the block that is read again
 * the sums of left halves are kept as they pass by: the table of the paper's figure 4, with
 * infinity where the right half is empty, so that a search never goes there. Its entries lie in
 * whichever lane and register the pattern put them; the search asks for them by shuffles. */
#ifndef LEVY_BUTTERFLY_KERNELS_CUH
#define LEVY_BUTTERFLY_KERNELS_CUH

#include "kernels/samplers/butterfly/butterfly_warp.cuh"

#if LANE_GPU_ALONE
#define INFINITY __int_as_float(0x7f800000)
#else
#include <math.h>
#endif

/* ---- A thread per path ----------------------------------------------------------------------- */

template <class Real>
BUTTERFLY_DEV void each_read(const butterfly_view<Real> &v, const Real *theta, const Real *phi,
                             uint32_t block, Real *w)
{
    const uint32_t first = block * LEVY_BUTTERFLY_BLOCK;
#pragma unroll
    for (uint32_t k = 0; k < LEVY_BUTTERFLY_BLOCK; ++k)
        w[k] = first + k < v.n_items ? theta[first + k] * phi[first + k] : (Real)0;
}

template <class Real>
static __global__ void __launch_bounds__(BUTTERFLY_THREADS) draw_each(butterfly_view<Real> v)
{
    Real w[LEVY_BUTTERFLY_BLOCK], ends[LEVY_BUTTERFLY_MOST / LEVY_BUTTERFLY_BLOCK], total = 0;
    const uint64_t path = (uint64_t)blockIdx.x * BUTTERFLY_THREADS + threadIdx.x;
    if (path >= v.n_paths) return;
    const Real *const theta = reinterpret_cast<const Real *>(
        reinterpret_cast<const char *>(v.theta) + path * v.theta_bytes);
    const Real *const phi = row_at(v.phi, view_state(v, path), v.phi_bytes);
    for (uint32_t b = 0; b < v.blocks; ++b) {
        each_read(v, theta, phi, b, w);
        ends[b] = total += tree_sum<LEVY_BUTTERFLY_BLOCK>(w);
    }
    uint32_t item = 0;
    if (drawable(total)) {
        const Real target = target_of(total, v.words[path]);
        const uint32_t block = block_of(ends, 1, v.blocks, target);
        each_read(v, theta, phi, block, w);
        item = block * LEVY_BUTTERFLY_BLOCK +
               tree_search<LEVY_BUTTERFLY_BLOCK>(w, block > 0 ? ends[block - 1] : (Real)0, target);
    }
    v.items[path] = item;
}

/* ---- Transposed in registers ----------------------------------------------------------------- */

/* a[i] of lane k becomes a[k] of lane i: exchanges of registers and lanes that differ in one bit,
 * bit after bit (figure 2). */
template <int BIT, class Real>
BUTTERFLY_DEV void warp_transpose(Real *a, unsigned lane)
{
    if constexpr (BIT < BUTTERFLY_WARP) {
        const bool upper = (lane & BIT) != 0;
#pragma unroll
        for (int i = 0; i < BUTTERFLY_WARP; ++i)
            if ((i & BIT) == 0) {
                const Real got = warp_across(upper ? a[i] : a[i + BIT], BIT);
                a[i] = upper ? got : a[i];
                a[i + BIT] = upper ? a[i + BIT] : got;
            }
        warp_transpose<2 * BIT>(a, lane);
    }
}

template <class Real>
static __global__ void __launch_bounds__(BUTTERFLY_THREADS, butterfly_tuning<Real>::resident)
    draw_transposed(butterfly_view<Real> v)
{
    BUTTERFLY_SHARED(Real, shared);
    Real a[BUTTERFLY_WARP], total = 0;
    const butterfly_warp<Real> w(v);
    const uint32_t word = v.words[w.path];
    Real *const ends = shared + threadIdx.x / BUTTERFLY_WARP * (v.blocks * BUTTERFLY_WARP) + w.lane;
    for (uint32_t b = 0; b < v.blocks; ++b) {
        warp_read_blocks(w, b, a);
        warp_transpose<1>(a, w.lane);
        ends[b * BUTTERFLY_WARP] = total += tree_sum<LEVY_BUTTERFLY_BLOCK>(a);
    }
    const bool good = drawable(total);
    const Real target = target_of(total, word);
    const uint32_t block = good ? block_of(ends, BUTTERFLY_WARP, v.blocks, target) : 0;
    if (v.blocks > 1) {
        warp_read_blocks(w, block, a);
        warp_transpose<1>(a, w.lane);
    }
    const uint32_t place = tree_search<LEVY_BUTTERFLY_BLOCK>(
        a, block > 0 ? ends[(block - 1) * BUTTERFLY_WARP] : (Real)0, target);
    v.items[w.path] = good ? block * LEVY_BUTTERFLY_BLOCK + place : 0;
}

/* ---- Butterfly ------------------------------------------------------------------------------- */

/* x: a sum of a path without the bit, y: of one with it; lanes without the bit hold left halves.
 * The lane's path's sum. */
template <int BIT, class Real>
BUTTERFLY_DEV Real butterfly_step(Real x, Real y, unsigned lane)
{
    const bool upper = (lane & BIT) != 0;
    const Real own = upper ? y : x;
    const Real other = upper ? x : y;
    return own + warp_across(other, BIT);
}

/* N registers of neighbouring paths become one, in a[0]. */
template <int N, int BIT, class Real>
BUTTERFLY_DEV void butterfly_fold(Real *a, unsigned lane)
{
    if constexpr (N > 1) {
#pragma unroll
        for (int i = 0; i < N / 2; ++i) a[i] = butterfly_step<BIT>(a[2 * i], a[2 * i + 1], lane);
        butterfly_fold<N / 2, 2 * BIT>(a, lane);
    }
}

/* Lane g * (32 / V) + j, register m: the sum of block g of the V blocks from item `first` on, for
 * path m * (32 / V) + j. */
template <class Real, int V>
BUTTERFLY_DEV void butterfly_sums(const butterfly_warp<Real> &w, uint32_t first, Real *sums)
{
    enum {
        SPAN = BUTTERFLY_WARP / V,
        ALL = butterfly_tuning<Real>::loads / V,
        N = ALL < SPAN ? ALL : SPAN
    };
    const uint32_t item = first + w.lane * V;
#pragma unroll
    for (int m = 0; m < V; ++m) {
        Real parts[SPAN / N];
#pragma unroll
        for (int i = 0; i < SPAN / N; ++i) {
            Real a[N];
            warp_read<Real, V, N>(w, m * SPAN + i * N, item, a);
            butterfly_fold<N, 1>(a, w.lane);
            parts[i] = a[0];
        }
        butterfly_fold<SPAN / N, N>(parts, w.lane);
        sums[m] = parts[0];
    }
}

/* As a fold of all 32 registers, which also leaves in table[i], i below N / 2, then on, the sums of
 * left halves. */
template <int N, int BIT, class Real>
BUTTERFLY_DEV void butterfly_table(Real *a, Real *table, unsigned lane)
{
    if constexpr (N > 1) {
        const bool upper = (lane & BIT) != 0;
#pragma unroll
        for (int i = 0; i < N / 2; ++i) {
            const Real own = upper ? a[2 * i + 1] : a[2 * i],
                       got = warp_across(upper ? a[2 * i] : a[2 * i + 1], BIT);
            const Real left = upper ? got : own;
            const Real right = upper ? own : got;
            table[i] = right > (Real)0 ? left : (Real)INFINITY;
            a[i] = own + got;
        }
        butterfly_table<N / 2, 2 * BIT>(a, table + N / 2, lane);
    }
}

/* From the root (N = 1 entry per lane) to the pairs (N = 16). `end`: behind the level's entries;
 * place: of the node so far. */
template <int N, class Real>
BUTTERFLY_DEV uint32_t butterfly_search(const Real *end, unsigned lane, uint32_t place, Real low,
                                        Real target)
{
    enum { BIT = BUTTERFLY_WARP / 2 / N };
    if constexpr (N == BUTTERFLY_WARP)
        return place;
    else {
        const unsigned holder = place | (lane & (2 * BIT - 1)), own = lane / (2 * BIT);
        Real left = (Real)0;
#pragma unroll
        for (unsigned i = 0; i < N; ++i) {
            const Real entry = warp_from(end[(int)i - N], holder);
            left = i == own ? entry : left;
        }
        const Real middle = low + left;
        const bool up = target >= middle;
        const uint32_t next = up ? place | BIT : place;
        return butterfly_search<2 * N>(end - N, lane, next, up ? middle : low, target);
    }
}

template <class Real>
BUTTERFLY_DEV uint32_t butterfly_place(Real *table, unsigned lane, Real low, Real target)
{
    return butterfly_search<1>(table + BUTTERFLY_WARP - 1, lane, 0, low, target);
}

/* Numbers from block to block: lanes that write different blocks of one path group meet no bank
 * twice. */
template <class Real, int V>
struct butterfly_layout {
    enum {
        stride = V == 1 || sizeof(Real) == 8 ? BUTTERFLY_WARP : BUTTERFLY_WARP + BUTTERFLY_WARP / V
    };
};

/* Leaves in column r the sums to the end of each block of path r; returns its total. */
template <class Real, int V>
BUTTERFLY_DEV Real butterfly_ends(const butterfly_warp<Real> &w, Real *ends)
{
    enum { SPAN = BUTTERFLY_WARP / V, STRIDE = butterfly_layout<Real, V>::stride };
    for (uint32_t b = 0; b < w.v.blocks; b += V) {
        Real sums[V];
        if (BUTTERFLY_IN_STEP) block_meet();
        butterfly_sums<Real, V>(w, b * LEVY_BUTTERFLY_BLOCK, sums);
#pragma unroll
        for (int m = 0; m < V; ++m)
            ends[(b + w.lane / SPAN) * STRIDE + m * SPAN + w.lane % SPAN] = sums[m];
    }
    warp_meet();
    Real total = 0;
    for (uint32_t b = 0; b < w.v.blocks; ++b)
        ends[b * STRIDE + w.lane] = total += ends[b * STRIDE + w.lane];
    return total;
}

template <class Real, int V>
static __global__ void __launch_bounds__(BUTTERFLY_THREADS, butterfly_tuning<Real>::resident)
    draw_butterfly(butterfly_view<Real> v)
{
    enum { STRIDE = butterfly_layout<Real, V>::stride };
    BUTTERFLY_SHARED(Real, shared);
    const butterfly_warp<Real> w(v);
    const uint32_t word = v.words[w.path];
    const uint32_t rows = (v.blocks + V - 1) / V * V;
    Real *const ends = shared + threadIdx.x / BUTTERFLY_WARP * (rows * STRIDE);
    const Real total = butterfly_ends<Real, V>(w, ends);
    const bool good = drawable(total);
    const Real target = target_of(total, word);
    const uint32_t block = good ? block_of(ends + w.lane, STRIDE, v.blocks, target) : 0;
    const Real low = block > 0 ? ends[(block - 1) * STRIDE + w.lane] : (Real)0;
    Real a[BUTTERFLY_WARP], table[BUTTERFLY_WARP - 1];
    warp_read_blocks(w, block, a);
    butterfly_table<BUTTERFLY_WARP, 1>(a, table, w.lane);
    const uint32_t place = butterfly_place(table, w.lane, low, target);
    v.items[w.path] = good ? block * LEVY_BUTTERFLY_BLOCK + place : 0;
}

/* One block of items: nothing is read twice. */
template <class Real>
static __global__ void __launch_bounds__(BUTTERFLY_THREADS, butterfly_tuning<Real>::resident)
    draw_butterfly_block(butterfly_view<Real> v)
{
    Real a[BUTTERFLY_WARP], table[BUTTERFLY_WARP - 1];
    const butterfly_warp<Real> w(v);
    const uint32_t word = v.words[w.path];
    warp_read_blocks(w, 0u, a);
    butterfly_table<BUTTERFLY_WARP, 1>(a, table, w.lane);
    const bool good = drawable(a[0]);
    const uint32_t place = butterfly_place(table, w.lane, (Real)0, target_of(a[0], word));
    v.items[w.path] = good ? place : 0;
}

#endif
