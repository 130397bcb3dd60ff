/* parameters.c: see parameters.h. */
#include "kernels/samplers/discrete/parameters.h"

static const levy_draw_range parameters_ranges[LEVY_DRAW_LAWS][2] = {
    [LEVY_DRAW_EXPONENTIAL] = {{"mean", 0.0, 1e300, true}, {NULL, 0.0, 0.0, false}},
    [LEVY_DRAW_NORMAL] = {{"mean", -1e300, 1e300, false}, {"deviation", 0.0, 1e300, false}},
    [LEVY_DRAW_GAMMA] = {{"alpha", 1e-6, 1e12, false}, {"scale", 0.0, 1e300, true}},
    [LEVY_DRAW_POISSON] = {{"mean", 0.0, 1e9, false}, {NULL, 0.0, 0.0, false}},
    [LEVY_DRAW_NONCENTRAL] = {{"degrees", 1e-6, 1e9, false}, {"non-centrality", 0.0, 1e6, false}},
    /* shapes below would need large tables, and a beta's half its words so near to an end that the
     * table's error would hide their order; of shapes above neighbouring words' deviates are no
     * further apart than that error */
    [LEVY_DRAW_GAMMA_TABLE] = {{"alpha", 0.01, 1e4, false}, {"scale", 0.0, 1e300, true}},
    [LEVY_DRAW_BETA] = {{"alpha", 0.1, 1e4, false}, {"beta", 0.1, 1e4, false}},
    [LEVY_DRAW_INVERSE_GAUSSIAN] = {{"mean", 0.0, 1e300, true}, {"shape", 0.01, 1e4, false}},
};
/* Single precision is exact for whole numbers up to 2^24 only, and overflows near 1e38. */
static const double parameters_most_single[LEVY_DRAW_LAWS] = {
    1e30, 1e30, 1e6, 1e6, 1e4, 1e6, 1e6, 1e6,
};

bool levy_draw_is_tabulated(levy_draw_law law) { return law >= LEVY_DRAW_GAMMA_TABLE; }

levy_draw_range levy_draw_range_of(levy_draw_law law, bool single, int which)
{
    levy_draw_range range = parameters_ranges[law][which];
    const double cap = parameters_most_single[law];
    if (!single) return range;
    if (range.most > cap) range.most = cap;
    if (range.least < -cap) range.least = -cap;
    return range;
}

bool levy_draw_range_holds(const levy_draw_range *range, double x)
{
    return x <= range->most && (range->open ? x > range->least : x >= range->least);
}

size_t levy_draw_range_find(const levy_draw_range *range, bool single, const void *values,
                            size_t count)
{
    levy_draw_range bounds = *range;
    const double *const numbers = values;
    const float *const floats = values;
    if (single) { /* 1e-6 as a float lies below 1e-6, and is meant */
        bounds.least = (double)(float)bounds.least;
        bounds.most = (double)(float)bounds.most;
    }
    for (size_t k = 0; k < count; ++k)
        if (!levy_draw_range_holds(&bounds, single ? (double)floats[k] : numbers[k])) return k;
    return count;
}
