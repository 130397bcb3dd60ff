/* rights_bound.h: the other bound of a script with one right that ends it. The party's rule gives
 * no more than the best one; the mean of the most (of an issuer's right the least) that use on any
 * date, or none, gives on a path, less a martingale, gives no less (L. Rogers, Mathematical Finance
 * 12, 2002). The martingale adds up gains, from date to date of the right, of levels and of
 * Europeans, each times a polynomial of the levels at its beginning, regressed on what the rule
 * gives (D. Belomestny, C. Bender and J. Schoenmakers, Mathematical Finance 19, 2009). The text is
 * compiled anew between the martingale's lines, and pays the bound. Must not know: how the levels'
 * paths are made. */
#ifndef LEVY_PAYOFFS_RIGHTS_BOUND_H
#define LEVY_PAYOFFS_RIGHTS_BOUND_H

#include "payoffs/policy_numbers.h"
#include "payoffs/rights.h"
#include "payoffs/script_form.h"

enum {
    LEVY_DUAL_ASSETS = 3, /* the most */
    LEVY_DUAL_STRIKES = 3,
    LEVY_DUAL_CLAIMS = 1 + LEVY_DUAL_STRIKES,
    LEVY_DUAL_LISTS = 48
};

/* Variables of its script: the martingale, the best so far, what claims were worth, and x. */
enum { LEVY_DUAL_GAINED, LEVY_DUAL_BEST, LEVY_DUAL_HELD };

/* Numbers of a date, behind the rule's: whether the right may be used; by asset how many times its
 * level the mean at expiry is; of one lognormal asset what is left of its deviation; mean and
 * inverse deviation of each variable; coefficients of the interval that ends there. */
typedef struct levy_rights_bound {
    size_t first;        /* of them among a date's */
    bool least, several; /* the trade has several underlyings */
    size_t n_assets, n_claims, n_variables;
    double strikes[LEVY_DUAL_STRIKES]; /* [n_claims - 1] of Europeans, of one asset */
    size_t slopes, own, means, coefficients, n_terms, n_numbers; /* where they begin behind first */
    char names[LEVY_DUAL_LISTS][16];
} levy_rights_bound;

/* Fills a bound whose first, least, several, n_assets and strikes are set; n_strikes: 0 where
 * logarithms are not normal. varies: of one asset the script sees the variance. */
void levy_rights_bound_begin(levy_rights_bound *bound, size_t n_strikes, bool varies);
/* Writes the lines before the script's own, and those behind it. */
void levy_rights_bound_write(const levy_rights_bound *bound, const char *schedule,
                             levy_script_form *before, levy_script_form *behind);

/* ---- The fit, from the last date to the first ---- */

typedef struct levy_dual_fit levy_dual_fit;
/* What a path sees on a date: [asset] levels, then variances. */
typedef void levy_dual_see(const void *of, size_t date, size_t path, double *at);

/* Fills what the market says of the dates; today is date n_dates. NULL: no memory. */
levy_dual_fit *levy_dual_begin(const levy_rights_bound *bound, const levy_stage_levels *levels,
                               levy_dual_see *see, const void *of, size_t n_fitted,
                               levy_arena *scratch, double *fitted);
/* Fits the gains from a date to a later one, at which paths get `paid` by the rule. */
void levy_dual_interval(levy_dual_fit *fit, size_t from, size_t to, const double *paid);
/* Of fewer paths the fit makes no gains: the coefficients are 0. */
size_t levy_dual_least(const levy_rights_bound *bound);
/* A path has used the right: later gains are none of what it gets. */
void levy_dual_use(levy_dual_fit *fit, size_t path);

/* What the claims are worth today, into the states of its script. fitted: today's numbers. */
void levy_rights_bound_start(const levy_rights_bound *bound, const levy_script *script,
                             const double *levels, const double *fitted, double *constants);

#endif
