/* autocallable.c: an autocallable note on the worst of its underlyings, with barriers that may
 * differ by date and a coupon for each call date so far. Must not know: how levels are made. */
#include "payoffs/checks.h"
#include "payoffs/written.h"

typedef struct autocallable_terms {
    levy_payoff_terms payoff;
    double coupon, protection;
    levy_list barrier;
    levy_schedule_terms calls;
} autocallable_terms;

static const char autocallable_text[] = "at calls {\n"
                                        "  if worst(levels) >= barrier[number] {\n"
                                        "    pay 1 + coupon * number\n"
                                        "    stop\n"
                                        "  }\n"
                                        "}\n"
                                        "at expiry {\n"
                                        "  pay worst(levels) if worst(levels) < protection else 1\n"
                                        "}\n";

static const levy_field autocallable_fields[] = {
    LEVY_WRITTEN_SCHEDULE_ALSO(
        autocallable_terms, calls,
        "observations dates schedule frequency observation_dates call_dates autocall_dates",
        "Dates on which the note may be called."),
    LEVY_WRITTEN_LIST_ALSO(
        autocallable_terms, barrier,
        "autocall_barrier autocall_trigger autocall_level call_trigger call_level call_barrier", 0,
        1e15,
        "Level of the worst underlying from which the note is called: one number, or "
        "one for each call date."),
    LEVY_WRITTEN_REQUIRED_ALSO(
        autocallable_terms, coupon, "coupon_rate", 0, 10,
        "Coupon for each call date up to the call, as a fraction of the notional."),
    LEVY_WRITTEN_REQUIRED_ALSO(
        autocallable_terms, protection,
        "protection_barrier protection_level knock_in_barrier barrier_level ki knock_in ki_barrier",
        0, 1e15,
        "If the note is never called and the worst underlying ends below it, its "
        "level is repaid, else the notional."),
    LEVY_WRITTEN_FIELDS,
    {0}};
#define AUTOCALLABLE_EXAMPLE                                                                       \
    "{kind: autocallable, calls: {count: 4}, barrier: 1.0, coupon: 0.02, protection: 0.6}"
static const levy_synonym autocallable_synonyms[] = {
    {"autocall", AUTOCALLABLE_EXAMPLE},
    {"worst_of_autocall", AUTOCALLABLE_EXAMPLE},
    {"worst_of_autocallable", AUTOCALLABLE_EXAMPLE},
    {"auto_callable", AUTOCALLABLE_EXAMPLE},
    {"autocallable_note", AUTOCALLABLE_EXAMPLE},
    {"express", AUTOCALLABLE_EXAMPLE},
    {0}};
LEVY_WRITTEN_TABLE_ALSO(
    autocallable, autocallable_terms, autocallable_fields, autocallable_synonyms,
    AUTOCALLABLE_EXAMPLE,
    "Autocallable note on the worst of its underlyings, per unit of notional. It pays "
    "1 and a coupon for each call date so far on the first call date on which the "
    "worst underlying is at its barrier or above, and ends." LEVY_INTEGRATED);
LEVY_WRITTEN_KIND(autocallable);
