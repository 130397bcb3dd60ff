/* test_intervals.c: intervals where the replicates do not show how wrong they are: means in paths
 * that never come, jumps that all replicates see alike. Exact values are closed forms worked out
 * here. */
#include "tests/normal_law.h"
#include "tests/priced.h"
#include "tests/files.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

static priced price_smoothed(const char *trades, const char *model, double spot, double volatility,
                             const char *smoothing)
{
    char text[4096];
    snprintf(
        text, sizeof text,
        "schema_version: 1\nmarket: {curves: {USD: 0.02}, assets: {S: {currency: USD, "
        "spot: %.17g, volatility: %.17g}}}\n"
        "models: {m: {kind: %s, assets: [S]}}\ntrades:\n%s\nsimulation: {paths: 2^16, smoothing: "
        "%s}\n",
        spot, volatility, model, trades, smoothing);
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    const priced p = price_alone(text, NULL, 0, &options);
    assert_priced(&p);
    return p;
}

static priced price_text(const char *trades, const char *model, double spot, double volatility)
{
    return price_smoothed(trades, model, spot, volatility, "none");
}

static double black_scholes_call(double spot, double strike, double volatility, double years)
{
    const double deviation = volatility * sqrt(years), forward = spot * exp(0.02 * years);
    if (strike <= 0.0) return spot;
    const double d = log(forward / strike) / deviation + 0.5 * deviation;
    return exp(-0.02 * years) * (forward * normal_cdf(d) - strike * normal_cdf(d - deviation));
}

static void assert_holds(const levy_trade_result *t, double exact)
{
    assert_string_equal(t->status, "ok");
    assert_true(strcmp(t->interval, "student_t") == 0 || strcmp(t->interval, "exact") == 0 ||
                strcmp(t->interval, "normal") == 0);
    assert_true(t->std_error > 0.0 && fabs(t->price - exact) <= 4.0 * t->std_error + 1e-12 * exact);
    assert_true(t->ci_low <= t->price && t->price <= t->ci_high);
}

/* A call is simulated as the put and the forward where its mean lies in paths that hardly ever
 * come: 60,000 was said to lie in [15,658, 23,460]. */
static void test_a_call_with_a_heavy_tail_is_controlled_by_its_forward(void **state)
{
    (void)state;
    static const double strikes[] = {0.0, 1000.0, 60000.0, 1e7}, years[] = {4.0, 30.0, 100.0};
    char trades[2048] = "";
    size_t used = 0;
    for (size_t s = 0; s < 4; ++s)
        for (size_t y = 0; y < 3; ++y)
            used += (size_t)snprintf(trades + used, sizeof trades - used,
                                     "  - {id: t%zu%zu, underlying: S, payoff: {kind: european, "
                                     "option_type: call, strike: %g}, exercise: {expiry: %g}}\n",
                                     s, y, strikes[s], years[y]);
    priced p = price_text(trades, "black_scholes", 60000.0, 0.9);
    for (size_t s = 0; s < 4; ++s)
        for (size_t y = 0; y < 3; ++y) {
            const levy_trade_result *const t = levy_results_trade(p.results, 3 * s + y);
            /* hardly a path is above */
            if (strikes[s] > 0.0 && years[y] > 50.0)
                assert_string_equal(t->interval, "unreliable");
            else
                assert_holds(t, black_scholes_call(60000.0, strikes[s], 0.9, years[y]));
        }
    release(&p);
}

/* Strike 0 of an average: the mean of the forwards, discounted; past fixings count as they are.
 * Jumps add to the deviation. */
static void test_averages_and_jumps_are_controlled_too(void **state)
{
    (void)state;
    static const char average[] =
        "  - {id: a, underlying: S, payoff: {kind: asian, option_type: call, strike: 0, averaging: "
        "{method: arithmetic, "
        "observations: {times: [1, 3, 10]}}}, exercise: {expiry: 10.0}}\n";
    const double forwards = 100.0 * (exp(0.02) + exp(0.06) + exp(0.2)) / 3.0 * exp(-0.2);
    priced p = price_text(average, "black_scholes", 100.0, 0.8);
    assert_holds(levy_results_trade(p.results, 0), forwards);
    release(&p);
    p = price_text(average, "merton, intensity: 2, jump_mean: -0.4, jump_volatility: 0.5", 100.0,
                   0.2);
    assert_holds(levy_results_trade(p.results, 0), forwards);
    release(&p);
}

/* What has no bound and no control is called unreliable, with the reason; what is bounded is not.
 */
static void test_other_heavy_tails_are_called_unreliable(void **state)
{
    (void)state;
    const char *const trades = text_of_book("texts/intervals-trades");
    static const double volatilities[] = {0.9, 0.5};
    for (size_t v = 0; v < 2; ++v) {
        priced p = price_text(trades, "black_scholes", 100.0, volatilities[v]);
        const levy_trade_result *const look = levy_results_trade(p.results, 0);
        assert_string_equal(look->interval, v == 0 ? "unreliable" : "student_t");
        assert_int_equal(isnan(look->ci_low), v == 0);
        if (v == 0)
            assert_string_equal(look->measures[0].note,
                                "unreliable: very rare paths determine the mean");
        for (size_t t = 1; t < 3; ++t)
            assert_string_equal(levy_results_trade(p.results, t)->interval, "student_t");
        release(&p);
    }
}

/* Integrated over its only draw, the same tail is no sample's any more. */
static void test_what_is_exact_has_no_heavy_tail(void **state)
{
    (void)state;
    static const char trade[] = "  - {id: a, underlying: S, payoff: {kind: digital, option_type: "
                                "call, strike: 100, payout: "
                                "asset}, exercise: {expiry: 1.0}}\n";
    priced p = price_smoothed(trade, "black_scholes", 100.0, 1.5, "auto");
    const levy_trade_result *const asset = levy_results_trade(p.results, 0);
    assert_string_equal(asset->interval, "exact");
    assert_string_equal(asset->measures[0].note, "integrated: no draw is left");
    assert_int_equal(asset->measures[0].flagged, 0);
    release(&p);
}

/* All sixteen replicates may count the same paths above the strike; the interval still holds the
 * exact price. An asset-or-nothing option, whose replicates differ a little all the same, was 90
 * standard errors off. */
static void test_steps_of_one_variable_know_their_resolution(void **state)
{
    (void)state;
    char trades[4096] = "";
    size_t used = 0;
    for (int k = 0; k < 12; ++k)
        used +=
            (size_t)snprintf(trades + used, sizeof trades - used,
                             "  - {id: t%d, underlying: S, payoff: {kind: digital, option_type: "
                             "call, strike: %d, payout: %s}, exercise: {expiry: 1.0}}\n",
                             k, 90 + 2 * k, k % 2 ? "asset" : "cash, cash: 10");
    priced p = price_text(trades, "black_scholes", 100.0, 0.2);
    for (int k = 0; k < 12; ++k) {
        const double strike = 90.0 + 2.0 * k, d = (log(100.0 / strike) + 0.02) / 0.2 + 0.1;
        const double exact =
            k % 2 ? 100.0 * normal_cdf(d) : 10.0 * exp(-0.02) * normal_cdf(d - 0.2);
        const levy_trade_result *const t = levy_results_trade(p.results, (size_t)k);
        assert_string_equal(t->interval, "student_t");
        assert_true(t->ci_low <= exact && exact <= t->ci_high);
        assert_true(t->ci_high - t->ci_low < 2e-4 * strike);
    }
    release(&p);
}

/* A tolerance doubles the paths beyond the plan's; what a step leaves open shrinks with them. */
static void test_a_tolerance_narrows_a_step_too(void **state)
{
    (void)state;
    const char *const text = text_of_book("texts/intervals");
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    priced p = price_alone(text, NULL, 0, &options);
    assert_priced(&p);
    const levy_trade_result *const t = levy_results_trade(p.results, 0);
    assert_int_equal(t->tolerance_met, 1);
    assert_true(t->std_error < 1e-5 && t->paths < 1 << 24);
    release(&p);
}

/* The rho of a call is a digital, and its bump is small against a cell of the net: all replicates
 * may count alike. A put's rho of -0.0508 was said to be -0.0510 +- 1.4e-9. */
static void test_a_small_bump_knows_its_resolution_too(void **state)
{
    (void)state;
    static const struct {
        double strike, volatility, years;
    } cases[] = {{54.9, 0.2, 1.0}, {77.9, 0.2, 0.25}, {73.9, 0.3, 1.0 / 12.0}, {114.0, 0.6, 0.02}};
    char trades[512];
    for (size_t i = 0; i < 4; ++i) {
        snprintf(trades, sizeof trades,
                 "  - {id: t, measures: [price, rho], underlying: S, payoff: {kind: european, "
                 "option_type: put, strike: %.17g}, "
                 "exercise: {expiry: %.17g}}\n",
                 cases[i].strike, cases[i].years);
        priced p = price_text(trades, "black_scholes", 100.0, cases[i].volatility);
        const levy_measure *const rho = &levy_results_trade(p.results, 0)->measures[1];
        const double deviation = cases[i].volatility * sqrt(cases[i].years);
        const double d =
            (log(100.0 / cases[i].strike) + 0.02 * cases[i].years) / deviation - 0.5 * deviation;
        const double exact =
            -cases[i].strike * cases[i].years * exp(-0.02 * cases[i].years) * normal_cdf(-d);
        assert_string_equal(rho->measure, "rho");
        assert_true(fabs(rho->value - exact) <= 3.0 * rho->std_error &&
                    rho->std_error < 0.05 * fabs(exact) + 1e-3);
        release(&p);
    }
}

/* Exponential tails are as heavy where their rate is low, and a jump that hardly ever comes can
 * carry the mean. */
static void test_slow_tails_are_heavy_at_any_deviation(void **state)
{
    (void)state;
    static const char call[] = "  - {id: t, underlying: S, payoff: {kind: digital, option_type: "
                               "call, strike: 100, payout: asset}, exercise: {expiry: 1}}\n";
    static const struct {
        const char *model;
        bool heavy;
    } cases[] = {{"kou, intensity: 1, probability_up: 0.5, rate_up: 1.8, rate_down: 10", true},
                 {"kou, intensity: 1, probability_up: 0.5, rate_up: 10, rate_down: 1.8", false},
                 {"merton, intensity: 0.1, jump_mean: 0, jump_volatility: 2", true},
                 {"merton, intensity: 1, jump_mean: -0.1, jump_volatility: 0.15", false}};
    for (size_t i = 0; i < 4; ++i) {
        priced p = price_text(call, cases[i].model, 100.0, 0.2);
        assert_int_equal(strcmp(levy_results_trade(p.results, 0)->interval, "unreliable") == 0,
                         cases[i].heavy);
        release(&p);
    }
}

/* Every path has its own small chance of a touch, so the replicates differ: a knock-in worth 9e-5
 * was said to be 5e-7 +- 1e-7. A rebate and a knock-out are off by as much. */
static void test_touches_that_hardly_any_path_makes_are_no_interval(void **state)
{
    (void)state;
    static const char form[] =
        "  - {id: t, measures: [price, delta], underlying: S, payoff: {kind: barrier, option_type: "
        "%s, strike: 100, %s, barrier: {direction: %s, knock: %s, level: %g, "
        "monitoring: continuous}}, exercise: {expiry: 1.0}}\n";
    static const struct {
        const char *type, *rebate, *direction, *knock;
        double level;
        bool doubtful;
    } cases[] = {{"call", "payout: option", "up", "in", 450.0, true},
                 {"call", "rebate: 5", "up", "in", 400.0, true},
                 {"put", "payout: option", "down", "in", 22.0, true},
                 {"call", "payout: option", "up", "out", 340.0, true},
                 {"call", "payout: option", "up", "in", 200.0, false},
                 {"call", "payout: option", "up", "out", 1000.0, false},
                 {"call", "payout: option", "down", "out", 22.0, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char trade[512];
        snprintf(trade, sizeof trade, form, cases[i].type, cases[i].rebate, cases[i].direction,
                 cases[i].knock, cases[i].level);
        priced p = price_text(trade, "black_scholes", 100.0, 0.3);
        const levy_trade_result *const t = levy_results_trade(p.results, 0);
        print_message("%zu: %g +- %g %s\n", i, t->price, t->std_error, t->interval);
        assert_string_equal(t->interval, cases[i].doubtful ? "unreliable" : "student_t");
        for (size_t m = 0; m < 2 && cases[i].doubtful; ++m)
            assert_string_equal(t->measures[m].note, "unreliable: too few paths touch the barrier");
        assert_string_equal(levy_results_netted(p.results, 0)->interval, t->interval);
        release(&p);
    }
}

/* The drift takes the mean of a shock off all paths, but none of them has the shock: a forward of
 * 100 was said to be 99.60 +- 0.01. */
static void test_shocks_that_hardly_any_path_has_are_no_interval(void **state)
{
    (void)state;
    const char *const trades = text_of_book("texts/intervals-trades-2");
    static const char empirical[] =
        "black_scholes, jumps: [{intensity: 1, mark: {kind: empirical, shocks: %s}}]";
    static const struct {
        const char *shocks;
        bool doubtful[3];
    } cases[] = {{"[[0, 1], [6, 1.0e-5]]", {true, false, true}},
                 {"[[-0.1, 1], [5.9, 4.0e-6], [6, 3.0e-6], [6.1, 3.0e-6]]", {true, false, true}},
                 {"[[-0.1, 1], [0.3, 0.01]]", {false, false, false}},
                 {"[[-6, 1.0e-5], [0, 1]]", {false, true, false}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char model[256];
        snprintf(model, sizeof model, empirical, cases[i].shocks);
        priced p = price_text(trades, model, 100.0, 0.2);
        for (size_t t = 0; t < 3; ++t) {
            const levy_trade_result *const r = levy_results_trade(p.results, t);
            const bool doubtful = cases[i].doubtful[t];
            print_message("%zu %s: %g +- %g %s\n", i, r->id, r->price, r->std_error, r->interval);
            assert_string_equal(r->interval, doubtful ? "unreliable" : "student_t");
            for (size_t m = 0; m < r->n_measures && doubtful; ++m)
                assert_string_equal(r->measures[m].note,
                                    "unreliable: too few paths have the rarest jumps");
        }
        release(&p);
    }
    /* what is simulated as the put needs no such path */
    priced p = price_text(trades, "merton, intensity: 1.0e-5, jump_mean: 6, jump_volatility: 0",
                          100.0, 0.2);
    assert_string_equal(levy_results_trade(p.results, 0)->interval, "exact");
    assert_string_equal(levy_results_trade(p.results, 2)->interval, "student_t");
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_small_bump_knows_its_resolution_too),
        cmocka_unit_test(test_slow_tails_are_heavy_at_any_deviation),
        cmocka_unit_test(test_a_tolerance_narrows_a_step_too),
        cmocka_unit_test(test_a_call_with_a_heavy_tail_is_controlled_by_its_forward),
        cmocka_unit_test(test_averages_and_jumps_are_controlled_too),
        cmocka_unit_test(test_other_heavy_tails_are_called_unreliable),
        cmocka_unit_test(test_what_is_exact_has_no_heavy_tail),
        cmocka_unit_test(test_steps_of_one_variable_know_their_resolution),
        cmocka_unit_test(test_shocks_that_hardly_any_path_has_are_no_interval),
        cmocka_unit_test(test_touches_that_hardly_any_path_makes_are_no_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
