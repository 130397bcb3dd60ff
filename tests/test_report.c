/* test_report.c: the writers. JSON is read back by a JSON library and every number must have kept
 * its bits; CSV is read back by a reader of RFC 4180 written here; the table is compared as text.
 */
#include "tests/cmocka_all.h"

#include "engine/report/report.h"
#define TEXT_ROOM 65536
#include "tests/kept_text.h"
#include "tests/written_text.h"

#include <jansson.h>

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const levy_measure call_measures[] = {
    {"price", "", 512.3456789012345, 0.0234, 0, NULL, 512.25, 512.5, "student_t", NAN, NAN},
    {"delta", "SPX.spot", 0.55512345, 0.00123, 0, NULL, 0.5525, 0.5578, "student_t", NAN, NAN},
    {"vega", "SPX.volatility", -1.0 / 3.0, 0.01, 1, "noisy: the bump crosses a discontinuity",
     -0.35, -0.25, "student_t", NAN, NAN}};
static const levy_measure put_measures[] = {
    {"price", "", -1234567.0, NAN, 0, NULL, NAN, NAN, "none", NAN, NAN}};
static const levy_measure zero_measures[] = {
    {"price", "", 0.0, 0.0, 0, NULL, NAN, NAN, "unreliable", NAN, NAN}};

static levy_trade_result priced(const char *id, double price, double std_error, double half_width,
                                const char *interval)
{
    return (levy_trade_result){.id = id,
                               .status = "ok",
                               .reason = "none",
                               .currency = "USD",
                               .payoff = "european",
                               .model = "black_scholes",
                               .maturity = 1.5,
                               .price = price,
                               .std_error = std_error,
                               .ci_low = price - half_width,
                               .ci_high = price + half_width,
                               .confidence = 0.95,
                               .unit_price = price,
                               .interval = interval,
                               .paths = 262144,
                               .replicates = 16,
                               .seed = 9007199254740993u,
                               .dimensions = 192,
                               .generator = "sobol_scrambled",
                               .construction = "bridge",
                               .precision = "double",
                               .reproducibility = "R3",
                               .backend = "cpu",
                               .device = "Test CPU, \"fast\"",
                               .group = 0,
                               .plan_hash = 0x0123456789abcdefu,
                               .seconds = 0.1,
                               .floor_probability = NAN};
}

static const levy_report_form plain_form = {0}, color_form = {.color = true},
                              all_form = {.columns = "all"};

static levy_run_info test_run;
static levy_trade_result test_trades[4];

static levy_report test_report(void)
{
    test_run = (levy_run_info){.version = "0.1.0 (contract 3)",
                               .backend = "cpu",
                               .device = "Test CPU",
                               .isa = "avx2",
                               .contract = 2,
                               .device_reason = "auto: no CUDA module",
                               .threads = 2,
                               .fingerprint = 0xfeedu,
                               .groups = 1,
                               .priced = 3,
                               .failed = 1,
                               .seconds = 0.25};
    test_trades[0] = priced("spx-call", 512.3456789012345, 0.0234, 0.05, "student_t");
    test_trades[0].measures = call_measures;
    test_trades[0].n_measures = 3;
    test_trades[1] = priced("-short-put", -1234567.0, NAN, NAN, "none");
    test_trades[1].measures = put_measures;
    test_trades[1].n_measures = 1;
    test_trades[2] = priced("far-call", 0.0, 0.0, NAN, "unreliable");
    test_trades[2].measures = zero_measures;
    test_trades[2].n_measures = 1;
    test_trades[3] = (levy_trade_result){
        .id = "bad",
        .status = "failed",
        .reason = "unknown_key",
        .payoff = "european",
        .currency = "USD",
        .message = "a.yaml:3:1: error: trades[3].payoff.strik: unknown key; did you mean 'strike'?",
        .price = NAN,
        .std_error = NAN,
        .ci_low = NAN,
        .ci_high = NAN,
        .confidence = NAN,
        .unit_price = NAN,
        .seconds = NAN,
        .floor_probability = NAN,
        .maturity = NAN,
        .interval = "none"};
    return (levy_report){.run = &test_run, .trades = test_trades, .n_trades = 4};
}

/* ---- JSON ---- */

static json_t *json_member(const json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);
    if (!value) fail_msg("no member '%s'", key);
    return value;
}

static void assert_member_bits(const json_t *object, const char *key, double expected)
{
    const json_t *value = json_member(object, key);
    if (isnan(expected)) {
        assert_true(json_is_null(value));
        return;
    }
    const double number = json_number_value(value);
    assert_memory_equal(&number, &expected, sizeof number);
}

static void test_json_keeps_every_bit_and_every_member(void **state)
{
    (void)state;
    const levy_report report = test_report();
    static kept_text sink;
    sink = (kept_text){0};
    assert_int_equal(WRITTEN(text_write, &sink, levy_report_write_json, &report), LEVY_STATUS_OK);
    json_error_t error;
    json_t *root = json_loads(sink.bytes, JSON_REJECT_DUPLICATES, &error);
    if (!root) fail_msg("%s at line %d: %s", error.text, error.line, sink.bytes);
    static const char *const members[] = {
        "id",         "status",          "price",      "std_error",  "ci_low",    "ci_high",
        "confidence", "paths",           "replicates", "dimensions", "generator", "construction",
        "precision",  "reproducibility", "device",     "seconds",    "reason",    "measures"};
    const json_t *results = json_member(root, "results");
    assert_int_equal(json_array_size(results), 4);
    for (size_t i = 0; i < 4; ++i) {
        const json_t *trade = json_array_get(results, i);
        for (size_t j = 0; j < sizeof members / sizeof *members; ++j)
            json_member(trade, members[j]);
        assert_string_equal(json_string_value(json_member(trade, "id")), test_trades[i].id);
        assert_member_bits(trade, "price", test_trades[i].price);
        assert_member_bits(trade, "std_error", test_trades[i].std_error);
        assert_member_bits(trade, "ci_low", test_trades[i].ci_low);
        assert_member_bits(trade, "ci_high", test_trades[i].ci_high);
        assert_int_equal(json_array_size(json_member(trade, "measures")),
                         test_trades[i].n_measures);
    }
    const json_t *first = json_array_get(results, 0),
                 *vega = json_array_get(json_member(first, "measures"), 2);
    assert_member_bits(vega, "value", -1.0 / 3.0);
    assert_true(json_is_true(json_member(vega, "flagged")));
    assert_string_equal(json_string_value(json_member(vega, "note")),
                        "noisy: the bump crosses a discontinuity");
    assert_member_bits(vega, "ci_low", -0.35);
    assert_member_bits(vega, "ci_high", -0.25);
    assert_string_equal(json_string_value(json_member(vega, "interval")), "student_t");
    assert_string_equal(json_string_value(json_member(first, "device")), "Test CPU, \"fast\"");
    assert_string_equal(json_string_value(json_member(first, "plan_hash")), "0123456789abcdef");
    assert_string_equal(json_string_value(json_member(json_array_get(results, 3), "reason")),
                        "unknown_key");
    assert_int_equal(json_integer_value(json_member(json_member(root, "run"), "priced")), 3);
    json_decref(root);
    assert_non_null(strstr(sink.bytes, "\"seed\": 9007199254740993"));
}

static void test_jsonl_is_one_object_a_line(void **state)
{
    (void)state;
    const levy_report report = test_report();
    static kept_text sink;
    sink = (kept_text){0};
    assert_int_equal(WRITTEN(text_write, &sink, levy_report_write_jsonl, &report, &plain_form),
                     LEVY_STATUS_OK);
    size_t lines = 0;
    for (char *line = strtok(sink.bytes, "\n"); line; line = strtok(NULL, "\n"), ++lines) {
        json_t *trade = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
        assert_non_null(trade);
        assert_string_equal(json_string_value(json_member(trade, "record")),
                            lines < 4 ? "trade" : "run");
        if (lines < 4)
            assert_string_equal(json_string_value(json_member(trade, "id")), test_trades[lines].id);
        json_decref(trade);
    }
    assert_int_equal(lines, 5);
}

static void test_json_escapes_what_must_be_escaped(void **state)
{
    (void)state;
    levy_report report = test_report();
    test_trades[0].id = "a\"b\\c\nd\001e\177f\xc3\xa9";
    report.n_trades = 1;
    static kept_text sink;
    sink = (kept_text){0};
    assert_int_equal(WRITTEN(text_write, &sink, levy_report_write_jsonl, &report, &plain_form),
                     LEVY_STATUS_OK);
    json_t *trade = json_loads(sink.bytes, JSON_DISABLE_EOF_CHECK, NULL);
    assert_non_null(trade);
    assert_string_equal(json_string_value(json_member(trade, "id")), test_trades[0].id);
    assert_null(strchr(sink.bytes, '\001'));
    assert_null(strchr(sink.bytes, '\177'));
    json_decref(trade);
}

/* ---- CSV ---- */

enum { CSV_MAX_CELLS = 64 };

/* Splits one record of RFC 4180 in place; returns the number of cells and moves *text behind the
 * record's CRLF. */
static size_t csv_record(char **text, char *cells[CSV_MAX_CELLS])
{
    size_t count = 0;
    char *read = *text;
    for (;;) {
        assert_true(count < CSV_MAX_CELLS);
        char *write = read;
        cells[count++] = write;
        if (*read == '"') {
            for (read++; *read != '"' || read[1] == '"'; ++read) {
                assert_int_not_equal(*read, '\0');
                if (*read == '"') ++read;
                *write++ = *read;
            }
            read++;
        } else
            while (*read != ',' && *read != '\r') {
                assert_true(*read != '\0' && *read != '"' && *read != '\n');
                *write++ = *read++;
            }
        const char end = *read++;
        *write = '\0';
        if (end == ',') continue;
        assert_int_equal(end, '\r');
        assert_int_equal(*read, '\n');
        *text = read + 1;
        return count;
    }
}

static size_t csv_column(char *const cells[], size_t count, const char *name)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(cells[i], name) == 0) return i;
    fail_msg("no column '%s'", name);
    return 0;
}

static void test_csv_is_rfc_4180_and_long(void **state)
{
    (void)state;
    const levy_report report = test_report();
    static kept_text sink;
    sink = (kept_text){0};
    assert_int_equal(WRITTEN_STATUS(text_write, &sink, levy_report_write_csv, &report, &all_form),
                     LEVY_STATUS_OK);
    char *text = sink.bytes, *head[CSV_MAX_CELLS], *cells[CSV_MAX_CELLS];
    const size_t columns = csv_record(&text, head);
    const size_t id = csv_column(head, columns, "id"), price = csv_column(head, columns, "price");
    const size_t measure = csv_column(head, columns, "measure"),
                 value = csv_column(head, columns, "value");
    const size_t device = csv_column(head, columns, "device"),
                 error = csv_column(head, columns, "std_error");
    const size_t message = csv_column(head, columns, "message"),
                 flagged = csv_column(head, columns, "flagged");
    const size_t note = csv_column(head, columns, "note"),
                 low = csv_column(head, columns, "value_ci_low"),
                 high = csv_column(head, columns, "value_ci_high"),
                 made = csv_column(head, columns, "value_interval");
    static const char *const ids[] = {"spx-call",    "spx-call", "spx-call",
                                      "'-short-put", "far-call", "bad"};
    static const char *const measures[] = {"price", "delta", "vega", "price", "price", "price"};
    for (size_t row = 0; row < 6; ++row) {
        assert_int_equal(csv_record(&text, cells), columns);
        assert_string_equal(cells[id], ids[row]);
        assert_string_equal(cells[measure], measures[row]);
        if (row < 3) {
            assert_true(strtod(cells[price], NULL) == 512.3456789012345);
            assert_true(strtod(cells[value], NULL) == call_measures[row].value);
            assert_true(strtod(cells[low], NULL) == call_measures[row].ci_low);
            assert_true(strtod(cells[high], NULL) == call_measures[row].ci_high);
            assert_string_equal(cells[made], "student_t");
            assert_string_equal(cells[device], "Test CPU, \"fast\"");
        }
        assert_string_equal(cells[flagged], row == 2 ? "1" : "0");
        assert_string_equal(cells[note], row == 2 ? "noisy: the bump crosses a discontinuity" : "");
        if (row == 3) assert_string_equal(cells[price], "-1234567"); /* a number keeps its sign */
        if (row == 3 || row == 5) assert_string_equal(cells[error], "");
        if (row == 5) assert_string_equal(cells[message], test_trades[3].message);
    }
    assert_string_equal(text, "");
}

/* ---- Table ---- */

static void test_table_rounds_to_the_error(void **state)
{
    (void)state;
    const levy_report report = test_report();
    static kept_text sink;
    sink = (kept_text){0};
    assert_int_equal(WRITTEN(text_write, &sink, levy_report_write_table, &report, &plain_form),
                     LEVY_STATUS_OK);
    static const char expected[] =
        "levy 0.1.0 (contract 3) on cpu: Test CPU, 2 threads, avx2 (auto: no "
        "CUDA module)\n\ntrade                  payoff    years          price "
        " std. error  95 % interval\nspx-call               european  1.500  "
        "USD   512.346       0.023  [512.296, 512.396]\n  delta SPX.spot       "
        "                        0.5551      0.0012  [0.5525, 0.5578]\n  vega SPX.volatility     "
        "                     -0.333       0.010  noisy: the bump crosses a "
        "discontinuity\n-short-put             european  1.500  USD  -1234567  "
        "         -  none\nfar-call               european  1.500  USD         "
        "0           0  unreliable\nbad                    european      -  "
        "USD         -           -  failed: unknown_key\n  a.yaml:3:1: error: "
        "trades[3].payoff.strik: unknown key; did you mean 'strike'?\n\n4 "
        "trades: 3 priced, 1 failed; 1 group; 0.250 s\n262144 paths of "
        "sobol_scrambled in 16 replicates, bridge, double precision (R3), seed "
        "9007199254740993\n";
    assert_string_equal(sink.bytes, expected);
}

/* The last line is of a trade that has paths. */
static void test_table_ends_with_paths(void **state)
{
    (void)state;
    levy_report report = test_report();
    levy_trade_result trades[4];
    static kept_text sink;
    sink = (kept_text){0};
    memcpy(trades, report.trades, sizeof trades);
    trades[0].paths = 0;
    trades[1].paths = 4096;
    report.trades = trades;
    assert_int_equal(WRITTEN(text_write, &sink, levy_report_write_table, &report, &plain_form),
                     LEVY_STATUS_OK);
    assert_non_null(strstr(sink.bytes, "\n4096 paths of "));
}

static void test_table_colours_only_when_told(void **state)
{
    (void)state;
    const levy_report report = test_report();
    static kept_text plain, color;
    plain = (kept_text){0};
    color = (kept_text){0};
    assert_int_equal(WRITTEN(text_write, &plain, levy_report_write_table, &report, &plain_form),
                     LEVY_STATUS_OK);
    assert_int_equal(WRITTEN(text_write, &color, levy_report_write_table, &report, &color_form),
                     LEVY_STATUS_OK);
    assert_null(strchr(plain.bytes, '\033'));
    assert_non_null(strstr(color.bytes, "\033[31mbad"));
    char *write = color.bytes; /* without the escapes both are the same text */
    for (const char *read = color.bytes; *read; ++read) {
        if (*read != '\033')
            *write++ = *read;
        else
            while (*read != 'm') ++read;
    }
    *write = '\0';
    assert_string_equal(color.bytes, plain.bytes);
}

static void test_table_survives_extremes(void **state)
{
    (void)state;
    levy_report report = test_report();
    static char long_id[400];
    memset(long_id, 'x', sizeof long_id - 1);
    test_trades[0] = priced(long_id, 1e300, 1e290, 1e291, "student_t");
    test_trades[1] = priced("tiny", 1.2342e-12, 3.21e-14, 1e-13, "student_t");
    test_trades[2] = priced("exact", 10.0, 1e-300, 1e-300, "normal");
    report.n_trades = 3;
    static kept_text sink;
    sink = (kept_text){0};
    assert_int_equal(WRITTEN(text_write, &sink, levy_report_write_table, &report, &plain_form),
                     LEVY_STATUS_OK);
    assert_non_null(strstr(sink.bytes, "0.000000000001234"));
    report.n_trades = 0;
    sink = (kept_text){0};
    assert_int_equal(WRITTEN(text_write, &sink, levy_report_write_table, &report, &plain_form),
                     LEVY_STATUS_OK);
    assert_non_null(strstr(sink.bytes, "0 trades"));
    test_run.interrupted = 1;
    sink = (kept_text){0};
    assert_int_equal(WRITTEN(text_write, &sink, levy_report_write_table, &report, &plain_form),
                     LEVY_STATUS_OK);
    assert_non_null(strstr(sink.bytes, "interrupted: the trades above are finished"));
    test_run.priced = 0;
    sink = (kept_text){0};
    assert_int_equal(WRITTEN(text_write, &sink, levy_report_write_table, &report, &plain_form),
                     LEVY_STATUS_OK);
    assert_non_null(strstr(sink.bytes, "interrupted: no trade is finished"));
}

/* ---- All ---- */

static int write_any(const levy_report *report, int format, levy_writer write, void *user)
{
    switch (format) {
    case LEVY_FORMAT_JSON:
        return WRITTEN(write, user, levy_report_write_json, report);
    case LEVY_FORMAT_JSONL:
        return WRITTEN(write, user, levy_report_write_jsonl, report, &plain_form);
    case LEVY_FORMAT_CSV:
        return WRITTEN_STATUS(write, user, levy_report_write_csv, report, &all_form);
    default:
        return WRITTEN(write, user, levy_report_write_table, report, &plain_form);
    }
}

static void test_every_failed_write_is_reported_once(void **state)
{
    (void)state;
    levy_report report = test_report();
    levy_trade_result *many = calloc(200, sizeof *many);
    assert_non_null(many);
    for (size_t i = 0; i < 200; ++i) many[i] = test_trades[0];
    report.trades = many;
    report.n_trades = 40;
    static kept_text sink;
    for (int format = LEVY_FORMAT_TABLE; format <= LEVY_FORMAT_JSONL; ++format) {
        sink = (kept_text){0};
        assert_int_equal(write_any(&report, format, text_write, &sink), LEVY_STATUS_OK);
        const int calls = sink.calls;
        assert_true(calls > 1);
        for (int fail_at = 1; fail_at <= calls; ++fail_at) {
            sink = (kept_text){.fail_at = fail_at};
            assert_int_equal(write_any(&report, format, text_write, &sink), LEVY_STATUS_IO);
            assert_int_equal(sink.calls, fail_at); /* not called again after it failed */
        }
    }
    free(many);
}

static void test_no_writer_reads_the_locale(void **state)
{
    (void)state;
    const levy_report report = test_report();
    static kept_text before[4], after[4];
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
    for (int format = 0; format < 4; ++format)
        assert_int_equal(write_any(&report, format, text_write, &before[format]), LEVY_STATUS_OK);
    bool set = false;
    for (size_t i = 0; i < 3 && !set; ++i) set = setlocale(LC_ALL, names[i]) != NULL;
    if (!set) {
        print_message("skipped: no locale with a decimal comma\n");
        skip();
    }
    for (int format = 0; format < 4; ++format)
        assert_int_equal(write_any(&report, format, text_write, &after[format]), LEVY_STATUS_OK);
    setlocale(LC_ALL, "C");
    for (int format = 0; format < 4; ++format)
        assert_string_equal(before[format].bytes, after[format].bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_keeps_every_bit_and_every_member),
        cmocka_unit_test(test_jsonl_is_one_object_a_line),
        cmocka_unit_test(test_json_escapes_what_must_be_escaped),
        cmocka_unit_test(test_csv_is_rfc_4180_and_long),
        cmocka_unit_test(test_table_rounds_to_the_error),
        cmocka_unit_test(test_table_ends_with_paths),
        cmocka_unit_test(test_table_colours_only_when_told),
        cmocka_unit_test(test_table_survives_extremes),
        cmocka_unit_test(test_every_failed_write_is_reported_once),
        cmocka_unit_test(test_no_writer_reads_the_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
