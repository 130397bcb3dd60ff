/* integrate.h: a program that runs on intervals of one normal z instead of on one value of it
 * (payoffs/integral.h). The logarithm of each level is a + b z with b > 0, so that "worst level at
 * B or above" is a half-line of z, and a path falls into segments of z on each of which every
 * condition holds or fails. The states that conditions change are each segment's own; a payment is
 * a number times the segment's chance, and levels times what they are worth on it. A. Griewank,
 * F. Y. Kuo, H. Leoevey, I. H. Sloan, J. Comput. Appl. Math. 344 (2018). Must not know: the
 * language, trades, markets. */
#ifndef LEVY_SCRIPT_INTEGRATE_H
#define LEVY_SCRIPT_INTEGRATE_H

#include "engine/script/script.h"

/* What can be integrated is built of numbers that do not depend on z, sums of multiples of levels
 * and of the worst or best of some, and comparisons of one such level with a number. The integrated
 * script has the states of `script` under their numbers, and more.
 *
 * n_dates: [schedule]. most_counted: comparisons of a path that may change a count which nothing
 * resets: each may be one segment more. by_path: b differs from path to path. Result: NULL, and
 * `integrated` is filled; or why it cannot be, a phrase. No memory: NULL, and integrated->program
 * is NULL. */
const char *levy_script_integrate(const levy_script *script, const size_t *n_dates,
                                  size_t most_counted, bool by_path, levy_arena *arena,
                                  levy_script *integrated);

#endif
