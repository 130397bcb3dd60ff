/* test_parameters.c: numbers of a model that are factors of the market, by those of heston: their
 * derivatives against the characteristic function (by the integral of A. Lewis, 2001, in SciPy's
 * quad, differenced), scenarios and quotes against books with those numbers, and what is said of
 * moves that no model can take. */
#include "tests/priced.h"

#include "tests/fewer_paths.h"
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

static priced price_fewer(const char *text)
{
    char fewer[4096];
    snprintf(fewer, sizeof fewer, "%s", text);
    fewer_paths(fewer);
    priced p = price_alone(fewer, NULL, 0, NULL);
    assert_priced(&p);
    return p;
}

static const levy_measure *measured(const priced *p, const char *id, const char *name,
                                    const char *factor)
{
    const levy_measure *const m = find_measure(find_trade(p->results, id), name, factor);
    if (!m) fail_msg("%s has no %s of %s", id, name, factor);
    return m;
}

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

/* ---- Implied volatilities -------------------------------------------------------------------- */

static double black_price(double forward, double strike, double deviation, bool is_call)
{
    const double d = log(forward / strike) / deviation + 0.5 * deviation, sign = is_call ? 1 : -1;
    return 0.5 * sign *
           (forward * erfc(-sign * d / sqrt(2.0)) -
            strike * erfc(-sign * (d - deviation) / sqrt(2.0)));
}

/* Black's formula gives the price from the volatility, and the ends of its interval from those of
 * the other: of what is quoted, of a part of a spot, sold, on a forward that dividends lower. */
static void test_an_implied_volatility_gives_its_price(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        double forward, strike, years, paid;
        bool is_call;
    } cases[] = {{"flat", 0, 110, 2.0, 2.0, true},
                 {"sold", 0, 110, 2.0, 2.5, true},
                 {"share", 0, 0.8, 0.5, 0.5, false},
                 {"cash", 0, 60, 2.0, 2.0, false}};
    static const char text[] =
        "schema_version: 1\nmarket:\n  curves: {USD: 0.04}\n  assets:\n"
        "    A: {currency: USD, spot: 100, volatility: 0.2, dividend_yield: 0.02}\n"
        "    B: {currency: USD, spot: 80, volatility: 0.3, dividends: {cash: [[0.5, 4], [1.5, "
        "5]]}}\n"
        "models: {m: {kind: black_scholes, assets: [A]}, n: {kind: black_scholes, assets: [B]}}\n"
        "trades:\n"
        "  - {id: flat, model: m, underlying: A, exercise: {expiry: 2},\n"
        "     payoff: {kind: european, option_type: call, strike: 110}}\n"
        "  - {id: sold, model: m, underlying: A, exercise: {expiry: 2}, payment_date: 2.5,\n"
        "     quantity: 7, position: short, payoff: {kind: european, option_type: call, strike: "
        "110}}\n"
        "  - {id: share, model: m, underlying: A, exercise: {expiry: 0.5}, notional: 1000, "
        "payoff:\n"
        "     {kind: european, option_type: put, strike: 0.8, strike_type: percent_of_initial,\n"
        "      initial_fixing: spot}}\n"
        "  - {id: cash, model: n, underlying: B, exercise: {expiry: 2},\n"
        "     payoff: {kind: european, option_type: put, strike: 60}}\n"
        "measures: [price, implied_volatility]\nsimulation: {paths: 2^14}\n";
    priced p = price_fewer(text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const levy_trade_result *const t = find_trade(p.results, cases[i].id);
        const levy_measure *const m = measured(&p, cases[i].id, "implied_volatility", "black");
        const double scale = t->price / t->unit_price, discount = exp(-0.04 * cases[i].paid),
                     root = sqrt(cases[i].years),
                     forward = i == 3   ? 80 * exp(0.08) - 4 * exp(0.06) - 5 * exp(0.02)
                               : i == 2 ? exp(0.01)
                                        : 100 * exp(0.04);
        const double at[3] = {m->value, m->ci_low, m->ci_high};
        const double price[3] = {t->price, scale < 0.0 ? t->ci_high : t->ci_low,
                                 scale < 0.0 ? t->ci_low : t->ci_high};
        for (size_t k = 0; k < 3; ++k)
            assert_near(scale * discount *
                            black_price(forward, cases[i].strike, at[k] * root, cases[i].is_call),
                        price[k], 1e-12 * fabs(scale) * forward);
        const double h = 1e-5, strike = cases[i].strike;
        const double up = black_price(forward, strike, (at[0] + h) * root, cases[i].is_call),
                     down = black_price(forward, strike, (at[0] - h) * root, cases[i].is_call),
                     vega = fabs(scale) * discount * (up - down) / (2.0 * h);
        assert_relative(m->std_error, t->std_error / vega, 1e-6);
        assert_false(m->flagged);
        if (i < 3) assert_true(m->ci_low < 0.2 && m->ci_high > 0.2);
    }
    release(&p);
}

/* Where no volatility gives the price, or an end of its interval, that is said; sums of trades
 * have none. */
static void test_what_no_volatility_gives(void **state)
{
    (void)state;
    priced p = price_fewer(
        MARKET "models: {m: {kind: black_scholes, assets: [B]}}\ntrades:\n"
               "  - {id: none, underlying: B, exercise: {expiry: 0.1},\n"
               "     payoff: {kind: european, option_type: put, strike: 10}}\n"
               "  - {id: deep, underlying: B, exercise: {expiry: 0.1},\n"
               "     payoff: {kind: european, option_type: put, strike: 160}}\n"
               "  - {id: mean, underlying: B, exercise: {expiry: 1}, payoff: {kind: asian,\n"
               "     option_type: call, strike: 100, averaging: {method: arithmetic,\n"
               "     observations: {count: 4}}}}\n"
               "measures: [price, implied_volatility]\nsimulation: {paths: 2^12}\n");
    static const char *const said[][2] = {
        {"none", "no value: no volatility gives this price"},
        {"mean", "no value: only a call or put of kind european"}};
    for (size_t i = 0; i < 2; ++i) {
        const levy_measure *const m = measured(&p, said[i][0], "implied_volatility", "black");
        assert_true(m->flagged && m->value != m->value && m->std_error != m->std_error);
        assert_true(strncmp(m->note, said[i][1], strlen(said[i][1])) == 0);
        assert_string_equal(find_trade(p.results, said[i][0])->status, "ok");
    }
    const levy_measure *const deep = measured(&p, "deep", "implied_volatility", "black");
    assert_true(deep->flagged && deep->note && deep->ci_low != deep->ci_low);
    for (size_t i = 0; i < levy_results_netted_count(p.results); ++i)
        for (size_t m = 0; m < levy_results_netted(p.results, i)->n_measures; ++m)
            assert_string_not_equal(
                levy_netted_measure(levy_results_netted(p.results, i), m)->measure,
                "implied_volatility");
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
        cmocka_unit_test(test_a_number_that_wants_shorter_steps_has_no_value),
        cmocka_unit_test(test_an_implied_volatility_gives_its_price),
        cmocka_unit_test(test_what_no_volatility_gives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
