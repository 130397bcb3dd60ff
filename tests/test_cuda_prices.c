/* test_cuda_prices.c: whole plans through the CUDA backend's own code, the kernel's place taken by
 * the CPU's path loop: sums must come back bit for bit, however the work is cut; and the real NVRTC
 * compiles the kernel of every plan here.
 */
#include "tests/cmocka_all.h"

#include "kernels/cuda/device/launch.h"
#include "kernels/points/point_set.h"
#include "payoffs/barrier_terms.h"
#include "payoffs/payoff.h"
#include "tests/fake_backend.h"
#include "tests/fixture.h"

#include <stdlib.h>

static const levy_tile_limits gpu_limits = {8, 8, LEVY_MAX_SWEEP, 16, 0, 12};

static char why[LEVY_REASON_SIZE];

/* The cases: an Asian on one asset, a basket and a worst-of on three, single precision, philox, a
 * ragged count; what is monitored continuously: one barrier and two with a rebate at hit, and a
 * lookback, on a grid of three nodes; every measure and scenarios, on one asset in both precisions,
 * on two, and where volatilities change and cash is paid. */
enum { CASES = 18 };

/* A window that opens at the first of three nodes, or has been open. */
static void watch(levy_trade *trade, bool opens)
{
    const bool barrier = trade->kind.payoff != LEVY_PAYOFF_LOOKBACK;
    *(int32_t *)payoff_term(trade, barrier ? "barrier.monitoring" : "lookback.monitoring") =
        LEVY_MONITORED_CONTINUOUSLY;
    trade->claim.watches = opens ? LEVY_WATCHES_LATER : LEVY_WATCHES_ALWAYS;
}

/* One barrier, or two in case 7, and in the first two cases a rebate. */
static void put_barriers(int c, levy_trade *trade)
{
    if (c == 7) {
        *(double *)payoff_term(trade, "barrier.lower") = 80.0;
        *(double *)payoff_term(trade, "barrier.upper") = 130.0;
    } else {
        *(int32_t *)payoff_term(trade, "barrier.direction") =
            c == 8 ? LEVY_BARRIER_CROSS : LEVY_BARRIER_DOWN;
        *(double *)payoff_term(trade, "barrier.level") = 90.0;
    }
    *(levy_rebate_terms *)payoff_term(trade, "rebate") =
        (levy_rebate_terms){.node = c < 8 ? (const struct levy_node *)trade : NULL,
                            .amount = 3.0,
                            .pay = LEVY_PAY_AT_HIT};
}

static void make_watched(int c, fixture *f)
{
    levy_trade *const trade = fixture_trade(f,
                                            c == 9   ? LEVY_PAYOFF_LOOKBACK
                                            : c == 7 ? LEVY_PAYOFF_DOUBLE_BARRIER
                                                     : LEVY_PAYOFF_BARRIER,
                                            3, 100.0);
    watch(trade, c == 8);
    if (c < 9) put_barriers(c, trade);
    f->problem.simulation.measures = LEVY_MEASURE_PRICE | LEVY_MEASURE_VEGA;
}

static levy_shift moves[2][2];
static levy_scenario stresses[2] = {{.id = "down", .n_shifts = 1, .shifts = moves[0]},
                                    {.id = "calm", .n_shifts = 2, .shifts = moves[1]}};

static void make_measured(int c, fixture *f)
{
    static double ex_times[1] = {0.5}, amounts[1] = {2.0};
    fixture_trade(f, LEVY_PAYOFF_ASIAN, c == 12 ? 2 : 12, 100.0);
    fixture_trade(f, LEVY_PAYOFF_ASIAN, c == 12 ? 2 : 12, 90.0)->measures =
        LEVY_MEASURE_PRICE | LEVY_MEASURE_THETA;
    f->problem.simulation.measures = LEVY_MEASURE_CORRELATION * 2 - 1;
    f->problem.simulation.precision = c == 11;
    moves[0][0] =
        (levy_shift){.factor = LEVY_SHIFT_SPOT, .relative = true, .size = -0.2, .node = SIZE_MAX};
    moves[1][0] = (levy_shift){.factor = LEVY_SHIFT_VOLATILITY, .size = -0.05, .node = SIZE_MAX};
    moves[1][1] = (levy_shift){.factor = LEVY_SHIFT_RATE, .size = 0.01, .node = SIZE_MAX};
    f->problem.scenarios = stresses;
    f->problem.n_scenarios = 2;
    if (c != 13) return;
    f->volatility_times[0][1] = 2.0;
    f->total_variance[0][1] = 0.2;
    f->assets[0].volatility.n = 2;
    f->assets[0].carry.cash = (levy_dividends){1, ex_times, amounts};
}

/* Given words, of Sobol points in double, of Philox in single, and of sets of points. */
static void make_staged(int c, fixture *f)
{
    levy_simulation *const s = &f->problem.simulation;
    fixture_trade(f, LEVY_PAYOFF_ASIAN, 12, 100.0);
    s->supply = c < 16 ? LEVY_SUPPLY_NATIVE : LEVY_SUPPLY_SET;
    s->points = c == 16 ? &levy_set_lattice : &levy_set_halton;
    if (c != 15) return;
    s->generator = LEVY_GENERATOR_PHILOX;
    s->replicates = 1;
    s->paths = 3 * LEVY_BLOCK_PATHS + 1;
    s->precision = LEVY_PRECISION_SINGLE;
}

static uint32_t case_assets(int c)
{
    if (c == 1 || c == 2) return 3;
    return c == 12 ? 2 : 1;
}

static void make_case(int c, fixture *f)
{
    fixture_market(f, case_assets(c), 0.5);
    f->problem.simulation.paths = 1 << 14;
    f->problem.simulation.replicates = 2;
    if (c == 0) fixture_trade(f, LEVY_PAYOFF_ASIAN, 16, 100.0);
    if (c == 1) fixture_trade(f, LEVY_PAYOFF_EUROPEAN, 0, 100.0);
    if (c == 2)
        fixture_trade(f, LEVY_PAYOFF_EUROPEAN, 0, 30.0)->kind.aggregate = LEVY_AGGREGATE_WORST_OF;
    if (c == 2) f->problem.simulation.measures = LEVY_MEASURE_PRICE | LEVY_MEASURE_DELTA;
    if (c >= 14)
        make_staged(c, f);
    else if (c >= 10)
        make_measured(c, f);
    else if (c >= 6)
        make_watched(c, f);
    if (c >= 6) return;
    if (c >= 3) fixture_trade(f, LEVY_PAYOFF_ASIAN, 12, 100.0);
    if (c == 3) f->problem.simulation.precision = 1;
    if (c >= 4) f->problem.simulation.generator = LEVY_GENERATOR_PHILOX;
    if (c >= 4) f->problem.simulation.replicates = 1;
    if (c == 5) f->problem.simulation.paths = 3 * LEVY_BLOCK_PATHS + 1;
}

typedef struct case_sums {
    tree_sum sums[256];
    size_t count;
} case_sums;

static levy_plan *plan_of(const fixture *f, levy_arena *arena)
{
    levy_group *groups = NULL;
    size_t n_groups = 0;
    levy_plan *plan = NULL;
    assert_int_equal(levy_groups_create(&f->problem, arena, &groups, &n_groups), LEVY_OK);
    assert_int_equal(n_groups, 1);
    assert_int_equal(levy_plan_create(&levy_memory_default, &f->problem, &groups[0], &plan, why),
                     LEVY_OK);
    return plan;
}

static levy_status price_or_fail(const fixture *f, const levy_backend *backend,
                                 uint64_t batch_blocks, case_sums *result)
{
    levy_arena arena;
    levy_arena_init(&arena, &levy_memory_default);
    levy_plan *const plan = plan_of(f, &arena);
    const levy_backend_options options = {.memory = &levy_memory_default,
                                          .device = -1,
                                          .no_cache = true,
                                          .threads = 1,
                                          .isa = "auto"};
    const levy_run_options run = {.batch_blocks = batch_blocks};
    levy_run_times times = {0.0, 0.0};
    void *state = NULL;
    memset(result, 0, sizeof *result);
    result->count = (size_t)plan->image->n_outputs * plan->image->n_replicates;
    assert_true(result->count <= 256);
    levy_status status = backend->open(&options, &state, why);
    if (status == LEVY_OK)
        status = levy_run_plan(&levy_memory_default, backend, state, plan, &run, result->sums,
                               &times, why);
    if (state) backend->close(state);
    levy_plan_destroy(plan);
    levy_arena_release(&arena);
    return status;
}

static void price(const fixture *f, const levy_backend *backend, uint64_t batch_blocks,
                  case_sums *result)
{
    assert_int_equal(price_or_fail(f, backend, batch_blocks, result), LEVY_OK);
}

static void test_prices_are_the_cpus_bits(void **state)
{
    (void)state;
    for (int c = 0; c < CASES; ++c) {
        fixture f;
        case_sums cpu, gpu;
        make_case(c, &f);
        price(&f, &levy_backend_cpu, 0, &cpu);
        price(&f, &fake_backend, 0, &gpu);
        assert_true(cpu.sums[0].n > 0.0 && cpu.sums[0].mean > 0.0);
        assert_int_equal(cpu.count, gpu.count);
        assert_memory_equal(cpu.sums, gpu.sums, sizeof cpu.sums);
    }
    assert_true(fake.launches >= CASES);
}

static void test_prices_do_not_depend_on_batches_or_memory(void **state)
{
    (void)state;
    static const int cases[] = {2, 14, 16};
    for (size_t i = 0; i < 3; ++i) {
        fixture f;
        case_sums expected, got;
        make_case(cases[i], &f);
        fake.fail_at = 0;
        price(&f, &fake_backend, 0, &expected);
        for (uint64_t blocks = 1; blocks <= 4; ++blocks) {
            price(&f, &fake_backend, blocks, &got);
            assert_memory_equal(expected.sums, got.sums, sizeof got.sums);
        }
        /* words of a GPU have a launch of their own before each batch's; there is no smaller one of
         * those */
        const long step = cases[i] == 14 ? 2 : 1;
        for (long at = step; at <= 4; at += step) {
            fake.fail_member = "launch";
            fake.calls = 0;
            fake.fail_at = at;
            fake.fail_code = 2;
            price(&f, &fake_backend, 4, &got);
            assert_memory_equal(expected.sums, got.sums, sizeof got.sums);
        }
    }
}

/* Whichever call runs out of memory once, given numbers leave nothing on the device. */
static void test_given_numbers_are_given_back(void **state)
{
    fixture f;
    make_case(14, &f);
    for (long at = 1;; ++at) {
        case_sums got;
        fake_reset(state);
        fake.fail_at = at;
        fake.fail_code = 2;
        const levy_status status = price_or_fail(&f, &fake_backend, 1, &got);
        assert_int_equal(fake.misuse, 0);
        if (!fake.failed) break;
        /* a GPU that cannot be made current gives nothing back */
        if (strcmp(fake.failed, "context_push") != 0) assert_int_equal(fake.held, 0);
        if (strcmp(fake.failed, "memory_allocate") == 0 && status != LEVY_OK)
            assert_int_equal(status, LEVY_MEMORY);
        assert_true(at < 400);
    }
    fake_reset(state);
}

static void test_nvrtc_compiles_every_plans_kernels(void **state)
{
    (void)state;
    levy_cuda_calls calls = levy_cuda_calls_real;
#if LEVY_SANITIZED
    print_message("skipped: NVRTC itself takes minutes under a sanitizer\n");
    skip();
#endif
    if (calls.load_compiler(&calls, 0, why) != LEVY_OK) {
        print_message("skipped: no NVRTC: %s\n", why);
        skip();
    }
    calls.unload(&calls);
    /* every third: one of each sort; .ci/run compiles the kernels of all examples besides */
    for (int c = 0; c < CASES; c += LEVY_TEST_FULL ? 1 : 3) {
        fixture f;
        levy_arena arena;
        char report[4096];
        levy_tile tiles[64];
        make_case(c, &f);
        levy_arena_init(&arena, &levy_memory_default);
        levy_plan *const plan = plan_of(&f, &arena);
        const levy_backend_options options = {
            .memory = &levy_memory_default, .device = -1, .no_cache = true};
        assert_true(plan->image->n_outputs <= 64);
        const size_t n_tiles = levy_plan_tiles(plan->image, &gpu_limits, tiles);
        /* the last; the others have the same code, and .ci/run compiles all of the examples' */
        const levy_status status =
            levy_cuda_build(&levy_cuda_calls_real, &options, c % 2 ? "sm_80" : "sm_90", plan->image,
                            &tiles[n_tiles - 1], 1, report, sizeof report, why);
        if (status != LEVY_OK || strstr(report, "warning"))
            print_message("case %d: %s\n%s\n", c, why, report);
        assert_int_equal(status, LEVY_OK);
        assert_non_null(strstr(report, ": compiled in "));
        assert_null(strstr(report, "warning"));
        levy_plan_destroy(plan);
        levy_arena_release(&arena);
    }
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, fake_reset, fake_check_closed)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_prices_are_the_cpus_bits), CASE(test_prices_do_not_depend_on_batches_or_memory),
        CASE(test_given_numbers_are_given_back), CASE(test_nvrtc_compiles_every_plans_kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
