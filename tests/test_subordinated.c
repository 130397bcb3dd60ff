/* test_subordinated.c: variance gamma and normal inverse Gaussian assets against their
 * characteristic functions: European prices by Fourier inversion, forwards at every date, laws of
 * later increments (forward start), the joint law of all dates of an irregular grid (geometric
 * average), independence of assets, cash dividends, the limit of Brownian motion, and one
 * path-dependent price by all constructions. A. Lewis, A simple option formula for general
 * jump-diffusion and other exponential Levy processes, 2001, for the inversion. */
#include "tests/fewer_paths.h"
#include "tests/heap.h"
#include "tests/normal_law.h"
#include "tests/priced.h"
#include "tests/problem_load.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- The oracle ------------------------------------------------------------------------------ */

typedef struct process {
    bool nig;
    double a, b, c; /* sigma, nu, theta; or alpha, beta, delta */
} process;

static const process processes[] = {{false, 0.12, 0.2, -0.14},
                                    {false, 0.3, 0.9, 0.1},
                                    {true, 15.0, -5.0, 0.5},
                                    {true, 6.2, -3.9, 0.16}};
enum { PROCESSES = sizeof processes / sizeof *processes };

/* log E exp(i u X(1)), before what makes the forward the market's. */
static double complex process_exponent(process p, double complex u)
{
    if (p.nig)
        return p.c *
               (sqrt(p.a * p.a - p.b * p.b) - csqrt(p.a * p.a - (p.b + I * u) * (p.b + I * u)));
    return -clog(1.0 - I * u * p.c * p.b + 0.5 * p.a * p.a * p.b * u * u) / p.b;
}

/* log E exp(i u (log S(1) - log F(1))) */
static double complex process_centred(process p, double complex u)
{
    return process_exponent(p, u) - I * u * process_exponent(p, -I);
}

static double process_weight(int i, int last)
{
    if (i == 0 || i == last) return 1.0;
    return i % 2 ? 4.0 : 2.0;
}

/* A call on F exp(X(t)), undiscounted. Simpson's rule in log(u): the integrand is smooth and falls
 * at both ends. */
static double process_call(process p, double forward, double strike, double t)
{
    /* in a short time variance gamma's falls by a small power alone */
    const bool slow = !p.nig && t < 2.0 * p.b;
    const int steps = slow ? 800000 : 40000;
    const double k = log(forward / strike), h = (slow ? 24000.0 : 600.0) / steps;
    double sum = 0.0;
    for (int i = 0; i <= steps; ++i) {
        const double u = i * h, weight = process_weight(i, steps);
        sum +=
            weight * creal(cexp(I * u * k + t * process_centred(p, u - 0.5 * I))) / (u * u + 0.25);
    }
    return forward - sqrt(forward * strike) / M_PI * sum * h / 3.0;
}

/* ---- Books ----------------------------------------------------------------------------------- */

static const double rate = 0.05, dividend = 0.02;
static char text[1 << 15];

static const char *process_text(process p, const char *assets)
{
    static char words[256];
    snprintf(
        words, sizeof words,
        p.nig ? "{kind: normal_inverse_gaussian, assets: [%s], alpha: [%.17g], beta: [%.17g], "
                "delta: [%.17g]}"
              : "{kind: variance_gamma, assets: [%s], sigma: [%.17g], nu: [%.17g], theta: [%.17g]}",
        assets, p.a, p.b, p.c);
    return words;
}

/* A book of one model of A (and B), its trades, and the settings after `paths`. */
static void book_begin(const char *model, const char *asset_more)
{
    snprintf(text, sizeof text,
             "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n"
             "    A: {currency: USD, spot: 100, dividend_yield: 0.02%s}\n    B: {currency: USD, "
             "spot: 100, dividend_yield: 0.02}\n"
             "models:\n  m: %s\ntrades:\n",
             asset_more, model);
}

static void book_trade(const char *id, double expiry, const char *underlyings, const char *payoff)
{
    const size_t at = strlen(text);
    snprintf(
        text + at, sizeof text - at,
        "  - {id: %s, %s, position: long, quantity: 1, exercise: {expiry: %.17g}, payoff: {%s}}\n",
        id, underlyings, expiry, payoff);
}

static void book_end(const char *settings)
{
    const size_t at = strlen(text);
    snprintf(text + at, sizeof text - at, "simulation: {%s}\n", settings);
}

static void book_end_fewer(const char *settings)
{
    book_end(settings);
    fewer_paths(text);
}

static priced book_price(void)
{
    const priced it = price_alone(text, NULL, 0, NULL);
    assert_priced(&it);
    return it;
}

static const levy_trade_result *book_result(const priced *it, size_t index)
{
    const levy_trade_result *const trade = levy_results_trade(it->results, index);
    if (strcmp(trade->status, "ok") != 0)
        fail_msg("%s: %s", trade->id, trade->message ? trade->message : trade->reason);
    assert_true(trade->std_error > 0.0);
    return trade;
}

/* Within 4 standard errors and `room`. */
static void assert_estimate(const levy_trade_result *trade, double want, double room,
                            const char *settings)
{
    const bool good = fabs(trade->price - want) <= 4.0 * trade->std_error + room;
    if (!good)
        print_error("%s, %s: %.10g +- %.2g, want %.10g\n", trade->id, settings, trade->price,
                    trade->std_error, want);
    assert_true(good);
}

static const char *const ways[] = {
    "paths: 2^16, generator: sobol_scrambled, construction: bridge",
    "paths: 2^16, generator: sobol_scrambled, construction: incremental",
    "paths: 2^16, generator: philox, construction: bridge",
    "paths: 2^16, generator: philox, construction: incremental",
    "paths: 2^16, generator: mrg32k3a, construction: bridge",
    "paths: 2^16, generator: mrg32k3a, construction: incremental"};
enum { WAYS = sizeof ways / sizeof *ways };

/* ---- Tests ----------------------------------------------------------------------------------- */

static void test_the_oracle_is_the_published_price(void **state)
{
    (void)state;
    /* Fang, Oosterlee 2008 */
    assert_true(fabs(exp(-0.1) * process_call(processes[0], 100.0 * exp(0.1), 90.0, 1.0) -
                     19.099354724) < 1e-8);
    /* fypy's own tests */
    assert_true(fabs(exp(-0.05) * process_call(processes[2], 100.0 * exp(0.04), 100.0, 1.0) -
                     9.630006931304) < 1e-8);
}

static void test_europeans_are_fourier_integrals(void **state)
{
    (void)state;
    static const double expiries[] = {0.25, 2.0}, strikes[] = {80.0, 100.0, 130.0};
    for (size_t p = 0; p < PROCESSES; ++p)
        for (size_t w = 0; w < WAYS; ++w) {
            book_begin(process_text(processes[p], "A"), "");
            for (size_t i = 0; i < 6; ++i) {
                char id[32], payoff[96];
                snprintf(id, sizeof id, "t%zu", i);
                snprintf(payoff, sizeof payoff, "kind: european, option_type: call, strike: %g",
                         strikes[i % 3]);
                book_trade(id, expiries[i / 3], "underlying: A", payoff);
            }
            book_end(ways[w]);
            priced it = book_price();
            for (size_t i = 0; i < 6; ++i) {
                const double t = expiries[i / 3], forward = 100.0 * exp((rate - dividend) * t);
                assert_estimate(book_result(&it, i),
                                exp(-rate * t) *
                                    process_call(processes[p], forward, strikes[i % 3], t),
                                1e-9, ways[w]);
            }
            release(&it);
        }
}

static const char irregular[] = "[0.003, 0.01, 0.3, 0.31, 0.7, 0.71, 0.72, 1.1, 1.9, 2.0]";
static const double irregular_times[] = {0.003, 0.01, 0.3, 0.31, 0.7, 0.71, 0.72, 1.1, 1.9, 2.0};
enum { IRREGULAR = sizeof irregular_times / sizeof *irregular_times };

/* The average of ten forwards, all martingales; the expected geometric average, which knows the
 * joint law of all dates. */
static void test_averages_know_every_date(void **state)
{
    (void)state;
    char arithmetic[256], geometric[256];
    snprintf(arithmetic, sizeof arithmetic,
             "kind: asian, option_type: call, strike: 1, averaging: {method: arithmetic, "
             "observations: %s}",
             irregular);
    snprintf(geometric, sizeof geometric,
             "kind: asian, option_type: call, strike: 1, averaging: {method: geometric, "
             "observations: %s}",
             irregular);
    for (size_t p = 0; p < PROCESSES; ++p) {
        double mean = 0.0, log_mean = log(100.0), before = 0.0;
        for (int k = 0; k < IRREGULAR; ++k) {
            const double t = irregular_times[k], weight = (double)(IRREGULAR - k) / IRREGULAR;
            mean += 100.0 * exp((rate - dividend) * t) / IRREGULAR;
            log_mean += (rate - dividend) * t / IRREGULAR +
                        (t - before) * creal(process_centred(processes[p], -I * weight));
            before = t;
        }
        for (size_t w = 0; w < WAYS + 2; ++w) {
            const char *const way = w == WAYS ? "paths: 2^16, construction: {kind: bridge, order: "
                                                "[3, 10, 1, 7, 8, 2, 5, 6, 4, 9]}"
                                    : w == WAYS + 1
                                        ? "paths: 2^16, construction: {kind: bridge, first: [0.7]}"
                                        : ways[w];
            book_begin(process_text(processes[p], "A"), "");
            book_trade("arithmetic", 2.0, "underlying: A", arithmetic);
            book_trade("geometric", 2.0, "underlying: A", geometric);
            book_end_fewer(way);
            priced it = book_price();
            /* the average is below 1 hardly ever */
            assert_estimate(book_result(&it, 0), exp(-rate * 2.0) * (mean - 1.0), 1e-4, way);
            assert_estimate(book_result(&it, 1), exp(-rate * 2.0) * (exp(log_mean) - 1.0), 1e-4,
                            way);
            release(&it);
        }
    }
}

/* From a reset on, the return has the law of the time left, whatever came before. */
static void test_forward_starts_see_the_later_increment(void **state)
{
    (void)state;
    for (size_t p = 0; p < PROCESSES; ++p)
        for (size_t w = 0; w < WAYS; ++w) {
            book_begin(process_text(processes[p], "A"), "");
            book_trade("later", 1.0, "underlying: A",
                       "kind: forward_start, form: absolute, strike_fraction: 1.05, reset: 0.4, "
                       "option_type: call");
            book_end_fewer(ways[w]);
            priced it = book_price();
            const double call = process_call(processes[p], exp((rate - dividend) * 0.6), 1.05, 0.6);
            assert_estimate(book_result(&it, 0),
                            exp(-rate) * 100.0 * exp((rate - dividend) * 0.4) * call, 1e-9,
                            ways[w]);
            release(&it);
        }
}

static void test_assets_are_independent(void **state)
{
    (void)state;
    for (size_t p = 0; p < PROCESSES; ++p)
        for (size_t w = 0; w < WAYS; ++w) {
            double mean = 0.0;
            book_begin(process_text(processes[p], "A, B"), "");
            book_trade("product", 1.0,
                       "underlyings: [{name: A, weight: 0.5}, {name: B, weight: 0.5}]",
                       "kind: basket, basket_type: geometric, option_type: call, strike: 1");
            book_trade("exchange", 1.0, "underlyings: [A, B]", "kind: exchange");
            book_end_fewer(ways[w]);
            priced it = book_price();
            mean =
                100.0 * exp(rate - dividend + 2.0 * creal(process_centred(processes[p], -0.5 * I)));
            assert_estimate(book_result(&it, 0), exp(-rate) * (mean - 1.0), 1e-4, ways[w]);
            /* E max(S1 - S2, 0) = 0.5 E |S1 - S2|: of independent equals, below that of the asset
             * against its forward doubled */
            assert_true(book_result(&it, 1)->price >
                        exp(-rate) * process_call(processes[p], 100.0 * exp(rate - dividend),
                                                  100.0 * exp(rate - dividend), 1.0));
            release(&it);
        }
}

/* A dividend in cash lowers the forward by its value carried on; the law of the rest is unchanged.
 */
static void test_cash_dividends_lower_forwards(void **state)
{
    (void)state;
    for (size_t p = 0; p < PROCESSES; ++p)
        for (size_t w = 0; w < WAYS; w += 2) {
            book_begin(process_text(processes[p], "A"),
                       ", dividends: {cash: [[0.3, 2], [0.8, 3]]}");
            book_trade("forward", 1.0, "underlying: A",
                       "kind: european, option_type: call, strike: 0.001");
            book_end_fewer(ways[w]);
            priced it = book_price();
            const double carry = rate - dividend,
                         forward =
                             100.0 * exp(carry) - 2.0 * exp(carry * 0.7) - 3.0 * exp(carry * 0.2);
            assert_estimate(book_result(&it, 0), exp(-rate) * (forward - 0.001), 1e-4, ways[w]);
            release(&it);
        }
}

/* A clock that hardly varies: Brownian motion. */
static void test_the_limit_is_black_scholes(void **state)
{
    (void)state;
    static const process calm[] = {{false, 0.2, 1e-4, 0.0}, {true, 2000.0, 0.0, 80.0}};
    const double forward = 100.0 * exp(rate - dividend), d = log(forward / 105.0) / 0.2 + 0.1;
    const double black = exp(-rate) * (forward * normal_cdf(d) - 105.0 * normal_cdf(d - 0.2));
    for (size_t p = 0; p < 2; ++p)
        for (int single = 0; single < 2; ++single) {
            const char *const way = single ? "paths: 2^17, precision: single" : "paths: 2^17";
            book_begin(process_text(calm[p], "A"), "");
            book_trade("call", 1.0, "underlying: A",
                       "kind: european, option_type: call, strike: 105");
            book_trade("asian", 1.0, "underlying: A",
                       "kind: asian, option_type: call, strike: 1, averaging: {method: geometric, "
                       "observations: {count: 8}}");
            book_end_fewer(way);
            priced it = book_price();
            assert_estimate(book_result(&it, 0), black, 5e-4, way);
            const double mean = (rate - dividend - 0.02) * 4.5 / 8.0,
                         variance = 0.04 * 204.0 / 512.0;
            assert_estimate(book_result(&it, 1),
                            exp(-rate) * (100.0 * exp(mean + 0.5 * variance) - 1.0),
                            single ? 2e-3 : 5e-4, way);
            release(&it);
        }
}

/* One Asian by every generator and construction: all within 4 standard errors of each other; single
 * near double. */
static void test_asians_agree_by_all_constructions(void **state)
{
    (void)state;
    static const char *const more[] = {
        "paths: 2^16, precision: single", "paths: 2^16, precision: single, generator: philox",
        "paths: 2^16, generator: sobol, replicates: 1", "paths: 2^16, construction: pca"};
    for (size_t p = 0; p < PROCESSES; ++p) {
        double price[WAYS + 4], error[WAYS + 4];
        for (size_t w = 0; w < WAYS + 4; ++w) {
            const bool gamma_by_components = w == WAYS + 3 && !processes[p].nig,
                       plain = w == WAYS + 2;
            const char *const way = gamma_by_components ? ways[0]
                                    : w < WAYS          ? ways[w]
                                                        : more[w - WAYS];
            book_begin(process_text(processes[p], "A"), "");
            book_trade("asian", 1.0, "underlying: A",
                       "kind: asian, option_type: call, strike: 100, averaging: {observations: "
                       "{count: 24}}");
            book_end_fewer(way);
            priced it = book_price();
            const levy_trade_result *const trade =
                plain ? levy_results_trade(it.results, 0) : book_result(&it, 0);
            price[w] = trade->price;
            error[w] = plain ? 0.05 : trade->std_error;
            release(&it);
        }
        for (size_t v = 0; v < WAYS + 4; ++v)
            for (size_t w = 0; w < v; ++w) {
                const bool good = fabs(price[v] - price[w]) <= 4.0 * hypot(error[v], error[w]);
                if (!good)
                    print_error("process %zu, ways %zu and %zu: %.9g and %.9g\n", p, v, w, price[v],
                                price[w]);
                assert_true(good);
            }
        assert_true(fabs(price[WAYS] - price[0]) <= 2e-5 * price[0]); /* the same points, rounded */
    }
}

/* An asset may have a volatility where another model reads it; each model takes its own numbers. */
static void test_an_asset_may_have_two_models(void **state)
{
    (void)state;
    snprintf(text, sizeof text,
             "schema_version: 1\nmarket: {curves: {USD: 0.05}, assets: {A: {currency: USD, spot: "
             "100, volatility: 0.2}}}\n"
             "models:\n  plain: {kind: black_scholes, assets: [A]}\n  skewed: %s\ntrades:\n"
             "  - {id: t, model: plain, underlying: A, exercise: {expiry: 1}, payoff: {kind: "
             "european, option_type: call, strike: 90}}\n"
             "  - {id: u, model: skewed, underlying: A, exercise: {expiry: 1}, payoff: {kind: "
             "european, option_type: call, strike: 90}}\n",
             process_text(processes[0], "A"));
    priced it = book_price();
    const double forward = 100.0 * exp(0.05), d = log(forward / 90.0) / 0.2 + 0.1;
    assert_estimate(book_result(&it, 0),
                    exp(-0.05) * (forward * normal_cdf(d) - 90.0 * normal_cdf(d - 0.2)), 1e-9,
                    "plain");
    assert_estimate(book_result(&it, 1),
                    exp(-0.05) * process_call(processes[0], forward, 90.0, 1.0), 1e-9, "skewed");
    release(&it);
}

/* ---- Memory ---- */

static void test_plans_without_memory_say_so(void **state)
{
    (void)state;
    for (size_t p = 0; p < PROCESSES; p += 2) {
        int failed = 0;
        bool done = false;
        book_begin(process_text(processes[p], "A"), "");
        book_trade("asian", 2.0, "underlying: A",
                   "kind: asian, option_type: call, strike: 100, averaging: {observations: [0.003, "
                   "0.01, 0.3, 0.31, 0.7, 0.71, 0.72, 1.1, 1.9, 2.0]}");
        book_end("paths: 2^12, generator: philox");
        for (long allowed = 1; !done; ++allowed) {
            test_heap few = {.fail_at = allowed + 1, .for_ever = true};
            const levy_context_options options = heap_options(&few);
            levy_context *context = NULL;
            levy_book *book = NULL;
            levy_results *results = NULL;
            int status = levy_context_create(&options, &context);
            if (status == LEVY_STATUS_OK)
                status =
                    levy_book_load_text(context, "book.yaml", text, strlen(text), NULL, 0, &book);
            if (status == LEVY_STATUS_OK) status = levy_price(book, NULL, &results);
            done = status == LEVY_STATUS_OK &&
                   strcmp(levy_results_trade(results, 0)->status, "ok") == 0;
            failed += !done;
            levy_results_destroy(results);
            levy_book_destroy(book);
            levy_context_destroy(context);
            assert_true(allowed < 100000);
        }
        assert_true(failed > 20);
    }
}

/* What sizes bumps and grids: the deviation of a year, of the law's second cumulant. */
static void test_volatilities_are_those_of_the_laws(void **state)
{
    (void)state;
    static const double bend = 1e-4;
    for (size_t i = 0; i < PROCESSES; ++i) {
        const process p = processes[i];
        char keys[128];
        snprintf(keys, sizeof keys,
                 p.nig ? "kind: normal_inverse_gaussian, alpha: %g, beta: %g, delta: %g"
                       : "kind: variance_gamma, sigma: %g, nu: %g, theta: %g",
                 p.a, p.b, p.c);
        snprintf(text, sizeof text,
                 "schema_version: 1\nmarket: {curves: {USD: 0}, assets: {S: {currency: USD, spot: "
                 "100}}}\nmodels: {m: {%s, assets: [S]}}\ntrades: [{id: a, underlying: S, payoff: "
                 "{kind: european, option_type: call, strike: 100}, exercise: {expiry: 1}}]\n",
                 keys);
        loaded_book book = load_text(text);
        assert_non_null(book.problem);
        const levy_model *const m = &book.problem->models[0];
        const double variance =
            creal(process_exponent(p, bend) + process_exponent(p, -bend)) / (-bend * bend);
        assert_true(fabs(levy_model_kinds[m->kind]->volatility(m->terms, 0) - sqrt(variance)) <
                    1e-6);
        loaded_book_release(&book);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_oracle_is_the_published_price),
        cmocka_unit_test(test_volatilities_are_those_of_the_laws),
        cmocka_unit_test(test_europeans_are_fourier_integrals),
        cmocka_unit_test(test_averages_know_every_date),
        cmocka_unit_test(test_forward_starts_see_the_later_increment),
        cmocka_unit_test(test_assets_are_independent),
        cmocka_unit_test(test_cash_dividends_lower_forwards),
        cmocka_unit_test(test_the_limit_is_black_scholes),
        cmocka_unit_test(test_asians_agree_by_all_constructions),
        cmocka_unit_test(test_an_asset_may_have_two_models),
        cmocka_unit_test(test_plans_without_memory_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
