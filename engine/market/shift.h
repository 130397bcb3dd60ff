/* shift.h: a move of one number of the market. */
#ifndef LEVY_MARKET_SHIFT_H
#define LEVY_MARKET_SHIFT_H

#include "engine/market/asset.h"

#include <stdbool.h>

/* A shift of one number of the market. Rates are moved as continuously compounded zero rates,
 * volatilities as Black volatilities, a correlation in all its pieces. */
enum {
    LEVY_SHIFT_SPOT,
    LEVY_SHIFT_VOLATILITY,
    LEVY_SHIFT_RATE,
    LEVY_SHIFT_YIELD,
    LEVY_SHIFT_BORROW,
    LEVY_SHIFT_CORRELATION
};
typedef struct levy_shift {
    int32_t factor; /* LEVY_SHIFT_ */
    bool relative;  /* times 1 + size, else plus size */
    double size;
    const levy_asset *asset; /* NULL: every asset */
    const levy_asset *other; /* correlation: with this one */
    const levy_curve *curve; /* rate; NULL: every curve */
    size_t node;             /* of the volatilities or rates; SIZE_MAX: all, in parallel */
} levy_shift;

#endif
