/* volatility_swap.c: realised volatility less its strike. Must not know: how levels are made. */
#include "payoffs/written.h"

typedef struct volatility_swap_terms {
    levy_payoff_terms payoff;
    double strike_volatility, annualisation, cap;
    levy_schedule_terms observations;
} volatility_swap_terms;

static const char volatility_swap_text[] =
    "var previous = 1\n"
    "var squares = 0\n"
    "at observations {\n"
    "  squares += log(level / previous)^2 * (annualisation / dates)\n"
    "  previous = level\n"
    "}\n"
    "at expiry {\n"
    "  pay min(sqrt(squares), cap) - strike_volatility\n"
    "}\n";

static const levy_field volatility_swap_fields[] = {
    LEVY_WRITTEN_SCHEDULE(volatility_swap_terms, observations,
                          "Dates at which returns end. The first return is from the initial fixing "
                          "to the first date."),
    LEVY_WRITTEN_REQUIRED_ALSO(volatility_swap_terms, strike_volatility,
                               "~strike k K volatility_strike vol_strike strike_vol", 0, 10,
                               "Strike as a volatility: 0.2 is 20 %."),
    LEVY_WRITTEN_ANNUALISATION(volatility_swap_terms),
    LEVY_WRITTEN_NUMBER(
        volatility_swap_terms, cap, 0, 1000, "1000",
        "Realised volatility that counts at most. The market's usual cap is 2.5 times the strike."),
    LEVY_WRITTEN_FIELDS,
    {0}};
#define VOLATILITY_SWAP_EXAMPLE                                                                    \
    "{kind: volatility_swap, observations: {count: 252}, strike_volatility: 0.2}"
static const levy_synonym volatility_swap_synonyms[] = {
    {"vol_swap", VOLATILITY_SWAP_EXAMPLE}, {"volswap", VOLATILITY_SWAP_EXAMPLE}, {0}};
LEVY_WRITTEN_TABLE_ALSO(
    volatility_swap, volatility_swap_terms, volatility_swap_fields, volatility_swap_synonyms,
    VOLATILITY_SWAP_EXAMPLE,
    "Volatility swap, per unit of volatility: the notional is paid per 1.00, that "
    "is 100 points. It pays at expiry the realised volatility less strike_volatility. The "
    "realised volatility is the root of annualisation / n times the sum of the n "
    "squared log returns between successive dates; their mean is not subtracted.");
LEVY_WRITTEN_KIND_CHECKED(volatility_swap, levy_written_check_returns);
