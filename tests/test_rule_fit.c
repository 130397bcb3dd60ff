/* test_rule_fit.c: the parts of a fit of a rule (payoffs/policy_fit.h): monomials in the order of
 * the script's, and coefficients of least squares from sums of products, of dependent columns, too.
 */
#include "tests/cmocka_all.h"

#include "payoffs/policy_fit.h"

#include <math.h>

static void test_monomials_are_those_of_the_polynomial(void **state)
{
    const double v[LEVY_POLICY_LEVELS] = {1.5, -0.75, 0.625};
    (void)state;
    for (size_t n = 1; n <= LEVY_POLICY_LEVELS; ++n)
        for (size_t degree = 1; degree <= 3; ++degree) {
            double expected[LEVY_POLICY_TERMS], x[LEVY_POLICY_TERMS] = {1.0};
            levy_rule_monomials m;
            levy_policy_monomials(n, degree, v, 1.0, expected);
            levy_rule_monomials_of(n, degree, &m);
            assert_int_equal(m.n, levy_policy_terms(n, degree));
            for (size_t k = 1; k < m.n; ++k) x[k] = x[m.parent[k]] * v[m.variable[k]];
            assert_memory_equal(x, expected, m.n * sizeof *x);
        }
}

enum { COLUMNS = 5, ROWS = 200 };

static void test_coefficients_are_those_of_least_squares(void **state)
{
    static const double expected[COLUMNS] = {2.0, -1.0, 3.0, 0.0, 0.5};
    double products[LEVY_RULE_PRODUCTS(COLUMNS)] = {0.0}, c[COLUMNS];
    (void)state;
    for (size_t k = 0; k < ROWS; ++k) {
        const double t = (double)k / ROWS - 0.4;
        double x[COLUMNS + 1] = {1.0, t, t * t, 1.0 + 2.0 * t, t * t * t}, *to = products;
        for (size_t i = 0; i < COLUMNS; ++i) x[COLUMNS] += expected[i] * x[i];
        x[COLUMNS] += k < 2 ? 0.25 : 0.0; /* else any elimination would do */
        for (size_t i = 0; i < COLUMNS; ++i)
            for (size_t j = i; j <= COLUMNS; ++j) *to++ += x[i] * x[j];
    }
    double left[COLUMNS] = {0.0}; /* what no column explains is at right angles to all */
    levy_rule_solve(COLUMNS, products, c);
    assert_true(c[3] == 0.0); /* that column is a sum of those before it */
    for (size_t k = 0; k < ROWS; ++k) {
        const double t = (double)k / ROWS - 0.4;
        const double x[COLUMNS] = {1.0, t, t * t, 1.0 + 2.0 * t, t * t * t};
        double y = k < 2 ? 0.25 : 0.0;
        for (size_t i = 0; i < COLUMNS; ++i) y += (expected[i] - c[i]) * x[i];
        for (size_t i = 0; i < COLUMNS; ++i) left[i] += y * x[i];
    }
    for (size_t i = 0; i < COLUMNS; ++i) assert_true(fabs(left[i]) < 1e-11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_monomials_are_those_of_the_polynomial),
        cmocka_unit_test(test_coefficients_are_those_of_least_squares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
