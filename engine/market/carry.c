/* carry.c: see carry.h. */
#include "engine/market/carry.h"

#include "kernels/lane/scalar.h"

#include <stdint.h>

double levy_carry_log_growth(const levy_carry *c, double log_forward, double from, double to,
                             double until)
{
    const levy_dividends *const d = &c->proportional;
    log_forward -= (c->dividend_yield + c->borrow) * (to - from);
    for (size_t i = 0; i < d->n && d->times[i] <= until; ++i)
        log_forward += levy_log(1 - d->values[i]);
    return log_forward;
}

double levy_carry_drop(const levy_carry *c, double t)
{
    const levy_dividends *const d = &c->proportional;
    for (size_t i = 0; i < d->n && d->times[i] <= t; ++i)
        if (d->times[i] == t) return levy_log(1 - d->values[i]);
    return 0;
}

double levy_carry_cash(const levy_carry *c, double t)
{
    double amount = 0.0;
    for (size_t i = 0; i < c->cash.n; ++i)
        if (c->cash.times[i] == t) amount += c->cash.values[i];
    return amount;
}

bool levy_carry_pays_cash(const levy_carry *c, double until)
{
    return c->cash.n > 0 && c->cash.times[0] <= until;
}

bool levy_carry_has_dividends(const levy_carry *c) { return c->cash.n + c->proportional.n > 0; }

levy_nodes levy_carry_dates(const levy_carry *c) { return c->dates; }

double levy_carry_dividend(const levy_carry *c, size_t date, bool *proportional)
{
    const double time = c->dates.times[date];
    const size_t cash = levy_nodes_at(levy_carry_cash_dates(c), time);
    *proportional = cash == SIZE_MAX;
    if (!*proportional) return c->cash.values[cash];
    return c->proportional.values[levy_nodes_at(levy_carry_proportional_dates(c), time)];
}

levy_nodes levy_carry_cash_dates(const levy_carry *c)
{
    return (levy_nodes){c->cash.n, c->cash.times};
}

levy_nodes levy_carry_proportional_dates(const levy_carry *c)
{
    return (levy_nodes){c->proportional.n, c->proportional.times};
}
