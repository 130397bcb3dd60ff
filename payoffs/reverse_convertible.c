/* reverse_convertible.c: a note with fixed coupons that repays less where the worst of its
 * underlyings has fallen. Must not know: how levels are made. */
#include "payoffs/checks.h"
#include "payoffs/written.h"

typedef struct reverse_convertible_terms {
    levy_payoff_terms payoff;
    double knock_in_barrier, strike;
    levy_list coupon;
    levy_schedule_terms coupons, knock_in;
} reverse_convertible_terms;

static const char reverse_convertible_text[] =
    "var hit = 0\n"
    "at knock_in {\n"
    "  if worst(levels) < knock_in_barrier { hit = 1 }\n"
    "}\n"
    "at coupons {\n"
    "  pay coupon[number]\n"
    "}\n"
    "at expiry {\n"
    "  pay min(1, worst(levels) / strike) if hit > 0 else 1\n"
    "}\n";

static const levy_field reverse_convertible_fields[] = {
    LEVY_WRITTEN_DATES(reverse_convertible_terms, coupons,
                       "Dates on which coupons are paid. Left out: the date of exercise alone."),
    LEVY_WRITTEN_LIST_ALSO(
        reverse_convertible_terms, coupon, "%coupons", 0, 10,
        "Coupon of a date, as a fraction of the notional: one number, or one for "
        "each date of coupons."),
    LEVY_WRITTEN_SCHEDULE_ALSO(reverse_convertible_terms, knock_in, NULL,
                               "Dates on which the barrier is watched. " LEVY_WATCHED),
    LEVY_WRITTEN_REQUIRED_ALSO(
        reverse_convertible_terms, knock_in_barrier,
        "~barrier ki ki_barrier @protection @protection_level", 0, 1e15,
        "Level of the worst underlying below which the notional is at risk."),
    LEVY_WRITTEN_NUMBER(
        reverse_convertible_terms, strike, 1e-6, 1e15, "1",
        "Level of the worst underlying from which a note at risk is repaid in full."),
    LEVY_WRITTEN_FIELDS,
    {0}};
static const levy_synonym reverse_convertible_synonyms[] = {
    {"barrier_reverse_convertible", "{kind: reverse_convertible, coupons: {count: 4}, coupon: "
                                    "0.02, knock_in: {count: 252}, knock_in_barrier: 0.7}"},
    {"reverse_exchangeable", "{kind: reverse_convertible, coupon: 0.08, knock_in: {count: 1}, "
                             "knock_in_barrier: 0.7}"},
    {0}};
LEVY_WRITTEN_TABLE_ALSO(
    reverse_convertible, reverse_convertible_terms, reverse_convertible_fields,
    reverse_convertible_synonyms,
    "{kind: reverse_convertible, coupons: {count: 4}, coupon: 0.02, knock_in: {count: 252}, "
    "knock_in_barrier: 0.7}",
    "Reverse convertible on the worst of its underlyings, per unit of notional. It pays its "
    "coupons whatever happens. At expiry it repays the lesser of 1 and worst level / strike if a "
    "date of knock_in had the worst level below knock_in_barrier, else 1. With both levels alike "
    "and knock_in: {count: 1} it is a note without a barrier." LEVY_INTEGRATED);
LEVY_WRITTEN_KIND(reverse_convertible);
