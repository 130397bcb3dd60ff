/* curve_par.h: discount factors from par rates. */
#ifndef LEVY_MARKET_CURVE_PAR_H
#define LEVY_MARKET_CURVE_PAR_H

#include "engine/market/build.h"
#include "engine/market/curve.h"

/* Fills the nodes of swaps, which begin at number `first`; those before and all times are given. A
 * fault if there are no such factors. */
bool levy_curve_strip(levy_check *build, const levy_raw_curve *raw, const char *path, size_t first,
                      levy_curve *curve);

#endif
