/* script_floating.c: floating coupons of a script (payoffs/scripted.h): what past fixings have made
 * of each period, and from when on the forward curve grows it. Discounting and forward curves are
 * deterministic, so that overnight rates that are compounded grow as the curve does from end to
 * end. See script_build.h. Must not know: steps of programs, how curves move. */
#include "engine/market/curve_build.h"
#include "engine/problem/script_build.h"
#include "engine/problem/script_span.h"

#include <math.h>

static const double floating_now = 1e-9, floating_most_days = 7.0;

typedef struct floating_job {
    levy_script_build *b;
    const levy_floating_source *source;
    const levy_observations *dates; /* ends of the periods */
    const double *years;            /* of accrual */
    const levy_calendar *const *calendars;
    double *times, *rates; /* of the fixings */
    levy_floating_coupon *coupons;
} floating_job;

/* A coupon's own number of a list that may have one for all. */
static double floating_number(const levy_list *list, size_t i, double none)
{
    const double *const items = list->items;
    if (!list->node) return none;
    return list->count == 1 ? items[0] : items[i];
}

static bool floating_check_list(levy_script_build *b, const levy_list *list, const char *key)
{
    const bool one = list->count == 1 && list->node && list->node->kind != LEVY_NODE_LIST;
    return !list->node || one || list->count == b->all[0].n ||
           LEVY_REFUSE(b->check, INCONSISTENT, list->node, levy_script_path(b, key),
                       "Give one number, or one for each date, past ones included.",
                       "has %zu numbers, but the schedule 'coupons' has %zu dates", list->count,
                       b->all[0].n);
}

/* ---- Periods ---- */

static double floating_start(const floating_job *job, size_t i)
{
    return i > 0 ? job->dates->times[i - 1] : job->b->from;
}

static levy_date floating_start_date(const floating_job *job, size_t i)
{
    return i > 0 ? job->dates->dates[i - 1] : job->b->start.date;
}

/* Whether it has been paid before today. */
static bool floating_is_paid(const floating_job *job, size_t i)
{
    return (job->dates->paid ? job->dates->paid : job->dates->times)[i] < -floating_now;
}

/* Whether a period has begun and has not been paid. */
static bool floating_runs(const floating_job *job, size_t i)
{
    return !floating_is_paid(job, i) && floating_start(job, i) < -floating_now;
}

static const char *floating_time_text(const floating_job *job, double time)
{
    levy_check *const check = job->b->check;
    char text[LEVY_NUMBER_SIZE];
    levy_node_name((levy_origin){check->has_date, check->valuation}, time, text);
    return levy_check_text(check, "%s", text);
}

/* The rate of a time, or the one that follows it, is not there. */
static bool floating_refuse_missing(const floating_job *job, bool follows, double time)
{
    const levy_node *const node = job->source->fixings.node;
    return LEVY_REFUSE(
        job->b->check, MISSING_DATA, node ? node : job->b->frame->raw->payoff.node,
        levy_script_path(job->b, "fixings"),
        job->source->compounded
            ? "Add it as [time, rate] to fixings, or write accrued: 1.0123 of the period that runs."
            : "Add it as [time, rate] to fixings: when the rate was fixed, and its value.",
        follows ? "no overnight rate follows that of %s within 7 days"
                : "the rate of %s is missing",
        floating_time_text(job, time));
}

/* ---- Term rates ---- */

/* When the rate of a period is fixed. */
static double floating_fixed_on(const floating_job *job, size_t i)
{
    const levy_floating_source *const s = job->source;
    if (!job->dates->dates || !s->fixing_lag.count)
        return floating_start(job, i) - s->fixing_lag.count / 365.0;
    const levy_date on = levy_date_add_business_days(
        floating_start_date(job, i), -s->fixing_lag.count, job->calendars, s->calendars->count);
    return levy_check_years(job->b->check, on);
}

static bool floating_term(const floating_job *job, size_t i)
{
    levy_floating_coupon *const c = &job->coupons[i];
    const double when = floating_fixed_on(job, i);
    size_t k = 0;
    if (when > floating_now) return true;
    while (k < job->source->fixings.count && !levy_time_is_same(job->times[k], when)) ++k;
    if (k == job->source->fixings.count)
        return when > -floating_now || floating_refuse_missing(job, false, when);
    c->fixed += job->years[i] * c->multiplier * job->rates[k];
    c->multiplier = 0.0;
    return true;
}

/* ---- Overnight rates ---- */

/* The fraction of a year from one time to a later one, of which neither is after today. */
static double floating_years(const floating_job *job, double from, double to)
{
    const levy_check *const check = job->b->check;
    if (!check->has_date) return to - from;
    return levy_year_fraction((levy_day_count)job->b->source->accrual.day_count,
                              check->valuation + (levy_date)lround(from * 365.0),
                              check->valuation + (levy_date)lround(to * 365.0));
}

/* What 1 grows to by fixings: each holds until the next one. */
static bool floating_grow(const floating_job *job, double from, double to, double *grown)
{
    const size_t n = job->source->fixings.count;
    const double most = floating_most_days / 365.0 + floating_now;
    size_t k = 0;
    while (k + 1 < n && job->times[k + 1] <= from + floating_now) ++k;
    *grown = 1.0;
    for (double at = from; at < to - floating_now; ++k) {
        const bool begun = k < n && job->times[k] <= at + floating_now;
        const double end = k + 1 < n && job->times[k + 1] < to ? job->times[k + 1] : to;
        if (!begun || end - job->times[k] > most)
            return floating_refuse_missing(job, begun, begun ? job->times[k] : at);
        *grown *= 1.0 + job->rates[k] * floating_years(job, at, end);
        at = end;
    }
    return true;
}

static bool floating_compounded(const floating_job *job, size_t i)
{
    levy_floating_coupon *const c = &job->coupons[i];
    const bool over = c->to < floating_now;
    if (floating_runs(job, i)) {
        if (!over && !isnan(job->source->accrued))
            c->grown = job->source->accrued;
        else if (!floating_grow(job, c->from, over ? c->to : 0.0, &c->grown))
            return false;
        c->from = 0.0;
    }
    if (!over) return true;
    c->fixed += c->multiplier * (c->grown - 1.0);
    c->multiplier = 0.0;
    return true;
}

/* ---- The whole ---- */

static bool floating_coupon(const floating_job *job, size_t i)
{
    const levy_floating_source *const s = job->source;
    job->coupons[i] =
        (levy_floating_coupon){.fixed = job->years[i] * floating_number(&s->spread, i, 0.0),
                               .multiplier = floating_number(&s->multiplier, i, 1.0),
                               .grown = 1.0,
                               .from = floating_start(job, i),
                               .to = job->dates->times[i]};
    if (floating_is_paid(job, i)) return job->coupons[i].multiplier = 0.0, true;
    return s->compounded ? floating_compounded(job, i) : floating_term(job, i);
}

static bool floating_check_keys(const floating_job *job)
{
    levy_script_build *const b = job->b;
    const levy_floating_source *const s = job->source;
    bool runs = false;
    for (size_t i = 0; i < job->dates->n; ++i)
        runs = runs || (floating_runs(job, i) && job->dates->times[i] > floating_now);
    if (!isnan(s->accrued) && (!s->compounded || !runs))
        return LEVY_REFUSE(
            b->check, INCONSISTENT, levy_script_node(b, "accrued"), levy_script_path(b, "accrued"),
            s->compounded ? "Remove it." : "Give fixings, or add rate: compounded.",
            s->compounded ? "no period runs today" : "a term rate does not grow from day to day");
    if (s->fixing_lag.count && (s->compounded || s->fixing_lag.unit != 'D'))
        return LEVY_REFUSE(b->check, INCONSISTENT, levy_script_node(b, "fixing_lag"),
                           levy_script_path(b, "fixing_lag"),
                           s->compounded ? "Remove it." : "Write days, such as 2D.",
                           s->compounded ? "overnight rates are fixed on their own days"
                                         : "a rate is fixed a number of days before its period");
    return floating_check_list(b, &s->spread, "spread") &&
           floating_check_list(b, &s->multiplier, "multiplier");
}

static bool floating_check_fixings(const floating_job *job)
{
    levy_check *const check = job->b->check;
    const levy_time_value *const items = job->source->fixings.items;
    bool good = true;
    for (size_t i = 0; i < job->source->fixings.count; ++i)
        good = levy_curve_check_rate(
                   check, levy_pair_value_node(&items[i]),
                   levy_check_text(check, "%s[%zu][1]", levy_script_path(job->b, "fixings"), i),
                   job->rates[i]) &&
               good;
    return good;
}

static bool floating_curve(const floating_job *job)
{
    const levy_script_build *const b = job->b;
    levy_trade *const trade = b->trade;
    trade->forward_curve = trade->discount_curve;
    if (trade->discount_curve && job->source->forward_curve)
        trade->forward_curve = levy_market_curve(
            b->check, b->frame->market, job->source->forward_curve, trade->header.currency,
            levy_script_node(b, "forward_curve"), levy_script_path(job->b, "forward_curve"));
    return trade->forward_curve != NULL;
}

/* Fills the parameter with the coupons as they are in the market as quoted. */
bool levy_script_float(levy_script_build *b)
{
    const levy_floating_source *const source = b->source->floating;
    levy_script_parameter *const parameter = b->source->accrual.parameter;
    floating_job job = {.b = b, .source = source, .dates = &b->all[0]};
    if (!source) return true;
    job.years = parameter->values;
    job.coupons = levy_check_allocate(b->check, job.dates->n, sizeof *job.coupons);
    double *const amounts = levy_check_allocate(b->check, job.dates->n, sizeof *amounts);
    if (!job.coupons || !amounts || !floating_curve(&job) || !floating_check_keys(&job) ||
        !levy_check_pairs(b->check, &source->fixings, levy_script_path(b, "fixings"), &job.times,
                          &job.rates) ||
        !floating_check_fixings(&job) ||
        !levy_market_calendars(b->check, b->frame->market, source->calendars,
                               levy_script_path(b, "coupons.calendars"), &job.calendars))
        return false;
    for (size_t i = 0; i < job.dates->n; ++i)
        if (!floating_coupon(&job, i)) return false;
    b->scripted->floating = job.coupons;
    if (!levy_script_quote(b->check, b->trade, b->scripted)) return false;
    for (size_t i = 0; i < job.dates->n; ++i) {
        const levy_script_date date = {.number = i};
        const levy_script_term amount = {.kind = LEVY_SCRIPT_ITEM};
        amounts[i] = levy_scripted_term(b->scripted, &amount, &date);
    }
    parameter->values = amounts;
    return true;
}
