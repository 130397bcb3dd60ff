/* heston.c: host half of Heston's model: dS/S = (rates - yields) dt + sqrt(v) dW, dv = kappa (theta
 * - v) dt + xi sqrt(v) dB, with rho the correlation of each asset's W and B. Given the assets'
 * drivers W, the B are independent, so corr(W_i, B_j) = rho_j c_ij and corr(B_i, B_j) = rho_i rho_j
 * c_ij with the market's correlations c, unless the book gives others. The step is in
 * heston_lanes.h, with the sources. With jumps of merton's kind it is the model of D. Bates, Jumps
 * and stochastic volatility, Review of Financial Studies 9, 1996. Must not know: curves, random
 * numbers. */
#include "models/heston_numbers.h"
#include "models/heston_terms.h"

#include "engine/fourier/middle.h"
#include "kernels/lane/scalar.h"

#include <math.h>

/* Terms between the nodes of four lists, and the parameters of a law by these and of its jumps. */
enum {
    HESTON_MOST_TERMS = 4 * LEVY_TERM_MOST,
    HESTON_MOST_PARAMETERS = 2 + HESTON_MOST_TERMS * LEVY_HESTON_TERM + 3
};

/* Of a variance in a step that shows an order: its deviation over its mean, and kappa times it. */
#define HESTON_MOST_SPREAD 4.0
#define HESTON_MOST_RETURN 0.5

heston_numbers levy_heston_of(const levy_model_terms *terms, size_t asset, double time)
{
    const heston_terms *const t = levy_heston_terms(terms);
    return (heston_numbers){
        levy_model_number(&t->v0, asset), levy_model_term(&t->theta, asset, time),
        levy_model_term(&t->kappa, asset, time), levy_model_term(&t->xi, asset, time),
        levy_model_term(&t->rho, asset, time)};
}

double levy_heston_end(const levy_model_terms *terms, size_t asset, double from, double until)
{
    return fmin(levy_model_break(&levy_model_heston, terms, asset, from), until);
}

double levy_heston_time(double kappa, double t)
{
    const double x = kappa * t;
    return x < 1e-3 ? t * (1.0 - x / 2.0 * (1.0 - x / 3.0 * (1.0 - x / 4.0 * (1.0 - x / 5.0))))
                    : (1.0 - levy_exp(-x)) / kappa;
}

double levy_heston_volatility(const levy_model_terms *terms, size_t asset)
{
    double variance = levy_model_number(&levy_heston_terms(terms)->v0, asset), sum = 0.0;
    for (double from = 0.0, end; from < 1.0; from = end) {
        end = levy_heston_end(terms, asset, from, 1.0);
        const heston_numbers n = levy_heston_of(terms, asset, end);
        const double time = levy_heston_time(n.kappa, end - from), above = variance - n.theta;
        sum += n.theta * (end - from) + above * time;
        variance = n.theta + above * (1.0 - n.kappa * time);
    }
    return levy_sqrt(sum);
}

static bool heston_check(const levy_model_terms *terms, size_t asset, levy_model_fault *fault)
{
    if (levy_heston_volatility(terms, asset) >= LEVY_LEAST_VOLATILITY) return true;
    *fault = (levy_model_fault){"v0", "v0 and what theta makes of it in a year are 0",
                                "A variance is a volatility squared, such as 0.04."};
    return false;
}

static double heston_correlation(const levy_model_terms *terms, size_t asset, size_t driver,
                                 double time)
{
    (void)driver;
    return levy_heston_of(terms, asset, time).rho;
}

static double heston_variability(const levy_model_terms *terms, size_t asset, double time)
{
    double mean = levy_model_number(&levy_heston_terms(terms)->v0, asset), variance = 0.0;
    for (double from = 0.0, end; from < time; from = end) {
        end = levy_heston_end(terms, asset, from, time);
        const heston_numbers n = levy_heston_of(terms, asset, end);
        const double span = levy_heston_time(n.kappa, end - from), left = 1.0 - n.kappa * span,
                     added = left * mean + 0.5 * n.theta * n.kappa * span;
        variance = left * left * variance + n.xi * n.xi * span * added;
        mean = left * mean + n.theta * n.kappa * span;
    }
    return mean > 0.0 ? levy_sqrt(variance) / mean : INFINITY;
}

/* Below 1 the variance reaches 0. */
static double heston_feller(const levy_model_terms *terms, size_t asset, double time)
{
    const heston_numbers n = levy_heston_of(terms, asset, time);
    return 2.0 * n.kappa * n.theta / (n.xi * n.xi);
}

/* ---- The law ---- */

/* The parameters of the exponent by term; returns their end. */
static double *heston_by_term(const levy_model_terms *terms, size_t asset, double *p)
{
    double *at = p + 2;
    for (double from = 0.0; from < INFINITY; from = at[0], at += LEVY_HESTON_TERM) {
        at[0] = levy_heston_end(terms, asset, from, INFINITY);
        const heston_numbers n = levy_heston_of(terms, asset, at[0]);
        at[1] = n.theta, at[2] = n.kappa, at[3] = n.xi, at[4] = n.rho;
    }
    p[0] = levy_heston_of(terms, asset, 0.0).v0;
    p[1] = (double)((at - p) / LEVY_HESTON_TERM);
    return at;
}

/* The parameters of the exponent, by term if they have several; returns their end. */
static double *heston_law(const levy_model_terms *terms, size_t asset, double *p, bool *by_term)
{
    const heston_numbers n = levy_heston_of(terms, asset, 0.0);
    *by_term = levy_heston_end(terms, asset, 0.0, INFINITY) < INFINITY;
    if (*by_term) return heston_by_term(terms, asset, p);
    p[0] = n.v0, p[1] = n.theta, p[2] = n.kappa, p[3] = n.xi, p[4] = n.rho;
    return p + 5;
}

/* Jumps of normal marks add moments that are finite. */
static double heston_explodes(const levy_model_terms *terms, size_t asset, double order)
{
    double p[HESTON_MOST_PARAMETERS];
    bool by_term;
    heston_law(terms, asset, p, &by_term);
    return by_term ? levy_exponent_heston_terms_explode(p, order)
                   : levy_exponent_heston_explodes(p, order);
}

/* log E exp(s X): of the exponent at -i s, where it exists. */
static double heston_moment(const levy_model_terms *terms, size_t asset, double time, double s)
{
    double p[HESTON_MOST_PARAMETERS];
    bool by_term;
    heston_law(terms, asset, p, &by_term);
    const levy_exponent *const law = by_term ? &levy_exponent_heston_terms : &levy_exponent_heston;
    if (!levy_exponent_has_moment(law, p, time, s)) return INFINITY;
    return law->at(p, time, complex_of(0.0, -s), NULL).re;
}

/* Further layers of jumps only lessen a peak. */
static levy_middle heston_law_middle(const levy_model_terms *terms, size_t asset, double time,
                                     const levy_exponent *whole, const levy_exponent *terms_law,
                                     const levy_own_jumps *own)
{
    bool by_term;
    double p[HESTON_MOST_PARAMETERS], *const end = heston_law(terms, asset, p, &by_term);
    if (own) {
        end[0] = own->intensity;
        end[1] = own->mark.mean;
        end[2] = own->mark.volatility;
    }
    return levy_exponent_middle(by_term ? terms_law : whole, p, time,
                                levy_heston_volatility(terms, asset) * levy_sqrt(time));
}

static levy_middle heston_middle(const levy_model_terms *terms, size_t asset, double time)
{
    return heston_law_middle(terms, asset, time, &levy_exponent_heston, &levy_exponent_heston_terms,
                             NULL);
}

static levy_middle bates_middle(const levy_model_terms *terms, size_t asset, double time)
{
    return heston_law_middle(terms, asset, time, &levy_exponent_bates, &levy_exponent_bates_terms,
                             levy_jump_own(terms));
}

/* dv is rho xi times the part of dS / S that the asset's driver moves. Given all drivers of assets,
 * those of variances are independent, so this holds for each asset among others, unless the book
 * correlates it with other variances (trade_checks.c refuses that). */
static double heston_leverage(const levy_model_terms *terms, size_t asset)
{
    const heston_numbers n = levy_heston_of(terms, asset, 0.0);
    return n.rho * n.xi;
}

/* Whether a variance returns by itself, or spreads to so many times its mean, within a step: by far
 * shorter ones alone an order shows. */
static bool heston_is_coarse(const levy_model_terms *terms, double step)
{
    for (size_t a = 0; a < terms->assets.count; ++a) {
        if (heston_variability(terms, a, step) > HESTON_MOST_SPREAD) return true;
        for (double from = 0.0, end; from < INFINITY; from = end) {
            end = levy_heston_end(terms, a, from, INFINITY);
            if (levy_heston_of(terms, a, end).kappa * step > HESTON_MOST_RETURN) return true;
        }
    }
    return false;
}

/* Measured on steps from the default up to 8 times that: qe_m 1.4 to 2 (docs/theory.md); on coarse
 * ones -0.1 to 0.7. */
static double heston_order(const levy_model_terms *terms, double step)
{
    if (heston_is_coarse(terms, step)) return 0.5;
    return levy_heston_terms(terms)->scheme == HESTON_BY_EULER ? 1.0 : 1.5;
}

static const char *const heston_without[] = {"vega_by_node", NULL};
static const char *const heston_factors[] = {
#define HESTON_PARAMETER(name) #name,
#include "models/parameters.def"
    NULL};

#define HESTON_KIND(name)                                                                          \
    .kind = #name, .table = &levy_model_##name##_table,                                            \
    .features = LEVY_MODEL_RANDOM | LEVY_MODEL_SCALES | LEVY_MODEL_STEPPED | LEVY_MODEL_SLOPES,    \
    .without = heston_without, .drivers = 1, .correlation = heston_correlation, .share = "rho",    \
    .numbers = HESTON_NUMBERS, .paid = HESTON_PAID, .interval = levy_heston_interval,              \
    .volatility = levy_heston_volatility, .factors = heston_factors, .variance = "v0",             \
    .leverage = heston_leverage, .check = heston_check,                                            \
    .ratio_name = "Feller's ratio 2 kappa theta / xi^2", .ratio = heston_feller, .bump = 0.02,     \
    .order = heston_order, .explodes = heston_explodes, .moment = heston_moment, .varies = true,   \
    .variability = heston_variability, .dates = levy_heston_dates, .plan = levy_heston_plan

const levy_model_kind levy_model_heston = {HESTON_KIND(heston), .law_middle = heston_middle};
const levy_model_kind levy_model_bates = {
    HESTON_KIND(bates),         .law_middle = bates_middle,   .lanes = LEVY_MODEL_HESTON,
    .own_jumps = levy_jump_own, .own_mark = LEVY_MARK_NORMAL,
};
