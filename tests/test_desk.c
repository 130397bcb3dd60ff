/* test_desk.c: thirty trades of a desk in three currencies (tests/desk/desk.yaml) through the
 * public interface. Every price and Greek, also of sums, against tests/desk/oracle.py's: |levy -
 * oracle| <= 4 standard errors of both together. Of each replicate the sum in the report's currency
 * against the sum of its parts, to the bit. */
#include "engine/document/document.h"
#include "engine/base/number.h"
#include "tests/book_files.h"

#include <stdlib.h>

#define DESK LEVY_SOURCE_DIR "/tests/desk/"
enum { DESK_TEXT = 1 << 18, DESK_REPLICATES = 16 };

static levy_results *desk_price(const levy_setting *settings, size_t n)
{
    const char *const path = DESK "desk.yaml";
    const levy_price_options options = {
        .struct_size = sizeof options, .device = "cpu", .threads = 1};
    levy_book *book;
    levy_results *results;
    if (levy_book_load_files(context, &path, 1, settings, n, &book) != LEVY_STATUS_OK)
        fail_msg("%s", levy_diagnostic_get(context, 0)->text);
    assert_int_equal(levy_price(book, &options, &results), LEVY_STATUS_OK);
    levy_book_destroy(book);
    return results;
}

/* All trades in euros. */
static const levy_netted *desk_sum(const levy_results *r)
{
    const levy_netted *sum = NULL;
    for (size_t i = 0; (sum = levy_results_netted(r, i)) != NULL && !sum->translated;) ++i;
    assert_non_null(sum);
    return sum;
}

static const levy_measure *desk_among(const levy_measure *of, size_t n, const char *measure,
                                      const char *factor)
{
    for (size_t m = 0; m < n; ++m)
        if (strcmp(of[m].measure, measure) == 0 && strcmp(of[m].factor, factor) == 0) return &of[m];
    return NULL;
}

/* ---- Against the oracle ---- */

typedef struct desk_row {
    const char *trade, *measure, *factor;
    double value, error;
} desk_row;

/* The measures of a trade, or of the sum. */
static const levy_measure *desk_measures(const levy_results *r, const char *trade, size_t *n)
{
    for (size_t t = 0; t < levy_results_size(r); ++t) {
        const levy_trade_result *const one = levy_results_trade(r, t);
        if (strcmp(one->id, trade) == 0) return *n = one->n_measures, one->measures;
    }
    assert_string_equal(trade, "book in EUR");
    return *n = desk_sum(r)->n_measures, desk_sum(r)->measures;
}

static double desk_number(const levy_node *row, const char *key)
{
    const levy_node *const node = levy_node_find(row, key);
    double value = NAN;
    assert_int_equal(levy_number_read(node->text, node->length, &value), LEVY_NUMBER_OK);
    return value;
}

/* What levy does not report must be 0 by the oracle. */
static bool desk_agrees(const levy_results *r, const desk_row *row, double *most)
{
    static const levy_measure nothing = {.value = 0.0};
    size_t n;
    const levy_measure *const of = desk_measures(r, row->trade, &n);
    const levy_measure *const found = desk_among(of, n, row->measure, row->factor);
    const levy_measure *const m = found ? found : &nothing;
    const double off = fabs(m->value - row->value), error = hypot(m->std_error, row->error);
    if (off <= 4.0 * error + 1e-8 * fabs(row->value)) {
        if (row->error > 0.0 && off > *most * error) *most = off / error;
        return true;
    }
    print_message("%s %s %s: %.10g +- %.3g, oracle %.10g +- %.3g\n", row->trade, row->measure,
                  row->factor, m->value, m->std_error, row->value, row->error);
    return false;
}

/* Every number that is not 0 has a row, and none is in doubt. */
static size_t desk_rows_of(const levy_measure *of, size_t n)
{
    size_t rows = 0;
    for (size_t m = 0; m < n; ++m) rows += fabs(of[m].value) > 0.0;
    for (size_t m = 0; m < n; ++m)
        if (of[m].flagged) fail_msg("%s %s: %s", of[m].measure, of[m].factor, of[m].note);
    return rows;
}

static size_t desk_count(const levy_results *r)
{
    size_t rows = desk_rows_of(desk_sum(r)->measures, desk_sum(r)->n_measures);
    for (size_t t = 0; t < levy_results_size(r); ++t)
        rows +=
            desk_rows_of(levy_results_trade(r, t)->measures, levy_results_trade(r, t)->n_measures);
    return rows;
}

static bool desk_has(const levy_results *r, const desk_row *row)
{
    size_t n;
    const levy_measure *const of = desk_measures(r, row->trade, &n);
    const levy_measure *const m = desk_among(of, n, row->measure, row->factor);
    return m && fabs(m->value) > 0.0;
}

static void test_prices_and_greeks_are_those_of_a_simulation(void **state)
{
    static char text[DESK_TEXT];
    const levy_setting fewer = {"simulation.paths", "2^13"};
    levy_results *const r = desk_price(&fewer, 1);
    FILE *const file = fopen(DESK "prices.yaml", "rb");
    levy_arena arena;
    levy_fault_list faults;
    levy_document document = {0};
    size_t wrong = 0, compared = 0, reported = 0;
    double most = 0.0;
    (void)state;
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text, file);
    assert_true(length < sizeof text);
    fclose(file);
    levy_arena_init(&arena, NULL);
    levy_fault_list_init(&faults, NULL);
    assert_int_equal(
        levy_document_read("prices", 0, text, length, NULL, &arena, &faults, &document), LEVY_OK);
    const levy_node *const rows = levy_node_find(document.roots[0], "rows");
    for (const levy_node *at = rows->children; at; at = at->next, ++compared) {
        const desk_row row = {levy_node_find(at, "trade")->text,
                              levy_node_find(at, "measure")->text,
                              levy_node_find(at, "factor")->text, desk_number(at, "value"),
                              desk_number(at, "standard_error")};
        wrong += !desk_agrees(r, &row, &most);
        reported += desk_has(r, &row);
    }
    print_message("%zu rows, %zu of which levy reports; %.2f errors at most\n", compared, reported,
                  most);
    assert_int_equal(wrong, 0);
    assert_int_equal(reported, desk_count(r));
    assert_true(reported > 350);
    levy_fault_list_release(&faults);
    levy_arena_release(&arena);
    levy_results_destroy(r);
}

/* ---- The sum and its parts ---- */

/* A sum whose errors are summed, too, and their errors. */
typedef struct desk_total {
    double sum, error, rest;
} desk_total;

static double desk_two(double a, double b, double *error)
{
    const double sum = a + b, part = sum - a;
    *error = (a - (sum - part)) + (b - part);
    return sum;
}

static void desk_plus(desk_total *to, double x)
{
    double error, rest;
    to->sum = desk_two(to->sum, x, &error);
    to->error = desk_two(to->error, error, &rest);
    to->rest += rest;
}

typedef struct desk_rate {
    const char *currency, *factor;
    double spot;
} desk_rate;

/* Of a trade's currency. */
static const desk_rate *desk_rate_of(const levy_trade_result *trade)
{
    static const desk_rate rates[] = {
        {"EUR", "", 1.0}, {"USD", "EURUSD.spot", 1.16}, {"JPY", "EURJPY.spot", 181.0}};
    size_t k = 0;
    while (strcmp(rates[k].currency, trade->currency) != 0) ++k;
    return &rates[k];
}

/* Trades in the order of the book, each times what its currency is worth; by a rate of exchange the
 * worth moves, too. */
static double desk_parts(const levy_results *r, const levy_measure *of)
{
    desk_total total = {0};
    for (size_t t = 0; t < levy_results_size(r); ++t) {
        const levy_trade_result *const trade = levy_results_trade(r, t);
        const desk_rate *const rate = desk_rate_of(trade);
        const double worth = 1.0 / rate->spot;
        const levy_measure *const own =
            desk_among(trade->measures, trade->n_measures, of->measure, of->factor);
        if (t + 1 < levy_results_size(r) && levy_results_trade(r, t + 1)->leg_of && !trade->leg_of)
            continue; /* its legs are added */
        if (own) desk_plus(&total, own->value * worth);
        if (strcmp(of->measure, "delta") == 0 && strcmp(of->factor, rate->factor) == 0)
            desk_plus(&total, trade->price * (-worth / rate->spot));
    }
    return total.sum + (total.error + total.rest);
}

/* A book of one replicate is that replicate; its seeds are those of others. */
static void test_sums_are_those_of_their_parts_in_each_replicate(void **state)
{
    size_t compared = 0;
    (void)state;
    for (int seed = 1; seed <= DESK_REPLICATES; ++seed) {
        char number[8];
        snprintf(number, sizeof number, "%d", seed);
        const levy_setting one[] = {{"simulation.replicates", "1"},
                                    {"simulation.paths", "2^8"},
                                    {"simulation.seed", number}};
        levy_results *const r = desk_price(one, 3);
        const levy_netted *const sum = desk_sum(r);
        assert_int_equal(sum->trades, 30);
        for (size_t m = 0; m < sum->n_measures; ++m, ++compared) {
            const levy_measure *const it = &sum->measures[m];
            const double parts = desk_parts(r, it);
            if (memcmp(&it->value, &parts, sizeof parts) != 0)
                fail_msg("seed %d, %s %s: %a, its parts are %a", seed, it->measure, it->factor,
                         it->value, parts);
        }
        levy_results_destroy(r);
    }
    assert_int_equal(compared, 25 * DESK_REPLICATES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prices_and_greeks_are_those_of_a_simulation),
        cmocka_unit_test(test_sums_are_those_of_their_parts_in_each_replicate)};
    return cmocka_run_group_tests_name("desk", tests, open_context, close_context);
}
