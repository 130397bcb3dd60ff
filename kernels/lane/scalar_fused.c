/* scalar_fused.c: the functions of scalar.h on an x86 processor that has fused multiply-add, which
 * scalar.c asks for: without it each is a dozen calls of libm's exact fma, with the same bits.
 * Compiled with -mfma; on other processors scalar.c needs no other copy. */
#include "kernels/lane/scalar_fused.h"

#if defined(__x86_64__) && defined(__FMA__)
#define LANE_SCALAR
#include "kernels/lane/lane.h"
#include "kernels/lane/maths.h"
#include "kernels/lane/normal.h"

double levy_fused_exp(double x) { return lane_get(lane_exp(lane_of(x)), 0); }
double levy_fused_log(double x) { return lane_get(lane_log(lane_of(x)), 0); }
double levy_fused_normal_cdf(double x) { return lane_get(lane_normal_cdf(lane_of(x)), 0); }
double levy_fused_normal_from_word(uint32_t word)
{
    return lane_get(normal_from_word(lane_word_of(word)), 0);
}
#endif
