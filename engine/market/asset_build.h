/* asset_build.h: one asset from its quotes: forward, volatility, dividends, past fixings. */
#ifndef LEVY_MARKET_ASSET_BUILD_H
#define LEVY_MARKET_ASSET_BUILD_H

#include "engine/market/market.h"

/* Curves must be resolved before. False with a fault, or without one if its curve was refused
 * already. */
bool levy_asset_build(levy_check *build, levy_market *market, const levy_raw_asset *raw,
                      const char *path, levy_asset *asset, levy_fixings *fixings);

#endif
