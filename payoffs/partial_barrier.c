/* partial_barrier.c: a barrier option that is watched for a part of its life. Must not know: how
 * levels are made. */
#include "payoffs/written.h"

typedef struct partial_barrier_terms {
    levy_payoff_terms payoff;
    double strike, barrier, rebate;
    levy_schedule_terms observations;
    int32_t direction, knock;
} partial_barrier_terms;

static const char partial_barrier_text[] =
    "var touched = 0\n"
    "var side = 0\n"
    "at observations {\n"
    "  let above = 1 if level >= barrier else -1\n"
    "  side = above if side == 0 else side\n"
    "  let crossed = level >= barrier if direction == 0 else level <= barrier if direction == 1 "
    "else above != side\n"
    "  if crossed { touched = 1 }\n"
    "}\n"
    "at expiry {\n"
    "  let gain = max((1 - 2 * option_type) * (level - strike), 0)\n"
    "  pay gain if touched == knock else rebate\n"
    "}\n";

static const char *const partial_barrier_direction_choices[] = {"up", "down", "cross", NULL};
static const levy_field partial_barrier_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    LEVY_WRITTEN_SCHEDULE(
        partial_barrier_terms, observations,
        "Dates on which the barrier is watched, with start and end of their own."),
    LEVY_WRITTEN_STRIKE(partial_barrier_terms, "Strike."),
    LEVY_WRITTEN_REQUIRED(partial_barrier_terms, barrier, 0, 1e15, "Level of the barrier."),
    LEVY_WRITTEN_CHOSEN(partial_barrier_terms, direction, partial_barrier_direction_choices,
                        "up, down or cross."),
    LEVY_WRITTEN_KNOCK(partial_barrier_terms),
    LEVY_WRITTEN_REBATE(partial_barrier_terms),
    LEVY_WRITTEN_ABSOLUTE_FIELDS,
    {0}};
static const levy_synonym partial_barrier_synonyms[] = {
    {"window_barrier", "{kind: partial_barrier, option_type: call, strike: 100, barrier: 90, "
                       "direction: down, knock: out, observations: {count: 12}}"},
    {0}};
LEVY_WRITTEN_TABLE_ALSO(
    partial_barrier, partial_barrier_terms, partial_barrier_fields, partial_barrier_synonyms,
    "{kind: partial_barrier, option_type: call, strike: 100, barrier: 90, direction: down, knock: "
    "out, observations: {count: 12}}",
    "Partial-time barrier option. The barrier is watched on the dates of observations, which need "
    "not reach from today to expiry. It is touched at barrier or above (direction up), at it or "
    "below (down), or on the other side of it than at the first of the dates (cross). knock out: "
    "the option is lost by a touch; knock in: it needs one. If the option is lost, rebate is paid "
    "at expiry.");
LEVY_WRITTEN_KIND(partial_barrier);
