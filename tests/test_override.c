/* test_override.c: a book that is given other settings is, byte for byte, the book that was loaded
 * with them, in every example of configs/: its diagnostics, and its report with all prices, errors,
 * hashes of plans and the fingerprint. Settings that a load would refuse leave it as it was. */
#include "tests/cmocka_all.h"

#include "engine/levy.h"

#define TEXT_ROOM (1 << 20)
#include "tests/kept_text.h"
#include "tests/files.h"
#include "tests/words.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONFIGS LEVY_SOURCE_DIR "/configs"

enum { MOST = 3 };

typedef struct settings {
    levy_setting items[MOST];
    size_t n;
} settings;

static const settings first = {{{"simulation.paths", "2^8"}, {"simulation.seed", "7"}}, 2};
static const settings others[] = {
    {{{"simulation.paths", "2^9"}}, 1},
    {{{"simulation.paths", "2^8"}, {"measures", "price,delta,vega"}}, 2},
    {{{"simulation.paths", "2^8"}, {"simulation.precision", "single"}}, 2},
    {{{"simulation.paths", "2^8"}, {"simulation.smoothing", "none"}, {"simulation.seed", "8"}}, 3},
    {{{"simulation.paths", "300"},
      {"simulation.generator", "philox"},
      {"simulation.construction", "incremental"}},
     3},
    {{{"simulation.paths", "3"}}, 1},
    {{{"simulation.path", "2^9"}}, 1},
    {{{"simulation.paths", "2^8"}, {"simulation.seed", "7"}}, 2}};

/* What the last call had to say. */
static void add_diagnostics(const levy_context *context, kept_text *to)
{
    for (size_t i = 0; i < levy_diagnostic_count(context); ++i) {
        const char *const line = levy_diagnostic_get(context, i)->text;
        text_write(to, line, strlen(line));
        text_write(to, "\n", 1);
    }
}

static void add_report(levy_context *context, levy_book *book, kept_text *to)
{
    const levy_price_options options = {
        .struct_size = sizeof options, .device = "cpu", .threads = 1, .no_times = 1};
    levy_results *results;
    const int status = levy_price(book, &options, &results);
    assert_true(status == LEVY_STATUS_OK || status == LEVY_STATUS_TOLERANCE);
    add_diagnostics(context, to);
    assert_int_equal(levy_results_write(results, LEVY_FORMAT_JSON, text_write, to), 0);
    levy_results_destroy(results);
}

static levy_book *load_example(levy_context *context, const char *name, const settings *given,
                               int *status)
{
    char path[1024];
    snprintf(path, sizeof path, CONFIGS "/%s", name);
    const char *const paths[] = {path};
    levy_book *book = NULL;
    *status = levy_book_load_files(context, paths, 1, given->items, given->n, &book);
    return book;
}

static void move_spot(levy_book *book)
{
    for (size_t i = 0; i < levy_book_quote_count(book); ++i) {
        const char *const factor = levy_book_quote_name(book, i);
        double spot;
        if (!strstr(factor, ".spot")) continue;
        assert_int_equal(levy_book_get(book, factor, &spot), LEVY_STATUS_OK);
        assert_int_equal(levy_book_set(book, factor, spot * 1.01), LEVY_STATUS_OK);
        return;
    }
}

/* The book is alike whether it is given the settings now or was loaded with them; `moved`: on a
 * spot of its own. */
static bool check_settings(const char *name, levy_book *book, levy_context *context,
                           const settings *given, bool moved, kept_text *here, kept_text *there)
{
    levy_context *other;
    int loaded;
    here->length = there->length = 0;
    const int status = levy_book_override(book, given->items, given->n);
    add_diagnostics(context, here);
    assert_int_equal(levy_context_create(NULL, &other), LEVY_STATUS_OK);
    levy_book *const fresh = load_example(other, name, given, &loaded);
    add_diagnostics(other, there);
    if (status != loaded) print_error("%s: %d, loaded %d\n", name, status, loaded);
    assert_int_equal(status, loaded);
    if (status == LEVY_STATUS_OK) {
        if (moved) move_spot(fresh);
        add_report(context, book, here);
        add_report(other, fresh, there);
    }
    if (here->length != there->length || memcmp(here->bytes, there->bytes, here->length) != 0)
        print_error("%s, %s=%s:\n%.*s\nloaded:\n%.*s\n", name, given->items[0].key,
                    given->items[0].value, (int)here->length, here->bytes, (int)there->length,
                    there->bytes);
    assert_int_equal(here->length, there->length);
    assert_memory_equal(here->bytes, there->bytes, here->length);
    levy_book_destroy(fresh);
    levy_context_destroy(other);
    return status == LEVY_STATUS_OK;
}

/* How many of the settings the example takes; a market by itself takes none. */
static size_t check_example(const char *name)
{
    levy_context *context;
    int status;
    size_t taken = 0;
    /* a tolerance goes on to millions of plain paths */
    const size_t n = strcmp(name, "tolerance.yaml") == 0 ? 2 : sizeof others / sizeof *others;
    kept_text *const here = malloc(sizeof *here), *const there = malloc(sizeof *there);
    assert_non_null(here);
    assert_non_null(there);
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    levy_book *const book = load_example(context, name, &first, &status);
    for (size_t i = 0; book && i < n; ++i)
        taken += check_settings(name, book, context, &others[i], false, here, there);
    if (book) move_spot(book);
    for (size_t i = 0; taken && i < 2; ++i)
        check_settings(name, book, context, &others[i], true, here, there);
    levy_book_destroy(book);
    levy_context_destroy(context);
    free(here);
    free(there);
    return taken;
}

static void test_other_settings_are_those_of_a_load(void **state)
{
    (void)state;
    DIR *const folder = opendir(CONFIGS);
    size_t examples = 0, taken = 0;
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        const char *const ending = strrchr(entry->d_name, '.');
        if (!ending || strcmp(ending, ".yaml") != 0) continue;
        const size_t n = check_example(entry->d_name);
        examples += n > 0;
        taken += n;
    }
    closedir(folder);
    print_message("%zu examples, %zu settings\n", examples, taken);
    assert_true(examples >= 25);
    assert_true(taken >= 100);
}

/* The files' own settings come back, and refused ones leave the book alone. */
static void test_no_settings_are_the_files_own(void **state)
{
    (void)state;
    const char *const book_text = text_of_book("texts/override");
    static const levy_setting seed = {"simulation.seed", "9"}, bad = {"simulation.seed", "x"};
    static kept_text before, after;
    levy_context *context;
    levy_book *book;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    book = read_book(context, book_text, NULL, 0);
    add_report(context, book, &before);
    assert_int_equal(levy_book_override(book, &seed, 1), LEVY_STATUS_OK);
    assert_int_equal(levy_book_override(book, &bad, 1), LEVY_STATUS_INPUT);
    assert_string_equal(levy_diagnostic_get(context, 0)->path, "simulation.seed");
    add_report(context, book, &after);
    assert_true(after.length != before.length ||
                memcmp(after.bytes, before.bytes, after.length) != 0);
    after.length = 0;
    assert_int_equal(levy_book_override(book, NULL, 0), LEVY_STATUS_OK);
    add_report(context, book, &after);
    assert_int_equal(after.length, before.length);
    assert_memory_equal(after.bytes, before.bytes, after.length);
    levy_book_destroy(book);
    levy_context_destroy(context);
}

static void test_arguments_that_are_none_are_refused(void **state)
{
    (void)state;
    static const levy_setting half = {"simulation.seed", NULL};
    levy_context *context;
    int status;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    levy_book *const book = load_example(context, "asian.yaml", &first, &status);
    assert_int_equal(levy_book_override(NULL, &half, 1), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_book_override(book, NULL, 1), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_book_override(book, &half, 1), LEVY_STATUS_ARGUMENT);
    assert_string_equal(levy_diagnostic_get(context, 0)->path, "settings");
    levy_book_destroy(book);
    levy_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_other_settings_are_those_of_a_load),
                                       cmocka_unit_test(test_no_settings_are_the_files_own),
                                       cmocka_unit_test(test_arguments_that_are_none_are_refused)};
    return cmocka_run_group_tests_name("override", tests, NULL, NULL);
}
