/* asset.c: see asset.h. */
#include "engine/market/asset.h"

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
