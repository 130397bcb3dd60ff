/* scalar_fused.h: see scalar_fused.c. Private to this room. */
#ifndef LEVY_LANE_SCALAR_FUSED_H
#define LEVY_LANE_SCALAR_FUSED_H

#include <stdint.h>

double levy_fused_exp(double x);
double levy_fused_log(double x);
double levy_fused_normal_cdf(double x);
double levy_fused_normal_from_word(uint32_t word);

#endif
