/* basket.c: host half of the basket option, on the weighted sum or the weighted geometric mean of
 * its assets at expiry. It settles as a European option on that level. Weights stand with the
 * trade's underlyings; a negative weight makes the arithmetic basket a spread, whose strike may be
 * negative too. Must not know: how the level's paths are made. */
#include "payoffs/fields.h"

static const levy_field basket_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    {.name = "strike",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_REQUIRED | LEVY_RANGED,
     .low = -1e15,
     .high = 1e15,
     .offset = offsetof(levy_payoff_terms, strike),
     .doc = "In the units of the basket, or a fraction of its initial level; negative only where a "
            "weight is."},
    LEVY_STRIKE_TYPE_FIELD,
    LEVY_INITIAL_FIXING_FIELD,
    {.name = "basket_type",
     .type = LEVY_FIELD_CHOICE,
     .choices = levy_averaging_methods,
     .fallback = "arithmetic",
     .offset = offsetof(levy_payoff_terms, basket_type),
     .doc = "arithmetic: the sum of weight times level; geometric: the product of levels to the "
            "power of their weights."},
    {0}};
const levy_table levy_payoff_basket_table = {
    .name = "payoff basket",
    .doc = "An option on the basket of the trade's underlyings at expiry; weights default to 1/n.",
    .size = sizeof(levy_payoff_terms),
    .fields = basket_fields,
    .node_offset = offsetof(levy_payoff_terms, node),
    .has_node = true};

const levy_payoff levy_payoff_basket = {.kind = "basket",
                                        .table = &levy_payoff_basket_table,
                                        .aggregate = LEVY_AGGREGATE_BASKET,
                                        .lanes = LEVY_PAYOFF_EUROPEAN};
