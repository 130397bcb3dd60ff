/* calendar.c: interprets the rules of holidays in calendars.def, a year at a time. Sources: Easter
 * by the anonymous Gregorian algorithm (Nature 13, 1876; Meeus, Astronomical Algorithms, chapter
 * 8); Japan's equinoxes by the mean tropical year, as they are computed for 1980 to 2099. Must not
 * know: YAML, markets. */
#include "engine/base/calendar.h"

#include <string.h>

const levy_calendar_source levy_calendar_sources[LEVY_CALENDARS] = {
    {"NONE", "", 0, 0},
    {"WEEKENDS", "", 0, 0},
#define CALENDAR(name, words, first, last, ...) {#name, words, first, last},
#define HOLIDAY(...)
#include "engine/base/calendars.def"
#undef CALENDAR
};

const char *const levy_calendar_names[LEVY_CALENDARS + 1] = {
    "NONE",
    "WEEKENDS",
#define CALENDAR(name, ...) #name,
#include "engine/base/calendars.def"
#undef CALENDAR
#undef HOLIDAY
};

typedef enum holiday_kind {
    HOLIDAY_END, /* of the rules of a calendar */
    HOLIDAY_DATE,
    HOLIDAY_WEEKDAY,
    HOLIDAY_EASTER,
    HOLIDAY_EQUINOX,
    HOLIDAY_BETWEEN,
    HOLIDAY_CLOSED,
    HOLIDAY_OPEN
} holiday_kind;

typedef struct holiday_rule {
    holiday_kind kind;
    int month, day;       /* the day: of the month, n-th, or after Easter */
    int saturday, sunday; /* days later on these; or the weekday of the n-th */
    int first, last;      /* years */
    const int16_t *days;  /* listed, up to 0 */
} holiday_rule;

enum { MONDAY = 0, THURSDAY = 3, LAST = 5 };
#define ALWAYS 0, 9999
#define SINCE(year) year, 9999
#define UNTIL(year) 0, year

#define RULE_DATE(month, day, saturday, sunday, ...)                                               \
    {HOLIDAY_DATE, month, day, saturday, sunday, __VA_ARGS__, NULL},
#define RULE_WEEKDAY(month, n, weekday, ...)                                                       \
    {HOLIDAY_WEEKDAY, month, n, weekday, 0, __VA_ARGS__, NULL},
#define RULE_EASTER(days, ...) {HOLIDAY_EASTER, 0, days, 0, 0, __VA_ARGS__, NULL},
#define RULE_EQUINOX(month, sunday, ...) {HOLIDAY_EQUINOX, month, 0, 0, sunday, __VA_ARGS__, NULL},
#define RULE_LISTED(kind, year, ...)                                                               \
    {kind, 0, 0, 0, 0, year, year, (const int16_t[]){__VA_ARGS__, 0}},
#define RULE_CLOSED(...) RULE_LISTED(HOLIDAY_CLOSED, __VA_ARGS__)
#define RULE_OPEN(...) RULE_LISTED(HOLIDAY_OPEN, __VA_ARGS__)
#define RULE_BETWEEN(...) {HOLIDAY_BETWEEN, 0, 0, 0, 0, __VA_ARGS__, NULL},

/* The calendars one after the other, as in levy_calendar_sources from TARGET on. */
static const holiday_rule holiday_rules[] = {
#define CALENDAR(...) {HOLIDAY_END, 0, 0, 0, 0, 0, 0, NULL},
#define HOLIDAY(kind, ...) RULE_##kind(__VA_ARGS__)
#include "engine/base/calendars.def"
    CALENDAR()};
#undef CALENDAR
#undef HOLIDAY

typedef struct holiday_year {
    int year;
    levy_date start;  /* 1 January */
    bool closed[367]; /* by the day of the year, from 0 on */
} holiday_year;

static void holiday_mark(holiday_year *of, levy_date date, bool closed)
{
    if (date >= of->start && date < of->start + 366) of->closed[date - of->start] = closed;
}

static levy_date holiday_civil(int year, int month, int day)
{
    levy_date date = 0;
    (void)levy_date_from_civil(year, month, day, &date);
    return date;
}

static levy_date holiday_easter(int year)
{
    const int century = year / 100, golden = year % 19;
    const int leaps = century - century / 4;
    const int moved = (century - (century + 8) / 25 + 1) / 3;
    const int moon = (19 * golden + leaps - moved + 15) % 30;
    const int rest = (32 + 2 * (century % 4) + 2 * (year % 100 / 4) - moon - year % 4) % 7;
    const int late = (golden + 11 * moon + 22 * rest) / 451;
    return holiday_civil(year, 3, 22) + moon + rest - 7 * late;
}

/* In millionths of a day. */
static levy_date holiday_equinox(int year, int month)
{
    const int after = year - 1980, mean = month == 3 ? 20843100 : 23248800;
    return holiday_civil(year, month, (mean + 242194 * after) / 1000000 - after / 4);
}

static levy_date holiday_weekday(int year, int month, int n, int weekday)
{
    const levy_date first = holiday_civil(year, month, 1);
    const levy_date date = first + (weekday - levy_date_weekday(first) + 7) % 7 + 7 * (n - 1);
    int of_year = 0, of_month = 0, day = 0;
    levy_date_to_civil(date, &of_year, &of_month, &day);
    return of_month == month ? date : date - 7; /* the LAST one may be the fourth */
}

static levy_date holiday_moved(const holiday_rule *rule, levy_date date)
{
    const int weekday = levy_date_weekday(date);
    if (weekday == 5) return date + rule->saturday;
    return weekday == 6 ? date + rule->sunday : date;
}

static void holiday_list(const holiday_rule *rule, holiday_year *of)
{
    levy_date before = 0;
    for (const int16_t *day = rule->days; *day; ++day) {
        const int written = *day < 0 ? -*day : *day;
        const levy_date date = holiday_civil(of->year, written / 100, written % 100);
        for (levy_date each = *day < 0 ? before + 1 : date; each <= date; ++each)
            holiday_mark(of, each, rule->kind == HOLIDAY_CLOSED);
        before = date;
    }
}

static void holiday_apply(const holiday_rule *rule, holiday_year *of)
{
    const int year = of->year;
    if (year < rule->first || year > rule->last) return;
    switch (rule->kind) {
    case HOLIDAY_DATE:
        holiday_mark(of, holiday_moved(rule, holiday_civil(year, rule->month, rule->day)), true);
        return;
    case HOLIDAY_WEEKDAY:
        holiday_mark(of, holiday_weekday(year, rule->month, rule->day, rule->saturday), true);
        return;
    case HOLIDAY_EASTER:
        holiday_mark(of, holiday_easter(year) + rule->day, true);
        return;
    case HOLIDAY_EQUINOX:
        holiday_mark(of, holiday_moved(rule, holiday_equinox(year, rule->month)), true);
        return;
    case HOLIDAY_BETWEEN:
        for (int i = 1; i < 365; ++i)
            of->closed[i] = of->closed[i] || (of->closed[i - 1] && of->closed[i + 1]);
        return;
    case HOLIDAY_CLOSED:
    case HOLIDAY_OPEN:
        holiday_list(rule, of);
        return;
    case HOLIDAY_END:
        return;
    }
}

/* The holidays of a year that are no weekend days; at most `room` of them. */
static size_t holiday_year_days(const holiday_rule *rules, int year, levy_date *days, size_t room)
{
    holiday_year of = {.year = year, .start = holiday_civil(year, 1, 1)};
    size_t n = 0;
    for (; rules->kind != HOLIDAY_END; ++rules) holiday_apply(rules, &of);
    for (int i = 0; i < 366 && n < room; ++i)
        if (of.closed[i] && levy_date_weekday(of.start + i) < 5) days[n++] = of.start + i;
    return n;
}

static bool calendar_is_word(const levy_calendar_source *source, const char *name)
{
    const size_t length = strlen(name);
    if (strcmp(source->name, name) == 0) return true;
    for (const char *at = source->words; *at; at += strspn(at, " ")) {
        const size_t word = strcspn(at, " ");
        if (word == length && memcmp(at, name, word) == 0) return true;
        at += word;
    }
    return false;
}

size_t levy_calendar_find(const char *name)
{
    size_t number = 0;
    while (number < LEVY_CALENDARS && !calendar_is_word(&levy_calendar_sources[number], name))
        ++number;
    return number;
}

bool levy_calendar_build(size_t number, levy_arena *arena, levy_calendar *calendar)
{
    enum { SYSTEMS = 2, A_YEAR = 32 };
    const levy_calendar_source *const source = &levy_calendar_sources[number];
    *calendar = (levy_calendar){.name = source->name,
                                .weekend = number > 0 ? 1u << 5 | 1u << 6 : 0,
                                .first_year = source->first_year,
                                .last_year = source->last_year};
    if (number < SYSTEMS) return true;
    const int years = source->last_year - source->first_year + 1;
    levy_date *const days = levy_arena_allocate(arena, (size_t)years, A_YEAR * sizeof *days);
    if (!days) return false;
    const holiday_rule *rules = holiday_rules;
    for (size_t i = SYSTEMS; i < number; ++i)
        while ((++rules)->kind != HOLIDAY_END) {}
    for (int year = source->first_year; year <= source->last_year; ++year)
        calendar->n_holidays +=
            holiday_year_days(rules + 1, year, days + calendar->n_holidays, A_YEAR);
    calendar->holidays = days;
    return true;
}
