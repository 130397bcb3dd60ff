/* test_black.c: Black's formula and the volatility that a price implies, to the ends of both. */
#include "tests/near.h"

#include "engine/fourier/black.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_price),   cmocka_unit_test(test_far_out),
        cmocka_unit_test(test_implied), cmocka_unit_test(test_implied_far_out),
        cmocka_unit_test(test_ends),    cmocka_unit_test(test_delta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
