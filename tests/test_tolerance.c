/* test_tolerance.c: prices to an accuracy: the size a trade stops at has the bits of a plain run of
 * that size, whatever the trade's neighbours; misses are told; and the error stays inside as often
 * as it should. */
#include "tests/normal_law.h"
#include "tests/priced.h"
#include "tests/files.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_SETTINGS = 8, COVERAGE_SEEDS = LEVY_SANITIZED ? 24 - 10 * LEVY_SANITIZED : 300 };

static const char tolerance_head[] =
    "schema_version: 1\n"
    "market: {curves: {USD: 0.05}, assets: {A: {currency: USD, spot: 100, volatility: 0.2}}}\n"
    "models: {equity: {kind: black_scholes, assets: [A]}}\n"
    "trades:\n";

#define TOLERANCE_ASIAN(id, size, strike)                                                          \
    "  - {id: " id ", underlying: A, " size                                                        \
    ", payoff: {kind: asian, option_type: call, strike: " strike                                   \
    ", averaging: {method: geometric, observations: {count: 16}}}, exercise: {expiry: 1.0}}\n"

static void run(priced *r, const char *trades, const char *settings)
{
    char text[4096], copy[512];
    levy_setting list[MOST_SETTINGS];
    size_t n = 0;
    const levy_price_options options = {
        .struct_size = sizeof options, .device = "cpu", .threads = 1};
    snprintf(text, sizeof text, "%s%s", tolerance_head, trades);
    snprintf(copy, sizeof copy, "%s", settings);
    for (char *at = strtok(copy, " "); at; at = strtok(NULL, " ")) {
        char *const equals = strchr(at, '=');
        *equals = '\0';
        list[n++] = (levy_setting){at, equals + 1};
    }
    *r = price_alone(text, list, n, &options);
}

static void assert_bits(double a, double b)
{
    if (memcmp(&a, &b, sizeof a) != 0) print_error("%a and %a\n", a, b);
    assert_memory_equal(&a, &b, sizeof a);
}

static void assert_stops_like_a_plain_run(const char *trades, const char *method,
                                          const char *tolerance, uint64_t least)
{
    priced asked, plain;
    char settings[512];
    snprintf(settings, sizeof settings, "%s %s", method, tolerance);
    run(&asked, trades, settings);
    assert_int_equal(asked.status, LEVY_STATUS_OK);
    const levy_trade_result *const a = levy_results_trade(asked.results, 0);
    assert_int_equal(a->tolerance_met, 1);
    assert_true(a->tolerance_width <= a->tolerance && a->paths >= least);
    snprintf(settings, sizeof settings, "%s simulation.paths=%llu", method,
             (unsigned long long)a->paths);
    run(&plain, trades, settings);
    const levy_trade_result *const p = levy_results_trade(plain.results, 0);
    assert_int_equal(p->paths, a->paths);
    assert_int_equal(p->tolerance_met, 0);
    assert_bits(a->price, p->price);
    assert_bits(a->std_error, p->std_error);
    assert_bits(a->ci_low, p->ci_low);
    assert_true(fabs(a->tolerance_width - 1.2 * 0.5 * (a->ci_high - a->ci_low)) <= 1e-12);
    release(&asked);
    release(&plain);
}

static void test_the_size_stopped_at_has_the_bits_of_a_plain_run(void **state)
{
    (void)state;
    const char *const asian = TOLERANCE_ASIAN("a", "quantity: 1", "100");
    assert_stops_like_a_plain_run(asian, "simulation.seed=1", "simulation.tolerance.relative=0.001",
                                  1 << 14);
    if (!LEVY_SANITIZED) /* two million paths */
        assert_stops_like_a_plain_run(asian, "simulation.seed=2",
                                      "simulation.tolerance.absolute=0.0005", 1 << 17);
    assert_stops_like_a_plain_run(asian, "simulation.seed=3",
                                  "simulation.tolerance.absolute=0.02 simulation.paths=32", 64);
    assert_stops_like_a_plain_run(asian, "simulation.generator=mrg32k3a",
                                  "simulation.tolerance.absolute=0.02", 1 << 15);
    assert_stops_like_a_plain_run(asian, "simulation.generator=philox",
                                  "simulation.tolerance.absolute=0.02 simulation.paths=10001",
                                  20002);
    assert_stops_like_a_plain_run(asian, "simulation.replicates=4 simulation.precision=single",
                                  "simulation.tolerance.relative=0.0005", 1 << 13);
}

/* Either is enough; the first size alone is not. */
static void test_two_sizes_in_a_row_are_asked_for_and_either_target_will_do(void **state)
{
    (void)state;
    priced r;
    const char *const asian = TOLERANCE_ASIAN("a", "quantity: 1", "100");
    run(&r, asian, "simulation.tolerance.absolute=1000");
    assert_int_equal(levy_results_trade(r.results, 0)->paths, 2 * 16 * 1024);
    release(&r);
    run(&r, asian, "simulation.tolerance.absolute=0.0000001 simulation.tolerance.relative=0.9");
    assert_int_equal(levy_results_trade(r.results, 0)->paths, 2 * 16 * 1024);
    const levy_trade_result *const t = levy_results_trade(r.results, 0);
    assert_true(fabs(t->tolerance - 0.9 * t->price) <= 1e-12);
    release(&r);
}

static void test_a_trade_stops_where_it_does_alone(void **state)
{
    (void)state;
    static const char *const trades[] = {
        TOLERANCE_ASIAN("near", "quantity: 1", "100"), TOLERANCE_ASIAN("far", "quantity: 1", "130"),
        TOLERANCE_ASIAN("short", "position: short, quantity: 20", "90")};
    const char *const settings = LEVY_SANITIZED
                                     ? "simulation.tolerance.absolute=0.02 measures=price,delta"
                                     : "simulation.tolerance.absolute=0.002 measures=price,delta";
    char all[2048];
    priced book;
    snprintf(all, sizeof all, "%s%s%s", trades[0], trades[1], trades[2]);
    run(&book, all, settings);
    assert_int_equal(book.status, LEVY_STATUS_OK);
    assert_int_equal(levy_results_run(book.results)->groups, 1);
    for (size_t i = 0; i < 3; ++i) {
        priced alone;
        run(&alone, trades[i], settings);
        const levy_trade_result *const a = levy_results_trade(alone.results, 0),
                                       *const b = levy_results_trade(book.results, i);
        assert_int_equal(a->paths, b->paths);
        assert_bits(a->price, b->price);
        assert_bits(a->measures[1].value, b->measures[1].value);
        release(&alone);
    }
    assert_true(levy_results_trade(book.results, 2)->paths >
                levy_results_trade(book.results, 1)->paths);
    release(&book);
}

static void test_a_miss_is_told_with_its_size(void **state)
{
    (void)state;
    priced r;
    const char *const both = TOLERANCE_ASIAN("hard", "quantity: 1000", "100")
        TOLERANCE_ASIAN("easy", "quantity: 0.001", "100");
    run(&r, both, "simulation.tolerance.absolute=0.01 simulation.tolerance.max_paths=2^17");
    assert_int_equal(r.status, LEVY_STATUS_TOLERANCE);
    const levy_trade_result *const hard = levy_results_trade(r.results, 0);
    const levy_trade_result *const easy = levy_results_trade(r.results, 1);
    assert_string_equal(hard->status, "ok");
    assert_int_equal(hard->tolerance_met, -1);
    assert_int_equal(hard->paths, 1 << 17);
    assert_true(hard->tolerance_width > hard->tolerance && hard->tolerance == 0.01);
    assert_non_null(strstr(hard->message, "the tolerance 0.01000 was missed by"));
    assert_non_null(strstr(hard->message, "after 131072 paths"));
    assert_int_equal(easy->tolerance_met, 1);
    assert_int_equal(levy_results_run(r.results)->tolerance_missed, 1);
    release(&r);
    /* not a size: the one below */
    run(&r, both, "simulation.tolerance.absolute=0.01 simulation.tolerance.max_paths=200000");
    assert_int_equal(levy_results_trade(r.results, 0)->paths, 1 << 17);
    release(&r);
}

/* All replicates agree that it is worth nothing: no interval, so no accuracy to speak of. */
static void test_an_interval_that_cannot_be_given_meets_no_tolerance(void **state)
{
    (void)state;
    priced r;
    run(&r, TOLERANCE_ASIAN("worthless", "quantity: 1", "1000000"),
        "simulation.tolerance.absolute=0.01 simulation.tolerance.max_paths=2^15");
    assert_int_equal(r.status, LEVY_STATUS_TOLERANCE);
    const levy_trade_result *const t = levy_results_trade(r.results, 0);
    assert_string_equal(t->interval, "unreliable");
    assert_int_equal(t->tolerance_met, -1);
    assert_true(isnan(t->tolerance_width));
    assert_non_null(strstr(t->message, "do not give a reliable interval"));
    release(&r);
}

/* Its replicates say that it is worth 1.3e-7 +- 0.4e-7. It is worth 4.1e-05. */
static void test_a_touch_that_no_path_makes_meets_no_tolerance(void **state)
{
    (void)state;
    priced r;
    run(&r,
        "  - {id: far, underlying: A, payoff: {kind: barrier, option_type: call, strike: 100, "
        "barrier: {direction: up, knock: in, level: 290, monitoring: continuous}}, "
        "exercise: {expiry: 1.0}}\n",
        "simulation.tolerance.absolute=0.00001 simulation.tolerance.max_paths=2^18");
    assert_int_equal(r.status, LEVY_STATUS_TOLERANCE);
    const levy_trade_result *const t = levy_results_trade(r.results, 0);
    print_message("%g +- %g\n", t->price, t->std_error);
    assert_true(t->std_error < 3e-6);
    assert_string_equal(t->interval, "unreliable");
    assert_int_equal(t->tolerance_met, -1);
    assert_non_null(strstr(t->message, "do not give a reliable interval"));
    release(&r);
}

/* The interval of a far call reaches below 0 and is not given, but the error is as small as asked.
 */
static void test_an_error_around_0_meets_a_tolerance(void **state)
{
    (void)state;
    priced r;
    run(&r,
        "  - {id: far, underlying: A, payoff: {kind: digital, option_type: call, strike: 220, "
        "cash: 10}, exercise: {expiry: 1.0}}\n",
        "simulation.tolerance.absolute=0.1 simulation.smoothing=none");
    const levy_trade_result *const t = levy_results_trade(r.results, 0);
    print_message("%g +- %g %s, %llu paths\n", t->price, t->std_error, t->interval,
                  (unsigned long long)t->paths);
    assert_int_equal(r.status, LEVY_STATUS_OK);
    assert_string_equal(t->interval, "unreliable");
    assert_int_equal(t->tolerance_met, 1);
    assert_int_equal(t->paths, 2 * 16 * 1024);
    release(&r);
}

/* What is exact but for rounding is as near as it gets: no number of paths meets this. */
static void test_a_price_without_randomness_asks_for_no_more_paths(void **state)
{
    const char *const text = text_of_book("texts/tolerance");
    (void)state;
    priced p = price_alone(text, NULL, 0, NULL);
    assert_int_equal(p.status, LEVY_STATUS_TOLERANCE);
    assert_true(levy_results_trade(p.results, 0)->paths == 2 << 12);
    release(&p);
}

static void assert_refused(const char *settings, const char *words)
{
    priced r;
    run(&r, TOLERANCE_ASIAN("a", "quantity: 1", "100"), settings);
    assert_int_equal(r.status, LEVY_STATUS_INPUT);
    if (!strstr(levy_diagnostic_get(r.context, 0)->text, words))
        print_error("%s\n", levy_diagnostic_get(r.context, 0)->text);
    assert_non_null(strstr(levy_diagnostic_get(r.context, 0)->text, words));
    release(&r);
}

static void test_tolerances_that_mean_nothing_are_refused(void **state)
{
    (void)state;
    assert_refused("simulation.tolerance.absolute=0.01 simulation.generator=sobol",
                   "sobol has no standard error");
    assert_refused("simulation.tolerance.absolute=0.01 simulation.replicates=1",
                   "one replicate has no standard error");
    assert_refused("simulation.tolerance.max_paths=2^20", "needs absolute or relative");
    assert_refused("simulation.tolerance.absolute=0.01 simulation.tolerance.max_paths=2^12",
                   "the first size is already 16384 paths");
    assert_refused("simulation.tolerance.absolute=0", "absolute");
    assert_refused("simulation.tolerance.relative=1", "relative");
    assert_refused("simulation.tolerance.inflate=0.5 simulation.tolerance.absolute=1", "inflate");
}

/* G. Kemna, A. Vorst, J. Banking and Finance 14 (1990). */
static double geometric_asian(double n)
{
    const double mean = 0.03 * (n + 1.0) / (2.0 * n),
                 variance = 0.04 * (n + 1.0) * (2.0 * n + 1.0) / (6.0 * n * n);
    const double d = mean / sqrt(variance) + sqrt(variance);
    return exp(-0.05) * (100.0 * exp(mean + 0.5 * variance) * normal_cdf(d) -
                         100.0 * normal_cdf(d - sqrt(variance)));
}

/* What is promised: the price is off by more than the tolerance in at most 5 % of all runs. The
 * margin of inflation and of the second size shows: hardly any run is. */
static void test_the_error_stays_inside_the_tolerance(void **state)
{
    (void)state;
    const double exact = geometric_asian(16.0);
    const char *const methods[] = {"simulation.construction=bridge",
                                   "simulation.generator=mrg32k3a"};
    const double targets[] = {0.008, 0.1};
    for (int m = 0; m < 2; ++m) {
        int outside = 0, beyond_interval = 0;
        for (int seed = 1; seed <= COVERAGE_SEEDS; ++seed) {
            char settings[256];
            priced r;
            snprintf(settings, sizeof settings,
                     "%s simulation.seed=%d simulation.tolerance.absolute=%g simulation.paths=2^12",
                     methods[m], seed, targets[m]);
            run(&r, TOLERANCE_ASIAN("a", "quantity: 1", "100"), settings);
            assert_int_equal(r.status, LEVY_STATUS_OK);
            const levy_trade_result *const t = levy_results_trade(r.results, 0);
            outside += fabs(t->price - exact) > targets[m];
            beyond_interval += exact < t->ci_low || exact > t->ci_high;
            release(&r);
        }
        print_message("%s: outside the tolerance %d, outside the 95 %% interval %d, of %d runs\n",
                      methods[m], outside, beyond_interval, COVERAGE_SEEDS);
        assert_true(outside <= COVERAGE_SEEDS * 5 / 100);
        /* stopping early costs an interval some of its level */
        assert_true(beyond_interval <= COVERAGE_SEEDS * 10 / 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_size_stopped_at_has_the_bits_of_a_plain_run),
        cmocka_unit_test(test_two_sizes_in_a_row_are_asked_for_and_either_target_will_do),
        cmocka_unit_test(test_a_trade_stops_where_it_does_alone),
        cmocka_unit_test(test_a_miss_is_told_with_its_size),
        cmocka_unit_test(test_an_interval_that_cannot_be_given_meets_no_tolerance),
        cmocka_unit_test(test_an_error_around_0_meets_a_tolerance),
        cmocka_unit_test(test_a_touch_that_no_path_makes_meets_no_tolerance),
        cmocka_unit_test(test_a_price_without_randomness_asks_for_no_more_paths),
        cmocka_unit_test(test_tolerances_that_mean_nothing_are_refused),
        cmocka_unit_test(test_the_error_stays_inside_the_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
