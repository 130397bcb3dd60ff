/* exponent_jumps.c: Brownian motion with compound Poisson jumps: normal ones (R. Merton, J.
 * Financial Economics 3, 1976) or double exponential ones (S. Kou, Management Science 48, 2002).
 * With E the characteristic function of a jump, psi / t = -sigma^2 (u^2 + i u) / 2 + lambda (E(u) -
 * 1 - i u (E(-i) - 1)). Must not know: how a path is simulated. */
#include "engine/fourier/exponent.h"

/* What the diffusion gives, and its slope in sigma. */
static levy_complex jumps_diffusion(double sigma, double t, levy_complex u, levy_complex *slope)
{
    const levy_complex iu = complex_turn(u), m = complex_subtract(iu, complex_multiply(iu, iu));
    if (slope) *slope = complex_scale(-sigma * t, m);
    return complex_scale(-0.5 * sigma * sigma * t, m);
}

/* a - i u b */
static levy_complex jumps_compensated(levy_complex a, levy_complex iu, double b)
{
    return complex_subtract(a, complex_scale(b, iu));
}

levy_complex levy_exponent_normal_jumps(const double *j, double t, levy_complex u,
                                        levy_complex *gradient)
{
    const double rate = j[0] * t, mean = j[1], deviation = j[2];
    const levy_complex iu = complex_turn(u), square = complex_multiply(iu, iu);
    const levy_complex e = complex_exp(
        complex_add(complex_scale(mean, iu), complex_scale(0.5 * deviation * deviation, square)));
    const double factor = levy_exp(mean + 0.5 * deviation * deviation);
    const levy_complex one_jump = jumps_compensated(complex_of(e.re - 1.0, e.im), iu, factor - 1.0);
    if (gradient) {
        const levy_complex by_mean = jumps_compensated(complex_multiply(iu, e), iu, factor);
        const levy_complex by_deviation =
            jumps_compensated(complex_multiply(square, e), iu, factor);
        gradient[0] = complex_scale(t, one_jump);
        gradient[1] = complex_scale(rate, by_mean);
        gradient[2] = complex_scale(rate * deviation, by_deviation);
    }
    return complex_scale(rate, one_jump);
}

#define JUMPS_VOLATILITY                                                                           \
    {"volatility", 1e-3, 3.0, 0.4, 1.0, LEVY_SCALE_VOLATILITY, .by_ratio = true, .of_market = true},

/* ---- Merton ---- */

static levy_complex merton_at(const double *p, double t, levy_complex u, levy_complex *gradient)
{
    const levy_complex diffusion = jumps_diffusion(p[0], t, u, gradient);
    return complex_add(diffusion,
                       levy_exponent_normal_jumps(p + 1, t, u, gradient ? gradient + 1 : NULL));
}

static const levy_exponent_parameter merton_parameters[] = {
    JUMPS_VOLATILITY LEVY_NORMAL_JUMP_PARAMETERS};
const levy_exponent levy_exponent_merton = {
    .kind = "merton",
    .n = 4,
    .parameters = merton_parameters,
    .at = merton_at,
};

/* ---- Kou ---- */

enum { KOU_VOLATILITY, KOU_INTENSITY, KOU_UPWARD, KOU_RATE_UP, KOU_RATE_DOWN, KOU_N };

/* E[exp(z J)] of a jump of one sign: rate / (rate - z), and minus its slope in the rate. */
typedef struct kou_side {
    levy_complex at, slope;
    double mean, mean_slope; /* at z = 1 */
} kou_side;

/* sign: 1 upward, -1 downward */
static kou_side kou_side_at(double rate, double sign, levy_complex iu)
{
    const levy_complex one = complex_of(1.0, 0.0),
                       rest = complex_of(rate - sign * iu.re, -sign * iu.im),
                       inverse = complex_divide(one, rest);
    const double left = rate - sign;
    return (kou_side){complex_scale(rate, inverse),
                      complex_scale(sign, complex_multiply(iu, complex_multiply(inverse, inverse))),
                      rate / left, sign / (left * left)};
}

static levy_complex kou_at(const double *p, double t, levy_complex u, levy_complex *gradient)
{
    const double rate = p[KOU_INTENSITY] * t, up = p[KOU_UPWARD], down = 1.0 - up;
    const levy_complex iu = complex_turn(u),
                       diffusion = jumps_diffusion(p[KOU_VOLATILITY], t, u, gradient);
    const kou_side a = kou_side_at(p[KOU_RATE_UP], 1.0, iu),
                   b = kou_side_at(p[KOU_RATE_DOWN], -1.0, iu);
    const levy_complex e = complex_add(complex_scale(up, a.at), complex_scale(down, b.at));
    const levy_complex one_jump =
        jumps_compensated(complex_of(e.re - 1.0, e.im), iu, up * a.mean + down * b.mean - 1.0);
    if (gradient) {
        gradient[KOU_INTENSITY] = complex_scale(t, one_jump);
        gradient[KOU_UPWARD] = complex_scale(
            rate, jumps_compensated(complex_subtract(a.at, b.at), iu, a.mean - b.mean));
        gradient[KOU_RATE_UP] =
            complex_scale(-rate * up, jumps_compensated(a.slope, iu, a.mean_slope));
        gradient[KOU_RATE_DOWN] =
            complex_scale(-rate * down, jumps_compensated(b.slope, iu, b.mean_slope));
    }
    return complex_add(diffusion, complex_scale(rate, one_jump));
}

static bool kou_has_moment(const double *p, double t, double s)
{
    (void)t;
    return s < p[KOU_RATE_UP] && s > -p[KOU_RATE_DOWN];
}

static const levy_exponent_parameter kou_parameters[] = {
    JUMPS_VOLATILITY{"intensity", 1e-4, 100.0, 0.2, 4.0, LEVY_SCALE_ONE, .by_ratio = true},
    {"probability_up", 0.0, 1.0, 0.1, 0.6, LEVY_SCALE_ONE, .by_ratio = false},
    {"rate_up", 1.01, 1000.0, 10.0, 50.0, LEVY_SCALE_ONE, .by_ratio = true},
    {"rate_down", 0.1, 1000.0, 5.0, 30.0, LEVY_SCALE_ONE, .by_ratio = true}};
const levy_exponent levy_exponent_kou = {
    .kind = "kou",
    .n = KOU_N,
    .parameters = kou_parameters,
    .at = kou_at,
    .has_moment = kou_has_moment,
};
