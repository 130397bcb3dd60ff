/* fit.h: the parameters of a law by which its European prices come nearest to quotes: bounded
 * Levenberg-Marquardt from several starts, with the law's own slopes. Must not know: files,
 * markets, how quotes are written. */
#ifndef LEVY_CALIBRATE_FIT_H
#define LEVY_CALIBRATE_FIT_H

#include "engine/base/memory.h"
#include "engine/base/status.h"
#include "engine/fourier/cos.h"

#include <stdint.h>

typedef struct levy_fit_quote {
    double years, log_strike; /* log(K / F) */
    double put;               /* undiscounted, by the forward: a call's by parity */
    double per_unit;          /* weight / max(vega, floor): price error to residual */
    size_t source;            /* the caller's number of it */
    size_t asset;
} levy_fit_quote;

typedef struct levy_fit_bound {
    double start;          /* NaN: none is given */
    double low, high;      /* of what is sought */
    bool is_fixed;         /* at its start */
    double toward, within; /* a further residual, (value - toward) / within; within 0: none */
} levy_fit_bound;

typedef struct levy_fit {
    const levy_exponent *law;  /* its parameters are those of all assets */
    const levy_exponent *each; /* the law of one asset, where there are several */
    /* [assets][each->n]: which parameters it has; NULL: there is one asset, of `law` itself */
    size_t (*places)[LEVY_EXPONENT_MOST];
    levy_fit_quote *quotes; /* [n], by asset, expiry and strike: levy_fit_order */
    size_t n;
    levy_fit_bound bounds[LEVY_EXPONENT_MOST];
    double volatility; /* a typical one, from which starts are drawn */
    double weight;     /* root mean square of the quotes'; 0: 1 */
    size_t n_starts;   /* 1 or more */
    uint64_t seed;
    struct levy_progress *progress; /* learns how many searches of all have ended; NULL: nobody */
} levy_fit;

typedef struct levy_fit_end {
    double values[LEVY_EXPONENT_MOST];
    double cost; /* sum of squares of the residuals; HUGE_VAL: none of its prices is finite */
    bool agrees; /* with the best, in parameters and in cost */
} levy_fit_end;

typedef struct levy_fit_result {
    double values[LEVY_EXPONENT_MOST];
    double cost;
    bool converged;
    bool free[LEVY_EXPONENT_MOST];     /* none of the following, nor fixed */
    bool at_bound[LEVY_EXPONENT_MOST]; /* sought, and stopped by its bound */
    bool idle[LEVY_EXPONENT_MOST];     /* sought, and no price depends on it */
    /* inverse of J'J over the free ones, in the parameters' units; 0 for the others */
    double covariance[LEVY_EXPONENT_MOST][LEVY_EXPONENT_MOST];
    double *puts;                           /* [n], of the model */
    double (*response)[LEVY_EXPONENT_MOST]; /* [n][law->n]: of a parameter to a put's price */
    double weakest;                         /* least eigenvalue of J'J with columns of length 1 */
    double direction[LEVY_EXPONENT_MOST];   /* its vector, in these units */
    const double *left_out;                 /* [n]: bounds on what the puts lack of the model's */
    levy_fit_end *starts;                   /* [n_starts] */
    size_t n_best;                          /* the start that led to it */
} levy_fit_result;

static inline size_t levy_fit_place(const levy_fit *fit, size_t asset, size_t k)
{
    return fit->places ? fit->places[asset][k] : k;
}

/* Sorts the quotes by asset, those of one by expiry, and then by strike. */
void levy_fit_order(levy_fit *fit);
/* LEVY_MEMORY, LEVY_CANCELLED: the arena's memory was asked and has stopped, or LEVY_NUMERIC: no
 * start has finite prices. The result's arrays are in the arena. */
levy_status levy_fit_run(const levy_fit *fit, levy_arena *arena, levy_fit_result *result);

#endif
