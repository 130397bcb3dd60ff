/* test_parameters.c: numbers of a model that are factors of the market, by those of heston: their
 * derivatives against the characteristic function (by the integral of A. Lewis, 2001, in SciPy's
 * quad, differenced), scenarios and quotes against books with those numbers, and what is said of
 * moves that no model can take. */
#include "tests/price_fewer.h"

#include "tests/near.h"
#include "tests/words.h"

#include <stdio.h>

#define MARKET                                                                                     \
    "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n"                                          \
    "  assets: {A: {currency: USD, spot: 100}, B: {currency: USD, spot: 100, volatility: 0.2}}\n"  \
    "  correlations: {pairs: [[A.spot, B.spot, 0.5]]}\n"
#define NUMBERS "v0: %s, theta: 0.05, kappa: 1.5, xi: 0.5, rho: -0.7"
#define CALL(id, asset, model)                                                                     \
    "  - {id: " id ", model: " model ", underlying: " asset ", exercise: {expiry: 1},\n"           \
    "     payoff: {kind: european, option_type: call, strike: 100}}\n"

static void test_derivatives_are_those_of_the_characteristic_function(void **state)
{
    (void)state;
    static const struct {
        const char *factor;
        double value, by_step;
    } expected[] = {{"A.v0", 43.14023, 0.3},
                    {"A.theta", 43.28662, 0.3},
                    {"A.kappa", 0.39584, 0.02},
                    {"A.xi", -1.74348, 0.1},
                    {"A.rho", -0.01725, 0.05}};
    char text[2048];
    snprintf(text, sizeof text,
             MARKET "models: {m: {kind: heston, assets: [A], " NUMBERS "}}\ntrades:\n" CALL(
                 "call", "A", "m") "measures: [price, parameters]\nsimulation: {paths: 2^16}\n",
             "0.04");
    priced p = price_fewer(text);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
        const levy_measure *const m = measured(&p, "call", "parameters", expected[i].factor);
        assert_near(m->value, expected[i].value, expected[i].by_step + 4.0 * m->std_error);
    }
    release(&p);
}

/* Two assets, of which one number for all is moved for one alone. */
#define TWO(v0, more)                                                                              \
    MARKET "models:\n  m: {kind: heston, assets: [A, B], v0: " v0                                  \
           ", theta: 0.05, kappa: 1.5, xi: 0.5, rho: -0.7}\n"                                      \
           "  flat: {kind: black_scholes, assets: [B]}\ntrades:\n" CALL("a", "A", "m")             \
               CALL("b", "B", "m") CALL("flat", "B", "flat") "simulation: {paths: 2^12}\n" more

static void test_a_scenario_is_a_book_with_the_number(void **state)
{
    (void)state;
    priced moved = price_fewer(TWO(
               "0.04", "scenarios:\n"
                       "  - {id: up, shifts: [{factor: A.v0, type: absolute, size: 0.01}]}\n"
                       "  - {id: all, shifts: [{factor: ALL.v0, type: relative, size: 0.25}]}\n")),
           one = price_fewer(TWO("[0.05, 0.04]", "")), all = price_fewer(TWO("0.05", ""));
    for (size_t i = 0; i < 3; ++i) {
        static const char *const ids[] = {"a", "b", "flat"};
        assert_relative(measured(&moved, ids[i], "scenario_price", "up")->value,
                        find_trade(one.results, ids[i])->price, 1e-9);
        assert_relative(measured(&moved, ids[i], "scenario_price", "all")->value,
                        find_trade(all.results, ids[i])->price, 1e-9);
    }
    assert_true(measured(&moved, "b", "scenario_pnl", "up")->value == 0.0);
    assert_true(measured(&moved, "flat", "scenario_pnl", "all")->value == 0.0);
    release(&moved);
    release(&one);
    release(&all);
}

static void test_a_quote_is_a_book_with_the_number(void **state)
{
    (void)state;
    priced p = price_fewer(TWO("0.04", "")), other = price_fewer(TWO("[0.05, 0.04]", ""));
    assert_int_equal(levy_book_set(p.book, "A.v0", 0.05), LEVY_STATUS_OK);
    assert_int_equal(levy_book_set(p.book, "A.v0", -0.05), LEVY_STATUS_ARGUMENT);
    levy_results_destroy(p.results);
    assert_int_equal(levy_price(p.book, NULL, &p.results), LEVY_STATUS_OK);
    for (size_t i = 0; i < 3; ++i)
        assert_int_equal(bits_of(levy_results_trade(p.results, i)->price),
                         bits_of(levy_results_trade(other.results, i)->price));
    release(&p);
    release(&other);
}

/* A file may have a 0 where a kind's bounds do. */
static void test_a_quote_may_be_what_a_file_may_have(void **state)
{
    (void)state;
    static const char *const kappa[] = {"1.5", "0"};
    priced p[2];
    for (size_t i = 0; i < 2; ++i) {
        char text[2048];
        snprintf(text, sizeof text,
                 MARKET "models: {m: {kind: heston, assets: [A], v0: 0.04, theta: 0.05, kappa: %s, "
                        "xi: 0.5, rho: -0.7}}\ntrades:\n" CALL("a", "A",
                                                               "m") "simulation: {paths: 2^10}\n",
                 kappa[i]);
        p[i] = price_fewer(text);
    }
    assert_int_equal(levy_book_set(p[0].book, "A.kappa", 0.0), LEVY_STATUS_OK);
    levy_results_destroy(p[0].results);
    assert_int_equal(levy_price(p[0].book, NULL, &p[0].results), LEVY_STATUS_OK);
    assert_int_equal(bits_of(levy_results_trade(p[0].results, 0)->price),
                     bits_of(levy_results_trade(p[1].results, 0)->price));
    for (size_t i = 0; i < 2; ++i) release(&p[i]);
}

/* Of the book alone: to price it forgets what was said. */
static priced load_alone(const char *text)
{
    priced p = {0};
    assert_int_equal(levy_context_create(NULL, &p.context), LEVY_STATUS_OK);
    p.status = levy_book_load_text(p.context, "book.yaml", text, strlen(text), NULL, 0, &p.book);
    return p;
}

static void assert_says(const priced *p, const char *text)
{
    if (!context_says(p->context, text)) fail_msg("'%s' is not said", text);
}

/* A number that two models give an asset is a quote where they agree. */
static void test_models_that_differ_share_no_quote(void **state)
{
    (void)state;
    static const char *const v0[] = {"0.04", "0.05"};
    for (size_t i = 0; i < 2; ++i) {
        char text[2048];
        snprintf(text, sizeof text,
                 MARKET "models:\n  m: {kind: heston, assets: [A], " NUMBERS
                        "}\n  n: {kind: heston, assets: [A], " NUMBERS
                        "}\ntrades:\n" CALL("m", "A", "m")
                            CALL("n", "A", "n") "simulation: {paths: 2^10}\n",
                 "0.04", v0[i]);
        priced p = price_fewer(text);
        assert_int_equal(levy_book_set(p.book, "A.v0", 0.06),
                         i == 0 ? LEVY_STATUS_OK : LEVY_STATUS_ARGUMENT);
        assert_int_equal(levy_book_set(p.book, "A.kappa", 2.0), LEVY_STATUS_OK);
        levy_results_destroy(p.results);
        assert_int_equal(levy_price(p.book, NULL, &p.results), LEVY_STATUS_OK);
        assert_int_equal(levy_results_trade(p.results, 0)->price ==
                             levy_results_trade(p.results, 1)->price,
                         i == 0);
        release(&p);
    }
}

static void test_what_no_model_can_take(void **state)
{
    (void)state;
    priced p = load_alone(
        TWO("0.04", "scenarios:\n"
                    "  - {id: low, shifts: [{factor: A.rho, type: absolute, size: -0.4}]}\n"));
    assert_says(&p, "A.rho: a number of the model is beyond its bounds; the shift is -0.4");
    assert_int_equal(levy_price(p.book, NULL, &p.results), LEVY_STATUS_OK);
    assert_true(isnan(measured(&p, "a", "scenario_price", "low")->value));
    release(&p);
    p = load_alone(MARKET "models: {flat: {kind: black_scholes, assets: [B]}}\ntrades:\n" CALL(
        "b", "B", "flat") "simulation: {paths: 2^10}\nscenarios:\n"
                          "  - {id: x, shifts: [{factor: B.xi, size: 0.1}]}\n");
    assert_says(&p, "no model has 'B.xi': the shift has no effect");
    release(&p);
    p = load_alone(TWO("0.04", "scenarios: [{id: x, shifts: [{factor: 'A.v0[1]', size: 0.1}]}]\n"));
    assert_int_equal(p.status, LEVY_STATUS_INPUT);
    assert_says(&p, "has no nodes: it is one number");
    release(&p);
}

/* A quote that is misspelt is told of those of its asset, the model's among them. */
static void test_an_unknown_quote_is_told_of_the_others(void **state)
{
    (void)state;
    static const char text[] = TWO("0.04", "");
    static const levy_setting misspelt = {"A.vO", "0.05"}, stray = {"B.kapp", "2"};
    priced p = price_alone(text, &misspelt, 1, NULL);
    assert_says(&p, "A.vO: unknown quote; did you mean 'A.v0'?");
    assert_string_equal(levy_diagnostic_get(p.context, 0)->hint,
                        "The quotes of 'A' are A.spot, A.dividend_yield, A.borrow, A.v0, A.theta, "
                        "A.kappa, A.xi, A.rho.");
    release(&p);
    p = price_alone(text, &stray, 1, NULL);
    assert_says(&p, "did you mean 'B.kappa'?");
    release(&p);
}

/* The scheme's steps must shorten as xi rises with rho above 0, but the draws are of today's. */
static void test_a_number_that_wants_shorter_steps_has_no_value(void **state)
{
    (void)state;
    priced p = price_fewer(
        MARKET
        "models: {m: {kind: heston, assets: [A], v0: 0.04, theta: 0.04, kappa: 1, xi: 2, "
        "rho: 0.9}}\ntrades:\n" CALL(
            "a", "A", "m") "simulation: {paths: 2^10}\nscenarios:\n"
                           "  - {id: up, shifts: [{factor: A.xi, type: absolute, size: 48}]}\n"
                           "  - {id: down, shifts: [{factor: A.xi, type: absolute, size: -1}]}\n");
    assert_true(isnan(measured(&p, "a", "scenario_price", "up")->value));
    assert_true(measured(&p, "a", "scenario_price", "down")->value > 0.0);
    release(&p);
}

/* ---- Correlations of variances ----------------------------------------------------------------
 */

#define WITH_SCRIPT(id, worth)                                                                     \
    "  - {id: " id ", model: m, underlyings: [A, B], exercise: {expiry: 1},\n"                     \
    "     payoff: {kind: script, script: \"at expiry { pay " worth " }\"}}\n"
#define CORRELATED(correlations, rho, more)                                                        \
    "schema_version: 1\nmarket:\n  curves: {USD: 0.02}\n"                                          \
    "  assets: {A: {currency: USD, spot: 100}, B: {currency: USD, spot: 100}}\n"                   \
    "  correlations: {" correlations "}\nmodels:\n"                                                \
    "  m: {kind: heston, assets: [A, B], v0: 0.04, theta: [0.05, 0.03], kappa: 1.5, xi: 0.6,\n"    \
    "    rho: " rho "}\ntrades:\n"                                                                 \
    "  - {id: worst, model: m, underlyings: [A, B], exercise: {expiry: 1},\n"                      \
    "     payoff: {kind: worst_of, option_type: call, strike: 95}}\n" more

/* By Euler's scheme with full truncation in NumPy, 256 steps, 8 times 200,000 paths of Cholesky's
 * factor of the whole matrix, and its standard errors. Without the variances' correlations they
 * would be 6.07, 16.91 and 3.395. */
static void test_variances_correlate_as_the_book_says(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        double value, error;
    } expected[] = {{"worst", 6.6281, 0.0062}, {"both", 24.4618, 0.0463}, {"one", 3.5845, 0.0037}};
    priced p = price_fewer(CORRELATED(
        "names: [A.spot, B.spot, A.variance, B.variance], matrix: [[1, 0.5, -0.5, 0.1], "
        "[0.5, 1, -0.6, -0.5], [-0.5, -0.6, 1, 0.6], [0.1, -0.5, 0.6, 1]]",
        "-0.5",
        WITH_SCRIPT("both", "10000 * A.integrated_variance * B.integrated_variance")
            WITH_SCRIPT("one", "levels[1] * B.integrated_variance") "simulation: {paths: 2^14}\n"));
    for (size_t i = 0; i < 3; ++i) {
        const levy_trade_result *const trade = find_trade(p.results, expected[i].id);
        const double errors = hypot(trade->std_error, expected[i].error);
        assert_near(trade->price, expected[i].value, 4.0 * errors);
    }
    release(&p);
}

/* The same law, spelled: its drivers are others, since bumps of what is spelled move them alone. */
static void test_what_follows_from_the_spots_changes_no_value(void **state)
{
    (void)state;
    static const char *const books[] = {
        CORRELATED("pairs: [[A.spot, B.spot, 0.5]]", "-0.5",
                   "measures: [price, delta, vega]\nsimulation: {paths: 2^10}\n"),
        CORRELATED("pairs: [[A.spot, B.spot, 0.5], [B.variance, A.spot, -0.25], "
                   "[A.variance, B.spot, -0.25], [A.variance, B.variance, 0.125], "
                   "[A.spot, A.variance, -0.5]]",
                   "-0.5", "measures: [price, delta, vega]\nsimulation: {paths: 2^10}\n")};
    priced p[] = {price_fewer(books[0]), price_fewer(books[1])};
    const levy_trade_result *const x = find_trade(p[0].results, "worst"), *const y = find_trade(
                                                                              p[1].results,
                                                                              "worst");
    assert_near(x->price, y->price, 4.0 * hypot(x->std_error, y->std_error));
    for (size_t m = 0; m < x->n_measures; ++m)
        assert_near(x->measures[m].value, y->measures[m].value,
                    4.0 * hypot(x->measures[m].std_error, y->measures[m].std_error));
    release(&p[0]);
    release(&p[1]);
}

/* What is alike up to rounding turns and orders the drivers alike: a spread and a script of it, and
 * a basket in prices and in shares of today's. */
static void test_two_spellings_have_the_same_draws(void **state)
{
    (void)state;
    static const char book[] =
        "schema_version: 1\nmarket:\n  curves: {USD: 0.04}\n"
        "  assets: {A: {currency: USD, spot: 100}, B: {currency: USD, spot: 50}}\n"
        "  correlations: {pairs: [[A.spot, B.spot, 0.5]]}\nmodels:\n"
        "  m: {kind: heston, assets: [A, B], v0: 0.04, theta: 0.06, kappa: 1.5, xi: 0.6, rho: "
        "-0.7}\ntrades:\n"
        "  - {id: spread, underlyings: [{name: A, weight: 1}, {name: B, weight: 2}], exercise: "
        "{expiry: 1}, payoff: {kind: spread, option_type: call, strike: 5, strike_type: "
        "absolute}}\n"
        "  - {id: script, underlyings: [{name: A, weight: 1}, {name: B, weight: 2}], exercise: "
        "{expiry: 1}, payoff: {kind: script, levels: absolute, script: 'at expiry { pay "
        "max(levels[1] - levels[2] - 5, 0) }'}}\n"
        "  - {id: prices, underlyings: [{name: A, weight: 0.5}, {name: B, weight: 1}], exercise: "
        "{expiry: 1}, payoff: {kind: touch, pays: if_touched, pay: at_expiry, cash: 10, barrier: "
        "{direction: up, level: 120, observations: {times: [0.4, 1]}}, aggregate: basket, "
        "strike_type: absolute}}\n"
        "  - {id: shares, underlyings: [A, B], exercise: {expiry: 1}, quantity: 100, payoff: "
        "{kind: touch, pays: if_touched, pay: at_expiry, cash: 0.1, barrier: {direction: up, "
        "level: 1.2, observations: {times: [0.4, 1]}}, aggregate: basket, strike_type: "
        "percent_of_initial}}\n"
        "simulation: {paths: 2^10, construction: {kind: bridge, first: {functional: average}}}\n";
    priced p = price_fewer(book);
    assert_near(find_trade(p.results, "script")->price, find_trade(p.results, "spread")->price,
                1e-9);
    assert_near(find_trade(p.results, "shares")->price, find_trade(p.results, "prices")->price,
                1e-9);
    release(&p);
}

#define PAIRS(both)                                                                                \
    "pairs: [[A.spot, B.spot, 0.5], [A.spot, B.variance, -0.3], [A.variance, A.spot, -0.5], "      \
    "[A.variance, B.variance, " both "]]"

static void test_correlations_of_variances_are_factors(void **state)
{
    (void)state;
    static const char few[] = "measures: [price, correlation]\nsimulation: {paths: 2^10}\n";
    char text[2][4096];
    snprintf(text[0], sizeof *text, "%s%s%s", CORRELATED(PAIRS("0.4"), "-0.5", ""), few,
             "scenarios: [{id: up, shifts: [{factor: 'B.variance,A.variance', type: absolute, "
             "size: 0.2}]}]\n");
    snprintf(text[1], sizeof *text, "%s%s",
             CORRELATED("pairs: [[A.spot, B.spot, 0.5], [A.spot, B.variance, -0.3], [A.variance, "
                        "B.variance, 0.6]]",
                        "[-0.55, -0.5]", ""),
             few);
    priced p = price_fewer(text[0]);
    const double up = measured(&p, "worst", "scenario_price", "up")->value,
                 by = measured(&p, "worst", "correlation", "A.variance,B.variance")->value;
    assert_near(up - find_trade(p.results, "worst")->price, 0.2 * by, 0.05 * up);
    assert_true(measured(&p, "worst", "correlation", "A.spot,B.variance")->value != by);
    assert_null(find_measure(find_trade(p.results, "worst"), "correlation", "A.variance,B.spot"));
    assert_int_equal(levy_book_set(p.book, "B.variance,A.variance", 0.6), LEVY_STATUS_OK);
    assert_int_equal(levy_book_set(p.book, "A.spot,A.variance", -0.55), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_book_set(p.book, "A.variance,B.variance", 1.1), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_book_set(p.book, "A.rho", -0.55), LEVY_STATUS_OK); /* not the book's */
    levy_results_destroy(p.results);
    assert_int_equal(levy_price(p.book, NULL, &p.results), LEVY_STATUS_OK);
    const double set = find_trade(p.results, "worst")->price;
    release(&p);
    p = price_fewer(text[1]);
    assert_int_equal(bits_of(find_trade(p.results, "worst")->price), bits_of(set));
    release(&p);
}

static void test_what_is_said_of_variances(void **state)
{
    (void)state;
    priced p = load_alone(CORRELATED(PAIRS("0.4"), "-0.5",
                                     "measures: [delta_minimum_variance]\nsimulation: {paths: "
                                     "2^10}\n"));
    assert_says(&p, "where the book correlates an asset with the variance of another");
    release(&p);
    p = load_alone(CORRELATED(PAIRS("0.4"), "-0.5",
                              "simulation: {paths: 2^10}\nscenarios: [{id: x, shifts: [{factor: "
                              "'B.spot,A.variance', type: absolute, size: 0.1}]}]\n"));
    assert_int_equal(p.status, LEVY_STATUS_OK);
    assert_says(&p, "no model takes B.spot,A.variance from the book: the shift has no effect");
    release(&p);
    p = load_alone(
        "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n"
        "  assets: {A: {currency: USD, spot: 100}, B: {currency: USD, spot: 100, "
        "volatility: 0.2}}\n  correlations: {pairs: [[A.variance, B.spot, 0.1]]}\n"
        "models: {flat: {kind: black_scholes, assets: [B]}}\ntrades:\n" CALL("b", "B", "flat"));
    assert_says(&p, "A.variance has no effect: no model gives A a variance of its own");
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives_are_those_of_the_characteristic_function),
        cmocka_unit_test(test_a_scenario_is_a_book_with_the_number),
        cmocka_unit_test(test_a_quote_is_a_book_with_the_number),
        cmocka_unit_test(test_a_quote_may_be_what_a_file_may_have),
        cmocka_unit_test(test_models_that_differ_share_no_quote),
        cmocka_unit_test(test_what_no_model_can_take),
        cmocka_unit_test(test_an_unknown_quote_is_told_of_the_others),
        cmocka_unit_test(test_a_number_that_wants_shorter_steps_has_no_value),
        cmocka_unit_test(test_variances_correlate_as_the_book_says),
        cmocka_unit_test(test_what_follows_from_the_spots_changes_no_value),
        cmocka_unit_test(test_two_spellings_have_the_same_draws),
        cmocka_unit_test(test_correlations_of_variances_are_factors),
        cmocka_unit_test(test_what_is_said_of_variances)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
