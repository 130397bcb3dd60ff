/* exponent_regimes.c: a Brownian motion whose volatility follows a Markov chain of two states: with
 * m = u^2 + i u, exp(psi) = p' exp(t A) 1, A = [[-q1 - m v1 / 2, q1], [q2, -q2 - m v2 / 2]] with
 * the variances v (P. Buffington, R. Elliott, International J. Theoretical and Applied Finance 5,
 * 2002). Of A = s + [[d, q1], [q2, -d]] the exponential is that of s times cosh(r t) + sinh(r t) /
 * r [[d, q1], [q2, -d]], r^2 = d^2 + q1 q2. Rates of 0 make it a mixture of two lognormal laws. Its
 * smile is even in the logarithm. Must not know: how a path is simulated. */
#include "engine/fourier/exponent.h"

enum { REGIMES_LOW, REGIMES_HIGH, REGIMES_FIRST, REGIMES_Q1, REGIMES_Q2, REGIMES_N };

/* exp(-(s + r) t) times the above: cosh and sinh / r, and their slopes in r^2. */
typedef struct regimes_parts {
    levy_complex d, cosh, sinh, cosh_slope, sinh_slope, w, inside;
} regimes_parts;

/* cosh(r t) / exp(r t), and sinh(r t) / r / exp(r t), with slopes: of cosh t sinh / 2, of sinh (t
 * cosh - sinh) / (2 r^2) */
static void regimes_hyperbolic(levy_complex r, double t, regimes_parts *parts)
{
    const levy_complex g = complex_exp(complex_scale(-2.0 * t, r)), square = complex_multiply(r, r);
    parts->cosh = complex_of(0.5 * (1.0 + g.re), 0.5 * g.im);
    parts->sinh = complex_of(t, 0.0);
    parts->sinh_slope = complex_of(t * t * t / 6.0, 0.0);
    if (complex_square_size(r) * t * t > 1e-12) {
        parts->sinh = complex_divide(complex_of(0.5 * (1.0 - g.re), -0.5 * g.im), r);
        const levy_complex rest = complex_subtract(complex_scale(t, parts->cosh), parts->sinh);
        parts->sinh_slope = complex_scale(0.5, complex_divide(rest, square));
    }
    parts->cosh_slope = complex_scale(0.5 * t, parts->sinh);
}

/* The slope of psi, given those of s, d, q1 q2, and of w beside what d gives. */
static levy_complex regimes_slope(const regimes_parts *parts, double t, double p, levy_complex ds,
                                  levy_complex dd, double dq, levy_complex dw)
{
    const levy_complex own = complex_scale(2.0, complex_multiply(parts->d, dd)),
                       square = complex_of(own.re + dq, own.im);
    const levy_complex by_square =
        complex_add(parts->cosh_slope, complex_multiply(parts->w, parts->sinh_slope));
    const levy_complex all_w = complex_add(complex_scale(2.0 * p - 1.0, dd), dw);
    const levy_complex change =
        complex_add(complex_multiply(by_square, square), complex_multiply(parts->sinh, all_w));
    return complex_add(complex_scale(t, ds), complex_divide(change, parts->inside));
}

static void regimes_gradient(const double *p, double t, levy_complex m, const regimes_parts *parts,
                             levy_complex *gradient)
{
    const double first = p[REGIMES_FIRST], q1 = p[REGIMES_Q1], q2 = p[REGIMES_Q2];
    const levy_complex none = complex_of(0.0, 0.0), half = complex_of(0.5, 0.0),
                       less = complex_of(-0.5, 0.0), low = complex_scale(-0.5 * p[REGIMES_LOW], m),
                       high = complex_scale(-0.5 * p[REGIMES_HIGH], m);
    const levy_complex by_first =
        complex_add(complex_scale(2.0, parts->d), complex_of(q1 - q2, 0.0));
    gradient[REGIMES_LOW] = regimes_slope(parts, t, first, low, low, 0.0, none);
    gradient[REGIMES_HIGH] =
        regimes_slope(parts, t, first, high, complex_scale(-1.0, high), 0.0, none);
    gradient[REGIMES_FIRST] = regimes_slope(parts, t, first, none, none, 0.0, by_first);
    gradient[REGIMES_Q1] = regimes_slope(parts, t, first, less, less, q2, complex_of(first, 0.0));
    gradient[REGIMES_Q2] =
        regimes_slope(parts, t, first, less, half, q1, complex_of(1.0 - first, 0.0));
}

static levy_complex regimes_at(const double *p, double t, levy_complex u, levy_complex *gradient)
{
    const double v1 = p[REGIMES_LOW] * p[REGIMES_LOW], v2 = p[REGIMES_HIGH] * p[REGIMES_HIGH];
    const double first = p[REGIMES_FIRST], q1 = p[REGIMES_Q1], q2 = p[REGIMES_Q2];
    const levy_complex iu = complex_turn(u), m = complex_subtract(iu, complex_multiply(iu, iu));
    const levy_complex s =
        complex_add(complex_of(-0.5 * (q1 + q2), 0.0), complex_scale(-0.25 * (v1 + v2), m));
    regimes_parts parts;
    parts.d = complex_add(complex_of(0.5 * (q2 - q1), 0.0), complex_scale(-0.25 * (v1 - v2), m));
    const levy_complex square = complex_multiply(parts.d, parts.d),
                       r = complex_sqrt(complex_of(square.re + q1 * q2, square.im));
    regimes_hyperbolic(r, t, &parts);
    parts.w = complex_add(complex_scale(2.0 * first - 1.0, parts.d),
                          complex_of(first * q1 + (1.0 - first) * q2, 0.0));
    parts.inside = complex_add(parts.cosh, complex_multiply(parts.sinh, parts.w));
    if (gradient) regimes_gradient(p, t, m, &parts, gradient);
    return complex_add(complex_scale(t, complex_add(s, r)), complex_log(parts.inside));
}

/* The regimes have an order, else every law has two sets of parameters. */
static bool regimes_allow(const double *p) { return p[REGIMES_LOW] <= p[REGIMES_HIGH]; }

static const levy_exponent_parameter regimes_parameters[] = {
    {"volatility_1", 1e-3, 3.0, 0.5, 0.9, LEVY_SCALE_VOLATILITY, .by_ratio = true},
    {"volatility_2", 1e-3, 3.0, 1.1, 2.0, LEVY_SCALE_VOLATILITY, .by_ratio = true},
    {"probability_1", 0.0, 1.0, 0.3, 0.9, LEVY_SCALE_ONE, .by_ratio = false},
    {"rate_12", 0.0, 50.0, 0.2, 4.0, LEVY_SCALE_ONE, .by_ratio = false},
    {"rate_21", 0.0, 50.0, 0.2, 4.0, LEVY_SCALE_ONE, .by_ratio = false}};
const levy_exponent levy_exponent_regime_switching = {
    .kind = "regime_switching",
    .n = REGIMES_N,
    .parameters = regimes_parameters,
    .at = regimes_at,
    .allows = regimes_allow,
    .form = "regimes: {calm: {volatilities: [$1]}, wild: {volatilities: [$2]}}, generator: [[!4, "
            "$4], [$5, !5]], initial_probabilities: [$3, ~3]",
};
