/* forward_start.c: host half of the option whose strike is a fraction of the level at a later time,
 * in the units of the level or as a return. Source: M. Rubinstein, "Pay now, choose later", Risk 4,
 * 1991. Must not know: how the level's paths are made. */
#include "payoffs/checks.h"
#include "payoffs/fields.h"

static const char *const forward_forms[] = {"absolute", "performance", NULL};
static const levy_field forward_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    {.name = "strike_fraction",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_REQUIRED | LEVY_RANGED,
     .low = 0,
     .high = 10,
     LEVY_TERMS_OFFSET(strike_fraction),
     .doc = "Strike as a fraction of the level at reset. 1.0 is at the money."},
    {.name = "reset",
     .type = LEVY_FIELD_TIME,
     .flags = LEVY_REQUIRED,
     LEVY_TERMS_OFFSET(reset),
     .doc = "Date on which the strike is set, before expiry. A past level is taken "
            "from the assets' fixings."},
    {.name = "form",
     .type = LEVY_FIELD_CHOICE,
     .choices = forward_forms,
     .fallback = "absolute",
     LEVY_TERMS_OFFSET(forward_form),
     .doc = "absolute: a call pays max(level - fraction * level at reset, 0). "
            "performance: a call pays max(level / level at reset - fraction, 0). A "
            "put pays the reversed difference."},
    LEVY_AGGREGATE_FIELD,
    {0}};
const levy_table levy_payoff_forward_start_table = {
    .name = "payoff forward_start",
    .doc = "Forward start option: the strike is a fraction of the level at a "
           "later date.",
    .size = sizeof(levy_payoff_terms),
    .fields = forward_fields,
    .node_offset = offsetof(levy_payoff_terms, node),
    .has_node = true};

/* ---- In a book ---- */

/* Of its form performance: a return. */
static bool forward_pays_numbers(const levy_payoff_terms *terms)
{
    return terms->forward_form == 1;
}

static bool forward_check(levy_check *check, const levy_payoff_terms *terms,
                          const levy_payoff_frame *frame)
{
    return !forward_pays_numbers(terms) || levy_payoff_check_growth(check, frame);
}

const levy_payoff levy_payoff_forward_start = {.kind = "forward_start",
                                               .table = &levy_payoff_forward_start_table,
                                               .features = LEVY_PAYOFF_RESETS,
                                               .aggregate = LEVY_AGGREGATE_NONE,
                                               .lanes = LEVY_PAYOFF_FORWARD_START,
                                               .check = forward_check,
                                               .pays_numbers = forward_pays_numbers};
