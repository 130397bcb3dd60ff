/* test_bias.c: bumps are fit for what they measure, and what a bump leaves out stands in the
 * standard error: against closed forms from a day to ten years, smooth and with a jump, by the rule
 * and by sizes that a user gives. */
#include "tests/greeks_case.h"

#include <unistd.h>

enum { DELTA, GAMMA, VEGA, RHO, GREEKS };
static const char *const names[GREEKS] = {"delta", "gamma", "vega", "rho"};
static const char *const factors[GREEKS] = {"S.spot", "S.spot", "S.volatility", "USD.rate"};

static const double spot = 100.0, strike = 100.0, rate = 0.05, dividend = 0.02, volatility = 0.2;

/* sign 1: a call; -1: a put. */
static void vanilla_greeks(double sign, double t, double exact[GREEKS])
{
    const double d = volatility * sqrt(t), income = exp(-dividend * t), discount = exp(-rate * t);
    const double d1 = (log(spot / strike) + (rate - dividend) * t) / d + 0.5 * d, d2 = d1 - d;
    exact[DELTA] = sign * income * normal_cdf(sign * d1);
    exact[GAMMA] = income * normal_density(d1) / (spot * d);
    exact[VEGA] = spot * income * normal_density(d1) * sqrt(t);
    exact[RHO] = sign * strike * t * discount * normal_cdf(sign * d2);
}

/* Pays 10 above the strike. */
static void digital_greeks(double t, double exact[GREEKS])
{
    const double d = volatility * sqrt(t), discount = 10.0 * exp(-rate * t);
    const double d1 = (log(spot / strike) + (rate - dividend) * t) / d + 0.5 * d, d2 = d1 - d;
    exact[DELTA] = discount * normal_density(d2) / (spot * d);
    exact[GAMMA] = -discount * normal_density(d2) * d1 / (spot * spot * d * d);
    exact[VEGA] = -discount * normal_density(d2) * d1 / volatility;
    exact[RHO] = discount * (-t * normal_cdf(d2) + normal_density(d2) * sqrt(t) / volatility);
}

static void price_one(priced *p, const char *payoff, double t, const char *simulation)
{
    char text[2048];
    snprintf(text, sizeof text,
             ONE "trades:\n  - {id: t, underlying: S, payoff: {%s}, exercise: {expiry: %.17g}}\n"
                 "measures: [delta, gamma, vega, rho]\nsimulation: {%s}\n",
             payoff, t, simulation);
    price_text(p, text);
}

#define VANILLA(type) "kind: european, option_type: " type ", strike: 100"
#define DIGITAL "kind: digital, option_type: call, strike: 100, cash: 10"

/* ---- The rule ---- */

/* Gamma by a bump of a twentieth of the deviation was off by 2e-4 at any count of paths, a day's
 * delta by 0.1 % by 3e-5, with errors a hundred to ten thousand times less. */
static void test_errors_hold_from_a_day_to_ten_years(void **state)
{
    (void)state;
    static const double times[] = {1.0 / 365.0, 1.0 / 12.0, 1.0, 10.0};
    static const char *const sizes[] = {"paths: 2^18", "paths: 2^22"};
    for (size_t s = 0; s < 2; ++s)
        for (size_t i = 0; i < 8; ++i) {
            double exact[GREEKS];
            priced p;
            vanilla_greeks(i & 1 ? -1.0 : 1.0, times[i / 2], exact);
            price_one(&p, i & 1 ? VANILLA("put") : VANILLA("call"), times[i / 2], sizes[s]);
            for (size_t g = 0; g < GREEKS; ++g)
                assert_estimate(measure_of(&p, 0, names[g], factors[g]), exact[g], 0.0);
            const double gamma = measure_of(&p, 0, "gamma", "S.spot")->value;
            assert_true(fabs(gamma - exact[GAMMA]) < 5e-5 * exact[GAMMA]);
            release(&p);
        }
}

/* Across a jump a bump of 0.1 % leaves many times the error of one that suits the deviation. */
static void test_a_jump_takes_larger_bumps(void **state)
{
    (void)state;
    static const double times[] = {1.0 / 12.0, 1.0};
    for (size_t i = 0; i < 2; ++i) {
        double exact[GREEKS];
        priced rule, small;
        digital_greeks(times[i], exact);
        price_one(&rule, DIGITAL, times[i], "paths: 2^16, smoothing: none");
        price_one(&small, DIGITAL, times[i],
                  "paths: 2^16, smoothing: none, bumps: {spot: 0.001, gamma: 0.003, volatility: "
                  "0.001, rate: 0.001}");
        for (size_t g = 0; g < GREEKS; ++g) {
            const levy_measure *const m = measure_of(&rule, 0, names[g], factors[g]);
            assert_estimate(m, exact[g], 0.0);
            assert_non_null(strstr(m->note, "noisy"));
            const levy_measure *const n = measure_of(&small, 0, names[g], factors[g]);
            print_message("%g %s: error %.2g, by small bumps %.2g\n", times[i], names[g],
                          m->std_error, n->std_error);
            assert_true(m->std_error < 0.5 * n->std_error);
        }
        release(&small);
        release(&rule);
    }
}

static double call_value(double x, double k, double t)
{
    const double d = volatility * sqrt(t), d2 = (log(x / k) + (rate - dividend) * t) / d - 0.5 * d;
    return x * exp(-dividend * t) * normal_cdf(d2 + d) - k * exp(-rate * t) * normal_cdf(d2);
}

/* A call at 95 of a year that is knocked out below 99 at `first` alone: Simpson's rule over the
 * normal until then. */
static double knock_out(double x, double first)
{
    const double d = volatility * sqrt(first), drift = (rate - dividend) * first - 0.5 * d * d,
                 from = (log(99.0 / x) - drift) / d, step = (9.0 - from) / 4000.0;
    double sum = 0.0;
    for (int k = 0; k <= 4000; ++k) {
        const double z = from + k * step, end = k == 0 || k == 4000;
        const double weight = 2.0 + 2.0 * (k % 2) - end;
        sum += weight * normal_density(z) * call_value(x * exp(drift + d * z), 95.0, 1.0 - first);
    }
    return exp(-rate * first) * sum * step / 3.0;
}

/* Shares of the deviation at expiry left errors of 3 % of delta beside a barrier that is watched in
 * two days, and values 5 errors off. */
static void test_early_dates_take_smaller_bumps(void **state)
{
    (void)state;
    static const double firsts[] = {0.005, 0.02};
    static const char *const ways[] = {"paths: 2^16", "paths: 2^16, precision: single"};
    static const char *const payoffs[] = {
        "kind: barrier, option_type: call, strike: 95, "
        "barrier: {direction: down, knock: out, level: 99, observations: [%g]}",
        "kind: script, schedules: {first: [%g]}, "
        "script: \"at first { if level < 99 { stop } }\\nat expiry { pay max(level - 95, 0) }\""};
    for (size_t i = 0; i < 8; ++i) {
        const double first = firsts[i & 1], h = 0.01;
        const double up = knock_out(spot + h, first), down = knock_out(spot - h, first);
        char payoff[512];
        priced p;
        snprintf(payoff, sizeof payoff, payoffs[i >> 2], first);
        price_one(&p, payoff, 1.0, ways[i >> 1 & 1]);
        const levy_measure *const delta = measure_of(&p, 0, "delta", "S.spot");
        const levy_measure *const gamma = measure_of(&p, 0, "gamma", "S.spot");
        print_message("%s, first date %g: delta %.5f +- %.1g, gamma %.5f +- %.1g\n",
                      ways[i >> 1 & 1], first, delta->value, delta->std_error, gamma->value,
                      gamma->std_error);
        assert_estimate(delta, (up - down) / (2.0 * h), 1e-6);
        assert_estimate(gamma, (up - 2.0 * knock_out(spot, first) + down) / (h * h), 1e-4);
        assert_true(delta->std_error < 0.002 * fabs(delta->value));
        assert_true(gamma->std_error < 0.02 * fabs(gamma->value));
        release(&p);
    }
}

static double moved(const priced *p, double quote)
{
    static const char *const name = "S.spot";
    return with_quotes(p, 0, &name, &quote, 1);
}

/* By the rule delta and gamma are differences of the prices on four moved spots, extrapolated to no
 * move. */
static void test_the_rule_extrapolates_prices(void **state)
{
    (void)state;
    const double h = 0.1 * volatility * spot;
    priced p;
    price_one(&p, VANILLA("call"), 1.0, "paths: 2^14");
    const double up = moved(&p, spot + h), down = moved(&p, spot - h),
                 base = levy_results_trade(p.results, 0)->price;
    const double far_up = moved(&p, spot + 2.0 * h), far_down = moved(&p, spot - 2.0 * h);
    const double delta = (4.0 * (up - down) / (2.0 * h) - (far_up - far_down) / (4.0 * h)) / 3.0;
    const double gamma =
        (4.0 * (up - 2.0 * base + down) - 0.25 * (far_up - 2.0 * base + far_down)) / (3.0 * h * h);
    assert_true(fabs(measure_of(&p, 0, "delta", "S.spot")->value - delta) < 1e-12);
    assert_true(fabs(measure_of(&p, 0, "gamma", "S.spot")->value - gamma) < 1e-12);
    release(&p);
}

/* A barrier that is watched at all times leaves the value a kink, which no bump of the rule
 * crosses. */
static void test_the_rule_keeps_off_a_barrier(void **state)
{
    (void)state;
    static const char near[] = "kind: barrier, option_type: call, strike: 95, barrier: {direction: "
                               "down, knock: out, level: "
                               "99.5, monitoring: continuous}";
    priced rule, small;
    price_one(&rule, near, 1.0, "paths: 2^16");
    price_one(&small, near, 1.0, "paths: 2^16, bumps: {spot: 0.0005, gamma: 0.002}");
    for (size_t g = 0; g <= GAMMA; ++g) {
        const levy_measure *const a = measure_of(&rule, 0, names[g], "S.spot");
        const levy_measure *const b = measure_of(&small, 0, names[g], "S.spot");
        assert_false(a->flagged);
        assert_estimate(a, b->value, 4.0 * b->std_error);
    }
    release(&small);
    release(&rule);
}

static void test_single_precision_keeps_its_bumps(void **state)
{
    (void)state;
    static const double times[] = {1.0 / 365.0, 1.0 / 12.0, 1.0};
    static const double within[GREEKS] = {2e-4, 5e-3, 1e-3, 1e-3};
    for (size_t i = 0; i < 3; ++i) {
        double exact[GREEKS];
        priced p;
        vanilla_greeks(1.0, times[i], exact);
        price_one(&p, VANILLA("call"), times[i], "paths: 2^18, precision: single");
        for (size_t g = 0; g < GREEKS; ++g) {
            const levy_measure *const m = measure_of(&p, 0, names[g], factors[g]);
            print_message("%g %s: off by %.1e of it, error %.1e\n", times[i], names[g],
                          m->value / exact[g] - 1.0, m->std_error / exact[g]);
            assert_true(fabs(m->value - exact[g]) < within[g] * exact[g]);
        }
        release(&p);
    }
}

/* ---- A user's bumps ---- */

/* Larger than is good: far off, and the error says so. */
static void test_a_large_bump_is_in_the_error(void **state)
{
    (void)state;
    static const char *const simulations[] = {
        "paths: 2^18, bumps: {spot: 0.02, gamma: 0.02, volatility: 0.08, rate: 0.1}",
        "paths: 2^18, bumps: {spot: 0.5, gamma: 0.5, volatility: 0.1, rate: 0.01}", /* twice of it
                                                                                       is no spot */
        ("paths: 2^22, generator: philox, bumps: {spot: 0.1, gamma: 0.1, volatility: 0.1, rate: "
         "0.1}")};
    static const double times[] = {0.25, 10.0, 0.25};
    for (size_t s = 0; s < 3; ++s) {
        double exact[GREEKS];
        priced p;
        vanilla_greeks(1.0, times[s], exact);
        price_one(&p, VANILLA("call"), times[s], simulations[s]);
        for (size_t g = 0; g < GREEKS; ++g) {
            const levy_measure *const m = measure_of(&p, 0, names[g], factors[g]);
            print_message("%zu %s: %.6g, exact %.6g, error %.2g\n", s, names[g], m->value, exact[g],
                          m->std_error);
            assert_estimate(m, exact[g], 0.0);
            if (s == 0)
                assert_true(m->std_error < 2.5 * fabs(m->value - exact[g]) + 1e-3 * exact[g]);
        }
        release(&p);
    }
}

/* An exchange of two assets (W. Margrabe, 1978) by its correlation, from both sides and from one.
 */
static void test_correlations_have_their_bias(void **state)
{
    (void)state;
    static const double correlations[] = {0.4, 0.9, 0.97};
    for (size_t i = 0; i < 3; ++i) {
        char text[2048];
        priced p;
        const double rho = correlations[i], v = sqrt(0.04 + 0.09 - 0.12 * rho);
        const double d1 = log(100.0 / 95.0) / v + 0.5 * v,
                     slope = 100.0 * normal_density(d1) * -0.06 / v;
        snprintf(
            text, sizeof text,
            MARKET("    A: {currency: USD, spot: 100, volatility: 0.2}\n    B: {currency: USD, "
                   "spot: 95, volatility: "
                   "0.3}\n") "  correlations: {pairs: [[A.spot, B.spot, %g]]}\n"
                             "models: {equity: {kind: black_scholes, assets: [A, B]}}\ntrades:\n"
                             "  - {id: x, underlyings: [{name: A, weight: 1}, {name: B, weight: "
                             "-1}], payoff: {kind: basket, "
                             "option_type: call, strike: 0}, exercise: {expiry: 1.0}}\nmeasures: "
                             "[correlation]\n"
                             "simulation: {bumps: {correlation: 0.08}}\n",
            rho);
        price_text(&p, text);
        const levy_measure *const m = measure_of(&p, 0, "correlation", "A.spot,B.spot");
        print_message("%g: %.6g, exact %.6g, error %.2g\n", rho, m->value, slope, m->std_error);
        assert_int_equal(m->flagged, rho > 0.92);
        assert_estimate(m, slope, 0.0);
        release(&p);
    }
}

/* ---- The same bits ---- */

#define SEVERAL                                                                                    \
    ONE "trades:\n" CALL("c")                                                                      \
        ASIAN("a") "  - {id: d, underlying: S, payoff: {kind: digital, option_type: call, "        \
                   "strike: 105, cash: 1}, exercise: {expiry: 1}}\n" FIVE

static void assert_same_results(const levy_results *a, const levy_results *b)
{
    for (size_t t = 0; t < levy_results_size(a); ++t) {
        const levy_trade_result *const x = levy_results_trade(a, t), *const y =
                                                                         levy_results_trade(b, t);
        assert_int_equal(x->n_measures, 6);
        assert_int_equal(y->n_measures, 6);
        for (size_t i = 0; i < 6; ++i) {
            assert_memory_equal(&x->measures[i].value, &y->measures[i].value, sizeof(double));
            assert_memory_equal(&x->measures[i].std_error, &y->measures[i].std_error,
                                sizeof(double));
            assert_true(x->measures[i].std_error > 0.0);
        }
    }
}

static const char *const streams[] = {"simulation: {paths: 2^17}\n",
                                      "simulation: {paths: 300000, generator: philox}\n",
                                      "simulation: {paths: 300000, generator: mrg32k3a}\n"};

static void test_errors_have_the_same_bits_however_run(void **state)
{
    (void)state;
    for (size_t s = 0; s < 3; ++s) {
        char text[4096];
        priced a, b;
        levy_price_options options = {
            .struct_size = sizeof options, .device = "cpu", .threads = 3, .batch_blocks = 1};
        snprintf(text, sizeof text, "%s%s", SEVERAL, streams[s]);
        price_text(&a, text);
        price_with(&b, text, NULL, 0, &options);
        assert_same_results(a.results, b.results);
        release(&b);
        release(&a);
    }
}

static void test_a_resumed_run_has_its_errors(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; ++s) {
        char text[4096], path[] = "/tmp/levy-bias-XXXXXX";
        const int file = mkstemp(path);
        priced first;
        levy_results *again;
        assert_true(file >= 0);
        close(file);
        levy_price_options options = {
            .struct_size = sizeof options, .device = "cpu", .journal = path};
        snprintf(text, sizeof text, "%s%s", SEVERAL, streams[s]);
        price_with(&first, text, NULL, 0, &options);
        options.resume = 1;
        assert_int_equal(levy_price(first.book, &options, &again), LEVY_STATUS_OK);
        assert_same_results(first.results, again);
        levy_results_destroy(again);
        release(&first);
        unlink(path);
    }
}

/* Paths that grow until a tolerance is met: the bias is that of the size at which a trade was done.
 */
static void test_a_tolerance_has_its_errors(void **state)
{
    (void)state;
    static const char *const simulations[] = {
        "tolerance: {absolute: 0.002}, bumps: {spot: 0.05, gamma: 0.1}",
        "generator: philox, tolerance: {absolute: 0.02}, bumps: {spot: 0.05, gamma: 0.1}"};
    for (size_t s = 0; s < 2; ++s) {
        double exact[GREEKS];
        priced p;
        vanilla_greeks(1.0, 0.25, exact);
        price_one(&p, VANILLA("call"), 0.25, simulations[s]);
        for (size_t g = 0; g < GREEKS; ++g)
            assert_estimate(measure_of(&p, 0, names[g], factors[g]), exact[g], 0.0);
        release(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_hold_from_a_day_to_ten_years),
        cmocka_unit_test(test_a_jump_takes_larger_bumps),
        cmocka_unit_test(test_early_dates_take_smaller_bumps),
        cmocka_unit_test(test_the_rule_extrapolates_prices),
        cmocka_unit_test(test_the_rule_keeps_off_a_barrier),
        cmocka_unit_test(test_single_precision_keeps_its_bumps),
        cmocka_unit_test(test_a_large_bump_is_in_the_error),
        cmocka_unit_test(test_correlations_have_their_bias),
        cmocka_unit_test(test_errors_have_the_same_bits_however_run),
        cmocka_unit_test(test_a_resumed_run_has_its_errors),
        cmocka_unit_test(test_a_tolerance_has_its_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
