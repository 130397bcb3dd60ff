/* eigen.h: eigenvalues and eigenvectors of a symmetric matrix by cyclic Jacobi rotations. Own code,
 * no library, so that every machine gets the same bits. Source: G. Golub and C. Van Loan, Matrix
 * Computations, 4th edition, section 8.5. */
#ifndef LEVY_BASE_EIGEN_H
#define LEVY_BASE_EIGEN_H

#include <stddef.h>

/* a: [n][n], symmetric; it is overwritten, and its diagonal becomes the eigenvalues, unsorted.
 * vectors: [n][n]; column k belongs to eigenvalue k. At most 64 sweeps, in row order. */
void levy_eigen_symmetric(size_t n, double *a, double *vectors);

#endif
