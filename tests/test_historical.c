/* test_historical.c: days drawn from a table (models/historical.h): prices against the sum over all
 * ways in which few days can go, on business days of calendars and on equal ones, as written and
 * scaled to the market's volatilities; forwards; quotes; and the same bits on every instruction
 * set. */
#include "tests/greeks_case.h"
#include "tests/instruction_sets.h"

#include "tests/fewer_paths.h"

/* ---- By hand --------------------------------------------------------------------------------- */

enum { ROWS = 3, MOST_DAYS = 8 };

static const double rows[ROWS][2] = {{-0.08, -0.05}, {0.01, 0.06}, {0.03, -0.02}};
static const double chances[ROWS] = {0.2, 0.3, 0.5};
#define TABLE "shocks: [[-0.08, -0.05, 2], [0.01, 0.06, 3], [0.03, -0.02, 5]]"

/* A day's log return of asset a in each row: about its mean times a factor, less the logarithm of
 * the mean gross return. */
static void day_returns(size_t a, double factor, double *returns)
{
    double mean = 0.0, gross = 0.0;
    for (size_t r = 0; r < ROWS; ++r) mean += chances[r] * rows[r][a];
    for (size_t r = 0; r < ROWS; ++r) {
        returns[r] = mean + factor * (rows[r][a] - mean);
        gross += chances[r] * exp(returns[r]);
    }
    for (size_t r = 0; r < ROWS; ++r) returns[r] -= log(gross);
}

/* The deviation of an asset's day. */
static double day_deviation(size_t a)
{
    double mean = 0.0, square = 0.0;
    for (size_t r = 0; r < ROWS; ++r) mean += chances[r] * rows[r][a];
    for (size_t r = 0; r < ROWS; ++r) square += chances[r] * pow(rows[r][a] - mean, 2.0);
    return sqrt(square);
}

typedef struct claim {
    double forwards[2], factors[2], weights[2], strike, discount;
} claim;

/* The price of max(w0 S + w1 T - strike, 0), over counts of each row in `days` days. */
static double over_days(int days, const claim *c)
{
    double s[ROWS], t[ROWS], sum = 0.0;
    day_returns(0, c->factors[0], s);
    day_returns(1, c->factors[1], t);
    for (int i = 0; i <= days; ++i)
        for (int j = 0; i + j <= days; ++j) {
            const int k = days - i - j;
            const double ways =
                exp(lgamma(days + 1.0) - lgamma(i + 1.0) - lgamma(j + 1.0) - lgamma(k + 1.0)) *
                pow(chances[0], i) * pow(chances[1], j) * pow(chances[2], k);
            const double x = c->forwards[0] * exp(i * s[0] + j * s[1] + k * s[2]),
                         y = c->forwards[1] * exp(i * t[0] + j * t[1] + k * t[2]);
            sum += ways * fmax(0.0, c->weights[0] * x + c->weights[1] * y - c->strike);
        }
    return c->discount * sum;
}

/* ---- Prices ---------------------------------------------------------------------------------- */

#define ASSETS_ALONE(volatility)                                                                   \
    "  assets:\n    S: {currency: USD, spot: 100, dividend_yield: 0.02" volatility "}\n"           \
    "    T: {currency: USD, spot: 90" volatility "}\n"
#define ASSETS(volatility) "market:\n  curves: {USD: 0.05}\n" ASSETS_ALONE(volatility)
#define WITH_CALENDAR                                                                              \
    "market:\n  curves: {USD: 0.05}\n  calendars: {HALL: {holidays: "                              \
    "[2026-03-10]}}\n" ASSETS_ALONE("")
#define MODEL(more) "models: {m: {kind: historical, assets: [S, T], " TABLE more "}}\n"
#define TRADES(expiry)                                                                             \
    "trades:\n  - {id: c, underlying: S, payoff: {kind: european, option_type: call, strike: "     \
    "99}, "                                                                                        \
    "exercise: {expiry: " expiry "}}\n  - {id: x, underlyings: [{name: S, weight: 1}, {name: T, "  \
    "weight: -1}], payoff: {kind: basket, option_type: call, strike: 8}, exercise: "               \
    "{expiry: " expiry "}}\n"                                                                      \
    "  - {id: t, underlying: T, payoff: {kind: european, option_type: call, strike: 91}, "         \
    "exercise: {expiry: " expiry "}}\n"

/* The three trades after so many days and years. */
static void expect(const priced *p, int days, double years, double factor_s, double factor_t)
{
    claim c = {{100.0 * exp(0.03 * years), 90.0 * exp(0.05 * years)},
               {factor_s, factor_t},
               {1.0, 0.0},
               99.0,
               exp(-0.05 * years)};
    assert_estimate(measure_of(p, 0, "price", ""), over_days(days, &c), 1e-12);
    c.weights[1] = -1.0;
    c.strike = 8.0;
    assert_estimate(measure_of(p, 1, "price", ""), over_days(days, &c), 1e-12);
    c = (claim){{c.forwards[0], c.forwards[1]}, {factor_s, factor_t}, {0.0, 1.0}, 91.0, c.discount};
    assert_estimate(measure_of(p, 2, "price", ""), over_days(days, &c), 1e-12);
}

/* Five equal days of a book in years, with any points. */
static void test_prices_are_sums_over_days(void **state)
{
    (void)state;
    static const char *const points[][2] = {
        {"sobol_scrambled", "bridge"}, {"sobol_scrambled", "incremental"},
        {"sobol_scrambled", "pca"},    {"philox", "bridge"},
        {"philox", "incremental"},     {"mrg32k3a", "bridge"}};
    static const char text[] =
        "schema_version: 1\n" ASSETS("") MODEL("") TRADES("0.01984126984126984");
    for (size_t g = 0; g < sizeof points / sizeof *points; ++g) {
        const levy_setting settings[] = {{"simulation.generator", points[g][0]},
                                         {"simulation.construction", points[g][1]},
                                         {"simulation.paths", LEVY_SANITIZED ? "2^12" : "2^15"}};
        priced p;
        price_with(&p, text, settings, 3, NULL);
        expect(&p, 5, 5.0 / 252.0, 1.0, 1.0);
        assert_true(g > 0 || LEVY_SANITIZED || measure_of(&p, 0, "price", "")->std_error < 0.01);
        release(&p);
    }
}

/* Friday, March 6: days go on Monday. March 10 is a holiday of one calendar, and Saturday is no
 * day. */
static void test_business_days_are_those_of_the_calendars(void **state)
{
    (void)state;
    static const struct {
        const char *more, *expiry;
        int calendar_days, business_days;
    } cases[] = {{"", "2026-03-11", 5, 3},
                 {"", "2026-03-14", 8, 5},
                 {", calendars: [HALL]", "2026-03-11", 5, 2},
                 {", calendars: [WEEKENDS, HALL]", "2026-03-15", 9, 4},
                 {", calendars: [NONE]", "2026-03-08", 2, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[4096], trades[2048];
        priced p;
        snprintf(trades, sizeof trades, TRADES("%s"), cases[i].expiry, cases[i].expiry,
                 cases[i].expiry);
        snprintf(text, sizeof text,
                 "schema_version: 1\nvaluation_date: 2026-03-06\n" WITH_CALENDAR MODEL(
                     "%s") "%ssimulation: {paths: 2^14}\n",
                 cases[i].more, trades);
        price_text(&p, text);
        expect(&p, cases[i].business_days, cases[i].calendar_days / 365.0, 1.0, 1.0);
        release(&p);
    }
}

/* With `scale: market` a year of days has the variance of the volatility. Other quotes are those
 * of a book that had them from the start. */
static void test_returns_are_scaled_to_the_market(void **state)
{
    (void)state;
    static const char text[] = "schema_version: 1\n" ASSETS(", volatility: 0.3")
        MODEL(", scale: market") TRADES("0.01984126984126984") "simulation: {paths: 2^14}\n";
    static const char moved[] = "schema_version: 1\n" ASSETS(", volatility: 0.45")
        MODEL(", scale: market") TRADES("0.01984126984126984") "simulation: {paths: 2^14}\n";
    const double year = sqrt(252.0), s = day_deviation(0) * year, t = day_deviation(1) * year;
    levy_results *again;
    priced p, fresh;
    price_text(&p, text);
    expect(&p, 5, 5.0 / 252.0, 0.3 / s, 0.3 / t);
    assert_int_equal(levy_book_set(p.book, "S.volatility", 0.45), LEVY_STATUS_OK);
    assert_int_equal(levy_book_set(p.book, "T.volatility", 0.45), LEVY_STATUS_OK);
    assert_int_equal(levy_price(p.book, NULL, &again), LEVY_STATUS_OK);
    price_text(&fresh, moved);
    expect(&fresh, 5, 5.0 / 252.0, 0.45 / s, 0.45 / t);
    for (size_t i = 0; i < 3; ++i)
        assert_true(levy_results_trade(again, i)->price ==
                    measure_of(&fresh, i, "price", "")->value);
    levy_results_destroy(again);
    release(&p);
    release(&fresh);
}

/* A hundred days and a cash dividend: forwards are the market's, and delta that of a forward. */
static void test_forwards_are_the_markets(void **state)
{
    (void)state;
    static const char text[] =
        "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n    S: {currency: USD, "
        "spot: 100, volatility: 0.25, dividends: {cash: [[0.2, 3]]}}\n    T: {currency: USD, spot: "
        "90, volatility: 0.2}\n  correlations: {pairs: [[S.spot, T.spot, 0.5]]}\n" //
        MODEL(
            ", scale: market") "trades:\n  - {id: s, underlying: S, payoff: {kind: european, "
                               "option_type: call, strike: 0}, exercise: {expiry: 0.4}}\n  - "
                               "{id: b, underlyings: [{name: S, weight: 1}, {name: T, weight: 1}], "
                               "payoff: {kind: asian, aggregate: basket, option_type: call, "
                               "strike: 0, averaging: "
                               "{observations: [0.1, 0.4]}}, exercise: {expiry: 0.4}}\nmeasures: "
                               "[price, delta]\n";
    const double late = exp(-0.05 * 0.3);
    for (int single = 0; single < 2; ++single) {
        const levy_setting settings[] = {{"simulation.precision", single ? "single" : "double"},
                                         {"simulation.paths", LEVY_SANITIZED ? "2^11" : "2^14"}};
        priced p;
        price_with(&p, text, settings, 2, NULL);
        assert_estimate(measure_of(&p, 0, "price", ""), 100.0 - 3.0 * exp(-0.05 * 0.2),
                        single * 1e-4);
        assert_estimate(measure_of(&p, 0, "delta", "S.spot"), 1.0, single * 1e-4);
        assert_estimate(measure_of(&p, 1, "price", ""),
                        0.5 * (190.0 * late + 190.0 - 3.0 * exp(-0.05 * 0.2)), single * 2e-4);
        release(&p);
    }
}

/* A day that hardly ever comes and then moves the price: no path need see it, and the result says
 * so. */
static void test_days_that_no_path_sees_are_unreliable(void **state)
{
    (void)state;
    static const char *const weights[] = {"1e-6", "1"};
    static const char rare[] = "schema_version: 1\n" ASSETS(
        "") "models: {m: {kind: historical, assets: [S, T], shocks: [[-0.01, 0.01, 50], [0.01, "
            "0.0, "
            "50], [12, 0, %s]]}}\ntrades:\n  - {id: c, underlying: S, payoff: {kind: european, "
            "option_type: call, strike: 100}, exercise: {expiry: 0.02}}\nsimulation: {paths: "
            "2^12}\n";
    for (size_t i = 0; i < 2; ++i) {
        char text[2048];
        priced p;
        snprintf(text, sizeof text, rare, weights[i]);
        price_text(&p, text);
        const levy_trade_result *const t = levy_results_trade(p.results, 0);
        assert_int_equal(strcmp(t->interval, "unreliable") == 0, i == 0);
        release(&p);
    }
}

#define STILL_PUT(id, model, strike, expiry)                                                       \
    "  - {id: " id ", model: " model                                                               \
    ", underlying: S, payoff: {kind: european, option_type: put, "                                 \
    "strike: " strike "}, exercise: {expiry: " expiry "}, measures: [price, delta]}\n"
#define STILL_BOOK(trades)                                                                         \
    "schema_version: 1\nvaluation_date: 2026-03-06\nmarket:\n  curves: {USD: 0.05}\n"              \
    "  assets:\n    S: {currency: USD, spot: 100}\n    T: {currency: USD, spot: 90}\n"             \
    "models:\n  one: {kind: historical, assets: [S], shocks: [[0.01]]}\n"                          \
    "  equal: {kind: historical, assets: [S, T], shocks: [[0.07, 0.1, 2], [0.07, -0.1, 1]]}\n"     \
    "  moving: {kind: historical, assets: [S], shocks: [[0.01], [-0.02]]}\ntrades:\n" STILL_PUT(   \
        "a", "one", "120", "2026-06-04") STILL_PUT("b", "equal", "120", "2026-06-04")              \
        STILL_PUT("c", "moving", "120", "2026-03-08") STILL_PUT("d", "one", "90", "2026-06-04")    \
            trades "simulation: {paths: 2^12}\n"

/* The four trades of STILL_BOOK follow their forward. */
static void assert_still(const priced *p)
{
    static const double days[] = {90.0, 90.0, 2.0, 90.0};
    for (size_t t = 0; t < 4; ++t) {
        const levy_trade_result *const one = levy_results_trade(p->results, t);
        const levy_measure *const price = measure_of(p, t, "price", "");
        const double want = t < 3 ? 120.0 * exp(-0.05 * days[t] / 365.0) - 100.0 : 0.0;
        assert_string_equal(one->interval, "exact");
        assert_true(fabs(price->value - want) < 1e-12 * 120.0);
        assert_true(price->std_error < 1e-12 && one->ci_high - one->ci_low < 1e-12);
        assert_true(!price->flagged && strstr(price->note, "nothing is random"));
        assert_true(fabs(measure_of(p, t, "delta", "S.spot")->value + (t < 3)) < 1e-9);
    }
}

/* One row, rows that are equal for the trade's asset, or no business day before expiry. */
static void test_prices_without_randomness_are_exact(void **state)
{
    (void)state;
    static const char *const points[][2] = {{"sobol_scrambled", "16"}, {"philox", "1"}};
    for (size_t g = 0; g < 2; ++g) {
        const levy_setting settings[] = {{"simulation.generator", points[g][0]},
                                         {"simulation.replicates", points[g][1]}};
        priced p;
        price_with(&p, STILL_BOOK(""), settings, 2, NULL);
        assert_still(&p);
        if (g == 0) assert_string_equal(levy_results_netted(p.results, 0)->interval, "exact");
        release(&p);
        price_with(&p, STILL_BOOK(STILL_PUT("e", "moving", "120", "2026-06-04")), settings, 2,
                   NULL);
        assert_still(&p);
        assert_string_equal(levy_results_trade(p.results, 4)->interval, g ? "normal" : "student_t");
        if (g == 0) assert_string_equal(levy_results_netted(p.results, 0)->interval, "student_t");
        release(&p);
    }
}

static void test_every_instruction_set_has_the_same_bits(void **state)
{
    (void)state;
    static const char text[] = "schema_version: 1\n" ASSETS("") MODEL("") TRADES("0.25");
    static const char *const generators[] = {"sobol_scrambled", "mrg32k3a"};
    for (size_t g = 0; g < 2; ++g) {
        const levy_setting settings[] = {{"simulation.generator", generators[g]},
                                         {"simulation.paths", "2^13"}};
        assert_sets_agree(text, 1, settings, 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prices_are_sums_over_days),
        cmocka_unit_test(test_business_days_are_those_of_the_calendars),
        cmocka_unit_test(test_returns_are_scaled_to_the_market),
        cmocka_unit_test(test_forwards_are_the_markets),
        cmocka_unit_test(test_days_that_no_path_sees_are_unreliable),
        cmocka_unit_test(test_prices_without_randomness_are_exact),
        cmocka_unit_test(test_every_instruction_set_has_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
