/* rows.h: memory read at an index that differs by path: single numbers, and rows of 8 that become 8
 * lanes. Must not know: the content of the table. */
#ifndef LEVY_LANE_ROWS_H
#define LEVY_LANE_ROWS_H

#include "kernels/lane/target.h"
#include "kernels/lane/lane.h"

enum { LANE_ROW = 8 };

/* table[index] of each path */
#if LANE_GPU
LANE_FN lane lane_row_gather(const real *table, lane_bits index)
{
    LANE_EACH(lane, table[index.v[i]]);
}
#else
LANE_FN lane lane_row_gather(const real *table, lane_bits index)
{
    LANE_EACH(lane, table[index[i]]);
}
#endif

#if defined(__clang__)
#define LANE_ROW_UNROLL _Pragma("unroll")
#else
#define LANE_ROW_UNROLL _Pragma("GCC unroll 8")
#endif

#if !LANE_GPU
/* Where each path's row starts. A CPU reads it from memory, because shuffles are scarce here. */
LANE_FN void lane_row_starts(lane_bits row, uint32_t start[LANES])
{
#if !defined(LANE_SCALAR) && !defined(LANE_SINGLE) && LANE_BYTES >= 32
    const lane_word starts = (lane_word)LANE_NARROW(row << 3);
    __builtin_memcpy(start, &starts, sizeof starts);
#else
    for (int i = 0; i < LANES; ++i) start[i] = (uint32_t)row[i] << 3;
#endif
}
#endif

/* c[k]: number k of each path's row `row`. The table is aligned to the size of a row. A CPU loads
 * rows into registers and shuffles them into lanes. On an EPYC this look-up of a draw is 1.15 to
 * 1.5 times as fast as one number by number, and its gather instructions are slower still. */
#if LANE_GPU
typedef struct LANE_ALIGNED(LANE_PICK(16, 32)) lane_row {
    real c[LANE_ROW];
} lane_row;

LANE_FN void lane_rows(const real *table, lane_bits row, lane *c)
{
#pragma unroll
    for (int i = 0; i < LANES; ++i) {
        const lane_row r = ((const lane_row *)table)[row.v[i]];
#pragma unroll
        for (int k = 0; k < LANE_ROW; ++k) c[k].v[i] = r.c[k];
    }
}
#elif !defined(LANE_SCALAR) && LANE_BYTES == 32 && !defined(LANE_SINGLE)
/* Numbers k and k + 1 of the rows at a and b. */
LANE_FN __m256d lane_two_rows(const real *a, const real *b)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_load_pd(a)), _mm_load_pd(b), 1);
}

LANE_FN void lane_rows_from(const real *table, const uint32_t at[LANES], lane *c)
{
    LANE_ROW_UNROLL
    for (int k = 0; k < LANE_ROW; k += 2) {
        const __m256d even = lane_two_rows(table + at[0] + k, table + at[2] + k),
                      odd = lane_two_rows(table + at[1] + k, table + at[3] + k);
        c[k] = (lane)_mm256_unpacklo_pd(even, odd);
        c[k + 1] = (lane)_mm256_unpackhi_pd(even, odd);
    }
}
#elif !defined(LANE_SCALAR) && LANE_BYTES == 64 && !defined(LANE_SINGLE)
/* Numbers k to k + 3 of the rows at a and b. */
LANE_FN __m512d lane_two_rows(const real *a, const real *b)
{
    return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_load_pd(a)), _mm256_load_pd(b), 1);
}

LANE_FN void lane_rows_from(const real *table, const uint32_t at[LANES], lane *c)
{
    LANE_ROW_UNROLL
    for (int k = 0; k < LANE_ROW; k += 4) {
        const real *const from = table + k;
        const __m512d r0 = lane_two_rows(from + at[0], from + at[2]),
                      r1 = lane_two_rows(from + at[1], from + at[3]),
                      r2 = lane_two_rows(from + at[4], from + at[6]),
                      r3 = lane_two_rows(from + at[5], from + at[7]);
        /* of rows 0 to 3, then 4 to 7: numbers k and k + 2, k + 1 and k + 3 */
        const __m512d even = _mm512_unpacklo_pd(r0, r1), odd = _mm512_unpackhi_pd(r0, r1),
                      even_next = _mm512_unpacklo_pd(r2, r3), odd_next = _mm512_unpackhi_pd(r2, r3);
        c[k] = (lane)_mm512_shuffle_f64x2(even, even_next, 0x88);
        c[k + 1] = (lane)_mm512_shuffle_f64x2(odd, odd_next, 0x88);
        c[k + 2] = (lane)_mm512_shuffle_f64x2(even, even_next, 0xdd);
        c[k + 3] = (lane)_mm512_shuffle_f64x2(odd, odd_next, 0xdd);
    }
}
#elif !defined(LANE_SCALAR) && LANE_BYTES >= 32 /* single */
/* Shuffles 8 elements of two registers; if a register has 16, both its halves. */
#if LANE_BYTES == 64
#define LANE_ROW_AT(i) ((i) < 8 ? (i) : (i) + 8)
#define LANE_ROW_SHUFFLE(x, y, a, b, c, d, e, f, g, h)                                             \
    __builtin_shufflevector(x, y, LANE_ROW_AT(a), LANE_ROW_AT(b), LANE_ROW_AT(c), LANE_ROW_AT(d),  \
                            LANE_ROW_AT(e), LANE_ROW_AT(f), LANE_ROW_AT(g), LANE_ROW_AT(h),        \
                            LANE_ROW_AT(a) + 8, LANE_ROW_AT(b) + 8, LANE_ROW_AT(c) + 8,            \
                            LANE_ROW_AT(d) + 8, LANE_ROW_AT(e) + 8, LANE_ROW_AT(f) + 8,            \
                            LANE_ROW_AT(g) + 8, LANE_ROW_AT(h) + 8)
LANE_FN lane lane_one_row(const real *table, const uint32_t at[LANES], int i)
{
    const __m512 low = _mm512_castps256_ps512(_mm256_load_ps(table + at[i]));
    return (lane)_mm512_insertf32x8(low, _mm256_load_ps(table + at[i + 8]), 1);
}
#else
#define LANE_ROW_SHUFFLE(x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
LANE_FN lane lane_one_row(const real *table, const uint32_t at[LANES], int i)
{
    return *(const lane *)(const void *)(table + at[i]);
}
#endif

LANE_FN void lane_rows_from(const real *table, const uint32_t at[LANES], lane *c)
{
    /* r: [row]; pairs: [pair of rows][even, odd]; fours: [four rows][k], numbers k and k + 4 */
    lane r[8], pairs[8], fours[8];
    LANE_ROW_UNROLL
    for (int i = 0; i < 8; ++i) r[i] = lane_one_row(table, at, i);
    LANE_ROW_UNROLL
    for (int i = 0; i < 8; i += 2) {
        pairs[i] = LANE_ROW_SHUFFLE(r[i], r[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        pairs[i + 1] = LANE_ROW_SHUFFLE(r[i], r[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    LANE_ROW_UNROLL
    for (int i = 0; i < 8; i += 4) LANE_ROW_UNROLL
    for (int odd = 0; odd < 2; ++odd) {
        fours[i + odd] =
            LANE_ROW_SHUFFLE(pairs[i + odd], pairs[i + 2 + odd], 0, 1, 8, 9, 4, 5, 12, 13);
        fours[i + 2 + odd] =
            LANE_ROW_SHUFFLE(pairs[i + odd], pairs[i + 2 + odd], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    LANE_ROW_UNROLL
    for (int k = 0; k < 4; ++k) {
        c[k] = LANE_ROW_SHUFFLE(fours[k], fours[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        c[k + 4] = LANE_ROW_SHUFFLE(fours[k], fours[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}
#undef LANE_ROW_SHUFFLE
#undef LANE_ROW_AT
#else
LANE_FN void lane_rows_from(const real *table, const uint32_t at[LANES], lane *c)
{
    for (int k = 0; k < LANE_ROW; ++k)
        for (int i = 0; i < LANES; ++i) c[k][i] = table[at[i] + (uint32_t)k];
}
#endif
#if !LANE_GPU
LANE_FN void lane_rows(const real *table, lane_bits row, lane *c)
{
    uint32_t start[LANES];
    lane_row_starts(row, start);
    lane_rows_from(table, start, c);
}
#endif

#undef LANE_ROW_UNROLL

#endif
