/* test_outputs.c: reports are what their schema says, for every example; columns of CSV and of
 * arrays are those that are chosen; a table keeps to the width of a line. */
#include "tests/json_schema.h"
#include "tests/priced.h"
#include "tests/grown_text.h"
#include "tests/files.h"

#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const levy_setting few[] = {{"simulation.paths", "2^8"}};

/* False: the file is no book, or has no trade that is priced with so few paths. */
static bool price_file(const char *path, const levy_setting *settings, size_t n, priced *r)
{
    const levy_price_options options = {
        .struct_size = sizeof options, .device = "cpu", .threads = 1, .by = "underlying,book"};
    *r = (priced){.context = NULL};
    assert_int_equal(levy_context_create(NULL, &r->context), LEVY_STATUS_OK);
    const int status = levy_book_load_files(r->context, &path, 1, settings, n, &r->book);
    if (status != LEVY_STATUS_OK) return false;
    const int done = levy_price(r->book, &options, &r->results);
    assert_true(done == LEVY_STATUS_OK || done == LEVY_STATUS_TOLERANCE);
    return true;
}

static char *report_rows(const priced *r, int format, const char *columns, bool wide, bool sums,
                         uint32_t width, size_t *length)
{
    grown_text k = {0};
    const levy_report_options options = {.struct_size = sizeof options,
                                         .format = format,
                                         .columns = columns,
                                         .wide = wide,
                                         .width = width,
                                         .sums = sums};
    assert_int_equal(levy_results_report(r->results, &options, text_grow, &k), LEVY_STATUS_OK);
    if (length) *length = k.length;
    return k.bytes;
}

static char *report(const priced *r, int format, const char *columns, bool wide, uint32_t width,
                    size_t *length)
{
    return report_rows(r, format, columns, wide, false, width, length);
}

/* ---- Schemas ---- */

static json_t *schema_of(int format)
{
    grown_text k = {0};
    json_error_t error;
    assert_int_equal(levy_report_schema(format, text_grow, &k), LEVY_STATUS_OK);
    json_t *const schema = json_loads(k.bytes, JSON_REJECT_DUPLICATES, &error);
    if (!schema) fail_msg("line %d: %s", error.line, error.text);
    free(k.bytes);
    return schema;
}

static void check_valid(const json_t *schema, const char *text, const char *name)
{
    char why[1024];
    json_error_t error;
    json_t *const value = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!value) fail_msg("%s: line %d: %s", name, error.line, error.text);
    if (!json_schema_valid(schema, value, why, sizeof why)) fail_msg("%s: %s", name, why);
    json_decref(value);
}

/* The cell of a row of CSV, whose cells are not quoted. */
static double csv_number(const char *text, size_t row, size_t column)
{
    for (; row > 0; --row) text = strchr(text, '\n') + 1;
    for (; column > 0; --column) text = strchr(text, ',') + 1;
    return *text == ',' || *text == '\r' ? NAN : strtod(text, NULL);
}

/* Whether a trade has legs in several currencies: its row is in one of them. */
static bool has_legs_abroad(const levy_results *r)
{
    const char *currency = "";
    bool has = false;
    for (size_t t = 0; t < levy_results_size(r); ++t) {
        const levy_trade_result *const it = levy_results_trade(r, t);
        if (!it->leg_of) currency = it->currency;
        has = has || strcmp(it->currency, currency) != 0;
    }
    return has;
}

/* What a spreadsheet makes of the rows "...,price,currency": each currency's column adds up to its
 * netted value, whatever else stands in the book. Returns how many currencies there are. */
static size_t check_adds_up(const priced *r, const char *columns, const char *name)
{
    const levy_netted *sum;
    size_t currencies = 0;
    char *const text = report(r, LEVY_FORMAT_CSV, columns, false, 0, NULL);
    for (; (sum = levy_results_netted(r->results, currencies)) != NULL && !sum->key; ++currencies) {
        double total = 0.0, size = 0.0;
        if (sum->trades == 0 || sum->translated || has_legs_abroad(r->results)) continue;
        for (char *row = strchr(text, '\n') + 1; *row; row = strchr(row, '\n') + 1) {
            const char *const end = strchr(row, '\r'), *price = row;
            if (memcmp(end - 3, sum->currency, 3) != 0) continue;
            while (memchr(price, ',', (size_t)(end - 4 - price)))
                price = (const char *)memchr(price, ',', (size_t)(end - 4 - price)) + 1;
            total += *price == ',' ? 0.0 : strtod(price, NULL);
            size += fabs(strtod(price, NULL));
        }
        if (fabs(total - sum->value) > 1e-12 * size)
            fail_msg("%s, %s: %.17g is not %.17g", name, sum->currency, total, sum->value);
    }
    free(text);
    return currencies;
}

static void check_reports(const priced *r, const json_t *whole, const json_t *line,
                          const char *name)
{
    char *const json = report(r, LEVY_FORMAT_JSON, NULL, false, 0, NULL),
                *const lines = report(r, LEVY_FORMAT_JSONL, NULL, false, 0, NULL), *rest = NULL;
    check_valid(whole, json, name);
    for (char *at = strtok_r(lines, "\n", &rest); at; at = strtok_r(NULL, "\n", &rest))
        check_valid(line, at, name);
    (void)check_adds_up(r, "id,payoff,price,currency", name);
    free(lines);
    free(json);
}

static size_t check_folder(const char *folder, const json_t *whole, const json_t *line)
{
    DIR *const walk = opendir(folder);
    struct dirent *entry;
    size_t books = 0;
    assert_non_null(walk);
    while ((entry = readdir(walk)) != NULL) {
        char path[512];
        priced r;
        const char *const ending = strrchr(entry->d_name, '.');
        if (!ending || strcmp(ending, ".yaml") != 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (price_file(path, few, 1, &r) || (release(&r), price_file(path, NULL, 0, &r))) {
            check_reports(&r, whole, line, entry->d_name);
            ++books;
        }
        release(&r);
    }
    closedir(walk);
    return books;
}

static void test_reports_of_all_examples_are_what_the_schema_says(void **state)
{
    (void)state;
    json_t *const whole = schema_of(LEVY_FORMAT_JSON), *const line = schema_of(LEVY_FORMAT_JSONL);
    assert_true(check_folder("configs", whole, line) >= 30);
    assert_true(check_folder("configs/payoffs", whole, line) >= 20);
    assert_int_equal(levy_report_schema(LEVY_FORMAT_CSV, text_grow, NULL), LEVY_STATUS_ARGUMENT);
    json_decref(whole);
    json_decref(line);
}

/* What the schema forbids is seen: otherwise the test above says nothing. */
static void test_the_schema_sees_what_is_wrong(void **state)
{
    (void)state;
    char why[1024];
    priced r;
    json_t *const schema = schema_of(LEVY_FORMAT_JSON);
    assert_true(price_file("configs/scenarios.yaml", few, 1, &r));
    char *const text = report(&r, LEVY_FORMAT_JSON, NULL, false, 0, NULL);
    json_t *const value = json_loads(text, 0, NULL);
    json_t *const trade = json_array_get(json_object_get(value, "results"), 0);
    assert_true(json_schema_valid(schema, value, why, sizeof why));
    json_object_set_new(trade, "more", json_integer(1));
    assert_false(json_schema_valid(schema, value, why, sizeof why));
    assert_string_equal(why, "report.results[0].more: is not described");
    json_object_del(trade, "more");
    json_object_set_new(trade, "price", json_string("1"));
    assert_false(json_schema_valid(schema, value, why, sizeof why));
    assert_string_equal(why, "report.results[0].price: is of another type");
    json_object_set_new(trade, "price", json_null());
    assert_true(json_schema_valid(schema, value, why, sizeof why));
    json_object_del(json_array_get(json_object_get(trade, "measures"), 0), "note");
    assert_false(json_schema_valid(schema, value, why, sizeof why));
    assert_string_equal(why, "report.results[0].measures[0]: note");
    json_decref(value);
    json_decref(schema);
    free(text);
    release(&r);
}

/* ---- Columns ---- */

static void assert_begins(char *text, const char *expected)
{
    const size_t length = strlen(expected);
    if (strncmp(text, expected, length) != 0) fail_msg("expected\n%s\ngot\n%.400s", expected, text);
    free(text);
}

static size_t count_lines(char *text)
{
    size_t n = 0;
    for (const char *at = text; *at; ++at) n += *at == '\n';
    free(text);
    return n;
}

static void test_columns_are_those_that_are_chosen(void **state)
{
    (void)state;
    priced r;
    assert_true(price_file("configs/scenarios.yaml", few, 1, &r));
    const int csv = LEVY_FORMAT_CSV;
    assert_begins(report(&r, csv, "id,status", false, 0, NULL),
                  "id,status\r\naverage,ok\r\nbest-of,ok\r\n");
    assert_begins(report(&r, csv, "status,id,seed", false, 0, NULL),
                  "status,id,seed\r\nok,average,42\r\n");
    /* rows are trades or sums */
    assert_begins(report_rows(&r, csv, "key,label,trades", false, true, 0, NULL),
                  "key,label,trades\r\n,,2\r\nunderlying,SPX,1\r\n"
                  "underlying,\"SPX,NDX\",1\r\nbook,,2\r\n");
    assert_begins(report(&r, csv, NULL, false, 0, NULL),
                  "id,payoff,price,std_error,currency,scenario_price:crash,scenario_price:crash:");
    assert_begins(report_rows(&r, csv, "", false, true, 0, NULL),
                  "currency,key,label,trades,failed,failed_ids,price,std_error,scenario_price:");
    assert_begins(
        report(&r, csv, "id,measure,scenario,relative_SPX.spot,absolute_SPX.volatility", false, 0,
               NULL),
        "id,measure,scenario,relative_SPX.spot,absolute_SPX.volatility\r\n"
        "average,price,,,\r\naverage,scenario_price,crash,,\r\naverage,scenario_pnl,crash,,\r\n"
        "average,scenario_price,dividends-cut,,\r\naverage,scenario_pnl,dividends-cut,,\r\n"
        "average,scenario_price,ladder,-0.1,-0.05\r\naverage,scenario_pnl,ladder,-0.1,-0.05\r\n"
        "average,scenario_price,ladder,-0.1,0.05\r\n");
    /* 2 trades and 4 sums with a price and 10 scenarios of two measures each */
    assert_int_equal(count_lines(report(&r, csv, "all", false, 0, NULL)), 1 + 2 * 21);
    assert_int_equal(count_lines(report(&r, csv, "all", true, 0, NULL)), 1 + 2);
    assert_int_equal(count_lines(report_rows(&r, csv, "all", false, true, 0, NULL)), 1 + 4 * 21);
    assert_int_equal(count_lines(report_rows(&r, csv, NULL, true, true, 0, NULL)), 1 + 4);
    assert_begins(report(&r, csv, "id,scenario_pnl:crash,scenario_pnl:none", false, 0, NULL),
                  "id,scenario_pnl:crash,scenario_pnl:none\r\naverage,16");
    assert_begins(report(&r, csv, "delta,tags.none", false, 0, NULL),
                  "delta,tags.none\r\n,\r\n,\r\n");
    release(&r);
}

static void test_wide_columns_hold_the_measures(void **state)
{
    (void)state;
    priced r;
    const levy_setting settings[] = {few[0], {"measures", "price,delta,vega"}};
    assert_true(price_file("configs/scenarios.yaml", settings, 2, &r));
    char *const text =
        report(&r, LEVY_FORMAT_CSV, "price,vega,delta:SPX.spot:std_error,seed", false, 0, NULL);
    assert_memory_equal(text,
                        "price,vega:SPX.volatility,vega:SPX.volatility:std_error,"
                        "vega:NDX.volatility,vega:NDX.volatility:std_error,"
                        "delta:SPX.spot:std_error,seed\r\n",
                        128);
    for (size_t t = 0; t < 2; ++t) {
        const levy_trade_result *const trade = levy_results_trade(r.results, t);
        for (size_t m = 0; m < trade->n_measures; ++m) {
            const levy_measure *const measure = levy_trade_measure(trade, m);
            const bool vega = strcmp(measure->measure, "vega") == 0,
                       ndx = strcmp(measure->factor, "NDX.volatility") == 0;
            if (vega) assert_true(csv_number(text, t + 1, ndx ? 3 : 1) == measure->value);
            if (vega) assert_true(csv_number(text, t + 1, ndx ? 4 : 2) == measure->std_error);
            if (strcmp(measure->factor, "SPX.spot") == 0)
                assert_true(csv_number(text, t + 1, 5) == measure->std_error);
        }
    }
    assert_true(isnan(csv_number(text, 1, 3))); /* the first trade does not see NDX */
    free(text);
    char *const sums = report_rows(&r, LEVY_FORMAT_CSV, "price,vega", false, true, 0, NULL);
    assert_true(csv_number(sums, 1, 0) == levy_results_netted(r.results, 0)->value);
    free(sums);
    release(&r);
}

/* Two currencies, a note of legs, and a trade that fails. */
static void test_the_price_column_adds_up(void **state)
{
    const char *const text = text_of_book("texts/outputs");
    const levy_source source = {.name = "two.yaml", .text = text, .length = strlen(text)};
    const levy_price_options options = {
        .struct_size = sizeof options, .device = "cpu", .threads = 1, .by = "payoff"};
    priced r = {.context = NULL};
    (void)state;
    assert_int_equal(levy_context_create(NULL, &r.context), LEVY_STATUS_OK);
    assert_int_equal(levy_book_load(r.context, &source, 1, NULL, 0, &r.book), LEVY_STATUS_OK);
    assert_int_equal(levy_price(r.book, &options, &r.results), LEVY_STATUS_OK);
    assert_int_equal(check_adds_up(&r, "id,price,currency", "two"), 2);
    assert_int_equal(check_adds_up(&r, "id,delta,price,currency", "two"), 2);
    assert_int_equal(count_lines(report(&r, LEVY_FORMAT_CSV, NULL, false, 0, NULL)), 1 + 4);
    assert_int_equal(count_lines(report(&r, LEVY_FORMAT_CSV, "id,leg_of", false, 0, NULL)), 1 + 6);
    release(&r);
}

static void assert_refused(levy_context *context, const char *columns, int wide, int sums,
                           const char *message)
{
    const levy_report_options options = {.struct_size = sizeof options,
                                         .format = LEVY_FORMAT_CSV,
                                         .columns = columns,
                                         .wide = wide,
                                         .sums = sums};
    assert_int_equal(levy_report_check(context, &options), LEVY_STATUS_ARGUMENT);
    assert_string_equal(levy_diagnostic_get(context, 0)->message, message);
}

static void test_columns_are_checked(void **state)
{
    (void)state;
    priced r;
    assert_true(price_file("configs/scenarios.yaml", few, 1, &r));
    levy_context *const c = r.context;
    assert_refused(c, "id,prise", 0, 0, "there is no column 'prise'; did you mean 'price'?");
    assert_refused(c, "id,,price", 0, 0, "there is no column ''");
    assert_refused(c, "detla", 0, 0, "there is no column 'detla'; did you mean 'delta'?");
    assert_refused(c, "delta:", 0, 0, "there is no column 'delta:'; did you mean 'delta'?");
    assert_refused(c, "value,delta", 0, 0,
                   "'delta' is a column of the wide form, and others are of the long form");
    assert_refused(c, "value", 1, 0,
                   "'value' is a column of the long form, and others are of the wide form");
    assert_refused(c, "id,trades", 0, 0, "'trades' is a column of sums, and the rows are trades");
    assert_refused(c, "price,tags.a", 0, 1,
                   "'tags.a' is a column of trades, and the rows are sums");
    levy_report_options options = {.struct_size = sizeof options,
                                   .format = LEVY_FORMAT_CSV,
                                   .columns = "id,scenario_pnl:ladder[-0.1,0.05],tags.a"};
    assert_int_equal(levy_report_check(c, &options), LEVY_STATUS_OK);
    options.columns = "prise";
    grown_text k = {0};
    assert_int_equal(levy_results_report(r.results, &options, text_grow, &k), LEVY_STATUS_ARGUMENT);
    assert_int_equal(k.length, 0);
    options.format = LEVY_FORMAT_SVG;
    assert_int_equal(levy_report_check(c, &options), LEVY_STATUS_ARGUMENT);
    release(&r);
}

static void test_notes_have_columns_too(void **state)
{
    (void)state;
    priced r;
    const levy_setting settings[] = {
        few[0], {"measures", "price,delta"}, {"simulation.smoothing", "none"}};
    assert_true(price_file("configs/digital.yaml", settings, 3, &r));
    assert_begins(report(&r, LEVY_FORMAT_CSV, "id,delta:STOCK.spot:note", false, 0, NULL),
                  "id,delta:STOCK.spot:note\r\n"
                  "cash-call,noisy: the bump crosses a discontinuity\r\n");
    release(&r);
}

/* ---- Arrays ---- */

/* The number after `before` in a header of NumPy. */
static size_t npy_number(const char *head, const char *before)
{
    const char *const at = strstr(head, before);
    assert_non_null(at);
    return strtoul(at + strlen(before), NULL, 10);
}

static void test_arrays_are_files_of_numpy(void **state)
{
    (void)state;
    priced r;
    size_t length;
    assert_true(price_file("configs/scenarios.yaml", few, 1, &r));
    char *const file =
        report(&r, LEVY_FORMAT_NPY, "id,price,paths,measure,flagged", false, 0, &length);
    const unsigned char *const bytes = (const unsigned char *)file;
    assert_memory_equal(file, "\x93NUMPY\x03\x00", 8);
    const size_t head = 12 + (bytes[8] | (size_t)bytes[9] << 8 | (size_t)bytes[10] << 16);
    assert_int_equal(head % 64, 0);
    assert_int_equal(file[head - 1], '\n');
    assert_non_null(strstr(file + 12, "{'descr': [('id', '<U7'), ('price', '<f8'), ('paths', "
                                      "'<u8'), ('measure', '<U14'), ('flagged', '|b1')], "
                                      "'fortran_order': False, 'shape': (42,), }"));
    const size_t size = 7 * 4 + 8 + 8 + 14 * 4 + 1;
    assert_int_equal(length, head + npy_number(file + 12, "'shape': (") * size);
    double price;
    uint64_t paths;
    uint32_t letters[7];
    const char *const second = file + head + 21 * size; /* the second trade's first record */
    memcpy(letters, second, sizeof letters);
    memcpy(&price, second + 28, sizeof price);
    memcpy(&paths, second + 36, sizeof paths);
    assert_true(letters[0] == 'b' && letters[4] == '-' && letters[6] == 'f');
    assert_true(price == levy_results_trade(r.results, 1)->price);
    assert_int_equal(paths, 256);
    free(file);
    release(&r);
}

/* ---- Tables ---- */

static size_t longest_line(const char *text)
{
    size_t longest = 0;
    for (; *text; text += strcspn(text, "\n") + 1)
        if (strcspn(text, "\n") > longest) longest = strcspn(text, "\n");
    return longest;
}

static void test_a_table_keeps_to_the_line(void **state)
{
    (void)state;
    priced r;
    const levy_setting settings[] = {few[0],
                                     {"measures", "price,delta,vega"},
                                     {"simulation.smoothing", "none"},
                                     {"simulation.bumps.volatility", "0.25"}};
    assert_true(price_file("configs/digital.yaml", settings, 4, &r));
    char *const free_text = report(&r, LEVY_FORMAT_TABLE, NULL, false, 0, NULL);
    assert_true(longest_line(free_text) > 90);
    for (uint32_t width = 50; width <= 120; width += 10) {
        char *const text = report(&r, LEVY_FORMAT_TABLE, NULL, false, width, NULL);
        if (longest_line(text) > width) fail_msg("%u: %s", (unsigned)width, text);
        assert_non_null(strstr(text, "one-sided")); /* its volatility is 0.2 */
        free(text);
    }
    char *const wide = report(&r, LEVY_FORMAT_TABLE, NULL, false, 1000, NULL);
    assert_string_equal(wide, free_text); /* where there is room, nothing changes */
    free(wide);
    free(free_text);
    release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reports_of_all_examples_are_what_the_schema_says),
        cmocka_unit_test(test_the_schema_sees_what_is_wrong),
        cmocka_unit_test(test_columns_are_those_that_are_chosen),
        cmocka_unit_test(test_wide_columns_hold_the_measures),
        cmocka_unit_test(test_the_price_column_adds_up),
        cmocka_unit_test(test_columns_are_checked),
        cmocka_unit_test(test_notes_have_columns_too),
        cmocka_unit_test(test_arrays_are_files_of_numpy),
        cmocka_unit_test(test_a_table_keeps_to_the_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
