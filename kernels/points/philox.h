/* philox.h: Philox4x32-10, counter-based: four words are a pure function of (key, counter). J. K. Salmon, M. A. Moraes,
 * R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011. Draw d of path p under a 64-bit key is word
 * d mod 4 of counter (d / 4, p): the numbers of cuRAND's generator with that seed, subsequence p, offset d.
 * Must not know: paths' meaning. */
#ifndef LEVY_POINTS_PHILOX_H
#define LEVY_POINTS_PHILOX_H

#include "kernels/lane/lane.h"

typedef struct philox_words { lane_word w[4]; } philox_words;

LANE_FN philox_words philox_draw(uint64_t key, lane_word counter0, lane_word counter1, lane_word counter2, lane_word counter3)
{
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    philox_words c;
    c.w[0] = counter0;
    c.w[1] = counter1;
    c.w[2] = counter2;
    c.w[3] = counter3;
#if defined(__CUDACC__)
#pragma unroll
#endif
    for (int round = 0; round < 10; ++round) {
        const lane_word high0 = lane_word_mul_high(c.w[0], 0xD2511F53u), low0 = lane_word_mul_low(c.w[0], 0xD2511F53u);
        const lane_word high1 = lane_word_mul_high(c.w[2], 0xCD9E8D57u), low1 = lane_word_mul_low(c.w[2], 0xCD9E8D57u);
        c.w[0] = high1 ^ c.w[1] ^ k0;
        c.w[1] = low1;
        c.w[2] = high0 ^ c.w[3] ^ k1;
        c.w[3] = low0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return c;
}

#endif
