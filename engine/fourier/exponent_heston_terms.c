/* exponent_heston_terms.c: Heston's exponent with parameters that are constant in each of several
 * terms. psi = A + v0 B, where A and B go back from the date through the terms (S. Mikhailov, U.
 * Noegel, Heston's stochastic volatility model, Wilmott Magazine 2003): in years to the date dB/dt
 * = xi^2 B^2 / 2 - x B - m / 2 and dA/dt = kappa theta B, with x = kappa - i u rho xi and m = u^2 +
 * i u, each from where the later term left it. As in exponent_heston.c, with root^2 = x^2 + xi^2 m,
 * q = m / (x + root) and e = exp(-root t), the logarithm is of 1 - xi^2 (B + q) (1 - e) / (2 root).
 * Must not know: how a path is simulated. */
#include "engine/fourier/exponent.h"

#include <math.h>

enum { TERMS_V0, TERMS_N, TERMS_FIRST };
enum { TERM_END, TERM_THETA, TERM_KAPPA, TERM_XI, TERM_RHO };

/* A year to which no moment need be known. */
static const double terms_longest = 1e3;

static const double *terms_of(const double *p, size_t k)
{
    return p + TERMS_FIRST + k * LEVY_HESTON_TERM;
}

static size_t terms_count(const double *p) { return (size_t)p[TERMS_N]; }

/* The years of term k before t. */
static double terms_years(const double *p, size_t k, double t)
{
    const double from = k ? terms_of(p, k - 1)[TERM_END] : 0.0;
    const double to = k + 1 < terms_count(p) ? fmin(terms_of(p, k)[TERM_END], t) : t;
    return to - from;
}

/* ---- The exponent ---- */

/* Goes back over t years of a term. m: u^2 + i u */
static void term_step(const double *of, double t, levy_complex iu, levy_complex m, levy_complex *a,
                      levy_complex *b)
{
    const double y = of[TERM_XI] * of[TERM_XI];
    const levy_complex one = complex_of(1.0, 0.0);
    const levy_complex x = complex_subtract(complex_of(of[TERM_KAPPA], 0.0),
                                            complex_scale(of[TERM_RHO] * of[TERM_XI], iu)),
                       root =
                           complex_sqrt(complex_add(complex_multiply(x, x), complex_scale(y, m)));
    const levy_complex q = x.re >= 0.0 ? complex_divide(m, complex_add(x, root))
                                       : complex_scale(1.0 / y, complex_subtract(root, x));
    const levy_complex e = complex_exp(complex_scale(-t, root)),
                       share = complex_divide(complex_subtract(one, e), complex_scale(2.0, root));
    const levy_complex ys = complex_scale(y, share), z = complex_multiply(ys, complex_add(*b, q)),
                       kept = complex_add(e, complex_multiply(ys, q));
    const levy_complex sum =
        complex_add(complex_scale(t, q), complex_scale(2.0 / y, complex_log_less(z)));
    *a = complex_subtract(*a, complex_scale(of[TERM_KAPPA] * of[TERM_THETA], sum));
    *b = complex_divide(complex_subtract(complex_multiply(*b, kept), complex_multiply(share, m)),
                        complex_subtract(one, z));
}

static levy_complex terms_at(const double *p, double t, levy_complex u, levy_complex *gradient)
{
    const levy_complex iu = complex_turn(u), m = complex_subtract(iu, complex_multiply(iu, iu));
    levy_complex a = complex_of(0.0, 0.0), b = a;
    (void)gradient;
    for (size_t k = terms_count(p); k-- > 0;)
        if (terms_years(p, k, t) > 0.0)
            term_step(terms_of(p, k), terms_years(p, k, t), iu, m, &a, &b);
    return complex_add(a, complex_scale(p[TERMS_V0], b));
}

/* ---- Moments ---- */

/* B of E S^s over t years of a term, by z = xi^2 B + push, dz/dt = (z^2 - square) / 2. False: it
 * reaches infinity before. */
static bool term_moment(const double *of, double t, double s, double *b)
{
    const double y = of[TERM_XI] * of[TERM_XI],
                 push = of[TERM_RHO] * of[TERM_XI] * s - of[TERM_KAPPA];
    const double square = push * push - y * s * (s - 1.0), root = levy_sqrt(fabs(square));
    const double z = y * *b + push;
    double share = 0.5 * t, whole = 1.0; /* tanh(root t / 2) / root, or tan, as a fraction */
    if (square < 0.0) {
        const levy_complex turned = complex_exp(complex_of(0.0, 0.5 * root * t));
        if (t >= 2.0 / root * levy_angle(root, z)) return false;
        share = turned.im / root;
        whole = turned.re;
    } else if (root > 0.0) {
        const double e = levy_exp(-root * t);
        if (z > root && t >= levy_log((z + root) / (z - root)) / root) return false;
        share = (1.0 - e) / root;
        whole = 1.0 + e;
    } else if (z * share >= 1.0)
        return false;
    *b = ((z * whole - square * share) / (whole - z * share) - push) / y;
    return true;
}

static bool terms_have_moment(const double *p, double t, double s)
{
    double b = 0.0;
    bool has = true;
    for (size_t k = terms_count(p); has && k-- > 0;)
        if (terms_years(p, k, t) > 0.0)
            has = term_moment(terms_of(p, k), terms_years(p, k, t), s, &b);
    return has;
}

/* A moment above the first, or below 0, only grows with time. */
double levy_exponent_heston_terms_explode(const double *p, double s)
{
    double finite = 0.0, infinite = terms_longest;
    if (terms_have_moment(p, infinite, s)) return INFINITY;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (finite + infinite);
        if (terms_have_moment(p, middle, s))
            finite = middle;
        else
            infinite = middle;
    }
    return infinite;
}

const levy_exponent levy_exponent_heston_terms = {
    .kind = "heston", .at = terms_at, .has_moment = terms_have_moment};

static levy_complex terms_with_jumps(const double *p, double t, levy_complex u,
                                     levy_complex *gradient)
{
    const double *const jumps = terms_of(p, terms_count(p));
    return complex_add(terms_at(p, t, u, gradient), levy_exponent_normal_jumps(jumps, t, u, NULL));
}

const levy_exponent levy_exponent_bates_terms = {
    .kind = "bates", .at = terms_with_jumps, .has_moment = terms_have_moment};
