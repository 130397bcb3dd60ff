/* cuda_fixture.h: what the tests of the CUDA backend share: counted memory, a fresh fake before
 * each test, the checks after it, and one run through open, load, simulate and close. Included once
 * per test program. */
#ifndef LEVY_TESTS_CUDA_FIXTURE_H
#define LEVY_TESTS_CUDA_FIXTURE_H

#include "tests/cmocka_all.h"

#include "kernels/cuda/device/launch.h"
#include "tests/cuda_image.h"
#include "tests/fake_cuda.h"
#include "tests/heap.h"

#include <math.h>
#include <stdlib.h>

static test_heap count;
static const levy_memory memory = {heap_allocate, heap_reallocate, heap_release, &count, NULL};
static char why[LEVY_REASON_SIZE];

static inline int reset(void **state)
{
    (void)state;
    fake_cuda_reset();
    count.live = count.calls = count.fail_at = 0;
    memset(why, 0, sizeof why);
    return 0;
}

/* What must hold when all is closed, on a device that lived or died. */
static inline int check_closed(void **state)
{
    (void)state;
    assert_int_equal(fake.misuse, 0);
    assert_int_equal(fake.calls_after_fatal, 0);
    assert_int_equal(count.live, 0);
    return 0;
}

static inline levy_backend_options options(void)
{
    return (levy_backend_options){.memory = &memory, .device = -1, .no_cache = true};
}

static inline levy_status open_fake(levy_cuda **cuda)
{
    const levy_backend_options o = options();
    return levy_cuda_open(fake_cuda_calls(), &o, cuda, why);
}

/* The real compiler, or the test is skipped. */
static inline levy_cuda_calls load_nvrtc(void)
{
    levy_cuda_calls calls = levy_cuda_calls_real;
    if (calls.load_compiler(&calls, 0, why) == LEVY_OK) return calls;
    print_message("skipped: no NVRTC: %s\n", why);
    skip();
    return calls;
}

/* The text is compiled to machine code without a warning, and none of its entries spills, or keeps
 * anything on a stack unless `framed`. */
static inline void nvrtc_compiles(const levy_cuda_calls *calls, const char *architecture,
                                  const char *text, bool framed)
{
    static const char clean[] = " bytes stack frame, 0 bytes spill stores, 0 bytes spill loads";
    levy_jit_kernel kernel;
    levy_jit_target target = {.ptx = false};
    snprintf(target.architecture, sizeof target.architecture, "%s", architecture);
    const levy_status status = levy_jit_compile(calls, &memory, &target, text, NULL, &kernel, why);
    if (status != LEVY_OK)
        print_error("%s: %s\n%s\n", architecture, why, kernel.log ? kernel.log : "");
    assert_int_equal(status, LEVY_OK);
    assert_null(strstr(kernel.log, "warning"));
    assert_non_null(strstr(kernel.log, " bytes stack frame"));
    for (const char *at = kernel.log; (at = strstr(at, " bytes stack frame")) != NULL; ++at) {
        const bool kept = strncmp(at, clean, sizeof clean - 1) != 0 ||
                          (!framed && (at[-1] != '0' || at[-2] != ' '));
        if (kept) print_error("%s\n%s\n", text, kernel.log);
        assert_false(kept);
    }
    assert_memory_equal(kernel.data, "\177ELF", 4);
    levy_jit_release(&memory, &kernel);
}

/* A run of a stand-alone object over the fake, from open to close. */
typedef levy_status (*fake_use)(const void *subject, levy_kernel_made *made);

/* Each driver call fails in turn, once and for all time (719): nothing is lost or used again. */
static inline void each_driver_call_fails(void **state, fake_use run, const void *subject)
{
    static const int codes[] = {2, 719};
    levy_kernel_made made;
    for (size_t k = 0; k < 2; ++k)
        for (long at = 1; at < 200; ++at) {
            reset(state);
            fake.fail_at = at;
            fake.fail_code = codes[k];
            const levy_status status = run(subject, &made);
            check_closed(state);
            /* a GPU that cannot be made current gives nothing back */
            if (codes[k] == 2 && !(fake.failed && strcmp(fake.failed, "context_push") == 0))
                assert_int_equal(fake.held, 0);
            if (!fake.failed) {
                assert_int_equal(status, LEVY_OK);
                break;
            }
            assert_true(at < 199);
        }
}

static inline void each_allocation_fails(void **state, fake_use run, const void *subject)
{
    levy_status status = LEVY_MEMORY;
    levy_kernel_made made;
    for (long at = 1; at < 100 && status != LEVY_OK; ++at) {
        reset(state);
        count.fail_at = at;
        status = run(subject, &made);
        assert_true(status == LEVY_OK || status == LEVY_MEMORY);
        check_closed(state);
        assert_int_equal(fake.held, 0);
    }
    assert_int_equal(status, LEVY_OK);
}

/* Opens, prices 40 blocks of two tiles in one go, and 37 as branches of 8, closes. */
enum { BLOCKS = 40, OUTPUTS = 3, HEIGHT = 3, MERGED = 37, BRANCHES = 5 };
typedef struct outcome {
    levy_status status;
    levy_block_sum sums[BLOCKS * OUTPUTS];
    levy_block_sum branches[BRANCHES * 2];
    double seconds;
} outcome;

#define CONSTANT(output) (0.25 * (output) + 0.5) /* known to the branches alone */

static inline levy_status run_loaded(levy_cuda *cuda, const levy_tile *tiles, outcome *result)
{
    levy_block_sum first[BLOCKS * 2], second[BLOCKS];
    const levy_batch batches[3] = {
        {.tile = tiles[0], .first_block = 5, .n_blocks = BLOCKS},
        {.tile = tiles[1], .first_block = 5, .n_blocks = BLOCKS},
        {.tile = tiles[0], .first_block = 16, .n_blocks = MERGED, .height = HEIGHT}};
    double seconds[2] = {0.0, 0.0};
    LEVY_TRY(levy_cuda_simulate(cuda, &batches[0], NULL, first, &result->seconds, why));
    LEVY_TRY(levy_cuda_simulate(cuda, &batches[1], NULL, second, &seconds[0], why));
    LEVY_TRY(levy_cuda_simulate(cuda, &batches[2], NULL, result->branches, &seconds[1], why));
    for (int b = 0; b < BLOCKS; ++b) {
        memcpy(&result->sums[b * OUTPUTS], &first[b * 2], 2 * sizeof *first);
        result->sums[b * OUTPUTS + 2] = second[b];
    }
    return LEVY_OK;
}

static inline void run_all(outcome *result)
{
    cuda_image image;
    levy_cuda *cuda = NULL;
    memset(result, 0, sizeof *result);
    cuda_image_make(&image, OUTPUTS, 100.0);
    for (int o = 0; o < 2; ++o) image.outputs[o].constant = CONSTANT(o);
    const levy_tile tiles[2] = {cuda_image_tile(0, 2), cuda_image_tile(2, 1)};
    result->status = open_fake(&cuda);
    if (result->status == LEVY_OK)
        result->status = levy_cuda_load(cuda, &image.header, tiles, 2, why);
    if (result->status == LEVY_OK) result->status = run_loaded(cuda, tiles, result);
    levy_cuda_close(cuda);
}

/* Blocks whose numbers rise by 1,000 from one to the next: the mean is that of the first and the
 * last, and the squares add what blocks lie apart. */
static inline void check_branch(const levy_block_sum *sum, int first, int n, int output)
{
    const double mean = 1000.0 * first + 500.0 * (n - 1) + output + 64;
    const double apart = LEVY_BLOCK_PATHS * 1e6 * n * ((double)n * n - 1) / 12;
    assert_true(fabs(sum->mean - mean - CONSTANT(output)) < 1e-9 * mean);
    assert_true(fabs(sum->m2 - 0.5 * n * mean - apart) < 1e-12 * (apart + n * mean));
}

static inline void check_sums(const outcome *result)
{
    for (int b = 0; b < BLOCKS; ++b)
        for (int o = 0; o < OUTPUTS; ++o) {
            const double expected = (double)((5 + b) * 1000 + o + 64);
            assert_true(result->sums[b * OUTPUTS + o].mean == expected);
            assert_true(result->sums[b * OUTPUTS + o].m2 == 0.5 * expected);
        }
    for (int b = 0; b < BRANCHES; ++b)
        for (int o = 0; o < 2; ++o)
            check_branch(&result->branches[b * 2 + o], 16 + 8 * b, b < 4 ? 8 : MERGED - 32, o);
}

static inline void shape_of(const cuda_image *image, levy_tile tile, char *text)
{
    const uint32_t lanes = levy_shape_lanes(&image->header, &tile);
    assert_int_equal(levy_shape_write(&image->header, &tile, lanes,
                                      levy_shape_rows(&image->header, &tile, lanes, 228 << 10),
                                      text, LEVY_SHAPE_TEXT_SIZE),
                     LEVY_OK);
}

#define CUDA_CASE(test) cmocka_unit_test_setup_teardown(test, reset, check_closed)

#endif
