/* alias_case.h: weights to try alias tables on, shared by the tests of the CPU and of the GPU's
 * code. */
#ifndef LEVY_TESTS_ALIAS_CASE_H
#define LEVY_TESTS_ALIAS_CASE_H

#include <stdint.h>

/* A word of the splitmix64 sequence of a seed. */
static inline uint64_t alias_case_word(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline double alias_case_uniform(uint64_t seed, uint64_t i)
{
    return ((double)(alias_case_word(seed, i) >> 11) + 0.5) * 0x1p-53;
}

/* Fisher-Yates. */
static inline void alias_case_shuffle(double *w, uint64_t n, uint64_t seed)
{
    for (uint64_t i = n; i > 1; --i) {
        const uint64_t k = alias_case_word(seed, i) % i;
        const double kept = w[i - 1];
        w[i - 1] = w[k];
        w[k] = kept;
    }
}

enum { ALIAS_CASES = 21 };

static inline const char *alias_case_name(int which)
{
    static const char *const names[ALIAS_CASES] = {"uniform",
                                                   "equal",
                                                   "power law",
                                                   "power law, shuffled",
                                                   "power law 2",
                                                   "one huge",
                                                   "one huge at the end",
                                                   "zeros",
                                                   "one of all",
                                                   "two values",
                                                   "thirds",
                                                   "subnormal",
                                                   "all subnormal",
                                                   "wide range",
                                                   "huge sum",
                                                   "ascending",
                                                   "descending",
                                                   "nearly equal",
                                                   "one light",
                                                   "alternating",
                                                   "halves"};
    return names[which];
}

static inline double alias_case_weight(int which, uint64_t i, uint64_t n)
{
    const double u = alias_case_uniform((uint64_t)which + 7, i);
    switch (which) {
    case 0:
        return u;
    case 1:
        return 0.1;
    case 2:
    case 3:
        return 1.0 / (double)(i + 1);
    case 4:
        return 1.0 / ((double)(i + 1) * (double)(i + 1));
    case 5:
        return i == 0 ? 1e18 : u;
    case 6:
        return i == n - 1 ? 1e18 : u;
    case 7:
        if (i % 7 == 3 || i == 0) return u;
        return i % 2 ? 0.0 : -0.0;
    case 8:
        return i == n / 2 ? 3.25 : 0.0;
    case 9:
        return i % 2 ? 1.0 : 2.0;
    case 10:
        return i % 3 ? 1.0 / 3.0 : 7.0;
    case 11:
        return i % 4 == 1 ? 1.0 + u : u * 1e-310;
    case 12:
        return (double)(alias_case_word(3, i) % 5) * 4.9406564584124654e-324 +
               (i == 0 ? 4.9406564584124654e-324 : 0.0);
    case 13: {
        double w = u;
        for (uint64_t k = alias_case_word(11, i) % 600; k > 0; --k) w *= k % 2 ? 0.09 : 0.11;
        return w;
    }
    case 14:
        return 1.7e308 * (0.5 + 0.5 * u);
    case 15:
        return (double)(i + 1);
    case 16:
        return (double)(n - i);
    case 17:
        return 1.0 + (i == n / 3 ? 1e-10 : 0.0);
    case 18:
        return i == n / 2 ? 0.25 : 1.0;
    case 19:
        return i < n / 2 ? 1.0 + 1e-6 * u : 1.0 - 1e-6 * u;
    default:
        return i % 2 ? 1.0 : 3.0; /* light rows lack exactly half a share */
    }
}

static inline void alias_case_fill(int which, double *w, uint64_t n)
{
    for (uint64_t i = 0; i < n; ++i) w[i] = alias_case_weight(which, i, n);
    if (which == 3) alias_case_shuffle(w, n, 5);
}

#endif
