/* branches.h: merges the sums of consecutive blocks to sums of branches of the summation tree, in
 * the order of the tree (docs/contract.md, section 7), so that the host has a thousandth of the
 * merges. A CTA does one output of one branch: a thread its four blocks, a warp what its lanes
 * hold, the first warp what the warps hold. Part of fused.cu, which includes it for the kernel's
 * PATH_outputs. Must not know: paths, what is summed. */
#ifndef LEVY_CUDA_KERNELS_BRANCHES_H
#define LEVY_CUDA_KERNELS_BRANCHES_H

#include "kernels/lane/tree.h"
#include "kernels/path/image.h"

enum { BRANCH_WARPS = LEVY_COLUMNS / 32, BRANCH_BLOCKS = 4 /* of a thread */ };
static_assert(LEVY_COLUMNS * BRANCH_BLOCKS == 1 << LEVY_MOST_HEIGHT, "a branch fits a CTA");

/* A branch, by places in its replicate: blocks at to end - 1, whose sums start at `sums`. */
struct branch_place {
    uint64_t at, end;
    const levy_block_sum *sums;
};

/* Branch number k of those in n_blocks blocks from `first` on, where a branch starts. */
LANE_FN branch_place branch_of(const levy_image *image, uint64_t first, uint64_t n_blocks,
                               uint32_t height, uint64_t k, const levy_block_sum *sums)
{
    const uint64_t each = levy_branches_each(image, height),
                   number = levy_branch_of(image, first, height) + k, replicate = number / each,
                   at = (number - replicate * each) << height,
                   before = replicate * image->blocks + at - first, whole = (uint64_t)1 << height;
    uint64_t size = n_blocks - before;
    if (size > image->blocks - at) size = image->blocks - at;
    if (size > whole) size = whole;
    const branch_place place = {at, at + size, sums + before * PATH_outputs};
    return place;
}

/* The sum of the i-th block of a branch. A block past its end has no paths, and adds nothing. */
LANE_FN tree_sum branch_block(const levy_image *image, const branch_place *place, uint32_t i,
                              uint32_t output, double constant)
{
    tree_sum sum = {0.0, 0.0, 0.0};
    if (place->at + i >= place->end) return sum;
    const uint64_t left = image->paths - (place->at + i) * LEVY_BLOCK_PATHS;
    const levy_block_sum block = place->sums[(uint64_t)i * PATH_outputs + output];
    sum.n = (double)(left < LEVY_BLOCK_PATHS ? left : LEVY_BLOCK_PATHS);
    sum.mean = block.mean + constant;
    sum.m2 = block.m2;
    return sum;
}

/* Divisions are long code, and nobody waits for these few: one copy serves all merges. */
static __device__ __noinline__ tree_sum branch_merge(tree_sum a, tree_sum b)
{
    return tree_merge(a, b);
}

/* The first lane gets the sum of what a warp's lanes hold, neighbours first. */
LANE_FN tree_sum branch_lanes(tree_sum mine)
{
#pragma unroll 1
    for (uint32_t half = 1; half < 32; half *= 2) {
        tree_sum other;
        other.n = __shfl_down_sync(0xffffffffu, mine.n, half);
        other.mean = __shfl_down_sync(0xffffffffu, mine.mean, half);
        other.m2 = __shfl_down_sync(0xffffffffu, mine.m2, half);
        mine = branch_merge(mine, other);
    }
    return mine;
}

extern "C" __global__ void __launch_bounds__(LEVY_COLUMNS)
    levy_merge(const char *bytes, unsigned long long first_block, unsigned long long n_blocks,
               unsigned int first_output, unsigned int height, const levy_block_sum *blocks,
               levy_block_sum *branches)
{
    __shared__ tree_sum warps[BRANCH_WARPS];
    const levy_image *const image = (const levy_image *)bytes;
    const uint32_t k = blockIdx.x / PATH_outputs, output = blockIdx.x % PATH_outputs;
    const double constant =
        LEVY_IMAGE_AT(levy_image_output, image, outputs)[first_output + output].constant;
    const branch_place place = branch_of(image, first_block, n_blocks, height, k, blocks);
    tree_sum part[BRANCH_BLOCKS];
#pragma unroll
    for (uint32_t i = 0; i < BRANCH_BLOCKS; ++i)
        part[i] = branch_block(image, &place, threadIdx.x * BRANCH_BLOCKS + i, output, constant);
    const tree_sum left = branch_merge(part[0], part[1]), right = branch_merge(part[2], part[3]);
    tree_sum mine = branch_lanes(branch_merge(left, right));
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    const tree_sum none = {0.0, 0.0, 0.0};
    mine = branch_lanes(threadIdx.x < BRANCH_WARPS ? warps[threadIdx.x] : none);
    if (threadIdx.x > 0) return;
    branches[blockIdx.x].mean = mine.mean;
    branches[blockIdx.x].m2 = mine.m2;
}

#endif
