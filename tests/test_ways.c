/* test_ways.c: the ways into levy: a file to start from for every kind, the examples that the
 * program carries. Runs the built `levy` on files written here. */
#include "tests/program.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char ways_levy[] = LEVY_BINARY_DIR "/levy";
static char ways_folder[] = "/tmp/levy ways XXXXXX";
static program run;

static const char *ways_path(const char *name)
{
    static char paths[4][128];
    static size_t next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", ways_folder, name);
    return path;
}

static void ways_write(const char *name, const char *text)
{
    FILE *file = fopen(ways_path(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int ways_set_up(void **state)
{
    (void)state;
    return mkdtemp(ways_folder) ? 0 : -1;
}

static int ways_tear_down(void **state)
{
    char command[160];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", ways_folder);
    return system(command) == 0 ? 0 : -1;
}

static int ways_clear(void **state)
{
    (void)state;
    memset(&run, 0, sizeof run);
    return 0;
}

static void levy(const char *word, ...)
{
    va_list words;
    va_start(words, word);
    program_run_words(&run, (const char *const[]){ways_levy, NULL}, word, words);
    va_end(words);
}

/* The words that begin the lines of the last output with an indent of two, ended by NULL. */
static size_t ways_listed(const char *words[128])
{
    static char list[65536];
    size_t n = 0;
    char *rest = NULL;
    snprintf(list, sizeof list, "%.65535s", run.out);
    for (char *line = strtok_r(list, "\n", &rest); line && n < 127;
         line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, "  ", 2) != 0 || line[2] == ' ') continue;
        if (line[2] >= 'A' && line[2] <= 'Z') continue; /* a heading */
        line[2 + strcspn(line + 2, " ")] = '\0';
        words[n++] = line + 2;
    }
    words[n] = NULL;
    return n;
}

/* ---- A file to start from ---- */

static void test_every_kind_has_a_file_that_prices(void **state)
{
    (void)state;
    static const char *const payoffs[] = {
#define LEVY_PAYOFF(name, NAME) #name,
#include "payoffs/payoffs.def"
        NULL};
    const char *kinds[128];
    levy("new", NULL);
    const size_t n = ways_listed(kinds);
    for (size_t i = 0; payoffs[i]; ++i) assert_has(run.out, payoffs[i]);
    assert_true(n > sizeof payoffs / sizeof *payoffs);
    for (size_t i = 0; i < n; ++i) {
        if (strcmp(kinds[i], "market") == 0) continue; /* see test_a_market_goes_with_trades */
        levy("new", kinds[i], NULL);
        assert_int_equal(run.code, 0);
        assert_has(run.out, "# ");
        ways_write("new.yaml", run.out);
        levy("price", ways_path("new.yaml"), "--strict", "--set", "simulation.paths=2^10", NULL);
        if (run.code != 0) print_error("levy new %s:\n%s", kinds[i], run.err);
        assert_int_equal(run.code, 0);
        assert_has(run.out, "0 failed");
    }
}

static void test_an_unknown_kind_gets_the_nearest(void **state)
{
    (void)state;
    levy("new", "asain", NULL);
    assert_usage_error(&run, "there is no kind 'asain'; did you mean 'asian'?");
    levy("new", "asian", "barrier", NULL);
    assert_usage_error(&run, "takes one word");
}

static void test_the_file_says_what_its_keys_mean(void **state)
{
    (void)state;
    levy("new", "barrier", NULL);
    assert_has(run.out, "\n    payoff:");
    assert_has(run.out, "\n      barrier:");
    assert_has(run.out, "\n        direction: up");
    assert_has(run.out, "# rebate: {amount: 5, pay: at_expiry}"); /* may be added */
    assert_has(run.out, "# Number of units; it must be positive");
}

/* ---- Examples ---- */

static void test_examples_are_the_files_of_configs(void **state)
{
    (void)state;
    static char text[65536];
    const char *names[128];
    levy("example", NULL);
    const size_t n = ways_listed(names);
    assert_true(n > 60);
    assert_has(run.out, "A European call and put on one asset, with delta and vega\n");
    for (size_t i = 0; i < n; ++i) {
        char path[256];
        const char *const ending = strstr(names[i], ".txt") ? "" : ".yaml";
        snprintf(path, sizeof path, LEVY_SOURCE_DIR "/configs/%s%s", names[i], ending);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
        levy("example", names[i], NULL);
        assert_int_equal(run.code, 0);
        assert_string_equal(run.out, text);
    }
    levy("example", "phoenix", NULL); /* without its folder */
    assert_int_equal(run.code, 0);
    levy("example", "phenix", NULL);
    assert_usage_error(&run, "there is no example 'phenix'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_every_kind_has_a_file_that_prices, ways_clear),
        cmocka_unit_test_setup(test_an_unknown_kind_gets_the_nearest, ways_clear),
        cmocka_unit_test_setup(test_the_file_says_what_its_keys_mean, ways_clear),
        cmocka_unit_test_setup(test_examples_are_the_files_of_configs, ways_clear),
    };
    return cmocka_run_group_tests(tests, ways_set_up, ways_tear_down);
}
