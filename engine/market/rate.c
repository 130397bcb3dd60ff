/* rate.c: see rate.h. */
#include "engine/market/rate.h"

#include <string.h>

static const levy_raw_asset *rate_raw(const levy_market *market, size_t i)
{
    return market->asset_map.items[i].raw;
}

levy_rate levy_market_rate(const levy_market *market, const char *of, const char *in)
{
    levy_rate found = {.asset = LEVY_NO_NAME, .second = LEVY_NO_NAME};
    for (size_t i = 0; i < market->asset_map.names.count; ++i) {
        const levy_raw_asset *const raw = rate_raw(market, i);
        if (!raw->base_currency || !raw->currency) continue;
        const bool straight = strcmp(raw->base_currency, of) == 0 && strcmp(raw->currency, in) == 0;
        const bool turned = strcmp(raw->base_currency, in) == 0 && strcmp(raw->currency, of) == 0;
        if (!straight && !turned) continue;
        if (found.asset != LEVY_NO_NAME)
            found.second = i;
        else
            found = (levy_rate){i, turned, LEVY_NO_NAME};
    }
    return found;
}

/* An asset that has the name of the rate, of which it does not say so, and the currency whose price
 * it is by that name. NULL: there is none. */
static const char *rate_by_name(levy_check *build, const levy_market *market, const char *of,
                                const char *in, const char **base)
{
    const char *const pairs[2][2] = {{of, in}, {in, of}};
    for (size_t k = 0; k < 2; ++k) {
        const char *const name = levy_check_text(build, "%s%s", pairs[k][0], pairs[k][1]);
        *base = pairs[k][0];
        if (levy_names_find(&market->asset_map.names, name) != LEVY_NO_NAME) return name;
    }
    return NULL;
}

/* Where an asset was refused, that may be it. */
static bool rate_refuse(levy_check *build, const levy_market *market, const char *of,
                        const char *in, const levy_node *node, const char *path, const char *why,
                        const char *beside)
{
    const char *base;
    const char *const name = rate_by_name(build, market, of, in, &base);
    const char *hint =
        levy_check_text(build,
                        "Write market.assets.%s%s: {currency: %s, base_currency: %s, spot: "
                        "...%s}%s.",
                        of, in, in, of, *beside ? ", volatility: ..." : "", beside);
    for (size_t i = 0; i < market->asset_map.names.count; ++i)
        if (!market->asset_map.items[i].good) return false;
    if (name)
        hint = levy_check_text(build, "Write base_currency: %s in market.assets.%s%s.", base, name,
                               beside);
    return LEVY_REFUSE(build, MISSING_DATA, node, path, hint,
                       "%s, and the market has no exchange rate of the two", why);
}

bool levy_market_use_rate(levy_check *build, levy_market *market, const char *of, const char *in,
                          const levy_node *node, const char *path, const char *why,
                          const char *beside, levy_rate *rate)
{
    *rate = levy_market_rate(market, of, in);
    if (rate->asset == LEVY_NO_NAME)
        return rate_refuse(build, market, of, in, node, path, why, beside);
    if (rate->second != LEVY_NO_NAME)
        return LEVY_REFUSE(build, INCONSISTENT, node, path, "Keep one of the two rates.",
                           "%s, and both %s and %s are rates of these currencies", why,
                           rate_raw(market, rate->asset)->name,
                           rate_raw(market, rate->second)->name);
    market->asset_map.items[rate->asset].used = true;
    return market->asset_map.items[rate->asset].good;
}
