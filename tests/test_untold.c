/* test_untold.c: errors that replicates do not show, because all of them miss the same: what a far
 * leg adds to a sum, what lies beyond a strike, the rest of a chance, the jumps of a script on one
 * date, the peak of a law. Each was stated too small. Values are closed forms, or integrated. */
#include "tests/greeks_case.h"

/* Knock-in and knock-out less the put are 0. The knock-out sees what no path of the put does, so
 * the sum varies, and its spread is that of the knock-out alone. */
static void test_a_sum_is_as_unreliable_as_a_leg(void **state)
{
    priced p;
    (void)state;
    price_book(&p, "untold/sum_of_knocks", NULL, 0);
    const levy_trade_result *const sum = levy_results_trade(p.results, 0);
    assert_true(fabs(sum->price) < 5.0 * sum->std_error);
    assert_string_equal(sum->interval, "unreliable");
    release(&p);
}

static void price_script(priced *p, const char *book, const char *smoothing, const char *precision)
{
    const levy_setting settings[] = {{"simulation.smoothing", smoothing},
                                     {"simulation.precision", precision}};
    price_book(p, book, settings, 2);
}

static void compare_script(const char *book, const char *smoothing, const char *precision,
                           const char *measure, const char *factor)
{
    priced p, q;
    price_script(&p, book, "all", "double");
    price_script(&q, book, smoothing, precision);
    const levy_measure *const m = measure_of(&p, 0, measure, factor), *const n = measure_of(
                                                                          &q, 0, measure, factor);
    assert_string_not_equal(n->interval, "unreliable");
    const double off = fabs(m->value - n->value);
    if (!(off <= 5.0 * hypot(m->std_error, n->std_error)))
        fail_msg("%s %s %s: %.10g +- %.3g, %.10g +- %.3g", smoothing, precision, measure, m->value,
                 m->std_error, n->value, n->std_error);
    release(&p);
    release(&q);
}

/* All replicates have the same point on the wrong side of the step. */
static void test_a_script_on_one_date_has_the_error_of_its_jumps(void **state)
{
    (void)state;
    compare_script("untold/one_date", "none", "double", "price", "");
    compare_script("untold/one_date", "none", "double", "theta", "time");
}

/* The product of two levels is 0 in double: a search by their mean of logarithms never ended. */
static void test_a_jump_at_a_tiny_level_is_found(void **state)
{
    priced p;
    (void)state;
    price_book(&p, "untold/tiny_level", NULL, 0);
    const levy_trade_result *const r = levy_results_trade(p.results, 0);
    assert_in_range((uintmax_t)(1e6 * r->std_error), 1, 10000);
    release(&p);
}

/* The law of a quarter is so peaked at its middle that a share of its deviation looks past it. */
static void test_bumps_of_scripts_see_the_peak_of_a_law(void **state)
{
    (void)state;
    compare_script("untold/peak", "none", "double", "delta", "S.spot");
    compare_script("untold/peak", "none", "single", "delta", "S.spot");
    compare_script("untold/peak", "all", "single", "delta", "S.spot");
}

/* Paths start in the calm regime, so the value bends on the scale of its volatility, not of all. */
static void test_bumps_of_plain_paths_see_a_calm_start(void **state)
{
    (void)state;
    compare_script("untold/calm_start", "none", "double", "delta", "A.spot");
    compare_script("untold/calm_start", "none", "double", "delta", "B.spot");
}

/* Two ways to the same numbers, of which one may not be had. */
static void compare_all(const char *book)
{
    priced p, q;
    size_t compared = 0;
    price_script(&p, book, "all", "double");
    price_script(&q, book, "none", "double");
    for (size_t t = 0; t < levy_results_size(p.results); ++t) {
        const levy_trade_result *const a = levy_results_trade(p.results, t);
        const levy_trade_result *const b = levy_results_trade(q.results, t);
        for (size_t m = 0; m < a->n_measures; ++m) {
            const levy_measure *const x = &a->measures[m], *const y = &b->measures[m];
            const double error = hypot(x->std_error, y->std_error);
            if (strcmp(y->interval, "unreliable") == 0) continue;
            ++compared;
            if (!(fabs(x->value - y->value) <= 5.0 * error))
                fail_msg("%s %s %s: %.10g +- %.3g, %.10g +- %.3g", a->id, x->measure, x->factor,
                         x->value, x->std_error, y->value, y->std_error);
        }
    }
    assert_true(compared >= 15);
    release(&p);
    release(&q);
}

/* What paths pay that have no touch says nothing of what is paid for one. */
static void test_a_touch_by_another_level_is_worth_what_it_pays(void **state)
{
    (void)state;
    compare_all("untold/another_level");
}

/* Nor is a level of no matter that is far, or behind a nearer one, or of several together. */
static void test_levels_are_found_wherever_they_decide(void **state)
{
    (void)state;
    compare_all("untold/far_levels");
}

static void test_what_lies_beyond_a_strike(void **state)
{
    (void)state;
    compare_all("untold/beyond_strikes");
    compare_all("untold/beyond_kinks");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_sum_is_as_unreliable_as_a_leg),
        cmocka_unit_test(test_a_touch_by_another_level_is_worth_what_it_pays),
        cmocka_unit_test(test_levels_are_found_wherever_they_decide),
        cmocka_unit_test(test_what_lies_beyond_a_strike),
        cmocka_unit_test(test_a_script_on_one_date_has_the_error_of_its_jumps),
        cmocka_unit_test(test_a_jump_at_a_tiny_level_is_found),
        cmocka_unit_test(test_bumps_of_scripts_see_the_peak_of_a_law),
        cmocka_unit_test(test_bumps_of_plain_paths_see_a_calm_start)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
