/* test_notice.c: exercise of which notice is given (exercise.notice_days), against a recursion of
 * the test's own over the transition density of one lognormal asset, which it bounds from below:
 * between dates, beyond the next date, by a notice of today; American; of two assets, against one
 * that is their quotient; and once notice has been given. */
#include "tests/priced.h"
#include "tests/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- The recursion ---- */

/* Dates are even, `step` days apart; on date k > 0 the put or call may be exercised, if notice was
 * given `notice` days before, at the earliest today. */
typedef struct option {
    double rate, yield, volatility, strike, sign;
    int step, dates, notice; /* the last date is expiry */
} option;

enum { NODES = 401 };

static double level[NODES], value[NODES], later[NODES];
static const double spot = 100.0;

/* What waiting for so many days is worth at each level. */
static void wait_for(const option *o, double width, double days)
{
    const double pi = 3.14159265358979323846, t = days / 365.0, deviation = o->volatility * sqrt(t),
                 drift = (o->rate - o->yield - 0.5 * o->volatility * o->volatility) * t;
    memcpy(later, value, sizeof later);
    for (int i = 0; i < NODES; ++i) {
        value[i] = 0.0;
        for (int j = 0; j < NODES; ++j) {
            const double z = ((j - i) * width - drift) / deviation;
            value[i] += later[j] * exp(-0.5 * z * z);
        }
        value[i] *= exp(-o->rate * t) * width / deviation / sqrt(2.0 * pi);
    }
}

static double on_notice(const option *o, double s)
{
    const double t = o->notice / 365.0;
    return o->sign * (s * exp(-o->yield * t) - o->strike * exp(-o->rate * t));
}

static double recursion(const option *o)
{
    const double whole = o->step * o->dates,
                 width = 14.0 * o->volatility * sqrt(whole / 365.0) / (NODES - 1);
    double at = whole;
    for (int i = 0; i < NODES; ++i) {
        level[i] = spot * exp((i - NODES / 2) * width);
        value[i] = fmax(o->sign * (level[i] - o->strike), 0.0);
    }
    for (int k = o->dates - 1; k > 0 && k * o->step >= o->notice; --k) {
        const double notice = k * o->step - o->notice;
        wait_for(o, width, at - notice);
        at = notice;
        for (int i = 0; i < NODES; ++i) value[i] = fmax(value[i], on_notice(o, level[i]));
    }
    if (at > 0.0) wait_for(o, width, at);
    return value[NODES / 2];
}

/* ---- The book ---- */

static const levy_price_options on_cpu = {
    .struct_size = sizeof on_cpu, .device = "cpu", .threads = 2};

static priced price_of(const option *o, const char *exercise, const char *more)
{
    static char text[2048];
    (void)snprintf(text, sizeof text,
                   "schema_version: 1\n"
                   "market: {curves: {USD: %g}, assets: {A: {currency: USD, spot: 100, volatility: "
                   "%g, dividend_yield: %g}}}\n"
                   "models: {m: {kind: black_scholes, assets: [A]}}\n"
                   "simulation: {paths: 2^15}\n"
                   "trades:\n"
                   "  - {id: a, underlying: A, payoff: {kind: european, option_type: %s, strike: "
                   "%g}, exercise: {%s, fit: {paths: 2^14}}}\n%s",
                   o->rate, o->volatility, o->yield, o->sign > 0.0 ? "call" : "put", o->strike,
                   exercise, more);
    priced made = price_alone(text, NULL, 0, &on_cpu);
    assert_priced(&made);
    return made;
}

/* Not above the recursion, nor far below. */
static void assert_below(const option *o, const char *exercise)
{
    const double want = recursion(o);
    priced made = price_of(o, exercise, "measures: [price, probability]\n");
    const levy_trade_result *const t = find_trade(made.results, "a");
    double chances = 0.0;
    print_message("%.4f, by a rule %.4f +- %.4f\n", want, t->price, t->std_error);
    assert_non_null(strstr(find_measure(t, "price", NULL)->note, "lower bound"));
    assert_true(t->price <= want + 4.0 * t->std_error);
    assert_true(t->price >= 0.998 * want - 4.0 * t->std_error);
    for (size_t m = 0; m < t->n_measures; ++m)
        if (strcmp(t->measures[m].measure, "probability") == 0) chances += t->measures[m].value;
    assert_true(fabs(chances - 1.0) < 1e-12);
    release(&made);
}

/* Dates of `o` but expiry. */
static const char *dates_of(const option *o)
{
    static char text[512];
    int n = snprintf(text, sizeof text, "style: bermudan, expiry: %.17g, notice_days: %d, dates: [",
                     o->step * o->dates / 365.0, o->notice);
    for (int k = 1; k < o->dates; ++k)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%.17g", k > 1 ? ", " : "",
                      k * o->step / 365.0);
    (void)snprintf(text + n, sizeof text - (size_t)n, "]");
    return text;
}

static const option put = {.rate = 0.08,
                           .yield = 0.01,
                           .volatility = 0.3,
                           .strike = 110.0,
                           .sign = -1.0,
                           .step = 60,
                           .dates = 6};

/* 90 days lie beyond the next date. The more notice, the less it is worth. */
static void test_notice_comes_before_exercise(void **state)
{
    static const int notices[] = {10, 60, 90};
    double last = 1e30;
    (void)state;
    for (size_t k = 0; k < sizeof notices / sizeof *notices; ++k) {
        option o = put;
        o.notice = notices[k];
        assert_true(recursion(&o) < last - 0.02);
        last = recursion(&o);
        assert_below(&o, dates_of(&o));
    }
}

/* So far in the money that notice is given today. */
static void test_notice_of_today_is_decided_today(void **state)
{
    option o = put;
    (void)state;
    o.strike = 160.0;
    o.notice = o.step;
    priced made = price_of(&o, dates_of(&o), "");
    const levy_trade_result *const t = find_trade(made.results, "a");
    const double want = on_notice(&o, spot);
    assert_true(fabs(recursion(&o) - want) < 1e-6 * want);
    assert_true(fabs(t->price - want) <= 5.0 * t->std_error);
    release(&made);
}

/* On 5 dates, from the end of a notice of today on. */
static void test_an_american_option_has_notice(void **state)
{
    option o = put;
    char exercise[128];
    (void)state;
    o.notice = o.step;
    (void)snprintf(exercise, sizeof exercise,
                   "style: american, expiry: %.17g, steps: 5, notice_days: %d",
                   o.step * o.dates / 365.0, o.notice);
    assert_below(&o, exercise);
}

/* A loss is paid, too: it is a forward. */
static void test_notice_that_was_given_binds(void **state)
{
    const option o = {.yield = 0.02, .volatility = 0.3, .strike = 80.0, .sign = -1.0, .notice = 60};
    (void)state;
    priced made = price_of(&o,
                           "style: bermudan, expiry: 1, dates: [0.1, 0.5], notice_days: 60, "
                           "exercised: 0.1",
                           "");
    const levy_trade_result *const t = find_trade(made.results, "a");
    const double want = 80.0 - 100.0 * exp(-0.02 * 0.1);
    assert_true(fabs(t->price - want) <= 5.0 * t->std_error && t->std_error < 0.01);
    assert_null(t->message);
    release(&made);
}

/* Who may put has no more to gain than the strike, however far levels go in eight years. */
static void test_a_put_of_long_time_has_an_interval(void **state)
{
    static const char *const exercises[] = {", notice_days: 20", ", method: simulation"};
    const option o = {.rate = 0.05, .volatility = 0.45, .strike = 110.0, .sign = -1.0};
    char exercise[128];
    (void)state;
    for (int k = 0; k < 2; ++k) {
        (void)snprintf(exercise, sizeof exercise, "style: bermudan, expiry: 8, dates: {count: 8}%s",
                       exercises[k]);
        priced made =
            price_of(&o, exercise, k ? "measures: [price, upper_bound, probability]\n" : "");
        const levy_trade_result *const t = find_trade(made.results, "a");
        const levy_measure *const price = find_measure(t, "price", NULL);
        assert_string_equal(price->interval, "student_t");
        assert_string_equal(price->note, "lower bound (simulation, Longstaff-Schwartz)");
        if (k) /* its martingale has gains of levels that nothing bounds */
            assert_string_equal(find_measure(t, "upper_bound", NULL)->note,
                                "unreliable: very rare paths determine the mean; upper bound "
                                "(simulation, martingale)");
        for (size_t m = 0; m < t->n_measures; ++m) /* a chance is no amount */
            if (strcmp(t->measures[m].measure, "probability") == 0)
                assert_string_equal(t->measures[m].interval, "student_t");
        release(&made);
    }
}

/* An exchange of A for B is a call on their quotient, with B's yield for the rate. */
static void test_of_two_assets_all_is_seen(void **state)
{
    static const char book[] =
        "schema_version: 1\n"
        "market:\n"
        "  curves: {USD: 0.08}\n"
        "  assets:\n"
        "    A: {currency: USD, spot: 100, volatility: 0.3, dividend_yield: 0.08}\n"
        "    B: {currency: USD, spot: 100, volatility: 0.4, dividend_yield: 0.01}\n"
        "  correlations: {pairs: [[A.spot, B.spot, 0.25]]}\n"
        "models: {m: {kind: black_scholes, assets: [A, B]}}\n"
        "simulation: {paths: 2^15}\n"
        "trades:\n"
        "  - {id: a, underlyings: [A, B], payoff: {kind: exchange}, exercise: {%s, fit: {paths: "
        "2^14}}}\n";
    const option o = {.rate = 0.01,
                      .yield = 0.08,
                      .volatility = sqrt(0.09 + 0.16 - 2.0 * 0.25 * 0.3 * 0.4),
                      .strike = 100.0,
                      .sign = 1.0,
                      .step = 60,
                      .dates = 6,
                      .notice = 30};
    char text[2048];
    (void)state;
    (void)snprintf(text, sizeof text, book, dates_of(&o));
    priced made = price_alone(text, NULL, 0, &on_cpu);
    assert_priced(&made);
    const levy_trade_result *const t = find_trade(made.results, "a");
    const double want = recursion(&o);
    print_message("%.4f, by a rule %.4f +- %.4f\n", want, t->price, t->std_error);
    assert_true(t->price <= want + 4.0 * t->std_error);
    assert_true(t->price >= 0.997 * want - 4.0 * t->std_error);
    release(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_notice_comes_before_exercise),
        cmocka_unit_test(test_notice_of_today_is_decided_today),
        cmocka_unit_test(test_an_american_option_has_notice),
        cmocka_unit_test(test_notice_that_was_given_binds),
        cmocka_unit_test(test_a_put_of_long_time_has_an_interval),
        cmocka_unit_test(test_of_two_assets_all_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
