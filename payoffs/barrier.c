/* barrier.c: host half of the single-barrier option, knocked out or in when the level is at or beyond the barrier on
 * one of its monitoring dates. Source: E. Reiner and M. Rubinstein, "Breaking down the barriers", Risk 4, 1991;
 * discrete monitoring: M. Broadie, P. Glasserman, S. Kou, Math. Finance 7, 1997. Must not know: how the level's paths
 * are made. */
#include "payoffs/fields.h"

static const char *const barrier_directions[] = {"up", "down", "Up=up", "Down=down", NULL};
static const char *const barrier_knocks[] = {"out", "in", "Out=out", "In=in", NULL};
static const char *const barrier_monitorings[] = {"discrete", "continuous", "Discrete=discrete",
    "Continuous=continuous", NULL};

#define TERMS_OFFSET(member) .offset = offsetof(levy_payoff_terms, member)
static const levy_field barrier_block_fields[] = {
    {.name = "direction", .type = LEVY_FIELD_CHOICE, .flags = LEVY_REQUIRED, .choices = barrier_directions,
     TERMS_OFFSET(barrier_direction), .doc = "up: the barrier lies above today's level; down: below."},
    {.name = "knock", .type = LEVY_FIELD_CHOICE, .flags = LEVY_REQUIRED,
     .choices = barrier_knocks, TERMS_OFFSET(barrier_knock),
     .doc = "out: worth nothing once touched; in: worth nothing until touched."},
    {.name = "level", .type = LEVY_FIELD_NUMBER, .flags = LEVY_REQUIRED | LEVY_RANGED | LEVY_LOW_OPEN, .low = 0,
     .high = 1e15,
     TERMS_OFFSET(barrier_level), .doc = "In the units of the strike; reaching it exactly counts."},
    {.name = "monitoring", .type = LEVY_FIELD_CHOICE, .choices = barrier_monitorings, .fallback = "discrete",
     TERMS_OFFSET(barrier_monitoring), .doc = "discrete: on `observations`; continuous is not priced yet."},
    {.name = "observations", .type = LEVY_FIELD_OBJECT, .flags = LEVY_REQUIRED, .table = &levy_schedule_table,
     TERMS_OFFSET(observations),
     .doc = "The monitoring times, at most expiry; past ones are looked up in the assets' fixings."},
    {0}};
static const levy_table barrier_block = {.name = "barrier", .doc = "Where the barrier lies, and what touching it does.",
                                         .size = sizeof(levy_payoff_terms), .fields = barrier_block_fields};

static const levy_field barrier_fields[] = {
    LEVY_OPTION_TYPE_FIELD, LEVY_STRIKE_FIELD, LEVY_STRIKE_TYPE_FIELD, LEVY_INITIAL_FIXING_FIELD, LEVY_AGGREGATE_FIELD,
    {.name = "barrier", .type = LEVY_FIELD_OBJECT, .flags = LEVY_REQUIRED, .table = &barrier_block, .offset = 0,
     .doc = "Where the barrier lies, and what touching it does."},
    {0}};
const levy_table levy_payoff_barrier_table = {
    .name = "payoff barrier", .doc = "A European option that a touch of the barrier ends (out) or brings to life (in).",
    .size = sizeof(levy_payoff_terms), .fields = barrier_fields,
    .node_offset = offsetof(levy_payoff_terms, node), .has_node = true};

const levy_payoff levy_payoff_barrier = {.kind = "barrier", .table = &levy_payoff_barrier_table,
                                         .features = LEVY_PAYOFF_OBSERVES | LEVY_PAYOFF_KNOCKS | LEVY_PAYOFF_DISCONTINUOUS,
                                         .aggregate = LEVY_AGGREGATE_NONE, .lanes = LEVY_PAYOFF_BARRIER};
