/* mrg_streams.c: see mrg_streams.h. */
#include "kernels/points/mrg_streams.h"

#include "kernels/points/sobol_tables.h"

#include <string.h>

static const uint64_t mrg_moduli[2] = {4294967087u, 4294944443u};

static void mrg_multiply(const uint32_t *a, const uint32_t *b, uint64_t modulus, uint32_t out[9])
{
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            uint64_t sum = 0;
            for (int k = 0; k < 3; ++k)
                sum = (sum + (uint64_t)a[3 * i + k] * b[3 * k + j] % modulus) % modulus;
            out[3 * i + j] = (uint32_t)sum;
        }
}

static void mrg_then(const uint32_t a[LEVY_MRG_JUMP], const uint32_t b[LEVY_MRG_JUMP],
                     uint32_t out[LEVY_MRG_JUMP])
{
    uint32_t both[LEVY_MRG_JUMP];
    for (int c = 0; c < 2; ++c) mrg_multiply(a + 9 * c, b + 9 * c, mrg_moduli[c], both + 9 * c);
    memcpy(out, both, sizeof both);
}

void levy_mrg_one_draw(uint32_t jump[LEVY_MRG_JUMP])
{
    static const uint32_t one[LEVY_MRG_JUMP] = {
        0, 1, 0, 0, 0, 1, 4294967087u - 810728,  1403580, 0,
        0, 1, 0, 0, 0, 1, 4294944443u - 1370589, 0,       527612};
    memcpy(jump, one, sizeof one);
}

void levy_mrg_double(uint32_t jump[LEVY_MRG_JUMP], uint32_t times)
{
    for (uint32_t i = 0; i < times; ++i) mrg_then(jump, jump, jump);
}

void levy_mrg_repeat(const uint32_t jump[LEVY_MRG_JUMP], uint64_t times,
                     uint32_t power[LEVY_MRG_JUMP])
{
    static const uint32_t identity[LEVY_MRG_JUMP] = {
        1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1,
    };
    uint32_t square[LEVY_MRG_JUMP];
    memcpy(square, jump, sizeof square);
    memcpy(power, identity, sizeof identity);
    for (; times; times >>= 1) {
        if (times & 1) mrg_then(power, square, power);
        mrg_then(square, square, square);
    }
}

void levy_mrg_jump(const uint32_t jump[LEVY_MRG_JUMP], uint32_t state[LEVY_MRG_STATE])
{
    for (int c = 0; c < 2; ++c) {
        uint32_t to[3];
        for (int i = 0; i < 3; ++i) {
            uint64_t sum = 0;
            for (int j = 0; j < 3; ++j)
                sum = (sum + (uint64_t)jump[9 * c + 3 * i + j] * state[3 * c + j] % mrg_moduli[c]) %
                      mrg_moduli[c];
            to[i] = (uint32_t)sum;
        }
        memcpy(state + 3 * c, to, sizeof to);
    }
}

static void mrg_seed(uint64_t seed, uint32_t state[LEVY_MRG_STATE])
{
    const uint32_t half[2] = {(uint32_t)seed ^ 0x55555555u, (uint32_t)(seed >> 32) ^ 0xaaaaaaaau};
    for (int c = 0; c < 2; ++c) {
        uint32_t any = 0;
        for (int i = 0; i < 3; ++i) {
            const uint64_t factor = seed ? half[(c + i) & 1] : 1;
            state[3 * c + i] = (uint32_t)(factor * 12345 % mrg_moduli[c]);
            any |= state[3 * c + i];
        }
        for (int i = 0; any == 0 && i < 3; ++i) state[3 * c + i] = 12345;
    }
}

void levy_mrg_start(uint64_t seed, uint64_t replicate, uint32_t purpose,
                    uint32_t state[LEVY_MRG_STATE])
{
    uint32_t unit[LEVY_MRG_JUMP], jump[LEVY_MRG_JUMP];
    mrg_seed(seed, state);
    levy_mrg_one_draw(unit);
    levy_mrg_double(unit, 76);
    levy_mrg_repeat(unit, replicate, jump);
    levy_mrg_jump(jump, state);
    levy_mrg_double(unit, 127 - 76);
    levy_mrg_repeat(unit, purpose - LEVY_PURPOSE_PRICE, jump);
    levy_mrg_jump(jump, state);
}
