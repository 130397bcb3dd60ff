/* parisian.c: a barrier option that only a stay beyond the barrier touches. Must not know: how
 * levels are made. */
#include "payoffs/written.h"

typedef struct parisian_terms {
    levy_payoff_terms payoff;
    double strike, barrier, rebate;
    levy_schedule_terms observations;
    uint64_t window;
    int32_t direction, knock, counting;
} parisian_terms;

static const char parisian_text[] =
    "var stay = 0\n"
    "var touched = 0\n"
    "at observations {\n"
    "  let sign = 1 - 2 * direction\n"
    "  let beyond = sign * level > sign * barrier\n"
    "  stay = stay + 1 if beyond else stay if counting > 0 else 0\n"
    "  if stay >= window { touched = 1 }\n"
    "}\n"
    "at expiry {\n"
    "  let gain = max((1 - 2 * option_type) * (level - strike), 0)\n"
    "  pay gain if touched == knock else rebate\n"
    "}\n";

static const char *const parisian_counting_choices[] = {"consecutive", "cumulative", NULL};
static const levy_field parisian_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    LEVY_WRITTEN_SCHEDULE(parisian_terms, observations, "Dates that are counted."),
    LEVY_WRITTEN_STRIKE(parisian_terms, "Strike."),
    LEVY_WRITTEN_REQUIRED(parisian_terms, barrier, 0, 1e15, "Level of the barrier."),
    LEVY_WRITTEN_SIDE(parisian_terms),
    LEVY_WRITTEN_KNOCK(parisian_terms),
    LEVY_WRITTEN_COUNT(parisian_terms, window, 1, 1e6, LEVY_REQUIRED, NULL,
                       "How many dates beyond the barrier touch it."),
    LEVY_WRITTEN_CHOICE(parisian_terms, counting, parisian_counting_choices, "consecutive",
                        "consecutive: a date that is not beyond the barrier begins the count anew. "
                        "cumulative: it does not."),
    LEVY_WRITTEN_REBATE(parisian_terms),
    LEVY_WRITTEN_ABSOLUTE_FIELDS,
    {0}};
static const levy_synonym parisian_synonyms[] = {
    {"parasian", "{kind: parisian, counting: cumulative, option_type: call, strike: 100, barrier: "
                 "95, direction: down, knock: out, window: 3, observations: {count: 50}}"},
    {0}};
LEVY_WRITTEN_TABLE_ALSO(
    parisian, parisian_terms, parisian_fields, parisian_synonyms,
    "{kind: parisian, option_type: call, strike: 100, barrier: 95, direction: down, knock: out, "
    "window: 3, observations: {count: 50}}",
    "Parisian option on dates. A date of observations is beyond the barrier where the level is "
    "above it (direction up) or below it (down). The barrier is touched once `window` dates were "
    "beyond it: successive ones (counting consecutive), or in all (cumulative). knock out: the "
    "option is lost by a touch; knock in: it needs one. If the option is lost, rebate is paid at "
    "expiry.");
LEVY_WRITTEN_KIND(parisian);
