/* least_squares.h: the coefficients for which the sum of squares of y - sum of c[k] x[k] is least,
 * from any number of rows, by Householder reflections that fold block after block of rows into one
 * triangle. Sums have a fixed order, so that every machine gets the same bits.
 * Source: G. Golub and C. Van Loan, Matrix Computations, 4th edition, sections 5.2 and 6.5.3. */
#ifndef LEVY_BASE_LEAST_SQUARES_H
#define LEVY_BASE_LEAST_SQUARES_H

#include <stddef.h>

enum { LEVY_LEAST_SQUARES_MOST = 96, LEVY_LEAST_SQUARES_BLOCK = 64 };

typedef struct levy_least_squares {
    size_t n;      /* coefficients: 1 to LEVY_LEAST_SQUARES_MOST; the rest is 0 at the start */
    size_t n_rows; /* in the block */
    /* [column][column], the last one of y: upper triangle of the rows that were folded */
    double triangle[LEVY_LEAST_SQUARES_MOST + 1][LEVY_LEAST_SQUARES_MOST + 1];
    double block[LEVY_LEAST_SQUARES_MOST + 1][LEVY_LEAST_SQUARES_BLOCK]; /* [column][row] */
} levy_least_squares;

/* x: [n] */
void levy_least_squares_add(levy_least_squares *fit, const double *x, double y);

/* Fills c, [n]. A column that others leave less than 1e-12 of has the coefficient 0. Returns how
 * many columns count. */
size_t levy_least_squares_solve(levy_least_squares *fit, double *c);

#endif
