/* tolerance.h: prices to an accuracy. The paths of a group double; each size adds draws to those of
 * the size before. This ends when every trade's price was within the tolerance at two successive
 * sizes, or at the limit on paths. At the limit one size is enough, because there is no further
 * size to confirm it. A trade keeps the sums of the size at which it was done, so its result never
 * depends on other trades. Doubling: M. Giles, F. Kuo, I. Sloan, B. Waterhouse, ANZIAM J. 50
 * (2008). Inflated error estimates: F. Hickernell, L. Jimenez Rugama, D. Li, Contemporary
 * Computational Mathematics (2018). */
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
