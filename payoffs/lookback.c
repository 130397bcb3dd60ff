/* lookback.c: host half of the lookback: an option on the largest level of its observations (call)
 * or the smallest (put) against a fixed strike, or on the level at expiry against the smallest
 * (call) or the largest (put) as a floating one. Sources: M. B. Goldman, H. Sosin, M. A. Gatto, J.
 * Finance 34, 1979; A. Conze and Viswanathan, J. Finance 46, 1991; windows: R. Heynen and H. Kat,
 * Adv. Futures and Options Research 7, 1994. Must not know: how the level's paths are made. */
#include "payoffs/fields.h"

static const char *const lookback_strikes[] = {"fixed", "floating", "Fixed=fixed",
                                               "Floating=floating", NULL};
static const levy_field lookback_block_fields[] = {
    {.name = "strike",
     .type = LEVY_FIELD_CHOICE,
     .flags = LEVY_REQUIRED,
     .choices = lookback_strikes,
     LEVY_TERMS_OFFSET(lookback_strike),
     .doc = "fixed: extremum against the payoff's strike; floating: the level at expiry against "
            "the extremum."},
    LEVY_MONITORING_FIELDS(
        "The observation times, at most expiry; past ones are looked up in the assets' fixings."),
    {.name = "running_extremum",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN,
     .low = 0,
     .high = 1e15,
     LEVY_TERMS_OFFSET(running_extremum),
     .doc = "The extremum reached before the valuation, in the units of the strike, where "
            "observation began earlier."},
    {0}};
static const levy_table lookback_block = {.name = "lookback",
                                          .doc = "Which extremum, and what it is held against.",
                                          .size = sizeof(levy_payoff_terms),
                                          .fields = lookback_block_fields};

static const levy_field lookback_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    {.name = "strike",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = 0,
     .high = 1e15,
     LEVY_TERMS_OFFSET(strike),
     .doc = "With a fixed strike: in the units of the level, or a fraction of the initial level."},
    LEVY_PERCENT_FIELDS,
    LEVY_AGGREGATE_FIELD,
    {.name = "lookback",
     .type = LEVY_FIELD_OBJECT,
     .flags = LEVY_REQUIRED,
     .table = &lookback_block,
     .offset = 0,
     .doc = "Which extremum, and what it is held against."},
    {0}};
const levy_table levy_payoff_lookback_table = {
    .name = "payoff lookback",
    .doc = "Fixed: max(largest - strike, 0) for a call, max(strike - smallest, 0) for a put. "
           "Floating: max(level - smallest, 0) "
           "for a call, max(largest - level, 0) for a put.",
    .size = sizeof(levy_payoff_terms),
    .fields = lookback_fields,
    .node_offset = offsetof(levy_payoff_terms, node),
    .has_node = true};

const levy_payoff levy_payoff_lookback = {.kind = "lookback",
                                          .table = &levy_payoff_lookback_table,
                                          .features = LEVY_PAYOFF_OBSERVES | LEVY_PAYOFF_EXTREMUM,
                                          .block = "lookback",
                                          .aggregate = LEVY_AGGREGATE_NONE,
                                          .lanes = LEVY_PAYOFF_LOOKBACK};
