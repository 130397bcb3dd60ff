/* napoleon.c: yearly coupons, less the worst return of the year. Must not know: how levels are
 * made. */
#include "payoffs/written.h"

typedef struct napoleon_terms {
    levy_payoff_terms payoff;
    double coupon, floor, redemption;
    levy_schedule_terms observations, coupons;
} napoleon_terms;

static const char napoleon_text[] = "var previous = 1\n"
                                    "var least = 1e9\n"
                                    "at observations {\n"
                                    "  least = min(least, mean(levels) / previous - 1)\n"
                                    "  previous = mean(levels)\n"
                                    "}\n"
                                    "at coupons {\n"
                                    "  pay max(coupon + least, floor)\n"
                                    "  least = 1e9\n"
                                    "}\n"
                                    "at expiry {\n"
                                    "  pay redemption\n"
                                    "}\n";

static const levy_field napoleon_fields[] = {
    LEVY_WRITTEN_SCHEDULE(napoleon_terms, observations,
                          "Dates at which returns end, such as the end of each month."),
    LEVY_WRITTEN_DATES(napoleon_terms, coupons,
                       "Dates on which coupons are paid, such as the end of each year. A date of "
                       "both is first one of observations. Each period has at least one "
                       "observation. Left out: the date of exercise alone."),
    LEVY_WRITTEN_REQUIRED(napoleon_terms, coupon, 0, 10,
                          "Coupon before the worst return is added."),
    LEVY_WRITTEN_NUMBER(napoleon_terms, floor, 0, 10, "0", "The least that a coupon is."),
    LEVY_WRITTEN_NUMBER(napoleon_terms, redemption, 0, 1e15, "0", "What is repaid at expiry."),
    LEVY_WRITTEN_FIELDS,
    {0}};
LEVY_WRITTEN_TABLE(
    napoleon, napoleon_terms, napoleon_fields,
    "{kind: napoleon, observations: {count: 36}, coupons: {count: 3}, coupon: 0.08}",
    "Napoleon note, per unit of notional. On each date of coupons it pays coupon and the worst "
    "return between successive dates of observations since the date of coupons before, and at "
    "least floor. The first return is from the initial fixing. Of several underlyings the mean of "
    "their levels counts. At expiry it repays redemption.");
LEVY_WRITTEN_KIND_CHECKED(napoleon, levy_written_check_returns);
