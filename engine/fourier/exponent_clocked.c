/* exponent_clocked.c: Brownian motions on a random clock: variance gamma (D. Madan, P. Carr, E.
 * Chang, European Finance Review 2, 1998) and normal inverse Gaussian (O. Barndorff-Nielsen,
 * Finance and Stochastics 2, 1998), in the parameters of the models of these names. Their
 * logarithms and roots have positive real parts inside, and cross no branch cut. Must not know: how
 * a path is simulated. */
#include "engine/fourier/exponent.h"

/* ---- Variance gamma: psi / t = i u log(Y) / nu - log(X) / nu, X = 1 - i u theta nu + sigma^2 nu
 * u^2 / 2, Y = X(-i) ---- */

enum { CLOCKED_SIGMA, CLOCKED_NU, CLOCKED_THETA };

/* 1 - nu (theta z + sigma^2 z^2 / 2) */
static levy_complex variance_gamma_inside(const double *p, levy_complex z)
{
    const double half = 0.5 * p[CLOCKED_SIGMA] * p[CLOCKED_SIGMA];
    const levy_complex sum = complex_add(complex_scale(p[CLOCKED_THETA], z),
                                         complex_scale(half, complex_multiply(z, z)));
    return complex_of(1.0 - p[CLOCKED_NU] * sum.re, -p[CLOCKED_NU] * sum.im);
}

static levy_complex variance_gamma_at(const double *p, double t, levy_complex u,
                                      levy_complex *gradient)
{
    const double sigma = p[CLOCKED_SIGMA], nu = p[CLOCKED_NU], rate = t / nu;
    const levy_complex iu = complex_turn(u), square = complex_multiply(iu, iu);
    const levy_complex x = variance_gamma_inside(p, iu);
    const double y = variance_gamma_inside(p, complex_of(1.0, 0.0)).re;
    const levy_complex psi =
        complex_scale(rate, complex_subtract(complex_scale(levy_log(y), iu), complex_log(x)));
    if (gradient) { /* of the insides: -nu sigma z^2, -nu z, (inside - 1) / nu */
        const levy_complex by_x = complex_divide(complex_of(1.0, 0.0), x),
                           drift = complex_scale(1.0 / y, iu);
        gradient[CLOCKED_SIGMA] =
            complex_scale(t * sigma, complex_subtract(complex_multiply(square, by_x), drift));
        gradient[CLOCKED_THETA] =
            complex_scale(t, complex_subtract(complex_multiply(iu, by_x), drift));
        const levy_complex lost = complex_of(1.0 - by_x.re, -by_x.im),
                           change = complex_subtract(complex_scale(y - 1.0, drift), lost);
        gradient[CLOCKED_NU] =
            complex_subtract(complex_scale(rate / nu, change), complex_scale(1.0 / nu, psi));
    }
    return psi;
}

static bool variance_gamma_has_moment(const double *p, double t, double s)
{
    (void)t;
    return variance_gamma_inside(p, complex_of(s, 0.0)).re > 0.0;
}

static bool variance_gamma_allows(const double *p)
{
    return variance_gamma_has_moment(p, 0.0, 1.0);
}

static const levy_exponent_parameter variance_gamma_parameters[] = {
    {"sigma", 1e-3, 3.0, 0.5, 1.2, LEVY_SCALE_VOLATILITY, .by_ratio = true},
    {"nu", 1e-3, 10.0, 0.1, 1.0, LEVY_SCALE_ONE, .by_ratio = true},
    {"theta", -5.0, 5.0, -0.4, 0.0, LEVY_SCALE_ONE, .by_ratio = false}};
const levy_exponent levy_exponent_variance_gamma = {
    .kind = "variance_gamma",
    .n = 3,
    .parameters = variance_gamma_parameters,
    .at = variance_gamma_at,
    .has_moment = variance_gamma_has_moment,
    .allows = variance_gamma_allows,
};

/* ---- Normal inverse Gaussian: psi / (delta t) = i u (R(1) - R(0)) + R(0) - R(i u), R(z) =
 * sqrt(alpha^2 - (beta + z)^2) ---- */

enum { CLOCKED_ALPHA, CLOCKED_BETA, CLOCKED_DELTA };

static levy_complex nig_root(const double *p, levy_complex z)
{
    const levy_complex up = complex_of(p[CLOCKED_ALPHA] + p[CLOCKED_BETA] + z.re, z.im),
                       down = complex_of(p[CLOCKED_ALPHA] - p[CLOCKED_BETA] - z.re, -z.im);
    return complex_sqrt(complex_multiply(up, down));
}

/* i u (f(1) - f(0)) + f(0) - f(i u) */
static levy_complex nig_differences(levy_complex iu, double one, double none, levy_complex at)
{
    const levy_complex drift = complex_scale(one - none, iu);
    return complex_of(drift.re + none - at.re, drift.im - at.im);
}

static levy_complex nig_at(const double *p, double t, levy_complex u, levy_complex *gradient)
{
    const double alpha = p[CLOCKED_ALPHA], beta = p[CLOCKED_BETA], scale = p[CLOCKED_DELTA] * t;
    const levy_complex iu = complex_turn(u), root = nig_root(p, iu);
    const double one = nig_root(p, complex_of(1.0, 0.0)).re,
                 none = nig_root(p, complex_of(0.0, 0.0)).re;
    const levy_complex psi = nig_differences(iu, one, none, root);
    if (gradient) {
        const levy_complex by_root = complex_divide(complex_of(1.0, 0.0), root),
                           shifted = complex_of(beta + iu.re, iu.im);
        gradient[CLOCKED_ALPHA] = complex_scale(
            scale, nig_differences(iu, alpha / one, alpha / none, complex_scale(alpha, by_root)));
        const levy_complex by_beta = complex_multiply(shifted, by_root);
        gradient[CLOCKED_BETA] =
            complex_scale(-scale, nig_differences(iu, (beta + 1.0) / one, beta / none, by_beta));
        gradient[CLOCKED_DELTA] = complex_scale(t, psi);
    }
    return complex_scale(scale, psi);
}

static bool nig_has_moment(const double *p, double t, double s)
{
    (void)t;
    return p[CLOCKED_BETA] + s < p[CLOCKED_ALPHA] && p[CLOCKED_BETA] + s > -p[CLOCKED_ALPHA];
}

static bool nig_allows(const double *p)
{
    return nig_has_moment(p, 0.0, 0.0) && nig_has_moment(p, 0.0, 1.0);
}

static const levy_exponent_parameter nig_parameters[] = {
    {"alpha", 1.0, 1000.0, 5.0, 30.0, LEVY_SCALE_ONE, .by_ratio = true},
    {"beta", -500.0, 500.0, -5.0, 0.0, LEVY_SCALE_ONE, .by_ratio = false},
    {"delta", 1e-4, 100.0, 0.1, 1.0, LEVY_SCALE_ONE, .by_ratio = true}};
const levy_exponent levy_exponent_normal_inverse_gaussian = {
    .kind = "normal_inverse_gaussian",
    .n = 3,
    .parameters = nig_parameters,
    .at = nig_at,
    .has_moment = nig_has_moment,
    .allows = nig_allows,
};
