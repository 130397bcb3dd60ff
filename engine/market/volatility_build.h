/* volatility_build.h: an asset's volatility from its file: flat, by term, or implied by prices of
 * options. */
#ifndef LEVY_MARKET_VOLATILITY_BUILD_H
#define LEVY_MARKET_VOLATILITY_BUILD_H

#include "engine/market/market.h"

/* All that need no forward. `path`: of the asset. False with a fault, or without one if it was
 * refused when it was read. */
bool levy_volatility_build(levy_check *build, const levy_variant_value *raw, const char *path,
                           levy_volatility *volatility);
/* Those that prices imply, on the asset's curve and carry. */
bool levy_volatility_imply(levy_check *build, const levy_variant_value *raw, const char *path,
                           levy_asset *asset);

#endif
