/* volatility.h: Black volatilities as a function of time, kept as total variance: linear between
 * nodes, so that the instantaneous volatility is piecewise constant. Its members are this room's
 * own. Must not know: whose they are. */
#ifndef LEVY_MARKET_VOLATILITY_H
#define LEVY_MARKET_VOLATILITY_H

#include "engine/base/memory.h"
#include "engine/base/status.h"
#include "engine/market/nodes.h"

typedef struct levy_volatility {
    size_t n;      /* nodes; 0: there is none */
    double *times; /* ascending; flat: one node */
    /* sigma_black(t)^2 * t at the nodes; linear between, last forward vol beyond */
    double *total_variance;
} levy_volatility;

double levy_volatility_variance(const levy_volatility *volatility, double t); /* until t */
double levy_volatility_between(const levy_volatility *volatility, double from, double to);
levy_nodes levy_volatility_nodes(const levy_volatility *volatility);
double levy_volatility_level(const levy_volatility *volatility, size_t node); /* Black's */
/* One for all times. */
levy_status levy_volatility_flat(double level, levy_arena *arena, levy_volatility *volatility);
/* Whether each variance is positive, and none falls. */
bool levy_volatility_is_sound(const levy_volatility *volatility);
/* The first node after t and before `until`; `until`: none is. */
double levy_volatility_break(const levy_volatility *volatility, double t, double until);

#endif
