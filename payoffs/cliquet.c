/* cliquet.c: host half of the cliquet (ratchet): the sum of returns from observation to
 * observation, each cut to a local range and the sum to a global one, paid once. Source: P.
 * Wilmott, "Cliquet options and volatility models", Wilmott, Dec. 2002. Must not know: how the
 * level's paths are made. */
#include "payoffs/fields.h"

#define CLIQUET_BOUND(key, text)                                                                   \
    {                                                                                              \
        .name = #key, .type = LEVY_FIELD_NUMBER, .flags = LEVY_RANGED, .low = -1e6, .high = 1e6,   \
        LEVY_TERMS_OFFSET(key), .doc = text                                                        \
    }
static const levy_field cliquet_fields[] = {
    {.name = "observations",
     .type = LEVY_FIELD_OBJECT,
     .flags = LEVY_REQUIRED,
     .table = &levy_schedule_table,
     LEVY_TERMS_OFFSET(observations),
     .doc = "The times between which returns are taken, the first one included; past ones are "
            "looked up in the fixings."},
    CLIQUET_BOUND(local_floor, "Least that a return counts for; left out: none."),
    CLIQUET_BOUND(local_cap, "Most that a return counts for; left out: none."),
    CLIQUET_BOUND(global_floor, "Least that is paid; left out: none."),
    CLIQUET_BOUND(global_cap, "Most that is paid; left out: none."),
    LEVY_AGGREGATE_FIELD,
    {0}};
const levy_table levy_payoff_cliquet_table = {
    .name = "payoff cliquet",
    .doc = "The sum of returns level(i) / level(i-1) - 1, each cut to [local_floor, local_cap], "
           "the sum to [global_floor, "
           "global_cap], per unit of notional.",
    .size = sizeof(levy_payoff_terms),
    .fields = cliquet_fields,
    .node_offset = offsetof(levy_payoff_terms, node),
    .has_node = true};

const levy_payoff levy_payoff_cliquet = {.kind = "cliquet",
                                         .table = &levy_payoff_cliquet_table,
                                         .features = LEVY_PAYOFF_OBSERVES | LEVY_PAYOFF_RETURNS,
                                         .aggregate = LEVY_AGGREGATE_NONE,
                                         .lanes = LEVY_PAYOFF_CLIQUET};
