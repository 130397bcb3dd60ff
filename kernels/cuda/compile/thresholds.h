/* thresholds.h: conditions on levels as a table of numbers. "Asset a is at level K or above" is
 * z >= (K - w - x) i of the normal z that is integrated; w is the logarithm of a's weight, x that
 * of its return, drift + sum of factor f times driver f, and i one over its loading. A CTA makes of
 * it (K - w - drift) i of each item, and the row factor f times i of each dynamics, once for all
 * paths at a node; a path makes the products of the rows and its drivers, once for all items under
 * a dynamics. The steps of a program do the same in another order, so bits are not theirs. Must not
 * know: the text of a kernel. */
#ifndef LEVY_CUDA_COMPILE_THRESHOLDS_H
#define LEVY_CUDA_COMPILE_THRESHOLDS_H

#include "engine/script/program.h"
#include "kernels/path/image.h"

#include <stdbool.h>

enum { LEVY_THRESHOLDS = 32, LEVY_THRESHOLD_STEPS = 3 };

/* Operands are those of the program's steps. */
typedef struct levy_threshold {
    uint32_t block, asset;
    uint32_t level, weight, inverse;
    uint32_t number; /* its place in the numbers of an item at a node */
    uint32_t sum;    /* the number of its row's sum of products, from 0 in each block */
    uint32_t row;    /* the row's place in the numbers of a dynamics at a node */
} levy_threshold;

typedef struct levy_thresholds {
    levy_threshold of[LEVY_THRESHOLDS];
    uint32_t n;
    uint32_t numbers, rows; /* reals of an item and of a dynamics at a node, a multiple of four */
    uint32_t sums;          /* the most of a block */
} levy_thresholds;

/* The thresholds of a program's first steps, where the returns are those above. */
levy_thresholds levy_thresholds_of(const levy_script_program *p, uint32_t n_factors);
/* The threshold whose three steps begin with the first of n of block number b; NULL: none. */
const levy_threshold *levy_thresholds_find(const levy_thresholds *all, uint32_t b,
                                           const levy_script_program *p,
                                           const levy_script_step *step, uint32_t n);

#endif
