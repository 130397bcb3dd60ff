/* rainbow.c: an option on a sum of levels that are weighted by their rank. Must not know: how
 * levels are made. */
#include "payoffs/written.h"

typedef struct rainbow_terms {
    levy_payoff_terms payoff;
    double strike;
    levy_list weights;
} rainbow_terms;

static const char rainbow_text[] =
    "at expiry {\n"
    "  pay max((1 - 2 * option_type) * (sum(weights * sorted(levels)) - strike), 0)\n"
    "}\n";

static const levy_field rainbow_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    LEVY_WRITTEN_LIST_ALSO(
        rainbow_terms, weights, "~rank_weights", -1e6, 1e6,
        "Weights: the first is that of the best underlying. One for each underlying."),
    LEVY_WRITTEN_NUMBER(rainbow_terms, strike, -1e15, 1e15, "1", "Strike of the weighted sum."),
    LEVY_WRITTEN_FIELDS,
    {0}};
LEVY_WRITTEN_TABLE_ON(
    rainbow, rainbow_terms, rainbow_fields, 3, NULL,
    "{kind: rainbow, option_type: call, weights: [0.5, 0.3, 0.2]}",
    "Rainbow option, per unit of notional: an option on the sum of all levels, of which the best "
    "one counts weights' first number, the next one its second, and so on.");
LEVY_WRITTEN_KIND(rainbow);
