/* test_black.c: Black's formula and the volatility that a price implies, to the ends of both; as a
 * measure of trades, and as the volatility of an asset whose options have prices. */
#include "tests/priced.h"

#include "tests/near.h"

#include "engine/fourier/black.h"

#include <stdio.h>

/* By the normal distribution of C's library, where nothing cancels. */
static double put_by_erfc(double log_strike, double s)
{
    const double d1 = -log_strike / s + 0.5 * s, d2 = d1 - s;
    return exp(log_strike) * 0.5 * erfc(d2 / sqrt(2.0)) - 0.5 * erfc(d1 / sqrt(2.0));
}

static void test_price(void **state)
{
    (void)state;
    for (double x = -3.0; x <= 3.0; x += 0.0917)
        for (double s = 0.01; s < 10.0; s *= 1.37)
            assert_near(levy_black_put(x, s), put_by_erfc(x, s), 1e-14 * exp(fmax(x, 0.0)));
}

/* Far out of the money, where the difference of two normal distributions has no digit left, against
 * the integral of the payoff by Simpson's rule: E[(1 - exp(-s z - ...))+] in the variable beyond
 * the strike. */
static double out_by_integral(double x, double s)
{
    const double h = x / s + 0.5 * s, step = 1e-3 / (1.0 + 0.25 * h);
    double sum = 0.0;
    for (int k = 0; k <= 20000; ++k) { /* (exp(s z) - 1) phi(h + z), z > 0 */
        const double z = step * k, value = expm1(s * z) * exp(-h * z - 0.5 * z * z);
        const int inner = k % 2 ? 4 : 2;
        sum += (k == 0 || k == 20000 ? 1 : inner) * value;
    }
    return exp(0.5 * x - 0.5 * h * h) / sqrt(2.0 * acos(-1.0)) * sum * step / 3.0;
}

static void test_far_out(void **state)
{
    (void)state;
    for (double x = 0.5; x < 12.0; x *= 1.5)
        for (double s = x / 30.0; s < x; s *= 1.3)
            assert_near(levy_black_out(x, s) / out_by_integral(x, s), 1.0, 1e-11);
}

static void test_implied(void **state)
{
    (void)state;
    size_t n = 0;
    for (double x = -8.0; x <= 8.0; x += 0.23)
        for (double s = 1e-5; s < 12.0; s *= 1.31)
            for (int call = 0; call < 2; ++call) {
                const double put = levy_black_put(x, s), price = call ? put - expm1(x) : put;
                const double vega = levy_black_vega(x, s), largest = fmax(1.0, exp(x));
                /* the digits that the price has of s, and those that rounding leaves */
                const double tolerance = 1e-12 * s + 8e-16 * largest / vega;
                if (!(tolerance < 0.01 * s)) continue;
                assert_near(levy_black_implied(x, call, price), s, tolerance);
                ++n;
            }
    assert_true(n > 1000);
    for (double s = 1e-6; s < 10.0; s *= 1.7) /* at the money */
        assert_near(levy_black_implied(0.0, true, levy_black_put(0.0, s)) / s, 1.0, 1e-9);
}

/* Out of the money down to the smallest numbers. */
static void test_implied_far_out(void **state)
{
    (void)state;
    for (double x = 0.05; x < 10.0; x *= 1.9)
        for (double s = x / 36.0; 0.5 * s < x / s + 2.0; s *= 1.21)
            assert_near(levy_black_implied(x, true, exp(0.5 * x) * levy_black_out(x, s)) / s, 1.0,
                        1e-12);
}

static void test_ends(void **state)
{
    (void)state;
    assert_true(levy_black_implied(0.1, true, 0.0) == 0.0);
    assert_true(isnan(levy_black_implied(0.1, true, -1e-9)));
    assert_true(isnan(levy_black_implied(-0.1, true, 0.09))); /* below 1 - exp(-0.1) */
    assert_true(levy_black_implied(0.3, true, 1.0) == HUGE_VAL ||
                levy_black_implied(0.3, true, 1.0) > 15.0);
    assert_true(isnan(levy_black_implied(0.3, true, 1.0000001)));
}

static void test_delta(void **state)
{
    (void)state;
    for (double s = 0.01; s < 3.0; s *= 2.1)
        for (double delta = 0.001; delta < 1.0; delta += 0.0377) {
            const double call = levy_black_strike_of_delta(delta, s),
                         put = levy_black_strike_of_delta(-delta, s);
            assert_near(0.5 * erfc(-(-call / s + 0.5 * s) / sqrt(2.0)), delta, 1e-14);
            assert_near(0.5 * erfc((-put / s + 0.5 * s) / sqrt(2.0)), delta, 1e-14);
        }
}

/* ---- In books -------------------------------------------------------------------------------- */

static priced price_book(const char *text)
{
    priced p = price_alone(text, NULL, 0, NULL);
    assert_priced(&p);
    return p;
}

static const levy_measure *implied(const priced *p, const char *id)
{
    const levy_measure *const m =
        find_measure(find_trade(p->results, id), "implied_volatility", "black");
    assert_non_null(m);
    return m;
}

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
    priced p = price_book(text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const levy_trade_result *const t = find_trade(p.results, cases[i].id);
        const levy_measure *const m = implied(&p, cases[i].id);
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
    priced p = price_book(
        "schema_version: 1\nmarket: {curves: {USD: 0.05}, assets: {B: {currency: USD, spot: 100, "
        "volatility: 0.2}}}\nmodels: {m: {kind: black_scholes, assets: [B]}}\ntrades:\n"
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
        const levy_measure *const m = implied(&p, said[i][0]);
        assert_true(m->flagged && m->value != m->value && m->std_error != m->std_error);
        assert_true(strncmp(m->note, said[i][1], strlen(said[i][1])) == 0);
        assert_string_equal(find_trade(p.results, said[i][0])->status, "ok");
    }
    const levy_measure *const deep = implied(&p, "deep");
    assert_true(deep->flagged && deep->note && deep->ci_low != deep->ci_low);
    for (size_t i = 0; i < levy_results_netted_count(p.results); ++i)
        for (size_t m = 0; m < levy_results_netted(p.results, i)->n_measures; ++m)
            assert_string_not_equal(
                levy_netted_measure(levy_results_netted(p.results, i), m)->measure,
                "implied_volatility");
    release(&p);
}

/* An asset whose volatility is told by prices is one of these volatilities: of one option, of two,
 * with dates, when quotes move what the prices imply, and in scenarios. */
static void test_prices_of_options_are_volatilities(void **state)
{
    (void)state;
    static const char text[] =
        "schema_version: 1\nvaluation_date: 2026-11-30\nmarket:\n  curves: {USD: 0.03}\n  assets:\n"
        "    A: {currency: USD, spot: 100, dividend_yield: 0.01, volatility: %s}\n"
        "    B: {currency: USD, spot: 100, volatility: %s}\n"
        "models: {m: {kind: black_scholes, assets: [A]}, n: {kind: black_scholes, assets: [B]}}\n"
        "trades:\n"
        "  - {id: a, model: m, underlying: A, exercise: {expiry: 2028-11-30},\n"
        "     payoff: {kind: european, option_type: call, strike: 100}}\n"
        "  - {id: b, model: n, underlying: B, exercise: {expiry: 2028-11-30},\n"
        "     payoff: {kind: european, option_type: put, strike: 90}}\n"
        "measures: [price, vega]\nsimulation: {paths: 2^12}\n"
        "scenarios: [{id: up, shifts: [{factor: ALL.volatility, type: absolute, size: 0.01}]}]\n";
    static const char *const one = "{kind: implied, quotes: [{expiry: 2027-11-30, strike: 110, "
                                   "option_type: call, price: %.17g}]}";
    static const char *const two =
        "{kind: implied, quotes: [{expiry: 2027-11-30, strike: 80, option_type: put, price: %.17g},"
        "{expiry: 2029-11-29, strike: 120, option_type: call, price: %.17g}]}";
    const double years = 1095.0 / 365.0,
                 prices[3] = {exp(-0.03) * black_price(100 * exp(0.02), 110, 0.21, true),
                              exp(-0.03) * black_price(100 * exp(0.03), 80, 0.3, false),
                              exp(-0.03 * years) * black_price(100 * exp(0.03 * years), 120,
                                                               0.25 * sqrt(years), true)};
    static const struct {
        const char *name;
        double value;
    } set[] = {{"A.spot", 104}, {"B.volatility", 0.02}, {"A.volatility", 0.3}, {"USD.rate", 0.01}};
    char first[256], second[512], books[2][2048];
    snprintf(first, sizeof first, one, prices[0]);
    snprintf(second, sizeof second, two, prices[1], prices[2]);
    snprintf(books[0], sizeof books[0], text, first, second);
    snprintf(books[1], sizeof books[1], text, "0.21",
             "{kind: term, nodes: [[2027-11-30, 0.3], [2029-11-29, 0.25]]}");
    priced p[2] = {price_book(books[0]), price_book(books[1])};
    for (size_t k = 0;; ++k) {
        for (size_t t = 0; t < 2; ++t)
            for (size_t m = 0; m < levy_results_trade(p[0].results, t)->n_measures; ++m)
                assert_relative(levy_results_trade(p[0].results, t)->measures[m].value,
                                levy_results_trade(p[1].results, t)->measures[m].value, 1e-9);
        if (k == sizeof set / sizeof *set) break;
        for (size_t i = 0; i < 2; ++i) {
            levy_results_destroy(p[i].results);
            assert_int_equal(levy_book_set(p[i].book, set[k].name, set[k].value), LEVY_STATUS_OK);
            assert_int_equal(levy_price(p[i].book, NULL, &p[i].results), LEVY_STATUS_OK);
        }
    }
    release(&p[0]);
    release(&p[1]);
}

/* Of a share that pays a fiftieth of its spot in cash, what a price implies prices it. */
static void test_cash_dividends_are_a_shift(void **state)
{
    (void)state;
    static const char text[] =
        "schema_version: 1\nmarket:\n  curves: {USD: 0.03}\n  assets:\n"
        "    A: {currency: USD, spot: 100, dividends: {cash: [[0.3, 1], [0.8, 1]]}, volatility:\n"
        "      {kind: implied, quotes: [{expiry: 1, strike: 95, option_type: put, price: 5.5}]}}\n"
        "models: {m: {kind: black_scholes, assets: [A]}}\n"
        "trades:\n  - {id: a, underlying: A, exercise: {expiry: 1},\n"
        "     payoff: {kind: european, option_type: put, strike: 95}}\n"
        "measures: [price, vega]\nsimulation: {paths: 2^14}\n";
    priced p = price_book(text);
    const levy_trade_result *const t = find_trade(p.results, "a");
    assert_near(t->price, 5.5, 4.0 * t->std_error + 2e-4 * t->measures[1].value);
    assert_true(t->std_error < 0.005);
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_price),
        cmocka_unit_test(test_far_out),
        cmocka_unit_test(test_implied),
        cmocka_unit_test(test_implied_far_out),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_delta),
        cmocka_unit_test(test_an_implied_volatility_gives_its_price),
        cmocka_unit_test(test_what_no_volatility_gives),
        cmocka_unit_test(test_prices_of_options_are_volatilities),
        cmocka_unit_test(test_cash_dividends_are_a_shift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
