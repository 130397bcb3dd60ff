/* narrow.h: single-precision companions of a lane in double precision, for `precision: mixed`: as
 * many floats as the lane has doubles on a CPU, one path's float on a GPU. Only the operations that
 * normal_single.h needs. Any CPU gives IEEE's bits; a GPU uses its fast logarithm and reciprocal.
 * Must not know: what is computed. */
#ifndef LEVY_LANE_NARROW_H
#define LEVY_LANE_NARROW_H

#include "kernels/lane/target.h"
#include "kernels/lane/lane.h"

#if LANE_GPU
typedef float narrow;
typedef int32_t narrow_bits;
LANE_FN narrow narrow_of(float x) { return x; }
LANE_FN narrow narrow_fma(narrow a, narrow b, narrow c) { return fmaf(a, b, c); }
LANE_FN narrow_bits narrow_as_bits(narrow a)
{
    union {
        float value;
        int32_t bits;
    } u;
    u.value = a;
    return u.bits;
}
LANE_FN narrow narrow_from_bits(narrow_bits a)
{
    union {
        float value;
        int32_t bits;
    } u;
    u.bits = a;
    return u.value;
}
LANE_FN narrow narrow_max(narrow a, float b) { return a > b ? a : b; }
#else
typedef float narrow __attribute__((vector_size(LANES * 4)));
typedef int32_t narrow_bits __attribute__((vector_size(LANES * 4)));
LANE_FN narrow narrow_of(float x) { return x - (narrow){0}; }
#if defined(LANE_FMA) && LANE_BYTES == 64
LANE_FN narrow narrow_fma(narrow a, narrow b, narrow c)
{
    return (narrow)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
#elif defined(LANE_FMA)
LANE_FN narrow narrow_fma(narrow a, narrow b, narrow c)
{
    return (narrow)_mm_fmadd_ps((__m128)a, (__m128)b, (__m128)c);
}
#else
LANE_FN narrow narrow_fma(narrow a, narrow b, narrow c)
{
    LANE_EACH(narrow, __builtin_fmaf(a[i], b[i], c[i]));
}
#endif
LANE_FN narrow_bits narrow_as_bits(narrow a) { return (narrow_bits)a; }
LANE_FN narrow narrow_from_bits(narrow_bits a) { return (narrow)a; }
LANE_FN narrow narrow_max(narrow a, float b)
{
    const narrow_bits m = a > b;
    return (narrow)((m & (narrow_bits)a) | (~m & (narrow_bits)narrow_of(b)));
}
/* As signed. */
LANE_FN narrow narrow_from_word(lane_word u)
{
    return __builtin_convertvector((lane_int)u, narrow);
}
LANE_FN lane narrow_widen(narrow a) { return __builtin_convertvector(a, lane); }
#endif

#if LANE_GPU_CODE
LANE_APPROXIMATION(narrow_log2, "lg2")
LANE_APPROXIMATION(narrow_reciprocal, "rcp")
#else
/* path_log of maths_single.h */
LANE_FN narrow narrow_log2(narrow x)
{
    const narrow_bits ix = narrow_as_bits(narrow_max(x, 0x1p-126f));
    const narrow_bits e = (ix - 0x3f3504f3) >> 23;
    const narrow f = narrow_from_bits(ix - (e << 23)) - 1.0f;
    const narrow k = narrow_from_bits(e + 0x4b400000) - 0x1.8p23f;
    narrow p = narrow_of(-0x1.93b742p-4f);
    p = narrow_fma(p, f, narrow_of(0x1.67b870p-3f));
    p = narrow_fma(p, f, narrow_of(-0x1.87868ap-3f));
    p = narrow_fma(p, f, narrow_of(0x1.a739dcp-3f));
    p = narrow_fma(p, f, narrow_of(-0x1.eb2710p-3f));
    p = narrow_fma(p, f, narrow_of(0x1.275a38p-2f));
    p = narrow_fma(p, f, narrow_of(-0x1.715718p-2f));
    p = narrow_fma(p, f, narrow_of(0x1.ec717ep-2f));
    p = narrow_fma(p, f, narrow_of(-0x1.715476p-1f));
    p = narrow_fma(p, f, narrow_of(0x1.715476p+0f));
    return narrow_fma(f, p, k);
}
LANE_FN narrow narrow_reciprocal(narrow x) { return 1.0f / x; }
#endif

#endif
