/* date.c: serial days, year fractions, tenors and business days, in integers wherever a
 * result allows it. Sources: proleptic Gregorian calendar by 400-year eras of 146,097 days; ISDA
 * 2006 definitions, 4.16 (b) ACT/ACT, (d) ACT/365.FIXED, (e) ACT/360, (f) 30/360 (Bond Basis),
 * and 4.12 for the rolls. Must not know: YAML, markets. */
#include "engine/base/date.h"

enum { DATE_FIRST_YEAR = 1900, DATE_LAST_YEAR = 2199, DATE_SEARCH_DAYS = 366 };

static bool date_is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static int date_month_days(int year, int month)
{
    static const int days[13] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && date_is_leap(year) ? 29 : days[month];
}

/* Years are counted from March, so that the leap day ends a year. 719,468 days lie before
 * 1970-01-01. */
static levy_date date_serial(int year, int month, int day)
{
    const bool same = month > 2;
    const int y = same ? year : year - 1;
    const int m = same ? month - 3 : month + 9;
    return (levy_date)(y * 365 + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1 - 719468);
}

bool levy_date_from_civil(int year, int month, int day, levy_date *date)
{
    if (year < DATE_FIRST_YEAR || year > DATE_LAST_YEAR || month < 1 || month > 12) return false;
    if (day < 1 || day > date_month_days(year, month)) return false;
    *date = date_serial(year, month, day);
    return true;
}

void levy_date_to_civil(levy_date date, int *year, int *month, int *day)
{
    const int64_t shifted = (int64_t)date + 719468;
    const int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    const int64_t of_era = shifted - era * 146097;
    const int64_t y = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * y + y / 4 - y / 100);
    const int64_t m = (5 * of_year + 2) / 153;
    *day = (int)(of_year - (153 * m + 2) / 5 + 1);
    *month = (int)(m < 10 ? m + 3 : m - 9);
    *year = (int)(y + era * 400 + (*month <= 2));
}

static bool date_read_digits(const char *text, size_t n, int *value)
{
    *value = 0;
    for (size_t i = 0; i < n; ++i) {
        if (text[i] < '0' || text[i] > '9') return false;
        *value = *value * 10 + (text[i] - '0');
    }
    return true;
}

bool levy_date_read(const char *text, size_t length, levy_date *date)
{
    int year = 0, month = 0, day = 0;
    if (length != 10 || text[4] != '-' || text[7] != '-') return false;
    if (!date_read_digits(text, 4, &year) || !date_read_digits(text + 5, 2, &month)) return false;
    return date_read_digits(text + 8, 2, &day) && levy_date_from_civil(year, month, day, date);
}

void levy_date_write(levy_date date, char buffer[11])
{
    int year = 0, month = 0, day = 0;
    levy_date_to_civil(date, &year, &month, &day);
    const int parts[8] = {year / 1000, year / 100, year / 10, year,
                          month / 10,  month,      day / 10,  day};
    static const int at[8] = {0, 1, 2, 3, 5, 6, 8, 9};
    for (int i = 0; i < 8; ++i) buffer[at[i]] = (char)('0' + parts[i] % 10);
    buffer[4] = buffer[7] = '-';
    buffer[10] = '\0';
}

int levy_date_weekday(levy_date date)
{
    const int64_t day = ((int64_t)date + 3) % 7; /* 1970-01-01 was a Thursday */
    return (int)(day < 0 ? day + 7 : day);
}

/* ---- Year fractions ---- */

static double date_fraction_30_360(levy_date from, levy_date to)
{
    int y1 = 0, m1 = 0, d1 = 0, y2 = 0, m2 = 0, d2 = 0;
    levy_date_to_civil(from, &y1, &m1, &d1);
    levy_date_to_civil(to, &y2, &m2, &d2);
    if (d1 == 31) d1 = 30;
    if (d2 == 31 && d1 == 30) d2 = 30;
    return (double)(360 * (y2 - y1) + 30 * (m2 - m1) + (d2 - d1)) / 360.0;
}

static double date_fraction_act_act(levy_date from, levy_date to)
{
    int y1 = 0, y2 = 0, month = 0, day = 0;
    levy_date_to_civil(from, &y1, &month, &day);
    levy_date_to_civil(to, &y2, &month, &day);
    const double length1 = date_is_leap(y1) ? 366.0 : 365.0,
                 length2 = date_is_leap(y2) ? 366.0 : 365.0;
    if (y1 == y2) return (double)(to - from) / length1;
    const double first = (double)(date_serial(y1 + 1, 1, 1) - from) / length1;
    const double last = (double)(to - date_serial(y2, 1, 1)) / length2;
    return first + (double)(y2 - y1 - 1) + last;
}

const char *const levy_day_counts[] = {"ACT/365.FIXED",
                                       "ACT/360",
                                       "30/360",
                                       "ACT/ACT.ISDA",
                                       "A365=ACT/365.FIXED",
                                       "A365F=ACT/365.FIXED",
                                       "ACT/365=ACT/365.FIXED",
                                       "ACT/365F=ACT/365.FIXED",
                                       "Act/365F=ACT/365.FIXED",
                                       "Act/365=ACT/365.FIXED",
                                       "A360=ACT/360",
                                       "Act/360=ACT/360",
                                       "T360=30/360",
                                       "BondBasis=30/360",
                                       "Bond Basis=30/360",
                                       "30/360 BondBasis=30/360",
                                       "30/360 Bond Basis=30/360",
                                       "30/360 (Bond Basis)=30/360",
                                       "30E/360=", /* other rules than any of these */
                                       "30E/360.ISDA=",
                                       "30E/360 ISDA=",
                                       "30/360 US=",
                                       "30/360.US=",
                                       "30U/360=",
                                       "ActActISDA=ACT/ACT.ISDA",
                                       "Act/Act ISDA=ACT/ACT.ISDA",
                                       "ACT/ACT=ACT/ACT.ISDA",
                                       NULL};

double levy_year_fraction(levy_day_count rule, levy_date from, levy_date to)
{
    if (to < from) return -levy_year_fraction(rule, to, from);
    switch (rule) {
    case LEVY_ACT_365_FIXED:
        return ((double)to - (double)from) / 365.0;
    case LEVY_ACT_360:
        return ((double)to - (double)from) / 360.0;
    case LEVY_30_360:
        return date_fraction_30_360(from, to);
    case LEVY_ACT_ACT_ISDA:
        return date_fraction_act_act(from, to);
    }
    return 0.0;
}

/* ---- Tenors ---- */

bool levy_tenor_read(const char *text, size_t length, levy_tenor *tenor)
{
    int count = 0;
    if (length < 2 || length > 5 || !date_read_digits(text, length - 1, &count) || count > 1200)
        return false;
    const char unit = text[length - 1];
    if (unit != 'D' && unit != 'W' && unit != 'M' && unit != 'Y') return false;
    *tenor = (levy_tenor){count, unit};
    return true;
}

static bool date_in_range(int64_t date)
{
    return date >= date_serial(DATE_FIRST_YEAR, 1, 1) &&
           date <= date_serial(DATE_LAST_YEAR, 12, 31);
}

static bool date_add_months(levy_date date, int64_t months, bool end_of_month, levy_date *result)
{
    int year = 0, month = 0, day = 0;
    levy_date_to_civil(date, &year, &month, &day);
    const bool at_end = day == date_month_days(year, month);
    const int64_t total = (int64_t)year * 12 + (month - 1) + months;
    if (total < DATE_FIRST_YEAR * 12 || total > DATE_LAST_YEAR * 12 + 11) return false;
    const int new_year = (int)(total / 12), new_month = (int)(total % 12) + 1;
    const int last = date_month_days(new_year, new_month);
    return levy_date_from_civil(new_year, new_month,
                                (end_of_month && at_end) || day > last ? last : day, result);
}

bool levy_date_add(levy_date date, levy_tenor tenor, bool end_of_month, levy_date *result)
{
    const int64_t count = tenor.count;
    if (tenor.unit == 'M' || tenor.unit == 'Y')
        return date_add_months(date, tenor.unit == 'Y' ? count * 12 : count, end_of_month, result);
    if (tenor.unit != 'D' && tenor.unit != 'W') return false;
    const int64_t sum = date + (tenor.unit == 'W' ? count * 7 : count);
    if (!date_in_range(sum)) return false;
    *result = (levy_date)sum;
    return true;
}

/* ---- Business days ---- */

static bool calendar_is_open(const levy_calendar *calendar, levy_date date)
{
    if (calendar->weekend >> levy_date_weekday(date) & 1) return false;
    size_t low = 0, high = calendar->n_holidays;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (calendar->holidays[middle] == date) return false;
        if (calendar->holidays[middle] < date)
            low = middle + 1;
        else
            high = middle;
    }
    return true;
}

bool levy_is_business_day(levy_date date, const levy_calendar *const *calendars, size_t n_calendars)
{
    for (size_t i = 0; i < n_calendars; ++i)
        if (!calendar_is_open(calendars[i], date)) return false;
    return true;
}

/* The first business day from `date` on, in direction +1 or -1; `date` itself if a whole year has
 * none. */
static levy_date date_seek(levy_date date, int direction, const levy_calendar *const *calendars,
                           size_t n_calendars)
{
    for (int32_t i = 0; i <= DATE_SEARCH_DAYS; ++i)
        if (levy_is_business_day(date + direction * i, calendars, n_calendars))
            return date + direction * i;
    return date;
}

static bool date_same_month(levy_date a, levy_date b)
{
    int year_a = 0, month_a = 0, year_b = 0, month_b = 0, day = 0;
    levy_date_to_civil(a, &year_a, &month_a, &day);
    levy_date_to_civil(b, &year_b, &month_b, &day);
    return year_a == year_b && month_a == month_b;
}

/* The nearer one. Halfway, ISDA's rule sends Sundays and Mondays forward, other days back. */
static levy_date date_nearer(levy_date date, levy_date before, levy_date after)
{
    const int32_t back = date - before, forward = after - date;
    if (back != forward) return back < forward ? before : after;
    const int weekday = levy_date_weekday(date);
    return weekday == 6 || weekday == 0 ? after : before;
}

levy_date levy_date_roll(levy_date date, levy_roll roll, const levy_calendar *const *calendars,
                         size_t n_calendars)
{
    if (roll == LEVY_ROLL_NONE) return date;
    const levy_date after = date_seek(date, 1, calendars, n_calendars);
    const levy_date before = date_seek(date, -1, calendars, n_calendars);
    switch (roll) {
    case LEVY_ROLL_NONE:
        return date;
    case LEVY_ROLL_FOLLOWING:
        return after;
    case LEVY_ROLL_MODIFIED_FOLLOWING:
        return date_same_month(date, after) ? after : before;
    case LEVY_ROLL_PRECEDING:
        return before;
    case LEVY_ROLL_MODIFIED_PRECEDING:
        return date_same_month(date, before) ? before : after;
    case LEVY_ROLL_NEAREST:
        return date_nearer(date, before, after);
    case LEVY_ROLL_NEAREST_LATER:
        return date - before < after - date ? before : after;
    }
    return date;
}

levy_date levy_date_add_business_days(levy_date date, int32_t days,
                                      const levy_calendar *const *calendars, size_t n_calendars)
{
    const int direction = days < 0 ? -1 : 1;
    if (days == 0) return date_seek(date, 1, calendars, n_calendars);
    for (int32_t left = days; left != 0; left -= direction)
        date = date_seek(date + direction, direction, calendars, n_calendars);
    return date;
}
