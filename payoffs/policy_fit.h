/* policy_fit.h: what a fit of a rule of exercise and of its bound does path by path, and the
 * interface of a build of that for an instruction set (kernels/cpu/fit_isa.c). A group is 512
 * paths in 32 columns: path k is in column k mod 32. A column's numbers in a group are added in
 * order, then groups of a block; then columns that are 16, 8, 4, 2 and 1 apart, then blocks, in
 * order. So sums have the same bits whoever makes them. Plain data. Must not know: threads, how
 * levels are made.
 */
#ifndef LEVY_PAYOFFS_POLICY_FIT_H
#define LEVY_PAYOFFS_POLICY_FIT_H

#include "payoffs/policy_bound.h"

enum {
    LEVY_RULE_ROWS = 16,
    LEVY_RULE_COLUMNS = 32,
    LEVY_RULE_GROUP = LEVY_RULE_ROWS * LEVY_RULE_COLUMNS,
    /* Numbers from column to column of a regression: caches take a multiple of 4 KiB for one place.
     */
    LEVY_RULE_APART = LEVY_RULE_GROUP + 8,
    LEVY_RULE_GROUPS = 8, /* of a block */
    LEVY_RULE_MOST = 96,  /* columns of a regression */
    LEVY_RULE_TILE = 4    /* of them whose products are summed side by side */
};

/* A date's: how many paths are in the money, by variable sum and square from a number nearby, by
 * control sum, square and product with the next date's from today's level, and by variable least
 * and most. */
#define LEVY_RULE_MOMENT(j) (1 + 2 * (j))
#define LEVY_RULE_LINE(p, u) (1 + 2 * (p)->n_variables + 3 * (u))
#define LEVY_RULE_RANGE(p, j) (LEVY_RULE_LINE(p, (p)->n_controls) + 2 * (j))
/* Sums of products of n columns with each other and with one more, by rows of the triangle. */
#define LEVY_RULE_PRODUCTS(n) ((n) * ((n) + 3) / 2)

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
