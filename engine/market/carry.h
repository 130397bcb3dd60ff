/* carry.h: what holding an asset pays and costs: a yield and a cost of borrowing, both continuous,
 * and dividends on dates. Its members are this room's own. Must not know: whose they are. */
#ifndef LEVY_MARKET_CARRY_H
#define LEVY_MARKET_CARRY_H

#include "engine/market/curve.h"

#include <stdbool.h>

typedef struct levy_dividends {
    size_t n;      /* with 0 < ex time, ascending */
    double *times; /* ex dates */
    double *values;
} levy_dividends;

typedef struct levy_carry {
    levy_curve dividend_yield, borrow; /* without nodes: 0 */
    levy_dividends cash;               /* in the asset's currency */
    /* Cash is taken off what moves until the horizon, years from today (asset.h). */
    bool affine;
    double horizon;
    const double *worth; /* affine: [cash.n] of each today, over the spot (levy_asset_worth) */
    levy_dividends proportional; /* the spot falls by this fraction */
    levy_nodes dates;            /* of both, ascending; none has two */
} levy_carry;

/* Continues the logarithm of a forward at `from`, to which funding has been added, with what the
 * carry takes away until `to`: the yields, and proportional dividends until `until`. */
double levy_carry_log_growth(const levy_carry *carry, double log_forward, double from, double to,
                             double until);
/* log(1 - f) of a proportional dividend at t; 0: none */
double levy_carry_drop(const levy_carry *carry, double t);
double levy_carry_cash(const levy_carry *carry, double t); /* paid at t */
/* Whether cash makes a level until then other than a number times what moves. */
bool levy_carry_pays_cash(const levy_carry *carry, double until);
levy_nodes
levy_carry_falls(const levy_carry *carry); /* the dates on which cash makes a path jump */
bool levy_carry_has_dividends(const levy_carry *carry); /* on dates */
levy_nodes levy_carry_dates(const levy_carry *carry);
/* The dividend of a date. */
double levy_carry_dividend(const levy_carry *carry, size_t date, bool *proportional);
levy_nodes levy_carry_cash_dates(const levy_carry *carry);
levy_nodes levy_carry_proportional_dates(const levy_carry *carry);

#endif
