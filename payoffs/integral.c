/* integral.c: the numbers of integrated lanes that kinds share (integral.h). Must not know: how the
 * level's paths are made. */
#include "payoffs/shared.h"

#include "kernels/lane/scalar.h"

#define LANE_SCALAR
#include "payoffs/integral.h"

double levy_integral_logarithm(const levy_claim_unit *unit, double level)
{
    return level > 0.0 ? unit->log_unit * levy_log(level) : -1e4;
}

double levy_integral_inverse(double loading, double log_unit)
{
    const double b = loading * log_unit, least = 1.0 / INTEGRAL_FAR;
    return b > least ? 1.0 / b : INTEGRAL_FAR;
}
