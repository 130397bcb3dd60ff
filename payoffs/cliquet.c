/* cliquet.c: host half of the cliquet (ratchet): the sum of returns from observation to
 * observation, each cut to a local range and the sum to a global one, paid once. Source: P.
 * Wilmott, "Cliquet options and volatility models", Wilmott, Dec. 2002. Must not know: how the
 * level's paths are made. */
#include "payoffs/checks.h"
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
     .doc = "Reset dates of the returns, including the first. Past levels are "
            "taken from the assets' fixings."},
    CLIQUET_BOUND(local_floor, "Floor of each return. The default is no floor."),
    CLIQUET_BOUND(local_cap, "Cap of each return. The default is no cap."),
    CLIQUET_BOUND(global_floor, "Floor of the sum. The default is no floor."),
    CLIQUET_BOUND(global_cap, "Cap of the sum. The default is no cap."),
    LEVY_AGGREGATE_FIELD,
    {0}};
const levy_table levy_payoff_cliquet_table = {
    .name = "payoff cliquet",
    .doc = "Cliquet: the sum of returns level(i) / level(i-1) - 1, per unit of "
           "notional. Each return is limited to [local_floor, local_cap], and the "
           "sum to [global_floor, global_cap].",
    .size = sizeof(levy_payoff_terms),
    .fields = cliquet_fields,
    .node_offset = offsetof(levy_payoff_terms, node),
    .has_node = true};

/* ---- In a book ---- */

static bool cliquet_check(levy_check *check, const levy_payoff_terms *terms,
                          const levy_payoff_frame *frame)
{
    if (!levy_payoff_check_growth(check, frame)) return false;
    const bool local = terms->local_floor > terms->local_cap;
    if (!local && !(terms->global_floor > terms->global_cap)) return true;
    const double cap = local ? terms->local_cap : terms->global_cap,
                 floor = local ? terms->local_floor : terms->global_floor;
    return LEVY_REFUSE_KEY(check, INCONSISTENT, frame, local ? "local_cap" : "global_cap",
                           "Swap the two.", "the cap, %s, is below the floor, %s",
                           levy_check_number(check, cap), levy_check_number(check, floor));
}

const levy_payoff levy_payoff_cliquet = {.kind = "cliquet",
                                         .table = &levy_payoff_cliquet_table,
                                         .features = LEVY_PAYOFF_OBSERVES | LEVY_PAYOFF_RETURNS,
                                         .aggregate = LEVY_AGGREGATE_NONE,
                                         .lanes = LEVY_PAYOFF_CLIQUET,
                                         .check = cliquet_check,
                                         .pays_numbers = levy_payoff_always,
                                         .reads_expiry = levy_payoff_never};
