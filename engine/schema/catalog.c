/* catalog.c: the tables of a whole file. Each says which keys an object has, their types, ranges,
 * defaults and meaning; reader, JSON Schema and `levy describe` all run on them. Spellings of ORE,
 * Strata and the ISDA CDM are accepted as aliases of our own where they name the same thing. Must
 * not know: any rule that spans two keys (engine/problem/). */
#include "engine/schema/book.h"
#include "engine/schema/kind_file.h"
#include "engine/schema/schema.h"
#include "engine/schema/synonyms.h"

#include "engine/base/number.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define CATALOG_CURRENCY "^[A-Z]{3}$"

#define OBJECT_TABLE(title, struct_type, field_array, text, ...)                                   \
    {                                                                                              \
        .name = title, .doc = text, .size = sizeof(struct_type), .fields = field_array,            \
        .node_offset = offsetof(struct_type, node), .has_node = true, .example = __VA_ARGS__       \
    }

/* ---- Market: calendars and curves ---- */

static const char *const catalog_weekdays[] = {"monday", "tuesday",  "wednesday", "thursday",
                                               "friday", "saturday", "sunday",    NULL};

static const levy_field catalog_calendar_fields[] = {
    {.name = "weekend",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_CHOICE,
     .choices = catalog_weekdays,
     .offset = offsetof(levy_raw_calendar, weekend),
     .doc = "Weekdays that are not business days. The default is saturday and "
            "sunday."},
    {.name = "holidays",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_DATE,
     .offset = offsetof(levy_raw_calendar, holidays),
     .doc = "Holidays, in addition to the weekend."},
    {0}};
static const levy_table catalog_calendar = {
    .name = "calendar",
    .doc = "A calendar: weekend days and holidays. Two calendars are built in: "
           "NONE (every day is a business day) and WEEKENDS (Saturdays and "
           "Sundays are not).",
    .size = sizeof(levy_raw_calendar),
    .fields = catalog_calendar_fields,
    .name_offset = offsetof(levy_raw_calendar, name),
    .has_name = true,
    .node_offset = offsetof(levy_raw_calendar, node),
    .has_node = true,
    .example = "{weekend: [saturday, sunday], holidays: [2026-12-25, 2027-01-01]}"};

static const char *const catalog_compounding[] = {
    "continuous",
    "annual",
    "semi_annual",
    "quarterly",
    "simple",
    "Continuous=continuous",
    "Annual=annual",
    "SemiAnnual=semi_annual",
    "semiannual=semi_annual",
    "Quarterly=quarterly",
    "Simple=simple",
    NULL,
};
static const char *const catalog_flat_compounding[] = {
    "continuous",
    "annual",
    "semi_annual",
    "quarterly",
    "Continuous=continuous",
    "Annual=annual",
    "SemiAnnual=semi_annual",
    "semiannual=semi_annual",
    "Quarterly=quarterly",
    NULL,
};
static const char *const catalog_interpolation[] = {
    "log_linear_discount",    "linear_zero", "LogLinear=log_linear_discount",
    "LinearZero=linear_zero", NULL,
};

static const levy_field catalog_flat_curve_fields[] = {
    {.name = "rate",
     .also = "r yield value",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_REQUIRED | LEVY_TOLD,
     .offset = offsetof(levy_raw_curve, rate),
     .low = -5,
     .high = 5,
     .unit = "1/year",
     .doc = "The rate, as a decimal (0.04 is 4 %); it may be negative."},
    {.name = "compounding",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_flat_compounding,
     .fallback = "continuous",
     .offset = offsetof(levy_raw_curve, compounding),
     .doc = "Compounding convention of the rate."},
    {0}};
static const levy_table catalog_flat_curve =
    OBJECT_TABLE("curve flat", levy_raw_curve, catalog_flat_curve_fields, "Constant rate.",
                 "{kind: flat, rate: 0.05, compounding: continuous}");

static const levy_field catalog_zero_curve_fields[] = {
    {.name = "nodes",
     .also = "rates zeros zero_rates points pillars",
     .type = LEVY_FIELD_TIME_VALUES,
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_TOLD,
     .low = -5,
     .high = 5,
     .offset = offsetof(levy_raw_curve, nodes),
     .unit = "1/year",
     .doc = "[time, zero rate] pairs, in ascending order of time. Rates are "
            "decimals."},
    {.name = "compounding",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_compounding,
     .fallback = "continuous",
     .offset = offsetof(levy_raw_curve, compounding),
     .doc = "Compounding convention of the rates."},
    {.name = "interpolation",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_interpolation,
     .fallback = "log_linear_discount",
     .offset = offsetof(levy_raw_curve, interpolation),
     .doc = "log_linear_discount: forward rates are constant between nodes and "
            "beyond the last node. linear_zero: zero rates are linear between "
            "nodes and constant outside them."},
    {.name = "day_count",
     .type = LEVY_FIELD_CHOICE,
     .choices = levy_day_counts,
     .fallback = "ACT/365.FIXED",
     .offset = offsetof(levy_raw_curve, day_count),
     .doc = "Day count of the quoted rates, used if times are dates. The model "
            "always measures time with ACT/365.FIXED. 30/360 is the Bond Basis of ISDA 2006, "
            "4.16 (f); 30E/360 and 30/360 US are others."},
    {0}};
static const levy_table catalog_zero_curve = OBJECT_TABLE(
    "curve zero", levy_raw_curve, catalog_zero_curve_fields, "Term structure of zero rates.",
    "{kind: zero, nodes: [[0.5, 0.045], [1.0, 0.05], [5.0, 0.055]]}");

static const levy_field catalog_discount_curve_fields[] = {
    {.name = "nodes",
     .also = "discount_factors factors dfs points pillars",
     .type = LEVY_FIELD_TIME_VALUES,
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_TOLD | LEVY_LOW_OPEN | LEVY_HIGH_OPEN,
     .low = 1e-300,
     .high = 1e300,
     .offset = offsetof(levy_raw_curve, nodes),
     .doc = "[time, discount factor] pairs, in ascending order of time."},
    {.name = "interpolation",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_interpolation,
     .fallback = "log_linear_discount",
     .offset = offsetof(levy_raw_curve, interpolation),
     .doc = "The same choices as for zero curves."},
    {0}};
static const levy_table catalog_discount_curve =
    OBJECT_TABLE("curve discount", levy_raw_curve, catalog_discount_curve_fields,
                 "Term structure of discount factors.",
                 "{kind: discount, nodes: [[0.5, 0.98], [1.0, 0.95], [5.0, 0.76]]}");

static const levy_variant catalog_curve_kinds[] = {
    {"flat", &catalog_flat_curve},
    {"zero", &catalog_zero_curve},
    {"discount", &catalog_discount_curve},
    {0},
};
static const levy_table catalog_curve = {
    .name = "curve",
    .doc = "A discount curve. A bare number is a flat rate with continuous "
           "compounding.",
    .size = sizeof(levy_variant_value),
    .variants = catalog_curve_kinds,
    .shorthand = "flat",
    .shorthand_key = "rate",
    .example = "{kind: zero, nodes: [[1.0, 0.05], [5.0, 0.055]]}"};

/* ---- Market: assets ---- */

static const levy_field catalog_flat_volatility_fields[] = {
    {.name = "value",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_REQUIRED | LEVY_TOLD,
     .low = 1e-8,
     .high = 5,
     .offset = offsetof(levy_raw_volatility, value),
     .unit = "1/sqrt(year)",
     .doc = "Black volatility as a decimal, in [1e-8, 5]."},
    {0}};
static const levy_table catalog_flat_volatility =
    OBJECT_TABLE("volatility flat", levy_raw_volatility, catalog_flat_volatility_fields,
                 "Constant volatility.", "{kind: flat, value: 0.2}");

static const levy_field catalog_term_volatility_fields[] = {
    {.name = "nodes",
     .also = "volatilities vols points pillars",
     .type = LEVY_FIELD_TIME_VALUES,
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_TOLD,
     .low = 1e-8,
     .high = 5,
     .offset = offsetof(levy_raw_volatility, nodes),
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

static const levy_variant catalog_volatility_kinds[] = {
    {"flat", &catalog_flat_volatility}, {"term", &catalog_term_volatility}, {0}};
static const levy_table catalog_volatility = {
    .name = "volatility",
    .doc = "A volatility: a bare number, {kind: flat, value} or {kind: term, nodes}.",
    .size = sizeof(levy_variant_value),
    .variants = catalog_volatility_kinds,
    .shorthand = "flat",
    .shorthand_key = "value",
    .example = "{kind: term, nodes: [[0.5, 0.22], [1.0, 0.2]]}"};

static const levy_field catalog_dividends_fields[] = {
    {.name = "cash",
     .type = LEVY_FIELD_TIME_VALUES,
     .flags = LEVY_TOLD | LEVY_LOW_OPEN,
     .low = 0,
     .high = HUGE_VAL,
     .offset = offsetof(levy_raw_dividends, cash),
     .unit = "currency",
     .doc = "[ex-date, amount] pairs, in ascending order of time. The spot falls "
            "by the amount, but not below 0."},
    {.name = "proportional",
     .type = LEVY_FIELD_TIME_VALUES,
     .flags = LEVY_TOLD | LEVY_LOW_OPEN | LEVY_HIGH_OPEN,
     .low = 0,
     .high = 1,
     .offset = offsetof(levy_raw_dividends, proportional),
     .doc = "[ex-date, fraction] pairs, in ascending order of time. The spot falls "
            "by this fraction of its level."},
    {0}};
static const levy_table catalog_dividends = {
    .name = "dividends",
    .doc = "Discrete dividends after the valuation date. An observation on an "
           "ex-date sees the spot after the dividend.",
    .size = sizeof(levy_raw_dividends),
    .fields = catalog_dividends_fields,
    .example = "{cash: [[0.25, 0.6], [0.75, 0.6]]}"};

static const levy_field catalog_asset_fields[] = {
    {.name = "currency",
     .also = "ccy",
     .type = LEVY_FIELD_NAME,
     .flags = LEVY_REQUIRED,
     .pattern = CATALOG_CURRENCY,
     .offset = offsetof(levy_raw_asset, currency),
     .doc = "ISO 4217 code of the asset's quotation currency."},
    {.name = "spot",
     .also = "price s0 spot_price last level",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_REQUIRED | LEVY_RANGED | LEVY_LOW_OPEN,
     .low = 0,
     .high = 1e12,
     .offset = offsetof(levy_raw_asset, spot),
     .unit = "currency",
     .doc = "Spot price on the valuation date; it must be positive."},
    {.name = "curve",
     .type = LEVY_FIELD_NAME,
     .offset = offsetof(levy_raw_asset, curve),
     .doc = "Curve used to compute the forward. The default is the curve that has "
            "the currency's name."},
    {.name = "dividend_yield",
     .also = "q div div_yield dividend dividend_rate yield continuous_dividend",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = -1,
     .high = 5,
     .fallback = "0",
     .offset = offsetof(levy_raw_asset, dividend_yield),
     .unit = "1/year",
     .doc = "Continuous dividend yield, as a decimal."},
    {.name = "borrow",
     .also = "repo repo_rate borrow_cost borrow_rate stock_loan",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = -1,
     .high = 5,
     .fallback = "0",
     .offset = offsetof(levy_raw_asset, borrow),
     .unit = "1/year",
     .doc = "Continuous cost of borrowing the asset. It lowers the forward like a "
            "dividend yield."},
    {.name = "dividends",
     .also = "divs cash_dividends",
     .type = LEVY_FIELD_OBJECT,
     .table = &catalog_dividends,
     .offset = offsetof(levy_raw_asset, dividends),
     .doc = "Discrete dividends."},
    {.name = "volatility",
     .also = "vol sigma iv implied_vol implied_volatility black_vol volatilities",
     .type = LEVY_FIELD_VARIANT,
     .table = &catalog_volatility,
     .offset = offsetof(levy_raw_asset, volatility),
     .doc = "Black volatility, constant or a term structure. It is required unless "
            "every model of the asset has its own volatility parameters."},
    {.name = "fixings",
     .also = "past_fixings history observed",
     .type = LEVY_FIELD_TIME_VALUES,
     .flags = LEVY_TOLD | LEVY_LOW_OPEN,
     .low = 0,
     .high = 1e12,
     .offset = offsetof(levy_raw_asset, fixings),
     .example = "[[2026-10-20, 101.5], [2026-11-20, 99.0]]",
     .unit = "currency",
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
    {"drift mu", "The drift follows from the curve, dividend_yield and borrow: remove this key."},
    {0}};
static const levy_table catalog_asset = {
    .name = "asset",
    .doc = "A traded asset: spot, forward, volatility, dividends and past fixings.",
    .size = sizeof(levy_raw_asset),
    .fields = catalog_asset_fields,
    .name_offset = offsetof(levy_raw_asset, name),
    .has_name = true,
    .node_offset = offsetof(levy_raw_asset, node),
    .has_node = true,
    .example = "{currency: USD, spot: 100, volatility: 0.2, dividend_yield: 0.02}",
    .strangers = catalog_asset_strangers};

/* ---- Market: correlations, and the market itself ---- */

#define CATALOG_FACTOR "^[A-Za-z0-9_][A-Za-z0-9._-]*[.]spot$"
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
    {.name = "kind",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_correlation_kinds,
     .fallback = "constant",
     .offset = offsetof(levy_raw_correlations, kind),
     .doc = "constant: give `matrix` or `pairs`. term: give `nodes`."},
    {.name = "names",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_NAME,
     .flags = LEVY_UNIQUE,
     .pattern = CATALOG_FACTOR,
     .offset = offsetof(levy_raw_correlations, names),
     .doc = "Factors of the rows and columns, in order. A factor is an asset's "
            "name followed by `.spot`."},
    {.name = "matrix",
     .type = LEVY_FIELD_MATRIX,
     .flags = LEVY_TOLD,
     .low = -1,
     .high = 1,
     .offset = offsetof(levy_raw_correlations, matrix),
     .doc = "Correlation matrix. It must be symmetric with ones on the diagonal, "
            "and positive semidefinite for the assets of each model."},
    {.name = "pairs",
     .type = LEVY_FIELD_NODE,
     .json = CATALOG_PAIRS,
     .offset = offsetof(levy_raw_correlations, pairs),
     .doc = "[factor, factor, correlation] triples. They replace names and matrix."},
    {.name = "nodes",
     .type = LEVY_FIELD_NODE,
     .json = CATALOG_MATRICES,
     .example = "[[1.0, [[1, 0.5], [0.5, 1]]], [2.0, [[1, 0.4], [0.4, 1]]]]",
     .offset = offsetof(levy_raw_correlations, nodes),
     .doc = "[time, matrix] pairs, in ascending order of time. A matrix applies up "
            "to its time; the last one also applies after it."},
    {0}};
static const levy_table catalog_correlations =
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
     .table = &catalog_curve,                                                                      \
     .offset = offsetof(levy_raw_market, curves),                                                  \
     .doc = "Discount curves by name. The default curve of a currency has the "                    \
            "currency's name."},                                                                   \
        {.name = "calendars",                                                                      \
         .type = LEVY_FIELD_MAP,                                                                   \
         .table = &catalog_calendar,                                                               \
         .offset = offsetof(levy_raw_market, calendars),                                           \
         .doc = "Business-day calendars by name."},                                                \
        {.name = "assets",                                                                         \
         .also = "fx equities equity stocks underlyings instruments spots",                        \
         .type = LEVY_FIELD_MAP,                                                                   \
         .table = &catalog_asset,                                                                  \
         .offset = offsetof(levy_raw_market, assets),                                              \
         .doc = "Assets by name."},                                                                \
    {                                                                                              \
        .name = "correlations", .also = "correlation corr rho", .type = LEVY_FIELD_OBJECT,         \
        .table = &catalog_correlations, .offset = offsetof(levy_raw_market, correlations),         \
        .doc = "Correlations between assets."                                                      \
    }

static const levy_field catalog_market_fields[] = {
    {.name = "file",
     .type = LEVY_FIELD_TEXT,
     .offset = offsetof(levy_raw_market, file),
     .doc = "A file with market data. The path is relative to this file and must "
            "stay below its folder. Short form: `market: market.yaml`."},
    MARKET_FIELDS,
    {0}};
const levy_table levy_market_table = {
    .name = "market",
    .doc = "Market data: curves, calendars, assets and correlations. They can be "
           "given here, in a referenced file, or in both.",
    .size = sizeof(levy_raw_market),
    .fields = catalog_market_fields,
    .shorthand_key = "file",
    .strangers = catalog_market_strangers,
    .node_offset = offsetof(levy_raw_market, node),
    .has_node = true,
    .example =
        "{curves: {USD: 0.05}, assets: {STOCK: {currency: USD, spot: 100, volatility: 0.2}}}"};

static const levy_field catalog_market_alone_fields[] = {MARKET_FIELDS, {0}};
const levy_table levy_market_alone_table =
    OBJECT_TABLE("market file", levy_raw_market, catalog_market_alone_fields,
                 "A market data file. Its top level has the keys of `market`.", NULL,
                 .strangers = catalog_market_strangers);

/* ---- Trades ---- */

static const levy_field catalog_underlying_fields[] = {
    {.name = "name",
     .type = LEVY_FIELD_NAME,
     .flags = LEVY_REQUIRED,
     .offset = offsetof(levy_raw_underlying, name),
     .doc = "Name of an asset of the trade's model."},
    {.name = "weight",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_TOLD,
     .low = -1e9,
     .high = 1e9,
     .offset = offsetof(levy_raw_underlying, weight),
     .doc = "Weight of the underlying in the aggregate. Give weights for all "
            "underlyings or for none. The default is 1/n for baskets and 1 for "
            "best_of and worst_of. Only arithmetic baskets allow negative weights."},
    {0}};
static const levy_table catalog_underlying = {
    .name = "underlying",
    .doc = "An underlying, with its weight if several underlyings are aggregated. "
           "A bare name is short for {name}.",
    .size = sizeof(levy_raw_underlying),
    .fields = catalog_underlying_fields,
    .shorthand_key = "name",
    .node_offset = offsetof(levy_raw_underlying, node),
    .has_node = true,
    .example = "{name: STOCK, weight: 0.5}"};

static const char *const catalog_styles[] = {
    "european",          "american",          "bermudan",
    "European=european", "American=american", "Bermudan=bermudan",
    "bermuda=bermudan",  "Bermuda=bermudan",  NULL};
static const levy_field catalog_exercise_fields[] = {
    {.name = "style",
     .also = "type kind",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_styles,
     .fallback = "european",
     .offset = offsetof(levy_raw_exercise, style),
     .doc = "Exercise style. Only european can be priced; american and bermudan "
            "are not supported yet."},
    {.name = "expiry",
     .also = "maturity expiration expiry_date maturity_date tenor date exercise_date",
     .type = LEVY_FIELD_TIME,
     .flags = LEVY_REQUIRED,
     .offset = offsetof(levy_raw_exercise, expiry),
     .unit = "years",
     .doc = "Expiry of the option. An option that expires today, or that has "
            "expired but is not paid yet, has a known payoff, computed from the "
            "assets' fixings or today's spots. Its interval is exact, and its "
            "Greeks are derivatives of the payoff."},
    {0}};
static const levy_table catalog_exercise =
    OBJECT_TABLE("exercise", levy_raw_exercise, catalog_exercise_fields,
                 "Exercise style and expiry. A bare date or number of years is the expiry of a "
                 "european exercise.",
                 "{style: european, expiry: 1.0}", .bare = "expiry", .shorthand_key = "expiry");

static const char *const catalog_positions[] = {
    "long",       "short",    "Long=long",  "Short=short", "buy=long",
    "sell=short", "Buy=long", "Sell=short", NULL,
};
const char *const levy_measure_names[] = {
#define MEASURE(name, factor, unit, doc) name,
#define MEASURE_MADE(name, factor, unit, doc)
#include "engine/schema/measures.def"
    NULL};
const levy_measure_words levy_measures[] = {
#define MEASURE(name, factor, unit, doc) {name, factor, unit, doc},
#include "engine/schema/measures.def"
    {NULL, NULL, NULL, NULL}};

const char *const levy_catalog_times[][2] = {
    {"{count: 252}", "{frequency: 1D}"},   {"{count: 52}", "{frequency: 1W}"},
    {"{count: 12}", "{frequency: 1M}"},    {"{count: 4}", "{frequency: 3M}"},
    {"{count: 2}", "{frequency: 6M}"},     {"{count: 1}", "{frequency: 1Y}"},
    {"expiry: 1.0", "expiry: 2027-11-20"}, {NULL, NULL}};

double levy_catalog_years(const levy_node *trade)
{
    static const char *const words[] = {"exercise", "expiry", "maturity", "tenor", "expiration"};
    double years = 0.0;
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        const levy_node *node = levy_node_find(trade, words[i]);
        if (node && node->kind == LEVY_NODE_MAP) node = levy_node_find(node, "expiry");
        if (node && node->kind == LEVY_NODE_SCALAR &&
            levy_number_read(node->text, node->length, &years) == LEVY_NUMBER_OK)
            return years;
    }
    return 0.0;
}

static const levy_synonym catalog_measure_words[] = {
    {"greeks", "delta, gamma, vega, rho, theta"},
    {"sensitivities", "delta, gamma, vega, rho, theta"},
    {"risk", "delta, gamma, vega, rho, theta"},
    {"risks", "delta, gamma, vega, rho, theta"},
    {"all", "price, delta, gamma, vega, rho, theta"},
    {"everything", "price, delta, gamma, vega, rho, theta"},
    {"pv", "price"},
    {"npv", "price"},
    {"value", "price"},
    {"premium", "price"},
    {"kappa", "vega"},
    {"dv01", "rho"},
    {"correlation_delta", "correlation"},
    {"cashflows", "cash_flows"},
    {"flows", "cash_flows"},
    {"vomma", "volga"},
    {"psi", "dividend_rho"},
    {"epsilon", "dividend_rho"},
    {"rho2", "dividend_rho"},
    {"phi", "dividend_rho"},
    {"repo_rho", "borrow_rho"},
    {0}};

#define TRADE_TEXT(key, words, text)                                                               \
    {                                                                                              \
        .name = #key, .also = words, .type = LEVY_FIELD_TEXT,                                      \
        .offset = offsetof(levy_raw_trade, key), .doc = text                                       \
    }
#define TRADE_NAME(key, words, text)                                                               \
    {                                                                                              \
        .name = #key, .also = words, .type = LEVY_FIELD_NAME,                                      \
        .offset = offsetof(levy_raw_trade, key), .doc = text                                       \
    }
#define TRADE_UNDERLYING_FIELD                                                                     \
    {                                                                                              \
        .name = "underlying",                                                                      \
        .also = "asset stock symbol ticker asset_name underlier underlying_name",                  \
        .type = LEVY_FIELD_NAME, .hint = "For several assets write underlyings: [STOCK, OTHER].",  \
        .offset = offsetof(levy_raw_trade, underlying),                                            \
        .doc = "The underlying asset of a single-asset trade."                                     \
    }
#define TRADE_UNDERLYINGS_FIELD                                                                    \
    {                                                                                              \
        .name = "underlyings", .also = "assets", .type = LEVY_FIELD_LIST,                          \
        .element = LEVY_FIELD_OBJECT, .flags = LEVY_NON_EMPTY, .table = &catalog_underlying,       \
        .offset = offsetof(levy_raw_trade, underlyings),                                           \
        .doc = "The underlying assets of a multi-asset trade: names, or {name, "                   \
               "weight}."                                                                          \
    }
#define TRADE_SIZE(member, words, of, text)                                                        \
    {                                                                                              \
        .name = #member, .also = words, .type = LEVY_FIELD_NUMBER,                                 \
        .flags = LEVY_RANGED | LEVY_LOW_OPEN, .low = 0, .high = 1e18,                              \
        .offset = offsetof(levy_raw_trade, member), .unit = of, .doc = text                        \
    }
#define TRADE_POSITION_FIELD                                                                       \
    {                                                                                              \
        .name = "position", .also = "side direction buy_sell long_short",                          \
        .type = LEVY_FIELD_CHOICE, .choices = catalog_positions,                                   \
        .hint = "One of: long, short. How many is another key: quantity: 100.",                    \
        .fallback = "long", .offset = offsetof(levy_raw_trade, position),                          \
        .doc = "long: the option is held. short: the option is written."                           \
    }
#define TRADE_PAYMENT_DATE_FIELD                                                                   \
    {                                                                                              \
        .name = "payment_date", .also = "settlement settlement_date pay_date",                     \
        .type = LEVY_FIELD_TIME, .offset = offsetof(levy_raw_trade, payment_date),                 \
        .unit = "years",                                                                           \
        .doc = "Payment date of the payoff; it must not be before expiry. The default "            \
               "is expiry."                                                                        \
    }
#define TRADE_PAYMENT_LAG_FIELD                                                                    \
    {                                                                                              \
        .name = "payment_lag", .also = "settlement_lag settle_days", .type = LEVY_FIELD_TENOR,     \
        .offset = offsetof(levy_raw_trade, payment_lag),                                           \
        .doc = "Time from expiry to payment; it replaces payment_date. If `calendars` "            \
               "are given, days are business days, and dates from longer tenors roll "             \
               "to the following business day."                                                    \
    }
#define TRADE_CALENDARS_FIELD                                                                      \
    {                                                                                              \
        .name = "calendars", .type = LEVY_FIELD_LIST, .element = LEVY_FIELD_NAME,                  \
        .offset = offsetof(levy_raw_trade, calendars),                                             \
        .doc = "Payment calendars. A business day is a business day in all of them."               \
    }
#define TRADE_DISCOUNT_CURVE_FIELD                                                                 \
    TRADE_NAME(discount_curve, "curve discounting",                                                \
               "Curve used to discount payments. The default is the curve that has "               \
               "the currency's name.")

/* ---- Legs ---- */

static const levy_field catalog_leg_fields[] = {
    {.name = "id",
     .also = "name leg",
     .type = LEVY_FIELD_NAME,
     .offset = offsetof(levy_raw_trade, id),
     .doc = "Name of the leg. Results call it TRADE/LEG. The default is its number, from 1 on."},
    {.name = "payoff",
     .type = LEVY_FIELD_VARIANT,
     .flags = LEVY_REQUIRED,
     .table = &levy_payoff_table,
     .offset = offsetof(levy_raw_trade, payoff),
     .doc = "Payoff of the leg, as of a trade."},
    TRADE_POSITION_FIELD,
    TRADE_SIZE(quantity, "qty size units ratio weight", NULL,
               "How many units of the leg a unit of the trade has, or a unit of its notional. The "
               "default is 1."),
    TRADE_SIZE(notional, "nominal face", "currency",
               "Notional amount of the leg, times the trade's quantity. A trade with a notional "
               "gives it to its legs."),
    TRADE_UNDERLYING_FIELD,
    TRADE_UNDERLYINGS_FIELD,
    TRADE_DISCOUNT_CURVE_FIELD,
    {.name = "exercise",
     .also = "expiry maturity expiration expiry_date maturity_date date exercise_date",
     .type = LEVY_FIELD_OBJECT,
     .table = &catalog_exercise,
     .offset = offsetof(levy_raw_trade, exercise),
     .doc = "Exercise of the leg, such as 2027-11-20. The default is the trade's."},
    TRADE_PAYMENT_DATE_FIELD,
    TRADE_PAYMENT_LAG_FIELD,
    TRADE_CALENDARS_FIELD,
    {0}};
static const levy_table catalog_leg = OBJECT_TABLE(
    "leg", levy_raw_trade, catalog_leg_fields,
    "A leg of a trade. What it does not say is as in the trade: underlyings, exercise, "
    "payment, discount curve. Its sign and size multiply the trade's.",
    "{position: short, payoff: {kind: european, option_type: put, strike: 90}}");

static const levy_field catalog_premium_fields[] = {
    {.name = "amount",
     .also = "value price paid",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_REQUIRED | LEVY_RANGED,
     .low = -1e15,
     .high = 1e15,
     .offset = offsetof(levy_raw_premium, amount),
     .unit = "currency",
     .doc =
         "What the holder pays in all, whatever quantity and notional are: of a long position it "
         "is subtracted, of a short one added. Less than 0: the holder is paid."},
    {.name = "date",
     .also = "payment_date settlement when",
     .type = LEVY_FIELD_TIME,
     .flags = LEVY_REQUIRED,
     .offset = offsetof(levy_raw_premium, date),
     .unit = "years",
     .doc = "When it is paid. Before the valuation it has been paid and is worth nothing now; on "
            "that day it is due."},
    {.name = "currency",
     .also = "ccy",
     .type = LEVY_FIELD_NAME,
     .pattern = CATALOG_CURRENCY,
     .offset = offsetof(levy_raw_premium, currency),
     .doc = "Its currency. The default, and the only one so far, is the trade's."},
    {0}};
static const levy_table catalog_premium =
    OBJECT_TABLE("premium", levy_raw_premium, catalog_premium_fields,
                 "A premium: an amount that the holder of the trade pays on a date, discounted on "
                 "the trade's discount curve. It is a leg of the trade.",
                 "{amount: 5.25, date: 0.01}", .bare = "amount");

static const levy_field catalog_trade_fields[] = {
    {.name = "id",
     .also = "name trade_id",
     .type = LEVY_FIELD_NAME,
     .flags = LEVY_REQUIRED,
     .offset = offsetof(levy_raw_trade, id),
     .doc = "Name of the trade in results. It must be unique across all files."},
    TRADE_NAME(model, "model_name",
               "Name of a model in `models`. It is optional if there is only one "
               "model."),
    TRADE_UNDERLYING_FIELD,
    TRADE_UNDERLYINGS_FIELD,
    {.name = "currency",
     .also = "ccy",
     .type = LEVY_FIELD_NAME,
     .pattern = CATALOG_CURRENCY,
     .offset = offsetof(levy_raw_trade, currency),
     .doc = "Payment currency. The default is the currency of the underlyings. "
            "Quanto trades (another currency) are not supported yet."},
    TRADE_DISCOUNT_CURVE_FIELD,
    TRADE_POSITION_FIELD,
    TRADE_SIZE(quantity, "qty size units contracts", NULL,
               "Number of units; it must be positive. For a sold option write "
               "position: short. The default is 1 if there is no notional."),
    TRADE_SIZE(notional, "nominal face", "currency",
               "Notional amount; it multiplies a payoff that is a pure number. Such "
               "payoffs have strike_type percent_of_initial, or are digitals that pay "
               "cash (then `cash` is a fraction of the notional). It cannot be "
               "combined with quantity."),
    {.name = "payoff",
     .also = "option product instrument contract barrier_type",
     .type = LEVY_FIELD_VARIANT,
     .flags = LEVY_REQUIRED,
     .unless = "legs",
     .table = &levy_payoff_table,
     .offset = offsetof(levy_raw_trade, payoff),
     .doc = "Payoff, such as {kind: european, option_type: call, strike: 100}."},
    {.name = "exercise",
     .also = "expiry maturity expiration expiry_date maturity_date exercise_date tenor",
     .type = LEVY_FIELD_OBJECT,
     .flags = LEVY_REQUIRED,
     .table = &catalog_exercise,
     .offset = offsetof(levy_raw_trade, exercise),
     .doc = "Exercise style and expiry, such as {style: european, expiry: "
            "2027-11-20}, or the expiry alone."},
    TRADE_PAYMENT_DATE_FIELD,
    TRADE_PAYMENT_LAG_FIELD,
    TRADE_CALENDARS_FIELD,
    TRADE_TEXT(book, "portfolio book_id book_name folio",
               "Free text, carried to the results; --by book adds up by it."),
    TRADE_TEXT(counterparty, "cpty client counterparty_id",
               "Free text, carried to the results; --by counterparty adds up by it."),
    TRADE_TEXT(netting_set, "netting_set_id nettingset",
               "Free text, carried to the results; --by netting_set adds up by it."),
    {.name = "tags",
     .type = LEVY_FIELD_NODE,
     .json = "\"type\": \"object\", \"additionalProperties\": {\"type\": [\"string\", "
             "\"number\", \"boolean\", \"null\"]}",
     .example = "{desk: exotics, trader: kim}",
     .offset = offsetof(levy_raw_trade, tags),
     .doc = "Free texts by key, carried to the results; --by tags.NAME adds up by one."},
    {.name = "measures",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_CHOICE,
     .choices = levy_measure_names,
     .words = catalog_measure_words,
     .example = "[price, delta, vega]",
     .flags = LEVY_NON_EMPTY | LEVY_UNIQUE,
     .offset = offsetof(levy_raw_trade, measures),
     .doc = "Measures of this trade. They replace the measures of the book."},
    {.name = "legs",
     .also = "components parts structure strategy positions",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_OBJECT,
     .table = &catalog_leg,
     .flags = LEVY_NON_EMPTY,
     .offset = offsetof(levy_raw_trade, legs),
     .doc = "In place of payoff: the parts of a trade that is their sum, such as a note and its "
            "coupons, or a spread."},
    {.name = "premium",
     .also = "upfront fee",
     .type = LEVY_FIELD_OBJECT,
     .table = &catalog_premium,
     .offset = offsetof(levy_raw_trade, premium),
     .doc = "An amount that the holder pays."},
    {0}};
static const levy_synonym catalog_trade_strangers[] = {
    {"quanto quanto_currency payout_currency",
     "Payments in another currency than that of the underlyings are not priced yet: remove this "
     "key."},
    {"weight weights", "A weight belongs to its underlying, and scales its level where the payoff "
                       "is on the worst or best of them: write underlyings: [{name: STOCK, "
                       "weight: 0.5}, {name: OTHER, weight: 0.5}]. Weights are decimals: 0.6 is "
                       "60 %."},
    {"vega_notional", "Write notional: $ for a volatility swap. That of a variance swap is the "
                      "variance notional: vega notional / (2 strike)."},
    {"variance_notional var_notional", "Write notional: $."},
    {0}};
const levy_table levy_trade_table =
    OBJECT_TABLE("trade", levy_raw_trade, catalog_trade_fields,
                 "A position: underlyings, payoff, exercise and size.",
                 "{id: call, underlying: STOCK, position: long, quantity: 1, payoff: {kind: "
                 "european, option_type: call, strike: 100}, exercise: {expiry: 1.0}}",
                 .strangers = catalog_trade_strangers);

/* ---- Simulation, and the whole file ---- */

#define CATALOG_MEASURES                                                                           \
    "Measures to compute, such as [price, delta, gamma, vega, rho, theta]. "                       \
    "The price is always computed. `levy describe` lists them."
#define CATALOG_BUMPS                                                                              \
    "Bump sizes of the sensitivities. A sensitivity is a finite difference "                       \
    "of prices with common random numbers. Its standard error includes the "                       \
    "bias of the bump, which is estimated with a second bump on the first "                        \
    "replicate. Default sizes are a fraction of the standard deviation at "                        \
    "expiry. They are larger if the payoff is discontinuous; those of spots are smaller if it is " \
    "integrated and stands beside what a date decides soon. With default "                         \
    "sizes, delta and gamma are extrapolated from two bumps to size 0. A note says what needs "    \
    "care. noisy: the error is large, because the payoff jumps (a digital, or a "                  \
    "barrier with discrete monitoring or with monitoring that starts "                             \
    "later; a barrier with continuous monitoring from today is smooth). "                          \
    "biased: a bumped spot lies beyond a continuously monitored barrier, "                         \
    "or beyond what decides today; or a size given here is more than 0.3 of the deviation at "     \
    "expiry or of the volatility (0.15 of it if the payoff jumps), or than half of the way to "    \
    "where the payoff jumps. "                                                                     \
    "one-sided: one of the two bumped markets cannot be simulated (a "                             \
    "volatility is below 0, or the correlations are not positive "                                 \
    "semidefinite or need another factor). If neither can be simulated, "                          \
    "the measure has no value. Nor has it where the spot stands for a fixing of today that other " \
    "underlyings have: give all of them, or none."

static const levy_field catalog_bumps_fields[] = {
    {.name = "spot",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = 1e-12,
     .high = 0.5,
     .offset = offsetof(levy_raw_bumps, spot),
     .doc = "Relative bump of the spot for delta, up and down. The default is a "
            "tenth of the standard deviation of the log spot at expiry, or a fifth "
            "if the payoff is discontinuous; delta is then extrapolated to size 0."},
    {.name = "gamma",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = 1e-12,
     .high = 0.5,
     .offset = offsetof(levy_raw_bumps, gamma),
     .doc = "Relative bump of the spot for gamma, cross_gamma and vanna. The default for "
            "gamma is that of delta; the default for the others is a twentieth of "
            "the standard deviation, or a fifth if the payoff is discontinuous. "
            "Second differences need larger bumps than first differences, because "
            "noise grows as the bump shrinks. In single precision they suffer from "
            "cancellation: bumps below 0.005 are rejected."},
    {.name = "volatility",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = 1e-12,
     .high = 0.5,
     .offset = offsetof(levy_raw_bumps, volatility),
     .unit = "1/sqrt(year)",
     .doc = "Absolute bump of the volatility for vega, vanna and volga, up and down. "
            "The default for vega is 0.002 times the volatility, or a tenth of it if "
            "the payoff is discontinuous; for vanna and volga a twentieth, or a fifth."},
    {.name = "rate",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = 1e-12,
     .high = 0.1,
     .offset = offsetof(levy_raw_bumps, rate),
     .unit = "1/year",
     .doc = "Absolute bump of the zero rates for rho, and of the yields for dividend_rho "
            "and borrow_rho, up and down. The default is "
            "0.002 times the standard deviation at expiry divided by the years to "
            "expiry, and at most 0.001. If the payoff is discontinuous, the factor "
            "is a tenth and the maximum is 0.05."},
    {.name = "correlation",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = 1e-12,
     .high = 0.5,
     .offset = offsetof(levy_raw_bumps, correlation),
     .doc = "Absolute bump of a correlation, up and down. The default is 0.01, or "
            "0.05 if the payoff is discontinuous."},
    {.name = "days",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = 1e-9,
     .high = 366,
     .fallback = "1",
     .offset = offsetof(levy_raw_bumps, days),
     .unit = "days",
     .doc = "Number of calendar days of the theta bump. Theta itself is per day."},
    {0}};
static const levy_table catalog_bumps = {.name = "bumps",
                                         .doc = CATALOG_BUMPS,
                                         .size = sizeof(levy_raw_bumps),
                                         .fields = catalog_bumps_fields,
                                         .example = "{spot: 0.01, volatility: 0.001}"};

static const char *const catalog_constructions[] = {
    "bridge", "incremental", "pca", "brownian_bridge=bridge", NULL,
};
static const char *const catalog_jumps[] = {"bridge", "by_interval", NULL};
static const char *const catalog_smoothings[] = {"auto", "all", "none", NULL};
static const char *const catalog_functionals[] = {"average", NULL};
static const levy_field catalog_first_fields[] = {
    {.name = "functional",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_functionals,
     .hint = "Write average, {components: 4} or a list of dates; as a setting also "
             "first.components=4.",
     .offset = offsetof(levy_raw_first, functional),
     .doc = "average: the average of each Brownian motion over the dates of the grid."},
    {.name = "components",
     .type = LEVY_FIELD_COUNT,
     .flags = LEVY_RANGED,
     .low = 1,
     .high = LEVY_MOST_FUNCTIONALS,
     .offset = offsetof(levy_raw_first, components),
     .doc = "How many principal components, the largest first; a grid with fewer dates takes "
            "as many as it has."},
    {.name = "dates",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_TIME,
     .flags = LEVY_NON_EMPTY,
     .offset = offsetof(levy_raw_first, dates),
     .unit = "years",
     .doc = "Dates of the grid, in this order. The last date and then the midpoints "
            "follow."},
    {0}};
static const levy_table catalog_first = {
    .name = "first",
    .doc = "What a bridge draws before all else; one of the keys. Functionals of the path "
           "(average, components) take the first dimensions, and a bridge fills in the path "
           "given them.",
    .size = sizeof(levy_raw_first),
    .fields = catalog_first_fields,
    .takes_one_key = true,
    .shorthand_key = "functional",
    .shorthand_list = "dates",
    .node_offset = offsetof(levy_raw_first, node),
    .has_node = true,
    .example = "{components: 4}"};
static const levy_field catalog_construction_fields[] = {
    {.name = "kind",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_constructions,
     .fallback = "bridge",
     .offset = offsetof(levy_raw_construction, kind),
     .doc = "bridge: Brownian bridge; the last date is built first, then "
            "midpoints. incremental: dates are built in order of time. pca: "
            "principal components, the largest first; each date costs as many "
            "multiplications as there are dates."},
    {.name = "order",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_COUNT,
     .flags = LEVY_RANGED | LEVY_NON_EMPTY,
     .low = 1,
     .high = 4294967295.0,
     .offset = offsetof(levy_raw_construction, order),
     .doc = "Build order of a bridge: the numbers of all dates of the trade's "
            "grid, from 1, each once."},
    {.name = "first",
     .type = LEVY_FIELD_OBJECT,
     .table = &catalog_first,
     .offset = offsetof(levy_raw_construction, first),
     .doc = "What a bridge draws first: average, {components: 4}, or a list of dates."},
    {0}};
static const levy_table catalog_construction = {
    .name = "construction",
    .doc = "Path construction: how random numbers become the path, and so which "
           "of them matter most.",
    .size = sizeof(levy_raw_construction),
    .fields = catalog_construction_fields,
    .shorthand_key = "kind",
    .node_offset = offsetof(levy_raw_construction, node),
    .has_node = true,
    .example = "{kind: bridge, first: average}"};

static const levy_field catalog_smoothing_fields[] = {
    {.name = "kind",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_smoothings,
     .fallback = "auto",
     .offset = offsetof(levy_raw_smoothing, kind),
     .doc = "auto: payoffs that jump, such as digitals and barriers on dates, are integrated. all: "
            "whatever can be; a note says why a trade cannot. none: no payoff."},
    {.name = "width",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN,
     .low = 0,
     .high = 1,
     .unit = "fraction of the level",
     .offset = offsetof(levy_raw_smoothing, width),
     .doc =
         "Comparisons of scripts that jump and are not integrated change over this width instead "
         "of at a point, so that their sensitivities have smaller errors. The price has a bias "
         "then, which is reported as smoothing_bias. Left out: they change at a point."},
    {0}};
static const levy_table catalog_smoothing = {.name = "smoothing",
                                             .doc = "Which payoffs are made smooth, and how.",
                                             .size = sizeof(levy_raw_smoothing),
                                             .fields = catalog_smoothing_fields,
                                             .shorthand_key = "kind",
                                             .node_offset = offsetof(levy_raw_smoothing, node),
                                             .has_node = true,
                                             .example = "{width: 0.02}"};

static const levy_field catalog_tolerance_fields[] = {
    {.name = "absolute",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN,
     .low = 0,
     .high = 1e18,
     .offset = offsetof(levy_raw_tolerance, absolute),
     .unit = "currency",
     .doc = "Largest accepted half-width of the price's confidence interval. If "
            "`relative` is also given, one of the two is sufficient."},
    {.name = "relative",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN | LEVY_HIGH_OPEN,
     .low = 0,
     .high = 1,
     .offset = offsetof(levy_raw_tolerance, relative),
     .doc = "Largest accepted half-width as a fraction of the price."},
    {.name = "confidence",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN | LEVY_HIGH_OPEN,
     .low = 0.5,
     .high = 1,
     .offset = offsetof(levy_raw_tolerance, confidence),
     .doc = "Confidence level of that interval. The default is "
            "simulation.confidence."},
    {.name = "max_paths",
     .type = LEVY_FIELD_COUNT,
     .flags = LEVY_RANGED,
     .low = 2,
     .high = 281474976710656.0,
     .offset = offsetof(levy_raw_tolerance, max_paths),
     .doc = "Maximum total number of paths. The default is 2^26. A price that "
            "needs more paths is reported with tolerance_met: false."},
    {.name = "inflate",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = 1,
     .high = 10,
     .fallback = "1.2",
     .offset = offsetof(levy_raw_tolerance, inflate),
     .doc = "Safety factor. The half-width is multiplied by it before the "
            "comparison, because the half-width is itself an estimate."},
    {0}};
static const levy_table catalog_tolerance =
    OBJECT_TABLE("tolerance", levy_raw_tolerance, catalog_tolerance_fields,
                 "Target accuracy of prices. The number of paths doubles until "
                 "`inflate` times the half-width is within the tolerance at two "
                 "successive sizes, or once at the largest size that max_paths allows. "
                 "Each trade uses only the paths that it needs itself.",
                 "{relative: 0.0001, max_paths: 2^26}", .any_of = "absolute relative");

const char *const levy_generator_kinds[] = {
    "sobol_scrambled", "sobol",  "philox", "mrg32k3a",     "net",
    "lattice",         "halton", "points", "curand_sobol", "curand_scrambled_sobol",
    "curand_mrg32k3a", "given",  NULL};
static const char *const catalog_pipelines[] = {"fused", "staged", NULL};
static const char *const catalog_scramblings[] = {"none", "shift", "matrix", NULL};
static const levy_field catalog_generator_fields[] = {
    {.name = "kind",
     .type = LEVY_FIELD_CHOICE,
     .choices = levy_generator_kinds,
     .fallback = "sobol_scrambled",
     .offset = offsetof(levy_raw_generator, kind),
     .doc = "sobol_scrambled: randomized quasi-Monte Carlo, with a standard error. "
            "sobol: quasi-Monte Carlo, without a standard error. philox, mrg32k3a: "
            "pseudo-random numbers. net: a digital net in base 2 from a file. "
            "lattice: a rank-1 lattice in base 2, of 1,024 dimensions or from a file. "
            "halton: Halton's points, of 1,024 dimensions. points: those of a file. "
            "curand_sobol, curand_scrambled_sobol, curand_mrg32k3a: words of NVIDIA's "
            "cuRAND, where that library is installed; of the scrambled points each "
            "replicate has a digital shift of its own. given: normals of the program "
            "that prices the book (levy_price_options.normals)."},
    {.name = "file",
     .type = LEVY_FIELD_TEXT,
     .offset = offsetof(levy_raw_generator, file),
     .doc = "File with the generating matrices of a net: direction numbers of Joe "
            "and Kuo, or matrices of LatNet Builder or LDData; with the generating vector of "
            "a lattice, a number a line; or with points, a NumPy array [point][dimension] or "
            "[replicate][point][dimension] of float64 in [0, 1). The path is relative "
            "to this file."},
    {.name = "scrambling",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_scramblings,
     .offset = offsetof(levy_raw_generator, scrambling),
     .doc = "Randomization. Of a net, matrix (the default): a random linear scramble "
            "and a digital shift; shift: a digital shift. Of a lattice and of points "
            "without replicates, shift: a shift modulo 1. Of halton, digits are permuted. "
            "none: the points as they "
            "are, without replicates and without a standard error."},
    {0}};
static const levy_table catalog_generator = {
    .name = "generator",
    .doc = "Random numbers of the simulation. A net replaces the direction numbers of "
           "Sobol points by those of a file: {kind: net, file: net.txt}; points of one's own: "
           "{kind: points, file: points.npy}.",
    .size = sizeof(levy_raw_generator),
    .fields = catalog_generator_fields,
    .shorthand_key = "kind",
    .node_offset = offsetof(levy_raw_generator, node),
    .has_node = true,
    .example = "{kind: net, file: nets/niederreiter.txt}"};
static const char *const catalog_precisions[] = {
    "double", "single", "mixed", "float64=double", "float32=single", NULL,
};
static const levy_synonym catalog_simulation_strangers[] = {
    {"steps n_steps num_steps nsteps time_steps timesteps n_time_steps dt",
     "Remove it: paths have the dates that the trades observe, and no error between them."},
    {"antithetic antithetic_variates use_antithetic",
     "Remove it: there are no antithetic paths. generator: sobol_scrambled, the default, has "
     "smaller errors."},
    {0}};
static const levy_field catalog_simulation_fields[] = {
    {.name = "paths",
     .also = "simulations n_simulations samples trials n_samples num_paths n_paths npaths "
             "num_simulations n_sims nsims number_of_paths",
     .type = LEVY_FIELD_COUNT,
     .flags = LEVY_RANGED,
     .low = 2,
     .high = 281474976710656.0,
     .fallback = "2^18",
     .offset = offsetof(levy_raw_simulation, paths),
     .doc = "Total number of paths. Sobol points, nets and lattices need replicates times a "
            "power of two. The maximum is 2^32 per replicate. With a tolerance "
            "this is the first size; its default is then 2^10 per replicate (16 "
            "replicates) or 2^14."},
    {.name = "replicates",
     .type = LEVY_FIELD_COUNT,
     .flags = LEVY_RANGED,
     .low = 1,
     .high = 65536,
     .offset = offsetof(levy_raw_simulation, replicates),
     .doc = "Number of independent randomizations. Their spread gives the standard "
            "error. The default is 16 for quasi-random points that are randomized, "
            "those of the file for points with replicates, otherwise 1."},
    {.name = "generator",
     .also = "rng random sequence",
     .type = LEVY_FIELD_OBJECT,
     .table = &catalog_generator,
     .offset = offsetof(levy_raw_simulation, generator),
     .doc = "Random numbers: sobol_scrambled (default), sobol, philox or mrg32k3a; "
            "lattice, halton, {kind: net, file: net.txt} or {kind: points, file: points.npy}; "
            "curand_sobol, curand_scrambled_sobol or "
            "curand_mrg32k3a; or given."},
    {.name = "pipeline",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_pipelines,
     .offset = offsetof(levy_raw_simulation, pipeline),
     .doc = "fused: a path makes its own random numbers. staged: they are made first, in "
            "batches that fit memory, and paths read them. The default is fused; generators "
            "of cuRAND and given normals are always staged. Levy's own generators have the "
            "same bits in both."},
    {.name = "construction",
     .type = LEVY_FIELD_OBJECT,
     .table = &catalog_construction,
     .offset = offsetof(levy_raw_simulation, construction),
     .doc = "Path construction: bridge (default), incremental or pca; or {kind: "
            "bridge, first: average} and the like."},
    {.name = "jumps",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_jumps,
     .fallback = "bridge",
     .offset = offsetof(levy_raw_simulation, jumps),
     .doc = "How the arrivals of jumps are drawn where paths are built by a bridge. "
            "bridge: their number until the last date first, then how they fall to "
            "the left and right of each date. by_interval: for each interval by "
            "itself, as with the other constructions."},
    {.name = "smoothing",
     .type = LEVY_FIELD_OBJECT,
     .table = &catalog_smoothing,
     .offset = offsetof(levy_raw_simulation, smoothing),
     .doc = "Which payoffs are integrated in closed form over the first normal of each path "
            "(the end point of a bridge, the largest principal component): auto (default), all or "
            "none. No bias, and sensitivities have smaller errors. {width: 0.02} compares over a "
            "width where that cannot be."},
    {.name = "seed",
     .also = "random_seed",
     .type = LEVY_FIELD_COUNT,
     .fallback = "42",
     .offset = offsetof(levy_raw_simulation, seed),
     .flags = LEVY_RANGED,
     .low = 0,
     .high = 9007199254740991.0,
     .doc = "Seed of the random numbers. The limit of 2^53 lets every JSON reader "
            "read it exactly. The same seed gives the same bits."},
    {.name = "precision",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_precisions,
     .fallback = "double",
     .offset = offsetof(levy_raw_simulation, precision),
     .doc = "Floating-point precision of the paths. mixed: normals in single "
            "precision, everything else in double precision."},
    {.name = "confidence",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN | LEVY_HIGH_OPEN,
     .low = 0.5,
     .high = 1,
     .fallback = "0.95",
     .offset = offsetof(levy_raw_simulation, confidence),
     .doc = "Confidence level of the intervals, such as 0.95."},
    {.name = "tolerance",
     .type = LEVY_FIELD_OBJECT,
     .table = &catalog_tolerance,
     .offset = offsetof(levy_raw_simulation, tolerance),
     .doc = "Target accuracy, used instead of a fixed number of paths, such as "
            "{relative: 0.0001}."},
    {.name = "bumps",
     .type = LEVY_FIELD_OBJECT,
     .table = &catalog_bumps,
     .offset = offsetof(levy_raw_simulation, bumps),
     .doc = "Bump sizes of the sensitivities."},
    {0}};
const levy_table levy_simulation_table =
    OBJECT_TABLE("simulation", levy_raw_simulation, catalog_simulation_fields,
                 "Simulation settings: number of paths, generator, path construction, "
                 "precision.",
                 "{paths: 2^18, seed: 42}", .strangers = catalog_simulation_strangers);

static const char *const catalog_shift_types[] = {
    "relative", "absolute", "Relative=relative", "Absolute=absolute", NULL,
};
#define SHIFT_FIELDS                                                                               \
    {.name = "factor",                                                                             \
     .type = LEVY_FIELD_NAME,                                                                      \
     .flags = LEVY_REQUIRED,                                                                       \
     .offset = offsetof(levy_raw_shift, factor),                                                   \
     .doc = "Risk factor: NAME.spot, NAME.volatility or NAME.dividend_yield of an "                \
            "asset, or CURVE.rate of a curve. ALL.spot, ALL.rate and so on shift "                 \
            "all assets or curves."},                                                              \
    {                                                                                              \
        .name = "type", .type = LEVY_FIELD_CHOICE, .choices = catalog_shift_types,                 \
        .fallback = "relative", .offset = offsetof(levy_raw_shift, type),                          \
        .doc = "relative: multiplies by 1 + size. absolute: adds size. A volatility "              \
               "shift applies to the Black volatility of each node; a rate shift "                 \
               "applies to the continuously compounded zero rates."                                \
    }
static const levy_field catalog_shift_fields[] = {
    SHIFT_FIELDS,
    {.name = "size",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_REQUIRED,
     .offset = offsetof(levy_raw_shift, size),
     .doc = "Size of the shift, such as -0.10."},
    {0},
};
static const levy_table catalog_shift =
    OBJECT_TABLE("shift", levy_raw_shift, catalog_shift_fields, "A shift of one risk factor.",
                 "{factor: STOCK.spot, type: relative, size: -0.1}");
static const levy_field catalog_axis_fields[] = {
    SHIFT_FIELDS,
    {.name = "sizes",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_NUMBER,
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_UNIQUE,
     .offset = offsetof(levy_raw_shift, sizes),
     .doc = "Shift sizes along this axis."},
    {0}};
static const levy_table catalog_axis =
    OBJECT_TABLE("axis", levy_raw_shift, catalog_axis_fields,
                 "An axis of a grid: one risk factor and its shift sizes.",
                 "{factor: STOCK.spot, type: relative, sizes: [-0.1, 0, 0.1]}");
static const levy_field catalog_scenario_fields[] = {
    {.name = "id",
     .also = "name scenario scenario_id",
     .type = LEVY_FIELD_NAME,
     .flags = LEVY_REQUIRED,
     .offset = offsetof(levy_raw_scenario, id),
     .doc = "Name of the scenario in results. The points of a grid are named "
            "id[size,size]."},
    {.name = "shifts",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_OBJECT,
     .table = &catalog_shift,
     .flags = LEVY_NON_EMPTY,
     .offset = offsetof(levy_raw_scenario, shifts),
     .doc = "Shifts that are applied together."},
    {.name = "grid",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_OBJECT,
     .table = &catalog_axis,
     .flags = LEVY_NON_EMPTY,
     .offset = offsetof(levy_raw_scenario, grid),
     .doc = "Axes of a grid. Every combination of their sizes is a scenario; the "
            "last axis varies fastest. `shifts` apply to all of them."},
    {0}};
/* Which asset, and whether the size is a share, the key does not say: \001 marks an example. */
#define SCENARIO_SHIFT(factor)                                                                     \
    "Write shifts: [{\001factor: ALL." factor ", \001type: relative, size: $}]."
static const levy_synonym catalog_scenario_strangers[] = {
    {"spot price underlying stock", SCENARIO_SHIFT("spot")},
    {"volatility vol sigma", SCENARIO_SHIFT("volatility")},
    {"rate rates interest_rate curve",
     "Write shifts: [{\001factor: ALL.rate, \001type: absolute, size: $}]."},
    {"dividend_yield dividend q",
     "Write shifts: [{\001factor: ALL.dividend_yield, \001type: absolute, size: $}]."},
    {0}};
static const levy_table catalog_scenario =
    OBJECT_TABLE("scenario", levy_raw_scenario, catalog_scenario_fields,
                 "An instantaneous shift of today's market. Every trade is re-priced "
                 "with common random numbers. scenario_price is the price in the "
                 "scenario; scenario_pnl is the difference to today's price, with its "
                 "own standard error. Initial fixings and past fixings do not change. "
                 "If the scenario gives a trade an impossible market (a volatility "
                 "below 1e-8, a spot below 0), the trade has no value in it, and a note "
                 "gives the reason.",
                 "{id: crash, shifts: [{factor: STOCK.spot, type: relative, size: -0.2}]}",
                 .any_of = "shifts grid", .strangers = catalog_scenario_strangers);

static const levy_field catalog_book_fields[] = {
    {.name = "schema_version",
     .type = LEVY_FIELD_COUNT,
     .flags = LEVY_REQUIRED | LEVY_RANGED,
     .low = 1,
     .high = 1,
     .offset = offsetof(levy_raw_book, schema_version),
     .doc = "Version of the input format. Write schema_version: 1."},
    {.name = "valuation_date",
     .also = "date as_of pricing_date today",
     .type = LEVY_FIELD_DATE,
     .offset = offsetof(levy_raw_book, valuation_date),
     .doc = "Valuation date. If it is given, every time is a date. Otherwise every "
            "time is a number of years from the valuation."},
    {.name = "market",
     .type = LEVY_FIELD_OBJECT,
     .table = &levy_market_table,
     .offset = offsetof(levy_raw_book, market),
     .doc = "Market data, or the relative path of a market data file."},
    {.name = "models",
     .also = "model",
     .type = LEVY_FIELD_MAP,
     .table = &levy_model_table,
     .offset = offsetof(levy_raw_book, models),
     .doc = "Models by name."},
    {.name = "trades",
     .also = "trade positions deals portfolio options instruments",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_OBJECT,
     .flags = LEVY_NON_EMPTY,
     .table = &levy_trade_table,
     .offset = offsetof(levy_raw_book, trades),
     .doc = "Positions to price."},
    {.name = "simulation",
     .type = LEVY_FIELD_OBJECT,
     .table = &levy_simulation_table,
     .offset = offsetof(levy_raw_book, simulation),
     .doc = "Simulation settings of the whole book."},
    {.name = "measures",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_CHOICE,
     .choices = levy_measure_names,
     .words = catalog_measure_words,
     .example = "[price, delta, vega]",
     .flags = LEVY_NON_EMPTY | LEVY_UNIQUE,
     .offset = offsetof(levy_raw_book, measures),
     .doc = CATALOG_MEASURES},
    {.name = "scenarios",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_OBJECT,
     .flags = LEVY_NON_EMPTY,
     .table = &catalog_scenario,
     .offset = offsetof(levy_raw_book, scenarios),
     .doc = "Stress scenarios. Every trade is re-priced in each of them with "
            "common random numbers."},
    {.name = "kinds",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_TEXT,
     .flags = LEVY_NON_EMPTY,
     .example = "[kinds/my_note.yaml]",
     .offset = offsetof(levy_raw_book, kinds),
     .doc = "Relative paths of files that define kinds of payoffs: see `levy describe kind`. They "
            "lie beneath the folder of this file."},
    {0}};
const levy_table levy_book_table =
    OBJECT_TABLE("book", levy_raw_book, catalog_book_fields,
                 "A book: trades, and the market data, models and settings to price "
                 "them. Several files, and documents separated by ---, form one book. "
                 "Each name is defined once.",
                 "{schema_version: 1, market: {file: market.yaml}, models: {model: {kind: "
                 "black_scholes, assets: [STOCK]}}, trades: [{id: call, underlying: STOCK, payoff: "
                 "{kind: european, option_type: call, strike: 100}, exercise: {expiry: 1.0}}]}");

/* A referenced file has the keys of `market` at its top, or these keys. */
static const levy_field catalog_market_book_fields[] = {
    {.name = "schema_version",
     .type = LEVY_FIELD_COUNT,
     .flags = LEVY_RANGED,
     .low = 1,
     .high = 1,
     .offset = offsetof(levy_raw_book, schema_version),
     .doc = "Version of the input format. Write schema_version: 1."},
    {.name = "valuation_date",
     .type = LEVY_FIELD_DATE,
     .offset = offsetof(levy_raw_book, valuation_date),
     .doc = "If given, it must equal the valuation date of the file that refers to "
            "this one."},
    {.name = "market",
     .type = LEVY_FIELD_OBJECT,
     .flags = LEVY_REQUIRED,
     .table = &levy_market_alone_table,
     .offset = offsetof(levy_raw_book, market),
     .doc = "Market data."},
    {0}};
const levy_table levy_market_book_table =
    OBJECT_TABLE("market book", levy_raw_book, catalog_market_book_fields,
                 "A market data file with its data under `market`. Another file refers "
                 "to it with `market: FILE`.",
                 NULL);

/* ---- What is not priced ---- */

/* docs/theory.md, section 10 */
static const char *const catalog_unpriced[] = {"american",      "bermudan",
                                               "bermuda",       "quanto",
                                               "composite",     "smile",
                                               "sabr",          "local_volatility",
                                               "local_vol",     "heston",
                                               "rough_heston",  "bates",
                                               "rough_bergomi", "stochastic_volatility",
                                               "hull_white",    "vasicek",
                                               "cir",           NULL};

bool levy_catalog_is_unpriced(const char *kind)
{
    for (size_t i = 0; catalog_unpriced[i]; ++i)
        if (strcasecmp(catalog_unpriced[i], kind) == 0) return true;
    return false;
}

bool levy_catalog_is_unpriced_style(const char *word)
{
    static const char *const styles[] = {"american", "bermudan", "bermuda", NULL};
    for (size_t i = 0; styles[i]; ++i)
        if (strcasecmp(styles[i], word) == 0) return true;
    return false;
}

/* ---- Contracts that no kind has by themselves ---- */

#define CATALOG_CHOICE                                                                             \
    "It is not priced: its holder decides by the price of another option, which no path shows."
#define CATALOG_BOND                                                                               \
    "It is a trade of legs. Write, in place of the payoff, legs: [{payoff: {kind: cash}}, "        \
    "{payoff: {kind: coupon, coupons: {count: 4}, amount: 0.05}}]. Examples: coupons, amount (of " \
    "one date)."
#define CATALOG_BONUS                                                                              \
    "It is a trade of legs. Write, in place of the payoff, legs: [{payoff: {kind: forward, "       \
    "strike: 0}}, {payoff: {kind: barrier, option_type: put, strike: 115, barrier: {direction: "   \
    "down, knock: out, level: 75, monitoring: continuous}}}]. Examples: strike (the bonus "        \
    "level), "                                                                                     \
    "level, monitoring."
static const levy_synonym catalog_ways[] = {{"chooser", CATALOG_CHOICE},
                                            {"simple_chooser", CATALOG_CHOICE},
                                            {"compound", CATALOG_CHOICE},
                                            {"compound_option", CATALOG_CHOICE},
                                            {"extendible", CATALOG_CHOICE},
                                            {"coupon_bond", CATALOG_BOND},
                                            {"fixed_rate_bond", CATALOG_BOND},
                                            {"bond", CATALOG_BOND},
                                            {"bonus", CATALOG_BONUS},
                                            {"bonus_certificate", CATALOG_BONUS},
                                            {0}};

const char *levy_catalog_way(const char *word)
{
    for (const levy_synonym *s = catalog_ways; s->word; ++s)
        if (levy_synonym_is_spelling(s->word, word)) return s->map;
    return NULL;
}

/* ---- Topics of `levy describe` ---- */

typedef struct catalog_topic {
    const char *name;
    const levy_table *table;
} catalog_topic;
static const catalog_topic catalog_bases[] = {{"book", &levy_book_table},
                                              {"market", &levy_market_table},
                                              {"curve", &catalog_curve},
                                              {"calendar", &catalog_calendar},
                                              {"asset", &catalog_asset},
                                              {"volatility", &catalog_volatility},
                                              {"dividends", &catalog_dividends},
                                              {"correlations", &catalog_correlations},
                                              {"model", &levy_model_table},
                                              {"jumps", &levy_jump_table},
                                              {"mark", &levy_mark_table},
                                              {"regime", &levy_regime_table},
                                              {"attraction", &levy_level_switching_table},
                                              {"trade", &levy_trade_table},
                                              {"leg", &catalog_leg},
                                              {"premium", &catalog_premium},
                                              {"underlying", &catalog_underlying},
                                              {"exercise", &catalog_exercise},
                                              {"payoff", &levy_payoff_table},
                                              {"schedule", &levy_schedule_table},
                                              {"kind", &levy_kind_file_table},
                                              {"simulation", &levy_simulation_table},
                                              {"bumps", &catalog_bumps},
                                              {"scenario", &catalog_scenario},
                                              {"shift", &catalog_shift},
                                              {"axis", &catalog_axis},
                                              {"generator", &catalog_generator},
                                              {"construction", &catalog_construction},
                                              {"tolerance", &catalog_tolerance}};

static const char *const catalog_names[] = {"book",
                                            "market",
                                            "curve",
                                            "curve.flat",
                                            "curve.zero",
                                            "curve.discount",
                                            "calendar",
                                            "asset",
                                            "volatility",
                                            "volatility.flat",
                                            "volatility.term",
                                            "dividends",
                                            "correlations",
                                            "model",
#define LEVY_MODEL(name, NAME) "model." #name,
#include "models/models.def"
                                            "jumps",
                                            "mark",
                                            "mark.normal",
                                            "mark.double_exponential",
                                            "mark.empirical",
                                            "regime",
                                            "attraction",
                                            "trade",
                                            "leg",
                                            "premium",
                                            "underlying",
                                            "exercise",
                                            "payoff",
#define LEVY_PAYOFF(name, NAME) "payoff." #name,
#include "payoffs/payoffs.def"
                                            "schedule",
                                            "kind",
                                            "simulation",
                                            "bumps",
                                            "scenario",
                                            "shift",
                                            "axis",
                                            "generator",
                                            "construction",
                                            "tolerance",
                                            NULL};

const char *const *levy_catalog_topics(void) { return catalog_names; }

/* "payoff" names a table, "payoff.asian" a variant of it. */
const levy_table *levy_catalog_find(const char *topic)
{
    const size_t base = strcspn(topic, ".");
    for (size_t i = 0; i < sizeof catalog_bases / sizeof catalog_bases[0]; ++i) {
        const catalog_topic *found = &catalog_bases[i];
        if (strlen(found->name) != base || strncmp(found->name, topic, base) != 0) continue;
        if (topic[base] == '\0') return found->table;
        for (const levy_variant *v = found->table->variants; v && v->kind; ++v)
            if (strcmp(v->kind, topic + base + 1) == 0) return v->table;
        return NULL;
    }
    return NULL;
}
