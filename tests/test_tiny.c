/* test_tiny.c: volatilities so small that their squares vanish, and times in which no variance is
 * left: refused with a place, or priced, and never an end of the process; in files, by quotes, in
 * scenarios and bumps, for every kind of model. */
#include "tests/priced.h"
#include "tests/words.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { TEXT_SIZE = 2048 };

/* The volatility stands for the first %s: of the asset, or of the model where that has its own. */
static const struct {
    const char *kind, *asset, *model;
} models[] = {
    {"black_scholes", ", volatility: %s", "{kind: black_scholes, assets: [S, U]}"},
    {"merton", ", volatility: %s",
     "{kind: merton, assets: [S, U], intensity: 0.5, jump_mean: -0.1, jump_volatility: 0.2}"},
    {"kou", ", volatility: %s",
     "{kind: kou, assets: [S, U], intensity: 1, probability_up: 0.4, rate_up: 20, rate_down: 10}"},
    {"regimes", ", volatility: %s",
     "{kind: regime_switching, assets: [S, U], regimes: {a: {volatility_factors: [1]}, b: "
     "{volatility_factors: [2]}}, "
     "generator: [[-1, 1], [2, -2]], initial_probabilities: [1, 0]}"},
    {"regimes with volatilities of their own", "",
     "{kind: regime_switching, assets: [S, U], regimes: {a: {volatilities: [%s]}, b: "
     "{volatilities: [%s]}}, generator: [[-1, 1], [2, -2]], initial_probabilities: [1, 0]}"},
    {"variance_gamma", "",
     "{kind: variance_gamma, assets: [S, U], sigma: [%s], nu: [0.2], theta: [0.0]}"},
};
enum { MODELS = sizeof models / sizeof *models };

/* Two assets of volatility `first` and "0.3", or what the model makes of them; the expiry; a last
 * line. */
static char *tiny_book(char text[TEXT_SIZE], size_t model, const char *first, const char *expiry,
                       const char *rest)
{
    char asset[128], kind[512];
    const bool own = models[model].asset[0] == '\0';
    const char *const other = own ? "" : ", volatility: 0.3";
    snprintf(asset, sizeof asset, models[model].asset, first);
    snprintf(kind, sizeof kind, models[model].model, first, first);
    snprintf(text, TEXT_SIZE,
             "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n    S: {currency: USD, "
             "spot: 100%s}\n"
             "    U: {currency: USD, spot: 100%s}\n%smodels: {m: %s}\ntrades:\n"
             "  - {id: call, underlying: S, payoff: {kind: european, option_type: call, strike: "
             "95}, exercise: {expiry: %s}}\n"
             "  - {id: asian, underlying: S, payoff: {kind: asian, option_type: call, strike: 95, "
             "averaging: {observations: {count: %d}}},"
             " exercise: {expiry: %s}}\n"
             "simulation: {paths: 2^10}\n%s",
             own ? "" : asset, other, "  correlations: {pairs: [[S.spot, U.spot, 0.5]]}\n", kind,
             expiry, strcmp(expiry, "5e-324") == 0 ? 1 : 4, expiry, rest);
    return text;
}

static void assert_all_priced(const priced *r, const char *kind)
{
    for (size_t i = 0; i < levy_diagnostic_count(r->context); ++i)
        print_message("%s: %s\n", kind, levy_diagnostic_get(r->context, i)->text);
    assert_int_equal(r->status, LEVY_STATUS_OK);
    for (size_t i = 0; i < levy_results_size(r->results); ++i) {
        const levy_trade_result *t = levy_results_trade(r->results, i);
        if (strcmp(t->status, "ok") != 0) print_error("%s: %s\n", kind, t->message);
        assert_string_equal(t->status, "ok");
        assert_true(isfinite(t->price) && t->price >= 0.0);
    }
}

static void test_a_file_with_a_vanishing_volatility_is_refused(void **state)
{
    static const char *const vanishing[] = {"1e-200", "5e-324", "1e-162", "9.9e-9"};
    char text[TEXT_SIZE];
    (void)state;
    for (size_t m = 0; m < MODELS; ++m)
        for (size_t i = 0; i < 4; ++i) {
            priced r = price_alone(tiny_book(text, m, vanishing[i], "1.0", ""), NULL, 0, NULL);
            assert_int_equal(r.status, LEVY_STATUS_INPUT);
            assert_null(r.book);
            assert_true(context_says(r.context, "[1e-8, 5]") ||
                        context_says(r.context, "must be >= 1e-08"));
            release(&r);
        }
}

static void test_the_least_volatility_is_priced(void **state)
{
    char text[TEXT_SIZE];
    (void)state;
    for (size_t m = 0; m < MODELS; ++m) {
        const bool drives = strcmp(models[m].kind, "variance_gamma") != 0;
        const bool jumps = !strcmp(models[m].kind, "merton") || !strcmp(models[m].kind, "kou");
        priced r = price_alone(
            tiny_book(text, m, "1e-8", "1.0", drives ? "measures: [delta, vega, rho]\n" : ""), NULL,
            0, NULL);
        assert_all_priced(&r, models[m].kind);
        if (!jumps)
            assert_true(fabs(levy_results_trade(r.results, 0)->price - (100 - 95 * exp(-0.05))) <
                        1e-5);
        release(&r);
    }
}

/* The time is all that vanishes: the variance to it is 0 where volatilities have a term structure,
 * or regimes, which may say that they cannot. */
static void test_no_time_is_left(void **state)
{
    static const char *const expiries[] = {"5e-324", "1e-322", "1e-300", "1e-290", "1e-160"};
    static const char *const volatilities[] = {"0.2",
                                               "{kind: term, nodes: [[0.5, 0.2], [1, 0.25]]}"};
    char text[TEXT_SIZE];
    (void)state;
    for (size_t m = 0; m < MODELS; ++m)
        for (size_t v = 0; v < (models[m].asset[0] ? 2 : 1); ++v)
            /* its tables of such times take seconds */
            for (size_t i = strcmp(models[m].kind, "variance_gamma") ? 0 : 2; i < 5; ++i) {
                priced r = price_alone(tiny_book(text, m, volatilities[v], expiries[i], ""), NULL,
                                       0, NULL);
                const bool numeric =
                    i < 2 && r.results &&
                    strcmp(levy_results_trade(r.results, 0)->reason, "numeric_error") == 0;
                if (!numeric || strncmp(models[m].kind, "regimes", 7) != 0)
                    assert_all_priced(&r, models[m].kind);
                release(&r);
            }
}

static void test_a_quote_that_vanishes_is_refused(void **state)
{
    char text[TEXT_SIZE];
    (void)state;
    for (size_t m = 0; m < MODELS; ++m) {
        if (!models[m].asset[0]) continue;
        priced r = price_alone(tiny_book(text, m, "0.2", "1.0", ""), NULL, 0, NULL);
        const double before = levy_results_trade(r.results, 0)->price;
        levy_results_destroy(r.results);
        r.results = NULL;
        assert_int_equal(levy_book_set(r.book, "S.volatility", 1e-200), LEVY_STATUS_ARGUMENT);
        assert_true(context_says(r.context, "S.volatility: must lie in [1e-08, 5]; got 1e-200"));
        assert_int_equal(levy_price(r.book, NULL, &r.results), LEVY_STATUS_OK);
        assert_true(levy_results_trade(r.results, 0)->price == before);
        levy_results_destroy(r.results);
        r.results = NULL;
        assert_int_equal(levy_book_set(r.book, "S.volatility", 1e-8), LEVY_STATUS_OK);
        r.status = levy_price(r.book, NULL, &r.results);
        assert_all_priced(&r, models[m].kind);
        release(&r);
    }
}

/* A term structure is moved by an addition: what it would be refused for is the next call's fault.
 */
static void test_a_moved_term_that_vanishes_is_refused(void **state)
{
    char text[TEXT_SIZE];
    (void)state;
    priced r =
        price_alone(tiny_book(text, 0, "{kind: term, nodes: [[0.5, 0.25], [1, 0.25]]}", "1.0", ""),
                    NULL, 0, NULL);
    assert_all_priced(&r, "term");
    levy_results_destroy(r.results);
    r.results = NULL;
    assert_int_equal(levy_book_set(r.book, "S.volatility", -0.25), LEVY_STATUS_OK);
    assert_int_equal(levy_price(r.book, NULL, &r.results), LEVY_STATUS_INPUT);
    assert_true(context_says(r.context, "a volatility must lie in [1e-8, 5]; got 0"));
    release(&r);
}

/* Bumps as large as the volatility, or nearly. */
static void test_bumps_down_to_nothing(void **state)
{
    static const char *const volatilities[] = {"0.001", "0.0010000000000000002",
                                               "0.00099999999999999999", "0.0005"};
    char text[TEXT_SIZE];
    (void)state;
    for (size_t m = 0; m < 4; ++m)
        for (size_t i = 0; i < 4; ++i) {
            priced r = price_alone(
                tiny_book(text, m, volatilities[i], "1.0", "measures: [vega, vega_by_node]\n"),
                NULL, 0, NULL);
            assert_all_priced(&r, models[m].kind);
            release(&r);
        }
}

/* An asset whose variance vanishes beside the other's drives nothing today. A scenario in which it
 * moves cannot be simulated with today's factors: it has no value, rather than a false one. */
static void test_a_factor_that_is_missing_is_not_made_up(void **state)
{
    static const char book[] =
        "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n    S: {currency: USD, "
        "spot: 100, volatility: %s}\n"
        "    U: {currency: USD, spot: 100, volatility: 0.3}\n  correlations: {pairs: [[S.spot, "
        "U.spot, 0]]}\n"
        "models: {m: {kind: black_scholes, assets: [S, U]}}\ntrades:\n"
        "  - {id: t, underlyings: [S, U], payoff: {kind: worst_of, option_type: call, strike: 90}, "
        "exercise: {expiry: 1.0}}\n"
        "simulation: {paths: 2^12}\nmeasures: [rho]\n"
        "scenarios: [{id: up, shifts: [{factor: S.volatility, type: absolute, size: 0.3}]}]\n";
    char text[TEXT_SIZE];
    (void)state;
    snprintf(text, sizeof text, book, "1e-8");
    priced r = price_alone(text, NULL, 0, NULL);
    assert_all_priced(&r, "two assets");
    /* a market with the same factors is one */
    assert_true(isfinite(find_measure(levy_results_trade(r.results, 0), "rho", "USD.rate")->value));
    const levy_measure *up = find_measure(levy_results_trade(r.results, 0), "scenario_price", "up");
    assert_true(isnan(up->value) && isnan(up->std_error) && up->flagged && up->note);
    release(&r);
    snprintf(text, sizeof text, book, "1e-4");
    r = price_alone(text, NULL, 0, NULL);
    assert_all_priced(&r, "two assets");
    assert_true(
        isfinite(find_measure(levy_results_trade(r.results, 0), "scenario_price", "up")->value));
    release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_file_with_a_vanishing_volatility_is_refused),
        cmocka_unit_test(test_the_least_volatility_is_priced),
        cmocka_unit_test(test_no_time_is_left),
        cmocka_unit_test(test_a_quote_that_vanishes_is_refused),
        cmocka_unit_test(test_a_moved_term_that_vanishes_is_refused),
        cmocka_unit_test(test_bumps_down_to_nothing),
        cmocka_unit_test(test_a_factor_that_is_missing_is_not_made_up),
    };
    return cmocka_run_group_tests_name("tiny", tests, NULL, NULL);
}
