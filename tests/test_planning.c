/* test_planning.c: how the work of reading and planning grows: books of many models or scripts take
 * time in proportion to them. */
#include "tests/cmocka_all.h"
#include "tests/fixture.h"
#include "tests/planned.h"
#include "tests/problem_load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* ---- Time in proportion ---- */

/* The least of three, as other work on the machine can only add. */
static double least(double (*took)(int n), int n)
{
    double best = INFINITY;
    for (int k = 0; k < 3; ++k) best = fmin(best, took(n));
    return best;
}

static double seconds_since(clock_t start)
{
    return (double)(clock() - start) / (double)CLOCKS_PER_SEC;
}

enum { ITEM = 256 };

static char *room_for(int n, size_t *size)
{
    char *const text = malloc(*size = 4096 + (size_t)n * ITEM);
    assert_non_null(text);
    return text;
}

static double reading_models(int n)
{
    size_t size, at;
    char *const text = room_for(n, &size);
    at = (size_t)snprintf(text, size,
                          "schema_version: 1\nmarket:\n  curves: {USD: 0.03}\n  assets:\n");
    for (int k = 0; k < n; ++k)
        at += (size_t)snprintf(text + at, size - at, "    A%d: {currency: USD, spot: 100}\n", k);
    at += (size_t)snprintf(text + at, size - at, "models:\n");
    for (int k = 0; k < n; ++k)
        at += (size_t)snprintf(text + at, size - at,
                               "  m%d: {kind: variance_gamma, assets: [A%d], sigma: 0.2, nu: 0.2, "
                               "theta: -0.1}\n",
                               k, k);
    snprintf(text + at, size - at,
             "trades: [{id: t, model: m0, underlying: A0, exercise: {expiry: 1}, payoff: {kind: "
             "european, option_type: call, strike: 100}}]\n");
    const clock_t start = clock();
    loaded_book book = load_text(text);
    const double took = seconds_since(start);
    assert_int_equal(book.status, LEVY_OK);
    loaded_book_release(&book);
    free(text);
    return took;
}

/* Its k-th text is of 7 operations, which are the digits of k. */
static double planning_scripts(int n)
{
    static const char *const signs[] = {"+", "-", "*", "/"};
    size_t size, at;
    char *const text = room_for(n, &size);
    at = (size_t)snprintf(text, size,
                          "schema_version: 1\nmarket:\n  curves: {USD: 0.03}\n  assets:\n"
                          "    S: {currency: USD, spot: 100, volatility: 0.2}\n"
                          "models: {m: {kind: black_scholes, assets: [S]}}\n"
                          "simulation: {smoothing: none}\ntrades:\n");
    for (int k = 0; k < n; ++k) {
        at += (size_t)snprintf(text + at, size - at,
                               "  - {id: t%d, underlying: S, exercise: {expiry: 1}, payoff: {kind: "
                               "script, schedules: {early: [0.5]}, script: \"at expiry { pay level",
                               k);
        for (int digit = 0, rest = k; digit < 7; ++digit, rest /= 4)
            at += (size_t)snprintf(text + at, size - at, " %s level", signs[rest % 4]);
        at += (size_t)snprintf(text + at, size - at, " }\\nat early { }\"}}\n");
    }
    planned p;
    loaded_book book = load_text(text);
    assert_int_equal(book.status, LEVY_OK);
    const clock_t start = clock();
    plan_problem(&p, book.problem);
    const double took = seconds_since(start);
    assert_int_equal(p.status, LEVY_OK);
    unplan(&p);
    loaded_book_release(&book);
    free(text);
    return took;
}

static void test_books_of_many_models_are_read_in_proportion(void **state)
{
    (void)state;
    const double few = least(reading_models, 1 << 11), many = least(reading_models, 1 << 14);
    if (many > 16.0 * few) fail_msg("eight times the models took %g times as long", many / few);
}

static void test_books_of_many_scripts_are_planned_in_proportion(void **state)
{
    (void)state;
    const double few = least(planning_scripts, 1 << 10), many = least(planning_scripts, 1 << 13);
    if (many > 16.0 * few) fail_msg("eight times the scripts took %g times as long", many / few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_books_of_many_models_are_read_in_proportion),
        cmocka_unit_test(test_books_of_many_scripts_are_planned_in_proportion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
