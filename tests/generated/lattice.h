/* lattice.h: calls and puts that are exercised early, on a lattice of the tests: Crank and
 * Nicolson's scheme (Proc. Cambridge Phil. Soc. 43, 1947) on even nodes of the spot's logarithm,
 * begun by R. Rannacher's implicit steps (Numer. Math. 43, 1984), with policy iteration at each
 * step, extrapolated. Regimes mix by their chances, half before a step and half after it (G.
 * Strang, SIAM J. Numer. Anal. 5, 1968). Must not know: engine/exercise. */
#ifndef LEVY_TESTS_GENERATED_LATTICE_H
#define LEVY_TESTS_GENERATED_LATTICE_H

#include "engine/problem/problem.h"

typedef struct lattice_value {
    double price, error; /* of the trade; by what the extrapolation still changed, and rounding */
    double strike;       /* that it pays at most for a call, of the trade */
} lattice_value;

enum { LATTICE_REGIMES = 2 };

/* A chain of two regimes, of which the first is today's: how often a year each is left, and what it
 * multiplies the volatility by and adds to all rates. */
typedef struct lattice_chain {
    double left[LATTICE_REGIMES], factor[LATTICE_REGIMES], rate[LATTICE_REGIMES];
} lattice_chain;

/* Of a trade with `early`, on today's market, where regimes switch as the chain does. NULL: none
 * does. */
lattice_value lattice_price(const levy_trade *trade, const lattice_chain *chain);

#endif
