/* cash.c: an amount at a date: a repayment, a fee, a premium. Must not know: how levels are made.
 */
#include "payoffs/written.h"

typedef struct cash_terms {
    levy_payoff_terms payoff;
    double amount;
} cash_terms;

static const char cash_text[] = "at expiry { pay amount }\n";

static const levy_field cash_fields[] = {
    LEVY_WRITTEN_NUMBER(cash_terms, amount, -1e15, 1e15, "1",
                        "What a unit, or a unit of notional, is paid on the payment date."),
    {0}};
static const levy_synonym cash_synonyms[] = {{"zero_coupon_bond", "{kind: cash, amount: 1}"},
                                             {"zero_coupon", "{kind: cash, amount: 1}"},
                                             {"redemption", "{kind: cash, amount: 1}"},
                                             {"deposit", "{kind: cash, amount: 1}"},
                                             {"fee", "{kind: cash, amount: 1}"},
                                             {0}};
LEVY_WRITTEN_TABLE_ALSO(
    cash, cash_terms, cash_fields, cash_synonyms, "{kind: cash, amount: 100}",
    "An amount, paid on the payment date whatever happens: the repayment of a "
    "note, a fee. It needs "
    "no underlying and, with a currency, no model. Its value is exact and nothing is simulated.");
LEVY_WRITTEN_SOURCE(cash)
LEVY_WRITTEN_FIXED_KIND(cash);
