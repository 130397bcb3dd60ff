/* sobol_word.h: the word of a point from the direction numbers of its dimension, one bit at a time,
 * for tests. */
#ifndef LEVY_TESTS_SOBOL_WORD_H
#define LEVY_TESTS_SOBOL_WORD_H

#include "kernels/points/sobol.h"

static inline uint32_t sobol_word_of(const uint32_t *numbers, uint32_t shift, uint64_t index)
{
    uint32_t word = shift;
    for (uint32_t b = 0; b < 32; ++b)
        if (sobol_gray(index) >> b & 1) word ^= numbers[b];
    return word;
}

#endif
