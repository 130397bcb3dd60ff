/* test_dividends.c: cash dividends through the public interface. By rule affine, S = (F - D) X + D,
 * against Black's formula on X; by both rules integrated levels against plain ones, their errors
 * against those with a yield, and scenarios against quotes. */
#include "tests/book_files.h"
#include "tests/normal_law.h"

#define BOOKS LEVY_SOURCE_DIR "/tests/books/dividends/"

/* ---- Black's formula on X ---- */

typedef struct affine_market {
    double spot, rate, volatility, horizon;
} affine_market;

static double growth(const affine_market *m, double t)
{
    return exp((m->rate - 0.01) * t) * (t >= 0.6 ? 0.99 : 1.0);
}

/* F - D and D at 1. */
static void closed_levels(const affine_market *m, double *rest, double *due)
{
    static const double times[] = {0.25, 0.75, 1.25, 1.75};
    const double until = growth(m, 1.0);
    *rest = m->spot * until;
    *due = 0.0;
    for (size_t i = 0; i < 4; ++i) {
        const double worth = 2.0 * until / growth(m, times[i]);
        if (times[i] <= 1.0 || times[i] <= m->horizon) *rest -= worth;
        if (times[i] > 1.0 && times[i] <= m->horizon) *due += worth;
    }
}

typedef double closed_form(const affine_market *m);

static double closed_call(const affine_market *m)
{
    double rest, due;
    closed_levels(m, &rest, &due);
    const double strike = 100.0 - due, s = m->volatility, d = log(rest / strike) / s + 0.5 * s;
    return exp(-m->rate) * (rest * normal_cdf(d) - strike * normal_cdf(d - s));
}

static double closed_digital(const affine_market *m)
{
    double rest, due;
    closed_levels(m, &rest, &due);
    const double s = m->volatility;
    return exp(-m->rate) * 10.0 * normal_cdf(log(rest / (100.0 - due)) / s - 0.5 * s);
}

static double closed_forward(const affine_market *m)
{
    double rest, due;
    closed_levels(m, &rest, &due);
    return exp(-m->rate) * (rest + due - 90.0);
}

/* Price, delta, gamma, vega and rho. */
static void closed_measures(closed_form *form, double horizon, double *out)
{
    const double h = 0.02, e = 1e-5;
    const affine_market m = {100.0, 0.03, 0.2, horizon}, up = {100.0 + h, 0.03, 0.2, horizon},
                        down = {100.0 - h, 0.03, 0.2, horizon},
                        more = {100.0, 0.03, 0.2 + e, horizon},
                        less = {100.0, 0.03, 0.2 - e, horizon},
                        high = {100.0, 0.03 + e, 0.2, horizon},
                        low = {100.0, 0.03 - e, 0.2, horizon};
    out[0] = form(&m);
    out[1] = (form(&up) - form(&down)) / (2.0 * h);
    out[2] = (form(&up) - 2.0 * form(&m) + form(&down)) / (h * h);
    out[3] = (form(&more) - form(&less)) / (2.0 * e);
    out[4] = (form(&high) - form(&low)) / (2.0 * e);
}

/* Within 4 errors and what bumps leave. */
static void test_closed_forms(void **state)
{
    (void)state;
    static const struct {
        closed_form *form;
        double horizon;
    } trades[] = {{closed_digital, INFINITY},
                  {closed_digital, 0.5},
                  {closed_call, INFINITY},
                  {closed_call, 0.5},
                  {closed_forward, INFINITY}};
    levy_results *const r = book_price_once(BOOKS "closed.yaml", NULL);
    for (size_t t = 0; t < sizeof trades / sizeof *trades; ++t) {
        const levy_trade_result *const it = levy_results_trade(r, t);
        double due[5];
        closed_measures(trades[t].form, trades[t].horizon, due);
        assert_string_equal(it->status, "ok");
        assert_true(isnan(it->floor_probability));
        assert_int_equal(it->n_measures, 5);
        for (size_t m = 0; m < it->n_measures; ++m) {
            const levy_measure *const at = &it->measures[m];
            const double most = 4.0 * at->std_error + 5e-4 * fabs(due[m]) + 1e-9;
            if (!(fabs(at->value - due[m]) <= (m ? most : 4.0 * at->std_error + 1e-12)))
                fail_msg("%s %s: %.12g +- %.2g, not %.12g", it->id, at->measure, at->value,
                         at->std_error, due[m]);
        }
    }
    levy_results_destroy(r);
}

/* A price implies the volatility of X. */
static void test_prices_imply_volatilities(void **state)
{
    (void)state;
    const affine_market m = {100.0, 0.03, 0.2, INFINITY};
    levy_results *const r = book_price_once(BOOKS "implied.yaml", NULL);
    assert_true(fabs(levy_results_trade(r, 0)->price - closed_digital(&m)) < 1e-10);
    levy_results_destroy(r);
}

/* ---- An autocall ---- */

enum { AFFINE, YIELD, SPOT, RULES };

/* Squared errors, means of 20 seeds: measures of a trade. */
static void autocall_errors(levy_book *book, double errors[RULES][4])
{
    for (int seed = 1; seed <= 20; ++seed) {
        char text[8];
        snprintf(text, sizeof text, "%d", seed);
        const levy_setting setting = {"simulation.seed", text};
        assert_int_equal(levy_book_override(book, &setting, 1), LEVY_STATUS_OK);
        levy_results *const r = book_price(book);
        for (size_t t = 0; t < RULES; ++t)
            for (size_t m = 0; m < 4; ++m)
                errors[t][m] += pow(levy_results_trade(r, t)->measures[m].std_error, 2.0) / 20.0;
        levy_results_destroy(r);
    }
}

static void test_errors_are_those_of_a_yield(void **state)
{
    (void)state;
    double errors[RULES][4] = {{0.0}};
    levy_book *const book = book_load(BOOKS "autocall.yaml", NULL);
    autocall_errors(book, errors);
    for (size_t t = 0; t < RULES; t += SPOT)
        for (size_t m = 0; m < 4; ++m)
            if (!(sqrt(errors[t][m] / errors[YIELD][m]) <= 1.2))
                fail_msg("trade %zu, measure %zu: %g times", t, m,
                         sqrt(errors[t][m] / errors[YIELD][m]));
    levy_book_destroy(book);
}

/* Of the trades [first, last). */
static void assert_integrated_is_plain(const char *file, size_t first, size_t last)
{
    const levy_setting settings[] = {{"simulation.smoothing", "none"},
                                     {"simulation.paths", "2^15"}};
    levy_book *const book = book_load(file, NULL);
    levy_results *const a = book_price(book);
    assert_int_equal(levy_book_override(book, settings, 2), LEVY_STATUS_OK);
    levy_results *const b = book_price(book);
    for (size_t t = first; t < last; ++t) {
        const levy_trade_result *const one = levy_results_trade(a, t), *const two =
                                                                           levy_results_trade(b, t);
        assert_true(isnan(one->floor_probability));
        for (size_t m = 0; m < one->n_measures; ++m) {
            const levy_measure *const x = &one->measures[m], *const y = &two->measures[m];
            if (!(fabs(x->value - y->value) <= 5.0 * hypot(x->std_error, y->std_error)))
                fail_msg("%s, %s: %.9g, plain %.9g", one->id, x->measure, x->value, y->value);
        }
    }
    levy_results_destroy(a);
    levy_results_destroy(b);
    levy_book_destroy(book);
}

static void test_integrated_is_plain(void **state)
{
    (void)state;
    assert_integrated_is_plain(BOOKS "autocall.yaml", AFFINE, RULES);
    assert_integrated_is_plain(BOOKS "spot.yaml", 0, 5);
}

/* Where a path may well meet the floor at 0, its share is reported. */
static void test_the_floor_keeps_paths_plain(void **state)
{
    (void)state;
    levy_results *const r = book_price_once(BOOKS "spot.yaml", NULL);
    assert_true(levy_results_trade(r, 5)->floor_probability > 0.01);
    levy_results_destroy(r);
}

static void test_scenarios_are_quotes(void **state)
{
    (void)state;
    static const book_move moves[] = {{"A.dividends[0.8]", 0.5},    {"A.dividends[1.3]", 0.25},
                                      {"A.borrow", 0.002},          {"USD.rate[2]", 0.01},
                                      {"A.dividend_yield", -0.005}, {"A.spot", 7.0}};
    static const book_move of_spot[] = {{"A.dividends[0.8]", 0.5}, {"A.spot", 7.0}};
    book_scenarios_are_quotes(BOOKS "moved.yaml", NULL, moves, sizeof moves / sizeof *moves, 1e-14);
    book_scenarios_are_quotes(BOOKS "moved_spot.yaml", NULL, of_spot,
                              sizeof of_spot / sizeof *of_spot, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_prices_imply_volatilities),
        cmocka_unit_test(test_errors_are_those_of_a_yield),
        cmocka_unit_test(test_integrated_is_plain),
        cmocka_unit_test(test_the_floor_keeps_paths_plain),
        cmocka_unit_test(test_scenarios_are_quotes),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
