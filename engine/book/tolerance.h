/* tolerance.h: prices to an accuracy. The paths of a group double, each size with the same
 * draws and more of them, until every trade has had its price inside the tolerance at two
 * successive sizes, or the most paths allowed are spent (inside at that size alone will do: there
 * is none to confirm it). A trade keeps the sums of the size at which it was done, so that its
 * result never depends on its neighbours. Design: M. Giles, F. Kuo, I. Sloan, B. Waterhouse, ANZIAM
 * J. 50 (2008), the doubling; F. Hickernell, L. Jimenez Rugama, D. Li, Contemporary Computational
 * Mathematics (2018), inflated error estimates. */
#ifndef LEVY_BOOK_TOLERANCE_H
#define LEVY_BOOK_TOLERANCE_H

#include "engine/book/handles.h"
#include "engine/plan/plan.h"
#include "engine/run/run.h"

/* How a price stands to its tolerance. */
typedef struct levy_accuracy {
    /* inflate times the half-width of its interval, in the trade's currency; NaN: no interval can
     * be given */
    double width;
    double target; /* what is asked: the larger of absolute and relative */
    bool inside;
} levy_accuracy;

/* Of a price output's sums (per unit, [n_replicates]) at a trade's signed size. */
levy_status levy_accuracy_of(const levy_memory *memory, const levy_plan *plan, uint32_t output,
                             const tree_sum *sums, double scale, levy_accuracy *accuracy);

/* levy_run_plan for a tolerance. sums[output][replicate] as there, each trade's of its own size:
 * their `n` says which. The output that belongs to no trade keeps the first size's. `plan` is left
 * with the first size. */
levy_status levy_tolerance_run(const levy_memory *memory, const levy_backend *backend, void *state,
                               levy_plan *plan, const levy_run_options *options, tree_sum *sums,
                               levy_run_times *times, char *why);

#endif
