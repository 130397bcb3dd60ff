/* lookback.c: host half of the lookback: an option on the largest level of its observations (call)
 * or the smallest (put) against a fixed strike, or on the level at expiry against the smallest
 * (call) or the largest (put) as a floating one. Sources: M. B. Goldman, H. Sosin, M. A. Gatto, J.
 * Finance 34, 1979; A. Conze and Viswanathan, J. Finance 46, 1991; windows: R. Heynen and H. Kat,
 * Adv. Futures and Options Research 7, 1994. Must not know: how the level's paths are made. */
#include "payoffs/checks.h"
#include "payoffs/fields.h"

#include "kernels/lane/scalar.h"

#define LANE_SCALAR
#include "payoffs/lookback.h"

enum { LOOKBACK_STRIKE_FIXED, LOOKBACK_STRIKE_FLOATING };

typedef struct lookback_block {
    levy_watch_terms watch;
    int32_t strike;          /* LOOKBACK_STRIKE_ */
    double running_extremum; /* reached before the valuation; NaN: not given */
} lookback_block;

typedef struct lookback_terms {
    levy_payoff_terms payoff;
    lookback_block lookback;
} lookback_terms;

static bool lookback_is_floating(const levy_payoff_terms *terms)
{
    return ((const lookback_terms *)terms)->lookback.strike == LOOKBACK_STRIKE_FLOATING;
}

static double lookback_running(const levy_payoff_terms *terms)
{
    return ((const lookback_terms *)terms)->lookback.running_extremum;
}

/* ---- In a plan ---- */

/* Whether the smallest level counts, not the largest. */
static bool lookback_takes_minimum(const levy_payoff_terms *terms)
{
    return (terms->option_type == LEVY_CALL) == lookback_is_floating(terms);
}

static void lookback_numbers(const levy_claim *claim, const levy_claim_unit *unit,
                             levy_claim_numbers *numbers)
{
    const bool minimum = lookback_takes_minimum(claim->terms), continuous = claim->continuous,
               now = claim->observes_now || (continuous && claim->window_start == 0.0);
    const double extremum = claim->past.extremum / unit->scale,
                 today = continuous ? 0.0 : unit->today;
    double start = minimum ? 1e30 : -1e30;
    if (claim->past.has_extremum)
        start = continuous ? unit->log_unit * levy_log(extremum) : extremum;
    const bool passes = minimum ? today < start : today > start;
    if (now && passes) start = today;
    if (continuous) numbers->variant |= LOOKBACK_CONTINUOUS;
    if (claim->varies) numbers->variant |= LOOKBACK_VARIES;
    if (minimum) numbers->variant |= LOOKBACK_MINIMUM;
    if (lookback_is_floating(claim->terms)) numbers->variant |= LOOKBACK_FLOATING;
    numbers->terms[ITEM_START] = start;
}

static uint32_t lookback_n_node_terms(uint32_t variant)
{
    return variant & LOOKBACK_CONTINUOUS ? LOOKBACK_NODE_TERMS : 0u;
}

static uint32_t lookback_n_kept(uint32_t variant) { return variant & LOOKBACK_VARIES ? 1u : 0u; }

static void lookback_node_terms(const levy_claim *claim, uint32_t variant,
                                const levy_claim_step *step, double *node_terms)
{
    (void)claim;
    const double variance = variant & LOOKBACK_VARIES ? 1.0 : step->variance;
    node_terms[LOOKBACK_SPREAD] = -2.0 * variance * step->log_unit;
    node_terms[LOOKBACK_JUMP] = step->drop * step->log_unit;
    node_terms[LOOKBACK_OPENS] = step->opens ? 1.0 : 0.0;
}

static double lookback_most(const levy_claim *claim)
{
    const bool put = !claim->sold && !lookback_is_floating(claim->terms) &&
                     claim->terms->option_type == LEVY_PUT;
    return put ? claim->terms->strike : INFINITY;
}

/* ---- As written ---- */

static const char *const lookback_strikes[] = {"fixed", "floating", "Fixed=fixed",
                                               "Floating=floating", NULL};
static const levy_field lookback_block_fields[] = {
    {LEVY_KEY("strike", CHOICE, lookback_block, strike), .spelled = "strike_type",
     .flags = LEVY_REQUIRED, .choices = lookback_strikes,
     .doc = "fixed: the option is on the extremum, with the payoff's strike. "
            "floating: the option is on the level at expiry, and the extremum is "
            "the strike."},
    LEVY_MONITORING_FIELDS(lookback_block, "discrete", "",
                           "Observation dates, not after expiry. Past levels are taken from the "
                           "assets' fixings."),
    {LEVY_KEY("running_extremum", NUMBER, lookback_block, running_extremum),
     LEVY_WITHIN(0, 1e15, LEVY_LOW_OPEN),
     .doc = "Extremum observed before the valuation date, in the units of the "
            "strike, if the observation period has begun."},
    {0}};
static const levy_table lookback_block_table = {
    .name = "lookback",
    .example = "{strike: floating, observations: {count: 12}}",
    .bare = "strike",
    .doc = "Type of lookback and its observations.",
    .size = sizeof(lookback_block),
    .fields = lookback_block_fields,
};

static const levy_field lookback_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    {LEVY_KEY("strike", NUMBER, levy_payoff_terms, strike),
     .spelled = "k K exercise_price strike_price", LEVY_WITHIN(0, 1e15, 0),
     .doc = "Strike of a fixed-strike lookback, in the units of the level, or as a "
            "fraction of the initial level."},
    LEVY_PERCENT_FIELDS,
    LEVY_AGGREGATE_FIELD,
    {LEVY_KEY("lookback", OBJECT, lookback_terms, lookback), .flags = LEVY_REQUIRED,
     .table = &lookback_block_table, .doc = "Type of lookback and its observations."},
    {0}};
static const levy_synonym lookback_synonyms[] = {
    {"floating_lookback", "{kind: lookback, option_type: call, lookback: {strike: floating, "
                          "observations: {count: 12}}}"},
    {"lookback_call", "{kind: lookback, option_type: call, strike: 100, lookback: {strike: fixed, "
                      "observations: {count: 12}}}"},
    {"lookback_put", "{kind: lookback, option_type: put, strike: 100, lookback: {strike: fixed, "
                     "observations: {count: 12}}}"},
    {"fixed_lookback", "{kind: lookback, option_type: call, strike: 100, lookback: {strike: fixed, "
                       "observations: {count: 12}}}"},
    {0}};
const levy_table levy_payoff_lookback_table = {
    .name = "payoff lookback",
    .example = "{kind: lookback, option_type: call, lookback: {strike: floating, observations: "
               "{count: 12}}}",
    .synonyms = lookback_synonyms,
    .doc = "Lookback option: an option on the largest or smallest observed level. "
           "With a fixed strike, a call pays max(largest - strike, 0), a put "
           "max(strike - smallest, 0). With a floating strike, a call pays "
           "max(level - smallest, 0), a put max(largest - level, 0).",
    LEVY_FILLS_TERMS(lookback_terms),
    .fields = lookback_fields};

/* ---- In a book ---- */

static bool lookback_check(const levy_payoff_frame *frame)
{
    bool good = levy_payoff_check_strike(frame) &&
                levy_payoff_check_form(frame, lookback_is_floating(frame->terms),
                                       "is not allowed with a floating strike",
                                       "Add it, or write lookback: {strike: floating, ...}.");
    good &= levy_payoff_check_fraction(frame, "lookback.running_extremum",
                                       lookback_running(frame->terms));
    return good;
}

static void lookback_take(const levy_payoff_terms *terms, double level, levy_past *past)
{
    const bool better =
        lookback_takes_minimum(terms) ? level < past->extremum : level > past->extremum;
    if (!past->has_extremum || better) past->extremum = level;
    past->has_extremum = true;
}

static void lookback_begin(const levy_payoff_terms *terms, levy_past *past)
{
    if (lookback_running(terms) > 0) lookback_take(terms, lookback_running(terms), past);
}

const levy_payoff levy_payoff_lookback = {.kind = "lookback",
                                          .table = &levy_payoff_lookback_table,
                                          .numbers = lookback_numbers,
                                          .n_node_terms = lookback_n_node_terms,
                                          .node_terms = lookback_node_terms,
                                          .n_kept = lookback_n_kept,
                                          .most = lookback_most,
                                          .observations =
                                              offsetof(lookback_terms, lookback.watch.observations),
                                          .watch = offsetof(lookback_terms, lookback.watch),
                                          .block = "lookback",
                                          .aggregate = LEVY_AGGREGATE_NONE,
                                          .lanes = LEVY_PAYOFF_LOOKBACK,
                                          .check = lookback_check,
                                          .begin = lookback_begin,
                                          .take = lookback_take,
                                          .draws = true,
                                          .reads_expiry = lookback_is_floating};
