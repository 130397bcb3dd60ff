/* sampler_draw.h: an item from a row of a stand-alone sampler, and from its cut points: one text
 * for a CPU and for a GPU, so that both give the same items. A word of 64 bits times the number of
 * rows is the row's number and a place in the row of 64 bits (alias.h, levy_alias_draw, which this
 * equals). The row's eight bytes decide all draws but three in 2^32; those few compare the place's
 * 53 leading bits with the exact threshold. Must not know: where words come from, how many are
 * drawn together. */
#ifndef LEVY_SAMPLER_DRAW_H
#define LEVY_SAMPLER_DRAW_H

#include "kernels/lane/lane.h"

/* The number of the row, and the 64 bits of the place in it. */
typedef struct sampler_place {
    uint32_t row, high, low;
} sampler_place;

LANE_FN sampler_place sampler_place_of(uint32_t high, uint32_t low, uint32_t count)
{
    const uint64_t below = (uint64_t)low * count, product = (uint64_t)high * count + (below >> 32);
    sampler_place p;
    p.row = (uint32_t)(product >> 32);
    p.high = (uint32_t)product;
    p.low = (uint32_t)below;
    return p;
}

/* Whether the place is too near the threshold for 32 bits. The part of the row is within one unit
 * of the exact one, however its division was rounded. */
LANE_FN int sampler_is_near(uint32_t split, uint32_t high)
{
    return high - (split & 0x7fffffffu) + 1 <= 2;
}

LANE_FN uint32_t sampler_item(uint32_t split, uint32_t other, uint32_t row, uint32_t high)
{
    const uint32_t below = high < (split & 0x7fffffffu);
    return below ^ split >> 31 ? row : other;
}

/* The item where sampler_is_near says so. The order of the operations is that of levy_alias_draw.
 */
LANE_FN uint32_t sampler_exact(uint32_t split, uint32_t other, sampler_place p, double threshold,
                               double share)
{
    const uint64_t place = (uint64_t)p.high << 32 | p.low;
    const uint32_t below = (double)(place >> 11) * 0x1p-53 * share < threshold;
    return below ^ split >> 31 ? p.row : other;
}

/* What is no number or below 0 counts as 0, and 1 or more as the largest number below 1. */
LANE_FN double sampler_inside(double u)
{
    const double most = 1.0 - 0x1p-53, positive = u >= 0.0 ? u : 0.0;
    return positive < most ? positive : most;
}

/* The item of u inside [0, 1), which lies from `low` to `high`: those of two cut points, guide.h.
 */
LANE_FN uint32_t sampler_search(double u, const double *cumulative, uint32_t low, uint32_t high)
{
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (u < cumulative[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

LANE_FN uint32_t sampler_cut(double u, const double *cumulative, const uint32_t *start,
                             uint32_t cells)
{
    const double inside = sampler_inside(u);
    const uint32_t cell = (uint32_t)(inside * (double)cells);
    return sampler_search(inside, cumulative, start[cell], start[cell + 1]);
}

#endif
