/* test_cli.c: the command line as its users meet it: what goes to stdout and to stderr, exit codes,
 * files written whole or not at all, closed pipes, Ctrl-C, colours. Runs the built `levy` on files
 * written here. */
#include "engine/levy.h"
#include "tests/json_schema.h"
#include "tests/command.h"

#include <jansson.h>

#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *cli_market(void) { return text_of_book("texts/cli-market"); }
static const char cli_call[] = "  - {id: call, model: equity, underlying: STOCK, currency: USD, "
                               "discount_curve: USD, position: long, quantity: "
                               "1,\n"
                               "     payoff: {kind: european, option_type: call, strike: 100}, "
                               "exercise: {style: european, expiry: 1.0}}\n";
static const char cli_bad_call[] = "  - {id: bad, model: equity, underlying: STOCK, currency: USD, "
                                   "discount_curve: USD, position: long, quantity: 1,\n"
                                   "     payoff: {kind: european, option_type: call, strik: 100}, "
                                   "exercise: {style: european, expiry: 1.0}}\n";
static const char *cli_asian(void) { return text_of_book("texts/cli-asian"); }

/* Found when it is priced. */
static const char cli_late_fault[] =
    "  - {id: late, underlying: STOCK, exercise: {expiry: 1},\n"
    "     payoff: {kind: script, script: \"at expiry { pay 1 / (level - level) }\"}}\n";

static const char cli_barrier[] =
    "  - {id: out, underlying: STOCK, exercise: {expiry: 1},\n"
    "     payoff: {kind: barrier, option_type: call, strike: 100, barrier: 95, direction: down,\n"
    "              knock: out, observations: {count: 3}}}\n";

static void cli_write(const char *name, const char *a, const char *b, const char *c)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    assert_true(fprintf(file, "%s%s%ssimulation: {paths: 2^14}\n", a, b, c) > 0);
    assert_int_equal(fclose(file), 0);
}

static char *cli_read(const char *name) { return read_file(path_of(name)); }

static int cli_set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    cli_write("good.yaml", cli_market(), cli_call, "");
    cli_write("mixed.yaml", cli_market(), cli_call, cli_bad_call);
    cli_write("bad.yaml", cli_market(), cli_bad_call, "");
    cli_write("long.yaml", cli_market(), cli_call, cli_asian());
    return 0;
}

/* ---- Help and usage ---- */

static void test_bare_levy_prints_ten_lines_with_an_example(void **state)
{
    (void)state;
    levy(NULL);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.err, "");
    size_t lines = 0;
    for (const char *c = run.out; *c; ++c) lines += *c == '\n';
    assert_int_equal(lines, 10);
    assert_has(run.out, "levy price configs/quickstart.yaml");
}

static void test_help_names_every_command_and_option(void **state)
{
    (void)state;
    static const char *const commands[] = {
#define COMMAND(name, NAME, operands, least, summary, example) name,
#include "engine/cli/options.def"
    };
    static char help[65536], first[65536];
    size_t length = 0;
    levy("help", NULL);
    assert_int_equal(run.code, 0);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i)
        assert_has(run.out, commands[i]);
    assert_has(run.out, "Exit codes");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i) {
        levy("help", commands[i], NULL);
        assert_int_equal(run.code, 0);
        assert_has(run.out, "Example:");
        const int written = snprintf(first, sizeof first, "%.65535s", run.out);
        assert_true(written >= 0 && length + (size_t)written < sizeof help);
        memcpy(help + length, first, (size_t)written + 1);
        length += (size_t)written;
        for (const char *line = run.out; *line; line += strcspn(line, "\n") + 1)
            assert_true(strcspn(line, "\n") <= 80 || strstr(line, "Example:") == line);
        levy(commands[i], "--help", NULL);
        assert_int_equal(run.code, 0);
        assert_string_equal(run.out, first);
    }
    static const char *const options[] = {
#define OPTION(name, letter, NAME, argument, take, member, commands, help) "--" name,
#include "engine/cli/options.def"
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) assert_has(help, options[i]);
    static const char *const texts[] = {
    /* whole, but for the ends of lines */
#define COMMAND(name, NAME, operands, least, summary, example) summary " ",
#define OPTION(name, letter, NAME, argument, take, member, commands, help) " " help " ",
#define HELP(NAME, commands, help) " " help " ",
#include "engine/cli/options.def"
#include "tests/files.h"
    };
    size_t kept = 0;
    for (const char *c = help; *c; ++c)
        if (!strchr(" \n", *c) || (kept && help[kept - 1] != ' '))
            help[kept++] = *c == '\n' ? ' ' : *c;
    help[kept] = '\0';
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) assert_has(help, texts[i]);
}

static void test_version_names_the_contract(void **state)
{
    (void)state;
    levy("--version", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "levy " LEVY_VERSION);
    assert_has(run.out, " (contract " LEVY_QUOTE(LEVY_CONTRACT) ")\n");
    levy("version", "--json", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "{\"version\": \"" LEVY_VERSION);
    assert_has(run.out, ", \"contract\": " LEVY_QUOTE(LEVY_CONTRACT) ", \"image\": ");
    levy("version", NULL);
    assert_has(run.out, "contract " LEVY_QUOTE(LEVY_CONTRACT));
    levy("price", "-V", NULL);
    assert_int_equal(run.code, 0);
}

static void test_memory_has_a_limit(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "0", "x", "4GB", "101%", "-1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        levy("price", "--max-memory", wrong[i], LEVY_SOURCE_DIR "/configs/european.yaml", NULL);
        assert_usage_error(&run, "--max-memory takes a size such as 512M, 4G or 50%; got '");
    }
    levy("price", "-d", "cpu", "--max-memory", "1", LEVY_SOURCE_DIR "/configs/european.yaml", NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "of text needs more than the memory limit, 1 byte (max_memory)");
    levy("price", "-d", "cpu", "--max-memory", "1M", LEVY_SOURCE_DIR "/configs/basket8.yaml", NULL);
    assert_int_equal(run.code, 1);
    assert_has(run.err, "the plan would need about 1.3 MiB, which exceeds the memory limit, "
                        "1.0 MiB (max_memory)");
    levy("explain", "-d", "cpu", "--max-memory", "50%", LEVY_SOURCE_DIR "/configs/basket8.yaml",
         NULL);
    assert_int_equal(run.code, 0);
}

static void test_messages_do_not_steer_the_terminal(void **state)
{
    (void)state;
    levy("\x1b[31mprice", NULL);
    assert_usage_error(&run, "unknown command '\\x1b[31mprice'");
    levy("price", "--format", "a\x7f\xc2\x9b\r", "x.yaml", NULL);
    assert_usage_error(&run, "got 'a\\x7f\\xc2\\x9b\\x0d'");
    levy("describe", "a\xe2\x80\xae\xe2\x81\xa6\xd8\x9c", NULL);
    assert_usage_error(&run, "no topic 'a\\xe2\\x80\\xae\\xe2\\x81\\xa6\\xd8\\x9c'");
    levy("describe", "\xc3\xa9\xe2\x82\xac", NULL); /* letters and signs stay */
    assert_usage_error(&run, "no topic '\xc3\xa9\xe2\x82\xac'");
    levy("price", "--output", "/nosuch/a\x1b", LEVY_SOURCE_DIR "/configs/european.yaml", NULL);
    assert_non_null(strstr(run.err, "cannot write /nosuch/a\\x1b: "));
    assert_null(strchr(run.err, '\x1b'));
}

static void test_unknown_words_get_the_nearest_one(void **state)
{
    (void)state;
    levy("prcie", NULL);
    assert_usage_error(&run, "unknown command 'prcie'; did you mean 'price'?");
    levy("pric", "x.yaml", NULL); /* an abbreviation is an unknown command */
    assert_usage_error(&run, "did you mean 'price'?");
    levy("frobnicate", NULL);
    assert_usage_error(&run, "unknown command 'frobnicate'\n");
    levy("price", "--formt", "json", "x.yaml", NULL);
    assert_usage_error(&run, "unknown option '--formt'; did you mean '--format'?");
    levy("price", "--form", "json", "x.yaml", NULL);
    assert_usage_error(&run, "did you mean '--format'?");
    levy("price", "--form=json", "x.yaml", NULL);
    assert_usage_error(&run, "unknown option '--form=json'");
    levy("price", "-Z", "x.yaml", NULL);
    assert_usage_error(&run, "unknown option '-Z'");
    levy("--threads", "2", "price", NULL);
    assert_usage_error(&run, "the command comes first");
    levy("help", "prise", NULL);
    assert_usage_error(&run, "there is no command or topic 'prise'; did you mean 'price'?");
    levy("describe", "nonsense", NULL);
    assert_usage_error(&run, "there is no topic 'nonsense'");
    levy("describe", "payof.asian", NULL);
    assert_usage_error(&run, "did you mean 'payoff.asian'?");
    levy("kernels", "bild", NULL);
    assert_usage_error(&run, "did you mean 'build'?");
}

static void test_bad_option_values_are_refused(void **state)
{
    (void)state;
    levy("price", "--format", "jsn", "x.yaml", NULL);
    assert_usage_error(
        &run, "--format takes one of table, csv, json, jsonl, npy; got 'jsn'; did you mean "
              "'json'?");
    levy("price", "--progress", "loud", "x.yaml", NULL);
    assert_usage_error(&run, "--progress takes one of");
    levy("price", "--isa", "avx", "x.yaml", NULL);
    assert_usage_error(&run, "--isa takes one of");
    levy("kernels", "clear", "--cache-dir", "", NULL); /* an unset variable is not the user's own */
    assert_usage_error(&run, "--cache-dir takes a folder");
    static const char *const threads[] = {
        "0", "-1", "two", "2x", "4097", "", "99999999999999999999"};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; ++i) {
        levy("price", "x.yaml", "--threads", threads[i], NULL);
        assert_usage_error(&run, "--threads takes a number from 1 to 4096");
    }
    static const char *const devices[] = {"gpu", "cuda:", "cuda:x",  "cuda:1x",
                                          "CPU", "",      "cuda:0,", "cuda:0,x"};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; ++i) {
        levy("price", "x.yaml", "--device", devices[i], NULL);
        assert_usage_error(&run, "--device takes auto, cpu, cuda, cuda:N, cuda:all or a list");
    }
    levy("price", "x.yaml", "--set", "simulation.paths", NULL);
    assert_usage_error(&run, "--set takes KEY=VALUE");
    levy("price", "x.yaml", "--set", "=5", NULL);
    assert_usage_error(&run, "--set takes KEY=VALUE");
    levy("price", "x.yaml", "--measures", "price;delta", NULL);
    assert_usage_error(&run, "--measures takes a list");
    levy("price", "x.yaml", "--strict=yes", NULL);
    assert_usage_error(&run, "option --strict takes no value");
    levy("price", "x.yaml", "--output", NULL);
    assert_usage_error(&run, "option --output needs a value");
    levy("price", "x.yaml", "-o", NULL);
    assert_usage_error(&run, "option -o needs a value");
    levy("price", "x.yaml", "-o", "", NULL);
    assert_usage_error(&run, "--output takes the name of a file; got ''");
    levy("price", "x.yaml", "--journal", "./none.csv", "--output", "none.csv", NULL);
    assert_usage_error(&run, "--output and --journal are the same file: ./none.csv");
    levy("converge", LEVY_SOURCE_DIR "/configs/geometric_asian.yaml", "--csv", "./none.csv",
         "--svg", "none.csv", NULL);
    assert_usage_error(&run, "--csv and --svg are the same file: none.csv");
    levy("price", "x.yaml", "--journal", "", NULL);
    assert_usage_error(&run, "--journal takes the name of a file; got ''");
    levy("converge", "x.yaml", "--csv", "", NULL);
    assert_usage_error(&run, "--csv takes the name of a file; got ''");
    levy("converge", "x.yaml", "--svg=", NULL);
    assert_usage_error(&run, "--svg takes the name of a file; got ''");
}

static void test_options_belong_to_commands(void **state)
{
    (void)state;
    levy("schema", "--threads", "2", NULL);
    assert_usage_error(&run, "`levy schema` takes no option --threads");
    levy("price", NULL);
    assert_usage_error(&run, "`levy price` needs FILE...");
    levy("price", "x.yaml", "--precision", "single", NULL);
    assert_usage_error(&run, "it is a setting: --set simulation.precision=single\n");
    levy("price", "x.yaml", "--generator=philox", NULL);
    assert_usage_error(&run, "unknown option '--generator=philox'\nhint: it is a setting: --set "
                             "simulation.generator=philox\n");
    levy("schema", "--generator=philox", NULL);
    assert_usage_error(&run, "`levy help COMMAND` lists");
    levy("price", "x.yaml", "--trade", "X", NULL);
    assert_usage_error(&run, "lists its options; that one is of converge, plot, points\n");
    levy("schema", "word", NULL);
    assert_usage_error(
        &run, "`levy schema` prints that of input, kind, report, line or diagnostics; got 'word'");
    levy("schema", "reprot", NULL);
    assert_usage_error(&run, "got 'reprot'; did you mean 'report'?");
    levy("devices", "--format", "npy", NULL);
    assert_usage_error(&run, "--format takes one of table, json, jsonl; got 'npy'");
    levy("describe", "a", "b", NULL);
    assert_usage_error(&run, "`levy describe` takes one word; got 'b'");
    levy("kernels", "build", path_of("good.yaml"), NULL);
    assert_usage_error(&run, "needs --arch");
    static const char *const none[] = {"", ",", ",,"};
    for (size_t i = 0; i < sizeof none / sizeof *none; ++i) {
        levy("kernels", "build", "--arch", none[i], path_of("good.yaml"), NULL);
        assert_usage_error(&run, "--arch takes a list such as sm_80,sm_90; got '");
    }
    levy("devices", "--format", "csv", NULL);
    assert_int_equal(run.code, 2);
}

/* ---- Prices ---- */

static json_t *price_json(void)
{
    json_error_t error;
    json_t *root = json_loads(run.out, JSON_REJECT_DUPLICATES, &error);
    if (!root) fail_msg("%s: %s", error.text, run.out);
    return root;
}

static const json_t *price_result(const json_t *root, size_t index)
{
    return json_array_get(json_object_get(root, "results"), index);
}

static double price_member(const json_t *result, const char *key)
{
    return json_number_value(json_object_get(result, key));
}

/* Black and Scholes: 10.450583572185565 for spot 100, strike 100, rate 5 %, volatility 20 %, one
 * year. */
static void test_price_prints_a_right_price_with_its_error(void **state)
{
    (void)state;
    levy("price", path_of("good.yaml"), "--format", "json", NULL);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.err, "");
    json_t *root = price_json();
    const json_t *call = price_result(root, 0);
    const double price = price_member(call, "price"), error = price_member(call, "std_error");
    assert_true(error > 0 && error < 0.05);
    assert_true(fabs(price - 10.450583572185565) < 5 * error);
    assert_true(price_member(call, "ci_low") < price && price < price_member(call, "ci_high"));
    assert_string_equal(json_string_value(json_object_get(call, "status")), "ok");
    json_decref(root);
}

static void test_every_format_has_the_same_price(void **state)
{
    (void)state;
    levy("price", path_of("good.yaml"), "--json", NULL);
    json_t *root = price_json();
    const double price = price_member(price_result(root, 0), "price");
    json_decref(root);
    levy("price", path_of("good.yaml"), "--format=jsonl", NULL);
    json_t *line = json_loads(run.out, JSON_DISABLE_EOF_CHECK, NULL);
    assert_true(price_member(line, "price") == price);
    json_decref(line);
    levy("price", path_of("good.yaml"), "-f", "csv", NULL);
    const char *row = strstr(run.out, "\r\ncall,european,");
    assert_non_null(row);
    assert_true(strtod(row + strlen("\r\ncall,european,"), NULL) == price);
    levy("price", path_of("good.yaml"), NULL);
    assert_has(run.out, "call   european  1.000  USD  10.4");
    assert_has(run.out, "1 trade: 1 priced, 0 failed");
    assert_null(strchr(run.out, '\033'));
}

static void test_standard_input_is_a_file(void **state)
{
    (void)state;
    char text[2048];
    levy("price", path_of("good.yaml"), "--json", NULL);
    json_t *file = price_json();
    snprintf(text, sizeof text, "%s%ssimulation: {paths: 2^14}\n", cli_market(), cli_call);
    run.input = text;
    levy("price", "-", "--json", NULL);
    assert_int_equal(run.code, 0);
    json_t *input = price_json();
    assert_true(price_member(price_result(file, 0), "price") ==
                price_member(price_result(input, 0), "price"));
    json_decref(file);
    json_decref(input);
    levy("price", "-", "-", NULL);
    assert_usage_error(&run, "only once");
    run.input = "trades: [";
    levy("price", "-", NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "<stdin>:");
}

static void test_settings_override_the_file(void **state)
{
    (void)state;
    levy("price", path_of("good.yaml"), "--json", "--set", "simulation.paths=2^12",
         "--set=simulation.seed=7", "-m", "price,delta,vega", NULL);
    assert_int_equal(run.code, 0);
    json_t *root = price_json();
    const json_t *call = price_result(root, 0), *measures = json_object_get(call, "measures");
    assert_true(price_member(call, "paths") == 4096 && price_member(call, "seed") == 7);
    assert_int_equal(json_array_size(measures), 3);
    assert_string_equal(json_string_value(json_object_get(json_array_get(measures, 1), "factor")),
                        "STOCK.spot");
    /* N(d1) */
    assert_true(fabs(price_member(json_array_get(measures, 1), "value") - 0.6368306511756191) <
                0.02);
    /* S n(d1) */
    assert_true(fabs(price_member(json_array_get(measures, 2), "value") - 37.52403469169379) < 1.5);
    json_decref(root);
    levy("price", path_of("good.yaml"), "-m", "price,foo", NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "--measures: error: measures[1]: unknown value 'foo'\nhint: One of: ");
    levy("price", path_of("good.yaml"), "--set", "measures=foo", NULL);
    assert_has(run.err, "--set: error: measures[0]: unknown value 'foo'\n");
    levy("price", path_of("good.yaml"), "--set", "simulation.pats=5", NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "did you mean 'simulation.paths'?");
    assert_string_equal(run.out, "");
    levy("price", path_of("good.yaml"), "--set", "simulation.paths=1000", NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "power of two");
}

/* A note that is no flag stands behind the interval, and what is exact has no more digits than it
 * owes to rounding. */
static void test_a_table_tells_of_noise(void **state)
{
    (void)state;
    cli_write("noisy.yaml", cli_market(),
              "  - {id: d, underlying: STOCK, payoff: {kind: digital, option_type: call, strike: "
              "100, cash: 10}, exercise: {expiry: 1}}\n",
              "  - {id: f, underlying: STOCK, payoff: {kind: forward, strike: 98.7654321}, "
              "exercise: {expiry: 1}, quantity: 333333}\n");
    levy("price", path_of("noisy.yaml"), "-m", "price,delta", "-s", "simulation.smoothing=none",
         NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "] noisy\n");
    assert_has(run.out, "  2017136.27051  ");
}

/* What is wrong with correlations is told beside a fault of an asset. */
static void test_all_faults_are_told_at_once(void **state)
{
    static const char market[] = "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n"
                                 "    A: {currency: USD, spot: 1, volatility: 2x}\n"
                                 "    B: {currency: USD, spot: 1, volatility: 0.2}\n"
                                 "    C: {currency: USD, spot: 1, volatility: 0.2}\n"
                                 "  correlations: {pairs: [[A.spot, B.spot, 0.9], ";
    static const char trade[] = "models: {m: {kind: black_scholes, assets: [A, B, C]}}\ntrades:\n"
                                "  - {id: t, underlying: A, payoff: {kind: european, option_type: "
                                "cal, strike: 1}, exercise: 1}\n";
    (void)state;
    cli_write("many.yaml", market, "[B.spot, C.spot, 0.9], [A.spot, C.spot, -0.9]]}\n", trade);
    levy("validate", path_of("many.yaml"), NULL);
    assert_has(run.err, "expected a number; got '2x'");
    assert_has(run.err, "are not positive semidefinite");
    assert_has(run.err, "unknown value 'cal'");
    cli_write("many.yaml", market, "[B.spot, C.spot, 0.9]]}\n", trade);
    levy("validate", path_of("many.yaml"), NULL);
    assert_has(run.err, "the correlation of A and C is missing");
}

static void test_faults_and_exit_codes(void **state)
{
    (void)state;
    levy("price", path_of("mixed.yaml"), "--json", NULL);
    assert_int_equal(run.code, 1);
    assert_has(run.err, "mixed.yaml:10:");
    assert_has(run.err, "trades[1].payoff.strik");
    assert_has(run.err, "did you mean 'strike'?");
    json_t *root = price_json();
    const json_t *good = price_result(root, 0), *bad = price_result(root, 1);
    assert_string_equal(json_string_value(json_object_get(good, "status")), "ok");
    assert_string_equal(json_string_value(json_object_get(bad, "status")), "failed");
    assert_string_equal(json_string_value(json_object_get(bad, "reason")), "unknown_key");
    assert_true(json_is_null(json_object_get(bad, "price")));
    json_decref(root);
    levy("price", path_of("mixed.yaml"), "--strict", NULL);
    assert_int_equal(run.code, 3);
    assert_string_equal(run.out, "");
    levy("price", path_of("mixed.yaml"), "--strict-sums", NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "levy: sums would lack the trades that failed (--strict-sums)");
    assert_string_equal(run.out, "");
    cli_write("late.yaml", cli_market(), cli_call, cli_late_fault);
    levy("price", path_of("late.yaml"), "--strict-sums", "--by", "payoff", NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "levy: error: the sum netted USD lacks 1 of 2 trades: late\n");
    assert_has(run.err, "levy: error: the sum payoff script lacks 1 of 1 trades: late\n");
    assert_string_equal(run.out, "");
    levy("price", path_of("mixed.yaml"), NULL);
    assert_has(run.out, "netted, 1 of 2 trades");
    assert_has(run.out, "\n  partial, without: ");
    levy("price", path_of("bad.yaml"), NULL);
    assert_int_equal(run.code, 3);
    assert_string_equal(run.out, "");
    levy("price", path_of("missing.yaml"), NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "missing.yaml: error: cannot open the file: No such file or directory");
    assert_null(strstr(run.err, "hint"));
    levy("price", path_of("phoenix.yaml"), NULL);
    assert_has(run.err, "hint: `levy example payoffs/phoenix > phoenix.yaml` writes the example\n");
    levy("price", path_of("good"), NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "hint: Did you mean /tmp/levy test ");
    assert_has(run.err, "/good.yaml?");
    levy("price", path_of("good.yml"), NULL);
    assert_has(run.err, "/good.yaml?");
    levy("price", levy_program, NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "levy:1:1: error: this is a binary file, not text");
    levy("price", NULL);
    assert_int_equal(run.code, 2);
    assert_has(run.err, "a FILE of - is standard input");
    levy("price", "/dev/null", NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "not a regular file");
    levy("price", path_of("good.yaml"), "--device", "cuda:77", NULL);
    assert_int_equal(run.code, 4);
    assert_string_equal(run.out, "");
}

static void assert_below_the_barrier(void)
{
    assert_int_equal(run.code, 3);
    assert_has(run.err, "below the down barrier 95");
    assert_string_equal(run.out, "");
}

/* A quote that --set gives is checked by the first call after it, which checks all trades anew. */
static void test_warnings_of_a_quote_are_told_once_and_strictly(void **state)
{
    (void)state;
    cli_write("barrier.yaml", cli_market(), cli_call, cli_barrier);
    levy("price", path_of("barrier.yaml"), "--set", "simulation.paths=2^6", "--strict", NULL);
    assert_int_equal(run.code, 0);
    levy("price", path_of("barrier.yaml"), "--set", "simulation.paths=2^6", "--set",
         "STOCK.spot=90", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.err, "below the down barrier 95");
    levy("price", path_of("barrier.yaml"), "--set", "simulation.paths=2^6", "--set",
         "STOCK.spot=90", "--strict", NULL);
    assert_below_the_barrier();
    levy("converge", path_of("barrier.yaml"), "--points", "2^6..2^7", "--replicates", "2",
         "--trade", "out", "--reference", "1", "--set", "STOCK.spot=90", "--strict", NULL);
    assert_below_the_barrier();
    levy("price", path_of("mixed.yaml"), "--set", "simulation.paths=2^6", "--set", "STOCK.spot=90",
         NULL);
    assert_int_equal(run.code, 1);
    assert_null(strstr(strstr(run.err, "did you mean 'strike'?") + 1, "did you mean 'strike'?"));
}

static void test_validate_prices_nothing(void **state)
{
    (void)state;
    levy("validate", path_of("good.yaml"), NULL);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.out, "valid: 1 trade\n");
    levy("validate", path_of("mixed.yaml"), NULL);
    assert_int_equal(run.code, 3);
    assert_string_equal(run.out, "");
    levy("validate", "-q", path_of("good.yaml"), NULL);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.out, "");
}

static json_t *parsed(const char *text)
{
    json_error_t error;
    json_t *const value = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!value) fail_msg("line %d: %s", error.line, error.text);
    return value;
}

/* What stands on stderr as text stands on stdout as JSON, with the same exit code. */
static void test_validate_answers_programs(void **state)
{
    char why[256];
    (void)state;
    levy("schema", "diagnostics", NULL);
    json_t *const schema = parsed(run.out);
    levy("validate", path_of("mixed.yaml"), "--json", NULL);
    assert_int_equal(run.code, 3);
    assert_string_equal(run.err, "");
    json_t *value = parsed(run.out);
    if (!json_schema_valid(schema, value, why, sizeof why)) fail_msg("%s", why);
    assert_false(json_boolean_value(json_object_get(value, "valid")));
    const json_t *const list = json_object_get(value, "diagnostics");
    assert_int_equal(json_array_size(list), 1);
    const json_t *const first = json_array_get(list, 0);
    assert_string_equal(json_string_value(json_object_get(first, "file")), path_of("mixed.yaml"));
    assert_string_equal(json_string_value(json_object_get(first, "severity")), "error");
    assert_has(json_string_value(json_object_get(first, "message")), "did you mean 'strike'?");
    assert_true(json_integer_value(json_object_get(first, "line")) > 1);
    assert_true(json_integer_value(json_object_get(first, "column")) > 1);
    json_decref(value);
    levy("validate", path_of("good.yaml"), path_of("none.yaml"), "--each", "-f", "json", NULL);
    assert_int_equal(run.code, 3);
    value = parsed(run.out);
    assert_int_equal(json_array_size(value), 2);
    for (size_t i = 0; i < 2; ++i) {
        const json_t *const one = json_array_get(value, i);
        if (!json_schema_valid(schema, one, why, sizeof why)) fail_msg("%s", why);
        assert_true(json_boolean_value(json_object_get(one, "valid")) == (i == 0));
        assert_int_equal(json_integer_value(json_object_get(one, "trades")), i == 0);
    }
    json_decref(value);
    levy("validate", path_of("good.yaml"), "--json", "--seed", "x", NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.out, "{\"file\": \"--seed\", \"line\": null, ");
    levy("validate", path_of("good.yaml"), "--json", "--market", path_of("market.yaml"), NULL);
    assert_has(run.out, "\"severity\": \"error\"");
    levy("validate", path_of("good.yaml"), "-f", "csv", NULL);
    assert_usage_error(&run, "--format takes one of table, json; got 'csv'");
    json_decref(schema);
}

/* A folder may be another's: what a name would tell a terminal is shown, not done. */
static void test_names_of_files_tell_a_terminal_nothing(void **state)
{
    char path[4096], command[8192];
    (void)state;
    snprintf(path, sizeof path, "%s/\x1b]0;x\x07\xc2\x9b.yaml", path_of("names"));
    snprintf(command, sizeof command, "mkdir -p '%s' && cp '%s' '%s'", path_of("names"),
             path_of("good.yaml"), path);
    assert_int_equal(system(command), 0);
    static const char *const commands[] = {"validate", "price"};
    for (size_t i = 0; i < 2; ++i) {
        levy(commands[i], "--each", path_of("names"), NULL);
        assert_int_equal(run.code, 0);
        assert_has(run.out, "/\\x1b]0;x\\x07\\xc2");
        assert_null(strpbrk(run.out, "\x1b\x07"));
    }
    levy("price", "--each", path_of("names"), "-f", "csv", NULL);
    assert_has(run.out, "/\\x1b]0;x\\x07\\xc2\\x9b.yaml,call,");
    assert_null(strpbrk(run.out, "\x1b\x07"));
}

/* A Latin-1 byte, a surrogate, a form too long, a code too high and a cut character are no UTF-8.
 */
static void test_names_of_files_that_are_no_utf_8_are_still_json(void **state)
{
    static const char name[] =
        "\xe9 \xc3\xa9 \xf0\x9f\x98\x80 \xed\xa0\x80 \xc0\xaf \xf4\x90\x80\x80 \xe2\x82";
    (void)state;
    for (int each = 0; each < 2; ++each) {
        levy("validate", "--json", name, each ? "--each" : NULL, NULL);
        assert_int_equal(run.code, 3);
        json_t *const value = parsed(run.out); /* which refuses what is no UTF-8 */
        const json_t *const said =
            json_object_get(each ? json_array_get(value, 0) : value, "diagnostics");
        assert_string_equal(json_string_value(json_object_get(json_array_get(said, 0), "file")),
                            "\uFFFD \xc3\xa9 \U0001F600 \uFFFD\uFFFD\uFFFD \uFFFD\uFFFD "
                            "\uFFFD\uFFFD\uFFFD\uFFFD \uFFFD\uFFFD");
        json_decref(value);
    }
}

static void test_inspection_commands_answer(void **state)
{
    (void)state;
    levy("explain", path_of("long.yaml"), NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "plan hash");
    assert_has(run.out, "64 future observations");
    levy("describe", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "payoff.asian");
    levy("describe", "cdf", NULL);
    assert_has(run.out, "cdf(a)\n  Function of scripts (docs/language.md).\n  The chance that a "
                        "standard normal number is below a.");
    levy("describe", "vega", NULL);
    assert_has(run.out,
               "vega\n  Measure; factor SPX.volatility; currency per 1.00 of volatility: a");
    levy("describe", "delta", NULL); /* a measure, and a parameter */
    assert_has(run.out, "Measure; factor SPX.spot");
    assert_has(run.out, "\n\nmodel.normal_inverse_gaussian.delta\n");
    levy("describe", "std_error", NULL);
    assert_has(run.out, "\n  netted.std_error, currency: Standard error of the sum");
    levy("describe", "netted", NULL);
    assert_has(run.out, "\n  netted.value, currency: Sum of the prices.\n");
    levy("describe", "R3", NULL);
    assert_has(run.out, "trade.reproducibility: Bits are the same on every backend (R3)");
    levy("help", "unreliable", NULL);
    assert_has(run.out, "trade.interval: How the interval was made: student_t");
    levy("describe", "vegga", NULL);
    assert_usage_error(&run, "there is no topic 'vegga'; did you mean 'vega'?");
    levy("describe", "payoff.asian", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "strike");
    levy("schema", NULL);
    assert_int_equal(run.code, 0);
    json_t *schema = price_json();
    assert_has(json_string_value(json_object_get(schema, "$schema")), "draft-07");
    json_decref(schema);
    levy("devices", "--json", NULL);
    assert_int_equal(run.code, 0);
    json_t *devices = price_json();
    assert_string_equal(json_string_value(json_object_get(
                            json_array_get(json_object_get(devices, "devices"), 0), "device")),
                        "cpu");
    json_decref(devices);
    levy("devices", NULL);
    assert_has(run.out, "cpu\n  usable           true\n");
}

/* ---- Output ---- */

static void test_output_file_is_written_whole(void **state)
{
    (void)state;
    struct stat status;
    levy("price", path_of("good.yaml"), "--output", path_of("result.json"), NULL);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.out, "");
    json_t *root = json_loads(cli_read("result.json"), 0, NULL); /* the ending picked the format */
    assert_non_null(root);
    json_decref(root);
    levy("price", path_of("good.yaml"), "-o", path_of("result.csv"), NULL);
    assert_int_equal(strncmp(cli_read("result.csv"), "id,payoff,price", 15), 0);
    levy("price", path_of("good.yaml"), "-o", path_of("forced.csv"), "-f", "json", NULL);
    assert_int_equal(cli_read("forced.csv")[0], '{');
    assert_int_equal(chmod(path_of("result.csv"), 0640), 0);
    assert_int_equal(symlink("result.csv", path_of("link.csv")), 0);
    levy("price", path_of("good.yaml"), "-o", path_of("link.csv"), NULL);
    assert_int_equal(run.code, 0);
    assert_int_equal(lstat(path_of("link.csv"), &status), 0);
    /* the link stays, its target is replaced and keeps its mode */
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(stat(path_of("result.csv"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
}

/* A table of text in a file that calls itself something else helps nobody. */
static void test_an_ending_that_stands_for_nothing_is_refused(void **state)
{
    static const char *const endings[] = {"r.xlsx", "r.svg", "r.parquet",
                                          "r.CSV",  "r.",    "r.csv.gz"};
    (void)state;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; ++i) {
        levy("price", path_of("good.yaml"), "-o", path_of(endings[i]), NULL);
        assert_int_equal(run.code, 2);
        assert_has(run.err, "unknown format '.");
        assert_has(run.err, "hint: the ending selects the format: .csv, .json, .jsonl, .npy, .txt, "
                            ".html; or give --format");
        assert_int_not_equal(access(path_of(endings[i]), F_OK), 0);
    }
    levy("price", path_of("good.yaml"), "-o", path_of("r.xlsx"), "-f", "csv", NULL);
    assert_int_equal(run.code, 0);
    levy("price", path_of("good.yaml"), "-o", path_of("r.txt"), NULL);
    assert_int_equal(run.code, 0);
    assert_has(cli_read("r.txt"), "trade ");
    levy("price", path_of("good.yaml"), "-o", path_of("bare"), NULL);
    assert_int_equal(run.code, 0);
    levy("explain", path_of("good.yaml"), "-o", path_of("r.json"), NULL);
    assert_int_equal(run.code, 2);
    assert_has(run.err, "the ending selects the format: .txt\n");
    levy("schema", "-o", path_of("s.yaml"), NULL);
    assert_int_equal(run.code, 2);
    levy("schema", "-o", path_of("s.json"), NULL);
    assert_int_equal(run.code, 0);
}

static int count_files(void)
{
    char command[200];
    snprintf(command, sizeof command, "ls -A '%s' | wc -l", folder);
    FILE *pipe = popen(command, "r");
    int count = -1;
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    pclose(pipe);
    return count;
}

static void test_a_full_disk_leaves_the_old_file(void **state)
{
    (void)state;
    FILE *file = fopen(path_of("old.json"), "w");
    fputs("old\n", file);
    fclose(file);
    const int files = count_files();
    run.file_limit = 100;
    levy("price", path_of("good.yaml"), "-o", path_of("old.json"), NULL);
    assert_int_equal(run.code, 7);
    assert_has(run.err, "cannot write");
    assert_has(run.err, "File too large");
    assert_string_equal(cli_read("old.json"), "old\n");
    assert_int_equal(count_files(), files); /* no temporary file stays */
    run.file_limit = 0;
    levy("price", path_of("bad.yaml"), "-o", path_of("old.json"), NULL);
    assert_int_equal(run.code, 3);
    assert_string_equal(cli_read("old.json"), "old\n");
    assert_int_equal(count_files(), files);
    levy("price", path_of("good.yaml"), "-o", "/nonexistent/folder/x.json", NULL);
    assert_int_equal(run.code, 7);
    levy("price", path_of("good.yaml"), "-o", "/dev/full", NULL);
    assert_int_equal(run.code, 7);
    assert_has(run.err, "No space left on device");
    levy("price", path_of("good.yaml"), "-o", "/dev/null", NULL);
    assert_int_equal(run.code, 0);
    assert_int_equal(access("/dev/null", W_OK), 0);
}

static void test_standard_output_that_fails_is_an_error(void **state)
{
    (void)state;
    run.output_file = "/dev/full";
    levy("price", path_of("good.yaml"), NULL);
    assert_int_equal(run.code, 7);
    assert_has(run.err, "cannot write standard output: No space left on device");
    levy("help", NULL);
    assert_int_equal(run.code, 7);
    run.output_file = NULL;
    run.terminal = -1;
    levy("price", path_of("good.yaml"), NULL);
    assert_int_equal(run.code, 7);
}

static void test_a_closed_pipe_is_quiet(void **state)
{
    (void)state;
    run.terminal = -2;
    levy("price", path_of("good.yaml"), NULL);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.err, "");
    levy("schema", NULL);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.err, "");
}

static void test_colours_only_on_a_terminal_that_wants_them(void **state)
{
    (void)state;
    if (!program_has_terminal()) skip();
    run.terminal = 1;
    run.environment[0] = "TERM=xterm";
    run.environment[1] = "NO_COLOR=";
    levy("price", path_of("good.yaml"), NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "\033[1m");
    levy("price", "--no-color", path_of("good.yaml"), NULL);
    assert_null(strchr(run.out, '\033'));
    run.environment[1] = "NO_COLOR=1";
    levy("price", path_of("good.yaml"), NULL);
    assert_null(strchr(run.out, '\033'));
    run.environment[0] = "TERM=dumb";
    run.environment[1] = "NO_COLOR=";
    levy("price", path_of("good.yaml"), NULL);
    assert_null(strchr(run.out, '\033'));
}

/* A table keeps to the terminal's line; a pipe has none. */
static void test_only_a_terminal_has_a_width(void **state)
{
    (void)state;
    if (!program_has_terminal()) skip();
    run.environment[0] = "TERM=dumb";
    run.environment[1] = "COLUMNS=40";
    levy("price", path_of("good.yaml"), NULL);
    assert_has(run.out, "payoff    years"); /* a pipe */
    run.terminal = 1;
    levy("price", path_of("good.yaml"), NULL);
    assert_int_equal(run.code, 0);
    assert_null(strstr(run.out, "payoff"));
    for (const char *line = run.out; *line; line += strcspn(line, "\n") + 1) {
        assert_true(strcspn(line, "\r\n") <= 40);
        if (!strchr(line, '\n')) break;
    }
    levy("price", path_of("good.yaml"), "--format", "npy", NULL);
    assert_usage_error(&run, "npy is binary, and standard output is a terminal");
}

static void test_columns_and_keys(void **state)
{
    (void)state;
    levy("price", path_of("good.yaml"), "-f", "csv", "--columns", "id,status", "--by", "payoff",
         "--sums", path_of("sums.csv"), NULL);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.out, "id,status\r\ncall,ok\r\n");
    assert_has(cli_read("sums.csv"), "currency,key,label,trades,failed,failed_ids,price,std_error");
    assert_has(cli_read("sums.csv"), "\r\nUSD,,,1,0,,10.4");
    assert_has(cli_read("sums.csv"), "\r\nUSD,payoff,european,1,0,,10.4");
    levy("price", path_of("good.yaml"), "-f", "csv", "--by", "payoff", NULL);
    assert_usage_error(&run, "--by makes sums, which are no rows of csv and npy");
    levy("price", path_of("good.yaml"), "-f", "csv", "--columns", "id,key", NULL);
    assert_usage_error(&run, "--columns: 'key' is a column of sums, and the rows are trades\n"
                             "hint: --sums FILE has those of sums; docs/results.md lists them");
    levy("price", path_of("good.yaml"), "-o", path_of("s.csv"), "--sums", path_of("s.csv"), NULL);
    assert_usage_error(&run, "--output and --sums are the same file");
    static const char *const standard[] = {"-", "/dev/stdout", "/dev/fd/1"};
    for (size_t i = 0; i < 3; ++i) {
        levy("price", path_of("good.yaml"), "--sums", standard[i], NULL);
        assert_usage_error(&run, "standard output takes the report");
    }
    levy("price", path_of("good.yaml"), "--sums", path_of("good.yaml"), NULL);
    assert_usage_error(&run, "--sums would replace the input");
    levy("price", path_of("good.yaml"), "--sums", "nowhere/sums.csv", NULL);
    assert_int_equal(run.code, 7);
    assert_string_equal(run.out, "");
    levy("price", path_of("good.yaml"), "--by", "payoff", NULL);
    assert_has(run.out, "\npayoff european, 1 trade ");
    levy("price", path_of("good.yaml"), "-o", path_of("r.npy"), "--wide", NULL);
    assert_int_equal(run.code, 0);
    assert_memory_equal(cli_read("r.npy"), "\x93NUMPY", 6);
    levy("price", path_of("none.yaml"), "-f", "csv", "--columns", "id,prise", NULL);
    assert_usage_error(&run, "--columns: there is no column 'prise'; did you mean 'price'?");
    levy("price", path_of("good.yaml"), "--wide", NULL);
    assert_usage_error(&run, "--wide is for csv and npy\nhint: add --format csv");
    levy("price", path_of("good.yaml"), "--by", ",", NULL);
    assert_usage_error(&run, "--by takes a list with commas; got ','");
    levy("price", path_of("good.yaml"), "--by", "desk", NULL);
    assert_int_equal(run.code, 2);
    assert_has(run.err, "there is no key 'desk'");
    levy("schema", "report", NULL);
    assert_int_equal(run.code, 0);
    json_t *schema = price_json();
    assert_non_null(json_object_get(json_object_get(schema, "definitions"), "netted"));
    json_decref(schema);
}

/* ---- Progress and signals ---- */

static void test_progress_as_json_counts_to_the_end(void **state)
{
    (void)state;
    levy("price", path_of("long.yaml"), "--progress", "json", "--format", "json", NULL);
    assert_int_equal(run.code, 0);
    double done = -1, total = -1, paths = -1;
    for (char *line = strtok(run.err, "\n"); line; line = strtok(NULL, "\n")) {
        json_t *object = json_loads(line, 0, NULL);
        assert_non_null(object);
        assert_true(price_member(object, "done") >= done);
        assert_int_equal((int)price_member(object, "resumed"), 0);
        assert_true(price_member(object, "done") > 0 ||
                    json_is_null(json_object_get(object, "left")));
        if (price_member(object, "done") == price_member(object, "total"))
            assert_true(price_member(object, "left") == 0.0);
        done = price_member(object, "done");
        total = price_member(object, "total");
        paths = price_member(object, "paths");
        json_decref(object);
    }
    assert_true(total > 0 && done == total);
    json_t *report = json_loads(run.out, 0, NULL), *results = json_object_get(report, "results");
    double simulated = 0; /* each trade has a group of its own */
    for (size_t i = 0; i < json_array_size(results); ++i)
        simulated += price_member(json_array_get(results, i), "paths");
    assert_true(paths == simulated);
    json_decref(report);
}

static void interrupt(int number, int code)
{
    run.signal = number;
    levy("price", path_of("long.yaml"), "--progress", "json", "--json", "--threads", "1", "--set",
         "simulation.paths=2^30", NULL);
    assert_int_equal(run.code, code);
    assert_has(run.err, "interrupted");
    json_t *root = price_json();
    assert_true(json_is_true(json_object_get(json_object_get(root, "run"), "interrupted")));
    const json_t *asian = price_result(root, 1);
    assert_string_equal(json_string_value(json_object_get(asian, "status")), "cancelled");
    assert_string_equal(json_string_value(json_object_get(asian, "reason")), "cancelled");
    json_decref(root);
}

static void test_ctrl_c_stops_and_prints_what_is_done(void **state)
{
    (void)state;
    interrupt(SIGINT, 130);
}

static void test_terminate_stops_and_prints_what_is_done(void **state)
{
    (void)state;
    interrupt(SIGTERM, 143);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_bare_levy_prints_ten_lines_with_an_example, clear_run),
        cmocka_unit_test_setup(test_help_names_every_command_and_option, clear_run),
        cmocka_unit_test_setup(test_version_names_the_contract, clear_run),
        cmocka_unit_test_setup(test_memory_has_a_limit, clear_run),
        cmocka_unit_test_setup(test_messages_do_not_steer_the_terminal, clear_run),
        cmocka_unit_test_setup(test_unknown_words_get_the_nearest_one, clear_run),
        cmocka_unit_test_setup(test_bad_option_values_are_refused, clear_run),
        cmocka_unit_test_setup(test_options_belong_to_commands, clear_run),
        cmocka_unit_test_setup(test_price_prints_a_right_price_with_its_error, clear_run),
        cmocka_unit_test_setup(test_every_format_has_the_same_price, clear_run),
        cmocka_unit_test_setup(test_standard_input_is_a_file, clear_run),
        cmocka_unit_test_setup(test_settings_override_the_file, clear_run),
        cmocka_unit_test_setup(test_a_table_tells_of_noise, clear_run),
        cmocka_unit_test_setup(test_all_faults_are_told_at_once, clear_run),
        cmocka_unit_test_setup(test_faults_and_exit_codes, clear_run),
        cmocka_unit_test_setup(test_warnings_of_a_quote_are_told_once_and_strictly, clear_run),
        cmocka_unit_test_setup(test_validate_prices_nothing, clear_run),
        cmocka_unit_test_setup(test_validate_answers_programs, clear_run),
        cmocka_unit_test_setup(test_names_of_files_tell_a_terminal_nothing, clear_run),
        cmocka_unit_test_setup(test_names_of_files_that_are_no_utf_8_are_still_json, clear_run),
        cmocka_unit_test_setup(test_inspection_commands_answer, clear_run),
        cmocka_unit_test_setup(test_output_file_is_written_whole, clear_run),
        cmocka_unit_test_setup(test_an_ending_that_stands_for_nothing_is_refused, clear_run),
        cmocka_unit_test_setup(test_a_full_disk_leaves_the_old_file, clear_run),
        cmocka_unit_test_setup(test_standard_output_that_fails_is_an_error, clear_run),
        cmocka_unit_test_setup(test_a_closed_pipe_is_quiet, clear_run),
        cmocka_unit_test_setup(test_colours_only_on_a_terminal_that_wants_them, clear_run),
        cmocka_unit_test_setup(test_only_a_terminal_has_a_width, clear_run),
        cmocka_unit_test_setup(test_columns_and_keys, clear_run),
        cmocka_unit_test_setup(test_progress_as_json_counts_to_the_end, clear_run),
        cmocka_unit_test_setup(test_ctrl_c_stops_and_prints_what_is_done, clear_run),
        cmocka_unit_test_setup(test_terminate_stops_and_prints_what_is_done, clear_run),
    };
    return cmocka_run_group_tests(tests, cli_set_up, remove_folder);
}
