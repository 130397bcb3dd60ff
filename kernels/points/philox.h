/* philox.h: Philox4x32-10, counter-based: four words are a pure function of (key, counter). J. K.
 * Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC
 * 2011. Draw d of path p under a 64-bit key is word d mod 4 of counter (d / 4, p): the numbers of
 * cuRAND's generator with that seed, subsequence p, offset d. Must not know: paths' meaning. */
#ifndef LEVY_POINTS_PHILOX_H
#define LEVY_POINTS_PHILOX_H

#include "kernels/lane/target.h"
#include "kernels/lane/lane.h"

typedef struct philox_words {
    lane_word w[4];
} philox_words;

#if LANE_GPU
LANE_FN philox_words philox_draw(uint64_t key, lane_word counter0, lane_word counter1,
                                 lane_word counter2, lane_word counter3)
{
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    philox_words c;
    c.w[0] = counter0;
    c.w[1] = counter1;
    c.w[2] = counter2;
    c.w[3] = counter3;
    /* Threads that carry several paths take each product once, in one instruction (normals of four
     * paths a thread: 11 % faster on an H200). With one path, a multiplication for each half is 14
     * % faster. */
#pragma unroll
    for (int round = 0; round < 10; ++round) {
#if LEVY_LANES > 1
        LANE_UNROLL for (int i = 0; i < LANES; ++i)
        {
            const uint64_t product0 = (uint64_t)c.w[0].v[i] * 0xD2511F53u,
                           product1 = (uint64_t)c.w[2].v[i] * 0xCD9E8D57u;
            c.w[0].v[i] = (uint32_t)(product1 >> 32) ^ c.w[1].v[i] ^ k0;
            c.w[1].v[i] = (uint32_t)product1;
            c.w[2].v[i] = (uint32_t)(product0 >> 32) ^ c.w[3].v[i] ^ k1;
            c.w[3].v[i] = (uint32_t)product0;
        }
#else
        const lane_word high0 = lane_word_mul_high(c.w[0], 0xD2511F53u),
                        low0 = lane_word_mul_low(c.w[0], 0xD2511F53u);
        const lane_word high1 = lane_word_mul_high(c.w[2], 0xCD9E8D57u),
                        low1 = lane_word_mul_low(c.w[2], 0xCD9E8D57u);
        c.w[0] = high1 ^ c.w[1] ^ k0;
        c.w[1] = low1;
        c.w[2] = high0 ^ c.w[3] ^ k1;
        c.w[3] = low0;
#endif
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return c;
}
#else
/* On a CPU the words stay in integers of 64 bits from the first round to the last, so that a
 * product of two is one instruction. What their upper halves hold in between reaches no result. A
 * block is two chains of 60 cycles that leave most of the processor idle, so several registers do
 * each round together. */
LANE_FN void philox_rounds(uint64_t key, lane_long (*c)[4], int registers)
{
    const lane_long m0 = lane_long_of(0xD2511F53u), m1 = lane_long_of(0xCD9E8D57u);
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    LANE_UNROLL for (int round = 0; round < 10; ++round)
    {
        LANE_UNROLL for (int p = 0; p < registers; ++p)
        {
            const lane_long product0 = lane_long_mul(c[p][0], m0),
                            product1 = lane_long_mul(c[p][2], m1);
            c[p][0] = product1 >> 32 ^ c[p][1] ^ (uint64_t)k0;
            c[p][1] = product1;
            c[p][2] = product0 >> 32 ^ c[p][3] ^ (uint64_t)k1;
            c[p][3] = product0;
        }
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
}

LANE_FN philox_words philox_draw(uint64_t key, lane_word counter0, lane_word counter1,
                                 lane_word counter2, lane_word counter3)
{
    const lane_word counter[4] = {counter0, counter1, counter2, counter3};
    lane_long c[LANE_PARTS][4], result[LANE_PARTS];
    philox_words words;
    LANE_UNROLL for (int p = 0; p < LANE_PARTS; ++p) LANE_UNROLL for (int w = 0; w < 4; ++w)
        c[p][w] = lane_long_from_word(counter[w], p);
    philox_rounds(key, c, LANE_PARTS);
    LANE_UNROLL for (int w = 0; w < 4; ++w)
    {
        LANE_UNROLL for (int p = 0; p < LANE_PARTS; ++p) result[p] = c[p][w];
        words.w[w] = lane_word_from_long(result);
    }
    return words;
}
#endif

#endif
