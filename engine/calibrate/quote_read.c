/* quote_read.c: quotes on a market, as undiscounted puts by the forward. Cash dividends leave no
 * law of a spot in closed form, so that they shift forward and strike (levy_asset_forward). See
 * calibration.h. Must not know: the law that is fitted. */
#include "engine/calibrate/calibration.h"

#include "engine/fourier/black.h"

#include <math.h>

/* A quote under way: where it stands, and the numbers that it is measured by. */
typedef struct quote_reading {
    levy_smile *smile;
    const levy_raw_smile_quote *raw;
    const levy_asset *asset;
    const char *path;
    double years, forward, discount; /* of the strike's currency */
    double raised; /* what cash dividends add to the strike, and to the forward that is fitted */
    double log_strike, deviation; /* volatility sqrt(years) */
} quote_reading;

static bool quote_refuse(const quote_reading *q, const char *key, const char *hint,
                         const char *message)
{
    levy_check *const build = q->smile->build;
    return LEVY_REFUSE(build, INCONSISTENT, levy_check_at(q->raw->node, key),
                       levy_check_text(build, "%s.%s", q->path, key), hint, "%s", message);
}

/* Which keys are there, and whether they go together. */
static bool quote_keys(const quote_reading *q)
{
    const levy_raw_smile_quote *const raw = q->raw;
    if (raw->style != 0)
        return quote_refuse(q, "style", "Leave the quote out.",
                            "only European options are fitted: an American price has the value of "
                            "early exercise in it");
    if (isnan(raw->strike) == isnan(raw->delta))
        return quote_refuse(q, "strike", "Write strike: 100, or delta: 0.25.",
                            "a quote has a strike or a delta");
    if (isnan(raw->price) == isnan(raw->volatility))
        return quote_refuse(q, "price", "Write price: 4.2, or volatility: 0.2.",
                            "a quote has a price or a volatility");
    if (!isnan(raw->delta) && isnan(raw->volatility))
        return quote_refuse(q, "delta", "Write its strike, or its volatility.",
                            "a delta goes with a volatility");
    if (raw->option_type >= 0 && ((raw->option_type == 0 && raw->delta < 0.0) ||
                                  (raw->option_type != 0 && raw->delta > 0.0)))
        return quote_refuse(q, "delta", "Change its sign, or leave option_type out.",
                            "a call's delta is above 0, and a put's is below 0");
    if (raw->delta == 0.0)
        return quote_refuse(q, "delta", "Write a delta in (-1, 1).", "no strike has a delta of 0");
    if (!isnan(raw->price) && raw->option_type < 0)
        return quote_refuse(q, "price", "Write option_type: call, or option_type: put.",
                            "a price needs an option_type");
    return true;
}

static bool quote_spread(const quote_reading *q)
{
    const levy_raw_smile_quote *const raw = q->raw;
    const double quoted = isnan(raw->price) ? raw->volatility : raw->price;
    if (isnan(raw->bid) && isnan(raw->ask)) return true;
    if (isnan(raw->bid) || isnan(raw->ask))
        return quote_refuse(q, isnan(raw->bid) ? "ask" : "bid", "Write both, or neither.",
                            "bid and ask go together");
    if (!isnan(raw->weight))
        return quote_refuse(q, "weight", "Keep one of the two.",
                            "bid and ask stand in place of a weight");
    if (!(raw->bid < raw->ask))
        return quote_refuse(q, "ask", "Half of ask - bid is the quote's error, which is above 0.",
                            "the ask must be above the bid");
    if (!(quoted >= raw->bid && quoted <= raw->ask))
        return quote_refuse(q, isnan(raw->price) ? "volatility" : "price",
                            "All three are in one unit.", "lies outside of bid and ask");
    return true;
}

static bool quote_market(quote_reading *q)
{
    const levy_asset *const asset = q->asset;
    levy_check *const build = q->smile->build;
    const char *const path = levy_check_text(build, "%s.expiry", q->path);
    if (!levy_check_time(build, &q->raw->expiry, path, &q->years)) return false;
    if (!(q->years > 0.0))
        return quote_refuse(q, "expiry", "Leave the quote out.", "must be after the valuation");
    q->forward = levy_asset_forward(asset, q->years, &q->raised);
    if (!(q->forward > 0.0))
        return quote_refuse(q, "expiry", "Check the asset's dividends.",
                            "cash dividends before are worth more than the spot");
    q->discount = levy_exp(levy_curve_log_discount(asset->curve, q->years));
    return true;
}

/* No volatility gives the price, or a volatility leaves none. */
static bool quote_refuse_price(const quote_reading *q, bool call)
{
    levy_check *const build = q->smile->build;
    const double scale = q->discount * q->forward, strike = levy_exp(q->log_strike);
    const double most = call ? 1.0 : strike;
    const double paid = call ? strike : 1.0;
    if (isnan(q->raw->price))
        return quote_refuse(q, "volatility", "Check the unit of the expiry and of the volatility.",
                            "the volatility over the time to expiry is too large");
    return quote_refuse(
        q, "price", "Check the option_type, and the forward that the market gives.",
        levy_check_text(build, "no volatility gives this price: it must lie between %s and %s",
                        levy_check_rounded(build, scale * fmax(most - paid, 0.0)),
                        levy_check_rounded(build, scale * most)));
}

/* The strike and what its price implies. */
static bool quote_level(quote_reading *q, levy_fitted_quote *fitted)
{
    const levy_raw_smile_quote *const raw = q->raw;
    const double root = levy_sqrt(q->years);
    q->deviation = raw->volatility * root;
    q->log_strike = isnan(raw->delta) ? levy_log(raw->strike / q->forward)
                                      : levy_black_strike_of_delta(raw->delta, q->deviation);
    const bool call = raw->option_type < 0 ? q->log_strike >= 0.0 : raw->option_type == 0;
    if (isnan(raw->volatility))
        q->deviation =
            levy_black_implied(q->log_strike, call, raw->price / (q->discount * q->forward));
    if (!(q->forward * levy_exp(q->log_strike) + q->raised > 0.0))
        return quote_refuse(q, isnan(raw->strike) ? "delta" : "strike", "Leave the quote out.",
                            "lies below the cash to come, which the level stays above");
    if (!(q->deviation > 0.0 && q->deviation < 20.0)) return quote_refuse_price(q, call);
    if (!(levy_black_vega(q->log_strike, q->deviation) * root > LEVY_QUOTE_LEAST_VEGA))
        return quote_refuse(q, isnan(raw->strike) ? "delta" : "strike", "Leave the quote out.",
                            "is so far from the forward that no price shows a volatility");
    *fitted = (levy_fitted_quote){.years = q->years,
                                  .strike = q->forward * levy_exp(q->log_strike),
                                  .forward = q->forward,
                                  .is_call = call,
                                  .volatility = q->deviation / root,
                                  .weight = isnan(raw->weight) ? 1.0 : raw->weight};
    return true;
}

/* A price error of one unit of volatility, by the forward. */
static double quote_vega(const quote_reading *q, double floor)
{
    return fmax(levy_black_vega(q->log_strike, q->deviation) * levy_sqrt(q->years), floor);
}

static void quote_take(const quote_reading *q, levy_fitted_quote *fitted, levy_fit_quote *quote)
{
    const levy_raw_smile_quote *const raw = q->raw;
    const double vega = quote_vega(q, q->smile->raw->floor), half = 0.5 * (raw->ask - raw->bid);
    if (!isnan(half))
        fitted->weight = isnan(raw->price) ? 1.0 / half : vega * q->discount * q->forward / half;
    const double put = levy_black_put(q->log_strike, q->deviation),
                 fitted_forward = 1.0 + q->raised / q->forward;
    *quote = (levy_fit_quote){.years = q->years,
                              .log_strike =
                                  levy_log((fitted->strike + q->raised) / (q->forward + q->raised)),
                              .put = put / fitted_forward,
                              .per_unit = fitted_forward * fitted->weight / vega};
    fitted->price = levy_smile_price(q->smile, fitted, put);
}

double levy_smile_price(const levy_smile *smile, const levy_fitted_quote *quote, double put)
{
    const levy_curve *const curve = levy_smile_curve(smile, quote);
    const double discount = levy_exp(levy_curve_log_discount(curve, quote->years)),
                 undiscounted = put * quote->forward;
    return discount *
           (quote->is_call ? undiscounted + quote->forward - quote->strike : undiscounted);
}

static bool quote_has_error(const levy_raw_smile_quote *raw)
{
    return !isnan(raw->bid) || !isnan(raw->ask);
}

/* Whether all quotes have bid and ask, or none has. */
static bool quotes_check_errors(levy_smile *smile)
{
    const levy_raw_smile_quote *const items = smile->raw->quotes.items;
    const size_t n = smile->raw->quotes.count;
    size_t n_errors = 0, without = 0;
    for (size_t i = 0; i < n; ++i) n_errors += quote_has_error(&items[i]);
    smile->has_errors = n_errors > 0;
    if (n_errors == 0 || n_errors == n) return true;
    while (quote_has_error(&items[without])) ++without;
    return LEVY_REFUSE(smile->build, INCONSISTENT, items[without].node,
                       levy_check_text(smile->build, "calibration.quotes[%zu]", without),
                       "Give all quotes bid and ask, or none.",
                       "some quotes have bid and ask, and others have not");
}

bool levy_smile_read(levy_smile *smile, levy_fit *fit)
{
    const levy_raw_smile_quote *const items = smile->raw->quotes.items;
    bool good = quotes_check_errors(smile);
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < smile->raw->quotes.count; ++i) {
        quote_reading q = {.smile = smile,
                           .raw = &items[i],
                           .asset = smile->assets[smile->of[i]],
                           .path = levy_check_text(smile->build, "calibration.quotes[%zu]", i)};
        const bool fits = quote_keys(&q) && quote_spread(&q) && quote_market(&q) &&
                          quote_level(&q, &smile->fitted[i]);
        good = good && fits;
        if (!fits) continue;
        quote_take(&q, &smile->fitted[i], &fit->quotes[i]);
        smile->raised[i] = q.raised;
        fit->quotes[i].source = i;
        fit->quotes[i].asset = smile->of[i];
        sum += smile->fitted[i].volatility;
        squares += smile->fitted[i].weight * smile->fitted[i].weight;
        smile->is_weighted = smile->is_weighted || smile->has_errors || !isnan(items[i].weight);
    }
    fit->n = smile->raw->quotes.count;
    fit->volatility = sum / (double)fit->n;
    fit->weight = levy_sqrt(squares / (double)fit->n);
    return good;
}
