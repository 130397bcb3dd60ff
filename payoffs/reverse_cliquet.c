/* reverse_cliquet.c: a coupon from which every fall is taken. Must not know: how levels are made.
 * */
#include "payoffs/written.h"

typedef struct reverse_cliquet_terms {
    levy_payoff_terms payoff;
    double coupon, floor;
    levy_schedule_terms observations;
} reverse_cliquet_terms;

static const char reverse_cliquet_text[] = "var previous = 1\n"
                                           "var falls = 0\n"
                                           "at observations {\n"
                                           "  falls += min(level / previous - 1, 0)\n"
                                           "  previous = level\n"
                                           "}\n"
                                           "at expiry {\n"
                                           "  pay max(coupon + falls, floor)\n"
                                           "}\n";

static const levy_field reverse_cliquet_fields[] = {
    LEVY_WRITTEN_SCHEDULE(reverse_cliquet_terms, observations, "Dates at which returns end."),
    LEVY_WRITTEN_REQUIRED(reverse_cliquet_terms, coupon, 0, 10,
                          "Coupon from which the falls are taken."),
    LEVY_WRITTEN_NUMBER(reverse_cliquet_terms, floor, 0, 10, "0", "The least that is paid."),
    LEVY_WRITTEN_FIELDS,
    {0}};
LEVY_WRITTEN_TABLE(reverse_cliquet, reverse_cliquet_terms, reverse_cliquet_fields,
                   "{kind: reverse_cliquet, observations: {count: 12}, coupon: 0.3}",
                   "Reverse cliquet, per unit of notional. At expiry it pays coupon and the sum of "
                   "all negative returns between successive dates, and at least floor. The first "
                   "return is from the initial fixing.");
LEVY_WRITTEN_KIND_CHECKED(reverse_cliquet, levy_written_check_returns);
