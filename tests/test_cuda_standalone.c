/* test_cuda_standalone.c: the library's stand-alone parts on a GPU that is none (fake_module.c in
 * the place of the CUDA module). levy_draw_each: the device and its kernels stay from call to call,
 * what a GPU refuses, and any driver call that fails. levy_sampler_create: weights on the GPU. */
#include "tests/cmocka_all.h"

#include "engine/book/handles.h"
#include "tests/fake_loaded.h"

#include <string.h>

static fake_cuda *gpu;
static void (*gpu_reset)(void);
static void *(*gpu_memory)(const void *bytes, size_t size);
static levy_context *context;

static int start(void **state)
{
    (void)state;
    gpu = fake_load(&gpu_reset, &gpu_memory);
    return 0;
}

static int open_context(void **state)
{
    (void)state;
    const levy_context_options options = {.struct_size = sizeof options, .module_dir = fake_folder};
    gpu_reset();
    return levy_context_create(&options, &context);
}

static int close_context(void **state)
{
    (void)state;
    levy_context_destroy(context);
    assert_int_equal(gpu->misuse, 0);
    assert_int_equal(gpu->calls_after_fatal, 0);
    return 0;
}

/* Addresses that the fake never follows. */
static uint32_t *const items = (uint32_t *)65536;
static levy_draw_spec spec_of(int precision)
{
    return (levy_draw_spec){.struct_size = sizeof(levy_draw_spec),
                            .theta = (void *)4096,
                            .phi = (void *)8192,
                            .n_paths = 1000,
                            .n_items = 100,
                            .precision = precision,
                            .device = "cuda",
                            .n_draws = 3,
                            .no_kernel_cache = 1};
}

static void test_the_device_stays_from_call_to_call(void **state)
{
    (void)state;
    const double weights[] = {1.0, 2.0};
    uint32_t item;
    levy_draw_spec spec = spec_of(LEVY_BRIDGE_DOUBLE);
    assert_int_equal(levy_draw_each(context, &spec, items, &item), LEVY_STATUS_OK);
    assert_int_equal(gpu->compiles, 1);
    assert_ptr_equal(gpu->bridge_stream, &item);
    const long calls = gpu->calls;
    assert_int_equal(levy_draw_each(context, &spec, items, NULL), LEVY_STATUS_OK);
    assert_int_equal(gpu->calls - calls, 3); /* the context pushed, a launch, the context popped */
    assert_ptr_equal(gpu->bridge_stream, NULL);
    spec = spec_of(LEVY_BRIDGE_SINGLE);
    assert_int_equal(levy_draw_each(context, &spec, items, NULL), LEVY_STATUS_OK);
    assert_int_equal(gpu->compiles, 2);
    spec = spec_of(LEVY_BRIDGE_DOUBLE);
    assert_int_equal(levy_draw_each(context, &spec, items, NULL), LEVY_STATUS_OK);
    assert_int_equal(gpu->compiles, 2);
    assert_int_equal(gpu->launches, 4);
    assert_int_equal(gpu->bridge_paths, 4000);
    assert_true(gpu->held > 0);
    const levy_draw_spec own = {.struct_size = sizeof own,
                                .theta = weights,
                                .phi = weights,
                                .n_paths = 1,
                                .n_items = 2}; /* on the CPU: the GPU is given back */
    assert_int_equal(levy_draw_each(context, &own, &item, NULL), LEVY_STATUS_OK);
    assert_int_equal(gpu->held, 0);
}

static void test_what_a_gpu_refuses(void **state)
{
    (void)state;
    levy_draw_spec spec = spec_of(LEVY_BRIDGE_DOUBLE);
    spec.check = 1;
    assert_int_equal(levy_draw_each(context, &spec, items, NULL), LEVY_STATUS_UNSUPPORTED);
    assert_string_equal(levy_diagnostic_get(context, 0)->path, "check");
    spec = spec_of(LEVY_BRIDGE_DOUBLE);
    spec.theta_stride = (size_t)1 << 29;
    assert_int_equal(levy_draw_each(context, &spec, items, NULL), LEVY_STATUS_UNSUPPORTED);
    assert_non_null(strstr(levy_diagnostic_get(context, 0)->message, "2^29 numbers apart"));
    spec = spec_of(LEVY_BRIDGE_DOUBLE);
    spec.device = "cuda:7";
    assert_int_equal(levy_draw_each(context, &spec, items, NULL), LEVY_STATUS_DEVICE);
    assert_int_equal(gpu->launches, 0);
    assert_int_equal(gpu->held, 0);
}

/* Each driver call of a first and a second use fails in turn, once or for all time (719). The next
 * call draws: on the GPU if it is still there, else on one that is opened anew. */
static void test_any_call_may_fail(void **state)
{
    static const int codes[] = {2, 719};
    const levy_draw_spec spec = spec_of(LEVY_BRIDGE_SINGLE);
    for (size_t k = 0; k < 2; ++k)
        for (long at = 1;; ++at) {
            assert_true(at < 200);
            close_context(state);
            assert_int_equal(open_context(state), 0);
            gpu->fail_at = at;
            gpu->fail_code = codes[k];
            int status = levy_draw_each(context, &spec, items, NULL);
            if (status == LEVY_STATUS_OK) status = levy_draw_each(context, &spec, items, NULL);
            if (!gpu->failed) {
                assert_int_equal(status, LEVY_STATUS_OK);
                break;
            }
            assert_true(status == LEVY_STATUS_OK || levy_diagnostic_count(context) > 0);
            if (codes[k] == 719) {
                if (status != LEVY_STATUS_DEVICE) continue;
                assert_int_equal(gpu->calls_after_fatal, 0);
                gpu_reset(); /* another GPU, and no more failures */
            }
            assert_int_equal(levy_draw_each(context, &spec, items, NULL), LEVY_STATUS_OK);
        }
}

/* ---- A sampler whose weights lie on the GPU ---------------------------------------------------
 */

static long fail_from; /* the driver call that fails; 0: none */

static int sampler_of(const double *from, size_t count, const char *device)
{
    levy_sampler *sampler = NULL;
    const levy_sampler_spec spec = {.struct_size = sizeof spec,
                                    .weights = gpu_memory(from, count * sizeof *from),
                                    .count = count,
                                    .device = device,
                                    .no_kernel_cache = 1,
                                    .weights_on_device = 1};
    assert_non_null(spec.weights);
    gpu->calls = 0; /* the memory above was not the library's */
    gpu->fail_at = fail_from;
    gpu->fail_code = 2;
    const int status = levy_sampler_create(context, &spec, &sampler);
    assert_true((status == LEVY_STATUS_OK) == (sampler != NULL));
    if (sampler) assert_int_equal(levy_sampler_info(sampler)->count, count);
    levy_sampler_destroy(sampler);
    return status;
}

static const double weights[] = {1.0, 2.0, 0.5};

static void test_weights_of_the_gpu_are_read(void **state)
{
    (void)state;
    const double odd[] = {1.0, 2.0, -0.5};
    assert_int_equal(sampler_of(weights, 3, "cuda"), LEVY_STATUS_OK);
    assert_int_equal(gpu->held, 1); /* the weights, which are the test's */
    assert_int_equal(sampler_of(odd, 3, "cuda"), LEVY_STATUS_ARGUMENT);
    assert_string_equal(levy_diagnostic_get(context, 0)->message,
                        "weights[2] is -0.5: a weight must be a finite number, 0 or more");
    assert_int_equal(sampler_of(weights, 3, "cpu"), LEVY_STATUS_ARGUMENT);
    assert_string_equal(levy_diagnostic_get(context, 0)->path, "weights_on_device");
    const levy_sampler_spec many = {.struct_size = sizeof many,
                                    .weights = (const double *)4096, /* is not read */
                                    .count = (size_t)1 << 32,
                                    .device = "cuda",
                                    .weights_on_device = 1};
    levy_sampler *sampler;
    assert_int_equal(levy_sampler_create(context, &many, &sampler), LEVY_STATUS_ARGUMENT);
    assert_non_null(strstr(levy_diagnostic_get(context, 0)->message, "4294967296 weights"));
}

static void test_reading_weights_may_fail(void **state)
{
    for (long at = 1;; ++at) {
        assert_true(at < 200);
        close_context(state);
        assert_int_equal(open_context(state), 0);
        fail_from = at;
        const int status = sampler_of(weights, 3, "cuda");
        fail_from = 0;
        if (!gpu->failed) {
            assert_int_equal(status, LEVY_STATUS_OK);
            break;
        }
        assert_true(status == LEVY_STATUS_OK || levy_diagnostic_count(context) > 0);
    }
}

int main(void)
{
#define STANDALONE_CASE(test) cmocka_unit_test_setup_teardown(test, open_context, close_context)
    const struct CMUnitTest tests[] = {STANDALONE_CASE(test_the_device_stays_from_call_to_call),
                                       STANDALONE_CASE(test_what_a_gpu_refuses),
                                       STANDALONE_CASE(test_any_call_may_fail),
                                       STANDALONE_CASE(test_weights_of_the_gpu_are_read),
                                       STANDALONE_CASE(test_reading_weights_may_fail)};
    return cmocka_run_group_tests(tests, start, NULL);
}
