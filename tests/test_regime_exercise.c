/* test_regime_exercise.c: early exercise on paths where regimes switch: rates of regimes discount
 * each path by itself until it is exercised, and each regime has a rule of its own. Against the
 * plain rate where all regimes have it, against Europeans where none is exercised early, and
 * against a published case (tests/reference/regime-switching-american.yaml has more). */
#include "tests/priced.h"
#include "tests/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* LOW and HIGH differ by the rate of both regimes of `alike`. */
static const char head[] =
    "schema_version: 1\n"
    "market:\n"
    "  curves: {LOW: 0.02, HIGH: 0.06}\n"
    "  assets:\n"
    "    A: {currency: USD, curve: LOW, spot: 36, volatility: 0.2}\n"
    "    B: {currency: USD, curve: LOW, spot: 38, volatility: 0.3, dividend_yield: 0.1}\n"
    "    C: {currency: USD, curve: HIGH, spot: 36, volatility: 0.2}\n"
    "    D: {currency: USD, curve: HIGH, spot: 38, volatility: 0.3, dividend_yield: 0.1}\n"
    "  correlations: {pairs: [[A.spot, B.spot, 0.3], [C.spot, D.spot, 0.3]]}\n"
    "models:\n"
    "  plain: {kind: black_scholes, assets: [C, D]}\n"
    "  alike: {kind: regime_switching, assets: [A, B], generator: [[-1, 1], [2, -2]],\n"
    "    initial_regime: x, regimes: {x: {volatility_factors: [1, 1], rate: 0.04},\n"
    "    y: {volatility_factors: [1, 1], rate: 0.04}}}\n"
    "  apart: {kind: regime_switching, assets: [A, B], generator: [[-0.5, 0.5], [2, -2]],\n"
    "    initial_regime: x, regimes: {x: {volatility_factors: [1, 1], rate: 0.03},\n"
    "    y: {volatility_factors: [2.5, 2], rate: 0}}}\n"
    "simulation: {paths: 2^15}\n"
    "trades:\n";

static priced price_trades(const char *trades, const levy_price_options *how)
{
    char text[8192];
    snprintf(text, sizeof text, "%s%s", head, trades);
    priced made = price_alone(text, NULL, 0, how);
    assert_priced(&made);
    return made;
}

#define TRADE(id, model, assets, curve, payoff, exercise)                                          \
    "  - {id: " id ", model: " model ", underlyings: [" assets "], discount_curve: " curve         \
    ", payoff: {" payoff "}, exercise: {expiry: 1, " exercise "}}\n"
#define DATES "style: bermudan, dates: {count: 12}, method: simulation"
#define PUT "kind: european, option_type: put, strike: 40"
#define CALL "kind: european, option_type: call, strike: 40"

static const levy_price_options on_cpu = {
    .struct_size = sizeof on_cpu, .device = "cpu", .threads = 2};

/* Within four errors of each and a share of the price. */
static void assert_near(const priced *made, const char *one, const char *other, double share)
{
    const levy_trade_result *const a = find_trade(made->results, one), *const b = find_trade(
                                                                           made->results, other);
    const double room = 4.0 * (a->std_error + (isnan(b->std_error) ? 0.0 : b->std_error));
    if (fabs(a->price - b->price) > room + share * b->price)
        fail_msg("%s %g +- %g, %s %g", one, a->price, a->std_error, other, b->price);
}

/* Of one asset the plain one is priced without paths. */
static void test_equal_rates_are_the_plain_rate(void **state)
{
    (void)state;
    priced made = price_trades(
        TRADE("put", "alike", "A", "LOW", PUT, DATES) TRADE("plain-put", "plain", "C", "HIGH", PUT,
                                                            "style: bermudan, dates: {count: 12}")
            TRADE("best", "alike", "A, B", "LOW", "kind: best_of, option_type: call, strike: 40",
                  DATES) TRADE("plain-best", "plain", "C, D", "HIGH",
                               "kind: best_of, option_type: call, strike: 40", DATES),
        &on_cpu);
    assert_near(&made, "put", "plain-put", 0.003);
    assert_near(&made, "best", "plain-best", 0.005);
    release(&made);
}

/* Nobody exercises a call early where all rates are positive and nothing is paid out. Its European
 * is beside it in the book, on paths that the model discounts at the end. */
static void test_what_is_kept_is_the_european(void **state)
{
    (void)state;
    priced made = price_trades(TRADE("call", "apart", "A", "LOW", CALL, DATES)
                                   TRADE("european", "apart", "A", "LOW", CALL, "style: european"),
                               &on_cpu);
    assert_near(&made, "call", "european", 0.003);
    release(&made);
}

static void test_a_neighbour_moves_no_bit(void **state)
{
#define SOLO TRADE("put", "apart", "A", "LOW", PUT, DATES)
    static const levy_price_options one = {
        .struct_size = sizeof one, .device = "cpu", .threads = 1};
    (void)state;
    priced alone = price_trades(SOLO, &one),
           beside = price_trades(
               SOLO TRADE("european", "apart", "A", "LOW", CALL, "style: european"), &on_cpu);
    const levy_trade_result *const a = find_trade(alone.results, "put"), *const b = find_trade(
                                                                             beside.results, "put");
    assert_true(a->price == b->price && a->std_error == b->std_error);
    release(&alone);
    release(&beside);
#undef SOLO
}

/* 7.865315155651 by a recursion with Fourier transforms. A rule that does not see the regime lost
 * 1.9 % of it. */
static const char published[] =
    "schema_version: 1\n"
    "market: {curves: {USD: 0.05}, assets: {A: {currency: USD, spot: 100, volatility: 0.2}}}\n"
    "models: {m: {kind: regime_switching, assets: [A], generator: [[-0.5, 0.5], [2, -2]],\n"
    "  initial_regime: x, regimes: {x: {volatilities: [0.2]}, y: {volatilities: [0.5], rate: "
    "-0.03}}}}\n"
    "measures: [price, upper_bound, probability, expected_life]\n"
    "simulation: {paths: 2^17}\n"
    "trades:\n"
    "  - {id: put, underlying: A, payoff: {kind: european, option_type: put, strike: 100},\n"
    "     exercise: {style: bermudan, expiry: 1, dates: {count: 12}, method: simulation}}\n";

static void test_a_published_price_is_between_the_bounds(void **state)
{
    const double price = 7.865315155651;
    (void)state;
    priced made = price_alone(published, NULL, 0, &on_cpu);
    assert_priced(&made);
    const levy_trade_result *const t = find_trade(made.results, "put");
    const levy_measure *const upper = find_measure(t, "upper_bound", NULL);
    double chances = 0.0;
    for (size_t m = 0; m < t->n_measures; ++m)
        if (strcmp(t->measures[m].measure, "probability") == 0) chances += t->measures[m].value;
    assert_true(fabs(t->price - price) <= 0.003 * price + 4.0 * t->std_error);
    assert_true(price <= upper->value + 4.0 * upper->std_error);
    assert_true(fabs(chances - 1.0) < 1e-9); /* they are not discounted */
    release(&made);
}

/* A chain of n regimes, each of which leads to the next, by one rate. */
static int write_chain(size_t n, char *text, size_t size)
{
    int at = snprintf(text, size, "{kind: regime_switching, assets: [A], initial_regime: r0, ");
    for (size_t r = 0; r < n; ++r)
        at += snprintf(text + at, size - (size_t)at, "%sr%zu: {volatilities: 0.2, rate: 0.04}",
                       r ? ", " : "regimes: {", r);
    for (size_t r = 0; r < n * n && n > 1; ++r)
        at += snprintf(text + at, size - (size_t)at, "%s%d%s",
                       r == 0       ? "}, generator: [["
                       : r % n == 0 ? "["
                                    : "",
                       r / n == r % n             ? -1
                       : (r / n + 1) % n == r % n ? 1
                                                  : 0,
                       r % n + 1 < n   ? ", "
                       : r + 1 < n * n ? "], "
                                       : "]]}");
    return n > 1 ? at : at + snprintf(text + at, size - (size_t)at, "}}");
}

/* More regimes than a rule tells apart, and one alone, which is a rate. */
static void test_any_number_of_regimes(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 9; n += 8) {
        char text[8192];
        size_t at = (size_t)snprintf(
            text, sizeof text,
            "schema_version: 1\n"
            "market: {curves: {LOW: 0.02, HIGH: 0.06}, assets: {A: {currency: USD, curve: LOW, "
            "spot: 36, volatility: 0.2}, C: {currency: USD, curve: HIGH, spot: 36, volatility: "
            "0.2}}}\n"
            "simulation: {paths: 2^15}\ntrades:\n%s%smodels:\n  plain: {kind: black_scholes, "
            "assets: [C]}\n  m: ",
            TRADE("put", "m", "A", "LOW", PUT, DATES),
            TRADE("plain-put", "plain", "C", "HIGH", PUT, "style: bermudan, dates: {count: 12}"));
        at += (size_t)write_chain(n, text + at, sizeof text - at);
        snprintf(text + at, sizeof text - at, "\n");
        priced made = price_alone(text, NULL, 0, &on_cpu);
        assert_priced(&made);
        assert_near(&made, "put", "plain-put", 0.003);
        release(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_rates_are_the_plain_rate),
        cmocka_unit_test(test_what_is_kept_is_the_european),
        cmocka_unit_test(test_a_neighbour_moves_no_bit),
        cmocka_unit_test(test_a_published_price_is_between_the_bounds),
        cmocka_unit_test(test_any_number_of_regimes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
