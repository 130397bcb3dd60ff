/* double_barrier.c: host half of the option between two barriers, knocked out or in by a touch of
 * either, with a rebate that may differ between them. Source: N. Kunitomo and M. Ikeda, "Pricing
 * options with curved boundaries", Math. Finance 2, 1992. Must not know: how the level's paths are
 * made. */
#include "payoffs/fields.h"

static const levy_field double_block_fields[] = {
    LEVY_LEVEL_FIELD("lower", LEVY_REQUIRED, barrier_lower,
                     "In the units of the strike; reaching it exactly counts."),
    LEVY_LEVEL_FIELD("upper", LEVY_REQUIRED, barrier_upper, "Above the lower one."),
    LEVY_KNOCK_FIELD,
    LEVY_MONITORING_FIELDS(LEVY_BARRIER_TIMES),
    {0}};
static const levy_table double_block = {.name = "double barrier",
                                        .doc =
                                            "Where the barriers lie, and what touching one does.",
                                        .size = sizeof(levy_payoff_terms),
                                        .fields = double_block_fields};

static const levy_field double_rebate_fields[] = {
    {.name = "amount",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = 0,
     .high = 1e15,
     .offset = offsetof(levy_rebate_terms, amount),
     .doc = "What is paid per unit, whichever barrier is touched."},
    {.name = "lower",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = 0,
     .high = 1e15,
     .offset = offsetof(levy_rebate_terms, lower),
     .doc = "With pay at_hit: what a touch of the lower barrier first pays."},
    {.name = "upper",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = 0,
     .high = 1e15,
     .offset = offsetof(levy_rebate_terms, upper),
     .doc = "With pay at_hit: what a touch of the upper barrier first pays."},
    LEVY_PAY_FIELD,
    {0}};
static const levy_table double_rebate = {
    .name = "double rebate",
    .doc = "Knock-out: what the first touch pays, by barrier or alike; knock-in: what is paid at "
           "expiry without one. A bare "
           "number is an amount at expiry.",
    .size = sizeof(levy_rebate_terms),
    .fields = double_rebate_fields,
    .shorthand_key = "amount",
    .node_offset = offsetof(levy_rebate_terms, node),
    .has_node = true};

static const levy_field double_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    LEVY_STRIKE_FIELD,
    LEVY_STRIKE_TYPE_FIELD,
    LEVY_INITIAL_FIXING_FIELD,
    LEVY_AGGREGATE_FIELD,
    LEVY_PAYOUT_FIELDS,
    {.name = "barrier",
     .type = LEVY_FIELD_OBJECT,
     .flags = LEVY_REQUIRED,
     .table = &double_block,
     .offset = 0,
     .doc = "Where the barriers lie, and what touching one does."},
    {.name = "rebate",
     .type = LEVY_FIELD_OBJECT,
     .table = &double_rebate,
     LEVY_TERMS_OFFSET(rebate),
     .doc = "What is paid in the option's place."},
    {0}};
const levy_table levy_payoff_double_barrier_table = {
    .name = "payoff double_barrier",
    .doc = "A European option that a touch of either of two barriers ends (out) or brings to life "
           "(in).",
    .size = sizeof(levy_payoff_terms),
    .fields = double_fields,
    .node_offset = offsetof(levy_payoff_terms, node),
    .has_node = true};

const levy_payoff levy_payoff_double_barrier = {
    .kind = "double_barrier",
    .table = &levy_payoff_double_barrier_table,
    .features = LEVY_PAYOFF_OBSERVES | LEVY_PAYOFF_KNOCKS | LEVY_PAYOFF_DISCONTINUOUS,
    .block = "barrier",
    .aggregate = LEVY_AGGREGATE_NONE,
    .lanes = LEVY_PAYOFF_BARRIER};
