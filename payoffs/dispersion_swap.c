/* dispersion_swap.c: the variances of a basket's members, less that of the basket. Must not know:
 * how levels are made. */
#include "payoffs/written.h"

typedef struct dispersion_swap_terms {
    levy_payoff_terms payoff;
    double strike_variance, annualisation;
    levy_list weights;
    levy_schedule_terms observations;
} dispersion_swap_terms;

static const char dispersion_swap_text[] =
    "var previous[] = 1\n"
    "var whole = sum(weights)\n"
    "var squares = 0\n"
    "at observations {\n"
    "  let basket = sum(weights * levels)\n"
    "  let members = sum(weights * log(levels / previous)^2)\n"
    "  squares += (members - log(basket / whole)^2) * (annualisation / dates)\n"
    "  previous = levels\n"
    "  whole = basket\n"
    "}\n"
    "at expiry {\n"
    "  pay squares - strike_variance\n"
    "}\n";

static const levy_field dispersion_swap_fields[] = {
    LEVY_WRITTEN_SCHEDULE(dispersion_swap_terms, observations,
                          "Dates at which returns end. The first return is from the initial fixing "
                          "to the first date."),
    LEVY_WRITTEN_LIST_ALSO(dispersion_swap_terms, weights, "~member_weights", 0, 1e6,
                           "Weights of the members: one for each underlying."),
    LEVY_WRITTEN_NUMBER_ALSO(dispersion_swap_terms, strike_variance, "~strike variance_strike",
                             -100, 100, "0", "Strike, as a variance."),
    LEVY_WRITTEN_ANNUALISATION(dispersion_swap_terms),
    LEVY_WRITTEN_FIELDS,
    {0}};
LEVY_WRITTEN_TABLE_ON(
    dispersion_swap, dispersion_swap_terms, dispersion_swap_fields, 2, NULL,
    "{kind: dispersion_swap, observations: {count: 252}, weights: [0.5, 0.5], strike_variance: "
    "0.01}",
    "Dispersion swap, per unit of variance. It pays at expiry the weighted sum of the underlyings' "
    "realised variances, less the realised variance of their basket, less strike_variance. A "
    "realised "
    "variance is annualisation / n times the sum of the n squared log returns between successive "
    "dates, and the basket is the weighted sum of the levels over initial fixings.");
LEVY_WRITTEN_KIND_CHECKED(dispersion_swap, levy_written_check_returns);
