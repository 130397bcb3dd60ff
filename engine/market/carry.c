/* carry.c: see carry.h. */
#include "engine/market/carry.h"

#include "kernels/lane/scalar.h"

#include <stdint.h>

/* What a yield takes away until t. */
static double carry_until(const levy_curve *rate, double t)
{
    return rate->n ? -levy_curve_log_discount(rate, t) : 0.0;
}

static double carry_level(const levy_curve *rate) { return rate->n ? levy_curve_rate(rate, 0) : 0; }

static double carry_rates(const levy_carry *c, double from, double to)
{
    const levy_curve *const a = &c->dividend_yield, *const b = &c->borrow;
    if (a->n <= 1 && b->n <= 1) return (carry_level(a) + carry_level(b)) * (to - from);
    return carry_until(a, to) - carry_until(a, from) + (carry_until(b, to) - carry_until(b, from));
}

double levy_carry_log_growth(const levy_carry *c, double log_forward, double from, double to,
                             double until)
{
    const levy_dividends *const d = &c->proportional;
    log_forward -= carry_rates(c, from, to);
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
    const double last = c->affine && c->horizon > until ? c->horizon : until;
    return c->cash.n > 0 && c->cash.times[0] <= last;
}

levy_nodes levy_carry_falls(const levy_carry *c)
{
    return c->affine ? (levy_nodes){0, NULL} : levy_carry_cash_dates(c);
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
