/* test_net_books.c: digital nets in books: Joe and Kuo's numbers from a file give Sobol's plans and
 * prices; padding, tolerance, explanations, kept books and studies. */
#include "tests/net_files.h"
#include "tests/kept_text.h"

#include <math.h>

static const char book_text[] =
    "schema_version: 1\n"
    "market:\n"
    "  curves: {USD: 0.03}\n"
    "  assets: {A: {currency: USD, spot: 100, volatility: 0.2}}\n"
    "models: {bs: {kind: black_scholes, assets: [A]}}\n"
    "trades:\n"
    "  - id: t\n"
    "    underlying: A\n"
    "    payoff: {kind: asian, option_type: call, strike: 100,\n"
    "             averaging: {method: arithmetic, observations: {count: 16}}}\n"
    "    exercise: {expiry: 1}\n"
    "simulation: {seed: 11, %s}\n";

static levy_book *load_book(const char *simulation)
{
    static char text[sizeof book_text + 256];
    levy_book *book;
    snprintf(text, sizeof text, book_text, simulation);
    const levy_source source = {"book.yaml", text, strlen(text), "."};
    const int status = levy_book_load(context, &source, 1, NULL, 0, &book);
    for (size_t i = 0; status && i < levy_diagnostic_count(context); ++i)
        print_error("%s\n", levy_diagnostic_get(context, i)->message);
    assert_int_equal(status, LEVY_STATUS_OK);
    return book;
}

typedef struct priced {
    double price, std_error;
    uint64_t plan_hash;
    uint32_t padding;
    char generator[32];
} priced;

static priced summary_of(levy_book *book)
{
    levy_results *results;
    const levy_price_options how = {.struct_size = sizeof how, .device = "cpu"};
    assert_int_equal(levy_price(book, &how, &results), LEVY_STATUS_OK);
    const levy_trade_result *const trade = levy_results_trade(results, 0);
    priced p = {.price = trade->price,
                .std_error = trade->std_error,
                .plan_hash = trade->plan_hash,
                .padding = trade->padding};
    snprintf(p.generator, sizeof p.generator, "%s", trade->generator);
    levy_results_destroy(results);
    return p;
}

static priced price_with(const char *simulation)
{
    levy_book *const book = load_book(simulation);
    const priced p = summary_of(book);
    levy_book_destroy(book);
    return p;
}

static void test_net_of_joe_and_kuo_prices_as_sobol(void **state)
{
    static const char *const pairs[][2] = {
        {"paths: 2^14, generator: sobol_scrambled",
         "paths: 2^14, generator: {kind: net, file: sobol.txt}"},
        {"paths: 2^12, generator: sobol",
         "paths: 2^12, generator: {kind: net, file: sobol.txt, scrambling: none}"},
        {"tolerance: {absolute: 0.05}", "tolerance: {absolute: 0.05}, generator: {kind: net, file: "
                                        "sobol.txt, scrambling: matrix}"}};
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
        const priced sobol = price_with(pairs[i][0]), net = price_with(pairs[i][1]);
        assert_int_equal(net.plan_hash, sobol.plan_hash);
        assert_memory_equal(&net.price, &sobol.price, sizeof net.price);
        assert_string_equal(net.generator, "net");
    }
    const priced shifted =
        price_with("paths: 2^14, generator: {kind: net, file: sobol.txt, scrambling: shift}");
    const priced sobol = price_with(pairs[0][0]);
    assert_true(shifted.plan_hash != sobol.plan_hash && shifted.price != sobol.price);
    assert_true(shifted.std_error > 0.0 &&
                fabs(shifted.price - sobol.price) < 5.0 * (shifted.std_error + sobol.std_error));
}

static void write_four(const char *last)
{
    FILE *const file = fopen("four.txt", "w");
    assert_non_null(file);
    assert_true(fprintf(file, "d s a m_i\n2 1 0 1\n3 2 1 1 3\n4 3 1 %s\n", last) > 0);
    assert_int_equal(fclose(file), 0);
}

/* Four dimensions are the net's, twelve are padded; the text is part of the plan's hash. */
static void test_net_pads_and_is_hashed(void **state)
{
    static const char simulation[] = "paths: 2^14, generator: {kind: net, file: four.txt}";
    (void)state;
    write_four("1 3 1");
    const priced four = price_with(simulation),
                 sobol = price_with("paths: 2^14, generator: sobol_scrambled");
    assert_int_equal(four.padding, 12);
    assert_int_equal(sobol.padding, 0);
    assert_true(fabs(four.price - sobol.price) < 5.0 * (four.std_error + sobol.std_error));
    write_four("1 1 7");
    const priced other = price_with(simulation);
    assert_true(other.plan_hash != four.plan_hash && other.price != four.price);
}

/* 16 replicates of a net of 2^8 points, or as many as max_paths allows. */
static void test_a_tolerance_takes_all_points_of_a_net(void **state)
{
    static const struct {
        const char *max_paths;
        uint64_t paths;
    } cases[] = {{"2^20", 1 << 12}, {"2^12", 1 << 12}, {"4095", 1 << 11}, {"2^11", 1 << 11}};
    const levy_price_options how = {.struct_size = sizeof how, .device = "cpu"};
    FILE *const file = fopen("four.txt", "w");
    assert_non_null(file);
    assert_true(fputs("1\n8\n8\n128 64 32 16 8 4 2 1\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char simulation[192];
        levy_results *results;
        snprintf(simulation, sizeof simulation,
                 "paths: 2^8, replicates: 16, generator: {kind: net, file: four.txt}, "
                 "tolerance: {relative: 1e-9, max_paths: %s}",
                 cases[i].max_paths);
        levy_book *const book = load_book(simulation);
        assert_int_equal(levy_price(book, &how, &results), LEVY_STATUS_TOLERANCE);
        assert_int_equal(levy_results_trade(results, 0)->paths, cases[i].paths);
        levy_results_destroy(results);
        levy_book_destroy(book);
    }
}

static void test_net_is_explained(void **state)
{
    static kept_text e;
    const levy_price_options how = {.struct_size = sizeof how, .device = "cpu"};
    (void)state;
    write_four("1 3 1");
    levy_book *const book =
        load_book("paths: 2^14, generator: {kind: net, file: four.txt, scrambling: shift}");
    assert_int_equal(levy_book_explain(book, &how, text_write, &e), LEVY_STATUS_OK);
    levy_book_destroy(book);
    assert_non_null(strstr(e.bytes, "generator net 'four.txt' (4 dimensions, 2^32 points, digital "
                                    "shift), construction bridge"));
    assert_non_null(strstr(e.bytes, "12 dimensions beyond the net, the least important, padded"));
}

/* A re-quoted book keeps its net; a kept book takes the net's text, and opens no file. */
static void test_net_stays_with_its_book(void **state)
{
    static const char simulation[] = "paths: 2^12, generator: {kind: net, file: four.txt}";
    levy_context *keeping;
    levy_book *kept;
    (void)state;
    write_four("1 3 1");
    const levy_context_options options = {.struct_size = sizeof options, .keep_texts = 1};
    assert_int_equal(levy_context_create(&options, &keeping), LEVY_STATUS_OK);
    levy_context *const own = context;
    context = keeping;
    levy_book *const book = load_book(simulation);
    const priced first = summary_of(book);
    assert_int_equal(levy_book_set(book, "A.spot", 110.0), LEVY_STATUS_OK);
    assert_true(summary_of(book).price > first.price);
    assert_int_equal(levy_book_set(book, "A.spot", 100.0), LEVY_STATUS_OK);
    assert_int_equal(summary_of(book).plan_hash, first.plan_hash);
    assert_string_equal(levy_book_reference(book, 0)->name, "four.txt");
    assert_int_equal(unlink("four.txt"), 0);
    assert_int_equal(levy_book_load_kept(keeping, levy_book_source(book, 0), 1,
                                         levy_book_reference(book, 0), 1, NULL, 0, &kept),
                     LEVY_STATUS_OK);
    assert_int_equal(summary_of(kept).plan_hash, first.plan_hash);
    levy_book_destroy(kept);
    levy_book_destroy(book);
    context = own;
    levy_context_destroy(keeping);
}

/* A study of the net's method needs a net, and as many points. */
static void test_net_can_be_studied(void **state)
{
    levy_study *study;
    (void)state;
    levy_book *book = load_book("generator: {kind: net, file: sobol.txt}");
    levy_study_options options = {.struct_size = sizeof options,
                                  .methods = "net+bridge,sobol_scrambled+bridge",
                                  .points = "2^6..2^8"};
    const levy_price_options how = {.struct_size = sizeof how, .device = "cpu"};
    assert_int_equal(levy_converge(book, &options, &how, &study), LEVY_STATUS_OK);
    const levy_convergence *const c = levy_study_convergence(study);
    assert_int_equal(c->n_methods, 2);
    assert_true(levy_convergence_at(c, 0)->slope == levy_convergence_at(c, 1)->slope);
    levy_study_destroy(study);
    levy_book_destroy(book);
    book = load_book("generator: sobol");
    assert_int_equal(levy_converge(book, &options, &how, &study), LEVY_STATUS_ARGUMENT);
    assert_string_equal(levy_diagnostic_get(context, 0)->message, "the book names no net");
    levy_book_destroy(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_net_of_joe_and_kuo_prices_as_sobol),
        cmocka_unit_test(test_net_pads_and_is_hashed),
        cmocka_unit_test(test_a_tolerance_takes_all_points_of_a_net),
        cmocka_unit_test(test_net_is_explained),
        cmocka_unit_test(test_net_stays_with_its_book),
        cmocka_unit_test(test_net_can_be_studied),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
