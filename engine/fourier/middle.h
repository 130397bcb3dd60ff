/* middle.h: where the middle of a law is and how wide, by its characteristic function alone. Where
 * the law has a peak its phases agree there: the density is the integral of |phi| and its curvature
 * that of u^2 |phi|, u being the frequency, and the phases have the slope that is the middle.
 * Elsewhere the width is too little. Must not know: models, markets. */
#ifndef LEVY_FOURIER_MIDDLE_H
#define LEVY_FOURIER_MIDDLE_H

#include "engine/fourier/exponent.h"

/* Of the logarithm: above that of the forward. A peak like a normal law's of deviation `width`. */
typedef struct levy_middle {
    double at, width;
} levy_middle;

/* unit: about the law's deviation */
levy_middle levy_exponent_middle(const levy_exponent *law, const double *parameters, double t,
                                 double unit);

#endif
