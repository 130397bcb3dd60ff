/* test_soften.c: scripts whose comparisons change over a width: what they pay by date and how they
 * end still adds up, the bias is the difference from the plain price on the same paths and falls
 * with the square of the width, Greeks have smaller errors, and what cannot be softened says so. */
#include "engine/levy.h"

#include "tests/cmocka_all.h"
#include "tests/context_fixture.h"
#include "tests/smoothed_price.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MARKET                                                                                     \
    "schema_version: 1\nmarket: {curves: {USD: 0.03}, assets: {A: {currency: USD, spot: 100, "     \
    "volatility: 0.25, dividends: {cash: [[0.5, 2]]}}, B: {currency: USD, spot: 50, volatility: "  \
    "0.3}}, correlations: {pairs: [[A.spot, B.spot, 0.5]]}}\nmodels: {m: {kind: black_scholes, "   \
    "assets: [A, B]}, g: {kind: variance_gamma, assets: [A], sigma: 0.2, nu: 0.2, theta: -0.1}}\n" \
    "trades:\n"
#define TRADE(id, model, assets, payoff)                                                           \
    "  - {id: " id ", model: " model ", underlyings: [" assets "], payoff: {" payoff               \
    "}, exercise: {expiry: 1}}\n"
#define CALLED "kind: autocallable, calls: {count: 4}, coupon: 0.02, barrier: 1.0, protection: 0.7"
#define PHOENIX                                                                                    \
    "kind: phoenix, observations: {count: 6}, coupon: 0.025, coupon_barrier: 0.8, call_barrier: "  \
    "1.0, knock_in: {count: 12}, knock_in_barrier: 0.7"

static const levy_measure *measure_named(const levy_results *r, size_t trade, const char *measure)
{
    const levy_trade_result *const t = levy_results_trade(r, trade);
    for (size_t k = 0; k < t->n_measures; ++k)
        if (strcmp(levy_trade_measure(t, k)->measure, measure) == 0)
            return levy_trade_measure(t, k);
    fail_msg("no %s", measure);
    return NULL;
}

static double sum_of(const levy_results *r, size_t trade, const char *measure)
{
    const levy_trade_result *const t = levy_results_trade(r, trade);
    double sum = 0.0;
    for (size_t k = 0; k < t->n_measures; ++k)
        if (strcmp(levy_trade_measure(t, k)->measure, measure) == 0)
            sum += levy_trade_measure(t, k)->value;
    return sum;
}

static const char book[] =
    MARKET TRADE("called", "g", "A", CALLED) TRADE("phoenix", "m", "A, B", PHOENIX)
        TRADE("snow", "g", "A",
              "kind: snowball, calls: {count: 12}, barrier: 1.03, coupon: 0.015, knock_in: {count: "
              "24}, knock_in_barrier: 0.8") TRADE("gamma", "g", "A", CALLED)
            TRADE("cash", "m", "B",
                  "kind: script, script: \"at expiry { pay 1 if level > 50 else 0 }\"");
enum { TRADES = 5 };

static levy_results *price_at(const char *text, const char *smoothing, const char *measures)
{
    char whole[8000];
    snprintf(whole, sizeof whole, "%smeasures: [%s]\n", text, measures);
    return smoothed(whole, smoothing, "2^13", "bridge");
}

static void test_payments_and_ends_add_up(void **state)
{
    (void)state;
    levy_results *const r = price_at(book, "{kind: none, width: 0.05}",
                                     "price, cash_flows, probability, expected_life");
    for (size_t t = 0; t < TRADES; ++t) {
        const double paid = levy_results_trade(r, t)->price;
        assert_true(fabs(sum_of(r, t, "cash_flows") - paid) <= 1e-12 * fabs(paid));
        if (t < 4) assert_true(fabs(sum_of(r, t, "probability") - 1.0) <= 1e-12);
    }
    levy_results_destroy(r);
}

static void test_the_bias_is_that_of_the_price(void **state)
{
    (void)state;
    levy_results *const plain = price_at(book, "none", "price"),
                        *const wide = price_at(book, "{kind: none, width: 0.1}", "price"),
                        *const half = price_at(book, "{kind: none, width: 0.05}", "price"),
                        *const least = price_at(book, "{kind: none, width: 1e-9}", "price");
    for (size_t t = 0; t < TRADES; ++t) {
        const double exact = levy_results_trade(plain, t)->price, discount = exp(-0.03),
                     bias = measure_named(wide, t, "report")->value;
        assert_string_equal(measure_named(wide, t, "report")->factor, "smoothing_bias");
        assert_true(fabs(levy_results_trade(wide, t)->price - exact - bias * discount) < 1e-12);
        assert_true(fabs(levy_results_trade(least, t)->price - exact) < 1e-9);
        /* of the square of the width, within the noise of the half one */
        assert_true(fabs(measure_named(half, t, "report")->value) <
                    0.5 * fabs(bias) + 4.0 * measure_named(half, t, "report")->std_error);
    }
    levy_results_destroy(plain);
    levy_results_destroy(wide);
    levy_results_destroy(half);
    levy_results_destroy(least);
}

static void test_one_date_is_the_mean_of_the_ramp(void **state)
{
    (void)state;
    levy_results *const r = price_at(book, "{kind: none, width: 0.1}", "price");
    const levy_trade_result *const t = levy_results_trade(r, 4);
    double mean = 0.0;
    for (int k = 0; k < 20000; ++k) { /* by quantiles of the level */
        const double u = (k + 0.5) / 20000.0;
        double low = -9.0, high = 9.0;
        while (high - low > 1e-12)
            *(normal_cdf(0.5 * (low + high)) < u ? &low : &high) = 0.5 * (low + high);
        const double level = 50.0 * exp(0.03 - 0.045 + 0.3 * low),
                     ramp = 0.5 + (level - 50.0) / (0.05 * (level + 50.0));
        mean += fmin(1.0, fmax(0.0, ramp)) / 20000.0;
    }
    assert_true(fabs(t->price - exp(-0.03) * mean) <= 4.0 * t->std_error + 1e-6);
    levy_results_destroy(r);
}

/* Variables of each sort, two of which go on after the stop unless they are plain. */
static const char told[] = MARKET TRADE(
    "told", "m", "A",
    "kind: script, levels: percent_of_initial, schedules: {calls: {count: 4}, watch: {count: 6}}, "
    "script: \"var seen = 0; var least = 9; var hit = 0; report seen; report least; report hit; at "
    "watch { least = min(least, level); if level < 0.85 { hit = 1 } }; at calls { seen += 1; if "
    "level >= 1 { pay 1 + 0.02 * number; stop } }; at expiry { pay level if hit > 0 else 1 }\"")
    TRADE("phoenix", "m", "A, B", PHOENIX);

/* At a width that no path meets every measure is that of plain paths; a report is at any width. */
static void test_every_measure_is_plain_at_no_width(void **state)
{
    (void)state;
    const char *const measures = "price, cash_flows, probability, expected_life";
    levy_results *const plain = price_at(told, "none", measures),
                        *const least = price_at(told, "{kind: none, width: 1e-9}", measures),
                        *const wide = price_at(told, "{kind: none, width: 0.1}", measures);
    for (size_t t = 0; t < 2; ++t) {
        const levy_trade_result *const a = levy_results_trade(plain, t),
                                       *const b = levy_results_trade(least, t),
                                       *const c = levy_results_trade(wide, t);
        assert_true(a->n_measures > 0 && b->n_measures == a->n_measures + 1);
        assert_true(fabs(a->price - b->price) <= 1e-9);
        for (size_t k = 0; k < a->n_measures; ++k) {
            const levy_measure *const exact = levy_trade_measure(a, k);
            const levy_measure *const soft = levy_trade_measure(b, k);
            assert_string_equal(exact->measure, soft->measure);
            assert_true(fabs(exact->value - soft->value) <= 1e-9);
            if (strcmp(exact->measure, "report") == 0)
                assert_true(fabs(exact->value - levy_trade_measure(c, k)->value) <= 1e-12);
        }
    }
    levy_results_destroy(plain);
    levy_results_destroy(least);
    levy_results_destroy(wide);
}

static void test_errors_are_smaller(void **state)
{
    (void)state;
    levy_results *const plain = price_at(book, "none", "price, delta, gamma");
    levy_results *const wide = price_at(book, "{kind: none, width: 0.1}", "price, delta, gamma");
    const size_t trades[] = {0, 3};
    for (size_t k = 0; k < 2; ++k) {
        const levy_measure *const a = measure_named(plain, trades[k], "delta");
        const levy_measure *const b = measure_named(wide, trades[k], "delta");
        assert_true(b->std_error < 0.7 * a->std_error);
        assert_non_null(strstr(a->note, "noisy"));
        assert_true(!b->note || !strstr(b->note, "noisy"));
    }
    levy_results_destroy(plain);
    levy_results_destroy(wide);
}

/* Where it can be integrated there is no need, and no bias. */
static void test_what_is_integrated_has_no_width(void **state)
{
    (void)state;
    static const char text[] = MARKET TRADE("t", "m", "B", CALLED);
    levy_results *const integrated = price_at(text, "auto", "price");
    levy_results *const both = price_at(text, "{width: 0.1}", "price");
    assert_true(levy_results_trade(integrated, 0)->price == levy_results_trade(both, 0)->price);
    assert_int_equal(levy_results_trade(both, 0)->n_measures, 1);
    levy_results_destroy(integrated);
    levy_results_destroy(both);
}

static void assert_stays(const char *payoff, const char *words)
{
    char text[4000];
    snprintf(text, sizeof text,
             MARKET
             "  - {id: t, model: g, underlyings: [A], payoff: {%s}, exercise: {expiry: 1}}\n",
             payoff);
    levy_results *const plain = price_at(text, "none", "price"), *const wide = price_at(
                                                                     text, "{width: 0.1}", "price");
    assert_true(levy_results_trade(plain, 0)->price == levy_results_trade(wide, 0)->price);
    const char *const note = measure(wide, 0, 0)->note;
    if (!note || !strstr(note, words)) print_error("%s\n", note ? note : "no note");
    assert_true(note && strstr(note, words));
    levy_results_destroy(plain);
    levy_results_destroy(wide);
}

static void test_what_cannot_be_softened(void **state)
{
    (void)state;
    assert_stays("kind: parisian, option_type: call, strike: 100, observations: {count: 12}, "
                 "barrier: 85, direction: down, knock: out, window: 3",
                 "a count that levels decide");
    assert_stays("kind: script, script: \"at expiry { pay 0 if level == 100 else level }\"",
                 "whether a level is equal");
    assert_stays("kind: digital, option_type: call, strike: 100, cash: 1", "only scripts");
}

/* A number that levels make, and that is equal to another on all paths, is not in the middle. */
static void test_equal_numbers_compare_as_they_do(void **state)
{
    (void)state;
    static const char text[] = MARKET TRADE("t", "m", "A",
                                            "kind: script, script: \"var x = 0; at expiry { x *= "
                                            "level; if x > 0 { pay 7 }; if x <= 0 { "
                                            "pay 1 }; pay 1 if level > 100 else 0 }\"");
    levy_results *const plain = price_at(text, "none", "price");
    levy_results *const least = price_at(text, "{width: 1e-9}", "price");
    assert_true(fabs(levy_results_trade(plain, 0)->price - levy_results_trade(least, 0)->price) <
                1e-9);
    assert_true(levy_results_trade(plain, 0)->price > 1.0);
    levy_results_destroy(plain);
    levy_results_destroy(least);
}

/* A note between its dates: what has passed is certain. */
static void test_a_state_is_certain(void **state)
{
    (void)state;
    static const char hit[] = MARKET TRADE("t", "g", "A", PHOENIX ", state: {due: 0.025, hit: 1}"),
                      sound[] =
                          MARKET TRADE("t", "g", "A", PHOENIX ", state: {due: 0.025, hit: 0}");
    levy_results *const a = price_at(hit, "{width: 1e-9}", "price"),
                        *const b = price_at(hit, "none", "price"),
                        *const c = price_at(sound, "{width: 1e-9}", "price"),
                        *const d = price_at(sound, "none", "price");
    assert_true(fabs(levy_results_trade(a, 0)->price - levy_results_trade(b, 0)->price) < 1e-9);
    assert_true(fabs(levy_results_trade(c, 0)->price - levy_results_trade(d, 0)->price) < 1e-9);
    levy_results_destroy(a);
    levy_results_destroy(b);
    levy_results_destroy(c);
    levy_results_destroy(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_payments_and_ends_add_up),
        cmocka_unit_test(test_the_bias_is_that_of_the_price),
        cmocka_unit_test(test_every_measure_is_plain_at_no_width),
        cmocka_unit_test(test_one_date_is_the_mean_of_the_ramp),
        cmocka_unit_test(test_errors_are_smaller),
        cmocka_unit_test(test_what_is_integrated_has_no_width),
        cmocka_unit_test(test_what_cannot_be_softened),
        cmocka_unit_test(test_equal_numbers_compare_as_they_do),
        cmocka_unit_test(test_a_state_is_certain),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
