/* single_lanes.h: lanes in single precision, one path wide, for tests whose own are in double. */
#ifndef LEVY_TESTS_SINGLE_LANES_H
#define LEVY_TESTS_SINGLE_LANES_H

#include <stdint.h>

/* The next of n <= 8 states by their weights (models/regime_lanes.h). */
uint32_t regime_next_single(const float *weights, uint32_t n, uint32_t word);

#endif
