/* points_probe.h: the generators as a lane sees them, behind one plain signature, compiled once per
 * instruction set and precision (tests/CMakeLists.txt) for test_points.c. */
#ifndef LEVY_TESTS_POINTS_PROBE_H
#define LEVY_TESTS_POINTS_PROBE_H

#include <stdint.h>

enum { POINTS_PROBE_MOST = 16 }; /* paths of the widest lane */

typedef struct probe_point {
    int generator; /* POINTS_SOBOL, POINTS_PHILOX, POINTS_MRG */
    /* philox; of mrg32k3a the path is the draw of the stream; Sobol: the point's index */
    uint64_t key, path;
    uint32_t draw;           /* philox */
    const uint32_t *numbers; /* Sobol: 32 direction numbers */
    const uint32_t *start;   /* mrg32k3a: the stream's first state */
    const uint32_t *powers;  /* mrg32k3a: jumps by 2^b draws, 64 of them */
} probe_point;

/* Words of the paths of one lane, in which `path` stands in place `slot` (Sobol: where its low bits
 * put it, which is returned). */
typedef uint32_t points_probe(const probe_point *point, uint32_t slot,
                              uint32_t words[POINTS_PROBE_MOST]);
typedef uint32_t points_probe_lanes(void);

#endif
