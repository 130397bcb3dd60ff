/* policy.h: a rule of early exercise that is fitted to paths: on each date, where exercise pays,
 * what going on is worth beyond exercise is a polynomial of the levels, by least squares over what
 * the paths in the money get later, from the last date to the first (F. Longstaff and E. Schwartz,
 * Review of Financial Studies 14, 2001). The trade is a script that reads the polynomials as
 * numbers by date. No rule is better than the best one, so that a price by it is a lower bound.
 * Must not know: how the levels' paths are made. */
#ifndef LEVY_PAYOFFS_POLICY_H
#define LEVY_PAYOFFS_POLICY_H

#include "payoffs/payoff_stage.h"
#include "payoffs/policy_numbers.h"
#include "payoffs/script_form.h"

/* Numbers of a date: by variable the mean and the inverse deviation, by which it is standardised,
 * and its least and most on the paths of the fit, to which it is then held, so that nothing is
 * extrapolated; then the coefficients. They are the script's parameters from number
 * LEVY_POLICY_FIXED on. */
enum { LEVY_POLICY_STRIKE, LEVY_POLICY_WEIGHT, LEVY_POLICY_FIXED };
enum {
    LEVY_POLICY_BESIDE = 3, /* of a control: policy_control.h */
    LEVY_POLICY_LISTS =
        LEVY_POLICY_NUMBERS * LEVY_POLICY_VARIABLES + LEVY_POLICY_TERMS + LEVY_POLICY_BESIDE
};

typedef struct levy_policy {
    levy_stage stage;
    size_t n_own; /* numbers of a date that are the rule's: those of its bound follow */
    const struct levy_policy_bound *bound; /* policy_bound.h; NULL: nobody asks for it */
    double sign, strike;
    int32_t aggregate; /* levy_aggregate */
    size_t n_assets;
    const double *coefficients, *weights; /* [asset]; weights: powers, of a geometric basket */
    size_t n_variables, degree;           /* of the polynomial: in all */
    /* A path is in one of so many regimes: variable n_levels + r is 1 from regime r + 1 on, else 0,
     * and multiplies a polynomial of its own, of `apart`, so that each regime has a fit. */
    size_t n_levels, n_regimes, apart;
    bool control;   /* it has one: policy_control.h */
    bool discounts; /* a path has a discount factor of its own, beside the curve's */
    /* An asset's level by its forward is a martingale, so that what it gains from a date until a
     * path's exercise explains much of what the path gets, and nothing of the mean: the fit takes
     * that gain times powers of the first variable beside the polynomial. */
    size_t n_controls; /* assets of which it does: all, or none where there is no room */
    size_t n_powers;   /* of each */
    /* cash is paid, or drifts differ: the martingale is a line of the level on each date */
    bool cash;
    bool today;  /* it may be exercised today */
    bool varies; /* of one asset: its variance is the second variable */
    uint64_t seed;
    char names[LEVY_POLICY_LISTS][16];
} levy_policy;

/* Fills the rest of a policy whose sign, strike, aggregate, assets, cash, regimes and seed are set,
 * and its stage's paths and policy. */
void levy_policy_begin(levy_policy *policy);

/* Writes the script, whose schedules are `exercises` and `expiry`. */
void levy_policy_write(levy_policy *policy, levy_script_form *form);

/* How a script writes the level. */
const char *levy_policy_written_level(const levy_policy *policy);

/* And of one asset what a path has beside it. */
const char *levy_policy_written_second(const levy_policy *policy);

/* The level of the assets' levels, each times its coefficient. */
double levy_policy_level(const levy_policy *policy, const double *levels);

/* The number of coefficients: of the policy, and of a polynomial. */
size_t levy_policy_all_terms(const levy_policy *policy);
size_t levy_policy_terms(size_t n_variables, size_t degree);
/* Fills the monomials times `product`; returns where the next ones go. */
double *levy_policy_monomials(size_t n_variables, size_t degree, const double *variables,
                              double product, double *monomials);
/* The mean of every step-th of n numbers; returns the sum of their squares about it. */
double levy_policy_moments(size_t n, size_t step, const double *numbers, double *mean);
/* Writes the polynomial of variables <name>1 and on whose coefficients are the lists from *k on. */
void levy_policy_polynomial(const char (*lists)[16], const char *name, size_t n_variables,
                            size_t degree, size_t *k, levy_script_form *form);
/* See levy_stage.fit. */
bool levy_policy_fit(const levy_claim *claim, const levy_stage_levels *levels, levy_arena *scratch,
                     double *fitted, char *why);
/* Degrees, by the number of variables. */
size_t levy_policy_degree(size_t n_variables);

#endif
