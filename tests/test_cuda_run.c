/* test_cuda_run.c: how a run cuts a plan for the CUDA backend: a batch is never less than one wave
 * of its kernel. */
#include "tests/cmocka_all.h"

#include "tests/fake_backend.h"
#include "tests/fixture.h"
#include "tests/slow_backend.h"

static char why[LEVY_REASON_SIZE];

enum { WAVE = 6, BLOCKS = 24 }; /* the fake GPU has 2 processors, of 3 CTAs each */

static void test_heavy_blocks_still_fill_the_gpu(void **state)
{
    (void)state;
    static fixture f;
    levy_arena arena;
    levy_group *groups = NULL;
    levy_plan *plan = NULL;
    size_t n_groups = 0;
    void *opened = NULL;
    levy_run_times times;
    tree_sum sums[FIXTURE_TRADES];
    const levy_backend_options options = {
        .memory = &levy_memory_default, .device = -1, .no_cache = true};
    const levy_run_options run = {0};
    fixture_market(&f, 1, 0.0);
    for (int i = 0; i < FIXTURE_TRADES; ++i)
        fixture_trade(&f, LEVY_PAYOFF_ASIAN, 4, 90.0 + 5.0 * i);
    /* so few that each trade has a tile of its own */
    f.problem.simulation.paths = BLOCKS * LEVY_BLOCK_PATHS;
    f.problem.simulation.replicates = 1;
    levy_arena_init(&arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(&f.problem, &arena, &groups, &n_groups), LEVY_OK);
    assert_int_equal(levy_plan_create(&levy_memory_default, &f.problem, groups, &plan, why),
                     LEVY_OK);
    slow = (slow_backend){.inner = &fake_backend};
    assert_int_equal(slow_table.open(&options, &opened, why), LEVY_OK);
    assert_int_equal(
        levy_run_plan(&levy_memory_default, &slow_table, opened, plan, &run, sums, &times, why),
        LEVY_OK);
    /* four tiles of 24 */
    static const uint64_t expected[] = {24, 12, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6};
    assert_int_equal(slow.batches, sizeof expected / sizeof *expected);
    assert_memory_equal(slow.blocks, expected, sizeof expected);
    slow_table.close(opened);
    levy_plan_destroy(plan);
    levy_arena_release(&arena);
}

static void test_a_wave_is_known_before_and_after_loading(void **state)
{
    (void)state;
    void *opened = NULL;
    levy_backend_info info;
    const levy_backend_options options = {
        .memory = &levy_memory_default, .device = -1, .no_cache = true};
    assert_int_equal(fake_backend.open(&options, &opened, why), LEVY_OK);
    fake_backend.describe(opened, &info);
    assert_int_equal(info.wave_blocks, 2);
    fake_backend.close(opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_heavy_blocks_still_fill_the_gpu, fake_reset,
                                        fake_check_closed),
        cmocka_unit_test_setup_teardown(test_a_wave_is_known_before_and_after_loading, fake_reset,
                                        fake_check_closed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
