/* catalog_market.c: the tables of a market: volatilities, dividends, assets, correlations. See
 * catalog.h. Must not know: any rule that spans two keys (engine/problem/). */
#include "engine/schema/catalog.h"

/* ---- Market: assets ---- */

static const levy_field catalog_flat_volatility_fields[] = {
    {LEVY_KEY("value", NUMBER, levy_raw_volatility, value), .flags = LEVY_REQUIRED | LEVY_TOLD,
     .low = 1e-8, .high = 5, .unit = "1/sqrt(year)",
     .doc = "Black volatility as a decimal, in [1e-8, 5]."},
    {0}};
static const levy_table catalog_flat_volatility =
    OBJECT_TABLE("volatility flat", levy_raw_volatility, catalog_flat_volatility_fields,
                 "Constant volatility.", "{kind: flat, value: 0.2}");

static const levy_field catalog_term_volatility_fields[] = {
    {LEVY_KEY("nodes", TIME_VALUES, levy_raw_volatility, nodes),
     .also = "volatilities vols points pillars",
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_TOLD, .low = 1e-8, .high = 5,
     .unit = "1/sqrt(year)",
     .doc = "[expiry, Black volatility] pairs, in ascending order of time. "
            "Volatilities lie in [1e-8, 5]. The total variance must not decrease."},
    {0}};
static const levy_table catalog_term_volatility =
    OBJECT_TABLE("volatility term", levy_raw_volatility, catalog_term_volatility_fields,
                 "Term structure of Black volatilities. Total variance is linear "
                 "between nodes; beyond the last node the last forward volatility is "
                 "used.",
                 "{kind: term, nodes: [[0.5, 0.22], [1.0, 0.21], [2.0, 0.2]]}");

static const char *const catalog_option_sides[] = {"call", "put", "Call=call", "Put=put", NULL};
static const levy_field catalog_option_price_fields[] = {
    {LEVY_KEY("expiry", TIME, levy_raw_option_price, expiry), .also = "maturity date time tenor",
     .flags = LEVY_REQUIRED, .doc = "Expiry of the option, as of trades."},
    {LEVY_KEY("strike", NUMBER, levy_raw_option_price, strike), .also = "k",
     LEVY_WITHIN(0, 1e15, LEVY_REQUIRED | LEVY_LOW_OPEN), .unit = "currency", .doc = "Strike."},
    {LEVY_KEY("option_type", CHOICE, levy_raw_option_price, option_type),
     .also = "type side right cp", .choices = catalog_option_sides, .flags = LEVY_REQUIRED,
     .doc = "call or put."},
    {LEVY_KEY("price", NUMBER, levy_raw_option_price, price), .also = "premium mid",
     LEVY_WITHIN(0, 1e15, LEVY_REQUIRED | LEVY_LOW_OPEN), .unit = "currency",
     .doc = "Price of one option today."},
    {0}};
static const levy_table catalog_option_price = OBJECT_TABLE(
    "option price", levy_raw_option_price, catalog_option_price_fields,
    "The price of a European option.", "{expiry: 1.0, strike: 100, option_type: call, price: 9.2}");
static const levy_field catalog_implied_volatility_fields[] = {
    {LEVY_KEY("quotes", LIST, levy_raw_volatility, quotes), .also = "options prices",
     .element = LEVY_FIELD_OBJECT, .flags = LEVY_REQUIRED | LEVY_NON_EMPTY,
     .table = &catalog_option_price,
     .doc = "Prices of options, one for each expiry, in ascending order of time."},
    {0}};
static const levy_table catalog_implied_volatility =
    OBJECT_TABLE("volatility implied", levy_raw_volatility, catalog_implied_volatility_fields,
                 "Volatilities that prices imply: of one option as flat, of several as term, which "
                 "quotes and scenarios then move.",
                 "{kind: implied, quotes: [{expiry: 1.0, strike: 100, option_type: call, "
                 "price: 9.2}]}");

static const levy_variant catalog_volatility_kinds[] = {
    {"flat", &catalog_flat_volatility},
    {"term", &catalog_term_volatility},
    {"implied", &catalog_implied_volatility},
    {0},
};
const levy_table levy_volatility_table = {
    .name = "volatility",
    .doc = "A volatility: a bare number, {kind: flat, value}, {kind: term, nodes} or, of prices, "
           "{kind: implied, quotes}.",
    .size = sizeof(levy_variant_value),
    .variants = catalog_volatility_kinds,
    .shorthand = "flat",
    .shorthand_key = "value",
    .example = "{kind: term, nodes: [[0.5, 0.22], [1.0, 0.2]]}"};

static const char *const catalog_dividend_rules[] = {"spot", "affine", NULL};
static const levy_field catalog_dividends_fields[] = {
    {LEVY_KEY("cash", TIME_VALUES, levy_raw_dividends, cash), .flags = LEVY_TOLD | LEVY_LOW_OPEN,
     .low = 0, .high = HUGE_VAL, .unit = "currency",
     .doc = "[ex-date, amount] pairs, in ascending order of time. The spot falls "
            "by the amount, under rule spot not below 0."},
    {LEVY_KEY("proportional", TIME_VALUES, levy_raw_dividends, proportional),
     .flags = LEVY_TOLD | LEVY_LOW_OPEN | LEVY_HIGH_OPEN, .low = 0, .high = 1,
     .doc = "[ex-date, fraction] pairs, in ascending order of time. The spot falls "
            "by this fraction of its level."},
    {LEVY_KEY("rule", CHOICE, levy_raw_dividends, rule), .also = "model kind",
     .choices = catalog_dividend_rules, .fallback = "spot",
     .doc = "How cash meets the volatility. spot: all of the spot moves until the ex-date. affine: "
            "S = (F - D) X + D: the forward F without D, the cash to come, moves; the "
            "volatility is that of X."},
    {LEVY_KEY("horizon", TIME, levy_raw_dividends, horizon), .unit = "years",
     .doc = "rule affine: the last ex-date in D. Cash behind it lowers the forward alone. The "
            "default is the last cash dividend."},
    {0}};
const levy_table levy_dividends_table = {
    .name = "dividends",
    .doc = "Discrete dividends after the valuation date. An observation on an "
           "ex-date sees the spot after the dividend.",
    .size = sizeof(levy_raw_dividends),
    .fields = catalog_dividends_fields,
    .example = "{cash: [[0.25, 0.6], [0.75, 0.6]]}"};

static const levy_field catalog_asset_fields[] = {
    {LEVY_KEY("currency", NAME, levy_raw_asset, currency), .also = "ccy", .flags = LEVY_REQUIRED,
     .pattern = CATALOG_CURRENCY, .doc = "ISO 4217 code of the asset's quotation currency."},
    {LEVY_KEY("spot", NUMBER, levy_raw_asset, spot), .also = "price s0 spot_price last level",
     LEVY_WITHIN(0, 1e12, LEVY_REQUIRED | LEVY_LOW_OPEN), .unit = "currency",
     .doc = "Spot price on the valuation date; it must be positive."},
    {LEVY_KEY("curve", NAME, levy_raw_asset, curve),
     .doc = "Curve used to compute the forward. The default is the curve that has "
            "the currency's name."},
    {LEVY_KEY("base_currency", NAME, levy_raw_asset, base_currency), .also = "foreign_currency",
     .pattern = CATALOG_CURRENCY,
     .doc = "Makes the asset an exchange rate: ISO 4217 code of the currency whose price the spot "
            "is. The forward grows at the rates of curve less those of base_curve. Trades that "
            "are paid in one of both currencies on assets in the other find it by these."},
    {LEVY_KEY("base_curve", NAME, levy_raw_asset, base_curve),
     .doc = "Curve of the base currency. The default is the curve that has its name."},
    {LEVY_KEY("dividend_yield", VARIANT, levy_raw_asset, dividend_yield),
     .also = "q div div_yield dividend dividend_rate yield continuous_dividend",
     .table = &levy_yield_table,
     .doc = "Continuous dividend yield, as a decimal, by term, or implied by forwards. The default "
            "is 0."},
    {LEVY_KEY("borrow", VARIANT, levy_raw_asset, borrow),
     .also = "repo repo_rate borrow_cost borrow_rate stock_loan", .table = &levy_yield_table,
     .doc = "Continuous cost of borrowing the asset. It lowers the forward like a "
            "dividend yield. The default is 0."},
    {LEVY_KEY("dividends", OBJECT, levy_raw_asset, dividends), .also = "divs cash_dividends",
     .table = &levy_dividends_table, .doc = "Discrete dividends."},
    {LEVY_KEY("volatility", VARIANT, levy_raw_asset, volatility),
     .also = "vol sigma iv implied_vol implied_volatility black_vol volatilities",
     .table = &levy_volatility_table,
     .doc = "Black volatility, constant or a term structure. It is required unless "
            "every model of the asset has its own volatility parameters."},
    {LEVY_KEY("fixings", TIME_VALUES, levy_raw_asset, fixings),
     .also = "past_fixings history observed", .flags = LEVY_TOLD | LEVY_LOW_OPEN, .low = 0,
     .high = 1e12, .example = "[[2026-10-20, 101.5], [2026-11-20, 99.0]]", .unit = "currency",
     .doc = "[time, level] pairs, in ascending order of time: levels observed up "
            "to the valuation date. Path-dependent payoffs with past observations "
            "need them. Later ones have no effect."},
    {0}};
static const levy_synonym catalog_asset_strangers[] = {
    {"r rate risk_free risk_free_rate interest_rate discount_rate",
     "Rates are those of curves: write curves: {$(currency): $} under market."},
    {"forward forward_price fwd f0",
     "Forwards follow from the spot, the curve, dividend_yield and borrow: write spot in place of "
     "it."},
    {"forward_curve forward_points futures", "Write dividend_yield: {kind: implied, forwards: $}."},
    {"drift mu", "The drift follows from the curve, dividend_yield and borrow: remove this key."},
    {0}};
const levy_table levy_asset_table = {
    .name = "asset",
    .doc = "A traded asset: spot, forward, volatility, dividends and past fixings.",
    LEVY_FILLS(levy_raw_asset),
    .fields = catalog_asset_fields,
    .name_offset = offsetof(levy_raw_asset, name),
    .has_name = true,
    .example = "{currency: USD, spot: 100, volatility: 0.2, dividend_yield: 0.02}",
    .strangers = catalog_asset_strangers};

/* ---- Market: correlations, and the market itself ---- */

#define CATALOG_FACTOR "^[A-Za-z0-9_][A-Za-z0-9._-]*[.](spot|variance)$"
#define CATALOG_FACTOR_JSON "{\"type\": \"string\", \"pattern\": \"" CATALOG_FACTOR "\"}"
#define CATALOG_CORRELATION_JSON "{\"type\": \"number\", \"minimum\": -1, \"maximum\": 1}"
#define CATALOG_PAIRS                                                                              \
    "\"type\": \"array\", \"items\": {\"type\": \"array\", \"minItems\": 3, \"maxItems\": 3, "     \
    "\"items\": [" CATALOG_FACTOR_JSON ", " CATALOG_FACTOR_JSON ", " CATALOG_CORRELATION_JSON "]}"
#define CATALOG_MATRICES                                                                           \
    "\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"array\", \"minItems\": 2, "     \
    "\"maxItems\": 2, \"items\": [" LEVY_TIME_JSON                                                 \
    ", {\"type\": \"array\", \"items\": {\"type\": "                                               \
    "\"array\", \"items\": " CATALOG_CORRELATION_JSON "}}]}"
static const char *const catalog_correlation_kinds[] = {"constant", "term", NULL};
static const levy_field catalog_correlations_fields[] = {
    {LEVY_KEY("kind", CHOICE, levy_raw_correlations, kind), .choices = catalog_correlation_kinds,
     .fallback = "constant", .doc = "constant: give `matrix` or `pairs`. term: give `nodes`."},
    {LEVY_KEY("names", LIST, levy_raw_correlations, names), .element = LEVY_FIELD_NAME,
     .flags = LEVY_UNIQUE, .pattern = CATALOG_FACTOR,
     .doc = "Factors of the rows and columns, in order: an asset's name followed by `.spot` or, "
            "under heston and bates, `.variance`. What is not given of variances follows from "
            "spots: c_ij rho_j with variance j, c_ij rho_i rho_j of two variances."},
    {LEVY_KEY("matrix", MATRIX, levy_raw_correlations, matrix), .flags = LEVY_TOLD, .low = -1,
     .high = 1,
     .doc = "Correlation matrix. It must be symmetric with ones on the diagonal, "
            "and positive semidefinite for the assets of each model."},
    {LEVY_KEY("pairs", NODE, levy_raw_correlations, pairs), .json = CATALOG_PAIRS,
     .doc = "[factor, factor, correlation] triples. They replace names and matrix."},
    {LEVY_KEY("nodes", NODE, levy_raw_correlations, nodes), .json = CATALOG_MATRICES,
     .example = "[[1.0, [[1, 0.5], [0.5, 1]]], [2.0, [[1, 0.4], [0.4, 1]]]]",
     .doc = "[time, matrix] pairs, in ascending order of time. A matrix applies up "
            "to its time; the last one also applies after it."},
    {0}};
const levy_table levy_correlations_table =
    OBJECT_TABLE("correlations", levy_raw_correlations, catalog_correlations_fields,
                 "Instantaneous correlations of the assets' Brownian motions, for all "
                 "models: {names, matrix}, {pairs}, or {kind: term, names, nodes}. A "
                 "matrix that is not positive semidefinite is rejected; it is not "
                 "repaired.",
                 "{pairs: [[STOCK.spot, OTHER.spot, 0.5]]}", .one_of = "matrix pairs nodes",
                 .pair_key = "pairs", .pair_item = "[$1.spot, $2.spot, $3]");

static const levy_synonym catalog_market_strangers[] = {
    {"discount discounting r rate risk_free risk_free_rate interest_rate discount_rate",
     "Write curves: {USD: $}."},
    {0}};
#define MARKET_FIELDS                                                                              \
    {.name = "curves",                                                                             \
     .also = "rates curve yield_curves discount_curves interest_rates zero_rates discount",        \
     .type = LEVY_FIELD_MAP,                                                                       \
     .table = &levy_curve_table,                                                                   \
     .offset = offsetof(levy_raw_market, curves),                                                  \
     .doc = "Discount curves by name. The default curve of a currency has the "                    \
            "currency's name."},                                                                   \
        {.name = "calendars",                                                                      \
         .type = LEVY_FIELD_MAP,                                                                   \
         .table = &levy_calendar_table,                                                            \
         .offset = offsetof(levy_raw_market, calendars),                                           \
         .doc = "Business-day calendars by name."},                                                \
        {.name = "assets",                                                                         \
         .also = "fx equities equity stocks underlyings instruments spots",                        \
         .type = LEVY_FIELD_MAP,                                                                   \
         .table = &levy_asset_table,                                                               \
         .offset = offsetof(levy_raw_market, assets),                                              \
         .doc = "Assets by name."},                                                                \
    {                                                                                              \
        .name = "correlations", .also = "correlation corr rho", .type = LEVY_FIELD_OBJECT,         \
        .table = &levy_correlations_table, .offset = offsetof(levy_raw_market, correlations),      \
        .doc = "Correlations between assets."                                                      \
    }

static const levy_field catalog_market_fields[] = {
    {LEVY_KEY("file", TEXT, levy_raw_market, file),
     .doc = "A file with market data. The path is relative to this file and must "
            "stay below its folder. Short form: `market: market.yaml`."},
    MARKET_FIELDS,
    {0}};
const levy_table levy_market_table = {
    .name = "market",
    .doc = "Market data: curves, calendars, assets and correlations. They can be "
           "given here, in a referenced file, or in both.",
    LEVY_FILLS(levy_raw_market),
    .fields = catalog_market_fields,
    .shorthand_key = "file",
    .strangers = catalog_market_strangers,
    .example =
        "{curves: {USD: 0.05}, assets: {STOCK: {currency: USD, spot: 100, volatility: 0.2}}}"};

static const levy_field catalog_market_alone_fields[] = {MARKET_FIELDS, {0}};
const levy_table levy_market_alone_table =
    OBJECT_TABLE("market file", levy_raw_market, catalog_market_alone_fields,
                 "A market data file. Its top level has the keys of `market`.", NULL,
                 .strangers = catalog_market_strangers);
