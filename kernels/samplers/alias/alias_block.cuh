/* alias_block.cuh: what the alias kernels share: loads, sums over the threads of a block, what a
 * tile adds to the lists. tests/alias_host.cpp compiles the kernels as C++ and stands in for the
 * shuffles, the launch and CUB. Must not know: which kernel runs. */
#ifndef LEVY_ALIAS_BLOCK_CUH
#define LEVY_ALIAS_BLOCK_CUH

extern "C" {
#include "kernels/samplers/alias/alias.h"
#include "kernels/samplers/alias/alias_build.h"
#include "kernels/samplers/alias/alias_row.h"
}

#define ALIAS_DEV static __device__ __forceinline__
#define ALIAS_KERNEL(threads) static __global__ void __launch_bounds__(threads)

enum {
    ALIAS_THREADS = 256,
    ALIAS_PER_THREAD = 8,
    ALIAS_TILE = ALIAS_THREADS * ALIAS_PER_THREAD, /* items a block classifies, steps it packs */
    ALIAS_BITS = 52                                /* fraction of a position inside a tile */
};

/* Counts and amounts of waiting items: of a thread, a tile, or of all tiles before. */
struct alias_tally {
    uint64_t lack_low;
    uint32_t lack_high, lights;
    uint64_t excess_low;
    uint32_t excess_high, heavies;
};

ALIAS_FN alias_wide tally_lack(const alias_tally &t)
{
    return (alias_wide)t.lack_high << 64 | t.lack_low;
}
ALIAS_FN alias_wide tally_excess(const alias_tally &t)
{
    return (alias_wide)t.excess_high << 64 | t.excess_low;
}

ALIAS_FN alias_tally tally_make(uint32_t lights, alias_wide lack, uint32_t heavies,
                                alias_wide excess)
{
    return {(uint64_t)lack,   (uint32_t)(lack >> 64),   lights,
            (uint64_t)excess, (uint32_t)(excess >> 64), heavies};
}

ALIAS_FN alias_tally tally_add(const alias_tally &a, const alias_tally &b)
{
    return tally_make(a.lights + b.lights, tally_lack(a) + tally_lack(b), a.heavies + b.heavies,
                      tally_excess(a) + tally_excess(b));
}

/* The value of the lane `by` below, or of this lane where there is none. */
ALIAS_DEV alias_tally tally_from_below(const alias_tally &t, unsigned by)
{
#if defined(LEVY_ALIAS_HOST)
    return host_shuffle_up(t, by);
#else
    alias_tally r;
    r.lack_low = __shfl_up_sync(0xFFFFFFFFu, t.lack_low, by);
    r.lack_high = __shfl_up_sync(0xFFFFFFFFu, t.lack_high, by);
    r.lights = __shfl_up_sync(0xFFFFFFFFu, t.lights, by);
    r.excess_low = __shfl_up_sync(0xFFFFFFFFu, t.excess_low, by);
    r.excess_high = __shfl_up_sync(0xFFFFFFFFu, t.excess_high, by);
    r.heavies = __shfl_up_sync(0xFFFFFFFFu, t.heavies, by);
    return r;
#endif
}

/* The sum over the threads before this one; *total: over all. `warps`: shared, one per warp. Ends
 * in step. */
ALIAS_DEV alias_tally tally_scan(const alias_tally &own, alias_tally *warps, alias_tally *total)
{
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const alias_tally zero = tally_make(0, 0, 0, 0);
    alias_tally sum = own;
#pragma unroll
    for (unsigned by = 1; by < 32; by *= 2) {
        const alias_tally below = tally_from_below(sum, by);
        if (lane >= by) sum = tally_add(sum, below);
    }
    if (lane == 31) warps[warp] = sum;
    __syncthreads();
    alias_tally before = tally_from_below(sum, 1), all = zero;
    if (lane == 0) before = zero;
    for (unsigned w = 0; w < ALIAS_THREADS / 32; ++w) {
        if (w == warp) before = tally_add(all, before);
        all = tally_add(all, warps[w]);
    }
    *total = all;
    __syncthreads();
    return before;
}

/* The thread's run of ALIAS_PER_THREAD weights from `first` on, in 16-byte loads where the array
 * lies so; past n: nothing. */
template <class W>
ALIAS_DEV void weights_load(const W *weights, uint64_t n, uint64_t first, double *w)
{
    struct alignas(16) pack {
        W item[16 / sizeof(W)];
    };
    enum { EACH = 16 / sizeof(W) };
    if (first + ALIAS_PER_THREAD <= n && ((uintptr_t)(weights + first) & 15) == 0) {
        pack loaded[ALIAS_PER_THREAD / EACH];
#pragma unroll
        for (int k = 0; k < ALIAS_PER_THREAD / EACH; ++k)
            loaded[k] = reinterpret_cast<const pack *>(weights + first)[k];
#pragma unroll
        for (int k = 0; k < ALIAS_PER_THREAD; ++k) w[k] = (double)loaded[k / EACH].item[k % EACH];
    } else {
        for (int k = 0; k < ALIAS_PER_THREAD; ++k)
            w[k] = first + k < n ? (double)weights[first + k] : 0.0;
    }
}

/* The lists that a pack reads: light items in order, heavy items forwards or backwards. */
struct alias_device_lists {
    const alias_entry *lights, *heavies;
    int64_t heavy_step;
    const uint32_t *counts; /* on the device: lights, heavies */
};

struct alias_list_view {
    const alias_entry *lights, *heavies;
    int64_t heavy_step;
    uint64_t n_lights, n_heavies;
};

/* With the number of a listed light item whose row exists: its own part is below the threshold.
 * Numbers are below 2^30.
 */
#define ENTRY_OWN_FIRST 0x80000000u
#define ENTRY_NUMBER 0x7FFFFFFFu

/* An entry as one 16-byte load. */
ALIAS_DEV alias_entry entry_load(const alias_entry *e)
{
    const uint4 v = *reinterpret_cast<const uint4 *>(e);
    alias_entry out;
    out.low = (uint64_t)v.y << 32 | v.x;
    out.high = v.z;
    out.index = v.w;
    return out;
}

ALIAS_DEV void entry_store(alias_entry *place, alias_wide amount, uint32_t index)
{
    uint4 v;
    v.x = (uint32_t)amount;
    v.y = (uint32_t)((uint64_t)amount >> 32);
    v.z = (uint32_t)(amount >> 64);
    v.w = index;
    *reinterpret_cast<uint4 *>(place) = v;
}

/* A row as one 16-byte store. */
ALIAS_DEV void row_store(levy_alias_row *row, alias_split split, uint32_t own, uint32_t other)
{
    const uint64_t bits = alias_double_bits(split.threshold);
    uint4 v;
    v.x = (uint32_t)bits;
    v.y = (uint32_t)(bits >> 32);
    v.z = split.own_first ? own : other;
    v.w = split.own_first ? other : own;
    *reinterpret_cast<uint4 *>(row) = v;
}

/* Two numbers as one 16-byte store. */
ALIAS_DEV void pair_store(double *place, double a, double b)
{
    struct alignas(16) pair {
        double a, b;
    };
    const pair both = {a, b};
    *reinterpret_cast<pair *>(place) = both;
}

ALIAS_DEV alias_list_view lists_view(const alias_device_lists &l)
{
    return {l.lights, l.heavies, l.heavy_step, l.counts[0], l.counts[1]};
}
ALIAS_DEV alias_entry view_heavy(const alias_list_view &l, uint64_t j)
{
    return entry_load(l.heavies + (int64_t)j * l.heavy_step);
}
ALIAS_DEV alias_entry view_light(const alias_list_view &l, uint64_t i)
{
    return entry_load(l.lights + i);
}
ALIAS_DEV alias_wide view_before_light(const alias_list_view &l, uint64_t i)
{
    return i > 0 ? alias_entry_amount(view_light(l, i - 1)) : 0;
}
ALIAS_DEV alias_wide view_to_heavy(const alias_list_view &l, uint64_t j)
{
    return alias_entry_amount(view_heavy(l, j));
}

#endif
