/* script_dates.c: the schedules of a script, in the order in which it names them: one date has the
 * same bits in all of them. Fractions of a year and returns in a year follow from them. See
 * script_build.h. Must not know: steps of programs. */
#include "engine/problem/script_build.h"

#include <math.h>
#include <string.h>

/* ---- Schedules ---- */

/* A kind's schedules are keys of its own. */
static const char *dates_schedule_path(levy_script_build *b, const char *name)
{
    const char *const path = b->frame->path;
    return b->source->is_own ? levy_check_text(b->check, "%s.payoff.schedules.%s", path, name)
                             : levy_check_text(b->check, "%s.payoff.%s", path, name);
}

const char *levy_script_dates_path(levy_script_build *b, size_t schedule)
{
    return schedule + 1 < b->n ? dates_schedule_path(b, b->names[schedule])
                               : levy_check_text(b->check, "%s.exercise.expiry", b->frame->path);
}

/* A schedule whose only date is that of exercise. */
static bool dates_expiry(levy_script_build *b, const char *name)
{
    levy_observations *const last = &b->all[b->n];
    const levy_time *const expiry = &b->frame->raw->exercise.expiry;
    last->times = levy_check_allocate(b->check, 1, sizeof *last->times);
    last->nodes = levy_check_allocate(b->check, 1, sizeof *last->nodes);
    if (!last->times || !last->nodes) return false;
    last->n = 1;
    last->times[0] = b->trade->claim.expiry;
    last->nodes[0] = expiry->node;
    last->dates = expiry->is_date ? &expiry->date : NULL;
    b->names[b->n++] = name;
    return true;
}

static bool dates_schedule(levy_script_build *b, const levy_named_schedule *schedule)
{
    const levy_schedule_frame frame = {.terms = &schedule->terms,
                                       .path = dates_schedule_path(b, schedule->name),
                                       .expiry_as_written = &b->frame->raw->exercise.expiry,
                                       .expiry = b->trade->claim.expiry,
                                       .pays = true,
                                       .payment = b->trade->claim.payment_time};
    if (strcmp(schedule->name, "expiry") == 0)
        return LEVY_REFUSE(b->check, INCONSISTENT, schedule->terms.node, frame.path,
                           "Remove it, or choose another name.",
                           "'expiry' is the date of exercise");
    if (b->n + 1 == LEVY_PAYOFF_SCHEDULES)
        return LEVY_REFUSE(b->check, LIMIT, schedule->terms.node, frame.path,
                           "Use lists with a number for each date instead.",
                           "a script has at most %d schedules beside expiry",
                           LEVY_PAYOFF_SCHEDULES - 1);
    if (!schedule->terms.node) return dates_expiry(b, schedule->name);
    b->names[b->n] = schedule->name;
    return levy_schedule_resolve(b->check, b->frame->market, &frame, &b->all[b->n++]);
}

/* Takes the bits of the date that is `time` among n times in order, if there is one. */
static bool dates_take_bits(const double *times, size_t n, double *time)
{
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (times[middle] < *time && !levy_time_is_same(times[middle], *time))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == n || !levy_time_is_same(times[low], *time)) return false;
    *time = times[low];
    return true;
}

static bool dates_take_date(const levy_script_build *b, size_t n, double *time)
{
    for (size_t s = 0; s < n; ++s)
        if (dates_take_bits(b->all[s].times, b->all[s].n, time)) return true;
    return false;
}

/* Gives one date the same bits in all schedules: the bits of today, of expiry, or of the first
 * schedule that has the date. */
static void dates_unite(levy_script_build *b)
{
    const levy_trade *const t = b->trade;
    const double own[] = {0.0, t->claim.expiry};
    for (size_t s = 0; s < b->n; ++s)
        for (size_t i = 0; i < b->all[s].n; ++i)
            if (!dates_take_bits(own, 1, &b->all[s].times[i]) &&
                !dates_take_bits(own + 1, 1, &b->all[s].times[i]))
                (void)dates_take_date(b, s, &b->all[s].times[i]);
    for (size_t s = 0; s < b->n; ++s) {
        double *const paid = b->all[s].paid;
        for (size_t i = 0; paid && i < b->all[s].n; ++i) {
            bool found = dates_take_bits(&t->claim.payment_time, 1, &paid[i]) ||
                         dates_take_bits(own, 1, &paid[i]) || dates_take_date(b, b->n, &paid[i]);
            for (size_t r = 0; r < s && !found; ++r)
                found = b->all[r].paid && dates_take_bits(b->all[r].paid, b->all[r].n, &paid[i]);
        }
    }
}

bool levy_script_schedules(levy_script_build *b)
{
    for (size_t k = 0; k < b->source->n_schedules; ++k)
        if (!dates_schedule(b, &b->source->schedules[k])) return false;
    if (!dates_expiry(b, "expiry")) return false;
    dates_unite(b);
    return true;
}

/* ---- Fractions of a year ---- */

/* Finds where the first fraction begins. False: it is not given, or lies after the first date. */
static bool dates_accrual_start(levy_script_build *b)
{
    const levy_accrual *const accrual = &b->source->accrual;
    const levy_observations *const all = &b->all[0];
    b->start = accrual->start;
    b->from = 0.0;
    if (!accrual->start.node && b->check->has_date)
        return LEVY_REFUSE(b->check, MISSING_KEY, b->frame->raw->payoff.node,
                           levy_script_path(b, "accrual_start"),
                           "Write accrual_start: DATE, or start of the schedule.",
                           "a rate needs the start of its first period");
    if (accrual->start.node &&
        !levy_check_time(b->check, &accrual->start, levy_script_path(b, "accrual_start"), &b->from))
        return false;
    return b->from <= all->times[0] ||
           LEVY_REFUSE(b->check, RANGE, accrual->start.node, levy_script_path(b, "accrual_start"),
                       "Start the first period before its coupon.",
                       "the first period starts after the first coupon, %s",
                       levy_observation_text(b->check, all, 0));
}

/* Fills the parameter that holds the fractions, if there is one. */
bool levy_script_accrue(levy_script_build *b)
{
    const levy_accrual *const accrual = &b->source->accrual;
    const levy_observations *const all = &b->all[0];
    const levy_day_count rule = (levy_day_count)accrual->day_count;
    if (!accrual->parameter) return true;
    if (rule != LEVY_ACT_365_FIXED && !all->dates)
        return LEVY_REFUSE(b->check, INCONSISTENT, levy_script_node(b, "day_count"),
                           levy_script_path(b, "day_count"),
                           "Remove day_count, or write the coupons as dates or with a frequency.",
                           "a day count needs dates, but these coupons have times in years");
    if (!dates_accrual_start(b)) return false;
    double *const fractions = levy_check_allocate(b->check, all->n, sizeof *fractions);
    if (!fractions) return false;
    for (size_t i = 0; i < all->n; ++i) {
        if (all->dates)
            fractions[i] =
                levy_year_fraction(rule, i > 0 ? all->dates[i - 1] : b->start.date, all->dates[i]);
        else
            fractions[i] = all->times[i] - (i > 0 ? all->times[i - 1] : b->from);
    }
    accrual->parameter->values = fractions;
    accrual->parameter->n = all->n;
    accrual->parameter->is_list = true;
    return true;
}

/* ---- Returns in a year ---- */

/* Weekends and holidays at the ends of a short schedule move its returns in a year. */
static const double dates_ends_years = 4.0 / 365.0, dates_returns_tolerance = 1.15;

/* The years that the first schedule's returns take; 0: the schedule does not show them. A single
 * return starts today, unless its initial fixing is from another day. */
static double dates_return_years(const levy_script_build *b, double *n)
{
    const levy_observations *const all = &b->all[0];
    *n = all->n > 1 ? (double)(all->n - 1) : 1.0;
    if (all->n > 1) return all->times[all->n - 1] - all->times[0];
    return b->trade->claim.terms->initial_fixing ? 0.0 : all->times[0];
}

/* The usual number that is near, or the number itself. */
static const char *dates_usual_returns(levy_script_build *b, double returns)
{
    static const double usual[] = {1, 2, 4, 12, 26, 52, 252, 365};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; ++i)
        if (fabs(returns / usual[i] - 1.0) < 0.05) return levy_check_text(b->check, "%g", usual[i]);
    return levy_check_text(b->check, "%.3g", returns);
}

/* Variance that is made annual by a number that its dates do not have is wrong by their ratio. */
void levy_script_warn_returns(levy_script_build *b)
{
    const levy_script_parameter *const p = b->source->returns;
    double n;
    const double years = p ? dates_return_years(b, &n) : 0.0;
    if (years <= 0.0) return;
    const double least = n / (years + dates_ends_years) / dates_returns_tolerance,
                 most = years > dates_ends_years
                            ? n / (years - dates_ends_years) * dates_returns_tolerance
                            : (double)INFINITY;
    if (p->values[0] >= least && p->values[0] <= most) return;
    const char *const due = dates_usual_returns(b, n / years);
    LEVY_WARN(b->check, INCONSISTENT, levy_script_node(b, p->name), levy_script_path(b, p->name),
              levy_check_text(b->check, "Write %s: %s.", p->name, due),
              "%s is %s, but '%s' has about %s returns a year", p->name,
              levy_check_number(b->check, p->values[0]), b->names[0], due);
}

bool levy_script_check_coupon(levy_script_build *b)
{
    const levy_script_parameter *const p = b->source->coupon;
    const levy_observations *const all = &b->all[0];
    if (!p || all->n < 2) return true;
    const double dates = (double)(all->n - 1) / (all->times[all->n - 1] - all->times[0]),
                 whole = fabs(dates / round(dates) - 1.0) < 0.05 ? round(dates) : dates,
                 coupon = p->values[0];
    if (coupon * dates <= 1.0 || coupon * (double)all->n <= 1.0) return true;
    const char *const given = levy_check_number(b->check, coupon);
    return LEVY_REFUSE(
        b->check, INCONSISTENT, levy_script_node(b, p->name), levy_script_path(b, p->name),
        levy_check_text(b->check,
                        "A coupon of %s a year is %s: %.4g on each of these dates. One that pays "
                        "%s on each of them is a script (kind: script).",
                        given, p->name, coupon / whole, given),
        "is the coupon of a date: with about %.3g dates a year %s is more than the notional a year",
        whole, given);
}
