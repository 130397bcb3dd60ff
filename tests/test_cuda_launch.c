/* test_cuda_launch.c: loading and simulating without a GPU: pieces, cancellation, memory that runs
 * out, and every call and allocation failing once. */
#include "tests/cuda_fixture.h"

/* ---- Simulation ------------------------------------------------------------------------------ */

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
    const levy_batch batch = {.tile = tile, .first_block = 11, .n_blocks = MANY};
    levy_block_sum *const sums = calloc(MANY, sizeof *sums);
    /* 48 blocks took 6 ms: pieces of 20 ms come to 160, in whole waves of 6: 156 */
    fake.milliseconds = 6.0f;
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

/* The launches that make sums of values, of a batch of blocks of `paths` paths. */
static long shared_launches(uint64_t n_blocks, uint64_t paths)
{
    cuda_image image;
    levy_cuda *cuda = NULL;
    double seconds = 0.0;
    cuda_image_make(&image, 1, 100.0);
    image.header.paths = paths;
    image.header.blocks = (paths + LEVY_BLOCK_PATHS - 1) / LEVY_BLOCK_PATHS;
    const levy_tile tile = cuda_image_tile(0, 1);
    const levy_batch batch = {.tile = tile, .n_blocks = n_blocks};
    levy_block_sum *const sums = calloc(n_blocks, sizeof *sums);
    fake.columns = 0;
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_OK);
    assert_int_equal(levy_cuda_simulate(cuda, &batch, NULL, sums, &seconds, why), LEVY_OK);
    for (uint64_t b = 0; b < n_blocks; ++b) assert_true(sums[b].mean == (double)(b * 1000 + 64));
    levy_cuda_close(cuda);
    free(sums);
    return fake.columns;
}

/* The fake GPU does six blocks at a time. */
static void test_simulate_shares_blocks_where_there_are_few(void **state)
{
    (void)state;
    assert_int_equal(shared_launches(1, 1 << 20), 1);
    assert_int_equal(shared_launches(7, 1 << 20), 1);  /* a wave and a sixth */
    assert_int_equal(shared_launches(6, 1 << 20), 0);  /* a wave */
    assert_int_equal(shared_launches(24, 1 << 20), 0); /* four */
    assert_int_equal(shared_launches(1, 256), 0);      /* a row is not divided */
}

static void test_load_copies_a_plan_once(void **state)
{
    (void)state;
    cuda_image image;
    levy_cuda *cuda = NULL;
    cuda_image_make(&image, 1, 100.0);
    const levy_tile tile = cuda_image_tile(0, 1);
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    const uint64_t hashes[] = {7, 7, 8, 0, 0};
    for (size_t i = 0; i < sizeof hashes / sizeof *hashes; ++i) {
        const size_t before = fake.copied_to_device;
        image.header.numeric_hash = hashes[i];
        assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_OK);
        assert_true((fake.copied_to_device > before) == (i != 1)); /* 0: a plan without a name */
    }
    levy_cuda_close(cuda);
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
    const levy_batch other = {.tile = cuda_image_tile(1, 1), .n_blocks = 1};
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_OK);
    assert_int_equal(levy_cuda_simulate(cuda, &other, NULL, &sum, &seconds, why), LEVY_ARGUMENT);
    levy_cuda_unload(cuda);
    levy_cuda_unload(cuda);
    assert_int_equal(
        levy_cuda_simulate(cuda, &(levy_batch){.tile = tile, .first_block = 0, .n_blocks = 1}, NULL,
                           &sum, &seconds, why),
        LEVY_ARGUMENT);
    levy_cuda_close(cuda);
    assert_int_equal(fake.held, 0);
}

static void test_load_compiles_each_shape_once(void **state)
{
    (void)state;
    cuda_image image;
    levy_cuda *cuda = NULL;
    cuda_image_make(&image, 8, 100.0);
    const levy_tile tiles[4] = {cuda_image_tile(0, 1), cuda_image_tile(6, 1), cuda_image_tile(1, 1),
                                cuda_image_tile(7, 1)};
    /* items 0 and 6, 1 and 7 differ in strike or trade, not in shape */
    assert_int_equal(open_fake(&cuda), LEVY_OK);
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
    assert_int_equal(levy_cuda_load(cuda, &second.header, &two, 1, why), LEVY_OK);
    const long held = fake.held, compiles = fake.compiles;
    for (int i = 0; i < 5; ++i) {
        assert_int_equal(levy_cuda_load(cuda, &first.header, &one, 1, why), LEVY_OK);
        assert_int_equal(levy_cuda_load(cuda, &second.header, &two, 1, why), LEVY_OK);
    }
    assert_int_equal(fake.held, held);
    assert_int_equal(fake.compiles, compiles); /* kernels stay on the device */
    assert_int_equal(levy_cuda_simulate(cuda, &(levy_batch){.tile = two, .n_blocks = 1}, NULL, sums,
                                        &seconds, why),
                     LEVY_OK);
    assert_true(sums[0].mean == 500.0 && sums[1].mean == 501.0);
    levy_cuda_close(cuda);
    assert_int_equal(fake.held, 0);
}

/* The shape is the same, the grid is not: what a launch takes of shared memory follows the grid
 * (the fake GPU checks). */
static void test_a_kernel_that_stays_serves_other_grids(void **state)
{
    (void)state;
    cuda_image images[2];
    levy_cuda *cuda = NULL;
    levy_block_sum sum;
    double seconds = 0.0;
    const levy_tile tile = cuda_image_tile(0, 1);
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    for (uint32_t turn = 0; turn < 4; ++turn) {
        cuda_image *const image = &images[turn % 2];
        cuda_image_make(image, 1, 100.0);
        image->header.n_nodes = image->header.n_draws = turn % 2 ? 48 : 64;
        assert_int_equal(levy_cuda_load(cuda, &image->header, &tile, 1, why), LEVY_OK);
        assert_int_equal(
            levy_cuda_simulate(cuda, &(levy_batch){.tile = tile, .first_block = 0, .n_blocks = 1},
                               NULL, &sum, &seconds, why),
            LEVY_OK);
        assert_int_equal(fake.compiles, 1);
    }
    levy_cuda_close(cuda);
    assert_int_equal(fake.held, 0);
    assert_int_equal(fake.misuse, 0);
}

/* Host and module may lie beside each other from different builds; the build id says so first, the
 * image itself last. */
static void test_load_refuses_an_image_of_another_version(void **state)
{
    (void)state;
    cuda_image image;
    levy_cuda *cuda = NULL;
    const levy_tile tile = cuda_image_tile(0, 1);
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    cuda_image_make(&image, 1, 100.0);
    image.header.version++;
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_INTERNAL);
    assert_non_null(strstr(why, "the plan's image has version"));
    image.header.version--;
    image.header.magic ^= 1;
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_INTERNAL);
    assert_int_equal(fake.compiles, 0);
    image.header.magic ^= 1;
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_OK);
    levy_cuda_close(cuda);
    assert_int_equal(fake.held, 0);
}

static void test_load_gives_way_to_a_plan_that_needs_the_memory(void **state)
{
    (void)state;
    cuda_image first, second;
    levy_cuda *cuda = NULL;
    levy_block_sum sum;
    double seconds = 0.0;
    cuda_image_make(&first, 1, 100.0);
    cuda_image_make(&second, 2, 100.0);
    const levy_tile one = cuda_image_tile(0, 1), other = cuda_image_tile(1, 1);
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    assert_int_equal(levy_cuda_load(cuda, &first.header, &one, 1, why), LEVY_OK);
    fake.fail_member = "module_load";
    fake.calls = 0;
    fake.fail_at = 1;
    fake.fail_code = 2;
    assert_int_equal(levy_cuda_load(cuda, &second.header, &other, 1, why), LEVY_OK);
    assert_int_equal(levy_cuda_simulate(cuda, &(levy_batch){.tile = other, .n_blocks = 1}, NULL,
                                        &sum, &seconds, why),
                     LEVY_OK);
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
    fake.compile_log =
        "a note\nkernels/path/loop.h(12): error: identifier \"x\" is undefined\nmore\n";
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_INTERNAL);
    assert_string_equal(why, "the kernel does not compile: kernels/path/loop.h(12): error: "
                             "identifier \"x\" is undefined");
    levy_cuda_close(cuda);
    assert_int_equal(fake.held, 0);
}

static int third_time(void *user) { return ++*(int *)user >= 3; }
static int at_once(void *user) { return ++*(int *)user > 0; }

/* The caller's thread asks while others compile, and what compiles asks too. */
static void test_a_compile_is_cancelled(void **state)
{
    (void)state;
    int asked = 0;
    const levy_cancel ways[] = {{.tick = third_time, .tick_user = &asked},
                                {.poll = third_time, .user = &asked},
                                {.poll = at_once, .user = &asked}};
    for (size_t k = 0; k < 3; ++k) {
        cuda_image image;
        levy_cuda *cuda = NULL;
        cuda_image_make(&image, 1, 100.0);
        const levy_tile tile = cuda_image_tile(0, 1);
        fake.compile_seconds = 60.0;
        fake.compiles = asked = 0;
        assert_int_equal(open_fake(&cuda), LEVY_OK);
        levy_cuda_watch(cuda, &ways[k]);
        assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_CANCELLED);
        assert_string_equal(why, "cancelled");
        assert_int_equal(fake.compiles, k < 2); /* what is told at once begins none */
        assert_true(asked >= (k < 2 ? 3 : 1));
        levy_cuda_watch(cuda, NULL);
        fake.compile_seconds = 0.0;
        assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_OK);
        levy_cuda_close(cuda);
        assert_int_equal(fake.held, 0);
    }
}

/* It ends what it has begun, and the caller is asked meanwhile. */
static void test_an_nvrtc_that_cannot_be_told_ends_its_kernel(void **state)
{
    (void)state;
    int asked = 0;
    const levy_cancel cancel = {.tick = third_time, .tick_user = &asked};
    levy_cuda_calls calls = *fake_cuda_calls();
    const levy_backend_options own = options();
    cuda_image image;
    levy_cuda *cuda = NULL;
    cuda_image_make(&image, 1, 100.0);
    const levy_tile tile = cuda_image_tile(0, 1);
    calls.nvrtc_flow = NULL;
    fake.compile_seconds = 0.2;
    assert_int_equal(levy_cuda_open(&calls, &own, &cuda, why), LEVY_OK);
    levy_cuda_watch(cuda, &cancel);
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_OK);
    assert_true(asked >= 3 && fake.compiles == 1);
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

/* A kernel's own shared memory and what its launch asks for have one limit. */
static void test_shared_memory_of_a_launch_is_beside_the_kernels_own(void **state)
{
    (void)state;
    enum { OWN = 8 << 10, STATIC = 48 << 10 };
    cuda_image image;
    levy_cuda *cuda = NULL;
    double seconds = 0.0;
    levy_block_sum sum;
    cuda_image_make(&image, 1, 100.0);
    const levy_tile tile = cuda_image_tile(0, 1);
    const levy_batch batch = {.tile = tile, .n_blocks = 1};
    uint32_t bytes = 0;
    image.header.mixed = 1; /* paths so long have no table of normals */
    for (image.header.n_draws = 2049; bytes + OWN <= STATIC; ++image.header.n_draws) {
        const uint32_t lanes = levy_shape_lanes(&image.header, &tile);
        bytes = levy_shape_shared_bytes(&image.header, &tile, lanes,
                                        levy_shape_rows(&image.header, &tile, lanes, 228 << 10));
    }
    --image.header.n_draws;
    assert_true(bytes <= STATIC);
    fake.own_shared = OWN;
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_OK);
    assert_int_equal(levy_cuda_simulate(cuda, &batch, NULL, &sum, &seconds, why), LEVY_OK);
    fake.own_shared = (228 << 10) - bytes; /* more than there is */
    levy_cuda_close(cuda);
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_UNSUPPORTED);
    assert_non_null(strstr(why, "need 228 KiB of shared memory"));
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
    const levy_cancel cancel = {.poll = poll_count, .user = &polls};
    levy_block_sum *const sums = calloc(MANY, sizeof *sums);
    cuda_image_make(&image, 1, 100.0);
    const levy_tile tile = cuda_image_tile(0, 1);
    const levy_batch batch = {.tile = tile, .n_blocks = MANY};
    fake.milliseconds = 20.0f;
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_OK);
    assert_int_equal(levy_cuda_simulate(cuda, &batch, &cancel, sums, &seconds, why),
                     LEVY_CANCELLED);
    assert_int_equal(fake.launches, 4);
    assert_int_equal(levy_cuda_simulate(cuda, &batch, NULL, sums, &seconds, why), LEVY_OK);
    for (int b = 0; b < MANY; ++b) assert_true(sums[b].mean == (double)(b * 1000 + 64));
    levy_cuda_close(cuda);
    free(sums);
    assert_int_equal(fake.held, 0);
}

/* ---- Failures -------------------------------------------------------------------------------- */

static void test_out_of_memory_halves_and_keeps_the_bits(void **state)
{
    (void)state;
    static const char *const members[] = {"memory_allocate", "host_allocate",     "launch",
                                          "copy_to_host",    "event_synchronize", "event_record",
                                          "memory_info"};
    for (size_t m = 0; m < sizeof members / sizeof *members; ++m)
        for (long at = 1; at <= 4; ++at) {
            outcome result;
            fake_cuda_reset();
            fake.fail_member = members[m];
            fake.fail_at = at;
            fake.fail_code = 2;
            run_all(&result);
            /* the table of normals, the image itself; opening */
            const bool before_work = (m == 0 && at <= 2) || (m == 6 && at == 1);
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
    static const char *const members[] = {"context_release", "context_pop",    "memory_free",
                                          "host_free",       "stream_destroy", "event_destroy",
                                          "module_unload",   "nvrtc_destroy",  "nvrtc_log",
                                          "nvrtc_log_size",  "context_push" /* when closing */};
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
    /* Without its context nothing can be given back on the device; the driver does it when the
     * process ends. */
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
    /* to ThreadSanitizer codes are alike */
    for (size_t c = 0; c < sizeof codes / sizeof *codes; c += LEVY_SANITIZED == 2 ? 3 : 1) {
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
        count.live = count.calls = 0;
        count.fail_at = n;
        run_all(&result);
        reached = count.calls >= n;
        assert_int_equal(result.status, reached ? LEVY_MEMORY : LEVY_OK);
        assert_int_equal(count.live, 0);
        assert_int_equal(fake.held, 0);
    }
}

/* The next call of `member` answers `code`. */
static void fail_next(const char *member, int code)
{
    fake.fail_member = member;
    fake.calls = 0;
    fake.fail_at = 1;
    fake.fail_code = code;
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
    const levy_batch batch = {.tile = tile, .n_blocks = 8};
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_OK);
    fail_next("event_synchronize", 700);
    assert_int_equal(levy_cuda_simulate(cuda, &batch, NULL, sums, &seconds, why), LEVY_DEVICE);
    assert_string_equal(why, "cuda:0 (Fake \"0\") is lost for this process: CUDA error 700 (a fake "
                             "failure) in event_synchronize");
    memset(why, 0, sizeof why);
    assert_int_equal(levy_cuda_simulate(cuda, &batch, NULL, sums, &seconds, why), LEVY_DEVICE);
    assert_non_null(strstr(why, "is lost for this process"));
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_DEVICE);
    levy_cuda_unload(cuda);
    levy_cuda_close(cuda);
    assert_int_equal(fake.calls_after_fatal, 0);
}

/* The table of normals: what did not reach the GPU is not taken for it later. */
static void test_a_table_that_failed_is_sent_again(void **state)
{
    (void)state;
    cuda_image image;
    levy_cuda *cuda = NULL;
    levy_block_sum sums[8];
    double seconds = 0.0;
    cuda_image_make(&image, 1, 100.0);
    image.header.precision = 1;
    const levy_tile tile = cuda_image_tile(0, 1);
    const levy_batch batch = {.tile = tile, .n_blocks = 8};
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    fail_next("copy_to_device", 1);
    assert_int_not_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_OK);
    assert_string_equal(fake.failed, "copy_to_device");
    fake.fail_at = 0;
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_OK);
    assert_int_equal(levy_cuda_simulate(cuda, &batch, NULL, sums, &seconds, why), LEVY_OK);
    assert_int_equal(fake.misuse, 0);
    levy_cuda_close(cuda);
    assert_int_equal(fake.held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CUDA_CASE(test_simulate_gives_every_block_of_every_output),
        CUDA_CASE(test_simulate_cuts_long_batches_and_keeps_the_bits),
        CUDA_CASE(test_simulate_shares_blocks_where_there_are_few),
        CUDA_CASE(test_load_copies_a_plan_once),
        CUDA_CASE(test_simulate_refuses_a_tile_that_was_not_loaded),
        CUDA_CASE(test_load_compiles_each_shape_once),
        CUDA_CASE(test_load_again_replaces_what_was_loaded),
        CUDA_CASE(test_a_kernel_that_stays_serves_other_grids),
        CUDA_CASE(test_load_refuses_an_image_of_another_version),
        CUDA_CASE(test_load_gives_way_to_a_plan_that_needs_the_memory),
        CUDA_CASE(test_load_shows_the_compilers_first_error),
        CUDA_CASE(test_a_compile_is_cancelled),
        CUDA_CASE(test_an_nvrtc_that_cannot_be_told_ends_its_kernel),
        CUDA_CASE(test_load_refuses_more_shared_memory_than_there_is),
        CUDA_CASE(test_shared_memory_of_a_launch_is_beside_the_kernels_own),
        CUDA_CASE(test_cancel_stops_and_leaves_the_device_usable),
        CUDA_CASE(test_out_of_memory_halves_and_keeps_the_bits),
        CUDA_CASE(test_out_of_memory_for_one_block_is_a_failure),
        CUDA_CASE(test_little_memory_is_enough),
        CUDA_CASE(test_every_call_fails_once_with_every_code),
        CUDA_CASE(test_every_allocation_fails_once),
        CUDA_CASE(test_a_dead_device_is_never_called_again),
        CUDA_CASE(test_a_table_that_failed_is_sent_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
