/* rare_errors.h: the error of an output that comes of events of which so few paths tell that
 * replicates may agree about them (engine/plan/rare.h): what an output's markets miss of each, by
 * how many paths tell of it. Must not know: intervals, standard errors, how rare events are found.
 */
#ifndef LEVY_STATISTICS_RARE_ERRORS_H
#define LEVY_STATISTICS_RARE_ERRORS_H

#include "engine/plan/rounding.h"
#include "kernels/lane/tree.h"

/* So many paths of an event show how much it is. */
enum { LEVY_RARE_ENOUGH = 6 };

/* Of output `o`, per unit; sums, price: as levy_output_estimate. has_cells: the one draw has a
 * point in each of its cells, which shows what a bump crosses. */
double levy_beyond_error(const levy_plan *plan, uint32_t o, const tree_sum *sums);
double levy_rare_error(const levy_plan *plan, uint32_t o, const tree_sum *sums, levy_spread price,
                       bool has_cells);

/* Whether it is known that a difference's bumps move so few paths across levels at which a payoff
 * decides that its rare error has them. */
bool levy_crosses_rarely(const levy_plan *plan, uint32_t o, const tree_sum *sums);

#endif
