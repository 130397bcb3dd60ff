/* alias_fixed.h: weights as integers. A table is built on whole numbers. Sums are then the same in
 * any order, on any number of threads and on a GPU, and no item loses mass to cancellation. Weight
 * w of n items of total W becomes
 *     q = floor(w n / W 2^fraction),   one row's share is exactly 2^fraction,
 * by integer multiplication of w's 53 bits with a 96-bit reciprocal. fraction keeps the sum of all
 * q below 2^95. The floors together lose less than n 2^-fraction of a row (4e-15 for 10^7 items,
 * 3e-13 for 10^8). C11 and CUDA C++. Must not know: how rows are filled, threads. */
#ifndef LEVY_ALIAS_FIXED_H
#define LEVY_ALIAS_FIXED_H

#include "kernels/lane/target.h"

#include <stdint.h>
#include <string.h>

#if LANE_GPU
#define ALIAS_FN static __host__ __device__ __forceinline__
#else
#define ALIAS_FN static inline
#endif

__extension__ typedef unsigned __int128 alias_wide;
__extension__ typedef __int128 alias_signed;

/* A sum of doubles as hi + lo, |lo| at most half an ulp of hi. */
typedef struct alias_pair {
    double hi, lo;
} alias_pair;

/* How weights become integers and integers weights again. Thresholds of rows are weights times
 * `lift`, a power of two that is 1 unless all weights are so small that a row's share would be a
 * subnormal number. */
typedef struct alias_scale {
    uint64_t high; /* the reciprocal's upper 64 bits */
    uint32_t low;  /* and its lower 32 */
    int32_t base;  /* q = (mantissa * reciprocal / 2^32) >> (base - exponent) */
    int32_t fraction;
    double lift;
    double share; /* lift W / n: what one row holds */
    double unit;  /* share / 2^fraction */
} alias_scale;

/* a + b without loss (Knuth's two-sum), then the low parts. The order of the operations is part of
 * the result. */
ALIAS_FN alias_pair alias_pair_add(alias_pair a, alias_pair b)
{
    const double sum = a.hi + b.hi, back = sum - a.hi;
    const double error = (a.hi - (sum - back)) + (b.hi - back);
    const double low = error + (a.lo + b.lo);
    alias_pair result;
    result.hi = sum + low;
    result.lo = low - (result.hi - sum);
    return result;
}

/* Adds one weight. It is cheaper because the pair is not normalised between steps. */
ALIAS_FN void alias_pair_add_one(alias_pair *a, double b)
{
    const double sum = a->hi + b, back = sum - a->hi;
    a->lo += (a->hi - (sum - back)) + (b - back);
    a->hi = sum;
}

ALIAS_FN uint64_t alias_double_bits(double x)
{
#if LANE_GPU_CODE
    return (uint64_t)__double_as_longlong(x);
#else
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
#endif
}

/* The integer of a finite weight >= 0. */
ALIAS_FN alias_wide alias_quantise(const alias_scale *s, double weight)
{
    const uint64_t bits = alias_double_bits(weight * s->lift);
    const int32_t field = (int32_t)(bits >> 52) & 0x7FF; /* minus zero is zero */
    const uint64_t mantissa = (bits & 0xFFFFFFFFFFFFFu) | ((uint64_t)(field != 0) << 52);
    const int32_t shift = s->base - (field ? field : 1);
    const alias_wide product =
        (alias_wide)mantissa * s->high + (uint64_t)(((alias_wide)mantissa * s->low) >> 32);
    return shift < 128 ? product >> shift : 0;
}

ALIAS_FN alias_wide alias_one(const alias_scale *s) { return (alias_wide)1 << s->fraction; }

/* Converts x < 2^95 to the nearest double or one of its neighbours. The conversions are signed,
 * because the unsigned one is a branch on x86-64. */
ALIAS_FN double alias_wide_double(alias_wide x)
{
    return (double)(int64_t)(x >> 32) * 4294967296.0 + (double)(int64_t)(uint32_t)x;
}

/* q as a threshold. */
ALIAS_FN double alias_weight(const alias_scale *s, alias_wide q)
{
    return alias_wide_double(q) * s->unit;
}

#endif
