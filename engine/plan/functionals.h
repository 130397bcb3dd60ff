/* functionals.h: linear functionals of a Brownian path that are drawn before its bridge. A bridge
 * is path = M z with independent normals z, so a functional a . path is u . z with u = M^T a: a
 * direction among the normals. Reflections turn the normals so that the k coarsest entries' draws
 * become these directions, made orthonormal in their order: z = H x with H orthogonal. The path is
 * then as exact in law as the bridge and takes as many draws, the functionals are functions of k
 * draws alone, and the other draws fill in a bridge given them.
 *
 * H = I - V T V^T is a product of Householder reflections in compact form (R. Schreiber, C. van
 * Loan, SIAM J. Sci. Stat. Comput. 10, 1989). Entry i gathers sum_i gather[i][j] x_i for each
 * functional j, and its normal is x_i + sum_j spread[i][j] times these sums. The use for
 * quasi-random points: J. Imai, K. S. Tan, J. Computational Finance 10, 2006; G. Leobacher, J.
 * Complexity 28, 2012. Must not know: images, which functionals are asked for. */
#ifndef LEVY_PLAN_FUNCTIONALS_H
#define LEVY_PLAN_FUNCTIONALS_H

#include "engine/base/memory.h"
#include "engine/base/status.h"
#include "kernels/bridge/strategy.h"

typedef struct levy_functionals {
    uint32_t n;              /* 0: none, and no arrays */
    double *gather, *spread; /* [entry][functional] */
    /* [entry]: of a functional's draw, the variance that it gives the path, summed over the nodes;
     * else 0 */
    double *variance;
    /* [entry]: what the turn adds to the variance that a draw gives the path, summed over the
     * nodes, and the sum over the nodes of what the turned draw moves */
    double *added, *moved;
} levy_functionals;

/* weights: [functional][node], linearly independent; n at most the strategy's nodes. */
levy_status levy_functionals_create(const levy_strategy *strategy, uint32_t n,
                                    const double *weights, levy_arena *arena,
                                    levy_functionals *functionals);

#endif
