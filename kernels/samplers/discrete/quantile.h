/* quantile.h: a generator's word to a draw from a tabulated continuous law on (0, infinity) or (0,
 * 1): its quantile function at p = (u + 1/2) 2^-32, monotone, for laws whose own inverse is far too
 * long to run on every path.
 *
 * What is tabulated is the logarithm of the quantile, or, of the words above the middle, of its
 * distance from 1 where the law lives on (0, 1). Each half is cut into octaves of the distance from
 * its end, x = min(u, ~u) + 1/2, so that tails are resolved as finely as the word is; an octave
 * into a power of two of cells, as many as it needs; a cell holds a polynomial of degree 7 that
 * agrees with the function at both ends, so that neighbouring cells join. Between the error of the
 * fit (the builder's tolerance, quantile_table.h) and that of exp there is nothing else. Double:
 * the same bits everywhere. Single: steps back of some ulp between neighbouring words, as those of
 * normal.h. A law as a table in this form: W. Hörmann, J. Leydold, Continuous random variate
 * generation by fast numerical inversion, ACM Trans. Model. Comput. Simul. 13 (2003); the cells
 * here are the word's own bits and need no search.
 *
 * Layout, in reals: [2][33][2]: by half and octave, the row before the octave's first and its
 * number of cells; then, from QUANTILE_HEAD on, rows of 8 coefficients. Tables stand at multiples
 * of 8 reals. Must not know: which law it is. */
#ifndef LEVY_DISCRETE_QUANTILE_H
#define LEVY_DISCRETE_QUANTILE_H

#include "kernels/lane/maths.h"
#include "kernels/lane/rows.h"

enum {
    /* of a half; the last is for words that rounding to single moves to the middle */
    QUANTILE_OCTAVES = 33,
    QUANTILE_HEAD = 136 /* reals in front of the rows: 2 * 33 * 2, to a multiple of 8 */
};

#define QUANTILE_MANTISSA LANE_PICK(52, 23)
#define QUANTILE_ONE LANE_PICK(0x3ff0000000000000LL, 0x3f800000)
/* adding and subtracting this rounds to the nearest integer */
#define QUANTILE_ROUND R(LANE_PICK(0x1.8p52, 0x1.8p23))

/* The draw. For a law on (0, 1) and a word in the upper half: its distance from 1. */
LANE_FN lane quantile_from_word(const real *table, lane_word u)
{
    const lane_bits bits = lane_as_bits(lane_from_word(lane_word_fold(u)) + R(0.5));
    const lane_bits octave =
        (bits >> QUANTILE_MANTISSA) - ((QUANTILE_ONE >> QUANTILE_MANTISSA) - 1);
    const lane_bits head = (octave + lane_bits_from_word((u >> 31) * (uint32_t)QUANTILE_OCTAVES))
                           << 1;
    const lane within =
        lane_from_bits((bits & (((real_bits)1 << QUANTILE_MANTISSA) - 1)) | QUANTILE_ONE) - R(1.0);
    const lane first = lane_row_gather(table, head), cells = lane_row_gather(table + 1, head);
    const lane at = lane_fma(within, cells, lane_of(R(-0.5))), up = at + QUANTILE_ROUND;
    const lane s = at - (up - QUANTILE_ROUND), t = s * s; /* s runs from -1/2 to 1/2 in a cell */
    const lane_bits row = lane_as_bits(up + first) - lane_as_bits(lane_of(QUANTILE_ROUND));
    lane c[LANE_ROW];
    lane_rows(table, row, c);
    const lane even = lane_fma(lane_fma(lane_fma(c[6], t, c[4]), t, c[2]), t, c[0]);
    const lane odd = lane_fma(lane_fma(lane_fma(c[7], t, c[5]), t, c[3]), t, c[1]);
    return path_exp(lane_fma(odd, s, even));
}

/* left + (right - left) B, with B drawn from a law on (0, 1). */
LANE_FN lane quantile_between(const real *table, lane_word u, lane left, lane right)
{
    const lane part = (right - left) * quantile_from_word(table, u);
    return lane_select(lane_from_word(u) < R(0.0), right - part, left + part);
}

/* A draw from a law on (0, 1). `middle`: its median. Where that is small, a distance from 1 cannot
 * tell it from its neighbours, and the first words of the upper half would fall below it. */
LANE_FN lane quantile_of_unit(const real *table, lane_word u, real middle)
{
    const lane x = quantile_between(table, u, lane_of(R(0.0)), lane_of(R(1.0)));
    return lane_select((lane_from_word(u) < R(0.0)) & (x < middle), lane_of(middle), x);
}

#endif
