/* test_draws.c: levy_draw_each: the items of kernels/samplers/butterfly/ for any number of threads,
 * the check that is asked for, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/levy.h"
#include "kernels/samplers/butterfly/butterfly.h"
#include "tests/butterfly_case.h"

enum { PATHS = 5000, ITEMS = 100, STATES = 4 };

static float theta[PATHS * ITEMS], phi[STATES * ITEMS];
static uint32_t states[PATHS], words[PATHS], wanted[PATHS], items[PATHS];

static void fill(void)
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
    fill();
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    levy_butterfly_draw(&draws, 0, PATHS);
    for (spec.threads = 0; spec.threads < 4; ++spec.threads) {
        memset(items, 0xff, sizeof items);
        assert_int_equal(levy_draw_each(context, &spec, items), LEVY_STATUS_OK);
        assert_memory_equal(items, wanted, sizeof items);
    }
    theta[4321 * ITEMS + 17] = -1.5f;
    memset(items, 0xff, sizeof items);
    assert_int_equal(levy_draw_each(context, &spec, items), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_diagnostic_count(context), 1);
    assert_string_equal(levy_diagnostic_get(context, 0)->message,
                        "theta[4321][17] is -1.5: a weight must be a finite number, 0 or more");
    assert_int_equal(items[0], 0xFFFFFFFFu);
    spec.check = 0;
    assert_int_equal(levy_draw_each(context, &spec, items), LEVY_STATUS_OK);
    assert_true(items[4321] < ITEMS);
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
    assert_int_equal(levy_draw_each(NULL, &good, &item), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    assert_int_equal(levy_draw_each(context, NULL, &item), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_draw_each(context, &good, NULL), LEVY_STATUS_ARGUMENT);
    spec.n_items = 8193;
    assert_int_equal(levy_draw_each(context, &spec, &item), LEVY_STATUS_ARGUMENT);
    spec = good;
    spec.theta_stride = SIZE_MAX / 4;
    assert_int_equal(levy_draw_each(context, &spec, &item), LEVY_STATUS_ARGUMENT);
    spec = good;
    spec.precision = 2;
    assert_int_equal(levy_draw_each(context, &spec, &item), LEVY_STATUS_ARGUMENT);
    assert_string_equal(levy_diagnostic_get(context, 0)->path, "precision");
    spec = good;
    spec.n_paths = 0;
    assert_int_equal(levy_draw_each(context, &spec, NULL), LEVY_STATUS_OK);
    assert_int_equal(item, 7);
    assert_int_equal(levy_draw_each(context, &good, &item), LEVY_STATUS_OK);
    assert_int_equal(item, 2); /* weights 0, 1, 9: a quarter of the way is in the last */
    levy_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_public_call),
                                       cmocka_unit_test(test_public_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
