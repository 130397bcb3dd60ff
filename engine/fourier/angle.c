/* angle.c: see angle.h. An argument is reduced by multiples of pi/2, which three pieces hold to 150
 * bits (W. Cody, W. Waite, Software Manual for the Elementary Functions, 1980), and the rest is
 * small enough for a Taylor polynomial. */
#include "engine/fourier/angle.h"

#include "kernels/lane/scalar.h"

#include <math.h>

/* ((c[n-1] x + c[n-2]) x + ...) x + c[0] */
static double angle_polynomial(const double *c, int n, double x)
{
    double sum = c[n - 1];
    for (int i = n - 2; i >= 0; --i) sum = sum * x + c[i];
    return sum;
}

static double angle_sine(double x)
{
    static const double c[] = {1.0,
                               -1.0 / 6.0,
                               1.0 / 120.0,
                               -1.0 / 5040.0,
                               1.0 / 362880.0,
                               -1.0 / 39916800.0,
                               1.0 / 6227020800.0,
                               -1.0 / 1307674368000.0,
                               1.0 / 355687428096000.0};
    return x * angle_polynomial(c, 9, x * x);
}

static double angle_cosine(double x)
{
    static const double c[] = {1.0,
                               -0.5,
                               1.0 / 24.0,
                               -1.0 / 720.0,
                               1.0 / 40320.0,
                               -1.0 / 3628800.0,
                               1.0 / 479001600.0,
                               -1.0 / 87178291200.0,
                               1.0 / 20922789888000.0,
                               -1.0 / 6402373705728000.0};
    return angle_polynomial(c, 10, x * x);
}

void levy_sine_cosine(double x, double *sine, double *cosine)
{
    static const double pieces[] = {1.57079632673412561417e+00, 6.07710050630396597660e-11,
                                    2.02226624879595063154e-21};
    if (!(x < 1e9 && x > -1e9)) {
        *sine = *cosine = NAN;
        return;
    }
    const double quarters = x * (2.0 / LEVY_PI);
    const long long turns = (long long)(quarters < 0.0 ? quarters - 0.5 : quarters + 0.5);
    const double n = (double)turns;
    const double rest = ((x - n * pieces[0]) - n * pieces[1]) - n * pieces[2];
    const double s = angle_sine(rest), c = angle_cosine(rest);
    const unsigned quadrant = (unsigned)(turns & 3);
    const double first = quadrant & 1 ? c : s;
    const double second = quadrant & 1 ? s : c;
    *sine = quadrant & 2 ? -first : first;
    *cosine = quadrant == 1 || quadrant == 2 ? -second : second;
}

/* The arc tangent of x in [0, 1]: halved twice, so that x is at most tan(pi/16). */
static double angle_arc(double x)
{
    static const double c[] = {1.0,        -1.0 / 3.0,  1.0 / 5.0,  -1.0 / 7.0,
                               1.0 / 9.0,  -1.0 / 11.0, 1.0 / 13.0, -1.0 / 15.0,
                               1.0 / 17.0, -1.0 / 19.0, 1.0 / 21.0, -1.0 / 23.0};
    for (int i = 0; i < 2; ++i) x = x / (1.0 + levy_sqrt(1.0 + x * x));
    return 4.0 * x * angle_polynomial(c, 12, x * x);
}

double levy_angle(double y, double x)
{
    const double up = y < 0.0 ? -y : y;
    const double along = x < 0.0 ? -x : x;
    const double larger = up > along ? up : along;
    const double smaller = up > along ? along : up;
    double angle = larger > 0.0 ? angle_arc(smaller / larger) : 0.0;
    if (up > along) angle = 0.5 * LEVY_PI - angle;
    if (x < 0.0) angle = LEVY_PI - angle;
    return y < 0.0 ? -angle : angle;
}
