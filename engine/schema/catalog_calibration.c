/* catalog_calibration.c: the tables of a calibration: quotes of options, and the parameters of the
 * model that is fitted to them. See catalog.h. Must not know: any rule that spans two keys
 * (engine/calibrate/). */
#include "engine/schema/catalog.h"

#include "payoffs/fields.h"

/* ---- Quotes ---- */

static const char *const catalog_quote_styles[] = {
    "european", "american", "European=european", "American=american", NULL,
};

#define QUOTE_NUMBER(key, least, most, more)                                                       \
    LEVY_KEY(#key, NUMBER, levy_raw_smile_quote, key), LEVY_WITHIN(least, most, more)
static const levy_field catalog_quote_fields[] = {
    {LEVY_KEY("expiry", TIME, levy_raw_smile_quote, expiry),
     .also = "maturity date time tenor expiration expiry_date maturity_date",
     .flags = LEVY_REQUIRED, .doc = "Expiry of the option, as of trades."},
    {QUOTE_NUMBER(strike, 0, 1e15, LEVY_LOW_OPEN), .also = "k strike_price", .unit = "currency",
     .doc = "Strike, or `delta` in its place."},
    {QUOTE_NUMBER(delta, -1, 1, LEVY_LOW_OPEN | LEVY_HIGH_OPEN),
     .doc = "Delta of the forward, not adjusted for the premium: of a call above 0, of a put below "
            "0. It goes with a volatility."},
    {LEVY_KEY("option_type", CHOICE, levy_raw_smile_quote, option_type),
     .also = "type side right cp option call_put put_call callput", .choices = levy_option_types,
     .words = levy_option_words, .doc = "call or put: a price needs it."},
    {QUOTE_NUMBER(price, 0, 1e15, 0), .also = "premium mid mid_price", .unit = "currency",
     .doc = "Price of one option today, or `volatility` in its place."},
    {QUOTE_NUMBER(volatility, 1e-4, 5, 0),
     .also = "vol iv ivol implied_vol implied_volatility sigma", .unit = "1/sqrt(year)",
     .doc = "Black volatility of the option on its forward, as a decimal."},
    {QUOTE_NUMBER(bid, 0, 1e15, 0),
     .doc = "Bid, in the unit of the quote. Half of ask - bid is the quote's error."},
    {QUOTE_NUMBER(ask, 0, 1e15, LEVY_LOW_OPEN), .doc = "Ask, in the unit of the quote."},
    {QUOTE_NUMBER(weight, 1e-9, 1e6, 0),
     .doc = "Weight of the quote's error, in place of bid and ask. The default is 1."},
    {LEVY_KEY("style", CHOICE, levy_raw_smile_quote, style), .choices = catalog_quote_styles,
     .fallback = "european", .doc = "Quotes are of European options; others are refused."},
    {LEVY_KEY("asset", NAME, levy_raw_smile_quote, asset), .also = "underlying",
     .doc = "Name of the asset, if it is not the calibration's: a model of several is fitted."},
    {0}};
const levy_table levy_smile_quote_table =
    OBJECT_TABLE("quote", levy_raw_smile_quote, catalog_quote_fields,
                 "A quote of a European option, to which a model is fitted.",
                 "{expiry: 1.0, strike: 100, volatility: 0.2}", .one_of = "strike delta");

/* ---- Parameters ---- */

#define LAW_NUMBER(key, text)                                                                      \
    {                                                                                              \
        LEVY_KEY(#key, NUMBER, levy_raw_law_parameter, key), .doc = text                           \
    }
static const levy_field catalog_law_fields[] = {
    LAW_NUMBER(value, "Where the first search starts, or what is fixed."),
    {LEVY_KEY("fixed", FLAG, levy_raw_law_parameter, fixed), .fallback = "false",
     .doc = "Whether `value` stays as it is."},
    {LEVY_KEY("shared", FLAG, levy_raw_law_parameter, shared), .fallback = "false",
     .doc = "Whether all assets have one number, where they have quotes of several."},
    LAW_NUMBER(low, "Least value that is sought."),
    LAW_NUMBER(high, "Largest value that is sought."),
    LAW_NUMBER(toward, "Pulls the parameter: (parameter - toward) / within is one more residual, "
                       "in units of the quotes' errors."),
    LAW_NUMBER(within, "The distance from `toward` that counts as one error: half of a spread, 1 / "
                       "weight, or 1 % of volatility."),
    {0}};
const levy_table levy_law_parameter_table = {LEVY_FILLS(levy_raw_law_parameter),
                                             .name = "parameter",
                                             .doc = "What is known of a parameter that is fitted.",
                                             .fields = catalog_law_fields,
                                             .name_offset = offsetof(levy_raw_law_parameter, name),
                                             .has_name = true,
                                             .example = "{value: 2, low: 0.5, high: 8}"};

/* ---- The calibration ---- */

const char *const levy_calibrated_kinds[] = {
    "heston",
    "bates",
    "merton",
    "kou",
    "variance_gamma",
    "normal_inverse_gaussian",
    "regime_switching",
    "nig=normal_inverse_gaussian",
    NULL,
};

static const levy_synonym catalog_calibrated_words[] = {
    {"mixture", "model: regime_switching, parameters: {rate_12: {value: 0, fixed: true}, rate_21: "
                "{value: 0, fixed: true}}"},
    {0}};

static const levy_field catalog_calibration_fields[] = {
    {LEVY_KEY("asset", NAME, levy_raw_calibration, asset), .also = "underlying",
     .flags = LEVY_REQUIRED, .doc = "Name of the asset in market.assets whose options are quoted."},
    {LEVY_KEY("model", CHOICE, levy_raw_calibration, model), .also = "kind",
     .choices = levy_calibrated_kinds, .words = catalog_calibrated_words, .flags = LEVY_REQUIRED,
     .doc = "Kind of the model that is fitted."},
    {LEVY_KEY("name", NAME, levy_raw_calibration, name), .fallback = "fitted",
     .doc = "Name of the model that is written."},
    {LEVY_KEY("quotes", LIST, levy_raw_calibration, quotes), .also = "options",
     .element = LEVY_FIELD_OBJECT, .flags = LEVY_NON_EMPTY, .table = &levy_smile_quote_table,
     .doc = "Quotes, or `file` in their place."},
    {LEVY_KEY("file", TEXT, levy_raw_calibration, file), .example = "quotes.csv",
     .doc = "Relative path of a file of comma-separated quotes beneath the folder of this file. "
            "Its first row has the keys of a quote."},
    {LEVY_KEY("parameters", MAP, levy_raw_calibration, parameters),
     .table = &levy_law_parameter_table,
     .doc = "What is known of parameters, by their names: the model's keys, and `volatility` of "
            "the asset where the model is a diffusion with jumps. With several assets `kappa` is "
            "that of each, and `SPX.kappa` that of one."},
    {LEVY_KEY("terms", LIST, levy_raw_calibration, terms), .element = LEVY_FIELD_TIME,
     .example = "[0.5, 2]",
     .doc = "Of heston and bates: up to 5 ends of terms, in each of which theta, xi and rho are "
            "numbers of their own."},
    {LEVY_KEY("floor", NUMBER, levy_raw_calibration, floor), LEVY_WITHIN(0, 1, LEVY_LOW_OPEN),
     .fallback = "0.01",
     .doc = "Least vega by which a price error is divided, as a part of the forward."},
    {LEVY_KEY("starts", COUNT, levy_raw_calibration, starts), LEVY_WITHIN(1, 1000, 0),
     .fallback = "8", .doc = "How many searches begin, each elsewhere."},
    {LEVY_KEY("seed", COUNT, levy_raw_calibration, seed), LEVY_WITHIN(0, 9007199254740991.0, 0),
     .fallback = "1", .doc = "Seed of the starts."},
    {0}};
const levy_table levy_calibration_table =
    OBJECT_TABLE("calibration", levy_raw_calibration, catalog_calibration_fields,
                 "What `levy calibrate` fits: a model to quotes of European options of an asset, "
                 "or of several.",
                 "{asset: STOCK, model: merton, quotes: [{expiry: 1.0, strike: 100, volatility: "
                 "0.2}]}",
                 .one_of = "quotes file");
