/* levenberg.h: a bounded search for the least sum of squares. Private to this room. Source: K.
 * Levenberg, Quarterly of Applied Mathematics 2, 1944; D. Marquardt, J. SIAM 11, 1963; the damping
 * goes by the ratio of what a step gains to what it promised (H. Nielsen, Damping parameter in
 * Marquardt's method, 1999). A parameter at a bound that would leave it is held there. */
#ifndef LEVY_CALIBRATE_LEVENBERG_H
#define LEVY_CALIBRATE_LEVENBERG_H

#include "engine/calibrate/residuals.h"

typedef struct levy_search {
    levy_residuals residuals;
    levy_residual_rows here, there; /* at the point, and at one that is tried */
    double low[LEVY_EXPONENT_MOST], high[LEVY_EXPONENT_MOST]; /* equal: fixed */
    size_t most_steps;
    double least_step; /* of any parameter, in the units of the search: it ends below */
} levy_search;

/* Moves the point to a least sum of squares, which it returns; `here` then is there. converged: the
 * steps became that small, not only many. */
double levy_search_run(levy_search *search, double *point, bool *converged);
/* Whether the parameter is at a bound, and would leave it. */
bool levy_search_is_held(const levy_search *search, const double *point, size_t j);

#endif
