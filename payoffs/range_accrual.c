/* range_accrual.c: a coupon for the share of dates on which all levels are in a range. Must not
 * know: how levels are made. */
#include "payoffs/checks.h"
#include "payoffs/written.h"

typedef struct range_accrual_terms {
    levy_payoff_terms payoff;
    double coupon, redemption;
    levy_list lower, upper;
    levy_schedule_terms observations;
} range_accrual_terms;

static const char range_accrual_text[] =
    "at observations {\n"
    "  if all(levels >= lower and levels <= upper) { pay coupon / dates at expiry }\n"
    "}\n"
    "at expiry {\n"
    "  pay redemption\n"
    "}\n";

static const levy_field range_accrual_fields[] = {
    LEVY_WRITTEN_SCHEDULE(range_accrual_terms, observations, "Dates that count."),
    LEVY_WRITTEN_LIST_ALSO(range_accrual_terms, lower, "lower_barrier low", 0, 1e15,
                           "Lower end of the range."),
    LEVY_WRITTEN_LIST_ALSO(range_accrual_terms, upper, "upper_barrier high", 0, 1e15,
                           "Upper end of the range."),
    LEVY_WRITTEN_REQUIRED(range_accrual_terms, coupon, 0, 1e15,
                          "What is paid if all dates are in the range."),
    LEVY_WRITTEN_NUMBER(range_accrual_terms, redemption, 0, 1e15, "0",
                        "What is paid whatever happens."),
    LEVY_WRITTEN_FIELDS,
    {0}};
LEVY_WRITTEN_TABLE(
    range_accrual, range_accrual_terms, range_accrual_fields,
    "{kind: range_accrual, observations: {count: 252}, lower: 0.9, upper: 1.1, coupon: 0.08}",
    "Range accrual note, per unit of notional. At expiry it pays redemption, and coupon times the "
    "share of dates on which every underlying is at lower or above and at upper or below. The ends "
    "of the range are one number, or one for each underlying." LEVY_INTEGRATED);
LEVY_WRITTEN_KIND(range_accrual);
