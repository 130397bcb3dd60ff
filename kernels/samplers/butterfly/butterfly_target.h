/* butterfly_target.h: from a uniform word to the target of a search. C11 and CUDA C++. Must not
 * know: weights. */
#ifndef LEVY_BUTTERFLY_TARGET_H
#define LEVY_BUTTERFLY_TARGET_H

#include "kernels/lane/target.h"

#if LANE_GPU_ALONE
#include "kernels/lane/lane.h" /* integers */
#else
#include <stdint.h>
#include <string.h>
#endif

#if LANE_GPU
#define BUTTERFLY_FN static __host__ __device__ __forceinline__
#else
#define BUTTERFLY_FN static inline
#endif

/* Whether an item can be drawn from a total. False for NaN. */
BUTTERFLY_FN int butterfly_drawable_double(double total)
{
    return total > 0.0 && total <= 1.7976931348623157e308;
}
BUTTERFLY_FN int butterfly_drawable_single(float total)
{
    return total > 0.0f && total <= 3.402823466e38f;
}

/* The target, at least 0 and below the total, which is positive and finite. Positive numbers have
 * the order of their bits, so bits less 1 are the number just below. */
BUTTERFLY_FN double butterfly_target_double(double total, uint32_t word)
{
    double target = total * ((double)word * (1.0 / 4294967296.0));
    if (!(target < total)) {
        uint64_t bits;
        memcpy(&bits, &total, sizeof bits);
        --bits;
        memcpy(&target, &bits, sizeof bits);
    }
    return target;
}

BUTTERFLY_FN float butterfly_target_single(float total, uint32_t word)
{
    float target = total * ((float)(word >> 8) * (1.0f / 16777216.0f));
    if (!(target < total)) {
        uint32_t bits;
        memcpy(&bits, &total, sizeof bits);
        --bits;
        memcpy(&target, &bits, sizeof bits);
    }
    return target;
}

#endif
