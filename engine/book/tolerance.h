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

/* A price compared with its tolerance. */
typedef struct levy_accuracy {
    /* `inflate` times the half-width of its interval, in the trade's currency; NaN: there is no
     * reliable interval */
    double width;
    double target; /* the width asked for: the larger of the absolute and the relative one */
    bool inside;
    bool fixed; /* it is exact but for rounding, so that more paths change nothing */
} levy_accuracy;

/* From a price output's sums (per unit, [n_replicates]), for a trade's signed size. */
levy_status levy_accuracy_of(const levy_memory *memory, const levy_plan *plan, uint32_t output,
                             const tree_sum *sums, double scale, levy_accuracy *accuracy);

/* As levy_run_plan, to a tolerance. Each trade's sums[output][replicate] come from its own size,
 * which their `n` tells. An output that belongs to no trade keeps the sums of the first size.
 * `plan` ends with the first size. */
levy_status levy_tolerance_run(const levy_memory *memory, const levy_backend *backend, void *state,
                               levy_plan *plan, const levy_run_options *options, tree_sum *sums,
                               levy_run_times *times, char *why);

#endif
