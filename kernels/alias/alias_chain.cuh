/* alias_chain.cuh: the running sum over tiles while they run (single-pass scan with decoupled look-back), by CUB. A
 * tile says what it adds as soon as it knows, goes on, and asks for the sum of the tiles before it when it needs it. */
#ifndef LEVY_ALIAS_CHAIN_CUH
#define LEVY_ALIAS_CHAIN_CUH

#include "kernels/alias/alias_block.cuh"

#include <cub/agent/single_pass_scan_operators.cuh>

struct tally_sum {
    __device__ __forceinline__ alias_tally operator()(const alias_tally &a, const alias_tally &b) const
    {
        return tally_add(a, b);
    }
};

typedef cub::ScanTileState<alias_tally> alias_chain;
typedef cub::TilePrefixCallbackOp<alias_tally, tally_sum, alias_chain> alias_chain_prefix;
typedef alias_chain_prefix::TempStorage alias_chain_storage;

static size_t alias_chain_size(uint32_t tiles)
{
    size_t bytes = 0;
    alias_chain::AllocationSize((int)tiles, bytes);
    return bytes;
}

static alias_chain alias_chain_at(void *memory, size_t bytes, uint32_t tiles)
{
    alias_chain chain;
    chain.Init((int)tiles, memory, bytes);
    return chain;
}

static __global__ void alias_chain_reset(alias_chain chain, uint32_t tiles) { chain.InitializeStatus((int)tiles); }

/* By one thread. */
ALIAS_DEV void chain_publish(alias_chain &chain, uint32_t tile, const alias_tally &own)
{
    if (tile == 0)
        chain.SetInclusive(0, own);
    else
        chain.SetPartial((int)tile, own);
}

/* By the first warp, in step; every lane gets the sum of the tiles before. */
ALIAS_DEV alias_tally chain_before(alias_chain &chain, alias_chain_storage &storage, uint32_t tile,
                                   const alias_tally &own)
{
    if (tile == 0) return tally_make(0, 0, 0, 0);
    alias_chain_prefix prefix(chain, storage, tally_sum(), (int)tile);
    const alias_tally before = prefix(own); /* of lane 0 */
    return before;
}

#endif
