/* asset.c: see asset.h. */
#include "engine/market/asset.h"

#include "engine/market/correlation.h"
#include "kernels/lane/scalar.h"

#include <math.h>

const levy_asset *levy_asset_quoted(const levy_asset *asset)
{
    return asset->quanto.of ? asset->quanto.of : asset;
}

bool levy_asset_is(const levy_asset *a, const levy_asset *b)
{
    return levy_asset_quoted(a) == levy_asset_quoted(b);
}

bool levy_asset_grows(const levy_asset *asset, const levy_curve *curve)
{
    const levy_quanto *const q = &asset->quanto;
    const bool own = levy_curve_is_on(asset->curve, curve),
               base = levy_curve_is_on(asset->base_curve, curve);
    if (!q->composite) return own || base;
    const levy_curve *const here = q->inverse ? q->fx->base_curve : q->fx->curve,
                            *const abroad = q->inverse ? q->fx->curve : q->fx->base_curve;
    if (asset->curve == abroad) return base || levy_curve_is_on(here, curve); /* they cancel */
    return own || base || levy_asset_grows(q->fx, curve);
}

/* The covariance of the price of the asset's currency and of the asset, or of what drives its
 * variance. */
static double asset_covary(const levy_asset *asset, const double *share, double from, double to)
{
    const levy_quanto *const q = &asset->quanto;
    const levy_asset *const pair[] = {asset, q->fx};
    static const uint32_t both[] = {0, 1};
    double sum = 0.0, next = 0.0;
    for (double t = from; q->of && t < to; t = next) {
        next = levy_correlation_break(q->correlation, pair, both, 2, t, to);
        const size_t piece = levy_correlation_piece(q->correlation, next);
        const double given = levy_correlation_own(q->correlation, piece, 2, 1),
                     rate = levy_volatility_between(&q->fx->volatility, t, next),
                     own = levy_volatility_between(&asset->volatility, t, next);
        double rho = levy_correlation_of(q->correlation, piece, 0, 1);
        if (share) rho = given != LEVY_NO_CORRELATION ? given : *share * rho;
        sum += rho * levy_sqrt((share ? next - t : own) * rate);
    }
    return q->inverse ? -sum : sum;
}

double levy_asset_quanto(const levy_asset *asset, double from, double to)
{
    return asset_covary(asset, NULL, from, to);
}

double levy_asset_quanto_variance(const levy_asset *asset, double share, double from, double to)
{
    return asset_covary(asset, &share, from, to);
}

double levy_asset_composite(const levy_asset *asset, double level, double rate)
{
    return asset->quanto.inverse ? level / rate : level * rate;
}

double levy_asset_variance(const levy_asset *asset, double t)
{
    const double own = levy_volatility_variance(&asset->volatility, t);
    if (!asset->quanto.composite) return own;
    const double whole = own + levy_volatility_variance(&asset->quanto.fx->volatility, t) +
                         2.0 * levy_asset_quanto(asset, 0.0, t);
    return whole > 0.0 ? whole : 0.0;
}

double levy_asset_log_growth(const levy_asset *asset, double from, double to, double until)
{
    double growth =
        levy_curve_log_discount(asset->curve, from) - levy_curve_log_discount(asset->curve, to);
    if (asset->base_curve)
        growth -= levy_curve_log_discount(asset->base_curve, from) -
                  levy_curve_log_discount(asset->base_curve, to);
    if (asset->quanto.composite) {
        const double rate = levy_asset_log_growth(asset->quanto.fx, from, to, until);
        growth += asset->quanto.inverse ? -rate : rate;
    } else {
        growth -= levy_asset_quanto(asset, from, to);
    }
    return levy_carry_log_growth(&asset->carry, growth, from, to, until);
}

double levy_asset_log_forward(const levy_asset *asset, double t)
{
    return t > 0 ? levy_asset_log_growth(asset, 0.0, t, t) : 0;
}

/* Cash comes in the asset's currency, whatever pays for the trade: a quanto moves X alone. */
static levy_asset asset_plain(const levy_asset *asset)
{
    levy_asset plain = *asset;
    plain.quanto = (levy_quanto){0};
    return plain;
}

void levy_asset_worth(const levy_asset *asset, double now, double spot, double *worth)
{
    const levy_asset plain = asset_plain(asset);
    const levy_dividends *const cash = &asset->carry.cash;
    for (size_t i = 0; i < cash->n; ++i) {
        const double t = cash->times[i];
        worth[i] = cash->values[i] / spot *
                   levy_exp(-levy_asset_log_growth(&plain, now, t > now ? t : now, t));
    }
}

double levy_asset_to_come(const levy_asset *asset, double now, double t)
{
    const levy_asset plain = asset_plain(asset);
    const levy_carry *const c = &asset->carry;
    double sum = 0.0;
    for (size_t i = 0; c->affine && i < c->cash.n && c->cash.times[i] <= c->horizon; ++i)
        if (c->cash.times[i] > t) sum += c->worth[i];
    if (!(sum > 0.0)) return 0.0;
    return sum * levy_exp(levy_asset_log_growth(&plain, now, t > now ? t : now, t));
}

/* What the dividends until t, or the horizon, take off the spot, as a share. */
static double asset_taken(const levy_asset *asset, double t)
{
    const levy_carry *const c = &asset->carry;
    const double last = c->horizon > t ? c->horizon : t;
    double sum = 0.0;
    for (size_t i = 0; c->affine && i < c->cash.n && c->cash.times[i] <= last; ++i)
        sum += c->worth[i];
    return sum;
}

double levy_asset_log_rest(const levy_asset *asset, double t)
{
    const double taken = asset_taken(asset, t);
    if (taken == 0.0) return 0.0;
    return taken < 1.0 ? levy_log(1.0 - taken) : -INFINITY;
}

bool levy_asset_has_rest(const levy_asset *asset) { return asset_taken(asset, INFINITY) < 1.0; }

double levy_asset_forward(const levy_asset *asset, double t, double *raised)
{
    const levy_nodes dates = levy_carry_falls(&asset->carry);
    const double growth = levy_asset_log_forward(asset, t);
    double forward = asset->spot * levy_exp(growth + levy_asset_log_rest(asset, t));
    *raised = -asset->spot * levy_asset_to_come(asset, 0.0, t);
    forward -= *raised;
    for (size_t i = 0; i < dates.n && dates.times[i] <= t; ++i) {
        const double paid = levy_carry_cash(&asset->carry, dates.times[i]) *
                            levy_exp(growth - levy_asset_log_forward(asset, dates.times[i]));
        forward -= paid;
        *raised += paid * dates.times[i] / t;
    }
    return forward;
}

/* Those of the market's own asset: five at most. */
static size_t asset_own_nodes(const levy_asset *asset, levy_nodes *lists)
{
    size_t n = 0;
    lists[n++] = levy_volatility_nodes(&asset->volatility);
    lists[n++] = levy_curve_kinks(asset->curve);
    if (asset->carry.dividend_yield.n > 1)
        lists[n++] = levy_curve_kinks(&asset->carry.dividend_yield);
    if (asset->carry.borrow.n > 1) lists[n++] = levy_curve_kinks(&asset->carry.borrow);
    if (asset->base_curve) lists[n++] = levy_curve_kinks(asset->base_curve);
    return n;
}

size_t levy_asset_nodes(const levy_asset *asset, levy_nodes lists[LEVY_ASSET_LISTS])
{
    const levy_quanto *const q = &asset->quanto;
    size_t n = asset_own_nodes(asset, lists);
    if (!q->of) return n;
    if (q->composite)
        n += asset_own_nodes(q->fx, lists + n);
    else
        lists[n++] = levy_volatility_nodes(&q->fx->volatility);
    lists[n++] = (levy_nodes){q->correlation->n, q->correlation->times};
    return n;
}

levy_asset levy_asset_of_currency(const char *currency, const levy_curve *curve)
{
    static double one[] = {1.0}; /* year, variance */
    return (levy_asset){.name = currency,
                        .currency = currency,
                        .spot = 1.0,
                        .read_spot = 1.0,
                        .curve = curve,
                        .volatility = {.n = 1, .times = one, .total_variance = one}};
}
