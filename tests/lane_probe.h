/* lane_probe.h: every lane function behind one plain signature, compiled once per instruction set
 * and precision (see tests/CMakeLists.txt), so that a test can call builds which its own compiler
 * flags do not allow. */
#ifndef LEVY_TESTS_LANE_PROBE_H
#define LEVY_TESTS_LANE_PROBE_H

#include <stddef.h>
#include <stdint.h>

typedef enum probe_function {
    PROBE_UNIFORM,
    PROBE_NORMAL, /* of a word: the input's integer value */
    PROBE_EXP,
    PROBE_LOG,
    PROBE_CDF,
    PROBE_PATH_EXP,
    PROBE_PATH_LOG,
    PROBE_FUNCTIONS, /* so far in the hash; nvcc's host pass makes mixed normals its kernels' way */
    PROBE_MIXED_NORMAL = PROBE_FUNCTIONS,
    PROBE_MIXED_EXP,
    /* how many of path_exp_four's four differ from path_exp's, at arguments made of x; also where
     * it is told that they are bounded, as they are */
    PROBE_EXP_FOUR,
    PROBE_PATH_EXPONENTIAL
} probe_function;

/* output[i] = function(input[i]) for any count; single builds round the input to float. */
typedef void probe_run(probe_function function, const double *input, double *output, size_t count);

/* FNV-1a over the bits of all functions at 2^16 arguments each. */
typedef uint64_t probe_hash(void);

#endif
