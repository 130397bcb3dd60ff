/* near.h: numbers that agree, for tests. */
#ifndef LEVY_TESTS_NEAR_H
#define LEVY_TESTS_NEAR_H

#include "tests/cmocka_all.h"

#include <math.h>
#include <string.h>

static inline uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not within %g of %.17g", value, tolerance, expected);
}

/* Relative to what is expected, or to 1 where that is less. */
static inline void assert_relative(double value, double expected, double tolerance)
{
    assert_near(value, expected, tolerance * fmax(1.0, fabs(expected)));
}

#endif
