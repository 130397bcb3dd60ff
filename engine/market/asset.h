/* asset.h: an asset as a model sees it: spot, funding, carry, volatility. Under affine dividends
 * its level is S = (F - D) X + D: F is the forward, D the cash to come up to the carry's horizon at
 * the asset's growth, and X, of mean 1, is what the model moves (H. Buehler, Volatility and
 * dividends, 2010). Must not know: how these were quoted. */
#ifndef LEVY_MARKET_ASSET_H
#define LEVY_MARKET_ASSET_H

#include "engine/market/carry.h"
#include "engine/market/curve.h"
#include "engine/market/volatility.h"

/* What a payment in another currency makes of an asset. At a fixed rate of exchange it drifts by
 * less the covariance of its logarithm with that of the price of its currency in the payment's. A
 * composite one is the asset times that price. */
typedef struct levy_quanto {
    const struct levy_asset *of; /* the asset as the market has it; NULL: it is that itself */
    const struct levy_asset *fx; /* that price, or (inverse) that of the payment's currency */
    bool inverse;
    bool composite;
    size_t number;                              /* composite: of fx among the assets of the model */
    const struct levy_correlation *correlation; /* of the asset and fx */
} levy_quanto;

typedef struct levy_asset {
    const char *name, *currency;
    const levy_node *node;
    double spot;
    /* the spot in the files: the initial fixing `spot`, which does not move when quotes are set */
    double read_spot;
    const levy_curve *curve; /* funding: the forward grows at its rate */
    levy_carry carry;
    levy_volatility volatility; /* none: no model of it needs one; of a composite: of the asset */
    /* of an exchange rate: the curve of the currency whose price it is, which the forward grows
     * less by; NULL: it is none */
    const levy_curve *base_curve;
    levy_quanto quanto;
} levy_asset;

/* The asset as the market has it: what shifts and fixings are of. */
const levy_asset *levy_asset_quoted(const levy_asset *asset);
bool levy_asset_is(const levy_asset *a, const levy_asset *b); /* whether that is the same */
/* Whether it grows by a curve, or less it, or by one that is over it. */
bool levy_asset_grows(const levy_asset *asset, const levy_curve *curve);

/* A level times the rate of a composite asset, at that rate as the market has it. */
double levy_asset_composite(const levy_asset *asset, double level, double rate);

/* The covariance of the logarithms of the asset and of the price of its currency: a quanto drifts
 * by less that. 0: of an asset that is none, or has no volatility. */
double levy_asset_quanto(const levy_asset *asset, double from, double to);
/* The same of what drives its variance, a Brownian motion whose correlation with the asset's is
 * `share`. */
double levy_asset_quanto_variance(const levy_asset *asset, double share, double from, double to);
double levy_asset_variance(const levy_asset *asset, double t); /* of the logarithm, until t */
/* log E[S(t)/S(0)] without cash dividends */
double levy_asset_log_forward(const levy_asset *asset, double t);
/* The same between two dates, of a spot that has fallen by the dividends until the first one, with
 * proportional dividends until `until`. */
double levy_asset_log_growth(const levy_asset *asset, double from, double to, double until);

/* Affine dividends. What each is worth at the date `now`, in years, over the spot then: what goes
 * ex before is paid on it. */
void levy_asset_worth(const levy_asset *asset, double now, double spot, double *worth);
/* Over that spot D at t, and F - D by what it is without cash: its logarithm, -infinity if it is
 * not positive. Of any other asset both are 0. */
double levy_asset_to_come(const levy_asset *asset, double now, double t);
double levy_asset_log_rest(const levy_asset *asset, double t);
bool levy_asset_has_rest(const levy_asset *asset); /* F > D at all dates */

/* The mean at t with cash dividends, as if none met the floor at 0. Affine ones leave a law of X:
 * `raised` is -D. Else a lognormal law prices an
 * option on it, nearly, where `raised` is added to it and to the strike: of each dividend the part
 * of time that follows it is taken off the spot, and the part before it is added to the strike (M.
 * Bos, S. Vandermark, Finessing fixed dividends, Risk 15(9), 2002). */
double levy_asset_forward(const levy_asset *asset, double t, double *raised);

/* Lists of the times between which volatility and drift are constant, dividends on dates apart: how
 * many lists. A list of one is of a number for all times. */
enum { LEVY_ASSET_LISTS = 11 };
size_t levy_asset_nodes(const levy_asset *asset, levy_nodes lists[LEVY_ASSET_LISTS]);

/* What stands for a currency: a spot of 1 that grows on its curve, with a volatility of 1. */
levy_asset levy_asset_of_currency(const char *currency, const levy_curve *curve);

#endif
