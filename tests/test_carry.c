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
    assert_int_equal(book_agree(a, b), 63);
    levy_results_destroy(a);
    levy_results_destroy(b);
}

static void test_scenarios_are_quotes(void **state)
{
    (void)state;
    static const book_move moves[] = {{"A.dividend_yield[1]", 0.01}, {"A.dividend_yield", -0.005},
                                      {"A.borrow[0.25]", 0.002},     {"USD.rate[2]", 0.01},
                                      {"FUND.rate", 0.003},          {"A.spot", 7.0}};
    book_scenarios_are_quotes(BOOKS "moved.yaml", moves, sizeof moves / sizeof *moves);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms_are_curves),
        cmocka_unit_test(test_scenarios_are_quotes),
        cmocka_unit_test(test_forwards_imply_yields),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
