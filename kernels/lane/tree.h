/* tree.h: the summation tree. Column c of a block of 4,096 paths takes the paths with index mod 256
 * = c in order, by Welford's update; columns, then blocks, merge in a fixed binary tree by Chan's
 * formula. No fma: the few operations are the same in every build. T. F. Chan, G. H. Golub, R. J.
 * LeVeque, The American Statistician 37 (1983). Doubles only, C11 and CUDA. Must not know: what is
 * summed. */
#ifndef LEVY_LANE_TREE_H
#define LEVY_LANE_TREE_H

#include "kernels/lane/lane.h"

typedef struct tree_sum {
    double n, mean, m2;
} tree_sum;

/* The n-th value joins a column; `inverse` is 1 / n, correctly rounded. For doubles and for vectors
 * of them. */
#define TREE_ADD(type, mean, m2, value, inverse)                                                   \
    do {                                                                                           \
        const type tree_delta = (value) - (mean);                                                  \
        (mean) = (mean) + tree_delta * (inverse);                                                  \
        (m2) = (m2) + tree_delta * ((value) - (mean));                                             \
    } while (0)

/* The sum of a, then b. An empty side adds nothing. */
LANE_FN tree_sum tree_merge(tree_sum a, tree_sum b)
{
    if (b.n == 0.0) return a;
    if (a.n == 0.0) return b;
    tree_sum sum;
    const double delta = b.mean - a.mean;
    sum.n = a.n + b.n;
    const double share = b.n / sum.n;
    sum.mean = a.mean + delta * share;
    sum.m2 = (a.m2 + b.m2) + (delta * delta) * (a.n * share);
    return sum;
}

/* Paths of column c in a block of `count` paths. */
LANE_FN uint32_t tree_column_count(uint32_t count, uint32_t column)
{
    return (count + 255u - column) / 256u;
}

#endif
