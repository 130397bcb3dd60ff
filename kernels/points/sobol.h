/* sobol.h: the word of a Sobol draw. A point's word is the exclusive or of the direction numbers at
 * the set bits of its Gray-coded index, from 0 (cuRAND's order), and of the digital shift. The code
 * is linear over exclusive or, so a word splits into `base` (the high bits and the shift, the same
 * for a run of neighbouring paths) and `low` (the low bits, the same for every run). S. Joe, F. Y.
 * Kuo, SIAM J. Sci. Comput. 30 (2008). CPU: low is a ready vector per draw. CUDA: a thread looks it
 * up by its column. */
#ifndef LEVY_POINTS_SOBOL_H
#define LEVY_POINTS_SOBOL_H

#include "kernels/lane/target.h"
#include "kernels/lane/lane.h"

LANE_FN uint64_t sobol_gray(uint64_t index) { return index ^ (index >> 1); }

#if LANE_GPU
typedef struct sobol_state {
    const uint32_t *base; /* [draw][base_stride]: the word of each path of the thread */
    const uint32_t *low;  /* [draw][8], or sums over runs of bits: [draw][20], [draw][32] */
    uint32_t gray;        /* of the thread's column */
    const uint32_t *rows; /* direction numbers, n apart: read where base has the first path alone */
    uint32_t n;
} sobol_state;

/* Words per draw in the table of what the eight bits of a column add: one word per bit; or every
 * sum over the first 3, the next 3 and the last 2 bits; or over 4 and 4 bits. */
enum { SOBOL_SINGLE = 8, SOBOL_TRIPLE = 20, SOBOL_DOUBLE = 32 };

LANE_FN uint32_t sobol_sum(const uint32_t *single, uint32_t words, uint32_t i)
{
    const uint32_t each = words == SOBOL_TRIPLE   ? 3
                          : words == SOBOL_DOUBLE ? 4
                                                  : 0,
                   run = i >> each;
    uint32_t word = 0;
    if (each == 0) return single[i];
    for (uint32_t b = 0; b < each; ++b)
        if (i >> b & 1) word ^= single[run * each + b];
    return word;
}

/* The word that a run of the column's bits adds to a draw. */
LANE_FN const uint32_t *sobol_low_run(const sobol_state *s, int32_t draw, int32_t words, int run)
{
    const uint32_t each = words == SOBOL_TRIPLE ? 3 : 4, bits = (1u << each) - 1;
    return s->low + words * draw + (run << each) + (s->gray >> each * (uint32_t)run & bits);
}

/* `fours`: words that have no run sums are loaded four at a time. H200, single, G asset-steps/s,
 * one by one and so: 64 assets x 64 dates 146, 155; 100 x 64 88, 93; 8 x 252 519, 483. */
LANE_FN uint32_t sobol_low(const sobol_state *s, int32_t draw, int32_t words, bool fours)
{
    if (words == SOBOL_DOUBLE)
        return (s->low + (s->gray & 15))[SOBOL_DOUBLE * draw] ^
               (s->low + 16 + (s->gray >> 4))[SOBOL_DOUBLE * draw];
    if (words == SOBOL_TRIPLE)
        return (s->low + (s->gray & 7))[SOBOL_TRIPLE * draw] ^
               (s->low + 8 + (s->gray >> 3 & 7))[SOBOL_TRIPLE * draw] ^
               (s->low + 16 + (s->gray >> 6))[SOBOL_TRIPLE * draw];
    uint32_t low = 0;
    uint4 a = {0, 0, 0, 0}, b = a;
    if (fours) {
        a = ((const uint4 *)s->low)[2 * draw];
        b = ((const uint4 *)s->low)[2 * draw + 1];
    }
    const uint32_t single[SOBOL_SINGLE] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
#pragma unroll
    for (int i = 0; i < SOBOL_SINGLE; ++i)
        low ^= (fours ? single[i] : s->low[SOBOL_SINGLE * draw + i]) & (0u - (s->gray >> i & 1u));
    return low;
}

/* The parts of the words that differ between the paths of a thread. Four are loaded at a time,
 * since rows start at multiples of 16 bytes. Indices are signed, so that the addresses of
 * neighbouring draws differ by an immediate. */
LANE_FN lane_word sobol_base(const sobol_state *s, int32_t draw, int32_t base_stride)
{
    lane_word base;
    if (LANES % 4 == 0) {
#pragma unroll
        for (int i = 0; i + 3 < LANES; i += 4) {
            const uint4 four = ((const uint4 *)s->base)[draw * (base_stride / 4) + i / 4];
            base.v[i] = four.x;
            base.v[i + 1] = four.y;
            base.v[i + 2] = four.z;
            base.v[i + 3] = four.w;
        }
        return base;
    }
#pragma unroll
    for (int i = 0; i < LANES; ++i) base.v[i] = s->base[draw * base_stride + i];
    return base;
}

/* What a row adds to the word of the row whose number is a multiple of LANES before it. A row is
 * 256 paths, so row q adds the direction numbers at the set bits of the Gray code of 256 q. */
LANE_FN uint32_t sobol_row(const sobol_state *s, int32_t draw, int q)
{
    uint32_t word = 0;
#pragma unroll
    for (int b = 7; b < 12; ++b)
        if (sobol_gray((uint64_t)q << 8) >> b & 1) word ^= s->rows[b * (int32_t)s->n + draw];
    return word;
}

#else
typedef struct sobol_state {
    const uint32_t *base; /* [draw] */
    const lane_word *low; /* [draw] */
} sobol_state;

LANE_FN lane_word sobol_word(const sobol_state *s, uint32_t draw)
{
    return s->low[draw] ^ s->base[draw];
}
#endif

#endif
