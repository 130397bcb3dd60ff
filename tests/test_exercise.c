/* test_exercise.c: early exercise without paths: the spectral method and finite differences against
 * each other, twice the resolution, a lattice and a quadrature of this file; and what a book, its
 * scenarios, quotes and results make of it. */
#include "tests/priced.h"

#include "tests/near.h"

#include "engine/base/split_mix.h"
#include "engine/exercise/exercise.h"
#include "engine/fourier/black.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- One asset on flat rates, and what is asked of it ---- */

typedef struct flat_case {
    double sign, spot, strike, rate, yield, volatility, years;
    size_t n_dates; /* Bermudan, evenly; 0: American */
    double ex_date, cash;
} flat_case;

enum { MOST_SPANS = 32 };

static levy_exercise_claim claim_of(const flat_case *c, levy_exercise_span *spans)
{
    const size_t n = c->n_dates ? c->n_dates : 1, dividends = c->cash > 0.0;
    double before = 0.0;
    levy_exercise_claim claim = {.sign = c->sign,
                                 .strike = c->strike,
                                 .american = c->n_dates == 0,
                                 .n = n + dividends,
                                 .spans = spans};
    for (size_t k = 0; k < claim.n; ++k) {
        const bool pays = dividends && k == 0;
        const double time = pays ? c->ex_date : c->years * (double)(k + 1 - dividends) / (double)n;
        const double years = time - before;
        spans[k] = (levy_exercise_span){.time = time,
                                        .years = years,
                                        .rate = c->rate * years,
                                        .growth = (c->rate - c->yield) * years,
                                        .variance = c->volatility * c->volatility * years,
                                        .cash = pays ? c->cash : 0.0,
                                        .kept = 1.0,
                                        .pays = pays,
                                        .exercise = !pays};
        before = time;
    }
    return claim;
}

/* [0] the price, [1] at half the resolution. */
static void by_differences(const flat_case *c, double value[3])
{
    levy_exercise_span spans[MOST_SPANS];
    levy_exercise_grid *const grid = malloc(sizeof *grid);
    levy_exercise_claim claim = claim_of(c, spans);
    assert_non_null(grid);
    levy_exercise_grid_plan(c->spot, NULL, &claim);
    levy_exercise_grid_solve(&claim, grid, NULL);
    levy_exercise_grid_at(&claim, grid, c->spot, value);
    free(grid);
}

static double by_boundary(const flat_case *c, const levy_boundary_rule *rule)
{
    const bool put = c->sign < 0.0;
    const double rate = put ? c->rate : c->yield;
    const double yield = put ? c->yield : c->rate;
    levy_boundary b;
    double unused;
    assert_true(levy_boundary_find(rule, rate, yield, c->volatility, c->years, NULL, &b));
    return put ? c->strike * levy_boundary_put(&b, c->spot / c->strike, &unused)
               : c->spot * levy_boundary_put(&b, c->strike / c->spot, &unused);
}

static double european(const flat_case *c)
{
    const double forward = c->spot * exp((c->rate - c->yield) * c->years),
                 put = forward *
                       levy_black_put(log(c->strike / forward), c->volatility * sqrt(c->years));
    return exp(-c->rate * c->years) * (c->sign < 0.0 ? put : put + forward - c->strike);
}

/* ---- References ---- */

/* A binomial lattice whose last step is Black's, extrapolated from half its steps (M. Broadie, J.
 * Detemple, Review of Financial Studies 9, 1996). Bermudan: n is a multiple of the dates. */
static double by_lattice_of(const flat_case *c, int n)
{
    enum { MOST = 1024 };
    double value[MOST + 1];
    const double dt = c->years / n, up = exp(c->volatility * sqrt(dt)),
                 p = (exp((c->rate - c->yield) * dt) - 1.0 / up) / (up - 1.0 / up),
                 discount = exp(-c->rate * dt);
    assert_true(n <= MOST);
    for (int k = n - 1; k >= 0; --k) {
        const bool may = c->n_dates == 0 || (k > 0 && k % (n / (int)c->n_dates) == 0);
        double spot = c->spot * pow(up, -k);
        for (int i = 0; i <= k; ++i, spot *= up * up) {
            flat_case rest = *c;
            rest.spot = spot;
            rest.years = dt;
            value[i] =
                k == n - 1 ? european(&rest) : discount * (p * value[i + 1] + (1.0 - p) * value[i]);
            if (may) value[i] = fmax(value[i], c->sign * (spot - c->strike));
        }
    }
    return value[0];
}

static double by_lattice(const flat_case *c)
{
    const int n = c->n_dates ? (int)c->n_dates * (960 / (int)c->n_dates) / 2 * 2 : 400;
    return 2.0 * by_lattice_of(c, n) - by_lattice_of(c, n / 2);
}

/* An American call with one dividend, at a rate above 0 and no yield: it pays to exercise just
 * before the ex-date alone, where the rest is Black's. By Simpson's rule over the normal law. */
static double by_quadrature(const flat_case *c)
{
    enum { N = 4000 };
    const double deviation = c->volatility * sqrt(c->ex_date), most = 8.5,
                 drift = (c->rate - c->yield) * c->ex_date - 0.5 * deviation * deviation;
    double sum = 0.0;
    for (int i = 0; i <= N; ++i) {
        const double z = most * (2.0 * i / N - 1.0), spot = c->spot * exp(drift + deviation * z);
        flat_case rest = *c;
        rest.spot = fmax(spot - c->cash, 1e-12);
        rest.years = c->years - c->ex_date;
        const double value = fmax(spot - c->strike, european(&rest)), weight = i == 0 || i == N
                                                                                   ? 1.0
                                                                               : i % 2 ? 4.0
                                                                                       : 2.0;
        sum += weight * value * exp(-0.5 * z * z);
    }
    return exp(-c->rate * c->ex_date) * sum * 2.0 * most / N / 3.0 / sqrt(2.0 * acos(-1.0));
}

/* ---- Generated cases ---- */

static double between(uint64_t *state, double low, double high)
{
    return low + (high - low) * (double)(levy_split_mix(state) >> 11) * 0x1p-53;
}

static flat_case generated(uint64_t *state, size_t n_dates)
{
    const double years = between(state, 0.02, 3.0), volatility = between(state, 0.1, 0.6);
    return (flat_case){.sign = between(state, -1.0, 1.0) < 0.0 ? -1.0 : 1.0,
                       .spot =
                           100.0 * exp(0.7 * volatility * sqrt(years) * between(state, -1.5, 1.5)),
                       .strike = 100.0,
                       .rate = between(state, 0.002, 0.09),
                       .yield = between(state, 0.002, 0.09),
                       .volatility = volatility,
                       .years = years,
                       .n_dates = n_dates};
}

/* As fine as levy's. */
static levy_boundary_rule fine;

/* The tolerance of flat markets: 1e-6 of the price and 1e-8 of the strike. */
static void test_spectral_against_twice_the_resolution(void **state)
{
    static levy_boundary_rule twice;
    uint64_t seed = 1;
    (void)state;
    levy_boundary_rule_make(18, 18, 64, &twice);
    for (int i = 0; i < 64; ++i) {
        const flat_case c = generated(&seed, 0);
        const double value = by_boundary(&c, &fine), exact = by_boundary(&c, &twice);
        assert_near(value, exact, 1e-6 * exact + 1e-8 * c.strike);
        assert_true(value >= european(&c) - 1e-9 && value >= c.sign * (c.spot - c.strike));
    }
}

static void test_differences_against_spectral(void **state)
{
    uint64_t seed = 2;
    double value[3];
    (void)state;
    for (int i = 0; i < 32; ++i) {
        const flat_case c = generated(&seed, 0);
        by_differences(&c, value);
        assert_near(value[0], by_boundary(&c, &fine), 1e-5 * c.strike);
    }
}

/* The lattice's own error is most of the difference. 64 trades on all markets have another one
 * (test_generated_books.c). */
static void test_against_the_lattice(void **state)
{
    uint64_t seed = 3;
    double value[3];
    (void)state;
    for (int i = 0; i < 32; ++i) {
        const flat_case c = generated(&seed, i % 4 == 0 ? 0 : (size_t)(1 + i % 8));
        by_differences(&c, value);
        assert_near(value[0], by_lattice(&c), 1e-4 * c.strike);
    }
}

static void test_cash_against_quadrature(void **state)
{
    static const double ex_dates[] = {0.001, 0.02, 0.5, 0.97, 0.9999}, cash[] = {0.01, 1.0, 20.0};
    double value[3];
    (void)state;
    for (size_t i = 0; i < 5; ++i)
        for (size_t k = 0; k < 3; ++k)
            for (double spot = 80.0; spot < 140.0; spot += 20.0) {
                const flat_case c = {1.0,  spot, 100.0, 0.05,        0.0,
                                     0.25, 1.0,  0,     ex_dates[i], cash[k]};
                by_differences(&c, value);
                assert_near(value[0], by_quadrature(&c), 1e-5 * c.strike);
            }
}

/* A put at a rate below 0 and a yield further below is exercised between two boundaries. */
static void test_two_boundaries(void **state)
{
    double value[3];
    (void)state;
    for (double spot = 40.0; spot < 120.0; spot += 10.0) {
        const flat_case put = {-1.0, spot, 100.0, -0.005, -0.04, 0.15, 5.0, 0, 0.0, 0.0},
                        call = {1.0, spot, 100.0, -0.04, -0.005, 0.15, 5.0, 0, 0.0, 0.0};
        by_differences(&put, value);
        assert_near(value[0], by_lattice(&put), 1e-4 * put.strike);
        assert_true(value[0] >= european(&put) - 1e-5 * put.strike);
        by_differences(&call, value);
        assert_near(value[0], by_lattice(&call), 1e-4 * call.strike);
    }
}

/* A call deep in the money that may be exercised on one date before expiry, where the rest is
 * nearly a forward: it is worth that, and a call on what exercise saves. */
static void test_deep_in_the_money(void **state)
{
    enum { STRIKE = 40 };
    double value[3];
    (void)state;
    for (double spot = 85.0; spot < 130.0; spot += 5.0) {
        const flat_case c = {1.0, spot, STRIKE, 0.04, 0.015, 0.2, 1.0, 2, 0.0, 0.0};
        const double share = 1.0 - exp(-c.yield / 2.0),
                     saved = c.strike * (1.0 - exp(-c.rate / 2.0)) / share,
                     forward = spot * exp((c.rate - c.yield) / 2.0),
                     put = forward * levy_black_put(log(saved / forward), c.volatility * sqrt(0.5)),
                     rest = share * exp(-c.rate / 2.0) * (put + forward - saved);
        by_differences(&c, value);
        assert_near(value[0], european(&c) + rest, 1e-5 * c.strike);
    }
}

static void test_ends(void **state)
{
    double value[3];
    (void)state;
    for (double volatility = 0.002; volatility < 3.0; volatility *= 5.0)
        for (double years = 0.001; years < 30.0; years *= 10.0)
            for (int sign = -1; sign <= 1; sign += 2)
                for (double spot = 50.0; spot < 300.0; spot *= 1.4) {
                    const flat_case c = {sign,       spot,  100.0, 0.03, 0.02,
                                         volatility, years, 0,     0.0,  0.0};
                    const double least = fmax(european(&c), sign * (spot - c.strike)),
                                 spectral = by_boundary(&c, &fine);
                    assert_true(spectral >= least - 1e-9 * c.strike);
                    by_differences(&c, value);
                    if (fabs(log(spot / c.strike)) < 4.0 * volatility * sqrt(years))
                        assert_near(value[0], spectral, 1e-5 * fmax(spot, c.strike));
                }
}

/* ---- A book ---- */

#define MARKET                                                                                     \
    "schema_version: 1\nmarket:\n  curves: {USD: 0.06}\n  assets:\n"                               \
    "    S: {currency: USD, spot: 36, volatility: 0.2}\n"                                          \
    "    D: {currency: USD, spot: 100, volatility: {kind: term, nodes: [[0.5, 0.3], [1, 0.25]]}, " \
    "dividends: {cash: [[0.2, 1.5], [0.7, 1.5]], proportional: [[0.4, 0.01]]}}\n"                  \
    "models:\n  mS: {kind: black_scholes, assets: [S]}\n  mD: {kind: black_scholes, assets: "      \
    "[D]}\n"
#define TRADE(id, asset, payoff, exercise)                                                         \
    "  - {id: " id ", model: m" asset ", underlying: " asset ", payoff: {kind: european, " payoff  \
    "}, exercise: {" exercise "}}\n"
#define TRADES                                                                                     \
    TRADE("put", "S", "option_type: put, strike: 40", "style: american, expiry: 1")                \
    TRADE("call", "S", "option_type: call, strike: 40", "style: american, expiry: 1")              \
    TRADE("european", "S", "option_type: call, strike: 40", "expiry: 1")                           \
    TRADE("dates", "S", "option_type: put, strike: 40",                                            \
          "style: bermudan, expiry: 1, dates: {count: 50}")                                        \
    TRADE("cash", "D", "option_type: put, strike: 105", "style: american, expiry: 1")              \
    TRADE("deep", "S", "option_type: put, strike: 80", "style: american, expiry: 1")               \
    TRADE("today", "S", "option_type: put, strike: 40", "style: american, expiry: 0")

static priced price_book(const char *text)
{
    priced p = price_alone(text, NULL, 0, NULL);
    assert_priced(&p);
    return p;
}

/* Prices are those of tests/reference, recomputed there to 1e-9. */
static void test_a_book(void **state)
{
    priced p =
        price_book(MARKET "measures: [price, delta, gamma, vega, theta, rho]\ntrades:\n" TRADES);
    const levy_trade_result *const put = find_trade(p.results, "put"),
                                   *const dates = find_trade(p.results, "dates"),
                                   *const call = find_trade(p.results, "call"),
                                   *const deep = find_trade(p.results, "deep");
    (void)state;
    assert_near(dates->price, 4.477811111141, 1e-5 * 40.0);
    assert_near(dates->price, 4.477811111141, 4.0 * dates->std_error);
    assert_near(find_measure(dates, "vega", NULL)->value, 10.9552125, 0.001);
    assert_near(put->price, 4.48667, 5e-6);
    assert_true(put->std_error > 0.0 && put->std_error < 1e-4 && put->paths == 0);
    assert_string_equal(put->interval, "normal");
    assert_non_null(strstr(find_measure(put, "price", NULL)->note, "deterministic: spectral"));
    assert_non_null(strstr(find_measure(dates, "price", NULL)->note, "finite differences"));
    assert_non_null(strstr(find_measure(call, "price", NULL)->note, "Black"));
    assert_int_equal(find_measure(put, "price", NULL)->flagged, 0);
    assert_near(call->price, find_trade(p.results, "european")->price,
                6.0 * find_trade(p.results, "european")->std_error);
    assert_true(deep->price == 44.0);
    assert_near(find_measure(deep, "delta", NULL)->value, -1.0, 1e-12);
    assert_near(find_measure(deep, "gamma", NULL)->value, 0.0, 1e-9);
    assert_near(find_measure(deep, "vega", NULL)->value, 0.0, 1e-9);
    assert_near(find_trade(p.results, "today")->price, 4.0, 1e-13);
    release(&p);
}

/* An option that expires tomorrow has a theta: it is then worth what it pays. It was sought on a
 * grid without width, and never found. */
static void test_theta_of_the_last_day(void **state)
{
    priced p =
        price_book(MARKET "measures: [price, theta]\ntrades:\n" TRADE(
            "put", "S", "option_type: put, strike: 37",
            "style: american, expiry: 0.0027397260273972603")
                       TRADE("dates", "D", "option_type: call, strike: 99",
                             "style: bermudan, expiry: 0.0027397260273972603, dates: [0.001]"));
    static const double paid[] = {1.0, 1.0};
    (void)state;
    for (size_t t = 0; t < 2; ++t) {
        const levy_trade_result *const trade = levy_results_trade(p.results, t);
        assert_near(find_measure(trade, "theta", NULL)->value, paid[t] - trade->price, 1e-9);
    }
    release(&p);
}

/* A book of one trade on an asset under a flat rate, and its rho. */
#define FLAT(rate, asset, trade)                                                                   \
    "schema_version: 1\nmarket:\n  curves: {USD: " rate "}\n  assets: {S: {currency: USD, " asset  \
    "}}\nmodels: {mS: {kind: black_scholes, assets: [S]}}\nmeasures: [price, "                     \
    "rho]\ntrades:\n" trade
static const levy_measure *rho_of(const priced *p)
{
    return find_measure(levy_results_trade(p->results, 0), "rho", NULL);
}

/* Where rate and yield are alike a price bends with the rate: wide bumps of it would miss rho by 2
 * %. By a five-point rule on the spectral method with bumps of 2e-4. */
static void test_rho_where_prices_bend(void **state)
{
    priced p = price_book(FLAT(
        "0.01", "spot: 97.76674224764542, volatility: 0.13588757049772723, dividend_yield: 0.01",
        TRADE("call", "S", "option_type: call, strike: 100",
              "style: american, expiry: 0.4986301369863014")));
    (void)state;
    assert_near(rho_of(&p)->value, 17.790, 2.0 * rho_of(&p)->std_error);
    assert_true(rho_of(&p)->std_error < 0.05);
    release(&p);
}

/* The bump of a rate is biased, and the coarse boundary misses as much on the other side: both
 * count. By a five-point rule on a spectral method of another library with bumps of 5e-4. */
static void test_rho_is_no_surer_than_both_errors(void **state)
{
    priced p = price_book(FLAT("0.012017419636060258",
                               "spot: 65.69178127636468, volatility: 0.5932341965719518, "
                               "dividend_yield: 0.02856157576380853",
                               TRADE("put", "S", "option_type: put, strike: 100",
                                     "style: american, expiry: 1.2876712328767124")));
    (void)state;
    assert_near(rho_of(&p)->value, -88.9917, 2.0 * rho_of(&p)->std_error);
    release(&p);
}

/* What half the resolution changes has no sign: a sum of what is held and written is no surer. */
static void test_errors_of_a_sum_add_up(void **state)
{
    priced p = price_book(
        MARKET "trades:\n" TRADE("cash", "D", "option_type: put, strike: 105",
                                 "style: american, expiry: 1") "  - {id: short, position: short, "
                                                               "model: mD, underlying: D, payoff: "
                                                               "{kind: european, option_type: put, "
                                                               "strike: 95}, exercise: {style: "
                                                               "american, expiry: 1}}\n");
    const double least = fmax(levy_results_trade(p.results, 0)->std_error,
                              levy_results_trade(p.results, 1)->std_error);
    (void)state;
    assert_true(levy_results_netted(p.results, 0)->std_error >= least);
    release(&p);
}

/* A scenario has the bits of the book with its quotes, and sums those of their parts. */
static void test_a_scenario_is_a_book(void **state)
{
    static const char *const factors[] = {"S.spot", "D.spot", "S.volatility", "USD.rate"};
    priced p = price_book(
        MARKET "scenarios: [{id: moved, shifts: [{factor: S.spot, type: relative, size: -0.25}, "
               "{factor: D.spot, type: relative, size: -0.25}, {factor: S.volatility, type: "
               "absolute, size: 0.125}, {factor: USD.rate, type: absolute, size: "
               "-0.03125}]}]\ntrades:\n" TRADES);
    const double quotes[] = {27.0, 75.0, 0.2 + 0.125, 0.06 - 0.03125};
    levy_results *moved = NULL;
    (void)state;
    for (size_t i = 0; i < 4; ++i)
        assert_int_equal(levy_book_set(p.book, factors[i], quotes[i]), LEVY_STATUS_OK);
    assert_int_equal(levy_price(p.book, NULL, &moved), LEVY_STATUS_OK);
    double sum = 0.0;
    for (size_t t = 0; t < levy_results_size(p.results); ++t) {
        const levy_trade_result *const trade = levy_results_trade(p.results, t);
        sum += trade->price;
        if (strcmp(trade->id, "european") == 0) continue;
        assert_true(find_measure(trade, "scenario_price", "moved")->value ==
                    levy_results_trade(moved, t)->price);
    }
    assert_near(levy_results_netted(p.results, 0)->value, sum, 1e-12 * sum);
    levy_results_destroy(moved);
    release(&p);
}

/* What has been exercised is known: of today by the spot, of before it has been paid. */
static void test_exercised(void **state)
{
    priced p = price_book(
        MARKET
        "measures: [price, delta]\ntrades:\n" TRADE("today", "S", "option_type: put, strike: 40",
                                                    "style: american, expiry: 1, exercised: 0")
            TRADE("before", "S", "option_type: put, strike: 40",
                  "style: bermudan, expiry: 1, dates: [-0.1, 0.5], method: simulation, "
                  "exercised: -0.1"));
    const levy_trade_result *const today = find_trade(p.results, "today");
    (void)state;
    assert_near(today->price, 4.0, 1e-12);
    assert_near(find_measure(today, "delta", NULL)->value, -1.0, 1e-9);
    assert_string_equal(today->interval, "exact");
    assert_true(find_trade(p.results, "before")->price == 0.0);
    assert_int_equal(levy_diagnostic_count(p.context), 0);
    release(&p);
}

/* ---- Levels ---- */

#define LEVELS                                                                                     \
    "schema_version: 1\nmarket:\n  curves: {USD: 0.06, BENT: {kind: zero, nodes: [[0.5, 0.06], "   \
    "[1, 0.060000001]]}}\n  assets:\n"                                                             \
    "    S: {currency: USD, spot: 40, volatility: 0.2}\n"                                          \
    "    B: {currency: USD, curve: BENT, spot: 40, volatility: 0.2}\n"                             \
    "    C: {currency: USD, spot: 40, volatility: 0.2, dividends: {cash: [[0.4, "                  \
    "2]]}}\n"                                                                                      \
    "models: {mS: {kind: black_scholes, assets: [S]}, mB: {kind: black_scholes, assets: [B]}, "    \
    "mC: {kind: black_scholes, assets: [C]}}\nmeasures: [price, boundary]\ntrades:\n" TRADE(       \
        "perpetual", "S", "option_type: put, strike: 40", "style: american, expiry: 100")          \
        TRADE("flat", "S", "option_type: put, strike: 40", "style: american, expiry: 1")           \
            TRADE("bent", "B", "option_type: put, strike: 40", "style: american, expiry: 1")       \
                TRADE("never", "S", "option_type: call, strike: 40", "style: american, expiry: 1") \
                    TRADE("paid", "C", "option_type: call, strike: 30",                            \
                          "style: american, expiry: 0.5")

static double level_at(const priced *p, const char *id, const char *time)
{
    const levy_measure *const level = find_measure(find_trade(p->results, id), "boundary", time);
    return level ? level->value : NAN;
}

/* The spot before a dividend of 2 from which on the call gains less by what is left than it pays:
 * S - 30 = C(S - 2). */
static double level_before_cash(void)
{
    double low = 30.0, high = 80.0;
    for (int i = 0; i < 60; ++i) {
        const double at = 0.5 * (low + high);
        const flat_case rest = {.sign = 1.0,
                                .spot = at - 2.0,
                                .strike = 30.0,
                                .rate = 0.06,
                                .volatility = 0.2,
                                .years = 0.1};
        if (european(&rest) > at - 30.0)
            low = at;
        else
            high = at;
    }
    return high;
}

/* A perpetual put is exercised at K g / (1 + g), g = 2 r / sigma^2 (R. Merton, 1973). */
static void test_levels(void **state)
{
    priced p = price_book(LEVELS);
    (void)state;
    assert_near(level_at(&p, "perpetual", "0"), 30.0, 0.01);
    assert_near(level_at(&p, "bent", "0"), level_at(&p, "flat", "0"), 0.03);
    assert_true(level_at(&p, "flat", "0.4375000000000001") > level_at(&p, "flat", "0"));
    assert_true(level_at(&p, "flat", "1") == 40.0);
    assert_null(find_measure(find_trade(p.results, "never"), "boundary", NULL));
    assert_int_equal(find_trade(p.results, "paid")->n_measures, 2);
    assert_near(level_at(&p, "paid", "0.4"), level_before_cash(), 0.01);
    release(&p);
}

/* At expiry a put is exercised below min(K, r K / q), also where nodes before it share its day. */
static void test_levels_by_date(void **state)
{
    priced p = price_book(
        "schema_version: 1\nvaluation_date: 2026-11-20\nmarket:\n  curves: {USD: 0.03}\n  assets:\n"
        "    S: {currency: USD, spot: 40, volatility: 0.2, dividend_yield: 0.01}\n"
        "    Q: {currency: USD, spot: 40, volatility: 0.2, dividend_yield: 0.04}\n"
        "models: {mS: {kind: black_scholes, assets: [S]}, mQ: {kind: black_scholes, assets: [Q]}}\n"
        "measures: [price, boundary]\ntrades:\n" TRADE("low", "S", "option_type: put, strike: 40",
                                                       "style: american, expiry: 2027-11-19")
            TRADE("high", "Q", "option_type: put, strike: 40",
                  "style: american, expiry: 2027-11-19"));
    (void)state;
    assert_true(level_at(&p, "low", "2027-11-19") == 40.0);
    assert_near(level_at(&p, "high", "2027-11-19"), 30.0, 1e-12);
    release(&p);
}

/* The price says which measures are asked for and are not there. */
static void test_missing_measures_are_said(void **state)
{
    priced p = price_book(
        "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n"
        "    S: {currency: USD, spot: 40, volatility: 0.2}\n"
        "    R: {currency: USD, spot: 40, volatility: 0.3}\n"
        "  correlations: {pairs: [[S.spot, R.spot, 0.5]]}\n"
        "models: {mS: {kind: black_scholes, assets: [S, R]}}\nsimulation: {paths: 2^10}\n"
        "measures: [price, boundary, probability, upper_bound]\ntrades:\n" TRADE(
            "put", "S", "option_type: put, strike: 40", "style: american, expiry: 1")
            TRADE("european", "S", "option_type: put, strike: 40",
                  "expiry: 1") "  - {id: best, model: mS, underlyings: [S, R], payoff: {kind: "
                               "best_of, option_type: call, "
                               "strike: 40}, exercise: {style: bermudan, expiry: 1, dates: {count: "
                               "3}}, measures: [price, "
                               "boundary, probability]}\n");
    (void)state;
    const char *const put = find_measure(find_trade(p.results, "put"), "price", NULL)->note;
    const char *const best = find_measure(find_trade(p.results, "best"), "price", NULL)->note;
    assert_non_null(strstr(put, "resolution changes; no probability, upper_bound: no path is "));
    assert_non_null(strstr(best, "; no boundary: more than a level decides"));
    assert_null(find_measure(find_trade(p.results, "european"), "price", NULL)->note);
    release(&p);
}

static int setup(void **state)
{
    (void)state;
    levy_boundary_rule_make(9, 9, 32, &fine);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spectral_against_twice_the_resolution),
        cmocka_unit_test(test_differences_against_spectral),
        cmocka_unit_test(test_against_the_lattice),
        cmocka_unit_test(test_cash_against_quadrature),
        cmocka_unit_test(test_two_boundaries),
        cmocka_unit_test(test_deep_in_the_money),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_a_book),
        cmocka_unit_test(test_theta_of_the_last_day),
        cmocka_unit_test(test_rho_where_prices_bend),
        cmocka_unit_test(test_rho_is_no_surer_than_both_errors),
        cmocka_unit_test(test_errors_of_a_sum_add_up),
        cmocka_unit_test(test_a_scenario_is_a_book),
        cmocka_unit_test(test_exercised),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_levels_by_date),
        cmocka_unit_test(test_missing_measures_are_said),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
