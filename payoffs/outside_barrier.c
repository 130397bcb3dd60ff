/* outside_barrier.c: an option on one underlying with a barrier on another. Must not know: how
 * levels are made. */
#include "payoffs/checks.h"
#include "payoffs/written.h"

typedef struct outside_barrier_terms {
    levy_payoff_terms payoff;
    double strike, barrier, rebate;
    levy_schedule_terms observations;
    int32_t direction, knock;
} outside_barrier_terms;

static const char outside_barrier_text[] =
    "var touched = 0\n"
    "at observations {\n"
    "  let sign = 1 - 2 * direction\n"
    "  if sign * levels[2] >= sign * barrier { touched = 1 }\n"
    "}\n"
    "at expiry {\n"
    "  let gain = max((1 - 2 * option_type) * (levels[1] - strike), 0)\n"
    "  pay gain if touched == knock else rebate\n"
    "}\n";

static const levy_field outside_barrier_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    LEVY_WRITTEN_DATES(
        outside_barrier_terms, observations,
        "Dates on which the barrier is watched. Left out: the date of exercise alone."),
    LEVY_WRITTEN_STRIKE(outside_barrier_terms, "Strike of the first underlying."),
    LEVY_WRITTEN_REQUIRED(outside_barrier_terms, barrier, 0, 1e15,
                          "Level of the second underlying."),
    LEVY_WRITTEN_SIDE(outside_barrier_terms),
    LEVY_WRITTEN_KNOCK(outside_barrier_terms),
    LEVY_WRITTEN_REBATE(outside_barrier_terms),
    LEVY_WRITTEN_ABSOLUTE_FIELDS,
    {0}};
static const levy_synonym outside_barrier_synonyms[] = {
    {"external_barrier", "{kind: outside_barrier, option_type: call, strike: 90, barrier: 105, "
                         "direction: up, knock: out}"},
    {"two_asset_correlation", "{kind: outside_barrier, option_type: call, strike: 70, barrier: 50, "
                              "direction: up, knock: in}"},
    {0}};
LEVY_WRITTEN_TABLE_ON(
    outside_barrier, outside_barrier_terms, outside_barrier_fields, 2, outside_barrier_synonyms,
    "{kind: outside_barrier, option_type: call, strike: 90, barrier: 105, direction: up, knock: "
    "out, observations: {count: 12}}",
    "Outside barrier option: an option on the first underlying, whose barrier is watched on the "
    "second one. It is touched on a date of observations at barrier or above (direction up), or at "
    "it or below (down). knock out: the option is lost by a touch; knock in: it needs one. If the "
    "option is lost, rebate is paid at expiry." LEVY_INTEGRATED);
LEVY_WRITTEN_KIND_CHECKED(outside_barrier, levy_written_check_pair);
