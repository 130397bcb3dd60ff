/* test_butterfly.c: one draw from each of many distributions on the CPU: the items of the written
 * order of addition (done again here, by recursion), those of exact sums to rounding, the law,
 * zeros, order of words, independence of neighbours, and refusals. The GPU's kernels are held
 * against the CPU by test_butterfly_emulated.sh. */
#include "tests/cmocka_all.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/samplers/butterfly/butterfly.h"
#include "tests/butterfly_case.h"

static const uint32_t sizes[] = {1,   2,   3,   31,  32,  33,   63,   64,   65,
                                 100, 127, 128, 129, 500, 1000, 1023, 1024, 8192};
enum { SIZES = sizeof sizes / sizeof *sizes, STATES = 4 };

/* ---- Cases ----------------------------------------------------------------------------------- */

typedef struct problem {
    levy_butterfly_draws draws;
    void *theta, *phi;
    uint32_t *states, *words;
} problem;

static double get(const void *array, size_t at, int single)
{
    return single ? (double)((const float *)array)[at] : ((const double *)array)[at];
}

static void *room(size_t n, size_t size)
{
    void *const memory = calloc(n, size);
    assert_non_null(memory);
    return memory;
}

static problem problem_make(butterfly_kind kind, uint32_t n_items, size_t n_paths, int single)
{
    problem p = {.theta = room(n_paths * n_items, 8),
                 .phi = room((size_t)STATES * n_items, 8),
                 .states = room(n_paths, 4),
                 .words = room(n_paths, 4)};
    for (size_t i = 0; i < n_paths; ++i) {
        for (uint32_t k = 0; k < n_items; ++k)
            butterfly_case_put(p.theta, i * n_items + k, single,
                               butterfly_case_theta(kind, single, i, k, n_items));
        p.states[i] = butterfly_case_word(5, i) % STATES;
        p.words[i] = butterfly_case_uniform(6, i);
    }
    for (uint32_t s = 0; s < STATES; ++s)
        for (uint32_t k = 0; k < n_items; ++k)
            butterfly_case_put(p.phi, (size_t)s * n_items + k, single,
                               butterfly_case_phi(kind, s, k));
    p.draws = (levy_butterfly_draws){.theta = p.theta,
                                     .phi = p.phi,
                                     .states = p.states,
                                     .words = p.words,
                                     .items = room(n_paths, 4),
                                     .n_paths = n_paths,
                                     .theta_stride = n_items,
                                     .phi_stride = n_items,
                                     .n_items = n_items,
                                     .n_states = STATES,
                                     .single = single};
    assert_int_equal(levy_butterfly_admit(&p.draws), LEVY_OK);
    return p;
}

static void problem_free(problem *p)
{
    free(p->theta);
    free(p->phi);
    free(p->states);
    free(p->words);
    free(p->draws.items);
}

/* A weight as it is rounded: the product of two floats is exact in double. */
static double weight(const problem *p, size_t path, uint32_t item)
{
    const uint32_t n = p->draws.n_items;
    const double w = get(p->theta, path * n + item, p->draws.single) *
                     get(p->phi, (size_t)p->states[path] * n + item, p->draws.single);
    return p->draws.single ? (double)(float)w : w;
}

/* Words that fall just below, at and just above the end of an item, by exact sums. */
static uint32_t word_near(const problem *p, size_t path, uint32_t item, int offset)
{
    long double total = 0.0L, part = 0.0L;
    for (uint32_t k = 0; k < p->draws.n_items; ++k) {
        total += (long double)weight(p, path, k);
        if (k <= item) part = total;
    }
    long double word = floorl(part / total * 4294967296.0L) +
                       (long double)offset * (p->draws.single ? 256.0L : 1.0L);
    if (word < 0.0L) word = 0.0L;
    if (word > 4294967295.0L) word = 4294967295.0L;
    return (uint32_t)word;
}

/* Every other path's word stands at the end of one of its items, where rounding decides. */
static void words_at_ends(problem *p)
{
    for (size_t i = 0; i < p->draws.n_paths; i += 2)
        p->words[i] =
            word_near(p, i, butterfly_case_word(8, i) % p->draws.n_items, (int)(i / 2 % 3) - 1);
}

/* ---- The written order, by recursion --------------------------------------------------------- */

/* A double holds a float's sum exactly before it is rounded, or rounds it to the same float (2 p +
 * 2 bits suffice). */
static double add(double a, double b, int single)
{
    return single ? (double)(float)(a + b) : a + b;
}

static double node_sum(const problem *p, size_t path, uint32_t first, uint32_t count)
{
    if (count == 1) return first < p->draws.n_items ? weight(p, path, first) : 0.0;
    return add(node_sum(p, path, first, count / 2), node_sum(p, path, first + count / 2, count / 2),
               p->draws.single);
}

static uint32_t node_search(const problem *p, size_t path, uint32_t first, uint32_t count,
                            double low, double target)
{
    if (count == 1) return first;
    const double middle = add(low, node_sum(p, path, first, count / 2), p->draws.single);
    const bool up = target >= middle && node_sum(p, path, first + count / 2, count / 2) > 0.0;
    if (up) return node_search(p, path, first + count / 2, count / 2, middle, target);
    return node_search(p, path, first, count / 2, low, target);
}

static double target_of(double total, uint32_t word, int single)
{
    const double target = single ? (double)(float)(total * ((double)(word >> 8) / 16777216.0))
                                 : total * ((double)word / 4294967296.0);
    if (target < total) return target;
    return single ? (double)nextafterf((float)total, 0.0f) : nextafter(total, 0.0);
}

static uint32_t written_order(const problem *p, size_t path)
{
    double total = 0.0, low = 0.0;
    for (uint32_t b = 0; b < p->draws.n_items; b += 32)
        total = add(total, node_sum(p, path, b, 32), p->draws.single);
    const double target = target_of(total, p->words[path], p->draws.single);
    for (uint32_t b = 0;; b += 32) {
        const double high = add(low, node_sum(p, path, b, 32), p->draws.single);
        if (target < high) return node_search(p, path, b, 32, low, target);
        low = high;
    }
}

static void test_items_of_the_written_order(void **state)
{
    (void)state;
    for (int s = 0; s < SIZES; ++s)
        for (int kind = 0; kind < BUTTERFLY_KINDS; ++kind)
            for (int single = 0; single < 2; ++single) {
                problem p =
                    problem_make((butterfly_kind)kind, sizes[s], sizes[s] > 1024 ? 7 : 67, single);
                words_at_ends(&p);
                levy_butterfly_draw(&p.draws, 0, p.draws.n_paths);
                for (size_t i = 0; i < p.draws.n_paths; ++i)
                    if (p.draws.items[i] != written_order(&p, i))
                        fail_msg("kind %d, %u items, single %d, path %zu: %u, not %u", kind,
                                 sizes[s], single, i, p.draws.items[i], written_order(&p, i));
                problem_free(&p);
            }
}

/* ---- Exact sums ------------------------------------------------------------------------------ */

/* How far the target lies outside the item's share of exact sums, relative to the total; 0: inside.
 */
static double outside(const problem *p, size_t path, bool *same)
{
    const uint32_t item = p->draws.items[path];
    long double total = 0.0L, before = 0.0L, after = 0.0L;
    for (uint32_t k = 0; k < p->draws.n_items; ++k) {
        if (k == item) before = total;
        total += (long double)weight(p, path, k);
        if (k == item) after = total;
    }
    const uint32_t word = p->words[path];
    const long double target = total * (p->draws.single ? (long double)(word >> 8) / 16777216.0L
                                                        : (long double)word / 4294967296.0L);
    *same = target >= before && target < after;
    if (*same) return 0.0;
    return (double)((target < before ? before - target : target - after) / total);
}

/* Rounding: five additions to a block's sum, one per block, five on the way down, a product for the
 * target, each half an ulp.
 */
static void test_items_of_exact_sums(void **state)
{
    (void)state;
    for (int single = 0; single < 2; ++single) {
        double worst = 0.0;
        size_t drawn = 0, other = 0;
        for (int s = 0; s < SIZES; ++s)
            for (int kind = 0; kind < BUTTERFLY_TINY; ++kind) {
                problem p = problem_make((butterfly_kind)kind, sizes[s], sizes[s] > 1024 ? 31 : 330,
                                         single);
                const double bound = (12.0 + sizes[s] / 32.0) * (single ? 0x1p-24 : 0x1p-53);
                levy_butterfly_draw(&p.draws, 0, p.draws.n_paths);
                for (size_t i = 0; i < p.draws.n_paths; ++i) {
                    bool same;
                    const double error = outside(&p, i, &same);
                    other += !same;
                    assert_true(error <= bound);
                    if (error > worst) worst = error;
                }
                drawn += p.draws.n_paths;
                problem_free(&p);
            }
        print_message(
            "%s: %zu of %zu items are not those of exact sums, by %.2g of the total at most\n",
            single ? "single" : "double", other, drawn, worst);
        assert_true(single ? other < drawn / 200 : other <= drawn / 5000);
    }
}

/* ---- The law --------------------------------------------------------------------------------- */

/* Chi-square in standard deviations. Power: weights that are each off by 2 % would move it by
 * 400000 * 0.02^2 / sqrt(2 * 99), 11. */
static void test_frequencies(void **state)
{
    (void)state;
    enum { ITEMS = 100, PATHS = 1000, ROUNDS = 400 };
    for (int single = 0; single < 2; ++single) {
        problem p = problem_make(BUTTERFLY_UNIFORM, ITEMS, PATHS, single);
        double counts[ITEMS] = {0.0}, total = 0.0, chi = 0.0;
        for (size_t i = 0; i < PATHS; ++i) {
            memcpy((char *)p.theta + i * ITEMS * (single ? 4 : 8), p.theta,
                   ITEMS * (single ? 4 : 8));
            p.states[i] = 1;
        }
        for (uint64_t round = 0; round < ROUNDS; ++round) {
            for (size_t i = 0; i < PATHS; ++i) p.words[i] = butterfly_case_word(1000 + round, i);
            levy_butterfly_draw(&p.draws, 0, PATHS);
            for (size_t i = 0; i < PATHS; ++i) counts[p.draws.items[i]] += 1.0;
        }
        for (uint32_t k = 0; k < ITEMS; ++k) total += weight(&p, 0, k);
        for (uint32_t k = 0; k < ITEMS; ++k) {
            const double expected = (double)PATHS * ROUNDS * weight(&p, 0, k) / total;
            chi += (counts[k] - expected) * (counts[k] - expected) / expected;
        }
        const double z = (chi - (ITEMS - 1)) / sqrt(2.0 * (ITEMS - 1));
        print_message("%s: chi-square %.2f standard deviations from its mean\n",
                      single ? "single" : "double", z);
        assert_true(fabs(z) < 4.0);
        problem_free(&p);
    }
}

static void test_zeros_are_never_drawn(void **state)
{
    (void)state;
    static const butterfly_kind kinds[] = {BUTTERFLY_WIDE, BUTTERFLY_SPARSE, BUTTERFLY_INTEGERS,
                                           BUTTERFLY_TINY};
    for (int s = 0; s < SIZES; ++s)
        for (int kind = 0; kind < 4; ++kind)
            for (int single = 0; single < 2; ++single) {
                problem p = problem_make(kinds[kind], sizes[s], sizes[s] > 1024 ? 30 : 600, single);
                words_at_ends(&p);
                levy_butterfly_draw(&p.draws, 0, p.draws.n_paths);
                for (size_t i = 0; i < p.draws.n_paths; ++i) {
                    assert_true(p.draws.items[i] < sizes[s]);
                    assert_true(weight(&p, i, p.draws.items[i]) > 0.0);
                }
                problem_free(&p);
            }
}

/* One path's weights under rising words, among them those at the ends of its items. */
static void test_larger_words_never_give_smaller_items(void **state)
{
    (void)state;
    static const uint32_t counts[] = {1, 5, 32, 33, 65, 200, 1024};
    enum { WORDS = 3000 };
    for (int s = 0; s < 7; ++s)
        for (int kind = 0; kind < BUTTERFLY_KINDS; ++kind)
            for (int single = 0; single < 2; ++single) {
                const uint32_t n = counts[s];
                problem p = problem_make((butterfly_kind)kind, n, 1, single);
                uint32_t last_word = 0, last_item = 0, item;
                p.draws.items[0] = 0;
                for (uint32_t i = 0; i < WORDS; ++i) {
                    const uint32_t word =
                        i % 2 ? word_near(&p, 0, (uint32_t)((uint64_t)i * n / WORDS),
                                          (int)(i / 2 % 3) - 1)
                              : last_word + 1;
                    if (word < last_word) continue;
                    p.words[0] = last_word = word;
                    levy_butterfly_draw(&p.draws, 0, 1);
                    item = p.draws.items[0];
                    assert_true(item >= last_item && item < n);
                    last_item = item;
                }
                problem_free(&p);
            }
}

/* ---- A path alone ---------------------------------------------------------------------------- */

static void test_neighbours_do_not_matter(void **state)
{
    (void)state;
    static const size_t paths[] = {1, 31, 32, 33, 100};
    for (int s = 0; s < SIZES - 1; ++s)
        for (int single = 0; single < 2; ++single)
            for (int c = 0; c < 5; ++c) {
                const uint32_t n = sizes[s];
                const size_t count = paths[c], row = (size_t)n * (single ? 4 : 8);
                problem p = problem_make(BUTTERFLY_WIDE, n, count, single);
                uint32_t *const together = room(count, 4), alone = 0xFFFFFFFFu;
                levy_butterfly_draw(&p.draws, 0, count);
                memcpy(together, p.draws.items, count * 4);
                memset(p.draws.items, 0xff, count * 4);
                levy_butterfly_draw(&p.draws, 0, count / 3);
                levy_butterfly_draw(&p.draws, count / 3, count);
                assert_memory_equal(together, p.draws.items, count * 4);
                for (size_t i = 0; i < count; ++i) { /* from behind, each by itself */
                    const size_t j = count - 1 - i;
                    levy_butterfly_draws d = p.draws;
                    d.theta = (const char *)p.theta + j * row;
                    d.states = p.states + j;
                    d.words = p.words + j;
                    d.items = &alone;
                    d.n_paths = 1;
                    levy_butterfly_draw(&d, 0, 1);
                    assert_int_equal(alone, together[j]);
                }
                free(together);
                problem_free(&p);
            }
}

/* Items of 300 paths, hashed (FNV-1a): a change of the order or of the targets changes them. */
static void test_items_stay_what_they_are(void **state)
{
    (void)state;
    static const uint64_t known[2] = {0x348B68E026BF646Fu, 0xC2F383A058A0DCB4u};
    for (int single = 0; single < 2; ++single) {
        uint64_t hash = 0xCBF29CE484222325u;
        for (uint32_t n = 1; n <= 1024; n = n * 3 + 1) {
            problem p = problem_make(BUTTERFLY_WIDE, n, 300, single);
            words_at_ends(&p);
            levy_butterfly_draw(&p.draws, 0, 300);
            for (size_t i = 0; i < 300; ++i) hash = (hash ^ p.draws.items[i]) * 0x100000001B3u;
            problem_free(&p);
        }
        if (hash != known[single])
            fail_msg("single %d: 0x%016llX", single, (unsigned long long)hash);
    }
}

/* ---- What may not be ------------------------------------------------------------------------- */

static void test_invalid_weights_draw_some_item(void **state)
{
    (void)state;
    static const double odd[] = {NAN, INFINITY, -INFINITY, -0.5, -1e6, -0.0, 3e38};
    for (int s = 0; s < SIZES - 1; ++s)
        for (int which = 0; which < 7; ++which)
            for (int single = 0; single < 2; ++single) {
                problem p = problem_make(BUTTERFLY_UNIFORM, sizes[s], 40, single);
                for (size_t i = 0; i < 40; ++i)
                    for (uint32_t k = 0; k < 1 + i % 3; ++k)
                        butterfly_case_put(p.theta,
                                           i * sizes[s] + butterfly_case_word(9 + k, i) % sizes[s],
                                           single, odd[which]);
                p.states[7] = 0xFFFFFFFFu;
                levy_butterfly_draw(&p.draws, 0, 40);
                for (size_t i = 0; i < 40; ++i) assert_true(p.draws.items[i] < sizes[s]);
                problem_free(&p);
            }
}

static void expect_fault(const problem *p, const char *wanted)
{
    char text[160];
    levy_butterfly_fault fault;
    assert_int_equal(levy_butterfly_check(&p->draws, &fault), LEVY_INPUT);
    levy_butterfly_fault_text(&fault, text, sizeof text);
    assert_string_equal(text, wanted);
}

static void test_check_names_the_place(void **state)
{
    (void)state;
    levy_butterfly_fault fault;
    for (int single = 0; single < 2; ++single) {
        problem p = problem_make(BUTTERFLY_UNIFORM, 40, 50, single);
        assert_int_equal(levy_butterfly_check(&p.draws, &fault), LEVY_OK);
        for (uint32_t k = 0; k < 40; ++k)
            butterfly_case_put(p.theta, 49 * 40 + k, single, single ? 3e38 : 1.7e308);
        expect_fault(&p, "path 49: the sum of its weights is not a finite number");
        for (uint32_t k = 0; k < 40; ++k)
            butterfly_case_put(p.theta, 48 * 40 + k, single, k % 2 ? -0.0 : 0.0);
        expect_fault(&p, "path 48: all its weights are 0: one at least must be more");
        p.states[47] = 4;
        expect_fault(&p, "states[47] is 4: there is no such state");
        butterfly_case_put(p.theta, 47 * 40 + 39, single, NAN);
        p.states[47] = 3;
        expect_fault(&p,
                     "theta[47][39] is not a number: a weight must be a finite number, 0 or more");
        butterfly_case_put(p.theta, 46 * 40, single, INFINITY);
        expect_fault(&p, "theta[46][0] is infinite: a weight must be a finite number, 0 or more");
        butterfly_case_put(p.theta, 45 * 40 + 3, single, -0.5);
        expect_fault(&p, "theta[45][3] is -0.5: a weight must be a finite number, 0 or more");
        butterfly_case_put(p.phi, 2 * 40 + 5, single, -2.0);
        expect_fault(&p, "phi[2][5] is -2: a weight must be a finite number, 0 or more");
        problem_free(&p);
    }
}

static void test_admission(void **state)
{
    (void)state;
    problem p = problem_make(BUTTERFLY_UNIFORM, 4, 2, 0);
    levy_butterfly_draws d = p.draws;
    d.n_items = 0;
    assert_int_equal(levy_butterfly_admit(&d), LEVY_ARGUMENT);
    d.theta_stride = d.phi_stride = d.n_items = LEVY_BUTTERFLY_MOST + 1;
    assert_int_equal(levy_butterfly_admit(&d), LEVY_ARGUMENT);
    d = p.draws;
    d.theta_stride = 3;
    assert_int_equal(levy_butterfly_admit(&d), LEVY_ARGUMENT);
    d = p.draws;
    d.n_states = 0;
    assert_int_equal(levy_butterfly_admit(&d), LEVY_ARGUMENT);
    d = p.draws;
    d.words = NULL;
    assert_int_equal(levy_butterfly_admit(&d), LEVY_ARGUMENT);
    d.n_paths = 0;
    assert_int_equal(levy_butterfly_admit(&d), LEVY_OK);
    problem_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_items_of_the_written_order),
                                       cmocka_unit_test(test_items_of_exact_sums),
                                       cmocka_unit_test(test_frequencies),
                                       cmocka_unit_test(test_zeros_are_never_drawn),
                                       cmocka_unit_test(test_larger_words_never_give_smaller_items),
                                       cmocka_unit_test(test_neighbours_do_not_matter),
                                       cmocka_unit_test(test_items_stay_what_they_are),
                                       cmocka_unit_test(test_invalid_weights_draw_some_item),
                                       cmocka_unit_test(test_check_names_the_place),
                                       cmocka_unit_test(test_admission)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
