/* run_tree.h: the upper part of the summation tree (docs/contract.md, section 7), from blocks to a
 * replicate. Must not know: what is summed, who simulates it. */
#ifndef LEVY_RUN_TREE_H
#define LEVY_RUN_TREE_H

#include "kernels/lane/tree.h"

#include <stddef.h>

enum { RUN_LEVELS = 64 };

/* Merges block sums as they come, like a binary counter: level l holds the sum of 2^l blocks, or
 * nothing. At the end the levels that hold a sum merge from the smallest up. Which blocks merge
 * depends on their numbers alone. So a backend may merge the blocks of a branch before: a whole one
 * enters at its own level, and the merges of a last, short one are the first of the end. */
typedef struct run_tree {
    tree_sum level[RUN_LEVELS];
    uint64_t count;
} run_tree;

/* The sum of 2^height blocks; the count is a multiple of them. */
static inline void run_tree_add(run_tree *tree, tree_sum sum, uint32_t height)
{
    uint64_t carry = tree->count >> height;
    size_t level = height;
    for (; carry & 1; carry >>= 1, ++level) sum = tree_merge(tree->level[level], sum);
    tree->level[level] = sum;
    tree->count += (uint64_t)1 << height;
}

/* With the sum of a short branch behind all others, or of none. */
static inline tree_sum run_tree_total(const run_tree *tree, tree_sum rest)
{
    tree_sum total = rest;
    for (size_t level = 0; level < RUN_LEVELS; ++level)
        if (tree->count >> level & 1) total = tree_merge(tree->level[level], total);
    return total;
}

#endif
