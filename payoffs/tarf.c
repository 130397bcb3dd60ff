/* tarf.c: forwards on a list of dates that end once their gains have reached a target. Must not
 * know: how levels are made. */
#include "payoffs/checks.h"
#include "payoffs/written.h"

typedef struct tarf_terms {
    levy_payoff_terms payoff;
    double strike, target, gearing;
    levy_schedule_terms observations;
    int32_t last, side;
} tarf_terms;

static const char tarf_text[] =
    "var gained = 0\n"
    "at observations {\n"
    "  let gain = (1 - 2 * side) * (level - strike)\n"
    "  let before = gained\n"
    "  gained += max(gain, 0)\n"
    "  let missing = target - before\n"
    "  let reached = missing if last == 1 else gain if last == 0 else 0\n"
    "  pay gearing * gain if gain < 0 else gain if gained < target else reached\n"
    "  if gained >= target { stop }\n"
    "}\n";

static const char *const tarf_last_choices[] = {"full", "exact", "none", NULL};
static const char *const tarf_side_choices[] = {"buy", "sell", NULL};
static const levy_field tarf_fields[] = {
    LEVY_WRITTEN_SCHEDULE(tarf_terms, observations, "Dates of fixing and settlement."),
    LEVY_WRITTEN_STRIKE(tarf_terms, "Price of the forwards."),
    LEVY_WRITTEN_REQUIRED_ALSO(tarf_terms, target, "target_gain target_profit", 0, 1e15,
                               "Sum of gains, per unit, that ends the contract."),
    LEVY_WRITTEN_NUMBER_ALSO(tarf_terms, gearing, "multiplier leverage", 0, 1000, "2",
                             "How many times a loss counts."),
    LEVY_WRITTEN_CHOICE(tarf_terms, last, tarf_last_choices, "exact",
                        "What the gain that reaches the target pays: full, exact or none."),
    LEVY_WRITTEN_CHOICE(tarf_terms, side, tarf_side_choices, "buy", "buy, or sell."),
    LEVY_WRITTEN_ABSOLUTE_FIELDS,
    {0}};
#define TARF_EXAMPLE "{kind: tarf, observations: {count: 12}, strike: 98, target: 8}"
static const levy_synonym tarf_synonyms[] = {
    {"target_redemption_forward", TARF_EXAMPLE}, {"trf", TARF_EXAMPLE}, {0}};
LEVY_WRITTEN_TABLE_ALSO(
    tarf, tarf_terms, tarf_fields, tarf_synonyms, TARF_EXAMPLE,
    "Target redemption forward, per unit of quantity and date. On each date of observations the "
    "gain is level - strike (side sell: strike - level). A loss is settled at once, times gearing. "
    "A gain is settled at once and counted; once all gains so far are at target or above, the "
    "contract ends on that date. Of the gain that reaches the target `last` pays all (full), what "
    "was missing to the target (exact), or nothing (none)." LEVY_INTEGRATED);
LEVY_WRITTEN_KIND(tarf);
