/* butterfly.h: a draw, or a few, from each of many discrete distributions. Path p has the relative
 * weights theta[p][k] phi[state of p][k] over its items k. One uniform word per draw selects the
 * item. After G. L. Steele Jr. and J.-B. Tristan, Using butterfly-patterned
 * partial sums to draw from discrete distributions, PPoPP 2017.
 *
 * The order of addition is part of the contract: the CPU and every version on a GPU give the same
 * items, in both precisions.
 *   - Items are in blocks of 32; zeros fill the last block. A weight is one rounded product.
 *   - A block's sum is a balanced binary tree over its items: neighbours are added, then
 *     neighbouring pairs, and so on.
 *   - before[0] = 0 and before[b + 1] = before[b] + sum of block b, in sequence. The last is the
 *     total.
 *   - The target is u times the total; u is word 2^-32 in double, floor(word / 2^8) 2^-24 in
 *     single. If that rounds to the total itself (subnormal numbers), the target is the number just
 *     below.
 *   - The block is the one with before[b] <= target < before[b + 1], found by bisection. Inside,
 *     start at low = before[b] and the tree's root. If target >= low + left and the right half's
 *     sum is above 0, go to the right half and let low += left; else go to the left half.
 *
 * An item is therefore a function of its path's weights and its own word alone. A larger word never
 * gives a smaller item, so quasi-random points keep their order. An item of weight zero is never
 * drawn, whatever was rounded, because every half that is entered has a positive sum.
 *
 * Drawing does not check for weights that are negative, infinite or NaN: it then gives some item
 * below n_items, and item 0 if the total is not a positive finite number. levy_butterfly_check does
 * check. Must not know: where words come from, threads. */
#ifndef LEVY_BUTTERFLY_H
#define LEVY_BUTTERFLY_H

#ifdef __cplusplus
extern "C" {
#endif

#include "engine/base/status.h"
#include "kernels/samplers/butterfly/butterfly_size.h"

#include <stddef.h>
#include <stdint.h>

/* All arrays are the caller's, on the CPU or in device memory. A state that is not below n_states
 * is taken for the last. */
typedef struct levy_butterfly_draws {
    const void *theta;      /* [n_paths][theta_stride], float or double */
    const void *phi;        /* [n_states][phi_stride], the same */
    const uint32_t *states; /* [n_paths]; NULL: all are in state 0 */
    const uint32_t *words;  /* [n_paths][n_draws] */
    uint32_t *items;        /* [n_paths][n_draws], written */
    size_t n_paths;
    size_t theta_stride, phi_stride; /* numbers from row to row, at least n_items */
    uint32_t n_items, n_states;
    int single;       /* 1: float */
    uint32_t n_draws; /* of each path; 0: 1 */
} levy_butterfly_draws;

/* LEVY_ARGUMENT: no items or more than LEVY_BUTTERFLY_MOST, no states, a stride below n_items, an
 * array missing. */
levy_status levy_butterfly_admit(const levy_butterfly_draws *draws);

/* Draws for the paths from `first` to before `last`, so that threads can share the work. The draws
 * have been admitted. Returns the lowest of these paths whose total is no positive finite number;
 * SIZE_MAX: there is none. */
size_t levy_butterfly_draw(const levy_butterfly_draws *draws, size_t first, size_t last);

typedef enum levy_butterfly_reason {
    LEVY_BUTTERFLY_FINE,
    LEVY_BUTTERFLY_NEGATIVE,
    LEVY_BUTTERFLY_NAN,
    LEVY_BUTTERFLY_INFINITE,
    LEVY_BUTTERFLY_STATE,    /* not below n_states */
    LEVY_BUTTERFLY_ALL_ZERO, /* every weight of a path, after rounding */
    LEVY_BUTTERFLY_OVERFLOW  /* a path's total is not finite, though its weights are */
} levy_butterfly_reason;

typedef struct levy_butterfly_fault {
    levy_butterfly_reason reason;
    int of_phi; /* 1: row and item are of phi, row a state; 0: of theta, row a path */
    size_t row;
    uint32_t item;
    double value;
} levy_butterfly_fault;

/* LEVY_INPUT: `fault` says what and where: the first number of phi that is no weight, else the
 * first path with a fault. */
levy_status levy_butterfly_check(const levy_butterfly_draws *draws, levy_butterfly_fault *fault);
/* A fault in words, such as "theta[17][3] is -0.5: a weight must be a finite number, 0 or more". It
 * is cut to size. */
void levy_butterfly_fault_text(const levy_butterfly_fault *fault, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
