/* alias_fix96.cuh: amounts as three words, and weights as such by double arithmetic: on a GPU about
 * 20 instructions an item where the integer product of alias_fixed.h takes some 50. Weight over
 * share as an unevaluated pair of doubles, p
 * + e, good to 2^-104 of itself, cut into words by adding 2^52 + 2^51: rounded to the nearest unit,
 * where alias_quantise rounds down. A table keeps to one of the two. Must not know: what is summed.
 */
#ifndef LEVY_ALIAS_FIX96_CUH
#define LEVY_ALIAS_FIX96_CUH

#include "kernels/lane/target.h"
#include "kernels/samplers/alias/alias_block.cuh"

struct fix96 {
    uint32_t w0, w1, w2;
};

ALIAS_DEV alias_wide fix_wide(fix96 a)
{
    return (alias_wide)a.w2 << 64 | (uint64_t)a.w1 << 32 | a.w0;
}
ALIAS_DEV fix96 fix_of(alias_wide a)
{
    return {(uint32_t)a, (uint32_t)((uint64_t)a >> 32), (uint32_t)(a >> 64)};
}

ALIAS_DEV fix96 fix_add(fix96 a, fix96 b)
{
#if LANE_GPU_CODE
    fix96 r;
    asm("add.cc.u32 %0, %3, %6; addc.cc.u32 %1, %4, %7; addc.u32 %2, %5, %8;"
        : "=r"(r.w0), "=r"(r.w1), "=r"(r.w2)
        : "r"(a.w0), "r"(a.w1), "r"(a.w2), "r"(b.w0), "r"(b.w1), "r"(b.w2));
    return r;
#else
    return fix_of(fix_wide(a) + fix_wide(b));
#endif
}

ALIAS_DEV fix96 fix_sub(fix96 a, fix96 b)
{
#if LANE_GPU_CODE
    fix96 r;
    asm("sub.cc.u32 %0, %3, %6; subc.cc.u32 %1, %4, %7; subc.u32 %2, %5, %8;"
        : "=r"(r.w0), "=r"(r.w1), "=r"(r.w2)
        : "r"(a.w0), "r"(a.w1), "r"(a.w2), "r"(b.w0), "r"(b.w1), "r"(b.w2));
    return r;
#else
    return fix_of(fix_wide(a) - fix_wide(b));
#endif
}

ALIAS_DEV fix96 fix_mask(fix96 a, uint32_t mask) { return {a.w0 & mask, a.w1 & mask, a.w2 & mask}; }
ALIAS_DEV bool fix_negative(fix96 a) { return (int32_t)a.w2 < 0; }
ALIAS_DEV bool fix_zero(fix96 a) { return (a.w0 | a.w1 | a.w2) == 0; }

/* What the conversion needs beside an alias_scale. */
struct fix_scale {
    /* weights times this, a power of two: neither they nor the reciprocal are subnormal or too
     * large */
    double factor;
    double high, low; /* reciprocal of the share, times 1 / factor */
    double words;     /* 2^(fraction - 64): a share in units of the third word */
    uint32_t one;     /* the third word of one share; the others are 0 */
};

/* On the host. total times 2^-shift: the sum of n weights. */
static fix_scale fix_scale_make(const alias_scale *s, alias_pair total, int shift, uint64_t n)
{
    fix_scale f;
    const double extra = shift == 0 && s->share > 0x1p900 ? 0x1p-64 : 1.0; /* lift is 1 then */
    const double hi = total.hi * s->lift * extra, lo = total.lo * s->lift * extra;
    f.factor = s->lift * extra * (shift == 0 ? 1.0 : 0x1p-64);
    f.high = (double)n / hi;
    f.low = (fma(-f.high, hi, (double)n) - f.high * lo) / hi;
    f.words = ldexp(1.0, s->fraction - 64);
    f.one = 1u << (s->fraction - 64);
    return f;
}

ALIAS_DEV int64_t fix_bits(double shifted)
{
    return (int64_t)(alias_double_bits(shifted) - 0x4338000000000000u);
}

/* The amount less one share; *lack: how much below a share, in shares, as a double of full relative
 * precision. */
ALIAS_DEV fix96 fix_less_one(const fix_scale &f, double weight, double *lack)
{
    const double shift = 6755399441055744.0; /* 2^52 + 2^51: the sum's last bit is worth 1 */
    const double w = weight * f.factor, p = w * f.high, e = fma(w, f.low, fma(w, f.high, -p));
    const double t2 = fma(p, f.words, shift), r2 = fma(p, f.words, -(t2 - shift));
    const double t1 = fma(r2, 4294967296.0, shift), r1 = fma(r2, 4294967296.0, -(t1 - shift));
    const double t0 = fma(e * f.words, 18446744073709551616.0, r1 * 4294967296.0) + shift;
    const int64_t v0 = fix_bits(t0), upper = (int64_t)(int32_t)fix_bits(t1) + (v0 >> 32);
    *lack = (1.0 - p) - e;
    return {(uint32_t)v0, (uint32_t)upper,
            (uint32_t)fix_bits(t2) + (uint32_t)(upper >> 32) - f.one};
}

/* Whether an item lacks more than half a share. */
ALIAS_DEV bool fix_own_first(const fix_scale &f, fix96 beyond)
{
    return (int32_t)(beyond.w2 + (f.one >> 1)) < 0;
}

/* The row of a light item, of fix_less_one's results; it keeps its weight bit for bit while that is
 * the smaller part.
 */
ALIAS_DEV alias_split fix_split(const fix_scale &f, const alias_scale &s, double weight,
                                fix96 beyond, double lack)
{
    const bool own_first = fix_own_first(f, beyond);
    return {own_first ? weight * s.lift : lack * s.share, own_first};
}

#endif
