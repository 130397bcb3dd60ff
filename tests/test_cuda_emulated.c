/* test_cuda_emulated.c: the CUDA kernel's own code against the CPU's bits, on a machine without a
 * GPU: fused_host.cpp is compiled behind the shape of each plan and run by the host's threads. And
 * what a GPU leaves to the CPU is refused in words. Skips where there is no C++ compiler. */
#include "tests/cmocka_all.h"

#include "engine/book/plan_cache.h"
#include "engine/plan/recording.h"
#include "engine/run/backend_list.h"
#include "kernels/cuda/compile/bounds.h"
#include "kernels/cuda/compile/normal_table.h"
#include "kernels/lane/normal_rows.h"
#include "kernels/cuda/compile/scripts.h"
#include "kernels/cuda/compile/shape.h"
#include "kernels/path/sweep.h"
#include "kernels/points/sobol_tables.h"
#include "models/jumps.h"
#include "tests/emulated.h"
#include "tests/fit_on_cpu.h"
#include "tests/generated/script_books.h"
#include "tests/planned.h"
#include "tests/problem_load.h"
#include "tests/script_case.h"
#include "tests/stage_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const levy_tile_limits gpu_limits = {8, 8, LEVY_MAX_SWEEP, 16, 0, 12};

/* Of tables of cases every change emulates every fifth row, of short ones every second, and
 * tests/nightly.sh all of them. */
enum { EACH = LEVY_TEST_FULL ? 1 : 5 };
enum { OTHER = LEVY_TEST_FULL ? 1 : 2 };
enum { MOST_DATES = 22000 };

typedef struct emulated_shape {
    size_t assets, dates;
    int32_t generator, construction;
    uint64_t paths;
    const uint32_t *order;
    const double *first; /* two dates */
    bool single, records;
    int32_t supply;
    int32_t aggregate; /* 0: a weighted sum */
} emulated_shape;
#define SHAPE(n_assets, n_dates, from, by, ...)                                                    \
    {                                                                                              \
        .assets = n_assets, .dates = n_dates, .generator = LEVY_GENERATOR_##from,                  \
        .construction = LEVY_CONSTRUCTION_##by, .paths = __VA_ARGS__                               \
    }

static const uint32_t twelve[] = {7, 3, 12, 1, 5, 9, 10, 11, 8, 2, 4, 6};
static const double two_first[] = {0.25, 0.75};

static void make_problem(fixture *f, const emulated_shape *shape)
{
    static double many[MOST_DATES];
    levy_simulation *const s = &f->problem.simulation;
    fixture_market(f, shape->assets, 0.4);
    s->generator = shape->generator;
    s->construction = shape->construction;
    /* one where a second takes seconds, which has other words for the same code */
    const bool alone = EACH > 1 && shape->assets * shape->dates > 64;
    s->replicates = shape->generator == LEVY_GENERATOR_SOBOL_SCRAMBLED && !alone ? 2 : 1;
    s->paths = shape->paths;
    s->precision = shape->single ? LEVY_PRECISION_SINGLE : LEVY_PRECISION_DOUBLE;
    s->order = shape->order;
    s->records = shape->records;
    s->supply = shape->supply;
    s->n_order = shape->dates;
    s->first = shape->first;
    s->n_first = 2;
    fixture_trade(f, LEVY_PAYOFF_ASIAN, 4, 100.0);
    if (shape->aggregate) f->trades[0].kind.aggregate = shape->aggregate;
    for (size_t k = 0; k < shape->dates; ++k) many[k] = (double)(k + 1) / (double)shape->dates;
    f->trades[0].claim.observations.times = many;
    f->trades[0].claim.observations.n = shape->dates;
}

static void with_problem_plan(const levy_problem *problem, void (*body)(const levy_plan *plan))
{
    levy_arena arena;
    levy_group *groups;
    levy_plan *plan;
    size_t n_groups;
    char why[LEVY_REASON_SIZE];
    levy_arena_init(&arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(problem, &arena, &groups, &n_groups), LEVY_OK);
    assert_int_equal(levy_plan_create(&levy_memory_default, problem, groups, &plan, why), LEVY_OK);
    body(plan);
    levy_plan_destroy(plan);
    levy_arena_release(&arena);
}

static void with_plan(const emulated_shape *shape, void (*body)(const levy_plan *plan))
{
    static fixture f;
    make_problem(&f, shape);
    with_problem_plan(&f.problem, body);
}

typedef struct file_part {
    const void *bytes;
    size_t size;
} file_part;

static void write_file_parts(const char *path, const file_part *parts, size_t n)
{
    FILE *const f = fopen(path, "wb");
    assert_non_null(f);
    for (size_t i = 0; i < n; ++i) assert_int_equal(fwrite(parts[i].bytes, parts[i].size, 1, f), 1);
    assert_int_equal(fclose(f), 0);
}

/* The numbers of an image whose numbers are given: any words, or any normals. The caller frees
 * them. */
static void *given_numbers(const levy_image *image)
{
    const size_t n =
        (size_t)(image->blocks * image->n_replicates) * LEVY_BLOCK_PATHS * image->n_draws;
    void *const numbers = calloc(n + 1, levy_given_size(image) + 1);
    uint64_t x = 1;
    assert_non_null(numbers);
    for (size_t i = 0; levy_given_size(image) && i < n; ++i) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        const double normal = ((double)(x >> 40) + 0.5) * 0x1p-22 - 2.0;
        if (image->generator == 3)
            ((uint32_t *)numbers)[i] = (uint32_t)(x >> 32);
        else if (image->precision)
            ((float *)numbers)[i] = (float)normal;
        else
            ((double *)numbers)[i] = normal;
    }
    return numbers;
}

static size_t given_bytes(const levy_image *image)
{
    return (size_t)(image->blocks * image->n_replicates) * levy_given_bytes(image);
}

static void cpu_sums(const levy_plan *plan, const levy_tile *tile, levy_block_sum *sums,
                     uint64_t n_blocks, double *record)
{
    char why[LEVY_REASON_SIZE];
    void *state;
    double seconds;
    const levy_backend_options options = {
        .memory = &levy_memory_default, .isa = "auto", .threads = 2};
    void *const given = given_numbers(plan->image);
    const levy_batch batch = {.tile = *tile,
                              .n_blocks = n_blocks,
                              .record = record,
                              .given = given,
                              .given_stride = n_blocks * LEVY_BLOCK_PATHS};
    assert_int_equal(levy_backend_cpu.open(&options, &state, why), LEVY_OK);
    assert_int_equal(levy_backend_cpu.load(state, plan->image, tile, 1, why), LEVY_OK);
    assert_int_equal(levy_backend_cpu.simulate(state, &batch, NULL, sums, &seconds, why), LEVY_OK);
    levy_backend_cpu.unload(state);
    levy_backend_cpu.close(state);
    free(given);
}

/* Near: by hundredths of a millionth of the column's own spread and value. */
static bool is_near(const levy_block_sum *want, const levy_block_sum *got)
{
    const double spread = sqrt(want->m2 / LEVY_BLOCK_PATHS), reach = fabs(want->mean) + spread;
    return fabs(got->mean - want->mean) <= 2e-6 * reach &&
           fabs(got->m2 - want->m2) <= 2e-5 * (want->m2 + reach * reach);
}

/* A difference of integrated prices in single spreads by less than its terms are rounded. */
static bool is_rounding(const levy_image *image, const levy_image_output *output)
{
    return image->integrated && (image->precision || image->mixed) && output->n_terms > 1;
}

/* Does a run take less time than to optimise it? The bits are the same. A normal costs its place in
 * the payoffs, and what it is multiplied by. */
static bool is_short(const levy_image *image, const levy_tile *tile)
{
    const double normals =
        (double)(image->blocks * image->n_replicates * LEVY_BLOCK_PATHS) * image->n_draws;
    const uint32_t factors =
        image->construction == LEVY_CONSTRUCTION_PCA ? image->n_nodes : image->n_assets;
    return normals * (tile->n_items + factors / 16.0) < 3 << 20;
}

/* Shared memory of multiprocessors; what levy_shape_rows says of a wide kernel alone. */
enum {
    LARGE_ROOM = 228 << 10,
    SMALL_ROOM = 64 << 10,
    WIDE = LEVY_SHAPE_HELD | LEVY_SHAPE_PRODUCTS
};

/* The text of the tile's programs; the caller frees it. */
static char *scripts_text(const levy_image *image, const levy_tile *tile)
{
    levy_shape_text out = {.text = NULL, .size = 0};
    levy_scripts_write(image, tile, &out);
    out = (levy_shape_text){.text = calloc(out.length + 2, 1), .size = out.length + 2};
    assert_non_null(out.text);
    levy_scripts_write(image, tile, &out);
    levy_shape_word(&out, "\n");
    return out.text;
}

/* The kernel's sums of all blocks; the caller frees them. */
static levy_block_sum *emulated_sums(const levy_plan *plan, const levy_tile *tile, uint32_t lanes,
                                     uint32_t room, size_t n)
{
    char text[LEVY_SHAPE_TEXT_SIZE];
    const uint32_t rows = levy_shape_rows(plan->image, tile, lanes, room);
    float normals[LEVY_NORMAL_FLOATS];
    assert_int_equal(levy_shape_write(plan->image, tile, lanes, rows, text, sizeof text), LEVY_OK);
    if (plan->image->precision || plan->image->mixed)
        memcpy(normals, levy_normal_table(), sizeof normals);
    else
        memcpy(normals, levy_normal_rows, sizeof levy_normal_rows);
    void *const given = given_numbers(plan->image);
    const file_part parts[] = {{tile, sizeof *tile},
                               {plan->image, (size_t)plan->image->bytes},
                               {normals, sizeof normals},
                               {given, given_bytes(plan->image)}};
    char shared[96];
    snprintf(shared, sizeof shared,
             "#define HOST_SHARED %u\n#define HOST_DEFERRED %u\n#define HOST_SHORT %d\n",
             (unsigned)levy_shape_shared_bytes(plan->image, tile, lanes, rows),
             (unsigned)levy_shape_deferred(plan->image, tile), is_short(plan->image, tile));
    char *const scripts = scripts_text(plan->image, tile);
    write_file_parts(emulated_file("shape.h"),
                     (const file_part[]){{text, strlen(text)},
                                         {scripts, strlen(scripts)},
                                         {shared, strlen(shared)}},
                     3);
    free(scripts);
    write_file_parts(emulated_file("input"), parts, given_bytes(plan->image) ? 4 : 3);
    free(given);
    emulated_run("fused_host.cpp", is_short(plan->image, tile));
    levy_block_sum *const sums = calloc(n, sizeof *sums);
    FILE *const f = emulated_open("output", "rb");
    assert_int_equal(fread(sums, sizeof *sums, n, f), n);
    fclose(f);
    return sums;
}

static void assert_tile_with_lanes(const levy_plan *plan, const levy_tile *tile, uint32_t lanes)
{
    char why[LEVY_REASON_SIZE];
    assert_int_equal(levy_shape_accepts(plan->image, why), LEVY_OK);
    const uint64_t n_blocks = plan->image->blocks * plan->image->n_replicates;
    const size_t n = (size_t)n_blocks * tile->n_outputs;
    levy_block_sum *const want = calloc(n, sizeof *want), *const got = emulated_sums(
                                                              plan, tile, lanes, LARGE_ROOM, n);
    cpu_sums(plan, tile, want, n_blocks, NULL);
    const levy_image_output *const outputs =
        LEVY_IMAGE_AT(levy_image_output, plan->image, outputs) + tile->first_output;
    for (size_t i = 0; i < n; ++i) {
        if (is_rounding(plan->image, &outputs[i % tile->n_outputs])) continue;
        const bool good = plan->image->precision || plan->image->mixed
                              ? is_near(&want[i], &got[i])
                              : memcmp(&want[i], &got[i], sizeof *want) == 0;
        if (!good)
            print_error("sum %zu: %a %a and %a %a\n", i, want[i].mean, want[i].m2, got[i].mean,
                        got[i].m2);
        assert_true(good);
    }
    free(want);
    free(got);
}

static void assert_tile_emulated(const levy_plan *plan, const levy_tile *tile)
{
    assert_tile_with_lanes(plan, tile, levy_shape_lanes(plan->image, tile));
}

/* The levels that the kernel records are the CPU's, which are not those of the sums' own shape, and
 * no sum is another where they are recorded. */
static void assert_records_emulated(const levy_plan *plan)
{
    levy_tile tile;
    assert_int_equal(levy_plan_tiles(plan->image, &gpu_limits, &tile), 1);
    assert_true(plan->image->records && !plan->image->precision);
    const uint64_t n_blocks = plan->image->blocks * plan->image->n_replicates;
    const size_t n = (size_t)n_blocks * tile.n_outputs,
                 levels = (size_t)(n_blocks * levy_record_reals(plan->image));
    levy_block_sum *const want = calloc(n, sizeof *want), *const plain = calloc(n, sizeof *plain);
    double *const record = calloc(levels, sizeof *record), *const got = calloc(levels, sizeof *got);
    levy_block_sum *const sums =
        emulated_sums(plan, &tile, levy_shape_lanes(plan->image, &tile), LARGE_ROOM, n);
    FILE *const f = emulated_open("output", "rb");
    assert_int_equal(fseek(f, (long)(n * sizeof *sums), SEEK_SET), 0);
    assert_int_equal(fread(got, sizeof *got, levels, f), levels);
    fclose(f);
    cpu_sums(plan, &tile, want, n_blocks, record);
    cpu_sums(plan, &tile, plain, n_blocks, NULL);
    assert_memory_equal(want, plain, n * sizeof *want);
    assert_memory_equal(want, sums, n * sizeof *want);
    assert_memory_equal(record, got, levels * sizeof *got);
    free(want), free(plain), free(record), free(got), free(sums);
}

/* All rows of normals in shared memory, and a part of them: the rest is looked up elsewhere. */
static void assert_rows_change_no_bit(const levy_plan *plan)
{
    levy_tile tile;
    assert_int_equal(levy_plan_tiles(plan->image, &gpu_limits, &tile), 1);
    const uint32_t lanes = levy_shape_lanes(plan->image, &tile);
    assert_int_equal(levy_shape_rows(plan->image, &tile, lanes, LARGE_ROOM), LEVY_NORMAL_ROWS);
    assert_true(levy_shape_rows(plan->image, &tile, lanes, SMALL_ROOM) < LEVY_NORMAL_ROWS);
    const size_t n = (size_t)(plan->image->blocks * plan->image->n_replicates);
    levy_block_sum *const all = emulated_sums(plan, &tile, lanes, LARGE_ROOM, n),
                          *const some = emulated_sums(plan, &tile, lanes, SMALL_ROOM, n);
    assert_memory_equal(all, some, n * sizeof *all);
    free(all);
    free(some);
}

/* The same in double: rows that shared memory holds eight times, once and not at all. */
static void assert_octaves_change_no_bit(const levy_plan *plan)
{
    levy_tile tile;
    assert_int_equal(levy_plan_tiles(plan->image, &gpu_limits, &tile), 1);
    const uint32_t lanes = levy_shape_lanes(plan->image, &tile),
                   rooms[] = {LARGE_ROOM, 68 << 10, 40 << 10, 8 << 10};
    const size_t n = (size_t)(plan->image->blocks * plan->image->n_replicates);
    levy_block_sum *const want = calloc(n, sizeof *want);
    uint32_t eight = 0, ten_once = 0, fewer_once = 0, none = 0; /* rooms of these kinds */
    cpu_sums(plan, &tile, want, n, NULL);
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; ++i) {
        const uint32_t rows = levy_shape_rows(plan->image, &tile, lanes, rooms[i]),
                       copied = rows >> 8 & 0xff, alone = rows >> 16;
        eight += copied > 0;
        ten_once += !copied && alone == 10;
        fewer_once += !copied && alone > 0 && alone < 10;
        none += rows == 0;
        levy_block_sum *const got = emulated_sums(plan, &tile, lanes, rooms[i], n);
        assert_memory_equal(want, got, n * sizeof *want);
        free(got);
    }
    assert_true(eight == 1 && ten_once == 1 && fewer_once == 1 && none == 1);
    free(want);
}

/* Drivers of many factors in shared memory, and in local memory where that is too small. */
static void assert_held_changes_no_bit(const levy_plan *plan)
{
    levy_tile tile;
    assert_int_equal(levy_plan_tiles(plan->image, &gpu_limits, &tile), 1);
    const uint32_t lanes = levy_shape_lanes(plan->image, &tile);
    assert_int_equal(levy_shape_rows(plan->image, &tile, lanes, LARGE_ROOM) & WIDE,
                     LEVY_SHAPE_HELD);
    assert_int_equal(levy_shape_rows(plan->image, &tile, lanes, SMALL_ROOM) & WIDE, 0);
    const size_t n = (size_t)(plan->image->blocks * plan->image->n_replicates);
    levy_block_sum *const held = emulated_sums(plan, &tile, lanes, LARGE_ROOM, n),
                          *const local = emulated_sums(plan, &tile, lanes, SMALL_ROOM, n),
                          *const want = calloc(n, sizeof *want);
    cpu_sums(plan, &tile, want, n, NULL);
    assert_memory_equal(want, held, n * sizeof *want);
    assert_memory_equal(want, local, n * sizeof *want);
    free(held), free(local), free(want);
}

/* Cubics that a thread holds in registers, and those of fewer paths at a time, which stand in local
 * memory. */
static void assert_lanes_change_no_bit(const levy_plan *plan)
{
    levy_tile tile;
    assert_int_equal(levy_plan_tiles(plan->image, &gpu_limits, &tile), 1);
    assert_int_equal(levy_shape_lanes(plan->image, &tile), LEVY_BLOCK_ROWS);
    assert_tile_emulated(plan, &tile);
    const size_t n = (size_t)(plan->image->blocks * plan->image->n_replicates);
    levy_block_sum *const sixteen = emulated_sums(plan, &tile, LEVY_BLOCK_ROWS, LARGE_ROOM, n),
                          *const four = emulated_sums(plan, &tile, 4, LARGE_ROOM, n);
    assert_memory_equal(sixteen, four, n * sizeof *four);
    free(sixteen);
    free(four);
}

static void assert_emulated(const levy_plan *plan)
{
    levy_tile tiles[8];
    assert_int_equal(levy_plan_tiles(plan->image, &gpu_limits, tiles), 1);
    assert_tile_emulated(plan, tiles);
}

static void test_the_kernel_has_the_bits_of_the_cpu(void **state)
{
    (void)state;
    const emulated_shape shapes[] = {
        SHAPE(1, 64, SOBOL_SCRAMBLED, BRIDGE, 1 << 13),
        SHAPE(3, 7, SOBOL_SCRAMBLED, INCREMENTAL, 1 << 13),
        SHAPE(1, 64, MRG32K3A, INCREMENTAL, 10001), SHAPE(3, 12, MRG32K3A, BRIDGE, 4097),
        SHAPE(1, 64, SOBOL_SCRAMBLED, PCA, 1 << 13), SHAPE(5, 17, MRG32K3A, PCA, 5000),
        SHAPE(2, 12, SOBOL, BRIDGE, 1 << 12, .order = twelve),
        SHAPE(1, 16, MRG32K3A, BRIDGE, 1 << 12, .first = two_first),
        SHAPE(1, MOST_DATES, SOBOL_SCRAMBLED, BRIDGE, 1 << 6),
        /* factors are a parameter */
        SHAPE(16, 5, SOBOL_SCRAMBLED, BRIDGE, 5000),
        SHAPE(16, 6, SOBOL_SCRAMBLED, BRIDGE, 5000, .single = true),
        /* wide: tiles of assets that overlap, without and with loads of four factors */
        SHAPE(33, 5, PHILOX, BRIDGE, 300, .aggregate = LEVY_AGGREGATE_WORST_OF),
        SHAPE(33, 5, PHILOX, BRIDGE, 300, .aggregate = LEVY_AGGREGATE_GEOMETRIC),
        SHAPE(40, 4, SOBOL, BRIDGE, 300, .aggregate = LEVY_AGGREGATE_BEST_OF),
        SHAPE(36, 3, SOBOL_SCRAMBLED, INCREMENTAL, 1 << 8, .single = true)};
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i += EACH)
        with_plan(&shapes[i], assert_emulated);
    const emulated_shape wide = {36,
                                 5,
                                 LEVY_GENERATOR_SOBOL_SCRAMBLED,
                                 LEVY_CONSTRUCTION_BRIDGE,
                                 1 << 8,
                                 NULL,
                                 NULL,
                                 false,
                                 false,
                                 0,
                                 LEVY_AGGREGATE_GEOMETRIC};
    with_plan(&wide, assert_held_changes_no_bit);
}

/* ---- Baskets whose products the threads of a warp share ---- */

/* A plan of baskets of different assets: an Asian one, and if `second` is not 0, another of this
 * aggregate, or one of this number less 10 that only settles. */
static void with_baskets(const emulated_shape *shape, int32_t second,
                         void (*body)(const levy_plan *plan))
{
    static fixture f;
    make_problem(&f, shape);
    for (size_t i = 0; i < shape->assets; ++i) {
        f.coefficients[i] = (double)(1 + i % 7) / (4.0 * (double)shape->assets);
        f.total_variance[i][0] = 0.02 + 0.001 * (double)(i % 11);
    }
    if (second) {
        levy_trade *const trade =
            fixture_trade(&f, second < 10 ? LEVY_PAYOFF_ASIAN : LEVY_PAYOFF_EUROPEAN, 0, 90.0);
        trade->kind.aggregate = second % 10;
        if (second < 10) {
            trade->claim.observations.times = f.trades[0].claim.observations.times;
            trade->claim.observations.n = shape->dates - 1;
        }
    }
    with_problem_plan(&f.problem, body);
}

/* With the room of a large GPU, of a smaller one, and of one so small that no product is shared. */
static void assert_products_emulated(const levy_plan *plan)
{
    levy_tile tile;
    assert_int_equal(levy_plan_tiles(plan->image, &gpu_limits, &tile), 1);
    const uint32_t lanes = levy_shape_lanes(plan->image, &tile),
                   rows = levy_shape_rows(plan->image, &tile, lanes, LARGE_ROOM);
    assert_true(rows & LEVY_SHAPE_PRODUCTS);
    assert_tile_emulated(plan, &tile);
    if (plan->image->precision || plan->image->n_assets > 40 || tile.n_items > 1) return;
    const size_t n = (size_t)(plan->image->blocks * plan->image->n_replicates);
    levy_block_sum *const want = calloc(n, sizeof *want);
    cpu_sums(plan, &tile, want, n, NULL);
    for (uint32_t wide = 0; wide < (rows & WIDE); ++wide) { /* every way that has less there */
        const uint32_t room = levy_shape_shared_bytes(plan->image, &tile, lanes, wide) + (1u << 10);
        if ((levy_shape_rows(plan->image, &tile, lanes, room) & WIDE) != wide) continue;
        levy_block_sum *const got = emulated_sums(plan, &tile, lanes, room, n);
        assert_memory_equal(want, got, n * sizeof *want);
        free(got);
    }
    free(want);
}

static void test_shared_products_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    static const struct {
        emulated_shape shape;
        int32_t second;
    } cases[] = {
        {{.assets = 24, .dates = 5, .generator = LEVY_GENERATOR_SOBOL_SCRAMBLED, .paths = 300}, 0},
        {{.assets = 31, .dates = 4, .generator = LEVY_GENERATOR_SOBOL, .paths = 300}, 0},
        {{.assets = 28,
          .dates = 5,
          .generator = LEVY_GENERATOR_SOBOL_SCRAMBLED,
          .paths = 900,
          .single = true},
         0},
        {{.assets = 29,
          .dates = 5,
          .generator = LEVY_GENERATOR_SOBOL_SCRAMBLED,
          .paths = 900,
          .single = true},
         0},
        {{.assets = 33, .dates = 4, .generator = LEVY_GENERATOR_PHILOX, .paths = 4500}, 0},
        {{.assets = 33,
          .dates = 4,
          .generator = LEVY_GENERATOR_SOBOL,
          .paths = 300,
          .single = true},
         LEVY_AGGREGATE_BEST_OF},
        {{.assets = 40, .dates = 5, .generator = LEVY_GENERATOR_SOBOL, .paths = 300},
         10 + LEVY_AGGREGATE_WORST_OF},
        {{.assets = 40,
          .dates = 3,
          .generator = LEVY_GENERATOR_SOBOL_SCRAMBLED,
          .construction = LEVY_CONSTRUCTION_INCREMENTAL,
          .paths = 300,
          .aggregate = LEVY_AGGREGATE_WORST_OF},
         0},
        {{.assets = 64,
          .dates = 5,
          .generator = LEVY_GENERATOR_SOBOL_SCRAMBLED,
          .paths = 300,
          .aggregate = LEVY_AGGREGATE_BEST_OF},
         10 + LEVY_AGGREGATE_BASKET},
        {{.assets = 64,
          .dates = 6,
          .generator = LEVY_GENERATOR_SOBOL_SCRAMBLED,
          .paths = 300,
          .single = true},
         0},
        {{.assets = 65, .dates = 3, .generator = LEVY_GENERATOR_MRG32K3A, .paths = 300},
         LEVY_AGGREGATE_WORST_OF},
        {{.assets = 41,
          .dates = 3,
          .generator = LEVY_GENERATOR_SOBOL,
          .paths = 300,
          .single = true},
         LEVY_AGGREGATE_WORST_OF},
        {{.assets = 99,
          .dates = 3,
          .generator = LEVY_GENERATOR_SOBOL,
          .paths = 300,
          .single = true},
         0},
        {{.assets = 100, .dates = 4, .generator = LEVY_GENERATOR_SOBOL, .paths = 300},
         LEVY_AGGREGATE_BASKET},
        {{.assets = 100,
          .dates = 4,
          .generator = LEVY_GENERATOR_SOBOL,
          .paths = 300,
          .single = true},
         LEVY_AGGREGATE_WORST_OF},
        {{.assets = 100,
          .dates = 3,
          .generator = LEVY_GENERATOR_MRG32K3A,
          .construction = LEVY_CONSTRUCTION_INCREMENTAL,
          .paths = 300},
         0},
        {{.assets = 100, .dates = 1, .generator = LEVY_GENERATOR_PHILOX, .paths = 300},
         LEVY_AGGREGATE_BASKET}};
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += EACH)
        with_baskets(&cases[i].shape, cases[i].second, assert_products_emulated);
}

/* Emulated, and small enough for every GPU. */
static void assert_components_emulated(const levy_plan *plan)
{
    levy_tile tile;
    assert_int_equal(levy_plan_tiles(plan->image, &gpu_limits, &tile), 1);
    const uint32_t lanes = levy_shape_lanes(plan->image, &tile),
                   rows = levy_shape_rows(plan->image, &tile, lanes, SMALL_ROOM);
    assert_in_range(levy_shape_shared_bytes(plan->image, &tile, lanes, rows), 1,
                    LEVY_SHAPE_SHARED_PORTABLE);
    assert_tile_emulated(plan, &tile);
    /* a single path a thread, as under programs of segments */
    if (plan->image->precision && plan->image->n_assets % 2) assert_tile_with_lanes(plan, &tile, 1);
}

/* Principal components: one run of nodes and several tiles of them, that the dates fill or not;
 * normals made for each tile, and kept. In single, near the CPU. */
static void test_components_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    static const struct {
        size_t assets, dates;
        uint64_t paths;
    } shapes[] = {{1, 3, 1 << 13},  {3, 8, 5000},     {8, 9, 1 << 9},
                  {8, 64, 1 << 8},  {1, 63, 1 << 12}, {1, 65, 1 << 9},
                  {3, 100, 1 << 8}, {1, 252, 1 << 8}, {8, 252, 1 << 6}};
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
        for (int single = (int)i % EACH; single < 2; single += EACH)
            with_plan(&(emulated_shape)SHAPE(shapes[i].assets, shapes[i].dates, SOBOL_SCRAMBLED,
                                             PCA, shapes[i].paths, .single = single),
                      assert_components_emulated);
}

/* Long paths, of which the first of a thread's rows alone has its words ready: one asset and
 * several, words folded and not. */
static void test_long_paths_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    static const struct {
        size_t assets, dates;
        bool single;
    } shapes[] = {{1, 6200, false}, {1, 3100, true}, {8, 800, true}};
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
        with_plan(&(emulated_shape)SHAPE(shapes[i].assets, shapes[i].dates, SOBOL_SCRAMBLED,
                                         INCREMENTAL, 1 << 10, .single = shapes[i].single),
                  assert_emulated);
}

/* Words and normals that lie in memory: the normals of a program are independent. */
static void test_the_kernel_reads_given_numbers(void **state)
{
    (void)state;
    const emulated_shape shapes[] = {
        SHAPE(3, 7, SOBOL_SCRAMBLED, BRIDGE, 1 << 14, .supply = LEVY_SUPPLY_NATIVE),
        SHAPE(1, 12, PHILOX, BRIDGE, 9001, .supply = LEVY_SUPPLY_CALLER),
        SHAPE(2, 5, PHILOX, PCA, 4097, .single = true, .supply = LEVY_SUPPLY_CALLER)};
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
        with_plan(&shapes[i], assert_emulated);
}

static void test_the_kernel_records_the_levels_of_the_cpu(void **state)
{
    (void)state;
    const emulated_shape shape = {3,
                                  12,
                                  LEVY_GENERATOR_SOBOL_SCRAMBLED,
                                  LEVY_CONSTRUCTION_BRIDGE,
                                  1 << 13,
                                  NULL,
                                  NULL,
                                  false,
                                  true,
                                  LEVY_SUPPLY_NONE,
                                  0};
    emulated_skip_without_compiler();
    with_plan(&shape, assert_records_emulated);
}

static void assert_stage_emulated(const char *text, const char *replicates)
{
    levy_context *context;
    const levy_group *groups;
    levy_recording recording;
    levy_plan *plan;
    levy_tile tiles[8];
    size_t n_groups;
    char why[LEVY_REASON_SIZE];
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    levy_book *const book = toy_load(context, text, "simulation.replicates", replicates);
    assert_int_equal(levy_plan_cache_prepare(book, &groups, &n_groups), LEVY_OK);
    assert_int_equal(levy_plan_cache_get(book, 0, &plan, why), LEVY_OK);
    const levy_recorded what = {0, NULL, LEVY_PURPOSE_EXERCISE, 1 << 13, 42};
    assert_int_equal(levy_recording_create(plan, &what, &recording, why), LEVY_OK);
    assert_records_emulated(recording.plan);
    levy_recording_destroy(&recording);
    fit_on_cpu(plan);
    assert_true(plan->fit != 0);
    const size_t n = levy_plan_tiles(plan->image, &gpu_limits, tiles);
    assert_in_range(n, 1, 8);
    for (size_t i = 0; i < n; ++i) assert_tile_emulated(plan, &tiles[i]);
    levy_plan_cache_put(book, 0, plan);
    levy_book_destroy(book);
    levy_context_destroy(context);
}

/* The levels that a fit asks for, and the price that reads what was fitted. */
static void test_a_stage_has_the_bits_of_the_cpu(void **state)
{
    static const char *const models[] = {
        "black_scholes, assets: [A]",
        "heston, assets: [A], v0: 0.04, theta: 0.04, kappa: 2, xi: 0.5, rho: -0.7",
        "regime_switching, assets: [A], initial_regime: calm, generator: [[-1, 1], [2, -2]],\n"
        "    regimes: {calm: {volatility_factors: [1], rate: 0.03},\n"
        "              wild: {volatility_factors: [2], rate: -0.04}}"};
    char put[1024];
    (void)state;
    emulated_skip_without_compiler();
    assert_stage_emulated(toy_text, "2");
    for (size_t i = 0; i < sizeof models / sizeof *models; ++i) {
        snprintf(put, sizeof put,
                 "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n"
                 "  assets: {A: {currency: USD, spot: 100, volatility: 0.2}}\n"
                 "models: {m: {kind: %s}}\n"
                 "trades:\n"
                 "  - {id: put, underlying: A, payoff: {kind: european, option_type: put, strike: "
                 "105},\n"
                 "     exercise: {style: bermudan, expiry: 1, dates: {count: 4}, method: "
                 "simulation,\n"
                 "     fit: {paths: 2^12, control: auto}}}\n"
                 "measures: [price, delta]\nsimulation: {paths: 2^14}\n",
                 models[i]);
        assert_stage_emulated(put, "2");
    }
    assert_stage_emulated(
        "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n"
        "  assets: {A: {currency: USD, spot: 100, volatility: 0.2}}\n"
        "models: {m: {kind: black_scholes, assets: [A]}}\n"
        "trades:\n"
        "  - {id: put, underlying: A, exercise: {expiry: 1, fit: {paths: 2^12}}, payoff: {kind: "
        "script,\n     schedules: {days: [0, 0.25, 0.5, 0.75]}, script: \"may put at days by "
        "holder { pay 105 - level; stop }; at expiry { pay max(105 - level, 0) }\"}}\n"
        "measures: [price, delta]\nsimulation: {paths: 2^14}\n",
        "2");
    free(toy.levels);
    toy.levels = NULL;
}

/* ---- Single: the kernel's own way to normals and levels, which no CPU takes, against the CPU's */

/* Shows the first tile of every group. */
static void with_first_tiles(const levy_problem *problem,
                             void (*show)(const levy_plan *plan, const levy_tile *tile))
{
    levy_arena arena;
    levy_group *groups;
    levy_plan *plan;
    size_t n_groups;
    char why[LEVY_REASON_SIZE];
    levy_tile tiles[32];
    levy_arena_init(&arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(problem, &arena, &groups, &n_groups), LEVY_OK);
    for (size_t g = 0; g < n_groups; ++g) {
        assert_int_equal(levy_plan_create(&levy_memory_default, problem, &groups[g], &plan, why),
                         LEVY_OK);
        const size_t n = levy_plan_tiles(plan->image, &gpu_limits, tiles);
        assert_true(n >= 1 && n <= 32);
        show(plan, tiles);
        levy_plan_destroy(plan);
    }
    levy_arena_release(&arena);
}

static bool tiles_are_single;
/* Groups of which a test still emulates a tile. */
static size_t tiles_left = SIZE_MAX;

static void assert_first_tile_emulated(const levy_plan *plan, const levy_tile *tile)
{
    if (tiles_left == 0) return;
    --tiles_left;
    assert_true((plan->image->precision != 0) == tiles_are_single);
    assert_tile_emulated(plan, tile);
}

static void assert_first_tiles_emulated(const levy_problem *problem, bool single)
{
    tiles_are_single = single;
    with_first_tiles(problem, assert_first_tile_emulated);
}

/* Only scrambled points have replicates. */
static bool takes_replicates(const levy_input *input)
{
    loaded_book book = load_inputs(input, 1, NULL, 0);
    assert_int_equal(book.status, LEVY_OK);
    const bool takes = book.problem->simulation.generator == LEVY_GENERATOR_SOBOL_SCRAMBLED;
    loaded_book_release(&book);
    return takes;
}

static void emulate_in(const char *folder, const char *name, const char *text,
                       const char *precision, const char *paths)
{
    const levy_override sets[] = {{"simulation.precision", precision},
                                  {"simulation.paths", paths},
                                  {"simulation.replicates", "2"}};
    const levy_input input = {name, text, strlen(text), folder, false};
    loaded_book book = load_inputs(&input, 1, sets, takes_replicates(&input) ? 3 : 2);
    assert_int_equal(book.status, LEVY_OK);
    assert_first_tiles_emulated(book.problem, strcmp(precision, "single") == 0);
    loaded_book_release(&book);
}

static void emulate_text(const char *name, const char *text, const char *precision,
                         const char *paths)
{
    emulate_in(LEVY_SOURCE_DIR "/configs", name, text, precision, paths);
}

static void emulate_file(const char *folder, const char *name, const char *precision,
                         const char *paths)
{
    static char text[1 << 16];
    char path[512];
    snprintf(path, sizeof path, "%s/%s.yaml", folder, name);
    FILE *const f = fopen(path, "rb");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    emulate_in(folder, name, text, precision, paths);
}

/* A book of tests/books/emulated. */
static void emulate_book(const char *name, const char *precision, const char *paths)
{
    emulate_file(LEVY_SOURCE_DIR "/tests/books/emulated", name, precision, paths);
}

/* Kernels leave the clamp of exp out where levels cannot reach it: not at 500 % over 60 years, nor
 * where nobody knows. */
static void test_bounds_are_seen(void **state)
{
    (void)state;
    static const struct {
        const char *volatility, *construction;
        bool holds;
    } cases[] = {{"0.2", "bridge", true},
                 {"0.2", "incremental", true},
                 {"0.2", "pca", true},
                 {"0.2", "{first: {components: 3}}", true},
                 {"3.0", "bridge", true},
                 {"3.0", "{first: {components: 3}}", false},
                 {"5.0", "bridge", false},
                 {"5.0", "pca", false},
                 {"5.0", "incremental", false},
                 {"{kind: term, nodes: [[1, 0.2], [60, 0.3]]}", "bridge", true},
                 {"{kind: term, nodes: [[1, 2.0], [60, 5.0]]}", "bridge", false}};
    for (size_t k = 0; k < 2 * (sizeof cases / sizeof *cases); ++k) {
        const size_t i = k / 2; /* once with theta, whose market starts later than the draws */
        char text[2048], why[LEVY_REASON_SIZE];
        levy_arena arena;
        levy_group *groups;
        levy_plan *plan;
        size_t n_groups;
        levy_tile tile;
        snprintf(text, sizeof text,
                 "schema_version: 1\nmarket: {curves: {USD: 0.03}, assets: {A: {currency: USD, "
                 "spot: 10, volatility: %s}}}\n"
                 "models: {m: {kind: black_scholes, assets: [A]}}\n"
                 "trades: [{id: t, model: m, underlying: A, payoff: {kind: asian, option_type: "
                 "call, strike: 10, averaging: {method: arithmetic, "
                 "observations: [10, 20, 30, 40, 60]}}, exercise: {style: european, expiry: 60}}]\n"
                 "measures: [%s]\nsimulation: {construction: %s}\n",
                 cases[i].volatility, k % 2 ? "price, theta" : "price", cases[i].construction);
        const levy_input input = {"bounds.yaml", text, strlen(text), NULL, false};
        loaded_book book = load_inputs(&input, 1, NULL, 0);
        assert_int_equal(book.status, LEVY_OK);
        levy_arena_init(&arena, &levy_memory_default);
        assert_int_equal(levy_groups_create(book.problem, &arena, &groups, &n_groups), LEVY_OK);
        assert_int_equal(
            levy_plan_create(&levy_memory_default, book.problem, &groups[0], &plan, why), LEVY_OK);
        assert_int_equal(levy_plan_tiles(plan->image, &gpu_limits, &tile), 1);
        if (levy_bounds_hold(plan->image, &tile) != cases[i].holds)
            print_error("%s, %s\n", cases[i].volatility, cases[i].construction);
        assert_true(levy_bounds_hold(plan->image, &tile) == cases[i].holds);
        levy_plan_destroy(plan);
        levy_arena_release(&arena);
        loaded_book_release(&book);
    }
}

static void emulate_under(const levy_override *sets, size_t n, const char *text, bool single)
{
    const levy_input input = {"book.yaml", text, strlen(text), NULL, false};
    loaded_book book = load_inputs(&input, 1, sets, n);
    assert_int_equal(book.status, LEVY_OK);
    assert_first_tiles_emulated(book.problem, single);
    loaded_book_release(&book);
}

/* Every change: the first group alone. */
static void emulate_example(const char *name, const char *precision, const char *paths)
{
    tiles_left = LEVY_TEST_FULL ? SIZE_MAX : 1;
    emulate_file(LEVY_SOURCE_DIR "/configs", name, precision, paths);
    tiles_left = SIZE_MAX;
}

/* The assets of a sweep, their correlations and a trade on them. */
static void write_sweep(const char *payoff, uint32_t n_assets, bool weighted, const char *measures,
                        char *text)
{
    char names[4096] = "", list[512] = "", *at = text;
    at += sprintf(at, "schema_version: 1\nmarket:\n  curves: {USD: 0.03}\n  assets:\n");
    for (uint32_t a = 0; a < n_assets; ++a) {
        at += sprintf(at, "    A%u: {currency: USD, spot: %u, volatility: 0.%u}\n", a, 90 + a,
                      20 + a);
        sprintf(names + strlen(names), weighted ? "%s{name: A%u, weight: %g}" : "%sA%u",
                a ? ", " : "", a, 1.0 / n_assets);
        sprintf(list + strlen(list), "%sA%u", a ? ", " : "", a);
    }
    at += sprintf(at, "  correlations:\n    pairs:\n");
    for (uint32_t a = 0; a < n_assets; ++a)
        for (uint32_t b = 0; b < a; ++b)
            at += sprintf(at, "      - [A%u.spot, A%u.spot, 0.%u]\n", a, b, 20 + (a + b) % 9);
    sprintf(at,
            "models: {m: {kind: black_scholes, assets: [%s]}}\n"
            "trades: [{id: t, model: m, underlyings: [%s], payoff: {%s}, exercise: {style: "
            "european, expiry: 1}}]\nmeasures: [%s]\n",
            list, names, payoff, measures);
}

/* Finds, among n tiles, the one that begins with this output. */
static const levy_tile *tile_from(const levy_tile *tiles, size_t n, uint32_t output)
{
    for (size_t k = 0; k < n; ++k)
        if (tiles[k].first_output == output) return &tiles[k];
    fail_msg("no tile begins with output %u", (unsigned)output);
    return NULL;
}

/* The sums of tiles that sweep are those of tiles that do not. */
static void assert_sweep_changes_no_bit(const levy_plan *plan)
{
    const levy_tile_limits small = {8, 8, 0, 0, 0, 0};
    levy_image *const image = (levy_image *)plan->image;
    levy_tile tiles[128], plain[128];
    levy_block_sum *sums[2] = {NULL, NULL};
    const levy_tile *swept[2] = {NULL, NULL};
    size_t n_swept = 0;
    const size_t n_blocks = (size_t)(image->blocks * image->n_replicates),
                 n = levy_plan_tiles(image, &gpu_limits, tiles);
    assert_true(n > 0 && levy_tile_sweeps(image, tiles) && tiles->n_items > 8);
    if (!image->precision) assert_tile_emulated(plan, tiles);
    for (size_t k = 0; k < n && n_swept < 2; ++k) { /* the second, if any, is of probes */
        if (!levy_tile_sweeps(image, &tiles[k])) continue;
        swept[n_swept] = &tiles[k];
        sums[n_swept++] = emulated_sums(plan, &tiles[k], levy_shape_lanes(image, &tiles[k]),
                                        LARGE_ROOM, n_blocks * tiles[k].n_outputs);
    }
    memset((char *)image + image->moved, 0xff, image->n_dynamics * sizeof(uint32_t));
    const size_t n_plain = levy_plan_tiles(image, &small, plain);
    assert_true(n_plain > 1);
    for (size_t k = 0; k < n_swept; ++k) {
        const levy_tile *const tile = tile_from(plain, n_plain, swept[k]->first_output);
        assert_false(levy_tile_sweeps(image, tile));
        levy_block_sum *const want = emulated_sums(plan, tile, levy_shape_lanes(image, tile),
                                                   LARGE_ROOM, n_blocks * tile->n_outputs);
        for (size_t b = 0; b < n_blocks; ++b)
            assert_memory_equal(want + b * tile->n_outputs, sums[k] + b * swept[k]->n_outputs,
                                tile->n_outputs * sizeof *want);
        free(sums[k]);
        free(want);
    }
}

/* A basket's price, deltas and vegas are one tile: its markets move one asset each. */
static void assert_sweep_emulated(const char *payoff, uint32_t n_assets, bool weighted,
                                  const char *measures, const char *precision)
{
    static char text[1 << 15];
    const levy_override sets[] = {{"simulation.precision", precision},
                                  {"simulation.paths", "2^9"},
                                  {"simulation.replicates", "2"}};
    write_sweep(payoff, n_assets, weighted, measures, text);
    const levy_input input = {"sweep.yaml", text, strlen(text), NULL, false};
    loaded_book book = load_inputs(&input, 1, sets, 3);
    planned p;
    assert_int_equal(book.status, LEVY_OK);
    plan_problem(&p, book.problem);
    assert_int_equal(p.status, LEVY_OK);
    assert_sweep_changes_no_bit(p.plan);
    unplan(&p);
    loaded_book_release(&book);
}

static void test_a_sweep_has_the_bits_of_the_cpu(void **state)
{
    (void)state;
    static const char asian[] = "kind: asian, option_type: call, strike: 100, aggregate: basket, "
                                "averaging: {method: arithmetic, observations: {count: 5}}",
                      worst[] = "kind: worst_of, option_type: put, strike: 95",
                      lookback[] = "kind: lookback, aggregate: best_of, option_type: call, "
                                   "lookback: {strike: floating, observations: {count: 3}}",
                      all[] = "price, delta, vega";
    emulated_skip_without_compiler();
    const struct {
        const char *payoff;
        uint32_t assets;
        bool weighted;
        const char *measures, *precision;
    } cases[] = {{asian, 5, true, all, "double"},
                 {asian, 32, true, all, "double"},
                 {asian, 8, true, all, "single"},
                 {worst, 4, false, all, "double"},
                 {lookback, 4, false, all, "double"},
                 /* items that see one sum are unrolled */
                 {asian, 8, true, "price, vega", "single"},
                 {asian, 8, true, "price, vega", "double"},
                 {asian, 5, true, "vega, dividend_rho", "single"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += EACH)
        assert_sweep_emulated(cases[i].payoff, cases[i].assets, cases[i].weighted,
                              cases[i].measures, cases[i].precision);
}

static void test_the_kernel_in_single_is_near_the_cpu(void **state)
{
    (void)state;
    /* runs of eight full and not, a drift that has residuals (dividends), several dynamics, uniform
     * draws outside the bridge, components */
    static const char *const examples[] = {"asian",   "geometric_asian", "dividends",
                                           "barrier", "lookback",        "greeks",
                                           "basket8", "variance_gamma",  "normal_inverse_gaussian"};
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i += OTHER)
        emulate_example(examples[i], "single", "2^13");
    for (size_t i = 0; i < 3; i += OTHER) emulate_example(examples[i], "mixed", "2^13");
    emulate_example("smoothing", "single", "2^9");
    emulate_example("payoffs/phoenix", "single", "2^9");
}

static void test_rows_of_normals_change_no_bit(void **state)
{
    (void)state;
    const emulated_shape shape = {1,
                                  20,
                                  LEVY_GENERATOR_SOBOL_SCRAMBLED,
                                  LEVY_CONSTRUCTION_BRIDGE,
                                  1 << 15,
                                  NULL,
                                  NULL,
                                  true,
                                  false,
                                  0,
                                  0};
    emulated_shape octaves = shape;
    octaves.single = false;
    octaves.paths = 1 << 13;
    emulated_skip_without_compiler();
    with_plan(&shape, assert_rows_change_no_bit);
    with_plan(&octaves, assert_octaves_change_no_bit);
}

/* Blocks of even and of odd number, the last one not full; scrambled or not. */
static void test_held_normals_are_near_the_cpu(void **state)
{
    (void)state;
    const emulated_shape shapes[] = {SHAPE(1, 1, SOBOL_SCRAMBLED, BRIDGE, 45001, .single = true),
                                     SHAPE(1, 1, SOBOL, BRIDGE, 1 << 15, .single = true)};
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i += OTHER)
        with_plan(&shapes[i], assert_lanes_change_no_bit);
}

/* Items that share sums, outputs of several terms, blocks that are not full, rounds. */
static void test_measures_and_scenarios_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    emulated_skip_without_compiler();
    emulate_example("greeks", "double", "2^11");
    emulate_example("smoothing", "double", "2^9");
    emulate_example("payoffs/phoenix", "double", "2^9");
    emulate_example("payoffs/tarf", "double", "2^9");
    emulate_example("scenarios", "double", "2^13");
    emulate_example("european", "double", "2^16");
}

/* Segments that run after the path: several items of one program, of several programs with dates of
 * their own, after a model, and with an item that has none, so that they run on the path. Coupons
 * that are missed, and are not kept, so that low segments stay apart or join. */
static void test_segments_after_the_path_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    /* in single conditions are a table, and low segments wait */
    static const struct {
        const char *name, *paths;
        bool in_double;
    } cases[] = {{"coupons_regimes", "2^8", true},   {"notes", "2^9", true},
                 {"notes_four_assets", "2^9", true}, {"notes_long", "2^8", true},
                 {"notes_merton", "2^9", true},      {"notes_with_exchange", "2^9", true},
                 {"notes_heston", "2^8", true},      {"many_segments", "2^8", false},
                 {"counted", "2^9", true},           {"joined", "2^9", true},
                 {"notes_regimes", "2^9", true},     {"clock", "2^9", true},
                 {"regimes_alike", "2^9", true}};
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        if (cases[i].in_double && i % EACH == 0)
            emulate_book(cases[i].name, "double", cases[i].paths);
        if ((i + 1) % EACH == 0) emulate_book(cases[i].name, "single", cases[i].paths);
    }
}

/* The second tile, which has more items than the first. */
/* Roots in the normal of levels that cash dividends are taken off. */
static void test_dividends_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    emulated_skip_without_compiler();
    emulate_book("dividends", "double", "2^9");
    emulate_book("dividends", "single", "2^9");
}

static void assert_second_tile_emulated(const levy_plan *plan, const levy_tile *first)
{
    levy_tile tiles[32];
    assert_true(levy_plan_tiles(plan->image, &gpu_limits, tiles) > 1);
    assert_true(tiles[1].n_items > first->n_items);
    assert_tile_emulated(plan, &tiles[1]);
}

/* Conditions on so many assets that a node's do not fit into a table. */
static void test_thresholds_of_many_assets_are_near_the_cpu(void **state)
{
    (void)state;
    static char text[1 << 15];
    emulated_skip_without_compiler();
    write_sweep("kind: script, levels: percent_of_initial, schedules: {calls: {count: 2}, days: "
                "{count: 3}}, script: \"var hit = 0\\nat days { if worst(levels) < 0.6 { hit = 1 } "
                "}\\nat calls { if worst(levels) >= 1 { pay 1 + 0.02 * number\\n stop } }\\nat "
                "expiry { pay 0.9 if hit > 0 else 1 }\"",
                16, false, "price, vega", text);
    const levy_override sets[] = {{"simulation.precision", "single"},
                                  {"simulation.paths", "2^6"},
                                  {"simulation.replicates", "2"}};
    const levy_input input = {"sixteen", text, strlen(text), LEVY_SOURCE_DIR "/configs", false};
    loaded_book book = load_inputs(&input, 1, sets, 3);
    assert_int_equal(book.status, LEVY_OK);
    with_first_tiles(book.problem, assert_second_tile_emulated);
    loaded_book_release(&book);
}

static void assert_every_tile_emulated(const levy_plan *plan, const levy_tile *first)
{
    levy_tile tiles[32];
    const size_t n = levy_plan_tiles(plan->image, &gpu_limits, tiles);
    size_t grown = 0, without = 0;
    assert_memory_equal(first, tiles, sizeof *tiles);
    for (size_t i = 0; i < n; ++i) {
        const uint32_t number = levy_tile_grown(plan->image, &tiles[i]);
        grown += number > 0;
        without += number > tiles[i].n_dynamics;
        assert_tile_emulated(plan, &tiles[i]);
    }
    assert_true(grown >= 2 && without >= 1);
}

/* Returns that are today's grown: beside today's market and without it, by few dates and by so many
 * that their numbers do not fit shared memory, of payoffs that read levels or logarithms. */
static void test_grown_returns_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    static const char *const payoffs[] = {
        "kind: asian, option_type: call, strike: 100, averaging: {method: geometric, observations: "
        "{count: 300}}",
        "kind: european, option_type: put, strike: 100",
        "kind: asian, option_type: call, strike: 100, averaging: {method: arithmetic, "
        "observations: {count: 9}}",
        "kind: lookback, option_type: call, lookback: {strike: floating, observations: {count: "
        "9}}"};
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof payoffs / sizeof *payoffs; i += OTHER) {
        static const levy_override sets[] = {{"simulation.paths", "2^8"}};
        char text[1024];
        snprintf(
            text, sizeof text,
            "schema_version: 1\nmarket: {curves: {USD: 0.04}, assets: {S: {currency: USD, spot: "
            "100, volatility: 0.2}}}\nmodels: {equity: {kind: black_scholes, assets: [S]}}\n"
            "trades: [{id: a, underlying: S, payoff: {%s}, exercise: {expiry: 1}}]\n"
            "measures: [price, vega, rho, theta]\n",
            payoffs[i]);
        const levy_input input = {"grown.yaml", text, strlen(text), NULL, false};
        loaded_book book = load_inputs(&input, 1, sets, 1);
        assert_int_equal(book.status, LEVY_OK);
        with_first_tiles(book.problem, assert_every_tile_emulated);
        loaded_book_release(&book);
    }
}

/* Sixteen dimensions of a net, and four padded ones. */
static void test_nets_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    emulated_skip_without_compiler();
    emulate_text("net",
                 "schema_version: 1\nmarket: {curves: {USD: 0.05}, assets: {S: {currency: USD, "
                 "spot: 100, volatility: 0.2}}}\nmodels: {m: {kind: black_scholes, assets: [S]}}\n"
                 "trades: [{id: t, underlying: S, payoff: {kind: asian, option_type: call, strike: "
                 "100, averaging: {observations: {count: 20}}}, exercise: {expiry: 1.0}}]\n"
                 "simulation: {generator: {kind: net, file: nets/niederreiter.txt}}\n",
                 "double", "2^13");
}

/* Tables looked up path by path, beta draws between two nodes, words outside the bridge. */
static void test_models_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    emulated_skip_without_compiler();
    static const struct {
        const char *model, *construction, *generator;
        bool single;
    } cases[] = {
        {"kind: variance_gamma, sigma: [0.2, 0.3], nu: [0.3, 0.05], theta: [-0.1]", "bridge",
         "philox", false},
        {"kind: variance_gamma, sigma: [0.2, 0.3], nu: [0.3, 0.05], theta: [-0.1]",
         "{kind: bridge, order: [2, 6, 1, 5, 4, 3]}", "mrg32k3a", false},
        {"kind: variance_gamma, sigma: [0.2], nu: [2], theta: [0.1]", "incremental",
         "sobol_scrambled", true},
        {"kind: normal_inverse_gaussian, alpha: [15, 6], beta: [-5, -4], delta: [0.5, 0.2]", "pca",
         "sobol_scrambled", false},
        {"kind: heston, v0: [0.04, 0.09], theta: 0.05, kappa: 2, xi: [0.5, 1], rho: [-0.7, 0.3]",
         "bridge", "sobol_scrambled", false},
        {"kind: normal_inverse_gaussian, alpha: [15, 6], beta: [-5, -4], delta: [0.5, 0.2]",
         "bridge", "mrg32k3a", false},
        {"kind: heston, v0: 0.04, theta: 0.05, kappa: 2, xi: 0.5, rho: -0.7", "pca", "philox",
         true},
        {"kind: heston, v0: 0.04, theta: 0.05, kappa: 2, xi: 0.5, rho: -0.7, scheme: euler",
         "incremental", "mrg32k3a", false},
        {"kind: historical, shocks: [[-0.03, -0.02, 2], [0.01, 0.03, 3], [0.01, -0.02, 5]]",
         "bridge", "sobol_scrambled", false},
        {"kind: historical, shocks: [[-0.03, -0.02, 2], [0.01, 0.03, 3], [0.01, -0.02, 5]]",
         "incremental", "philox", true}};
    emulate_example("heston", "double", "2^12");
    emulate_example("heston", "mixed", "2^12");
    emulate_example("variance_gamma", "double", "2^13");
    emulate_example("normal_inverse_gaussian", "double", "2^11");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += EACH) {
        char text[1024];
        const levy_override sets[] = {
            {"simulation.generator", cases[i].generator},
            {"simulation.precision", cases[i].single ? "single" : "double"}};
        snprintf(text, sizeof text,
                 "schema_version: 1\nmarket: {curves: {USD: 0.05}, assets: {S: {currency: USD, "
                 "spot: 100, dividends: {cash: [[0.4, 1]]}}, "
                 "T: {currency: USD, spot: 50}}%s}\nmodels: {m: {assets: [S, T], %s}}\n"
                 "trades: [{id: t, underlyings: [S, T], payoff: {kind: asian, aggregate: basket, "
                 "option_type: call, strike: 70, averaging: {observations: "
                 "[0.1, 0.15, 0.5, 0.51, 1.0]}}, exercise: {expiry: 1.0}}]\nsimulation: {paths: "
                 "2^12, construction: %s}\n",
                 strncmp(cases[i].model, "kind: heston", 12) == 0
                     ? ", correlations: {pairs: [[S.spot, T.spot, 0.5]]}"
                     : "",
                 cases[i].model, cases[i].construction);
        emulate_under(sets, 2, text, cases[i].single);
    }
}

/* Payments abroad move both drivers of each asset, by other amounts in each scenario. */
static void test_payments_abroad_have_the_bits_of_the_cpu(void **state)
{
    static const char *const trades[][2] = {
        {"qe_m", "underlyings: [S, T], quanto: simulated, payoff: {kind: worst_of, option_type: "
                 "put, strike: 100}"},
        {"euler", "underlyings: [S, T], quanto: simulated, payoff: {kind: asian, aggregate: "
                  "basket, option_type: call, strike: 95, observations: {count: 4}}"},
        {"qe_m", "underlying: S, payoff: {kind: digital, option_type: put, strike: 95, cash: 1}"}};
    (void)state;
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof trades / sizeof *trades; i += OTHER) {
        char text[1536];
        const bool single = i == 2;
        snprintf(
            text, sizeof text,
            "schema_version: 1\nmarket: {curves: {USD: 0.05, EUR: 0.02}, assets: {S: {currency: "
            "USD, spot: 100}, T: {currency: USD, spot: 90}, X: {currency: EUR, "
            "base_currency: USD, spot: 0.9, volatility: 0.1}}, correlations: {pairs: "
            "[[S.spot, T.spot, 0.5], [S.spot, X.spot, -0.4], [T.spot, X.spot, 0.3]]}}\n"
            "models: {m: {kind: heston, scheme: %s, assets: [S, T, X], v0: 0.04, theta: 0.05, "
            "kappa: "
            "2, xi: [0.5, 1, 0.3], rho: [-0.7, 0.3, 0.1]}}\nmeasures: [price, delta, vega, "
            "correlation]\ntrades: [{id: t, currency: EUR, %s, exercise: 1}]\n"
            "simulation: {paths: 2^12, max_step: 0.1, precision: %s}\n",
            trades[i][0], trades[i][1], single ? "single" : "double");
        emulate_under(NULL, 0, text, single);
    }
}

/* Barriers, extrema and scripts that read the path's variances. */
static void test_variances_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    emulated_skip_without_compiler();
    tiles_left = LEVY_TEST_FULL ? SIZE_MAX : 2;
    emulate_book("variances", "single", "2^9");
    tiles_left = SIZE_MAX;
    if (LEVY_TEST_FULL) emulate_book("variances", "double", "2^9");
}

/* The turn of the normals: by the registers and by the stack, with words of a model beside the
 * bridge's, from every generator. */
static void test_functionals_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    emulated_skip_without_compiler();
    static const struct {
        const char *model, *first, *generator, *precision;
    } cases[] = {
        {"kind: black_scholes", "{components: 3}", "mrg32k3a", "double"},
        {"kind: black_scholes", "{components: 4}", "sobol_scrambled", "single"},
        {"kind: merton, intensity: 3, jump_mean: -0.1, jump_volatility: 0.2", "average", "philox",
         "double"},
        {"kind: normal_inverse_gaussian, alpha: [15, 6], beta: [-5, -4], delta: [0.5, 0.2]",
         "{components: 2}", "sobol", "double"},
        {"kind: black_scholes", "average", "sobol_scrambled", "mixed"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += EACH) {
        char text[1024];
        const bool one = strcmp(cases[i].precision, "double") != 0, owns = i == 3;
        const levy_override sets[] = {{"simulation.generator", cases[i].generator}};
        const char *const volatility[] = {owns ? "" : ", volatility: 0.2",
                                          owns ? "" : ", volatility: 0.3"};
        snprintf(text, sizeof text,
                 "schema_version: 1\nmarket: {curves: {USD: 0.05}, assets: {S: {currency: USD, "
                 "spot: 100%s}, T: {currency: USD, spot: 50%s}}%s}\n"
                 "models: {m: {assets: [S, T], %s}}\n"
                 "trades: [{id: t, underlyings: [S%s], payoff: {kind: asian, aggregate: basket, "
                 "option_type: call, strike: 70, averaging: {observations: {count: 20}}}, "
                 "exercise: {expiry: 1.0}}]\nsimulation: {paths: 2^12, precision: %s, "
                 "construction: {kind: bridge, first: %s}}\n",
                 volatility[0], volatility[1],
                 owns ? "" : ", correlations: {pairs: [[S.spot, T.spot, 0.5]]}", cases[i].model,
                 one ? "" : ", T", cases[i].precision, cases[i].first);
        emulate_under(sets, 1, text, strcmp(cases[i].precision, "single") == 0);
    }
}

/* Turns of a thread's paths, several sources and assets, marks from tables, counts far from 0, and
 * words past the point set. */
static void test_jumps_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    static const char *const models[] = {
        "kind: kou, intensity: 200, probability_up: 0.4, rate_up: 60, rate_down: 50",
        ("kind: black_scholes, jumps: [{intensity: 60, counts_map: alias, mark: {kind: empirical, "
         "map: alias, shocks: [[-0.01, 2], [0.02, 1], [0.05, 1]]}}]"),
        "kind: merton, intensity: 1, jump_mean: -0.1, jump_volatility: 0.15",
        "kind: merton, intensity: 1, jump_mean: -0.1, jump_volatility: 0.15"};
    static const char *const generators[] = {"mrg32k3a", "philox", "sobol_scrambled",
                                             "sobol_scrambled"};
    emulated_skip_without_compiler();
    emulate_example("merton", "double", "2^13");
    emulate_example("jumps", "double", "2^13");
    emulate_example("jumps", "single", "2^13");
    emulate_example("shocks", "double", "2^13"); /* marks by an alias table, on Philox */
    emulate_example("joint_shocks", "double", "2^13");
    emulate_book("rows_of_jumps", "double", "2^12");
    emulate_book("jump_greeks", "double", "2^12");
    for (size_t m = 0; m < sizeof models / sizeof *models; m += EACH) {
        char text[1024];
        const bool single = m >= 2;
        const char *const measures = m == 0 ? "price, parameters" : "price";
        const levy_override sets[] = {{"simulation.generator", generators[m]},
                                      {"simulation.precision", single ? "single" : "double"},
                                      {"simulation.jumps", m == 3 ? "by_interval" : "bridge"},
                                      {"simulation.paths", "2^12"}};
        snprintf(text, sizeof text,
                 "schema_version: 1\nmarket: {curves: {USD: 0.05}, assets: {S: {currency: USD, "
                 "spot: 100, volatility: 0.2}}}\nmodels: {m: {assets: [S], %s}}\nmeasures: [%s]\n"
                 "trades: [{id: t, underlying: S, payoff: {kind: asian, option_type: call, strike: "
                 "100, averaging: {method: arithmetic, observations: "
                 "{count: %d}}}, exercise: {expiry: 1.0}}]\n",
                 models[m], measures, single ? 64 : 3);
        emulate_under(sets, 4, text, single);
    }
}

/* A basket on `n` assets, of which only one jumps. */
static void emulate_one_that_jumps(size_t n, int dates, const char *precision)
{
    static char text[1 << 15], assets[1 << 12], pairs[1 << 14], names[1 << 9];
    size_t at[3] = {0};
    for (size_t i = 0; i < n; ++i) {
        const char *const comma = i ? ", " : "";
        at[0] += (size_t)snprintf(names + at[0], sizeof names - at[0], "%sA%zu", comma, i);
        at[1] += (size_t)snprintf(assets + at[1], sizeof assets - at[1],
                                  "%sA%zu: {currency: USD, spot: 100, volatility: 0.2}", comma, i);
        for (size_t j = 0; j < i; ++j)
            at[2] += (size_t)snprintf(pairs + at[2], sizeof pairs - at[2],
                                      "%s[A%zu.spot, A%zu.spot, 0]", at[2] ? ", " : "", j, i);
    }
    snprintf(text, sizeof text,
             "schema_version: 1\nmarket: {curves: {USD: 0.05}, assets: {%s}, correlations: {pairs: "
             "[%s]}}\nmodels: {m: {kind: black_scholes, assets: [%s], jumps: [{assets: [A1], "
             "intensity: 1, mark: {kind: normal, mean: -0.05, volatility: 0.1}}]}}\ntrades: [{id: "
             "t, underlyings: [%s], payoff: {kind: asian, aggregate: basket, option_type: call, "
             "strike: 100, averaging: {observations: {count: %d}}}, exercise: {expiry: 1.0}}]\n"
             "simulation: {generator: sobol_scrambled}\n",
             assets, pairs, names, names, dates);
    emulate_text("one", text, precision, "2^9");
}

/* An average on an asset that jumps. A model whose brackets stay open takes the intensity there. */
static void write_jumps(const char *model, const char *intensity, int dates, const char *generator,
                        const char *construction, char *text, size_t size)
{
    snprintf(text, size,
             "schema_version: 1\nmarket: {curves: {USD: 0.05}, assets: {S: {currency: USD, "
             "spot: 100, volatility: 0.2}}}\nmodels: {m: {assets: [S], %s, intensity: %s%s}}\n"
             "trades: [{id: t, underlying: S, payoff: {kind: asian, option_type: call, strike: "
             "100, averaging: {observations: {count: %d}}}, exercise: {expiry: 1.0}}]\n"
             "simulation: {generator: %s, construction: %s}\n",
             model, intensity, strstr(model, "jumps: [") ? "}]" : "", dates, generator,
             construction);
}

/* One source of jumps, whose arrivals a thread finds ahead of the nodes: none to many, in windows
 * that hold all of them and in windows of a few nodes, on grids of all traversals, with marks of
 * all laws, and words from every generator. */
static void test_arrivals_found_ahead_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    static const char merton[] = "kind: merton, jump_mean: -0.1, jump_volatility: 0.15",
                      kou[] = "kind: kou, probability_up: 0.4, rate_up: 60, rate_down: 50",
                      list[] = "kind: black_scholes, jumps: [{mark: {kind: empirical, shocks: "
                               "[[-0.1, 2], [0.02, 1], [0.05, 1]]}";
    static const struct {
        const char *model, *intensity;
        int dates;
        const char *generator, *construction, *precision;
    } cases[] = {
        {merton, "0.1", 12, "sobol_scrambled", "bridge", "double"},
        {merton, "1", 64, "sobol_scrambled", "bridge", "double"},
        {merton, "0.9", 8, "philox", "bridge", "double"},
        {merton, "9", 150, "sobol_scrambled", "bridge", "double"},
        {merton, "12", 96, "philox", "bridge", "double"},
        {merton, "7", 200, "mrg32k3a", "bridge", "double"},
        {list, "1", 9, "sobol", "{kind: bridge, order: [9, 2, 7, 1, 5, 8, 3, 6, 4]}", "double"},
        {kou, "10", 90, "sobol", "{kind: bridge, first: average}", "double"},
        {kou, "8", 252, "sobol_scrambled", "bridge", "single"},
        {merton, "12", 100, "philox", "bridge", "single"},
        {merton, "1", 64, "sobol_scrambled", "bridge", "single"}, /* by all threads of a warp */
        {merton, "1.9", 64, "sobol", "bridge", "single"},         /* of some warps too many */
        {kou, "1.5", 64, "sobol_scrambled", "bridge", "single"},
        {list, "0.4", 17, "sobol", "{kind: bridge, first: average}", "single"},
        {list, "3", 64, "sobol_scrambled", "bridge", "mixed"}};
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += EACH) {
        char text[1024];
        write_jumps(cases[i].model, cases[i].intensity, cases[i].dates, cases[i].generator,
                    cases[i].construction, text, sizeof text);
        emulate_text("ahead", text, cases[i].precision, "2^12");
    }
    emulate_one_that_jumps(2, 8, "double");
    emulate_one_that_jumps(31, 8, "double"); /* wide */
}

/* One source of jumps and one date, or two: none to many arrivals, marks of all laws, some of which
 * have more words than the point set, laws that start above 0, alias tables, and words from every
 * generator. */
static void test_jumps_until_one_date_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    static const char merton[] = "kind: merton, jump_mean: -0.1, jump_volatility: 0.15",
                      small[] = "kind: merton, jump_mean: -0.01, jump_volatility: 0.02",
                      alias[] = "kind: merton, jump_mean: -0.1, jump_volatility: 0.1, counts_map: "
                                "alias",
                      kou[] = "kind: kou, probability_up: 0.4, rate_up: 60, rate_down: 50",
                      falls[] = "kind: kou, probability_up: 0, rate_up: 30, rate_down: 20",
                      rises[] = "kind: kou, probability_up: 1, rate_up: 30, rate_down: 20",
                      list[] = "kind: black_scholes, jumps: [{mark: {kind: empirical, shocks: "
                               "[[-0.1, 2], [0.02, 1], [0.05, 1]]}";
    static const struct {
        const char *model, *intensity;
        int dates;
        const char *generator, *precision;
    } cases[] = {{merton, "1", 1, "sobol_scrambled", "double"},
                 {merton, "0.001", 1, "sobol", "double"},
                 {small, "64", 1, "sobol_scrambled", "double"},
                 {merton, "2", 1, "mrg32k3a", "double"},
                 {alias, "2", 1, "philox", "double"},
                 {merton, "1", 2, "sobol_scrambled", "double"},
                 {merton, "1", 1, "sobol_scrambled", "single"},
                 {small, "60", 1, "philox", "single"},
                 {merton, "1", 1, "sobol_scrambled", "mixed"},
                 {kou, "1", 1, "sobol_scrambled", "double"},
                 {kou, "0.02", 1, "philox", "double"},
                 {kou, "64", 1, "sobol_scrambled", "double"},
                 {kou, "3", 2, "sobol_scrambled", "double"},
                 {kou, "3", 1, "mrg32k3a", "double"},
                 {falls, "3", 1, "sobol_scrambled", "single"},
                 {rises, "0.3", 1, "sobol_scrambled", "single"},
                 {kou, "20", 1, "philox", "single"},
                 {list, "2", 1, "sobol_scrambled", "double"},
                 {list, "2", 1, "sobol_scrambled", "single"}};
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += EACH) {
        char text[1024];
        write_jumps(cases[i].model, cases[i].intensity, cases[i].dates, cases[i].generator,
                    "bridge", text, sizeof text);
        emulate_text("once", text, cases[i].precision, "2^13");
    }
    emulate_one_that_jumps(3, 1, "double");
    emulate_one_that_jumps(3, 1, "single");
    emulate_one_that_jumps(31, 1, "double"); /* wide */
}

/* Half of all paths come to the law's tail, which few of them leave soon. */
static void assert_many_arrivals_emulated(const levy_plan *plan, const levy_tile *tile)
{
    const levy_image *const image = plan->image;
    uint32_t *const words =
        (uint32_t *)LEVY_IMAGE_AT(uint32_t, image, parts[LEVY_PART_ARRIVALS].words);
    uint32_t *const law = words + ((const jumps_arrival *)words)->law;
    uint32_t *const table = law + JUMPS_LAW_TABLE;
    for (uint32_t j = 0; j < law[JUMPS_LAW_SIZE]; ++j)
        table[j] = table[j] < 0x80000000u ? table[j] : 0x80000000u;
    for (uint32_t h = 0; h < law[JUMPS_LAW_HAZARDS]; ++h)
        table[law[JUMPS_LAW_SIZE] + h] = 0x01000000u;
    assert_first_tile_emulated(plan, tile);
}

/* No path has more than 255 arrivals. */
static void test_the_most_arrivals_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    static const struct {
        const char *model, *precision;
    } cases[] = {{"kind: merton, jump_mean: -0.001, jump_volatility: 0.002", "double"},
                 {"kind: merton, jump_mean: -0.001, jump_volatility: 0.002", "single"},
                 {"kind: kou, probability_up: 0.4, rate_up: 600, rate_down: 500", "double"}};
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[1024];
        const levy_override sets[] = {{"simulation.precision", cases[i].precision}};
        snprintf(text, sizeof text,
                 "schema_version: 1\nmarket: {curves: {USD: 0.05}, assets: {S: {currency: USD, "
                 "spot: 100, volatility: 0.2}}}\nmodels: {m: {assets: [S], %s, intensity: 1}}\n"
                 "trades: [{id: t, underlying: S, payoff: {kind: european, option_type: call, "
                 "strike: 100}, exercise: {expiry: 1.0}}]\nsimulation: {paths: 2^10}\n",
                 cases[i].model);
        const levy_input input = {"most", text, strlen(text), NULL, false};
        loaded_book book = load_inputs(&input, 1, sets, 1);
        assert_int_equal(book.status, LEVY_OK);
        tiles_are_single = strcmp(cases[i].precision, "single") == 0;
        with_first_tiles(book.problem, assert_many_arrivals_emulated);
        loaded_book_release(&book);
    }
}

static bool plan_looks_ahead;
static void look_at_shape(const levy_plan *plan, const levy_tile *tile)
{
    char text[LEVY_SHAPE_TEXT_SIZE];
    const uint32_t lanes = levy_shape_lanes(plan->image, tile);
    assert_int_equal(levy_shape_write(plan->image, tile, lanes, 0, text, sizeof text), LEVY_OK);
    plan_looks_ahead = strstr(text, "#define PATH_looks_ahead 1\n") != NULL;
}

/* Does a kernel find the arrivals of two years ahead? */
static bool looks_ahead(const char *model, int dates)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "schema_version: 1\nmarket: {curves: {USD: 0.05}, assets: {S: {currency: USD, spot: "
        "100, volatility: 0.2}}}\nmodels: {m: {assets: [S], %s}}\ntrades: [{id: t, underlying: "
        "S, payoff: {kind: asian, option_type: call, strike: 100, averaging: {observations: "
        "{count: %d}}}, exercise: {expiry: 2.0}}]\n",
        model, dates);
    const levy_input input = {"ahead", text, strlen(text), NULL, false};
    loaded_book book = load_inputs(&input, 1, NULL, 0);
    assert_int_equal(book.status, LEVY_OK);
    with_first_tiles(book.problem, look_at_shape);
    loaded_book_release(&book);
    return plan_looks_ahead;
}

/* Eight nodes an arrival and more; one source; a law whose first threshold says how many arrivals
 * to expect. */
static void test_few_arrivals_are_found_ahead(void **state)
{
    (void)state;
#define LOGNORMAL(intensity)                                                                       \
    "kind: merton, intensity: " intensity ", jump_mean: -0.1, jump_volatility: 0.15"
    assert_true(looks_ahead(LOGNORMAL("0.4"), 8));
    assert_true(looks_ahead(LOGNORMAL("3.9"), 64));
    assert_false(looks_ahead(LOGNORMAL("4.1"), 64));
    assert_false(looks_ahead(LOGNORMAL("30"), 64));
    assert_true(looks_ahead(LOGNORMAL("30"), 1)); /* nothing to find */
    assert_false(looks_ahead(LOGNORMAL("1") ", counts_map: alias", 64));
    assert_false(looks_ahead(
        LOGNORMAL("1") ", jumps: [{intensity: 1, mark: {kind: normal, mean: 0, volatility: 0.1}}]",
        64));
#undef LOGNORMAL
}

#define REGIMES_THAT_JUMP                                                                          \
    "regimes: {a: {volatilities: [0.1, 0.4], jumps: [{intensity: 9, arrivals: common, marks: "     \
    "[{kind: normal, mean: -0.1, volatility: 0.1}, "                                               \
    "{kind: double_exponential, probability_up: 0.4, rate_up: 20, rate_down: 30}]}]}, b: "         \
    "{volatilities: [0.5, 0.3], drifts: [0.1, -0.2]}}, "                                           \
    "initial_regime: a, "

/* Regimes: few and many, stepped, by periods and at their times, with rates, vega, jumps, and
 * volatilities that move apart. */
static void test_regimes_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    static const char *const models[] = {
        "regimes: {a: {volatilities: [0.1]}, b: {volatilities: [0.5]}, c: {volatilities: [0.2], "
        "rate: 0.01}}, initial_regime: b, "
        "generator: [[-3, 1, 2], [1, -2, 1], [1, 1, -2]], switching: stepped, attraction: {asset: "
        "A, levels: [0.9, 1.1], weights: [[1, 3, 2], [1, 1, 1], [2, 1, 1]]}",
        "regimes: {a: {volatilities: [0.1]}, b: {volatilities: [0.5]}, c: {volatilities: [0.2]}, "
        "d: {volatilities: [0.3]}}, initial_regime: b, "
        "generator: [[-3, 1, 1, 1], [1, -2, 0.5, 0.5], [1, 1, -3, 1], [4, 0, 0, -4]], switching: "
        "stepped",
        "regimes: {a: {volatilities: [0.1], rate: 0.02}, b: {volatilities: [0.5]}}, "
        "initial_probabilities: [0.5, 0.5], generator: [[-3, 3], [20, -20]]",
        REGIMES_THAT_JUMP "generator: [[-3, 3], [9, -9]]",
        "regimes: {a: {volatilities: [0.1]}, b: {volatilities: [0.5]}, c: {volatilities: [0.2]}, "
        "d: {volatilities: [0.3]}, e: {volatilities: [0.25]}}, "
        "initial_regime: b, period: 0.25, transition: [[1, 0, 0, 0, 0], [0.2, 0.2, 0.2, 0.2, 0.2], "
        "[0, 1, 0, 0, 0], [0.5, 0, 0, 0, 0.5], [0, 0, 0.1, 0.9, 0]]",
        REGIMES_THAT_JUMP "generator: [[-3, 3], [9, -9]], switching: stepped, step: 0.1",
        REGIMES_THAT_JUMP "transition: [[0.5, 0.5], [0.7, 0.3]], period: 0.25, attraction: {asset: "
                          "B, levels: [0.95, 1.1], weights: [[1, 3], [1, 1], [2, 1]]}",
        REGIMES_THAT_JUMP "transition: [[0.5, 0.5], [0.7, 0.3]], period: 0.25",
        "regimes: {a: {volatilities: [0.1], jumps: [{intensity: 30, arrivals: common, mark: {kind: "
        "normal, mean: -0.1, volatility: 0.1}}]}}, switching: stepped",
        REGIMES_THAT_JUMP "generator: [[-3, 3], [9, -9]], switching: stepped, step: 0.1"};
    static const char *const simulations[] = {"paths: 2^12",
                                              "paths: 2^13",
                                              "paths: 5000, generator: mrg32k3a",
                                              "paths: 5000, generator: philox",
                                              "paths: 2^13, construction: pca",
                                              "paths: 5000, generator: philox",
                                              "paths: 2^12",
                                              "paths: 5000, generator: mrg32k3a",
                                              "paths: 2^12, construction: incremental",
                                              "paths: 2^12, precision: single"};
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof models / sizeof *models; i += EACH) {
        const bool single = strstr(simulations[i], "single"),
                   two = !single &&
                         strncmp(models[i], REGIMES_THAT_JUMP, strlen(REGIMES_THAT_JUMP)) == 0;
        const char *names = two ? "A, B" : "A";
        const char *vega = i % 3 != 1 && !single ? ", vega" : "";
        char text[4096];
        snprintf(text, sizeof text,
                 "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n    A: {currency: "
                 "USD, spot: 100, volatility: 0.2}\n"
                 "    B: {currency: USD, spot: 80, volatility: 0.3}\n  correlations: {pairs: "
                 "[[A.spot, B.spot, 0.6]]}\n"
                 "models:\n  m: {kind: regime_switching, assets: [A, B], %s}\ntrades:\n"
                 "  - {id: a, underlyings: [%s], payoff: {kind: asian, %soption_type: call, "
                 "strike: 100, averaging: {method: arithmetic, "
                 "observations: {count: 9}}}, exercise: {expiry: 1.0}}\nmeasures: "
                 "[price%s]\nsimulation: {%s}\n",
                 models[i], names, two ? "aggregate: basket, " : "", vega, simulations[i]);
        emulate_under(NULL, 0, text, single);
    }
    emulate_example("regime_switching", "double", "2^11");
    emulate_example("regime_switching", "single", "2^11");
}

/* The low words in shared memory of each kind, and past it; and padded. */
static void test_long_grids_in_single_are_near_the_cpu(void **state)
{
    (void)state;
    static const size_t dates[] = {250, 480, 1000, 2000, MOST_DATES};
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof dates / sizeof *dates; i += OTHER)
        with_plan(
            &(emulated_shape)SHAPE(1, dates[i], SOBOL_SCRAMBLED, BRIDGE, 1 << 9, .single = true),
            assert_emulated);
    with_plan(&(emulated_shape)SHAPE(2, 12, SOBOL, PCA, 1 << 12, .single = true), assert_emulated);
    with_plan(&(emulated_shape)SHAPE(2, 12, PHILOX, BRIDGE, 1 << 12, .single = true),
              assert_emulated);
    with_plan(&(emulated_shape)SHAPE(1, 64, MRG32K3A, BRIDGE, 5000, .single = true),
              assert_emulated);
}

static const char *refused_with;

static void assert_shape_refused(const levy_plan *plan)
{
    char why[LEVY_REASON_SIZE] = "";
    assert_int_equal(levy_shape_accepts(plan->image, why), LEVY_UNSUPPORTED);
    assert_non_null(strstr(why, refused_with));
    assert_non_null(strstr(why, "the CPU prices"));
}

static void test_what_a_gpu_leaves_to_the_cpu_is_refused_in_words(void **state)
{
    (void)state;
    static uint32_t backward[40];
    for (uint32_t i = 0; i < 40; ++i) backward[i] = 40 - i;
    refused_with = "mrg32k3a other than incremental takes up to 1024 draws";
    with_plan(&(emulated_shape)SHAPE(12, 90, MRG32K3A, PCA, 1 << 12), assert_shape_refused);
    with_plan(&(emulated_shape)SHAPE(1, 1025, MRG32K3A, BRIDGE, 1 << 12), assert_shape_refused);
    refused_with = "keeps 40 dates at a time, but a GPU can keep 12";
    with_plan(&(emulated_shape)SHAPE(1, 40, SOBOL_SCRAMBLED, BRIDGE, 1 << 12, .order = backward),
              assert_shape_refused);
    static fixture f;
    levy_arena arena;
    levy_group *groups;
    levy_plan *plan;
    size_t n_groups;
    char why[LEVY_REASON_SIZE];
    fixture_market(&f, 3, 0.4);
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, 12, 100.0);
    f.problem.simulation.first_components = 11;
    levy_arena_init(&arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(&f.problem, &arena, &groups, &n_groups), LEVY_OK);
    assert_int_equal(levy_plan_create(&levy_memory_default, &f.problem, groups, &plan, why),
                     LEVY_OK);
    refused_with = "functionals of a bridge take up to 32 draws, but these take 33";
    assert_shape_refused(plan);
    levy_plan_destroy(plan);
    levy_arena_release(&arena);
}

/* "K/N", K from 1: the K-th of N parts, dealt out like cards; without it all tests. ctest runs the
 * parts side by side. */
static bool take_part(int argc, char **argv, size_t *part, size_t *parts)
{
    char *end = NULL;
    *part = *parts = 1;
    if (argc < 2) return true;
    *part = strtoul(argv[1], &end, 10);
    if (*end == '/') *parts = strtoul(end + 1, &end, 10);
    return *end == '\0' && *part >= 1 && *part <= *parts;
}

static const char *example; /* of configs/, without its ending */
static bool in_double_alone;

/* ---- Payoffs with programs ---- */

static double script_calls[] = {0.25, 0.5, 0.75, 1.0};
static const double script_settings[] = {0.0, 100.0, 0.25, 0.75, 3.0};

/* Every step, and WHERE in WHERE, on levels that each of them changes. */
static void all_steps(script_case *c, uint32_t n_assets)
{
    script_begin(c, 2, 5, 1, n_assets);
    script_block(c, 0);
    SCRIPT_PUT(c, LEVEL, 2, 0, 0, 0);
    SCRIPT_PUT(c, CONSTANT, 3, 1, 0, 0);
    SCRIPT_PUT(c, TERM, 4, 0, 0, 0);
    SCRIPT_PUT(c, SUBTRACT, 5, 2, 3, 0);
    SCRIPT_PUT(c, MAGNITUDE, 6, 5, 0, 0);
    SCRIPT_PUT(c, ROOT, 7, 5, 0, 0);
    SCRIPT_PUT(c, DIVIDE, 8, 2, X(n_assets - 1), 0);
    SCRIPT_PUT(c, DIVIDE, 9, 5, K(4), 0);
    SCRIPT_PUT(c, EXP, 10, 9, 0, 0);
    SCRIPT_PUT(c, BELOW, 25, 9, 0, 0);
    SCRIPT_PUT(c, ADD, 10, 10, 25, 0);
    SCRIPT_PUT(c, LOG, 11, 5, 0, 0);
    SCRIPT_PUT(c, LEAST, 12, 6, 10, 0);
    SCRIPT_PUT(c, GREATEST, 13, 7, 11, 0);
    SCRIPT_PUT(c, LESS, 14, 2, K(1), 0);
    SCRIPT_PUT(c, NOT_ABOVE, 15, 8, K(3), 0);
    SCRIPT_PUT(c, EQUAL, 16, 7, K(0), 0);
    SCRIPT_PUT(c, AND, 17, 14, 16, 0);
    SCRIPT_PUT(c, OR, 18, 17, 15, 0);
    SCRIPT_PUT(c, NOT, 19, 18, 0, 0);
    SCRIPT_PUT(c, SELECT, 20, 19, 12, 13);
    SCRIPT_PUT(c, MULTIPLY, 21, 20, 4, 0);
    SCRIPT_PUT(c, ADD, 0, 0, 21, 0);
    SCRIPT_PUT(c, NOT_ABOVE, 24, 7, K(4), 0);
    SCRIPT_PUT(c, AND, 24, 24, 19, 0);
    SCRIPT_PUT(c, WHERE, 0, 19, 6, 0);
    SCRIPT_PUT(c, MULTIPLY, 22, 2, K(2), 0);
    SCRIPT_PUT(c, WHERE, 0, 24, 2, 0);
    SCRIPT_PUT(c, ADD, 23, 22, 1, 0);
    SCRIPT_PUT(c, SELECT, 1, 24, 23, 1);
    SCRIPT_PUT(c, ADD, 22, 1, 22, 0);
    SCRIPT_PUT(c, SELECT, 1, 19, 22, 1);
    SCRIPT_PUT(c, ADD, 0, 0, 1, 0);
}

typedef struct script_shape {
    size_t assets;
    int32_t generator, construction, precision;
    unsigned measures;
    bool mixed_trades;
} script_shape;

static size_t script_sweeps; /* tiles */

static void assert_scripts_emulated(const levy_plan *plan)
{
    static levy_tile tiles[64];
    assert_true(plan->image->n_outputs <= 64 && plan->image->n_scripts > 0);
    const size_t n = levy_plan_tiles(plan->image, &gpu_limits, tiles);
    for (size_t i = 0; i < n; ++i) {
        assert_tile_emulated(plan, &tiles[i]);
        script_sweeps += levy_tile_sweeps(plan->image, &tiles[i]);
    }
}

static void emulate_scripts(const script_shape *shape)
{
    static fixture f;
    static script_case called, steps;
    static const double terms[] = {0.5, -1.0, 2.0, 0.25, 1.5, 3.0, 0.1, -0.2, 1.0, 2.0, 3.0, 4.0};
    static const script_case_term step_terms[] = {{terms, 0, true}};
    levy_simulation *const s = &f.problem.simulation;
    fixture_market(&f, shape->assets, 0.4);
    s->generator = shape->generator;
    s->construction = shape->construction;
    s->precision = shape->precision;
    s->replicates = shape->generator == LEVY_GENERATOR_SOBOL_SCRAMBLED ? 2 : 1;
    s->paths = 1 << 12;
    s->measures = shape->measures;
    for (size_t a = 0; a < shape->assets; ++a) f.coefficients[a] = 1.0;
    script_autocall(&called, (uint32_t)shape->assets);
    levy_trade *t =
        script_trade(&f, &called, 12, script_autocall_constants, script_autocall_terms, 0);
    t->kind.n_further = 1;
    t->claim.further[0] = (levy_times){4, script_calls};
    if (shape->mixed_trades) {
        all_steps(&steps, (uint32_t)shape->assets);
        script_trade(&f, &steps, 12, script_settings, step_terms, 0);
        script_trade(&f, &steps, 12, script_settings, step_terms, 1);
        t = fixture_trade(&f, LEVY_PAYOFF_ASIAN, 12, 100.0);
        t->kind.aggregate = LEVY_AGGREGATE_BEST_OF;
    }
    with_problem_plan(&f.problem, assert_scripts_emulated);
}

static void test_programs_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    const unsigned price = LEVY_MEASURE_PRICE;
    const script_shape shapes[] = {
        {2, LEVY_GENERATOR_SOBOL_SCRAMBLED, LEVY_CONSTRUCTION_BRIDGE, LEVY_PRECISION_DOUBLE, price,
         true},
        {1, LEVY_GENERATOR_PHILOX, LEVY_CONSTRUCTION_INCREMENTAL, LEVY_PRECISION_DOUBLE, price,
         true},
        /* a sweep */
        {6, LEVY_GENERATOR_SOBOL_SCRAMBLED, LEVY_CONSTRUCTION_BRIDGE, LEVY_PRECISION_DOUBLE,
         price | LEVY_MEASURE_DELTA | LEVY_MEASURE_VEGA, false},
        {3, LEVY_GENERATOR_SOBOL_SCRAMBLED, LEVY_CONSTRUCTION_PCA, LEVY_PRECISION_DOUBLE,
         price | LEVY_MEASURE_DELTA, false},
        /* wide */
        {33, LEVY_GENERATOR_PHILOX, LEVY_CONSTRUCTION_BRIDGE, LEVY_PRECISION_DOUBLE, price, false},
        {2, LEVY_GENERATOR_MRG32K3A, LEVY_CONSTRUCTION_INCREMENTAL, LEVY_PRECISION_DOUBLE, price,
         false},
        {1, LEVY_GENERATOR_SOBOL_SCRAMBLED, LEVY_CONSTRUCTION_BRIDGE, LEVY_PRECISION_SINGLE, price,
         true},
        {3, LEVY_GENERATOR_SOBOL_SCRAMBLED, LEVY_CONSTRUCTION_BRIDGE, LEVY_PRECISION_MIXED, price,
         true},
    };
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i += OTHER) emulate_scripts(&shapes[i]);
    assert_true(script_sweeps > 0);
}

static void test_an_example_has_the_bits_of_the_cpu(void **state)
{
    (void)state;
    emulated_skip_without_compiler();
    emulate_example(example, "double", "2^12");
    if (!in_double_alone) emulate_example(example, "single", "2^12");
}

/* ---- Scripts that nobody wrote ---- */

static uint64_t first_seed;
static size_t n_seeds;

static void test_generated_scripts_have_the_bits_of_the_cpu(void **state)
{
    static choices made;
    static generated_book book;
    (void)state;
    emulated_skip_without_compiler();
    for (uint64_t seed = first_seed; seed < first_seed + n_seeds; ++seed) {
        print_message("seed %llu\n", (unsigned long long)seed);
        choices_from_seed(&made, seed);
        scripts_write(&made, &book);
        emulate_text("book.json", book.text, "double", "2^6");
    }
}

static int run_generated(const char *seed, const char *count)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(test_generated_scripts_have_the_bits_of_the_cpu)};
    first_seed = strtoull(seed, NULL, 10);
    n_seeds = strtoull(count, NULL, 10);
    return cmocka_run_group_tests_name("cuda_emulated", test, emulated_set_up, emulated_tear_down);
}

static int run_example(const char *name)
{
    const struct CMUnitTest test[] = {cmocka_unit_test(test_an_example_has_the_bits_of_the_cpu)};
    example = name;
    return cmocka_run_group_tests_name("cuda_emulated", test, emulated_set_up, emulated_tear_down);
}

int main(int argc, char **argv)
{
    in_double_alone = argc == 4 && strcmp(argv[3], "double") == 0;
    if (argc >= 3 && strcmp(argv[1], "example") == 0) return run_example(argv[2]);
    if (argc == 4 && strcmp(argv[1], "generated") == 0) return run_generated(argv[2], argv[3]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_kernel_has_the_bits_of_the_cpu),
        cmocka_unit_test(test_components_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_long_paths_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_shared_products_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_the_kernel_reads_given_numbers),
        cmocka_unit_test(test_the_kernel_records_the_levels_of_the_cpu),
        cmocka_unit_test(test_a_stage_has_the_bits_of_the_cpu),
        cmocka_unit_test(test_measures_and_scenarios_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_segments_after_the_path_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_dividends_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_thresholds_of_many_assets_are_near_the_cpu),
        cmocka_unit_test(test_grown_returns_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_nets_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_bounds_are_seen),
        cmocka_unit_test(test_models_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_payments_abroad_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_variances_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_functionals_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_a_sweep_has_the_bits_of_the_cpu),
        cmocka_unit_test(test_the_kernel_in_single_is_near_the_cpu),
        cmocka_unit_test(test_rows_of_normals_change_no_bit),
        cmocka_unit_test(test_held_normals_are_near_the_cpu),
        cmocka_unit_test(test_jumps_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_arrivals_found_ahead_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_jumps_until_one_date_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_the_most_arrivals_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_few_arrivals_are_found_ahead),
        cmocka_unit_test(test_regimes_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_long_grids_in_single_are_near_the_cpu),
        cmocka_unit_test(test_what_a_gpu_leaves_to_the_cpu_is_refused_in_words),
        cmocka_unit_test(test_programs_have_the_bits_of_the_cpu),
    };
    struct CMUnitTest mine[sizeof tests / sizeof *tests] = {{0}};
    size_t part, parts, n = 0;
    if (!take_part(argc, argv, &part, &parts)) {
        fputs("usage: test_cuda_emulated [K/N | example NAME | generated SEED COUNT]\n", stderr);
        return 2;
    }
    for (size_t i = part - 1; i < sizeof tests / sizeof *tests; i += parts) mine[n++] = tests[i];
    /* CMocka passes over empty ones */
    return cmocka_run_group_tests_name("cuda_emulated", mine, emulated_set_up, emulated_tear_down);
}
