/* cos.h: European prices by the Fourier-cosine method (F. Fang, C. Oosterlee, SIAM J. Scientific
 * Computing 31, 2008): puts of any strike of one expiry, and their slopes in the parameters, from
 * one series. The range is chosen from Chernoff's bound on both tails, and the series ends where
 * what is left out is bounded by the same error. Must not know: quotes, files. */
#ifndef LEVY_FOURIER_COS_H
#define LEVY_FOURIER_COS_H

#include "engine/fourier/exponent.h"

enum { LEVY_COS_MOST = 16384, LEVY_COS_STRIDE = LEVY_EXPONENT_MOST + 1 };

typedef struct levy_cos {
    size_t n;         /* parameters with slopes; 0: none are wanted */
    double low, step; /* the range's beginning; pi / its width */
    size_t n_terms;
    double sums[LEVY_COS_STRIDE];     /* of the terms */
    double (*terms)[LEVY_COS_STRIDE]; /* [room]: the price's, then each slope's */
    size_t room;                      /* of terms, given by the caller */
    double left_out;                  /* bound on the error of a put by its strike */
} levy_cos;

/* Log strikes are log(K / F). error: that is allowed to a put by its strike. With `slopes` also the
 * derivatives in the parameters. False: a number is not finite. Where the room ends before the
 * series does, left_out is above the error. */
bool levy_cos_begin(levy_cos *cos, const levy_exponent *law, const double *parameters, double t,
                    double least_log_strike, double most_log_strike, double error, bool slopes);

/* The put by the forward, undiscounted: E[(K - S)+] / F; slopes: [n], NULL: not wanted. */
double levy_cos_put(const levy_cos *cos, double log_strike, double *slopes);

#endif
