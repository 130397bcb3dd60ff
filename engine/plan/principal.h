/* principal.h: principal components of Brownian motion on a clock: the columns of A with A A^T =
 * min(t_i, t_k), orthogonal and in order of variance. driver_k = sum_j A[k][j] z_j then puts as
 * much variance as possible into each draw in turn.
 *
 * The incremental construction is M = L D, with L all ones on and below the diagonal and D the
 * roots of the steps. With W the eigenvectors of M^T M, A = M W has the required columns. A A^T = M
 * M^T holds to rounding as far as W is orthogonal, however small the steps. The inverse of M^T M is
 * tridiagonal, so implicit QL finds W (H. Bowdler, R. Martin, C. Reinsch, J. Wilkinson, Numerische
 * Mathematik 11, 1968) in about 5 n^3 multiplications. Own code, no library: the same bits on every
 * machine. Must not know: draws, images. */
#ifndef LEVY_PLAN_PRINCIPAL_H
#define LEVY_PLAN_PRINCIPAL_H

#include "engine/base/memory.h"
#include "engine/base/status.h"

enum { LEVY_MOST_COMPONENTS = 2048 }; /* some 20 seconds */

/* clock: [n], ascending, above 0. matrix: [node][component]; the largest entry of each column is
 * positive. variance: [component], summed over the nodes, descending. LEVY_CANCELLED:
 * the memory's meter says stop. LEVY_NUMERIC: the iteration does not converge. */
levy_status levy_components_create(size_t n, const double *clock, levy_arena *scratch,
                                   double *matrix, double *variance);

/* The sum of x[k] * y[k], in the order of k. */
double levy_components_dot(size_t n, const double *x, const double *y);

#endif
