/* autocallable.c: an autocallable note on the worst of its underlyings, with barriers that may
 * differ by date and a coupon for each call date so far. Must not know: how levels are made. */
#include "payoffs/checks.h"
#include "payoffs/written.h"

typedef struct autocallable_terms {
    levy_payoff_terms payoff;
    double coupon, knock_in_barrier;
    levy_list call_barrier;
    levy_schedule_terms observations;
} autocallable_terms;

static const char autocallable_text[] =
    "at observations {\n"
    "  if worst(levels) >= call_barrier[number] {\n"
    "    pay 1 + coupon * number\n"
    "    stop\n"
    "  }\n"
    "}\n"
    "at expiry {\n"
    "  pay worst(levels) if worst(levels) < knock_in_barrier else 1\n"
    "}\n";

static const levy_field autocallable_fields[] = {
    LEVY_WRITTEN_SCHEDULE_ALSO(autocallable_terms, observations,
                               "~calls dates schedule observation_dates call_dates autocall_dates",
                               "Dates on which the note may be called."),
    LEVY_WRITTEN_LIST_ALSO(
        autocallable_terms, call_barrier, "~barrier " LEVY_CALL_BARRIER_NAMES, 0, 1e15,
        "Level of the worst underlying from which the note is called: one number, or "
        "one for each call date."),
    LEVY_WRITTEN_REQUIRED_ALSO(
        autocallable_terms, coupon, "+coupons", 0, 10,
        "Coupon for each call date up to the call, as a fraction of the notional."),
    LEVY_WRITTEN_REQUIRED_ALSO(
        autocallable_terms, knock_in_barrier,
        "~protection protection_barrier protection_level barrier_level ki ki_barrier", 0, 1e15,
        "If the note is never called and the worst underlying ends below it, its "
        "level is repaid, else the notional."),
    LEVY_WRITTEN_FIELDS,
    {0}};
#define AUTOCALLABLE_EXAMPLE                                                                       \
    "{kind: autocallable, observations: {count: 4}, call_barrier: 1.0, coupon: 0.02, "             \
    "knock_in_barrier: 0.6}"
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
    "worst underlying is at call_barrier or above, and ends." LEVY_INTEGRATED);
LEVY_WRITTEN_KIND(autocallable);
