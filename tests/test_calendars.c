/* test_calendars.c: the built-in calendars and schedules with QuantLib's ties, against the answers
 * of QuantLib in tests/calendars/ (quantlib.py writes them), and what a book says of calendars. */
#include "tests/problem_case.h"

#include "engine/base/calendar.h"

enum { FIRST_NAMED = 2, TEXT = 1024, LISTED = 2040, SCHEDULES = 210 };

static levy_arena arena;
static levy_calendar built[LEVY_CALENDARS];

static int build_calendars(void **state)
{
    (void)state;
    levy_arena_init(&arena, &levy_memory_default);
    for (size_t i = 0; i < LEVY_CALENDARS; ++i)
        assert_true(levy_calendar_build(i, &arena, &built[i]));
    return 0;
}

static int release_calendars(void **state)
{
    (void)state;
    levy_arena_release(&arena);
    return 0;
}

static levy_date date_of(const char *digits) /* YYYYMMDD */
{
    levy_date date = 0;
    const int number = atoi(digits);
    assert_true(levy_date_from_civil(number / 10000, number / 100 % 100, number % 100, &date));
    return date;
}

static int number_of(levy_date date)
{
    int year = 0, month = 0, day = 0;
    levy_date_to_civil(date, &year, &month, &day);
    return year * 10000 + month * 100 + day;
}

static FILE *open_lines(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "tests/calendars/%s", name);
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    return file;
}

/* The next line that says something. */
static bool next_line(FILE *file, char line[TEXT])
{
    while (fgets(line, TEXT, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '#' && line[0] != '\0') return true;
    }
    fclose(file);
    return false;
}

/* ---- Holidays ---- */

/* Whether differences.txt says that one side alone has the day. */
static bool is_listed(const char *who, const char *calendar, int number)
{
    FILE *const file = open_lines("differences.txt");
    char line[TEXT], start[64], digits[16];
    bool found = false;
    snprintf(start, sizeof start, "%s %s ", who, calendar);
    snprintf(digits, sizeof digits, "%d", number);
    while (next_line(file, line))
        found = found || (strncmp(line, start, strlen(start)) == 0 && strstr(line, digits));
    return found;
}

static size_t compare_year(const levy_calendar *calendar, int year, char *days)
{
    const levy_calendar *const both[] = {calendar};
    size_t differ = 0;
    for (levy_date d = date_of("20000101"); number_of(d) / 10000 <= year; ++d) {
        if (number_of(d) / 10000 < year || levy_date_weekday(d) > 4) continue;
        char digits[8];
        snprintf(digits, sizeof digits, " %04d", number_of(d) % 10000);
        const bool theirs = strstr(days, digits), ours = !levy_is_business_day(d, both, 1);
        if (theirs == ours) continue;
        ++differ;
        if (!is_listed(ours ? "levy" : "quantlib", calendar->name, number_of(d)))
            fail_msg("%s: %d: levy %d, QuantLib %d", calendar->name, number_of(d), ours, theirs);
    }
    return differ;
}

static void compare_later(const levy_calendar *calendar, const char *counted)
{
    uint64_t hash = 0xcbf29ce484222325u;
    unsigned n = 0;
    char digits[16], want[64];
    for (size_t i = 0; i < calendar->n_holidays; ++i) {
        const int number = number_of(calendar->holidays[i]);
        if (number / 10000 <= LISTED) continue;
        ++n;
        snprintf(digits, sizeof digits, "%d", number);
        for (const char *c = digits; *c; ++c) hash = (hash ^ (uint8_t)*c) * 0x100000001b3u;
    }
    snprintf(want, sizeof want, "%u %016llx", n, (unsigned long long)hash);
    assert_string_equal(want, counted);
}

static void test_holidays_are_quantlibs_but_for_those_listed(void **state)
{
    (void)state;
    FILE *const file = open_lines("holidays.txt"), *const listed = open_lines("differences.txt");
    char line[TEXT], name[32], what[32];
    size_t differ = 0, years = 0, known = 0;
    while (next_line(file, line)) {
        int at = 0;
        assert_int_equal(sscanf(line, "%31s %31s%n", name, what, &at), 2);
        const size_t number = levy_calendar_find(name);
        assert_true(number >= FIRST_NAMED && number < LEVY_CALENDARS);
        if (strcmp(what, "later") == 0)
            compare_later(&built[number], line + at + 1);
        else
            differ += compare_year(&built[number], atoi(what), line + at);
        ++years;
    }
    while (next_line(listed, line))
        for (const char *c = line; (c = strchr(c, ' ')); ++c) known += c[1] == '2';
    assert_int_equal(differ, known);
    assert_int_equal(years, 6 * (LISTED - 1999 + 1) + 28 + 27);
}

static void test_calendars_have_names_and_years(void **state)
{
    (void)state;
    static const char *const words[][2] = {
        {"EUTA", "TARGET"}, {"NYSE", "NEW_YORK"}, {"USNY", "FEDERAL_RESERVE"}, {"GBLO", "LONDON"},
        {"JPTO", "TOKYO"},  {"CHZU", "ZURICH"},   {"HKHK", "HONG_KONG"},       {"SSE", "SHANGHAI"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        assert_int_equal(levy_calendar_find(words[i][0]), levy_calendar_find(words[i][1]));
        assert_int_equal(levy_calendar_find(words[i][1]), FIRST_NAMED + i);
        assert_string_equal(built[FIRST_NAMED + i].name, words[i][1]);
    }
    for (size_t i = 0; i < LEVY_CALENDARS; ++i)
        assert_string_equal(levy_calendar_names[i], built[i].name);
    assert_int_equal(levy_calendar_find("US"), LEVY_CALENDARS); /* whose banks? */
    assert_int_equal(levy_calendar_find("EUT"), LEVY_CALENDARS);
    assert_int_equal(levy_calendar_find(""), LEVY_CALENDARS);
}

/* ---- Schedules ---- */

static levy_roll roll_of(const char *word)
{
    static const char *const words[] = {"none",      "following",          "modified_following",
                                        "preceding", "modified_preceding", "nearest"};
    int roll = 0;
    while (strcmp(words[roll], word) != 0) ++roll;
    return (levy_roll)roll;
}

/* Whether levy's dates are those of the line. */
static bool is_schedule(const char *line, bool quantlib)
{
    char start[16], end[16], frequency[8], names[64], roll[32], way[16], ends[8], first[8];
    const levy_calendar *calendars[4];
    levy_tenor tenor;
    levy_date *dates = NULL;
    size_t n = 0, n_calendars = 0;
    int at = 0, next = 0;
    assert_int_equal(sscanf(line, "%15s %15s %7s %63s %31s %15s %7s %7s%n", start, end, frequency,
                            names, roll, way, ends, first, &at),
                     8);
    assert_true(levy_tenor_read(frequency, strlen(frequency), &tenor));
    for (char *each = strtok(names, "+"); each; each = strtok(NULL, "+"))
        calendars[n_calendars++] = &built[levy_calendar_find(each)];
    const levy_schedule_rule rule = {.start = date_of(start),
                                     .end = date_of(end),
                                     .frequency = tenor,
                                     .roll = roll_of(roll),
                                     .backward = strcmp(way, "backward") == 0,
                                     .end_of_month = ends[0] == 'e',
                                     .exclude_start = first[0] == '-',
                                     .quantlib = quantlib,
                                     .calendars = calendars,
                                     .n_calendars =
                                         roll_of(roll) == LEVY_ROLL_NONE ? 0 : n_calendars};
    assert_true(levy_schedule_build(&rule, &arena, &dates, &n));
    bool same = true;
    size_t i = 0;
    for (char digits[16]; sscanf(line + at, "%15s%n", digits, &next) == 1; at += next, ++i)
        same = same && i < n && dates[i] == date_of(digits);
    return same && i == n;
}

static void test_schedules_with_quantlibs_ties_are_quantlibs(void **state)
{
    (void)state;
    FILE *const file = open_lines("schedules.txt");
    char line[TEXT];
    size_t n = 0, plain = 0;
    while (next_line(file, line)) {
        if (!is_schedule(line, true)) fail_msg("%s", line);
        plain += is_schedule(line, false);
        ++n;
    }
    assert_int_equal(n, SCHEDULES);
    assert_int_equal(plain, 189); /* the others are why there is a switch */
}

/* ---- Books ---- */

#define CALENDARS(text) "  calendars: {" text "}\n"
#define BOOK(calendars, trades)                                                                    \
    "schema_version: 1\nvaluation_date: 2026-11-20\nmarket:\n  curves: {USD: 0.05}\n" calendars    \
    "  assets: {A: {currency: USD, spot: 100, volatility: 0.2}}\n"                                 \
    "models: {m: {kind: black_scholes, assets: [A]}}\ntrades:\n" trades
#define MONTHLY(id, expiry, terms)                                                                 \
    "  - {id: " id ", exercise: {expiry: " expiry                                                  \
    "}, " ASIAN("{frequency: 1M, roll: following, " terms "}") "}\n"

static void assert_warned_once(const char *text, const char *part)
{
    loaded = load_text(text);
    if (!loaded_book_says(&loaded, part)) print_error("%s", loaded_book_text(&loaded));
    assert_true(loaded_book_says(&loaded, part));
    assert_int_equal(loaded.faults.count, 1);
    assert_non_null(loaded.problem);
    release_book(NULL);
}

static void test_dates_beyond_a_calendar_are_told_once(void **state)
{
    (void)state;
    assert_warned_once(BOOK("", MONTHLY("t", "2027-02-19", "calendars: [TARGET, XSHG]")
                                    MONTHLY("u", "2028-02-18", "calendars: [SHANGHAI]")),
                       "book.yaml:8:193: warning: "
                       "trades[0].payoff.averaging.observations.calendars[1]: 'SHANGHAI' has the "
                       "holidays of 2000 to 2026: on 2027-02-19 weekends alone count");
    /* the date of a payment alone */
    assert_warned_once(BOOK("", "  - {id: t, exercise: {expiry: 2026-12-30}, underlying: A, " CALL
                                ", payment_lag: 2D, calendars: [SHANGHAI]}\n"),
                       "on 2027-01-01 weekends alone count");
    load_good(BOOK("", MONTHLY("t", "2026-12-18", "calendars: [SHANGHAI]")));
    release_book(NULL);
    load_good(BOOK(CALENDARS("X: {of: [SHANGHAI], beyond: weekends}"),
                   MONTHLY("t", "2027-02-19", "calendars: [X]")));
    release_book(NULL);
    assert_refused(BOOK(CALENDARS("X: {of: [TOKYO, SHANGHAI], beyond: error}"),
                        MONTHLY("t", "2027-02-19", "calendars: [X]")),
                   "'X' has the holidays of 2000 to 2026, and 2027-02-19 is beyond");
    release_book(NULL);
    /* a list of one's own has no last year, unless one says what is beyond */
    load_good(BOOK(CALENDARS("X: {holidays: [2026-12-24]}"),
                   MONTHLY("t", "2027-02-19", "calendars: [X]")));
    release_book(NULL);
    assert_refused(BOOK(CALENDARS("X: {holidays: [2026-12-24], beyond: error}"),
                        MONTHLY("t", "2027-02-19", "calendars: [X]")),
                   "'X' has the holidays of 2026 to 2026, and 2027-02-19 is beyond");
}

/* Where the only date of a trade lies that rolls from Friday, 2026-12-25. */
static double rolled_with(const char *calendars, const char *names)
{
    char text[TEXT];
    snprintf(text, sizeof text,
             BOOK("%s", "  - {id: t, exercise: {expiry: 2027-01-08}, " ASIAN(
                            "{start: 2026-11-25, end: 2026-12-25, frequency: 1M, roll: "
                            "following, calendars: [%s]}") "}\n"),
             calendars, names);
    loaded = load_text(text);
    if (loaded.faults.count > 0) print_error("%s", loaded_book_text(&loaded));
    assert_int_equal(loaded.faults.count, 0);
    const double days = 365 * loaded.problem->trades[0].claim.observations.times[0];
    release_book(NULL);
    return days;
}

static void test_calendars_join_add_and_are_defined_anew(void **state)
{
    (void)state;
    assert_close(rolled_with("", "WEEKENDS"), 35, 1e-12);
    assert_close(rolled_with("", "TARGET"), 38, 1e-12);
    assert_close(rolled_with("", "LONDON"), 39, 1e-12); /* Saturday's Boxing Day */
    assert_close(rolled_with("", "TARGET, GBLO"), 39, 1e-12);
    assert_close(rolled_with(CALENDARS("X: {of: [TARGET, GBLO]}"), "X"), 39, 1e-12);
    assert_close(rolled_with(CALENDARS("X: {of: [LONDON], holidays: [2026-12-29]}"), "X"), 40,
                 1e-12);
    assert_close(rolled_with(CALENDARS("TARGET: {of: [TARGET], weekend: [monday]}"), "TARGET"), 39,
                 1e-12);
    assert_close(rolled_with(CALENDARS("TARGET: {holidays: [2026-12-24]}"), "TARGET"), 35, 1e-12);
}

static void test_a_book_asks_for_quantlibs_ties(void **state)
{
    (void)state;
    /* counted back from Monday: 2026-11-23, and the start, Sunday the 22nd, rolls onto it */
    static const char *const ties[] = {"levy", "quantlib"};
    for (size_t i = 0; i < 2; ++i) {
        char text[TEXT];
        snprintf(text, sizeof text,
                 BOOK("", "  - {id: t, exercise: {expiry: 2027-02-23}, " ASIAN(
                              "{start: 2026-11-22, frequency: 1M, generation: backward, roll: "
                              "following, calendars: [TARGET], ties: %s}") "}\n"),
                 ties[i]);
        assert_int_equal(load_good(text)->trades[0].claim.observations.n, 4 - i);
        release_book(NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holidays_are_quantlibs_but_for_those_listed),
        cmocka_unit_test(test_calendars_have_names_and_years),
        cmocka_unit_test(test_schedules_with_quantlibs_ties_are_quantlibs),
        cmocka_unit_test_teardown(test_dates_beyond_a_calendar_are_told_once, release_book),
        cmocka_unit_test_teardown(test_calendars_join_add_and_are_defined_anew, release_book),
        cmocka_unit_test_teardown(test_a_book_asks_for_quantlibs_ties, release_book),
    };
    return cmocka_run_group_tests(tests, build_calendars, release_calendars);
}
