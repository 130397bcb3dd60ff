/* basket.c: host half of the basket option, on the weighted sum or the weighted geometric mean of
 * its assets at expiry. It settles as a European option on that level. Weights stand with the
 * trade's underlyings; a negative weight makes the arithmetic basket a spread, whose strike may be
 * negative too. Must not know: how the level's paths are made. */
#include "payoffs/fields.h"
#include "payoffs/shared.h"

typedef struct basket_terms {
    levy_payoff_terms payoff;
    int32_t basket_type; /* LEVY_MEAN_ */
} basket_terms;

static const levy_field basket_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    {LEVY_KEY("strike", NUMBER, levy_payoff_terms, strike), LEVY_WITHIN(-1e15, 1e15, LEVY_REQUIRED),
     .doc = "Strike in the units of the basket, or as a fraction of its initial "
            "level. It can be negative only if a weight is negative."},
    LEVY_PERCENT_FIELDS,
    {LEVY_KEY("basket_type", CHOICE, basket_terms, basket_type), .choices = levy_averaging_methods,
     .fallback = "arithmetic",
     .doc = "arithmetic: sum of weight times level. geometric: product of levels "
            "to the power of their weights."},
    {0}};
static const levy_synonym basket_synonyms[] = {
    {"basket_call", "{kind: basket, option_type: call, strike: 100}"},
    {"basket_put", "{kind: basket, option_type: put, strike: 100}"},
    {0}};
const levy_table levy_payoff_basket_table = {
    .name = "payoff basket",
    .example = "{kind: basket, option_type: call, strike: 100}",
    .synonyms = basket_synonyms,
    .example_assets = 2,
    .doc = "Basket option: a European option on a basket of the trade's "
           "underlyings. The default weight is 1/n.",
    LEVY_FILLS_TERMS(basket_terms),
    .fields = basket_fields};

/* ---- In a book ---- */

static int32_t basket_aggregates(const levy_payoff_terms *terms)
{
    const int32_t type = ((const basket_terms *)terms)->basket_type;
    return type == LEVY_MEAN_GEOMETRIC ? LEVY_AGGREGATE_GEOMETRIC : LEVY_AGGREGATE_BASKET;
}

const levy_payoff levy_payoff_basket = {.kind = "basket",
                                        .table = &levy_payoff_basket_table,
                                        LEVY_SETTLES_AS_EUROPEAN,
                                        .aggregate = LEVY_AGGREGATE_BASKET,
                                        .lanes = LEVY_PAYOFF_EUROPEAN,
                                        .aggregates = basket_aggregates};
