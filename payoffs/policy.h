/* policy.h: a rule of early exercise that is fitted to paths: on each date, where exercise pays,
 * the value of going on is a polynomial of the level, by least squares over what the paths in the
 * money get later, from the last date to the first (F. Longstaff and E. Schwartz, Review of
 * Financial Studies 14, 2001). The trade is a script that reads the polynomials as numbers by date.
 * No rule is better than the best one, so that a price by it is a lower bound. Must not know: how
 * the levels' paths are made. */
#ifndef LEVY_PAYOFFS_POLICY_H
#define LEVY_PAYOFFS_POLICY_H

#include "payoffs/payoff_stage.h"
#include "payoffs/script_form.h"

enum { LEVY_POLICY_DEGREE = 8 }; /* the most of a polynomial */

/* On a date: the polynomial's argument is (level - middle) * share, and its coefficients follow. */
enum { LEVY_POLICY_MIDDLE, LEVY_POLICY_SHARE, LEVY_POLICY_HELD, LEVY_POLICY_LISTS = 11 };

/* What a coefficient of degree 0 is where the option is never exercised. */
static const double LEVY_POLICY_NEVER = 1e30;

typedef struct levy_policy {
    levy_stage stage;
    double sign, strike;
    double coefficient; /* a level is this times the spot */
    size_t degree;
    bool today; /* it may be exercised today */
    uint64_t seed;
} levy_policy;

/* Fills the stage of a policy whose other members are set. */
void levy_policy_stage(uint64_t paths, levy_policy *policy);

/* Writes the script, whose schedules are `exercises` and `expiry`. The lists of numbers by date,
 * parameters of the script behind its first, are names[0] on. Returns how many there are. */
size_t levy_policy_write(const levy_policy *policy, levy_script_form *form,
                         const char *names[LEVY_POLICY_LISTS]);

#endif
