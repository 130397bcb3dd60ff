/* least_squares.c: see least_squares.h. */
#include "engine/base/least_squares.h"

#include <math.h>
#include <string.h>

static const double squares_rank = 1e-12; /* of a column, what no other explains */

/* Rows side by side: one sum would wait for each addition. */
enum { SQUARES_ROWS = 8 };
typedef double squares_rows __attribute__((vector_size(SQUARES_ROWS * sizeof(double))));

static squares_rows squares_load(const double *from)
{
    squares_rows x;
    memcpy(&x, from, sizeof x);
    return x;
}

/* The sum of products of two columns: of row `row` of the triangle, and of the block. */
static double squares_product(const levy_least_squares *fit, size_t row, double first,
                              const double *of, size_t column)
{
    squares_rows sums = {first * fit->triangle[row][column]};
    for (size_t i = 0; i < fit->n_rows; i += SQUARES_ROWS)
        sums += squares_load(of + i) * squares_load(fit->block[column] + i);
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) +
           ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

/* Adds a multiple of one column of the block to another. */
static void squares_add(const levy_least_squares *fit, double share, const double *of, double *to)
{
    for (size_t i = 0; i < fit->n_rows; i += SQUARES_ROWS) {
        const squares_rows sum = squares_load(to + i) + share * squares_load(of + i);
        memcpy(to + i, &sum, sizeof sum);
    }
}

/* One reflection makes column k of the block 0. Its vector is `first` in row k of the triangle, and
 * the column in the block. */
static void squares_reflect(levy_least_squares *fit, size_t k)
{
    double *const column = fit->block[k];
    const double top = fit->triangle[k][k];
    const double square = squares_product(fit, k, top, column, k);
    if (square == 0.0) return;
    const double length = top > 0.0 ? -sqrt(square) : sqrt(square);
    const double first = top - length;
    const double scale = 1.0 / (length * first); /* less than 0 */
    fit->triangle[k][k] = length;
    for (size_t j = k + 1; j <= fit->n; ++j) {
        const double share = scale * squares_product(fit, k, first, column, j);
        fit->triangle[k][j] += share * first;
        squares_add(fit, share, column, fit->block[j]);
    }
}

/* Folds the block into the triangle. What is left of y lies in the last column alone. */
static void squares_fold(levy_least_squares *fit)
{
    for (; fit->n_rows % SQUARES_ROWS; ++fit->n_rows) /* rows of 0 change nothing */
        for (size_t k = 0; k <= fit->n; ++k) fit->block[k][fit->n_rows] = 0.0;
    for (size_t k = 0; k < fit->n; ++k) squares_reflect(fit, k);
    fit->n_rows = 0;
}

void levy_least_squares_add(levy_least_squares *fit, const double *x, double y)
{
    for (size_t k = 0; k < fit->n; ++k) fit->block[k][fit->n_rows] = x[k];
    fit->block[fit->n][fit->n_rows++] = y;
    if (fit->n_rows == LEVY_LEAST_SQUARES_BLOCK) squares_fold(fit);
}

/* The length of a column of all rows. */
static double squares_length(const levy_least_squares *fit, size_t column)
{
    double square = 0.0;
    for (size_t k = 0; k <= column; ++k)
        square += fit->triangle[k][column] * fit->triangle[k][column];
    return sqrt(square);
}

size_t levy_least_squares_solve(levy_least_squares *fit, double *c)
{
    size_t rank = 0;
    squares_fold(fit);
    for (size_t k = fit->n; k-- > 0;) {
        double left = fit->triangle[k][fit->n];
        for (size_t j = k + 1; j < fit->n; ++j) left -= fit->triangle[k][j] * c[j];
        const double own = fit->triangle[k][k];
        const int counts = fabs(own) > squares_rank * squares_length(fit, k);
        c[k] = counts ? left / own : 0.0;
        rank += counts ? 1 : 0;
    }
    return rank;
}
