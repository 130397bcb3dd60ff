/* tie.h: when a known level equals a number of the file. A level that is derived, such as a fixing
 * in units of the initial one, is off by a few units in the last place; what the contract compares
 * is the decimal. Two numbers within 1e-12 of the larger are one. Must not know: what is compared.
 */
#ifndef LEVY_BASE_TIE_H
#define LEVY_BASE_TIE_H

#include <stdbool.h>

/* size: of the largest number that either was made of by adding and subtracting */
static inline bool levy_is_tie_of(double a, double b, double size)
{
    const double apart = a > b ? a - b : b - a;
    return a == b || (apart <= 1e-12 * size && size < 1e300); /* an overflow is near to nothing */
}

static inline bool levy_is_tie(double a, double b)
{
    const double x = a < 0.0 ? -a : a;
    const double y = b < 0.0 ? -b : b;
    return levy_is_tie_of(a, b, x > y ? x : y);
}

#endif
