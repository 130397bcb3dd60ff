/* soft_barrier.c: a barrier option that is lost bit by bit between two levels. Must not know: how
 * levels are made. */
#include "payoffs/written.h"

typedef struct soft_barrier_terms {
    levy_payoff_terms payoff;
    double strike, lower, upper;
    levy_schedule_terms observations;
    int32_t direction, knock;
} soft_barrier_terms;

static const char soft_barrier_text[] =
    "var extreme = 0\n"
    "at observations {\n"
    "  let sign = 1 - 2 * direction\n"
    "  extreme = sign * level if number == 1 else max(extreme, sign * level)\n"
    "}\n"
    "at expiry {\n"
    "  let room = upper - extreme if direction == 0 else 0 - extreme - lower\n"
    "  let part = min(max(room / (upper - lower), 0), 1)\n"
    "  let gain = max((1 - 2 * option_type) * (level - strike), 0)\n"
    "  pay gain * (part if knock == 0 else 1 - part)\n"
    "}\n";

static const levy_field soft_barrier_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    LEVY_WRITTEN_SCHEDULE(soft_barrier_terms, observations, "Dates on which the level is watched."),
    LEVY_WRITTEN_STRIKE(soft_barrier_terms, "Strike."),
    LEVY_WRITTEN_REQUIRED(soft_barrier_terms, lower, 0, 1e15, "Lower end of the range."),
    LEVY_WRITTEN_REQUIRED(soft_barrier_terms, upper, 0, 1e15,
                          "Upper end of the range, above the lower one."),
    LEVY_WRITTEN_SIDE(soft_barrier_terms),
    LEVY_WRITTEN_CHOSEN(soft_barrier_terms, knock, levy_written_knocks,
                        "out: the option is lost in part. in: it is gained in part."),
    LEVY_WRITTEN_ABSOLUTE_FIELDS,
    {0}};
LEVY_WRITTEN_TABLE(
    soft_barrier, soft_barrier_terms, soft_barrier_fields,
    "{kind: soft_barrier, option_type: call, strike: 100, lower: 85, upper: 95, direction: down, "
    "knock: out, observations: {count: 12}}",
    "Soft barrier option. At expiry the option's payment counts in part. direction down: the part "
    "is that of the range from lower to upper that lies below the least level on the dates of "
    "observations; up: that above the greatest one. knock in: the rest of it counts instead.");
LEVY_WRITTEN_KIND(soft_barrier);
