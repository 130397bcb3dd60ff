/* catalog_curves.c: the tables of calendars, curves and yields. See catalog.h. Must not know: any
 * rule that spans two keys (engine/problem/). */
#include "engine/schema/catalog.h"

/* ---- Calendars and curves ---- */

static const char *const catalog_weekdays[] = {"monday", "tuesday",  "wednesday", "thursday",
                                               "friday", "saturday", "sunday",    NULL};

static const char *const catalog_beyond[] = {"warn", "error", "weekends", NULL};

static const levy_field catalog_calendar_fields[] = {
    {LEVY_KEY("of", LIST, levy_raw_calendar, of), .also = "base joint calendars",
     .element = LEVY_FIELD_NAME, .example = "[TARGET, LONDON]",
     .doc = "Built-in calendars that it joins."},
    {LEVY_KEY("weekend", LIST, levy_raw_calendar, weekend), .element = LEVY_FIELD_CHOICE,
     .choices = catalog_weekdays,
     .doc = "Weekdays that are not business days, beside those of `of`. Without both, saturday "
            "and sunday."},
    {LEVY_KEY("holidays", LIST, levy_raw_calendar, holidays), .element = LEVY_FIELD_DATE,
     .doc = "Holidays, in addition to the weekend and those of `of`."},
    {LEVY_KEY("beyond", CHOICE, levy_raw_calendar, beyond), .choices = catalog_beyond,
     .fallback = "warn",
     .doc = "Beyond the last year of `of` (of `holidays`, without it, if this key is given) "
            "weekends alone count, with or without a warning, or dates are refused."},
    {0}};
const levy_table levy_calendar_table = {
    .name = "calendar",
    .doc = "A calendar: weekend days and holidays. Built in are NONE (every day is a business "
           "day), WEEKENDS (Saturdays and Sundays are not), and from 2000 on"
#define HOLIDAY(...)
#define CALENDAR(name, words, first, last, but, source) ", " #name " to " #last " (" words but ")"
#include "engine/base/calendars.def"
#undef CALENDAR
#undef HOLIDAY
           ". A book may define these anew.",
    LEVY_FILLS(levy_raw_calendar),
    .fields = catalog_calendar_fields,
    .name_offset = offsetof(levy_raw_calendar, name),
    .has_name = true,
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
    "log_linear_discount",
    "linear_zero",
    "monotone_convex",
    "LogLinear=log_linear_discount",
    "LinearZero=linear_zero",
    "MonotoneConvex=monotone_convex",
    "ConvexMonotone=monotone_convex",
    NULL,
};

static const levy_field catalog_flat_curve_fields[] = {
    {LEVY_KEY("rate", NUMBER, levy_raw_curve, rate), .also = "r yield value",
     .flags = LEVY_REQUIRED | LEVY_TOLD, .low = -5, .high = 5, .unit = "1/year",
     .doc = "The rate, as a decimal (0.04 is 4 %); it may be negative."},
    {LEVY_KEY("compounding", CHOICE, levy_raw_curve, compounding),
     .choices = catalog_flat_compounding, .fallback = "continuous",
     .doc = "Compounding convention of the rate."},
    {0}};
static const levy_table catalog_flat_curve =
    OBJECT_TABLE("curve flat", levy_raw_curve, catalog_flat_curve_fields, "Constant rate.",
                 "{kind: flat, rate: 0.05, compounding: continuous}");

static const levy_field catalog_zero_curve_fields[] = {
    {LEVY_KEY("nodes", TIME_VALUES, levy_raw_curve, nodes),
     .also = "rates zeros zero_rates points pillars",
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_TOLD, .low = -5, .high = 5, .unit = "1/year",
     .doc = "[time, zero rate] pairs, in ascending order of time. Rates are "
            "decimals."},
    {LEVY_KEY("compounding", CHOICE, levy_raw_curve, compounding), .choices = catalog_compounding,
     .fallback = "continuous", .doc = "Compounding convention of the rates."},
    {LEVY_KEY("interpolation", CHOICE, levy_raw_curve, interpolation),
     .choices = catalog_interpolation, .fallback = "log_linear_discount",
     .doc = "log_linear_discount: forward rates are constant between nodes and "
            "beyond the last node. linear_zero: zero rates are linear between "
            "nodes and constant outside them. monotone_convex: forward rates are continuous, "
            "positive between nodes where they are from node to node, and constant beyond the "
            "last."},
    {LEVY_KEY("day_count", CHOICE, levy_raw_curve, day_count), .choices = levy_day_counts,
     .fallback = "ACT/365.FIXED",
     .doc = "Day count of the quoted rates, used if times are dates. The model "
            "always measures time with ACT/365.FIXED. 30/360 is the Bond Basis of ISDA 2006, "
            "4.16 (f); 30E/360 and 30/360 US are others."},
    {0}};
static const levy_table catalog_zero_curve = OBJECT_TABLE(
    "curve zero", levy_raw_curve, catalog_zero_curve_fields, "Term structure of zero rates.",
    "{kind: zero, nodes: [[0.5, 0.045], [1.0, 0.05], [5.0, 0.055]]}");

static const levy_field catalog_discount_curve_fields[] = {
    {LEVY_KEY("nodes", TIME_VALUES, levy_raw_curve, nodes),
     .also = "discount_factors factors dfs points pillars",
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_TOLD | LEVY_LOW_OPEN | LEVY_HIGH_OPEN,
     .low = 1e-300, .high = 1e300,
     .doc = "[time, discount factor] pairs, in ascending order of time."},
    {LEVY_KEY("interpolation", CHOICE, levy_raw_curve, interpolation),
     .choices = catalog_interpolation, .fallback = "log_linear_discount",
     .doc = "The same choices as for zero curves."},
    {0}};
static const levy_table catalog_discount_curve =
    OBJECT_TABLE("curve discount", levy_raw_curve, catalog_discount_curve_fields,
                 "Term structure of discount factors.",
                 "{kind: discount, nodes: [[0.5, 0.98], [1.0, 0.95], [5.0, 0.76]]}");

static const levy_field catalog_spread_curve_fields[] = {
    {LEVY_KEY("over", NAME, levy_raw_curve, over), .also = "base reference", .flags = LEVY_REQUIRED,
     .doc = "The curve that the spread is over."},
    {LEVY_KEY("rate", NUMBER, levy_raw_curve, rate), .also = "spread value", .flags = LEVY_TOLD,
     .low = -5, .high = 5, .unit = "1/year",
     .doc = "The spread, as a decimal (0.004 is 40 basis points), continuous. Or give nodes."},
    {LEVY_KEY("nodes", TIME_VALUES, levy_raw_curve, nodes), .also = "spreads points pillars",
     .flags = LEVY_NON_EMPTY | LEVY_TOLD, .low = -5, .high = 5, .unit = "1/year",
     .doc = "[time, spread of the zero rates] pairs, in ascending order of time. Forward spreads "
            "are constant between nodes and beyond the last."},
    {0}};
static const levy_table catalog_spread_curve =
    OBJECT_TABLE("curve spread", levy_raw_curve, catalog_spread_curve_fields,
                 "Spread over another curve, whose rates and shifts it takes.",
                 "{kind: spread, over: USD, rate: 0.004}", .one_of = "rate nodes");

static const char *const catalog_frequencies[] = {
    "annual",
    "semi_annual",
    "quarterly",
    "monthly",
    "1Y=annual",
    "6M=semi_annual",
    "3M=quarterly",
    "1M=monthly",
    "Annual=annual",
    "Semiannual=semi_annual",
    "semiannual=semi_annual",
    "Quarterly=quarterly",
    "Monthly=monthly",
    NULL,
};

static const levy_field catalog_par_curve_fields[] = {
    {LEVY_KEY("deposits", TIME_VALUES, levy_raw_curve, deposits), .also = "cash money_market",
     .flags = LEVY_TOLD, .low = -5, .high = 5, .unit = "1/year",
     .doc = "[time, simple rate until then] pairs, in ascending order of time."},
    {LEVY_KEY("swaps", TIME_VALUES, levy_raw_curve, swaps), .also = "par_rates ois nodes",
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_TOLD, .low = -5, .high = 5, .unit = "1/year",
     .doc = "[time, par rate] pairs, in ascending order of time, behind all deposits: fixed rates "
            "of swaps against the curve's own floating rate."},
    {LEVY_KEY("frequency", CHOICE, levy_raw_curve, frequency), .choices = catalog_frequencies,
     .fallback = "annual",
     .doc = "Payments of the swaps' fixed legs, from the end backwards without a calendar."},
    {LEVY_KEY("interpolation", CHOICE, levy_raw_curve, interpolation),
     .choices = catalog_interpolation, .fallback = "log_linear_discount",
     .doc = "The same choices as for zero curves."},
    {LEVY_KEY("day_count", CHOICE, levy_raw_curve, day_count), .choices = levy_day_counts,
     .fallback = "ACT/365.FIXED",
     .doc = "Day count of deposits and fixed legs, as of zero curves."},
    {0}};
static const levy_table catalog_par_curve = OBJECT_TABLE(
    "curve par", levy_raw_curve, catalog_par_curve_fields,
    "Curve from rates of deposits and par swaps. Quotes move these rates; scenarios, bumps and "
    "rows by node move the zero rates at their ends.",
    "{kind: par, deposits: [[0.5, 0.042]], swaps: [[1.0, 0.041], [2.0, 0.038], [5.0, 0.036]]}");

static const levy_variant catalog_curve_kinds[] = {
    {"flat", &catalog_flat_curve},         {"zero", &catalog_zero_curve},
    {"discount", &catalog_discount_curve}, {"spread", &catalog_spread_curve},
    {"par", &catalog_par_curve},           {0},
};
const levy_table levy_curve_table = {
    .name = "curve",
    .doc = "A discount curve. A bare number is a flat rate with continuous "
           "compounding.",
    .size = sizeof(levy_variant_value),
    .variants = catalog_curve_kinds,
    .shorthand = "flat",
    .shorthand_key = "rate",
    .example = "{kind: zero, nodes: [[1.0, 0.05], [5.0, 0.055]]}"};

/* ---- Yields ---- */

static const levy_field catalog_flat_yield_fields[] = {
    {LEVY_KEY("rate", NUMBER, levy_raw_curve, rate), .also = "value yield",
     LEVY_WITHIN(-1, 5, LEVY_REQUIRED | LEVY_TOLD), .unit = "1/year",
     .doc = "The yield, continuous, as a decimal."},
    {0}};
static const levy_table catalog_flat_yield =
    OBJECT_TABLE("yield flat", levy_raw_curve, catalog_flat_yield_fields, "Constant yield.",
                 "{kind: flat, rate: 0.02}");

static const levy_field catalog_term_yield_fields[] = {
    {LEVY_KEY("nodes", TIME_VALUES, levy_raw_curve, nodes), .also = "yields points pillars",
     LEVY_WITHIN(-1, 5, LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_TOLD), .unit = "1/year",
     .doc = "[time, continuous yield from today until then] pairs, in ascending order of time."},
    {0}};
static const levy_table catalog_term_yield =
    OBJECT_TABLE("yield term", levy_raw_curve, catalog_term_yield_fields,
                 "Yields by term. Forward yields are constant between nodes and beyond the last.",
                 "{kind: term, nodes: [[0.5, 0.015], [1.0, 0.02]]}");

static const levy_field catalog_implied_yield_fields[] = {
    {LEVY_KEY("forwards", TIME_VALUES, levy_raw_curve, forwards), .also = "nodes points futures",
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_TOLD | LEVY_LOW_OPEN, .low = 0, .high = 1e12,
     .unit = "currency", .doc = "[time, forward] pairs, in ascending order of time."},
    {0}};
static const levy_table catalog_implied_yield =
    OBJECT_TABLE("yield implied", levy_raw_curve, catalog_implied_yield_fields,
                 "Yields by term that forwards imply, beside the cost of borrowing and "
                 "proportional dividends: quotes and scenarios then move these yields.",
                 "{kind: implied, forwards: [[0.5, 101.2], [1.0, 102.1]]}");

static const levy_variant catalog_yield_kinds[] = {
    {"flat", &catalog_flat_yield},
    {"term", &catalog_term_yield},
    {"implied", &catalog_implied_yield},
    {0},
};
const levy_table levy_yield_table = {
    .name = "yield",
    .doc = "A yield: a bare number, {kind: flat, rate}, {kind: term, nodes} or, of forwards, "
           "{kind: implied, forwards}.",
    .size = sizeof(levy_variant_value),
    .variants = catalog_yield_kinds,
    .shorthand = "flat",
    .shorthand_key = "rate",
    .example = "{kind: term, nodes: [[0.5, 0.015], [1.0, 0.02]]}"};
