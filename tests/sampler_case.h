/* sampler_case.h: the words of the stand-alone sampler written down again, and weights under which
 * a draw falls on a threshold, shared by the tests of the CPU and of the GPU's code. */
#ifndef LEVY_TESTS_SAMPLER_CASE_H
#define LEVY_TESTS_SAMPLER_CASE_H

#include <stdint.h>
#include <string.h>

/* The first two words of curand_init(seed, 0, 4 * draw). */
static inline uint64_t sampler_case_word(uint64_t seed, uint64_t draw)
{
    uint32_t k[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)},
             c[4] = {(uint32_t)draw, (uint32_t)(draw >> 32), 0, 0};
    for (int round = 0; round < 10; ++round) {
        const uint64_t p = 0xD2511F53ull * c[0], q = 0xCD9E8D57ull * c[2];
        const uint32_t next[4] = {(uint32_t)(q >> 32) ^ c[1] ^ k[0], (uint32_t)q,
                                  (uint32_t)(p >> 32) ^ c[3] ^ k[1], (uint32_t)p};
        memcpy(c, next, sizeof c);
        k[0] += 0x9E3779B9u;
        k[1] += 0xBB67AE85u;
    }
    return (uint64_t)c[0] << 32 | c[1];
}

/* Weights of two items, the first of which keeps its row up to 2^-32 (high + part) of a share,
 * where `high` are the leading bits of the place of some draw from `first` on. So 32 bits cannot
 * decide that draw, which is returned. */
static inline uint64_t sampler_case_near(uint64_t seed, uint64_t first, double part, double w[2])
{
    uint64_t draw = first, place;
    for (;; ++draw) { /* row 0, and below half of it */
        place = sampler_case_word(seed, draw);
        if (place >> 62 == 0) break;
    }
    w[0] = ((double)(uint32_t)(place >> 31) + part) * 0x1p-32;
    w[1] = 2.0 - w[0];
    return draw;
}

#endif
