/* power.c: an option on a power of the level. Must not know: how levels are made. */
#include "payoffs/written.h"

typedef struct power_terms {
    levy_payoff_terms payoff;
    double strike, power, cap;
} power_terms;

static const char power_text[] =
    "at expiry {\n"
    "  let gain = (1 - 2 * option_type) * (exp(power * log(level)) - strike)\n"
    "  pay min(max(gain, 0), cap)\n"
    "}\n";

static const levy_field power_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    LEVY_WRITTEN_REQUIRED_IN(
        power_terms, strike, "k K exercise_price strike_price", LEVY_POWER_OF_LEVEL, 0, 1e15,
        "Strike, in the unit of the power: 10000 for a level of 100 and a power of 2."),
    LEVY_WRITTEN_REQUIRED(power_terms, power, -16, 16, "Exponent."),
    LEVY_WRITTEN_NUMBER(power_terms, cap, 0, 1e300, "1e300", "The most that is paid."),
    LEVY_LEVELS_FIELD("absolute"),
    LEVY_INITIAL_FIXING_FIELD,
    {0}};
LEVY_WRITTEN_TABLE(power, power_terms, power_fields,
                   "{kind: power, option_type: call, strike: 10000, power: 2}",
                   "Power option. It pays the amount by which level ^ power is above strike (put: "
                   "below) at expiry, at most cap.");
LEVY_WRITTEN_KIND(power);
