/* curve_build.h: discount curves from their quotes. Source: P. Hagan and G. West, "Interpolation
 * methods for curve construction", Applied Mathematical Finance 13, 2006 (raw, and linear on zero
 * rates).
 */
#ifndef LEVY_MARKET_CURVE_BUILD_H
#define LEVY_MARKET_CURVE_BUILD_H

#include "engine/market/build.h"
#include "engine/market/curve.h"

/* Fills `curve` from the curve written at `raw`. False with a fault if a quote or a time is bad. */
bool levy_curve_build(levy_check *build, const levy_variant_value *raw, const char *path,
                      levy_curve *curve);
/* Refuses a rate that is none, and warns of one that may be in per cent. */
bool levy_curve_check_rate(levy_check *build, const levy_node *node, const char *path, double rate);
/* Puts a spread over a curve. False: out of memory. */
bool levy_curve_put_over(levy_check *build, levy_curve *curve, const levy_curve *over);

#endif
