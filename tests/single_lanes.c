/* single_lanes.c: see single_lanes.h. */
#include "tests/single_lanes.h"

#define LANE_SCALAR
#define LANE_SINGLE
#include "models/regime_lanes.h"

uint32_t regime_next_single(const float *weights, uint32_t n, uint32_t word)
{
    static const real equal[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    const lane_word first = lane_word_of(0);
    return regime_next_by_level(weights, equal, n, first, first, lane_word_of(word))[0];
}
