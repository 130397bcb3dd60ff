/* test_run.c: how a run cuts a plan into batches: never smaller than what the machine does side by
 * side, whatever a batch takes; smaller only where memory is short; prompt with progress and
 * cancellation all the same. */
#include "tests/cmocka_all.h"

#include "engine/run/run.h"
#include "tests/fixture.h"
#include "tests/slow_backend.h"

#include <stdlib.h>

static char why[LEVY_REASON_SIZE];

typedef struct run_case {
    fixture f;
    levy_arena arena;
    levy_plan *plan;
    void *state;
    tree_sum *sums;
} run_case;

static void begin_run(run_case *c, uint64_t paths, uint32_t threads)
{
    levy_group *groups = NULL;
    size_t n_groups = 0;
    const levy_backend_options options = {
        .memory = &levy_memory_default, .isa = "auto", .threads = threads};
    fixture_market(&c->f, 1, 0.0);
    fixture_trade(&c->f, LEVY_PAYOFF_ASIAN, 4, 100.0);
    c->f.problem.simulation.paths = paths;
    c->f.problem.simulation.replicates = 1;
    levy_arena_init(&c->arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(&c->f.problem, &c->arena, &groups, &n_groups), LEVY_OK);
    assert_int_equal(levy_plan_create(&levy_memory_default, &c->f.problem, groups, &c->plan, why),
                     LEVY_OK);
    c->state = NULL;
    assert_int_equal(slow_table.open(&options, &c->state, why), LEVY_OK);
    c->sums =
        calloc((size_t)c->plan->image->n_outputs * c->plan->image->n_replicates, sizeof *c->sums);
}

static levy_status run_once(run_case *c, const levy_memory *memory, const levy_run_options *options)
{
    levy_run_times times;
    return levy_run_plan(memory, &slow_table, c->state, c->plan, options, c->sums, &times, why);
}

static void end_run(run_case *c)
{
    slow_table.close(c->state);
    levy_plan_destroy(c->plan);
    levy_arena_release(&c->arena);
    free(c->sums);
}

static void test_slow_batches_shrink_to_a_wave_and_no_further(void **state)
{
    (void)state;
    run_case c;
    const levy_run_options options = {0};
    slow = (slow_backend){.first = 40, .wave = 12};
    begin_run(&c, 100 * LEVY_BLOCK_PATHS, 1);
    assert_int_equal(run_once(&c, &levy_memory_default, &options), LEVY_OK);
    /* 40; the half of it in whole waves, 12; and so on to the last 12 */
    assert_int_equal(slow.batches, 6);
    assert_int_equal(slow.blocks[0], 40);
    for (size_t i = 1; i < 6; ++i) assert_int_equal(slow.blocks[i], 12);
    end_run(&c);
}

static void test_slow_batches_keep_every_thread_of_the_cpu_at_work(void **state)
{
    (void)state;
    run_case c;
    const levy_run_options options = {0};
    slow = (slow_backend){.inner = &levy_backend_cpu};
    begin_run(&c, 96 * LEVY_BLOCK_PATHS, 8);
    assert_int_equal(run_once(&c, &levy_memory_default, &options), LEVY_OK);
    assert_int_equal(slow.blocks[0], 32); /* four blocks a thread; then two, then one */
    assert_int_equal(slow.blocks[1], 16);
    for (size_t i = 2; i < slow.batches; ++i) assert_int_equal(slow.blocks[i], 8);
    assert_int_equal(slow.batches, 8);
    end_run(&c);
}

/* ---- Memory ---- */

static size_t most_bytes;

static void *small_allocate(void *user, size_t size)
{
    (void)user;
    return size > most_bytes ? NULL : malloc(size);
}

static void *small_reallocate(void *user, void *pointer, size_t size)
{
    (void)user;
    return size > most_bytes ? NULL : realloc(pointer, size);
}

static void small_release(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

static void test_little_memory_makes_batches_smaller_than_a_wave(void **state)
{
    (void)state;
    run_case c;
    const levy_memory small = {small_allocate, small_reallocate, small_release, NULL, NULL};
    const levy_run_options options = {0};
    slow = (slow_backend){.first = 1024, .wave = 1024};
    begin_run(&c, 1024 * LEVY_BLOCK_PATHS, 1);
    most_bytes = 8000; /* the sums of 1,024 blocks take 16 kB, of 512 8,192 bytes */
    assert_int_equal(run_once(&c, &small, &options), LEVY_OK);
    assert_int_equal(slow.batches, 4);
    assert_int_equal(slow.blocks[0], 256);
    most_bytes = 10; /* not even one */
    assert_int_equal(run_once(&c, &small, &options), LEVY_MEMORY);
    end_run(&c);
}

/* ---- Promptness ---- */

typedef struct watcher {
    int calls;
    uint64_t done;
} watcher;

static int watch_and_stop(void *user, uint64_t done)
{
    watcher *const w = user;
    w->done += done;
    return ++w->calls >= 2; /* asked again while blocks that were begun end */
}

static void test_a_long_batch_tells_and_stops_on_the_way(void **state)
{
    (void)state;
    enum { MANY = 1 << 18 }; /* seconds of work, so that ticks come on a busy machine too */
    run_case c;
    watcher w = {0, 0};
    const levy_run_options options = {.batch_blocks = MANY, .progress = watch_and_stop, .user = &w};
    slow = (slow_backend){.inner = &levy_backend_cpu};
    begin_run(&c, (uint64_t)MANY * LEVY_BLOCK_PATHS, 2);
    assert_int_equal(run_once(&c, &levy_memory_default, &options), LEVY_CANCELLED);
    assert_true(w.calls >= 2);
    assert_int_equal(w.done, 0); /* the batch was under way */
    end_run(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_batches_shrink_to_a_wave_and_no_further),
        cmocka_unit_test(test_slow_batches_keep_every_thread_of_the_cpu_at_work),
        cmocka_unit_test(test_little_memory_makes_batches_smaller_than_a_wave),
        cmocka_unit_test(test_a_long_batch_tells_and_stops_on_the_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
