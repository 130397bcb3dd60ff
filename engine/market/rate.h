/* rate.h: the exchange rates of a market: assets that are the price of one currency in another.
 * Must not know: who pays in which currency. */
#ifndef LEVY_MARKET_RATE_H
#define LEVY_MARKET_RATE_H

#include "engine/market/market.h"

typedef struct levy_rate {
    size_t asset;  /* its number in the market; LEVY_NO_NAME: there is none */
    bool inverse;  /* it is the price of the second currency in the first */
    size_t second; /* another rate of the same two; LEVY_NO_NAME: there is none */
} levy_rate;

/* The rate of two currencies, as the files have it: the asset may have been refused. */
levy_rate levy_market_rate(const levy_market *market, const char *of, const char *in);
/* The rate that tells what `of` is worth in `in`, which counts as used. False with a fault at
 * `node`, which begins with `why`, or without one where the asset was refused already. */
bool levy_market_use_rate(levy_check *build, levy_market *market, const char *of, const char *in,
                          const levy_node *node, const char *path, const char *why,
                          const char *beside, levy_rate *rate);

#endif
