/* quantile_table.h: builds the tables of quantile.h on the host. */
#ifndef LEVY_DISCRETE_QUANTILE_TABLE_H
#define LEVY_DISCRETE_QUANTILE_TABLE_H

#include "engine/base/memory.h"
#include "engine/base/status.h"
#include "kernels/samplers/discrete/laws.h"

#include <stddef.h>

/* Builds the table of a law in the units of path_log: `scale` is 1 in double precision, log2(e) in
 * single. Where a cell is compared with the law, a draw x is off by at most tolerance * (x + 1/64),
 * 1 being the mean (gamma, inverse Gaussian) or the end (beta). An octave that does not reach this
 * with 1,024 cells keeps those. *n is a multiple of 8. The table lives in the arena. */
levy_status levy_quantile_build(const levy_law *law, double tolerance, double scale,
                                levy_arena *arena, double **table, size_t *n);

#endif
