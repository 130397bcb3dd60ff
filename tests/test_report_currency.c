/* test_report_currency.c: sums in the report's currency, through the public interface: against the
 * trades by the product's rule, against the book at other spots, in scenarios, by replicate, and as
 * all formats show them. */
#include "tests/cmocka_all.h"

#include "tests/context_fixture.h"
#include "tests/grown_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BOOKS LEVY_SOURCE_DIR "/tests/books/report_currency/"

static levy_book *load(const char *path, const levy_setting *settings, size_t n)
{
    levy_book *book;
    if (levy_book_load_files(context, &path, 1, settings, n, &book) != LEVY_STATUS_OK)
        fail_msg("%s: %s", path, levy_diagnostic_get(context, 0)->text);
    return book;
}

static levy_results *price(levy_book *book)
{
    const levy_price_options options = {
        .struct_size = sizeof options, .device = "cpu", .by = "book"};
    levy_results *results;
    assert_int_equal(levy_price(book, &options, &results), LEVY_STATUS_OK);
    return results;
}

static levy_results *price_once(const char *path, const levy_setting *settings, size_t n)
{
    levy_book *const book = load(path, settings, n);
    levy_results *const results = price(book);
    levy_book_destroy(book);
    return results;
}

/* The sum of all trades, or (`label`) of those of a book. */
static const levy_netted *sum_of(const levy_results *r, const char *label, bool translated)
{
    const levy_netted *sum;
    for (size_t i = 0; (sum = levy_results_netted(r, i)) != NULL; ++i)
        if (sum->translated == translated &&
            (label ? sum->label && !strcmp(sum->label, label) : !sum->key))
            return sum;
    return NULL;
}

static const levy_measure *among(const levy_measure *measures, size_t n, const char *measure,
                                 const char *factor)
{
    for (size_t i = 0; i < n; ++i)
        if (!strcmp(measures[i].measure, measure) && !strcmp(measures[i].factor, factor))
            return &measures[i];
    return NULL;
}

static double sum_value(const levy_netted *sum, const char *measure, const char *factor)
{
    const levy_measure *const found = among(sum->measures, sum->n_measures, measure, factor);
    if (!found) fail_msg("the sum has no %s %s", measure, factor);
    return found->value;
}

/* Of a trade; 0 where it does not have it. */
static double value_of(const levy_trade_result *trade, const char *measure, const char *factor)
{
    const levy_measure *const found = among(trade->measures, trade->n_measures, measure, factor);
    return found ? found->value : 0.0;
}

/* What a unit of a trade's currency is worth in euros, at these spots. */
static double worth(const levy_trade_result *trade, double eurusd, double gbpeur)
{
    if (!strcmp(trade->currency, "USD")) return 1.0 / eurusd;
    return !strcmp(trade->currency, "GBP") ? gbpeur : 1.0;
}

/* The total of a measure over the trades of a book (NULL: of all), each translated. */
static double total(const levy_results *r, const char *label, const char *measure,
                    const char *factor, double eurusd, double gbpeur)
{
    double sum = 0.0;
    for (size_t t = 0; t < levy_results_size(r); ++t) {
        const levy_trade_result *const trade = levy_results_trade(r, t);
        if (!label || !strcmp(trade->book, label))
            sum += worth(trade, eurusd, gbpeur) * value_of(trade, measure, factor);
    }
    return sum;
}

/* The same of the trades in one currency, as they are. */
static double of_currency(const levy_results *r, const char *currency, const char *measure,
                          const char *factor)
{
    double sum = 0.0;
    for (size_t t = 0; t < levy_results_size(r); ++t)
        if (!strcmp(levy_results_trade(r, t)->currency, currency))
            sum += value_of(levy_results_trade(r, t), measure, factor);
    return sum;
}

static void assert_near(double value, double other, double tolerance)
{
    if (!(fabs(value - other) <= tolerance)) fail_msg("%.17g, not %.17g", value, other);
}

static void test_sums_have_the_product_rule(void **state)
{
    (void)state;
    const double x = 1.16;
    levy_results *const r = price_once(BOOKS "book.yaml", NULL, 0);
    const levy_netted *const all = sum_of(r, NULL, true);
    assert_string_equal(all->currency, "EUR");
    assert_int_equal(all->trades, 6);
    assert_near(all->value, total(r, NULL, "price", "", x, 1.15), 1e-12);
    assert_near(sum_of(r, "x", true)->value, total(r, "x", "price", "", x, 1.15), 1e-12);
    assert_near(sum_value(all, "vega", "A.volatility"),
                total(r, NULL, "vega", "A.volatility", x, 1.15), 1e-11);
    const double dollars = of_currency(r, "USD", "price", ""),
                 slope = of_currency(r, "USD", "delta", "EURUSD.spot"),
                 bend = of_currency(r, "USD", "gamma", "EURUSD.spot");
    assert_near(sum_value(all, "delta", "EURUSD.spot"), slope / x - dollars / (x * x), 1e-11);
    assert_near(sum_value(all, "gamma", "EURUSD.spot"),
                bend / x - 2.0 * slope / (x * x) + 2.0 * dollars / (x * x * x), 1e-10);
    assert_near(sum_value(all, "vanna", "EURUSD.spot,EURUSD.volatility"),
                of_currency(r, "USD", "vanna", "EURUSD.spot,EURUSD.volatility") / x -
                    of_currency(r, "USD", "vega", "EURUSD.volatility") / (x * x),
                1e-10);
    assert_near(sum_value(all, "cross_gamma", "A.spot,EURUSD.spot"),
                of_currency(r, "USD", "cross_gamma", "A.spot,EURUSD.spot") / x -
                    of_currency(r, "USD", "delta", "A.spot") / (x * x),
                1e-11);
    assert_near(sum_value(all, "delta", "GBPEUR.spot"), of_currency(r, "GBP", "price", ""), 1e-12);
    assert_near(sum_value(all, "cross_gamma", "G.spot,GBPEUR.spot"),
                of_currency(r, "GBP", "delta", "G.spot"), 1e-12);
    levy_results_destroy(r);
}

/* A book at other spots is worth what the Greeks by the rate say. */
static void test_moved_spots_agree(void **state)
{
    (void)state;
    levy_book *const book = load(BOOKS "book.yaml", NULL, 0);
    levy_results *const r = price(book);
    const double h = 1e-4, x = 1.16;
    double values[2];
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(levy_book_set(book, "EURUSD.spot", i ? x - h : x + h), LEVY_STATUS_OK);
        levy_results *const moved = price(book);
        values[i] = sum_of(moved, NULL, true)->value;
        levy_results_destroy(moved);
    }
    const double delta = sum_value(sum_of(r, NULL, true), "delta", "EURUSD.spot");
    assert_near((values[0] - values[1]) / (2.0 * h), delta, 1e-3 * fabs(delta));
    levy_results_destroy(r);
    levy_book_destroy(book);
}

/* A scenario translates at its own spot, as the book with that quote does. */
static void test_scenarios_move_the_rate(void **state)
{
    (void)state;
    levy_book *const book = load(BOOKS "book.yaml", NULL, 0);
    levy_results *const r = price(book);
    assert_int_equal(levy_book_set(book, "EURUSD.spot", 1.16 - 0.05), LEVY_STATUS_OK);
    assert_int_equal(levy_book_set(book, "A.spot", 107.0), LEVY_STATUS_OK);
    levy_results *const moved = price(book);
    const char *const labels[] = {NULL, "x", "y"};
    for (size_t i = 0; i < 3; ++i) {
        const levy_netted *const sum = sum_of(r, labels[i], true);
        const double there = sum_of(moved, labels[i], true)->value,
                     own = total(r, labels[i], "scenario_price", "both", 1.11, 1.15);
        assert_near(sum_value(sum, "scenario_price", "both"), own, 1e-13 * fabs(own));
        assert_near(sum_value(sum, "scenario_pnl", "both"), own - sum->value, 1e-12 * fabs(own));
        assert_near(own, there, 1e-6 * fabs(own));
    }
    const levy_netted *const all = sum_of(r, NULL, true);
    const levy_measure *const none = among(all->measures, all->n_measures, "scenario_pnl", "none");
    assert_true(isnan(none->value));
    assert_string_equal(none->note, "no value: 2 of 6 trades have none");
    levy_results_destroy(r);
    levy_results_destroy(moved);
    levy_book_destroy(book);
}

/* At a power of two nothing is rounded, so that errors and bounds are those of the trades'. */
static void test_a_rate_of_two_is_exact(void **state)
{
    (void)state;
    levy_book *const book = load(BOOKS "book.yaml", NULL, 0);
    assert_int_equal(levy_book_set(book, "EURUSD.spot", 0.25), LEVY_STATUS_OK);
    assert_int_equal(levy_book_set(book, "GBPEUR.spot", 2.0), LEVY_STATUS_OK);
    levy_results *const r = price(book);
    const levy_netted *sum;
    size_t n = 0;
    for (size_t i = 0; (sum = levy_results_netted(r, i)) != NULL; ++i) {
        const levy_netted *other = NULL;
        if (sum->translated || !sum->key || !strcmp(sum->label, "y")) continue;
        const double f = !strcmp(sum->currency, "USD") ? 4.0 : 2.0;
        const char *const factors[] = {"A.volatility", "G.volatility"};
        for (size_t k = 0; k < 2; ++k) {
            const levy_measure *const a = among(sum->measures, sum->n_measures, "vega", factors[k]);
            other = sum_of(r, "x", true);
            const levy_measure *const b =
                among(other->measures, other->n_measures, "vega", factors[k]);
            if (!a || (f == 2.0) != (k == 1)) continue;
            assert_true(f * a->value == b->value && f * a->std_error == b->std_error);
            assert_true(f * a->ci_low == b->ci_low && f * a->ci_high == b->ci_high);
            ++n;
        }
    }
    assert_int_equal(n, 2);
    levy_results_destroy(r);
    levy_book_destroy(book);
}

/* `--set` names it, too, and a book in one currency is that sum. */
static void test_a_setting_names_it(void **state)
{
    (void)state;
    const levy_setting set[] = {{"report_currency", "USD"}};
    levy_results *const r = price_once(LEVY_SOURCE_DIR "/configs/european.yaml", set, 1);
    const levy_netted *const own = sum_of(r, NULL, false), *const all = sum_of(r, NULL, true);
    assert_non_null(all);
    assert_int_equal(own->n_measures, all->n_measures);
    assert_true(own->value == all->value && own->std_error == all->std_error);
    levy_results_destroy(r);
    const levy_setting wrong[] = {{"report_currency", "usd"}};
    const char *const path = LEVY_SOURCE_DIR "/configs/european.yaml";
    levy_book *book = NULL;
    assert_int_equal(levy_book_load_files(context, &path, 1, wrong, 1, &book), LEVY_STATUS_INPUT);
    assert_non_null(strstr(levy_diagnostic_get(context, 0)->text, "--set"));
}

static void test_formats_show_it(void **state)
{
    (void)state;
    static const struct {
        int format;
        const char *text;
    } formats[] = {{LEVY_FORMAT_TABLE, "netted in EUR, 6 trades"},
                   {LEVY_FORMAT_TABLE, "book x in EUR, 3 trades"},
                   {LEVY_FORMAT_JSON, "\"translated\": true"},
                   {LEVY_FORMAT_HTML, "all in EUR"}};
    levy_results *const r = price_once(BOOKS "book.yaml", NULL, 0);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i) {
        const levy_report_options options = {.struct_size = sizeof options,
                                             .format = formats[i].format};
        grown_text text = {0};
        assert_int_equal(levy_results_report(r, &options, text_grow, &text), LEVY_STATUS_OK);
        if (!strstr(text.bytes, formats[i].text))
            fail_msg("no \"%s\" in %s", formats[i].text, text.bytes + text.length - 800);
        free(text.bytes);
    }
    levy_results_destroy(r);
}

/* The page has the rates, and how assets move with them, once each. */
static void test_pages_have_the_rates(void **state)
{
    (void)state;
    static const char *const texts[] = {"USD per EUR", "Correlations with exchange rates",
                                        "Correlations of equity in EUR"};
    const levy_context_options keeps = {.struct_size = sizeof keeps, .keep_texts = 1};
    levy_context *const usual = context;
    assert_int_equal(levy_context_create(&keeps, &context), LEVY_STATUS_OK);
    levy_results *const r = price_once(LEVY_SOURCE_DIR "/configs/currencies.yaml", NULL, 0);
    const levy_report_options options = {.struct_size = sizeof options, .format = LEVY_FORMAT_HTML};
    grown_text text = {0};
    assert_int_equal(levy_results_report(r, &options, text_grow, &text), LEVY_STATUS_OK);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        assert_non_null(strstr(text.bytes, texts[i]));
    free(text.bytes);
    levy_results_destroy(r);
    levy_context_destroy(context);
    context = usual;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_have_the_product_rule),
        cmocka_unit_test(test_moved_spots_agree),
        cmocka_unit_test(test_scenarios_move_the_rate),
        cmocka_unit_test(test_a_rate_of_two_is_exact),
        cmocka_unit_test(test_a_setting_names_it),
        cmocka_unit_test(test_formats_show_it),
        cmocka_unit_test(test_pages_have_the_rates),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
