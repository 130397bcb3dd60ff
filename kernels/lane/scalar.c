/* scalar.c: see scalar.h. The same source as the kernels', compiled one path wide. */
#define LANE_SCALAR
#include "kernels/lane/lane.h"
#include "kernels/lane/maths.h"
#include "kernels/lane/normal.h"
#include "kernels/lane/scalar.h"
#include "kernels/lane/scalar_fused.h"

/* Whether the processor has instructions that the compiler may not use in this file. The bits are
 * the same. */
#if defined(__x86_64__) && !defined(__FMA__)
#define SCALAR_EITHER(fused, plain)                                                                \
    (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2") ? (fused) : (plain))
#else
#define SCALAR_EITHER(fused, plain) (plain)
#endif

double levy_exp(double x)
{
    return SCALAR_EITHER(levy_fused_exp(x), lane_get(lane_exp(lane_of(x)), 0));
}
double levy_log(double x)
{
    return SCALAR_EITHER(levy_fused_log(x), lane_get(lane_log(lane_of(x)), 0));
}
double levy_sqrt(double x) { return lane_get(lane_sqrt(lane_of(x)), 0); }
double levy_normal_cdf(double x)
{
    return SCALAR_EITHER(levy_fused_normal_cdf(x), lane_get(lane_normal_cdf(lane_of(x)), 0));
}

static void scalar_exp_each(size_t n, double *x)
{
    for (size_t i = 0; i < n; ++i) x[i] = lane_get(lane_exp(lane_of(x[i])), 0);
}
static void scalar_normal_cdf_each(size_t n, double *x)
{
    for (size_t i = 0; i < n; ++i) x[i] = lane_get(lane_normal_cdf(lane_of(x[i])), 0);
}
void levy_exp_each(size_t n, double *x)
{
    SCALAR_EITHER(levy_wide_exp(n, x), scalar_exp_each(n, x));
}
void levy_normal_cdf_each(size_t n, double *x)
{
    SCALAR_EITHER(levy_wide_normal_cdf(n, x), scalar_normal_cdf_each(n, x));
}

double levy_normal_from_word(uint32_t word)
{
    return SCALAR_EITHER(levy_fused_normal_from_word(word),
                         lane_get(normal_from_word(lane_word_of(word)), 0));
}
