/* test_generated_books.c: books that nobody wrote (tests/generated/books.h): kinds, terms, markets,
 * models and pasts, each priced in ways that must agree. Without arguments the seeds of CI; with
 * arguments any others (runner.h), behind the word "early" those with a trade that may be exercised
 * early. */
#include "tests/cmocka_all.h"

#include "tests/generated/book_pairs.h"
#include "tests/generated/book_quotes.h"
#include "tests/generated/books.h"
#include "tests/generated/runner.h"

#include <stdio.h>
#include <string.h>

static const generated_pair pairs[] = {{"integrated", pair_integrated, 1},
                                       {"script", pair_script, 1},
                                       {"units", pair_units, 1},
                                       {"sums", pair_sums, 1},
                                       {"construction", pair_construction, 2},
                                       {"quote", pair_quote, 1},
                                       {"moved", pair_moved, 3},
                                       {"renewed", pair_renewed, 3},
                                       {"alone", pair_alone, 2},
                                       {"price", pair_price_alone, 2},
                                       {"netted", pair_netted, 1},
                                       {"reported", pair_reported, 2},
                                       {"split", pair_split, 2},
                                       {"yaml", pair_yaml, 3},
                                       {"threads", pair_threads, 3},
                                       {"staged", pair_staged, 3},
                                       {"steps", pair_steps, 3},
                                       {"points", pair_points, 3},
                                       {"parts", pair_parts, 3},
                                       {"sets", pair_sets, 3},
                                       {"journal", pair_journal, 3},
                                       {"lattice", pair_lattice, 1}};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/* No trade is exercised early, so that a lattice, the last pair, has nothing to price. */
static const generated_suite suite = {.write = books_write,
                                      .pairs = pairs,
                                      .n_pairs = PAIRS - 1,
                                      .seed = 1,
                                      .count = LEVY_SANITIZED ? 5 : 32,
                                      .paths_log2 = 13};

/* Of which one trade may be exercised early. */
static const generated_suite early = {.write = books_write_early,
                                      .pairs = pairs,
                                      .n_pairs = PAIRS,
                                      .seed = 1,
                                      .count = LEVY_SANITIZED ? 2 : 6,
                                      .paths_log2 = 13};

static void test_books_of_a_fixed_seed(void **state)
{
    (void)state;
    assert_int_equal(generated_compare(&suite, suite.seed, suite.count, NULL, true), 0);
}

static void test_books_exercised_early(void **state)
{
    (void)state;
    assert_int_equal(generated_compare(&early, early.seed, early.count, NULL, true), 0);
    assert_int_equal(generated_compare(&early, 100, LEVY_SANITIZED ? 8 : 64, "lattice", false), 0);
}

/* Books that once differed, beyond those seeds. */
static void test_books_that_differed(void **state)
{
    static const struct {
        uint64_t seed;
        const char *pair;
    } told[] = {{170001452, "quote"}, {170001944, "script"}};
    (void)state;
    for (size_t i = 0; i < sizeof told / sizeof *told; ++i)
        assert_int_equal(generated_compare(&suite, told[i].seed, 1, told[i].pair, false), 0);
    assert_int_equal(generated_compare(&early, 546, 1, "lattice", false), 0);
    assert_int_equal(generated_compare(&early, 414000006, 1, "lattice", false), 0);
    assert_int_equal(generated_compare(&early, 750000856, 1, "reported", false), 0);
}

static void test_every_kind_and_model_occurs(void **state)
{
    static const char *const names[] = {
#define LEVY_PAYOFF(name, NAME) #name,
#include "payoffs/payoffs.def"
#define LEVY_MODEL(name, NAME) #name,
#include "models/models.def"
    };
    enum { NAMES = sizeof names / sizeof *names, WRITTEN = 600 };
    static choices made;
    static generated_book book;
    size_t found[NAMES] = {0};
    (void)state;
    for (uint64_t seed = 1; seed <= WRITTEN; ++seed) {
        choices_from_seed(&made, seed);
        books_write(&made, &book);
        for (size_t i = 0; i < NAMES; ++i) {
            char kind[64];
            snprintf(kind, sizeof kind, "\"kind\": \"%s\"", names[i]);
            found[i] += strstr(book.text, kind) || strstr(book.twin, kind);
        }
    }
    for (size_t i = 0; i < NAMES; ++i)
        if (found[i] == 0) fail_msg("no %s in %d books", names[i], WRITTEN);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_kind_and_model_occurs),
                                       cmocka_unit_test(test_books_that_differed),
                                       cmocka_unit_test(test_books_of_a_fixed_seed),
                                       cmocka_unit_test(test_books_exercised_early)};
    if (argc > 1 && strcmp(argv[1], "early") == 0) return generated_run(&early, argc - 1, argv + 1);
    if (argc > 1) return generated_run(&suite, argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
