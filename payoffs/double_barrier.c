/* double_barrier.c: host half of the option between two barriers, knocked out or in by a touch of
 * either, with a rebate that may differ between them. Source: N. Kunitomo and M. Ikeda, "Pricing
 * options with curved boundaries", Math. Finance 2, 1992. Must not know: how the level's paths are
 * made. */
#include "payoffs/checks.h"
#include "payoffs/fields.h"
#include "payoffs/shared.h"

static const levy_field double_block_fields[] = {
    LEVY_LEVEL_FIELD("lower", LEVY_REQUIRED, lower,
                     "Barrier level in the units of the strike. A level exactly at the "
                     "barrier counts as a touch."),
    LEVY_LEVEL_FIELD("upper", LEVY_REQUIRED, upper,
                     "Upper barrier level; it must be above the lower one."),
    LEVY_KNOCK_FIELD,
    LEVY_MONITORING_FIELDS(levy_barrier_terms, LEVY_BARRIER_TIMES),
    {0}};
static const levy_table double_block = {
    .name = "double barrier",
    .example = "{lower: 80, upper: 120, knock: out, observations: {count: 252}}",
    .doc = "Barriers: their levels, their monitoring, and the effect of a touch.",
    .size = sizeof(levy_barrier_terms),
    .fields = double_block_fields};

static const levy_field double_rebate_fields[] = {
    {.name = "amount",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = 0,
     .high = 1e15,
     .offset = offsetof(levy_rebate_terms, amount),
     .doc = "Amount paid per unit, the same for both barriers."},
    {.name = "lower",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = 0,
     .high = 1e15,
     .offset = offsetof(levy_rebate_terms, lower),
     .doc = "With pay at_hit: amount paid if the lower barrier is touched first."},
    {.name = "upper",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = 0,
     .high = 1e15,
     .offset = offsetof(levy_rebate_terms, upper),
     .doc = "With pay at_hit: amount paid if the upper barrier is touched first."},
    LEVY_PAY_FIELD,
    {0}};
static const levy_table double_rebate = {
    .name = "double rebate",
    .example = "{amount: 5, pay: at_expiry}",
    .doc = "Rebate. A knock-out pays it at the first touch; the amounts of the "
           "two barriers can differ. A knock-in pays it at expiry if neither "
           "barrier is touched. A bare number is an amount paid at expiry.",
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
    LEVY_PAYOUT_FIELDS(levy_knock_terms),
    {.name = "barrier",
     .also = "barriers lower upper knock barrier_type monitoring observations window barrier_level "
             "level",
     .type = LEVY_FIELD_OBJECT,
     .flags = LEVY_REQUIRED,
     .table = &double_block,
     .offset = offsetof(levy_knock_terms, touched.barrier),
     .doc = "Barriers: their levels, their monitoring, and the effect of a touch."},
    {.name = "rebate",
     .also = "rebates rebate_amount",
     .type = LEVY_FIELD_OBJECT,
     .table = &double_rebate,
     .offset = offsetof(levy_knock_terms, rebate),
     .doc = "Rebate: the amount paid in place of the option."},
    LEVY_TOUCHED_FIELD,
    {0}};
static const levy_synonym double_barrier_synonyms[] = {
    {"double_knock_out", "{kind: double_barrier, option_type: call, strike: 100, barrier: {lower: "
                         "80, upper: 130, knock: out, observations: {count: 252}}}"},
    {"double_knock_in", "{kind: double_barrier, option_type: call, strike: 100, barrier: {lower: "
                        "80, upper: 130, knock: in, observations: {count: 252}}}"},
    {0}};
const levy_table levy_payoff_double_barrier_table = {
    .name = "payoff double_barrier",
    .example = "{kind: double_barrier, option_type: call, strike: 100, barrier: {lower: 80, upper: "
               "130, knock: out, observations: {count: 252}}}",
    .synonyms = double_barrier_synonyms,
    .doc = "Double barrier option: a European option that a touch of either "
           "barrier knocks out or knocks in." LEVY_INTEGRATED_ON_DATES,
    .size = sizeof(levy_knock_terms),
    .fields = double_fields,
    .node_offset = offsetof(levy_payoff_terms, node),
    .has_node = true};

const levy_payoff levy_payoff_double_barrier = {
    .kind = "double_barrier",
    .table = &levy_payoff_double_barrier_table,
    LEVY_KNOCKS_AT_BARRIER,
    LEVY_WATCHES_BARRIER,
};
