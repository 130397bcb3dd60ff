/* test_stage_exercise.c: early exercise on paths (payoffs/policy.h): against the deterministic
 * price of the same option, which it bounds from below, also today; and whoever repeats the fit has
 * its bits: threads, batches, parts, journals, scenarios.
 *
 *     test_stage_exercise cuda   a GPU has the CPU's bits */
#include "tests/priced.h"
#include "tests/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- The book ---- */

static const char head[] = "schema_version: 1\n"
                           "market:\n"
                           "  curves: {USD: 0.06}\n"
                           "  assets: {A: {currency: USD, spot: %g, volatility: %g}}\n"
                           "models: {m: %s}\n"
                           "measures: [price, delta, boundary]\n"
                           "trades:\n";
static const char lognormal[] = "{kind: black_scholes, assets: [A]}";

typedef struct put {
    double spot, volatility;
    const char *model, *exercise;
    const char *more; /* trades and settings */
} put;

/* A put struck at 40 whose id is `put`. */
static const char *text_of(const put *p)
{
    static char text[4096];
    const size_t n = (size_t)snprintf(text, sizeof text, head, p->spot, p->volatility, p->model);
    snprintf(
        text + n, sizeof text - n,
        "  - {id: put, underlying: A, payoff: {kind: european, option_type: put, strike: 40},\n"
        "     exercise: {%s}}\n%s",
        p->exercise, p->more ? p->more : "");
    return text;
}

static const char yearly[] = "style: bermudan, expiry: 1, dates: {count: 25}",
                  fitted[] = "style: bermudan, expiry: 1, dates: {count: 25}, method: simulation, "
                             "fit: {paths: 2^13}",
                  few_paths[] = "simulation: {paths: 2^14}\n";

static const levy_price_options on_cpu = {
    .struct_size = sizeof on_cpu, .device = "cpu", .threads = 2};

static priced price_of(const put *p, const levy_price_options *how)
{
    const levy_context_options options = {.struct_size = sizeof options,
                                          .module_dir = getenv("LEVY_TEST_MODULE_DIR")};
    priced made = {0};
    assert_int_equal(levy_context_create(&options, &made.context), LEVY_STATUS_OK);
    made.book = read_book(made.context, text_of(p), NULL, 0);
    made.status = levy_price(made.book, how, &made.results);
    assert_priced(&made);
    return made;
}

/* What is seen of the put. */
typedef struct seen {
    double price, error, delta, delta_error;
    double level; /* at which it is exercised on the first date that has one; 0: none has */
    uint64_t hash;
} seen;

static seen see(const levy_results *results)
{
    const levy_trade_result *const t = find_trade(results, "put");
    const levy_measure *const delta = find_measure(t, "delta", NULL);
    const levy_measure *const level = find_measure(t, "boundary", NULL);
    assert_string_equal(t->status, "ok");
    return (seen){
        t->price,    t->std_error, delta->value, delta->std_error, level ? level->value : 0.0,
        t->plan_hash};
}

static seen see_put(const put *p, const levy_price_options *how)
{
    priced made = price_of(p, how);
    const seen s = see(made.results);
    release(&made);
    return s;
}

static void assert_same(const seen *a, const seen *b)
{
    assert_memory_equal(a, b, sizeof *a); /* it has no padding */
}

/* ---- The price ---- */

/* Where cash is paid, levels are no martingales by their forward. Without others the rule lost a
 * fifth of this call's price, which rare paths determine. */
static void test_cash_takes_little_from_the_rule(void **state)
{
    static const char trade[] = "  - {id: %s, underlying: S, payoff: {kind: european, option_type: "
                                "call, strike: 100}, exercise: {style: bermudan, expiry: 5, "
                                "dates: {count: 50}, method: %s}}\n";
    char text[2048];
    size_t n = (size_t)snprintf(
        text, sizeof text,
        "schema_version: 1\nmarket: {curves: {USD: 0.02}, assets: {S: {currency: USD, spot: 100, "
        "volatility: 0.8, dividends: {cash: [[3.5, 3]]}}}}\n"
        "models: {m: {kind: black_scholes, assets: [S]}}\nsimulation: {paths: 2^15}\ntrades:\n");
    n += (size_t)snprintf(text + n, sizeof text - n, trade, "rule", "simulation");
    snprintf(text + n, sizeof text - n, trade, "grid", "deterministic");
    priced made = price_alone(text, NULL, 0, &on_cpu);
    (void)state;
    assert_priced(&made);
    const levy_trade_result *const rule = find_trade(made.results, "rule"), *const grid =
                                                                                find_trade(
                                                                                    made.results,
                                                                                    "grid");
    assert_true(rule->price <= grid->price + 4.0 * rule->std_error);
    assert_true(rule->price >= 0.97 * grid->price);
    release(&made);
}

/* Levels that the fit saw without the dividends made rules that lost 2 and 5 % of these. */
static void test_the_rule_knows_of_cash(void **state)
{
    static const char trade[] = "  - {id: %s, underlying: S, payoff: {kind: european, option_type: "
                                "put, strike: 105}, exercise: {style: bermudan, expiry: 1, dates: "
                                "{count: 12}, method: %s}}\n";
    char text[2048];
    size_t n = (size_t)snprintf(
        text, sizeof text,
        "schema_version: 1\nmarket: {curves: {USD: 0.05}, assets: {S: {currency: USD, spot: 100, "
        "volatility: 0.2, dividends: {cash: [[0.3, 2], [0.8, 2]]}}}}\n"
        "models: {m: {kind: black_scholes, assets: [S]}}\nsimulation: {paths: 2^13}\ntrades:\n");
    n += (size_t)snprintf(text + n, sizeof text - n, trade, "rule",
                          "simulation, fit: {paths: 2^13}");
    snprintf(text + n, sizeof text - n, trade, "grid", "deterministic");
    priced made = price_alone(text, NULL, 0, &on_cpu);
    (void)state;
    assert_priced(&made);
    const levy_trade_result *const rule = find_trade(made.results, "rule");
    const levy_trade_result *const grid = find_trade(made.results, "grid");
    assert_true(fabs(rule->price - grid->price) <= 4.0 * rule->std_error + 0.005 * grid->price);
    release(&made);
}

/* Longstaff and Schwartz, table 1: of the first year. */
static void test_it_bounds_the_price_from_below(void **state)
{
    static const double cases[][2] = {{36, 0.2}, {40, 0.4}, {44, 0.2}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const put by_paths = {cases[i][0], cases[i][1], lognormal, fitted, few_paths},
                  solved = {cases[i][0], cases[i][1], lognormal, yearly, NULL};
        const seen want = see_put(&solved, &on_cpu), got = see_put(&by_paths, &on_cpu);
        assert_true(got.price <= want.price + 4.0 * got.error);
        assert_true(got.price >= 0.997 * want.price - 4.0 * got.error);
        assert_true(fabs(got.delta - want.delta) < 0.005 + 4.0 * got.delta_error);
    }
}

/* The date at 7 tenths of 3 years is that of the dividend, where exercise comes too late for it. */
static void test_dates_by_count_are_those_that_are_written(void **state)
{
    static const char *const dates[] = {"{count: 10}",
                                        "[0.3, 0.6, 0.9, 1.2, 1.5, 1.8, 2.1, 2.4, 2.7]"};
    double prices[2];
    char text[1024];
    (void)state;
    for (size_t i = 0; i < 2; ++i) {
        (void)snprintf(text, sizeof text,
                       "schema_version: 1\nmarket: {curves: {USD: 0.06}, assets: {A: {currency: "
                       "USD, spot: 100, volatility: 0.2, dividends: {cash: [[2.1, 5]]}}}}\n"
                       "models: {m: {kind: black_scholes, assets: [A]}}\ntrades:\n"
                       "  - {id: call, underlying: A, payoff: {kind: european, option_type: call, "
                       "strike: 50}, exercise: {style: bermudan, expiry: 3, dates: %s}}\n",
                       dates[i]);
        priced made = price_alone(text, NULL, 0, &on_cpu);
        assert_priced(&made);
        prices[i] = find_trade(made.results, "call")->price;
        release(&made);
    }
    assert_true(prices[0] == prices[1]);
}

static void test_the_price_says_what_it_is(void **state)
{
    const put p = {36, 0.2, lognormal, fitted, few_paths};
    priced made = price_of(&p, &on_cpu);
    const levy_measure *const price = find_measure(find_trade(made.results, "put"), "price", NULL);
    (void)state;
    assert_string_equal(price->note, "lower bound (simulation, Longstaff-Schwartz)");
    assert_null(find_trade(made.results, "put")->message);
    release(&made);
}

/* The error of a model's steps is in the bound, too. */
static void test_the_price_under_steps_says_both(void **state)
{
    const put p = {36, 0.2,
                   "{kind: heston, assets: [A], v0: 0.04, kappa: 2, theta: 0.04, xi: 0.3, rho: "
                   "-0.5}",
                   "style: bermudan, expiry: 1, dates: [0.5], fit: {paths: 2^10}",
                   "simulation: {paths: 2^10}\nscenarios: [{id: down, shifts: [{factor: A.spot, "
                   "size: -0.1}]}]\n"};
    priced made = price_of(&p, &on_cpu);
    const levy_trade_result *const t = find_trade(made.results, "put");
    static const char *const measures[] = {"price", "scenario_price"};
    static const char *const ends[] = {"; no boundary: more than a level decides", ""};
    (void)state;
    for (size_t i = 0; i < 2; ++i) {
        char note[256];
        (void)snprintf(note, sizeof note,
                       "lower bound (simulation, Longstaff-Schwartz), up to O(dt): the "
                       "discretization error is proportional to the model's step%s",
                       ends[i]);
        assert_string_equal(find_measure(t, measures[i], NULL)->note, note);
    }
    assert_non_null(strstr(find_measure(t, "delta", NULL)->note, "O(dt)"));
    release(&made);
}

/* Dates that the fit leaves without exercise are said. */
static void test_too_few_paths_are_said(void **state)
{
    static const char scarce[] =
        "style: bermudan, expiry: 1, dates: {count: 4}, method: simulation, fit: {paths: 64}";
    const put p = {36, 0.2, lognormal, scarce, few_paths};
    priced made = price_of(&p, &on_cpu);
    (void)state;
    assert_int_equal(levy_diagnostic_count(made.context), 1);
    assert_non_null(strstr(levy_diagnostic_get(made.context, 0)->text,
                           "3 of its dates have no exercise: fewer than 90 of the paths"));
    assert_non_null(strstr(find_trade(made.results, "put")->message,
                           "3 of its dates have no exercise: fewer than 90 of the paths"));
    release(&made);
}

/* The first date of an American option is today. It is worth what it pays if the fit says so, and
 * moves with the spot alone. */
static void test_today_is_decided_by_the_fit(void **state)
{
    static const char american[] = "style: american, expiry: 1, method: simulation, steps: 25, "
                                   "fit: {paths: 2^13}",
                      dated[] = "style: bermudan, expiry: 1, method: simulation, fit: {paths: "
                                "2^13}, dates: {start: 0, end: 1, count: 25, include_start: true}";
    const put deep = {25, 0.2, lognormal, american, few_paths},
              held = {36, 0.2, lognormal, american, few_paths},
              same = {36, 0.2, lognormal, dated, few_paths};
    const seen now = see_put(&deep, &on_cpu), later = see_put(&held, &on_cpu),
               by_dates = see_put(&same, &on_cpu);
    (void)state;
    assert_true(fabs(now.price - 15.0) < 1e-12 && now.error < 1e-12);
    assert_true(fabs(now.delta + 1.0) < 1e-12);
    assert_true(later.price > 4.3 && later.error > 0.0);
    assert_true(later.price == by_dates.price);
}

/* Normals that lie in memory are those that the loop makes, also of the fit. */
static void test_a_staged_pipeline_has_the_bits_of_a_fused_one(void **state)
{
    static const char few[] = "style: bermudan, expiry: 1, dates: {count: 4}, method: simulation, "
                              "fit: {paths: 2^10}";
    const put fused = {36, 0.2, lognormal, few, "simulation: {paths: 2^12, generator: mrg32k3a}\n"},
              staged = {36, 0.2, lognormal, few,
                        "simulation: {paths: 2^12, generator: mrg32k3a, pipeline: staged}\n"};
    const seen a = see_put(&fused, &on_cpu), b = see_put(&staged, &on_cpu);
    (void)state;
    assert_true(a.price == b.price && a.delta == b.delta);
}

/* ---- What it counts ---- */

static priced counts_of(const put *p)
{
    static const levy_setting counted = {
        "measures", "[cash_flows, probability, expected_life, exercise_value, continuation]"};
    priced made = price_alone(text_of(p), &counted, 1, &on_cpu);
    assert_priced(&made);
    return made;
}

/* The sum over dates of a measure that has one each, times the date or 1. */
static double sum_of(const levy_trade_result *t, const char *measure, bool by_time)
{
    double sum = 0.0;
    for (size_t k = 0; k < t->n_measures; ++k)
        if (strcmp(t->measures[k].measure, measure) == 0)
            sum += t->measures[k].value * (by_time ? atof(t->measures[k].factor) : 1.0);
    return sum;
}

static double value_of(const levy_trade_result *t, const char *measure)
{
    return find_measure(t, measure, NULL)->value;
}

/* Payments by date add up to the price, and every path ends on one of the dates. */
static void test_ends_are_counted_by_date(void **state)
{
    static const char quarterly[] =
        "style: bermudan, expiry: 1, dates: [0, 0.25, 0.5, 0.75], method: "
        "simulation, fit: {paths: 2^12}";
    const put p = {38, 0.2, lognormal, quarterly, few_paths};
    priced made = counts_of(&p);
    const levy_trade_result *const t = find_trade(made.results, "put");
    (void)state;
    assert_true(fabs(sum_of(t, "cash_flows", false) - t->price) < 1e-12);
    assert_true(fabs(sum_of(t, "probability", false) - 1.0) < 1e-12);
    assert_true(fabs(sum_of(t, "probability", true) - value_of(t, "expected_life")) < 1e-12);
    assert_true(find_measure(t, "probability", "0.5")->value > 0.05);
    assert_true(find_measure(t, "probability", "0")->value == 0.0);
    assert_string_equal(find_measure(t, "probability", "0")->interval, "exact");
    assert_true(value_of(t, "exercise_value") == 2.0);
    assert_true(value_of(t, "continuation") == t->price);
    release(&made);
}

/* Where it is exercised today, what it would be worth later is that of a right that begins later;
 * so without paths, too. */
static void test_today_is_counted(void **state)
{
    static const char dates[] = "style: bermudan, expiry: 1, dates: %s, method: %s",
                      *const of_today[] = {"[0, 0.25, 0.5, 0.75]", "[0.25, 0.5, 0.75]"},
                      *const methods[] = {"simulation, fit: {paths: 2^12}", "deterministic"};
    (void)state;
    for (size_t m = 0; m < 2; ++m) {
        char now[128], later[128];
        (void)snprintf(now, sizeof now, dates, of_today[0], methods[m]);
        (void)snprintf(later, sizeof later, dates, of_today[1], methods[m]);
        const put p = {30, 0.2, lognormal, now, few_paths};
        const put q = {30, 0.2, lognormal, later, few_paths};
        priced made = counts_of(&p), kept = counts_of(&q);
        const levy_trade_result *const t = find_trade(made.results, "put"), *const u = find_trade(
                                                                                kept.results,
                                                                                "put");
        assert_true(fabs(t->price - 10.0) < 1e-11);
        assert_true(fabs(value_of(t, "exercise_value") - 10.0) < 1e-12);
        assert_true(fabs(value_of(t, "continuation") - u->price) < 1e-12 && u->price < 9.5);
        if (m == 0) {
            assert_true(find_measure(t, "probability", "0")->value == 1.0);
            assert_true(value_of(t, "expected_life") == 0.0);
            assert_true(fabs(find_measure(t, "cash_flows", "0")->value - 10.0) < 1e-12);
            assert_true(sum_of(t, "cash_flows", true) == 0.0);
        }
        release(&kept);
        release(&made);
    }
}

/* The levels of a rule lie about those of the grid, as far as paths tell. */
static void test_levels_are_those_of_the_grid(void **state)
{
    static const char dates[] = "style: bermudan, expiry: 1, dates: {count: 4}, method: %s";
    char rule[128], grid[128];
    (void)snprintf(rule, sizeof rule, dates, "simulation");
    (void)snprintf(grid, sizeof grid, dates, "deterministic");
    const put p = {38, 0.2, lognormal, rule, few_paths}, q = {38, 0.2, lognormal, grid, few_paths};
    priced fit = price_of(&p, &on_cpu), solved = price_of(&q, &on_cpu);
    const levy_trade_result *const t = find_trade(fit.results, "put"), *const u = find_trade(
                                                                           solved.results, "put");
    (void)state;
    for (size_t k = 0; k < 3; ++k) {
        const levy_measure *const want = levy_trade_measure(u, u->n_measures - 3 + k),
                                  *const got = levy_trade_measure(t, t->n_measures - 3 + k);
        assert_string_equal(got->measure, "boundary");
        assert_string_equal(got->factor, want->factor);
        assert_true(fabs(got->value - want->value) < 0.01 * want->value);
        assert_true(isnan(got->std_error));
    }
    release(&solved);
    release(&fit);
}

/* A level beyond which hardly a path of the fit is says nothing: of the first of 25 dates, 4.3
 * deviations away, it was half a unit off. */
static void test_levels_that_few_paths_reach_are_not_told(void **state)
{
    static const char dates[] = "style: bermudan, expiry: 1, dates: {count: 25}, method: "
                                "simulation, fit: {paths: 2^16}";
    const put p = {40, 0.2, lognormal, dates, few_paths};
    priced made = price_of(&p, &on_cpu);
    const levy_measure *const first =
        find_measure(find_trade(made.results, "put"), "boundary", NULL);
    (void)state;
    assert_string_equal(first->factor, "0.08");
    assert_string_equal(first->note, "of the fitted rule, whose error is not known");
    release(&made);
}

/* ---- The same bits ---- */

static void test_bits_are_those_of_one_thread(void **state)
{
    const put p = {36, 0.2, lognormal, fitted, few_paths};
    levy_price_options how = on_cpu;
    how.threads = 1;
    const seen want = see_put(&p, &how);
    (void)state;
    how.threads = 3;
    how.batch_blocks = 1;
    const seen got = see_put(&p, &how);
    assert_same(&want, &got);
}

/* What else is asked changes no number, and points of the price do not change the rule. */
static void test_it_depends_on_trade_and_market_alone(void **state)
{
    static const char more[] =
        "  - {id: call, underlying: A, payoff: {kind: european, option_type: call, strike: 40},\n"
        "     exercise: {style: bermudan, expiry: 1, dates: {count: 25}, method: simulation,\n"
        "     fit: {paths: 2^12}}}\n"
        "  - {id: asian, underlying: A, payoff: {kind: asian, option_type: call, strike: 40,\n"
        "     averaging: {observations: {count: 50}}}, exercise: 1}\n"
        "simulation: {paths: 2^14}\n";
    static const char seeded[] =
        "style: bermudan, expiry: 1, dates: {count: 25}, method: simulation, "
        "fit: {paths: 2^13, seed: 43}";
    const put alone = {36, 0.2, lognormal, fitted, few_paths},
              among = {36, 0.2, lognormal, fitted, more},
              other = {36, 0.2, lognormal, seeded, few_paths};
    const seen a = see_put(&alone, &on_cpu), b = see_put(&among, &on_cpu),
               c = see_put(&other, &on_cpu);
    (void)state;
    assert_true(a.price == b.price && a.delta == b.delta && a.error == b.error);
    assert_true(a.price != c.price && a.hash != c.hash);
}

static char *path_of(const char *name)
{
    static char paths[3][64];
    static size_t next;
    char *const path = paths[next++ % 3];
    snprintf(path, sizeof paths[0], "/tmp/levy-exercise-%ld-%s", (long)getpid(), name);
    return path;
}

static int stop_soon(void *user, const levy_progress *progress)
{
    size_t *const left = user;
    return progress->done > 0 && (*left == 0 || --*left == 0);
}

/* Stopped between fit and price and gone on with; and in two parts. */
static void test_journals_and_parts_have_the_bits(void **state)
{
    const put p = {36, 0.2, lognormal, fitted, few_paths};
    const seen want = see_put(&p, &on_cpu);
    const char *const paths[] = {path_of("1"), path_of("2")};
    levy_price_options how = on_cpu;
    size_t left = 1;
    (void)state;
    how.journal = path_of("whole");
    how.batch_blocks = 1;
    how.progress = stop_soon;
    how.user = &left;
    priced stopped = price_alone(text_of(&p), NULL, 0, &how);
    assert_int_equal(stopped.status, LEVY_STATUS_CANCELLED);
    release(&stopped);
    how.progress = NULL;
    how.resume = 1;
    const seen resumed = see_put(&p, &how);
    assert_same(&want, &resumed);
    unlink(how.journal);
    how = on_cpu;
    for (uint32_t k = 0; k < 2; ++k) {
        how.journal = paths[k];
        how.part = k + 1;
        how.parts = 2;
        priced part = price_of(&p, &how);
        release(&part);
    }
    priced merged = price_of(&p, &on_cpu);
    levy_results_destroy(merged.results);
    const levy_merge_options merge = {.struct_size = sizeof merge, .paths = paths, .n_paths = 2};
    assert_int_equal(levy_merge(merged.book, &merge, &merged.results), LEVY_STATUS_OK);
    const seen whole = see(merged.results);
    assert_same(&want, &whole);
    release(&merged);
    unlink(paths[0]);
    unlink(paths[1]);
}

/* A scenario has a rule of its own: that of a book with its quotes. */
static void test_a_scenario_is_fitted_anew(void **state)
{
    static const char shifted[] =
        "simulation: {paths: 2^14}\n"
        "scenarios: [{id: wild, shifts: [{factor: A.volatility, type: absolute, size: 0.1}]}]\n";
    const put p = {36, 0.25, lognormal, fitted, shifted},
              wild = {36, 0.35, lognormal, fitted, few_paths};
    priced made = price_of(&p, &on_cpu);
    const levy_measure *const scenario =
        find_measure(find_trade(made.results, "put"), "scenario_price", "wild");
    const seen want = see_put(&wild, &on_cpu);
    (void)state;
    assert_true(scenario->value == want.price);
    release(&made);
}

/* ---- Other models ---- */

/* The rule reads the variance: without it the price would be 4.49. By finite differences on 400
 * levels and 150 variances it is 4.6187. */
static void test_the_rule_of_heston_reads_the_variance(void **state)
{
    static const char model[] =
        "{kind: heston, assets: [A], v0: 0.04, theta: 0.09, kappa: 2, xi: 0.8, rho: -0.6}";
    const put p = {36, 0.2, model,
                   "style: bermudan, expiry: 1, dates: {count: 12}, fit: {paths: 2^14}", few_paths};
    const seen got = see_put(&p, &on_cpu);
    (void)state;
    assert_true(got.price <= 4.6187 + 4.0 * got.error);
    assert_true(got.price >= 0.997 * 4.6187 - 4.0 * got.error && got.error < 0.02);
}

/* More than at expiry alone, whatever moves the asset. */
static void test_every_model_can_be_exercised(void **state)
{
    static const char *const models[] = {
        "{kind: bates, assets: [A], v0: 0.04, theta: 0.04, kappa: 2, xi: 0.3, rho: -0.7, "
        "intensity: 0.5, jump_mean: -0.1, jump_volatility: 0.15}",
        "{kind: variance_gamma, assets: [A], sigma: 0.2, theta: -0.1, nu: 0.2}",
        "{kind: black_scholes, assets: [A], jumps: [{intensity: 0.5, mark: {kind: normal, mean: "
        "-0.1, volatility: 0.15}}]}"};
    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; ++i) {
        const put early = {36, 0.2, models[i], fitted, few_paths},
                  late = {36, 0.2, models[i], "expiry: 1", few_paths};
        const seen want = see_put(&late, &on_cpu), got = see_put(&early, &on_cpu);
        assert_true(got.price > want.price + 0.1);
    }
}

/* ---- Several assets ---- */

/* L. Andersen and M. Broadie, Management Science 50, 2004, tables 1 and 2, by quadrature; J.
 * Barraquand and D. Martineau, J. Financial and Quantitative Analysis 30, 1995, likewise. A
 * geometric basket is one lognormal asset. To exchange an asset that pays nothing early gains
 * nothing: W. Margrabe, J. Finance 33, 1978. */
static void test_levels_of_several_assets(void **state)
{
    enum { UNLIKE = -1 }; /* 0.1 of the second asset alone */
    static const struct {
        double rate, spot[3], yield, volatility[3], correlation, expiry;
        size_t n, dates;
        const char *payoff;
        double price;
    } cases[] = {{0.05,
                  {90, 90, 0},
                  0.1,
                  {0.2, 0.2, 0},
                  0,
                  3,
                  2,
                  9,
                  "{kind: best_of, option_type: call, strike: 100}",
                  8.0728147},
                 {0.05,
                  {110, 110, 110},
                  0.1,
                  {0.2, 0.2, 0.2},
                  0,
                  3,
                  3,
                  9,
                  "{kind: best_of, option_type: call, strike: 100}",
                  27.567},
                 {0.05,
                  {100, 100, 100},
                  0,
                  {0.3, 0.3, 0.3},
                  0.5,
                  1,
                  3,
                  10,
                  "{kind: basket, basket_type: geometric, option_type: put, strike: 100}",
                  8.1741529},
                 {0.05, {100, 100, 0}, 0, {0.2, 0.3, 0}, 0.5, 1, 2, 4, "{kind: exchange}", 10.524},
                 /* of unlike assets: on a lattice of densities of two log spots, by FFT */
                 {0.1,
                  {100, 100, 0},
                  UNLIKE,
                  {0.1, 0.1, 0},
                  -0.5,
                  3,
                  2,
                  2,
                  "{kind: worst_of, option_type: call, strike: 90}",
                  8.2465}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[2048];
        size_t n = (size_t)snprintf(text, sizeof text,
                                    "schema_version: 1\nmarket:\n  curves: {USD: %g}\n  assets:\n",
                                    cases[i].rate);
        for (size_t u = 0; u < cases[i].n; ++u)
            n += (size_t)snprintf(
                text + n, sizeof text - n,
                "    A%zu: {currency: USD, spot: %g, dividend_yield: %g, volatility: %g}\n", u,
                cases[i].spot[u], cases[i].yield < 0.0 ? 0.1 * (double)u : cases[i].yield,
                cases[i].volatility[u]);
        const bool third = cases[i].n > 2;
        const char *const more = third ? ", A2" : "";
        const double c = cases[i].correlation;
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "  correlations: {pairs: [[A0.spot, A1.spot, %g]", c);
        if (third)
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  ", [A0.spot, A2.spot, %g], [A1.spot, A2.spot, %g]", c, c);
        snprintf(text + n, sizeof text - n,
                 "]}\nmodels: {m: {kind: black_scholes, assets: [A0, A1%s]}}\n"
                 "trades:\n  - {id: put, underlyings: [A0, A1%s], payoff: %s,\n"
                 "     exercise: {style: bermudan, expiry: %g, dates: {count: %zu},\n"
                 "     fit: {paths: 2^13}}}\n"
                 "simulation: {paths: 2^15}\n",
                 more, more, cases[i].payoff, cases[i].expiry, cases[i].dates);
        priced made = price_alone(text, NULL, 0, &on_cpu);
        assert_priced(&made);
        const levy_trade_result *const got = find_trade(made.results, "put");
        print_message("%s: %.4f +- %.4f, %.4f\n", cases[i].payoff, got->price, got->std_error,
                      cases[i].price);
        assert_true(got->price <= cases[i].price + 0.005 + 4.0 * got->std_error);
        assert_true(got->price >= 0.995 * cases[i].price - 4.0 * got->std_error);
        release(&made);
    }
}

/* ---- What is refused ---- */

static void test_what_cannot_be_is_refused(void **state)
{
    static const struct {
        const char *exercise, *more, *words;
    } cases[] = {
        {"style: american, expiry: 1, method: simulation", NULL,
         "american exercise by simulation needs steps"},
        {"style: bermudan, expiry: 1, dates: [0.5], steps: 3, method: simulation", NULL,
         "bermudan exercise has its dates"},
        {"expiry: 1, steps: 3", NULL, "only american and bermudan exercise has steps"},
        {"expiry: 1, fit: {paths: 2^12}", NULL, "only american and bermudan exercise has fit"},
        {"style: american, expiry: 1, steps: 3", NULL, "is priced without paths"},
        {"style: american, expiry: 1, fit: {paths: 2^12}", NULL, "is priced without paths"},
        {"style: american, expiry: 1, steps: 3, method: simulation, fit: {paths: 1000}", NULL,
         "the paths are no power of two"},
        {"style: american, expiry: 1, steps: 3, method: simulation", "measures: [volga]\n",
         "volga of exercise by simulation needs fit: {policy: refit}"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const put p = {36, 0.2, lognormal, cases[i].exercise, cases[i].more};
        char *const own = strdup(text_of(&p)), *const measures = strstr(own, "measures: [");
        const char *const behind = strchr(measures, '\n') + 1;
        if (cases[i].more) memmove(measures, behind, strlen(behind) + 1);
        priced made = price_alone(own, NULL, 0, &on_cpu);
        assert_int_not_equal(made.status, LEVY_STATUS_OK);
        assert_non_null(strstr(levy_diagnostic_get(made.context, 0)->text, cases[i].words));
        release(&made);
        free(own);
    }
}

static void test_a_gpu_has_the_bits_of_the_cpu(void **state)
{
    const put p = {36, 0.2, lognormal, fitted, few_paths};
    levy_price_options how = on_cpu;
    const seen cpu = see_put(&p, &how);
    (void)state;
    how.device = "cuda";
    const seen gpu = see_put(&p, &how);
    assert_same(&cpu, &gpu);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest of_gpu[] = {cmocka_unit_test(test_a_gpu_has_the_bits_of_the_cpu)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_it_bounds_the_price_from_below),
        cmocka_unit_test(test_dates_by_count_are_those_that_are_written),
        cmocka_unit_test(test_the_price_says_what_it_is),
        cmocka_unit_test(test_the_price_under_steps_says_both),
        cmocka_unit_test(test_too_few_paths_are_said),
        cmocka_unit_test(test_today_is_decided_by_the_fit),
        cmocka_unit_test(test_a_staged_pipeline_has_the_bits_of_a_fused_one),
        cmocka_unit_test(test_ends_are_counted_by_date),
        cmocka_unit_test(test_today_is_counted),
        cmocka_unit_test(test_levels_are_those_of_the_grid),
        cmocka_unit_test(test_levels_that_few_paths_reach_are_not_told),
        cmocka_unit_test(test_bits_are_those_of_one_thread),
        cmocka_unit_test(test_it_depends_on_trade_and_market_alone),
        cmocka_unit_test(test_journals_and_parts_have_the_bits),
        cmocka_unit_test(test_a_scenario_is_fitted_anew),
        cmocka_unit_test(test_the_rule_of_heston_reads_the_variance),
        cmocka_unit_test(test_every_model_can_be_exercised),
        cmocka_unit_test(test_levels_of_several_assets),
        cmocka_unit_test(test_cash_takes_little_from_the_rule),
        cmocka_unit_test(test_the_rule_knows_of_cash),
        cmocka_unit_test(test_what_cannot_be_is_refused)};
    if (argc == 2 && strcmp(argv[1], "cuda") == 0)
        return cmocka_run_group_tests(of_gpu, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
