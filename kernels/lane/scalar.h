/* scalar.h: the lane functions for one number at a time, for the host. Curves, plans and statistics
 * use these, never libm, so that every number that affects a result has the same bits everywhere.
 * Thread-safe; no state. */
#ifndef LEVY_LANE_SCALAR_H
#define LEVY_LANE_SCALAR_H

#include <stddef.h>
#include <stdint.h>

double levy_exp(double x); /* clamped to [-708, 709] */
double levy_log(double x); /* x > 0, normal */
double levy_sqrt(double x);
double levy_normal_cdf(double x);
/* In place, of many numbers at once, with the bits of one at a time. */
void levy_exp_each(size_t n, double *x);
void levy_normal_cdf_each(size_t n, double *x);
double levy_normal_from_word(uint32_t word); /* inverse normal CDF at (word + 1/2) 2^-32 */

/* log2(e) and ln(2). Single precision keeps logarithms to base 2. */
#define LEVY_LOG2_E 1.4426950408889634
#define LEVY_LN_2 0.6931471805599453
static inline double levy_log2(double x) { return levy_log(x) * LEVY_LOG2_E; }

#endif
