/* middle.c: see middle.h. */
#include "engine/fourier/middle.h"

/* Frequencies by powers of 2^(1/4), from an eighth of a unit on, are enough for the sums. */
enum { MIDDLE_FIRST = -12, MIDDLE_MOST = 80 };
static const double middle_ratio = 1.189207115002721, middle_least = 1e-6;

levy_middle levy_exponent_middle(const levy_exponent *law, const double *p, double t, double unit)
{
    double u = 0.125 / unit, sum = 0.0, slope = 0.0, curvature = 0.0;
    for (int k = MIDDLE_FIRST; k < MIDDLE_MOST; ++k, u *= middle_ratio) {
        const levy_complex psi = law->at(p, t, complex_of(u, 0.0), NULL);
        const double share = u * levy_exp(psi.re), bend = u * u * share;
        sum += share;
        slope += u * share * psi.im;
        curvature += bend;
        if (k > 0 && bend < middle_least * curvature) break;
    }
    return (levy_middle){slope / curvature, levy_sqrt(sum / curvature)};
}
