/* spread.c: host half of the options on two assets' difference: the spread option, weight 1 times
 * the first minus weight 2 times the second against a strike, and the exchange option, the right to
 * get the first for the second. They settle as European options on that level. Sources: E. Kirk,
 * "Correlation in the energy markets", 1995; W. Margrabe, J. Finance 33, 1978. Must not know: how
 * the level's paths are made. */
#include "payoffs/fields.h"
#include "payoffs/shared.h"

static const levy_field spread_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    {LEVY_KEY("strike", NUMBER, levy_payoff_terms, strike), LEVY_WITHIN(-1e15, 1e15, LEVY_REQUIRED),
     .doc = "Strike in the units of the spread; it can be negative."},
    LEVY_PERCENT_FIELDS,
    {0}};
const levy_table levy_payoff_spread_table = {
    .name = "payoff spread",
    .example = "{kind: spread, option_type: call, strike: 5}",
    .example_assets = 2,
    .doc = "Spread option: a European option on the first underlying minus the "
           "second. Weights are positive; the default is 1.",
    LEVY_FILLS(levy_payoff_terms),
    .fields = spread_fields};

const levy_payoff levy_payoff_spread = {.kind = "spread",
                                        .table = &levy_payoff_spread_table,
                                        LEVY_SETTLES_AS_EUROPEAN,
                                        .features = LEVY_PAYOFF_PAIR,
                                        .aggregate = LEVY_AGGREGATE_BASKET,
                                        .lanes = LEVY_PAYOFF_EUROPEAN};

static const levy_field exchange_fields[] = {LEVY_PERCENT_FIELDS, {0}};
static const levy_synonym exchange_synonyms[] = {
    {"margrabe", "{kind: exchange}"},
    {"outperformance", "{kind: exchange, strike_type: percent_of_initial}"},
    {0}};
const levy_table levy_payoff_exchange_table = {
    .name = "payoff exchange",
    .example = "{kind: exchange, strike_type: absolute}",
    .example_assets = 2,
    .synonyms = exchange_synonyms,
    .doc = "Exchange option: the right to receive the first underlying in "
           "exchange for the second at expiry. Weights are the quantities; the "
           "default is 1.",
    LEVY_FILLS(levy_payoff_terms),
    .fields = exchange_fields};

const levy_payoff levy_payoff_exchange = {.kind = "exchange",
                                          .table = &levy_payoff_exchange_table,
                                          LEVY_SETTLES_AS_EUROPEAN,
                                          .features = LEVY_PAYOFF_PAIR,
                                          .aggregate = LEVY_AGGREGATE_BASKET,
                                          .lanes = LEVY_PAYOFF_EUROPEAN};
