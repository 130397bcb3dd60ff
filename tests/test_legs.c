/* test_legs.c: forward, cash and coupon against their formulas; trades of several legs against the
 * sums of trades of their own; the error of a sum against many seeds; what has been paid; what a
 * faulty leg does to its trade. */
#include "tests/context_fixture.h"
#include "tests/priced.h"
#include "tests/near.h"
#include "tests/words.h"
#include "tests/files.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define MARKET                                                                                     \
    "market:\n"                                                                                    \
    "  curves: {USD: {kind: zero, nodes: [[1.0, 0.04], [3.0, 0.05]]}}\n"                           \
    "  assets:\n"                                                                                  \
    "    A: {currency: USD, spot: 100, volatility: 0.25, dividend_yield: 0.01}\n"                  \
    "    B: {currency: USD, spot: 55, volatility: 0.35}\n"                                         \
    "    C: {currency: USD, spot: 80, volatility: 0.3, dividends: {cash: [[0.5, 2]]}}\n"           \
    "  correlations: {names: [A.spot, B.spot, C.spot],\n"                                          \
    "                 matrix: [[1, 0.5, 0.3], [0.5, 1, 0.2], [0.3, 0.2, 1]]}\n"                    \
    "models: {m: {kind: black_scholes, assets: [A, B, C]}}\n"
#define BOOK "schema_version: 1\n" MARKET "simulation: {paths: 2^13}\n"

static priced price_legs(const char *text, const char *by, const levy_setting *settings, size_t n)
{
    priced p = {.book = read_book(context, text, settings, n)};
    const levy_price_options options = {
        .struct_size = sizeof options, .device = "cpu", .by = by, .no_times = 1};
    assert_int_equal(levy_price(p.book, &options, &p.results), 0);
    return p;
}

static priced price(const char *text) { return price_legs(text, NULL, NULL, 0); }

static const levy_trade_result *trade_of(const priced *p, const char *id)
{
    const levy_trade_result *const trade = find_trade(p->results, id);
    if (!trade) fail_msg("there is no trade %s", id);
    return trade;
}

static void exact(const priced *p, const char *id, double value)
{
    const levy_trade_result *const trade = trade_of(p, id);
    assert_string_equal(trade->status, "ok");
    assert_string_equal(trade->interval, "exact");
    assert_int_equal(trade->paths, 0);
    assert_true(trade->std_error <= 1e-12 * fmax(1.0, fabs(value)));
    assert_relative(trade->price, value, 1e-12);
}

/* ---- The kinds ---- */

static double discount(double t)
{
    return t <= 1.0 ? exp(-0.04 * t) : exp(-0.04 - 0.055 * (t - 1));
}

static void test_forwards_cash_and_coupons_are_exact(void **state)
{
    (void)state;
    priced p = price(text_of_book("texts/legs-forwards-cash-and-coupons-are-exact"));
    const double growth = discount(1.0), grown = 100 * exp(-0.01);
    exact(&p, "one", 3 * (grown - 95 * growth));
    exact(&p, "late", (grown / growth - 95) * discount(2.0));
    exact(&p, "percent", -50 * (grown / 100 - 1.1 * growth));
    exact(&p, "pair", 100 * exp(-0.02) - 3 * 55);
    exact(&p, "cash", -10 * discount(2.0));
    exact(&p, "paying", 3 * discount(2.0)); /* the asset's cash dividends change nothing */
    exact(&p, "unit", 40 * discount(1.0));
    exact(&p, "rate", 5 * discount(1.0) + 7 * discount(2.0));
    exact(&p, "amount", 2 * discount(0.5) + 2 * discount(1.0));
    release(&p);
}

static void test_forwards_have_the_greeks_of_their_formula(void **state)
{
    (void)state;
    priced p = price(text_of_book("texts/legs-forwards-have-the-greeks-of-their-formula"));
    const levy_trade_result *const one = trade_of(&p, "one"), *const cash = trade_of(&p, "cash");
    assert_relative(find_measure(one, "delta", "A.spot")->value, exp(-0.01), 1e-9);
    assert_relative(find_measure(one, "gamma", "A.spot")->value, 0.0, 1e-9);
    assert_relative(find_measure(one, "vega", "A.volatility")->value, 0.0, 1e-8);
    assert_relative(find_measure(one, "rho", "USD.rate")->value, 95 * exp(-0.04), 1e-6);
    assert_relative(find_measure(one, "theta", "time")->value,
                    (exp(-0.01) - 95 * 0.04 * exp(-0.04)) / 365, 1e-3);
    assert_relative(find_measure(one, "scenario_pnl", "up")->value, 10 * exp(-0.01), 1e-12);
    assert_relative(find_measure(cash, "rho", "USD.rate")->value, -exp(-0.04), 1e-6);
    assert_null(find_measure(cash, "delta", "A.spot"));
    release(&p);
}

/* Cash dividends floor the spot at 0, so the mean is not known: the forward is then the call less
 * the put, path by path. The largest of two assets has no known mean either. */
static void test_other_forwards_are_call_less_put(void **state)
{
    (void)state;
    static const char *const levels[] = {"underlying: C, exercise: 1, payoff: {strike: 75, kind: ",
                                         "underlyings: [A, B], exercise: 1, payoff: {strike: 90, "
                                         "aggregate: best_of, kind: "};
    for (size_t i = 0; i < 2; ++i) {
        char text[4000];
        snprintf(text, sizeof text,
                 BOOK "trades:\n  - {id: f, %sforward}}\n"
                      "  - {id: c, %seuropean, option_type: call}}\n"
                      "  - {id: p, %seuropean, option_type: put}}\n",
                 levels[i], levels[i], levels[i]);
        priced p = price(text);
        assert_string_equal(trade_of(&p, "f")->interval, "student_t");
        assert_relative(trade_of(&p, "f")->price,
                        trade_of(&p, "c")->price - trade_of(&p, "p")->price, 1e-12);
        release(&p);
    }
}

#define RATES                                                                                      \
    "schema_version: 1\nvaluation_date: 2026-11-20\nmarket:\n  curves: {USD: 0.03}\n"              \
    "  assets: {A: {currency: USD, spot: 100, volatility: 0.25}}\n"                                \
    "models: {m: {kind: black_scholes, assets: [A]}}\n"

static void test_day_counts_make_the_fractions(void **state)
{
    (void)state;
    static const struct {
        const char *rule;
        double first, second; /* 2026-09-30 to 2027-03-31, and to 2027-09-30 */
    } rules[] = {{"ACT/365.FIXED", 182.0 / 365, 183.0 / 365},
                 {"ACT/360", 182.0 / 360, 183.0 / 360},
                 {"30/360", 0.5, 0.5}};
    for (size_t i = 0; i < 3; ++i) {
        char text[2000];
        snprintf(text, sizeof text,
                 RATES
                 "trades:\n"
                 "  - {id: a, notional: 100, exercise: 2027-09-30, payoff: {kind: coupon, rate: "
                 "0.04, day_count: %s,\n"
                 "     accrual_start: 2026-09-30, coupons: [2027-03-31, 2027-09-30]}}\n",
                 rules[i].rule);
        priced p = price(text);
        exact(&p, "a",
              4 * (rules[i].first * exp(-0.03 * 131 / 365) +
                   rules[i].second * exp(-0.03 * 314 / 365)));
        release(&p);
    }
}

/* ---- The past ---- */

static void test_what_has_been_paid_is_gone(void **state)
{
    (void)state;
    priced p = price(text_of_book("texts/legs-what-has-been-paid-is-gone"));
    const levy_trade_result *const gone = trade_of(&p, "past/premium");
    assert_string_equal(gone->status, "ok");
    assert_string_equal(gone->interval, "exact");
    assert_true(gone->price == 0.0 && gone->std_error == 0.0);
    assert_string_equal(gone->message, "settled: it has been paid");
    assert_true(trade_of(&p, "past")->price == trade_of(&p, "past/payoff")->price);
    assert_true(trade_of(&p, "past")->std_error == trade_of(&p, "past/payoff")->std_error);
    assert_relative(trade_of(&p, "today")->price, -(100 - 100 * exp(-0.03)) + 9, 1e-12);
    assert_relative(trade_of(&p, "coupons")->price, 2 + 3 * exp(-0.03), 1e-12);
    assert_relative(trade_of(&p, "due")->price, exp(-0.03), 1e-12);
    const levy_run_info *const run = levy_results_run(p.results);
    assert_int_equal(run->priced, 4);
    assert_int_equal(run->failed, 0);
    release(&p);
}

/* ---- Sums ---- */

#define PUT "payoff: {kind: european, option_type: put, strike: 90}"
#define DIGITAL "payoff: {kind: digital, option_type: call, strike: 100, cash: 1}"
#define COUPON "payoff: {kind: coupon, coupons: {count: 4}, rate: 0.08}"
#define BEST                                                                                       \
    "underlyings: [A, B], payoff: {kind: best_of, option_type: call, strike: 1.1, strike_type: "   \
    "percent_of_initial}"

/* All legs of `whole`, and the same as trades of their own under tags. */
#define SAME                                                                                       \
    "measures: [price, delta, gamma, vega, rho, theta, cross_gamma, cash_flows]\n"                 \
    "scenarios: [{id: crash, shifts: [{factor: ALL.spot, size: -0.2}, {factor: USD.rate, type: "   \
    "absolute, size: 0.01}]}]\n"                                                                   \
    "trades:\n"                                                                                    \
    "  - id: whole\n"                                                                              \
    "    underlying: A\n"                                                                          \
    "    position: short\n"                                                                        \
    "    quantity: 3\n"                                                                            \
    "    exercise: 1\n"                                                                            \
    "    tags: {set: w}\n"                                                                         \
    "    premium: {amount: 7, date: 0.25}\n"                                                       \
    "    legs:\n"                                                                                  \
    "      - {id: put, position: short, quantity: 2, " PUT "}\n"                                   \
    "      - {id: digital, " DIGITAL ", exercise: 0.75}\n"                                         \
    "      - {id: coupon, notional: 50, " COUPON "}\n"                                             \
    "      - {" BEST ", payment_date: 1.5}\n"                                                      \
    "  - {id: s1, tags: {set: s}, underlying: A, quantity: 6, exercise: 1, " PUT "}\n"             \
    "  - {id: s2, tags: {set: s}, underlying: A, position: short, quantity: 3, exercise: "         \
    "0.75, " DIGITAL "}\n"                                                                         \
    "  - {id: s3, tags: {set: s}, position: short, notional: 150, exercise: 1, " COUPON "}\n"      \
    "  - {id: s4, tags: {set: s}, position: short, quantity: 3, exercise: 1, payment_date: "       \
    "1.5, " BEST "}\n"                                                                             \
    "  - {id: s5, tags: {set: s}, payoff: {kind: cash, amount: 7}, exercise: 0.25}\n"

static const levy_netted *netted(const priced *p, const char *label)
{
    for (size_t i = 0; i < levy_results_netted_count(p->results); ++i) {
        const levy_netted *const sum = levy_results_netted(p->results, i);
        if (sum->label && strcmp(sum->label, label) == 0) return sum;
    }
    fail_msg("there is no sum %s", label);
    return NULL;
}

static void same_measures(const levy_trade_result *whole, const levy_netted *sum)
{
    assert_int_equal(whole->n_measures, sum->n_measures);
    assert_true(whole->n_measures > 15);
    for (size_t i = 0; i < whole->n_measures; ++i) {
        const levy_measure *const m = levy_trade_measure(whole, i);
        bool found = false;
        for (size_t k = 0; k < sum->n_measures && !found; ++k) {
            const levy_measure *const other = levy_netted_measure(sum, k);
            if (strcmp(m->measure, other->measure) != 0 || strcmp(m->factor, other->factor) != 0)
                continue;
            found = true;
            assert_relative(m->value, other->value, 1e-12);
            assert_relative(m->std_error, other->std_error, 1e-12);
            assert_int_equal(m->flagged, other->flagged);
        }
        assert_true(found);
    }
}

static void test_a_trade_is_the_sum_of_its_legs(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"whole/put", "s1"},
                                           {"whole/digital", "s2"},
                                           {"whole/coupon", "s3"},
                                           {"whole/4", "s4"},
                                           {"whole/premium", "s5"}};
    priced p = price_legs(BOOK SAME, "tags.set", NULL, 0);
    const levy_trade_result *const whole = trade_of(&p, "whole");
    const levy_netted *const sum = netted(&p, "s"), *const same = netted(&p, "w");
    double total = 0.0;
    for (size_t i = 0; i < 5; ++i) {
        const levy_trade_result *const leg = trade_of(&p, pairs[i][0]), *const own = trade_of(
                                                                            &p, pairs[i][1]);
        assert_string_equal(leg->leg_of, "whole");
        assert_null(own->leg_of);
        assert_true(leg->price == own->price || fabs(leg->price - own->price) < 1e-12);
        assert_relative(leg->std_error, own->std_error, 1e-12);
        assert_int_equal(leg->n_measures, own->n_measures);
        total += own->price;
    }
    assert_string_equal(whole->payoff, "legs");
    assert_string_equal(whole->interval, "student_t");
    assert_relative(whole->price, total, 1e-12);
    assert_relative(whole->price, sum->value, 1e-12);
    assert_relative(whole->unit_price, total / -3, 1e-12);
    assert_relative(whole->std_error, sum->std_error, 1e-12);
    assert_relative(whole->ci_low, sum->ci_low, 1e-12);
    assert_relative(whole->ci_high, sum->ci_high, 1e-12);
    assert_relative(same->value, sum->value, 1e-12);
    assert_int_equal(same->trades, 1);
    assert_int_equal(sum->trades, 5);
    same_measures(whole, sum);
    release(&p);
}

/* A spread's legs share draws: no combination of their errors is right. */
static void test_the_error_of_a_sum_is_that_of_the_sum(void **state)
{
    (void)state;
    enum { SEEDS = 120 };
    static const char text[] = BOOK
        "trades: [{id: spread, underlying: A, exercise: 1, legs: [\n"
        "  {payoff: {kind: asian, option_type: call, strike: 100, averaging: {observations: [0.5, "
        "1]}}},\n"
        "  {position: short, payoff: {kind: asian, option_type: call, strike: 105, averaging: "
        "{observations: [0.5, 1]}}}]}]\n";
    double sum = 0.0, squares = 0.0, errors = 0.0, parts = 0.0;
    for (int seed = 1; seed <= SEEDS; ++seed) {
        char number[16];
        snprintf(number, sizeof number, "%d", seed);
        const levy_setting settings[] = {
            {"simulation.seed", number},
            {"simulation.paths", "2^12"},
        };
        priced p = price_legs(text, NULL, settings, 2);
        const levy_trade_result *const t = trade_of(&p, "spread");
        const double one = trade_of(&p, "spread/1")->std_error,
                     other = trade_of(&p, "spread/2")->std_error;
        sum += t->price;
        squares += t->price * t->price;
        errors += t->std_error * t->std_error;
        parts += one * one + other * other;
        release(&p);
    }
    const double variance = (squares - sum * sum / SEEDS) / (SEEDS - 1);
    /* the ratio of two variances of 119 and 120 x 15 degrees of freedom: four deviations are 0.53
     */
    assert_true(errors / SEEDS > 0.6 * variance && errors / SEEDS < 1.7 * variance);
    assert_true(parts > 5 * errors);
}

/* Where barrier and strike are alike, the note is a bond, its coupons and a sold put. */
static void test_a_reverse_convertible_is_a_bond_and_a_put(void **state)
{
    (void)state;
    priced p = price(text_of_book("texts/legs-a-reverse-convertible-is-a-bond-and-a-put"));
    const levy_trade_result *const kind = trade_of(&p, "kind"), *const legs = trade_of(&p, "legs");
    assert_true(legs->std_error < 0.01);
    assert_relative(legs->price, kind->price, 4 * hypot(legs->std_error, kind->std_error) / 1000);
    release(&p);
}

/* What is no script pays once; the payments of a trade add up to its price, in the order of dates.
 */
static void test_cash_flows_of_legs_add_up(void **state)
{
    (void)state;
    priced p = price(text_of_book("texts/legs-cash-flows-of-legs-add-up"));
    static const char *const dates[] = {"0.25", "2", "2.5", "10", "11"};
    const levy_trade_result *const note = trade_of(&p, "note");
    double sum = 0.0;
    assert_int_equal(note->n_measures, 6);
    for (size_t i = 0; i < 5; ++i) {
        const levy_measure *const m = levy_trade_measure(note, i + 1);
        assert_string_equal(m->measure, "cash_flows");
        assert_string_equal(m->factor, dates[i]);
        assert_false(m->flagged);
        sum += m->value;
    }
    assert_relative(sum, note->price, 1e-12);
    assert_relative(find_measure(note, "cash_flows", "2.5")->value, trade_of(&p, "note/1")->price,
                    1e-12);
    assert_relative(find_measure(note, "cash_flows", "2.5")->std_error,
                    trade_of(&p, "note/1")->std_error, 1e-12);
    release(&p);
}

static void test_exact_legs_make_an_exact_trade(void **state)
{
    (void)state;
    priced p = price(BOOK "trades: [{id: bond, notional: 100, exercise: 2, legs: [{payoff: {kind: "
                          "cash}}, {payoff: {kind: coupon, coupons: {count: 2}, rate: 0.05}}]}]\n");
    const levy_trade_result *const bond = trade_of(&p, "bond");
    assert_string_equal(bond->interval, "exact");
    assert_relative(bond->price, 5 * discount(1.0) + 105 * discount(2.0), 1e-12);
    assert_int_equal(levy_results_netted(p.results, 0)->trades, 1);
    release(&p);
}

/* One stream of paths gives the error of a leg, and of a sum only where the other legs are exact.
 */
static void test_one_replicate_has_the_error_of_its_only_random_leg(void **state)
{
    (void)state;
    const levy_setting settings[] = {{"simulation.generator", "philox"}};
    priced p =
        price_legs(text_of_book("texts/legs-one-replicate-has-the-error-of-its-only-random-leg"),
                   NULL, settings, 1);
    const levy_trade_result *const one = trade_of(&p, "one"), *const put =
                                                                  trade_of(&p, "one/payoff");
    assert_string_equal(one->interval, "normal");
    assert_true(one->std_error == put->std_error && put->std_error > 0);
    assert_relative(one->ci_low, put->ci_low - 3 * discount(0.5), 1e-12);
    assert_true(find_measure(one, "delta", "A.spot")->std_error ==
                find_measure(put, "delta", "A.spot")->std_error);
    assert_string_equal(trade_of(&p, "two")->interval, "none");
    assert_true(isnan(trade_of(&p, "two")->std_error));
    release(&p);
}

/* ---- Faults ---- */

static void test_a_faulty_leg_fails_its_trade(void **state)
{
    (void)state;
    priced p =
        price_legs(text_of_book("texts/legs-a-faulty-leg-fails-its-trade"), "tags.set", NULL, 0);
    const levy_trade_result *const note = trade_of(&p, "note");
    assert_string_equal(note->status, "failed");
    assert_string_equal(note->reason, "unknown_name");
    assert_non_null(strstr(note->message, "trades[0].legs[1].underlying"));
    assert_string_equal(trade_of(&p, "note/1")->status, "ok");
    assert_int_equal(levy_results_run(p.results)->failed, 1);
    assert_int_equal(levy_results_run(p.results)->priced, 1);
    /* a part of a trade is no part of a sum */
    assert_relative(levy_results_netted(p.results, 0)->value, trade_of(&p, "good")->price, 1e-12);
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forwards_cash_and_coupons_are_exact),
        cmocka_unit_test(test_forwards_have_the_greeks_of_their_formula),
        cmocka_unit_test(test_other_forwards_are_call_less_put),
        cmocka_unit_test(test_day_counts_make_the_fractions),
        cmocka_unit_test(test_what_has_been_paid_is_gone),
        cmocka_unit_test(test_a_trade_is_the_sum_of_its_legs),
        cmocka_unit_test(test_the_error_of_a_sum_is_that_of_the_sum),
        cmocka_unit_test(test_a_reverse_convertible_is_a_bond_and_a_put),
        cmocka_unit_test(test_cash_flows_of_legs_add_up),
        cmocka_unit_test(test_exact_legs_make_an_exact_trade),
        cmocka_unit_test(test_one_replicate_has_the_error_of_its_only_random_leg),
        cmocka_unit_test(test_a_faulty_leg_fails_its_trade),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
