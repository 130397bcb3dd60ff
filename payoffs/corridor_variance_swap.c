/* corridor_variance_swap.c: the variance of those days that begin in a corridor, less its strike.
 * Must not know: how levels are made. */
#include "payoffs/written.h"

typedef struct corridor_variance_swap_terms {
    levy_payoff_terms payoff;
    double strike_volatility, annualisation, lower, upper;
    levy_schedule_terms observations;
    bool conditional;
} corridor_variance_swap_terms;

static const char corridor_variance_swap_text[] =
    "var previous = 1\n"
    "var squares = 0\n"
    "var inside = 0\n"
    "at observations {\n"
    "  if previous >= lower and previous <= upper {\n"
    "    squares += log(level / previous)^2 * (annualisation / dates)\n"
    "    inside += 1 / dates\n"
    "  }\n"
    "  previous = level\n"
    "}\n"
    "at expiry {\n"
    "  pay squares - strike_volatility^2 * (inside if conditional > 0 else 1)\n"
    "}\n";

static const levy_field corridor_variance_swap_fields[] = {
    LEVY_WRITTEN_SCHEDULE(corridor_variance_swap_terms, observations,
                          "Dates at which returns end. The first return is from the initial fixing "
                          "to the first date."),
    LEVY_WRITTEN_REQUIRED_ALSO(corridor_variance_swap_terms, strike_volatility,
                               "~strike k K volatility_strike vol_strike strike_vol "
                               "^strike_variance ^variance_strike",
                               0, 10, "Strike as a volatility: 0.2 is 20 %."),
    LEVY_WRITTEN_ANNUALISATION(corridor_variance_swap_terms),
    LEVY_WRITTEN_NUMBER(corridor_variance_swap_terms, lower, 0, 1e15, "0",
                        "Lower end of the corridor."),
    LEVY_WRITTEN_NUMBER(corridor_variance_swap_terms, upper, 0, 1e15, "1e15",
                        "Upper end of the corridor."),
    LEVY_WRITTEN_FLAG(corridor_variance_swap_terms, conditional, "false",
                      "Whether the strike counts for returns in the corridor only."),
    LEVY_WRITTEN_FIELDS,
    {0}};
static const levy_synonym corridor_variance_swap_synonyms[] = {
    {"conditional_variance_swap", "{kind: corridor_variance_swap, conditional: true, observations: "
                                  "{count: 252}, strike_volatility: 0.2, lower: 0.8}"},
    {0}};
LEVY_WRITTEN_TABLE_ALSO(
    corridor_variance_swap, corridor_variance_swap_terms, corridor_variance_swap_fields,
    corridor_variance_swap_synonyms,
    "{kind: corridor_variance_swap, observations: {count: 252}, strike_volatility: 0.18, lower: "
    "0.8, upper: "
    "1.2}",
    "Corridor variance swap, per unit of variance. It pays at expiry the corridor variance less "
    "strike_volatility^2. The corridor variance is annualisation / n times the sum of the squared "
    "log returns "
    "that begin at a level of lower or above and of upper or below, where n counts all returns. "
    "conditional: the strike counts only for the share of returns that begin in the corridor, so "
    "that nothing is paid for the others.");
LEVY_WRITTEN_KIND_CHECKED(corridor_variance_swap, levy_written_check_returns);
