/* normal_double.h: see normal.h, which alone includes this. */
#ifndef LEVY_LANE_NORMAL_DOUBLE_H
#define LEVY_LANE_NORMAL_DOUBLE_H

#include "kernels/lane/target.h"
#include "kernels/lane/rows.h"
#if !LANE_GPU
#include "kernels/lane/normal_rows.h"
#endif

/* Rows by number, and the first bit of a double's upper half that names one. */
enum { NORMAL_ROW_BIT = 15, NORMAL_ROW_ONE = 1023 << 5, NORMAL_ROW_COUNT = 32 * 32 };

#if LANE_GPU
/* All rows in global memory: said by the kernel, or else a copy of its own. */
#if !defined(NORMAL_ALL_ROWS)
static __device__ const double LANE_ALIGNED(64) normal_rows[] = {
#include "kernels/lane/normal_rows.inc"
};
#define NORMAL_ALL_ROWS normal_rows
#endif

/* Two neighbouring coefficients, which one load brings. */
typedef struct LANE_ALIGNED(16) normal_pair {
    double low, high;
} normal_pair;

/* By a row whose pairs of coefficients are `step` bytes apart. */
LANE_FN double normal_of_pairs(const unsigned char *at, uint32_t step, double d)
{
    const normal_pair a = *(const normal_pair *)at, b = *(const normal_pair *)(at + step),
                      c = *(const normal_pair *)(at + 2 * step),
                      e = *(const normal_pair *)(at + 3 * step);
    double z = fma(e.high, d, e.low);
    z = fma(z, d, c.high);
    z = fma(z, d, c.low);
    z = fma(z, d, b.high);
    z = fma(z, d, b.low);
    z = fma(z, d, a.high);
    return fma(z, d, a.low);
}

/* `key`: the upper half of f as a double, down to the bits that name its row. */
LANE_FN double normal_far(uint32_t key, double d)
{
    const uint32_t row = (key >> NORMAL_ROW_BIT) - (uint32_t)NORMAL_ROW_ONE;
    return normal_of_pairs((const unsigned char *)(NORMAL_ALL_ROWS + 8 * row), 16, d);
}

#if defined(NORMAL_COPIED)
/* Rows in shared memory. NORMAL_COPIED, the last ones, stand there eight times: each of eight
 * threads reads a copy of its own, so that no two that load at the same time meet in a bank. Words
 * seldom want the NORMAL_ALONE before these, which stand there once, eight different rows side by
 * side. All that come before stay in global memory. Both numbers are of whole octaves.
 * NORMAL_JOINED 1: loads are of either memory, and there is no branch between the normals of a
 * thread, which so overlap. It is for kernels with few threads and much room for registers. */
enum {
    NORMAL_FIRST_COPIED = NORMAL_ROW_ONE + NORMAL_ROW_COUNT - NORMAL_COPIED,
    NORMAL_FIRST_ALONE = NORMAL_FIRST_COPIED - NORMAL_ALONE
};
LANE_FN double normal_near(uint32_t key, double d)
{
    const unsigned char *at =
        NORMAL_SHARED + 16 * (threadIdx.x % 8) + (key >> 6) - ((uint32_t)NORMAL_FIRST_COPIED << 9);
    if (NORMAL_ALONE > 0) {
        const unsigned char *const alone = NORMAL_SHARED + 512 * NORMAL_COPIED + (key >> 18 << 9) -
                                           (NORMAL_FIRST_ALONE >> 3 << 9) + (key >> 11 & 0x70);
        at = key < (uint32_t)NORMAL_FIRST_COPIED << NORMAL_ROW_BIT ? alone : at;
    }
    if (!NORMAL_JOINED) return normal_of_pairs(at, 128, d);
    const bool far =
        NORMAL_COPIED + NORMAL_ALONE == 0 || (NORMAL_COPIED + NORMAL_ALONE < NORMAL_ROW_COUNT &&
                                              key < (uint32_t)NORMAL_FIRST_ALONE << NORMAL_ROW_BIT);
    const uint32_t row = (key >> NORMAL_ROW_BIT) - (uint32_t)NORMAL_ROW_ONE;
    return normal_of_pairs(far ? (const unsigned char *)(NORMAL_ALL_ROWS + 8 * row) : at,
                           far ? 16 : 128, d);
}

/* Fills the shared memory from all rows, with the work of `threads` threads. */
LANE_FN void normal_stage(const void *all, uint32_t threads)
{
    const normal_pair *const rows = (const normal_pair *)all;
    normal_pair *const to = (normal_pair *)(NORMAL_SHARED);
    for (uint32_t i = threadIdx.x; i < 32 * NORMAL_COPIED; i += threads)
        to[i] = rows[4 * (NORMAL_FIRST_COPIED - NORMAL_ROW_ONE + i / 32) + i / 8 % 4];
    for (uint32_t i = threadIdx.x; i < 4 * NORMAL_ALONE; i += threads)
        to[32 * NORMAL_COPIED + i] =
            rows[4 * (NORMAL_FIRST_ALONE - NORMAL_ROW_ONE + i / 32 * 8 + i % 8) + i / 8 % 4];
}
#endif

/* The normals of words, of whose folded form `base` and `low` are the parts, but for the sign of
 * low. */
LANE_FN lane normal_from_folded(lane_word base, uint32_t low)
{
    lane z, d;
    uint32_t key[LANES], least = 0xffffffffu;
#pragma unroll
    for (int i = 0; i < LANES; ++i) {
        const double f =
            lane_one_from_bits(0x4330000000000000LL | (real_bits)((base.v[i] ^ low) | 1u)) - 0x1p52;
        key[i] = (uint32_t)((uint64_t)lane_one_as_bits(f) >> 32) & ~((1u << NORMAL_ROW_BIT) - 1u);
        d.v[i] =
            f - lane_one_from_bits((real_bits)((uint64_t)(key[i] + (1u << NORMAL_ROW_BIT)) << 32));
        least = key[i] < least ? key[i] : least;
    }
#if defined(NORMAL_COPIED)
    constexpr uint32_t first = (uint32_t)NORMAL_FIRST_ALONE << NORMAL_ROW_BIT;
    if ((!NORMAL_JOINED && NORMAL_COPIED + NORMAL_ALONE == 0) ||
        (NORMAL_COPIED + NORMAL_ALONE < NORMAL_ROW_COUNT && !NORMAL_JOINED && least < first)) {
#pragma unroll
        for (int i = 0; i < LANES; ++i)
            z.v[i] = NORMAL_COPIED + NORMAL_ALONE == 0 || key[i] < first
                         ? normal_far(key[i], d.v[i])
                         : normal_near(key[i], d.v[i]);
    } else {
#pragma unroll
        for (int i = 0; i < LANES; ++i) z.v[i] = normal_near(key[i], d.v[i]);
    }
#else
#pragma unroll
    for (int i = 0; i < LANES; ++i) z.v[i] = normal_far(key[i], d.v[i]);
#endif
#pragma unroll
    for (int i = 0; i < LANES; ++i)
        z.v[i] = lane_one_from_bits(lane_one_as_bits(z.v[i]) ^
                                    (real_bits)((uint64_t)(base.v[i] << 31) << 32));
    return z;
}

LANE_FN lane normal_from_word(lane_word u)
{
    lane_word folded;
#pragma unroll
    for (int i = 0; i < LANES; ++i) folded.v[i] = normal_fold(u.v[i]);
    return normal_from_folded(folded, 0);
}
#else
/* Where the normal of a word is looked up: where its row starts, how far f is beyond the row's end,
 * and the sign. Two loops, one that finds a few places and one that reads them, take a quarter less
 * time than one: a processor looks ahead over few words at a time, and each loop's chain is half as
 * long (Zen 5). */
enum { NORMAL_PLACES = 16 };
typedef struct normal_place {
    lane beyond;
    lane_bits sign;
    uint32_t start[LANES];
} normal_place;

/* For f from 1 to below 2^32, where the probability below is f 2^-33: of the normal below 0. */
LANE_FN normal_place normal_place_below(lane f)
{
    const lane_bits row = lane_as_bits(f) >> (32 + NORMAL_ROW_BIT);
    normal_place place;
    place.beyond = f - lane_from_bits((row + 1) << (32 + NORMAL_ROW_BIT));
    place.sign = lane_as_bits(lane_of(R(0.0)));
    lane_row_starts(row - NORMAL_ROW_ONE, place.start);
    return place;
}

LANE_FN normal_place normal_place_of(lane_word u)
{
    const lane_bits odd = lane_bits_from_word(lane_word_fold(u)) << 1;
    const lane f = lane_from_bits(odd | (real_bits)0x4330000000000001LL) - R(0x1p52);
    normal_place place = normal_place_below(f);
    place.sign = lane_bits_from_word(u & 0x80000000u) << 32;
    return place;
}

LANE_FN lane normal_at(const normal_place *place)
{
    const lane d = place->beyond;
    lane c[LANE_ROW];
    lane_rows_from(levy_normal_rows, place->start, c);
    lane z = lane_fma(c[7], d, c[6]);
    LANE_UNROLL for (int k = 5; k >= 0; --k) z = lane_fma(z, d, c[k]);
    return lane_from_bits(lane_as_bits(z) ^ place->sign);
}

/* That normal itself. */
LANE_FN lane normal_below(lane f)
{
    const normal_place place = normal_place_below(f);
    return normal_at(&place);
}

LANE_FN lane normal_from_word(lane_word u)
{
    const normal_place place = normal_place_of(u);
    return normal_at(&place);
}
#endif

#endif
