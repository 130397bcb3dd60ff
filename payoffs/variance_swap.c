/* variance_swap.c: realised variance less its strike. Must not know: how levels are made. */
#include "payoffs/written.h"

typedef struct variance_swap_terms {
    levy_payoff_terms payoff;
    double strike_volatility, annualisation, cap;
    levy_schedule_terms observations;
} variance_swap_terms;

static const char variance_swap_text[] =
    "var previous = 1\n"
    "var squares = 0\n"
    "at observations {\n"
    "  squares += log(level / previous)^2 * (annualisation / dates)\n"
    "  previous = level\n"
    "}\n"
    "at expiry {\n"
    "  pay min(squares, cap^2) - strike_volatility^2\n"
    "}\n";

static const levy_field variance_swap_fields[] = {
    LEVY_WRITTEN_SCHEDULE(variance_swap_terms, observations,
                          "Dates at which returns end. The first return is from the initial fixing "
                          "to the first date."),
    LEVY_WRITTEN_REQUIRED_ALSO(variance_swap_terms, strike_volatility,
                               "~strike k K volatility_strike vol_strike strike_vol "
                               "^strike_variance ^variance_strike",
                               0, 10, "Strike as a volatility: 0.2 is 20 %."),
    LEVY_WRITTEN_ANNUALISATION(variance_swap_terms),
    LEVY_WRITTEN_NUMBER(
        variance_swap_terms, cap, 0, 1000, "1000",
        "Realised volatility that counts at most. The market's usual cap is 2.5 times the strike."),
    LEVY_WRITTEN_FIELDS,
    {0}};
#define VARIANCE_SWAP_EXAMPLE                                                                      \
    "{kind: variance_swap, observations: {count: 252}, strike_volatility: 0.2}"
static const levy_synonym variance_swap_synonyms[] = {
    {"varswap", VARIANCE_SWAP_EXAMPLE},
    {"var_swap", VARIANCE_SWAP_EXAMPLE},
    {"variance", VARIANCE_SWAP_EXAMPLE},
    {0},
};
LEVY_WRITTEN_TABLE_ALSO(
    variance_swap, variance_swap_terms, variance_swap_fields, variance_swap_synonyms,
    VARIANCE_SWAP_EXAMPLE,
    "Variance swap, per unit of variance: the notional is the variance notional. It pays at expiry "
    "the realised variance less strike_volatility^2. The realised variance is annualisation / n "
    "times the sum "
    "of the n squared log returns between successive dates; their mean is not subtracted.");
LEVY_WRITTEN_KIND_CHECKED(variance_swap, levy_written_check_returns);
