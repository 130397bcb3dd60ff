/* phoenix.c: a note that pays a coupon on each date on which the worst of its underlyings is high
 * enough, with or without memory, and is called early. Must not know: how levels are made. */
#include "payoffs/checks.h"
#include "payoffs/written.h"

typedef struct phoenix_terms {
    levy_payoff_terms payoff;
    double knock_in_barrier, strike;
    levy_list coupon, coupon_barrier, call_barrier;
    levy_schedule_terms observations, knock_in;
    uint64_t first_call;
    bool memory;
} phoenix_terms;

static const char phoenix_text[] =
    "var due = 0\n"
    "var hit = 0\n"
    "at knock_in {\n"
    "  if worst(levels) < knock_in_barrier { hit = 1 }\n"
    "}\n"
    "at observations {\n"
    "  due = (due if memory > 0 else 0) + coupon[number]\n"
    "  if worst(levels) >= coupon_barrier[number] {\n"
    "    pay due\n"
    "    due = 0\n"
    "  }\n"
    "  if worst(levels) >= call_barrier[number] and number >= first_call {\n"
    "    pay 1\n"
    "    stop\n"
    "  }\n"
    "}\n"
    "at expiry {\n"
    "  pay min(1, worst(levels) / strike) if hit > 0 else 1\n"
    "}\n";

static const levy_field phoenix_fields[] = {
    LEVY_WRITTEN_SCHEDULE(phoenix_terms, observations,
                          "Dates on which a coupon may be paid and the note may be called."),
    LEVY_WRITTEN_LIST(phoenix_terms, coupon, 0, 10,
                      "Coupon of an observation, as a fraction of the notional: one number, or one "
                      "for each observation."),
    LEVY_WRITTEN_LIST_ALSO(
        phoenix_terms, coupon_barrier, LEVY_COUPON_BARRIER_NAMES, 0, 1e15,
        "Level of the worst underlying from which a coupon is paid: one number, or "
        "one for each observation."),
    LEVY_WRITTEN_FLAG(phoenix_terms, memory, "true",
                      "Whether a coupon that is paid comes with those that were missed before."),
    LEVY_WRITTEN_LIST_ALSO(
        phoenix_terms, call_barrier, LEVY_CALL_BARRIER_NAMES, 0, 1e15,
        "Level of the worst underlying from which the note is called: one number, or "
        "one for each observation."),
    LEVY_WRITTEN_COUNT(phoenix_terms, first_call, 1, 1e6, 0, "1",
                       "The number of the first observation on which the note may be called."),
    LEVY_WRITTEN_DATES(
        phoenix_terms, knock_in,
        "Dates on which the knock-in barrier is watched. Left out: the date of exercise alone."),
    LEVY_WRITTEN_REQUIRED_ALSO(
        phoenix_terms, knock_in_barrier,
        "protection_barrier protection protection_level knock_in_level ki ki_barrier", 0, 1e15,
        "Level of the worst underlying below which the notional is at risk."),
    LEVY_WRITTEN_NUMBER(
        phoenix_terms, strike, 1e-6, 1e15, "1",
        "Level of the worst underlying from which a note at risk is repaid in full."),
    LEVY_WRITTEN_FIELDS,
    {0}};
#define PHOENIX_EXAMPLE                                                                            \
    "{kind: phoenix, observations: {count: 12}, coupon: 0.02, coupon_barrier: 0.7, call_barrier: " \
    "1.0, knock_in_barrier: 0.6}"
static const levy_synonym phoenix_synonyms[] = {
    {"phoenix_autocall", PHOENIX_EXAMPLE},
    {"phoenix_autocallable", PHOENIX_EXAMPLE},
    {"phoenix_note", PHOENIX_EXAMPLE},
    {"memory_coupon_note",
     "{kind: phoenix, observations: {count: 12}, coupon: 0.02, coupon_barrier: 0.7, memory: true, "
     "call_barrier: 1.0, knock_in_barrier: 0.6}"},
    {0}};
LEVY_WRITTEN_TABLE_ON(
    phoenix, phoenix_terms, phoenix_fields, 3, phoenix_synonyms, PHOENIX_EXAMPLE,
    "Phoenix note on the worst of its underlyings, per unit of notional. On each of its "
    "observations, in this order: the coupon is paid if the worst level is at coupon_barrier or "
    "above (with memory: with all coupons missed so far), and the note is redeemed at 1 and ends "
    "if the worst level is at call_barrier or above. If it is never called, it repays the lesser "
    "of 1 and worst level / strike where a date of knock_in had the worst level below "
    "knock_in_barrier, else 1." LEVY_INTEGRATED);
LEVY_WRITTEN_KIND(phoenix);
