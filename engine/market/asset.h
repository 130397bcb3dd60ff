/* asset.h: an asset as a model sees it: spot, funding, carry, volatility. Must not know: how these
 * were quoted. */
#ifndef LEVY_MARKET_ASSET_H
#define LEVY_MARKET_ASSET_H

#include "engine/market/carry.h"
#include "engine/market/curve.h"
#include "engine/market/volatility.h"

typedef struct levy_asset {
    const char *name, *currency;
    const levy_node *node;
    double spot;
    /* the spot in the files: the initial fixing `spot`, which does not move when quotes are set */
    double read_spot;
    const levy_curve *curve; /* funding: the forward grows at its rate */
    levy_carry carry;
    levy_volatility volatility; /* none: no model of it needs one */
} levy_asset;

double levy_asset_variance(const levy_asset *asset, double t); /* of the logarithm, until t */
/* log E[S(t)/S(0)] without cash dividends */
double levy_asset_log_forward(const levy_asset *asset, double t);

/* The mean at t with cash dividends, as if none met the floor at 0. A lognormal law prices an
 * option on it, nearly, where `raised` is added to it and to the strike: of each dividend the part
 * of time that follows it is taken off the spot, and the part before it is added to the strike (M.
 * Bos, S. Vandermark, Finessing fixed dividends, Risk 15(9), 2002). */
double levy_asset_forward(const levy_asset *asset, double t, double *raised);

/* What stands for a currency: a spot of 1 that grows on its curve, with a volatility of 1. */
levy_asset levy_asset_of_currency(const char *currency, const levy_curve *curve);

#endif
