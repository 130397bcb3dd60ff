/* normal.h: a generator's word to a standard normal: the inverse distribution function at p = (u +
 * 1/2) 2^-32.
 *
 * A pure function of the word; z(~u) = -z(u) bit for bit; |z| <= 6.3380; no infinities. Own minimax
 * fits (relative error, coefficients rounded one at a time and the others refitted), in variables
 * chosen so that no term cancels.
 *
 * double: f, twice the distance of the word's middle to the nearer end, is an odd integer. Its
 * upper bits name a row of a table (normal_rows.h), and the row's polynomial of degree 7 in f less
 * the row's end is z or -z. The end and the difference are exact. Rows end where the word's half
 * does, at z = 0, and z grows away from a row's end, so the constant's rounding never counts more
 * than it does in z. No word needs a formula of its own, a root or a quotient. Monotone:
 * neighbouring words differ by far more than the error. Against MPFR, all 2^32 words: 1.93 ulp at
 * most (5,662 words above 1.5), mean 0.25. The bits are the same everywhere.
 *
 * single: |z| = |x| N(l)/D(l) with l = log2(t), one formula for all words, so that no warp
 * diverges. |x| and 1 - |x| are each converted from integers, for relative precision at the centre
 * and at both ends. GPU and CPU differ in bits, because the GPU uses its fast logarithm and
 * reciprocal. Largest error on the CPU, all words: 6.6 ulp, mean 0.8; monotone except for steps
 * back of up to 5 ulp. Sobol points on a GPU use cubics of a table (NORMAL_TABLE), within 4.8e-7,
 * and within 1.2e-7 where |z| < 1; monotone. Their first dimension alone uses cubics of cells
 * (NORMAL_CELLS), within 2.5e-7.
 *
 * mixed: the single formula on lanes of double precision: normal_mixed_...
 *
 * Must not know: which generator made the word. */
#ifndef LEVY_LANE_NORMAL_H
#define LEVY_LANE_NORMAL_H

#include "kernels/lane/target.h"
#include "kernels/lane/exact.h"
#include "kernels/lane/maths.h"
#if !defined(LANE_SINGLE)
#include "kernels/lane/narrow.h"
#endif

#define NORMAL_STEP(sum, variable, coefficient)                                                    \
    sum = lane_fma(sum, variable, lane_of(R(coefficient)))

#if LANE_GPU
/* A folded word is twice the integer below |x| 2^31, plus 1 where x is negative. Folding commutes
 * with exclusive or, so tables of Sobol points hold folded words. The functions below take a word
 * as its parts `base` and `low`; the caller applies the sign that low brings, once for all paths.
 * |x| 2^32 and (1 - |x|) 2^32 are odd integers of 32 bits and need no half added. */
LANE_FN uint32_t normal_fold(uint32_t u) { return u << 1 ^ (uint32_t)((int32_t)u >> 31); }
#endif

#if !defined(LANE_SINGLE)

#include "kernels/lane/normal_double.h"

#define NORMAL_T narrow
#define NORMAL_OF narrow_of
#define NORMAL_FMA narrow_fma
#define NORMAL_LOG2 narrow_log2
#define NORMAL_RECIPROCAL narrow_reciprocal
#include "kernels/lane/normal_single.h"

#else /* single */

#define NORMAL_T lane
#define NORMAL_OF lane_of
#define NORMAL_FMA lane_fma
#define NORMAL_LOG2 path_log
#define NORMAL_RECIPROCAL lane_reciprocal
#include "kernels/lane/normal_single.h"

#endif

#if LANE_GPU
#if defined(NORMAL_TABLE) || defined(NORMAL_COPIED)
#define NORMAL_FOLDED(u) normal_fold(u)
#else
#define NORMAL_FOLDED(u) ~normal_fold(u)
#endif
#if defined(NORMAL_ROWS)
LANE_FN float normal_of_distance(uint32_t folded) { return __uint2float_rn(folded | 1u); }
LANE_FN uint32_t normal_row(float f) { return (uint32_t)__float_as_int(f) & 0xfff80000u; }
LANE_FN float normal_cubic(float4 c, float d)
{
    return fmaf(fmaf(fmaf(c.x, d, c.y), d, c.z), d, c.w);
}

/* By a row of the whole table, which is in global memory. */
LANE_FN float normal_of_row(const float4 *rows, float f)
{
    const uint32_t row = normal_row(f);
    return normal_cubic(rows[(row >> 19) - (127u << 4)], f - __int_as_float((int)row));
}

/* Applies the sign of a part of the word. Rows hold normals below 0, which belong to even folded
 * words. */
LANE_FN float normal_signed(float z, uint32_t folded)
{
    return __int_as_float((int)((uint32_t)__float_as_int(z) + (folded << 31)));
}
#endif
#if defined(NORMAL_CELLS)
/* Held cells. Sobol's first dimension is radical inversion, and its scramble is triangular. So the
 * part of a path's index that names its block moves the word only inside one of 4,096 cells. A
 * thread's rows of a block therefore have the same cells in all blocks of a replicate, and the
 * thread holds their cubics. (In blocks of odd number, rows and columns go in reverse, as the Gray
 * code does.) A cubic is in the distance from the cell's middle in half words. That is an odd
 * integer, the exclusive or of a part from block and row and a part from the column. The 16 cells
 * at either end of the words are too coarse for cubics: rows of the table give the normals of their
 * paths beforehand. */
typedef struct normal_cells {
    float4 cubic[LEVY_BLOCK_ROWS];
    uint32_t low; /* the column's part of distances */
    /* 0: no row has a cell at an end; else every other row has, from row ends - 1 on */
    uint32_t ends;
    uint32_t high; /* 1: that end is the upper one */
} normal_cells;

/* The part of a distance that comes from a part of a word. */
LANE_FN uint32_t normal_offset(uint32_t u) { return (uint32_t)((int32_t)(u << 12) >> 11); }
#define NORMAL_MIDDLE (normal_offset(0x80000u) | 1u)

LANE_FN void normal_hold(normal_cells *cells, const float4 *table, uint32_t row, uint32_t word)
{
    const bool high = word >> 24 == 0xff;
    cells->cubic[row] = table[NORMAL_ROWS + (word >> 20)];
    if (word >> 24 != 0 && !high) return;
    cells->cubic[row].x = cells->cubic[row].y = cells->cubic[row].z = 0.0f;
    cells->ends = 1 + row % 2;
    cells->high = high;
}

/* normals[end][row] */
LANE_FN void normal_hold_ends(normal_cells *cells, const float *normals)
{
    if (cells->ends == 0) return;
    normals += LEVY_BLOCK_ROWS * cells->high;
#pragma unroll
    for (uint32_t row = 0; row < LEVY_BLOCK_ROWS; row += 2)
        if (cells->ends == 1)
            cells->cubic[row].w = normals[row];
        else
            cells->cubic[row + 1].w = normals[row + 1];
}

/* The normals of LANES rows from `row` on. `turned`: the block has an odd number. */
LANE_FN lane normal_held(const normal_cells *cells, uint32_t row, bool turned, lane_word base)
{
    lane z;
#pragma unroll
    for (uint32_t i = 0; i < LANES; ++i)
        z.v[i] = normal_cubic(cells->cubic[turned ? LEVY_BLOCK_ROWS - 1 - row - i : row + i],
                              __int2float_rn((int)(base.v[i] ^ cells->low)));
    return z;
}
#endif
#if defined(NORMAL_TABLE)
/* Normals from the table. A row covers a sixteenth of an octave of f, twice the number of words to
 * the nearer end, and holds a cubic in f less the row's start. Shared memory holds every row eight
 * times side by side, and each of eight threads reads a copy of its own, so that no two that load
 * at the same time meet in a bank. */
LANE_FN float normal_near(float f)
{
    const uint32_t row = normal_row(f);
    const unsigned char *const at =
        NORMAL_TABLE + 16 * (threadIdx.x % 8) + (row >> 12) - (127u << 11) - 128u * NORMAL_FIRST;
    return normal_cubic(*(const float4 *)at, f - __int_as_float((int)row));
}

/* For rows that are not in shared memory: one path in 4,096. A call keeps code short; where the
 * caller holds little, it keeps uniform registers from living through, and is worse. */
#if !defined(NORMAL_DEEP_FN)
#define NORMAL_DEEP_FN static __device__ __noinline__
#endif
NORMAL_DEEP_FN float normal_deep(float f)
{
    return normal_of_row(*(const float4 *const *)(NORMAL_TABLE - 16), f);
}

LANE_FN lane LANE_PICK(normal_mixed_from_folded, normal_from_folded)(lane_word base, uint32_t low)
{
    const float last = (float)(1u << NORMAL_FIRST / 16);
    float f[LANES], least;
    lane z;
#pragma unroll
    for (int i = 0; i < LANES; ++i) {
        f[i] = normal_of_distance(base.v[i] ^ low);
        least = i == 0 ? f[0] : fminf(least, f[i]);
    }
    if (NORMAL_FIRST > 0 && least < last) {
#pragma unroll
        for (int i = 0; i < LANES; ++i)
            z.v[i] =
                (real)normal_signed(f[i] < last ? normal_deep(f[i]) : normal_near(f[i]), base.v[i]);
        return z;
    }
#pragma unroll
    for (int i = 0; i < LANES; ++i) z.v[i] = (real)normal_signed(normal_near(f[i]), base.v[i]);
    return z;
}
#elif defined(LANE_SINGLE)
LANE_FN lane normal_from_folded(lane_word base, uint32_t low)
{
    lane m, t;
#pragma unroll
    for (int i = 0; i < LANES; ++i) {
        const uint32_t odd = (base.v[i] ^ low) | 1u;
        const real p = (real)(odd ^ 0xfffffffeu);
        m.v[i] = (real)odd;
        t.v[i] = p * fmaf(p, -0x1p-64f, 0x1p-31f);
    }
    lane z = normal_magnitude(m, t, R(0x1p32));
#pragma unroll
    for (int i = 0; i < LANES; ++i)
        z.v[i] = lane_one_from_bits(lane_one_as_bits(z.v[i]) + (real_bits)(base.v[i] << 31));
    return z;
}
#else
LANE_FN lane normal_mixed_from_folded(lane_word base, uint32_t low)
{
    lane z;
#pragma unroll
    for (int i = 0; i < LANES; ++i) {
        const uint32_t odd = (base.v[i] ^ low) | 1u;
        const float p = (float)(odd ^ 0xfffffffeu);
        const float magnitude =
            normal_magnitude((float)odd, p * fmaf(p, -0x1p-64f, 0x1p-31f), 0x1p32f);
        z.v[i] = (double)narrow_from_bits(narrow_as_bits(magnitude) + (int32_t)(base.v[i] << 31));
    }
    return z;
}
#endif
#endif

#if !defined(LANE_SINGLE)
/* Mixed precision: the formula in single, with its result widened. */
#if LANE_GPU
LANE_FN lane normal_mixed_from_word(lane_word u)
{
    lane_word folded;
#pragma unroll
    for (int i = 0; i < LANES; ++i) folded.v[i] = NORMAL_FOLDED(u.v[i]);
    return normal_mixed_from_folded(folded, 0);
}
#else
LANE_FN lane normal_mixed_from_word(lane_word u)
{
    const lane_word q = lane_word_fold(u);
    const narrow p = narrow_fma(narrow_from_word(q), narrow_of(0x1p-31f), narrow_of(0x1p-32f));
    const narrow x =
        narrow_fma(narrow_from_word(q ^ 0x7fffffffu), narrow_of(0x1p-31f), narrow_of(0x1p-32f));
    const narrow z = normal_magnitude(x, narrow_fma(p, x, p), 1.0f); /* t = (1 - |x|)(1 + |x|) */
    const narrow_bits sign = (narrow_bits)(u ^ 0x80000000u) & (-2147483647 - 1);
    return narrow_widen(narrow_from_bits(narrow_as_bits(z) | sign));
}
#endif
#elif LANE_GPU_CODE
LANE_FN lane normal_from_word(lane_word u)
{
    lane_word folded;
#pragma unroll
    for (int i = 0; i < LANES; ++i) folded.v[i] = NORMAL_FOLDED(u.v[i]);
    return normal_from_folded(folded, 0);
}
#else
LANE_FN lane normal_from_word(lane_word u)
{
    const lane_word q = lane_word_fold(u);
    const lane p = lane_fma(lane_from_word(q), lane_of(R(0x1p-31)), lane_of(R(0x1p-32)));
    const lane x =
        lane_fma(lane_from_word(q ^ 0x7fffffffu), lane_of(R(0x1p-31)), lane_of(R(0x1p-32)));
    const lane z = normal_magnitude(x, lane_fma(p, x, p), R(1.0)); /* t = (1 - |x|)(1 + |x|) */
    const lane_bits sign = lane_bits_from_word(u ^ 0x80000000u) & (real_bits)(-2147483647 - 1);
    return lane_from_bits(lane_as_bits(z) | sign);
}
#endif

#undef NORMAL_STEP
#undef NORMAL_T
#undef NORMAL_OF
#undef NORMAL_FMA
#undef NORMAL_LOG2
#undef NORMAL_RECIPROCAL
#endif
