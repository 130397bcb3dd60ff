/* exact.h: conversions of generator words, quotients and roots, each with one result on every
 * machine. IEEE's are correctly rounded, so the CPU's own are used. A GPU has none in hardware, and
 * a compiler's code for them guards against ranges that never occur here. The device's versions
 * below start from the hardware's approximation (20 bits), refine past 52 bits, and round once from
 * an exact remainder (P. W. Markstein, Computation of elementary functions on the IBM RS/6000,
 * 1990), at eight operations, of a root nine. Operands and intermediate results must be normal
 * numbers of moderate size. Must not know: what is computed. */
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
LANE_FN lane lane_quotient(lane n, lane d) { LANE_EACH(lane, lane_one_quotient(n.v[i], d.v[i])); }

LANE_FN double lane_one_root(double x)
{
    double r;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
    const double e = fma(-x * r, r, 1.0);
    r = fma(r * e, fma(e, 0.375, 0.5), r);
    const double q = x * r; /* half of r by its exponent */
    return fma(fma(-q, q, x), __hiloint2double(__double2hiint(r) - 0x100000, __double2loint(r)), q);
}
LANE_FN lane lane_root(lane x) { LANE_EACH(lane, lane_one_root(x.v[i])); }
#else
LANE_FN lane lane_quotient(lane n, lane d) { return n / d; }
LANE_FN lane lane_root(lane x) { return lane_sqrt(x); }
#endif

LANE_FN lane lane_abs(lane x)
{
    return lane_from_bits(lane_as_bits(x) & LANE_PICK(0x7fffffffffffffffLL, 0x7fffffff));
}

/* x < bound, and the larger and the lesser of x and `bound`. In double the lower half of the
 * bound's bits is 0: a GPU compares upper halves as integers, beside its unit for doubles, of which
 * a minimum or maximum takes a dozen instructions. */
#if LANE_GPU && !defined(LANE_SINGLE)
LANE_FN int32_t lane_one_upper(double x) { return (int32_t)(lane_one_as_bits(x) >> 32); }
LANE_FN lane_mask lane_below(lane x, double bound)
{
    LANE_EACH(lane_mask, lane_one_upper(x.v[i]) < lane_one_upper(bound));
}
/* Of two numbers below 0 the lesser has the larger bits. */
LANE_FN double lane_one_raised(double x, double bound)
{
    const int32_t at = lane_one_upper(x), from = lane_one_upper(bound);
    const bool below = from < 0 ? (uint32_t)at >= (uint32_t)from : at < from;
    return below ? bound : x;
}
LANE_FN lane lane_raised(lane x, double bound) { LANE_EACH(lane, lane_one_raised(x.v[i], bound)); }
/* for bounds above 0 */
LANE_FN lane lane_lowered(lane x, double bound)
{
    return lane_select(lane_below(x, bound), x, lane_of(bound));
}
#else
LANE_FN lane_mask lane_below(lane x, real bound) { return x < bound; }
LANE_FN lane lane_raised(lane x, real bound) { return lane_max(x, lane_of(bound)); }
#endif

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
/* (u + 1/2) 2^-32, exactly: the word's bits are set under an exponent, then one exact difference
 * removes the offset. */
#if LANE_GPU_CODE /* as 64-bit arithmetic this would take twice as many steps */
LANE_FN lane lane_uniform_from_word(lane_word u)
{
    LANE_EACH(lane, __hiloint2double((int)(0x41200000u + (u.v[i] >> 31)), (int)(u.v[i] * 2u + 1u)) -
                        R(0x1p19));
}
#else /* the half is part of the constant that is subtracted, so the word need not be shifted */
LANE_FN lane lane_uniform_from_word(lane_word u)
{
    return lane_from_bits(lane_bits_from_word(u) | (real_bits)0x4130000000000000LL) -
           R(0x1.fffffffffffffp19);
}
#endif
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
