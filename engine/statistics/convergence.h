/* convergence.h: the arithmetic of convergence studies, and their writers. From estimates of
 * independent replicates at growing sizes it computes root mean square errors, a fitted slope, and
 * standard errors of both by the bootstrap over replicates (B. Efron, Annals of Statistics 7,
 * 1979). The sizes of a replicate share points, so a replicate is resampled as a whole. The seed is
 * fixed: equal input gives equal output. Must not know: how the estimates were computed. */
#ifndef LEVY_STATISTICS_CONVERGENCE_H
#define LEVY_STATISTICS_CONVERGENCE_H

#include "engine/base/memory.h"
#include "engine/base/status.h"
#include "engine/levy.h"

typedef struct levy_line {
    double slope, intercept;
} levy_line;

/* Least squares; NaN with fewer than two different x. */
levy_line levy_line_fit(const double *x, const double *y, size_t n);

typedef struct levy_converge_input {
    size_t n_replicates, n_sizes;
    const uint64_t *sizes;   /* ascending */
    const double *estimates; /* [replicate * n_sizes + size] */
    double reference;
    uint64_t fit_first, fit_last; /* the line is fitted to these sizes, both included */
    uint32_t resamples;
} levy_converge_input;

/* rmse, rmse_se: arrays [n_sizes] of the caller. line: log2 rmse against log2 size, without sizes
 * that have no error. Standard errors are NaN with one replicate. */
typedef struct levy_converge_figures {
    double *rmse, *rmse_se, *mean, *mean_se; /* the means by levy_converge_halve alone */
    levy_line line;
    double slope_se;
} levy_converge_figures;

levy_status levy_converge_measure(const levy_memory *memory, const levy_converge_input *input,
                                  levy_converge_figures *figures);

/* The same of sizes that are steps: rmse is what a size changes to the next, the size of its mean
 * over the replicates, rmse_se its standard error (NaN of the last). The line is fitted to what is
 * above two of its errors, with weights (rmse / rmse_se)^2, which are those of its logarithm. */
levy_status levy_converge_halve(const levy_memory *memory, const levy_converge_input *input,
                                levy_converge_figures *figures);

/* Sets the figures that compare methods: baseline, target_rmse if it is 0, seconds_to_target,
 * efficiency. A method with one replicate is not compared; if all have one, target_rmse is NaN. */
void levy_converge_compare(levy_convergence *study, levy_convergence_method *methods);

#endif
