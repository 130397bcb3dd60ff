/* maths.h: exp, log and the normal distribution function on lanes, in double and in single.
 *
 * Own minimax polynomials (coefficients rounded one at a time, the others refitted) on classical
 * reductions: exp by a multiple of ln 2 held in two parts (W. J. Cody and W. Waite, Software Manual
 * for the Elementary Functions, 1980); log by s = f/(2 + f) with separate leading terms (K. C. Ng,
 * FDLIBM, 1993). Arguments are clamped to the range of normal results: no infinities, no NaN, no
 * traps. In double precision the bits are the same everywhere. Largest errors found, against 40
 * digits:
 *                         double                      single
 *   lane_exp              0.9 ulp, [-708, 709]        0.9 ulp, [-87, 88]
 *   lane_log              0.9 ulp, x normal           0.9 ulp, x normal
 *   lane_normal_cdf       6 ulp, [-37.5, 37.5]        6 ulp, [-13, 13]
 *   path_exp, path_log    lane_exp and lane_log       2^x and log2(x): the plan folds log2(e) into
 *                                                     its constants. A GPU uses its hardware's
 *                                                     functions; a CPU is within 2 ulp
 *   path_exponential      1e-14 (1 + variate)          1e-6 (1 + variate)
 * path_quotient and path_root are IEEE's in double, and on a GPU its hardware's in single.
 * Must not know: anything of finance. */
#ifndef LEVY_LANE_MATHS_H
#define LEVY_LANE_MATHS_H

#include "kernels/lane/exact.h"

#define MATHS_STEP(sum, variable, coefficient)                                                     \
    sum = lane_fma(sum, variable, lane_of(R(coefficient)))
#if defined(LANE_SINGLE)
#include "kernels/lane/maths_single.h"
#else
#include "kernels/lane/maths_double.h"
#endif
#undef MATHS_STEP

#endif
