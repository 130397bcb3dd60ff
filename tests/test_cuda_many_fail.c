/* test_cuda_many_fail.c: several GPUs of which one fails, is full or is lost: the others do its
 * work with the same bits, and the result says so; where all fail, the first says why. */
#include "tests/many_case.h"

enum { STRIDE = LEVY_TEST_FULL ? 7 : 13 + 57 * LEVY_SANITIZED };

/* Whatever call of one GPU fails, with whatever code, once or from then on, the price is the same.
 */
static void test_no_failure_of_one_gpu_changes_a_price(void **state)
{
    (void)state;
    static const int codes[] = {OUT_OF_MEMORY, INVALID_HANDLE, LAUNCH_FAILED};
    long noted = 0;
    write_one("paths: 2^16, replicates: 2");
    use(1);
    price_one("cuda", "double", &expected);
    for (long call = 1; call < 400; call += STRIDE)
        for (size_t c = 0; c < 6; ++c) {
            use(3);
            fail_on((int)(call % 3), NULL, call, codes[c / 2], c % 2 ? FOR_EVER : 1);
            price_one(all, "double", &seen);
            assert_non_null(strstr(seen.bytes, "status 0\n"));
            assert_string_equal(results_of(&seen), results_of(&expected));
            assert_int_equal(gpu->calls_after_fatal, 0);
            noted += strstr(seen.bytes, "the others did its work: ") != NULL;
        }
    assert_true(noted > 20 || LEVY_SANITIZED);
    workers_reset(NULL);
}

static void test_the_result_says_which_gpu_failed(void **state)
{
    (void)state;
    write_one("paths: 2^16, replicates: 2");
    use(1);
    price_one("cuda", "double", &expected);
    use(3);
    fail_on(1, "launch", 1, LAUNCH_FAILED, FOR_EVER);
    price_one(all, "double", &seen);
    assert_non_null(strstr(seen.bytes, "a GPU failed; the others did its work: cuda:1 (Fake \"1\") "
                                       "is lost for this process: CUDA error 719"));
    assert_string_equal(results_of(&seen), results_of(&expected));
    assert_non_null(strstr(seen.bytes, "as asked; other GPUs took over: cuda:1 "));
    assert_null(context->device.state); /* the next price asks the GPU again */
    use(3);
    price_one(all, "double", &seen);
    assert_null(strstr(seen.bytes, "took over"));
    assert_non_null(context->device.state);
}

/* It has no memory at all, so that it cannot be opened, or none for a plan. */
static void test_a_full_gpu_leaves_the_work_to_others(void **state)
{
    (void)state;
    write_one("paths: 2^16, replicates: 2");
    use(1);
    price_one("cuda", "double", &expected);
    use(3);
    gpu->full[2] = gpu->free_memory;
    price_one(all, "double", &seen);
    assert_string_equal(results_of(&seen), results_of(&expected));
    assert_non_null(strstr(seen.bytes, "cuda:2 (Fake \"2\") has no free memory: 0 MiB"));
    assert_int_equal(gpu->launches_on[2], 0);
    use(3);
    fail_on(0, "memory_allocate", 1, OUT_OF_MEMORY, FOR_EVER);
    price_one(all, "double", &seen);
    assert_string_equal(results_of(&seen), results_of(&expected));
    assert_non_null(strstr(seen.bytes, "a GPU failed; the others did its work: cuda:0"));
    assert_int_equal(gpu->launches_on[0], 0);
}

/* What the user reads is what one GPU would have said. */
static void test_where_all_fail_the_first_says_why(void **state)
{
    (void)state;
    static const char *const members[] = {"launch", "memory_allocate", "context_retain",
                                          "copy_to_device", "module_load"};
    static const int codes[] = {OUT_OF_MEMORY, INVALID_HANDLE, LAUNCH_FAILED};
    write_one("paths: 2^16, replicates: 2");
    for (size_t m = 0; m < sizeof members / sizeof *members; ++m)
        for (size_t c = 0; c < 3; ++c) {
            use(1);
            fail_on(-1, members[m], 1, codes[c], FOR_EVER);
            price_one("cuda:0", "double", &expected);
            use(3);
            fail_on(-1, members[m], 1, codes[c], FOR_EVER);
            price_one(all, "double", &seen);
            const char *const says = strstr(expected.bytes, "cuda:0 (");
            assert_non_null(says);
            char line[256];
            snprintf(line, sizeof line, "%.*s", (int)strcspn(says, "\n"), says);
            assert_non_null(strstr(seen.bytes, line));
            assert_int_equal(memcmp(seen.bytes, expected.bytes, strcspn(expected.bytes, "\n")), 0);
        }
    workers_reset(NULL);
}

/* Small groups are on one GPU each; those of a GPU that fails move to the others. */
static void test_no_failure_of_one_gpu_changes_a_book(void **state)
{
    (void)state;
    static const int codes[] = {OUT_OF_MEMORY, LAUNCH_FAILED};
    use(1);
    price_many((wish){.requotes = 0}, 7, &expected);
    for (long call = 20; call < 1500; call += LEVY_SANITIZED ? 401 : 97)
        for (size_t c = 0; c < 4; ++c) {
            use(3);
            fail_on((int)(call % 3), NULL, call, codes[c / 2], c % 2 ? FOR_EVER : 1);
            price_many((wish){.device = all, .fails = 1}, 7, &seen);
            assert_string_equal(results_of(&seen), results_of(&expected));
        }
    workers_reset(NULL);
}

/* A plan whose numbers are made first lies on one GPU, and on another one if that fails. */
static void test_numbers_that_are_made_first_stay_on_one_gpu(void **state)
{
    (void)state;
    write_one("paths: 2^16, replicates: 2, pipeline: staged");
    use(1);
    price_one("cuda", "double", &expected);
    assert_non_null(strstr(expected.bytes, "\"ok\""));
    use(3);
    price_one(all, "double", &seen);
    assert_string_equal(seen.bytes, expected.bytes);
    assert_int_equal(at_work(), 1);
    static const char *const members[] = {"launch", "memory_allocate", "copy_to_device"};
    for (size_t m = 0; m < 3; ++m)
        for (long call = 1; call < 6; ++call) {
            use(3);
            fail_on(0, members[m], call, m == 1 ? OUT_OF_MEMORY : LAUNCH_FAILED, FOR_EVER);
            price_one(all, "double", &seen);
            assert_non_null(strstr(seen.bytes, "status 0\n"));
            assert_string_equal(results_of(&seen), results_of(&expected));
        }
    workers_reset(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_no_failure_of_one_gpu_changes_a_price),
        CASE(test_the_result_says_which_gpu_failed),
        CASE(test_a_full_gpu_leaves_the_work_to_others),
        CASE(test_where_all_fail_the_first_says_why),
        CASE(test_no_failure_of_one_gpu_changes_a_book),
        CASE(test_numbers_that_are_made_first_stay_on_one_gpu),
    };
    return cmocka_run_group_tests(tests, workers_start, gpu_finish);
}
