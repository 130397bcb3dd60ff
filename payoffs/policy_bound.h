/* policy_bound.h: an upper bound of an option that is exercised early: the mean of the most that
 * exercise on any date pays less a martingale (L. Rogers, Mathematical Finance 12, 2002). The
 * martingale adds up gains, from date to date, of claims whose values are closed: levels,
 * Europeans, exchange options. Each gain is multiplied by a polynomial of the levels at its
 * beginning. So its conditional mean is 0 whatever the coefficients are, and the bound is one. They
 * are regressed on what the rule of exercise gets (D. Belomestny, C. Bender and J. Schoenmakers,
 * Mathematical Finance 19, 2009). A script of its own has the bound as its price, on the paths of
 * the price. All values are in money of the payment date. Must not know: how the levels' paths are
 * made. */
#ifndef LEVY_PAYOFFS_POLICY_BOUND_H
#define LEVY_PAYOFFS_POLICY_BOUND_H

#include "payoffs/policy.h"

/* Claims on an asset's level at expiry, or on those of two, or on the sum of all. */
typedef enum levy_bound_kind {
    LEVY_BOUND_LEVEL,
    LEVY_BOUND_OPTION, /* the better of it and the strike */
    LEVY_BOUND_BEST,   /* the better of two */
    LEVY_BOUND_SQUARE  /* of the sum */
} levy_bound_kind;

enum {
    LEVY_BOUND_PLACES = 6, /* of assets whose claims are held, or of ranks: the most */
    LEVY_BOUND_CLAIMS = 9,
    LEVY_BOUND_RANKED = 12, /* assets of which three ranks have room in a script; of more, two */
    LEVY_BOUND_LISTS = 128,
    LEVY_BOUND_FARTHEST = 4 /* deviations that a polynomial sees */
};
/* Degree of a claim's polynomial. */
#define LEVY_BOUND_DEGREE(n_read) ((n_read) == 1 ? 5u : 2u)

/* A script's variables: the martingale, the most so far, the claims' values, the polynomials'
 * variables, and by rank a list that says which asset has it. */
enum { LEVY_BOUND_GAINED, LEVY_BOUND_MOST, LEVY_BOUND_HELD };

/* Numbers of a date: what 1 is worth that is paid there; by asset how many times its level the mean
 * at expiry is, then where logarithms are normal their deviation until expiry, by asset and, of
 * their differences, by pair; mean and inverse deviation of each variable; coefficients. */
typedef struct levy_policy_bound {
    const levy_policy *policy;
    bool normal, ranked, deviates; /* logarithms are normal; places are ranks; it has `own` */
    size_t n_levels;               /* assets; 1 of a geometric basket, whose level is one */
    size_t n_places;               /* 1 beside several levels: their sum */
    size_t n_claims;
    struct {
        levy_bound_kind kind;
        size_t first, second; /* places */
    } claims[LEVY_BOUND_CLAIMS];
    size_t n_variables, n_read;           /* of these a claim's polynomial reads the first */
    size_t degree;                        /* of what is known at an interval's beginning */
    size_t slopes, own, pairs, variables; /* where they begin among a date's numbers */
    size_t coefficients, n_terms;         /* [claim][term] */
    size_t n_numbers;
    char names[LEVY_BOUND_LISTS][16];
} levy_policy_bound;

/* Why there is no bound; NULL: `bound` is filled. normal: logarithms of levels are. */
const char *levy_bound_begin(levy_policy_bound *bound, const levy_policy *policy, bool normal);
void levy_bound_write(levy_policy_bound *bound, levy_script_form *form);

/* Whether polynomials read the sum of several levels, and no level's logarithm. */
bool levy_bound_reads_sum(const levy_policy_bound *bound);
/* Number of the pair of levels u < v. */
size_t levy_bound_pair(const levy_policy_bound *bound, size_t u, size_t v);
/* ---- The fit, date by date to the first ---- */

struct levy_rule_fit;
/* Fills what the market says of all dates, and reserves. False: no memory. */
bool levy_bound_fit_begin(struct levy_rule_fit *fit, double *fitted);
/* Of fewer paths the fit makes no gains: the coefficients are 0. */
size_t levy_bound_least(const levy_policy_bound *bound);
/* Fits the gains until the date, where paths have been paid. */
bool levy_bound_fit_date(struct levy_rule_fit *fit, size_t date, double *fitted);

/* The states that the script starts at. levels: [underlying] today; fitted: the bound's numbers of
 * today; gain: what exercise pays today, or 0 if it may not be. */
void levy_bound_start(const levy_policy_bound *bound, const levy_script *script,
                      const double *levels, const double *fitted, double gain, double *constants);

#endif
