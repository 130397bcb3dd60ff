/* test_sampler.c: levy_sampler_* on the CPU: items against Philox and the alias table written down
 * again here, for any split, threads and instruction set; rows of eight bytes against exact ones at
 * every threshold; counts, the monotone inverse, refusals, allocations that fail. */
#define LANE_SCALAR
#include "tests/cmocka_all.h"

#include "kernels/samplers/alias/sampler_draw.h"
#include "kernels/samplers/alias/sampler_tables.h"
#include "tests/alias_case.h"
#include "tests/context_fixture.h"
#include "tests/heap.h"
#include "tests/sampler_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The same once more ---------------------------------------------------------------------- */

static levy_alias *table_of(const double *w, uint64_t n)
{
    levy_alias *alias;
    levy_alias_fault fault;
    const levy_alias_weights weights = {w, NULL, n};
    assert_int_equal(levy_alias_create(&levy_memory_default, n, &alias), LEVY_OK);
    assert_int_equal(levy_alias_build(alias, &weights, LEVY_ALIAS_PSA_PLUS, NULL, &fault), LEVY_OK);
    return alias;
}

static levy_sampler *sampler_of(const double *w, size_t n, const char *isa, uint32_t threads)
{
    levy_sampler *sampler;
    const levy_sampler_spec spec = {
        .struct_size = sizeof spec, .weights = w, .count = n, .isa = isa, .threads = threads};
    assert_int_equal(levy_sampler_create(context, &spec, &sampler), LEVY_STATUS_OK);
    return sampler;
}

/* ---- Draws ----------------------------------------------------------------------------------- */

enum { DRAWS = 40007 };
static uint32_t want[DRAWS], got[DRAWS];

static void check_draws(levy_sampler *sampler, const levy_alias *alias, uint64_t first)
{
    for (uint32_t k = 0; k < DRAWS; ++k)
        want[k] = levy_alias_draw(alias, sampler_case_word(0x123456789abcdef0u, first + k));
    memset(got, 0xff, sizeof got);
    assert_int_equal(levy_sampler_draw(sampler, 0x123456789abcdef0u, first, DRAWS, got, NULL),
                     LEVY_STATUS_OK);
    assert_memory_equal(got, want, sizeof want);
}

static void test_draws_are_those_of_the_table(void **state)
{
    (void)state;
    enum { N = 4099 };
    static double w[N];
    const uint64_t sizes[] = {1, 2, 3, 64, N};
    for (int which = 0; which < ALIAS_CASES; ++which)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
            alias_case_fill(which, w, sizes[s]);
            levy_alias *const alias = table_of(w, sizes[s]);
            levy_sampler *const sampler = sampler_of(w, sizes[s], NULL, 1 + s % 2);
            check_draws(sampler, alias, 1000 * s);
            levy_sampler_destroy(sampler);
            levy_alias_destroy(alias);
        }
}

static void test_any_processor_and_split(void **state)
{
    (void)state;
    enum { N = 1000 };
    static double w[N];
    static const char *const sets[] = {"baseline", "avx2", "avx512", "neon"};
    const uint64_t firsts[] = {0, 7, 4294967296 - 20000, 0 - (uint64_t)20000};
    alias_case_fill(0, w, N);
    levy_alias *const alias = table_of(w, N);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; ++i)
        for (uint32_t threads = 1; threads <= 3; ++threads) {
            levy_sampler *sampler;
            const levy_sampler_spec spec = {.struct_size = sizeof spec,
                                            .weights = w,
                                            .count = N,
                                            .isa = sets[i],
                                            .threads = threads};
            if (levy_sampler_create(context, &spec, &sampler) != LEVY_STATUS_OK) continue;
            assert_string_equal(levy_sampler_info(sampler)->isa, sets[i]);
            for (size_t f = 0; f < sizeof firsts / sizeof *firsts; ++f)
                check_draws(sampler, alias, firsts[f]);
            for (size_t some = 1; some < 1000; some += 97) {
                memset(got, 0xff, sizeof got);
                assert_int_equal(levy_sampler_draw(sampler, 0x123456789abcdef0u, firsts[3] + some,
                                                   some, got + 1, NULL),
                                 LEVY_STATUS_OK);
                assert_memory_equal(got + 1, want + some, some * sizeof *got);
                assert_true(got[0] == UINT32_MAX && got[some + 1] == UINT32_MAX);
            }
            levy_sampler_destroy(sampler);
        }
    levy_alias_destroy(alias);
}

/* The word whose place in a row of a table of `n` is about `high` and a half, in units of 2^-32. */
static uint64_t word_at(uint64_t row, uint32_t high, uint64_t n)
{
    const alias_wide place = (alias_wide)row << 64 | (uint64_t)high << 32 | 0x80000000u;
    return (uint64_t)(place / n);
}

static uint32_t draw_of(const levy_sampler_tables *t, uint64_t word, uint32_t *rare)
{
    const sampler_place p =
        sampler_place_of((uint32_t)(word >> 32), (uint32_t)word, (uint32_t)t->count);
    const levy_sampler_row row = t->rows[p.row];
    if (!sampler_is_near(row.split, p.high))
        return sampler_item(row.split, row.other, p.row, p.high);
    ++*rare;
    return sampler_exact(row.split, row.other, p, t->thresholds[p.row], t->share);
}

/* Words on both sides of every row's threshold, and at the ends of every row. */
static void test_short_rows_decide_as_exact_ones(void **state)
{
    (void)state;
    enum { N = 20011 };
    static double w[N];
    levy_alias_fault fault;
    levy_sampler_tables t;
    uint32_t rare = 0;
    for (int which = 0; which < ALIAS_CASES; ++which) {
        const uint64_t n = which % 2 ? N : 61;
        alias_case_fill(which, w, n);
        levy_alias *const alias = table_of(w, n);
        const levy_alias_weights weights = {w, NULL, n};
        assert_int_equal(
            levy_sampler_tables_create(&levy_memory_default, &weights, NULL, &t, &fault), LEVY_OK);
        for (uint64_t row = 0; row < n; ++row)
            for (uint32_t k = 0; k < 12; ++k) {
                const uint32_t edge = k < 8 ? (t.rows[row].split & 0x7fffffffu) - 4 + k : k - 10;
                const uint64_t word = word_at(row, edge, n);
                assert_int_equal(draw_of(&t, word, &rare), levy_alias_draw(alias, word));
            }
        levy_sampler_tables_release(&levy_memory_default, &t);
        levy_sampler_tables_release(&levy_memory_default, &t);
        levy_alias_destroy(alias);
    }
    assert_true(rare > N); /* the exact comparison was met */
}

/* Draws that fall on a threshold, on both sides of it. */
static void test_draws_on_a_threshold(void **state)
{
    (void)state;
    double w[2];
    uint32_t items[2] = {0, 0};
    for (uint32_t k = 0; k < 16; ++k) {
        const uint64_t draw = sampler_case_near(5, 1000 * k, k / 15.0, w);
        levy_alias *const alias = table_of(w, 2);
        levy_sampler *const sampler = sampler_of(w, 2, NULL, 1);
        uint32_t item;
        assert_int_equal(levy_sampler_draw(sampler, 5, draw, 1, &item, NULL), LEVY_STATUS_OK);
        assert_int_equal(item, levy_alias_draw(alias, sampler_case_word(5, draw)));
        ++items[item];
        levy_sampler_destroy(sampler);
        levy_alias_destroy(alias);
    }
    assert_true(items[0] > 1 && items[1] > 1);
}

/* ---- Counts ---------------------------------------------------------------------------------- */

static void check_counts(size_t n, uint32_t threads)
{
    static double w[20000];
    static uint32_t expected[20000], counts[20000];
    alias_case_fill(0, w, n);
    levy_sampler *const sampler = sampler_of(w, n, NULL, threads);
    assert_int_equal(levy_sampler_draw(sampler, 5, 77, DRAWS, got, NULL), LEVY_STATUS_OK);
    for (size_t i = 0; i < n; ++i) expected[i] = counts[i] = (uint32_t)(3 * i) - 1;
    for (size_t k = 0; k < DRAWS; ++k) ++expected[got[k]];
    assert_int_equal(levy_sampler_counts(sampler, 5, 77, 30000, counts, NULL), LEVY_STATUS_OK);
    assert_int_equal(levy_sampler_counts(sampler, 5, 30077, DRAWS - 30000, counts, NULL),
                     LEVY_STATUS_OK);
    assert_memory_equal(counts, expected, n * sizeof *counts);
    levy_sampler_destroy(sampler);
}

static void test_counts_are_added(void **state)
{
    (void)state;
    const size_t sizes[] = {1, 3, 8192, 8193, 20000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (uint32_t threads = 1; threads <= 4; threads += 3) check_counts(sizes[i], threads);
}

/* ---- The monotone inverse -------------------------------------------------------------------- */

static void test_inverse(void **state)
{
    (void)state;
    enum { N = 300, M = 30000 };
    static double w[N], u[M];
    static uint32_t items[M];
    levy_guide *guide;
    levy_alias_fault fault;
    for (int which = 0; which < ALIAS_CASES; ++which) {
        alias_case_fill(which, w, N);
        const levy_alias_weights weights = {w, NULL, N};
        levy_sampler *const sampler = sampler_of(w, N, NULL, 1 + (uint32_t)which % 3);
        assert_int_equal(levy_guide_create(&levy_memory_default, &weights, 0, NULL, &guide, &fault),
                         LEVY_OK);
        for (int k = 0; k < M; ++k) u[k] = ((double)k + (k % 3) * 0.25) / M;
        for (int k = 0; k < 8; ++k) u[k] = guide->cumulative[k * N / 8] - 0x1p-53;
        u[0] = 0.0;
        u[1] = 1.0 - 0x1p-53;
        for (int k = 0; k < M; ++k) u[k] = u[k] < 0.0 ? 0.0 : u[k];
        assert_int_equal(levy_sampler_invert(sampler, u, M, items, NULL), LEVY_STATUS_OK);
        for (int k = 0; k < M; ++k) assert_int_equal(items[k], levy_guide_search(guide, u[k]));
        for (int k = 9; k < M; ++k) assert_true(items[k] >= items[k - 1]);
        /* what a GPU makes of numbers outside */
        assert_int_equal(sampler_cut(NAN, guide->cumulative, guide->start, guide->cells), items[0]);
        assert_int_equal(sampler_cut(-1.0, guide->cumulative, guide->start, guide->cells),
                         items[0]);
        assert_int_equal(sampler_cut(1e300, guide->cumulative, guide->start, guide->cells),
                         items[1]);
        levy_guide_destroy(guide);
        levy_sampler_destroy(sampler);
    }
}

static void run_in_turn(void *pool, void (*work)(void *user, uint32_t worker), void *user)
{
    for (uint32_t worker = 0; worker < *(const uint32_t *)pool; ++worker) work(user, worker);
}

/* Rows and guides: also with more workers than items, and than a guide has parts. */
static void test_tables_for_any_crew(void **state)
{
    (void)state;
    static double w[5000];
    const uint64_t sizes[] = {1, 2, 7, 5000};
    const uint32_t crews[] = {2, 3, 64, 200};
    levy_sampler_tables one, many;
    levy_alias_fault fault;
    for (int which = 0; which < ALIAS_CASES; ++which)
        for (size_t k = 0; k < 16; ++k) {
            const uint64_t n = sizes[k / 4];
            uint32_t workers = crews[k % 4];
            const levy_alias_crew crew = {workers, run_in_turn, &workers};
            const levy_alias_weights weights = {w, NULL, n};
            const levy_memory *const m = &levy_memory_default;
            alias_case_fill(which, w, n);
            assert_int_equal(levy_sampler_tables_create(m, &weights, NULL, &one, &fault), LEVY_OK);
            assert_int_equal(levy_sampler_tables_create(m, &weights, &crew, &many, &fault),
                             LEVY_OK);
            assert_memory_equal(one.rows, many.rows, n * sizeof *one.rows);
            assert_memory_equal(one.thresholds, many.thresholds, n * sizeof(double));
            assert_memory_equal(one.guide->cumulative, many.guide->cumulative, n * sizeof(double));
            assert_memory_equal(one.guide->start, many.guide->start,
                                (one.guide->cells + (size_t)1) * sizeof(uint32_t));
            levy_sampler_tables_release(m, &one);
            levy_sampler_tables_release(m, &many);
        }
}

/* ---- Refusals and failures ------------------------------------------------------------------- */

static void refused(levy_sampler_spec spec, int status, const char *member, const char *words)
{
    levy_sampler *sampler = (levy_sampler *)(void *)context;
    if (spec.struct_size == 0) spec.struct_size = sizeof spec;
    assert_int_equal(levy_sampler_create(context, &spec, &sampler), status);
    assert_null(sampler);
    assert_int_equal(levy_diagnostic_count(context), 1);
    assert_string_equal(levy_diagnostic_get(context, 0)->path, member);
    assert_non_null(strstr(levy_diagnostic_get(context, 0)->message, words));
}

static void test_refused_in_words(void **state)
{
    (void)state;
    const double w[] = {1.0, -2.0, 1.0}, zeros[] = {0.0, 0.0};
    levy_sampler *sampler;
    refused((levy_sampler_spec){.weights = w, .count = 2}, LEVY_STATUS_ARGUMENT, "weights",
            "weights[1] is -2: a weight must be a finite number, 0 or more");
    refused((levy_sampler_spec){.weights = zeros, .count = 2}, LEVY_STATUS_ARGUMENT, "weights",
            "all weights are 0");
    refused((levy_sampler_spec){.weights = w}, LEVY_STATUS_ARGUMENT, "weights", "0 weights");
    refused((levy_sampler_spec){.weights = w, .count = (size_t)1 << 32}, LEVY_STATUS_ARGUMENT,
            "weights", "4294967296 weights");
    refused((levy_sampler_spec){.count = 2}, LEVY_STATUS_ARGUMENT, "weights", "is NULL");
    const double *const odd = (const double *)(const void *)((const char *)w + 4);
    refused((levy_sampler_spec){.weights = odd, .count = 1}, LEVY_STATUS_ARGUMENT, "weights",
            "not aligned");
    refused((levy_sampler_spec){.weights = odd, .count = 1, .weights_on_device = 1},
            LEVY_STATUS_ARGUMENT, "weights", "not aligned");
    refused((levy_sampler_spec){.struct_size = 3}, LEVY_STATUS_ARGUMENT, "struct_size", "is not");
    refused((levy_sampler_spec){.weights = w, .count = 1, .isa = "mmx"}, LEVY_STATUS_ARGUMENT,
            "device", "mmx");
    refused((levy_sampler_spec){.weights = w, .count = 1, .device = "gpu"}, LEVY_STATUS_ARGUMENT,
            "device", "gpu");
    refused((levy_sampler_spec){.weights = w, .count = 1, .weights_on_device = 1},
            LEVY_STATUS_ARGUMENT, "weights_on_device", "not on a GPU");
    assert_int_equal(levy_sampler_create(context, NULL, &sampler), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_sampler_create(context, NULL, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_sampler_create(NULL, NULL, &sampler), LEVY_STATUS_ARGUMENT);
    assert_null(levy_sampler_info(NULL));
    levy_sampler_destroy(NULL);
}

static void test_calls_are_checked(void **state)
{
    (void)state;
    const double w[] = {1.0, 0.0, 3.0, 4.0}, bad[] = {0.5, 1.0};
    const double u[] = {0.0, 0.124, 0.125, 0.4999, 0.5, 0.9999};
    uint32_t items[6] = {9, 9, 9, 9, 9, 9};
    levy_sampler *const s = sampler_of(w, 4, NULL, 1);
    uint32_t *const askew = (uint32_t *)(void *)((char *)items + 2);
    assert_int_equal(levy_sampler_draw(NULL, 0, 0, 1, items, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_sampler_draw(s, 0, 0, 1, NULL, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_sampler_draw(s, 0, 0, 1, askew, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_sampler_draw(s, 0, 0, SIZE_MAX / 8, items, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_sampler_draw(s, 0, 0, 0, NULL, NULL), LEVY_STATUS_OK);
    assert_int_equal(levy_sampler_counts(s, 0, 0, 1, NULL, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_sampler_invert(NULL, u, 1, items, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_sampler_invert(s, NULL, 1, items, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_sampler_invert(s, bad, 2, items, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_sampler_invert(s, (const double[]){NAN}, 1, items, NULL),
                     LEVY_STATUS_ARGUMENT);
    assert_int_equal(items[0], 9);
    assert_int_equal(levy_sampler_invert(s, u, 6, items, NULL), LEVY_STATUS_OK);
    assert_memory_equal(items, ((const uint32_t[]){0, 0, 2, 2, 3, 3}), sizeof items);
    levy_sampler_destroy(s);
}

static void test_facts_and_a_life_after_the_context(void **state)
{
    (void)state;
    const double w[] = {1.0, 2.0, 1.0};
    levy_context *other;
    levy_sampler *sampler;
    const levy_sampler_spec spec = {
        .struct_size = sizeof spec, .weights = w, .count = 3, .device = "auto", .threads = 2};
    assert_int_equal(levy_context_create(NULL, &other), LEVY_STATUS_OK);
    assert_int_equal(levy_sampler_create(other, &spec, &sampler), LEVY_STATUS_OK);
    levy_context_destroy(other);
    const levy_sampler_facts *const f = levy_sampler_info(sampler);
    assert_int_equal(f->count, 3);
    assert_int_equal(f->table_bytes, 3 * 24 + 5 * 4);
    if (strcmp(f->backend, "cpu") == 0) {
        assert_int_equal(f->threads, 2);
        assert_int_equal(levy_sampler_draw(sampler, 42, 0, 1000, got, NULL), LEVY_STATUS_OK);
    }
    levy_sampler_destroy(sampler);
}

/* The n-th allocation fails: an error, nothing leaks (the sanitizers look, and so does `live`). */
static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    static double w[(1 << 17) + 1]; /* so many that threads build the table */
    levy_context *other;
    test_heap heap = {0};
    const levy_context_options o = heap_options(&heap);
    alias_case_fill(0, w, sizeof w / sizeof *w);
    int status = LEVY_STATUS_MEMORY;
    for (long n = 0; n < 100 && status != LEVY_STATUS_OK; ++n) {
        levy_sampler *sampler;
        const levy_sampler_spec spec = {
            .struct_size = sizeof spec, .weights = w, .count = sizeof w / sizeof *w, .threads = 2};
        heap_fail(&heap, 0);
        assert_int_equal(levy_context_create(&o, &other), LEVY_STATUS_OK);
        const long before = heap.live;
        heap_grant(&heap, n);
        status = levy_sampler_create(other, &spec, &sampler);
        assert_true(status == LEVY_STATUS_MEMORY || status == LEVY_STATUS_OK);
        if (status != LEVY_STATUS_OK) assert_null(sampler);
        if (status == LEVY_STATUS_OK) assert_true(n > 8 && heap.live > before);
        levy_sampler_destroy(sampler);
        levy_context_destroy(other);
        assert_int_equal(heap.live, 0);
    }
    assert_int_equal(status, LEVY_STATUS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draws_are_those_of_the_table),
        cmocka_unit_test(test_any_processor_and_split),
        cmocka_unit_test(test_short_rows_decide_as_exact_ones),
        cmocka_unit_test(test_draws_on_a_threshold),
        cmocka_unit_test(test_counts_are_added),
        cmocka_unit_test(test_inverse),
        cmocka_unit_test(test_tables_for_any_crew),
        cmocka_unit_test(test_refused_in_words),
        cmocka_unit_test(test_calls_are_checked),
        cmocka_unit_test(test_facts_and_a_life_after_the_context),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
