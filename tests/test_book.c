/* test_book.c: settings and overrides, several documents and files, what a fault leaves standing,
 * failing memory. */
#include "tests/problem_case.h"
#include "tests/heap.h"
#include "tests/files.h"

/* ---- Settings ---- */

static void test_simulation_defaults(void **state)
{
    (void)state;
    const levy_simulation *s = &load_good(TRADE(CALL_ON_A))->simulation;
    assert_true(s->paths == 262144 && s->replicates == 16 && s->seed == 42 &&
                s->confidence == 0.95);
    assert_true(s->generator == LEVY_GENERATOR_SOBOL_SCRAMBLED &&
                s->construction == LEVY_CONSTRUCTION_BRIDGE);
    assert_true(s->precision == LEVY_PRECISION_DOUBLE && s->measures == LEVY_MEASURE_PRICE);
    /* by the rule */
    assert_true(s->spot_bump == 0.0 && s->volatility_bump == 0.0 && s->rate_bump == 0.0);
}

static void test_simulation_replicates_by_generator(void **state)
{
    (void)state;
    assert_true(load_good(TRADE(CALL_ON_A) "simulation: {generator: philox, paths: 1000}\n")
                    ->simulation.replicates == 1);
    release_book(NULL);
    assert_true(load_good(TRADE(CALL_ON_A) "simulation: {generator: sobol, paths: 2^10}\n")
                    ->simulation.replicates == 1);
    release_book(NULL);
    assert_refused(TRADE(CALL_ON_A) "simulation: {generator: sobol, replicates: 4}\n",
                   "generator sobol has one replicate; got 4");
}

static void test_simulation_names_the_nearest_totals(void **state)
{
    (void)state;
    assert_refused(TRADE(CALL_ON_A) "simulation: {paths: 100000}\n",
                   "got 100000, nearest are 65536 and 131072");
    release_book(NULL);
    assert_refused(TRADE(CALL_ON_A) "simulation: {paths: 5}\n", "got 5, nearest is 32");
    release_book(NULL);
    assert_refused(TRADE(CALL_ON_A) "simulation: {paths: 2^40, replicates: 1}\n",
                   "at most 2^32 paths per replicate");
}

static void test_override_replaces_the_file(void **state)
{
    static const levy_override sets[] = {{"simulation.paths", "2^20"},
                                         {"simulation.bumps.spot", "0.02"},
                                         {"measures", "delta,vega"},
                                         {"simulation.seed", "7"}};
    (void)state;
    loaded = load_with(
        TRADE(CALL_ON_A) "simulation: {paths: seven, seed: 3, replicates: 32}\nmeasures: [price]\n",
        sets, 4);
    assert_int_equal(loaded.status, LEVY_OK);
    const levy_simulation *s = &loaded.problem->simulation;
    assert_true(s->paths == 1048576 && s->seed == 7 && s->replicates == 32 &&
                s->spot_bump == 0.02 && s->volatility_bump == 0.0);
    assert_true(s->measures == (LEVY_MEASURE_PRICE | LEVY_MEASURE_DELTA | LEVY_MEASURE_VEGA));
}

static void test_override_is_checked_by_the_same_table(void **state)
{
    static const levy_override bad[] = {
        {"simulation.path", "2^20"}, {"simulation.confidence", "2"}, {"measures", "gama"}};
    (void)state;
    loaded = load_with(TRADE(CALL_ON_A), bad, 3);
    assert_int_equal(loaded.status, LEVY_INPUT);
    assert_int_equal(loaded.faults.errors, 3);
    assert_true(loaded_book_says(
        &loaded,
        "--set: error: simulation.path: unknown setting; did you mean 'simulation.paths'?"));
    assert_true(loaded_book_says(&loaded, "--set: error: simulation.confidence: "));
    assert_true(loaded_book_says(&loaded, "--set: error: measures[0]: "));
}

static void test_override_of_a_map_of_settings_takes_a_map(void **state)
{
    static const levy_override good[] = {{"simulation.tolerance", "{relative: 0.01}"},
                                         {"simulation.bumps", " {volatility: 0.02}"}};
    static const levy_override bad[] = {{"simulation.tolerance", "0.001"},
                                        {"simulation.bumps", "[0.1]"},
                                        {"simulation.tolerance.relativ", "1"}};
    (void)state;
    loaded = load_with(TRADE(CALL_ON_A), good, 2);
    assert_int_equal(loaded.status, LEVY_OK);
    assert_true(loaded.problem->simulation.tolerance.relative == 0.01);
    assert_true(loaded.problem->simulation.volatility_bump == 0.02);
    loaded_book_release(&loaded);
    loaded = load_with(TRADE(CALL_ON_A), bad, 3);
    assert_int_equal(loaded.status, LEVY_INPUT);
    assert_int_equal(loaded.faults.errors, 3);
    assert_true(loaded_book_says(&loaded,
                                 "--set: error: simulation.tolerance: expected a map of settings"));
    assert_string_equal(loaded.faults.items[0].hint, "Write simulation.tolerance.relative=0.001.");
    assert_string_equal(loaded.faults.items[1].hint, "Write simulation.bumps.spot=VALUE.");
    assert_true(loaded_book_says(&loaded,
                                 "unknown setting; did you mean 'simulation.tolerance.relative'?"));
}

static void test_override_of_a_quote_names_the_nearest(void **state)
{
    static const levy_override bad[] = {{"A.spto", "3"},  {"A.vol", "0.3"}, {"USD.rat", "0"},
                                        {"A.xyzzy", "1"}, {"C.spto", "1"},  {"A.spot", "101"}};
    (void)state;
    loaded = load_with(TRADE(CALL_ON_A), bad, 6);
    assert_int_equal(loaded.faults.errors, 6);
    assert_true(loaded_book_says(&loaded, "A.spto: unknown quote; did you mean 'A.spot'?"));
    assert_true(loaded_book_says(&loaded, "A.vol: unknown quote; did you mean 'A.volatility'?"));
    assert_true(loaded_book_says(&loaded, "USD.rat: unknown quote; did you mean 'USD.rate'?"));
    assert_string_equal(loaded.faults.items[3].message, "unknown quote");
    assert_string_equal(loaded.faults.items[3].hint,
                        "The quotes of 'A' are A.spot, A.dividend_yield, A.volatility, A.borrow.");
    assert_string_equal(loaded.faults.items[4].message, "unknown setting");
    assert_string_equal(loaded.faults.items[5].message, "a quote of the market is no setting");
}

/* ---- Several documents and files ---- */

static void test_documents_share_one_market(void **state)
{
    (void)state;
    const levy_problem *problem =
        load_good(TRADE(CALL_ON_A) "---\nschema_version: 1\ntrades: [{id: u, exercise: {expiry: "
                                   "2}, underlying: B, " CALL "}]\n");
    assert_int_equal(problem->n_trades, 2);
    assert_string_equal(problem->trades[1].from->raw->id, "u");
    assert_ptr_equal(problem->trades[0].model, problem->trades[1].model);
}

static void test_files_keep_their_order(void **state)
{
    static const char first[] =
        "schema_version: 1\ntrades: [{id: u, exercise: {expiry: 2}, underlying: B, " CALL "}]\n";
    static const char second[] = TRADE(CALL_ON_A);
    const levy_input inputs[] = {{"a.yaml", first, sizeof first - 1, NULL, false},
                                 {"b.yaml", second, sizeof second - 1, NULL, false}};
    (void)state;
    loaded = load_inputs(inputs, 2, NULL, 0);
    assert_int_equal(loaded.status, LEVY_OK);
    assert_string_equal(loaded.problem->trades[0].from->raw->id, "u");
    assert_string_equal(loaded.problem->trades[1].from->raw->id, "t");
}

static void test_definitions_stand_once_over_all_files(void **state)
{
    static const char first[] = TRADE(CALL_ON_A) "simulation: {seed: 1}\n";
    static const char second[] =
        "schema_version: 1\nmarket: {assets: {A: {currency: USD, spot: 1, volatility: 1}}}\n"
        "trades: [{id: t, exercise: {expiry: 2}, underlying: B, " CALL
        "}]\nsimulation: {seed: 2}\n";
    const levy_input inputs[] = {{"a.yaml", first, sizeof first - 1, NULL, false},
                                 {"b.yaml", second, sizeof second - 1, NULL, false}};
    (void)state;
    loaded = load_inputs(inputs, 2, NULL, 0);
    assert_int_equal(loaded.status, LEVY_INPUT);
    assert_int_equal(loaded.faults.errors, 3);
    assert_true(loaded_book_says(
        &loaded,
        "b.yaml:2:19: error: market.assets.A: the asset 'A' is already defined at a.yaml:5:5"));
    assert_true(loaded_book_says(
        &loaded, "b.yaml:3:15: error: trades[0].id: the id 't' is already used at a.yaml:10:10"));
    assert_true(loaded_book_says(
        &loaded, "b.yaml:4:1: error: simulation: 'simulation' is already given at a.yaml:11:1"));
}

#define MARKET_REFERENCE(file)                                                                     \
    "schema_version: 1\nmarket: " file "\nmodels: {m: {kind: black_scholes, assets: [A]}}\n"       \
    "trades: [{id: t, exercise: {expiry: 1.0}, " CALL_ON_A "}]\n"

static void test_market_reference_leaving_its_folder_is_refused(void **state)
{
    (void)state;
    assert_refused(MARKET_REFERENCE("../market.yaml"), "the reference leaves the folder with '..'");
    release_book(NULL);
    assert_refused(MARKET_REFERENCE("/etc/hostname"), "the reference is an absolute path");
    release_book(NULL);
    assert_refused(MARKET_REFERENCE("https://example.org/market.yaml"), "the reference is a URL");
    release_book(NULL);
    assert_refused(MARKET_REFERENCE("no_such_market.yaml"),
                   "there is no file 'no_such_market.yaml'");
    /* nothing is said of names that the file would have held */
    assert_int_equal(loaded.faults.errors, 1);
    release_book(NULL);
    loaded = load_with(MARKET_REFERENCE("market.yaml"), NULL, 0);
    assert_true(loaded_book_says(
        &loaded, "a text that is not a file cannot refer to the file 'market.yaml'"));
}

static void test_market_reference_is_read(void **state)
{
    static const char body[] = "curves: {USD: 0.05, EUR: 0.02}\nassets: {A: {currency: USD, spot: "
                               "100, volatility: 0.2}}\n";
    static const char under[] =
        "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets: {A: {currency: USD, "
        "spot: 100, volatility: 0.2}}\n";
    char folder[] = "levy_test_XXXXXX", name[64];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/market.yaml", folder);
    const levy_input input = {"book.yaml", MARKET_REFERENCE("market.yaml"),
                              sizeof MARKET_REFERENCE("market.yaml") - 1, folder, false};
    for (int form = 0; form < 2; ++form) {
        write_file(name, form == 0 ? body : under);
        loaded = load_inputs(&input, 1, NULL, 0);
        remove(name);
        assert_int_equal(loaded.status, LEVY_OK);
        assert_int_equal(loaded.faults.count, 0); /* the unused EUR is no matter in a shared file */
        assert_close(levy_trade_discount(&loaded.problem->trades[0]), exp(-0.05), 1e-15);
        release_book(NULL);
    }
    remove(folder);
}

/* ---- Faults ---- */

static void test_a_bad_trade_leaves_the_others(void **state)
{
    (void)state;
    loaded =
        load_text(MARKET "trades:\n  - {id: t, exercise: {expiry: 1.0}, underlying: Z, " CALL "}\n"
                         "  - {id: u, exercise: {expiry: 1.0}, " CALL_ON_A "}\n"
                         "  - {id: v, exercise: {expiry: 1.0}, underlying: A, payoff: {kind: "
                         "european, option_type: call, strik: 1}}\n");
    assert_int_equal(loaded.status, LEVY_OK);
    assert_int_equal(loaded.faults.errors, 2);
    assert_true(!levy_trade_is_planned(&loaded.problem->trades[0]) &&
                levy_trade_is_planned(&loaded.problem->trades[1]) &&
                !levy_trade_is_planned(&loaded.problem->trades[2]));
    assert_int_equal(loaded.faults.items[0].trade, 0);
    assert_int_equal(loaded.faults.items[1].trade, 2);
    assert_string_equal(loaded.problem->trades[2].from->raw->id, "v");
}

static void test_no_trade_left_prices_nothing(void **state)
{
    (void)state;
    assert_refused(TRADE("underlying: Z, " CALL), "trades[0].underlying: there is no asset 'Z'");
    assert_int_equal(loaded.faults.items[0].trade, 0);
}

static void test_a_market_fault_prices_nothing_and_does_not_echo(void **state)
{
    (void)state;
    loaded = load_text("schema_version: 1\nmarket:\n  curves: {USD: 9}\n  assets: {A: {currency: "
                       "USD, spot: 100, volatility: 0.2}}\n"
                       "models: {m: {kind: black_scholes, assets: [A]}}\ntrades: [{id: t, "
                       "exercise: {expiry: 1.0}, " CALL_ON_A "}]\n");
    assert_int_equal(loaded.status, LEVY_INPUT);
    assert_int_equal(loaded.faults.errors, 1);
    assert_int_equal(loaded.faults.items[0].trade, -1);
}

static void test_all_faults_come_at_once_in_order(void **state)
{
    (void)state;
    loaded =
        load_text("schema_version: 1\nmarket:\n  curves: {USD: 9}\n  assets:\n    A: "
                  "{currency: USD, spot: -1, volatility: 0.2}\n"
                  "models: {m: {kind: black_scholes, assets: [A, Q]}}\n"
                  "trades: [{id: t, exercise: {expiry: 1.0, style: shout}, underlying: A, " CALL
                  "}]\nsimulation: {paths: 3}\n");
    assert_int_equal(loaded.faults.errors, 5);
    for (size_t i = 1; i < loaded.faults.count; ++i)
        assert_true(loaded.faults.items[i].place.line > loaded.faults.items[i - 1].place.line);
}

static void test_unused_definitions_warn(void **state)
{
    (void)state;
    loaded = load_text(TRADE(
        CALL_ON_A
        ", model: m") "---\nschema_version: 1\nmarket: {curves: {EUR: 0.01}, calendars: {XX: {}}}\n"
                      "models: {unused: {kind: black_scholes, assets: [B]}}\n");
    assert_int_equal(loaded.status, LEVY_OK);
    assert_int_equal(loaded.faults.warnings,
                     2); /* a model of a file without trades is for any book */
    assert_true(loaded_book_says(
        &loaded, "book.yaml:13:19: warning: market.curves.EUR: no trade uses this curve"));
    loaded_book_release(&loaded);
    loaded = load_text(
        TRADE(CALL_ON_A ", model: m") "---\nschema_version: 1\n"
                                      "models: {unused: {kind: black_scholes, assets: [B]}}\n"
                                      "trades: [{id: u, exercise: {expiry: 1.0}, model: m, "
                                      "underlying: A, " CALL "}]\n");
    assert_int_equal(loaded.status, LEVY_OK);
    assert_int_equal(loaded.faults.warnings, 1);
    assert_true(loaded_book_says(&loaded, "models.unused: no trade uses this model"));
}

static void test_fingerprint_is_of_texts_and_overrides(void **state)
{
    static const levy_override seed[] = {{"simulation.seed", "42"}};
    (void)state;
    const uint64_t plain = load_good(TRADE(CALL_ON_A))->fingerprint;
    release_book(NULL);
    assert_true(load_good(TRADE(CALL_ON_A))->fingerprint == plain);
    release_book(NULL);
    assert_true(load_good(TRADE(CALL_ON_A ", quantity: 2"))->fingerprint != plain);
    release_book(NULL);
    loaded = load_with(TRADE(CALL_ON_A), seed, 1);
    assert_true(loaded.problem->fingerprint != plain);
}

/* ---- Memory ---- */

/* The n-th allocation fails, for every n, in a good book and in one with faults: an orderly status,
 * and nothing leaks.
 */
static void test_every_failing_allocation_is_reported(void **state)
{
    static const char *const texts[] = {
        TRADE(ASIAN("[-0.5, 0.5, 1]")) "simulation: {paths: 2^12}\nmeasures: [price, vega]\n",
        TRADE(
            "underlyings: [A, Q], payoff: {kind: basket, option_type: call, strike: 1, strik: 2}"),
        /* scripts that are integrated, or softened: else they have other bits */
        TRADE("underlying: A, notional: 100, payoff: {kind: autocallable, calls: {count: 2}, "
              "barrier: 1, coupon: 0.05, protection: 0.6}"),
        TRADE(
            "underlying: A, notional: 100, payoff: {kind: autocallable, calls: {count: 2}, "
            "barrier: 1, coupon: 0.05, protection: 0.6}") "simulation: {construction: incremental, "
                                                          "smoothing: {width: 0.05}}\n",
        "schema_version: 1\nvaluation_date: 2026-11-20\nmarket: {curves: {USD: 0.05}, calendars: "
        "{X: {of: [TOKYO, HONG_KONG]}}, assets: {A: {currency: USD, spot: 100, volatility: 0.2}}}\n"
        "models: {m: {kind: black_scholes, assets: [A]}}\ntrades: [{id: t, exercise: {expiry: "
        "2028-01-20}, " ASIAN("{frequency: 1M, roll: following, calendars: [X, SHANGHAI]}") "}]\n",
        "schema_version: 1\nvaluation_date: 2026-11-20\nreport_currency: EUR\nmarket: {curves: "
        "{USD: 0.05, "
        "EUR: 0.02}, assets: {EURUSD: {currency: USD, base_currency: EUR, spot: 1.25}}}\n"
        "trades: [{id: t, exercise: 2027-11-20, currency: USD, legs: [{payoff: {kind: cash}}, "
        "{currency: EUR, "
        "payoff: {kind: floating, fixing_lag: 2D, fixings: [[2026-11-18, 0.03]], coupons: {start: "
        "2026-11-20, frequency: 6M, roll: following, calendars: [TARGET]}}}]}]\n",
        "schema_version: 1\nmarket: {curves: {USD: 0.05, EUR: 0.02}, assets: {A: {currency: USD, "
        "spot: 100, volatility: 0.2}, X: {currency: USD, base_currency: EUR, spot: 1.1, "
        "volatility: "
        "0.1}}, correlations: {pairs: [[A.spot, X.spot, 0.5]]}}\nmodels: {h: {kind: heston, "
        "assets: [A, X], v0: 0.04, theta: 0.04, kappa: 2, xi: 0.5, rho: -0.5}, j: {kind: "
        "black_scholes, assets: [A], jumps: [{intensity: 1, mark: {kind: normal, mean: 0, "
        "volatility: 0.1}}]}}\ntrades: [{id: s, model: h, exercise: 1, currency: EUR, quanto: "
        "simulated, underlying: A, " CALL "}, {id: c, model: j, exercise: 1, currency: EUR, "
        "conversion: composite, underlying: A, " CALL "}]\n"};
    static const levy_status want[] = {LEVY_OK, LEVY_INPUT, LEVY_OK, LEVY_OK,
                                       LEVY_OK, LEVY_OK,    LEVY_OK};
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
        long n = 0;
        for (bool done = false; !done; ++n) {
            test_heap c = {.fail_at = n + 1};
            const levy_memory memory = heap_memory(&c);
            const levy_input input = {"book.yaml", texts[k], strlen(texts[k]), NULL, false};
            levy_fault_list faults;
            levy_problem *problem = NULL;
            levy_fault_list_init(&faults, &memory);
            levy_quotes *quotes;
            const levy_status status =
                create_problem(&memory, &input, 1, NULL, 0, &faults, &quotes, &problem);
            done = c.calls <= n;
            assert_int_equal(status, done ? want[k] : LEVY_MEMORY);
            assert_true((problem != NULL) == (status == LEVY_OK));
            levy_problem_destroy(problem);
            levy_quotes_destroy(quotes);
            levy_fault_list_release(&faults);
            assert_int_equal(c.live, 0);
        }
        assert_true(n > 3);
    }
}

#define BOOK_TEST(name) cmocka_unit_test_teardown(name, release_book)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOOK_TEST(test_simulation_defaults),
        BOOK_TEST(test_simulation_replicates_by_generator),
        BOOK_TEST(test_simulation_names_the_nearest_totals),
        BOOK_TEST(test_override_replaces_the_file),
        BOOK_TEST(test_override_is_checked_by_the_same_table),
        BOOK_TEST(test_override_of_a_map_of_settings_takes_a_map),
        BOOK_TEST(test_override_of_a_quote_names_the_nearest),
        BOOK_TEST(test_documents_share_one_market),
        BOOK_TEST(test_files_keep_their_order),
        BOOK_TEST(test_definitions_stand_once_over_all_files),
        BOOK_TEST(test_market_reference_leaving_its_folder_is_refused),
        BOOK_TEST(test_market_reference_is_read),
        BOOK_TEST(test_a_bad_trade_leaves_the_others),
        BOOK_TEST(test_no_trade_left_prices_nothing),
        BOOK_TEST(test_a_market_fault_prices_nothing_and_does_not_echo),
        BOOK_TEST(test_all_faults_come_at_once_in_order),
        BOOK_TEST(test_unused_definitions_warn),
        BOOK_TEST(test_fingerprint_is_of_texts_and_overrides),
        cmocka_unit_test(test_every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
