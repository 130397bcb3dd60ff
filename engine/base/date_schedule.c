/* date_schedule.c: the dates of a schedule, plain or with QuantLib's ties. See date.h. Source of
 * these: what QuantLib 1.44 answers (tests/calendars/). Must not know: YAML, markets. */
#include "engine/base/date.h"

#include <string.h>

enum { SCHEDULE_LIMIT = 100000 };

/* The k-th date from the schedule's anchor, not rolled; false: at or past the other end. It is one
 * addition: repeated additions would let month ends drift. */
static bool schedule_date(const levy_schedule_rule *rule, int32_t k, levy_date *date)
{
    const int32_t count = rule->frequency.count * (rule->backward ? -k : k);
    const levy_date anchor = rule->backward ? rule->end : rule->start;
    if (!levy_date_add(anchor, (levy_tenor){count, rule->frequency.unit}, rule->end_of_month, date))
        return false;
    return rule->backward ? *date > rule->start : *date < rule->end;
}

static levy_date schedule_rolled(const levy_schedule_rule *rule, levy_date date)
{
    const bool later = rule->quantlib && rule->roll == LEVY_ROLL_NEAREST;
    return levy_date_roll(date, later ? LEVY_ROLL_NEAREST_LATER : rule->roll, rule->calendars,
                          rule->n_calendars);
}

static size_t schedule_roll(const levy_schedule_rule *rule, levy_date *dates, size_t n)
{
    size_t kept = 0;
    for (size_t i = rule->exclude_start ? 1 : 0; i < n; ++i) {
        const levy_date rolled = schedule_rolled(rule, dates[i]);
        if (kept == 0 || rolled > dates[kept - 1]) dates[kept++] = rolled;
    }
    return kept;
}

/* ---- QuantLib's ties ---- */

/* Drops each date that rolls to the same day as the one kept before it, from the anchor on. */
static size_t schedule_merge(const levy_schedule_rule *rule, levy_date *dates, size_t n)
{
    const size_t anchor = rule->backward ? n - 1 : 0;
    size_t kept = 1, last = anchor;
    for (size_t k = 1; k < n; ++k) {
        const size_t i = rule->backward ? n - 1 - k : k;
        if (schedule_rolled(rule, dates[i]) == schedule_rolled(rule, dates[last])) continue;
        last = rule->backward ? anchor - kept : kept;
        dates[last] = dates[i];
        ++kept;
    }
    if (rule->backward) memmove(dates, dates + n - kept, kept * sizeof *dates);
    return kept;
}

static levy_date schedule_month_end(levy_date date)
{
    int year = 0, month = 0, day = 0;
    levy_date_to_civil(date, &year, &month, &day);
    for (day = 31; !levy_date_from_civil(year, month, day, &date);) --day;
    return date;
}

/* Whether the schedule keeps to month ends: no business day of the anchor's month comes after. */
static bool schedule_at_month_ends(const levy_schedule_rule *rule)
{
    const levy_date anchor = rule->backward ? rule->end : rule->start;
    const bool months = rule->frequency.unit == 'M' || rule->frequency.unit == 'Y';
    return rule->end_of_month && months &&
           levy_date_roll(anchor + 1, LEVY_ROLL_FOLLOWING, rule->calendars, rule->n_calendars) >
               schedule_month_end(anchor);
}

static size_t schedule_drop(levy_date *dates, size_t n, size_t at)
{
    memmove(dates + at, dates + at + 1, (n - at - 1) * sizeof *dates);
    return n - 1;
}

static size_t schedule_roll_as_quantlib(const levy_schedule_rule *rule, levy_date *dates, size_t n)
{
    const bool month_ends = schedule_at_month_ends(rule);
    n = schedule_merge(rule, dates, n);
    for (size_t i = 0; i < n; ++i) {
        const bool between = i > 0 && i + 1 < n;
        if (month_ends && between) dates[i] = schedule_month_end(dates[i]);
        dates[i] = schedule_rolled(rule, dates[i]);
    }
    if (n >= 2 && dates[n - 2] >= dates[n - 1]) n = schedule_drop(dates, n, n - 2);
    if (n >= 2 && dates[1] <= dates[0]) n = schedule_drop(dates, n, 1);
    return rule->exclude_start ? schedule_drop(dates, n, 0) : n;
}

bool levy_schedule_build(const levy_schedule_rule *rule, levy_arena *arena, levy_date **dates,
                         size_t *n_dates)
{
    levy_date date = 0;
    if (rule->end < rule->start || rule->frequency.count <= 0) return false;
    int32_t inner = 0;
    while (schedule_date(rule, inner + 1, &date))
        if (++inner > SCHEDULE_LIMIT - 2) return false;
    const size_t n = rule->start == rule->end ? 1 : (size_t)inner + 2;
    levy_date *all = levy_arena_allocate(arena, n, sizeof *all);
    if (!all) return false;
    all[0] = rule->start;
    all[n - 1] = rule->end;
    for (int32_t k = 1; k <= inner; ++k) {
        if (schedule_date(rule, k, &date))
            all[rule->backward ? n - 1 - (size_t)k : (size_t)k] = date;
    }
    *dates = all;
    *n_dates =
        rule->quantlib ? schedule_roll_as_quantlib(rule, all, n) : schedule_roll(rule, all, n);
    return true;
}
