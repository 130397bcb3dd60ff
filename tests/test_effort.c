/* test_effort.c: the estimate of a plan's work grows with what makes it, shrinks with threads and
 * better instruction sets, and is the same whenever it is asked for. How near it comes to measured
 * times is in docs/performance.md; a test cannot read a clock on a machine that it shares. */
#include "tests/cmocka_all.h"

#include "engine/run/effort.h"
#include "tests/fixture.h"

#include <string.h>

static levy_backend_info cpu_of(const char *isa, uint32_t threads)
{
    levy_backend_info cpu = {.threads = threads};
    strcpy(cpu.isa, isa);
    return cpu;
}

/* Of an Asian option on so many assets. */
static levy_effort effort(size_t assets, size_t dates, int32_t precision, uint64_t paths,
                          const char *isa, uint32_t threads)
{
    char why[LEVY_PLAN_WHY];
    fixture f;
    levy_arena arena;
    levy_group *groups = NULL;
    levy_plan *plan = NULL;
    size_t n_groups = 0;
    levy_effort found;
    const levy_backend_info cpu = cpu_of(isa, threads);
    fixture_market(&f, assets, 0.3);
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, dates, 100.0);
    f.problem.simulation.precision = precision;
    f.problem.simulation.replicates = 1;
    levy_arena_init(&arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(&f.problem, &arena, &groups, &n_groups), LEVY_OK);
    assert_int_equal(levy_plan_create(&levy_memory_default, &f.problem, groups, &plan, why),
                     LEVY_OK);
    assert_int_equal(levy_effort_of(plan, paths, &cpu, &found), LEVY_OK);
    levy_plan_destroy(plan);
    levy_arena_release(&arena);
    return found;
}

enum { PATHS = 1 << 18 };

/* A path-step takes 2 ns of a thread with AVX-512 (docs/performance.md). */
static void test_an_asian_option_takes_about_its_time(void **state)
{
    (void)state;
    const double step = effort(1, 64, LEVY_PRECISION_DOUBLE, PATHS, "avx512", 1).cpu / 64 / PATHS;
    assert_true(step > 1e-9 && step < 6e-9);
}

static void test_more_work_takes_longer(void **state)
{
    (void)state;
    const double one = effort(1, 16, LEVY_PRECISION_DOUBLE, PATHS, "avx512", 1).cpu;
    const double twice = effort(1, 16, LEVY_PRECISION_DOUBLE, 2 * PATHS, "avx512", 1).cpu;
    assert_true(twice > 1.99 * one && twice < 2.01 * one);
    assert_true(effort(1, 32, LEVY_PRECISION_DOUBLE, PATHS, "avx512", 1).cpu > 1.5 * one);
    assert_true(effort(4, 16, LEVY_PRECISION_DOUBLE, PATHS, "avx512", 1).cpu > 2.0 * one);
    assert_true(effort(1, 16, LEVY_PRECISION_SINGLE, PATHS, "avx512", 1).cpu < 0.7 * one);
    assert_true(effort(1, 16, LEVY_PRECISION_MIXED, PATHS, "avx512", 1).cpu < one);
}

static void test_a_better_cpu_takes_less(void **state)
{
    (void)state;
    const char *const isas[] = {"avx512", "avx2", "neon", "baseline"};
    for (size_t i = 1; i < 4; ++i)
        assert_true(effort(1, 16, LEVY_PRECISION_DOUBLE, PATHS, isas[i], 1).cpu >
                    effort(1, 16, LEVY_PRECISION_DOUBLE, PATHS, isas[i - 1], 1).cpu);
    const levy_effort one = effort(1, 16, LEVY_PRECISION_DOUBLE, PATHS, "avx512", 1),
                      four = effort(1, 16, LEVY_PRECISION_DOUBLE, PATHS, "avx512", 4);
    assert_true(four.cpu < 0.5 * one.cpu && four.cpu > 0.25 * one.cpu);
    assert_true(four.thread == one.thread);
    /* a single block is one thread's work, however many there are */
    assert_true(effort(1, 16, LEVY_PRECISION_DOUBLE, 4096, "avx512", 64).cpu ==
                effort(1, 16, LEVY_PRECISION_DOUBLE, 4096, "avx512", 1).cpu);
}

static void test_the_estimate_repeats(void **state)
{
    (void)state;
    const levy_effort first = effort(3, 20, LEVY_PRECISION_DOUBLE, PATHS, "avx2", 3),
                      again = effort(3, 20, LEVY_PRECISION_DOUBLE, PATHS, "avx2", 3);
    assert_memory_equal(&first, &again, sizeof first);
}

static void test_an_unknown_instruction_set_is_not_weighed(void **state)
{
    (void)state;
    assert_true(levy_effort_knows("avx512"));
    assert_false(levy_effort_knows("sse9"));
    assert_false(levy_effort_knows(""));
}

static void test_it_is_said_in_words(void **state)
{
    (void)state;
    assert_string_equal(levy_effort_say(0.0).text, "less than 1 ms");
    assert_string_equal(levy_effort_say(0.0214).text, "about 21 ms");
    assert_string_equal(levy_effort_say(0.9994).text, "about 999 ms");
    assert_string_equal(levy_effort_say(0.9996).text, "about 1.0 s");
    assert_string_equal(levy_effort_say(3.14).text, "about 3.1 s");
    assert_string_equal(levy_effort_say(4321.0).text, "about 4321 s");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_asian_option_takes_about_its_time),
        cmocka_unit_test(test_more_work_takes_longer),
        cmocka_unit_test(test_a_better_cpu_takes_less),
        cmocka_unit_test(test_the_estimate_repeats),
        cmocka_unit_test(test_it_is_said_in_words),
        cmocka_unit_test(test_an_unknown_instruction_set_is_not_weighed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
