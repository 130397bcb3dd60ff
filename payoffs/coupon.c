/* coupon.c: fixed coupons: amounts, or rates times fractions of a year (payoffs/scripted.h). Must
 * not know: how levels are made. */
#include "engine/base/date.h"
#include "payoffs/checks.h"
#include "payoffs/scripted.h"
#include "payoffs/written.h"

typedef struct coupon_terms {
    levy_payoff_terms payoff;
    levy_schedule_terms coupons;
    levy_list amount, rate;
    int32_t day_count;
    levy_time accrual_start;
} coupon_terms;

static const char coupon_text[] =
    "at coupons { pay amount[number] + rate[number] * fraction[number] }\n";

static const levy_field coupon_fields[] = {
    LEVY_WRITTEN_SCHEDULE_ALSO(coupon_terms, coupons, "schedule dates observations payment_dates",
                               "Dates on which coupons are paid."),
    {LEVY_KEY("rate", LIST, coupon_terms, rate), .also = "coupon coupon_rate fixed_rate",
     .element = LEVY_FIELD_NUMBER, LEVY_WITHIN(-10, 10, 0), .example = "0.05", .unit = "1/year",
     .doc =
         "Rate of a year, as a decimal: one number, or one for each date of coupons. A coupon is "
         "rate x fraction of the year since the date before it."},
    {LEVY_KEY("amount", LIST, coupon_terms, amount), .also = "amounts",
     .element = LEVY_FIELD_NUMBER, LEVY_WITHIN(-1e15, 1e15, 0), .example = "0.0125",
     .doc = "In place of rate: what a unit, or a unit of notional, is paid: one number, or one for "
            "each date of coupons."},
    {LEVY_KEY("day_count", CHOICE, coupon_terms, day_count), .also = "basis daycount convention",
     .choices = levy_day_counts, .fallback = "ACT/365.FIXED",
     .doc = "With rate: day count of the fractions. A book in years has fractions in years. 30/360 "
            "is the Bond Basis of ISDA 2006, 4.16 (f); 30E/360 and 30/360 US are others."},
    {LEVY_KEY("accrual_start", TIME, coupon_terms, accrual_start),
     .also = "start effective_date issue_date", .unit = "years",
     .doc = "With rate: where the first coupon's fraction begins. The default is the start of "
            "coupons, in a book without dates 0."},
    {0}};

/* The fractions follow once the dates are known. */
static bool coupon_source(const levy_payoff_frame *frame, levy_script_source *source)
{
    static const double nothing[] = {0.0};
    const coupon_terms *const p = (const coupon_terms *)frame->terms;
    const levy_list none = {.items = (void *)(uintptr_t)nothing, .count = 1};
    const levy_list *const lists[] = {p->amount.node ? &p->amount : &none,
                                      p->rate.node ? &p->rate : &none};
    static const char *const names[] = {"amount", "rate"};
    levy_named_schedule *const schedule = levy_check_allocate(frame->check, 1, sizeof *schedule);
    source->parameters = levy_check_allocate(frame->check, 3, sizeof *source->parameters);
    if (!p->amount.node == !p->rate.node)
        return LEVY_REFUSE_KEY(frame, INCONSISTENT, "rate",
                               "Write rate: 0.05, or amount: 0.0125, for example.",
                               "a coupon needs either rate or amount");
    if (!schedule || !source->parameters) return false;
    *schedule = (levy_named_schedule){p->coupons, "coupons"};
    source->text = coupon_text;
    source->schedules = schedule;
    source->n_schedules = 1;
    for (size_t k = 0; k < 2; ++k)
        source->parameters[k] = (levy_script_parameter){
            .name = names[k],
            .values = lists[k]->items,
            .n = lists[k]->count,
            .is_list = lists[k]->node && lists[k]->node->kind == LEVY_NODE_LIST};
    source->parameters[2] = (levy_script_parameter){.name = "fraction", .values = nothing, .n = 1};
    source->n_parameters = 3;
    source->accrual =
        (levy_accrual){.parameter = p->rate.node ? &source->parameters[2] : NULL,
                       .day_count = p->day_count,
                       .start = p->accrual_start.node ? p->accrual_start : p->coupons.start};
    return true;
}

static const levy_synonym coupon_synonyms[] = {
    {"coupons", "{kind: coupon, coupons: {count: 4}, rate: 0.05}"},
    {"fixed_leg", "{kind: coupon, coupons: {count: 4}, rate: 0.05}"},
    {"fixed_coupon", "{kind: coupon, coupons: {count: 4}, rate: 0.05}"},
    {"interest", "{kind: coupon, coupons: {count: 4}, rate: 0.05}"},
    {0}};
LEVY_WRITTEN_TABLE_ALSO(
    coupon, coupon_terms, coupon_fields, coupon_synonyms,
    "{kind: coupon, coupons: {count: 4}, rate: 0.05}",
    "Fixed coupons, per unit of notional: amounts, or a rate times the fraction of the year since "
    "the "
    "coupon before. It needs no underlying and, with a currency, no model. Its value is exact and "
    "nothing is simulated.");
LEVY_WRITTEN_FIXED_KIND(coupon);
