/* test_carry.c: yields, costs of borrowing and spreads by term, and yields that forwards imply,
 * through the public interface: against curves that are added up by hand, and scenarios against
 * quotes. */
#include "tests/book_files.h"

#define BOOKS LEVY_SOURCE_DIR "/tests/books/carry/"

/* Each kind of payment is what it is where curves are added up by hand, on the same paths. */
static void test_terms_are_curves(void **state)
{
    (void)state;
    levy_results *const a = book_price_once(BOOKS "terms.yaml", BOOKS "trades.yaml");
    levy_results *const b = book_price_once(BOOKS "written.yaml", BOOKS "trades.yaml");
    assert_int_equal(book_agree(b, a), 63);
    levy_results_destroy(a);
    levy_results_destroy(b);
}

static void test_scenarios_are_quotes(void **state)
{
    (void)state;
    static const book_move moves[] = {{"A.dividend_yield[1]", 0.01}, {"A.dividend_yield", -0.005},
                                      {"A.borrow[0.25]", 0.002},     {"USD.rate[2]", 0.01},
                                      {"FUND.rate", 0.003},          {"A.spot", 7.0}};
    book_scenarios_are_quotes(BOOKS "moved.yaml", NULL, moves, sizeof moves / sizeof *moves, 1e-14);
}

/* A forward has the value of those that were given, between which forward yields are constant. A
 * spot that is set moves it in proportion. */
static void test_forwards_imply_yields(void **state)
{
    (void)state;
    static const double times[] = {0.5, 1.0, 1.5, 2.0, 3.0};
    levy_book *const book = book_load(BOOKS "implied.yaml", NULL);
    double forwards[] = {101.2, 101.9, 0.0, 104.5, 0.0}, rate = 0.0;
    for (int moved = 0; moved < 2; ++moved) {
        if (moved) assert_int_equal(levy_book_set(book, "A.spot", 110.0), LEVY_STATUS_OK);
        levy_results *const r = book_price(book);
        for (size_t k = 0; k < 5; ++k) {
            /* log discounts: 0.015 until 0.5, then 0.05 a year */
            const double discount = exp(-0.015 - 0.05 * (times[k] - 0.5)),
                         price = levy_results_trade(r, k)->price,
                         forward = price / discount + 100.0;
            if (forwards[k] > 0.0 && !(fabs(forward - forwards[k] * (1.0 + 0.1 * moved)) < 1e-11))
                fail_msg("%g: %.17g", times[k], forward);
            if (forwards[k] == 0.0) forwards[k] = forward;
        }
        /* the growth from 1 to 2 is even, and goes on beyond */
        rate = log(104.5 / 101.9);
        assert_true(fabs(log(forwards[2] / 101.9) - 0.5 * rate) < 1e-12);
        assert_true(fabs(log(forwards[4] / 104.5) - rate) < 1e-12);
        /* both are minus time, discount and forward; the yield's are by node */
        const double rho = book_value(r, 1, "dividend_rho", "A.dividend_yield[1]");
        assert_true(fabs(rho - book_value(r, 1, "borrow_rho", "A.borrow")) < 1e-6 * fabs(rho));
        assert_true(book_value(r, 1, "dividend_rho", "A.dividend_yield[0.5]") == 0.0);
        levy_results_destroy(r);
    }
    levy_book_destroy(book);
}

/* Discount factors of the first two curves, by QuantLib 1.44: PiecewiseLogLinearDiscount of
 * DepositRateHelper and SwapRateHelper on a NullCalendar, unadjusted, without a lag. */
static const double par_factors[] = {
    0.989486703772418, 0.979527867567832, 0.970258275987325, 0.961076405574243, 0.928571316119960,
    0.913812342974996, 0.899049172432610, 0.842022344383604, 0.763142990010620, 0.697453401224707,
    0.989401208966957, 0.979692714682880, 0.970057698625511, 0.960517440376417, 0.927527525513270,
    0.912612641266862, 0.897696357989296, 0.840083772076013, 0.760236845417251, 0.693837716196359};

/* Factors are QuantLib's, and every swap is worth nothing, whatever the interpolation. */
static void test_par_curves(void **state)
{
    (void)state;
    const size_t n = sizeof par_factors / sizeof *par_factors;
    levy_results *const r = book_price_once(BOOKS "par.yaml", NULL);
    size_t k = 0;
    for (size_t t = 0; t < levy_results_size(r); ++t) {
        const levy_trade_result *const it = levy_results_trade(r, t);
        if (it->leg_of) continue;
        const double due = k < n ? par_factors[k] : 1.0;
        if (!(fabs(it->price - due) < 2e-13))
            fail_msg("%s: %.17g, not %.17g", it->id, it->price, due);
        ++k;
    }
    assert_int_equal(k, n + 20);
    levy_results_destroy(r);
}

/* A trade and its legs are discounted on the curve of their currency under the collateral. */
static void test_collateral_names_curves(void **state)
{
    (void)state;
    levy_results *const r = book_price_once(BOOKS "collateral.yaml", NULL);
    const size_t last = levy_results_size(r) - 1;
    assert_true(levy_results_trade(r, 0)->price == levy_results_trade(r, 3)->price);
    assert_true(fabs(levy_results_trade(r, last)->price - 3.0 * exp(-0.021 * 0.5)) < 1e-14);
    assert_true(levy_results_trade(r, last - 1)->price == levy_results_trade(r, last)->price);
    levy_results_destroy(r);
}

/* American exercise on few dates is also on those beside a dividend, where most of it is. */
static void test_dividends_are_dates_of_exercise(void **state)
{
    (void)state;
    levy_results *const r = book_price_once(BOOKS "exercised.yaml", NULL);
    for (size_t k = 0; k < 4; k += 2) {
        const levy_trade_result *const solved = levy_results_trade(r, k), *const ruled =
                                                                              levy_results_trade(
                                                                                  r, k + 1);
        print_message("%s %.4f, by a rule %.4f +- %.4f\n", solved->id, solved->price, ruled->price,
                      ruled->std_error);
        assert_true(ruled->price > 0.985 * solved->price);
        assert_true(ruled->price < solved->price + 4.0 * ruled->std_error);
    }
    levy_results_destroy(r);
}

/* Forwards fall by what a dividend is worth today; other options have the slope of their prices. */
static void test_dividends_have_slopes_by_date(void **state)
{
    (void)state;
    static const struct {
        size_t trade;
        const char *factor;
        double paid, exact; /* exact: NAN, unknown */
    } cases[] = {
        {0, "A.dividends[0.25]", 1.0, -0.99 * 0.9925280548191384},
        {0, "A.dividends[0.5]", 0.01, -(100.0 - 0.9925280548191384)},
        {0, "A.dividends[0.75]", 2.0, -0.9777512371933363},
        {1, "B.dividends[0.25]", 1.0, -0.9925280548191384},
        {1, "B.dividends[1.5]", 2.0, 0.0},
        {2, "A.dividends[0.25]", 1.0, NAN},
        {2, "A.dividends[0.5]", 0.01, NAN},
        {3, "B.dividends[0.25]", 1.0, NAN},
        {3, "B.dividends[1.5]", 2.0, NAN},
    };
    levy_book *const book = book_load(BOOKS "dividends.yaml", NULL);
    levy_results *const today = book_price(book);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const levy_measure *const slope =
            book_measure(levy_results_trade(today, cases[i].trade), "dividends", cases[i].factor);
        double exact = cases[i].exact, moved[2];
        for (int up = 0; up < 2 && isnan(exact); ++up) {
            const double size = (up ? 0.02 : -0.02) * cases[i].paid;
            assert_int_equal(levy_book_set(book, cases[i].factor, cases[i].paid + size), 0);
            levy_results *const r = book_price(book);
            moved[up] = levy_results_trade(r, cases[i].trade)->price;
            levy_results_destroy(r);
            assert_int_equal(levy_book_set(book, cases[i].factor, cases[i].paid), 0);
        }
        if (isnan(exact)) exact = (moved[1] - moved[0]) / (0.04 * cases[i].paid);
        if (!(fabs(slope->value - exact) <= 4.0 * slope->std_error + 1e-3 * fabs(exact)))
            fail_msg("%s: %.9g +- %.2g, not %.9g", cases[i].factor, slope->value, slope->std_error,
                     exact);
    }
    levy_results_destroy(today);
    levy_book_destroy(book);
}

/* Where all curves move, a spread's moves as its sum with the other would. */
static void test_all_rates_move_alike(void **state)
{
    (void)state;
    levy_results *const r = book_price_once(BOOKS "alike.yaml", NULL);
    static const char *const moves[] = {"in_proportion", "by_an_amount"};
    for (size_t t = 0; t < 4; t += 2)
        for (size_t k = 0; k < 2; ++k) {
            const double spread = book_value(r, t, "scenario_price", moves[k]),
                         whole = book_value(r, t + 1, "scenario_price", moves[k]);
            if (!(fabs(spread - whole) <= 1e-12 * whole))
                fail_msg("%s %s: %.17g, not %.17g", levy_results_trade(r, t)->id, moves[k], spread,
                         whole);
        }
    levy_results_destroy(r);
}

/* Also in a book of one currency, so that a sum has those of all its trades. */
static void test_spreads_have_rho(void **state)
{
    (void)state;
    levy_results *const r = book_price_once(BOOKS "alike.yaml", NULL);
    static const size_t trades[] = {0, 2, 4};
    double total = 0.0, sum = NAN;
    for (size_t k = 0; k < 3; ++k) {
        const double rho = book_value(r, trades[k], "rho", "FUND.rate"),
                     up = book_value(r, trades[k], "scenario_price", "spread"),
                     down = book_value(r, trades[k], "scenario_price", "less");
        total += rho;
        if (!(fabs((up - down) / 2e-5 - rho) <= 1e-5 * fabs(rho)))
            fail_msg("%s: %.17g, not %.17g", levy_results_trade(r, trades[k])->id, rho,
                     (up - down) / 2e-5);
    }
    const levy_netted *const all = levy_results_netted(r, 0);
    for (size_t m = 0; m < all->n_measures; ++m)
        if (strcmp(all->measures[m].factor, "FUND.rate") == 0) sum = all->measures[m].value;
    assert_true(fabs(sum - total) <= 1e-12 * fabs(total));
    levy_results_destroy(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms_are_curves),
        cmocka_unit_test(test_scenarios_are_quotes),
        cmocka_unit_test(test_forwards_imply_yields),
        cmocka_unit_test(test_par_curves),
        cmocka_unit_test(test_collateral_names_curves),
        cmocka_unit_test(test_dividends_are_dates_of_exercise),
        cmocka_unit_test(test_dividends_have_slopes_by_date),
        cmocka_unit_test(test_all_rates_move_alike),
        cmocka_unit_test(test_spreads_have_rho),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
