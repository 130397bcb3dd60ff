/* alias_chain.cuh: the running sum over tiles while they run: D. Merrill, M. Garland, Single-pass
 * parallel prefix scan with decoupled look-back, NVIDIA 2016. A tile says what it adds as soon as
 * it knows, goes on, and asks for the sum of the tiles before it when it needs it. A tile's word is
 * two records of 16 bytes, for light and for heavy items, each with a flag of its own beside the
 * amount and the count: one load tells whether a record is there and what it holds, and neither
 * side waits for a fence. Must not know: what is listed. */
#ifndef LEVY_ALIAS_CHAIN_CUH
#define LEVY_ALIAS_CHAIN_CUH

#include "kernels/samplers/alias/alias_block.cuh"

enum { CHAIN_NONE, CHAIN_OWN, CHAIN_SUM }; /* the tile's own word; that of all tiles up to it */

/* upper: the amount's bits from 64 on; above them the count, below 2^30, and the flag. */
struct chain_record {
    uint64_t low, upper;
};
struct alias_chain {
    chain_record *records; /* two per tile */
};

static size_t alias_chain_size(uint32_t tiles) { return 2 * (size_t)tiles * sizeof(chain_record); }
static alias_chain alias_chain_at(void *memory) { return {(chain_record *)memory}; }

static __global__ void alias_chain_reset(alias_chain chain, uint32_t tiles)
{
    const uint32_t tile = blockIdx.x * blockDim.x + threadIdx.x;
    if (tile < tiles) chain.records[2 * tile] = chain.records[2 * tile + 1] = {0, 0};
}

ALIAS_DEV unsigned chain_flag(const chain_record &r) { return (unsigned)(r.upper >> 62); }

/* One access of 16 bytes each, seen whole or not at all. */
ALIAS_DEV chain_record chain_load(const chain_record *from)
{
#if defined(LEVY_ALIAS_HOST)
    return *from;
#else
    chain_record r;
    asm volatile(
        "{ .reg .b128 both; ld.relaxed.gpu.global.b128 both, [%2]; mov.b128 {%0, %1}, both; }"
        : "=l"(r.low), "=l"(r.upper)
        : "l"(from)
        : "memory");
    return r;
#endif
}

ALIAS_DEV void chain_store(chain_record *to, uint64_t low, uint32_t high, uint32_t count,
                           unsigned flag)
{
    const uint64_t upper = (uint64_t)(count | flag << 30) << 32 | high;
#if defined(LEVY_ALIAS_HOST)
    *to = {low, upper};
#else
    asm volatile(
        "{ .reg .b128 both; mov.b128 both, {%1, %2}; st.relaxed.gpu.global.b128 [%0], both; }" ::
            "l"(to),
        "l"(low), "l"(upper)
        : "memory");
#endif
}

ALIAS_DEV void chain_say(const alias_chain &chain, uint32_t tile, const alias_tally &t,
                         unsigned flag)
{
    chain_store(&chain.records[2 * tile], t.lack_low, t.lack_high, t.lights, flag);
    chain_store(&chain.records[2 * tile + 1], t.excess_low, t.excess_high, t.heavies, flag);
}

/* By one thread. */
ALIAS_DEV void chain_publish(const alias_chain &chain, uint32_t tile, const alias_tally &own)
{
    chain_say(chain, tile, own, tile == 0 ? CHAIN_SUM : CHAIN_OWN);
}

/* The value of the lane whose number differs by `by`. */
ALIAS_DEV alias_tally chain_from(const alias_tally &t, unsigned by)
{
#if defined(LEVY_ALIAS_HOST)
    return host_shuffle(t, (threadIdx.x & 31) ^ by);
#else
    alias_tally r;
    r.lack_low = __shfl_xor_sync(0xFFFFFFFFu, t.lack_low, by);
    r.lack_high = __shfl_xor_sync(0xFFFFFFFFu, t.lack_high, by);
    r.lights = __shfl_xor_sync(0xFFFFFFFFu, t.lights, by);
    r.excess_low = __shfl_xor_sync(0xFFFFFFFFu, t.excess_low, by);
    r.excess_high = __shfl_xor_sync(0xFFFFFFFFu, t.excess_high, by);
    r.heavies = __shfl_xor_sync(0xFFFFFFFFu, t.heavies, by);
    return r;
#endif
}

/* Over the lanes of a warp. */
ALIAS_DEV alias_tally chain_over(alias_tally t)
{
#pragma unroll
    for (unsigned by = 16; by > 0; by /= 2) t = tally_add(t, chain_from(t, by));
    return t;
}

/* The words of 32 tiles, of which `last` is the last, as far back as the nearest sum; *found: there
 * is one. */
ALIAS_DEV alias_tally chain_window(const alias_chain &chain, int64_t last, bool *found)
{
    const unsigned lane = threadIdx.x & 31;
    const int64_t tile = last - lane;
    chain_record light = {0, (uint64_t)CHAIN_SUM << 62}, heavy = light; /* before the first tile */
    for (;;) {
        if (tile >= 0) {
            light = chain_load(&chain.records[2 * tile]);
            heavy = chain_load(&chain.records[2 * tile + 1]);
        }
        const bool there = chain_flag(light) != CHAIN_NONE && chain_flag(heavy) != CHAIN_NONE;
        const bool sum = chain_flag(light) == CHAIN_SUM && chain_flag(heavy) == CHAIN_SUM;
        const unsigned sums = __ballot_sync(0xFFFFFFFFu, sum),
                       needed = sums ? sums ^ (sums - 1) : 0xFFFFFFFFu;
        if ((__ballot_sync(0xFFFFFFFFu, there) & needed) != needed) continue;
        /* A lane in between whose two records differ has said its own word and is saying its sum:
         * asked again. */
        const bool whole =
            sum || (chain_flag(light) == CHAIN_OWN && chain_flag(heavy) == CHAIN_OWN);
        if ((__ballot_sync(0xFFFFFFFFu, whole) & needed) != needed) continue;
        *found = sums != 0;
        const uint32_t count_mask = (1u << 30) - 1;
        const alias_tally own = {
            light.low, (uint32_t)light.upper, (uint32_t)(light.upper >> 32) & count_mask,
            heavy.low, (uint32_t)heavy.upper, (uint32_t)(heavy.upper >> 32) & count_mask};
        return chain_over((needed >> lane & 1) != 0 ? own : tally_make(0, 0, 0, 0));
    }
}

/* By the first warp, in step; every lane gets the sum of the tiles before. */
ALIAS_DEV alias_tally chain_before(const alias_chain &chain, uint32_t tile, const alias_tally &own)
{
    alias_tally before = tally_make(0, 0, 0, 0);
    bool found = tile == 0;
    for (int64_t last = (int64_t)tile - 1; !found; last -= 32)
        before = tally_add(before, chain_window(chain, last, &found));
    if (tile > 0 && (threadIdx.x & 31) == 0)
        chain_say(chain, tile, tally_add(before, own), CHAIN_SUM);
    return before;
}

#endif
