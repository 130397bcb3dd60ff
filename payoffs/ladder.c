/* ladder.c: an option that locks in its gain at each rung that the level reaches. Must not know:
 * how levels are made. */
#include "payoffs/written.h"

typedef struct ladder_terms {
    levy_payoff_terms payoff;
    double strike;
    levy_list rungs;
    levy_schedule_terms observations;
} ladder_terms;

static const char ladder_text[] =
    "var locked = 0\n"
    "at observations {\n"
    "  let sign = 1 - 2 * option_type\n"
    "  let gains = sign * (rungs - strike) if sign * level >= sign * rungs else 0\n"
    "  locked = max(locked, best(gains))\n"
    "}\n"
    "at expiry {\n"
    "  pay max((1 - 2 * option_type) * (level - strike), locked)\n"
    "}\n";

static const levy_field ladder_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    LEVY_WRITTEN_SCHEDULE(ladder_terms, observations, "Dates on which rungs may be reached."),
    LEVY_WRITTEN_STRIKE(ladder_terms, "Strike."),
    LEVY_WRITTEN_LIST_ALSO(ladder_terms, rungs, "ladders ladder", 0, 1e15,
                           "Levels at which a gain is locked in."),
    LEVY_WRITTEN_ABSOLUTE_FIELDS,
    {0}};
LEVY_WRITTEN_TABLE(
    ladder, ladder_terms, ladder_fields,
    "{kind: ladder, option_type: call, strike: 100, rungs: [110, 120], observations: {count: 12}}",
    "Ladder option. At expiry it pays the largest of 0, the option's payment at the level of "
    "expiry, and that at the highest rung (put: the lowest) that the level was at or above (put: "
    "at or below) on a date of observations.");
LEVY_WRITTEN_KIND(ladder);
