/* scalar_wide.c: the functions of scalar.h of many numbers, four side by side, on an x86 processor
 * that scalar.c asks for it. The bits are those of one at a time. Compiled with -mavx2 -mfma. */
#include "kernels/lane/scalar_fused.h"

#if defined(__x86_64__) && defined(__FMA__)
#include "kernels/lane/lane.h"
#include "kernels/lane/maths.h"
#include "kernels/lane/normal.h"

#include <string.h>

/* Rests are copied to a whole lane. */
#define WIDE_EACH(function)                                                                        \
    size_t i = 0;                                                                                  \
    lane each;                                                                                     \
    for (; i + LANES <= n; i += LANES) {                                                           \
        memcpy(&each, x + i, sizeof each);                                                         \
        each = function(each);                                                                     \
        memcpy(x + i, &each, sizeof each);                                                         \
    }                                                                                              \
    each = lane_of(0.0);                                                                           \
    for (size_t k = i; k < n; ++k) each[k - i] = x[k];                                             \
    if (i < n) each = function(each);                                                              \
    for (size_t k = i; k < n; ++k) x[k] = each[k - i]

void levy_wide_exp(size_t n, double *x) { WIDE_EACH(lane_exp); }
void levy_wide_normal_cdf(size_t n, double *x) { WIDE_EACH(lane_normal_cdf); }
#endif
