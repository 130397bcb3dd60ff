/* asset.h: an asset as a model sees it: spot, funding, what it pays, volatility. Must not know: how
 * these were quoted. */
#ifndef LEVY_MARKET_ASSET_H
#define LEVY_MARKET_ASSET_H

#include "engine/market/curve.h"

typedef struct levy_asset {
    const char *name, *currency;
    const levy_node *node;
    double spot;
    /* the spot in the files: the initial fixing `spot`, which does not move when quotes are set */
    double read_spot;
    const levy_curve *curve;       /* funding: the forward grows at its rate */
    double dividend_yield, borrow; /* continuous, per year */
    size_t n_volatility;           /* 0: it has none, and no model of it needs one */
    double *volatility_times;      /* ascending; flat: one node */
    /* sigma_black(t)^2 * t at the nodes; linear between, last forward vol beyond */
    double *total_variance;
    size_t n_cash, n_proportional; /* dividends with 0 < ex time, ascending */
    double *cash_times, *cash_amounts;
    double *proportional_times, *proportional_fractions; /* the spot falls by this fraction */
} levy_asset;
double levy_asset_total_variance(const levy_asset *asset, double t);
/* log E[S(t)/S(0)] without cash dividends */
double levy_asset_log_forward(const levy_asset *asset, double t);
/* log(1 - f) of a proportional dividend at t; 0: none */
double levy_asset_drop(const levy_asset *asset, double t);

#endif
