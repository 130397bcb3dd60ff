/* exponent.h: the laws of a price at one date that a smile is fitted by, each as its characteristic
 * exponent psi(u) = log E[(S/F)^(i u)], F being the forward, with the derivatives in the law's
 * parameters. psi(0) = psi(-i) = 0. Must not know: markets, quotes, files. */
#ifndef LEVY_FOURIER_EXPONENT_H
#define LEVY_FOURIER_EXPONENT_H

#include "engine/fourier/complex.h"

#include <stdbool.h>
#include <stddef.h>

/* parameters; terms of a law by term; numbers that are none beside them */
enum { LEVY_EXPONENT_MOST = 20, LEVY_TERMS_MOST = 5, LEVY_EXPONENT_BESIDE = 1 + LEVY_TERMS_MOST };

/* What a likely value is measured by. */
enum levy_exponent_scale { LEVY_SCALE_ONE, LEVY_SCALE_VOLATILITY, LEVY_SCALE_VARIANCE };

typedef struct levy_exponent_parameter {
    const char *name;               /* the model's key, or `volatility` of the asset */
    double low, high;               /* within which it is sought */
    double likely_low, likely_high; /* starts are drawn from these, times the scale */
    enum levy_exponent_scale scale; /* a volatility of the quotes, or its square */
    bool by_ratio;                  /* sought in its logarithm */
    bool of_market;                 /* the model has no such key: it is the asset's volatility */
    bool of_asset;                  /* a model of several assets has one for each */
} levy_exponent_parameter;

typedef struct levy_exponent {
    const char *kind;
    size_t n;
    const levy_exponent_parameter *parameters; /* [n] */
    /* psi at years t; gradient: [n], NULL: not wanted */
    levy_complex (*at)(const double *parameters, double t, levy_complex u, levy_complex *gradient);
    /* whether E[(S/F)^s] is finite; NULL: always */
    bool (*has_moment)(const double *parameters, double t, double s);
    /* whether the parameters, each within its bounds, go together; NULL: always */
    bool (*allows)(const double *parameters);
    /* the model's keys, where they are not the parameters': $1 is the first one, !1 its negative,
     * ~1 what it lacks to 1; NULL: they are */
    const char *form;
    /* [n_beside]: numbers that are no parameters; `at` and `has_moment` find them from
     * LEVY_EXPONENT_MOST on */
    const double *beside;
    size_t n_beside;
} levy_exponent;

const levy_exponent *levy_exponent_find(const char *kind); /* NULL: none */

static inline bool levy_exponent_has_moment(const levy_exponent *law, const double *parameters,
                                            double t, double s)
{
    return !law->has_moment || law->has_moment(parameters, t, s);
}

/* Compound Poisson jumps that are normal: adds their part to psi. j: intensity, mean, volatility;
 * gradient: [3] or NULL. */
levy_complex levy_exponent_normal_jumps(const double *j, double t, levy_complex u,
                                        levy_complex *gradient);
#define LEVY_NORMAL_JUMP_PARAMETERS                                                                \
    {"intensity", 1e-4, 100.0, 0.1, 2.0, LEVY_SCALE_ONE, .by_ratio = true},                        \
        {"jump_mean", -3.0, 3.0, -0.3, 0.05, LEVY_SCALE_ONE, .by_ratio = false},                   \
        {"jump_volatility", 1e-4, 3.0, 0.05, 0.3, LEVY_SCALE_ONE, .by_ratio = true},
/* Heston's psi. h: v0, theta, kappa, xi, rho; gradient: [5] or NULL. */
levy_complex levy_exponent_heston_at(const double *h, double t, levy_complex u,
                                     levy_complex *gradient);
bool levy_exponent_heston_has_moment(const double *h, double t, double s);
/* the time from which it has none; INFINITY: it always has */
double levy_exponent_heston_explodes(const double *h, double s);

/* Heston's law and Bates' with parameters by term. Their parameters: v0, the number of terms, of
 * each its end, theta, kappa, xi and rho, and of Bates the jumps'. The last has no end. Slopes: of
 * up to LEVY_TERMS_MOST terms, those in ends and their number are 0. */
enum { LEVY_HESTON_TERM = 5 };
extern const levy_exponent levy_exponent_heston_terms, levy_exponent_bates_terms;
double levy_exponent_heston_terms_explode(const double *p, double s);
/* Makes the law of `heston` or `bates` as a fit has it by term: v0 and kappa are one number; theta,
 * xi and rho, of the names that the law gives them, are others in each of n terms, which end at
 * beside[1] to beside[n]; beside[0] is n. False: the law has no terms. */
bool levy_exponent_by_term(const levy_exponent *law, const double *beside,
                           levy_exponent_parameter parameters[LEVY_EXPONENT_MOST],
                           levy_exponent *made);
/* the term of parameter j; SIZE_MAX: it is none of a term */
size_t levy_exponent_term(const levy_exponent *made, size_t j);

extern const levy_exponent levy_exponent_heston, levy_exponent_bates, levy_exponent_merton,
    levy_exponent_kou, levy_exponent_variance_gamma, levy_exponent_normal_inverse_gaussian,
    levy_exponent_regime_switching;

#endif
