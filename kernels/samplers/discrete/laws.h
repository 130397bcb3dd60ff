/* laws.h: distribution functions of continuous distributions on the host, as logarithms of their
 * tails by the logarithm of the argument, and their inverses. They use only the engine's own exp,
 * log and normal distribution function, so the tables made from them have the same bits on every
 * machine. Must not know: tables. */
#ifndef LEVY_DISCRETE_LAWS_H
#define LEVY_DISCRETE_LAWS_H

#include <stdbool.h>

double levy_log_gamma(double x); /* x > 0 */

typedef enum levy_law_kind {
    LEVY_QUANTILE_GAMMA,           /* gamma of shape a, divided by its mean; a in [1e-6, 1e7] */
    LEVY_QUANTILE_BETA,            /* beta of shapes a and b, both in [1e-6, 1e7] */
    LEVY_QUANTILE_INVERSE_GAUSSIAN /* of mean 1 and shape a: variance 1 / a; a in [1e-6, 1e7] */
} levy_law_kind;

/* `constant` and `log_mean` are made from a and b for the functions below. */
typedef struct levy_law {
    levy_law_kind kind;
    double a, b, constant, log_mean;
} levy_law;

levy_law levy_law_gamma(double a);
levy_law levy_law_beta(double a, double b);
levy_law levy_law_inverse_gaussian(double a);

/* log P(X < e^y), or log P(X > e^y) with `upper`, and its derivative by y. Gamma: X is not divided
 * by its mean here. Beta: `upper` is not supported. */
double levy_law_log_tail(const levy_law *law, bool upper, double y, double *slope);

/* The y at which the tail's logarithm is `log_p`, searched from a guess on. *slope is the tail's
 * slope there. Gamma: X is divided by its mean. Beta with `upper`: y is the logarithm of the
 * distance from 1. */
double levy_law_log_quantile(const levy_law *law, bool upper, double log_p, double guess,
                             double *slope);

#endif
