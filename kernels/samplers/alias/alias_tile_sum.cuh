/* alias_tile_sum.cuh: exact sums over a tile's items, what they come to as positions of 64 bits,
 * and the searches among positions. Must not know: rows, lists. */
#ifndef LEVY_ALIAS_TILE_SUM_CUH
#define LEVY_ALIAS_TILE_SUM_CUH

#include "kernels/samplers/alias/alias_fix96.cuh"

/* ---- Sums ------------------------------------------------------------------------------------ */

/* Of items: how much they have beyond a share each, what the light ones lack, and counts: light +
 * heavy 2^16. Heavy items' excess is the sum of the first two. */
struct tile_sum {
    fix96 beyond, lack;
    uint32_t counts;
};

ALIAS_DEV tile_sum tile_add(const tile_sum &a, const tile_sum &b)
{
    return {fix_add(a.beyond, b.beyond), fix_add(a.lack, b.lack), a.counts + b.counts};
}
ALIAS_DEV fix96 tile_excess(const tile_sum &s) { return fix_add(s.beyond, s.lack); }
ALIAS_DEV unsigned tile_lights(const tile_sum &s) { return s.counts & 0xFFFF; }
ALIAS_DEV unsigned tile_heavies(const tile_sum &s) { return s.counts >> 16; }

ALIAS_DEV void tile_count(tile_sum *sum, fix96 beyond)
{
    const bool light = fix_negative(beyond);
    sum->beyond = fix_add(sum->beyond, beyond);
    sum->lack = fix_sub(sum->lack, fix_mask(beyond, light ? ~0u : 0u));
    const uint32_t heavy = fix_zero(beyond) ? 0u : 0x10000u;
    sum->counts += light ? 1u : heavy;
}

ALIAS_DEV uint32_t tile_shuffle(uint32_t word, unsigned lane, bool up)
{
#if defined(LEVY_ALIAS_HOST)
    return up ? host_shuffle_up(word, lane) : host_shuffle(word, lane);
#else
    return up ? __shfl_up_sync(0xFFFFFFFFu, word, lane) : __shfl_sync(0xFFFFFFFFu, word, lane);
#endif
}
/* Of the lane `lane` below (up), or of lane `lane`. */
ALIAS_DEV tile_sum tile_from(const tile_sum &s, unsigned lane, bool up)
{
    return {{tile_shuffle(s.beyond.w0, lane, up), tile_shuffle(s.beyond.w1, lane, up),
             tile_shuffle(s.beyond.w2, lane, up)},
            {tile_shuffle(s.lack.w0, lane, up), tile_shuffle(s.lack.w1, lane, up),
             tile_shuffle(s.lack.w2, lane, up)},
            tile_shuffle(s.counts, lane, up)};
}

/* Over the threads before this one; *total: over all. Ends in step. */
ALIAS_DEV tile_sum tile_scan(const tile_sum &own, uint32_t (*warps)[8], tile_sum *total)
{
    const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const tile_sum zero = {{0, 0, 0}, {0, 0, 0}, 0};
    tile_sum sum = own;
#pragma unroll
    for (unsigned by = 1; by < 32; by *= 2) {
        const tile_sum below = tile_from(sum, by, true);
        if (lane >= by) sum = tile_add(sum, below);
    }
    if (lane == 31) {
        uint32_t *const w = warps[warp];
        w[0] = sum.beyond.w0, w[1] = sum.beyond.w1, w[2] = sum.beyond.w2, w[3] = sum.counts;
        w[4] = sum.lack.w0, w[5] = sum.lack.w1, w[6] = sum.lack.w2;
    }
    __syncthreads();
    tile_sum before = tile_from(sum, 1, true);
    if (lane == 0) before = zero;
    /* the warps' sums, once more by lanes */
    const uint32_t *const w = warps[lane % (ALIAS_THREADS / 32)];
    tile_sum all = {{w[0], w[1], w[2]}, {w[4], w[5], w[6]}, w[3]};
#pragma unroll
    for (unsigned by = 1; by < ALIAS_THREADS / 32; by *= 2) {
        const tile_sum below = tile_from(all, by, true);
        if (lane >= by) all = tile_add(all, below);
    }
    const tile_sum earlier = tile_from(all, warp > 0 ? warp - 1 : 0, false);
    *total = tile_from(all, ALIAS_THREADS / 32 - 1, false);
    return warp > 0 ? tile_add(earlier, before) : before;
}

/* ---- Positions ------------------------------------------------------------------------------- */

/* In 2^-52 of a share, rounded down; ~0 beyond 2^12 shares, where no light item of a tile is. */
ALIAS_DEV uint64_t tile_position(fix96 sum, unsigned shift)
{
#if defined(LEVY_ALIAS_HOST)
    const alias_wide position = fix_wide(sum) >> shift;
    return position >> 64 ? ~(uint64_t)0 : (uint64_t)position;
#else
    const uint64_t position = (uint64_t)__funnelshift_r(sum.w1, sum.w2, shift) << 32 |
                              __funnelshift_r(sum.w0, sum.w1, shift);
    return sum.w2 >> shift ? ~(uint64_t)0 : position;
#endif
}

/* The first of the heavy positions from `low` on, before `high`, that is above x; high: none. */
ALIAS_DEV unsigned heavy_above(const uint64_t *position, unsigned low, unsigned high, uint64_t x)
{
    const uint64_t *const last = position + ALIAS_TILE - 1;
    for (unsigned count = high - low; count > 0;) {
        const unsigned half = (count + 1) / 2; /* of which all are passed, or half - 1 stay */
        const bool passed = last[-(int)(low + half - 1)] <= x;
        low += passed ? half : 0;
        count = passed ? count - half : half - 1;
    }
    return low;
}

/* The first of the light positions from `low` on, before `high`, that is at or above y; high: none.
 */
ALIAS_DEV unsigned light_at(const uint64_t *position, unsigned low, unsigned high, uint64_t y)
{
    for (unsigned count = high - low; count > 0;) {
        const unsigned half = (count + 1) / 2;
        const bool passed = position[low + half - 1] < y;
        low += passed ? half : 0;
        count = passed ? count - half : half - 1;
    }
    return low;
}

enum { SEARCH_TOGETHER = 2 };

/* heavy_above for some x at once, whose loads overlap: all answers lie from `low` to `high`. */
ALIAS_DEV void heavy_above_all(const uint64_t *position, unsigned low, unsigned high,
                               const uint64_t *x, unsigned *found)
{
    const uint64_t *const last = position + ALIAS_TILE - 1;
#pragma unroll
    for (int k = 0; k < SEARCH_TOGETHER; ++k) found[k] = low;
    for (unsigned count = high - low; count > 0;) {
        const unsigned half =
            /* passed or not, the answer is within count - half of where it is looked for */
            (count + 1) / 2;
#pragma unroll
        for (int k = 0; k < SEARCH_TOGETHER; ++k)
            found[k] += last[-(int)(found[k] + half - 1)] <= x[k] ? half : 0;
        count -= half;
    }
}

ALIAS_DEV void light_at_all(const uint64_t *position, unsigned low, unsigned high,
                            const uint64_t *y, unsigned *found)
{
#pragma unroll
    for (int k = 0; k < SEARCH_TOGETHER; ++k) found[k] = low;
    for (unsigned count = high - low; count > 0;) {
        const unsigned half = (count + 1) / 2;
#pragma unroll
        for (int k = 0; k < SEARCH_TOGETHER; ++k)
            found[k] += position[found[k] + half - 1] < y[k] ? half : 0;
        count -= half;
    }
}

#endif
