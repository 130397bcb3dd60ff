/* rainbow_cash.c: host half of the best and the worst of several assets and cash. Source: R. Stulz,
 * J. Financial Economics 10, 1982. Must not know: how the level's paths are made. */
#include "payoffs/fields.h"

/* ---- In a plan ---- */

static double worst_of_cash_most(const levy_claim *claim)
{
    return claim->sold ? INFINITY : claim->terms->strike;
}

/* A weight may be negative. */
static bool worst_of_cash_owes(const levy_claim *claim)
{
    (void)claim;
    return true;
}

/* ---- As written ---- */

#define RAINBOW_CASH_FIELD                                                                         \
    {                                                                                              \
        .name = "cash", .type = LEVY_FIELD_NUMBER, .flags = LEVY_REQUIRED | LEVY_RANGED, .low = 0, \
        .high = 1e15, .offset = offsetof(levy_payoff_terms, strike),                               \
        .doc = "Strike in the units of the level, or as a fraction of the initial "                \
               "level."                                                                            \
    }
static const levy_field rainbow_cash_fields[] = {RAINBOW_CASH_FIELD, LEVY_PERCENT_FIELDS, {0}};

const levy_table levy_payoff_best_of_cash_table = {
    .name = "payoff best_of_cash",
    .example = "{kind: best_of_cash, cash: 105}",
    .example_assets = 2,
    .doc = "Best of assets and cash: the largest of the underlyings' weighted "
           "levels at expiry and the cash amount.",
    LEVY_FILLS(levy_payoff_terms),
    .fields = rainbow_cash_fields};
const levy_payoff levy_payoff_best_of_cash = {.kind = "best_of_cash",
                                              .table = &levy_payoff_best_of_cash_table,
                                              .aggregate = LEVY_AGGREGATE_BEST_OF,
                                              .lanes = LEVY_PAYOFF_BEST_OF_CASH};

const levy_table levy_payoff_worst_of_cash_table = {
    .name = "payoff worst_of_cash",
    .example = "{kind: worst_of_cash, cash: 105}",
    .example_assets = 2,
    .doc = "Worst of assets and cash: the smallest of the underlyings' weighted "
           "levels at expiry and the cash amount.",
    LEVY_FILLS(levy_payoff_terms),
    .fields = rainbow_cash_fields};
const levy_payoff levy_payoff_worst_of_cash = {.kind = "worst_of_cash",
                                               .table = &levy_payoff_worst_of_cash_table,
                                               .most = worst_of_cash_most,
                                               .owes = worst_of_cash_owes,
                                               .aggregate = LEVY_AGGREGATE_WORST_OF,
                                               .lanes = LEVY_PAYOFF_WORST_OF_CASH};
