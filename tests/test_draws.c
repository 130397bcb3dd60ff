/* test_draws.c: levy_draw_each on the CPU: the items of kernels/samplers/butterfly/ for any number
 * of threads, several draws of a path, words made of a seed, splits, the check that is asked for,
 * the first path that cannot be drawn from, refusals. test_cuda_draws.c has the GPU's side. */
#include "tests/cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/levy.h"
#include "kernels/samplers/butterfly/butterfly.h"
#include "tests/butterfly_case.h"
#include "tests/draws_case.h"

enum { PATHS = 5000, ITEMS = 100, STATES = 4 };

static float theta[PATHS * ITEMS], phi[STATES * ITEMS];
static uint32_t states[PATHS], words[PATHS], wanted[PATHS], items[PATHS];

static void fill_weights(void)
{
    for (uint32_t p = 0; p < PATHS; ++p) {
        for (uint32_t k = 0; k < ITEMS; ++k)
            theta[p * ITEMS + k] = (float)butterfly_case_theta(BUTTERFLY_WIDE, 1, p, k, ITEMS);
        states[p] = butterfly_case_word(5, p) % STATES;
        words[p] = butterfly_case_uniform(6, p);
    }
    for (uint32_t s = 0; s < STATES; ++s)
        for (uint32_t k = 0; k < ITEMS; ++k)
            phi[s * ITEMS + k] = (float)butterfly_case_phi(BUTTERFLY_WIDE, s, k);
}

static void test_public_call(void **state)
{
    (void)state;
    levy_context *context;
    levy_draw_spec spec = {.struct_size = sizeof spec,
                           .theta = theta,
                           .phi = phi,
                           .states = states,
                           .words = words,
                           .n_paths = PATHS,
                           .n_items = ITEMS,
                           .n_states = STATES,
                           .precision = LEVY_BRIDGE_SINGLE,
                           .check = 1};
    const levy_butterfly_draws draws = {.theta = theta,
                                        .phi = phi,
                                        .states = states,
                                        .words = words,
                                        .items = wanted,
                                        .n_paths = PATHS,
                                        .theta_stride = ITEMS,
                                        .phi_stride = ITEMS,
                                        .n_items = ITEMS,
                                        .n_states = STATES,
                                        .single = 1};
    fill_weights();
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    levy_butterfly_draw(&draws, 0, PATHS);
    for (spec.threads = 0; spec.threads < 4; ++spec.threads) {
        memset(items, 0xff, sizeof items);
        assert_int_equal(levy_draw_each(context, &spec, items, NULL), LEVY_STATUS_OK);
        assert_memory_equal(items, wanted, sizeof items);
    }
    theta[4321 * ITEMS + 17] = -1.5f;
    memset(items, 0xff, sizeof items);
    assert_int_equal(levy_draw_each(context, &spec, items, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_diagnostic_count(context), 1);
    assert_string_equal(levy_diagnostic_get(context, 0)->message,
                        "theta[4321][17] is -1.5: a weight must be a finite number, 0 or more");
    assert_int_equal(items[0], 0xFFFFFFFFu);
    spec.check = 0;
    assert_int_equal(levy_draw_each(context, &spec, items, NULL), LEVY_STATUS_OK);
    assert_true(items[4321] < ITEMS);
    levy_context_destroy(context);
}

/* ---- Several draws of a path ----------------------------------------------------------------- */

enum { FEW = 40 };

/* The item of a path under one word, by a call of one path and one draw. */
static uint32_t item_of(const levy_draw_spec *spec, size_t path, uint32_t word)
{
    const size_t number = spec->precision == LEVY_BRIDGE_SINGLE ? sizeof(float) : sizeof(double);
    uint32_t item = 0xFFFFFFFFu;
    const levy_butterfly_draws one = {.theta =
                                          (const char *)spec->theta + path * spec->n_items * number,
                                      .phi = spec->phi,
                                      .states = spec->states ? spec->states + path : NULL,
                                      .words = &word,
                                      .items = &item,
                                      .n_paths = 1,
                                      .theta_stride = spec->n_items,
                                      .phi_stride = spec->n_items,
                                      .n_items = spec->n_items,
                                      .n_states = spec->n_states,
                                      .single = spec->precision == LEVY_BRIDGE_SINGLE};
    levy_butterfly_draw(&one, 0, 1);
    return item;
}

static levy_draw_spec few_paths(void)
{
    return (levy_draw_spec){.struct_size = sizeof(levy_draw_spec),
                            .theta = theta,
                            .phi = phi,
                            .states = states,
                            .n_paths = FEW,
                            .n_items = ITEMS,
                            .n_states = STATES,
                            .precision = LEVY_BRIDGE_SINGLE,
                            .threads = 2};
}

/* Draws of each path beside those of single calls, with given words and with made ones, for a few
 * draws and for so many that they are worked on in parts. */
static void test_draws_of_a_path(void **state)
{
    (void)state;
    static const uint32_t counts[] = {1, 2, 3, 7, 64, 9001};
    levy_context *context;
    fill_weights();
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    for (int c = 0; c < 6; ++c) {
        levy_draw_spec spec = few_paths();
        spec.n_paths = counts[c] > 100 ? 3 : FEW;
        spec.n_draws = counts[c];
        spec.seed = 0x123456789abcdef0u;
        spec.first_path = 0xFFFFFFFFu - 10;
        spec.first_draw = 0x3FFFFFFFFu - 20;
        const size_t n = spec.n_paths * counts[c];
        uint32_t *const given = malloc(n * sizeof *given), *const found = malloc(n * sizeof *found);
        for (int made = 0; made < 2; ++made) {
            for (size_t i = 0; i < n; ++i) given[i] = butterfly_case_uniform(9, i);
            spec.words = made ? NULL : given;
            memset(found, 0xff, n * sizeof *found);
            assert_int_equal(levy_draw_each(context, &spec, found, NULL), LEVY_STATUS_OK);
            for (size_t i = 0; i < n; ++i) {
                const uint64_t path = spec.first_path + i / counts[c],
                               draw = spec.first_draw + i % counts[c];
                const uint32_t word = made ? draws_case_word(spec.seed, path, draw) : given[i];
                assert_int_equal(found[i], item_of(&spec, i / counts[c], word));
            }
        }
        free(given);
        free(found);
    }
    levy_context_destroy(context);
}

/* Calls for parts of the paths, and for parts of the draws, give the items of one call. */
static void test_splits(void **state)
{
    (void)state;
    enum { DRAWS = 10 };
    static uint32_t whole[FEW * DRAWS], part[FEW * DRAWS];
    levy_context *context;
    fill_weights();
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    levy_draw_spec spec = few_paths();
    spec.seed = 11;
    spec.n_draws = DRAWS;
    assert_int_equal(levy_draw_each(context, &spec, whole, NULL), LEVY_STATUS_OK);
    spec.n_paths = FEW - 7;
    spec.first_path = 7;
    spec.theta = theta + 7 * ITEMS;
    spec.states = states + 7;
    assert_int_equal(levy_draw_each(context, &spec, part, NULL), LEVY_STATUS_OK);
    assert_memory_equal(part, whole + 7 * DRAWS, (FEW - 7) * DRAWS * sizeof *part);
    spec = few_paths();
    spec.seed = 11;
    spec.first_draw = 3;
    spec.n_draws = DRAWS - 3;
    assert_int_equal(levy_draw_each(context, &spec, part, NULL), LEVY_STATUS_OK);
    for (size_t p = 0; p < FEW; ++p)
        assert_memory_equal(part + p * (DRAWS - 3), whole + p * DRAWS + 3,
                            (DRAWS - 3) * sizeof *part);
    levy_context_destroy(context);
}

/* The lowest path that cannot be drawn from; its items are 0, all others are as without it. */
static void test_fault(void **state)
{
    (void)state;
    static const float odd[] = {NAN, INFINITY, -INFINITY, 3e38f, 0.0f};
    levy_context *context;
    uint64_t fault = UINT64_MAX;
    fill_weights();
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    levy_draw_spec spec = few_paths();
    spec.n_paths = PATHS;
    spec.n_draws = 1;
    spec.first_path = 1000;
    spec.fault = &fault;
    assert_int_equal(levy_draw_each(context, &spec, wanted, NULL), LEVY_STATUS_OK);
    assert_true(fault == UINT64_MAX);
    for (int i = 0; i < 5; ++i) {
        fill_weights();
        for (uint32_t k = 0; k < ITEMS; ++k) /* one odd weight, or all where one would do no harm */
            if (i >= 3 || k == 17) theta[4321 * ITEMS + k] = theta[4800 * ITEMS + k] = odd[i];
        for (spec.threads = 1; spec.threads < 4; ++spec.threads) {
            fault = UINT64_MAX;
            assert_int_equal(levy_draw_each(context, &spec, items, NULL), LEVY_STATUS_OK);
            assert_true(fault == 1000 + 4321);
            assert_int_equal(items[4321], 0);
            assert_memory_equal(items, wanted, 4321 * sizeof *items);
            assert_memory_equal(items + 4801, wanted + 4801, (PATHS - 4801) * sizeof *items);
        }
        fault = 5; /* is only lowered */
        assert_int_equal(levy_draw_each(context, &spec, items, NULL), LEVY_STATUS_OK);
        assert_true(fault == 5);
    }
    levy_context_destroy(context);
}

static void test_public_refusals(void **state)
{
    (void)state;
    levy_context *context;
    const double weights[] = {0.0, 1.0, 3.0};
    const uint32_t word = 0x3FFFFFFF;
    uint32_t item = 7;
    const levy_draw_spec good = {.struct_size = sizeof good,
                                 .theta = weights,
                                 .phi = weights,
                                 .words = &word,
                                 .n_paths = 1,
                                 .n_items = 3};
    levy_draw_spec spec = good;
    assert_int_equal(levy_draw_each(NULL, &good, &item, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    assert_int_equal(levy_draw_each(context, NULL, &item, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_draw_each(context, &good, NULL, NULL), LEVY_STATUS_ARGUMENT);
    spec.n_items = 8193;
    assert_int_equal(levy_draw_each(context, &spec, &item, NULL), LEVY_STATUS_ARGUMENT);
    spec = good;
    spec.theta_stride = SIZE_MAX / 4;
    assert_int_equal(levy_draw_each(context, &spec, &item, NULL), LEVY_STATUS_ARGUMENT);
    spec = good;
    spec.precision = 2;
    assert_int_equal(levy_draw_each(context, &spec, &item, NULL), LEVY_STATUS_ARGUMENT);
    assert_string_equal(levy_diagnostic_get(context, 0)->path, "precision");
    spec = good;
    spec.device = "auto";
    assert_int_equal(levy_draw_each(context, &spec, &item, NULL), LEVY_STATUS_ARGUMENT);
    assert_string_equal(levy_diagnostic_get(context, 0)->path, "device");
    spec.device = "gpu";
    assert_int_equal(levy_draw_each(context, &spec, &item, NULL), LEVY_STATUS_ARGUMENT);
    assert_string_equal(levy_diagnostic_get(context, 0)->path, "device");
    spec = good;
    spec.words = (const uint32_t *)((const char *)&word + 1);
    assert_int_equal(levy_draw_each(context, &spec, &item, NULL), LEVY_STATUS_ARGUMENT);
    spec = good;
    spec.first_path = UINT64_MAX;
    assert_int_equal(levy_draw_each(context, &spec, &item, NULL), LEVY_STATUS_ARGUMENT);
    assert_string_equal(levy_diagnostic_get(context, 0)->path, "first_path");
    spec = good;
    spec.n_paths = SIZE_MAX / 64;
    spec.n_draws = 1000;
    assert_int_equal(levy_draw_each(context, &spec, &item, NULL), LEVY_STATUS_ARGUMENT);
    spec = good;
    spec.n_paths = 0;
    assert_int_equal(levy_draw_each(context, &spec, NULL, NULL), LEVY_STATUS_OK);
    assert_int_equal(item, 7);
    assert_int_equal(levy_draw_each(context, &good, &item, NULL), LEVY_STATUS_OK);
    assert_int_equal(item, 2); /* weights 0, 1, 9: a quarter of the way is in the last */
    levy_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_public_call),
                                       cmocka_unit_test(test_draws_of_a_path),
                                       cmocka_unit_test(test_splits), cmocka_unit_test(test_fault),
                                       cmocka_unit_test(test_public_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
