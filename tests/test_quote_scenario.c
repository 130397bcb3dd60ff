/* test_quote_scenario.c: a quote that is set and a scenario of the same move give one price and one
 * state: for every example of configs/ with each spot moved up and down, and for 200 moves by seed
 * through and onto barriers of all kinds. The two are priced by different parts of the plan, on the
 * same paths. */
#include "tests/cmocka_all.h"

#include "tests/price_file.h"

#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONFIGS LEVY_SOURCE_DIR "/configs/"
#define SCENARIOS LEVY_BINARY_DIR "/quote_scenario.yaml"
enum { PATH_SIZE = 1024, NAME_SIZE = 64, MOST_MOVES = 64 };

typedef struct move {
    char factor[NAME_SIZE];
    double size;   /* relative */
    double before; /* the quote */
} move;

/* The moves, each of which is scenario number k. */
static move moves[MOST_MOVES];
static size_t n_moves;
static size_t n_compared, n_different;
static levy_setting beside; /* the paths; without a key: none */

static void add_move(const levy_book *book, const char *factor, double size)
{
    assert_true(n_moves < MOST_MOVES && strlen(factor) < NAME_SIZE);
    move *const m = &moves[n_moves++];
    snprintf(m->factor, sizeof m->factor, "%s", factor);
    m->size = size;
    assert_int_equal(levy_book_get(book, factor, &m->before), LEVY_STATUS_OK);
}

static void write_scenarios(void)
{
    FILE *const file = fopen(SCENARIOS, "w");
    assert_non_null(file);
    fprintf(file, "schema_version: 1\nscenarios:\n");
    for (size_t k = 0; k < n_moves; ++k)
        fprintf(file, "  - {id: m%zu, shifts: [{factor: %s, type: relative, size: %.17g}]}\n", k,
                moves[k].factor, moves[k].size);
    fclose(file);
}

static int load(const char *path, bool moved, levy_book **book)
{
    const char *const paths[] = {path, SCENARIOS};
    const levy_setting settings[] = {{"simulation.paths", "2^10"}, beside};
    const size_t n_settings = beside.key ? 2 : 1;
    return levy_book_load_files(context, paths, moved ? 2 : 1, settings, n_settings, book);
}

static levy_results *price(levy_book *book, const char *path)
{
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    levy_results *results = NULL;
    if (levy_price(book, &options, &results) != LEVY_STATUS_OK)
        fail_msg("%s: %s", path, levy_diagnostic_get(context, 0)->text);
    return results;
}

static double known_error(double error) { return isfinite(error) ? error : 0.0; }

/* A trade under scenario k, and in the book with its quote. */
static void compare(const char *path, const move *m, size_t k, const levy_trade_result *scenario,
                    const levy_trade_result *quote)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "m%zu", k);
    const levy_measure *const a = find_measure(scenario, "scenario_price", name);
    const bool has_a = a && isfinite(a->value), has_b = strcmp(quote->status, "ok") == 0;
    const double joint =
        has_a && has_b ? hypot(known_error(a->std_error), known_error(quote->std_error)) : 0.0;
    ++n_compared;
    if (has_a == has_b &&
        (!has_a || fabs(a->value - quote->price) <= 4.0 * joint + 1e-9 * fabs(quote->price)))
        return;
    if (has_a != has_b && a && a->flagged && !isfinite(a->value)) { /* it says that it has none */
        --n_compared;
        return;
    }
    ++n_different;
    const double value = a ? a->value : (double)NAN;
    print_error("%s: %s by %g: %s: scenario %.17g, quote %.17g, error %g %s\n", path, m->factor,
                m->size, quote->id, value, quote->price, joint,
                quote->message ? quote->message : "");
}

/* Prices the book with the scenarios, then once with each quote. */
static void compare_moves(const char *path)
{
    levy_book *with, *book;
    write_scenarios();
    if (load(path, true, &with) != LEVY_STATUS_OK)
        fail_msg("%s: %s", path, levy_diagnostic_get(context, 0)->text);
    levy_results *const scenarios = price(with, path);
    assert_int_equal(load(path, false, &book), LEVY_STATUS_OK);
    for (size_t k = 0; k < n_moves; ++k) {
        const move *const m = &moves[k];
        assert_int_equal(levy_book_set(book, m->factor, m->before * (1.0 + m->size)),
                         LEVY_STATUS_OK);
        levy_results *const quotes = price(book, path);
        for (size_t t = 0; t < levy_results_size(quotes); ++t)
            if (strcmp(levy_results_trade(scenarios, t)->status, "ok") == 0)
                compare(path, m, k, levy_results_trade(scenarios, t),
                        levy_results_trade(quotes, t));
        levy_results_destroy(quotes);
        assert_int_equal(levy_book_set(book, m->factor, m->before), LEVY_STATUS_OK);
    }
    levy_results_destroy(scenarios);
    levy_book_destroy(with);
    levy_book_destroy(book);
}

/* ---- Examples ---- */

static bool is_spot(const char *factor)
{
    const size_t n = strlen(factor);
    return n > 5 && strcmp(factor + n - 5, ".spot") == 0;
}

static void compare_example(const char *path)
{
    levy_book *book;
    if (load(path, false, &book) != LEVY_STATUS_OK)
        fail_msg("%s: %s", path, levy_diagnostic_get(context, 0)->text);
    n_moves = 0;
    for (size_t q = 0; q < levy_book_quote_count(book); ++q) {
        const char *const factor = levy_book_quote_name(book, q);
        if (!is_spot(factor)) continue;
        add_move(book, factor, 0.1);
        add_move(book, factor, -0.1);
    }
    levy_book_destroy(book);
    compare_moves(path);
}

/* A book of its own, without scenarios. */
static bool is_example(const char *path)
{
    char line[1024];
    bool book = false, own = false;
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        book = book || strncmp(line, "trades:", 7) == 0;
        own = own || strncmp(line, "scenarios:", 10) == 0 || strncmp(line, "shocks:", 7) == 0;
        own = own || strncmp(line, "  tolerance:", 12) == 0; /* its paths are not these */
    }
    fclose(file);
    return book && !own;
}

static size_t compare_folder(const char *folder)
{
    char path[PATH_SIZE];
    size_t n = 0;
    DIR *const open = opendir(folder);
    assert_non_null(open);
    for (struct dirent *at = readdir(open); at; at = readdir(open)) {
        if (!strstr(at->d_name, ".yaml")) continue;
        snprintf(path, sizeof path, "%s%s", folder, at->d_name);
        if (!is_example(path)) continue;
        compare_example(path);
        ++n;
    }
    closedir(open);
    return n;
}

static void test_examples(void **state)
{
    (void)state;
    n_compared = n_different = 0;
    const size_t n = compare_folder(CONFIGS) + compare_folder(CONFIGS "payoffs/") +
                     compare_folder(CONFIGS "kinds/");
    print_message("%zu examples, %zu pairs\n", n, n_compared);
    assert_true(n > 60 && n_compared > 200);
    assert_int_equal(n_different, 0);
}

/* ---- Barriers ---- */

#define BARRIERS LEVY_SOURCE_DIR "/tests/books/barriers_of_all_kinds.yaml"
enum { MOVES = 20 };

static void compare_barriers(levy_setting setting)
{
    /* onto barriers at 80, 90, 110 and 120, and beyond by seed */
    static const double onto[] = {-0.2, -0.1, 0.1, 0.2};
    uint64_t random = 5;
    levy_book *book;
    beside = setting;
    n_compared = n_different = n_moves = 0;
    if (load(BARRIERS, false, &book) != LEVY_STATUS_OK)
        fail_msg("%s", levy_diagnostic_get(context, 0)->text);
    for (size_t k = 0; k < sizeof onto / sizeof *onto; ++k) add_move(book, "S.spot", onto[k]);
    while (n_moves < MOVES) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        add_move(book, "S.spot", (double)(random >> 40) / 16777216.0 * 0.9 - 0.45);
    }
    levy_book_destroy(book);
    compare_moves(BARRIERS);
    beside = (levy_setting){0};
    print_message("%zu pairs\n", n_compared);
    assert_true(n_compared >= 200);
    assert_int_equal(n_different, 0);
}

static void test_moves_through_barriers(void **state)
{
    (void)state;
    compare_barriers((levy_setting){0});
    compare_barriers((levy_setting){"simulation.smoothing", "none"});
    compare_barriers((levy_setting){"simulation.precision", "single"});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_moves_through_barriers),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
