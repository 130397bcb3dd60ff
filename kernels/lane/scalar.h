/* scalar.h: the lane functions for one number at a time, for the host: curves, plans and statistics
 * use these, never libm, so that whatever reaches a result has the same bits everywhere.
 * Thread-safe; no state. */
#ifndef LEVY_LANE_SCALAR_H
#define LEVY_LANE_SCALAR_H

#include <stdint.h>

double levy_exp(double x); /* clamped to [-708, 709] */
double levy_log(double x); /* x > 0, normal */
double levy_sqrt(double x);
double levy_normal_cdf(double x);
double levy_normal_from_word(uint32_t word); /* inverse normal CDF at (word + 1/2) 2^-32 */

#endif
