/* best_of.c: host half of the options on the largest and on the smallest of several assets at
 * expiry, each times its weight (1 unless given). They settle as European options on that level.
 * Source: R. Stulz, J. Financial Economics 10, 1982. Must not know: how the level's paths are made.
 */
#include "payoffs/fields.h"
#include "payoffs/shared.h"

static const levy_field best_of_fields[] = {
    LEVY_OPTION_TYPE_FIELD, LEVY_STRIKE_FIELD, LEVY_PERCENT_FIELDS, {0}};
static const levy_synonym best_of_synonyms[] = {
    {"best_of_call", "{kind: best_of, option_type: call, strike: 110}"},
    {"best_of_put", "{kind: best_of, option_type: put, strike: 110}"},
    {"max", "{kind: best_of, option_type: call, strike: 110}"},
    {"call_on_max", "{kind: best_of, option_type: call, strike: 110}"},
    {"max_call", "{kind: best_of, option_type: call, strike: 110}"},
    {"max_put", "{kind: best_of, option_type: put, strike: 110}"},
    {0}};
const levy_table levy_payoff_best_of_table = {
    .name = "payoff best_of",
    .example = "{kind: best_of, option_type: call, strike: 110}",
    .example_assets = 2,
    .synonyms = best_of_synonyms,
    .doc = "Best-of option: a European option on the largest weighted level of "
           "the trade's underlyings.",
    LEVY_FILLS(levy_payoff_terms),
    .fields = best_of_fields};

const levy_payoff levy_payoff_best_of = {.kind = "best_of",
                                         .table = &levy_payoff_best_of_table,
                                         LEVY_SETTLES_AS_EUROPEAN,
                                         .aggregate = LEVY_AGGREGATE_BEST_OF,
                                         .lanes = LEVY_PAYOFF_EUROPEAN};

static const levy_synonym worst_of_synonyms[] = {
    {"worst_of_put", "{kind: worst_of, option_type: put, strike: 90}"},
    {"worst_of_call", "{kind: worst_of, option_type: call, strike: 90}"},
    {"min", "{kind: worst_of, option_type: put, strike: 90}"},
    {"put_on_min", "{kind: worst_of, option_type: put, strike: 90}"},
    {"min_put", "{kind: worst_of, option_type: put, strike: 90}"},
    {"min_call", "{kind: worst_of, option_type: call, strike: 90}"},
    {0}};
const levy_table levy_payoff_worst_of_table = {
    .name = "payoff worst_of",
    .example = "{kind: worst_of, option_type: put, strike: 90}",
    .example_assets = 2,
    .synonyms = worst_of_synonyms,
    .doc = "Worst-of option: a European option on the smallest weighted level of "
           "the trade's underlyings.",
    LEVY_FILLS(levy_payoff_terms),
    .fields = best_of_fields};

const levy_payoff levy_payoff_worst_of = {.kind = "worst_of",
                                          .table = &levy_payoff_worst_of_table,
                                          LEVY_SETTLES_AS_EUROPEAN,
                                          .aggregate = LEVY_AGGREGATE_WORST_OF,
                                          .lanes = LEVY_PAYOFF_EUROPEAN};
