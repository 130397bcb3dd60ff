/* catalog.c: the tables of a whole file. Each says which keys an object has, their types, ranges,
 * defaults and meaning; reader, JSON Schema and `levy describe` all run on them. Spellings of ORE,
 * Strata and the ISDA CDM are accepted as aliases of our own where they name the same thing. Must
 * not know: any rule that spans two keys (engine/problem/). */
#include "engine/schema/book.h"
#include "engine/schema/schema.h"

#include <string.h>

#define OBJECT_TABLE(title, struct_type, field_array, text)                                        \
    {                                                                                              \
        .name = title, .doc = text, .size = sizeof(struct_type), .fields = field_array,            \
        .node_offset = offsetof(struct_type, node), .has_node = true                               \
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
     .doc = "Weekdays without business; left out: saturday and sunday."},
    {.name = "holidays",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_DATE,
     .offset = offsetof(levy_raw_calendar, holidays),
     .doc = "Dates without business beside the weekend."},
    {0}};
static const levy_table catalog_calendar = {
    .name = "calendar",
    .doc = "A calendar is data: weekend days and holidays. Built in are NONE (every day is a "
           "business day) and WEEKENDS.",
    .size = sizeof(levy_raw_calendar),
    .fields = catalog_calendar_fields,
    .name_offset = offsetof(levy_raw_calendar, name),
    .has_name = true,
    .node_offset = offsetof(levy_raw_calendar, node),
    .has_node = true};

static const char *const catalog_compounding[] = {"continuous",
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
                                                  NULL};
static const char *const catalog_flat_compounding[] = {"continuous",
                                                       "annual",
                                                       "semi_annual",
                                                       "quarterly",
                                                       "Continuous=continuous",
                                                       "Annual=annual",
                                                       "SemiAnnual=semi_annual",
                                                       "semiannual=semi_annual",
                                                       "Quarterly=quarterly",
                                                       NULL};
static const char *const catalog_interpolation[] = {"log_linear_discount", "linear_zero",
                                                    "LogLinear=log_linear_discount",
                                                    "LinearZero=linear_zero", NULL};
static const char *const catalog_day_counts[] = {"ACT/365.FIXED",
                                                 "ACT/360",
                                                 "30/360",
                                                 "ACT/ACT.ISDA",
                                                 "A365=ACT/365.FIXED",
                                                 "A365F=ACT/365.FIXED",
                                                 "ACT/365=ACT/365.FIXED",
                                                 "ACT/365F=ACT/365.FIXED",
                                                 "Act/365F=ACT/365.FIXED",
                                                 "Act/365=ACT/365.FIXED",
                                                 "A360=ACT/360",
                                                 "Act/360=ACT/360",
                                                 "T360=30/360",
                                                 "ActActISDA=ACT/ACT.ISDA",
                                                 "Act/Act ISDA=ACT/ACT.ISDA",
                                                 "ACT/ACT=ACT/ACT.ISDA",
                                                 NULL};

static const levy_field catalog_flat_curve_fields[] = {
    {.name = "rate",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_REQUIRED,
     .offset = offsetof(levy_raw_curve, rate),
     .unit = "1/year",
     .doc = "The rate, as a decimal (0.04 is 4 %); it may be negative."},
    {.name = "compounding",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_flat_compounding,
     .fallback = "continuous",
     .offset = offsetof(levy_raw_curve, compounding),
     .doc = "How the rate compounds."},
    {0}};
static const levy_table catalog_flat_curve = OBJECT_TABLE(
    "curve flat", levy_raw_curve, catalog_flat_curve_fields, "One rate for all times.");

static const levy_field catalog_zero_curve_fields[] = {
    {.name = "nodes",
     .type = LEVY_FIELD_TIME_VALUES,
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY,
     .offset = offsetof(levy_raw_curve, nodes),
     .unit = "1/year",
     .doc = "[time, zero rate] pairs, ascending; rates are decimals."},
    {.name = "compounding",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_compounding,
     .fallback = "continuous",
     .offset = offsetof(levy_raw_curve, compounding),
     .doc = "How the rates compound."},
    {.name = "interpolation",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_interpolation,
     .fallback = "log_linear_discount",
     .offset = offsetof(levy_raw_curve, interpolation),
     .doc = "log_linear_discount: forwards are flat between nodes and beyond the last; "
            "linear_zero: zero rates are "
            "linear between nodes and flat outside."},
    {.name = "day_count",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_day_counts,
     .fallback = "ACT/365.FIXED",
     .offset = offsetof(levy_raw_curve, day_count),
     .doc = "The year fraction that the quoted rates refer to, where times are dates. Model time "
            "is ACT/365.FIXED always."},
    {0}};
static const levy_table catalog_zero_curve =
    OBJECT_TABLE("curve zero", levy_raw_curve, catalog_zero_curve_fields, "Zero rates by time.");

static const levy_field catalog_discount_curve_fields[] = {
    {.name = "nodes",
     .type = LEVY_FIELD_TIME_VALUES,
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY,
     .offset = offsetof(levy_raw_curve, nodes),
     .doc = "[time, discount factor] pairs, ascending."},
    {.name = "interpolation",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_interpolation,
     .fallback = "log_linear_discount",
     .offset = offsetof(levy_raw_curve, interpolation),
     .doc = "As for zero curves."},
    {0}};
static const levy_table catalog_discount_curve = OBJECT_TABLE(
    "curve discount", levy_raw_curve, catalog_discount_curve_fields, "Discount factors by time.");

static const levy_variant catalog_curve_kinds[] = {{"flat", &catalog_flat_curve},
                                                   {"zero", &catalog_zero_curve},
                                                   {"discount", &catalog_discount_curve},
                                                   {0}};
static const levy_table catalog_curve = {
    .name = "curve",
    .doc = "A discount curve. A bare number is a flat curve, continuously compounded.",
    .size = sizeof(levy_variant_value),
    .variants = catalog_curve_kinds,
    .shorthand = "flat",
    .shorthand_key = "rate"};

/* ---- Market: assets ---- */

static const levy_field catalog_flat_volatility_fields[] = {
    {.name = "value",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_REQUIRED,
     .offset = offsetof(levy_raw_volatility, value),
     .unit = "1/sqrt(year)",
     .doc = "Black volatility as a decimal, in [1e-8, 5]."},
    {0}};
static const levy_table catalog_flat_volatility =
    OBJECT_TABLE("volatility flat", levy_raw_volatility, catalog_flat_volatility_fields,
                 "One volatility for all times.");

static const levy_field catalog_term_volatility_fields[] = {
    {.name = "nodes",
     .type = LEVY_FIELD_TIME_VALUES,
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY,
     .offset = offsetof(levy_raw_volatility, nodes),
     .unit = "1/sqrt(year)",
     .doc = "[time, Black volatility to that time] pairs, ascending, in [1e-8, 5]; the total "
            "variance must not fall."},
    {0}};
static const levy_table catalog_term_volatility =
    OBJECT_TABLE("volatility term", levy_raw_volatility, catalog_term_volatility_fields,
                 "Black volatilities by expiry, linear in total variance; beyond the last node its "
                 "forward volatility goes on.");

static const levy_variant catalog_volatility_kinds[] = {
    {"flat", &catalog_flat_volatility}, {"term", &catalog_term_volatility}, {0}};
static const levy_table catalog_volatility = {
    .name = "volatility",
    .doc = "A volatility: a bare number, {kind: flat, value} or {kind: term, nodes}.",
    .size = sizeof(levy_variant_value),
    .variants = catalog_volatility_kinds,
    .shorthand = "flat",
    .shorthand_key = "value"};

static const levy_field catalog_dividends_fields[] = {
    {.name = "cash",
     .type = LEVY_FIELD_TIME_VALUES,
     .offset = offsetof(levy_raw_dividends, cash),
     .unit = "currency",
     .doc = "[ex time, amount] pairs, ascending: the spot falls by the amount, at most to 0."},
    {.name = "proportional",
     .type = LEVY_FIELD_TIME_VALUES,
     .offset = offsetof(levy_raw_dividends, proportional),
     .doc = "[ex time, fraction] pairs, ascending: the spot falls by this fraction of itself."},
    {0}};
static const levy_table catalog_dividends = {
    .name = "dividends",
    .doc =
        "Discrete dividends after the valuation. An observation at an ex time sees the lower spot.",
    .size = sizeof(levy_raw_dividends),
    .fields = catalog_dividends_fields};

static const levy_field catalog_asset_fields[] = {
    {.name = "currency",
     .type = LEVY_FIELD_NAME,
     .flags = LEVY_REQUIRED,
     .offset = offsetof(levy_raw_asset, currency),
     .doc = "ISO 4217 code of the currency the asset is quoted in."},
    {.name = "spot",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_REQUIRED | LEVY_RANGED | LEVY_LOW_OPEN,
     .low = 0,
     .high = 1e12,
     .offset = offsetof(levy_raw_asset, spot),
     .unit = "currency",
     .doc = "Today's price, positive."},
    {.name = "curve",
     .type = LEVY_FIELD_NAME,
     .offset = offsetof(levy_raw_asset, curve),
     .doc = "The curve at which the forward grows; left out: the curve named like the currency."},
    {.name = "dividend_yield",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = -1,
     .high = 5,
     .fallback = "0",
     .offset = offsetof(levy_raw_asset, dividend_yield),
     .unit = "1/year",
     .doc = "Continuous dividend yield, a decimal."},
    {.name = "borrow",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = -1,
     .high = 5,
     .fallback = "0",
     .offset = offsetof(levy_raw_asset, borrow),
     .unit = "1/year",
     .doc = "Continuous cost of borrowing the asset; it lowers the forward as a yield does."},
    {.name = "dividends",
     .type = LEVY_FIELD_OBJECT,
     .table = &catalog_dividends,
     .offset = offsetof(levy_raw_asset, dividends),
     .doc = "Discrete dividends."},
    {.name = "volatility",
     .type = LEVY_FIELD_VARIANT,
     .table = &catalog_volatility,
     .offset = offsetof(levy_raw_asset, volatility),
     .doc = "Black volatility, flat or by term: needed, unless every model of the asset brings its "
            "own."},
    {.name = "fixings",
     .type = LEVY_FIELD_TIME_VALUES,
     .offset = offsetof(levy_raw_asset, fixings),
     .unit = "currency",
     .doc = "[time, level] pairs, ascending: levels observed up to the valuation, which running "
            "averages and barriers need."},
    {0}};
static const levy_table catalog_asset = {
    .name = "asset",
    .doc = "A traded asset: its spot, forward, volatility, dividends and past fixings.",
    .size = sizeof(levy_raw_asset),
    .fields = catalog_asset_fields,
    .name_offset = offsetof(levy_raw_asset, name),
    .has_name = true,
    .node_offset = offsetof(levy_raw_asset, node),
    .has_node = true};

/* ---- Market: correlations, and the market itself ---- */

static const char *const catalog_correlation_kinds[] = {"constant", "term", NULL};
static const levy_field catalog_correlations_fields[] = {
    {.name = "kind",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_correlation_kinds,
     .fallback = "constant",
     .offset = offsetof(levy_raw_correlations, kind),
     .doc = "constant: `matrix` or `pairs`; term: `nodes`."},
    {.name = "names",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_NAME,
     .offset = offsetof(levy_raw_correlations, names),
     .doc = "The factors of the rows and columns: an asset's name and `.spot`."},
    {.name = "matrix",
     .type = LEVY_FIELD_MATRIX,
     .offset = offsetof(levy_raw_correlations, matrix),
     .doc =
         "Symmetric, ones on the diagonal, positive semidefinite over the assets of each model."},
    {.name = "pairs",
     .type = LEVY_FIELD_NODE,
     .offset = offsetof(levy_raw_correlations, pairs),
     .doc = "[factor, factor, correlation] triples, instead of names and matrix."},
    {.name = "nodes",
     .type = LEVY_FIELD_NODE,
     .offset = offsetof(levy_raw_correlations, nodes),
     .doc =
         "[time, matrix] pairs, ascending: each matrix holds up to its time, the last for ever."},
    {0}};
static const levy_table catalog_correlations =
    OBJECT_TABLE("correlations", levy_raw_correlations, catalog_correlations_fields,
                 "Instantaneous correlations of the assets' Brownian motions, in one place for all "
                 "models: {names, matrix}, {pairs}, "
                 "or {kind: term, names, nodes}. A matrix that is not positive semidefinite is "
                 "refused, never repaired.");

#define MARKET_FIELDS                                                                              \
    {.name = "curves",                                                                             \
     .type = LEVY_FIELD_MAP,                                                                       \
     .table = &catalog_curve,                                                                      \
     .offset = offsetof(levy_raw_market, curves),                                                  \
     .doc = "Discount curves by name. A currency's default curve is named like the currency."},    \
        {.name = "calendars",                                                                      \
         .type = LEVY_FIELD_MAP,                                                                   \
         .table = &catalog_calendar,                                                               \
         .offset = offsetof(levy_raw_market, calendars),                                           \
         .doc = "Business-day calendars by name."},                                                \
        {.name = "assets",                                                                         \
         .type = LEVY_FIELD_MAP,                                                                   \
         .table = &catalog_asset,                                                                  \
         .offset = offsetof(levy_raw_market, assets),                                              \
         .doc = "Assets by name."},                                                                \
    {                                                                                              \
        .name = "correlations", .type = LEVY_FIELD_OBJECT, .table = &catalog_correlations,         \
        .offset = offsetof(levy_raw_market, correlations), .doc = "Correlations between assets."   \
    }

static const levy_field catalog_market_fields[] = {
    {.name = "file",
     .type = LEVY_FIELD_TEXT,
     .offset = offsetof(levy_raw_market, file),
     .doc = "A file with market data, relative to this one and below its folder: `market: "
            "market.yaml` for short."},
    MARKET_FIELDS,
    {0}};
const levy_table levy_market_table = {.name = "market",
                                      .doc = "Market data: curves, calendars, assets, "
                                             "correlations; here, in a file by reference, or both.",
                                      .size = sizeof(levy_raw_market),
                                      .fields = catalog_market_fields,
                                      .shorthand_key = "file",
                                      .node_offset = offsetof(levy_raw_market, node),
                                      .has_node = true};

static const levy_field catalog_market_alone_fields[] = {MARKET_FIELDS, {0}};
const levy_table levy_market_alone_table =
    OBJECT_TABLE("market file", levy_raw_market, catalog_market_alone_fields,
                 "A file of market data: the keys of `market` at its top.");

/* ---- Trades ---- */

static const levy_field catalog_underlying_fields[] = {
    {.name = "name",
     .type = LEVY_FIELD_NAME,
     .flags = LEVY_REQUIRED,
     .offset = offsetof(levy_raw_underlying, name),
     .doc = "An asset of the trade's model."},
    {.name = "weight",
     .type = LEVY_FIELD_NUMBER,
     .offset = offsetof(levy_raw_underlying, weight),
     .doc = "Its weight in the aggregate: for all underlyings or for none. Left out: 1/n in "
            "baskets, 1 for best and worst "
            "of. Negative in arithmetic baskets only."},
    {0}};
static const levy_table catalog_underlying = {
    .name = "underlying",
    .doc =
        "An underlying, with its weight if several form one level. A bare name stands for {name}.",
    .size = sizeof(levy_raw_underlying),
    .fields = catalog_underlying_fields,
    .shorthand_key = "name",
    .node_offset = offsetof(levy_raw_underlying, node),
    .has_node = true};

static const char *const catalog_styles[] = {
    "european",          "american",          "bermudan",
    "European=european", "American=american", "Bermudan=bermudan",
    "bermuda=bermudan",  "Bermuda=bermudan",  NULL};
static const levy_field catalog_exercise_fields[] = {
    {.name = "style",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_styles,
     .fallback = "european",
     .offset = offsetof(levy_raw_exercise, style),
     .doc = "european; american and bermudan are not priced yet."},
    {.name = "expiry",
     .type = LEVY_FIELD_TIME,
     .flags = LEVY_REQUIRED,
     .offset = offsetof(levy_raw_exercise, expiry),
     .unit = "years",
     .doc = "When the option expires. Today, or before and yet to be paid: what it pays is known, "
            "by the assets' fixings or today's "
            "spots (interval exact, Greeks those of the payoff itself)."},
    {0}};
static const levy_table catalog_exercise = OBJECT_TABLE(
    "exercise", levy_raw_exercise, catalog_exercise_fields, "When the holder may exercise.");

static const char *const catalog_positions[] = {"long",        "short",      "Long=long",
                                                "Short=short", "buy=long",   "sell=short",
                                                "Buy=long",    "Sell=short", NULL};
const char *const levy_measure_names[] = {
    "price",        "delta",       "vega",        "gamma",       "rho", "theta",
    "vega_by_node", "rho_by_node", "cross_gamma", "correlation", NULL};

#define TRADE_TEXT(key, text)                                                                      \
    {                                                                                              \
        .name = #key, .type = LEVY_FIELD_TEXT, .offset = offsetof(levy_raw_trade, key),            \
        .doc = text                                                                                \
    }
#define TRADE_NAME(key, text)                                                                      \
    {                                                                                              \
        .name = #key, .type = LEVY_FIELD_NAME, .offset = offsetof(levy_raw_trade, key),            \
        .doc = text                                                                                \
    }
static const levy_field catalog_trade_fields[] = {
    {.name = "id",
     .type = LEVY_FIELD_NAME,
     .flags = LEVY_REQUIRED,
     .offset = offsetof(levy_raw_trade, id),
     .doc = "Names the trade in results; unique over all files."},
    TRADE_NAME(model, "A name in `models`; may be left out where there is only one."),
    TRADE_NAME(underlying, "The asset, where there is one."),
    {.name = "underlyings",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_OBJECT,
     .flags = LEVY_NON_EMPTY,
     .table = &catalog_underlying,
     .offset = offsetof(levy_raw_trade, underlyings),
     .doc = "The assets, where there are several: names, or {name, weight}."},
    TRADE_NAME(currency, "Currency of the payment; left out: the underlyings' own. Another one "
                         "(quanto) is not priced yet."),
    TRADE_NAME(
        discount_curve,
        "The curve payments are discounted on; left out: the curve named like the currency."),
    {.name = "position",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_positions,
     .fallback = "long",
     .offset = offsetof(levy_raw_trade, position),
     .doc = "long: owned; short: owed."},
    {.name = "quantity",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN,
     .low = 0,
     .high = 1e18,
     .offset = offsetof(levy_raw_trade, quantity),
     .doc = "Number of units, positive; position: short for a sold one. Left out, without "
            "notional: 1."},
    {.name = "notional",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN,
     .low = 0,
     .high = 1e18,
     .offset = offsetof(levy_raw_trade, notional),
     .unit = "currency",
     .doc = "Amount that multiplies a payoff which is a pure number: strike_type "
            "percent_of_initial, or a digital that "
            "pays cash (then `cash` is a fraction of the notional). Never beside quantity."},
    {.name = "payoff",
     .type = LEVY_FIELD_VARIANT,
     .flags = LEVY_REQUIRED,
     .table = &levy_payoff_table,
     .offset = offsetof(levy_raw_trade, payoff),
     .doc = "What is paid, such as {kind: european, option_type: call, strike: 100}."},
    {.name = "exercise",
     .type = LEVY_FIELD_OBJECT,
     .flags = LEVY_REQUIRED,
     .table = &catalog_exercise,
     .offset = offsetof(levy_raw_trade, exercise),
     .doc = "Style and expiry, such as {style: european, expiry: 2027-11-20}."},
    {.name = "payment_date",
     .type = LEVY_FIELD_TIME,
     .offset = offsetof(levy_raw_trade, payment_date),
     .unit = "years",
     .doc = "When the payoff is paid, not before expiry; left out: at expiry."},
    {.name = "payment_lag",
     .type = LEVY_FIELD_TENOR,
     .offset = offsetof(levy_raw_trade, payment_lag),
     .doc = "Time from expiry to payment, instead of payment_date. Days are business days of "
            "`calendars` if any are "
            "given; longer tenors roll to the following business day."},
    {.name = "calendars",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_NAME,
     .offset = offsetof(levy_raw_trade, calendars),
     .doc = "Calendars of the payment, joined."},
    TRADE_TEXT(book, "Free text, carried along."),
    TRADE_TEXT(counterparty, "Free text, carried along."),
    TRADE_TEXT(netting_set, "Free text, carried along."),
    {.name = "tags",
     .type = LEVY_FIELD_NODE,
     .offset = offsetof(levy_raw_trade, tags),
     .doc = "Free texts by key, carried along."},
    {.name = "measures",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_CHOICE,
     .choices = levy_measure_names,
     .flags = LEVY_NON_EMPTY,
     .offset = offsetof(levy_raw_trade, measures),
     .doc = "What to report of this trade, instead of the book's measures."},
    {0}};
const levy_table levy_trade_table =
    OBJECT_TABLE("trade", levy_raw_trade, catalog_trade_fields,
                 "One position: underlyings, payoff, exercise, size.");

/* ---- Simulation, and the whole file ---- */

#define CATALOG_MEASURES                                                                           \
    "What to report, such as [price, delta, gamma, vega, rho, theta]; price is always there. "     \
    "`levy describe bumps` says what "                                                             \
    "each is."
#define CATALOG_BUMPS                                                                              \
    "Sizes of the bumps behind the measures, which are differences of prices on the same draws, "  \
    "each with its own standard "                                                                  \
    "error, which includes the bias of the bump as another bump on the first replicate tells it. " \
    "Sizes that are left out follow one rule: a share of the standard deviation "                  \
    "at expiry, larger where the payoff jumps; delta and gamma are then extrapolated from two "    \
    "bumps to none. delta, gamma: by the spot of each asset, per 1 of its currency. vega: by "     \
    "Black volatility, all nodes of an asset at once, per 1.00; "                                  \
    "vega_by_node: by each node. rho: by the zero rates of all curves of the trade's currency, "   \
    "per 1.00, dividend yields "                                                                   \
    "fixed; rho_by_node: by each node of each curve. theta: the change of price over one "         \
    "calendar day, spots unchanged and "                                                           \
    "rates, volatilities and correlations staying at their dates: the model's own derivative by "  \
    "time; a fixing within the day "                                                               \
    "sees today's spot, a dividend within the day is paid. cross_gamma, correlation: by each "     \
    "pair of assets, per 1.00 of "                                                                 \
    "correlation. Flagged, with a note: noisy, where a payoff jumps (digital; barriers that are "  \
    "watched at dates or from a later "                                                            \
    "one on; those watched at all times are smooth); biased, where a bumped spot lies beyond a "   \
    "barrier that is watched at all "                                                              \
    "times; one-sided, where one of two bumped markets cannot be simulated (volatility below 0, "  \
    "correlations indefinite or in "                                                               \
    "need of another factor); without a value, where none can."

static const levy_field catalog_bumps_fields[] = {
    {.name = "spot",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN,
     .low = 0,
     .high = 0.5,
     .offset = offsetof(levy_raw_bumps, spot),
     .doc = "Relative bump of the spot for delta, up and down; left out: a tenth of the standard "
            "deviation of the spot's "
            "logarithm at expiry, a fifth where the payoff jumps, and extrapolated."},
    {.name = "gamma",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN,
     .low = 0,
     .high = 0.5,
     .offset = offsetof(levy_raw_bumps, gamma),
     .doc = "Relative bump of the spot for gamma and cross_gamma; left out: as for delta, of "
            "cross_gamma a twentieth or a fifth "
            "of the deviation. Second differences want larger bumps than first ones: noise grows "
            "as the bump shrinks. In "
            "single precision they cancel, and less than 0.005 is refused."},
    {.name = "volatility",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN,
     .low = 0,
     .high = 0.5,
     .offset = offsetof(levy_raw_bumps, volatility),
     .unit = "1/sqrt(year)",
     .doc = "Absolute bump of the volatility for vega, up and down; left out: 0.002 of the "
            "volatility, a tenth where the "
            "payoff jumps."},
    {.name = "rate",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN,
     .low = 0,
     .high = 0.1,
     .offset = offsetof(levy_raw_bumps, rate),
     .unit = "1/year",
     .doc = "Absolute bump of the zero rates for rho, up and down; left out: 0.002 of the standard "
            "deviation at expiry over "
            "the years to it, at most 0.001; a tenth and at most 0.05 where the payoff jumps."},
    {.name = "correlation",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN,
     .low = 0,
     .high = 0.5,
     .offset = offsetof(levy_raw_bumps, correlation),
     .doc = "Absolute bump of a correlation, up and down; left out: 0.01, or 0.05 where the payoff "
            "jumps."},
    {.name = "days",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN,
     .low = 0,
     .high = 366,
     .fallback = "1",
     .offset = offsetof(levy_raw_bumps, days),
     .unit = "days",
     .doc = "Calendar days that pass for theta, which is per day."},
    {0}};
static const levy_table catalog_bumps = {.name = "bumps",
                                         .doc = CATALOG_BUMPS,
                                         .size = sizeof(levy_raw_bumps),
                                         .fields = catalog_bumps_fields};

static const char *const catalog_constructions[] = {"bridge", "incremental", "pca",
                                                    "brownian_bridge=bridge", NULL};
static const levy_field catalog_construction_fields[] = {
    {.name = "kind",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_constructions,
     .fallback = "bridge",
     .offset = offsetof(levy_raw_construction, kind),
     .doc = "bridge: the Brownian bridge, the last date first, then midpoints; incremental: in the "
            "order of time; pca: "
            "principal components of the motion, the largest first (as many multiplications as "
            "dates for each date)."},
    {.name = "order",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_COUNT,
     .flags = LEVY_RANGED | LEVY_NON_EMPTY,
     .low = 1,
     .high = 4294967295.0,
     .offset = offsetof(levy_raw_construction, order),
     .doc = "Bridge: the dates of a trade's grid by number, from 1, each once, in the order in "
            "which they are built."},
    {.name = "first",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_TIME,
     .flags = LEVY_NON_EMPTY,
     .offset = offsetof(levy_raw_construction, first),
     .unit = "years",
     .doc = "Bridge: dates of the grid that are built first, in this order; then the last date, "
            "then midpoints between them."},
    {0}};
static const levy_table catalog_construction = {
    .name = "construction",
    .doc = "How the draws of a path become its motion: which of them matter most.",
    .size = sizeof(levy_raw_construction),
    .fields = catalog_construction_fields,
    .shorthand_key = "kind",
    .node_offset = offsetof(levy_raw_construction, node),
    .has_node = true};

static const levy_field catalog_tolerance_fields[] = {
    {.name = "absolute",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN,
     .low = 0,
     .high = 1e18,
     .offset = offsetof(levy_raw_tolerance, absolute),
     .unit = "currency",
     .doc = "Half-width of the price's interval that is accurate enough. Beside `relative`, either "
            "is enough."},
    {.name = "relative",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN | LEVY_HIGH_OPEN,
     .low = 0,
     .high = 1,
     .offset = offsetof(levy_raw_tolerance, relative),
     .doc = "The same as a fraction of the price."},
    {.name = "confidence",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN | LEVY_HIGH_OPEN,
     .low = 0.5,
     .high = 1,
     .offset = offsetof(levy_raw_tolerance, confidence),
     .doc = "Level of that interval; left out: simulation.confidence."},
    {.name = "max_paths",
     .type = LEVY_FIELD_COUNT,
     .flags = LEVY_RANGED,
     .low = 2,
     .high = 281474976710656.0,
     .offset = offsetof(levy_raw_tolerance, max_paths),
     .doc = "Paths in total, at most; left out: 2^26. A price that needs more is given with "
            "tolerance_met: false."},
    {.name = "inflate",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = 1,
     .high = 10,
     .fallback = "1.2",
     .offset = offsetof(levy_raw_tolerance, inflate),
     .doc = "The half-width is multiplied by this first, since it is itself an estimate."},
    {0}};
static const levy_table catalog_tolerance =
    OBJECT_TABLE("tolerance", levy_raw_tolerance, catalog_tolerance_fields,
                 "Prices to an accuracy: paths double until `inflate` times the half-width is "
                 "inside at two successive sizes, or once at "
                 "the largest that max_paths allows. Each trade of a group has the paths it needs, "
                 "whatever its neighbours need.");

static const char *const catalog_generators[] = {"sobol_scrambled", "sobol", "philox", "mrg32k3a",
                                                 NULL};
static const char *const catalog_precisions[] = {"double",         "single",         "mixed",
                                                 "float64=double", "float32=single", NULL};
static const levy_field catalog_simulation_fields[] = {
    {.name = "paths",
     .type = LEVY_FIELD_COUNT,
     .flags = LEVY_RANGED,
     .low = 2,
     .high = 281474976710656.0,
     .fallback = "2^18",
     .offset = offsetof(levy_raw_simulation, paths),
     .doc =
         "Paths in total. For the Sobol generators replicates times a power of two; at most 2^32 "
         "per replicate. With a "
         "tolerance: the first size; left out then: 2^10 per replicate (16 replicates) or 2^14."},
    {.name = "replicates",
     .type = LEVY_FIELD_COUNT,
     .flags = LEVY_RANGED,
     .low = 1,
     .high = 65536,
     .offset = offsetof(levy_raw_simulation, replicates),
     .doc = "Independent scrambles; their spread gives the error. Left out: 16 for "
            "sobol_scrambled, else 1."},
    {.name = "generator",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_generators,
     .fallback = "sobol_scrambled",
     .offset = offsetof(levy_raw_simulation, generator),
     .doc = "sobol_scrambled: quasi-random with an honest error; sobol: without; philox, mrg32k3a: "
            "pseudo-random."},
    {.name = "construction",
     .type = LEVY_FIELD_OBJECT,
     .table = &catalog_construction,
     .offset = offsetof(levy_raw_simulation, construction),
     .doc = "bridge (default), incremental or pca; or {kind: bridge, order: [...]}."},
    {.name = "seed",
     .type = LEVY_FIELD_COUNT,
     .fallback = "42",
     .offset = offsetof(levy_raw_simulation, seed),
     .flags = LEVY_RANGED,
     .low = 0,
     .high = 9007199254740991.0,
     .doc = "Any number below 2^53, so that every JSON reader gives it back. The same seed gives "
            "the same bits."},
    {.name = "precision",
     .type = LEVY_FIELD_CHOICE,
     .choices = catalog_precisions,
     .fallback = "double",
     .offset = offsetof(levy_raw_simulation, precision),
     .doc = "Arithmetic of the paths. mixed: normals in single, all else in double."},
    {.name = "confidence",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN | LEVY_HIGH_OPEN,
     .low = 0.5,
     .high = 1,
     .fallback = "0.95",
     .offset = offsetof(levy_raw_simulation, confidence),
     .doc = "Level of the confidence intervals, such as 0.95."},
    {.name = "tolerance",
     .type = LEVY_FIELD_OBJECT,
     .table = &catalog_tolerance,
     .offset = offsetof(levy_raw_simulation, tolerance),
     .doc = "An accuracy instead of a number of paths, such as {relative: 0.0001}."},
    {.name = "bumps",
     .type = LEVY_FIELD_OBJECT,
     .table = &catalog_bumps,
     .offset = offsetof(levy_raw_simulation, bumps),
     .doc = "Sizes of the bumps behind the sensitivities."},
    {0}};
const levy_table levy_simulation_table =
    OBJECT_TABLE("simulation", levy_raw_simulation, catalog_simulation_fields,
                 "How many paths, from which generator, in which order, with which precision.");

static const char *const catalog_shift_types[] = {"relative", "absolute", "Relative=relative",
                                                  "Absolute=absolute", NULL};
#define SHIFT_FIELDS                                                                               \
    {.name = "factor",                                                                             \
     .type = LEVY_FIELD_NAME,                                                                      \
     .flags = LEVY_REQUIRED,                                                                       \
     .offset = offsetof(levy_raw_shift, factor),                                                   \
     .doc = "NAME.spot, NAME.volatility, NAME.dividend_yield of an asset, CURVE.rate of a curve; " \
            "ALL.spot and so on: of "                                                              \
            "all of them."},                                                                       \
    {                                                                                              \
        .name = "type", .type = LEVY_FIELD_CHOICE, .choices = catalog_shift_types,                 \
        .fallback = "relative", .offset = offsetof(levy_raw_shift, type),                          \
        .doc = "relative: times 1 + size; absolute: plus size. Of volatilities: each "             \
               "node's Black volatility; of rates: the zero rates, continuously compounded."       \
    }
static const levy_field catalog_shift_fields[] = {SHIFT_FIELDS,
                                                  {.name = "size",
                                                   .type = LEVY_FIELD_NUMBER,
                                                   .flags = LEVY_REQUIRED,
                                                   .offset = offsetof(levy_raw_shift, size),
                                                   .doc = "By how much, such as -0.10."},
                                                  {0}};
static const levy_table catalog_shift =
    OBJECT_TABLE("shift", levy_raw_shift, catalog_shift_fields, "One factor moved.");
static const levy_field catalog_axis_fields[] = {SHIFT_FIELDS,
                                                 {.name = "sizes",
                                                  .type = LEVY_FIELD_LIST,
                                                  .element = LEVY_FIELD_NUMBER,
                                                  .flags = LEVY_REQUIRED | LEVY_NON_EMPTY,
                                                  .offset = offsetof(levy_raw_shift, sizes),
                                                  .doc = "The sizes along this axis."},
                                                 {0}};
static const levy_table catalog_axis = OBJECT_TABLE("axis", levy_raw_shift, catalog_axis_fields,
                                                    "One factor of a grid, with all its sizes.");
static const levy_field catalog_scenario_fields[] = {
    {.name = "id",
     .type = LEVY_FIELD_NAME,
     .flags = LEVY_REQUIRED,
     .offset = offsetof(levy_raw_scenario, id),
     .doc = "Names the scenario in results; a grid's points are id[size,size]."},
    {.name = "shifts",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_OBJECT,
     .table = &catalog_shift,
     .flags = LEVY_NON_EMPTY,
     .offset = offsetof(levy_raw_scenario, shifts),
     .doc = "What moves, all together."},
    {.name = "grid",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_OBJECT,
     .table = &catalog_axis,
     .flags = LEVY_NON_EMPTY,
     .offset = offsetof(levy_raw_scenario, grid),
     .doc = "Axes: every combination of their sizes is a scenario, the last axis fastest; `shifts` "
            "hold in all of them."},
    {0}};
static const levy_table catalog_scenario =
    OBJECT_TABLE("scenario", levy_raw_scenario, catalog_scenario_fields,
                 "The market moved at once, today, every trade re-priced on the same draws: "
                 "scenario_price, and scenario_pnl, its "
                 "difference to today's price with its own standard error. Initial fixings and "
                 "past fixings stay, as they do when a quote is "
                 "set. A trade that sees what the scenario makes impossible (a volatility below "
                 "1e-8, a spot below 0) has no value in it, "
                 "and a note says why.");

static const levy_field catalog_book_fields[] = {
    {.name = "schema_version",
     .type = LEVY_FIELD_COUNT,
     .flags = LEVY_REQUIRED | LEVY_RANGED,
     .low = 1,
     .high = 1,
     .offset = offsetof(levy_raw_book, schema_version),
     .doc = "The version of this vocabulary; write schema_version: 1."},
    {.name = "valuation_date",
     .type = LEVY_FIELD_DATE,
     .offset = offsetof(levy_raw_book, valuation_date),
     .doc = "Today. With it every time is a date; without it every time is a number of years from "
            "now."},
    {.name = "market",
     .type = LEVY_FIELD_OBJECT,
     .table = &levy_market_table,
     .offset = offsetof(levy_raw_book, market),
     .doc = "Market data, or the relative name of a file that holds it."},
    {.name = "models",
     .type = LEVY_FIELD_MAP,
     .table = &levy_model_table,
     .offset = offsetof(levy_raw_book, models),
     .doc = "Models by name."},
    {.name = "trades",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_OBJECT,
     .flags = LEVY_NON_EMPTY,
     .table = &levy_trade_table,
     .offset = offsetof(levy_raw_book, trades),
     .doc = "The positions to price."},
    {.name = "simulation",
     .type = LEVY_FIELD_OBJECT,
     .table = &levy_simulation_table,
     .offset = offsetof(levy_raw_book, simulation),
     .doc = "Settings of the simulation, for the whole book."},
    {.name = "measures",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_CHOICE,
     .choices = levy_measure_names,
     .flags = LEVY_NON_EMPTY,
     .offset = offsetof(levy_raw_book, measures),
     .doc = CATALOG_MEASURES},
    {.name = "scenarios",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_OBJECT,
     .flags = LEVY_NON_EMPTY,
     .table = &catalog_scenario,
     .offset = offsetof(levy_raw_book, scenarios),
     .doc = "Markets to re-price every trade in, on the same draws."},
    {0}};
const levy_table levy_book_table =
    OBJECT_TABLE("book", levy_raw_book, catalog_book_fields,
                 "A file of trades, with the market, models and settings that price them. Several "
                 "files, and documents separated by "
                 "---, form one book: each thing is defined once.");

/* What a referenced file may hold: the keys of `market` at its top, or this. */
static const levy_field catalog_market_book_fields[] = {
    {.name = "schema_version",
     .type = LEVY_FIELD_COUNT,
     .flags = LEVY_RANGED,
     .low = 1,
     .high = 1,
     .offset = offsetof(levy_raw_book, schema_version),
     .doc = "The version of this vocabulary; write schema_version: 1."},
    {.name = "valuation_date",
     .type = LEVY_FIELD_DATE,
     .offset = offsetof(levy_raw_book, valuation_date),
     .doc = "If given, the same as in the file that refers to this one."},
    {.name = "market",
     .type = LEVY_FIELD_OBJECT,
     .flags = LEVY_REQUIRED,
     .table = &levy_market_alone_table,
     .offset = offsetof(levy_raw_book, market),
     .doc = "Market data."},
    {0}};
const levy_table levy_market_book_table =
    OBJECT_TABLE("market book", levy_raw_book, catalog_market_book_fields,
                 "A file of market data under `market`, for `market: FILE` in another.");

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
                                              {"attraction", &levy_attraction_table},
                                              {"trade", &levy_trade_table},
                                              {"underlying", &catalog_underlying},
                                              {"exercise", &catalog_exercise},
                                              {"payoff", &levy_payoff_table},
                                              {"schedule", &levy_schedule_table},
                                              {"simulation", &levy_simulation_table},
                                              {"bumps", &catalog_bumps},
                                              {"scenario", &catalog_scenario},
                                              {"shift", &catalog_shift},
                                              {"axis", &catalog_axis},
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
                                            "underlying",
                                            "exercise",
                                            "payoff",
#define LEVY_PAYOFF(name, NAME) "payoff." #name,
#include "payoffs/payoffs.def"
#undef LEVY_PAYOFF
                                            "schedule",
                                            "simulation",
                                            "bumps",
                                            "scenario",
                                            "shift",
                                            "axis",
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
