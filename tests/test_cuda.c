/* test_cuda.c: the CUDA backend without a GPU: shapes, the choice of a device, batches and failures, through the fake call
 * table; and, where NVRTC is installed, the real compile for two architectures. */
#include "engine/run/backend_list.h"
#include "engine/run/module.h"
#include "kernels/cuda/launch.h"
#include "tests/cuda_image.h"
#include "tests/fake_cuda.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct counter { long live, calls, fail_at; } counter;

static void *counter_allocate(void *user, size_t size)
{
    counter *const c = user;
    if (++c->calls == c->fail_at) return NULL;
    ++c->live;
    return malloc(size);
}

static void *counter_reallocate(void *user, void *pointer, size_t size)
{
    counter *const c = user;
    if (++c->calls == c->fail_at) return NULL;
    if (!pointer) ++c->live;
    return realloc(pointer, size);
}

static void counter_release(void *user, void *pointer)
{
    counter *const c = user;
    if (pointer) --c->live;
    free(pointer);
}

static counter count;
static const levy_memory memory = {counter_allocate, counter_reallocate, counter_release, &count};
static char why[LEVY_REASON_SIZE];

static int reset(void **state)
{
    (void)state;
    fake_cuda_reset();
    count = (counter){0};
    memset(why, 0, sizeof why);
    return 0;
}

/* What must hold when all is closed, on a device that lived or died. */
static int check_closed(void **state)
{
    (void)state;
    assert_int_equal(fake.misuse, 0);
    assert_int_equal(fake.calls_after_fatal, 0);
    assert_int_equal(count.live, 0);
    return 0;
}

static levy_backend_options options(void)
{
    return (levy_backend_options){.memory = &memory, .device = -1, .no_cache = true};
}

static levy_status open_fake(levy_cuda **cuda)
{
    const levy_backend_options o = options();
    return levy_cuda_open(fake_cuda_calls(), &o, cuda, why);
}

/* Opens, prices 40 blocks of two tiles in one go, closes. */
enum { BLOCKS = 40, OUTPUTS = 3 };
typedef struct outcome { levy_status status; levy_block_sum sums[BLOCKS * OUTPUTS]; double seconds; } outcome;

static levy_status run_loaded(levy_cuda *cuda, const levy_tile *tiles, outcome *result)
{
    levy_block_sum first[BLOCKS * 2], second[BLOCKS];
    const levy_batch batches[2] = {{tiles[0], 5, BLOCKS}, {tiles[1], 5, BLOCKS}};
    LEVY_TRY(levy_cuda_simulate(cuda, &batches[0], NULL, first, &result->seconds, why));
    LEVY_TRY(levy_cuda_simulate(cuda, &batches[1], NULL, second, &result->seconds, why));
    for (int b = 0; b < BLOCKS; ++b) {
        memcpy(&result->sums[b * OUTPUTS], &first[b * 2], 2 * sizeof *first);
        result->sums[b * OUTPUTS + 2] = second[b];
    }
    return LEVY_OK;
}

static void run_all(outcome *result)
{
    cuda_image image;
    levy_cuda *cuda = NULL;
    memset(result, 0, sizeof *result);
    cuda_image_make(&image, OUTPUTS, 100.0);
    const levy_tile tiles[2] = {cuda_image_tile(0, 2), cuda_image_tile(2, 1)};
    result->status = open_fake(&cuda);
    if (result->status == LEVY_OK) result->status = levy_cuda_load(cuda, &image.header, tiles, 2, why);
    if (result->status == LEVY_OK) result->status = run_loaded(cuda, tiles, result);
    levy_cuda_close(cuda);
}

static void check_sums(const outcome *result)
{
    for (int b = 0; b < BLOCKS; ++b)
        for (int o = 0; o < OUTPUTS; ++o) {
            const double expected = (double)((5 + b) * 1000 + o + 64);
            assert_true(result->sums[b * OUTPUTS + o].mean == expected);
            assert_true(result->sums[b * OUTPUTS + o].m2 == 0.5 * expected);
        }
}

/* ---- Shapes ------------------------------------------------------------------------------------------------------ */

static void shape_of(const cuda_image *image, levy_tile tile, char *text)
{
    const uint32_t lanes = levy_shape_lanes(&image->header, &tile);
    assert_int_equal(levy_shape_write(&image->header, &tile, lanes, text, LEVY_SHAPE_TEXT_SIZE), LEVY_OK);
}

static void test_shape_two_strikes_one_text(void **state)
{
    (void)state;
    cuda_image a, b;
    char first[LEVY_SHAPE_TEXT_SIZE], second[LEVY_SHAPE_TEXT_SIZE];
    cuda_image_make(&a, 3, 100.0);
    cuda_image_make(&b, 3, 117.5);
    b.header.n_nodes = b.header.n_draws = 128; /* a grid is data too */
    b.items[1].scale = 7.0;
    shape_of(&a, cuda_image_tile(0, 3), first);
    shape_of(&b, cuda_image_tile(0, 3), second);
    assert_string_equal(first, second);
}

static void test_shape_is_the_text_expected(void **state)
{
    (void)state;
    cuda_image image;
    char text[LEVY_SHAPE_TEXT_SIZE];
    cuda_image_make(&image, 4, 100.0);
    image.header.precision = 1;
    shape_of(&image, cuda_image_tile(2, 2), text);
    assert_string_equal(text, "#define LANE_SINGLE\n#define LEVY_LANES 4\n#define PATH_SPECIAL 1\n#define PATH_assets 1\n"
                              "#define PATH_factors 1\n#define PATH_generator 0\n#define PATH_construction 0\n"
                              "#define PATH_covariance 0\n#define PATH_cash 0\n#define PATH_full 1\n#define PATH_stack 4\n"
                              "#define PATH_model 0\n#define PATH_markets 1\n#define PATH_items 2\n#define PATH_outputs 2\n"
                              "#define PATH_shared_low 1\n#define PATH_item_kind_list {2, 0}\n"
                              "#define PATH_item_variant_list {0, 1}\n#define PATH_item_aggregate_list {0, 0}\n"
                              "#define PATH_item_market_list {0, 0}\n#define PATH_output_first_list {0, 1}\n"
                              "#define PATH_output_items_list {1, 1}\n");
}

static void test_shape_differs_by_precision_kind_and_covariance(void **state)
{
    (void)state;
    cuda_image image;
    char base[LEVY_SHAPE_TEXT_SIZE], other[LEVY_SHAPE_TEXT_SIZE];
    cuda_image_make(&image, 1, 100.0);
    shape_of(&image, cuda_image_tile(0, 1), base);
    assert_null(strstr(base, "LANE_SINGLE"));
    image.header.precision = 1;
    shape_of(&image, cuda_image_tile(0, 1), other);
    assert_string_not_equal(base, other);
    image.header.precision = 0;
    image.header.covariance = 1;
    shape_of(&image, cuda_image_tile(0, 1), other);
    assert_string_not_equal(base, other);
    image.header.covariance = 0;
    image.items[0].kind = 2;
    shape_of(&image, cuda_image_tile(0, 1), other);
    assert_string_not_equal(base, other);
}

static void test_shape_refuses_a_tile_outside_its_image(void **state)
{
    (void)state;
    cuda_image image;
    char text[LEVY_SHAPE_TEXT_SIZE];
    cuda_image_make(&image, 4, 100.0);
    const levy_tile good = cuda_image_tile(0, 4);
    levy_tile bad[5] = {good, good, good, good, good};
    bad[0].n_outputs = 0;
    bad[1].n_outputs = 5;
    bad[2].first_item = 1;
    bad[3].n_markets = 1;
    bad[4].first_output = UINT32_MAX;
    for (int i = 0; i < 5; ++i) assert_int_equal(levy_shape_write(&image.header, &bad[i], 1, text, sizeof text), LEVY_ARGUMENT);
    assert_int_equal(levy_shape_write(&image.header, &good, 1, text, 300), LEVY_ARGUMENT); /* too little room */
    assert_int_equal(levy_shape_write(&image.header, &good, 1, text, sizeof text), LEVY_OK);
}

static void test_shape_lanes_follow_the_table(void **state)
{
    (void)state;
    cuda_image image;
    cuda_image_make(&image, 4, 100.0);
    levy_image *const h = &image.header;
    const levy_tile two = cuda_image_tile(0, 2), four = cuda_image_tile(0, 4);
    h->precision = 1;
    assert_int_equal(levy_shape_lanes(h, &two), 4);
    assert_int_equal(levy_shape_lanes(h, &four), 2);
    h->n_factors = h->n_assets = 8;
    assert_int_equal(levy_shape_lanes(h, &two), 1);
    h->precision = 0;
    h->n_factors = h->n_assets = 1;
    assert_int_equal(levy_shape_lanes(h, &two), 2);
    h->n_factors = h->n_assets = 3;
    assert_int_equal(levy_shape_lanes(h, &two), 1);
}

static void test_shape_shared_memory_follows_the_layout(void **state)
{
    (void)state;
    cuda_image image;
    cuda_image_make(&image, 1, 100.0);
    levy_image *const h = &image.header;
    const levy_tile tile = cuda_image_tile(0, 1);
    assert_int_equal(levy_shape_shared_bytes(h, &tile, 4), 4096); /* 1,024 + 2,048: the reduction is larger */
    h->n_draws = 512;
    assert_int_equal(levy_shape_shared_bytes(h, &tile, 4), 4 * 4 * 512 + 32 * 512);
    assert_true(levy_shape_shared_low(h, 4));
    h->n_draws = 3001;
    assert_false(levy_shape_shared_low(h, 4));
    assert_int_equal(levy_shape_shared_bytes(h, &tile, 1), 12016); /* 12,004 to a multiple of 16 */
    h->generator = 1;
    assert_int_equal(levy_shape_shared_bytes(h, &tile, 4), 4096);
    h->generator = 0;
    h->precision = 1;
    h->n_draws = 21201; /* the whole Sobol table: one path per thread fits where four do not */
    assert_int_equal(levy_shape_lanes(h, &tile), 1);
    assert_true(levy_shape_shared_bytes(h, &tile, 1) <= LEVY_SHAPE_SHARED_PORTABLE);
}

/* ---- Codes, opening ---------------------------------------------------------------------------------------------- */

static void test_codes_fatal_ones_are_those_of_the_header(void **state)
{
    (void)state;
    static const int fatal[] = {4, 214, 220, 226, 700, 702, 710, 714, 715, 716, 717, 718, 719, 721, 810, 911, 999};
    size_t seen = 0;
    for (int code = 0; code < 1000; ++code) seen += levy_cuda_code_is_fatal(code);
    assert_int_equal(seen, sizeof fatal / sizeof *fatal);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; ++i) {
        assert_true(levy_cuda_code_is_fatal(fatal[i]));
        assert_int_equal(levy_cuda_code_status(fatal[i]), LEVY_DEVICE);
    }
    assert_false(levy_cuda_code_is_fatal(2));
    assert_int_equal(levy_cuda_code_status(2), LEVY_MEMORY);
}

static void test_open_describes_the_device(void **state)
{
    (void)state;
    levy_cuda *cuda = NULL;
    levy_backend_info info;
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    levy_cuda_describe(cuda, &info);
    assert_string_equal(info.backend, "cuda");
    assert_string_equal(info.device, "Fake \"0\" (cuda:0)");
    assert_string_equal(info.isa, "sm_90");
    assert_string_equal(info.warning, "");
    assert_true(info.batch_blocks > 0 && info.max_items >= 4 && info.max_markets >= 4);
    levy_cuda_close(cuda);
    levy_cuda_close(NULL);
    assert_int_equal(fake.held, 0);
    assert_int_equal(fake.depth, 0);
}

static void test_open_without_a_driver_says_so(void **state)
{
    (void)state;
    levy_cuda *cuda = NULL;
    fake.driver_status = LEVY_DEVICE;
    assert_int_equal(open_fake(&cuda), LEVY_DEVICE);
    assert_null(cuda);
    assert_string_equal(why, "no NVIDIA driver: fake");
    assert_int_equal(fake.calls, 0);
}

static void test_open_without_a_gpu_says_so(void **state)
{
    (void)state;
    static const struct { int code; const char *words; } cases[] = {
        {34, "stub library"}, {35, "too old"}, {100, "no CUDA-capable GPU was found"}, {46, "exclusive mode"},
        {3, "could not be initialised"}, {999, "unknown error"}, {803, "different versions"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        levy_cuda *cuda = NULL;
        fake_cuda_reset();
        fake.fail_at = 1;
        fake.fail_code = cases[i].code;
        assert_int_equal(open_fake(&cuda), LEVY_DEVICE);
        assert_non_null(strstr(why, cases[i].words));
        assert_null(strchr(why, '\n'));
        assert_int_equal(fake.calls_after_fatal, 0);
    }
}

static void test_open_refuses_an_old_driver_naming_both_versions(void **state)
{
    (void)state;
    levy_cuda *cuda = NULL;
    fake.driver_version = 11080;
    assert_int_equal(open_fake(&cuda), LEVY_DEVICE);
    assert_string_equal(why, "the NVIDIA driver is too old: it supports CUDA 11.8, and levy needs CUDA 12.0 (driver 525) or newer");
    fake_cuda_reset();
    fake.driver_version = 12040;
    assert_int_equal(open_fake(&cuda), LEVY_DEVICE);
    assert_string_equal(why, "the NVIDIA driver is too old: it supports CUDA 12.4, but NVRTC 13.0 needs driver 580 or newer");
    fake_cuda_reset();
    fake.driver_version = 12040;
    fake.compiler_major = 12;
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    levy_cuda_close(cuda);
    assert_int_equal(fake.held, 0);
}

static void test_open_without_nvrtc_fails_unless_kernels_were_shipped(void **state)
{
    (void)state;
    levy_cuda *cuda = NULL;
    fake.compiler_status = LEVY_DEVICE;
    assert_int_equal(open_fake(&cuda), LEVY_DEVICE);
    assert_string_equal(why, "no NVRTC library: fake");
    assert_int_equal(fake.held, 0);
    levy_backend_options o = options();
    char shipped[] = "/tmp/levy-shipped-XXXXXX";
    assert_non_null(mkdtemp(shipped));
    o.install_dir = shipped;
    assert_int_equal(levy_cuda_open(fake_cuda_calls(), &o, &cuda, why), LEVY_OK);
    levy_backend_info info;
    levy_cuda_describe(cuda, &info);
    assert_non_null(strstr(info.warning, "only shipped kernels can run: no NVRTC library"));
    cuda_image image;
    cuda_image_make(&image, 1, 100.0);
    const levy_tile tile = cuda_image_tile(0, 1);
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_DEVICE); /* this shape was not shipped */
    assert_string_equal(why, "no NVRTC library: fake");
    levy_cuda_close(cuda);
    assert_int_equal(remove(shipped), 0);
}

static void test_open_takes_the_device_asked_for(void **state)
{
    (void)state;
    levy_cuda *cuda = NULL;
    levy_backend_info info;
    levy_backend_options o = options();
    fake.devices = 3;
    o.device = 2;
    assert_int_equal(levy_cuda_open(fake_cuda_calls(), &o, &cuda, why), LEVY_OK);
    levy_cuda_describe(cuda, &info);
    assert_string_equal(info.device, "Fake \"2\" (cuda:2)");
    levy_cuda_close(cuda);
    o.device = 3;
    assert_int_equal(levy_cuda_open(fake_cuda_calls(), &o, &cuda, why), LEVY_DEVICE);
    assert_string_equal(why, "there is no cuda:3: 3 GPUs were found, from cuda:0");
}

static void test_open_takes_the_first_usable_device(void **state)
{
    (void)state;
    levy_cuda *cuda = NULL;
    levy_backend_info info;
    fake.devices = 2;
    fake.fail_member = "context_retain"; /* the first is another process's */
    fake.fail_at = 1;
    fake.fail_code = 46;
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    levy_cuda_describe(cuda, &info);
    assert_string_equal(info.device, "Fake \"1\" (cuda:1)");
    levy_cuda_close(cuda);
    fake_cuda_reset();
    fake.devices = 2;
    fake.fail_member = "context_retain";
    fake.fail_at = 1;
    fake.fail_times = 2;
    fake.fail_code = 46;
    assert_int_equal(open_fake(&cuda), LEVY_DEVICE);
    assert_non_null(strstr(why, "cuda:0")); /* the first one's reason */
    assert_int_equal(fake.held, 0);
}

static void test_open_without_free_memory_says_how_much_there_is(void **state)
{
    (void)state;
    levy_cuda *cuda = NULL;
    fake.free_memory = (size_t)12 << 20;
    assert_int_equal(open_fake(&cuda), LEVY_MEMORY);
    assert_string_equal(why, "cuda:0 (Fake \"0\") has no free memory: 12 MiB of 1024 MiB are free, at least 64 are needed");
    assert_int_equal(fake.held, 0);
    fake_cuda_reset();
    fake.fail_member = "context_retain";
    fake.fail_at = 1;
    fake.fail_code = 2;
    assert_int_equal(open_fake(&cuda), LEVY_MEMORY);
    assert_string_equal(why, "cuda:0 (Fake \"0\") has no free memory: other programs fill it");
}

static levy_status choose(int capability, int driver, levy_jit_target *target)
{
    return levy_jit_choose(fake_cuda_calls(), &memory, capability, driver, target, why);
}

static void test_target_is_cubin_ptx_or_refused(void **state)
{
    (void)state;
    levy_jit_target target;
    assert_int_equal(choose(90, 13000, &target), LEVY_OK);
    assert_string_equal(target.architecture, "sm_90");
    assert_false(target.ptx);
    assert_int_equal(choose(130, 13000, &target), LEVY_OK); /* newer than NVRTC, the driver is not older */
    assert_string_equal(target.architecture, "compute_121");
    assert_true(target.ptx);
    assert_int_equal(choose(130, 12080, &target), LEVY_UNSUPPORTED);
    assert_non_null(strstr(why, "NVRTC 13.0, and the driver (CUDA 12.8) is older"));
    assert_int_equal(choose(70, 13000, &target), LEVY_UNSUPPORTED);
    assert_string_equal(why, "NVRTC 13.0 does not compile for sm_70; it knows sm_75 to sm_121");
}

/* ---- Simulation -------------------------------------------------------------------------------------------------- */

static void test_simulate_gives_every_block_of_every_output(void **state)
{
    (void)state;
    outcome result;
    run_all(&result);
    assert_int_equal(result.status, LEVY_OK);
    check_sums(&result);
    assert_true(result.seconds > 0.0);
    assert_int_equal(fake.held, 0);
    assert_int_equal(fake.depth, 0);
}

static void test_simulate_cuts_long_batches_and_keeps_the_bits(void **state)
{
    (void)state;
    enum { MANY = 5000 };
    cuda_image image;
    levy_cuda *cuda = NULL;
    double seconds = 0.0;
    cuda_image_make(&image, 1, 100.0);
    const levy_tile tile = cuda_image_tile(0, 1);
    const levy_batch batch = {tile, 11, MANY};
    levy_block_sum *const sums = calloc(MANY, sizeof *sums);
    fake.milliseconds = 6.0f; /* 48 blocks took 6 ms: pieces of 20 ms come to 160, in whole waves of 6: 156 */
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_OK);
    assert_int_equal(levy_cuda_simulate(cuda, &batch, NULL, sums, &seconds, why), LEVY_OK);
    assert_true(fake.launches > 5);
    assert_true(fake.largest_launch % 6 == 0 && fake.largest_launch < MANY);
    for (int b = 0; b < MANY; ++b) assert_true(sums[b].mean == (double)((11 + b) * 1000 + 64));
    const double expected = 6e-3 * (double)fake.launches;
    assert_true(seconds > 0.999 * expected && seconds < 1.001 * expected);
    levy_cuda_close(cuda);
    free(sums);
    assert_int_equal(fake.held, 0);
}

static void test_simulate_refuses_a_tile_that_was_not_loaded(void **state)
{
    (void)state;
    cuda_image image;
    levy_cuda *cuda = NULL;
    levy_block_sum sum;
    double seconds = 0.0;
    cuda_image_make(&image, 2, 100.0);
    const levy_tile tile = cuda_image_tile(0, 1);
    const levy_batch other = {cuda_image_tile(1, 1), 0, 1};
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_OK);
    assert_int_equal(levy_cuda_simulate(cuda, &other, NULL, &sum, &seconds, why), LEVY_ARGUMENT);
    levy_cuda_unload(cuda);
    levy_cuda_unload(cuda);
    assert_int_equal(levy_cuda_simulate(cuda, &(levy_batch){tile, 0, 1}, NULL, &sum, &seconds, why), LEVY_ARGUMENT);
    levy_cuda_close(cuda);
    assert_int_equal(fake.held, 0);
}

static void test_load_compiles_each_shape_once(void **state)
{
    (void)state;
    cuda_image image;
    levy_cuda *cuda = NULL;
    cuda_image_make(&image, 8, 100.0);
    const levy_tile tiles[4] = {cuda_image_tile(0, 1), cuda_image_tile(6, 1), cuda_image_tile(1, 1), cuda_image_tile(7, 1)};
    assert_int_equal(open_fake(&cuda), LEVY_OK); /* items 0 and 6, 1 and 7 differ in strike or trade, not in shape */
    assert_int_equal(levy_cuda_load(cuda, &image.header, tiles, 4, why), LEVY_OK);
    assert_int_equal(fake.compiles, 2);
    levy_cuda_close(cuda);
}

static void test_load_again_replaces_what_was_loaded(void **state)
{
    (void)state;
    cuda_image first, second;
    levy_cuda *cuda = NULL;
    levy_block_sum sums[2];
    double seconds = 0.0;
    cuda_image_make(&first, 1, 100.0);
    cuda_image_make(&second, 2, 100.0);
    second.header.n_nodes = 500;
    const levy_tile one = cuda_image_tile(0, 1), two = cuda_image_tile(0, 2);
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    assert_int_equal(levy_cuda_load(cuda, &first.header, &one, 1, why), LEVY_OK);
    const long held = fake.held;
    for (int i = 0; i < 5; ++i) assert_int_equal(levy_cuda_load(cuda, &second.header, &two, 1, why), LEVY_OK);
    assert_int_equal(fake.held, held);
    assert_int_equal(levy_cuda_simulate(cuda, &(levy_batch){two, 0, 1}, NULL, sums, &seconds, why), LEVY_OK);
    assert_true(sums[0].mean == 500.0 && sums[1].mean == 501.0);
    levy_cuda_close(cuda);
    assert_int_equal(fake.held, 0);
}

static void test_load_shows_the_compilers_first_error(void **state)
{
    (void)state;
    cuda_image image;
    levy_cuda *cuda = NULL;
    cuda_image_make(&image, 1, 100.0);
    const levy_tile tile = cuda_image_tile(0, 1);
    fake.compile_code = 6;
    fake.compile_log = "a note\nkernels/path/path.h(12): error: identifier \"x\" is undefined\nmore\n";
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_INTERNAL);
    assert_string_equal(why, "the kernel does not compile: kernels/path/path.h(12): error: identifier \"x\" is undefined");
    levy_cuda_close(cuda);
    assert_int_equal(fake.held, 0);
}

static void test_load_refuses_more_shared_memory_than_there_is(void **state)
{
    (void)state;
    cuda_image image;
    levy_cuda *cuda = NULL;
    cuda_image_make(&image, 1, 100.0);
    image.header.n_draws = 60000;
    const levy_tile tile = cuda_image_tile(0, 1);
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_UNSUPPORTED);
    assert_non_null(strstr(why, "too many dimensions for cuda:0"));
    levy_cuda_close(cuda);
}

static int poll_count(void *user)
{
    int *const left = user;
    return --*left < 0;
}

static void test_cancel_stops_and_leaves_the_device_usable(void **state)
{
    (void)state;
    enum { MANY = 2000 };
    cuda_image image;
    levy_cuda *cuda = NULL;
    double seconds = 0.0;
    int polls = 4;
    const levy_cancel cancel = {poll_count, &polls};
    levy_block_sum *const sums = calloc(MANY, sizeof *sums);
    cuda_image_make(&image, 1, 100.0);
    const levy_tile tile = cuda_image_tile(0, 1);
    const levy_batch batch = {tile, 0, MANY};
    fake.milliseconds = 20.0f;
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_OK);
    assert_int_equal(levy_cuda_simulate(cuda, &batch, &cancel, sums, &seconds, why), LEVY_CANCELLED);
    assert_int_equal(fake.launches, 4);
    assert_int_equal(levy_cuda_simulate(cuda, &batch, NULL, sums, &seconds, why), LEVY_OK);
    for (int b = 0; b < MANY; ++b) assert_true(sums[b].mean == (double)(b * 1000 + 64));
    levy_cuda_close(cuda);
    free(sums);
    assert_int_equal(fake.held, 0);
}

/* ---- Failures ---------------------------------------------------------------------------------------------------- */

static void test_out_of_memory_halves_and_keeps_the_bits(void **state)
{
    (void)state;
    static const char *const members[] = {"memory_allocate", "host_allocate", "launch", "copy_to_host", "event_synchronize",
                                          "event_record", "memory_info"};
    for (size_t m = 0; m < sizeof members / sizeof *members; ++m)
        for (long at = 1; at <= 4; ++at) {
            outcome result;
            fake_cuda_reset();
            fake.fail_member = members[m];
            fake.fail_at = at;
            fake.fail_code = 2;
            run_all(&result);
            const bool before_work = (m == 0 || m == 6) && at == 1; /* the image itself; opening */
            assert_int_equal(result.status, before_work ? LEVY_MEMORY : LEVY_OK);
            if (!before_work) check_sums(&result);
            assert_int_equal(fake.held, 0);
        }
}

static void test_out_of_memory_for_one_block_is_a_failure(void **state)
{
    (void)state;
    outcome result;
    fake.fail_member = "launch";
    fake.fail_at = 1;
    fake.fail_times = 1000;
    fake.fail_code = 2;
    run_all(&result);
    assert_int_equal(result.status, LEVY_MEMORY);
    assert_non_null(strstr(why, "CUDA error 2"));
    assert_int_equal(fake.held, 0);
}

static void test_little_memory_is_enough(void **state)
{
    (void)state;
    outcome result;
    fake.free_memory = (size_t)64 << 20;
    run_all(&result);
    assert_int_equal(result.status, LEVY_OK);
    check_sums(&result);
}

/* Calls whose failure may be of no consequence: they give things back, or only choose words. */
static bool harmless(const char *member)
{
    static const char *const members[] = {"context_release", "context_pop", "memory_free", "host_free", "stream_destroy",
                                          "event_destroy", "module_unload", "nvrtc_destroy", "nvrtc_log", "nvrtc_log_size",
                                          "context_push" /* when closing */};
    for (size_t i = 0; i < sizeof members / sizeof *members; ++i)
        if (!strcmp(member, members[i])) return true;
    return false;
}

static levy_status expected_status(const char *member, int code)
{
    if (!strncmp(member, "nvrtc_", 6)) return code == 1 ? LEVY_MEMORY : LEVY_DEVICE;
    if (code == 2) return LEVY_MEMORY;
    return code == 1 ? LEVY_INTERNAL : LEVY_DEVICE;
}

/* One run with the n-th call failing; false: there are fewer than n calls. */
static bool fail_call(long n, int code)
{
    outcome result;
    fake_cuda_reset();
    fake.fail_at = n;
    fake.fail_code = code;
    run_all(&result);
    if (!fake.failed) return false;
    assert_int_equal(fake.calls_after_fatal, 0);
    assert_int_equal(fake.misuse, 0);
    assert_int_equal(count.live, 0);
    const bool driver = strncmp(fake.failed, "nvrtc_", 6) != 0;
    const bool dead = driver && levy_cuda_code_is_fatal(code);
    /* Without its context nothing can be given back on the device; the driver does it when the process ends. */
    if (!dead && strcmp(fake.failed, "context_push") != 0) assert_int_equal(fake.held, 0);
    if (result.status == LEVY_OK) {
        assert_true(harmless(fake.failed) || (driver && code == 2));
        check_sums(&result);
    } else {
        assert_int_equal(result.status, expected_status(fake.failed, code));
        assert_true(why[0] != 0 && strchr(why, '\n') == NULL);
    }
    return true;
}

static void test_every_call_fails_once_with_every_code(void **state)
{
    (void)state;
    static const int codes[] = {1, 2, 3, 35, 46, 100, 214, 700, 719, 999};
    for (size_t c = 0; c < sizeof codes / sizeof *codes; ++c) {
        long n = 1;
        while (fail_call(n, codes[c])) ++n;
        assert_true(n > 60); /* every site was reached */
    }
}

static void test_every_allocation_fails_once(void **state)
{
    (void)state;
    bool reached = true;
    for (long n = 1; reached; ++n) {
        outcome result;
        fake_cuda_reset();
        count = (counter){.fail_at = n};
        run_all(&result);
        reached = count.calls >= n;
        assert_int_equal(result.status, reached ? LEVY_MEMORY : LEVY_OK);
        assert_int_equal(count.live, 0);
        assert_int_equal(fake.held, 0);
    }
}

static void test_a_dead_device_is_never_called_again(void **state)
{
    (void)state;
    cuda_image image;
    levy_cuda *cuda = NULL;
    levy_block_sum sums[8];
    double seconds = 0.0;
    cuda_image_make(&image, 1, 100.0);
    const levy_tile tile = cuda_image_tile(0, 1);
    const levy_batch batch = {tile, 0, 8};
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_OK);
    fake.fail_member = "event_synchronize";
    fake.fail_at = fake.calls = 0;
    fake.fail_at = 1;
    fake.fail_code = 700;
    assert_int_equal(levy_cuda_simulate(cuda, &batch, NULL, sums, &seconds, why), LEVY_DEVICE);
    assert_string_equal(why, "cuda:0 (Fake \"0\") is lost for this process: CUDA error 700 (a fake failure) in event_synchronize");
    memset(why, 0, sizeof why);
    assert_int_equal(levy_cuda_simulate(cuda, &batch, NULL, sums, &seconds, why), LEVY_DEVICE);
    assert_non_null(strstr(why, "is lost for this process"));
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_DEVICE);
    levy_cuda_unload(cuda);
    levy_cuda_close(cuda);
    assert_int_equal(fake.calls_after_fatal, 0);
}

/* ---- Lists and builds -------------------------------------------------------------------------------------------- */

typedef struct sink { char text[8192]; size_t length; size_t stop_after; } sink;

static int sink_write(void *user, const char *text, size_t length)
{
    sink *const s = user;
    if (s->stop_after && s->length + length > s->stop_after) return 1;
    assert_true(s->length + length < sizeof s->text);
    memcpy(s->text + s->length, text, length);
    s->length += length;
    return 0;
}

static void test_list_writes_an_object_per_device(void **state)
{
    (void)state;
    sink out = {.length = 0};
    fake.devices = 2;
    assert_int_equal(levy_device_list(fake_cuda_calls(), sink_write, &out), LEVY_OK);
    size_t at = 0;
    for (int i = 0; i < 2; ++i) {
        char name[16];
        const size_t length = strcspn(out.text + at, "\n");
        json_t *const object = json_loadb(out.text + at, length, 0, NULL);
        assert_non_null(object);
        snprintf(name, sizeof name, "cuda:%d", i);
        assert_string_equal(json_string_value(json_object_get(object, "device")), name);
        assert_string_equal(json_string_value(json_object_get(object, "architecture")), "sm_90");
        assert_string_equal(json_string_value(json_object_get(object, "driver_cuda")), "13.0");
        assert_int_equal(strncmp(json_string_value(json_object_get(object, "name")), "Fake \"", 6), 0);
        assert_int_equal(strlen(json_string_value(json_object_get(object, "uuid"))), 40);
        assert_true(json_is_true(json_object_get(object, "usable")));
        json_decref(object);
        at += length + 1;
    }
    assert_int_equal(at, out.length);
}

static void test_list_without_a_driver_says_why(void **state)
{
    (void)state;
    sink out = {.length = 0};
    fake.driver_status = LEVY_DEVICE;
    assert_int_equal(levy_device_list(fake_cuda_calls(), sink_write, &out), LEVY_OK);
    assert_string_equal(out.text, "{\"device\": \"cuda\", \"usable\": false, \"reason\": \"no NVIDIA driver: fake\"}\n");
    sink stopped = {.stop_after = 1};
    assert_int_equal(levy_device_list(fake_cuda_calls(), sink_write, &stopped), LEVY_IO);
}

static void test_list_survives_every_failing_call(void **state)
{
    (void)state;
    for (long n = 1; n < 40; ++n) {
        sink out = {.length = 0};
        fake_cuda_reset();
        fake.devices = 2;
        fake.fail_at = n;
        fake.fail_code = n % 2 ? 700 : 1;
        assert_int_equal(levy_device_list(fake_cuda_calls(), sink_write, &out), LEVY_OK);
        assert_int_equal(fake.calls_after_fatal, 0);
        assert_true(out.length > 0);
    }
}

static void test_build_needs_no_driver(void **state)
{
    (void)state;
    cuda_image image;
    char report[1024];
    levy_backend_options o = options();
    cuda_image_make(&image, 2, 100.0);
    const levy_tile tile = cuda_image_tile(0, 2);
    fake.driver_status = LEVY_DEVICE;
    assert_int_equal(levy_cuda_build(fake_cuda_calls(), &o, "sm_90", &image.header, &tile, 1, report, sizeof report, why), LEVY_OK);
    assert_non_null(strstr(report, "sm_90 double, 1 assets, 2 items, 2 outputs: compiled in "));
    assert_non_null(strstr(report, " B, 2 paths per thread, 4096 B shared\n"));
    assert_int_equal(fake.held, 0);
}

static void test_build_refuses_what_is_no_architecture(void **state)
{
    (void)state;
    static const char *const wrong[] = {"", "90", "sm_", "sm_x", "sm_90 ", "compute_90", "sm_9000"};
    cuda_image image;
    char report[64];
    levy_backend_options o = options();
    cuda_image_make(&image, 1, 100.0);
    const levy_tile tile = cuda_image_tile(0, 1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        assert_int_equal(levy_cuda_build(fake_cuda_calls(), &o, wrong[i], &image.header, &tile, 1, report, sizeof report, why),
                         LEVY_ARGUMENT);
        assert_non_null(strstr(why, "is no architecture"));
    }
    assert_int_equal(levy_cuda_build(fake_cuda_calls(), &o, "sm_70", &image.header, &tile, 1, report, sizeof report, why),
                     LEVY_UNSUPPORTED);
}

/* ---- The real NVRTC ---------------------------------------------------------------------------------------------- */

static void compile_for(const levy_cuda_calls *calls, const char *architecture, uint32_t precision)
{
    cuda_image image;
    char text[LEVY_SHAPE_TEXT_SIZE];
    levy_jit_target target = {.ptx = false};
    levy_jit_kernel kernel;
    cuda_image_make(&image, 2, 100.0);
    image.header.precision = precision;
    shape_of(&image, cuda_image_tile(0, 2), text);
    snprintf(target.architecture, sizeof target.architecture, "%s", architecture);
    const levy_status status = levy_jit_compile(calls, &memory, &target, text, &kernel, why);
    if (status != LEVY_OK) print_message("%s: %s\n%s\n", architecture, why, kernel.log ? kernel.log : "");
    assert_int_equal(status, LEVY_OK);
    const levy_jit_usage usage = levy_jit_usage_of(&kernel);
    assert_false(usage.warned);
    assert_in_range(usage.registers, 16, 255);
    assert_int_equal(usage.spilled, 0);
    assert_memory_equal(kernel.data, "\x7f" "ELF", 4);
    levy_jit_release(&memory, &kernel);
}

static void test_nvrtc_compiles_for_sm_80_and_sm_90(void **state)
{
    (void)state;
    levy_cuda_calls calls = levy_cuda_calls_real;
    if (calls.load_compiler(&calls, 0, why) != LEVY_OK) {
        print_message("skipped: %s\n", why);
        skip();
    }
    for (uint32_t precision = 0; precision < 2; ++precision) {
        compile_for(&calls, "sm_80", precision);
        compile_for(&calls, "sm_90", precision);
    }
    calls.unload(&calls);
}

static void test_nvrtc_names_the_line_of_an_error(void **state)
{
    (void)state;
    levy_cuda_calls calls = levy_cuda_calls_real;
    if (calls.load_compiler(&calls, 0, why) != LEVY_OK) {
        print_message("skipped: %s\n", why);
        skip();
    }
    const levy_jit_target target = {.architecture = "sm_90"};
    levy_jit_kernel kernel;
    assert_int_equal(levy_jit_compile(&calls, &memory, &target, "int broken = ;\n", &kernel, why), LEVY_INTERNAL);
    assert_non_null(strstr(why, "levy_shape.cu(1): error:"));
    levy_jit_release(&memory, &kernel);
    calls.unload(&calls);
}

static void test_nvrtc_newer_than_the_driver_is_not_taken(void **state)
{
    (void)state;
    levy_cuda_calls calls = levy_cuda_calls_real;
    if (calls.load_compiler(&calls, 0, why) != LEVY_OK) {
        print_message("skipped: %s\n", why);
        skip();
    }
    calls.unload(&calls);
    assert_int_equal(calls.load_compiler(&calls, 11, why), LEVY_DEVICE);
    assert_non_null(strstr(why, "the NVIDIA driver is too old: it supports CUDA 11, but the NVRTC library found is of CUDA 1"));
}

/* ---- The module -------------------------------------------------------------------------------------------------- */

static void test_module_is_found_and_greets(void **state)
{
    (void)state;
    levy_backend backend = {0};
    assert_int_equal(levy_module_load(LEVY_BINARY_DIR, &backend, why), LEVY_OK);
    assert_string_equal(backend.name, "cuda");
    assert_non_null(backend.build);
    assert_non_null(backend.cache);
    assert_int_equal(levy_module_load("/nonexistent", &backend, why), LEVY_DEVICE);
    assert_string_equal(why, "no CUDA module: there is no readable liblevy-cuda.so in /nonexistent");
}

static void test_module_exports_one_symbol_and_checks_its_host(void **state)
{
    (void)state;
    void *const module = dlopen(LEVY_BINARY_DIR "/liblevy-cuda.so", RTLD_NOW | RTLD_LOCAL);
    assert_non_null(module);
    assert_null(dlsym(module, "levy_cuda_open"));
    assert_null(dlsym(module, "levy_memory_allocate"));
    void *const symbol = dlsym(module, "levy_module_entry");
    levy_module_entry_fn entry = NULL;
    memcpy(&entry, &symbol, sizeof entry);
    levy_backend backend = {0};
    levy_host_table host = {LEVY_BACKEND_VERSION, sizeof host, LEVY_BUILD_ID};
    assert_int_equal(entry(&host, &backend, why), LEVY_OK);
    host.version = 99;
    assert_int_equal(entry(&host, &backend, why), LEVY_UNSUPPORTED);
    assert_non_null(strstr(why, "its host version 99"));
    host.version = LEVY_BACKEND_VERSION;
    host.build_id = "levy 9.9";
    assert_int_equal(entry(&host, &backend, why), LEVY_UNSUPPORTED);
    assert_non_null(strstr(why, "'levy 9.9'"));
    dlclose(module);
}

static void test_module_that_is_none_is_refused(void **state)
{
    (void)state;
    levy_backend backend = {0};
    char folder[] = "/tmp/levy-module-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/liblevy-cuda.so", folder);
    FILE *const file = fopen(path, "w");
    fputs("no library", file);
    fclose(file);
    assert_int_equal(levy_module_load(folder, &backend, why), LEVY_DEVICE);
    assert_non_null(strstr(why, "the CUDA module cannot be loaded: "));
    remove(path);
    remove(folder);
}

static void test_backend_names(void **state)
{
    (void)state;
    int32_t ordinal = 0;
    assert_true(levy_backend_name_valid(NULL, &ordinal));
    assert_true(levy_backend_name_valid("cuda:12", &ordinal));
    assert_int_equal(ordinal, 12);
    assert_true(levy_backend_name_valid("cuda", &ordinal));
    assert_int_equal(ordinal, -1);
    static const char *const wrong[] = {"", "gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:01", "cuda:12345", "CPU"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) assert_false(levy_backend_name_valid(wrong[i], &ordinal));
}

static void test_choose_falls_back_to_the_cpu_and_says_why(void **state)
{
    (void)state;
    levy_backend backend;
    void *opened = NULL;
    levy_backend_options o = options();
    o.memory = &levy_memory_default;
    o.threads = 1;
    assert_int_equal(levy_backend_choose("auto", &o, "/nonexistent", &backend, &opened, why), LEVY_OK);
    assert_string_equal(backend.name, "cpu");
    assert_non_null(strstr(why, "no CUDA module"));
    backend.close(opened);
    assert_int_equal(levy_backend_choose("cpu", &o, "/nonexistent", &backend, &opened, why), LEVY_OK);
    assert_string_equal(why, "");
    backend.close(opened);
    assert_int_equal(levy_backend_choose("cuda:1", &o, "/nonexistent", &backend, &opened, why), LEVY_DEVICE);
    assert_int_equal(levy_backend_choose("tpu", &o, NULL, &backend, &opened, why), LEVY_ARGUMENT);
    assert_string_equal(why, "'tpu' is no device: give auto, cpu, cuda or cuda:N");
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, reset, check_closed)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_shape_two_strikes_one_text), CASE(test_shape_is_the_text_expected),
        CASE(test_shape_differs_by_precision_kind_and_covariance), CASE(test_shape_refuses_a_tile_outside_its_image),
        CASE(test_shape_lanes_follow_the_table), CASE(test_shape_shared_memory_follows_the_layout),
        CASE(test_codes_fatal_ones_are_those_of_the_header), CASE(test_open_describes_the_device),
        CASE(test_open_without_a_driver_says_so), CASE(test_open_without_a_gpu_says_so),
        CASE(test_open_refuses_an_old_driver_naming_both_versions),
        CASE(test_open_without_nvrtc_fails_unless_kernels_were_shipped), CASE(test_open_takes_the_device_asked_for),
        CASE(test_open_takes_the_first_usable_device), CASE(test_open_without_free_memory_says_how_much_there_is),
        CASE(test_target_is_cubin_ptx_or_refused), CASE(test_simulate_gives_every_block_of_every_output),
        CASE(test_simulate_cuts_long_batches_and_keeps_the_bits), CASE(test_simulate_refuses_a_tile_that_was_not_loaded),
        CASE(test_load_compiles_each_shape_once), CASE(test_load_again_replaces_what_was_loaded),
        CASE(test_load_shows_the_compilers_first_error), CASE(test_load_refuses_more_shared_memory_than_there_is),
        CASE(test_cancel_stops_and_leaves_the_device_usable), CASE(test_out_of_memory_halves_and_keeps_the_bits),
        CASE(test_out_of_memory_for_one_block_is_a_failure), CASE(test_little_memory_is_enough),
        CASE(test_every_call_fails_once_with_every_code), CASE(test_every_allocation_fails_once),
        CASE(test_a_dead_device_is_never_called_again), CASE(test_list_writes_an_object_per_device),
        CASE(test_list_without_a_driver_says_why), CASE(test_list_survives_every_failing_call),
        CASE(test_build_needs_no_driver), CASE(test_build_refuses_what_is_no_architecture),
        CASE(test_nvrtc_compiles_for_sm_80_and_sm_90), CASE(test_nvrtc_names_the_line_of_an_error),
        CASE(test_nvrtc_newer_than_the_driver_is_not_taken), CASE(test_module_is_found_and_greets),
        CASE(test_module_exports_one_symbol_and_checks_its_host), CASE(test_module_that_is_none_is_refused),
        CASE(test_backend_names), CASE(test_choose_falls_back_to_the_cpu_and_says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
