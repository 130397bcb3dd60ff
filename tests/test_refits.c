/* test_refits.c: which markets have a rule of exercise of their own (exercise.fit.policy): by
 * standard scenarios, bumps too where they are refitted, none where the rule is frozen. Against the
 * option's values without paths, and the bits of a book with a scenario's quotes. */
#include "tests/priced.h"
#include "tests/words.h"

#include <math.h>
#include <stdio.h>

static const levy_price_options on_cpu = {
    .struct_size = sizeof on_cpu, .device = "cpu", .threads = 2};

/* A put of Longstaff and Schwartz, table 1. fit: what follows `exercise.method`. */
static const char *text_of(double volatility, const char *fit, const char *measures)
{
    static char text[2048];
    (void)snprintf(
        text, sizeof text,
        "schema_version: 1\n"
        "market: {curves: {USD: 0.06}, assets: {A: {currency: USD, spot: 36, volatility: %g}}}\n"
        "models: {m: {kind: black_scholes, assets: [A]}}\n"
        "simulation: {paths: 2^14}\nmeasures: [%s]\n"
        "scenarios: [{id: calm, shifts: [{factor: A.volatility, type: absolute, size: -0.125}]}]\n"
        "trades:\n"
        "  - {id: put, underlying: A, payoff: {kind: european, option_type: put, strike: 40},\n"
        "     exercise: {style: bermudan, expiry: 1, dates: {count: 8}, method: %s}}\n",
        volatility, measures, fit);
    return text;
}

typedef struct seen {
    double price, scenario, vega, volga, error;
    bool says_frozen, says_anew; /* of the scenario, of volga */
} seen;

static double value_of(const levy_trade_result *t, const char *measure)
{
    const levy_measure *const m = find_measure(t, measure, NULL);
    return m ? m->value : 0.0;
}

static seen see_in(const levy_results *results)
{
    const levy_trade_result *const t = find_trade(results, "put");
    const levy_measure *const volga = find_measure(t, "volga", NULL);
    const char *const note = find_measure(t, "scenario_price", NULL)->note;
    return (seen){.price = t->price,
                  .scenario = value_of(t, "scenario_price"),
                  .vega = value_of(t, "vega"),
                  .volga = volga ? volga->value : 0.0,
                  .error = volga ? volga->std_error : 0.0,
                  .says_frozen = note && strstr(note, "frozen"),
                  .says_anew = volga && volga->note && strstr(volga->note, "fitted anew")};
}

static seen see(double volatility, const char *fit, const char *measures)
{
    priced made = price_alone(text_of(volatility, fit, measures), NULL, 0, &on_cpu);
    assert_priced(&made);
    const seen s = see_in(made.results);
    release(&made);
    return s;
}

static const char standard[] = "simulation, fit: {paths: 2^12}",
                  refit[] = "simulation, fit: {paths: 2^12, policy: refit}",
                  frozen[] = "simulation, fit: {paths: 2^12, policy: frozen}";

static void test_scenarios_have_rules_of_their_own(void **state)
{
    const seen by_default = see(0.375, standard, "price, vega"),
               kept = see(0.375, frozen, "price, vega"), moved = see(0.25, standard, "price, vega");
    (void)state;
    assert_true(by_default.scenario == moved.price && !by_default.says_frozen);
    assert_true(kept.price == by_default.price && kept.vega == by_default.vega);
    assert_true(kept.scenario < moved.price - 0.005 && kept.says_frozen);
}

static void test_bumps_have_them_where_they_are_refitted(void **state)
{
    const seen want = see(0.2, "deterministic", "price, vega, volga"),
               got = see(0.2, refit, "price, vega, volga"), by_default = see(0.2, standard, "vega");
    (void)state;
    print_message("volga %.1f, refitted %.1f +- %.1f\n", want.volga, got.volga, got.error);
    assert_true(got.price == by_default.price && got.scenario == by_default.scenario);
    assert_true(got.vega != by_default.vega && fabs(got.vega - want.vega) < 0.05 * want.vega);
    assert_true(fabs(got.volga - want.volga) < 4.0 * got.error && got.error < want.volga);
    assert_true(got.says_anew);
}

static void test_volga_of_a_rule_that_stays_is_refused(void **state)
{
    priced made = price_alone(text_of(0.2, standard, "price, volga"), NULL, 0, &on_cpu);
    (void)state;
    assert_true(
        context_says(made.context, "volga of exercise by simulation needs fit: {policy: refit}"));
    release(&made);
}

/* The plan of a book is kept, and the markets of its bumps move with the quotes. */
static void test_new_quotes_move_the_markets(void **state)
{
    priced made = price_alone(text_of(0.3, refit, "price, vega"), NULL, 0, &on_cpu);
    levy_results *again = NULL;
    (void)state;
    assert_priced(&made);
    assert_int_equal(levy_book_set(made.book, "A.volatility", 0.25), LEVY_STATUS_OK);
    assert_int_equal(levy_price(made.book, &on_cpu, &again), LEVY_STATUS_OK);
    const seen want = see(0.25, refit, "price, vega"), got = see_in(again);
    assert_true(got.price == want.price && got.vega == want.vega && got.scenario == want.scenario);
    levy_results_destroy(again);
    release(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scenarios_have_rules_of_their_own),
        cmocka_unit_test(test_bumps_have_them_where_they_are_refitted),
        cmocka_unit_test(test_volga_of_a_rule_that_stays_is_refused),
        cmocka_unit_test(test_new_quotes_move_the_markets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
