/* test_smoothing.c: payoffs integrated over the first normal, through the public interface: closed
 * forms where one date is left, values of plain runs, errors that a hedger can use, and what is not
 * integrated. */
#include "tests/cmocka_all.h"

#include "tests/smoothed_price.h"
#include "tests/files.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MARKET                                                                                     \
    "schema_version: 1\nmarket:\n  curves: {USD: 0.04}\n  assets:\n"                               \
    "    S: {currency: USD, spot: 100, volatility: 0.2, dividend_yield: 0.01}\n"                   \
    "    P: {currency: USD, spot: 100, volatility: 0.2, dividends: {cash: [[0.1, 70]]}}\n"         \
    "    T: {currency: USD, spot: 100, volatility: {kind: term, nodes: [[0.1, 0.3], [1, 0.2]]}}\n" \
    "  correlations: {pairs: [[S.spot, P.spot, 0], [S.spot, T.spot, 0], [P.spot, T.spot, 0]]}\n"   \
    "models:\n  m: {kind: black_scholes, assets: [S, P, T]}\n"                                     \
    "  j: {kind: merton, assets: [S], intensity: 1, jump_mean: -0.1, jump_volatility: 0.15}\n"     \
    "  g: {kind: regime_switching, assets: [S], "                                                  \
    "regimes: {a: {volatilities: [0.1]}, b: {volatilities: [0.3]}}, "                              \
    "transition: [[0.9, 0.1], [0.2, 0.8]], period: 0.1, "                                          \
    "initial_regime: a, attraction: {asset: S, levels: [1], weights: [[1, 2], [1, 1]]}}\n"         \
    "trades:\n"
#define TRADE(id, model, asset, payoff)                                                            \
    "  - {id: " id ", model: " model ", underlying: " asset ", payoff: {" payoff                   \
    "}, exercise: {expiry: 0.25}}\n"
#define OUT(dates)                                                                                 \
    "kind: barrier, option_type: call, strike: 100, barrier: {direction: up, knock: out, level: "  \
    "120, observations: {count: " dates "}}"
#define AVERAGE(type, payout)                                                                      \
    "kind: asian, option_type: " type ", strike: 100, " payout                                     \
    ", averaging: {method: arithmetic, observations: {count: 12}}"
#define DIGITAL "kind: digital, option_type: call, strike: 105, cash: 10"
#define MEASURES "measures: [price, delta, gamma, vega]\n"

/* ---- What is left where no draw is ---- */

static void test_one_date_is_exact(void **state)
{
    (void)state;
    levy_results *const r =
        smoothed(MARKET TRADE("d", "m", "S", DIGITAL)
                     TRADE("e", "m", "S", "kind: european, option_type: put, strike: 105")
                         TRADE("a", "m", "S",
                               "kind: digital, option_type: put, strike: 98, payout: "
                               "asset") MEASURES,
                 "all", "2^12", "bridge");
    const double sd = 0.1, df = exp(-0.01), forward = 100.0 * exp(0.0075);
    const double d = log(forward / 105.0) / sd - 0.5 * sd, up = log(forward / 98.0) / sd + 0.05;
    const double exact[] = {10.0 * df * normal_cdf(d),
                            df * (105.0 * normal_cdf(-d) - forward * normal_cdf(-d - sd)),
                            df * forward * normal_cdf(-up)};
    for (size_t t = 0; t < 3; ++t) {
        const levy_trade_result *const result = levy_results_trade(r, t);
        assert_true(fabs(result->price - exact[t]) < 1e-13 * exact[t]);
        assert_string_equal(result->interval, "exact");
        assert_string_equal(result->measures[0].note, "integrated: no draw is left");
        for (size_t m = 0; m < 4; ++m) assert_int_equal(result->measures[m].flagged, 0);
    }
    const double density = exp(-0.5 * d * d) / sqrt(2.0 * 3.14159265358979323846);
    const levy_measure *const delta = measure(r, 0, 1);
    assert_true(fabs(delta->value - 10.0 * df * density / sd / 100.0) < 4.0 * delta->std_error);
    assert_true(delta->std_error < 1e-4 * delta->value);
    levy_results_destroy(r);
}

/* A geometric mean is lognormal, and where its draw comes first nothing else moves it. */
static void test_a_geometric_average_that_comes_first_is_exact(void **state)
{
    (void)state;
    levy_results *const r = smoothed(
        MARKET TRADE("g", "m", "S",
                     "kind: asian, option_type: call, strike: 100, payout: asset, averaging: "
                     "{method: geometric, observations: {count: 12}}")
            TRADE("p", "m", "S",
                  "kind: asian, option_type: put, strike: 100, averaging: {method: "
                  "geometric, observations: {count: 12}}"),
        "all", "2^12", "{kind: bridge, first: average}");
    const double mean = log(100.0) + (0.03 - 0.02) * 0.25 * 13.0 / 24.0,
                 sd = 0.1 * sqrt(13.0 * 25.0 / 6.0) / 12.0, df = exp(-0.01),
                 d = (mean - log(100.0)) / sd, level = exp(mean + 0.5 * sd * sd);
    const double exact[] = {df * level * normal_cdf(d + sd),
                            df * (100.0 * normal_cdf(-d) - level * normal_cdf(-d - sd))};
    for (size_t t = 0; t < 2; ++t) {
        const levy_trade_result *const result = levy_results_trade(r, t);
        assert_true(fabs(result->price - exact[t]) < 1e-12 * exact[t]);
        assert_string_equal(result->interval, "exact");
    }
    levy_results_destroy(r);
}

/* ---- Against plain paths ---- */

static void test_values_are_those_of_plain_paths(void **state)
{
    (void)state;
    static const char *const constructions[] = {"bridge", "pca", "{kind: bridge, first: average}"};
    levy_results *const plain =
        smoothed_book("smoothing/jumping", "none", LEVY_SANITIZED ? "2^14" : "2^18", "bridge");
    for (size_t c = 0; c < 3; ++c) {
        levy_results *const r =
            smoothed_book("smoothing/jumping", "auto", "2^14", constructions[c]);
        for (size_t t = 0; t < 9; ++t)
            for (size_t m = 0; m < 4; ++m) {
                const levy_measure *const a = measure(r, t, m), *const b = measure(plain, t, m);
                const double error = hypot(a->std_error, b->std_error);
                if (fabs(a->value - b->value) > 4.0 * error)
                    fail_msg("%s %s %s: %g +- %g, plain %g +- %g", constructions[c],
                             levy_results_trade(r, t)->id, a->measure, a->value, a->std_error,
                             b->value, b->std_error);
                assert_int_equal(a->flagged, 0);
                assert_int_equal(b->note && strstr(b->note, "noisy"), m > 0);
            }
        levy_results_destroy(r);
    }
    levy_results_destroy(plain);
}

/* The knock-out of the desk's review, by a run of 2^22 plain paths and by Broadie, Glasserman and
 * Kou's shift: errors a hedger can live with, by 16 replicates of 2^12 points. */
static void test_errors_suit_a_hedger(void **state)
{
    (void)state;
    static const char *const constructions[] = {"bridge", "pca"};
    static const double truth[] = {3.0667, 0.2596, -0.0117, -5.35},
                        most[] = {0.001, 0.002, 0.02, 0.01};
    for (size_t c = 0; c < 2; ++c) {
        levy_results *const r = smoothed(MARKET TRADE("o", "m", "S", OUT("63")) MEASURES, "auto",
                                         "2^16", constructions[c]);
        for (size_t m = 0; m < 4; ++m) {
            const levy_measure *const x = measure(r, 0, m);
            print_message("%s %s: %.6g +- %.2g\n", constructions[c], x->measure, x->value,
                          x->std_error);
            assert_true(x->std_error < most[m] * fabs(x->value));
            assert_true(fabs(x->value - truth[m]) < 4.0 * x->std_error + 0.005 * fabs(truth[m]));
        }
        levy_results_destroy(r);
    }
}

/* Asian options where all payoffs are integrated, heavy ones as puts (D11g) and the seasoned too.
 */
static void test_averages_are_those_of_plain_paths(void **state)
{
    (void)state;
    static const char *const text =
        MARKET TRADE("call", "m", "S", AVERAGE("call", "payout: option"))
            TRADE("put", "j", "S", AVERAGE("put", "payout: option"))
                TRADE("seasoned", "m", "S",
                      "kind: asian, option_type: call, strike: 100, averaging: {method: "
                      "arithmetic, observations: {times: [0, 0.1, 0.25]}}") MEASURES;
    levy_results *const plain = smoothed(text, "none", LEVY_SANITIZED ? "2^14" : "2^18", "bridge"),
                        *const all = smoothed(text, "all", "2^14", "bridge");
    for (size_t t = 0; t < 3; ++t)
        for (size_t m = 0; m < 4; ++m) {
            const levy_measure *const a = measure(all, t, m), *const b = measure(plain, t, m);
            if (fabs(a->value - b->value) > 4.0 * hypot(a->std_error, b->std_error))
                fail_msg("%zu %s: %g +- %g, plain %g +- %g", t, a->measure, a->value, a->std_error,
                         b->value, b->std_error);
        }
    assert_true(measure(all, 0, 2)->std_error < 1e-3 * measure(all, 0, 2)->value);
    levy_results_destroy(plain);
    levy_results_destroy(all);
}

/* Writes a book of an average and the same as a script, whose sum has a root of its own. */
static void write_averages(char *text, size_t size, double volatility, int dates, int strike,
                           const char *payout, const char *pays)
{
    snprintf(
        text, size,
        "schema_version: 1\nmarket:\n  curves: {USD: 0.04}\n  assets:\n"
        "    S: {currency: USD, spot: 100, volatility: %g, dividend_yield: 0.01}\n"
        "models: {m: {kind: black_scholes, assets: [S]}}\ntrades:\n"
        "  - {id: own, underlying: S, exercise: {expiry: 1}, payoff: {kind: asian, %s, strike: "
        "%d, averaging: {method: arithmetic, observations: {count: %d}}}}\n"
        "  - id: script\n    underlying: S\n    exercise: {expiry: 1}\n    payoff:\n"
        "      kind: script\n      schedules: {days: {count: %d}}\n"
        "      parameters: {n: %d, k: %d}\n      script: |\n"
        "        var total = 0\n        at days { total = total + level }\n"
        "        at expiry { pay %s }\n" MEASURES,
        volatility, payout, strike, dates, dates, dates, strike, pays);
}

/* Moments of levels against the levels themselves, to beyond the volatility where moments end. */
static void test_moments_have_the_numbers_of_levels(void **state)
{
    (void)state;
    static const struct {
        double volatility;
        int dates, strike;
        const char *payout, *pays;
    } cases[] = {
        {0.03, 12, 101, "option_type: call", "max(total / n - k, 0)"},
        {0.2, 64, 90, "option_type: put", "max(k - total / n, 0)"},
        {0.2, 12, 140, "option_type: call, payout: cash, cash: 10", "10 if total / n > k else 0"},
        {0.5, 12, 60, "option_type: put, payout: cash, cash: 10", "10 if total / n < k else 0"},
        {0.9, 52, 100, "option_type: put", "max(k - total / n, 0)"},
        {0.95, 3, 250, "option_type: put", "max(k - total / n, 0)"},
        {1.5, 12, 100, "option_type: put", "max(k - total / n, 0)"},
        {3.5, 3, 250, "option_type: put", "max(k - total / n, 0)"},
        {0.3, 128, 100, "option_type: call", "max(total / n - k, 0)"},
    };
    static const char *const constructions[] = {"bridge", "pca", "{kind: bridge, first: average}"};
    for (size_t i = 0; i < 3 * sizeof cases / sizeof *cases; ++i) {
        char text[2048];
        write_averages(text, sizeof text, cases[i / 3].volatility, cases[i / 3].dates,
                       cases[i / 3].strike, cases[i / 3].payout, cases[i / 3].pays);
        levy_results *const r = smoothed(text, "all", "2^10", constructions[i % 3]);
        for (size_t m = 0; m < 3; ++m) { /* vegas have bumps of their own */
            const double a = measure(r, 0, m)->value, b = measure(r, 1, m)->value,
                         close = m < 2 ? 1e-11 : 1e-8;
            if (!(fabs(a - b) <= close * fabs(b)))
                fail_msg("case %zu, %s: %.17g, by levels %.17g", i, measure(r, 0, m)->measure, a,
                         b);
        }
        levy_results_destroy(r);
    }
}

/* Moments that suit today's volatility do not suit three times that: 0.56 in place of 3.03. */
static void test_moments_follow_scenarios(void **state)
{
    (void)state;
    static const char text[] =
        "schema_version: 1\nmarket: {curves: {USD: 0.03}, assets: {S: {currency: USD, spot: 100, "
        "volatility: %g}}}\nmodels: {m: {kind: black_scholes, assets: [S]}}\ntrades:\n"
        "  - {id: t, underlying: S, exercise: {expiry: 1}, payoff: {kind: asian, option_type: "
        "call, "
        "strike: 230, payout: cash, cash: 100, averaging: {method: arithmetic, observations: "
        "[0.001, 1]}}}\n%s";
    static const double volatilities[] = {0.1, 0.95};
    for (size_t i = 0; i < 2; ++i) {
        char today[1024], then[1024], scenario[128];
        snprintf(
            scenario, sizeof scenario,
            "scenarios: [{id: up, shifts: [{factor: S.volatility, type: absolute, size: %g}]}]\n",
            2.85 - volatilities[i]);
        snprintf(today, sizeof today, text, volatilities[i], scenario);
        snprintf(then, sizeof then, text, 2.85, "");
        levy_results *const a = smoothed(today, "all", "2^10", "bridge");
        levy_results *const b = smoothed(then, "all", "2^10", "bridge");
        const levy_measure *const moved = measure(a, 0, 1);
        assert_string_equal(moved->measure, "scenario_price");
        assert_true(fabs(moved->value - measure(b, 0, 0)->value) < 1e-11 * moved->value);
        levy_results_destroy(a);
        levy_results_destroy(b);
    }
}

/* Volatility that no number of moments serves: the scenario has no value, and says so. */
static void test_a_scenario_beyond_moments_has_no_value(void **state)
{
    (void)state;
    const char *const text = text_of_book("texts/smoothing");
    levy_results *const r = smoothed(text, "all", "2^10", "bridge");
    assert_string_equal(levy_results_trade(r, 0)->status, "ok");
    assert_true(isnan(measure(r, 0, 1)->value));
    assert_string_equal(measure(r, 0, 1)->note, "no value: the bumped market cannot be simulated");
    levy_results_destroy(r);
}

static void test_a_digital_average_has_a_gamma(void **state)
{
    (void)state;
    static const char *const constructions[] = {"bridge", "pca"};
    for (size_t c = 0; c < 2; ++c) {
        levy_results *const r =
            smoothed(MARKET "  - {id: t, model: m, underlying: S, payoff: {" AVERAGE(
                         "call", "payout: cash, cash: 100") "}, exercise: {expiry: 1}}\n" MEASURES,
                     "auto", "2^16", constructions[c]);
        const levy_measure *const gamma = measure(r, 0, 2);
        assert_true(gamma->std_error < 1e-3 * fabs(gamma->value));
        assert_true(fabs(gamma->value + 0.04199) < 4.0 * gamma->std_error + 1e-5);
        levy_results_destroy(r);
    }
}

/* 64 dates, 16 replicates of 2^12 points: integrated over the draw of its average, a call on the
 * average has 1/30 of the bridge's error on plain paths, and a digital 1/100. */
static void test_averages_that_come_first_have_small_errors(void **state)
{
    (void)state;
#define AVERAGE64(id, payout)                                                                      \
    "  - {id: " id ", model: m, underlying: S, exercise: {expiry: 1}, payoff: {kind: asian, "      \
    "option_type: call, strike: 100, " payout "averaging: {observations: {count: 64}}}}\n"
    static const char *const text =
        MARKET AVERAGE64("call", "") AVERAGE64("cash", "payout: cash, ");
    levy_results *const plain = smoothed(text, "none", "2^16", "bridge"),
                        *const first =
                            smoothed(text, "all", "2^16", "{kind: bridge, first: average}");
    static const double least[] = {30.0, 100.0};
    for (size_t t = 0; t < 2; ++t) {
        const levy_trade_result *const a = levy_results_trade(plain, t);
        const levy_trade_result *const b = levy_results_trade(first, t);
        assert_true(fabs(a->price - b->price) < 4.0 * hypot(a->std_error, b->std_error));
        if (a->std_error < least[t] * b->std_error)
            fail_msg("%s: %g on plain paths, %g", a->id, a->std_error, b->std_error);
    }
    levy_results_destroy(plain);
    levy_results_destroy(first);
}

/* ---- What is not integrated ---- */

static void test_none_and_smooth_payoffs_are_plain(void **state)
{
    (void)state;
    static const char *const call =
        MARKET TRADE("c", "m", "S", "kind: european, option_type: call, strike: 100")
            TRADE("o", "m", "S", OUT("4"));
    levy_results *const none = smoothed(call, "none", "2^12", "bridge");
    levy_results *const by_itself = smoothed(call, "auto", "2^12", "bridge");
    assert_true(levy_results_trade(none, 0)->price == levy_results_trade(by_itself, 0)->price);
    assert_true(levy_results_trade(none, 1)->price != levy_results_trade(by_itself, 1)->price);
    assert_string_equal(levy_results_trade(none, 1)->interval, "student_t");
    levy_results_destroy(none);
    levy_results_destroy(by_itself);
}

static void test_a_trade_keeps_its_bits_in_a_book(void **state)
{
    (void)state;
    levy_results *const alone =
        smoothed(MARKET TRADE("o", "m", "S", OUT("12")), "auto", "2^12", "bridge");
    levy_results *const book =
        smoothed(MARKET TRADE("v", "m", "S",
                              "kind: asian, option_type: call, strike: 100, averaging: {method: "
                              "arithmetic, observations: {count: 12}}")
                     TRADE("o", "m", "S", OUT("12")) TRADE("d", "m", "S", DIGITAL) MEASURES,
                 "auto", "2^12", "bridge");
    assert_true(levy_results_trade(alone, 0)->price == levy_results_trade(book, 1)->price);
    levy_results_destroy(alone);
    levy_results_destroy(book);
}

static void test_what_cannot_be_integrated_says_so(void **state)
{
    (void)state;
    static const struct {
        const char *trade, *construction, *note;
    } cases[] = {
        {TRADE("t", "m", "P", "kind: digital, option_type: call, strike: 30, cash: 10"), "bridge",
         "cash dividends by rule spot may take the asset to 0"},
        {TRADE("t", "g", "S", OUT("4")), "bridge",
         "the model's returns are not linear in its drivers"},
        {TRADE("t", "m", "S", OUT("4")), "incremental",
         "no draw of construction incremental moves all dates"},
        {TRADE("t", "m", "S",
               "kind: barrier, option_type: call, strike: 100, barrier: {direction: up, knock: "
               "out, level: 120, monitoring: continuous}"),
         "bridge", "the level is watched at all times"},
        {TRADE("t", "m", "S",
               "kind: lookback, option_type: call, lookback: {strike: floating, observations: "
               "{count: "
               "4}}"),
         "bridge", "the payoff has no integrated form"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[4096], note[128];
        snprintf(text, sizeof text, "%s%s", MARKET, cases[i].trade);
        snprintf(note, sizeof note, "not smoothed: %s", cases[i].note);
        levy_results *const all = smoothed(text, "all", "2^10", cases[i].construction),
                            *const none = smoothed(text, "none", "2^10", cases[i].construction);
        assert_string_equal(measure(all, 0, 0)->note, note);
        assert_true(levy_results_trade(all, 0)->price == levy_results_trade(none, 0)->price);
        levy_results_destroy(all);
        levy_results_destroy(none);
    }
}

/* A path that is over before it begins, and one whose barrier today's level has crossed. */
static void test_the_past_is_kept(void **state)
{
    (void)state;
    levy_results *const r = smoothed(
        MARKET TRADE("out", "m", "S",
                     "kind: barrier, option_type: call, strike: 90, barrier: {direction: up, "
                     "knock: out, level: 100, observations: {times: [0, 0.1]}}")
            TRADE("in", "m", "S",
                  "kind: barrier, option_type: call, strike: 90, barrier: {direction: up, knock: "
                  "in, level: 100, observations: {times: [0, 0.1]}}")
                TRADE("call", "m", "S", "kind: european, option_type: call, strike: 90"),
        "all", "2^12", "bridge");
    const levy_trade_result *const in = levy_results_trade(r, 1);
    assert_true(levy_results_trade(r, 0)->price == 0.0);
    assert_string_equal(in->interval, "exact");
    assert_true(fabs(in->price - levy_results_trade(r, 2)->price) <
                4.0 * in->std_error + 1e-12 * in->price);
    levy_results_destroy(r);
}

/* ---- Under a random variance ---- */

#define VARIED(parameters, correlations, trades)                                                   \
    "schema_version: 1\nmarket: {curves: {USD: 0.03}, assets: {S: {currency: USD, spot: 100, "     \
    "dividend_yield: 0.01}, T: {currency: USD, spot: 100}}, correlations: {" correlations "}}\n"   \
    "models: {m: {assets: [S, T], " parameters "}}\ntrades:\n" trades                              \
    "measures: [price, delta]\nsimulation: {max_step: 0.015625}\n"
#define SET_A "v0: 0.04, theta: 0.04, kappa: 2, xi: 0.5, rho: -0.7"
#define SET_B "v0: 0.04, theta: 0.04, kappa: 0.5, xi: 1, rho: -0.9"
#define ALIKE "pairs: [[S.spot, T.spot, 0.5]]"
#define DIGITAL_YEAR                                                                               \
    "  - {id: d, underlying: S, exercise: {expiry: 1}, payoff: {kind: digital, option_type: "      \
    "call, "                                                                                       \
    "strike: 100, cash: 1}}\n"
#define NOTE                                                                                       \
    "  - {id: n, underlyings: [S, T], exercise: {expiry: 1}, payoff: {kind: autocallable, "        \
    "observations: {count: 4}, call_barrier: 1, coupon: 0.04, knock_in_barrier: 0.7}}\n"

static bool same_price(const levy_results *a, const levy_results *b)
{
    return levy_results_trade(a, 0)->price == levy_results_trade(b, 0)->price;
}

/* Digitals by the characteristic function: prices are homogeneous, so that they are (S delta - C) /
 * K of the call C, and their deltas S gamma / K (test_heston.c has these). By `auto` where the
 * variance is not too random. */
static void test_digitals_under_heston(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double expected[2], gains[2]; /* of price and delta: gains in the error */
        bool is_due;
    } cases[] = {{VARIED("kind: heston, " SET_A, ALIKE, DIGITAL_YEAR),
                  {0.5808583872, 0.019917565},
                  {3.0, 6.0},
                  true},
                 {VARIED("kind: heston, " SET_B, ALIKE, DIGITAL_YEAR),
                  {0.775546526966, 0.018176925},
                  {1.0, 3.0},
                  false}};
    for (size_t i = 0; i < 2; ++i) {
        levy_results *const all = smoothed(cases[i].text, "all", "2^14", "bridge"),
                            *const none = smoothed(cases[i].text, "none", "2^14", "bridge"),
                            *const by_rule = smoothed(cases[i].text, "auto", "2^14", "bridge");
        for (size_t m = 0; m < 2; ++m) {
            const levy_measure *const x = measure(all, 0, m), *const plain = measure(none, 0, m);
            const double apart = fabs(x->value - cases[i].expected[m]);
            if (!(apart < 4.0 * x->std_error + 5e-4 * cases[i].expected[m]))
                fail_msg("%zu %s: %.9g +- %.2g", i, x->measure, x->value, x->std_error);
            if (!(plain->std_error > cases[i].gains[m] * x->std_error))
                fail_msg("%zu %s: +- %.2g, plain %.2g", i, x->measure, x->std_error,
                         plain->std_error);
        }
        assert_true(same_price(by_rule, cases[i].is_due ? all : none));
        assert_false(same_price(all, none));
        levy_results_destroy(all);
        levy_results_destroy(none);
        levy_results_destroy(by_rule);
    }
}

static void test_notes_under_bates(void **state)
{
    (void)state;
    static const char *const constructions[] = {"bridge", "pca"};
    static const char text[] =
        VARIED("kind: bates, " SET_A ", intensity: 0.5, jump_mean: -0.1, jump_volatility: 0.15",
               ALIKE, NOTE);
    levy_results *const plain = smoothed(text, "none", "2^15", "bridge");
    for (size_t c = 0; c < 2; ++c) {
        levy_results *const r = smoothed(text, "auto", "2^12", constructions[c]);
        for (size_t m = 0; m < 3; ++m) {
            const levy_measure *const a = measure(r, 0, m), *const b = measure(plain, 0, m);
            if (!(fabs(a->value - b->value) < 4.0 * hypot(a->std_error, b->std_error)))
                fail_msg("%s %s %s: %g +- %g, plain %g +- %g", constructions[c], a->measure,
                         a->factor, a->value, a->std_error, b->value, b->std_error);
            assert_int_equal(b->note && strstr(b->note, "noisy"), m > 0);
            assert_false(a->note && strstr(a->note, "noisy"));
        }
        levy_results_destroy(r);
    }
    levy_results_destroy(plain);
}

static void test_what_heston_has_no_normal_for_says_so(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } cases[] = {
        {VARIED("kind: heston, v0: 0.04, theta: 0.04, kappa: 2, xi: 0.5, rho: -1", ALIKE,
                DIGITAL_YEAR),
         "the variance's draws move all of an underlying"},
        {VARIED("kind: heston, " SET_A, "pairs: [[S.spot, T.spot, -0.2]]", NOTE),
         "two of its underlyings are negatively or hardly correlated"},
        /* the variances' draws leave little that the assets share */
        {VARIED("kind: heston, v0: 0.04, theta: 0.04, kappa: 2, xi: 0.5, rho: -0.95",
                "pairs: [[S.spot, T.spot, 0.1]]", NOTE),
         "two of its underlyings are negatively or hardly correlated"},
        {VARIED(
             "kind: heston, " SET_A,
             "kind: term, names: [S.spot, T.spot], nodes: [[0.5, [[1, 0.5], [0.5, 1]]], [1, [[1, "
             "0.6], [0.6, 1]]]]",
             NOTE),
         "its underlyings' correlations or variances change with the term"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        levy_results *const all = smoothed(cases[i].text, "all", "2^10", "bridge");
        const char *const note = measure(all, 0, 0)->note;
        if (!note || !strstr(note, cases[i].why)) fail_msg("%zu: %s", i, note ? note : "nothing");
        levy_results_destroy(all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digitals_under_heston),
        cmocka_unit_test(test_notes_under_bates),
        cmocka_unit_test(test_what_heston_has_no_normal_for_says_so),
        cmocka_unit_test(test_one_date_is_exact),
        cmocka_unit_test(test_a_geometric_average_that_comes_first_is_exact),
        cmocka_unit_test(test_values_are_those_of_plain_paths),
        cmocka_unit_test(test_errors_suit_a_hedger),
        cmocka_unit_test(test_averages_are_those_of_plain_paths),
        cmocka_unit_test(test_moments_have_the_numbers_of_levels),
        cmocka_unit_test(test_moments_follow_scenarios),
        cmocka_unit_test(test_a_scenario_beyond_moments_has_no_value),
        cmocka_unit_test(test_a_digital_average_has_a_gamma),
        cmocka_unit_test(test_averages_that_come_first_have_small_errors),
        cmocka_unit_test(test_none_and_smooth_payoffs_are_plain),
        cmocka_unit_test(test_a_trade_keeps_its_bits_in_a_book),
        cmocka_unit_test(test_what_cannot_be_integrated_says_so),
        cmocka_unit_test(test_the_past_is_kept),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
