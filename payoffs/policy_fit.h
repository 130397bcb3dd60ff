/* policy_fit.h: what a fit of a rule of exercise and of its bound does path by path, and the
 * interface of a build of that for an instruction set (kernels/cpu/fit_isa.c); policy_numbers.h has
 * the order of sums. Plain data. Must not know: threads, how levels are made. */
#ifndef LEVY_PAYOFFS_POLICY_FIT_H
#define LEVY_PAYOFFS_POLICY_FIT_H

#include "payoffs/policy_bound.h"

/* Monomials: each is that of number `parent` times a variable; the first is 1. */
typedef struct levy_rule_monomials {
    size_t n;
    uint8_t parent[LEVY_POLICY_TERMS], variable[LEVY_POLICY_TERMS];
} levy_rule_monomials;

typedef struct levy_rule_pass {
    const levy_policy *policy;
    const levy_stage_levels *levels;
    levy_rule_monomials monomials, known, products; /* the last two of the bound */
    size_t stride;               /* of the paths of an array below: whole groups */
    double *paid;                /* [path] in money of the payment date */
    double *last;                /* [asset][path] where it is paid, the martingale */
    const double *slope, *shift; /* [date][asset] by which a level becomes the martingale */
    const double *fitted;        /* as levy_stage.fit has it */
    double *control; /* [path] what the European is worth where it is paid; NULL: nobody asks */
    /* of the bound; NULL: nobody asks for it */
    double *later;        /* [path] gains after the date until its end */
    double *seen, *gains; /* [variable][path], [claim][path] of one interval */
} levy_rule_pass;

/* All work on group number `group`. room: what levy_rule_room says, aligned to 64 bytes. sums:
 * [sum][column], to which the group's are added. */
typedef void levy_rule_work(const levy_rule_pass *pass, size_t date, size_t group, double *room,
                            double *sums);

typedef struct levy_policy_isa {
    levy_rule_work *moments;  /* sums as above */
    levy_rule_work *products; /* of columns: controls, monomials, what paths get later */
    levy_rule_work *decide;   /* by the fitted rule, or at the last date: paths are paid */
    levy_rule_work *paid;     /* the sum of what paths are paid */
    /* of the bound: fills sums[2 * variable] with a number nearby, from the first path alone; sum
     * and square of variables from there */
    levy_rule_work *bound_near, *bound_moments;
    levy_rule_work
        *bound_products;         /* of what is known, of gains, what paths get beyond later ones */
    levy_rule_work *bound_later; /* adds the gains of the date */
} levy_policy_isa;

/* Numbers of the working memory. */
static inline size_t levy_rule_room(void) { return (LEVY_RULE_MOST + 4) * (size_t)LEVY_RULE_APART; }

/* The bound's numbers of a date, of today behind the last. */
static inline const double *levy_rule_bound_row(const levy_rule_pass *w, size_t date)
{
    return w->fitted + date * w->policy->stage.n_fitted + w->policy->n_own;
}

void levy_rule_monomials_of(size_t n_variables, size_t degree, levy_rule_monomials *monomials);
void levy_rule_monomials_by(const levy_policy *policy, levy_rule_monomials *monomials);

/* Works on all groups of dates [from, to); totals: [date][n_sums], or NULL. False: no memory. */
typedef struct levy_rule_fit {
    levy_rule_pass pass;
    const levy_stage_team *team;
    levy_arena *scratch;
    size_t n_groups;
    double *rooms;    /* [worker] */
    double *products; /* of the columns of one regression */
} levy_rule_fit;
/* Adds the sums of each date's groups: n_added, and behind them numbers of which the least and the
 * most in turn are taken. */
bool levy_rule_run(levy_rule_fit *fit, levy_rule_work *work, size_t from, size_t to, size_t n_added,
                   size_t n_ranges, double *totals);
/* The coefficients for which the sum of squares is least, from the sums of products, which it
 * changes: Gauss's elimination of a symmetric matrix. A column that those before it leave less than
 * 1e-6 of has the coefficient 0. */
void levy_rule_solve(size_t n, double *products, double *c);

#endif
