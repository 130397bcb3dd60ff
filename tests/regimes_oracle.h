/* regimes_oracle.h: European options under Markov-modulated lognormal (and jump) assets, by a
 * matrix exponential and a Fourier integral (A. Lewis, Option Valuation under Stochastic
 * Volatility, 2000): what test_regimes.c and test_jumps.c hold simulations against. Shares no code
 * with the engine. */
#ifndef LEVY_TESTS_REGIMES_ORACLE_H
#define LEVY_TESTS_REGIMES_ORACLE_H

#include <stddef.h>

enum { ORACLE_MOST = 8 };

typedef struct oracle_market {
    size_t n; /* regimes */
    double rate[ORACLE_MOST], yield[ORACLE_MOST], volatility[ORACLE_MOST];
    /* of normal jumps of the logarithm; 0: none */
    double intensity[ORACLE_MOST], mean[ORACLE_MOST], deviation[ORACLE_MOST];
    /* or of double exponential ones, where rate_up > 0 */
    double up[ORACLE_MOST], rate_up[ORACLE_MOST], rate_down[ORACLE_MOST];
    double generator[ORACLE_MOST][ORACLE_MOST];
    double start[ORACLE_MOST]; /* probabilities */
} oracle_market;

double oracle_call(const oracle_market *market, double spot, double strike, double time);

#endif
