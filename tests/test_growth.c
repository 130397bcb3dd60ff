/* test_growth.c: bumped markets that differ from today's in drift or date alone, whose gross
 * returns are today's times a factor: which they are, that their differences are those of prices,
 * and that they have the same bits wherever today's market stands. */
#include "tests/greeks_case.h"
#include "tests/planned.h"
#include "tests/problem_load.h"

#define CURVED                                                                                     \
    "schema_version: 1\nmarket:\n  curves: {USD: {kind: zero, nodes: [[0.1, 0.02], [0.3, 0.03], "  \
    "[0.5, 0.03], [0.8, 0.04], [1, 0.05]]}}\n  assets:\n"                                          \
    "    S: {currency: USD, spot: 100, dividend_yield: 0.02, volatility: 0.2}\n"                   \
    "models: {equity: {kind: black_scholes, assets: [S]}}\n"

/* Counts the dynamics of the first group by how their returns are made. */
static void count_returns(const char *text, size_t counts[3])
{
    loaded_book book = load_text(text);
    planned p;
    assert_int_equal(book.status, LEVY_OK);
    plan_problem(&p, book.problem);
    assert_int_equal(p.status, LEVY_OK);
    memset(counts, 0, 3 * sizeof *counts);
    for (uint32_t m = 0; m < p.plan->image->n_dynamics; ++m)
        ++counts[LEVY_IMAGE_AT(uint32_t, p.plan->image, returns)[m]];
    unplan(&p);
    loaded_book_release(&book);
}

/* Of each text: dynamics with exponentials of their own, with today's, with today's grown. */
static void test_drifts_and_dates_take_todays_exponentials(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t counts[3];
    } cases[] = {
        {ONE "trades:\n" ASIAN("a") "measures: [price, rho, dividend_rho]\n", {0, 1, 8}},
        {ONE "trades:\n" ASIAN("a") "measures: [price, theta]\n", {0, 1, 1}},
        {ONE "trades:\n" ASIAN("a") "measures: [price, vega]\n", {4, 1, 0}},
        /* a scenario has the bits of a book with its quotes */
        {ONE "trades:\n" ASIAN(
             "a") "scenarios: [{id: a, shifts: [{factor: USD.rate, type: absolute, size: "
                  "0.01}]}]\n",
         {1, 1, 0}},
        /* 1 + growth would lose digits */
        {ONE
         "trades:\n  - {id: a, underlying: S, payoff: {kind: european, option_type: call, strike: "
         "100}, exercise: {expiry: 6}}\nmeasures: [price, rho]\n"
         "simulation: {bumps: {rate: 0.1}}\n",
         {3, 1, 1}},
        /* where factors differ by interval, levels are sums */
        {MARKET("    S: {currency: USD, spot: 100, volatility: {kind: term, nodes: [[0.5, 0.2], "
                "[1, 0.3]]}}\n") "models: {equity: {kind: black_scholes, assets: [S]}}\n"
                                 "trades:\n" ASIAN("a") "measures: [price, rho]\n",
         {5, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        size_t counts[3];
        count_returns(cases[i].text, counts);
        for (size_t k = 0; k < 3; ++k)
            if (counts[k] != cases[i].counts[k])
                fail_msg("case %zu: %zu of kind %zu, not %zu", i, counts[k], k, cases[i].counts[k]);
    }
}

/* Today's market and rates may be asked for together or apart; then a tile has no copy of it. */
static void test_rates_have_their_bits_without_todays_market(void **state)
{
    (void)state;
    static const char *const precisions[] = {"double", "single", "mixed"};
    for (size_t i = 0; i < 3; ++i) {
        char text[4096];
        priced all, alone;
        snprintf(text, sizeof text,
                 CURVED "trades:\n" ASIAN("a")
                     CALL("b") "measures: [price, delta, vega, rho, theta, rho_by_node]\n"
                               "simulation: {paths: 2^12, precision: %s}\n",
                 precisions[i]);
        price_text(&all, text);
        snprintf(text, sizeof text,
                 CURVED "trades:\n" ASIAN("a")
                     CALL("b") "measures: [rho_by_node]\n"
                               "simulation: {paths: 2^12, precision: %s}\n",
                 precisions[i]);
        price_text(&alone, text);
        for (size_t t = 0; t < 2; ++t) {
            const levy_trade_result *const r = levy_results_trade(alone.results, t);
            size_t nodes = 0;
            for (size_t k = 0; k < r->n_measures; ++k) {
                const levy_measure *const m = &r->measures[k];
                if (strcmp(m->measure, "rho_by_node") != 0) continue;
                assert_true(measure_of(&all, t, "rho_by_node", m->factor)->value == m->value);
                assert_true(t == 1 || m->value != 0.0); /* b sees one node */
                ++nodes;
            }
            assert_int_equal(nodes, 5);
        }
        release(&all);
        release(&alone);
    }
}

/* A difference under grown returns is that of two prices on such quotes, but for rounding. */
static void test_rho_is_a_difference_of_prices(void **state)
{
    (void)state;
    static const char *const name[] = {"USD.rate"};
    static const char *const precisions[] = {"double", "single"};
    const double h = 1.0 / 1024, rates[] = {0.05 + h, 0.05 - h};
    double rho[2];
    for (size_t i = 0; i < 2; ++i) {
        char text[2048];
        priced p;
        snprintf(text, sizeof text,
                 ONE
                 "trades:\n" ASIAN("a") "measures: [price, rho]\n"
                                        "simulation: {paths: 2^14, precision: %s, bumps: {rate: "
                                        "0.0009765625}}\n",
                 precisions[i]);
        price_text(&p, text);
        rho[i] = measure_of(&p, 0, "rho", "USD.rate")->value;
        const double up = with_quotes(&p, 0, name, &rates[0], 1),
                     down = with_quotes(&p, 0, name, &rates[1], 1);
        assert_true(fabs(rho[i] - (up - down) / (2.0 * h)) < (i ? 2e-3 : 1e-11) * rho[i]);
        release(&p);
    }
    /* growth keeps all digits of the bump */
    assert_true(fabs(rho[1] - rho[0]) < 1e-5 * rho[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drifts_and_dates_take_todays_exponentials),
        cmocka_unit_test(test_rates_have_their_bits_without_todays_market),
        cmocka_unit_test(test_rho_is_a_difference_of_prices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
