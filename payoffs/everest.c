/* everest.c: the worst of many underlyings, with a guarantee. Must not know: how levels are made.
 * */
#include "payoffs/written.h"

typedef struct everest_terms {
    levy_payoff_terms payoff;
    double guarantee, floor;
} everest_terms;

static const char everest_text[] = "at expiry {\n"
                                   "  pay max(worst(levels) + guarantee, floor)\n"
                                   "}\n";

static const levy_field everest_fields[] = {
    LEVY_WRITTEN_NUMBER_ALSO(everest_terms, guarantee, "coupon guaranteed_coupon", -10, 10, "0",
                             "Added to the worst level."),
    LEVY_WRITTEN_NUMBER(everest_terms, floor, 0, 1e15, "0", "The least that is paid."),
    LEVY_WRITTEN_FIELDS,
    {0}};
LEVY_WRITTEN_TABLE_ON(
    everest, everest_terms, everest_fields, 3, NULL, "{kind: everest, guarantee: 0.1}",
    "Everest note on the worst of its underlyings, per unit of notional. At expiry "
    "it pays the worst level and guarantee, and at least floor.");
LEVY_WRITTEN_KIND(everest);
