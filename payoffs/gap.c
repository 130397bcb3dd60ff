/* gap.c: an option whose trigger is another level than its strike. Must not know: how levels are
 * made. */
#include "payoffs/checks.h"
#include "payoffs/written.h"

typedef struct gap_terms {
    levy_payoff_terms payoff;
    double strike, trigger;
} gap_terms;

static const char gap_text[] =
    "at expiry {\n"
    "  let sign = 1 - 2 * option_type\n"
    "  pay sign * (level - strike) if sign * level >= sign * trigger else 0\n"
    "}\n";

static const levy_field gap_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    LEVY_WRITTEN_STRIKE(gap_terms, "What is paid for the level."),
    LEVY_WRITTEN_REQUIRED(gap_terms, trigger, 0, 1e15, "Level at which the option pays."),
    LEVY_LEVELS_FIELD("absolute"),
    LEVY_INITIAL_FIXING_FIELD,
    {0}};
static const levy_synonym gap_synonyms[] = {
    {"pay_later", "{kind: gap, option_type: call, strike: 110, trigger: 100}"}, {0}};
LEVY_WRITTEN_TABLE_ALSO(
    gap, gap_terms, gap_fields, gap_synonyms,
    "{kind: gap, option_type: call, strike: 50, trigger: 57}",
    "Gap option. It pays level - strike (put: strike - level) at expiry if the level is at trigger "
    "or above (put: at it or below), else 0. The payment may be negative." LEVY_INTEGRATED);
LEVY_WRITTEN_KIND(gap);
