/* test_upper_bound.c: the upper bound of early exercise on paths (payoffs/policy_bound.h): above
 * prices that are known otherwise, whatever the fit is; near to them where levels are lognormal;
 * with the same bits for whoever repeats it; and no sum of others. */
#include "tests/priced.h"
#include "tests/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const levy_price_options on_cpu = {
    .struct_size = sizeof on_cpu, .device = "cpu", .threads = 2};

/* ---- Books ---- */

static const char head[] =
    "schema_version: 1\n"
    "market:\n"
    "  curves: {USD: 0.06}\n"
    "  assets: {A: {currency: USD, spot: %g, volatility: 0.2}, B: {currency: USD, spot: 36, "
    "volatility: 0.3, dividend_yield: 0.02}, C: {currency: USD, spot: 36, volatility: 0.2, "
    "dividends: {cash: [[0.4, 1]]}}}\n"
    "  correlations: {pairs: [[A.spot, B.spot, 0.3]]}\n"
    "models: {a: %s, b: {kind: black_scholes, assets: [A, B]}}\n"
    "simulation: {paths: 2^14}\n"
    "measures: [price, upper_bound]\n"
    "trades:\n";
static const char lognormal[] = "{kind: black_scholes, assets: [A]}";

/* trades: their lines. */
static priced price_of(double spot, const char *model, const char *trades,
                       const levy_price_options *how)
{
    static char text[8192];
    const size_t n = (size_t)snprintf(text, sizeof text, head, spot, model);
    (void)snprintf(text + n, sizeof text - n, "%s", trades);
    return price_alone(text, NULL, 0, how);
}

static const char put[] =
    "  - {id: put, model: a, underlying: A, payoff: {kind: european, option_type: put, strike: "
    "40},\n"
    "     exercise: {style: bermudan, expiry: 1, dates: {count: 25}, method: simulation, fit: "
    "{paths: %s}}}\n";
static const char solved[] =
    "  - {id: solved, model: a, underlying: A, payoff: {kind: european, option_type: put, strike: "
    "40}, exercise: {style: bermudan, expiry: 1, dates: {count: 25}}}\n";

static const char *puts_of(const char *paths, bool both)
{
    static char text[1024];
    const size_t n = (size_t)snprintf(text, sizeof text, put, paths);
    (void)snprintf(text + n, sizeof text - n, "%s", both ? solved : "");
    return text;
}

static const levy_measure *bound_of(const levy_trade_result *t)
{
    return find_measure(t, "upper_bound", NULL);
}

/* ---- The bound ---- */

/* Longstaff and Schwartz, table 1: of the first year. */
static void test_it_bounds_the_price_from_above(void **state)
{
    static const double spots[] = {36, 40, 44};
    (void)state;
    for (size_t i = 0; i < sizeof spots / sizeof *spots; ++i) {
        priced made = price_of(spots[i], lognormal, puts_of("2^13", true), &on_cpu);
        assert_priced(&made);
        const double want = find_trade(made.results, "solved")->price;
        const levy_measure *const got = bound_of(find_trade(made.results, "put"));
        print_message("%g: %.4f, at most %.4f +- %.4f\n", spots[i], want, got->value,
                      got->std_error);
        assert_true(got->value + 4.0 * got->std_error >= want);
        assert_true(got->value <= 1.01 * want);
        assert_string_equal(got->note, "upper bound (simulation, martingale)");
        assert_true(got->std_error > 0.0 && got->ci_low < got->value && got->value < got->ci_high);
        assert_null(bound_of(find_trade(made.results, "solved")));
        release(&made);
    }
}

/* A fit that saw next to nothing has a bound that is far, but one. */
static void test_it_is_one_whatever_the_fit_is(void **state)
{
    priced made = price_of(36, lognormal, puts_of("2^6", true), &on_cpu);
    (void)state;
    const double want = find_trade(made.results, "solved")->price;
    const levy_measure *const got = bound_of(find_trade(made.results, "put"));
    assert_true(got->value + 4.0 * got->std_error >= want);
    release(&made);
}

/* Too few paths say nothing of the gains: their coefficients would add up to anything. */
static void test_too_few_paths_make_no_gains(void **state)
{
    priced made = price_of(
        36, lognormal,
        "  - {id: max, model: b, underlyings: [A, B], payoff: {kind: best_of, option_type: "
        "call, strike: 34}, exercise: {style: bermudan, expiry: 1, dates: "
        "{count: 30}, fit: {paths: 32}}}\n",
        &on_cpu);
    (void)state;
    assert_priced(&made);
    const levy_trade_result *const t = find_trade(made.results, "max");
    assert_true(bound_of(t)->value > t->price && bound_of(t)->value < 3.0 * t->price);
    assert_non_null(strstr(t->message, "its upper bound has no martingale"));
    release(&made);
}

/* On one date the claims replicate what is paid, where paths show it: if none is paid, the bound
 * says as little as the price; if all are, those that are missed have a share. */
static void test_what_paths_agree_on(void **state)
{
    static const struct {
        double strike;
        const char *interval;
    } cases[] = {{27, "unreliable"}, {36, "exact"}, {46.5, "student_t"}, {72, "exact"}};
    char trades[2048];
    size_t n = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        n += (size_t)snprintf(trades + n, sizeof trades - n,
                              "  - {id: t%zu, model: a, underlying: A, payoff: {kind: european, "
                              "option_type: put, strike: %g}, exercise: {style: bermudan, expiry: "
                              "0.1, dates: {count: 1}, method: simulation, fit: {paths: 2^12}}}\n",
                              i, cases[i].strike);
    priced made = price_of(36, lognormal, trades, &on_cpu);
    assert_priced(&made);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const levy_measure *const got = bound_of(levy_results_trade(made.results, i));
        assert_string_equal(got->interval, cases[i].interval);
        assert_true(i != 2 || (got->std_error > 1e-7 && got->std_error < 1e-3));
    }
    release(&made);
}

/* L. Andersen and M. Broadie, Management Science 50, 2004, table 2: the interval of 95 %. */
static void test_the_maximum_of_five(void **state)
{
    static const char names[] = "ABCDE";
    static const double known[] = {26.109, 26.292};
    char text[4096];
    size_t n = (size_t)snprintf(text, sizeof text,
                                "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n");
    for (size_t u = 0; u < 5; ++u)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "    %c: {currency: USD, spot: 100, volatility: 0.2, "
                              "dividend_yield: 0.1}\n",
                              names[u]);
    n += (size_t)snprintf(text + n, sizeof text - n, "  correlations: {pairs: [");
    for (size_t u = 0; u < 5; ++u)
        for (size_t v = u + 1; v < 5; ++v)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s[%c.spot, %c.spot, 0]",
                                  v > 1 ? ", " : "", names[u], names[v]);
    (void)snprintf(text + n, sizeof text - n,
                   "]}\nmodels: {m: {kind: black_scholes, assets: [A, B, C, D, E]}}\n"
                   "simulation: {paths: 2^13}\nmeasures: [price, upper_bound]\ntrades:\n"
                   "  - {id: max, underlyings: [A, B, C, D, E], payoff: {kind: best_of, "
                   "option_type: call, strike: 100}, exercise: {style: bermudan, expiry: 3, "
                   "dates: {count: 9}, fit: {paths: 2^13}}}\n");
    priced made = price_alone(text, NULL, 0, &on_cpu);
    (void)state;
    assert_priced(&made);
    const levy_trade_result *const t = find_trade(made.results, "max");
    const levy_measure *const got = bound_of(t);
    print_message("%.3f to %.3f +- %.3f\n", t->price, got->value, got->std_error);
    assert_true(got->value + 4.0 * got->std_error >= known[0]);
    assert_true(got->value - 4.0 * got->std_error <= 1.02 * known[1]);
    assert_true(t->price - 4.0 * t->std_error <= known[1]);
    release(&made);
}

/* What levels of two pay has closed values beside it, too. */
static void test_levels_of_two_assets(void **state)
{
    static const struct {
        const char *payoff;
        double gap;
    } cases[] = {{"{kind: exchange}", 0.01},
                 {"{kind: spread, option_type: call, strike: 2}", 0.03},
                 {"{kind: basket, option_type: put, strike: 40}", 0.05},
                 {"{kind: worst_of, option_type: put, strike: 40}", 0.02},
                 {"{kind: best_of, option_type: call, strike: 34}", 0.02},
                 {"{kind: basket, basket_type: geometric, option_type: put, strike: 40}", 0.02}};
    char trades[4096];
    size_t n = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        n += (size_t)snprintf(
            trades + n, sizeof trades - n,
            "  - {id: two%zu, model: b, underlyings: [A, B], payoff: %s, exercise: "
            "{style: bermudan, expiry: 1, dates: {count: 8}, fit: {paths: "
            "2^12}}}\n",
            i, cases[i].payoff);
    priced made = price_of(36, lognormal, trades, &on_cpu);
    assert_priced(&made);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char id[16];
        (void)snprintf(id, sizeof id, "two%zu", i);
        const levy_trade_result *const t = find_trade(made.results, id);
        const levy_measure *const got = bound_of(t);
        const double room = 4.0 * (got->std_error + t->std_error);
        print_message("%s %.4f to %.4f\n", cases[i].payoff, t->price, got->value);
        assert_true(got->value + room >= t->price);
        assert_true(got->value - room <= (1.0 + cases[i].gap) * t->price);
    }
    release(&made);
}

/* Of other models levels alone are martingales that are known. */
static void test_other_models(void **state)
{
    static const char *const models[] = {
        "{kind: heston, assets: [A], v0: 0.04, theta: 0.09, kappa: 2, xi: 0.8, rho: -0.6}",
        "{kind: variance_gamma, assets: [A], sigma: 0.2, nu: 0.3, theta: -0.1}",
        "{kind: merton, assets: [A], intensity: 0.5, jump_mean: -0.1, jump_volatility: 0.2}"};
    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; ++i) {
        priced made = price_of(36, models[i], puts_of("2^12", false), &on_cpu);
        assert_priced(&made);
        const levy_trade_result *const t = find_trade(made.results, "put");
        const levy_measure *const got = bound_of(t);
        print_message("%.4f to %.4f\n", t->price, got->value);
        assert_true(got->value + 4.0 * (got->std_error + t->std_error) >= t->price);
        assert_true(got->value <= 1.15 * t->price);
        release(&made);
    }
}

/* Exercise today counts, and size and side multiply the bound as they do the price. */
static void test_today_and_the_size_count(void **state)
{
    static const char trades[] =
        "  - {id: one, model: a, underlying: A, payoff: {kind: european, option_type: put, strike: "
        "60}, exercise: {style: american, expiry: 1, steps: 20, method: simulation, fit: {paths: "
        "2^12}}}\n"
        "  - {id: two, model: a, underlying: A, position: short, quantity: 2, payoff: {kind: "
        "european, option_type: put, strike: 60}, exercise: {style: american, expiry: 1, steps: "
        "20, method: simulation, fit: {paths: 2^12}}}\n";
    priced made = price_of(36, lognormal, trades, &on_cpu);
    (void)state;
    assert_priced(&made);
    const levy_measure *const held = bound_of(find_trade(made.results, "one")),
                              *const sold = bound_of(find_trade(made.results, "two"));
    assert_true(held->value >= 24.0 && held->value < 24.05);
    assert_true(sold->value == -2.0 * held->value);
    assert_string_equal(held->note,
                        "upper bound of exercise on its steps' dates (simulation, martingale)");
    assert_string_equal(sold->note,
                        "lower bound of exercise on its steps' dates (simulation, martingale)");
    assert_string_equal(find_measure(find_trade(made.results, "two"), "price", NULL)->note,
                        "upper bound (simulation, Longstaff-Schwartz)");
    release(&made);
}

/* ---- The same bits ---- */

typedef struct seen {
    double price, error, bound, bound_error;
    uint64_t hash;
} seen;

static seen see(const levy_results *results)
{
    const levy_trade_result *const t = find_trade(results, "put");
    const levy_measure *const bound = bound_of(t);
    assert_string_equal(t->status, "ok");
    return (seen){t->price, t->std_error, bound->value, bound->std_error, t->plan_hash};
}

static seen see_put(const levy_price_options *how)
{
    priced made = price_of(36, lognormal, puts_of("2^12", false), how);
    assert_priced(&made);
    const seen s = see(made.results);
    release(&made);
    return s;
}

static void test_bits_are_those_of_one_thread_and_of_parts(void **state)
{
    static char names[2][64];
    const char *const paths[] = {names[0], names[1]};
    const seen want = see_put(&on_cpu);
    levy_price_options how = on_cpu;
    (void)state;
    how.threads = 1;
    how.batch_blocks = 1;
    const seen alone = see_put(&how);
    assert_memory_equal(&want, &alone, sizeof want);
    how = on_cpu;
    for (uint32_t k = 0; k < 2; ++k) {
        (void)snprintf(names[k], sizeof names[k], "/tmp/levy-bound-%ld-%u", (long)getpid(), k);
        how.journal = names[k];
        how.part = k + 1;
        how.parts = 2;
        priced part = price_of(36, lognormal, puts_of("2^12", false), &how);
        release(&part);
    }
    priced merged = price_of(36, lognormal, puts_of("2^12", false), &on_cpu);
    levy_results_destroy(merged.results);
    const levy_merge_options merge = {.struct_size = sizeof merge, .paths = paths, .n_paths = 2};
    assert_int_equal(levy_merge(merged.book, &merge, &merged.results), LEVY_STATUS_OK);
    const seen whole = see(merged.results);
    assert_memory_equal(&want, &whole, sizeof want);
    release(&merged);
    unlink(names[0]);
    unlink(names[1]);
}

/* Whoever asks for it has the price of who does not. */
static void test_the_price_stays(void **state)
{
    const levy_setting plain = {"measures", "price"};
    char text[4096];
    (void)state;
    const size_t n = (size_t)snprintf(text, sizeof text, head, 36.0, lognormal);
    (void)snprintf(text + n, sizeof text - n, "%s", puts_of("2^12", false));
    priced without = price_alone(text, &plain, 1, &on_cpu);
    assert_priced(&without);
    const seen with = see_put(&on_cpu);
    assert_true(find_trade(without.results, "put")->price == with.price);
    assert_true(find_trade(without.results, "put")->std_error == with.error);
    assert_null(bound_of(find_trade(without.results, "put")));
    release(&without);
}

/* ---- What has none ---- */

/* Of a long and a short leg the bounds' sum would be none. */
static void test_sums_have_none(void **state)
{
    static const char trades[] =
        "  - {id: spread, model: a, underlying: A, exercise: {style: bermudan, expiry: 1, dates: "
        "[0.5], method: simulation, fit: {paths: 2^10}}, legs: [{payoff: {kind: european, "
        "option_type: put, strike: 40}}, {position: short, payoff: {kind: european, option_type: "
        "put, strike: 35}}]}\n";
    priced made = price_of(36, lognormal, trades, &on_cpu);
    (void)state;
    assert_priced(&made);
    assert_null(bound_of(find_trade(made.results, "spread")));
    assert_non_null(bound_of(find_trade(made.results, "spread/1")));
    for (size_t s = 0; s < levy_results_netted_count(made.results); ++s)
        for (size_t m = 0; m < levy_results_netted(made.results, s)->n_measures; ++m)
            assert_string_not_equal(
                levy_netted_measure(levy_results_netted(made.results, s), m)->measure,
                "upper_bound");
    release(&made);
}

static void test_what_cannot_be_is_refused(void **state)
{
    static const struct {
        const char *model, *underlying, *words;
    } cases[] = {{"{kind: black_scholes, assets: [C]}", "C",
                  "its martingales need assets without cash dividends"},
                 {"{kind: regime_switching, assets: [A], regimes: {x: {volatilities: 0.2, "
                  "drifts: 0.1}, y: {volatilities: 0.3}}, generator: [[-1, 1], [1, -1]], "
                  "initial_regime: x}",
                  "A", "its martingales need drifts that are those of all paths"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char trade[512];
        (void)snprintf(trade, sizeof trade,
                       "  - {id: call, model: a, underlying: %s, payoff: {kind: european, "
                       "option_type: call, strike: 40}, exercise: {style: bermudan, expiry: 1, "
                       "dates: [0.5], method: simulation}}\n",
                       cases[i].underlying);
        priced made = price_of(36, cases[i].model, trade, &on_cpu);
        assert_int_not_equal(made.status, LEVY_STATUS_OK);
        assert_non_null(strstr(levy_diagnostic_get(made.context, 0)->text, cases[i].words));
        release(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_bounds_the_price_from_above),
        cmocka_unit_test(test_it_is_one_whatever_the_fit_is),
        cmocka_unit_test(test_what_paths_agree_on),
        cmocka_unit_test(test_too_few_paths_make_no_gains),
        cmocka_unit_test(test_the_maximum_of_five),
        cmocka_unit_test(test_levels_of_two_assets),
        cmocka_unit_test(test_other_models),
        cmocka_unit_test(test_today_and_the_size_count),
        cmocka_unit_test(test_bits_are_those_of_one_thread_and_of_parts),
        cmocka_unit_test(test_the_price_stays),
        cmocka_unit_test(test_sums_have_none),
        cmocka_unit_test(test_what_cannot_be_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
