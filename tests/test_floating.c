/* test_floating.c: floating coupons through the public interface: against closed forms and
 * QuantLib's figures, their Greeks against quotes, and scenarios against quotes. */
#include "tests/book_files.h"

#define BOOKS LEVY_SOURCE_DIR "/tests/books/floating/"

typedef struct known {
    const char *id;
    double price;
} known;

static void check_known(const char *book, const char *trades, const known *all, size_t n,
                        double tolerance)
{
    levy_results *const r = book_price_once(book, trades);
    size_t found = 0;
    for (size_t t = 0; t < levy_results_size(r); ++t) {
        const levy_trade_result *const it = levy_results_trade(r, t);
        assert_string_equal(it->status, "ok");
        for (size_t k = 0; k < n; ++k) {
            if (strcmp(it->id, all[k].id) != 0) continue;
            ++found;
            assert_string_equal(it->interval, "exact");
            if (!(fabs(it->price - all[k].price) < tolerance))
                fail_msg("%s: %.17g, not %.17g", it->id, it->price, all[k].price);
        }
    }
    assert_int_equal(found, n);
    levy_results_destroy(r);
}

static void test_closed_forms(void **state)
{
    (void)state;
    const double half = exp(-0.015), week = exp(-0.03 * (7.0 / 365.0 - 0.005));
    const known all[] = {{"term", 1.0},
                         {"overnight", 1.0},
                         {"accrued", 1.0123},
                         {"fixings", 1.0003 * 1.0004 * 1.0005},
                         {"fixed", 0.75 * (2.0 * 0.05 + 0.01) * half},
                         {"today", 0.5 * 0.05 * half},
                         {"ended", 0.015 * 0.05 * week},
                         {"paid", 1.0 * 0.05 * half}};
    check_known(BOOKS "closed.yaml", NULL, all, sizeof all / sizeof *all, 1e-14);
}

/* A swap at the rate that a curve was made of is worth nothing, however often it floats. */
static void test_par_swaps(void **state)
{
    (void)state;
    static const known all[] = {
        {"swap_annual", 0.0}, {"swap_quarterly", 0.0}, {"swap_linear", 0.0}, {"swap_convex", 0.0}};
    check_known(LEVY_SOURCE_DIR "/tests/books/carry/par.yaml", BOOKS "swaps.yaml", all, 4, 1e-13);
}

/* QuantLib 1.44: DiscountCurve, IborIndex of 6 months with 2 fixing days on TARGET, VanillaSwap,
 * IborLeg and OvernightLeg by DiscountingSwapEngine and CashFlows.npv, on a notional of a million.
 */
static void test_quantlib(void **state)
{
    (void)state;
    static const known all[] = {{"swap", 18050.606299231498},
                                {"swap/1", 188701.745319218317},
                                {"swap/2", -170651.139019986818},
                                {"geared", 265282.990087265905},
                                {"overnight", 188614.307867943426}};
    check_known(BOOKS "quantlib.yaml", NULL, all, sizeof all / sizeof *all, 1e-13 * 1e6);
}

static void test_scenarios_are_quotes(void **state)
{
    (void)state;
    static const book_move moves[] = {{"USD.rate[1]", 0.01},
                                      {"TERM.rate", -0.005},
                                      {"TERM.rate[1]", 0.004},
                                      {"BASIS.rate", 0.003},
                                      {"USD.rate", -0.02}};
    book_scenarios_are_quotes(BOOKS "moved.yaml", NULL, moves, sizeof moves / sizeof *moves, 1e-14);
}

/* The price of trade t where a quote is moved. */
static double moved_price(levy_book *book, size_t t, const char *factor, double size)
{
    double before;
    assert_int_equal(levy_book_get(book, factor, &before), LEVY_STATUS_OK);
    assert_int_equal(levy_book_set(book, factor, before + size), LEVY_STATUS_OK);
    levy_results *const r = book_price(book);
    const double price = levy_results_trade(r, t)->price;
    levy_results_destroy(r);
    assert_int_equal(levy_book_set(book, factor, before), LEVY_STATUS_OK);
    return price;
}

/* Rates have rho each, the discount curve, the forward curve and the spread: the slope between two
 * quotes, and the sum of those of the nodes. */
static void test_greeks_are_slopes(void **state)
{
    (void)state;
    static const char *const factors[] = {"USD.rate",      "TERM.rate",   "BASIS.rate",
                                          "USD.rate[0.5]", "USD.rate[1]", "USD.rate[2]",
                                          "TERM.rate[1]",  "TERM.rate[3]"};
    const double h = 1e-4;
    levy_book *const book = book_load(BOOKS "moved.yaml", NULL);
    levy_results *const r = book_price(book);
    for (size_t t = 0; t < levy_results_size(r); ++t) {
        if (levy_results_trade(r, t)->leg_of) continue;
        double nodes = 0.0;
        for (size_t k = 0; k < sizeof factors / sizeof *factors; ++k) {
            const int node = strchr(factors[k], '[') != NULL;
            const double slope = (moved_price(book, t, factors[k], h) -
                                  moved_price(book, t, factors[k], -h)) /
                                 (2.0 * h),
                         rho = book_value(r, t, node ? "rho_by_node" : "rho", factors[k]);
            if (!(fabs(rho - slope) < 1e-9))
                fail_msg("%s: %.17g, not %.17g", factors[k], rho, slope);
            if (strncmp(factors[k], "TERM", 4) == 0) nodes += node ? rho : -rho;
        }
        assert_true(fabs(nodes) < 1e-6); /* the rest is of the third order */
    }
    levy_results_destroy(r);
    levy_book_destroy(book);
}

/* The sum of legs in euros and dollars is in euros: that of the legs at the rate, in scenarios at
 * theirs, and with what the rate's spot moves of it. */
static void test_legs_in_two_currencies(void **state)
{
    (void)state;
    const double spot = 1.25;
    levy_book *const book = book_load(BOOKS "two.yaml", NULL);
    levy_results *const r = book_price(book);
    const levy_trade_result *const whole = levy_results_trade(r, 0);
    double dollars = 0.0, euros = 0.0;
    for (size_t t = 1; t < levy_results_size(r); ++t) {
        const levy_trade_result *const leg = levy_results_trade(r, t);
        *(strcmp(leg->currency, "USD") == 0 ? &dollars : &euros) += leg->price;
    }
    assert_string_equal(whole->currency, "EUR");
    assert_true(fabs(whole->price - euros - dollars / spot) < 1e-9);
    assert_true(fabs(whole->std_error / levy_results_trade(r, 1)->std_error - 1.0) < 1e-9);
    assert_true(fabs(book_value(r, 0, "delta", "EURUSD.spot") + dollars / (spot * spot)) < 1e-8);
    assert_true(fabs(book_value(r, 0, "gamma", "EURUSD.spot") -
                     2.0 * dollars / (spot * spot * spot)) < 1e-8);
    assert_true(book_value(r, 0, "delta", "A.spot") == book_value(r, 1, "delta", "A.spot"));
    assert_true(fabs(book_value(r, 0, "rho", "SOFR.rate") -
                     book_value(r, 2, "rho", "SOFR.rate") / spot) < 1e-8);
    const double moved = moved_price(book, 0, "EURUSD.spot", 0.125);
    assert_true(fabs(book_value(r, 0, "scenario_price", "dollar") - moved) < 1e-9);
    /* all of the book is the trade, to the bit; sums in one currency count it once each */
    for (size_t k = 0; k < 3; ++k) {
        const levy_netted *const sum = levy_results_netted(r, k);
        assert_non_null(sum);
        assert_int_equal(sum->trades, 1);
        if (sum->translated) assert_true(sum->value == whole->price);
    }
    levy_results_destroy(r);
    levy_book_destroy(book);
}

/* At a rate of 1 they are one currency: the same bits. */
static void test_a_rate_of_one(void **state)
{
    (void)state;
    levy_results *const two = book_price_once(BOOKS "at_one.yaml", BOOKS "at_one_two.yaml");
    levy_results *const one = book_price_once(BOOKS "at_one.yaml", BOOKS "at_one_one.yaml");
    for (size_t t = 0; t < levy_results_size(two); ++t)
        assert_true(levy_results_trade(two, t)->price == levy_results_trade(one, t)->price);
    assert_true(levy_results_trade(two, 0)->std_error == levy_results_trade(one, 0)->std_error);
    levy_results_destroy(two);
    levy_results_destroy(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms),      cmocka_unit_test(test_par_swaps),
        cmocka_unit_test(test_quantlib),          cmocka_unit_test(test_scenarios_are_quotes),
        cmocka_unit_test(test_greeks_are_slopes), cmocka_unit_test(test_legs_in_two_currencies),
        cmocka_unit_test(test_a_rate_of_one),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
