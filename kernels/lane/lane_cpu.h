/* lane_cpu.h: lanes as one SIMD register, by GCC and Clang vector extensions. lane_fma, lane_sqrt
 * and the conversions are the only places that know the instruction set. Included by lane.h alone.
 * LANE_SCALAR makes every lane one path. */
#ifndef LEVY_LANE_CPU_H
#define LEVY_LANE_CPU_H

#if defined(LANE_SCALAR)
#define LANE_BYTES LANE_PICK(8, 4)
/* A lane is one register, never two: the compiler spills wider vectors or makes them scalar. */
#elif defined(__AVX512F__) && defined(__AVX512DQ__)
#include <immintrin.h>
#define LANE_BYTES 64
#define LANE_FMA(a, b, c) LANE_PICK(_mm512_fmadd_pd, _mm512_fmadd_ps)(a, b, c)
#define LANE_SQRT(a) LANE_PICK(_mm512_sqrt_pd, _mm512_sqrt_ps)(a)
#define LANE_MIN(a, b) LANE_PICK(_mm512_min_pd, _mm512_min_ps)(a, b)
#define LANE_MAX(a, b) LANE_PICK(_mm512_max_pd, _mm512_max_ps)(a, b)
#define LANE_SCALE(a, k) LANE_PICK(_mm512_scalef_pd, _mm512_scalef_ps)(a, k) /* a * 2^k */
/* The words fill half a register. By itself gcc 12 takes four steps. */
#define LANE_WIDEN(a) _mm512_cvtepu32_epi64((__m256i)(a))
#define LANE_NARROW(a) _mm512_cvtepi64_epi32((__m512i)(a))
#elif defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#define LANE_BYTES 32
#define LANE_FMA(a, b, c) LANE_PICK(_mm256_fmadd_pd, _mm256_fmadd_ps)(a, b, c)
#define LANE_SQRT(a) LANE_PICK(_mm256_sqrt_pd, _mm256_sqrt_ps)(a)
#define LANE_MIN(a, b) LANE_PICK(_mm256_min_pd, _mm256_min_ps)(a, b)
#define LANE_MAX(a, b) LANE_PICK(_mm256_max_pd, _mm256_max_ps)(a, b)
#define LANE_WIDEN(a) _mm256_cvtepu32_epi64((__m128i)(a))
#define LANE_NARROW(a)                                                                             \
    _mm256_castsi256_si128(                                                                        \
        _mm256_permutevar8x32_epi32((__m256i)(a), _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6)))
#else
#define LANE_BYTES 16
#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#endif

enum { LANES = LANE_BYTES / (int)sizeof(real) };
enum { LANE_REGISTERS = LANE_BYTES == 64 ? 32 : 16 };
typedef real lane __attribute__((vector_size(LANE_BYTES)));
typedef real_bits lane_bits __attribute__((vector_size(LANE_BYTES)));
typedef real_bits lane_mask __attribute__((vector_size(LANE_BYTES))); /* 0 or all ones */
/* as many as reals, 32 bits each */
typedef uint32_t lane_word __attribute__((vector_size(LANES * 4)));
typedef int32_t lane_int __attribute__((vector_size(LANES * 4)));
typedef uint64_t lane_wide __attribute__((vector_size(LANES * 8)));

#define LANE_EACH(type, expression)                                                                \
    type lane_each_result;                                                                         \
    for (int i = 0; i < LANES; ++i) lane_each_result[i] = (expression);                            \
    return lane_each_result

LANE_FN lane lane_of(real x) { return x - (lane){0}; } /* minus, not plus: keeps -0.0 */
LANE_FN lane_word lane_word_of(uint32_t x) { return x - (lane_word){0}; }
/* The word is read as signed and never as int64, whose conversion is slow or absent. */
LANE_FN lane lane_from_word(lane_word u) { return __builtin_convertvector((lane_int)u, lane); }
LANE_FN lane_bits lane_as_bits(lane a) { return (lane_bits)a; }
LANE_FN lane lane_from_bits(lane_bits a) { return (lane)a; }
#if defined(LANE_FMA)
LANE_FN lane lane_fma(lane a, lane b, lane c) { return (lane)LANE_FMA(a, b, c); }
LANE_FN lane lane_sqrt(lane a) { return (lane)LANE_SQRT(a); }
#else /* aarch64 has fmla; x86 without FMA calls libm's exact fma, slow but the same bits */
#if defined(__SSE2__) && !defined(__FMA__)
/* Out of line: inlined, each of thousands of places would hold LANES calls of libm, and compilers
 * would take minutes. */
static __attribute__((noinline, unused)) lane lane_fma(lane a, lane b, lane c)
#else
LANE_FN lane lane_fma(lane a, lane b, lane c)
#endif
{
    LANE_EACH(lane, LANE_PICK(__builtin_fma, __builtin_fmaf)(a[i], b[i], c[i]));
}
LANE_FN lane lane_sqrt(lane a)
{
    LANE_EACH(lane, LANE_PICK(__builtin_sqrt, __builtin_sqrtf)(a[i]));
}
#endif
LANE_FN lane lane_select(lane_mask m, lane a, lane b)
{
    return (lane)((m & (lane_bits)a) | (~m & (lane_bits)b));
}
LANE_FN lane_mask lane_not(lane_mask m) { return ~m; }
LANE_FN int lane_any(lane_mask m)
{
#if !defined(LANE_SCALAR) && LANE_BYTES == 64
    return _mm512_test_epi64_mask((__m512i)m, (__m512i)m) != 0;
#elif !defined(LANE_SCALAR) && LANE_BYTES == 32
    return !_mm256_testz_si256((__m256i)m, (__m256i)m);
#else
    real_bits any = 0;
    for (int i = 0; i < LANES; ++i) any |= m[i];
    return any != 0;
#endif
}
/* Bit i: lane i. */
LANE_FN uint32_t lane_bitmask(lane_mask m)
{
#if !defined(LANE_SCALAR) && LANE_BYTES == 64
    return (uint32_t)LANE_PICK(_mm512_movepi64_mask, _mm512_movepi32_mask)((__m512i)m);
#elif !defined(LANE_SCALAR) && LANE_BYTES == 32
    return (uint32_t)LANE_PICK(_mm256_movemask_pd((__m256d)m), _mm256_movemask_ps((__m256)m));
#else
    uint32_t bits = 0;
    for (int i = 0; i < LANES; ++i) bits |= (uint32_t)(m[i] & 1) << i;
    return bits;
#endif
}
/* Writes the words whose bit is set to `to`, in order, and returns how many they are. `to` has room
 * for all words. There is no branch, because no processor could predict it. */
#if !defined(LANE_SCALAR) && LANE_BYTES == 64 && defined(__AVX512VL__)
LANE_FN uint32_t lane_word_keep(uint32_t *to, uint32_t bits, lane_word w)
{
    const lane_word kept =
        (lane_word)LANE_PICK(_mm256_maskz_compress_epi32((__mmask8)bits, (__m256i)w),
                             _mm512_maskz_compress_epi32((__mmask16)bits, (__m512i)w));
    __builtin_memcpy(to, &kept, sizeof kept);
    return (uint32_t)__builtin_popcount(bits);
}
#elif !defined(LANE_SCALAR) && LANE_BYTES == 32 && !defined(LANE_SINGLE)
static const int32_t lane_keep_table[16][4] __attribute__((unused, aligned(16))) = {
    {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0},
    {1, 2, 0, 0}, {0, 1, 2, 0}, {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0},
    {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};
LANE_FN uint32_t lane_word_keep(uint32_t *to, uint32_t bits, lane_word w)
{
    const lane_word kept = (lane_word)_mm_permutevar_ps(
        (__m128)w, *(const __m128i *)(const void *)lane_keep_table[bits]);
    __builtin_memcpy(to, &kept, sizeof kept);
    return (uint32_t)__builtin_popcount(bits);
}
#else
LANE_FN uint32_t lane_word_keep(uint32_t *to, uint32_t bits, lane_word w)
{
    uint32_t n = 0;
    LANE_UNROLL for (int i = 0; i < LANES; ++i)
    {
        to[n] = w[i];
        n += bits >> i & 1;
    }
    return n;
}
#endif
LANE_FN real lane_get(lane a, int i) { return a[i]; }
#define LANE_PATH(a, i) ((a)[i]) /* path i of a lane of any kind */
/* lane_gather and lane_gather_word: each path's entry of a table, by its number (below 2^31).
 * lane_word_above: 1 where a > b, else 0. */
#if !defined(LANE_SCALAR) && LANE_BYTES == 64
LANE_FN lane lane_gather(const real *table, lane_word index)
{
    return (lane)LANE_PICK(_mm512_i32gather_pd((__m256i)index, table, 8),
                           _mm512_i32gather_ps((__m512i)index, table, 4));
}
LANE_FN lane_word lane_gather_word(const uint32_t *table, lane_word index)
{
    return (lane_word)LANE_PICK(_mm256_i32gather_epi32((const int *)table, (__m256i)index, 4),
                                _mm512_i32gather_epi32((__m512i)index, (const int *)table, 4));
}
#elif !defined(LANE_SCALAR) && LANE_BYTES == 32
LANE_FN lane lane_gather(const real *table, lane_word index)
{
    return (lane)LANE_PICK(_mm256_i32gather_pd(table, (__m128i)index, 8),
                           _mm256_i32gather_ps(table, (__m256i)index, 4));
}
LANE_FN lane_word lane_gather_word(const uint32_t *table, lane_word index)
{
    return (lane_word)LANE_PICK(_mm_i32gather_epi32, _mm256_i32gather_epi32)(
        (const int *)table, LANE_PICK((__m128i), (__m256i)) index, 4);
}
#else
LANE_FN lane lane_gather(const real *table, lane_word index) { LANE_EACH(lane, table[index[i]]); }
LANE_FN lane_word lane_gather_word(const uint32_t *table, lane_word index)
{
    LANE_EACH(lane_word, table[index[i]]);
}
#endif
LANE_FN lane_word lane_word_select(lane_mask m, lane_word a, lane_word b)
{
    const lane_word narrow = (lane_word) __builtin_convertvector(m, lane_int);
    return (narrow & a) | (~narrow & b);
}
LANE_FN lane_word lane_word_above(lane_word a, lane_word b) { return (lane_word)(a > b) & 1u; }
/* Stores past the caches, where the instruction set can. `at` is aligned to LANE_BYTES. Call
 * lane_stream_end before another thread reads what was stored. */
LANE_FN void lane_stream(real *at, lane a)
{
#if defined(LANE_SCALAR) || !defined(__SSE2__)
    __builtin_memcpy(at, &a, sizeof a);
#elif LANE_BYTES == 64
    LANE_PICK(_mm512_stream_pd, _mm512_stream_ps)(at, a);
#elif LANE_BYTES == 32
    LANE_PICK(_mm256_stream_pd, _mm256_stream_ps)(at, a);
#else
    LANE_PICK(_mm_stream_pd, _mm_stream_ps)(at, a);
#endif
}
LANE_FN void lane_stream_end(void)
{
#if !defined(LANE_SCALAR) && defined(__SSE2__)
    _mm_sfence();
#endif
}

/* 32 x 32 -> 64 bit products, for the counter-based generator */
LANE_FN lane_word lane_word_mul_low(lane_word a, uint32_t b) { return a * b; }
LANE_FN lane_word lane_word_mul_high(lane_word a, uint32_t b)
{
    const lane_wide product = __builtin_convertvector(a, lane_wide) * (uint64_t)b;
    return __builtin_convertvector(product >> 32, lane_word);
}

/* One register of 64-bit integers; LANE_PARTS registers carry the paths of a lane. lane_long_mul
 * multiplies their low halves. */
#if defined(LANE_SCALAR)
#define LANE_LONG_BYTES 8
#else
#define LANE_LONG_BYTES LANE_BYTES
#endif
enum { LANE_PARTS = LANES * 8 / LANE_LONG_BYTES };
typedef uint64_t lane_long __attribute__((vector_size(LANE_LONG_BYTES)));
typedef lane_long lane_long_kept;
LANE_FN lane_long lane_long_of(uint64_t x) { return x - (lane_long){0}; }
LANE_FN lane_long lane_long_mul(lane_long a, lane_long b)
{
#if defined(LANE_SCALAR) || !(defined(__SSE2__))
    return (a & 0xffffffffu) * (b & 0xffffffffu);
#elif LANE_BYTES == 64
    return (lane_long)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#elif LANE_BYTES == 32
    return (lane_long)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#else
    return (lane_long)_mm_mul_epu32((__m128i)a, (__m128i)b);
#endif
}
/* x - m where x >= m, else x; both below 2^63 */
LANE_FN lane_long lane_long_wrap(lane_long x, uint64_t m)
{
    const lane_long less = x - m;
    const lane_long mask = (lane_long)((__typeof__((lane_long){0} < (lane_long){0})) less < 0);
    return less + (mask & m);
}
enum { LANE_EACH_PART = LANES / LANE_PARTS };
typedef uint32_t lane_half __attribute__((vector_size(LANE_EACH_PART * 4)));
LANE_FN lane_long lane_long_from_word(lane_word word, int part)
{
    lane_half half;
    __builtin_memcpy(&half, (const char *)&word + part * (int)sizeof half, sizeof half);
#if defined(LANE_WIDEN)
    return (lane_long)LANE_WIDEN(half);
#else
    return __builtin_convertvector(half, lane_long);
#endif
}
LANE_FN lane_word lane_word_from_long(const lane_long part[LANE_PARTS])
{
    lane_word word;
    for (int p = 0; p < LANE_PARTS; ++p) {
#if defined(LANE_NARROW)
        const lane_half half = (lane_half)LANE_NARROW(part[p]);
#else
        const lane_half half = __builtin_convertvector(part[p], lane_half);
#endif
        __builtin_memcpy((char *)&word + p * (int)sizeof half, &half, sizeof half);
    }
    return word;
}

#endif
