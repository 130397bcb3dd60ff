/* integrate.h: makes a program that runs on intervals of one normal z instead of on one value of z
 * (payoffs/integral.h). The logarithm of each level is a + b z with b > 0, so "worst level at B or
 * above" is a half-line of z, and a path decomposes into segments of z on each of which every
 * condition is true or false. States that conditions change are per segment. A payment is a number
 * times the segment's probability, plus levels times their integrals over it. A. Griewank, F. Y.
 * Kuo, H. Leoevey, I. H. Sloan, J. Comput. Appl. Math. 344 (2018). Must not know: the language,
 * trades, markets. */
#ifndef LEVY_SCRIPT_INTEGRATE_H
#define LEVY_SCRIPT_INTEGRATE_H

#include "engine/script/payoff_script.h"

/* Cash dividends. added: a number of the date is added to each level. n_dates: else, how many dates
 * one more schedule has, on which they are taken off the only asset. */
typedef struct levy_script_cash {
    bool added;
    uint32_t schedule;
    size_t n_dates;
} levy_script_cash;

/* A script can be integrated if it is built of numbers that do not depend on z, of sums of
 * multiples of levels (one asset's, or the worst or best of several), and of comparisons of one
 * such level with a number. The integrated script has the states of `script` under their numbers,
 * and others.
 *
 * n_dates: [schedule]. most_counted: the most comparisons of a path that may change a count which
 * nothing resets; each may add a segment. by_path: b differs from path to path. Returns NULL and
 * fills `integrated`, or says in a phrase why the script cannot be integrated. No memory: NULL, and
 * integrated->program is NULL. */
const char *levy_script_integrate(const levy_script *script, const size_t *n_dates,
                                  size_t most_counted, bool by_path, levy_script_cash cash,
                                  levy_arena *arena, levy_script *integrated);

#endif
