/* exponent_by_term.c: Heston's law and Bates' as a fit has them by term: v0 and kappa are one
 * number, theta, xi and rho are others in each term. exponent_heston_terms.c has their exponents.
 * Must not know: what is fitted. */
#include "engine/fourier/exponent.h"

#include <stdint.h>

/* Parameters: v0, kappa, of each term theta, xi and rho, the jumps'. */
enum { FITTED_V0, FITTED_KAPPA, FITTED_FIRST, FITTED_TERM = 3, FITTED_JUMPS = 3 };
/* Those of exponent_heston_terms.c, and how many a law has there. */
enum { WHOLE_FIRST = 2, WHOLE_MOST = 2 + LEVY_TERMS_MOST * LEVY_HESTON_TERM + FITTED_JUMPS };
/* Of the law that is one number at all times. */
enum { ONE_V0, ONE_THETA, ONE_KAPPA, ONE_XI, ONE_RHO, ONE_N };

static size_t fitted_terms(const double *p) { return (size_t)p[LEVY_EXPONENT_MOST]; }
static size_t fitted_jumps(size_t n) { return FITTED_FIRST + n * FITTED_TERM; }
static size_t whole_jumps(size_t n) { return WHOLE_FIRST + n * LEVY_HESTON_TERM; }

/* Jumps that there are none of are copied too, and not read. */
static void fitted_whole(const double *p, double whole[WHOLE_MOST])
{
    const size_t n = fitted_terms(p);
    whole[0] = p[FITTED_V0];
    whole[1] = (double)n;
    for (size_t k = 0; k < n; ++k) {
        const double *const of = p + FITTED_FIRST + k * FITTED_TERM;
        double *const to = whole + WHOLE_FIRST + k * LEVY_HESTON_TERM;
        to[0] = p[LEVY_EXPONENT_MOST + 1 + k];
        to[1] = of[0];
        to[2] = p[FITTED_KAPPA];
        to[3] = of[1];
        to[4] = of[2];
    }
    for (size_t j = 0; j < FITTED_JUMPS; ++j) whole[whole_jumps(n) + j] = p[fitted_jumps(n) + j];
}

static void fitted_slopes(const levy_complex *whole, size_t n, size_t n_jumps,
                          levy_complex *gradient)
{
    gradient[FITTED_V0] = whole[0];
    gradient[FITTED_KAPPA] = complex_of(0.0, 0.0);
    for (size_t k = 0; k < n; ++k) {
        const levy_complex *const of = whole + WHOLE_FIRST + k * LEVY_HESTON_TERM;
        levy_complex *const to = gradient + FITTED_FIRST + k * FITTED_TERM;
        to[0] = of[1];
        gradient[FITTED_KAPPA] = complex_add(gradient[FITTED_KAPPA], of[2]);
        to[1] = of[3];
        to[2] = of[4];
    }
    for (size_t j = 0; j < n_jumps; ++j) gradient[fitted_jumps(n) + j] = whole[whole_jumps(n) + j];
}

static levy_complex fitted_at(const levy_exponent *law, size_t n_jumps, const double *p, double t,
                              levy_complex u, levy_complex *gradient)
{
    double whole[WHOLE_MOST];
    levy_complex by[WHOLE_MOST];
    fitted_whole(p, whole);
    const levy_complex psi = law->at(whole, t, u, gradient ? by : NULL);
    if (gradient) fitted_slopes(by, fitted_terms(p), n_jumps, gradient);
    return psi;
}

static levy_complex fitted_heston(const double *p, double t, levy_complex u, levy_complex *gradient)
{
    return fitted_at(&levy_exponent_heston_terms, 0, p, t, u, gradient);
}

static levy_complex fitted_bates(const double *p, double t, levy_complex u, levy_complex *gradient)
{
    return fitted_at(&levy_exponent_bates_terms, FITTED_JUMPS, p, t, u, gradient);
}

static bool fitted_has_moment(const double *p, double t, double s)
{
    double whole[WHOLE_MOST];
    fitted_whole(p, whole);
    return levy_exponent_heston_terms.has_moment(whole, t, s);
}

bool levy_exponent_by_term(const levy_exponent *law, const double *beside,
                           levy_exponent_parameter parameters[LEVY_EXPONENT_MOST],
                           levy_exponent *made)
{
    const size_t n = (size_t)beside[0];
    const levy_exponent_parameter *const one = law->parameters;
    if (law != &levy_exponent_heston && law != &levy_exponent_bates) return false;
    *made = *law;
    made->at = law == &levy_exponent_heston ? fitted_heston : fitted_bates;
    made->has_moment = fitted_has_moment;
    made->parameters = parameters;
    made->beside = beside;
    made->n_beside = 1 + n;
    made->n = fitted_jumps(n) + law->n - ONE_N;
    parameters[FITTED_V0] = one[ONE_V0];
    parameters[FITTED_KAPPA] = one[ONE_KAPPA];
    for (size_t k = 0; k < n; ++k) {
        levy_exponent_parameter *const to = parameters + FITTED_FIRST + k * FITTED_TERM;
        to[0] = one[ONE_THETA];
        to[1] = one[ONE_XI];
        to[2] = one[ONE_RHO];
    }
    for (size_t j = ONE_N; j < law->n; ++j) parameters[fitted_jumps(n) + j - ONE_N] = one[j];
    return true;
}

size_t levy_exponent_term(const levy_exponent *made, size_t j)
{
    const size_t n = made->n_beside ? made->n_beside - 1 : 0;
    const bool is_of_term = j >= FITTED_FIRST && j < fitted_jumps(n);
    return is_of_term ? (j - FITTED_FIRST) / FITTED_TERM : SIZE_MAX;
}
