/* correlation.h: correlations of a model's assets as a function of time. */
#ifndef LEVY_MARKET_CORRELATION_H
#define LEVY_MARKET_CORRELATION_H

#include <stddef.h>

/* Correlations of a model's assets, constant on (times[k-1], times[k]]; the last goes on for ever.
 */
typedef struct levy_correlation {
    size_t n;         /* pieces, >= 1 */
    double *times;    /* ends of the pieces; times[n-1] is not used */
    double *matrices; /* [piece][row][column], full, unit diagonal, positive semidefinite */
} levy_correlation;

#endif
