/* date.h: dates as serial days, year fractions, tenors, calendars given as data, rolls and
 * schedules. Sources: ISO 8601; ISDA 2006 definitions, section 4.16 (day counts) and 4.12 (business
 * day conventions). Must not know: YAML, markets. Dates run from 1900-01-01 to 2199-12-31. */
#ifndef LEVY_BASE_DATE_H
#define LEVY_BASE_DATE_H

#include "engine/base/memory.h"

#include <stdint.h>

typedef int32_t levy_date; /* days since 1970-01-01, proleptic Gregorian */

/* false: no such day, or out of range */
bool levy_date_from_civil(int year, int month, int day, levy_date *date);
void levy_date_to_civil(levy_date date, int *year, int *month, int *day);
bool levy_date_read(const char *text, size_t length, levy_date *date); /* YYYY-MM-DD */
void levy_date_write(levy_date date, char buffer[11]);
int levy_date_weekday(levy_date date); /* 0 Monday ... 6 Sunday */

typedef enum levy_day_count {
    LEVY_ACT_365_FIXED,
    LEVY_ACT_360,
    LEVY_30_360,
    LEVY_ACT_ACT_ISDA
} levy_day_count;
/* As written; the index is the rule, and "a=b" makes a another word for b. NULL ends it. */
extern const char *const levy_day_counts[];
/* negative when to < from */
double levy_year_fraction(levy_day_count rule, levy_date from, levy_date to);

typedef struct levy_tenor {
    int32_t count;
    char unit; /* 'D' 'W' 'M' 'Y' */
} levy_tenor;
/* "5D", "3W", "6M", "2Y"; count 0..1200 */
bool levy_tenor_read(const char *text, size_t length, levy_tenor *tenor);
/* A day past the end of the month becomes its last day. The count may be negative. */
bool levy_date_add(levy_date date, levy_tenor tenor, bool end_of_month, levy_date *result);

typedef enum levy_beyond { LEVY_BEYOND_WARN, LEVY_BEYOND_ERROR, LEVY_BEYOND_WEEKENDS } levy_beyond;

/* A calendar: weekend days and holidays, sorted ascending. */
typedef struct levy_calendar {
    const char *name;
    uint8_t weekend; /* bit i is set: weekday i is no business day */
    const levy_date *holidays;
    size_t n_holidays;
    /* The holidays of the years in between are known; last_year 0: of all years. */
    int first_year, last_year;
    levy_beyond beyond; /* of a date in another year, which has weekends alone */
} levy_calendar;

typedef enum levy_roll {
    LEVY_ROLL_NONE,
    LEVY_ROLL_FOLLOWING,
    LEVY_ROLL_MODIFIED_FOLLOWING,
    LEVY_ROLL_PRECEDING,
    LEVY_ROLL_MODIFIED_PRECEDING,
    LEVY_ROLL_NEAREST,
    LEVY_ROLL_NEAREST_LATER /* no word of a file: of a schedule with QuantLib's ties */
} levy_roll;

/* A day is a business day if it is one in all calendars; without a calendar every day is. If a
 * whole year has no business day, the date comes back unchanged. NEAREST goes by distance; halfway,
 * Sundays and Mondays go forward, other days back, by NEAREST_LATER all forward. Adding zero
 * business days rolls FOLLOWING. */
bool levy_is_business_day(levy_date date, const levy_calendar *const *calendars,
                          size_t n_calendars);
levy_date levy_date_roll(levy_date date, levy_roll roll, const levy_calendar *const *calendars,
                         size_t n_calendars);
levy_date levy_date_add_business_days(levy_date date, int32_t days,
                                      const levy_calendar *const *calendars, size_t n_calendars);

/* The dates from `start` to `end`, both included, each rolled, ascending and without duplicates.
 * `frequency` counts from `start`, or from `end` if backward; the period at the other end may be
 * short. exclude_start leaves out `start` itself. The arena holds the dates. False: no memory, an
 * end before the start, a frequency of zero, or more than 100,000 dates.
 *
 * With `quantlib` ties go as QuantLib's class Schedule has them: of two dates that roll to one day
 * the one nearer to where counting begins is left, so that exclude_start leaves out both if one is
 * the start; the last business day of a month is a month's end for end_of_month, and the dates in
 * between are then rolled from month ends; NEAREST is NEAREST_LATER. */
typedef struct levy_schedule_rule {
    levy_date start, end;
    levy_tenor frequency;
    levy_roll roll;
    bool backward, end_of_month, exclude_start, quantlib;
    const levy_calendar *const *calendars;
    size_t n_calendars;
} levy_schedule_rule;
bool levy_schedule_build(const levy_schedule_rule *rule, levy_arena *arena, levy_date **dates,
                         size_t *n_dates);

#endif
