/* test_alias.c: alias tables and guide tables on the CPU: masses for weights of every kind, the
 * same bits for any crew, samples against their law with stated power, and the refusals. */
#include "tests/cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/levy.h"
#include "kernels/samplers/alias/alias.h"
#include "kernels/samplers/alias/guide.h"
#include "kernels/cpu/threads.h"
#include "tests/alias_case.h"
#include "tests/heap.h"

static const uint64_t sizes[] = {1, 2, 3, 5, 64, 1000, 16384, 16385, 40000, 100003};
enum { SIZES = sizeof sizes / sizeof *sizes };
static const char *const methods[] = {"Vose", "sweep", "PSA", "PSA+"};

static void pool_run(void *pool, void (*work)(void *user, uint32_t worker), void *user)
{
    levy_threads_run(pool, work, user);
}

static double built_error(levy_alias *alias, const levy_alias_weights *weights,
                          levy_alias_method method, const levy_alias_crew *crew, double *masses)
{
    levy_alias_fault fault;
    assert_int_equal(levy_alias_build(alias, weights, method, crew, &fault), LEVY_OK);
    return levy_alias_error(alias, alias->rows, weights, masses);
}

static void test_masses_are_the_weights(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int which = 0; which < ALIAS_CASES; ++which)
        for (int s = 0; s < SIZES; ++s) {
            const uint64_t n = sizes[s];
            double *const w = malloc(n * sizeof *w), *const masses = malloc(2 * n * sizeof *masses);
            levy_alias *alias;
            assert_int_equal(levy_alias_create(&levy_memory_default, n, &alias), LEVY_OK);
            alias_case_fill(which, w, n);
            for (int m = 0; m < 4; ++m) {
                const levy_alias_weights weights = {w, NULL, n};
                const double error =
                    built_error(alias, &weights, (levy_alias_method)m, NULL, masses);
                if (!(error <= 1e-12))
                    fail_msg("%s of %s, n = %llu: error %g", methods[m], alias_case_name(which),
                             (unsigned long long)n, error);
                worst = error > worst ? error : worst;
            }
            levy_alias_destroy(alias);
            free(w);
            free(masses);
        }
    print_message("largest relative error of a mass: %.2g\n", worst);
    assert_true(worst < 2e-15);
}

/* PSA's table is the sweep's, and no table depends on the crew. */
static void test_bits_for_any_crew(void **state)
{
    (void)state;
    const uint64_t n = 100003;
    double *const w = malloc(n * sizeof *w);
    levy_alias *alone, *together;
    assert_int_equal(levy_alias_create(&levy_memory_default, n, &alone), LEVY_OK);
    assert_int_equal(levy_alias_create(&levy_memory_default, n, &together), LEVY_OK);
    const levy_alias_weights weights = {w, NULL, n};
    levy_alias_fault fault;
    for (uint32_t workers = 2; workers <= 7; workers += 5) {
        levy_threads *threads;
        assert_int_equal(levy_threads_create(&levy_memory_default, workers, &threads), LEVY_OK);
        const levy_alias_crew crew = {workers, pool_run, threads};
        for (int which = 0; which < ALIAS_CASES; ++which) {
            alias_case_fill(which, w, n);
            for (int m = 2; m < 4; ++m) {
                assert_int_equal(levy_alias_build(alone, &weights,
                                                  m == 2 ? LEVY_ALIAS_SWEEP : LEVY_ALIAS_PSA_PLUS,
                                                  NULL, &fault),
                                 LEVY_OK);
                assert_int_equal(
                    levy_alias_build(together, &weights, (levy_alias_method)m, &crew, &fault),
                    LEVY_OK);
                assert_memory_equal(alone->rows, together->rows, n * sizeof *alone->rows);
            }
        }
        levy_threads_destroy(threads);
    }
    levy_alias_destroy(alone);
    levy_alias_destroy(together);
    free(w);
}

static void test_single_weights(void **state)
{
    (void)state;
    enum { N = 30000 };
    float *const w = malloc(N * sizeof *w);
    double *const masses = malloc(2 * N * sizeof *masses);
    for (int i = 0; i < N; ++i) w[i] = (float)(1.0 / (i + 1));
    w[3] = 1e-45f;
    levy_alias *alias;
    assert_int_equal(levy_alias_create(&levy_memory_default, N, &alias), LEVY_OK);
    const levy_alias_weights weights = {NULL, w, N};
    for (int m = 0; m < 4; ++m)
        assert_true(built_error(alias, &weights, (levy_alias_method)m, NULL, masses) < 2e-15);
    levy_alias_destroy(alias);
    free(w);
    free(masses);
}

static void check_refusal(const double *w, uint64_t n, levy_alias_reason reason,
                          const char *expected)
{
    levy_alias *alias;
    levy_alias_fault fault;
    char text[160];
    const levy_alias_weights weights = {w, NULL, n};
    assert_int_equal(levy_alias_create(&levy_memory_default, 20000, &alias), LEVY_OK);
    assert_int_equal(levy_alias_build(alias, &weights, LEVY_ALIAS_PSA_PLUS, NULL, &fault),
                     LEVY_INPUT);
    assert_int_equal(fault.reason, reason);
    assert_int_equal(alias->count, 0);
    levy_alias_fault_text(&fault, text, sizeof text);
    assert_string_equal(text, expected);
    levy_alias_destroy(alias);
}

static void test_refused_by_name(void **state)
{
    (void)state;
    double *const w = calloc(20000, sizeof *w);
    check_refusal(w, 20000, LEVY_ALIAS_ALL_ZERO, "all weights are 0: one at least must be more");
    check_refusal(w, 0, LEVY_ALIAS_COUNT, "0 weights: from 1 to 4294967295 can be drawn from");
    w[17] = w[19000] = -0.5;
    check_refusal(w, 20000, LEVY_ALIAS_NEGATIVE,
                  "weights[17] is -0.5: a weight must be a finite number, 0 or more");
    w[17] = NAN;
    check_refusal(w, 20000, LEVY_ALIAS_NAN,
                  "weights[17] is not a number: a weight must be a finite number, 0 or more");
    w[17] = 1.0;
    w[19000] = HUGE_VAL;
    check_refusal(w, 20000, LEVY_ALIAS_INFINITE,
                  "weights[19000] is infinite: a weight must be a finite number, 0 or more");
    free(w);
    levy_alias *alias;
    levy_alias_fault fault;
    assert_int_equal(levy_alias_create(&levy_memory_default, 1, &alias), LEVY_OK);
    assert_int_equal(levy_alias_build(alias, &(levy_alias_weights){(const double[]){1, 2}, NULL, 2},
                                      LEVY_ALIAS_VOSE, NULL, &fault),
                     LEVY_ARGUMENT);
    levy_alias_destroy(alias);
}

/* Chi-square with n - 1 degrees of freedom, as a number of standard deviations. */
static double chi_square(const uint64_t *counts, const double *w, int n, double draws)
{
    double total = 0.0, sum = 0.0;
    int cells = 0;
    for (int i = 0; i < n; ++i) total += w[i];
    for (int i = 0; i < n; ++i) {
        const double expected = draws * w[i] / total;
        if (expected == 0.0) {
            assert_int_equal(counts[i], 0);
            continue;
        }
        sum += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
        ++cells;
    }
    return (sum - (cells - 1)) / sqrt(2.0 * (cells - 1));
}

/* Kolmogorov's distance times sqrt(draws): above 1.95 once in a thousand (for discrete laws more
 * rarely). */
static double kolmogorov(const uint64_t *counts, const double *w, int n, double draws)
{
    double total = 0.0, law = 0.0, seen = 0.0, worst = 0.0;
    for (int i = 0; i < n; ++i) total += w[i];
    for (int i = 0; i < n; ++i) {
        law += w[i] / total;
        seen += (double)counts[i] / draws;
        worst = fmax(worst, fabs(law - seen));
    }
    return worst * sqrt(draws);
}

/* 4 M draws of 200 items. Power: weights that are each off by 1 % up or down by turns shift
 * chi-square by 4e6 * 1e-4 = 400, which is 20 of its standard deviations; the last assertion sees
 * that happen. */
static void test_samples_follow_the_weights(void **state)
{
    (void)state;
    enum { N = 200, DRAWS = 4000000 };
    double w[N], off[N];
    uint64_t counts[N];
    levy_alias *alias;
    levy_alias_fault fault;
    assert_int_equal(levy_alias_create(&levy_memory_default, N, &alias), LEVY_OK);
    for (int i = 0; i < N; ++i) w[i] = 0.2 + 5.0 * alias_case_uniform(1, (uint64_t)i);
    w[7] += 100.0;
    w[50] = 0.0;
    for (int i = 0; i < N; ++i) off[i] = w[i] * (i % 2 ? 1.01 : 0.99);
    const levy_alias_weights weights = {w, NULL, N};
    for (int m = 0; m < 4; ++m) {
        assert_int_equal(levy_alias_build(alias, &weights, (levy_alias_method)m, NULL, &fault),
                         LEVY_OK);
        memset(counts, 0, sizeof counts);
        for (uint64_t d = 0; d < DRAWS; ++d)
            ++counts[levy_alias_draw(alias, alias_case_word(99, d))];
        assert_true(fabs(chi_square(counts, w, N, DRAWS)) < 4.0);
        assert_true(kolmogorov(counts, w, N, DRAWS) < 1.95);
        assert_true(chi_square(counts, off, N, DRAWS) > 12.0);
    }
    levy_alias_destroy(alias);
}

static void test_short_rows(void **state)
{
    (void)state;
    enum { N = 5000 };
    double w[N], mass[N];
    levy_alias_short_row rows[N];
    levy_alias *alias;
    levy_alias_fault fault;
    assert_int_equal(levy_alias_create(&levy_memory_default, N, &alias), LEVY_OK);
    for (int which = 0; which < ALIAS_CASES; ++which) {
        alias_case_fill(which, w, N);
        memset(mass, 0, sizeof mass);
        assert_int_equal(levy_alias_build(alias, &(levy_alias_weights){w, NULL, N},
                                          LEVY_ALIAS_PSA_PLUS, NULL, &fault),
                         LEVY_OK);
        levy_alias_shorten(alias, rows);
        for (int i = 0; i < N; ++i) {
            mass[i] += rows[i].threshold * 0x1p-32;
            mass[rows[i].other] += 1.0 - rows[i].threshold * 0x1p-32;
        }
        for (int i = 0; i < N; ++i) {
            const double share = w[i] * alias->scale.lift / alias->scale.share;
            if (fabs(mass[i] - share) > 0x1p-33 * (share + 2.0) * 64.0)
                fail_msg("%s %d %g %g", alias_case_name(which), i, mass[i], share);
            if (w[i] == 0.0) assert_true(mass[i] == 0.0);
        }
    }
    levy_alias_destroy(alias);
}

/* The inverse is monotone, exact at the steps, and the guide only makes it faster. */
static void test_guide(void **state)
{
    (void)state;
    for (int which = 0; which < ALIAS_CASES; ++which)
        for (int s = 0; s < SIZES - 1; ++s) {
            const uint64_t n = sizes[s];
            double *const w = malloc(n * sizeof *w);
            levy_guide *guide;
            levy_alias_fault fault;
            alias_case_fill(which, w, n);
            const levy_alias_weights weights = {w, NULL, n};
            assert_int_equal(
                levy_guide_create(&levy_memory_default, &weights, 0, NULL, &guide, &fault),
                LEVY_OK);
            uint32_t last = 0;
            for (int k = 0; k <= 4000; ++k) {
                const double u = k < 4000 ? k / 4000.0 : 1.0 - 0x1p-53;
                const uint32_t item = levy_guide_draw(guide, u);
                assert_true(item >= last && item < n);
                assert_true(u < guide->cumulative[item] &&
                            (item == 0 || u >= guide->cumulative[item - 1]));
                assert_true(w[item] > 0.0);
                assert_int_equal(item, levy_guide_search(guide, u));
                last = item;
            }
            levy_guide_destroy(guide);
            free(w);
        }
    levy_guide *none;
    levy_alias_fault fault;
    assert_int_equal(levy_guide_create(&levy_memory_default,
                                       &(levy_alias_weights){(const double[]){1, -1}, NULL, 2}, 0,
                                       NULL, &none, &fault),
                     LEVY_INPUT);
    assert_int_equal(fault.index, 1);
}

/* The n-th allocation fails: an error, nothing leaks (the sanitizers look). */
static void test_memory_runs_out(void **state)
{
    (void)state;
    test_heap heap = {0};
    const levy_memory stingy = heap_memory(&heap);
    const double w[] = {1, 2, 3};
    const levy_alias_weights weights = {w, NULL, 3};
    levy_alias_fault fault;
    for (int n = 0; n < 12; ++n) {
        levy_alias *alias = NULL;
        levy_guide *guide = NULL;
        heap_grant(&heap, n);
        levy_status status = levy_alias_create(&stingy, 3, &alias);
        if (status == LEVY_OK)
            status = levy_alias_build(alias, &weights, LEVY_ALIAS_PSA_PLUS, NULL, &fault);
        assert_true(status == (n >= 4 ? LEVY_OK : LEVY_MEMORY));
        levy_alias_destroy(alias);
        heap_grant(&heap, n);
        status = levy_guide_create(&stingy, &weights, 0, NULL, &guide, &fault);
        assert_true(status == LEVY_OK || status == LEVY_MEMORY);
        levy_guide_destroy(guide);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_masses_are_the_weights),
                                       cmocka_unit_test(test_bits_for_any_crew),
                                       cmocka_unit_test(test_single_weights),
                                       cmocka_unit_test(test_refused_by_name),
                                       cmocka_unit_test(test_samples_follow_the_weights),
                                       cmocka_unit_test(test_short_rows),
                                       cmocka_unit_test(test_guide),
                                       cmocka_unit_test(test_memory_runs_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
