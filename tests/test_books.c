/* test_books.c: every book of tests/books/ gives the numbers that its head states. A head is lines
 * of comments; words are parted by single spaces:
 *     # with: KEY=VALUE ...                          settings of what follows; none: as read
 *     # expect: TRADE MEASURE[:FACTOR] VALUE WITHIN  value within 4 standard errors + WITHIN
 *     # largest: TRADE MEASURE[:FACTOR] ERROR        no standard error is greater
 *     # marked: TRADE MEASURE[:FACTOR] 0|1           the measure is flagged, or not
 *     # interval: TRADE [MEASURE[:FACTOR]] WORD      its interval, else the price's, is such
 *     # sum: CURRENCY VALUE WITHIN                   the netted price
 *     # failed: TRADE WORDS                          no price; its message has these words
 *     # says: WORDS                                  reading or pricing says them
 *     # silent:                                      reading gives no diagnostics
 * The trade `netted` is the first sum. Values have an origin of their own, which the head names:
 * never what levy printed. */
#include "tests/cmocka_all.h"

#include "tests/price_file.h"

#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER LEVY_SOURCE_DIR "/tests/books/"
enum { MOST_BOOKS = 500, MOST_SETTINGS = 8, LINE_SIZE = 1024, PATH_SIZE = 1024 };

typedef struct book_case {
    const char *name;
    char path[PATH_SIZE];
    char with[LINE_SIZE]; /* the settings, each ended by a NUL */
    levy_setting settings[MOST_SETTINGS];
    size_t n_settings;
    levy_results *results; /* NULL: not priced with these settings yet */
    int line;
} book_case;

static void case_set(book_case *c, const char *words)
{
    char *rest = NULL;
    levy_results_destroy(c->results);
    c->results = NULL;
    c->n_settings = 0;
    snprintf(c->with, sizeof c->with, "%s", words);
    for (char *word = strtok_r(c->with, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *const value = strchr(word, '=');
        if (!value || c->n_settings == MOST_SETTINGS) fail_msg("%s:%d: %s", c->name, c->line, word);
        *value = '\0';
        c->settings[c->n_settings++] = (levy_setting){word, value + 1};
    }
}

static const levy_results *case_results(book_case *c)
{
    if (!c->results) (void)price_file(c->path, c->settings, c->n_settings, &c->results);
    if (!c->results)
        fail_msg("%s:%d: %s", c->name, c->line,
                 levy_diagnostic_count(context) ? levy_diagnostic_get(context, 0)->text
                                                : "refused");
    return c->results;
}

static const levy_trade_result *case_trade(book_case *c, const char *id)
{
    const levy_trade_result *const trade = find_trade(case_results(c), id);
    if (!trade) fail_msg("%s:%d: no trade %s", c->name, c->line, id);
    return trade;
}

/* name: MEASURE or MEASURE:FACTOR */
static const levy_measure *case_measure(book_case *c, const char *id, char *name)
{
    const bool is_sum = strcmp(id, "netted") == 0;
    levy_trade_result sum = {.message = NULL};
    const levy_trade_result *const trade = is_sum ? &sum : case_trade(c, id);
    if (is_sum) {
        const levy_netted *const netted = levy_results_netted(case_results(c), 0);
        sum.measures = netted ? netted->measures : NULL;
        sum.n_measures = netted ? netted->n_measures : 0;
    }
    char *const factor = strchr(name, ':');
    if (factor) *factor = '\0';
    const levy_measure *const m = find_measure(trade, name, factor ? factor + 1 : NULL);
    if (!m)
        fail_msg("%s:%d: no %s of %s: %s", c->name, c->line, name, id,
                 trade->message ? trade->message : "");
    return m;
}

static void case_near(const book_case *c, const char *what, double value, double error,
                      double expected, double within)
{
    const double room = (isfinite(error) ? 4.0 * error : 0.0) + within;
    if (!(fabs(value - expected) <= room))
        fail_msg("%s:%d: %s: %.17g +- %.3g, not %.17g", c->name, c->line, what, value, error,
                 expected);
}

static void case_sum(book_case *c, const char *currency, double value, double within)
{
    const levy_results *const r = case_results(c);
    for (size_t n = 0; n < levy_results_netted_count(r); ++n) {
        const levy_netted *const sum = levy_results_netted(r, n);
        if (sum->key || strcmp(sum->currency, currency) != 0) continue;
        case_near(c, currency, sum->value, sum->std_error, value, within);
        return;
    }
    fail_msg("%s:%d: no sum of %s", c->name, c->line, currency);
}

/* Whether a diagnostic of the last call has the words. */
static bool case_has(const char *words)
{
    for (size_t k = 0; k < levy_diagnostic_count(context); ++k)
        if (strstr(levy_diagnostic_get(context, k)->text, words)) return true;
    return false;
}

/* Reads the book: its diagnostics are then the last call's. */
static void case_read(book_case *c)
{
    const char *const path = c->path;
    levy_book *book = NULL;
    (void)levy_book_load_files(context, &path, 1, c->settings, c->n_settings, &book);
    levy_book_destroy(book);
}

static void case_says(book_case *c, const char *words)
{
    case_read(c);
    if (case_has(words)) return;
    levy_results_destroy(c->results);
    c->results = NULL;
    (void)price_file(c->path, c->settings, c->n_settings, &c->results);
    if (!case_has(words)) fail_msg("%s:%d: nothing says %s", c->name, c->line, words);
}

/* One line of the head. False: it is no claim. */
static bool case_claim(book_case *c, const char *line)
{
    char id[128], measure[256], word[LINE_SIZE];
    double value, within;
    int flag;
    if (strncmp(line, "# with:", 7) == 0)
        case_set(c, line + 7);
    else if (sscanf(line, "# expect: %127s %255s %lf %lf", id, measure, &value, &within) == 4) {
        const levy_measure *const m = case_measure(c, id, measure);
        case_near(c, id, m->value, m->std_error, value, within);
    } else if (sscanf(line, "# largest: %127s %255s %lf", id, measure, &value) == 3) {
        const levy_measure *const m = case_measure(c, id, measure);
        if (m->std_error > value) fail_msg("%s:%d: %s +- %g", c->name, c->line, id, m->std_error);
    } else if (sscanf(line, "# marked: %127s %255s %d", id, measure, &flag) == 3) {
        const levy_measure *const m = case_measure(c, id, measure);
        if ((m->flagged != 0) != (flag != 0))
            fail_msg("%s:%d: %s %s: %s", c->name, c->line, id, measure, m->note ? m->note : "none");
    } else if (sscanf(line, "# interval: %127s %255s %255s", id, measure, word) == 3)
        assert_string_equal(case_measure(c, id, measure)->interval, word);
    else if (sscanf(line, "# interval: %127s %255s", id, word) == 2)
        assert_string_equal(case_trade(c, id)->interval, word);
    else if (sscanf(line, "# sum: %127s %lf %lf", id, &value, &within) == 3)
        case_sum(c, id, value, within);
    else if (sscanf(line, "# failed: %127s %1023[^\n]", id, word) == 2) {
        const levy_trade_result *const trade = case_trade(c, id);
        if (strcmp(trade->status, "failed") != 0 || !strstr(trade->message, word))
            fail_msg("%s:%d: %s: %s", c->name, c->line, id, trade->message ? trade->message : "ok");
    } else if (sscanf(line, "# says: %1023[^\n]", word) == 1)
        case_says(c, word);
    else if (strncmp(line, "# silent:", 9) == 0) {
        case_read(c);
        assert_int_equal(levy_diagnostic_count(context), 0);
    } else
        return false;
    return true;
}

static void test_book(void **state)
{
    book_case c = {.name = *state};
    char line[LINE_SIZE];
    size_t claims = 0;
    snprintf(c.path, sizeof c.path, FOLDER "%s", c.name);
    FILE *const file = fopen(c.path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        ++c.line;
        line[strcspn(line, "\n")] = '\0';
        claims += case_claim(&c, line);
    }
    fclose(file);
    levy_results_destroy(c.results);
    if (claims == 0) fail_msg("%s: its head claims nothing", c.name);
}

static int compare_names(const void *a, const void *b)
{
    const struct CMUnitTest *const first = a, *const second = b;
    return strcmp(first->name, second->name);
}

int main(void)
{
    static struct CMUnitTest tests[MOST_BOOKS];
    size_t n = 0;
    DIR *const folder = opendir(FOLDER);
    if (!folder) return 1;
    for (struct dirent *at = readdir(folder); at && n < MOST_BOOKS; at = readdir(folder)) {
        char *const name = strdup(at->d_name);
        if (!name || !strstr(name, ".yaml")) {
            free(name);
            continue;
        }
        tests[n++] = (struct CMUnitTest){name, test_book, NULL, NULL, name};
    }
    closedir(folder);
    qsort(tests, n, sizeof *tests, compare_names);
    const int failed = _cmocka_run_group_tests("books", tests, n, open_context, close_context);
    for (size_t k = 0; k < n; ++k) free(tests[k].initial_state);
    return failed || n == 0;
}
