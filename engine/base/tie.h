/* tie.h: when a known level equals a number of the file. A level that is derived, such as a fixing
 * in units of the initial one, is off by a few units in the last place; what the contract compares
 * is the decimal. Two numbers within 1e-12 of the larger are one. A number that is made of known
 * levels, and that paths compare later on as it is, is the short decimal that it is but for its
 * rounding. Must not know: what is compared. */
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

/* The decimal that x is but for a few roundings of its size, without digits beyond the ninth
 * of it; else x. */
static inline double levy_tie_decimal(double x, double size)
{
    double scale = 1.0; /* up to 1e22 a power of ten is exact, and so is the decimal's last bit */
    if (!(size < 1e15) || !(x <= size && -x <= size)) return x;
    while (size * (scale * 1e4) < 1e8 && scale < 1e19) scale *= 1e4;
    while (size * scale < 1e8 && scale < 1e22) scale *= 10.0;
    const double digits = (x < 0.0 ? -x : x) * scale, whole = (double)(long long)(digits + 0.5),
                 decimal = (x < 0.0 ? -whole : whole) / scale,
                 apart = x > decimal ? x - decimal : decimal - x;
    return apart <= 4e-15 * size ? decimal : x;
}

#endif
