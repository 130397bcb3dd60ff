/* asset.c: see asset.h. Volatility is kept as total variance, linear between nodes: the
 * instantaneous volatility is piecewise constant. */
#include "engine/market/asset.h"

#include "kernels/lane/scalar.h"

double levy_asset_total_variance(const levy_asset *asset, double t)
{
    const size_t n = asset->n_volatility;
    if (t <= 0 || n == 0) return 0;
    size_t i = 0;
    while (i < n && asset->volatility_times[i] < t) ++i;
    if (i == n) i = n - 1; /* the last forward volatility goes on */
    const double t0 = i > 0 ? asset->volatility_times[i - 1] : 0,
                 w0 = i > 0 ? asset->total_variance[i - 1] : 0;
    return w0 + (asset->total_variance[i] - w0) * ((t - t0) / (asset->volatility_times[i] - t0));
}

double levy_asset_log_forward(const levy_asset *asset, double t)
{
    if (t <= 0) return 0;
    double log_forward =
        -levy_curve_log_discount(asset->curve, t) - (asset->dividend_yield + asset->borrow) * t;
    for (size_t i = 0; i < asset->n_proportional && asset->proportional_times[i] <= t; ++i)
        log_forward += levy_log(1 - asset->proportional_fractions[i]);
    return log_forward;
}

double levy_asset_drop(const levy_asset *asset, double t)
{
    for (size_t i = 0; i < asset->n_proportional && asset->proportional_times[i] <= t; ++i)
        if (asset->proportional_times[i] == t)
            return levy_log(1 - asset->proportional_fractions[i]);
    return 0;
}
