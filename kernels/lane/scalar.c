/* scalar.c: see scalar.h. The same source as the kernels', compiled one path wide. */
#define LANE_SCALAR
#include "kernels/lane/lane.h"
#include "kernels/lane/maths.h"
#include "kernels/lane/normal.h"
#include "kernels/lane/scalar.h"

double levy_exp(double x) { return lane_get(lane_exp(lane_of(x)), 0); }
double levy_log(double x) { return lane_get(lane_log(lane_of(x)), 0); }
double levy_sqrt(double x) { return lane_get(lane_sqrt(lane_of(x)), 0); }
double levy_normal_cdf(double x) { return lane_get(lane_normal_cdf(lane_of(x)), 0); }
double levy_normal_from_word(uint32_t word)
{
    return lane_get(normal_from_word(lane_word_of(word)), 0);
}
