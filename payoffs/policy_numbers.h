/* policy_numbers.h: the sizes of a fit of a rule (policy.h), and where its numbers lie. A group is
 * 512 paths in 32 columns: path k is in column k mod 32. A column's numbers in a group are added in
 * order, then groups of a block; then columns that are 16, 8, 4, 2 and 1 apart, then blocks, in
 * order. So sums have the same bits whoever makes them. C and CUDA, without a C library: includes
 * nothing. Must not know: how sums are made. */
#ifndef LEVY_PAYOFFS_POLICY_NUMBERS_H
#define LEVY_PAYOFFS_POLICY_NUMBERS_H

/* Variables of a polynomial: the most; assets whose levels can be sorted; and coefficients. Regimes
 * from the last of LEVY_POLICY_REGIMES on are one. */
enum {
    LEVY_POLICY_LEVELS = 3,
    LEVY_POLICY_REGIMES = 8,
    LEVY_POLICY_VARIABLES = LEVY_POLICY_LEVELS + LEVY_POLICY_REGIMES - 1,
    LEVY_POLICY_SORTED = 16,
    LEVY_POLICY_TERMS = 32
};

/* Numbers of a date, by variable; then the coefficients. */
enum {
    LEVY_POLICY_MEAN,
    LEVY_POLICY_SHARE,
    LEVY_POLICY_LEAST,
    LEVY_POLICY_MOST,
    LEVY_POLICY_NUMBERS
};

/* Dates on which fewer paths in the money stand for each coefficient have no exercise, and those on
 * which fewer are exercised no level that is told. */
enum { LEVY_POLICY_PATHS = 10 };

/* So many numbers of a date, and more, no device's fit takes. */
enum { LEVY_POLICY_THERE = 64 };

/* What the first coefficient is where the option is never exercised. */
#define LEVY_POLICY_NEVER 1e30

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

/* Of a column's square, what those before it must leave; of one from nearby, what differs. */
#define LEVY_RULE_RANK 1e-12

/* A date's: how many paths are in the money, by variable sum and square from a number nearby, by
 * control sum, square and product with the next date's from today's level, and by variable least
 * and most. */
#define LEVY_RULE_MOMENT(j) (1 + 2 * (j))
#define LEVY_RULE_LINE(p, u) (1 + 2 * (p)->n_variables + 3 * (u))
#define LEVY_RULE_RANGE(p, j) (LEVY_RULE_LINE(p, (p)->n_controls) + 2 * (j))
/* Sums of products of n columns with each other and with one more, by rows of the triangle. */
#define LEVY_RULE_PRODUCTS(n) ((n) * ((n) + 3) / 2)

#endif
