/* loadings.h: what the first draw of a path moves: the driver of its factor at each node, and the
 * logarithm of an asset there. Payoffs integrate over this draw (payoffs/integral.h). Must not
 * know: payoffs, images. */
#ifndef LEVY_PLAN_LOADINGS_H
#define LEVY_PLAN_LOADINGS_H

#include "engine/plan/build_order.h"
#include "engine/plan/dynamics.h"

/* driver: [n_nodes], per unit of the draw. */
levy_status levy_loadings_driver(const levy_build_order *build_order, levy_arena *arena,
                                 double *driver);

/* loading: [n_nodes], of asset u's natural logarithm. `factor` and `elapsed_share` are those of
 * levy_dynamics_fill. */
void levy_loadings_asset(const levy_dynamics_plan *plan, const double *driver, const double *factor,
                         const double *elapsed_share, size_t u, double *loading);

#endif
