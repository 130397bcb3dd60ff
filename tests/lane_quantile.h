/* lane_quantile.h: the look-up of kernels/samplers/discrete/quantile.h behind one plain signature,
 * compiled once per instruction set and precision (tests/CMakeLists.txt). */
#ifndef LEVY_TESTS_LANE_QUANTILE_H
#define LEVY_TESTS_LANE_QUANTILE_H

#include <stddef.h>
#include <stdint.h>

/* output[i]: the draw of word i; with `unit`, of a law on (0, 1), between 0 and 1. Single builds
 * round the table to float. */
typedef void lane_quantile_run(const double *table, size_t n, int unit, const uint32_t *words,
                               double *output, size_t count);

#endif
