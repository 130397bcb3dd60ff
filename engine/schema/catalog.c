/* catalog.c: the tables of scenarios and of a whole file, what is not priced, and the topics of
 * `levy describe`. See catalog.h. Must not know: any rule that spans two keys (engine/problem/). */
#include "engine/schema/catalog.h"
#include "engine/schema/kind_file.h"

#include <string.h>
#include <strings.h>

/* ---- Scenarios ---- */

static const char *const catalog_shift_types[] = {
    "relative", "absolute", "Relative=relative", "Absolute=absolute", NULL,
};
#define SHIFT_FIELDS                                                                               \
    {.name = "factor",                                                                             \
     .type = LEVY_FIELD_TEXT,                                                                      \
     .flags = LEVY_REQUIRED,                                                                       \
     .offset = offsetof(levy_raw_shift, factor),                                                   \
     .doc = "Risk factor: NAME.spot, NAME.volatility, NAME.dividend_yield, NAME.borrow or "        \
            "NAME.dividends of an asset, CURVE.rate of a curve, or NAME,OTHER.correlation, the "   \
            "correlation of two assets; of heston NAME.v0, NAME.xi and so on, and "                \
            "NAME.spot,OTHER.variance if given. ALL.spot, ALL.rate and so on shift all. "          \
            "A node by its date or years: 'NAME.volatility[2027-11-20]', and so of rates and "     \
            "dividends. Put a name with brackets or a comma in quotation marks. days: as many "    \
            "days pass as size says, as for theta."},                                              \
    {                                                                                              \
        .name = "type", .type = LEVY_FIELD_CHOICE, .choices = catalog_shift_types,                 \
        .fallback = "relative", .offset = offsetof(levy_raw_shift, type),                          \
        .doc = "relative: multiplies by 1 + size. absolute: adds size. A volatility "              \
               "shift applies to the Black volatility of each node; a rate shift "                 \
               "applies to the continuously compounded zero rates, a relative one of all curves "  \
               "to spreads as well; all dividends on dates together take a relative shift."        \
    }
static const levy_field catalog_shift_fields[] = {
    SHIFT_FIELDS,
    {LEVY_KEY("size", NUMBER, levy_raw_shift, size), .flags = LEVY_REQUIRED,
     .doc = "Size of the shift, such as -0.10."},
    {0},
};
static const levy_table catalog_shift =
    OBJECT_TABLE("shift", levy_raw_shift, catalog_shift_fields, "A shift of one risk factor.",
                 "{factor: STOCK.spot, type: relative, size: -0.1}");
static const levy_field catalog_axis_fields[] = {
    SHIFT_FIELDS,
    {LEVY_KEY("sizes", LIST, levy_raw_shift, sizes), .element = LEVY_FIELD_NUMBER,
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_UNIQUE, .doc = "Shift sizes along this axis."},
    {0}};
static const levy_table catalog_axis =
    OBJECT_TABLE("axis", levy_raw_shift, catalog_axis_fields,
                 "An axis of a grid: one risk factor and its shift sizes.",
                 "{factor: STOCK.spot, type: relative, sizes: [-0.1, 0, 0.1]}");
static const levy_field catalog_scenario_fields[] = {
    {LEVY_KEY("id", NAME, levy_raw_scenario, id), .also = "name scenario scenario_id",
     .flags = LEVY_REQUIRED,
     .doc = "Name of the scenario in results. The points of a grid are named "
            "id[size,size]."},
    {LEVY_KEY("shifts", LIST, levy_raw_scenario, shifts), .element = LEVY_FIELD_OBJECT,
     .table = &catalog_shift, .flags = LEVY_NON_EMPTY, .doc = "Shifts that are applied together."},
    {LEVY_KEY("grid", LIST, levy_raw_scenario, grid), .element = LEVY_FIELD_OBJECT,
     .table = &catalog_axis, .flags = LEVY_NON_EMPTY,
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

/* ---- The whole file ---- */

static const levy_field catalog_book_fields[] = {
    {LEVY_KEY("schema_version", COUNT, levy_raw_book, schema_version),
     LEVY_WITHIN(1, 1, LEVY_REQUIRED),
     .doc = "Version of the input format. Write schema_version: 1."},
    {LEVY_KEY("valuation_date", DATE, levy_raw_book, valuation_date),
     .also = "date as_of pricing_date today",
     .doc = "Valuation date. If it is given, every time is a date. Otherwise every "
            "time is a number of years from the valuation."},
    {LEVY_KEY("market", OBJECT, levy_raw_book, market), .table = &levy_market_table,
     .doc = "Market data, or the relative path of a market data file."},
    {LEVY_KEY("models", MAP, levy_raw_book, models), .also = "model", .table = &levy_model_table,
     .doc = "Models by name."},
    {LEVY_KEY("trades", LIST, levy_raw_book, trades),
     .also = "trade positions deals portfolio options instruments", .element = LEVY_FIELD_OBJECT,
     .flags = LEVY_NON_EMPTY, .table = &levy_trade_table, .doc = "Positions to price."},
    {LEVY_KEY("simulation", OBJECT, levy_raw_book, simulation), .table = &levy_simulation_table,
     .doc = "Simulation settings of the whole book."},
    MEASURES_FIELD(levy_raw_book,
                   "Measures to compute, such as [price, delta, gamma, vega, rho, theta]. The "
                   "price is always computed. `levy describe` lists them."),
    {LEVY_KEY("scenarios", LIST, levy_raw_book, scenarios), .element = LEVY_FIELD_OBJECT,
     .flags = LEVY_NON_EMPTY, .table = &catalog_scenario,
     .doc = "Stress scenarios. Every trade is re-priced in each of them with "
            "common random numbers."},
    {LEVY_KEY("report_currency", NAME, levy_raw_book, report_currency),
     .also = "base_currency reporting_currency", .pattern = CATALOG_CURRENCY,
     .doc = "Reports each sum of trades in this currency, too, at the spots of exchange rates in "
            "`market.assets`; a scenario's at its own. Greeks by these spots include the "
            "translation."},
    {LEVY_KEY("kinds", LIST, levy_raw_book, kinds), .element = LEVY_FIELD_TEXT,
     .flags = LEVY_NON_EMPTY, .example = "[kinds/my_note.yaml]",
     .doc = "Relative paths of files that define kinds of payoffs: see `levy describe kind`. They "
            "lie beneath the folder of this file."},
    {LEVY_KEY("calibration", OBJECT, levy_raw_book, calibration), .table = &levy_calibration_table,
     .doc = "What `levy calibrate` fits. Pricing does not read it."},
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
    {LEVY_KEY("schema_version", COUNT, levy_raw_book, schema_version), LEVY_WITHIN(1, 1, 0),
     .doc = "Version of the input format. Write schema_version: 1."},
    {LEVY_KEY("valuation_date", DATE, levy_raw_book, valuation_date),
     .doc = "If given, it must equal the valuation date of the file that refers to "
            "this one."},
    {LEVY_KEY("market", OBJECT, levy_raw_book, market), .flags = LEVY_REQUIRED,
     .table = &levy_market_alone_table, .doc = "Market data."},
    {0}};
const levy_table levy_market_book_table =
    OBJECT_TABLE("market book", levy_raw_book, catalog_market_book_fields,
                 "A market data file with its data under `market`. Another file refers "
                 "to it with `market: FILE`.",
                 NULL);

/* ---- What is not priced ---- */

/* docs/theory.md, section 10 */
static const char *const catalog_unpriced[] = {
    "smile",         "sabr",       "local_volatility", "local_vol", "rough_heston",
    "rough_bergomi", "hull_white", "vasicek",          "cir",       NULL};

bool levy_catalog_is_unpriced(const char *kind)
{
    for (size_t i = 0; catalog_unpriced[i]; ++i)
        if (strcasecmp(catalog_unpriced[i], kind) == 0) return true;
    return false;
}

const char *levy_catalog_early(const char *word)
{
    static const char *const styles[][2] = {
        {"american", "american"}, {"bermudan", "bermudan"}, {"bermuda", "bermudan"}, {NULL, NULL}};
    size_t i = 0;
    while (styles[i][0] && strcasecmp(styles[i][0], word) != 0) ++i;
    return styles[i][1];
}

/* ---- Contracts that no kind has by themselves ---- */

#define CATALOG_CHOICE                                                                             \
    "It is a script, whose holder decides by a formula for the other option's price: levy "        \
    "example options_on_options has a compound, a chooser and an extendible."
#define CATALOG_RIGHT                                                                              \
    "It is a script with a right: levy example rights has notes that the issuer may call and the " \
    "holder put, calls with notice, a shout and an average that is exercised early."
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
                                            {"callable", CATALOG_RIGHT},
                                            {"callable_note", CATALOG_RIGHT},
                                            {"puttable_note", CATALOG_RIGHT},
                                            {"shout", CATALOG_RIGHT},
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
                                              {"curve", &levy_curve_table},
                                              {"calendar", &levy_calendar_table},
                                              {"asset", &levy_asset_table},
                                              {"yield", &levy_yield_table},
                                              {"volatility", &levy_volatility_table},
                                              {"dividends", &levy_dividends_table},
                                              {"correlations", &levy_correlations_table},
                                              {"model", &levy_model_table},
                                              {"jumps", &levy_jump_table},
                                              {"mark", &levy_mark_table},
                                              {"regime", &levy_regime_table},
                                              {"attraction", &levy_level_switching_table},
                                              {"trade", &levy_trade_table},
                                              {"leg", &levy_leg_table},
                                              {"premium", &levy_premium_table},
                                              {"underlying", &levy_underlying_table},
                                              {"exercise", &levy_exercise_table},
                                              {"fit", &levy_exercise_fit_table},
                                              {"payoff", &levy_payoff_table},
                                              {"schedule", &levy_schedule_table},
                                              {"kind", &levy_kind_file_table},
                                              {"simulation", &levy_simulation_table},
                                              {"bumps", &levy_bumps_table},
                                              {"scenario", &catalog_scenario},
                                              {"shift", &catalog_shift},
                                              {"axis", &catalog_axis},
                                              {"generator", &levy_generator_table},
                                              {"construction", &levy_construction_table},
                                              {"tolerance", &levy_tolerance_table},
                                              {"calibration", &levy_calibration_table},
                                              {"quote", &levy_smile_quote_table},
                                              {"parameter", &levy_law_parameter_table}};

static const char *const catalog_names[] = {
    "book",
    "market",
    "curve",
    "curve.flat",
    "curve.zero",
    "curve.discount",
    "curve.spread",
    "curve.par",
    "calendar",
    "asset",
    "yield",
    "yield.flat",
    "yield.term",
    "yield.implied",
    "volatility",
    "volatility.flat",
    "volatility.term",
    "volatility.implied",
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
    "fit",
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
    "calibration",
    "quote",
    "parameter",
    NULL,
};

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
