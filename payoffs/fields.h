/* fields.h: the YAML fields that payoffs share, as initialisers for their tables. All fill a levy_payoff_terms. */
#ifndef LEVY_PAYOFFS_FIELDS_H
#define LEVY_PAYOFFS_FIELDS_H

#include "payoffs/payoff.h"

extern const char *const levy_option_types[], *const levy_strike_types[], *const levy_aggregates[],
    *const levy_averaging_methods[];

#define LEVY_OPTION_TYPE_FIELD                                                                                          \
    {.name = "option_type", .type = LEVY_FIELD_CHOICE, .flags = LEVY_REQUIRED, .choices = levy_option_types,            \
     .offset = offsetof(levy_payoff_terms, option_type), .doc = "call or put."}
#define LEVY_STRIKE_FIELD                                                                                               \
    {.name = "strike", .type = LEVY_FIELD_NUMBER, .flags = LEVY_REQUIRED | LEVY_RANGED, .low = 0, .high = 1e15,         \
     .offset = offsetof(levy_payoff_terms, strike),                                                                     \
     .doc = "In the units of the level, or a fraction of the initial level (1.0 is 100 %) with percent_of_initial."}
#define LEVY_STRIKE_TYPE_FIELD                                                                                          \
    {.name = "strike_type", .type = LEVY_FIELD_CHOICE, .choices = levy_strike_types, .fallback = "absolute",            \
     .offset = offsetof(levy_payoff_terms, strike_type),                                                                \
     .doc = "absolute: levels as quoted; percent_of_initial: each asset divided by its initial fixing."}
#define LEVY_INITIAL_FIXING_FIELD                                                                                       \
    {.name = "initial_fixing", .type = LEVY_FIELD_NODE, .offset = offsetof(levy_payoff_terms, initial_fixing),          \
     .doc = "With percent_of_initial: `spot` (the default), a number, or one number per underlying in a list."}
#define LEVY_AGGREGATE_FIELD                                                                                            \
    {.name = "aggregate", .type = LEVY_FIELD_CHOICE, .choices = levy_aggregates, .fallback = "none",                    \
     .offset = offsetof(levy_payoff_terms, aggregate),                                                                  \
     .doc = "How several underlyings form one level: basket (weighted sum), geometric_basket (product of powers), "     \
            "best_of, worst_of; none: there is one underlying."}

#endif
