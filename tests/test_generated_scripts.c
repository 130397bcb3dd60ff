/* test_generated_scripts.c: scripts that nobody wrote (tests/generated/): each is priced in two
 * ways that must agree. Without arguments the seeds of CI; with arguments any others (runner.h). */
#include "tests/cmocka_all.h"

#include "tests/generated/book_quotes.h"
#include "tests/generated/runner.h"
#include "tests/generated/script_books.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const generated_pair pairs[] = {{"integrated", pair_integrated, 1},
                                       {"single", pair_single, 3},
                                       {"yaml", pair_yaml, 4},
                                       {"threads", pair_threads, 4},
                                       {"staged", pair_staged, 4},
                                       {"parts", pair_parts, 4},
                                       {"sets", pair_sets, 4},
                                       {"width", pair_width, 4},
                                       {"twin", pair_twin, 3},
                                       {"quote", pair_quote, 2},
                                       {"moved", pair_moved, 4}};

static const generated_suite suite = {.write = scripts_write,
                                      .pairs = pairs,
                                      .n_pairs = sizeof pairs / sizeof *pairs,
                                      .seed = 1,
                                      .count = LEVY_SANITIZED ? 12 : 80,
                                      .paths_log2 = 11};

static void test_scripts_of_a_fixed_seed(void **state)
{
    (void)state;
    assert_int_equal(generated_compare(&suite, suite.seed, suite.count, NULL, true), 0);
}

/* ---- The comparison itself ---- */

static choices made;
static generated_book book;

static void write_seed(uint64_t seed)
{
    choices_from_seed(&made, seed);
    scripts_write(&made, &book);
}

/* Half as much again is seen in what is paid, by errors and by bits, and in nothing else.
 */
static void test_a_wrong_price_is_a_difference(void **state)
{
    static char wrong[BOOK_SIZE];
    size_t found = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        comparison c = {.paths_log2 = 14, .seed = 1}, same = c, bits = c;
        assert_int_equal(levy_context_create(NULL, &c.context), LEVY_STATUS_OK);
        same.context = bits.context = c.context;
        write_seed(seed);
        const char *const at = strstr(book.text, "\"notional\": 100");
        snprintf(wrong, sizeof wrong, "%.*s\"notional\": 150%s", (int)(at - book.text), book.text,
                 at + strlen("\"notional\": 100"));
        levy_results *const a = comparison_price(&c, book.text, NULL, 0, NULL),
                            *const b = comparison_price(&c, wrong, NULL, 0, NULL);
        compare_by_error(&c, a, b);
        compare_by_error(&same, a, a);
        compare_by_bits(&bits, a, b);
        assert_true(!c.refused && c.compared > 0);
        if (fabs(levy_results_trade(a, 0)->price) > 1.0)
            assert_true(++found && c.differences > 0 && bits.differences >= c.differences);
        assert_true(same.compared == c.compared && same.differences == 0);
        comparison_release(a);
        comparison_release(b);
        comparison_forget();
        levy_context_destroy(c.context);
    }
    assert_true(found >= 3);
}

/* Whether levels that cancel reach 1.8 is for their rounding to say. Where it says nothing, another
 * limit is a difference. */
static void test_what_rounding_decides_is_no_difference(void **state)
{
    static const char market[] =
        "{\"schema_version\": 1, \"market\": {\"curves\": {\"USD\": 0.04}, \"assets\": {\"A\": "
        "{\"currency\": \"USD\", \"spot\": 100, \"volatility\": 0.2}}}, \"models\": {\"m\": "
        "{\"kind\": \"black_scholes\", \"assets\": [\"A\"]}}, \"trades\": [{\"id\": \"t\", "
        "\"underlying\": \"A\", \"exercise\": {\"expiry\": 1}, \"payoff\": {\"kind\": "
        "\"script\", \"script\": \"var x = 0; at expiry { x += 1.8 - %s; if x + %s >= %s { pay 1 } "
        "}\"}}]}";
    static const char *const limits[][2] = {{"1.8", "1.8"}, {"1.79", "1.81"}};
    (void)state;
    for (size_t i = 0; i < 2; ++i) {
        comparison c = {.paths_log2 = 11, .seed = 1};
        book.twin_on_same_paths = true;
        snprintf(book.text, sizeof book.text, market, "0.01 * level", "0.01 * level", limits[i][0]);
        snprintf(book.twin, sizeof book.twin, market, "level / 100", "level / 100", limits[i][1]);
        assert_int_equal(levy_context_create(NULL, &c.context), LEVY_STATUS_OK);
        pair_twin(&book, &c);
        assert_true(!c.refused && c.skipped == (i == 0) && (c.differences > 0) == (i == 1));
        comparison_forget();
        levy_context_destroy(c.context);
    }
}

static bool stops(void *user, choices *c)
{
    (void)user;
    scripts_write(c, &book);
    return strstr(book.text, "stop\\n") != NULL;
}

/* What has nothing to do with a difference leaves the book, of which two thirds are the market and
 * the settings. */
static void test_the_smallest_book_is_small(void **state)
{
    size_t tried = 0, small = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        write_seed(seed);
        if (!strstr(book.text, "stop\\n")) continue;
        choices_shrink(&made, stops, NULL, 2000);
        assert_true(stops(NULL, &made));
        ++tried;
        small += strlen(book.text) < 1200;
    }
    assert_true(tried >= 5 && small == tried);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_wrong_price_is_a_difference),
        cmocka_unit_test(test_what_rounding_decides_is_no_difference),
        cmocka_unit_test(test_the_smallest_book_is_small),
        cmocka_unit_test(test_scripts_of_a_fixed_seed)};
    if (argc > 1) return generated_run(&suite, argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
