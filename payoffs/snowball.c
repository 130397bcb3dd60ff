/* snowball.c: an autocallable note whose coupon grows with time and is lost by a knock-in that no
 * later knock-out makes up for. Must not know: how levels are made. */
#include "payoffs/checks.h"
#include "payoffs/written.h"

typedef struct snowball_terms {
    levy_payoff_terms payoff;
    double coupon, knock_in_barrier, strike;
    levy_list call_barrier;
    levy_schedule_terms observations, knock_in;
} snowball_terms;

static const char snowball_text[] =
    "var hit = 0\n"
    "var seen = 0\n"
    "at knock_in {\n"
    "  if worst(levels) < knock_in_barrier { hit = 1 }\n"
    "}\n"
    "at observations {\n"
    "  seen = number\n"
    "  if worst(levels) >= call_barrier[number] {\n"
    "    pay 1 + coupon * number\n"
    "    stop\n"
    "  }\n"
    "}\n"
    "at expiry {\n"
    "  pay min(1, worst(levels) / strike) if hit > 0 else 1 + coupon * seen\n"
    "}\n";

static const levy_field snowball_fields[] = {
    LEVY_WRITTEN_SCHEDULE_ALSO(snowball_terms, observations,
                               "~calls dates schedule observation_dates call_dates",
                               "Dates of the knock-out, such as the end of each month."),
    LEVY_WRITTEN_LIST_ALSO(snowball_terms, call_barrier,
                           "~barrier " LEVY_CALL_BARRIER_NAMES " knock_out_barrier", 0, 1e15,
                           "Level of the worst underlying from which the note is knocked out: one "
                           "number, or one for each of these dates."),
    LEVY_WRITTEN_REQUIRED_IN(
        snowball_terms, coupon, NULL, LEVY_COUPON_OF_A_DATE, 0, 10,
        "Coupon for each of these dates up to the end of the note, as a fraction of the notional."),
    LEVY_WRITTEN_SCHEDULE_ALSO(snowball_terms, knock_in, NULL,
                               "Dates on which the knock-in barrier is watched. " LEVY_WATCHED),
    LEVY_WRITTEN_REQUIRED_ALSO(
        snowball_terms, knock_in_barrier,
        "@protection_barrier @protection @protection_level knock_in_level ki_barrier", 0, 1e15,
        "Level of the worst underlying below which coupons are lost and the notional is at risk."),
    LEVY_WRITTEN_NUMBER(
        snowball_terms, strike, 1e-6, 1e15, "1",
        "Level of the worst underlying from which a note at risk is repaid in full."),
    LEVY_WRITTEN_FIELDS,
    {0}};
LEVY_WRITTEN_TABLE(
    snowball, snowball_terms, snowball_fields,
    "{kind: snowball, observations: {count: 12}, call_barrier: 1.03, coupon: 0.015, knock_in: "
    "{count: 252}, knock_in_barrier: 0.75}",
    "Snowball note on the worst of its underlyings, per unit of notional. On the first of its "
    "observations on which the worst level is at call_barrier or above (knock-out) it pays 1 and a "
    "coupon for "
    "each of them so far, and ends. If that never happens, it pays at expiry: 1 and a coupon "
    "for each of them, if no date of knock_in had the worst level below knock_in_barrier; "
    "else the lesser of 1 and worst level / strike." LEVY_INTEGRATED);
LEVY_WRITTEN_KIND(snowball);
