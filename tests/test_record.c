/* test_record.c: levels by date that the path loop records beside its sums: they are martingales
 * once discounted, the payoffs that they give are those of the sums, and who records nothing gets
 * the same bits.
 *
 *     test_record book FILE      the same of any book without jumps or drifts of a model's own
 *     test_record cuda           levels and sums of a GPU are the CPU's bits */
#include "tests/cmocka_all.h"

#include "engine/run/backend_list.h"
#include "tests/fixture.h"
#include "tests/problem_load.h"

#include <math.h>
#include <stdlib.h>

static const levy_tile_limits gpu_limits = {8, 8, LEVY_MAX_SWEEP, 16, 0, 12};

enum { ASSETS = 2, DATES = 12, REPLICATES = 2, PATHS = REPLICATES << 13 };

static void simulate_on(const char *device, const levy_plan *plan, const levy_tile *tile,
                        levy_block_sum *sums, void *record)
{
    const levy_backend_options options = {
        .memory = &levy_memory_default, .isa = "auto", .threads = 2};
    const levy_batch batch = {.tile = *tile,
                              .n_blocks = plan->image->blocks * plan->image->n_replicates,
                              .record = record};
    char why[LEVY_REASON_SIZE];
    double seconds;
    levy_backend backend;
    void *state;
    if (levy_backend_choose(device, &options, getenv("LEVY_TEST_MODULE_DIR"), &backend, &state,
                            why) != LEVY_OK)
        fail_msg("%s", why);
    assert_int_equal(backend.load(state, plan->image, tile, 1, why), LEVY_OK);
    assert_int_equal(backend.simulate(state, &batch, NULL, sums, &seconds, why), LEVY_OK);
    backend.unload(state);
    backend.close(state);
}

static void simulate(const levy_plan *plan, const levy_tile *tile, levy_block_sum *sums,
                     void *record)
{
    simulate_on("cpu", plan, tile, sums, record);
}

/* The level of an asset on a path at a date, relative to today's. */
static double level_at(const levy_image *image, const double *record, size_t path, size_t date,
                       size_t asset)
{
    const size_t block = path / LEVY_BLOCK_PATHS, at = path % LEVY_BLOCK_PATHS;
    return record[block * (size_t)levy_record_reals(image) +
                  (date * image->n_assets + asset) * LEVY_BLOCK_PATHS + at];
}

static void assert_discounted_levels_keep_their_mean(const levy_image *image, const double *record)
{
    for (size_t date = 0; date < DATES; ++date)
        for (size_t asset = 0; asset < ASSETS; ++asset) {
            double sum = 0.0;
            for (size_t path = 0; path < PATHS; ++path)
                sum += level_at(image, record, path, date, asset);
            const double time = (double)(date + 1) / DATES;
            assert_true(fabs(exp(-0.05 * time) * sum / PATHS - 1.0) < 1e-3);
        }
}

/* The first output: an Asian call on the mean of both assets. */
static void assert_records_give_the_sums(const levy_image *image, const double *record,
                                         const levy_block_sum *sums, uint32_t n_outputs)
{
    for (size_t block = 0; block < PATHS / LEVY_BLOCK_PATHS; ++block) {
        double total = 0.0;
        for (size_t k = 0; k < LEVY_BLOCK_PATHS; ++k) {
            double average = 0.0;
            for (size_t date = 0; date < DATES; ++date)
                for (size_t asset = 0; asset < ASSETS; ++asset)
                    average += level_at(image, record, block * LEVY_BLOCK_PATHS + k, date, asset) *
                               100.0 / (ASSETS * DATES);
            total += average > 100.0 ? average - 100.0 : 0.0;
        }
        const double want = exp(-0.05) * total / LEVY_BLOCK_PATHS;
        assert_true(fabs(sums[block * n_outputs].mean - want) < 1e-10 * want);
    }
}

typedef void plan_body(const levy_plan *plan, const levy_tile *tile);

/* Of each group, whose outputs are one tile. */
static void each_plan(const levy_problem *problem, plan_body *body)
{
    levy_arena arena;
    levy_group *groups;
    levy_plan *plan;
    levy_tile tile;
    size_t n_groups;
    char why[LEVY_REASON_SIZE];
    levy_arena_init(&arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(problem, &arena, &groups, &n_groups), LEVY_OK);
    for (size_t g = 0; g < n_groups; ++g) {
        assert_int_equal(levy_plan_create(&levy_memory_default, problem, &groups[g], &plan, why),
                         LEVY_OK);
        assert_int_equal(levy_plan_tiles(plan->image, &gpu_limits, &tile), 1);
        assert_int_equal(plan->image->records, 1);
        body(plan, &tile);
        levy_plan_destroy(plan);
    }
    levy_arena_release(&arena);
}

static void with_asian(plan_body *body)
{
    static fixture f;
    fixture_market(&f, ASSETS, 0.3);
    f.problem.simulation.paths = PATHS;
    f.problem.simulation.replicates = REPLICATES;
    f.problem.simulation.records = true;
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, DATES, 100.0)->kind.aggregate = LEVY_AGGREGATE_BASKET;
    each_plan(&f.problem, body);
}

static void record_on_cpu(const levy_plan *plan, const levy_tile *tile)
{
    const size_t n_blocks = PATHS / LEVY_BLOCK_PATHS, n = n_blocks * tile->n_outputs;
    levy_block_sum *const with = calloc(n, sizeof *with), *const without = calloc(n, sizeof *with);
    double *const record =
        calloc(n_blocks * (size_t)levy_record_reals(plan->image), sizeof *record);
    simulate(plan, tile, with, record);
    simulate(plan, tile, without, NULL);
    assert_memory_equal(with, without, n * sizeof *with);
    assert_discounted_levels_keep_their_mean(plan->image, record);
    assert_records_give_the_sums(plan->image, record, with, tile->n_outputs);
    free(with), free(without), free(record);
}

static void test_the_cpu_records_levels(void **state)
{
    (void)state;
    with_asian(record_on_cpu);
}

/* ---- A book ---------------------------------------------------------------------------------- */

static const char *book_path;

/* The mean level of each asset at the last date is its forward's. */
static void assert_last_levels_are_forwards(const levy_plan *plan, const levy_tile *tile)
{
    const levy_image *const image = plan->image;
    const levy_trade *const trade = &plan->problem->trades[plan->group->trades[0]];
    const size_t n_blocks = (size_t)(image->blocks * image->n_replicates),
                 last = image->n_nodes - 1;
    levy_block_sum *const sums = calloc(n_blocks * tile->n_outputs, sizeof *sums);
    double *const record = calloc(n_blocks * (size_t)levy_record_reals(image), sizeof *record);
    simulate(plan, tile, sums, record);
    for (uint32_t a = 0; a < image->n_assets; ++a) {
        const levy_asset *const asset = trade->model->assets[trade->underlyings[a]];
        double mean = 0.0;
        for (size_t path = 0; path < n_blocks * LEVY_BLOCK_PATHS; ++path)
            mean += level_at(image, record, path, last, a);
        mean /= (double)(n_blocks * LEVY_BLOCK_PATHS);
        assert_true(
            fabs(mean / exp(levy_asset_log_forward(asset, plan->group->times[last])) - 1.0) < 1e-3);
    }
    free(sums), free(record);
}

static void test_a_book_is_recorded(void **state)
{
    (void)state;
    static char text[1 << 16];
    FILE *const f = fopen(book_path, "rb");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    loaded_book book = load_text(text);
    assert_int_equal(book.status, LEVY_OK);
    book.problem->simulation.records = true;
    each_plan(book.problem, assert_last_levels_are_forwards);
    loaded_book_release(&book);
}

static void record_on_gpu(const levy_plan *plan, const levy_tile *tile)
{
    const size_t n_blocks = PATHS / LEVY_BLOCK_PATHS, n = n_blocks * tile->n_outputs;
    const size_t levels = n_blocks * (size_t)levy_record_reals(plan->image);
    levy_block_sum *const cpu = calloc(n, sizeof *cpu), *const gpu = calloc(n, sizeof *gpu);
    double *const want = calloc(levels, sizeof *want), *const got = calloc(levels, sizeof *got);
    simulate_on("cpu", plan, tile, cpu, want);
    simulate_on("cuda", plan, tile, gpu, got);
    assert_memory_equal(cpu, gpu, n * sizeof *cpu);
    assert_memory_equal(want, got, levels * sizeof *want);
    free(cpu), free(gpu), free(want), free(got);
}

static void test_a_gpu_records_the_cpus_levels(void **state)
{
    (void)state;
    with_asian(record_on_gpu);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest of_gpu[] = {cmocka_unit_test(test_a_gpu_records_the_cpus_levels)};
    if (argc == 2 && strcmp(argv[1], "cuda") == 0)
        return cmocka_run_group_tests(of_gpu, NULL, NULL);
    const struct CMUnitTest of_book[] = {cmocka_unit_test(test_a_book_is_recorded)};
    if (argc == 3 && strcmp(argv[1], "book") == 0) {
        book_path = argv[2];
        return cmocka_run_group_tests(of_book, NULL, NULL);
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_cpu_records_levels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
