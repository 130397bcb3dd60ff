/* test_curvatures.c: vanna, volga, dividend_rho and borrow_rho against the formulas of Black and
 * Scholes, within four of their errors, which include the bias of the bump; against differences of
 * other Greeks in scenarios; and where they are refused. */
#include "tests/context_fixture.h"
#include "tests/normal_law.h"
#include "tests/priced.h"
#include "tests/words.h"

#include <math.h>
#include <stdio.h>

#define MARKET                                                                                     \
    "schema_version: 1\n"                                                                          \
    "market:\n"                                                                                    \
    "  curves: {USD: 0.03}\n"                                                                      \
    "  assets:\n"                                                                                  \
    "    A: {currency: USD, spot: 100, volatility: 0.25, dividend_yield: 0.02, borrow: 0.005}\n"   \
    "    B: {currency: USD, spot: 50, volatility: {kind: term, nodes: [[0.5, 0.3], [2, 0.28]]}}\n" \
    "  correlations: {pairs: [[A.spot, B.spot, 0.4]]}\n"

static priced price(const char *text)
{
    priced p = {.book = read_book(context, text, NULL, 0)};
    p.results = price_on_cpu(p.book, 0);
    return p;
}

static const levy_measure *measure(const priced *p, size_t trade, const char *name,
                                   const char *factor)
{
    const levy_trade_result *const of = levy_results_trade(p->results, trade);
    const levy_measure *const found = find_measure(of, name, factor);
    if (!found) fail_msg("%s has no %s %s", of->id, name, factor);
    return found;
}

/* Within four errors, which are less than `most` of a scale. */
static void near(const levy_measure *m, double value, double most, double scale)
{
    if (fabs(m->value - value) > 4 * m->std_error + 1e-12 || !(m->std_error < most * scale))
        fail_msg("%s %s: %.10g +- %.3g is not %.10g", m->measure, m->factor, m->value, m->std_error,
                 value);
    assert_false(m->flagged);
}

/* ---- Black and Scholes ---- */

typedef struct formula {
    double vega, vanna, volga, yield; /* derivatives; yield: by the dividend yield */
} formula;

static formula vanilla(double phi, double strike, double t)
{
    const double s = 0.25, q = 0.025, root = s * sqrt(t),
                 d = (log(100 / strike) + (0.03 - q + 0.5 * s * s) * t) / root, e = d - root,
                 grown = 100 * exp(-q * t);
    const double vega = grown * normal_density(d) * sqrt(t);
    return (formula){vega, -exp(-q * t) * normal_density(d) * e / s, vega * d * e / s,
                     -phi * t * grown * normal_cdf(phi * d)};
}

#define MEASURES "measures: [price, vega, vanna, volga, dividend_rho, borrow_rho]\n"
#define MODEL "models: {m: {kind: black_scholes, assets: [A, B]}}\n"

static void test_they_are_those_of_black_and_scholes(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        double phi, strike, expiry;
    } options[] = {
        {"call", 1, 110, 1}, {"put", -1, 80, 1}, {"call", 1, 100, 0.1}, {"put", -1, 120, 4}};
    for (size_t i = 0; i < 4; ++i) {
        char text[2000];
        snprintf(text, sizeof text,
                 MARKET MODEL MEASURES
                 "simulation: {paths: 2^16}\n"
                 "trades: [{id: o, underlying: A, exercise: %g, payoff: {kind: european, "
                 "option_type: %s, strike: %g}}]\n",
                 options[i].expiry, options[i].type, options[i].strike);
        const formula f = vanilla(options[i].phi, options[i].strike, options[i].expiry);
        priced p = price(text);
        near(measure(&p, 0, "vega", "A.volatility"), f.vega, 0.01, f.vega);
        near(measure(&p, 0, "vanna", "A.spot,A.volatility"), f.vanna, 0.02, f.vega / 25);
        near(measure(&p, 0, "volga", "A.volatility"), f.volga, 0.02, f.vega / 0.25);
        near(measure(&p, 0, "dividend_rho", "A.dividend_yield"), f.yield, 0.001, fabs(f.yield));
        const levy_measure *const yield = measure(&p, 0, "dividend_rho", "A.dividend_yield"),
                                  *const borrow = measure(&p, 0, "borrow_rho", "A.borrow");
        assert_true(yield->value == borrow->value && yield->std_error == borrow->std_error);
        release(&p);
    }
}

/* A digital jumps; integrated in closed form its Greeks are smooth. c e^{-rT} n(e) = -dV/dK. */
static void test_they_are_those_of_a_digital(void **state)
{
    (void)state;
    priced p = price(MARKET MODEL MEASURES
                     "trades: [{id: d, underlying: A, exercise: 1, payoff: {kind: digital, "
                     "option_type: call, strike: 110, cash: 10}}]\n");
    const double h = 1e-3;
    const formula up = vanilla(1, 110 + h, 1), down = vanilla(1, 110 - h, 1);
    near(measure(&p, 0, "vanna", "A.spot,A.volatility"), -10 * (up.vanna - down.vanna) / (2 * h),
         0.01, 0.5);
    near(measure(&p, 0, "volga", "A.volatility"), -10 * (up.volga - down.volga) / (2 * h), 0.01,
         40);
    near(measure(&p, 0, "dividend_rho", "A.dividend_yield"),
         -10 * (up.yield - down.yield) / (2 * h), 0.001, 14);
    release(&p);
}

/* On a path of several dates: vanna is what vega changes by, and a yield is a scenario. */
static void test_they_are_differences_of_other_greeks(void **state)
{
    (void)state;
    static const char book[] = MARKET MODEL
        "measures: [price, vega, vanna, volga, dividend_rho]\n"
        "simulation: {paths: 2^15}\n"
        "scenarios:\n"
        "  - {id: up, shifts: [{factor: B.dividend_yield, type: absolute, size: 1e-4}]}\n"
        "  - {id: down, shifts: [{factor: B.dividend_yield, type: absolute, size: "
        "-1e-4}]}\n"
        "trades: [{id: basket, underlyings: [A, B], exercise: 1, payoff: {kind: asian, "
        "option_type: call, strike: 70, aggregate: basket, averaging: {observations: "
        "{count: 4}}}}]\n";
    priced p = price(book);
    const double spot = 50, bump = 0.01;
    double vega[2];
    for (int i = 0; i < 2; ++i) {
        priced moved = {.book = p.book};
        const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
        assert_int_equal(levy_book_set(p.book, "B.spot", spot * (i ? 1 - bump : 1 + bump)), 0);
        assert_int_equal(levy_price(p.book, &options, &moved.results), 0);
        vega[i] = measure(&moved, 0, "vega", "B.volatility")->value;
        levy_results_destroy(moved.results);
    }
    const levy_measure *const vanna = measure(&p, 0, "vanna", "B.spot,B.volatility");
    const double slope = (vega[0] - vega[1]) / (2 * bump * spot);
    assert_true(fabs(vanna->value - slope) < 4 * vanna->std_error + 0.02 * fabs(slope));
    const double yield = (measure(&p, 0, "scenario_price", "up")->value -
                          measure(&p, 0, "scenario_price", "down")->value) /
                         2e-4;
    const levy_measure *const rho = measure(&p, 0, "dividend_rho", "B.dividend_yield");
    assert_true(fabs(rho->value - yield) < 1e-3 * fabs(yield));
    assert_true(measure(&p, 0, "volga", "A.volatility")->std_error > 0);
    release(&p);
}

static void test_a_market_that_cannot_be_bumped_has_no_value(void **state)
{
    (void)state;
    /* a bump of 0.29 of both nodes takes the first one below 0 on the way down */
    priced p = price(MARKET MODEL "measures: [vanna, volga]\n"
                                  "simulation: {paths: 2^12, bumps: {volatility: 0.29}}\n"
                                  "trades: [{id: o, underlying: B, exercise: 1, payoff: {kind: "
                                  "european, option_type: call, strike: 50}}]\n");
    static const char *const names[] = {"vanna", "volga"};
    static const char *const factors[] = {"B.spot,B.volatility", "B.volatility"};
    for (size_t i = 0; i < 2; ++i) {
        const levy_measure *const m = measure(&p, 0, names[i], factors[i]);
        assert_true(isnan(m->value) && m->flagged);
        assert_string_equal(m->note, "no value: the bumped market cannot be simulated");
    }
    release(&p);
}

static void test_models_without_vega_refuse_them(void **state)
{
    (void)state;
    static const char *const measures[] = {"vanna", "volga"};
    for (size_t i = 0; i < 2; ++i) {
        char text[2000];
        levy_book *book = NULL;
        snprintf(text, sizeof text,
                 MARKET
                 "models: {m: {kind: variance_gamma, assets: [A], sigma: 0.12, nu: 0.2, "
                 "theta: -0.14}}\n"
                 "measures: [%s]\ntrades: [{id: o, underlying: A, exercise: 1, payoff: {kind: "
                 "european, option_type: call, strike: 100}}]\n",
                 measures[i]);
        assert_int_not_equal(
            levy_book_load_text(context, "book.yaml", text, strlen(text), NULL, 0, &book), 0);
        int found = 0;
        for (size_t k = 0; k < levy_diagnostic_count(context); ++k)
            found += strstr(levy_diagnostic_get(context, k)->message,
                            "is not available under the model 'm'") != NULL;
        assert_int_equal(found, 1);
        levy_book_destroy(book);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_they_are_those_of_black_and_scholes),
        cmocka_unit_test(test_they_are_those_of_a_digital),
        cmocka_unit_test(test_they_are_differences_of_other_greeks),
        cmocka_unit_test(test_a_market_that_cannot_be_bumped_has_no_value),
        cmocka_unit_test(test_models_without_vega_refuse_them),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
