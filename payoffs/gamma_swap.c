/* gamma_swap.c: variance weighted by the level, less its strike. Must not know: how levels are
 * made. */
#include "payoffs/written.h"

typedef struct gamma_swap_terms {
    levy_payoff_terms payoff;
    double strike_volatility, annualisation;
    levy_schedule_terms observations;
} gamma_swap_terms;

static const char gamma_swap_text[] =
    "var previous = 1\n"
    "var squares = 0\n"
    "at observations {\n"
    "  squares += level * log(level / previous)^2 * (annualisation / dates)\n"
    "  previous = level\n"
    "}\n"
    "at expiry {\n"
    "  pay squares - strike_volatility^2\n"
    "}\n";

static const levy_field gamma_swap_fields[] = {
    LEVY_WRITTEN_SCHEDULE(gamma_swap_terms, observations,
                          "Dates at which returns end. The first return is from the initial fixing "
                          "to the first date."),
    LEVY_WRITTEN_REQUIRED_ALSO(gamma_swap_terms, strike_volatility,
                               "~strike k K volatility_strike vol_strike strike_vol "
                               "^strike_variance ^variance_strike",
                               0, 10, "Strike as a volatility: 0.2 is 20 %."),
    LEVY_WRITTEN_ANNUALISATION(gamma_swap_terms),
    LEVY_WRITTEN_FIELDS,
    {0}};
LEVY_WRITTEN_TABLE(
    gamma_swap, gamma_swap_terms, gamma_swap_fields,
    "{kind: gamma_swap, observations: {count: 252}, strike_volatility: 0.2}",
    "Gamma swap, per unit of variance. It pays at expiry the weighted variance less "
    "strike_volatility^2. The "
    "weighted variance is annualisation / n times the sum of the n squared log returns between "
    "successive dates, each times the level at its end over the initial fixing.");
LEVY_WRITTEN_KIND_CHECKED(gamma_swap, levy_written_check_returns);
