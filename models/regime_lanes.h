/* regime_lanes.h: lanes of a lognormal model whose volatilities, and optionally return and rates,
 * follow a Markov chain. The chain's state is a small integer by path; tables are indexed by state.
 * regime_switching.h has the step at a node. Lanes only. */
#ifndef LEVY_MODELS_REGIME_LANES_H
#define LEVY_MODELS_REGIME_LANES_H

#include "kernels/lane/target.h"
#include "kernels/lane/exact.h"
#include "kernels/lane/normal.h"
#include "models/regimes.h"

typedef struct LANE_ALIGNED(4 * sizeof(real)) regime_four {
    real v[REGIMES_FOUR];
} regime_four;
typedef struct LANE_ALIGNED(16) regime_words {
    uint32_t v[REGIMES_FOUR];
} regime_words;

/* Four neighbouring numbers of each lane's row. */
typedef struct regime_row {
    lane v[REGIMES_FOUR];
} regime_row;

#if LANE_GPU
LANE_FN regime_row regime_look_up(const regime_four *rows, lane_word index)
{
    regime_row out;
#pragma unroll
    for (int i = 0; i < LANES; ++i) {
        const regime_four row = rows[index.v[i]];
#pragma unroll
        for (int k = 0; k < REGIMES_FOUR; ++k) out.v[k].v[i] = row.v[k];
    }
    return out;
}
#else
LANE_FN regime_row regime_look_up(const regime_four *rows, lane_word index)
{
    const lane_word first = index * 4u;
    regime_row out;
    for (int k = 0; k < REGIMES_FOUR; ++k) out.v[k] = lane_gather(rows->v + k, first);
    return out;
}
#endif

/* How long the chain stays in a state, and the mask of lanes that leave it within the interval. */
typedef struct regime_stay {
    lane hold;
    lane_mask going;
} regime_stay;

/* A stay in a state that an exponential time ends. It is made of a uniform and of the time that is
 * left in the interval. */
LANE_FN regime_stay regime_stay_of(const regime_four *chain, lane_word state, lane uniform,
                                   lane left)
{
    const lane time = lane_max(-path_log(uniform), lane_of(R(0.0)));
    regime_stay stay;
    stay.going = time < lane_gather(chain->v + REGIMES_RATE, state * 4u) * left;
    stay.hold = lane_select(
        stay.going, lane_min(time * lane_gather(chain->v + REGIMES_MEAN, state * 4u), left), left);
    return stay;
}

/* A jump's logarithm, a rising function of the word. `first`: each lane's offset of the law. */
LANE_FN lane regime_mark(const real *marks, lane_word first, lane_word word)
{
    const real *const numbers = marks + REGIMES_FALLS;
    const lane one = lane_gather(numbers, first), two = lane_gather(numbers + 1, first);
    const lane u = lane_uniform_from_word(word), up = lane_uniform_from_word(word ^ 0xffffffffu);
    const lane_mask falls = u < one;
    const lane share = lane_select(falls, u * two, up * lane_gather(numbers + 2, first));
    const lane exponential = path_log(share) * lane_select(falls, lane_gather(numbers + 3, first),
                                                           lane_gather(numbers + 4, first));
    const lane normal = lane_fma(two, normal_from_word(word), one);
    return lane_select(lane_gather(marks + REGIMES_KIND, first) == R(0.0), normal, exponential);
}

/* The next state: the number of thresholds below the word in row `state` of a table. The word is
 * odd. */
#if LANE_GPU
LANE_FN lane_word regime_next_narrow(const uint32_t *table, uint32_t n, lane_word state,
                                     lane_word word)
{
    lane_word next;
#pragma unroll
    for (int i = 0; i < LANES; ++i) {
        const regime_words row = ((const regime_words *)table)[state.v[i]];
        const uint32_t w = word.v[i], high = n > 2 && w > row.v[1] ? 2 : 0;
        const uint32_t last = high ? row.v[2] : row.v[0];
        next.v[i] = high + (w > last ? 1 : 0);
    }
    return next;
}
#else
LANE_FN lane_word regime_next_narrow(const uint32_t *table, uint32_t n, lane_word state,
                                     lane_word word)
{
    const lane_word first = state * (uint32_t)REGIMES_FOUR;
    const lane_word high =
        n > 2 ? lane_word_above(word, lane_gather_word(table + 1, first)) * 2u : lane_word_of(0);
    return high + lane_word_above(word, lane_gather_word(table, first + high));
}
#endif

LANE_FN lane_word regime_next(const uint32_t *table, uint32_t n, lane_word state, lane_word word)
{
    uint32_t width = REGIMES_FOUR;
    if (n == 1) return lane_word_of(0);
    if (n <= REGIMES_FOUR) return regime_next_narrow(table, n, state, word);
    while (width < n) width *= 2;
    lane_word at = state * width;
    for (uint32_t step = width / 2; step > 0; step /= 2)
        at = at + lane_word_above(word, lane_gather_word(table, at + (step - 1))) * step;
    return at - state * width;
}

/* ---- Probabilities that differ from path to path ---- */

enum { REGIMES_BLOCK = 32, REGIMES_BLOCKS = 2 };

LANE_FN uint32_t regime_leaves(uint32_t n)
{
    uint32_t leaves = 1;
    while (leaves < n) leaves *= 2;
    return leaves;
}

/* word 2^-32 in double precision; in single, made of the word's upper 24 bits. It is below 1. */
LANE_FN lane regime_fraction(lane_word word)
{
#if defined(LANE_SINGLE)
    return lane_from_word(word >> 8) * R(0x1p-24);
#else
    return lane_from_word(word >> 1) * R(0x1p-31) + lane_from_word(word & 1u) * R(0x1p-32);
#endif
}

/* A block's tree: node i is the sum of nodes 2 i and 2 i + 1, the leaves are the products. */
LANE_FN void regime_tree(const real *theta, const real *phi, lane_word at, lane_word bucket,
                         uint32_t leaves, lane *tree)
{
    for (uint32_t k = 0; k < leaves; ++k)
        tree[leaves + k] = lane_gather(theta, at + k) * lane_gather(phi, bucket + k);
    for (uint32_t i = leaves - 1; i > 0; --i) tree[i] = tree[2 * i] + tree[2 * i + 1];
}

/* The leaf on which a target falls. The search destroys the tree: the half that it enters replaces
 * the tree. */
LANE_FN lane_word regime_leaf(lane *tree, uint32_t leaves, lane low, lane target)
{
    lane_word leaf = lane_word_of(0);
    for (; leaves > 1; leaves /= 2) {
        const lane middle = low + tree[2];
        const lane_mask up = (target >= middle) & (tree[3] > R(0.0));
        low = lane_select(up, middle, low);
        leaf = lane_word_select(up, leaf + leaves / 2, leaf);
        /* One level at a time: nodes [width, 2 width) of the half. */
        for (uint32_t width = 1; width < leaves; width *= 2)
            for (uint32_t i = 0; i < width; ++i)
                tree[width + i] = lane_select(up, tree[3 * width + i], tree[2 * width + i]);
    }
    return leaf;
}

/* The next state where each path has weights of its own, theta[at + k] phi[bucket + k]. It takes
 * one word. The order of addition is fixed: a balanced tree in each block of 32, then the blocks
 * one after the other. A larger word never gives a calmer state. G. L. Steele Jr. and J.-B.
 * Tristan, Using butterfly-patterned partial sums to draw from discrete distributions, PPoPP 2017.
 */
LANE_FN lane_word regime_next_by_level(const real *theta, const real *phi, uint32_t n, lane_word at,
                                       lane_word bucket, lane_word word)
{
    const uint32_t leaves = regime_leaves(n),
                   in_block = leaves < REGIMES_BLOCK ? leaves : (uint32_t)REGIMES_BLOCK;
    lane tree[2 * REGIMES_BLOCK];
    regime_tree(theta, phi, at, bucket, in_block, tree);
    const lane first = tree[1];
    lane total = first;
    if (leaves > in_block) {
        lane second[2 * REGIMES_BLOCK];
        regime_tree(theta, phi, at + in_block, bucket + in_block, in_block, second);
        total = first + second[1];
    }
    lane target = total * regime_fraction(word);
    target = lane_select(target < total, target, lane_from_bits(lane_as_bits(total) - 1));
    lane_word leaf = regime_leaf(tree, in_block, lane_of(R(0.0)), target);
    if (leaves > in_block) {
        regime_tree(theta, phi, at + in_block, bucket + in_block, in_block, tree);
        leaf = lane_word_select(target >= first,
                                regime_leaf(tree, in_block, first, target) + in_block, leaf);
    }
    return leaf;
}

#endif
