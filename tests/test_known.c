/* test_known.c: trades that expire today, or have expired and are yet to be paid: their amounts by
 * hand, and as the limit of what is simulated; their Greeks, scenarios and quotes; what is refused.
 */
#include "tests/greeks_case.h"
#define TEXT_ROOM (1 << 16)
#include "tests/kept_text.h"

#include <stdbool.h>
#include <stdint.h>

enum { TEXT_SIZE = 4096 };

/* S stands at 100 and T at 50. `amount`: what is paid at expiry on today's spots, one underlying's
 * fixings being 90 at -0.5 and 110 at -0.25. %s stands for the expiry, where a payoff observes. */
static const struct {
    const char *name, *trade;
    double amount;
    bool limit;
} kinds[] = {
    {"call", "underlying: S, payoff: {kind: european, option_type: call, strike: 95}", 5, true},
    {"put out", "underlying: S, payoff: {kind: european, option_type: put, strike: 95}", 0, true},
    {"percent",
     "underlying: S, notional: 1000, payoff: {kind: european, option_type: call, strike_type: "
     "percent_of_initial, strike: 0.9, initial_fixing: 80}",
     1000 * (1.25 - 0.9), true},
    {"short",
     "underlying: S, quantity: 7, position: short, payoff: {kind: european, option_type: call, "
     "strike: 95}",
     -35, true},
    {"digital", "underlying: S, payoff: {kind: digital, option_type: call, strike: 95, cash: 10}",
     10, true},
    {"asset digital",
     "underlying: S, payoff: {kind: digital, option_type: put, payout: asset, strike: 105}", 100,
     true},
    {"asian",
     "underlying: S, payoff: {kind: asian, option_type: call, strike: 95, averaging: "
     "{observations: [-0.5, -0.25, %s]}}",
     5, true},
    {"geometric asian",
     "underlying: S, payoff: {kind: asian, option_type: call, strike: 95, averaging: {method: "
     "geometric, observations: [-0.25, %s]}}",
     104.88088481701515 - 95, true},
    {"average strike",
     "underlying: S, payoff: {kind: asian, option_type: put, averaging: {of: strike, observations: "
     "[-0.25, %s]}}",
     5, true},
    {"asian digital",
     "underlying: S, payoff: {kind: asian, option_type: call, strike: 95, payout: cash, cash: 3, "
     "averaging: {observations: [-0.25, %s]}}",
     3, true},
    {"barrier alive",
     "underlying: S, payoff: {kind: barrier, option_type: call, strike: 95, rebate: {amount: 2}, "
     "barrier: {direction: up, knock: out, "
     "level: 120, observations: [-0.25, %s]}}",
     5, true},
    {"barrier touched before",
     "underlying: S, payoff: {kind: barrier, option_type: call, strike: 95, rebate: {amount: 2}, "
     "barrier: {direction: up, knock: "
     "out, level: 105, observations: [-0.25, %s]}}",
     2, true},
    {"barrier touched today",
     "underlying: S, payoff: {kind: barrier, option_type: call, strike: 95, barrier: {direction: "
     "down, knock: out, level: 101, "
     "observations: [-0.25, %s]}}",
     0, false},
    {"knock-in",
     "underlying: S, payoff: {kind: barrier, option_type: call, strike: 95, barrier: {direction: "
     "up, knock: in, level: 105, observations: "
     "[-0.25, %s]}}",
     5, true},
    {"continuous barrier",
     "underlying: S, payoff: {kind: barrier, option_type: put, strike: 105, barrier: {direction: "
     "down, knock: out, level: 80, "
     "monitoring: continuous}}",
     5, true},
    {"continuous knock-in",
     "underlying: S, payoff: {kind: barrier, option_type: put, strike: 105, barrier: {direction: "
     "down, knock: in, level: 80, "
     "monitoring: continuous}}",
     0, true},
    {"double barrier",
     "underlying: S, payoff: {kind: double_barrier, option_type: call, strike: 95, rebate: {lower: "
     "2, upper: 3, pay: at_hit}, barrier: "
     "{lower: 80, upper: 125, knock: out, monitoring: continuous}}",
     5, true},
    {"touch",
     "underlying: S, payoff: {kind: touch, cash: 10, pay: at_hit, barrier: {direction: down, "
     "level: 85, monitoring: continuous}}",
     0, true},
    {"touched before",
     "underlying: S, payoff: {kind: touch, cash: 10, barrier: {direction: up, level: 105, "
     "monitoring: discrete, observations: [-0.25, %s]}}",
     10, true},
    {"touched and paid",
     "underlying: S, payoff: {kind: touch, cash: 10, pay: at_hit, barrier: {direction: up, level: "
     "105, monitoring: discrete, "
     "observations: [-0.25, %s]}}",
     0, true},
    {"touched today at hit",
     "underlying: S, payoff: {kind: touch, cash: 10, pay: at_hit, barrier: {direction: up, level: "
     "99, monitoring: discrete, "
     "observations: [%s]}}",
     10, false},
    {"no touch",
     "underlying: S, payoff: {kind: touch, pays: if_untouched, cash: 10, barrier: {direction: "
     "down, level: 85, monitoring: continuous}}",
     10, true},
    {"fixed lookback",
     "underlying: S, payoff: {kind: lookback, option_type: call, strike: 95, lookback: {strike: "
     "fixed, observations: [-0.25, %s]}}",
     15, true},
    {"floating lookback",
     "underlying: S, payoff: {kind: lookback, option_type: call, lookback: {strike: floating, "
     "observations: [-0.5, %s]}}",
     10, true},
    {"continuous lookback",
     "underlying: S, payoff: {kind: lookback, option_type: put, lookback: {strike: floating, "
     "running_extremum: 112, monitoring: "
     "continuous}}",
     12, true},
    {"forward start",
     "underlying: S, payoff: {kind: forward_start, option_type: call, form: absolute, "
     "strike_fraction: 1.05, reset: -0.5}",
     100 - 94.5, true},
    {"cliquet",
     "underlying: S, notional: 100, payoff: {kind: cliquet, observations: [-0.5, -0.25, %s], "
     "local_cap: 0.2, global_floor: 0}",
     100 * (0.2 + (100.0 / 110 - 1)), true},
    {"basket", "underlyings: [S, T], payoff: {kind: basket, option_type: call, strike: 70}", 5,
     true},
    {"geometric basket",
     "underlyings: [S, T], payoff: {kind: basket, basket_type: geometric, option_type: call, "
     "strike: 70}",
     0.71067811865475, true},
    {"spread", "underlyings: [S, T], payoff: {kind: spread, option_type: call, strike: 45}", 5,
     true},
    {"best of", "underlyings: [S, T], payoff: {kind: best_of, option_type: call, strike: 95}", 5,
     true},
    {"worst of", "underlyings: [S, T], payoff: {kind: worst_of, option_type: put, strike: 55}", 5,
     true},
    {"best of cash", "underlyings: [S, T], payoff: {kind: best_of_cash, cash: 101}", 101, true},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

#define ASSETS                                                                                     \
    "    S: {currency: USD, spot: 100, volatility: 0.2, fixings: [[-0.5, 90], [-0.25, 110]%s]}\n"  \
    "    T: {currency: USD, spot: 50, volatility: 0.3%s}\n"

/* `s`, `t`: more fixings of the two; `rest`: of the trade and of the book. */
static char *known_book(char text[TEXT_SIZE], const char *trade, const char *expiry, const char *s,
                        const char *t, const char *rest, const char *more)
{
    char what[1024], assets[512];
    snprintf(what, sizeof what, trade, expiry);
    snprintf(assets, sizeof assets, ASSETS, s, t);
    snprintf(text, TEXT_SIZE,
             "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n%s  correlations: "
             "{pairs: [[S.spot, T.spot, 0.5]]}\n"
             "models: {m: {kind: black_scholes, assets: [S, T]}}\ntrades:\n  - {id: t, %s%s, "
             "exercise: {expiry: %s}}\n%s%s",
             assets, what, rest, expiry,
             strstr(more, "simulation") ? "" : "simulation: {paths: 2^10}\n", more);
    return text;
}

static void assert_exact(const char *name, const levy_trade_result *t, double amount)
{
    if (strcmp(t->status, "ok") != 0 || !(fabs(t->price - amount) <= 1e-12 * fabs(amount) + 1e-13))
        print_error("%s: %s, %.17g, by hand %.17g\n", name, t->message ? t->message : t->status,
                    t->price, amount);
    assert_string_equal(t->status, "ok");
    assert_true(fabs(t->price - amount) <= 1e-12 * fabs(amount) + 1e-13);
    assert_true(t->std_error == 0.0 && t->ci_low == t->price && t->ci_high == t->price);
    assert_string_equal(t->interval, "exact");
    assert_int_equal(t->paths, 0);
}

static void test_what_expires_today_is_paid_on_spots(void **state)
{
    char text[TEXT_SIZE];
    (void)state;
    for (size_t i = 0; i < KINDS; ++i) {
        priced p;
        price_text(&p, known_book(text, kinds[i].trade, "0", "", "", "", ""));
        assert_exact(kinds[i].name, levy_results_trade(p.results, 0), kinds[i].amount);
        release(&p);
        price_text(&p, known_book(text, kinds[i].trade, "0", "", "", ", payment_date: 0.5", ""));
        if (!strstr(kinds[i].trade, "at_hit"))
            assert_exact(kinds[i].name, levy_results_trade(p.results, 0),
                         kinds[i].amount * exp(-0.025));
        release(&p);
    }
}

/* A third of a second before expiry the simulated price is the same, but for what can still move.
 */
static void test_it_is_the_limit_of_what_is_simulated(void **state)
{
    char text[TEXT_SIZE];
    (void)state;
    for (size_t i = 0; i < KINDS; ++i) {
        priced p;
        if (!kinds[i].limit) continue;
        price_text(&p, known_book(text, kinds[i].trade, "1e-8", "", "", "", ""));
        const levy_trade_result *const t = levy_results_trade(p.results, 0);
        const double size = fabs(kinds[i].amount) > 1.0 ? fabs(kinds[i].amount) : 1.0;
        if (!(fabs(t->price - kinds[i].amount) <= 1e-4 * size))
            print_error("%s: %.10g, in the limit %.10g\n", kinds[i].name, kinds[i].amount,
                        t->price);
        assert_true(t->paths > 0 && fabs(t->price - kinds[i].amount) <= 1e-4 * size);
        release(&p);
    }
}

static void test_fixings_decide_what_is_unpaid(void **state)
{
    char text[TEXT_SIZE];
    priced p;
    (void)state;
    price_text(&p, known_book(text, kinds[0].trade, "-0.25", "", "", ", payment_date: 0.02",
                              "measures: [delta, gamma, vega, rho, theta]\n"));
    const levy_trade_result *t = levy_results_trade(p.results, 0);
    const double worth = 15 * exp(-0.05 * 0.02);
    assert_exact("unpaid", t, worth);
    assert_true(t->maturity == -0.25);
    assert_true(measure_of(&p, 0, "delta", "S.spot")->value == 0.0 &&
                measure_of(&p, 0, "gamma", "S.spot")->value == 0.0);
    assert_true(measure_of(&p, 0, "vega", "S.volatility")->value == 0.0);
    assert_true(fabs(measure_of(&p, 0, "rho", "USD.rate")->value + 0.02 * worth) < 1e-11);
    assert_true(fabs(measure_of(&p, 0, "theta", "time")->value - worth * (exp(0.05 / 365) - 1)) <
                1e-9);
    for (size_t i = 0; i < t->n_measures; ++i)
        assert_true(t->measures[i].std_error < 1e-11 && !t->measures[i].note);
    release(&p);
    /* today's fixing stands above the spot */
    price_text(&p,
               known_book(text, kinds[0].trade, "0", ", [0, 97]", "", "", "measures: [delta]\n"));
    assert_exact("fixed today", levy_results_trade(p.results, 0), 2);
    assert_true(measure_of(&p, 0, "delta", "S.spot")->value == 0.0);
    release(&p);
    /* paid today is yet to be paid */
    price_text(&p, known_book(text, kinds[0].trade, "-0.25", "", "", ", payment_date: 0", ""));
    assert_exact("paid today", levy_results_trade(p.results, 0), 15);
    release(&p);
    /* What observes needs no fixing at expiry. */
    price_text(&p, known_book(text,
                              "underlying: S, payoff: {kind: asian, option_type: call, strike: 95, "
                              "averaging: {observations: [-0.5, -0.25]}}",
                              "-0.1", "", "", ", payment_date: 0", "measures: [delta]\n"));
    assert_exact("past average", levy_results_trade(p.results, 0), 5);
    assert_true(measure_of(&p, 0, "delta", "S.spot")->value == 0.0);
    release(&p);
    /* The last fixing of what is watched continuously says whether the barrier was touched. */
    static const char barrier[] =
        "underlying: S, payoff: {kind: barrier, option_type: call, strike: 95, rebate: {amount: "
        "2}, barrier: {direction: up, knock: "
        "out, level: %s, monitoring: continuous}}";
    for (int i = 0; i < 2; ++i) {
        char trade[512];
        snprintf(trade, sizeof trade, barrier, i ? "109" : "111");
        price_text(&p, known_book(text, trade, "-0.25", "", "", ", payment_date: 0", ""));
        assert_exact("settled barrier", levy_results_trade(p.results, 0), i ? 2 : 15);
        release(&p);
    }
}

static void assert_refused(const char *text, const char *part)
{
    levy_context *context;
    levy_book *book = NULL;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    assert_int_equal(levy_book_load_text(context, "book", text, strlen(text), NULL, 0, &book),
                     LEVY_STATUS_INPUT);
    const levy_diagnostic *const first = levy_diagnostic_get(context, 0);
    if (!strstr(first->message, part)) print_error("%s\n", first->text);
    assert_non_null(strstr(first->message, part));
    assert_non_null(first->hint);
    levy_context_destroy(context);
}

static void test_what_is_missing_is_refused(void **state)
{
    char text[TEXT_SIZE];
    (void)state;
    assert_refused(known_book(text, kinds[0].trade, "-0.3", "", "", ", payment_date: 0.1", ""),
                   "the fixing of S at expiry, -0.3, is missing");
    assert_refused(known_book(text,
                              "underlying: S, payoff: {kind: asian, option_type: call, strike: 95, "
                              "averaging: {observations: [-0.4, %s]}}",
                              "0", "", "", "", ""),
                   "past fixings are missing: S at -0.4");
}

/* Of two assets, one has today's fixing; the spot of the other, 50, stands for its own. */
static void test_spots_stand_for_fixings_of_today(void **state)
{
    char text[TEXT_SIZE];
    priced p;
    (void)state;
    price_text(&p, known_book(text,
                              "underlyings: [S, T], payoff: {kind: basket, option_type: call, "
                              "strike: 70}",
                              "0", ", [0, 101]", "", "", ""));
    assert_exact("basket", levy_results_trade(p.results, 0), 0.5 * (101.0 + 50.0) - 70.0);
    release(&p);
    price_text(&p, known_book(text,
                              "underlyings: [S, T], payoff: {kind: asian, option_type: call, "
                              "strike: 70, aggregate: basket, averaging: {observations: [0]}}",
                              "1", ", [0, 101]", "", "", ""));
    const levy_measure *const price = measure_of(&p, 0, "price", "");
    assert_true(fabs(price->value - exp(-0.05) * (0.5 * (101.0 + 50.0) - 70.0)) < 1e-12);
    release(&p);
}

static void test_greeks_and_scenarios_are_the_payoffs_own(void **state)
{
    char text[TEXT_SIZE];
    priced p;
    const char *const spot[] = {"S.spot"};
    const double up[] = {110.0};
    (void)state;
    price_text(
        &p, known_book(
                text, kinds[0].trade, "0", "", "", "",
                "measures: [delta, gamma, vega, rho, theta, vega_by_node, rho_by_node]\n"
                "scenarios: [{id: up, shifts: [{factor: ALL.spot, size: 0.1}]}, {id: down, shifts: "
                "[{factor: S.spot, size: -0.2}]},\n"
                "  {id: calm, shifts: [{factor: ALL.volatility, type: absolute, size: -0.1}]}]\n"));
    assert_true(fabs(measure_of(&p, 0, "delta", "S.spot")->value - 1.0) < 1e-10);
    assert_true(measure_of(&p, 0, "gamma", "S.spot")->value == 0.0);
    assert_true(measure_of(&p, 0, "vega", "S.volatility")->value == 0.0 &&
                measure_of(&p, 0, "theta", "time")->value == 0.0);
    assert_true(measure_of(&p, 0, "rho", "USD.rate")->value == 0.0 &&
                measure_of(&p, 0, "vega_by_node", "S.volatility")->value == 0.0);
    const levy_trade_result *const t = levy_results_trade(p.results, 0);
    for (size_t i = 0; i < t->n_measures; ++i)
        assert_true(t->measures[i].std_error < 1e-11 && !t->measures[i].note);
    assert_true(fabs(measure_of(&p, 0, "scenario_price", "up")->value - 15.0) < 1e-12);
    assert_true(measure_of(&p, 0, "scenario_price", "down")->value == 0.0 &&
                measure_of(&p, 0, "scenario_pnl", "calm")->value == 0.0);
    assert_true(fabs(with_quotes(&p, 0, spot, up, 1) - 15.0) < 1e-12);
    assert_true(fabs(with_quotes(&p, 0, spot, up, 1) - 15.0) < 1e-12); /* on plans that are kept */
    release(&p);
    price_text(
        &p, known_book(
                text, "underlyings: [S, T], payoff: {kind: worst_of, option_type: put, strike: 55}",
                "0", "", "", "", "measures: [delta, cross_gamma, correlation]\n"));
    assert_true(fabs(measure_of(&p, 0, "delta", "T.spot")->value + 1.0) < 1e-10 &&
                measure_of(&p, 0, "delta", "S.spot")->value == 0.0);
    assert_true(measure_of(&p, 0, "correlation", "S.spot,T.spot")->value == 0.0);
    release(&p);
}

/* Whatever drives the asset, however it would be simulated. */
static void test_no_model_or_method_has_a_part_in_it(void **state)
{
    static const char regimes[] =
        "{kind: regime_switching, assets: [S], regimes: {a: {volatilities: [0.1], rate: 0.01}, b: "
        "{volatilities: [0.3]}}, generator: [[-1, 1], [2, -2]], "
        "initial_probabilities: [1, 0]}";
    static const char *const models[] = {
        "{kind: merton, assets: [S], intensity: 0.5, jump_mean: -0.1, jump_volatility: 0.2}",
        "{kind: kou, assets: [S], intensity: 1, probability_up: 0.4, rate_up: 20, rate_down: 10}",
        "{kind: variance_gamma, assets: [S], sigma: [0.2], nu: [0.2], theta: [-0.1]}",
        "{kind: normal_inverse_gaussian, assets: [S], alpha: [15], beta: [-5], delta: [0.5]}",
        regimes};
    static const char *const methods[] = {
        "{paths: 2^10, precision: single}", "{paths: 1000, generator: philox}",
        "{paths: 2^10, generator: sobol}", "{paths: 2^10, construction: incremental}",
        "{paths: 2^10, tolerance: {absolute: 1e-9, max_paths: 2^12}}"};
    char text[TEXT_SIZE];
    priced p;
    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; ++i) {
        const bool own = i > 1; /* volatility is the model's */
        snprintf(text, sizeof text,
                 "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets: {S: {currency: USD, "
                 "spot: 100%s}}\nmodels: {m: %s}\ntrades:\n"
                 "  - {id: t, underlying: S, payoff: {kind: european, option_type: call, strike: "
                 "95}, exercise: {expiry: 0}}\nmeasures: [delta, rho]\n",
                 own ? "" : ", volatility: 1.9", models[i]);
        price_text(&p, text);
        assert_exact(models[i], levy_results_trade(p.results, 0), 5);
        release(&p);
    }
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        char more[128];
        snprintf(more, sizeof more, "simulation: %s\n", methods[i]);
        price_text(&p, known_book(text, kinds[7].trade, "0", "", "", "", more));
        assert_exact(methods[i], levy_results_trade(p.results, 0), kinds[7].amount);
        if (strstr(methods[i], "tolerance"))
            assert_int_equal(levy_results_trade(p.results, 0)->tolerance_met, 1);
        release(&p);
    }
}

static void test_beside_trades_that_live(void **state)
{
    static const char book[] = "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets: {S: "
                               "{currency: USD, spot: 100, volatility: 0.2}}\n"
                               "models: {m: {kind: black_scholes, assets: [S]}}\ntrades:\n"
                               "  - {id: known, underlying: S, payoff: {kind: european, "
                               "option_type: call, strike: 95}, exercise: {expiry: 0}}\n%s"
                               "simulation: {paths: 2^10}\n";
    char text[TEXT_SIZE];
    static kept_text out;
    priced p;
    levy_study *study = NULL;
    (void)state;
    snprintf(text, sizeof text, book,
             "  - {id: lives, underlying: S, payoff: {kind: european, option_type: call, strike: "
             "95}, exercise: {expiry: 1}}\n");
    price_text(&p, text);
    assert_exact("known", levy_results_trade(p.results, 0), 5);
    const levy_trade_result *const lives = levy_results_trade(p.results, 1);
    assert_string_equal(lives->interval, "student_t");
    const levy_netted *netted = levy_results_netted(p.results, 0);
    assert_true(fabs(netted->value - 5 - lives->price) < 1e-10 &&
                fabs(netted->std_error - lives->std_error) < 1e-12);
    assert_int_equal(levy_results_write(p.results, LEVY_FORMAT_TABLE, text_write, &out),
                     LEVY_STATUS_OK);
    assert_non_null(strstr(out.bytes, "exact"));
    assert_non_null(strstr(out.bytes, "1024 paths of"));
    assert_int_equal(levy_coverage(p.book,
                                   &(levy_study_options){.struct_size = sizeof(levy_study_options),
                                                         .trade = "known",
                                                         .seeds = 2},
                                   NULL, &study),
                     LEVY_STATUS_INPUT);
    assert_non_null(
        strstr(levy_diagnostic_get(p.context, 0)->message, "the payoff of trade 'known' is known"));
    release(&p);
    snprintf(text, sizeof text, book, "");
    price_text(&p, text);
    netted = levy_results_netted(p.results, 0);
    assert_true(fabs(netted->value - 5.0) < 1e-12 && netted->std_error == 0.0 &&
                netted->ci_low == netted->value);
    assert_string_equal(netted->interval, "exact");
    out.length = 0;
    assert_int_equal(levy_book_explain(p.book, NULL, text_write, &out), LEVY_STATUS_OK);
    assert_non_null(strstr(out.bytes, "nothing is simulated: the payoff is known"));
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_expires_today_is_paid_on_spots),
        cmocka_unit_test(test_it_is_the_limit_of_what_is_simulated),
        cmocka_unit_test(test_fixings_decide_what_is_unpaid),
        cmocka_unit_test(test_what_is_missing_is_refused),
        cmocka_unit_test(test_spots_stand_for_fixings_of_today),
        cmocka_unit_test(test_greeks_and_scenarios_are_the_payoffs_own),
        cmocka_unit_test(test_no_model_or_method_has_a_part_in_it),
        cmocka_unit_test(test_beside_trades_that_live),
    };
    return cmocka_run_group_tests_name("known", tests, NULL, NULL);
}
