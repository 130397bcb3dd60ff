/* catalog_trade.c: the tables of a trade and of its legs, and the measures that it may ask for. See
 * catalog.h. Must not know: payoffs, any rule that spans two keys (engine/problem/). */
#include "engine/schema/catalog.h"

#include "engine/base/number.h"

/* ---- Trades ---- */

static const levy_field catalog_underlying_fields[] = {
    {LEVY_KEY("name", NAME, levy_raw_underlying, name), .flags = LEVY_REQUIRED,
     .doc = "Name of an asset of the trade's model."},
    {LEVY_KEY("weight", NUMBER, levy_raw_underlying, weight), .flags = LEVY_TOLD, .low = -1e9,
     .high = 1e9,
     .doc = "Weight of the underlying in the aggregate. Give weights for all "
            "underlyings or for none. The default is 1/n for baskets and 1 for "
            "best_of and worst_of. Only arithmetic baskets allow negative weights."},
    {0}};
const levy_table levy_underlying_table = {
    .name = "underlying",
    .doc = "An underlying, with its weight if several underlyings are aggregated. "
           "A bare name is short for {name}.",
    LEVY_FILLS(levy_raw_underlying),
    .fields = catalog_underlying_fields,
    .shorthand_key = "name",
    .example = "{name: STOCK, weight: 0.5}"};

static const char *const catalog_styles[] = {
    "european",          "american",          "bermudan",
    "European=european", "American=american", "Bermudan=bermudan",
    "bermuda=bermudan",  "Bermuda=bermudan",  NULL};
static const char *const catalog_methods[] = {"auto", "deterministic", "simulation", NULL};
/* levy_stage_policy */
static const char *const catalog_policies[] = {"auto", "refit", "frozen", NULL};
static const char *const catalog_controls[] = {"none", "european", "auto", NULL};
static const levy_field catalog_exercise_fit_fields[] = {
    {LEVY_KEY("paths", COUNT, levy_raw_exercise_fit, paths), LEVY_WITHIN(16, 16777216.0, 0),
     .fallback = "2^16", .doc = "How many paths the rule is fitted to: a power of two."},
    {LEVY_KEY("seed", COUNT, levy_raw_exercise_fit, seed), LEVY_WITHIN(0, 9007199254740991.0, 0),
     .doc = "Seed of these paths. The default is the simulation's. They are others than those of "
            "the price in either case."},
    {LEVY_KEY("policy", CHOICE, levy_raw_exercise_fit, policy), .choices = catalog_policies,
     .fallback = "auto",
     .doc = "Which markets have a rule of their own: auto: scenarios, while bumps keep today's; "
            "refit: bumps as well, which volga needs; frozen: none."},
    {LEVY_KEY("control", CHOICE, levy_raw_exercise_fit, control), .choices = catalog_controls,
     .fallback = "none",
     .doc = "Control variate: european is the value of the European when a path is exercised "
            "(one asset, or a geometric basket, under black_scholes without cash dividends); auto "
            "is european where the trade has one. Its share is fitted to the same paths."},
    {0}};
const levy_table levy_exercise_fit_table =
    OBJECT_TABLE("fit", levy_raw_exercise_fit, catalog_exercise_fit_fields,
                 "The paths that a rule of exercise is fitted to before the price is simulated.",
                 "{paths: 2^16}", .bare = "paths");
static const levy_synonym catalog_style_words[] = {
    /* short forms */
    {"amer", "style: american"},
    {"am", "style: american"},
    {"berm", "style: bermudan"},
    {"euro", "style: european"},
    {0}};
static const levy_synonym catalog_method_words[] = {
    /* names of methods */
    {"lsmc", "method: simulation"},
    {"lsm", "method: simulation"},
    {"ls", "method: simulation"},
    {"longstaff_schwartz", "method: simulation"},
    {"monte_carlo", "method: simulation"},
    {"mc", "method: simulation"},
    {"pde", "method: deterministic"},
    {"finite_differences", "method: deterministic"},
    {0}};
static const levy_field catalog_exercise_fields[] = {
    {LEVY_KEY("style", CHOICE, levy_raw_exercise, style), .also = "type kind",
     .choices = catalog_styles, .words = catalog_style_words, .fallback = "european",
     .doc = "Exercise style: at expiry; american at all times until then; bermudan on `dates` and "
            "at expiry. The last two go for payoffs of kind european, basket, best_of, worst_of, "
            "spread "
            "and exchange."},
    {LEVY_KEY("expiry", TIME, levy_raw_exercise, expiry),
     .also = "maturity expiration expiry_date maturity_date tenor date exercise_date",
     .flags = LEVY_REQUIRED, .unit = "years",
     .doc = "Expiry of the option. An option that expires today, or that has "
            "expired but is not paid yet, has a known payoff, computed from the "
            "assets' fixings or today's spots. Its interval is exact, and its "
            "Greeks are derivatives of the payoff."},
    {LEVY_KEY("dates", OBJECT, levy_raw_exercise, dates), .also = "schedule exercise_dates",
     .table = &levy_schedule_table,
     .doc = "Dates of bermudan exercise, beside expiry. Today counts, past ones do not."},
    {LEVY_KEY("exercised", TIME, levy_raw_exercise, exercised), .also = "exercised_on",
     .unit = "years",
     .doc = "The day on which american or bermudan exercise took place, today or before: then the "
            "payoff is known, as of an option that expires on it. With notice_days a day to come, "
            "if notice of it has been given."},
    {LEVY_KEY("method", CHOICE, levy_raw_exercise, method), .choices = catalog_methods,
     .words = catalog_method_words, .fallback = "auto",
     .doc = "How exercise before expiry is priced: deterministic without paths, which takes "
            "a call or put on one asset under black_scholes; simulation by a rule that is fitted "
            "to paths of its own "
            "(Longstaff and Schwartz), which gives a lower bound; auto: without paths where that "
            "can be."},
    {LEVY_KEY("steps", COUNT, levy_raw_exercise, steps), LEVY_WITHIN(1, 10000, 0),
     .doc =
         "American exercise by simulation: so many dates, evenly from today on, those beside each "
         "dividend, and expiry."},
    {LEVY_KEY("notice_days", COUNT, levy_raw_exercise, notice_days), .also = "notice notice_period",
     LEVY_WITHIN(0, 3650, 0), .fallback = "0",
     .doc = "Calendar days before a date of american or bermudan exercise on which it is decided. "
            "What exercise gains then is paid, also a loss. At expiry no notice is needed."},
    {LEVY_KEY("fit", OBJECT, levy_raw_exercise, fit), .table = &levy_exercise_fit_table,
     .doc = "Of exercise by simulation: the paths that the rule is fitted to."},
    {0}};
static const levy_synonym catalog_exercise_strangers[] = {
    {"basis basis_functions degree regressors regression",
     "There is no such choice: the polynomials of the rule follow from the payoff and the model. "
     "Remove this key."},
    {"training_paths fit_paths regression_paths", "Write fit: {paths: $}."},
    {"settlement settlement_type",
     "There is no such key: what exercise gains is paid in cash. payment_date and payment_lag of "
     "the trade say when, where exercise is european."},
    {"holder owner exercised_by",
     "There is no such key: who is long exercises. Of an option that is sold, its buyer does: "
     "position: short beside exercise. What its issuer may call is a script: levy example rights."},
    {"state states state_variables",
     "There is no such key: the rule reads the levels, and the variance of one asset under heston "
     "and bates. Remove this key."},
    {0}};
const levy_table levy_exercise_table =
    OBJECT_TABLE("exercise", levy_raw_exercise, catalog_exercise_fields,
                 "Exercise style and expiry. A bare date or number of years is the expiry of a "
                 "european exercise.",
                 "{style: european, expiry: 1.0}", .bare = "expiry", .shorthand_key = "expiry",
                 .strangers = catalog_exercise_strangers);

static const char *const catalog_positions[] = {
    "long",       "short",    "Long=long",  "Short=short", "buy=long",
    "sell=short", "Buy=long", "Sell=short", NULL,
};
static const char *const catalog_conversions[] = {
    "quanto", "composite", "compo=composite", "Composite=composite", "Quanto=quanto", NULL,
};
static const char *const catalog_quantos[] = {"term", "simulated", NULL};
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

const levy_synonym levy_measure_synonyms[] = {
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
    {"implied_vol", "implied_volatility"},
    {"iv", "implied_volatility"},
    {"minimum_variance_delta", "delta_minimum_variance"},
    {"min_var_delta", "delta_minimum_variance"},
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
        .element = LEVY_FIELD_OBJECT, .flags = LEVY_NON_EMPTY, .table = &levy_underlying_table,    \
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
    {LEVY_KEY("id", NAME, levy_raw_trade, id), .also = "name leg",
     .doc = "Name of the leg. Results call it TRADE/LEG. The default is its number, from 1 on."},
    {LEVY_KEY("payoff", VARIANT, levy_raw_trade, payoff), .flags = LEVY_REQUIRED,
     .table = &levy_payoff_table, .doc = "Payoff of the leg, as of a trade."},
    TRADE_POSITION_FIELD,
    TRADE_SIZE(quantity, "qty size units ratio weight", NULL,
               "How many units of the leg a unit of the trade has, or a unit of its notional. The "
               "default is 1."),
    TRADE_SIZE(notional, "nominal face", "currency",
               "Notional amount of the leg, times the trade's quantity. A trade with a notional "
               "gives it to its legs."),
    TRADE_UNDERLYING_FIELD,
    TRADE_UNDERLYINGS_FIELD,
    {LEVY_KEY("currency", NAME, levy_raw_trade, currency), .also = "ccy",
     .pattern = CATALOG_CURRENCY,
     .doc = "Payment currency of the leg. The default is the trade's. Legs in several currencies "
            "add up in the book's report_currency."},
    TRADE_DISCOUNT_CURVE_FIELD,
    {LEVY_KEY("exercise", OBJECT, levy_raw_trade, exercise),
     .also = "expiry maturity expiration expiry_date maturity_date date exercise_date",
     .table = &levy_exercise_table,
     .doc = "Exercise of the leg, such as 2027-11-20. The default is the trade's."},
    TRADE_PAYMENT_DATE_FIELD,
    TRADE_PAYMENT_LAG_FIELD,
    TRADE_CALENDARS_FIELD,
    {0}};
const levy_table levy_leg_table = OBJECT_TABLE(
    "leg", levy_raw_trade, catalog_leg_fields,
    "A leg of a trade. What it does not say is as in the trade: underlyings, exercise, "
    "payment, discount curve. Its sign and size multiply the trade's.",
    "{position: short, payoff: {kind: european, option_type: put, strike: 90}}");

static const levy_field catalog_premium_fields[] = {
    {LEVY_KEY("amount", NUMBER, levy_raw_premium, amount), .also = "value price paid",
     LEVY_WITHIN(-1e15, 1e15, LEVY_REQUIRED), .unit = "currency",
     .doc =
         "What the holder pays in all, whatever quantity and notional are: of a long position it "
         "is subtracted, of a short one added. Less than 0: the holder is paid."},
    {LEVY_KEY("date", TIME, levy_raw_premium, date), .also = "payment_date settlement when",
     .flags = LEVY_REQUIRED, .unit = "years",
     .doc = "When it is paid. Before the valuation it has been paid and is worth nothing now; on "
            "that day it is due."},
    {LEVY_KEY("currency", NAME, levy_raw_premium, currency), .also = "ccy",
     .pattern = CATALOG_CURRENCY, .doc = "Its currency. The default is the trade's."},
    {0}};
const levy_table levy_premium_table = OBJECT_TABLE(
    "premium", levy_raw_premium, catalog_premium_fields,
    "A premium: an amount that the holder of the trade pays on a date, discounted on "
    "the trade's discount curve, or on that of its own currency. It is a leg of the trade.",
    "{amount: 5.25, date: 0.01}", .bare = "amount");

static const levy_field catalog_trade_fields[] = {
    {LEVY_KEY("id", NAME, levy_raw_trade, id), .also = "name trade_id", .flags = LEVY_REQUIRED,
     .doc = "Name of the trade in results. It must be unique across all files."},
    TRADE_NAME(model, "model_name",
               "Name of a model in `models`. It is optional if there is only one "
               "model."),
    TRADE_UNDERLYING_FIELD,
    TRADE_UNDERLYINGS_FIELD,
    {LEVY_KEY("currency", NAME, levy_raw_trade, currency), .also = "ccy",
     .pattern = CATALOG_CURRENCY,
     .doc = "Payment currency. The default is the currency of the underlyings. "
            "In another one (quanto) the underlyings' levels are paid one for one: the market then "
            "needs the rate of exchange and its correlations with them."},
    {LEVY_KEY("conversion", CHOICE, levy_raw_trade, conversion), .also = "fx_feature",
     .choices = catalog_conversions, .fallback = "quanto",
     .doc = "How levels in other currencies are taken: quanto as numbers, composite times the rate "
            "of exchange."},
    {LEVY_KEY("quanto", CHOICE, levy_raw_trade, quanto), .choices = catalog_quantos,
     .fallback = "term",
     .hint = "A payment in another currency than that of the underlyings, at a fixed rate of "
             "exchange: name it under currency, without quanto, which is term or simulated.",
     .doc = "Whose volatility of the rate of exchange a quanto takes: term the market's, simulated "
            "its own on each path, of a rate that the trade's model has, too. The currency that is "
            "paid stands under currency."},
    TRADE_DISCOUNT_CURVE_FIELD,
    TRADE_NAME(collateral, "csa collateral_currency",
               "What the trade is collateralised by: payments are discounted on the curve "
               "CURRENCY.COLLATERAL, such as USD.EUR, which may be a spread over USD. In place of "
               "discount_curve, which is for one currency."),
    TRADE_POSITION_FIELD,
    TRADE_SIZE(quantity, "qty size units contracts", NULL,
               "Number of units; it must be positive. For a sold option write "
               "position: short. The default is 1 if there is no notional."),
    TRADE_SIZE(notional, "nominal face", "currency",
               "Notional amount; it multiplies a payoff that is a pure number. Such "
               "payoffs have strike_type percent_of_initial, or are digitals that pay "
               "cash (then `cash` is a fraction of the notional). It cannot be "
               "combined with quantity."),
    {LEVY_KEY("payoff", VARIANT, levy_raw_trade, payoff),
     .also = "option product instrument contract barrier_type", .flags = LEVY_REQUIRED,
     .unless = "legs", .table = &levy_payoff_table,
     .doc = "Payoff, such as {kind: european, option_type: call, strike: 100}."},
    {LEVY_KEY("exercise", OBJECT, levy_raw_trade, exercise),
     .also = "expiry maturity expiration expiry_date maturity_date exercise_date tenor",
     .flags = LEVY_REQUIRED, .table = &levy_exercise_table,
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
    {LEVY_KEY("tags", NODE, levy_raw_trade, tags),
     .json = "\"type\": \"object\", \"additionalProperties\": {\"type\": [\"string\", "
             "\"number\", \"boolean\", \"null\"]}",
     .example = "{desk: exotics, trader: kim}",
     .doc = "Free texts by key, carried to the results; --by tags.NAME adds up by one."},
    MEASURES_FIELD(levy_raw_trade,
                   "Measures of this trade. They replace the measures of the book."),
    {LEVY_KEY("legs", LIST, levy_raw_trade, legs),
     .also = "components parts structure strategy positions", .element = LEVY_FIELD_OBJECT,
     .table = &levy_leg_table, .flags = LEVY_NON_EMPTY,
     .doc = "In place of payoff: the parts of a trade that is their sum, such as a note and its "
            "coupons, or a spread."},
    {LEVY_KEY("premium", OBJECT, levy_raw_trade, premium), .also = "upfront fee",
     .table = &levy_premium_table, .doc = "An amount that the holder pays."},
    {0}};
static const levy_synonym catalog_trade_strangers[] = {
    {"quanto_currency", "A payment in another currency than that of the underlyings, at a fixed "
                        "rate of exchange: write currency: $."},
    {"payment_currency pay_currency payout_currency settlement_currency",
     "Write currency: $. Levels in another currency are paid as numbers, or with conversion: "
     "composite times the rate of exchange."},
    {"composite compo", "Levels times the rate of exchange: name the currency that is paid under "
                        "currency, and write conversion: composite."},
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
