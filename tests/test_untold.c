/* test_untold.c: errors that replicates do not show, because all of them miss the same: what a far
 * leg adds to a sum, what lies beyond a strike, the rest of a chance, the jumps of a script on one
 * date, the peak of a law. Each was stated too small. Values are closed forms, or integrated. */
#include "tests/greeks_case.h"

#define FLAT(volatility)                                                                           \
    MARKET("    S: {currency: USD, spot: 100, volatility: " volatility "}\n")                      \
    "models: {equity: {kind: black_scholes, assets: [S]}}\n"
#define FAR_PUT "payoff: {kind: european, option_type: put, strike: 40}"
#define BARRIER(knock)                                                                             \
    "payoff: {kind: barrier, option_type: put, strike: 40, barrier: {direction: up, knock: " knock \
    ", level: 120, observations: {count: 2}}}"

/* Knock-in and knock-out less the put are 0. The knock-out sees what no path of the put does, so
 * the sum varies, and its spread is that of the knock-out alone. */
static void test_a_sum_is_as_unreliable_as_a_leg(void **state)
{
    priced p;
    (void)state;
    price_text(&p, FLAT("0.2") "trades: [{id: t, underlying: S, exercise: {expiry: 1}, legs: [\n"
                               "  {" BARRIER("in") "}, {" BARRIER(
                                   "out") "},\n"
                                          "  {position: short, " FAR_PUT
                                          "}]}]\nsimulation: {paths: 2^15, construction: pca}\n");
    const levy_trade_result *const sum = levy_results_trade(p.results, 0);
    assert_true(sum->price > 100.0 * sum->std_error);
    assert_string_equal(sum->interval, "unreliable");
    release(&p);
}

/* A leg that tells nothing of itself leaves a sum alone whose error is more than it can be worth.
 */
static void test_a_sum_holds_where_a_leg_is_worth_less_than_its_error(void **state)
{
    priced p;
    (void)state;
    price_text(&p,
               FLAT("0.2") "trades: [{id: t, underlying: S, exercise: {expiry: 1}, legs: [\n"
                           "  {payoff: {kind: asian, option_type: call, strike: 100, averaging: "
                           "{observations: [0.5, 1]}}, quantity: 1000},\n"
                           "  {position: short, " FAR_PUT "}]}]\nsimulation: {paths: 2^17}\n");
    assert_string_equal(levy_results_trade(p.results, 2)->interval, "unreliable");
    assert_string_equal(levy_results_trade(p.results, 0)->interval, "student_t");
    release(&p);
}

static void test_greeks_of_what_no_path_pays_are_unreliable(void **state)
{
    static const char *const names[] = {"delta", "gamma", "vega", "rho"};
    static const char *const factors[] = {"S.spot", "S.spot", "S.volatility", "USD.rate"};
    priced p;
    (void)state;
    price_text(&p, FLAT("0.2") "trades: [{id: t, underlying: S, exercise: {expiry: 1}, " FAR_PUT
                               "}]\nmeasures: [price, delta, gamma, vega, rho]\nsimulation: "
                               "{paths: 2^17}\n");
    for (size_t i = 0; i < 4; ++i) {
        const levy_measure *const m = find(&p, 0, names[i], factors[i]);
        assert_string_equal(m->interval, "unreliable");
        assert_int_equal(m->flagged, 1);
    }
    release(&p);
}

/* A touch of a chance of 1e-17 is 1 less what is rounded to 1. */
static void test_the_rest_of_a_chance_has_its_rounding(void **state)
{
    priced p;
    (void)state;
    price_text(&p, FLAT("0.3") "trades: [{id: t, underlying: S, exercise: {expiry: 0.02}, payoff: "
                               "{kind: touch, pays: if_touched, pay: at_expiry, cash: 10, barrier: "
                               "{direction: down, level: 70, observations: {times: [0.008, "
                               "0.02]}}}}]\nmeasures: [price, vega]\nsimulation: {paths: 2^13}\n");
    const double h = 1e-4, v = 0.3, t = 0.02, drift = 0.05;
    double chance[3];
    for (int i = 0; i < 3; ++i) {
        const double s = v + (i - 1) * h;
        chance[i] =
            10.0 * exp(-drift * t) * cdf((log(0.7) - (drift - 0.5 * s * s) * t) / (s * sqrt(t)));
    }
    assert_near(find(&p, 0, "price", ""), chance[1], 0.0);
    assert_near(find(&p, 0, "vega", "S.volatility"), (chance[2] - chance[0]) / (2.0 * h), 0.0);
    release(&p);
}

/* A bridge's first draw is its last date, so all replicates count as many paths past the strike. */
static void test_a_bridge_has_the_error_of_a_strike_that_one_draw_decides(void **state)
{
    priced p;
    (void)state;
    price_text(&p,
               "schema_version: 1\nmarket:\n  curves: {USD: 0.04}\n  assets: {S: {currency: USD, "
               "spot: 100, volatility: 0.1}}\n"
               "models: {equity: {kind: black_scholes, assets: [S]}}\n"
               "trades: [{id: t, underlying: S, exercise: {expiry: 1}, payoff: {kind: barrier, "
               "option_type: call, strike: 100, payout: cash, cash: 10, barrier: {direction: "
               "down, knock: out, level: 50, observations: {count: 2}}}}]\nmeasures: [price]\n"
               "simulation: {paths: 4096, replicates: 16, construction: bridge, smoothing: "
               "none}\n");
    const double v = 0.1, drift = 0.04, value = 10.0 * exp(-drift) * cdf((drift - 0.5 * v * v) / v);
    const levy_measure *const m = find(&p, 0, "price", "");
    assert_near(m, value, 0.0);
    assert_true(m->std_error < 10.0 / (1 << 10));
    release(&p);
}

/* No path touches in the scenario, though many do today. */
static void test_a_scenario_far_from_a_barrier_has_the_error_of_its_touch(void **state)
{
    priced p;
    (void)state;
    price_text(&p, FLAT("0.1") "scenarios: [{id: up, shifts: [{factor: S.spot, size: 0.15}]}]\n"
                               "trades: [{id: t, underlying: S, exercise: {expiry: 0.25}, payoff: "
                               "{kind: touch, pays: if_touched, pay: at_expiry, cash: 10, barrier: "
                               "{direction: down, level: 85.5, observations: {times: [0.25]}}}}, "
                               "{id: u, underlying: S, exercise: {expiry: 0.25}, payoff: {kind: "
                               "touch, pays: if_touched, pay: at_expiry, cash: 10, barrier: "
                               "{direction: down, level: 85.5, observations: {count: 2}}}}]\n"
                               "measures: [price]\nsimulation: {paths: 2^17, smoothing: none}\n");
    const double v = 0.1, t = 0.25, drift = 0.05,
                 value = 10.0 * exp(-drift * t) *
                         cdf((log(0.855 / 1.15) - (drift - 0.5 * v * v) * t) / (v * sqrt(t)));
    const levy_measure *const m = find(&p, 1, "scenario_price", "up");
    assert_near(m, value, 0.01 * value); /* a touch before expiry alone adds less */
    release(&p);
}

/* Nearly every path has touched in the scenario, though few do today: but for those that are back
 * on both dates. */
static void test_a_scenario_beyond_a_barrier_has_the_error_of_the_way_back(void **state)
{
    const double v = 0.1, t = 0.25, drift = 0.04 - 0.5 * v * v, half = v * sqrt(0.5 * t),
                 back = log(95.0 / 80.0), step = 1e-3;
    double never = 0.0;
    priced p;
    (void)state;
    price_text(&p, "schema_version: 1\nmarket:\n  curves: {USD: 0.04}\n  assets: {S: {currency: "
                   "USD, spot: 100, volatility: 0.1}}\n"
                   "models: {equity: {kind: black_scholes, assets: [S]}}\n"
                   "scenarios: [{id: down, shifts: [{factor: S.spot, size: -0.2}]}]\n"
                   "trades: [{id: t, underlying: S, exercise: {expiry: 0.25}, payoff: {kind: "
                   "touch, pays: if_touched, pay: at_expiry, cash: 10, barrier: {lower: 95, "
                   "upper: 120, observations: {count: 2}}}}]\n"
                   "measures: [price]\nsimulation: {paths: 2^14, smoothing: none}\n");
    for (double x = back + 0.5 * step * half; x < back + 6.0 * half; x += step * half) {
        const double z = (x - drift * 0.5 * t) / half;
        never += step * exp(-0.5 * z * z) / sqrt(8.0 * atan(1.0)) *
                 cdf((x + drift * 0.5 * t - back) / half);
    }
    const levy_measure *const m = find(&p, 0, "scenario_price", "down");
    assert_near(m, 10.0 * exp(-0.04 * t) * (1.0 - never), 0.0);
    assert_true(m->std_error < 100.0 * never);
    release(&p);
}

/* An integrated path tells of a date without being there. If hardly one does, an amount that is
 * paid there alone varies less than the date by itself would make it. */
static void test_a_chance_that_hardly_a_path_tells_of_has_an_error(void **state)
{
    const double v = 0.4, t = 0.008;
    priced p;
    (void)state;
    price_text(&p, FLAT("0.4") "trades: [{id: t, underlying: S, exercise: {expiry: 0.02}, payoff: "
                               "{kind: phoenix, observations: {times: [0.008, 0.02]}, coupon: "
                               "0.02, coupon_barrier: 1, call_barrier: 1.25, memory: true, "
                               "first_call: 1, knock_in: {times: [0.02]}, knock_in_barrier: 0.8, "
                               "strike: 1, levels: percent_of_initial}}]\n"
                               "measures: [price, probability]\nsimulation: {paths: 2^18, "
                               "construction: bridge}\n");
    const levy_measure *const m = find(&p, 0, "probability", "0.008");
    const double chance = cdf(((0.05 - 0.5 * v * v) * t - log(1.25)) / (v * sqrt(t)));
    assert_near(m, chance, 0.0);
    assert_true(m->std_error < 4.0 * chance);
    release(&p);
}

static void price_script(priced *p, const char *text, const char *smoothing, const char *precision)
{
    const levy_setting settings[] = {{"simulation.smoothing", smoothing},
                                     {"simulation.precision", precision}};
    price_with(p, text, settings, 2, NULL);
}

static void compare_script(const char *text, const char *smoothing, const char *precision,
                           const char *measure, const char *factor)
{
    priced p, q;
    price_script(&p, text, "all", "double");
    price_script(&q, text, smoothing, precision);
    const levy_measure *const m = find(&p, 0, measure, factor), *const n =
                                                                    find(&q, 0, measure, factor);
    assert_string_not_equal(n->interval, "unreliable");
    const double off = fabs(m->value - n->value);
    if (!(off <= 5.0 * hypot(m->std_error, n->std_error)))
        fail_msg("%s %s %s: %.10g +- %.3g, %.10g +- %.3g", smoothing, precision, measure, m->value,
                 m->std_error, n->value, n->std_error);
    release(&p);
    release(&q);
}

/* All replicates have the same point on the wrong side of the step. */
static void test_a_script_on_one_date_has_the_error_of_its_jumps(void **state)
{
    static const char text[] =
        MARKET("    S: {currency: USD, spot: 100, dividend_yield: 0.02, volatility: "
               "0.25}\n") "models: {equity: {kind: black_scholes, assets: [S]}}\n"
                          "trades:\n  - id: t\n    underlying: S\n    notional: 100\n    "
                          "exercise: {expiry: 1}\n"
                          "    payoff:\n      kind: script\n      levels: "
                          "percent_of_initial\n      script: |\n"
                          "        at expiry {\n          pay 1.22 if level <= 1.03 else "
                          "0.46\n"
                          "          pay abs(level - 0.81)\n        }\n"
                          "measures: [price, theta]\nsimulation: {paths: 2^13, seed: 1}\n";
    (void)state;
    compare_script(text, "none", "double", "price", "");
    compare_script(text, "none", "double", "theta", "time");
}

/* The product of two levels is 0 in double: a search by their mean of logarithms never ended. */
static void test_a_jump_at_a_tiny_level_is_found(void **state)
{
    priced p;
    (void)state;
    price_text(
        &p,
        MARKET(
            "    S: {currency: USD, spot: 1e-300, volatility: 0.2}\n") "models: {equity: {kind: "
                                                                       "black_scholes, assets: "
                                                                       "[S]}}\n"
                                                                       "trades: [{id: t, "
                                                                       "underlying: S, exercise: "
                                                                       "{expiry: 1}, payoff: "
                                                                       "{kind: script, script: "
                                                                       "'at expiry { pay 1 if "
                                                                       "level > 1e-300 else 0 "
                                                                       "}'}}]\n"
                                                                       "simulation: {paths: 2^13, "
                                                                       "smoothing: none}\n");
    const levy_trade_result *const r = levy_results_trade(p.results, 0);
    assert_in_range((uintmax_t)(1e6 * r->std_error), 1, 10000);
    release(&p);
}

/* The law of a quarter is so peaked at its middle that a share of its deviation looks past it. */
static void test_bumps_of_scripts_see_the_peak_of_a_law(void **state)
{
    static const char text[] = MARKET(
        "    S: {currency: USD, spot: 100, dividend_yield: 0.02}\n") "models: {equity: {kind: "
                                                                     "variance_gamma, assets: [S], "
                                                                     "sigma: 0.2, theta: -0.1, nu: "
                                                                     "0.2}}\n"
                                                                     "trades:\n  - id: t\n    "
                                                                     "underlying: S\n    notional: "
                                                                     "100\n    exercise: {expiry: "
                                                                     "0.25}\n"
                                                                     "    payoff:\n      kind: "
                                                                     "script\n      levels: "
                                                                     "percent_of_initial\n"
                                                                     "      schedules: {days: "
                                                                     "{times: [0.0725, 0.145, "
                                                                     "0.25]}}\n      script: |\n"
                                                                     "        at days {\n          "
                                                                     "if level >= 1.01 { pay 1 }\n "
                                                                     "       }\n"
                                                                     "measures: [price, "
                                                                     "delta]\nsimulation: {paths: "
                                                                     "2^17}\n";
    (void)state;
    compare_script(text, "none", "double", "delta", "S.spot");
    compare_script(text, "none", "single", "delta", "S.spot");
    compare_script(text, "all", "single", "delta", "S.spot");
}

/* Paths start in the calm regime, so the value bends on the scale of its volatility, not of all. */
static void test_bumps_of_plain_paths_see_a_calm_start(void **state)
{
    static const char text[] = MARKET("    A: {currency: USD, spot: 100, dividend_yield: 0.02}\n   "
                                      " B: {currency: USD, "
                                      "spot: 50}\n  correlations: {pairs: [[A.spot, B.spot, "
                                      "0.9]]}\n") "models:\n  m:\n    "
                                                  "kind: regime_switching\n    assets: [A, B]\n    "
                                                  "regimes: {a: {volatilities: 0.1}, b: "
                                                  "{volatilities: 0.3}}\n    transition: [[0.9, "
                                                  "0.1], [0.3, 0.7]]\n    period: 0.25\n    "
                                                  "initial_regime: a\n"
                                                  "trades: [{id: t, underlyings: [A, B], exercise: "
                                                  "{expiry: 2}, payoff: {kind: "
                                                  "range_accrual, observations: {count: 6}, lower: "
                                                  "0.5, upper: 1.05, coupon: 1, redemption: "
                                                  "0, levels: percent_of_initial}}]\n"
                                                  "measures: [price, delta]\nsimulation: {paths: "
                                                  "2^19}\n";
    (void)state;
    compare_script(text, "none", "double", "delta", "A.spot");
    compare_script(text, "none", "double", "delta", "B.spot");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sum_is_as_unreliable_as_a_leg),
        cmocka_unit_test(test_a_sum_holds_where_a_leg_is_worth_less_than_its_error),
        cmocka_unit_test(test_greeks_of_what_no_path_pays_are_unreliable),
        cmocka_unit_test(test_the_rest_of_a_chance_has_its_rounding),
        cmocka_unit_test(test_a_bridge_has_the_error_of_a_strike_that_one_draw_decides),
        cmocka_unit_test(test_a_scenario_far_from_a_barrier_has_the_error_of_its_touch),
        cmocka_unit_test(test_a_scenario_beyond_a_barrier_has_the_error_of_the_way_back),
        cmocka_unit_test(test_a_chance_that_hardly_a_path_tells_of_has_an_error),
        cmocka_unit_test(test_a_script_on_one_date_has_the_error_of_its_jumps),
        cmocka_unit_test(test_a_jump_at_a_tiny_level_is_found),
        cmocka_unit_test(test_bumps_of_scripts_see_the_peak_of_a_law),
        cmocka_unit_test(test_bumps_of_plain_paths_see_a_calm_start)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
