/* test_cuda_stage.c: the toy stage of stage_case.h on GPUs that are none (fake_module.c in the
 * place of the CUDA module): the CPU's bits on one and on several, and whichever call of the driver
 * fails, nothing is left behind and the fit can be made again. */
#include "tests/gpu_context.h"
#include "tests/stage_case.h"

enum { NO_MEMORY = 2, LAUNCH_FAILED = 719 }; /* codes of the driver */
/* The distance of calls of the driver that fail. */
enum { STRIDE = LEVY_TEST_FULL ? 1 : 3 + 8 * LEVY_SANITIZED };

static int tear_down(void **state)
{
    gpu_finish(state);
    free(toy.levels);
    return gpu->held == 0 && gpu->misuse == 0 ? 0 : -1;
}

/* Whether the call that failed is one that gives something back. */
static bool keeps(const char *member)
{
    static const char *const members[] = {"context_push",  "context_pop",   "context_release",
                                          "memory_free",   "host_free",     "stream_destroy",
                                          "event_destroy", "module_unload", "nvrtc_destroy"};
    for (size_t i = 0; i < sizeof members / sizeof *members; ++i)
        if (strcmp(member, members[i]) == 0) return true;
    return false;
}

/* Of so many GPUs, none of which has failed. */
static void use(int devices)
{
    levy_call_device_drop(context);
    /* what a lost context holds the driver gives back when the process ends */
    if (!gpu->failed || (gpu->fail_code == NO_MEMORY && !keeps(gpu->failed)))
        assert_int_equal(gpu->held, 0);
    gpu_reset();
    gpu->devices = devices;
}

static toy_priced price_on(const char *device, const char *key, const char *value)
{
    const levy_price_options how = {
        .struct_size = sizeof how, .device = device, .threads = 2, .no_kernel_cache = 1};
    return toy_price(context, key, value, &how);
}

static void assert_same(const toy_priced *a, const toy_priced *b)
{
    assert_int_equal(a->status, LEVY_STATUS_OK);
    assert_memory_equal(a, b, sizeof *a);
}

static void test_gpus_fit_as_the_cpu_does(void **state)
{
    (void)state;
    static const char *const precisions[] = {"double", "single", "mixed"};
    double fitted[TOY_FITTED];
    for (size_t p = 0; p < 3; ++p) {
        const toy_priced want = price_on("cpu", "simulation.precision", precisions[p]);
        if (p == 0) memcpy(fitted, toy.fitted, sizeof fitted);
        for (int n = 1; n <= 3; n += 2) {
            use(n);
            const toy_priced got =
                price_on(n > 1 ? "cuda:all" : "cuda", "simulation.precision", precisions[p]);
            assert_true(gpu->launches > 0);
            assert_same(&want, &got); /* the fake's kernels are the CPU's path loop */
            assert_memory_equal(fitted, toy.fitted, sizeof fitted);
        }
    }
}

/* With `auto` the CPU takes over, also in the midst of a stage. */
static void test_a_gpu_may_fail_within_a_stage(void **state)
{
    (void)state;
    static const int codes[] = {NO_MEMORY, LAUNCH_FAILED};
    const toy_priced want = price_on("cpu", NULL, NULL);
    for (size_t c = 0; c < sizeof codes / sizeof *codes; ++c)
        for (long at = 1;; at += STRIDE) {
            use(1);
            gpu->fail_at = at;
            gpu->fail_code = codes[c];
            const toy_priced got = price_on("auto", NULL, NULL);
            assert_same(&want, &got);
            assert_int_equal(gpu->misuse, 0);
            if (!gpu->failed) break;
        }
    use(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gpus_fit_as_the_cpu_does),
                                       cmocka_unit_test(test_a_gpu_may_fail_within_a_stage)};
    return cmocka_run_group_tests(tests, gpu_start, tear_down);
}
