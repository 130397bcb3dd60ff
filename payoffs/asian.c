/* asian.c: host half of the Asian option on the arithmetic or geometric mean of its observations,
 * past fixings included, or on the level at expiry with that mean as its strike. Source: A. Kemna
 * and A. Vorst, J. Banking and Finance 14, 1990. Must not know: how the level's paths are made. */
#include "payoffs/fields.h"

static const char *const asian_places[] = {"price", "strike", "Price=price", "Strike=strike", NULL};
static const levy_field asian_averaging_fields[] = {
    {.name = "method",
     .type = LEVY_FIELD_CHOICE,
     .choices = levy_averaging_methods,
     .fallback = "arithmetic",
     .offset = offsetof(levy_payoff_terms, averaging_method),
     .doc = "The mean that is taken."},
    {.name = "of",
     .former = "on",
     .type = LEVY_FIELD_CHOICE,
     .choices = asian_places,
     .fallback = "price",
     LEVY_TERMS_OFFSET(averaging_on),
     .doc = "price: the mean is held against the strike; strike: the level at expiry is held "
            "against the mean. (Its former name, on, is "
            "still read; YAML 1.1 takes that for true.)"},
    {.name = "observations",
     .type = LEVY_FIELD_OBJECT,
     .flags = LEVY_REQUIRED,
     .table = &levy_schedule_table,
     .offset = offsetof(levy_payoff_terms, observations),
     .doc = "The fixing times, at most expiry; those up to the valuation are looked up in the "
            "assets' fixings."},
    {0}};
static const levy_table asian_averaging = {.name = "averaging",
                                           .doc = "Which mean, over which observations.",
                                           .size = sizeof(levy_payoff_terms),
                                           .fields = asian_averaging_fields};

static const levy_field asian_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    {.name = "strike",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = 0,
     .high = 1e15,
     LEVY_TERMS_OFFSET(strike),
     .doc = "In the units of the level, or a fraction of the initial level; left out with "
            "averaging on the strike."},
    LEVY_STRIKE_TYPE_FIELD,
    LEVY_INITIAL_FIXING_FIELD,
    LEVY_AGGREGATE_FIELD,
    LEVY_PAYOUT_FIELDS,
    {.name = "averaging",
     .type = LEVY_FIELD_OBJECT,
     .flags = LEVY_REQUIRED,
     .table = &asian_averaging,
     .offset = 0,
     .doc = "Which mean, over which observations."},
    {0}};
const levy_table levy_payoff_asian_table = {
    .name = "payoff asian",
    .doc = "max(average - strike, 0) for a call, max(strike - average, 0) for a put; with "
           "averaging on the strike, max(level - "
           "average, 0) and max(average - level, 0).",
    .size = sizeof(levy_payoff_terms),
    .fields = asian_fields,
    .node_offset = offsetof(levy_payoff_terms, node),
    .has_node = true};

const levy_payoff levy_payoff_asian = {.kind = "asian",
                                       .table = &levy_payoff_asian_table,
                                       .features = LEVY_PAYOFF_OBSERVES | LEVY_PAYOFF_AVERAGES,
                                       .block = "averaging",
                                       .aggregate = LEVY_AGGREGATE_NONE,
                                       .lanes = LEVY_PAYOFF_ASIAN};
