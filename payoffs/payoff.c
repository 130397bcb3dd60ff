/* payoff.c: what the payoffs share: the list of kinds, the choices of their common fields and the
 * table of an observation schedule. Must not know: how any kind pays. */
#include "payoffs/payoff.h"

#include "payoffs/checks.h"
#include "payoffs/fields.h"

const levy_payoff *const levy_payoffs[LEVY_PAYOFF_COUNT] = {
#define LEVY_PAYOFF(name, NAME) &levy_payoff_##name,
#include "payoffs/payoffs.def"
};

const char *levy_payoff_strike_key(const levy_payoff *payoff)
{
    for (const levy_field *field = payoff->table->fields; field->name; ++field)
        if (field->offset == offsetof(levy_payoff_terms, strike)) return field->name;
    return NULL;
}

int32_t levy_payoff_of_cash(void) { return LEVY_PAYOFF_CASH; }
int32_t levy_payoff_of_script(void) { return LEVY_PAYOFF_SCRIPT; }

double levy_payoff_sign(const levy_payoff_terms *terms)
{
    return terms->option_type == LEVY_CALL ? 1.0 : -1.0;
}

bool levy_payoff_check(const levy_payoff_frame *frame)
{
    return frame->kind->check ? frame->kind->check(frame) : levy_payoff_check_strike(frame);
}

int32_t levy_payoff_aggregate(const levy_payoff *payoff, const levy_payoff_terms *terms)
{
    if (payoff->aggregates) return payoff->aggregates(terms);
    return payoff->aggregate != LEVY_AGGREGATE_NONE ? payoff->aggregate : terms->aggregate;
}

bool levy_payoff_reads_expiry(const levy_payoff *payoff, const levy_payoff_terms *terms)
{
    return !payoff->reads_expiry || payoff->reads_expiry(terms);
}

double levy_payoff_most(const levy_payoff *payoff, const levy_claim *claim)
{
    return payoff->most ? payoff->most(claim) : INFINITY;
}

static const void *payoff_part(const levy_payoff_terms *terms, size_t offset)
{
    return offset ? (const char *)terms + offset : NULL;
}

const levy_schedule_terms *levy_terms_observations(const levy_payoff *payoff,
                                                   const levy_payoff_terms *terms)
{
    return payoff_part(terms, payoff->observations);
}

const levy_watch_terms *levy_terms_watch(const levy_payoff *payoff, const levy_payoff_terms *terms)
{
    return payoff_part(terms, payoff->watch);
}

const levy_barrier_terms *levy_terms_barrier(const levy_payoff *payoff,
                                             const levy_payoff_terms *terms)
{
    return payoff_part(terms, payoff->barrier);
}

const levy_time *levy_terms_reset(const levy_payoff *payoff, const levy_payoff_terms *terms)
{
    return payoff_part(terms, payoff->reset);
}

const levy_schedule_terms *levy_terms_schedule_at(const levy_payoff_terms *terms, size_t offset)
{
    return payoff_part(terms, offset);
}

static const levy_variant payoff_kinds[] = {
#define LEVY_PAYOFF(name, NAME) {#name, &levy_payoff_##name##_table},
#include "payoffs/payoffs.def"
    {0}};
static const levy_synonym payoff_spelled[] = {
    {"shark_fin", "sharkfin"},
    {"digital_coupon", "digital_coupon_note"},
    {"one_touch", "touch, pays: if_touched"},
    {"no_touch", "touch, pays: if_untouched"},
    {"asset_or_nothing", "digital, payout: asset"},
    {"cash_or_nothing", "digital, payout: cash"},
    {"autocall", "autocallable"},
    {"target_redemption_forward", "tarf"},
    {"asian_basket", "asian, aggregate: basket"},
    {"basket_asian", "asian, aggregate: basket"},
    {"straddle", "script, strike: at expiry { pay abs(level - strike) }"},
    {"call_spread", "script, strikes: at expiry { pay max(level - worst(strikes), 0) - max(level - "
                    "best(strikes), 0) }"},
    {"put_spread", "script, strikes: at expiry { pay max(best(strikes) - level, 0) - "
                   "max(worst(strikes) - level, 0) }"},
    {"strangle", "script, strikes: at expiry { pay max(worst(strikes) - level, level - "
                 "best(strikes), 0) }"},
    {"volswap", "volatility_swap"},
    {"varswap", "variance_swap"},
    {0}};
static const levy_synonym payoff_strangers[] = {
    {"frequency",
     "Write the dates: a count is that of all dates up to expiry, and not of those of a year."},
    {"coupon_rate", "A coupon is what one date pays, and no rate of a year: write coupon: the "
                    "amount for each date, as a "
                    "fraction of the notional."},
    {"quanto quanto_currency payout_currency",
     "A payment in another currency than that of the underlyings belongs to the trade: write "
     "currency: $ there."},
    {"weight weights basket_weights asset_weights",
     "A weight belongs to its underlying, and scales its level where the payoff is on the worst or "
     "best of them: write underlyings: [{name: STOCK, weight: 0.5}, {name: "
     "OTHER, weight: 0.5}] in the trade."},
    {"basket basket_type",
     "Remove it where the kind is on the worst of its underlyings, as the notes are. Other kinds "
     "have aggregate: basket, best_of or worst_of."},
    {"barrier_underlying barrier_asset trigger_underlying",
     "Write underlyings: [STOCK, $] in the trade; kind outside_barrier watches the second on dates "
     "of observations. At all times a script does: at expiry { let hit = fell_to(barrier); pay "
     "max(levels[1] - strike, 0) * (1 - hit[2]) }."},
    {"vega_notional",
     "The notional is the trade's: write notional: $ there for a volatility swap. That of a "
     "variance swap is the variance notional: vega notional / (2 strike)."},
    {"variance_notional var_notional", "The notional is the trade's: write notional: $ there."},
    {"variance_strike strike_variance var_strike",
     "The strike is a volatility: write strike: the root of $, such as 0.2 for 0.04."},
    {0}};
const levy_table levy_payoff_table = {
    .name = "payoff",
    .example = "{kind: european, option_type: call, strike: 100}",
    .doc = "Payoff per unit, paid on the payment date. `kind` selects it.",
    .size = sizeof(levy_variant_value),
    .variants = payoff_kinds,
    .spelled = payoff_spelled,
    .on_worst = "autocallable phoenix snowball reverse_convertible digital_coupon_note everest "
                "altiplano",
    .strangers = payoff_strangers};

const levy_synonym levy_monitoring_words[] = {{"american", "monitoring: continuous"}, {0}};

/* A choice's index is its value in the enums of terms.h, such as 0 for call and 1 for put. "a=b"
 * makes a an alias of b. */
const levy_synonym levy_option_words[] = {{"c", "option_type: call"},
                                          {"p", "option_type: put"},
                                          {"true", "option_type: call"},
                                          {"false", "option_type: put"},
                                          {"1", "option_type: call"},
                                          {"-1", "option_type: put"},
                                          {0}};
const char *const levy_option_types[] = {"call",      "put",     "Call=call", "Put=put",
                                         "CALL=call", "PUT=put", NULL};
const char *const levy_strike_types[] = {"absolute", "percent_of_initial", NULL};
const char *const levy_aggregates[] = {"none",    "basket",   "geometric_basket",
                                       "best_of", "worst_of", NULL};
const char *const levy_averaging_methods[] = {"arithmetic", "geometric", "Arithmetic=arithmetic",
                                              "Geometric=geometric", NULL};

static const char *const payoff_rolls[] = {"none",
                                           "following",
                                           "modified_following",
                                           "preceding",
                                           "modified_preceding",
                                           "nearest",
                                           "U=none",
                                           "Unadjusted=none",
                                           "NONE=none",
                                           "F=following",
                                           "Following=following",
                                           "FOLLOWING=following",
                                           "MF=modified_following",
                                           "ModifiedFollowing=modified_following",
                                           "MODFOLLOWING=modified_following",
                                           "P=preceding",
                                           "Preceding=preceding",
                                           "PRECEDING=preceding",
                                           "MP=modified_preceding",
                                           "ModifiedPreceding=modified_preceding",
                                           "MODPRECEDING=modified_preceding",
                                           "Nearest=nearest",
                                           "NEAREST=nearest",
                                           NULL};
static const char *const payoff_generations[] = {
    "forward", "backward", "Forward=forward", "Backward=backward", NULL,
};

static const char *const payoff_ties[] = {"levy", "quantlib", "QuantLib=quantlib", NULL};

static const levy_field payoff_schedule_fields[] = {
    {LEVY_KEY("times", LIST, levy_schedule_terms, times), .also = "dates",
     .element = LEVY_FIELD_TIME, .flags = LEVY_NON_EMPTY,
     .doc = "List of dates, in ascending order. No other key is given then."},
    {LEVY_KEY("start", TIME, levy_schedule_terms, start),
     .doc = "Start of the schedule. The default is the valuation date."},
    {LEVY_KEY("end", TIME, levy_schedule_terms, end),
     .doc = "End of the schedule. The default is expiry."},
    {LEVY_KEY("count", COUNT, levy_schedule_terms, count), .also = "n number",
     LEVY_WITHIN(1, 100000, 0),
     .doc = "Number of equally spaced times: start + k (end - start) / count, k = "
            "1 ... count."},
    {LEVY_KEY("frequency", TENOR, levy_schedule_terms, frequency),
     .doc = "Time between dates, such as 1D, 2W, 3M or 1Y. It replaces count if "
            "times are dates."},
    {LEVY_KEY("include_start", FLAG, levy_schedule_terms, include_start), .fallback = "false",
     .doc = "Whether the schedule includes start."},
    {LEVY_KEY("roll", CHOICE, levy_schedule_terms, roll), .choices = payoff_rolls,
     .fallback = "none",
     .doc = "With frequency: rolling convention for dates that are not business "
            "days."},
    {LEVY_KEY("calendars", LIST, levy_schedule_terms, calendars), .element = LEVY_FIELD_NAME,
     .doc = "With frequency or payment_lag: names of calendars in market.calendars, or built in. A "
            "business day is a business day in all of them."},
    {LEVY_KEY("generation", CHOICE, levy_schedule_terms, generation), .choices = payoff_generations,
     .fallback = "forward",
     .doc = "With frequency: dates are generated forward from start or backward "
            "from end."},
    {LEVY_KEY("end_of_month", FLAG, levy_schedule_terms, end_of_month), .fallback = "false",
     .doc = "With frequency: a schedule that is anchored at a month's end stays at "
            "month ends."},
    {LEVY_KEY("ties", CHOICE, levy_schedule_terms, ties), .choices = payoff_ties,
     .fallback = "levy",
     .doc = "With frequency: `quantlib` gives QuantLib's dates: what rolls onto the start is the "
            "start, the last business day is a month's end, halfway `nearest` goes forward."},
    {LEVY_KEY("payment_lag", TENOR, levy_schedule_terms, payment_lag),
     .also = "lag pay_lag settlement_lag", .example = "2D",
     .doc = "Of a payoff that is a script: what is paid on a date is paid so much later, such as "
            "2D. With calendars, days are business days and other lags end on one."},
    {0}};
static const levy_field payoff_window_fields[] = {
    {LEVY_KEY("start", TIME, levy_window_terms, start),
     .doc = "Start of monitoring. If it is omitted or past, the barrier is "
            "monitored from today."},
    {LEVY_KEY("end", TIME, levy_window_terms, end),
     .doc = "End of monitoring. The default is expiry."},
    {0}};
const levy_table levy_window_table = {.name = "window",
                                      .example = "{start: 0.25, end: 1.0}",
                                      .doc = "Period of continuous monitoring.",
                                      LEVY_FILLS(levy_window_terms),
                                      .fields = payoff_window_fields};

static const levy_synonym payoff_frequencies[] = {
    {"daily", "{frequency: 1D}"},
    {"weekly", "{frequency: 1W}"},
    {"biweekly", "{frequency: 2W}"},
    {"fortnightly", "{frequency: 2W}"},
    {"monthly", "{frequency: 1M}"},
    {"quarterly", "{frequency: 3M}"},
    {"semiannual", "{frequency: 6M}"},
    {"semi_annual", "{frequency: 6M}"},
    {"semiannually", "{frequency: 6M}"},
    {"semi_annually", "{frequency: 6M}"},
    {"half_yearly", "{frequency: 6M}"},
    {"yearly", "{frequency: 1Y}"},
    {"annual", "{frequency: 1Y}"},
    {"annually", "{frequency: 1Y}"},
    {0},
};

const levy_table levy_named_schedule_table = {
    .name = "named schedule",
    .example = "{count: 12}",
    .bare = "count frequency",
    .synonyms = payoff_frequencies,
    .doc = "A schedule as for observations, under a name of its own.",
    .size = sizeof(levy_named_schedule),
    .fields = payoff_schedule_fields,
    .shorthand_key = "times",
    .one_of = "times count frequency",
    .name_offset = offsetof(levy_named_schedule, name),
    .has_name = true,
    .node_offset = offsetof(levy_schedule_terms, node),
    .has_node = true};

const levy_table levy_schedule_table = {
    .name = "schedule",
    .example = "{count: 12}",
    .bare = "count frequency",
    .synonyms = payoff_frequencies,
    .doc = "Observation dates: a list, {count}, or {frequency} with its rolling "
           "convention. Past dates need fixings. Today's level is each "
           "asset's fixing if it is given, otherwise its spot.",
    LEVY_FILLS(levy_schedule_terms),
    .fields = payoff_schedule_fields,
    .shorthand_key = "times",
    .one_of = "times count frequency"};
