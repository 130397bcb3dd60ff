/* accumulator.c: shares bought on each date at a fixed price, more of them where that is dear,
 * until a knock-out. Must not know: how levels are made. */
#include "payoffs/checks.h"
#include "payoffs/written.h"

typedef struct accumulator_terms {
    levy_payoff_terms payoff;
    double strike, knock_out_barrier, gearing;
    levy_schedule_terms observations;
    int32_t side;
} accumulator_terms;

static const char accumulator_text[] = "at observations {\n"
                                       "  let sign = 1 - 2 * side\n"
                                       "  if sign * level >= sign * knock_out_barrier { stop }\n"
                                       "  let gain = sign * (level - strike)\n"
                                       "  pay gain if gain >= 0 else gearing * gain\n"
                                       "}\n";

static const char *const accumulator_side_choices[] = {"buy", "sell", NULL};
static const levy_field accumulator_fields[] = {
    LEVY_WRITTEN_SCHEDULE(accumulator_terms, observations, "Dates of settlement."),
    LEVY_WRITTEN_REQUIRED_ALSO(accumulator_terms, strike, "k K exercise_price strike_price price",
                               0, 1e15, "Price at which shares are bought."),
    LEVY_WRITTEN_REQUIRED_ALSO(accumulator_terms, knock_out_barrier,
                               "~knock_out ko ko_barrier barrier", 0, 1e15,
                               "Level at which the contract ends."),
    LEVY_WRITTEN_NUMBER_ALSO(
        accumulator_terms, gearing, "multiplier leverage", 0, 1000, "2",
        "How many times the shares are bought where the level is on the wrong side of the strike."),
    LEVY_WRITTEN_CHOICE(accumulator_terms, side, accumulator_side_choices, "buy",
                        "buy, or sell (a decumulator)."),
    LEVY_WRITTEN_ABSOLUTE_FIELDS,
    {0}};
static const levy_synonym accumulator_synonyms[] = {
    {"decumulator", "{kind: accumulator, side: sell, observations: {count: 12}, strike: 108, "
                    "knock_out_barrier: 92}"},
    {0}};
LEVY_WRITTEN_TABLE_ALSO(
    accumulator, accumulator_terms, accumulator_fields, accumulator_synonyms,
    "{kind: accumulator, observations: {count: 12}, strike: 92, knock_out_barrier: 108}",
    "Accumulator, per share and date: quantity says how many shares. On each date of observations: "
    "if the level is at knock_out_barrier or above it ends, and nothing is settled for that date; "
    "else "
    "level - strike is settled at once, times gearing where the level is below the strike. With "
    "side sell (a decumulator) shares are sold: strike - level, times gearing where the level is "
    "above the strike, and the knock-out is at knock_out_barrier or below." LEVY_INTEGRATED);
LEVY_WRITTEN_KIND(accumulator);
