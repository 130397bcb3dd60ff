/* factors.h: small dense algebra whose bits determine prices: pivoted Cholesky and, with Jacobi's
 * eigenvectors, the factors of a covariance. Own code, because a tuned BLAS changes bits with the
 * processor. Matrices are row-major. G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed.
 * (2013), 8.5 and 4.2. Must not know: grids. */
#ifndef LEVY_PLAN_FACTORS_H
#define LEVY_PLAN_FACTORS_H

#include "engine/base/memory.h"
#include "engine/base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* How the columns of every factor matrix of a group are rotated: fixed by the covariance over the
 * whole horizon, so that bumped covariances give factors near the unbumped ones. */
typedef struct levy_rotation {
    size_t n, rank;
    uint32_t *order;  /* [n]: pivot order; the first `rank` are the pivots */
    double *matrix;   /* [rank][rank] orthogonal */
    double *variance; /* [rank]: share of the scaled variance of each factor */
    /* of levy_rotation_create_led, [n - n_first][n - n_first], orthogonal: how the last factors
     * make what moves each of the last rows alone; else NULL */
    double *turn;
} levy_rotation;

/* covariance: over the horizon, positive semidefinite; scaling: [n], the weight of each asset, 0
 * counts as tiny. eigen: the factors are the eigenvectors of the scaled covariance, by descending
 * variance; otherwise they are plain Cholesky columns. */
levy_status levy_rotation_create(size_t n, const double *covariance, const double *scaling,
                                 bool eigen, levy_arena *arena, levy_rotation *rotation);

/* The same where the rows from n_first on come from factors of their own, the last ones, which move
 * all rows; the factors before them move the first n_first rows alone, whatever the covariance. */
levy_status levy_rotation_create_apart(size_t n, size_t n_first, const double *covariance,
                                       const double *scaling, bool eigen, levy_arena *arena,
                                       levy_rotation *rotation);

/* The same where the factors of the first n_first rows are as without the others. The last factors
 * move what is left of the rows from n_first on. */
levy_status levy_rotation_create_led(size_t n, size_t n_first, const double *covariance,
                                     const double *scaling, bool eigen, levy_arena *arena,
                                     levy_rotation *rotation);

/* factor: [n][rank] with factor factor' = covariance. Its null space must contain that of the
 * horizon's covariance. `work`: n * rank doubles. */
void levy_rotation_factor(const levy_rotation *rotation, const double *covariance, double *work,
                          double *factor);

/* From the factors of `base` those of a covariance with the same correlations: each row by the
 * ratio of its volatilities, so that a row keeps its bits where the volatility does. False: the
 * correlations differ by more than rounding, and `factor` is as it was. `scale`: n doubles. */
bool levy_rotation_scale(const levy_rotation *rotation, const double *base,
                         const double *covariance, double *scale, double *factor);

#endif
