/* cos.c: see cos.h. */
#include "engine/fourier/cos.h"

#include <math.h>

/* ---- The range ---- */

/* The series repeats the density, mirrored at both ends. Above `high` a mirror image does harm
 * where it lies below the strike k, so that high may be half-way to where the tail ends: P(Y > 2
 * high - k) <= exp(psi(s) - s (2 high - k)) for every s > 0 that has a moment. Below `low` it does
 * harm by what is paid less, exp(2 low - Y) of a Y above 2 low - k: by the strike that is at most
 * exp(psi(-s) + 2 s low - s k) for s < 1, and exp(psi(-s) + (s + 1) low - k) from 1 on. */
static double cos_distance(double psi, double level, double s, bool above)
{
    return (psi + level) / (above || s < 1.0 ? 2.0 * s : s + 1.0);
}

/* The least distance of an end from the strike's part of it at which the harm is below exp(-level):
 * a function of s that first falls. */
static double cos_end(const levy_exponent *law, const double *p, double t, bool above, double level)
{
    const double sign = above ? 1.0 : -1.0;
    double least = HUGE_VAL;
    for (double s = levy_exponent_has_moment(law, p, t, 0.25 * sign) ? 0.25 : 1e-3; s < 1e6;
         s *= 1.3) {
        if (!levy_exponent_has_moment(law, p, t, sign * s)) break;
        const levy_complex psi = law->at(p, t, complex_of(0.0, -sign * s), NULL);
        const double distance = cos_distance(psi.re, level, s, above);
        if (!(distance < least)) break;
        least = distance;
    }
    return least;
}

static bool cos_range(levy_cos *cos, const levy_exponent *law, const double *p, double t,
                      double least, double most, double error, double *width)
{
    const double level = -levy_log(0.25 * error);
    const double below = cos_end(law, p, t, false, level), above = cos_end(law, p, t, true, level);
    if (!(below < 1e6 && above < 1e6)) return false;
    cos->low = (least < 0.0 ? least : 0.0) - below;
    *width = fmax(0.5 * most + above, most) - cos->low;
    cos->step = LEVY_PI / *width;
    return true;
}

/* ---- The series ---- */

/* The k-th term over 1 + u^2, and its slopes; the size of the characteristic function there. */
static double cos_term(levy_cos *cos, const levy_exponent *law, const double *p, double t, size_t k,
                       double scale)
{
    levy_complex gradient[LEVY_EXPONENT_MOST];
    const double u = (double)k * cos->step;
    levy_complex psi = law->at(p, t, complex_of(u, 0.0), cos->n ? gradient : NULL);
    psi.im -= u * cos->low;
    const levy_complex phi = complex_scale(scale / (1.0 + u * u), complex_exp(psi));
    double *const term = cos->terms[k];
    term[0] = phi.re;
    for (size_t j = 0; j < cos->n; ++j)
        term[j + 1] = phi.re * gradient[j].re - phi.im * gradient[j].im;
    return levy_exp(psi.re);
}

bool levy_cos_begin(levy_cos *cos, const levy_exponent *law, const double *parameters, double t,
                    double least_log_strike, double most_log_strike, double error, bool slopes)
{
    double width;
    cos->n = slopes ? law->n : 0;
    cos->left_out = 0.0;
    for (size_t j = 0; j < LEVY_COS_STRIDE; ++j) cos->sums[j] = 0.0;
    if (!cos_range(cos, law, parameters, t, least_log_strike, most_log_strike, error, &width))
        return false;
    size_t k = 0;
    for (bool ended = false; !ended && k < cos->room; ++k) {
        const double size = cos_term(cos, law, parameters, t, k, k ? 2.0 / width : 1.0 / width);
        /* sum of 2 |phi| / (width u^2) over what follows, |phi| falling */
        cos->left_out = 2.0 * size * width / (LEVY_PI * LEVY_PI * (double)(k + 1));
        ended = k > 8 && cos->left_out < error;
        for (size_t j = 0; j <= cos->n; ++j) cos->sums[j] += cos->terms[k][j];
    }
    cos->n_terms = k;
    return isfinite(cos->sums[0]);
}

/* The put's k-th coefficient times 1 + u^2 is K (sin(u d) / u - cos(u d)) + exp(low), d being the
 * log strike less low; that of k = 0 is K (d - 1) + exp(low). Sine and cosine go on by rotation. */
double levy_cos_put(const levy_cos *cos, double log_strike, double *slopes)
{
    double sine, cosine, s = 0.0, c = 1.0, sums[LEVY_COS_STRIDE] = {0.0};
    const double d = log_strike - cos->low, strike = levy_exp(log_strike),
                 floor = levy_exp(cos->low);
    if (!(d > 0.0)) return 0.0;
    levy_sine_cosine(d * cos->step, &sine, &cosine);
    const size_t n = slopes ? cos->n : 0;
    for (size_t k = 0; k < cos->n_terms; ++k) {
        const double part = k ? s / ((double)k * cos->step) - c : d - 1.0;
        for (size_t j = 0; j <= n; ++j) sums[j] += part * cos->terms[k][j];
        const double next = s * cosine + c * sine;
        c = c * cosine - s * sine;
        s = next;
    }
    for (size_t j = 0; j < n; ++j) slopes[j] = strike * sums[j + 1] + floor * cos->sums[j + 1];
    return strike * sums[0] + floor * cos->sums[0];
}
