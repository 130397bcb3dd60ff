/* mrg32k3a.h: L'Ecuyer's combined multiple recursive generator, on integers. P. L'Ecuyer, Good
 * parameters and implementations for combined multiple recursive random number generators,
 * Operations Research 47 (1999); its streams: P. L'Ecuyer, R. Simard, E. J. Chen, W. D. Kelton,
 * Operations Research 50 (2002).
 *
 * Two recurrences modulo m1 = 2^32 - 209 and m2 = 2^32 - 22853 give p1 and p2; z = (p1 - p2) mod
 * m1. A draw is the word z + floor(209 z / m1): z spread over all of 2^32, exactly. (For z = 0
 * others write m1; the word is the same.) The moduli are just below 2^32, so x mod m is computed by
 * folding: 2^32 = 209 (or 22853) mod m. Jumps are matrices [component][row][column], made on the
 * host (mrg_streams.h). Must not know: what a draw is for. */
#ifndef LEVY_POINTS_MRG32K3A_H
#define LEVY_POINTS_MRG32K3A_H

#include "kernels/lane/target.h"
#include "kernels/lane/lane.h"

enum { MRG_FOLD1 = 209, MRG_FOLD2 = 22853 };
#define MRG_M1 ((uint64_t)4294967087u)
#define MRG_M2 ((uint64_t)4294944443u)

/* The last three numbers of each recurrence, oldest first, of the paths of a lane. */
typedef struct mrg_state {
    lane_long_kept one[LANE_PARTS][3], two[LANE_PARTS][3];
} mrg_state;

LANE_FN lane_long mrg_fold(lane_long x, uint32_t fold)
{
    return lane_long_mul(x >> 32, lane_long_of(fold)) + (x & lane_long_of(0xffffffffu));
}

/* Moves the state of one part on and returns its z. Bounds: x < 2^53.1, so one fold leaves less
 * than 2 m1. The second recurrence takes two folds. */
LANE_FN lane_long mrg_next(lane_long_kept one[3], lane_long_kept two[3])
{
    const lane_long x = lane_long_mul(one[1], lane_long_of(1403580)) +
                        lane_long_mul(lane_long_of(MRG_M1) - one[0], lane_long_of(810728));
    const lane_long y = lane_long_mul(two[2], lane_long_of(527612)) +
                        lane_long_mul(lane_long_of(MRG_M2) - two[0], lane_long_of(1370589));
    const lane_long p1 = lane_long_wrap(mrg_fold(x, MRG_FOLD1), MRG_M1);
    const lane_long p2 = lane_long_wrap(mrg_fold(mrg_fold(y, MRG_FOLD2), MRG_FOLD2), MRG_M2);
    one[0] = one[1];
    one[1] = one[2];
    one[2] = (lane_long_kept)p1;
    two[0] = two[1];
    two[1] = two[2];
    two[2] = (lane_long_kept)p2;
    return lane_long_wrap(p1 + lane_long_of(MRG_M1) - p2, MRG_M1);
}

/* z + floor(209 z / m1): with 209 z = a 2^32 + b = a m1 + (209 a + b), the quotient is a, or a + 1
 * where the rest reaches m1 */
LANE_FN lane_long mrg_spread(lane_long z)
{
    const lane_long t = lane_long_mul(z, lane_long_of(MRG_FOLD1));
    /* >= 2^32 where the rest is >= m1 */
    const lane_long reach = mrg_fold(t, MRG_FOLD1) + lane_long_of(MRG_FOLD1);
    return z + (t >> 32) + (reach >> 32);
}

LANE_FN lane_word mrg_word(mrg_state *s)
{
    lane_long word[LANE_PARTS];
#if LANE_GPU
#pragma unroll
#endif
    for (int p = 0; p < LANE_PARTS; ++p) word[p] = mrg_spread(mrg_next(s->one[p], s->two[p]));
    return lane_word_from_long(word);
}

/* Multiplies the three components by a matrix modulo m. */
LANE_FN void mrg_turn(lane_long_kept s[3], const uint32_t *matrix, uint32_t fold, uint64_t modulus)
{
    lane_long sum[3];
#if LANE_GPU
#pragma unroll
#endif
    for (int i = 0; i < 3; ++i) {
        sum[i] = lane_long_of(0);
        for (int j = 0; j < 3; ++j)
            sum[i] = sum[i] + mrg_fold(lane_long_mul(s[j], lane_long_of(matrix[3 * i + j])), fold);
        sum[i] = lane_long_wrap(mrg_fold(sum[i], fold), modulus);
    }
    for (int i = 0; i < 3; ++i) s[i] = (lane_long_kept)sum[i];
}

/* All paths of the lane jump by one matrix pair (18 words). */
LANE_FN void mrg_jump(mrg_state *s, const uint32_t *jump)
{
#if LANE_GPU
#pragma unroll
#endif
    for (int p = 0; p < LANE_PARTS; ++p) {
        mrg_turn(s->one[p], jump, MRG_FOLD1, MRG_M1);
        mrg_turn(s->two[p], jump + 9, MRG_FOLD2, MRG_M2);
    }
}

/* Moves path i of the lane i units on; powers[b] jumps 2^b units. */
LANE_FN void mrg_fan(mrg_state *s, const uint32_t *powers)
{
    for (int b = 0; 1 << b < LANES; ++b) {
        mrg_state jumped = *s;
        mrg_jump(&jumped, powers + 18 * b);
#if LANE_GPU
#pragma unroll
        for (int p = 0; p < LANE_PARTS; ++p)
            for (int i = 0; i < 3; ++i) {
                s->one[p][i] = p >> b & 1 ? jumped.one[p][i] : s->one[p][i];
                s->two[p][i] = p >> b & 1 ? jumped.two[p][i] : s->two[p][i];
            }
#else
        for (int path = 0; path < LANES; ++path)
            for (int i = 0; i < 3; ++i) {
                const int p = path / (LANES / LANE_PARTS), e = path % (LANES / LANE_PARTS);
                if (path >> b & 1) s->one[p][i][e] = jumped.one[p][i][e];
                if (path >> b & 1) s->two[p][i][e] = jumped.two[p][i][e];
            }
#endif
    }
}

/* Sets all paths of the lane to `start` (6 words), then moves them `paths` paths on. powers[b]
 * jumps 2^b paths. */
LANE_FN void mrg_start(mrg_state *s, const uint32_t *start, const uint32_t *powers, uint64_t paths)
{
    lane_long_kept one[3], two[3];
    for (int i = 0; i < 3; ++i) {
        one[i] = (lane_long_kept)lane_long_of(start[i]);
        two[i] = (lane_long_kept)lane_long_of(start[3 + i]);
    }
    for (; paths; paths >>= 1, powers += 18) {
        if (!(paths & 1)) continue;
        mrg_turn(one, powers, MRG_FOLD1, MRG_M1);
        mrg_turn(two, powers + 9, MRG_FOLD2, MRG_M2);
    }
#if LANE_GPU
#pragma unroll
#endif
    for (int p = 0; p < LANE_PARTS; ++p)
        for (int i = 0; i < 3; ++i) {
            s->one[p][i] = one[i];
            s->two[p][i] = two[i];
        }
}

#endif
