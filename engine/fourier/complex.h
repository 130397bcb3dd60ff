/* complex.h: complex numbers as two doubles. Own code on the host's scalar functions, because those
 * of C's library differ from machine to machine in the last bits. Thread-safe; no state. */
#ifndef LEVY_FOURIER_COMPLEX_H
#define LEVY_FOURIER_COMPLEX_H

#include "engine/fourier/angle.h"
#include "kernels/lane/scalar.h"

typedef struct levy_complex {
    double re, im;
} levy_complex;

static inline levy_complex complex_of(double re, double im) { return (levy_complex){re, im}; }
static inline levy_complex complex_add(levy_complex a, levy_complex b)
{
    return complex_of(a.re + b.re, a.im + b.im);
}
static inline levy_complex complex_subtract(levy_complex a, levy_complex b)
{
    return complex_of(a.re - b.re, a.im - b.im);
}
static inline levy_complex complex_multiply(levy_complex a, levy_complex b)
{
    return complex_of(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
static inline levy_complex complex_scale(double x, levy_complex a)
{
    return complex_of(x * a.re, x * a.im);
}
/* i a */
static inline levy_complex complex_turn(levy_complex a) { return complex_of(-a.im, a.re); }
static inline double complex_square_size(levy_complex a) { return a.re * a.re + a.im * a.im; }
static inline levy_complex complex_divide(levy_complex a, levy_complex b)
{
    const double scale = 1.0 / complex_square_size(b);
    return complex_of(scale * (a.re * b.re + a.im * b.im), scale * (a.im * b.re - a.re * b.im));
}
static inline levy_complex complex_exp(levy_complex a)
{
    double sine, cosine;
    const double size = levy_exp(a.re);
    levy_sine_cosine(a.im, &sine, &cosine);
    return complex_of(size * cosine, size * sine);
}
/* The principal value: the imaginary part lies in [-pi, pi]. */
static inline levy_complex complex_log(levy_complex a)
{
    return complex_of(0.5 * levy_log(complex_square_size(a)), levy_angle(a.im, a.re));
}
/* log(1 - z), by its series where z is small */
static inline levy_complex complex_log_less(levy_complex z)
{
    levy_complex sum = complex_of(0.0, 0.0);
    if (complex_square_size(z) > 1e-4) return complex_log(complex_of(1.0 - z.re, -z.im));
    for (int k = 9; k > 0; --k)
        sum = complex_multiply(z, complex_add(sum, complex_of(-1.0 / k, 0.0)));
    return sum;
}
/* The root whose real part is not negative. */
static inline levy_complex complex_sqrt(levy_complex a)
{
    const double size = levy_sqrt(complex_square_size(a)), along = a.re < 0.0 ? -a.re : a.re;
    const double large = levy_sqrt(0.5 * (size + along)),
                 small = large > 0.0 ? 0.5 * a.im / large : 0.0;
    if (a.re >= 0.0) return complex_of(large, small);
    const double size_of_small = small < 0.0 ? -small : small;
    return complex_of(size_of_small, a.im < 0.0 ? -large : large);
}

#endif
