/* scalar_fused.h: see scalar_fused.c and scalar_wide.c. Private to this room. */
#ifndef LEVY_LANE_SCALAR_FUSED_H
#define LEVY_LANE_SCALAR_FUSED_H

#include <stddef.h>
#include <stdint.h>

double levy_fused_exp(double x);
double levy_fused_log(double x);
double levy_fused_normal_cdf(double x);
double levy_fused_normal_from_word(uint32_t word);
void levy_wide_exp(size_t n, double *x);
void levy_wide_normal_cdf(size_t n, double *x);

#endif
