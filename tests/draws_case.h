/* draws_case.h: the words that levy_draw_each makes, written down again: Philox4x32-10 under the
 * seed, word d mod 4 of counter (d / 4, path). For the tests of the CPU and of the GPU's code. */
#ifndef LEVY_TESTS_DRAWS_CASE_H
#define LEVY_TESTS_DRAWS_CASE_H

#include <stdint.h>
#include <string.h>

static inline uint32_t draws_case_word(uint64_t seed, uint64_t path, uint64_t draw)
{
    uint32_t k[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)},
             c[4] = {(uint32_t)(draw / 4), (uint32_t)(draw / 4 >> 32), (uint32_t)path,
                     (uint32_t)(path >> 32)};
    for (int round = 0; round < 10; ++round) {
        const uint64_t p = 0xD2511F53ull * c[0], q = 0xCD9E8D57ull * c[2];
        const uint32_t next[4] = {(uint32_t)(q >> 32) ^ c[1] ^ k[0], (uint32_t)q,
                                  (uint32_t)(p >> 32) ^ c[3] ^ k[1], (uint32_t)p};
        memcpy(c, next, sizeof c);
        k[0] += 0x9E3779B9u;
        k[1] += 0xBB67AE85u;
    }
    return c[draw % 4];
}

#endif
