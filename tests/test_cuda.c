/* test_cuda.c: the CUDA backend without a GPU: shapes, what codes mean, and the choice of a device
 * and a target, through the fake call table. */
#include "tests/cuda_fixture.h"
#include "tests/files.h"

#include <stdio.h>

/* ---- Shapes ---------------------------------------------------------------------------------- */

static void test_shape_two_strikes_one_text(void **state)
{
    (void)state;
    cuda_image a, b;
    char first[LEVY_SHAPE_TEXT_SIZE], second[LEVY_SHAPE_TEXT_SIZE];
    cuda_image_make(&a, 3, 100.0);
    cuda_image_make(&b, 3, 117.5);
    b.header.n_nodes = b.header.n_draws = 80; /* a grid is data too */
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
    char *const expected = read_whole(LEVY_SOURCE_DIR "/tests/known_answers/shape.txt", 0);
    assert_string_equal(text, expected);
    free(expected);
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
    bad[3].n_dynamics = 1;
    bad[4].first_output = UINT32_MAX;
    for (int i = 0; i < 5; ++i)
        assert_int_equal(levy_shape_write(&image.header, &bad[i], 1, 0, text, sizeof text),
                         LEVY_ARGUMENT);
    /* too little room */
    assert_int_equal(levy_shape_write(&image.header, &good, 1, 0, text, 300), LEVY_ARGUMENT);
    assert_int_equal(levy_shape_write(&image.header, &good, 1, 0, text, sizeof text), LEVY_OK);
}

static void test_shape_lanes_follow_the_table(void **state)
{
    (void)state;
    cuda_image image;
    cuda_image_make(&image, 4, 100.0);
    levy_image *const h = &image.header;
    const levy_tile two = cuda_image_tile(0, 2), four = cuda_image_tile(0, 4);
    h->precision = 1;
    assert_int_equal(levy_shape_lanes(h, &two), 8);
    assert_int_equal(levy_shape_lanes(h, &four), 4);
    h->n_factors = h->n_assets = 8;
    assert_int_equal(levy_shape_lanes(h, &two), 4);
    assert_int_equal(levy_shape_lanes(h, &four), 2);
    h->precision = 0;
    h->n_factors = h->n_assets = 1;
    assert_int_equal(levy_shape_lanes(h, &two), 4);
    h->n_factors = h->n_assets = 3;
    assert_int_equal(levy_shape_lanes(h, &two), 2);
}

static void test_shape_shared_memory_follows_the_layout(void **state)
{
    (void)state;
    cuda_image image;
    cuda_image_make(&image, 1, 100.0);
    levy_image *const h = &image.header;
    const levy_tile tile = cuda_image_tile(0, 1);
    /* weights, drifts, a factor; where all normals in double are */
    const uint32_t staged = (4 * 64 + 64 + 1) * 8 + 128;
    /* words of 16 rows of two blocks, columns of one output, low words in groups of two bits for
     * half of the draws each */
    assert_int_equal(levy_shape_shared_bytes(h, &tile, 4, 0),
                     2 * 4 * 16 * 64 + 4096 + 4 * 32 * 64 + staged);
    h->n_draws = 512; /* words of 4 rows, over which the columns are laid; low words one by one */
    assert_int_equal(levy_shape_shared_low(h, 4), 8);
    assert_int_equal(levy_shape_shared_bytes(h, &tile, 4, 0), 4 * 4 * 512 + 4 * 8 * 512 + staged);
    assert_int_equal(levy_shape_shared_bytes(h, &tile, 4, 3 << 8 | 7 << 16),
                     4 * 4 * 512 + 4 * 8 * 512 + staged + 3 * (16 << 10) + 7 * (2 << 10));
    h->n_draws = 3001;
    assert_int_equal(levy_shape_shared_low(h, 4), 0);
    /* 12,004 to a multiple of 16 */
    assert_int_equal(levy_shape_shared_bytes(h, &tile, 1, 0), 12016 + staged);
    h->generator = 1;
    assert_int_equal(levy_shape_shared_bytes(h, &tile, 4, 0), 4096 + staged);
    h->generator = 0;
    h->precision = 1;
    h->n_draws = 21201; /* the whole Sobol table: words of one row fit where those of 8 do not */
    assert_int_equal(levy_shape_lanes(h, &tile), 8);
    assert_true(levy_shape_shared_bytes(h, &tile, 8, 0) <= LEVY_SHAPE_SHARED_PORTABLE);
    h->model = 1; /* reads words of its own, of every row */
    assert_int_equal(levy_shape_lanes(h, &tile), 1);
    assert_true(levy_shape_shared_bytes(h, &tile, 1, 0) <= LEVY_SHAPE_SHARED_PORTABLE);
}

/* ---- Codes, opening -------------------------------------------------------------------------- */

static void test_codes_fatal_ones_are_those_of_the_header(void **state)
{
    (void)state;
    static const int fatal[] = {4,   214, 220, 226, 700, 702, 710, 714, 715,
                                716, 717, 718, 719, 721, 810, 911, 999};
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
    assert_true(info.batch_blocks > 0 && info.tiles.items >= 4 && info.tiles.dynamics >= 4);
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
    static const struct {
        int code;
        const char *words;
    } cases[] = {{34, "stub library"},
                 {35, "too old"},
                 {100, "no CUDA-capable GPU was found"},
                 {46, "exclusive mode"},
                 {3, "could not be initialised"},
                 {999, "unknown error"},
                 {803, "different versions"}};
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
    assert_string_equal(why, "the NVIDIA driver is too old: it supports CUDA 11.8, and levy needs "
                             "CUDA 12.0 (driver 525) or newer");
    fake_cuda_reset();
    fake.driver_version = 12040;
    assert_int_equal(open_fake(&cuda), LEVY_DEVICE);
    assert_string_equal(why, "the NVIDIA driver is too old: it supports CUDA 12.4, but NVRTC 13.0 "
                             "needs driver 580 or newer");
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
    /* this shape was not shipped */
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_DEVICE);
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
    o.device = -1;
    o.place = 4; /* of several processes, each takes a GPU in turn */
    assert_int_equal(levy_cuda_open(fake_cuda_calls(), &o, &cuda, why), LEVY_OK);
    levy_cuda_describe(cuda, &info);
    assert_string_equal(info.device, "Fake \"1\" (cuda:1)");
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
    assert_string_equal(why, "cuda:0 (Fake \"0\") has no free memory: 12 MiB of 1024 MiB are free, "
                             "at least 64 are needed");
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
    /* newer than NVRTC, the driver is not older */
    assert_int_equal(choose(130, 13000, &target), LEVY_OK);
    assert_string_equal(target.architecture, "compute_121");
    assert_true(target.ptx);
    assert_int_equal(choose(130, 12080, &target), LEVY_UNSUPPORTED);
    assert_non_null(strstr(why, "NVRTC 13.0, and the driver (CUDA 12.8) is older"));
    assert_int_equal(choose(70, 13000, &target), LEVY_UNSUPPORTED);
    assert_string_equal(why, "NVRTC 13.0 does not compile for sm_70; it knows sm_75 to sm_121");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CUDA_CASE(test_shape_two_strikes_one_text),
        CUDA_CASE(test_shape_is_the_text_expected),
        CUDA_CASE(test_shape_differs_by_precision_kind_and_covariance),
        CUDA_CASE(test_shape_refuses_a_tile_outside_its_image),
        CUDA_CASE(test_shape_lanes_follow_the_table),
        CUDA_CASE(test_shape_shared_memory_follows_the_layout),
        CUDA_CASE(test_codes_fatal_ones_are_those_of_the_header),
        CUDA_CASE(test_open_describes_the_device),
        CUDA_CASE(test_open_without_a_driver_says_so),
        CUDA_CASE(test_open_without_a_gpu_says_so),
        CUDA_CASE(test_open_refuses_an_old_driver_naming_both_versions),
        CUDA_CASE(test_open_without_nvrtc_fails_unless_kernels_were_shipped),
        CUDA_CASE(test_open_takes_the_device_asked_for),
        CUDA_CASE(test_open_takes_the_first_usable_device),
        CUDA_CASE(test_open_without_free_memory_says_how_much_there_is),
        CUDA_CASE(test_target_is_cubin_ptx_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
