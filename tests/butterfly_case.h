/* butterfly_case.h: distributions for the tests of kernels/samplers/butterfly/: weights of several
 * kinds as functions of a seed. C11, C++. */
#ifndef LEVY_TESTS_BUTTERFLY_CASE_H
#define LEVY_TESTS_BUTTERFLY_CASE_H

#include <stddef.h>
#include <stdint.h>

typedef enum butterfly_kind {
    BUTTERFLY_UNIFORM,  /* in (0, 1) */
    BUTTERFLY_WIDE,     /* over 40 powers of two, half of them zero */
    BUTTERFLY_SPARSE,   /* nearly all zero */
    BUTTERFLY_INTEGERS, /* whole numbers up to 3: every sum is exact in either precision */
    BUTTERFLY_TINY,     /* subnormal numbers */
    BUTTERFLY_KINDS
} butterfly_kind;

static inline uint64_t butterfly_case_mix(uint64_t z)
{
    z += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
static inline uint32_t butterfly_case_word(uint64_t seed, uint64_t i)
{
    return (uint32_t)(butterfly_case_mix(seed ^ butterfly_case_mix(i)) >> 32);
}

/* Entry `item` of a row of theta. Every row has some weight above zero: entry row mod n. */
static inline double butterfly_case_theta(butterfly_kind kind, int single, uint64_t row,
                                          uint32_t item, uint32_t n)
{
    const uint32_t word = butterfly_case_word(101 + (uint64_t)kind, row * 8192 + item),
                   sure = item == row % n;
    const double u = ((double)word + 0.5) * (1.0 / 4294967296.0);
    double scale = 1.0;
    switch (kind) {
    case BUTTERFLY_WIDE:
        for (uint32_t k = word % 40; k > 0; --k) scale *= 0.5;
        return (word >> 8) % 2 && !sure ? 0.0 : u * scale;
    case BUTTERFLY_SPARSE:
        return word % 50 && !sure ? 0.0 : u;
    case BUTTERFLY_INTEGERS:
        return (double)(word % 4 + sure);
    case BUTTERFLY_TINY:
        return (double)(word % 4 + sure) * (single ? 0x1p-149 : 0x1p-1074);
    case BUTTERFLY_UNIFORM:
    case BUTTERFLY_KINDS:
        break;
    }
    return u;
}

/* Entry of a row of phi; never zero. */
static inline double butterfly_case_phi(butterfly_kind kind, uint64_t state, uint32_t item)
{
    const uint32_t word = butterfly_case_word(77, state * 8192 + item);
    if (kind == BUTTERFLY_TINY) return 1.0;
    if (kind == BUTTERFLY_INTEGERS) return (double)(1 + word % 3);
    return 0.25 + (double)word * (1.0 / 4294967296.0);
}

/* The ends of the range come often. */
static inline uint32_t butterfly_case_uniform(uint64_t seed, uint64_t path)
{
    if (path % 17 == 3) return 0xFFFFFFFFu;
    if (path % 19 == 5) return 0;
    return butterfly_case_word(seed, path);
}

/* Entry `at` of an array of floats or doubles. */
static inline void butterfly_case_put(void *array, size_t at, int single, double value)
{
    if (single)
        ((float *)array)[at] = (float)value;
    else
        ((double *)array)[at] = value;
}

#endif
