/* digital_coupon_note.c: a note whose coupons are digital, and whose notional is repaid. Must not
 * know: how levels are made. */
#include "payoffs/checks.h"
#include "payoffs/written.h"

typedef struct digital_coupon_note_terms {
    levy_payoff_terms payoff;
    double low_coupon, redemption;
    levy_list coupon, coupon_barrier;
    levy_schedule_terms observations;
} digital_coupon_note_terms;

static const char digital_coupon_note_text[] =
    "at observations {\n"
    "  pay coupon[number] if worst(levels) >= coupon_barrier[number] else low_coupon\n"
    "}\n"
    "at expiry {\n"
    "  pay redemption\n"
    "}\n";

static const levy_field digital_coupon_note_fields[] = {
    LEVY_WRITTEN_SCHEDULE_ALSO(digital_coupon_note_terms, observations,
                               "~coupons observation_dates coupon_dates",
                               "Dates on which coupons are fixed and paid."),
    LEVY_WRITTEN_LIST(digital_coupon_note_terms, coupon, 0, 10,
                      "Coupon, as a fraction of the notional: one number, or one for each date."),
    LEVY_WRITTEN_LIST_ALSO(
        digital_coupon_note_terms, coupon_barrier, "~barrier " LEVY_COUPON_BARRIER_NAMES, 0, 1e15,
        "Level of the worst underlying from which it is paid: one number, or one for each date."),
    LEVY_WRITTEN_NUMBER(digital_coupon_note_terms, low_coupon, 0, 10, "0",
                        "What is paid instead where the worst underlying is below it."),
    LEVY_WRITTEN_NUMBER(digital_coupon_note_terms, redemption, 0, 1e15, "1",
                        "What is repaid at expiry."),
    LEVY_WRITTEN_FIELDS,
    {0}};
static const levy_synonym digital_coupon_note_synonyms[] = {
    {"dcn",
     "{kind: digital_coupon_note, observations: {count: 4}, coupon: 0.03, coupon_barrier: 0.9}"},
    {0}};
LEVY_WRITTEN_TABLE_ALSO(
    digital_coupon_note, digital_coupon_note_terms, digital_coupon_note_fields,
    digital_coupon_note_synonyms,
    "{kind: digital_coupon_note, observations: {count: 4}, coupon: 0.03, coupon_barrier: 0.9}",
    "Digital coupon note on the worst of its underlyings, per unit of notional. On each date of "
    "coupons it pays coupon if the worst level is at coupon_barrier or above, else low_coupon. At "
    "expiry "
    "it repays redemption." LEVY_INTEGRATED);
LEVY_WRITTEN_KIND(digital_coupon_note);
