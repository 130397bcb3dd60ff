/* sobol.h: the word of a Sobol draw. A point's word is the exclusive or of the direction numbers at the set bits of its
 * Gray-coded index, and of the digital shift. The code is linear over exclusive or, so a word splits into `base` (the high
 * bits and the shift, the same for a run of neighbouring paths) and `low` (the low bits, the same for every run).
 * S. Joe, F. Y. Kuo, SIAM J. Sci. Comput. 30 (2008). CPU: low is a ready vector per draw. CUDA: 8 words per draw and the
 * thread's 8 masks. */
#ifndef LEVY_POINTS_SOBOL_H
#define LEVY_POINTS_SOBOL_H

#include "kernels/lane/lane.h"

LANE_FN uint64_t sobol_gray(uint64_t index) { return index ^ (index >> 1); }

#if defined(__CUDACC__)
typedef struct sobol_state {
    const uint32_t *base; /* [draw][base_stride]: the word of each path of the thread */
    const uint32_t *low;  /* [draw][8] */
    uint32_t mask[8];
} sobol_state;

LANE_FN void sobol_masks(sobol_state *s, uint32_t column)
{
    const uint32_t gray = column ^ (column >> 1);
#pragma unroll
    for (int b = 0; b < 8; ++b) s->mask[b] = 0u - ((gray >> b) & 1u);
}

LANE_FN lane_word sobol_word(const sobol_state *s, uint32_t draw, uint32_t base_stride)
{
    const uint32_t *low = s->low + 8 * (uint64_t)draw;
    uint32_t x = low[0] & s->mask[0];
#pragma unroll
    for (int b = 1; b < 8; ++b) x ^= low[b] & s->mask[b];
    lane_word word;
#pragma unroll
    for (int i = 0; i < LANES; ++i) word.v[i] = x ^ s->base[draw * base_stride + i];
    return word;
}
#else
typedef struct sobol_state {
    const uint32_t *base;  /* [draw] */
    const lane_word *low;  /* [draw] */
} sobol_state;

LANE_FN lane_word sobol_word(const sobol_state *s, uint32_t draw) { return s->low[draw] ^ s->base[draw]; }
#endif

#endif
