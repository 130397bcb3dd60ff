/* triangle.h: three exchange rates of three currencies say the same thing twice. Must not know: who
 * reads them. */
#ifndef LEVY_MARKET_TRIANGLE_H
#define LEVY_MARKET_TRIANGLE_H

#include "engine/market/correlation_build.h"

/* Warns where a rate's spot, volatility or correlation with another asset is not what the other two
 * rates make of it, within 0.1 %, half a point of volatility, and 0.05. Of rates that nothing uses,
 * nothing is said. Called when trades are resolved. */
void levy_market_check_triangles(levy_check *build, const levy_market *market,
                                 const levy_correlation_data *data);

#endif
