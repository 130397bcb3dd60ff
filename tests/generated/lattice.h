/* lattice.h: calls and puts that are exercised early, on a lattice of the tests: Crank and
 * Nicolson's scheme (Proc. Cambridge Phil. Soc. 43, 1947) on even nodes of the spot's logarithm,
 * begun by R. Rannacher's implicit steps (Numer. Math. 43, 1984), with policy iteration at each
 * step, extrapolated. Must not know: engine/exercise. */
#ifndef LEVY_TESTS_GENERATED_LATTICE_H
#define LEVY_TESTS_GENERATED_LATTICE_H

#include "engine/problem/problem.h"

typedef struct lattice_value {
    double price, error; /* of the trade; by what the extrapolation still changed, and rounding */
    double strike;       /* that it pays at most for a call, of the trade */
} lattice_value;

/* Of a trade with `early`, on today's market. */
lattice_value lattice_price(const levy_trade *trade);

#endif
