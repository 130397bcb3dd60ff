/* floating.c: floating coupons: rates off a forward curve, of a term or compounded overnight, times
 * a multiplier, with a spread (payoffs/scripted.h). Must not know: curves, how levels are made. */
#include "engine/base/date.h"
#include "payoffs/checks.h"
#include "payoffs/scripted.h"
#include "payoffs/written.h"

typedef struct floating_terms {
    levy_payoff_terms payoff;
    levy_schedule_terms coupons;
    int32_t rate;
    levy_list spread, multiplier, fixings;
    const char *forward_curve;
    int32_t day_count;
    levy_time accrual_start;
    levy_tenor fixing_lag;
    double accrued; /* NaN: not given */
} floating_terms;

static const char floating_text[] = "at coupons { pay amount[number] }\n";
static const char *const floating_rates[] = {"term", "compounded", NULL};
static const levy_synonym floating_words[] = {
    {"overnight", "compounded"}, {"ois", "compounded"}, {"libor", "term"}, {"ibor", "term"}, {0}};

static const levy_field floating_fields[] = {
    LEVY_WRITTEN_SCHEDULE_ALSO(floating_terms, coupons, "schedule dates observations payment_dates",
                               "Ends of the periods, on which coupons are paid."),
    {LEVY_KEY("rate", CHOICE, floating_terms, rate), .also = "rate_type index_type",
     .choices = floating_rates, .words = floating_words, .fallback = "term",
     .hint = "One of: term, compounded. A fixed rate is kind: coupon.",
     .doc = "term: fixed at the start of a period for all of it. compounded: overnight rates of "
            "the period, compounded."},
    {LEVY_KEY("forward_curve", NAME, floating_terms, forward_curve),
     .also = "index projection_curve forecast_curve forwarding_curve",
     .doc = "Curve of the rate: a period's is simple, from the ratio of the discount factors at "
            "its ends. The default is the trade's discount curve."},
    {LEVY_KEY("spread", LIST, floating_terms, spread), .also = "spreads margin",
     .element = LEVY_FIELD_NUMBER, LEVY_WITHIN(-10, 10, 0), .example = "0.002", .unit = "1/year",
     .doc = "Added to the rate, and not compounded: one number, or one for each date of coupons. "
            "The default is 0."},
    {LEVY_KEY("multiplier", LIST, floating_terms, multiplier),
     .also = "gearing gearings leverage rate_multiplier", .element = LEVY_FIELD_NUMBER,
     LEVY_WITHIN(-1e6, 1e6, 0), .example = "1.5",
     .doc = "What the rate is multiplied by before the spread is added: one number, or one for "
            "each date of coupons. The default is 1."},
    {LEVY_KEY("day_count", CHOICE, floating_terms, day_count), .also = "basis daycount convention",
     .choices = levy_day_counts, .fallback = "ACT/365.FIXED",
     .doc = "Day count of the fractions, and of the fixings. A book in years has fractions in "
            "years."},
    {LEVY_KEY("accrual_start", TIME, floating_terms, accrual_start),
     .also = "start effective_date issue_date", .unit = "years",
     .doc = "Where the first period begins. The default is the start of coupons, in a book without "
            "dates 0."},
    {LEVY_KEY("fixings", TIME_VALUES, floating_terms, fixings), .also = "past_fixings history",
     .flags = LEVY_TOLD, .low = -5, .high = 5, .example = "[[2026-10-20, 0.0215]]",
     .unit = "1/year",
     .doc = "[time, rate] pairs, in ascending order of time: rates fixed before the valuation date "
            "or on it. A period that has begun, and is not paid, needs its own; an overnight rate "
            "holds until the next one, for at most 7 days."},
    {LEVY_KEY("fixing_lag", TENOR, floating_terms, fixing_lag), .also = "fixing_days",
     .doc = "How long before its period a term rate is fixed, such as 2D: business days if the "
            "coupons have calendars. The default is no time."},
    {LEVY_KEY("accrued", NUMBER, floating_terms, accrued), .also = "accrued_index growth",
     LEVY_WITHIN(0, 1e3, LEVY_LOW_OPEN), .example = "1.0123",
     .doc = "With rate: compounded, in place of fixings: what 1 has grown to from the start of "
            "the period that has begun until today."},
    {0}};

/* The amounts follow once the dates and the curve are known. */
static bool floating_source(const levy_payoff_frame *frame, levy_script_source *source)
{
    static const double nothing[] = {0.0};
    const floating_terms *const p = (const floating_terms *)frame->terms;
    levy_named_schedule *const schedule = levy_check_allocate(frame->check, 1, sizeof *schedule);
    levy_floating_source *const floating = levy_check_allocate(frame->check, 1, sizeof *floating);
    source->parameters = levy_check_allocate(frame->check, 1, sizeof *source->parameters);
    if (!schedule || !floating || !source->parameters) return false;
    *schedule = (levy_named_schedule){p->coupons, "coupons"};
    source->text = floating_text;
    source->schedules = schedule;
    source->n_schedules = 1;
    source->parameters[0] =
        (levy_script_parameter){.name = "amount", .values = nothing, .n = 1, .is_list = true};
    source->n_parameters = 1;
    source->accrual =
        (levy_accrual){.parameter = &source->parameters[0],
                       .day_count = p->day_count,
                       .start = p->accrual_start.node ? p->accrual_start : p->coupons.start};
    *floating = (levy_floating_source){.compounded = p->rate == 1,
                                       .spread = p->spread,
                                       .multiplier = p->multiplier,
                                       .fixings = p->fixings,
                                       .forward_curve = p->forward_curve,
                                       .fixing_lag = p->fixing_lag,
                                       .calendars = &schedule->terms.calendars,
                                       .accrued = p->accrued};
    source->floating = floating;
    return true;
}

static const levy_synonym floating_synonyms[] = {
    {"floating_leg", "{kind: floating, coupons: {count: 4}, spread: 0.002}"},
    {"floating_coupon", "{kind: floating, coupons: {count: 4}, spread: 0.002}"},
    {"floating_rate", "{kind: floating, coupons: {count: 4}, spread: 0.002}"},
    {"float", "{kind: floating, coupons: {count: 4}, spread: 0.002}"},
    {"floater", "{kind: floating, coupons: {count: 4}, spread: 0.002}"},
    {"ois", "{kind: floating, coupons: {count: 4}, spread: 0.002}"},
    {0}};
static const levy_synonym floating_strangers[] = {
    {"cap caps cap_rate floor floors floor_rate",
     "Rates are not simulated, so that a cap or a floor has no value here: remove it."},
    {"is_in_arrears in_arrears arrears",
     "A term rate is fixed at the start of its period; in arrears it needs a volatility: remove "
     "it."},
    {"is_averaged averaged averaging averaging_method",
     "Overnight rates are compounded: write rate: compounded."},
    {"tenor index_tenor frequency",
     "The rate is that of the periods of coupons, such as coupons: {frequency: 3M}."},
    {0}};
const levy_table levy_payoff_floating_table = {
    .name = "payoff floating",
    .example = "{kind: floating, coupons: {count: 4}, spread: 0.002}",
    .example_assets = 1,
    .synonyms = floating_synonyms,
    .strangers = floating_strangers,
    .doc = "Floating coupons, per unit of notional: a rate off a forward curve times a multiplier, "
           "plus a spread, all times the fraction of the year since the coupon before. It needs no "
           "underlying and, with a currency, no model. Its value is exact and nothing is "
           "simulated.",
    LEVY_FILLS_TERMS(floating_terms),
    .fields = floating_fields};
LEVY_WRITTEN_FIXED_KIND(floating);
