/* test_contract.c: one body for every backend: what a backend may never change. `test_contract`
 * runs it on the CPU, on every instruction set of this processor; `test_contract cuda` also on a
 * GPU, against the CPU's bits. Every file of configs/ and tests/contract/ is priced, and the parts
 * that stand alone fill arrays (contract_arrays.c).
 *
 * `test_contract kernels sm_90 K/N` computes nothing: it compiles the K-th of N parts of the
 * kernels that the suite needs into the cache, without a GPU. As many such processes as there are
 * processors make the suite on a GPU a matter of a minute (bench/gpu.sh). */
#include "tests/cmocka_all.h"

#include "engine/run/backend_list.h"
#include "engine/run/stage.h"
#include "kernels/points/point_set.h"
#include "tests/contract_arrays.h"
#include "tests/fixture.h"
#include "tests/normal_law.h"
#include "tests/problem_load.h"

#include <dirent.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_FILES = 64, MOST_SUMS = 4096 };

/* Paths of the tests over several blocks. A sanitizer makes a path dear; partial blocks, of 16
 * replicates as a rule, are as many. */
#if LEVY_SANITIZED
#if LEVY_SANITIZED == 2
static const char blocks_many[] = "2^10", blocks_some[] = "2^9";
#else
static const char blocks_many[] = "2^12", blocks_some[] = "2^11";
#endif
static const char blocks_none[] = "2^10"; /* none is whole */
enum { ESTIMATE_PATHS = 1 << 14, MOST_POINTS = 1 << 10, MOST_DRAWS = 2049 };
#else
static const char blocks_many[] = "2^15", blocks_some[] = "2^14";
static const char blocks_none[] = "2^12";
enum { ESTIMATE_PATHS = 1 << 18, MOST_POINTS = 1 << 14, MOST_DRAWS = 1 << 14 };
#endif

static const char *contract_device = "cpu";
/* On a GPU every example. On a processor each test takes others of them: every fourth, every eighth
 * under AddressSanitizer, and every sixteenth under ThreadSanitizer, to which they are all alike.
 */
static const size_t contract_step = LEVY_TEST_FULL        ? 1
                                    : LEVY_SANITIZED == 2 ? 16
                                    : LEVY_SANITIZED      ? 8
                                                          : 4;
static size_t contract_turn;
/* not NULL: kernels are built for it, nothing is priced */
static const char *contract_architecture;
static unsigned long contract_part, contract_parts = 1;
/* the examples' folder; LEVY_TEST_ROOT moves it, for binaries carried elsewhere */
static char contract_configs[256];
static char contract_files[MOST_FILES][512];
static size_t contract_n_files;

/* All sums of a problem, in the order of groups, outputs, replicates; and the hashes of the plans.
 */
typedef struct priced {
    size_t n_sums, n_plans;
    tree_sum sums[MOST_SUMS];
    bool idle[MOST_SUMS]; /* a probe has no paths of this replicate */
    uint64_t hashes[256];
} priced;

typedef struct setting {
    const char *device, *isa;
    uint32_t threads;
    uint64_t batch;
    uint32_t tile;
} setting;

static const levy_backend *narrowed;
static uint32_t narrowed_tile;
static void describe_narrowed(void *state, levy_backend_info *info)
{
    narrowed->describe(state, info);
    info->tiles = (levy_tile_limits){narrowed_tile, narrowed_tile, 0, 0, 0, 0};
}

/* A GPU stays open from price to price, as in a context of the library: opening one takes a quarter
 * of a second. */
static levy_backend contract_gpu;
static void *contract_gpu_state;

static void price_open(setting s, levy_backend *backend, void **state)
{
    char why[LEVY_REASON_SIZE] = "";
    const levy_backend_options options = {
        .memory = &levy_memory_default, .isa = s.isa, .threads = s.threads, .device = -1};
    const bool gpu = strcmp(s.device, "cpu") != 0;
    *backend = contract_gpu;
    *state = contract_gpu_state;
    if (gpu && contract_gpu_state) return;
    if (levy_backend_choose(s.device, &options, getenv("LEVY_TEST_MODULE_DIR"), backend, state,
                            why) != LEVY_OK)
        fail_msg("%s", why);
    if (!gpu) return;
    contract_gpu = *backend;
    contract_gpu_state = *state;
}

static int contract_close(void **state)
{
    (void)state;
    if (contract_gpu_state) contract_gpu.close(contract_gpu_state);
    return 0;
}

/* What a run on a GPU would compile for a plan, if it falls into this part and was not there
 * before. */
static void price_build(const levy_plan *plan, uint32_t tile)
{
    static uint64_t seen[4096];
    static size_t n_seen;
    static char report[1 << 16];
    char why[LEVY_REASON_SIZE] = "";
    levy_backend backend;
    levy_backend_info limits;
    const levy_backend_options options = {.memory = &levy_memory_default, .device = -1};
    if (levy_backend_cuda(getenv("LEVY_TEST_MODULE_DIR"), &backend, why) != LEVY_OK)
        fail_msg("%s", why);
    backend.describe(NULL, &limits);
    if (tile && tile < limits.tiles.items)
        limits.tiles = (levy_tile_limits){tile, tile, 0, 0, 0, 0};
    const uint64_t name = plan->image->numeric_hash + limits.tiles.items;
    for (size_t i = 0; i < n_seen; ++i)
        if (seen[i] == name) return;
    if (n_seen < sizeof seen / sizeof *seen) seen[n_seen++] = name;
    if (name % contract_parts != contract_part) return;
    levy_tile *const tiles = calloc(plan->image->n_outputs, sizeof *tiles);
    const size_t n = levy_plan_tiles(plan->image, &limits.tiles, tiles);
    if (backend.build(&options, contract_architecture, plan->image, tiles, n, report, sizeof report,
                      why) != LEVY_OK)
        fail_msg("%s", why);
    free(tiles);
}

static void price(const levy_problem *problem, setting s, priced *out)
{
    char why[LEVY_REASON_SIZE] = "";
    levy_backend backend = {0}, narrow;
    void *state = NULL;
    levy_arena arena;
    levy_group *groups;
    size_t n_groups;
    const levy_run_options run = {.batch_blocks = s.batch};
    const bool gpu = strcmp(s.device, "cpu") != 0;
    out->n_sums = out->n_plans = 0;
    if (contract_architecture && !gpu) return;
    if (!contract_architecture) price_open(s, &backend, &state);
    narrow = backend;
    if (s.tile) {
        narrowed = &backend;
        narrowed_tile = s.tile;
        narrow.describe = describe_narrowed;
    }
    levy_arena_init(&arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(problem, &arena, &groups, &n_groups), LEVY_OK);
    for (size_t g = 0; g < n_groups; ++g) {
        levy_plan *plan;
        levy_run_times times = {0.0, 0.0};
        if (levy_plan_create(&levy_memory_default, problem, &groups[g], &plan, why) != LEVY_OK)
            fail_msg("%s", why);
        if (contract_architecture) {
            price_build(plan, s.tile);
            levy_plan_destroy(plan);
            continue;
        }
        const size_t n = (size_t)plan->image->n_outputs * plan->image->n_replicates;
        assert_true(out->n_sums + n <= MOST_SUMS && out->n_plans < 256);
        memset(out->sums + out->n_sums, 0xff, n * sizeof *out->sums);
        if (levy_stage_prepare(&narrow, state, plan, &run, &times, why) != LEVY_OK ||
            levy_run_plan(&levy_memory_default, &narrow, state, plan, &run, out->sums + out->n_sums,
                          &times, why) != LEVY_OK)
            fail_msg("%s", why);
        const levy_image_output *const outputs =
            LEVY_IMAGE_AT(levy_image_output, plan->image, outputs);
        for (size_t i = 0; i < n; ++i)
            out->idle[out->n_sums + i] =
                outputs[i / plan->image->n_replicates].probe && i % plan->image->n_replicates > 0;
        out->hashes[out->n_plans++] = plan->image->numeric_hash;
        out->n_sums += n;
        levy_plan_destroy(plan);
    }
    levy_arena_release(&arena);
    if (!gpu) backend.close(state);
}

static void assert_same(const priced *a, const priced *b)
{
    assert_int_equal(a->n_sums, b->n_sums);
    assert_true(contract_architecture || a->n_sums > 0);
    assert_memory_equal(a->hashes, b->hashes, a->n_plans * sizeof *a->hashes);
    for (size_t i = 0; i < a->n_sums; ++i) {
        if (memcmp(&a->sums[i], &b->sums[i], sizeof a->sums[i]) != 0)
            print_error("sum %zu: %a and %a, %a and %a\n", i, a->sums[i].mean, b->sums[i].mean,
                        a->sums[i].m2, b->sums[i].m2);
        assert_memory_equal(&a->sums[i], &b->sums[i], sizeof a->sums[i]);
        assert_true(a->idle[i] == (a->sums[i].n == 0.0) && isfinite(a->sums[i].mean) &&
                    isfinite(a->sums[i].m2));
    }
}

static char *slurp(const char *path)
{
    FILE *const f = fopen(path, "rb");
    assert_non_null(f);
    char *const text = calloc(1, 1 << 20);
    assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

static loaded_book load_config(const char *path, const char *paths, const char *precision)
{
    char *const text = slurp(path);
    const levy_input input = {path, text, strlen(text), contract_configs, false};
    const levy_override overrides[] = {{"simulation.paths", paths},
                                       {"simulation.precision", precision},
                                       {"measures", "price,delta,vega"}};
    const loaded_book book = load_inputs(&input, 1, overrides, 3);
    if (book.status != LEVY_OK) {
        char *const faults = loaded_book_text(&book);
        print_error("%s\n", faults);
        free(faults);
    }
    assert_int_equal(book.status, LEVY_OK);
    free(text);
    return book;
}

static const char *const *isa_list(void)
{
    static const char *list[5];
    size_t n = 0;
    const char *const all[] = {"baseline", "avx2", "avx512", "neon"};
    for (size_t i = 0; i < 4; ++i) {
        char why[LEVY_REASON_SIZE];
        void *state;
        const levy_backend_options options = {
            .memory = &levy_memory_default, .isa = all[i], .threads = 1};
        if (levy_backend_cpu.open(&options, &state, why) != LEVY_OK) continue;
        levy_backend_cpu.close(state);
        list[n++] = all[i];
    }
    list[n] = NULL;
    return list;
}

/* A quick set that is not the one that is chosen on a recent processor; else that one. */
static const char *contract_other(void)
{
    for (const char *const *isa = isa_list(); *isa; ++isa)
        if (strcmp(*isa, "avx2") == 0) return *isa;
    return "auto";
}

static void each_config(const char *paths, const char *precision,
                        void (*body)(const levy_problem *problem, priced *a, priced *b))
{
    priced *const a = malloc(sizeof *a), *const b = malloc(sizeof *b);
    assert_true(contract_n_files >= 10);
    const size_t step = strcmp(contract_device, "cpu") == 0 ? contract_step : 1;
    for (size_t i = contract_turn++ % step; i < contract_n_files; i += step) {
        loaded_book book = load_config(contract_files[i], paths, precision);
        body(book.problem, a, b);
        loaded_book_release(&book);
    }
    free(a);
    free(b);
}

static const setting plain = {"cpu", "auto", 0, 0, 0};

/* ---- Bits ---- */

static void body_threads(const levy_problem *problem, priced *a, priced *b)
{
    price(problem, (setting){contract_device, "auto", 1, 0, 0}, a);
    for (uint32_t threads = 2; threads <= 7; threads += threads == 2 ? 1 : 4) {
        price(problem, (setting){contract_device, "auto", threads, 0, 0}, b);
        assert_same(a, b);
    }
}
static void test_bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    each_config(blocks_many, "double", body_threads);
    each_config(blocks_some, "single", body_threads);
    each_config(blocks_some, "mixed", body_threads);
}

static void body_batches(const levy_problem *problem, priced *a, priced *b)
{
    const uint64_t batches[] = {1, 2, 3, 7, 1000};
    price(problem, (setting){contract_device, "auto", 2, 0, 0}, a);
    for (size_t i = 0; i < 5; ++i) {
        price(problem, (setting){contract_device, "auto", 2, batches[i], 0}, b);
        assert_same(a, b);
    }
}
static void test_bits_do_not_depend_on_batches(void **state)
{
    (void)state;
    each_config(blocks_many, "double", body_batches);
    each_config(blocks_some, "single", body_batches);
    each_config(blocks_some, "mixed", body_batches);
}

static void body_isas(const levy_problem *problem, priced *a, priced *b)
{
    price(problem, plain, a);
    for (const char *const *isa = isa_list(); *isa; ++isa) {
        price(problem, (setting){"cpu", *isa, 2, 0, 0}, b);
        assert_same(a, b);
    }
}
static void test_bits_do_not_depend_on_the_instruction_set(void **state)
{
    (void)state;
    each_config(blocks_none, "double", body_isas);
}

static void body_tiles(const levy_problem *problem, priced *a, priced *b)
{
    price(problem, (setting){contract_device, "auto", 2, 0, 2}, a);
    /* there each size is kernels to compile, and 8 is its own */
    const bool gpu = strcmp(contract_device, "cpu") != 0;
    for (uint32_t tile = gpu ? 8 : 3; tile <= 8; tile += 5) {
        price(problem, (setting){contract_device, "auto", 2, 0, tile}, b);
        assert_same(a, b);
    }
}
static void test_bits_do_not_depend_on_tiles(void **state)
{
    (void)state;
    each_config("2^13", "double", body_tiles);
    each_config("2^13", "single", body_tiles);
}

/* Every trade alone: the others are marked failed; its outputs must be found among the book's. */
static bool found(const priced *book, const tree_sum *sums, size_t n)
{
    for (size_t i = 0; i + n <= book->n_sums; ++i)
        if (memcmp(book->sums + i, sums, n * sizeof *sums) == 0) return true;
    return false;
}

static void body_alone(const levy_problem *problem, priced *book, priced *alone)
{
    price(problem, (setting){contract_device, "auto", 2, 0, 0}, book);
    levy_trade_state states[256];
    assert_true(problem->n_trades <= 256);
    for (size_t t = 0; t < problem->n_trades; ++t) states[t] = problem->trades[t].state;
    for (size_t t = 0; t < problem->n_trades; ++t) {
        if (states[t] > LEVY_TRADE_EXACT) continue;
        for (size_t other = 0; other < problem->n_trades; ++other)
            problem->trades[other].state = other == t ? states[t] : LEVY_TRADE_FAILED;
        price(problem, (setting){contract_device, "auto", 2, 0, 0}, alone);
        const size_t replicates = (size_t)problem->simulation.replicates;
        for (size_t i = 0; i < alone->n_sums; i += replicates) {
            const bool is_found = found(book, alone->sums + i, replicates);
            if (!is_found)
                print_message("trade %s, output %zu, precision %d\n",
                              problem->trades[t].from->raw->id, i / replicates,
                              (int)problem->simulation.precision);
            assert_true(is_found);
        }
    }
    for (size_t t = 0; t < problem->n_trades; ++t) problem->trades[t].state = states[t];
}
static void test_a_trade_alone_has_the_bits_it_has_in_its_book(void **state)
{
    (void)state;
    each_config("2^13", "double", body_alone);
    each_config("2^13", "single", body_alone);
}

static void test_a_trade_of_one_grid_in_two_groups_has_the_bits_it_has_alone(void **state)
{
    (void)state;
    if (strcmp(contract_device, "cpu") != 0) return;
    priced *const book = malloc(sizeof *book), *const alone = malloc(sizeof *alone);
    loaded_book many =
        load_config(LEVY_SOURCE_DIR "/tests/books/many_schedules.yaml", "2^13", "double");
    body_alone(many.problem, book, alone);
    loaded_book_release(&many);
    free(book);
    free(alone);
}

static void body_cpu(const levy_problem *problem, priced *a, priced *b)
{
    price(problem, plain, a);
    price(problem, (setting){contract_device, "auto", 2, 0, 0}, b);
    assert_same(a, b);
}
static void test_double_precision_has_the_bits_of_the_cpu(void **state)
{
    (void)state;
    each_config(blocks_many, "double", body_cpu);
}

/* Shapes no example has: other generators, constructions, sizes, partial blocks. */
static void make_shape(fixture *f, size_t assets, size_t dates, int32_t generator,
                       int32_t construction, uint64_t paths)
{
    fixture_market(f, assets, 0.4);
    f->problem.simulation.generator = generator;
    f->problem.simulation.construction = construction;
    f->problem.simulation.replicates = generator == LEVY_GENERATOR_SOBOL_SCRAMBLED ? 4 : 1;
    f->problem.simulation.paths = paths;
    f->problem.simulation.measures = LEVY_MEASURE_PRICE | LEVY_MEASURE_DELTA | LEVY_MEASURE_VEGA;
    fixture_trade(f, LEVY_PAYOFF_ASIAN, dates, 100.0);
    fixture_trade(f, LEVY_PAYOFF_EUROPEAN, 0, 105.0);
}

static void test_shapes_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    static fixture f;
    priced *const a = malloc(sizeof *a), *const b = malloc(sizeof *b);
    const struct {
        size_t assets, dates;
        int32_t generator, construction;
        uint64_t paths;
    } shapes[] = {{1, 1, 0, 0, 1 << 12},
                  {1, 3, 0, 0, 1 << 12},
                  {1, 7, 0, 1, 1 << 12},
                  {1, 64, 1, 0, 1 << 10},
                  {1, 100, 2, 0, 10001},
                  {1, 252, 2, 1, 777},
                  {1, 1000, 0, 0, 1 << 11},
                  {2, 5, 0, 0, 1 << 12},
                  {3, 12, 2, 0, 5000},
                  {5, 9, 0, 1, 1 << 12},
                  {8, 64, 0, 0, 1 << 12},
                  {8, 7, 2, 1, 4097},
                  {1, 12, 2, 0, 2},
                  {1, 65, 0, 0, 1 << 13},
                  /* mrg32k3a: many blocks, partial ones, one draw a path, words kept for a
                     traversal out of time's order */
                  {1, 64, 3, 1, 1 << 14},
                  {1, 1, 3, 1, 10001},
                  {1, 37, 3, 0, 5000},
                  {3, 12, 3, 1, 4097},
                  {8, 64, 3, 0, 1000},
                  {1, 252, 3, 1, 9001},
                  {1, 9, 3, 2, 4500},
                  /* principal components: one date, partial and full eights, several factors, every
                     generator */
                  {1, 1, 0, 2, 1 << 12},
                  {1, 5, 0, 2, 1 << 12},
                  {1, 64, 0, 2, 1 << 12},
                  {3, 12, 0, 2, 1 << 12},
                  {8, 17, 1, 2, 1 << 10},
                  {5, 60, 2, 2, 3000},
                  /* many assets: warps share products, one pass of them and several */
                  {24, 5, 0, 0, 1 << 12},
                  {33, 6, 2, 0, 3000},
                  {48, 4, 0, 0, 5000}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        const uint64_t most = shapes[i].generator < 2 ? MOST_POINTS : MOST_DRAWS;
        make_shape(&f, shapes[i].assets, shapes[i].dates, shapes[i].generator,
                   shapes[i].construction, shapes[i].paths < most ? shapes[i].paths : most);
        price(&f.problem, (setting){"cpu", contract_other(), 1, 0, 0}, a);
        price(&f.problem, (setting){contract_device, "auto", 2, 0, 0}, b);
        assert_same(a, b);
    }
    free(a);
    free(b);
}

/* Sets of points, whose words the host makes: batches of one block and of all. */
static void test_sets_of_points_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    static fixture f;
    static uint32_t words[4 * 12 * 3000];
    levy_point_set file = {.kind = LEVY_SET_FILE,
                           .n_dimensions = 12,
                           .n_replicates = 4,
                           .n_points = 3000,
                           .words = words};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) words[i] = 2654435769u * (uint32_t)i;
    priced *const a = malloc(sizeof *a), *const b = malloc(sizeof *b);
    const struct {
        const levy_point_set *set;
        size_t assets, dates;
        int32_t construction;
        uint64_t paths;
    } shapes[] = {{&levy_set_lattice, 1, 12, 0, 1 << 14},
                  {&levy_set_lattice, 8, 64, 1, 1 << 12},
                  {&levy_set_halton, 3, 12, 0, 20000},
                  {&levy_set_halton, 1, 1000, 0, 4096},
                  {&file, 1, 12, 0, 12000},
                  {&file, 2, 6, 2, 12000}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        make_shape(&f, shapes[i].assets, shapes[i].dates, LEVY_GENERATOR_SOBOL_SCRAMBLED,
                   shapes[i].construction, shapes[i].paths);
        f.problem.simulation.supply = LEVY_SUPPLY_SET;
        f.problem.simulation.points = shapes[i].set;
        price(&f.problem, (setting){"cpu", contract_other(), 1, 1, 0}, a);
        price(&f.problem, (setting){contract_device, "auto", 2, 0, 0}, b);
        assert_same(a, b);
    }
    free(a);
    free(b);
}

/* A bridge in orders of its own: a shuffled one no deeper than a GPU takes, and dates built first.
 */
static void test_orders_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    static fixture f;
    static const uint32_t twelve[] = {7, 3, 12, 1, 5, 9, 10, 11, 8, 2, 4, 6},
                          forward[] = {1, 2, 3, 4, 5}, one[] = {1};
    static const double first[] = {0.25, 0.75, 0.125};
    priced *const a = malloc(sizeof *a), *const b = malloc(sizeof *b);
    const struct {
        size_t assets, dates;
        int32_t generator;
        const uint32_t *order;
    } shapes[] = {{1, 12, 0, twelve}, {3, 12, 0, twelve}, {1, 12, 2, twelve},
                  {2, 12, 3, twelve}, {1, 5, 0, forward}, {1, 1, 0, one},
                  {1, 64, 0, NULL},   {4, 16, 3, NULL},   {2, 8, 1, NULL}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        make_shape(&f, shapes[i].assets, shapes[i].dates, shapes[i].generator,
                   LEVY_CONSTRUCTION_BRIDGE, 1 << 13);
        f.problem.n_trades = 1; /* the other has a grid of its own */
        f.problem.simulation.order = shapes[i].order;
        f.problem.simulation.n_order = shapes[i].dates;
        f.problem.simulation.first = shapes[i].order ? NULL : first;
        f.problem.simulation.n_first = 3;
        price(&f.problem, (setting){"cpu", contract_other(), 1, 0, 0}, a);
        price(&f.problem, (setting){contract_device, "auto", 2, 0, 0}, b);
        assert_same(a, b);
    }
    free(a);
    free(b);
}

/* Batches that are large enough for a GPU to merge their blocks to branches, against batches whose
 * blocks the host merges, and the CPU's. Replicates of a power of two blocks, and one replicate
 * that ends inside a branch. */
static void test_many_blocks_merge_as_few_do(void **state)
{
    (void)state;
    static fixture f;
    priced *const a = malloc(sizeof *a), *const b = malloc(sizeof *b);
    const struct {
        int32_t generator;
        uint64_t paths;
        bool single;
    } cases[] = {{LEVY_GENERATOR_SOBOL_SCRAMBLED, 1 << 23, false},
                 {LEVY_GENERATOR_PHILOX, 6000001, false},
                 {LEVY_GENERATOR_SOBOL_SCRAMBLED, 1 << 24, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        make_shape(&f, 1, 1, cases[i].generator, LEVY_CONSTRUCTION_BRIDGE, cases[i].paths);
        f.problem.simulation.precision =
            cases[i].single ? LEVY_PRECISION_SINGLE : LEVY_PRECISION_DOUBLE;
        price(&f.problem, (setting){contract_device, "auto", 2, 100, 0}, a);
        price(&f.problem, (setting){contract_device, "auto", 2, 0, 0}, b);
        assert_same(a, b);
        if (cases[i].single) continue;
        price(&f.problem, (setting){"cpu", "auto", 0, 0, 0}, a);
        if (!contract_architecture) assert_same(a, b);
    }
    free(a);
    free(b);
}

/* The in-order visit and the stack do not matter to pseudo-random draws of one date; bisection
 * given as an order is the bridge's own build order. */
static void test_bisection_as_an_order_has_the_bits_of_the_bridge(void **state)
{
    (void)state;
    static fixture f;
    static const uint32_t bisection[] = {8, 4, 2, 6, 1, 3, 5, 7};
    priced *const a = malloc(sizeof *a), *const b = malloc(sizeof *b);
    for (int32_t generator = 0; generator < 4; ++generator)
        for (size_t assets = 1; assets <= 3; assets += 2) {
            make_shape(&f, assets, 8, generator, LEVY_CONSTRUCTION_BRIDGE, 1 << 12);
            f.problem.n_trades = 1;
            price(&f.problem, (setting){contract_device, "auto", 2, 0, 0}, a);
            /* an order knows no levels: its dimensions go date by date */
            if (assets > 1 && generator < 2) continue;
            f.problem.simulation.order = bisection;
            f.problem.simulation.n_order = 8;
            price(&f.problem, (setting){contract_device, "auto", 2, 0, 0}, b);
            /* the images differ in their construction */
            memcpy(b->hashes, a->hashes, sizeof b->hashes);
            assert_same(a, b);
        }
    free(a);
    free(b);
}

/* More dimensions than the table has; the stack of an order against time is as deep as the grid. */
static void test_padded_and_deep_walks_have_the_same_bits_on_every_instruction_set(void **state)
{
    (void)state;
    static fixture f;
    static double many[22000];
    static uint32_t backward[300];
    priced *const a = malloc(sizeof *a), *const b = malloc(sizeof *b);
    for (int i = 0; i < 22000; ++i) many[i] = (i + 1) / 22000.0;
    for (uint32_t i = 0; i < 300; ++i) backward[i] = 300 - i;
    for (int shape = 0; shape < 4; ++shape) {
        make_shape(&f, shape == 3 ? 2 : 1, 300, 0,
                   shape == 1 ? LEVY_CONSTRUCTION_INCREMENTAL : LEVY_CONSTRUCTION_BRIDGE, 1 << 8);
        f.problem.n_trades = 1;
        f.problem.simulation.measures = LEVY_MEASURE_PRICE;
        if (shape < 2) f.trades[0].claim.observations.times = many;
        if (shape < 2) f.trades[0].claim.observations.n = 22000;
        if (shape >= 2) f.problem.simulation.order = backward;
        f.problem.simulation.n_order = 300;
        price(&f.problem, (setting){"cpu", contract_other(), 1, 0, 0}, a);
        for (const char *const *isa = isa_list(); *isa; ++isa) {
            if (strcmp(*isa, "baseline") == 0) continue; /* minutes */
            price(&f.problem, (setting){"cpu", *isa, 2, 0, 0}, b);
            assert_same(a, b);
        }
    }
    free(a);
    free(b);
}

/* ---- Prices ---- */

typedef struct estimate {
    double mean, error;
} estimate;

static estimate estimate_of(const tree_sum *sums, size_t replicates, double paths)
{
    double mean = 0.0, m2 = 0.0;
    if (replicates == 1) return (estimate){sums[0].mean, sqrt(sums[0].m2 / (paths - 1.0) / paths)};
    for (size_t r = 0; r < replicates; ++r) mean += sums[r].mean / (double)replicates;
    for (size_t r = 0; r < replicates; ++r) m2 += (sums[r].mean - mean) * (sums[r].mean - mean);
    return (estimate){mean, sqrt(m2 / (double)(replicates - 1) / (double)replicates)};
}

static double black(double forward, double strike, double deviation)
{
    const double d = log(forward / strike) / deviation + 0.5 * deviation;
    return forward * normal_cdf(d) - strike * normal_cdf(d - deviation);
}

static void assert_price(const fixture *f, double exact)
{
    priced *const p = malloc(sizeof *p);
    for (int32_t precision = LEVY_PRECISION_DOUBLE; precision <= LEVY_PRECISION_MIXED;
         ++precision) {
        levy_problem problem = f->problem;
        problem.simulation.precision = precision;
        problem.simulation.paths = ESTIMATE_PATHS;
        price(&problem, (setting){contract_device, "auto", 2, 0, 0}, p);
        if (contract_architecture) continue;
        const estimate e = estimate_of(p->sums, (size_t)problem.simulation.replicates,
                                       (double)problem.simulation.paths);
        /* single: 64 factors of a few float ulp, systematic; mixed: its normals alone, which err
         * either way */
        const double rounding = precision == LEVY_PRECISION_SINGLE  ? 3e-5 * exact
                                : precision == LEVY_PRECISION_MIXED ? 1e-7 * exact
                                                                    : 1e-12;
        if (!(fabs(e.mean - exact) <= 4.0 * e.error + rounding))
            print_error("%s: %.9g +- %.2g, exact %.9g\n", levy_precision_text(precision), e.mean,
                        e.error, exact);
        assert_true(fabs(e.mean - exact) <= 4.0 * e.error + rounding);
        assert_true(e.error > 0.0);
    }
    free(p);
}

static void test_european_is_black_scholes(void **state)
{
    (void)state;
    static fixture f;
    const double exact = exp(-0.05) * black(100.0 * exp(0.05), 105.0, 0.2);
    for (int32_t generator = 0; generator < 4; generator += generator ? 1 : 2)
        for (int32_t construction = 0; construction < 3; ++construction) {
            fixture_market(&f, 1, 0.0);
            f.problem.simulation.generator = generator;
            f.problem.simulation.construction = construction;
            if (generator) f.problem.simulation.replicates = 1;
            fixture_trade(&f, LEVY_PAYOFF_EUROPEAN, 0, 105.0);
            assert_price(&f, exact);
        }
}

/* A lone underlying may stand in a basket: its weight counts. */
static void test_basket_of_one_keeps_its_weight(void **state)
{
    (void)state;
    static fixture f;
    fixture_market(&f, 1, 0.0);
    f.coefficients[0] = 2.0;
    fixture_trade(&f, LEVY_PAYOFF_BASKET, 0, 210.0)->kind.aggregate = LEVY_AGGREGATE_BASKET;
    assert_price(&f, 2.0 * exp(-0.05) * black(100.0 * exp(0.05), 105.0, 0.2));
}

/* The mean of the logarithms is normal: G. Kemna, A. Vorst, J. Banking and Finance 14 (1990). */
static void test_geometric_asian_is_its_closed_form(void **state)
{
    (void)state;
    static fixture f;
    const double n = 64.0, mean = 0.03 * (n + 1.0) / (2.0 * n),
                 variance = 0.04 * (n + 1.0) * (2.0 * n + 1.0) / (6.0 * n * n);
    const double exact =
        exp(-0.05) * black(100.0 * exp(mean + 0.5 * variance), 100.0, sqrt(variance));
    /* the last: mrg32k3a in time order */
    for (int32_t construction = 0; construction < 4; ++construction) {
        fixture_market(&f, 1, 0.0);
        f.problem.simulation.construction =
            construction < 3 ? construction : LEVY_CONSTRUCTION_INCREMENTAL;
        if (construction == 3) f.problem.simulation.generator = LEVY_GENERATOR_MRG32K3A;
        if (construction == 3) f.problem.simulation.replicates = 1;
        *(int32_t *)payoff_term(fixture_trade(&f, LEVY_PAYOFF_ASIAN, 64, 100.0),
                                "averaging.method") = LEVY_MEAN_GEOMETRIC;
        assert_price(&f, exact);
    }
}

/* The discounted basket without a strike is the weighted sum of the spots. */
static void test_basket_is_a_martingale(void **state)
{
    (void)state;
    static fixture f;
    fixture_market(&f, 8, 0.3);
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, 12, 0.0);
    double exact = 0.0;
    for (int k = 1; k <= 12; ++k) exact += 100.0 * exp(0.05 * k / 12.0 - 0.05) / 12.0;
    assert_price(&f, exact);
}

static void test_delta_and_vega_of_a_call(void **state)
{
    (void)state;
    static fixture f;
    priced *const p = malloc(sizeof *p);
    fixture_market(&f, 1, 0.0);
    f.problem.simulation.measures = LEVY_MEASURE_PRICE | LEVY_MEASURE_DELTA | LEVY_MEASURE_VEGA;
    fixture_trade(&f, LEVY_PAYOFF_EUROPEAN, 0, 105.0);
    price(&f.problem, (setting){contract_device, "auto", 2, 0, 0}, p);
    if (contract_architecture) {
        free(p);
        return;
    }
    assert_int_equal(p->n_sums, 48 + 32); /* and the probes of both */
    const double d = (log(100.0 / 105.0) + 0.05) / 0.2 + 0.1,
                 density = exp(-0.5 * d * d) / sqrt(2.0 * acos(-1.0));
    const estimate delta = estimate_of(p->sums + 16, 16, 1 << 18),
                   vega = estimate_of(p->sums + 32, 16, 1 << 18);
    /* bump of 0.1 %: h^2 / 6 times the third derivative */
    assert_true(fabs(delta.mean - normal_cdf(d)) <= 4.0 * delta.error + 1e-6);
    assert_true(fabs(vega.mean - 100.0 * density) <= 4.0 * vega.error + 1e-3);
    assert_true(delta.error > 0.0 && vega.error > 0.0);
    free(p);
}

static int count_and_stop(void *user)
{
    atomic_fetch_add((atomic_int *)user, 1); /* any worker asks */
    return 1;
}

static void test_cancelling_stops_and_says_so(void **state)
{
    (void)state;
    static fixture f;
    char why[LEVY_REASON_SIZE];
    levy_backend backend;
    void *opened;
    levy_arena arena;
    levy_group *groups;
    levy_plan *plan;
    levy_run_times times;
    size_t n_groups;
    atomic_int asked = 0;
    tree_sum sums[16];
    const levy_backend_options options = {
        .memory = &levy_memory_default, .isa = "auto", .device = -1};
    const levy_run_options run = {.stop = count_and_stop, .user = &asked, .batch_blocks = 4};
    fixture_market(&f, 1, 0.0);
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, 64, 100.0);
    assert_int_equal(levy_backend_choose(contract_device, &options, getenv("LEVY_TEST_MODULE_DIR"),
                                         &backend, &opened, why),
                     LEVY_OK);
    levy_arena_init(&arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(&f.problem, &arena, &groups, &n_groups), LEVY_OK);
    assert_int_equal(levy_plan_create(&levy_memory_default, &f.problem, groups, &plan, why),
                     LEVY_OK);
    assert_int_equal(
        levy_run_plan(&levy_memory_default, &backend, opened, plan, &run, sums, &times, why),
        LEVY_CANCELLED);
    assert_true(asked > 0);
    levy_plan_destroy(plan);
    levy_arena_release(&arena);
    backend.close(opened);
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static void find_in(const char *path)
{
    DIR *const folder = opendir(path);
    if (!folder) return;
    for (struct dirent *e; (e = readdir(folder)) != NULL && contract_n_files < MOST_FILES;) {
        const char *const dot = strrchr(e->d_name, '.');
        if (dot && strcmp(dot, ".yaml") == 0)
            snprintf(contract_files[contract_n_files++], sizeof *contract_files, "%s/%s", path,
                     e->d_name);
    }
    closedir(folder);
}

static void find_configs(void)
{
    const char *const root = getenv("LEVY_TEST_ROOT");
    char more[256];
    snprintf(contract_configs, sizeof contract_configs, "%s/configs",
             root ? root : LEVY_SOURCE_DIR);
    snprintf(more, sizeof more, "%s/tests/contract", root ? root : LEVY_SOURCE_DIR);
    find_in(contract_configs);
    find_in(more);
    qsort(contract_files, contract_n_files, sizeof *contract_files, by_name);
}

/* "kernels ARCHITECTURE [K/N]"; K from 0. */
static bool contract_build_words(int argc, char **argv)
{
    if (argc < 3 || strcmp(argv[1], "kernels") != 0) return false;
    contract_architecture = argv[2];
    contract_device = "cuda";
    char *end = argc > 3 ? argv[3] : NULL;
    if (end) contract_part = strtoul(end, &end, 10);
    if (end && *end == '/') contract_parts = strtoul(end + 1, &end, 10);
    if (contract_parts == 0 || contract_part >= contract_parts || (end && *end)) exit(2);
    return true;
}

int main(int argc, char **argv)
{
    const bool builds = contract_build_words(argc, argv);
    if (argc > 1 && !builds) contract_device = argv[1];
    find_configs();
    const struct CMUnitTest threads[] = {
        cmocka_unit_test(test_bits_do_not_depend_on_threads),
        cmocka_unit_test(test_bits_do_not_depend_on_batches),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bits_do_not_depend_on_tiles),
        cmocka_unit_test(test_a_trade_alone_has_the_bits_it_has_in_its_book),
        cmocka_unit_test(test_a_trade_of_one_grid_in_two_groups_has_the_bits_it_has_alone),
        cmocka_unit_test(test_double_precision_has_the_bits_of_the_cpu),
        cmocka_unit_test(test_shapes_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_sets_of_points_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_orders_have_the_bits_of_the_cpu),
        cmocka_unit_test(test_bisection_as_an_order_has_the_bits_of_the_bridge),
        cmocka_unit_test(test_european_is_black_scholes),
        cmocka_unit_test(test_basket_of_one_keeps_its_weight),
        cmocka_unit_test(test_geometric_asian_is_its_closed_form),
        cmocka_unit_test(test_basket_is_a_martingale),
        cmocka_unit_test(test_delta_and_vega_of_a_call),
    };
    const struct CMUnitTest running[] = {cmocka_unit_test(test_cancelling_stops_and_says_so)};
    const struct CMUnitTest on_gpus[] = {cmocka_unit_test(test_many_blocks_merge_as_few_do)};
    /* the same whatever the device: not again on a GPU */
    const struct CMUnitTest on_processors[] = {
        cmocka_unit_test(test_bits_do_not_depend_on_the_instruction_set),
        cmocka_unit_test(test_padded_and_deep_walks_have_the_same_bits_on_every_instruction_set),
    };
    const bool on_cpu = strcmp(contract_device, "cpu") == 0;
    /* ThreadSanitizer sees nothing new in other numbers */
    const bool numbers = LEVY_SANITIZED != 2 || !on_cpu;
    int failed = 0;
    if (!on_cpu) failed += cmocka_run_group_tests_name("GPU", on_gpus, NULL, NULL);
    failed += cmocka_run_group_tests_name("threads", threads, NULL, NULL);
    if (numbers) failed += cmocka_run_group_tests_name("any device", tests, NULL, contract_close);
    if (!builds) failed += cmocka_run_group_tests(running, NULL, NULL);
    if (!builds) failed += contract_arrays(contract_device, contract_configs, isa_list());
    if (on_cpu && numbers)
        failed += cmocka_run_group_tests_name("processors", on_processors, NULL, NULL);
    return failed;
}
