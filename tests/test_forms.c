/* test_forms.c: built-in payoffs that are integrated as scripts (payoffs/script_form.h), because
 * several underlyings make their level or because the model's loadings differ from path to path:
 * bits of the same script, values of plain paths, quadrature where one date is left, and what stays
 * as written. */
#include "tests/cmocka_all.h"

#include "tests/smoothed_price.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MARKET                                                                                     \
    "schema_version: 1\nmarket:\n  curves: {USD: 0.03}\n  assets:\n"                               \
    "    A: {currency: USD, spot: 100, volatility: 0.2}\n"                                         \
    "    B: {currency: USD, spot: 50, volatility: 0.3, dividend_yield: 0.01}\n"                    \
    "  correlations: {pairs: [[A.spot, B.spot, 0.5]]}\nmodels:\n"                                  \
    "  two: {kind: black_scholes, assets: [A, B]}\n"                                               \
    "  apart: {kind: regime_switching, assets: [A, B], regimes: {calm: {volatilities: [0.12, "     \
    "0.2]}, wild: {volatilities: [0.4, 0.35], drifts: [-0.02, 0]}}, initial_regime: calm, "        \
    "generator: [[-0.8, 0.8], [2, -2]]}\n"                                                         \
    "  like: {kind: regime_switching, assets: [A], regimes: {calm: {volatilities: 0.12}, wild: "   \
    "{volatilities: 0.4, jumps: [{intensity: 2, arrivals: common, mark: {kind: normal, mean: "     \
    "-0.05, volatility: 0.1}}]}}, initial_probabilities: [0.8, 0.2], generator: [[-0.8, 0.8], "    \
    "[2, -2]]}\n"                                                                                  \
    "  rates: {kind: regime_switching, assets: [A], regimes: {calm: {volatilities: 0.12}, wild: "  \
    "{volatilities: 0.4, rate: 0.02}}, initial_regime: calm, generator: [[-0.8, 0.8], [2, -2]], "  \
    "switching: stepped, step: 0.05}\n"                                                            \
    "  once: {kind: regime_switching, assets: [A], regimes: {calm: {volatilities: 0.1}, wild: "    \
    "{volatilities: 0.4}}, initial_regime: calm, generator: [[-1.5, 1.5], [0, 0]]}\n"              \
    "  nig: {kind: normal_inverse_gaussian, assets: [A], alpha: 15, beta: -5, delta: 0.5}\n"       \
    "trades:\n"
#define TRADE(id, model, assets, payoff)                                                           \
    "  - {id: " id ", model: " model ", underlyings: [" assets "], notional: 10, payoff: {" payoff \
    "}, exercise: {expiry: 0.75}}\n"
#define PERCENT ", strike_type: percent_of_initial, initial_fixing: spot"
#define DATES ", observations: {count: 9}"

/* ---- As a script ---- */

static void test_it_has_the_bits_of_its_script(void **state)
{
    (void)state;
    static const char *const constructions[] = {"bridge", "pca"};
    for (size_t c = 0; c < 2; ++c) {
        levy_results *const r = smoothed_book("forms/twins", "all", "2^10", constructions[c]);
        for (size_t t = 0; t < 8; t += 2) {
            const levy_trade_result *const a = levy_results_trade(r, t);
            const levy_trade_result *const b = levy_results_trade(r, t + 1);
            assert_string_equal(b->status, "ok");
            assert_true(a->price > 0.0);
            if (a->price != b->price || a->std_error != b->std_error ||
                a->measures[1].value != b->measures[1].value)
                fail_msg("%s: %.17g +- %.17g, script %.17g +- %.17g", a->id, a->price, a->std_error,
                         b->price, b->std_error);
            for (size_t m = 0; m < a->n_measures; ++m) assert_null(a->measures[m].note);
        }
        levy_results_destroy(r);
    }
}

/* ---- Plain paths ---- */

#define BARRIER(type, rest) "kind: barrier, option_type: " type ", barrier: {" rest
#define TOUCH(pays, at) "kind: touch, cash: 0.5, " pays ", barrier: {" at DATES "}"
#define AVERAGE(rest) "kind: asian, option_type: put, averaging: {observations: {count: 9}}, " rest
#define RANGE(rest)                                                                                \
    "kind: double_barrier, option_type: call, strike: 0.9, barrier: {lower: 0.7, upper: "          \
    "1.15" DATES ", " rest
static const char *const barriers[] = {
    "kind: digital, option_type: put, strike: 0.95, cash: 3",
    "kind: digital, option_type: call, strike: 1.05, payout: asset",
    BARRIER("call, strike: 0.9", "direction: up, knock: out, level: 1.15" DATES "}"),
    BARRIER("call, strike: 0.9", "direction: up, knock: in, level: 1.15" DATES "}, rebate: 0.02"),
    BARRIER("put, strike: 1, payout: cash, cash: 0.2",
            "direction: down, knock: in, level: 0.85" DATES "}"),
    RANGE("knock: out}, payout: asset, rebate: 0.1"), RANGE("knock: in}, rebate: {amount: 0.03}"),
    TOUCH("pays: if_touched", "direction: down, level: 0.85"),
    TOUCH("pays: if_untouched", "lower: 0.8, upper: 1.2"),
    /* paid on the date of the touch, which regimes with rates have no discount for */
    BARRIER("put, strike: 1", "direction: down, knock: out, level: 0.8" DATES
                              "}, rebate: {amount: 0.05, pay: at_hit}"),
    RANGE("knock: out}, rebate: {lower: 0.05, upper: 0.03, pay: at_hit}"),
    TOUCH("pays: if_touched, pay: at_hit", "lower: 0.8, upper: 1.2"),
    /* of one asset */
    AVERAGE("payout: cash, cash: 0.5, strike: 1")};
enum { AT_EXPIRY = 9, ON_ANY = 12, ON_ONE = 13 };

/* A book of the first n of them. */
static const char *book_of(size_t n, const char *model, const char *assets, const char *measures)
{
    static char text[1 << 14];
    const char *const aggregate = strchr(assets, ' '); /* behind the assets */
    size_t used = (size_t)snprintf(text, sizeof text, "%s", MARKET);
    for (size_t k = 0; k < n; ++k)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "  - {id: t%zu, model: %s, underlyings: [%.*s], notional: 10, "
                                 "payoff: {%s%s%s}, exercise: {expiry: 0.75}}\n",
                                 k, model, (int)(aggregate ? aggregate - assets : 1), assets,
                                 barriers[k], aggregate ? aggregate : "", PERCENT);
    snprintf(text + used, sizeof text - used, "measures: [%s]\n", measures);
    return text;
}

static void assert_as_plain(const char *text, const char *paths)
{
    levy_results *const r = smoothed(text, "auto", paths, "bridge");
    levy_results *const plain = smoothed(text, "none", LEVY_SANITIZED ? paths : "2^17", "bridge");
    for (size_t t = 0; t < levy_results_size(r); ++t) {
        const levy_trade_result *const a = levy_results_trade(r, t), *const b = levy_results_trade(
                                                                         plain, t);
        assert_true(a->price != b->price); /* it is integrated */
        assert_int_equal(a->n_measures, b->n_measures);
        for (size_t m = 0; m < a->n_measures; ++m) {
            const levy_measure *const x = &a->measures[m], *const y = &b->measures[m];
            const double off = fabs(x->value - y->value);
            assert_false(x->note && strstr(x->note, "noisy"));
            if (!(off <= 4.5 * hypot(x->std_error, y->std_error)))
                fail_msg("%s (%s): %s %.8g +- %.2g, plain %.8g +- %.2g", a->id, a->model,
                         x->measure, x->value, x->std_error, y->value, y->std_error);
        }
    }
    levy_results_destroy(r);
    levy_results_destroy(plain);
}

#define ASKS "price, delta, gamma"
#define WORST "A,B , aggregate: worst_of"
#define BEST "A,B , aggregate: best_of"
static void test_worst_and_best_are_those_of_plain_paths(void **state)
{
    (void)state;
    assert_as_plain(book_of(ON_ANY, "two", WORST, ASKS), "2^14");
    assert_as_plain(book_of(ON_ANY, "two", BEST, ASKS), "2^14");
}

/* Sums over the assets of a basket, and over dates. */
static void test_baskets_are_those_of_plain_paths(void **state)
{
    (void)state;
    static const char *const models[] = {"two", "apart"};
    for (size_t k = 0; k < 2; ++k) {
        char text[1 << 13];
        size_t used = (size_t)snprintf(text, sizeof text, "%s", MARKET);
        static const char *const payoffs[] = {
            "kind: digital, option_type: put, strike: 0.97, cash: 3",
            "kind: digital, option_type: call, strike: 1.03, payout: asset",
            AVERAGE("payout: cash, cash: 2, strike: 1.01"), AVERAGE("payout: asset, strike: 1")};
        for (size_t i = 0; i < 4; ++i)
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "  - {id: t%zu, model: %s, underlyings: [A, B], notional: 10, "
                                     "payoff: {%s, aggregate: basket%s}, exercise: {expiry: "
                                     "0.75}}\n",
                                     i, models[k], payoffs[i], PERCENT);
        snprintf(text + used, sizeof text - used, "measures: [%s]\n", ASKS);
        assert_as_plain(text, "2^14");
    }
}

static void test_regimes_are_those_of_plain_paths(void **state)
{
    (void)state;
    assert_as_plain(book_of(ON_ONE, "like", "A", ASKS), "2^14");
    assert_as_plain(book_of(AT_EXPIRY, "rates", "A", ASKS), "2^14");
    assert_as_plain(book_of(ON_ANY, "apart", WORST, ASKS), "2^14");
}

static void test_normal_inverse_gaussian_is_that_of_plain_paths(void **state)
{
    (void)state;
    assert_as_plain(book_of(ON_ONE, "nig", "A", ASKS), "2^14");
}

/* ---- Quadrature ---- */

/* A digital on a lognormal of mean `mean` under the logarithm's variance. */
static double digital(double log_mean, double variance, double strike)
{
    return normal_cdf((log_mean - log(strike)) / sqrt(variance));
}

/* The regime changes once, at a time that is exponential. Simpson's rule over that time. */
static double one_change(double strike)
{
    const double years = 0.75, rate = 1.5, low = 0.01, high = 0.16;
    enum { STEPS = 2000 };
    double sum =
        exp(-rate * years) * digital(0.03 * years - 0.5 * low * years, low * years, strike);
    for (int k = 0; k <= STEPS; ++k) {
        const double t = years * k / STEPS;
        const double v = low * t + high * (years - t);
        const double inner = k % 2 ? 4.0 : 2.0;
        const double weight = k == 0 || k == STEPS ? 1.0 : inner;
        sum += weight * years / STEPS / 3.0 * rate * exp(-rate * t) *
               digital(0.03 * years - 0.5 * v, v, strike);
    }
    return 10.0 * exp(-0.03 * years) * sum;
}

/* The clock is inverse Gaussian: mean delta t / gamma, shape (delta t)^2. Simpson's rule over its
 * logarithm. */
static double over_clock(double strike)
{
    const double years = 0.75, alpha = 15.0, beta = -5.0, delta = 0.5,
                 gamma = sqrt(alpha * alpha - beta * beta), mean = delta * years / gamma,
                 shape = delta * delta * years * years,
                 drift = 0.03 * years +
                         delta * years * (sqrt(alpha * alpha - (beta + 1) * (beta + 1)) - gamma);
    enum { STEPS = 20000 };
    double sum = 0.0;
    for (int k = 0; k <= STEPS; ++k) {
        const double h = 20.0 / STEPS;
        const double x = mean * exp(-10.0 + h * k);
        const double inner = k % 2 ? 4.0 : 2.0;
        const double weight = k == 0 || k == STEPS ? 1.0 : inner;
        const double density = sqrt(shape / (2.0 * 3.14159265358979323846 * x)) *
                               exp(-shape * (x - mean) * (x - mean) / (2.0 * mean * mean * x));
        sum += weight * h / 3.0 * density * digital(drift + beta * x, x, strike);
    }
    return 10.0 * exp(-0.03 * years) * sum;
}

static void test_one_date_is_that_of_quadrature(void **state)
{
    (void)state;
    const double exact[] = {one_change(1.02), one_change(0.8), over_clock(1.02), over_clock(0.8)};
    levy_results *const r = smoothed_book("forms/one_date", "auto", "2^14", "bridge");
    for (size_t t = 0; t < 4; ++t) {
        const levy_trade_result *const x = levy_results_trade(r, t);
        if (!(fabs(x->price - exact[t]) < 4.0 * x->std_error && x->std_error < 1e-3 * exact[t]))
            fail_msg("%s: %.9g +- %.2g, exact %.9g", x->id, x->price, x->std_error, exact[t]);
    }
    levy_results_destroy(r);
}

/* ---- As written ---- */

static void test_without_a_normal_it_is_as_written(void **state)
{
    (void)state;
    const char *const text = book_of(ON_ANY, "two", WORST, "price, delta");
    levy_results *const a = smoothed(text, "auto", "2^10", "incremental");
    levy_results *const n = smoothed(text, "none", "2^10", "incremental");
    for (size_t t = 0; t < levy_results_size(a); ++t)
        assert_true(levy_results_trade(a, t)->price == levy_results_trade(n, t)->price);
    levy_results_destroy(a);
    levy_results_destroy(n);
}

static void test_it_has_the_measures_of_what_is_written(void **state)
{
    (void)state;
    enum { UP_OUT = 2 };
    const char *const text =
        book_of(ON_ANY, "two", WORST, "price, cash_flows, probability, expected_life");
    levy_results *const a = smoothed(text, "auto", "2^10", "bridge");
    levy_results *const n = smoothed(text, "none", "2^10", "bridge");
    for (size_t t = 0; t < levy_results_size(a); ++t) {
        const levy_trade_result *const x = levy_results_trade(a, t), *const y =
                                                                         levy_results_trade(n, t);
        assert_int_equal(x->n_measures, y->n_measures);
        assert_string_equal(x->payoff, y->payoff);
        for (size_t m = 0; m < x->n_measures; ++m)
            assert_string_equal(x->measures[m].measure, y->measures[m].measure);
    }
    const levy_trade_result *const out = levy_results_trade(a, UP_OUT);
    assert_int_equal(out->n_measures, 2);
    assert_true(fabs(out->measures[1].value - out->price) < 1e-12 * out->price);
    levy_results_destroy(a);
    levy_results_destroy(n);
}

/* What has passed: today's level is beyond the barrier, or below it. */
static void test_today_counts(void **state)
{
    (void)state;
    levy_results *const r = smoothed_book("forms/today", "all", "2^12", "bridge"),
                        *const n = smoothed_book("forms/today", "none", "2^14", "bridge");
    const levy_trade_result *const in = levy_results_trade(r, 1),
                                   *const call = levy_results_trade(r, 2),
                                   *const alive = levy_results_trade(r, 3),
                                   *const plain = levy_results_trade(n, 3);
    assert_true(levy_results_trade(r, 0)->price == 0.0);
    assert_true(fabs(in->price - call->price) < 1e-12 * call->price);
    assert_true(fabs(alive->price - plain->price) <
                4.0 * hypot(alive->std_error, plain->std_error));
    levy_results_destroy(r);
    levy_results_destroy(n);
}

/* What has been touched before today and is paid at the hit is gone; today it is due. */
static void test_the_past_counts(void **state)
{
    (void)state;
    levy_results *const r = smoothed_book("forms/past", "all", "2^10", "bridge"),
                        *const n = smoothed_book("forms/past", "none", "2^10", "bridge");
    const double paid = 10.0 * 0.1 * exp(-0.03 * 0.75);
    assert_true(levy_results_trade(r, 0)->price == levy_results_trade(r, 1)->price);
    for (size_t m = 0; m < levy_results_trade(r, 0)->n_measures; ++m)
        assert_null(measure(r, 0, m)->note);
    assert_true(fabs(levy_results_trade(r, 2)->price - paid) < 1e-14);
    for (size_t t = 2; t < 5; ++t) {
        assert_true(fabs(levy_results_trade(r, t)->price - levy_results_trade(n, t)->price) <
                    1e-14);
        assert_string_equal(levy_results_trade(r, t)->interval, "exact");
    }
    assert_true(levy_results_trade(r, 3)->price == 0.0);
    assert_true(fabs(levy_results_trade(r, 4)->price - 10.0) < 1e-14);
    levy_results_destroy(r);
    levy_results_destroy(n);
}

/* ---- Large volatilities ---- */

/* One regime of the market's volatility is the law of Black and Scholes, whose averages have lanes
 * of their own. The sum's root lies many steps away. */
static void test_steep_sums_have_their_roots(void **state)
{
    (void)state;
    levy_results *const r = smoothed_book("forms/steep_sums", "auto", "2^14", "bridge");
    for (size_t t = 0; t < 2; ++t) {
        const levy_trade_result *const x = levy_results_trade(r, t);
        if (!(fabs(x->price - 0.056834) < 4.0 * x->std_error + 1e-6)) /* quadrature */
            fail_msg("%s: %.9g +- %.2g", x->id, x->price, x->std_error);
    }
    levy_results_destroy(r);
}

/* A step to the middle of what is left was taken for the last one: 74.439 in single precision, in
 * double off by 9e-8, and called exact. */
static void test_a_half_is_no_last_step(void **state)
{
    (void)state;
    static const char text[] =
        "schema_version: 1\nmarket: {curves: {USD: 0.03}, assets: {A: {currency: USD, spot: 100, "
        "volatility: 1.5}}}\nmodels: {m: {kind: black_scholes, assets: [A]}}\nsimulation: "
        "{precision: %s}\ntrades:\n  - id: t\n    underlying: A\n    exercise: {expiry: 1}\n"
        "    payoff:\n      kind: script\n      schedules: {days: [1]}\n      script: |\n"
        "        var total = 0\n        at days { total = total + level }\n"
        "        at expiry { pay 100 if total < 100 else 0 }\n";
    static const char *const precisions[] = {"double", "single"};
    const double d2 = (0.03 - 0.5 * 1.5 * 1.5) / 1.5, exact = 100.0 * exp(-0.03) * normal_cdf(-d2);
    for (size_t i = 0; i < 2; ++i) {
        char book[1024];
        snprintf(book, sizeof book, text, precisions[i]);
        levy_results *const r = smoothed(book, "auto", "2^10", "bridge");
        const levy_trade_result *const x = levy_results_trade(r, 0);
        assert_string_equal(x->interval, "exact");
        assert_true(fabs(x->price - exact) < (i ? 1e-4 : 1e-12));
        levy_results_destroy(r);
    }
}

/* Where e^(b^2 / 2) leaves the range of numbers, paths are plain. */
static void test_what_leaves_the_range_is_as_written(void **state)
{
    (void)state;
    levy_results *const r = smoothed_book("forms/out_of_range", "all", "2^10", "bridge");
    assert_non_null(strstr(measure(r, 0, 0)->note ? measure(r, 0, 0)->note : "", "very rare"));
    levy_results_destroy(r);
}

static void test_what_has_no_script_says_so(void **state)
{
    (void)state;
    static const struct {
        const char *trade, *note;
    } cases[] = {
        {TRADE("t", "two", "A, B",
               "kind: touch, barrier: {direction: up, level: 1.2" DATES
               "}, aggregate: basket" PERCENT),
         "not smoothed: its level is a sum or product of several underlyings"},
        {"  - {id: t, model: two, underlyings: [{name: A, weight: 1}, {name: B, weight: -0.5}], "
         "notional: 1, payoff: {kind: digital, option_type: call, strike: 0.5, aggregate: "
         "basket" PERCENT "}, exercise: {expiry: 1}}\n",
         "not smoothed: its level is a sum or product of several underlyings"},
        {TRADE("t", "two", "A, B",
               "kind: digital, option_type: call, strike: 1, aggregate: geometric_basket" PERCENT),
         "not smoothed: its level is a sum or product of several underlyings"},
        {TRADE("t", "two", "A, B",
               "kind: asian, option_type: call, payout: cash, strike: 1, aggregate: worst_of, "
               "averaging: {observations: {count: 4}}" PERCENT),
         "not smoothed: it carries a level from date to date"},
        {TRADE("t", "nig", "A",
               "kind: asian, option_type: call, strike: 1, averaging: {method: geometric, "
               "observations: {count: 4}}" PERCENT),
         "not smoothed: the payoff has no integrated form"},
        {TRADE("t", "like", "A",
               "kind: lookback, option_type: call, strike_type: percent_of_initial, lookback: "
               "{strike: floating, observations: {count: 4}}"),
         "not smoothed: the payoff has no integrated form"},
        {TRADE("t", "rates", "A",
               "kind: lookback, option_type: call, strike_type: percent_of_initial, lookback: "
               "{strike: floating, observations: {count: 4}}"),
         "O(dt): the discretization error is proportional to the model's step; not smoothed: the "
         "payoff has no integrated form"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        char text[8192];
        snprintf(text, sizeof text, "%s%s", MARKET, cases[k].trade);
        levy_results *const all = smoothed(text, "all", "2^10", "bridge");
        levy_results *const none = smoothed(text, "none", "2^10", "bridge");
        assert_string_equal(measure(all, 0, 0)->note, cases[k].note);
        assert_true(levy_results_trade(all, 0)->price == levy_results_trade(none, 0)->price);
        levy_results_destroy(all);
        levy_results_destroy(none);
    }
}

/* The normal that is integrated moves one of independent assets. */
static void test_independent_assets_are_as_written(void **state)
{
    (void)state;
    levy_results *const r = smoothed_book("forms/independent", "all", "2^10", "bridge");
    assert_string_equal(measure(r, 0, 0)->note,
                        "not smoothed: two of its underlyings are negatively or hardly correlated");
    levy_results_destroy(r);
}

/* Such trades failed: the bumped market has an underlying that falls where the normal rises. */
static void test_a_bump_that_turns_a_correlation_leaves_plain_paths(void **state)
{
    (void)state;
    static const char text[] =
        "schema_version: 1\nmarket: {curves: {USD: 0.03}, assets: {A: {currency: USD, spot: 100, "
        "volatility: 0.2}, B: {currency: USD, spot: 50, volatility: 0.2}}, correlations: {pairs: "
        "[[A.spot, B.spot, %g]]}}\nmodels: {m: {kind: black_scholes, assets: [A, B]}}\ntrades:\n"
        "  - {id: t, underlyings: [A, B], payoff: {kind: digital, option_type: call, strike: 1, "
        "aggregate: worst_of" PERCENT "}, exercise: {expiry: 1}}\n"
        "measures: [price, correlation]\n"
        "simulation: {bumps: {correlation: 0.1}}\n";
    static const double correlations[] = {0.05, 0.25};
    for (size_t i = 0; i < 2; ++i) {
        char book[1024];
        snprintf(book, sizeof book, text, correlations[i]);
        levy_results *const r = smoothed(book, "auto", "2^12", "bridge");
        assert_string_equal(levy_results_trade(r, 0)->status, "ok");
        assert_string_equal(measure(r, 0, 1)->measure, "correlation");
        const char *const note = measure(r, 0, 0)->note;
        if (i == 0)
            assert_string_equal(note, "not smoothed: simulation.bumps.correlation may turn a "
                                      "correlation negative");
        else
            assert_null(note);
        levy_results_destroy(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_has_the_bits_of_its_script),
        cmocka_unit_test(test_worst_and_best_are_those_of_plain_paths),
        cmocka_unit_test(test_baskets_are_those_of_plain_paths),
        cmocka_unit_test(test_regimes_are_those_of_plain_paths),
        cmocka_unit_test(test_normal_inverse_gaussian_is_that_of_plain_paths),
        cmocka_unit_test(test_one_date_is_that_of_quadrature),
        cmocka_unit_test(test_without_a_normal_it_is_as_written),
        cmocka_unit_test(test_it_has_the_measures_of_what_is_written),
        cmocka_unit_test(test_today_counts),
        cmocka_unit_test(test_independent_assets_are_as_written),
        cmocka_unit_test(test_a_bump_that_turns_a_correlation_leaves_plain_paths),
        cmocka_unit_test(test_the_past_counts),
        cmocka_unit_test(test_steep_sums_have_their_roots),
        cmocka_unit_test(test_a_half_is_no_last_step),
        cmocka_unit_test(test_what_leaves_the_range_is_as_written),
        cmocka_unit_test(test_what_has_no_script_says_so)};
    return cmocka_run_group_tests(tests, open_context, close_context);
}
