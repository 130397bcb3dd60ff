/* test_quanto.c: payments in another currency than that of the assets, through the public
 * interface: by exchange rates and by yields written by hand, with what changes with time, against
 * paths that are weighed by the rate itself, and scenarios against quotes. */
#include "tests/book_files.h"

#define BOOKS LEVY_SOURCE_DIR "/tests/books/quanto/"

/* Each kind of payment is what it is where the same drifts are written by hand, on the same paths.
 */
static void test_rates_do_what_yields_do(void **state)
{
    (void)state;
    levy_results *const a = book_price_once(BOOKS "rates.yaml", BOOKS "trades.yaml");
    levy_results *const b = book_price_once(BOOKS "yields.yaml", BOOKS "trades.yaml");
    assert_true(book_agree(a, b) > 50);
    levy_results_destroy(a);
    levy_results_destroy(b);
}

/* The forward is at less than its own currency's by the covariance with the rate, whose parts
 * change at different times. */
static void test_terms_add_up(void **state)
{
    (void)state;
    levy_results *const r = book_price_once(BOOKS "terms.yaml", NULL);
    /* asset 0.2 until 0.5, then 0.3; rate 0.1 until 1, then 0.08; correlation 0.4, from 0.75 -0.2
     */
    const double covariance = 0.4 * 0.2 * 0.1 * 0.5 + 0.4 * 0.3 * 0.1 * 0.25 -
                              0.2 * 0.3 * 0.1 * 0.25 - 0.2 * 0.3 * 0.08 * 0.5,
                 growth = 0.05 * 1.5 - 0.01 * 1.5;
    const double discount = exp(-0.03 * 1.5), exact = 100.0 * exp(growth - covariance),
                 inverse = 100.0 * exp(growth + covariance);
    assert_true(fabs(book_value(r, 0, "price", "") - discount * (exact - 90.0)) < 1e-11);
    assert_true(fabs(book_value(r, 1, "price", "") - discount * (inverse - 90.0)) < 1e-11);
    levy_results_destroy(r);
}

/* Pairs of trades have the same value, with errors of at most a share of it. */
static void assert_pairs_agree(const char *name, double share)
{
    levy_results *const r = book_price_once(name, NULL);
    for (size_t t = 0; t + 1 < levy_results_size(r); t += 2) {
        const levy_trade_result *const a = levy_results_trade(r, t), *const b = levy_results_trade(
                                                                         r, t + 1);
        const double error = hypot(a->std_error, b->std_error);
        if (!(fabs(a->price - b->price) <= 4.0 * error && error <= share * a->price))
            fail_msg("%s: %.10g, %s: %.10g, errors %.3g", a->id, a->price, b->id, b->price, error);
    }
    levy_results_destroy(r);
}

/* A payment of 1 in euros is one of the rate in dollars, so that a dollar's paths, weighed by the
 * rate of their end, give the same value without a drift that anybody has changed. */
static void test_paths_weighed_by_the_rate_agree(void **state)
{
    (void)state;
    assert_pairs_agree(BOOKS "weighed.yaml", 2e-3);
}

/* The same where the drift is another one on each path, and the variance's drift changes, too. */
static void test_random_variances_weighed_by_the_rate_agree(void **state)
{
    (void)state;
    assert_pairs_agree(BOOKS "heston.yaml", 1e-2);
}

/* The same where the rate's variance is random, too. */
static void test_simulated_rates_agree(void **state)
{
    (void)state;
    assert_pairs_agree(BOOKS "simulated.yaml", 1e-2);
}

/* Drifts of the paths' own leave no forward that is known. */
static void test_nothing_takes_a_forward(void **state)
{
    (void)state;
    static const char text[] =
        "{schema_version: 1, market: {curves: {EUR: 0.02, USD: 0.05}, assets: {A: {currency: USD, "
        "spot: 100}, X: {currency: USD, base_currency: EUR, spot: 1.1, volatility: 0.2}}, "
        "correlations: {pairs: [[A.spot, X.spot, 0.5]]}}, models: {m: {kind: heston, assets: [A], "
        "v0: 0.04, theta: 0.04, kappa: 2, xi: 0.5, rho: -0.5}}, measures: [implied_volatility], "
        "simulation: {paths: 2^10}, trades: [{id: call, underlying: A, currency: EUR, payoff: "
        "{kind: european, option_type: call, strike: 100}, exercise: 1}]}";
    const levy_source source = {.name = "book", .text = text, .length = sizeof text - 1};
    levy_book *book;
    assert_int_equal(levy_book_load(context, &source, 1, NULL, 0, &book), LEVY_STATUS_OK);
    levy_results *const r = book_price(book);
    assert_true(isnan(book_value(r, 0, "implied_volatility", "black")));
    levy_results_destroy(r);
    levy_book_destroy(book);
}

static void test_either_price_of_a_currency_will_do(void **state)
{
    (void)state;
    levy_results *const r = book_price_once(BOOKS "heston.yaml", NULL);
    const double a = levy_results_trade(r, 10)->price, b = levy_results_trade(r, 11)->price;
    assert_true(fabs(a - b) <= 1e-12 * a);
    levy_results_destroy(r);
}

/* Jumps are independent of the rate: the diffusion's drift alone changes. */
static void test_jumps_stay_as_they_are(void **state)
{
    (void)state;
    levy_results *const r = book_price_once(BOOKS "jumps.yaml", NULL);
    for (size_t t = 0; t < 4; t += 2) {
        const double a = levy_results_trade(r, t)->price, b = levy_results_trade(r, t + 1)->price;
        assert_true(fabs(a - b) <= 1e-11 * b);
    }
    const levy_trade_result *const a = levy_results_trade(r, 4), *const b =
                                                                     levy_results_trade(r, 5);
    const double error = hypot(a->std_error, b->std_error);
    assert_true(fabs(a->price - b->price) <= 4.0 * error && error <= 2e-3 * a->price);
    levy_results_destroy(r);
}

/* What moves a rate's numbers moves the price as the quote does, to the bit. */
static void test_scenarios_are_quotes(void **state)
{
    (void)state;
    static const book_move moves[] = {{"USDEUR.volatility", 0.03}, {"A,USDEUR.correlation", 0.2},
                                      {"A.volatility", 0.05},      {"USD.rate", 0.01},
                                      {"EUR.rate", -0.01},         {"A.spot", 7.0}};
    book_scenarios_are_quotes(BOOKS "scenarios.yaml", NULL, moves, sizeof moves / sizeof *moves,
                              1e-14);
}

static void test_scenarios_of_random_variances_are_quotes(void **state)
{
    (void)state;
    static const book_move moves[] = {{"USDEUR.volatility", 0.03},
                                      {"A,USDEUR.correlation", 0.2},
                                      {"A.variance,USDEUR.spot", 0.1},
                                      {"A.v0", 0.01},
                                      {"USD.rate", 0.01},
                                      {"EUR.rate", -0.01},
                                      {"A.spot", 7.0}};
    book_scenarios_are_quotes(BOOKS "heston_scenarios.yaml", NULL, moves,
                              sizeof moves / sizeof *moves, 1e-14);
}

/* Where the rate is an underlying, too, each measure has one row, so that sums add it once. */
static void test_a_rate_that_is_an_asset_has_one_row(void **state)
{
    (void)state;
    levy_results *const r = book_price_once(BOOKS "rate_is_asset.yaml", NULL);
    for (size_t t = 0; t < levy_results_size(r); ++t) {
        const levy_trade_result *const trade = levy_results_trade(r, t);
        for (size_t m = 0; m < trade->n_measures; ++m) {
            const levy_measure *const x = &trade->measures[m];
            assert_string_not_equal(x->factor, "X.spot,X.spot");
            for (size_t k = 0; k < m; ++k)
                if (!strcmp(x->measure, trade->measures[k].measure) &&
                    !strcmp(x->factor, trade->measures[k].factor))
                    fail_msg("%s has %s %s twice", trade->id, x->measure, x->factor);
        }
    }
    /* d/ds of call(forward e^(s^2 T), s) of Black's formula */
    assert_true(fabs(book_value(r, 0, "vega", "X.volatility") - 0.55287) < 0.01);
    levy_results_destroy(r);
}

/* A market whose rate would have a falling variance has no value; the price stays. */
static void test_impossible_rates_have_no_value(void **state)
{
    (void)state;
    levy_results *const r = book_price_once(BOOKS "impossible.yaml", NULL);
    for (size_t t = 0; t < levy_results_size(r); ++t) {
        assert_string_equal(levy_results_trade(r, t)->status, "ok");
        assert_true(isnan(book_value(r, t, "scenario_price", "two")));
        assert_true(isfinite(book_value(r, t, "vega", "X.volatility")));
    }
    levy_results_destroy(r);
}

/* Each set of assets has its own fault, though trades of one currency share what it pays. */
static void test_rates_that_are_possible_apart(void **state)
{
    static const char *const expected[] = {"ok", "ok", "failed", "failed", "ok"};
    (void)state;
    levy_book *const book = book_load(BOOKS "apart.yaml", NULL);
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    levy_results *r = NULL;
    levy_price(book, &options, &r);
    assert_non_null(r);
    for (size_t t = 0; t < sizeof expected / sizeof *expected; ++t)
        assert_string_equal(levy_results_trade(r, t)->status, expected[t]);
    levy_results_destroy(r);
    levy_book_destroy(book);
}

/* Levels as they are, and as shares of today's: factors that weak couplings alone order are the
 * same. */
static void test_the_unit_of_levels_turns_no_factor(void **state)
{
    (void)state;
    static const char market[] = LEVY_SOURCE_DIR "/tests/books/units/market.yaml";
    levy_results *const a =
        book_price_once(market, LEVY_SOURCE_DIR "/tests/books/units/levels.yaml");
    levy_results *const b =
        book_price_once(market, LEVY_SOURCE_DIR "/tests/books/units/shares.yaml");
    assert_true(book_agree(a, b) > 0);
    levy_results_destroy(a);
    levy_results_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates_do_what_yields_do),
        cmocka_unit_test(test_terms_add_up),
        cmocka_unit_test(test_paths_weighed_by_the_rate_agree),
        cmocka_unit_test(test_random_variances_weighed_by_the_rate_agree),
        cmocka_unit_test(test_simulated_rates_agree),
        cmocka_unit_test(test_nothing_takes_a_forward),
        cmocka_unit_test(test_either_price_of_a_currency_will_do),
        cmocka_unit_test(test_jumps_stay_as_they_are),
        cmocka_unit_test(test_scenarios_are_quotes),
        cmocka_unit_test(test_scenarios_of_random_variances_are_quotes),
        cmocka_unit_test(test_a_rate_that_is_an_asset_has_one_row),
        cmocka_unit_test(test_impossible_rates_have_no_value),
        cmocka_unit_test(test_rates_that_are_possible_apart),
        cmocka_unit_test(test_the_unit_of_levels_turns_no_factor),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
