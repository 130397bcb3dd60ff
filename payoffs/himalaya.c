/* himalaya.c: an average of the best, of which each date takes one away. Must not know: how levels
 * are made. */
#include "payoffs/written.h"

typedef struct himalaya_terms {
    levy_payoff_terms payoff;
    double strike;
    levy_schedule_terms observations;
} himalaya_terms;

static const char himalaya_text[] = "var remains[] = 1\n"
                                    "var total = 0\n"
                                    "var taken = 0\n"
                                    "at observations {\n"
                                    "  let seen = levels if remains > 0 else -1\n"
                                    "  if any(remains > 0) {\n"
                                    "    total += best(seen)\n"
                                    "    taken += 1\n"
                                    "  }\n"
                                    "  remains = 0 if first(seen >= best(seen)) else remains\n"
                                    "}\n"
                                    "at expiry {\n"
                                    "  pay max(total / max(taken, 1) - strike, 0)\n"
                                    "}\n";

static const levy_field himalaya_fields[] = {
    LEVY_WRITTEN_SCHEDULE(himalaya_terms, observations, "Dates on which one underlying is taken."),
    LEVY_WRITTEN_NUMBER(himalaya_terms, strike, 0, 1e15, "1", "Strike of the mean."),
    LEVY_WRITTEN_FIELDS,
    {0}};
LEVY_WRITTEN_TABLE_ON(
    himalaya, himalaya_terms, himalaya_fields, 3, NULL,
    "{kind: himalaya, observations: {count: 3}}",
    "Himalaya option, per unit of notional. On each date of observations the best "
    "of the underlyings that remain is taken: its level counts, and it is left out "
    "from then on. At expiry the option pays the mean of the levels that were taken "
    "less strike, or 0 if that is less. There are at most as many dates as "
    "underlyings; a date on which none remains counts nothing.");
LEVY_WRITTEN_KIND(himalaya);
