/* exact.h: conversions of generator words, quotients and roots, each with one result on every
 * machine. IEEE division and square root are correctly rounded, so the CPU's own are used. A GPU
 * has none in hardware, and a compiler's code for them guards against ranges that never occur here.
 * The device versions below start from the hardware's approximations (20 bits), refine past 52
 * bits, and round once from an exact remainder (P. W. Markstein, Computation of elementary
 * functions on the IBM RS/6000, 1990), at six and eight operations. Operands and intermediate
 * results must be normal numbers of moderate size.
 *
 * The bits were checked to be IEEE's for every operand that normal.h uses. Over all 2^32 words no
 * quotient lies nearer than 2^-32 of its last half place to a midpoint; 2^-48 would be enough. The
 * 309 roots nearer than 2^-36, all of t within 2^-36 of 1, were computed step by step from
 * approximations off by up to 2^-17. Must not know: what is computed. */
#ifndef LEVY_LANE_EXACT_H
#define LEVY_LANE_EXACT_H

#include "kernels/lane/target.h"
#include "kernels/lane/lane.h"

#if LANE_GPU_CODE && !defined(LANE_SINGLE)
LANE_FN double lane_one_quotient(double n, double d)
{
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(d));
    double e = fma(-d, r, 1.0);
    e = fma(e, e, e);
    r = fma(r, e, r); /* relative error e^3 and one rounding: under 2^-52 */
    const double q = n * r;
    return fma(fma(-d, q, n), r, q);
}
LANE_FN double lane_one_root(double t)
{
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(t));
    const double e = fma(-(y * y), t, 1.0);
    y = fma(fma(e, 0.375, 0.5), y * e, y);
    const double s = t * y, half = lane_one_from_bits(lane_one_as_bits(y) - (1LL << 52));
    return fma(fma(-s, s, t), half, s);
}
LANE_FN lane lane_quotient(lane n, lane d) { LANE_EACH(lane, lane_one_quotient(n.v[i], d.v[i])); }
LANE_FN lane lane_root(lane t) { LANE_EACH(lane, lane_one_root(t.v[i])); }
#else
LANE_FN lane lane_quotient(lane n, lane d) { return n / d; }
LANE_FN lane lane_root(lane t) { return lane_sqrt(t); }
#endif

LANE_FN lane lane_abs(lane x)
{
    return lane_from_bits(lane_as_bits(x) & LANE_PICK(0x7fffffffffffffffLL, 0x7fffffff));
}

/* 2 x for normal x: in the exponent, so that it costs a GPU's double unit nothing. */
LANE_FN lane lane_twice(lane x)
{
    return lane_from_bits(lane_as_bits(x) + LANE_PICK(0x10000000000000LL, 0x800000));
}

/* The word's bits, as wide as a real (zero-extended in double). */
LANE_FN lane_bits lane_bits_from_word(lane_word u)
{
#if LANE_GPU
    LANE_EACH(lane_bits, (real_bits)u.v[i]);
#elif defined(LANE_SINGLE)
    return (lane_bits)u;
#elif defined(LANE_WIDEN)
    return (lane_bits)LANE_WIDEN(u);
#else
    return __builtin_convertvector(u, lane_bits);
#endif
}

/* Where a word is at least `least`. */
LANE_FN lane_mask lane_word_at_least(lane_word u, uint32_t least)
{
#if LANE_GPU
    LANE_EACH(lane_mask, u.v[i] >= least);
#elif defined(LANE_SINGLE)
    return (lane_mask)(u >= least);
#else
    return __builtin_convertvector((lane_int)(u >= least), lane_mask);
#endif
}

/* min(u, ~u): the distance from the nearer end, for tails that resolve as finely as the word does.
 */
LANE_FN lane_word lane_word_fold(lane_word u)
{
#if LANE_GPU
    LANE_EACH(lane_word, u.v[i] ^ (uint32_t)((int32_t)u.v[i] >> 31));
#else
    return u ^ (lane_word)((lane_int)u >> 31);
#endif
}

#if !defined(LANE_SINGLE)
/* The middle of a word's interval as a number, exactly: 33 significant bits are set under an
 * exponent, then one exact difference removes the offset. */
#if LANE_GPU_CODE
/* as 64-bit arithmetic this would take twice as many steps */
LANE_FN lane lane_word_under(lane_word u, uint32_t exponent)
{
    LANE_EACH(lane, __hiloint2double((int)(exponent + (u.v[i] >> 31)), (int)(u.v[i] * 2u + 1u)));
}
#else
LANE_FN lane lane_word_under(lane_word u, uint32_t exponent)
{
    const lane_bits odd = lane_bits_from_word(u) << 1;
    return lane_from_bits(odd | (real_bits)(((uint64_t)exponent << 32) | 1u));
}
#endif
#if LANE_GPU_CODE
/* (u + 1/2) 2^-32 */
LANE_FN lane lane_uniform_from_word(lane_word u)
{
    return lane_word_under(u, 0x41200000u) - R(0x1p19);
}
#else /* the half is part of the constant that is subtracted, so the word need not be shifted */
LANE_FN lane lane_uniform_from_word(lane_word u)
{
    return lane_from_bits(lane_bits_from_word(u) | (real_bits)0x4130000000000000LL) -
           R(0x1.fffffffffffffp19);
}
#endif
/* 2 p - 1 */
LANE_FN lane lane_signed_from_word(lane_word u)
{
    return lane_word_under(u, 0x41300000u) - R(0x100001p0);
}
#else
/* (u + 1/2) 2^-32, rounded to float; it may reach 1. */
LANE_FN lane lane_uniform_from_word(lane_word u)
{
#if LANE_GPU
    LANE_EACH(lane, fmaf((float)u.v[i], 0x1p-32f, 0x1p-33f));
#else
    return lane_fma(__builtin_convertvector(u, lane), lane_of(0x1p-32f), lane_of(0x1p-33f));
#endif
}
#endif

#endif
