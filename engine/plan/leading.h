/* leading.h: the largest principal components of Brownian motion on a clock, without the others
 * (principal.h computes them all). A component u and its variance 1 / x satisfy
 *
 *     (u_i - u_{i-1}) / w_i - (u_{i+1} - u_i) / w_{i+1} = x u_i,   u_0 = 0, u_{n+1} = u_n,
 *
 * with w the clock's steps. The ratios of slope to level then follow a recursion without
 * differences of near numbers (the quotient-difference form: K. Fernando, SIAM J. Matrix Anal.
 * Appl. 20, 1998), from either end. How many of its pivots are negative says how many components
 * have a smaller x, so bisection finds each x; both recursions meet in u where they fit best (the
 * twisted factorization: B. Parlett, I. Dhillon, Linear Algebra Appl. 267, 1997). This takes some
 * 100 n divisions a component. Only + - * / and sqrt: the same bits on every machine. Must not
 * know: draws, images, what components are for. */
#ifndef LEVY_PLAN_LEADING_H
#define LEVY_PLAN_LEADING_H

#include "engine/base/memory.h"
#include "engine/base/status.h"

/* clock: [n], ascending, above 0. columns: [wanted][n], in descending order of variance, orthogonal
 * and with A A^T = min(t_i, t_k) for all n, but for components of next to no variance; the largest
 * entry of each is positive. wanted <= n. LEVY_CANCELLED: the memory's meter says stop. */
levy_status levy_leading_create(size_t n, const double *clock, size_t wanted, levy_arena *scratch,
                                double *columns);

#endif
