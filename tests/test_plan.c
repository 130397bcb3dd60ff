/* test_plan.c: the bridge's strategy, the factors of covariances, groups, dimensions and tiles. */
#include "tests/cmocka_all.h"

#include "engine/plan/factors.h"
#include "engine/plan/dynamics.h"
#include "tests/heap.h"
#include "tests/planned.h"
#include "kernels/bridge/strategy.h"
#include "kernels/points/sobol_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- Strategy ---- */

enum { MOST = 1300 };
typedef struct built {
    levy_strategy s;
    levy_strategy_entry entries[MOST];
    uint32_t descents[MOST];
    levy_strategy_run runs[MOST];
    double clock[MOST];
} built;

static void build(built *b, uint32_t n, int irregular, int incremental)
{
    double t = 0.0;
    memset(b, 0, sizeof *b);
    b->s.entries = b->entries;
    b->s.descents = b->descents;
    b->s.runs = b->runs;
    for (uint32_t i = 0; i < n; ++i)
        b->clock[i] = t += irregular ? 0.01 + (double)(i * i % 7) * 0.03 : 1.0 / n;
    (incremental ? levy_strategy_incremental : levy_strategy_bridge)(n, b->clock, sqrt, &b->s);
}

static void test_strategy_builds_every_node_once_from_a_small_stack(void **state)
{
    (void)state;
    built *const b = malloc(sizeof *b);
    for (uint32_t n = 1; n <= MOST; n += n < 140 ? 1 : 97) {
        uint8_t seen[MOST + 1] = {0};
        uint32_t total = 0, depth = 0, log2n = 0;
        build(b, n, 0, 0);
        while ((1u << log2n) < n) ++log2n;
        for (uint32_t i = 0; i < n; ++i) {
            assert_int_equal(seen[b->entries[i].node]++, 0);
            depth += b->descents[i];
            assert_true(depth >= 1 && depth <= b->s.stack);
            --depth;
            total += b->descents[i];
        }
        assert_int_equal(total, n);
        assert_true(b->s.stack <= log2n + 1);
    }
    free(b);
}

/* The stack traversal on unit vectors gives the matrix of the construction; its rows times its
 * columns must be min(s, t). */
static void traverse(const built *b, const double *z, double *x)
{
    double stack[64] = {0.0}, left = 0.0;
    uint32_t top = 0, entry = 0;
    for (uint32_t k = 0; k < b->s.n_nodes; ++k) {
        for (uint32_t d = b->descents[k]; d > 0; --d, ++entry, ++top) {
            const levy_strategy_entry *const e = &b->entries[entry];
            stack[top + 1] = e->deviation * z[entry] + e->right * stack[top] + e->left * left;
        }
        x[k] = left = stack[top--];
    }
}

/* The traversal by runs of up to 8, as the kernel does it in registers. */
static double run_node(const built *b, const levy_strategy_run *run, uint32_t slot, uint32_t *entry,
                       const double *z, double l, double r)
{
    if (!(run->present >> (slot - 1) & 1)) return r;
    const levy_strategy_entry *const e = &b->entries[*entry];
    const double x = e->deviation * z[*entry] + e->right * r + e->left * l;
    ++*entry;
    return x;
}

static void traverse_runs(const built *b, const double *z, double *x)
{
    double stack[64] = {0.0}, left = 0.0;
    uint32_t top = 0;
    for (uint32_t g = 0; g < b->s.n_runs; ++g) {
        const levy_strategy_run *const run = &b->runs[g];
        uint32_t entry = run->first_entry, node = run->first_node;
        for (uint32_t p = 0; p < run->pushes; ++p, ++entry, ++top) {
            const levy_strategy_entry *const e = &b->entries[entry];
            stack[top + 1] = e->deviation * z[entry] + e->right * stack[top] + e->left * left;
        }
        const double m8 = stack[top--];
#define EMIT(slot, value)                                                                          \
    do {                                                                                           \
        if (run->present >> (slot - 1) & 1) x[node++] = left = (value);                            \
    } while (0)
        const double m4 = run_node(b, run, 4, &entry, z, left, m8),
                     m2 = run_node(b, run, 2, &entry, z, left, m4);
        const double m1 = run_node(b, run, 1, &entry, z, left, m2);
        EMIT(1, m1);
        EMIT(2, m2);
        const double m3 = run_node(b, run, 3, &entry, z, left, m4);
        EMIT(3, m3);
        EMIT(4, m4);
        const double m6 = run_node(b, run, 6, &entry, z, left, m8),
                     m5 = run_node(b, run, 5, &entry, z, left, m6);
        EMIT(5, m5);
        EMIT(6, m6);
        const double m7 = run_node(b, run, 7, &entry, z, left, m8);
        EMIT(7, m7);
        EMIT(8, m8);
#undef EMIT
    }
}

static void assert_built_brownian(const built *b)
{
    const uint32_t n = b->s.n_nodes;
    double *const matrix = malloc((size_t)n * n * sizeof *matrix), *const z = calloc(n, sizeof *z);
    for (uint32_t j = 0; j < n; ++j) {
        z[j] = 1.0;
        traverse(b, z, matrix + (size_t)j * n);
        z[j] = 0.0;
    }
    assert_brownian(matrix, b->clock, n, 1e-13);
    free(matrix);
    free(z);
}

static void test_bridge_has_the_covariance_of_brownian_motion(void **state)
{
    (void)state;
    built *const b = malloc(sizeof *b);
    const uint32_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 31, 64, 100, 252};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        build(b, sizes[i], 1, 0);
        assert_built_brownian(b);
        build(b, sizes[i], 1, 1);
        assert_built_brownian(b);
    }
    free(b);
}

static void test_runs_of_eight_walk_the_same_tree(void **state)
{
    (void)state;
    built *const b = malloc(sizeof *b);
    double *const z = malloc(MOST * sizeof *z), *const x = malloc(MOST * sizeof *x),
                  *const y = malloc(MOST * sizeof *y);
    for (uint32_t i = 0; i < MOST; ++i) z[i] = sin(1.0 + i);
    for (uint32_t n = 1; n <= MOST; n += n < 140 ? 1 : 97) {
        build(b, n, 1, 0);
        traverse(b, z, x);
        traverse_runs(b, z, y);
        assert_memory_equal(x, y, n * sizeof *x);
        assert_int_equal(b->s.full, n % 8 == 0 && (n & (n - 1)) == 0);
    }
    free(b);
    free(z);
    free(x);
    free(y);
}

/* ---- Factors ---- */

static void assert_factors(size_t n, const double *covariance, const double *scaling, bool eigen,
                           size_t rank)
{
    levy_arena arena;
    levy_rotation r;
    double work[64], factor[64];
    levy_arena_init(&arena, &levy_memory_default);
    assert_int_equal(levy_rotation_create(n, covariance, scaling, eigen, &arena, &r), LEVY_OK);
    assert_int_equal(r.rank, rank);
    levy_rotation_factor(&r, covariance, work, factor);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            double sum = 0.0;
            for (size_t k = 0; k < rank; ++k) sum += factor[i * rank + k] * factor[j * rank + k];
            assert_near(sum, covariance[i * n + j], 1e-12);
        }
    /* descending by what they carry of the scaled sum */
    for (size_t k = 1; eigen && k < rank; ++k) {
        double a = 0.0, b = 0.0;
        for (size_t i = 0; i < n; ++i) {
            a += scaling[i] * scaling[i] * factor[i * rank + k - 1] * factor[i * rank + k - 1];
            b += scaling[i] * scaling[i] * factor[i * rank + k] * factor[i * rank + k];
        }
        assert_true(a >= b * (1.0 - 1e-9));
    }
    levy_arena_release(&arena);
}

static void test_factors_reproduce_covariances(void **state)
{
    (void)state;
    const double one[] = {1, 1, 1}, scaled[] = {1, 50, 0.2};
    const double full[] = {1, 0.3, -0.2, 0.3, 1, 0.5, -0.2, 0.5, 1},
                 equal[] = {1, 0.5, 0.5, 0.5, 1, 0.5, 0.5, 0.5, 1};
    const double twins[] = {1, 1, 0.5, 1, 1, 0.5, 0.5, 0.5, 1},
                 all[] = {4, -2, 6, -2, 1, -3, 6, -3, 9};
    for (int eigen = 0; eigen < 2; ++eigen) {
        assert_factors(3, full, one, eigen, 3);
        assert_factors(3, full, scaled, eigen, 3);
        assert_factors(3, equal, one, eigen, 3);
        assert_factors(3, twins, one, eigen, 2);
        assert_factors(3, all, one, eigen, 1);
    }
}

static void test_factors_move_little_under_a_small_bump(void **state)
{
    (void)state;
    const double one[] = {1, 1, 1};
    double equal[] = {0.04, 0.02, 0.02, 0.02, 0.04, 0.02, 0.02, 0.02, 0.04}, work[9], before[9],
           after[9];
    levy_arena arena;
    levy_rotation r;
    levy_arena_init(&arena, &levy_memory_default);
    assert_int_equal(levy_rotation_create(3, equal, one, true, &arena, &r), LEVY_OK);
    levy_rotation_factor(&r, equal, work, before);
    for (int i = 0; i < 3; ++i) equal[i] *= 1.001, equal[3 * i] *= 1.001;
    levy_rotation_factor(&r, equal, work, after);
    /* two equal eigenvalues: a fresh basis would jump */
    for (int i = 0; i < 9; ++i) assert_near(after[i], before[i], 3e-4);
    levy_arena_release(&arena);
}

/* Weights and volatilities that make three assets alike but for rounding: it must not choose the
 * factors of equal values. */
static void test_factors_of_like_assets_do_not_hang_on_rounding(void **state)
{
    const double up = 1.0 + 0x1p-50, down = 1.0 - 0x1p-50, shares[] = {0.3, 0.3, 0.4};
    const double covariance[] = {0.16, 0.08, 0.06, 0.08, 0.16, 0.06, 0.06, 0.06, 0.09};
    const double rounded[] = {0.16,        0.08 * up,   0.06 * down, 0.08 * up, 0.16 * down,
                              0.06 * down, 0.06 * down, 0.06 * down, 0.09 * up};
    double work[9], exact[9], near[9];
    levy_arena arena;
    levy_rotation r;
    (void)state;
    levy_arena_init(&arena, &levy_memory_default);
    assert_int_equal(levy_rotation_create(3, covariance, shares, true, &arena, &r), LEVY_OK);
    levy_rotation_factor(&r, covariance, work, exact);
    assert_int_equal(levy_rotation_create(3, rounded, shares, true, &arena, &r), LEVY_OK);
    levy_rotation_factor(&r, rounded, work, near);
    for (int i = 0; i < 9; ++i) assert_near(near[i], exact[i], 1e-12);
    levy_arena_release(&arena);
}

/* ---- Markets ---- */

/* Volatilities 10 to 40 % and 40 to 10 %, correlation 0.9: over two equal halves the terminal
 * correlation is 2 * 0.9 * 0.04 / (0.01 + 0.16) = 0.4235. */
static void test_term_volatilities_integrate_to_the_terminal_correlation(void **state)
{
    (void)state;
    static fixture f;
    levy_group *groups;
    size_t n_groups;
    levy_arena arena;
    levy_dynamics_plan p;
    double drift[4], factor[8], covariance[4] = {0};
    fixture_market(&f, 2, 0.9);
    for (int i = 0; i < 2; ++i) {
        f.assets[i].volatility.n = 2;
        f.volatility_times[i][0] = 0.5;
        f.volatility_times[i][1] = 1.0;
        f.total_variance[i][0] = 0.5 * (i ? 0.16 : 0.01);
        f.total_variance[i][1] = 0.5 * 0.17;
    }
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, 2, 100.0);
    levy_arena_init(&arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(&f.problem, &arena, &groups, &n_groups), LEVY_OK);
    assert_int_equal(levy_dynamics_create(&f.problem, groups, true, &arena, &p), LEVY_OK);
    assert_true(p.per_interval);
    assert_int_equal(p.n_factors, 2);
    assert_int_equal(levy_dynamics_fill(&p, 0, &arena, drift, factor, NULL, NULL, NULL), LEVY_OK);
    for (int k = 0; k < 2; ++k)
        for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j)
                for (int c = 0; c < 2; ++c)
                    covariance[2 * i + j] += (p.clock[k] - (k ? p.clock[0] : 0.0)) *
                                             factor[4 * k + 2 * i + c] * factor[4 * k + 2 * j + c];
    assert_near(covariance[0], 0.085, 1e-15);
    assert_near(covariance[3], 0.085, 1e-15);
    assert_near(covariance[1] / 0.085, 2 * 0.9 * 0.04 / 0.17, 1e-13);
    assert_near(drift[0] + drift[2], 0.05 - 0.5 * 0.085, 1e-15);
    levy_arena_release(&arena);
}

/* ---- Plans ---- */

static void test_dimensions_are_a_permutation_with_the_last_date_first(void **state)
{
    (void)state;
    static fixture f;
    planned p;
    fixture_market(&f, 3, 0.5);
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, 12, 100.0);
    plan(&p, &f);
    assert_int_equal(p.status, LEVY_OK);
    assert_int_equal(p.plan->image->n_draws, 36);
    uint8_t seen[36] = {0};
    for (int i = 0; i < 36; ++i) assert_int_equal(seen[p.plan->dimensions[i]]++, 0);
    /* the traversal starts at the last date */
    for (uint32_t i = 0; i < 3; ++i) assert_int_equal(p.plan->dimensions[i], i);
    assert_true(p.plan->factor_variance[0] > p.plan->factor_variance[1]);
    unplan(&p);
}

static void test_groups_split_by_grid_and_share_one_grid(void **state)
{
    (void)state;
    static fixture f;
    planned p;
    fixture_market(&f, 1, 0.0);
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, 4, 100.0);
    fixture_trade(&f, LEVY_PAYOFF_EUROPEAN, 0, 100.0);
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, 4, 110.0);
    fixture_trade(&f, LEVY_PAYOFF_EUROPEAN, 0, 90.0)->state = LEVY_TRADE_FAILED;
    plan(&p, &f);
    assert_int_equal(p.n_groups, 2);
    assert_int_equal(p.groups[0].n_trades, 2);
    assert_int_equal(p.groups[0].trades[1], 2);
    assert_int_equal(p.groups[0].n_nodes, 4);
    assert_int_equal(p.groups[1].n_trades, 1);
    assert_int_equal(p.groups[1].n_nodes, 1);
    unplan(&p);
}

static void test_hash_is_of_the_numbers(void **state)
{
    (void)state;
    static fixture f;
    planned a, b;
    fixture_market(&f, 2, 0.5);
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, 12, 100.0);
    plan(&a, &f);
    plan(&b, &f);
    assert_true(a.plan->image->numeric_hash == b.plan->image->numeric_hash);
    unplan(&b);
    f.terms[0].payoff.strike = 100.5;
    plan(&b, &f);
    assert_true(a.plan->image->numeric_hash != b.plan->image->numeric_hash);
    unplan(&b);
    f.terms[0].payoff.strike = 100.0;
    f.problem.simulation.seed = 43;
    plan(&b, &f);
    assert_true(a.plan->image->numeric_hash != b.plan->image->numeric_hash);
    unplan(&a);
    unplan(&b);
}

static void test_blocks_hold_every_path(void **state)
{
    (void)state;
    static const uint64_t paths[] = {1, LEVY_BLOCK_PATHS, LEVY_BLOCK_PATHS + 1},
                          blocks[] = {1, 1, 2};
    static fixture f;
    fixture_market(&f, 1, 0.0);
    fixture_trade(&f, LEVY_PAYOFF_EUROPEAN, 0, 100.0);
    for (size_t k = 0; k < sizeof paths / sizeof *paths; ++k) {
        planned p;
        f.problem.simulation.paths = paths[k] * f.problem.simulation.replicates;
        plan(&p, &f);
        assert_true(p.plan->image->blocks == blocks[k]);
        unplan(&p);
    }
}

static void test_the_cpu_refuses_an_image_of_another_version(void **state)
{
    (void)state;
    static fixture f;
    planned p;
    char why[LEVY_REASON_SIZE] = "";
    void *cpu = NULL;
    const levy_backend_options options = {
        .memory = &levy_memory_default, .threads = 1, .device = -1};
    fixture_market(&f, 1, 0.0);
    fixture_trade(&f, LEVY_PAYOFF_EUROPEAN, 0, 100.0);
    plan(&p, &f);
    /* refused by its first words, before anything else of it is read */
    levy_image other = *p.plan->image;
    const levy_tile tile = {.n_outputs = 1};
    assert_int_equal(levy_backend_cpu.open(&options, &cpu, why), LEVY_OK);
    other.version = LEVY_IMAGE_VERSION + 1;
    assert_int_equal(levy_backend_cpu.load(cpu, &other, &tile, 1, why), LEVY_INTERNAL);
    assert_non_null(strstr(why, "the plan's image has version"));
    other = *p.plan->image;
    other.magic = 0;
    assert_int_equal(levy_backend_cpu.load(cpu, &other, &tile, 1, why), LEVY_INTERNAL);
    assert_int_equal(levy_backend_cpu.load(cpu, p.plan->image, &tile, 1, why), LEVY_OK);
    levy_backend_cpu.unload(cpu);
    levy_backend_cpu.close(cpu);
    unplan(&p);
}

static void test_tiles_cover_every_output_inside_their_limits(void **state)
{
    (void)state;
    static fixture f;
    planned p;
    levy_tile tiles[128];
    fixture_market(&f, 8, 0.5);
    f.problem.simulation.measures = LEVY_MEASURE_PRICE | LEVY_MEASURE_DELTA | LEVY_MEASURE_VEGA;
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, 4, 100.0);
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, 4, 110.0);
    plan(&p, &f);
    /* with a probe of each difference */
    assert_int_equal(p.plan->image->n_outputs, 2 * (1 + 8 + 8 + 8 + 8));
    for (uint32_t most = LEVY_CLUSTER; most <= 128; most *= 2) {
        uint32_t output = 0;
        const levy_tile_limits limits = {most, most, 0, 0, most == 64 ? UINT64_MAX : 0, 0};
        const size_t n = levy_plan_tiles(p.plan->image, &limits, tiles);
        const levy_image_output *const outputs =
            LEVY_IMAGE_AT(levy_image_output, p.plan->image, outputs);
        for (size_t i = 0; i < n && most == 64; ++i) /* trades apart */
            assert_int_equal(outputs[tiles[i].first_output].trade,
                             outputs[tiles[i].first_output + tiles[i].n_outputs - 1].trade);
        for (size_t i = 0; i < n; ++i) {
            assert_int_equal(tiles[i].first_output, output);
            assert_true(tiles[i].n_items <= most && tiles[i].n_dynamics <= most);
            for (uint32_t o = 1; o < tiles[i].n_outputs; ++o) /* probes see other blocks */
                assert_int_equal(outputs[output].probe == 0, outputs[output + o].probe == 0);
            output += tiles[i].n_outputs;
        }
        assert_int_equal(output, p.plan->image->n_outputs);
    }
    unplan(&p);
}

static void test_plan_survives_every_failing_allocation(void **state)
{
    (void)state;
    static fixture f;
    test_heap c = {0};
    const levy_memory memory = heap_memory(&c);
    fixture_market(&f, 2, 0.5);
    f.problem.simulation.measures = LEVY_MEASURE_PRICE | LEVY_MEASURE_VEGA;
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, 12, 100.0);
    levy_status status = LEVY_MEMORY;
    long n = 0;
    for (; status == LEVY_MEMORY; ++n) {
        levy_arena arena;
        levy_group *groups;
        levy_plan *plan = NULL;
        size_t n_groups;
        char why[LEVY_PLAN_WHY];
        heap_grant(&c, n);
        levy_arena_init(&arena, &memory);
        status = levy_groups_create(&f.problem, &arena, &groups, &n_groups);
        if (status == LEVY_OK) status = levy_plan_create(&memory, &f.problem, groups, &plan, why);
        levy_plan_destroy(plan);
        levy_arena_release(&arena);
        assert_int_equal(c.live, 0);
    }
    assert_int_equal(status, LEVY_OK);
    assert_true(n > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strategy_builds_every_node_once_from_a_small_stack),
        cmocka_unit_test(test_bridge_has_the_covariance_of_brownian_motion),
        cmocka_unit_test(test_runs_of_eight_walk_the_same_tree),
        cmocka_unit_test(test_factors_reproduce_covariances),
        cmocka_unit_test(test_factors_move_little_under_a_small_bump),
        cmocka_unit_test(test_factors_of_like_assets_do_not_hang_on_rounding),
        cmocka_unit_test(test_term_volatilities_integrate_to_the_terminal_correlation),
        cmocka_unit_test(test_dimensions_are_a_permutation_with_the_last_date_first),
        cmocka_unit_test(test_groups_split_by_grid_and_share_one_grid),
        cmocka_unit_test(test_hash_is_of_the_numbers),
        cmocka_unit_test(test_blocks_hold_every_path),
        cmocka_unit_test(test_the_cpu_refuses_an_image_of_another_version),
        cmocka_unit_test(test_tiles_cover_every_output_inside_their_limits),
        cmocka_unit_test(test_plan_survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
