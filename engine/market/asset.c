/* asset.c: see asset.h. */
#include "engine/market/asset.h"

#include "kernels/lane/scalar.h"

double levy_asset_variance(const levy_asset *asset, double t)
{
    return levy_volatility_variance(&asset->volatility, t);
}

double levy_asset_log_forward(const levy_asset *asset, double t)
{
    if (t <= 0) return 0;
    return levy_carry_log_growth(&asset->carry, -levy_curve_log_discount(asset->curve, t), 0.0, t,
                                 t);
}

double levy_asset_forward(const levy_asset *asset, double t, double *raised)
{
    const levy_nodes dates = levy_carry_cash_dates(&asset->carry);
    const double growth = levy_asset_log_forward(asset, t);
    double forward = asset->spot * levy_exp(growth);
    *raised = 0.0;
    for (size_t i = 0; i < dates.n && dates.times[i] <= t; ++i) {
        const double paid = levy_carry_cash(&asset->carry, dates.times[i]) *
                            levy_exp(growth - levy_asset_log_forward(asset, dates.times[i]));
        forward -= paid;
        *raised += paid * dates.times[i] / t;
    }
    return forward;
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
