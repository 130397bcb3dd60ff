/* lognormal.h: what a kind needs for its exact price where the level is lognormal at every date:
 * the law of the level, and what options are worth on it before discounting. Every value is made of
 * two numbers of a lognormal X on one side of a level k: the probability P(s (X - k) > 0) and the
 * part E[X; s (X - k) > 0] of its mean. Source: F. Black, M. Scholes, J. Political Economy 81
 * (1973). Must not know: kinds, trades, markets. */
#ifndef LEVY_PAYOFFS_LOGNORMAL_H
#define LEVY_PAYOFFS_LOGNORMAL_H

#include "payoffs/claim.h"

/* Mean and variance of the logarithm. */
typedef struct levy_lognormal {
    double mean, variance;
} levy_lognormal;

double levy_lognormal_forward(levy_lognormal law); /* the mean of X */
/* E[s (X - paid); s (X - trigger) > 0] */
double levy_lognormal_gap(levy_lognormal law, double s, double trigger, double paid);
/* E[max(s (X - strike), 0)] */
double levy_lognormal_vanilla(levy_lognormal law, double s, double strike);
/* Pays cash, or X itself, if s (X - k) > 0. */
double levy_lognormal_binary(levy_lognormal law, double s, double k, bool asset, double cash);

/* A claim on a level whose logarithm has independent normal increments, and how its closed form
 * asks for them. */
typedef struct levy_lognormal_claim {
    const levy_claim *claim;
    const double *observations; /* [claim->n_future], in years, ascending */
    double expiry;
    size_t n_assets; /* of which the level is made */
    const void *level;
    /* of the logarithm at a time, and of what it adds over (from, to] */
    double (*mean)(const void *level, double time);
    double (*variance)(const void *level, double from, double to);
} levy_lognormal_claim;

levy_lognormal levy_lognormal_at(const levy_lognormal_claim *c, double time);

#endif
