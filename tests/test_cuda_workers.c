/* test_cuda_workers.c: what a user sees of a book of many groups does not depend on the number of
 * threads, also where groups fail, where the GPU does not take them and where the caller cancels.
 */
#include "tests/workers_case.h"

#include "engine/book/plan_cache.h"
#include "tests/words.h"

static void test_results_do_not_depend_on_the_number_of_workers(void **state)
{
    (void)state;
    static const char *const precisions[] = {"double", "single", "mixed"};
    for (size_t p = 0; p < 3; ++p)
        compare_threads((wish){.precision = precisions[p], .requotes = 3});
    assert_non_null(strstr(expected.bytes, "unknown key"));
    assert_non_null(strstr(expected.bytes, "\"delta\""));
}

/* How many states there are beside the device's own: one for each worker that met a small group. */
static size_t count_beside(const levy_call_device *device)
{
    size_t n = 0;
    for (size_t i = 0; i < LEVY_BESIDE_MOST; ++i) n += device->beside[i] != NULL;
    return n;
}

/* On a CPU workers are threads of their own beside the pool's. */
static void test_a_cpu_has_workers_too(void **state)
{
    (void)state;
    compare_threads((wish){.device = "cpu", .requotes = 3});
    compare_threads((wish){.device = "cpu", .precision = "single", .construction = "pca"});
    compare_threads((wish){.device = "cpu", .stop_at = GROUPS / 2});
    price_workers(context, (wish){.device = "cpu"}, 7, &seen);
    assert_in_range(count_beside(&context->cpu), 1, 7);
    price_workers(context, (wish){.device = "cpu"}, 1, &seen);
    assert_int_equal(count_beside(&context->cpu), 0);
}

/* All but the calling thread are workers; what they have on the GPU is there for the next price. */
static void test_workers_are_kept(void **state)
{
    (void)state;
    void *before[LEVY_BESIDE_MOST];
    price_workers(context, (wish){.requotes = 0}, 7, &seen);
    assert_in_range(count_beside(&context->device), 1, 6);
    memcpy(before, context->device.beside, sizeof before);
    price_workers(context, (wish){.requotes = 0}, 7, &seen);
    for (size_t i = 0; i < LEVY_BESIDE_MOST; ++i)
        if (before[i]) assert_ptr_equal(context->device.beside[i], before[i]);
    levy_call_device_drop(context);
    assert_int_equal(gpu->held, 0);
    price_workers(context, (wish){.requotes = 0}, 1, &seen);
    assert_int_equal(count_beside(&context->device), 0);
}

/* A device is told of all plans before the first group, once for each state of the quotes. */
static void test_a_device_is_told_of_plans_once(void **state)
{
    (void)state;
    const levy_price_options how = {
        .struct_size = sizeof how, .device = "cuda", .threads = 3, .no_kernel_cache = 1};
    levy_book *const book = read_book(context, book_text.bytes, NULL, 0);
    for (int turn = 0; turn < 3; ++turn) {
        levy_results *results = NULL;
        (void)levy_price(book, &how, &results); /* some of its trades fail */
        assert_non_null(results);
        assert_true(levy_plan_cache_is_told(book, context->device.number));
        assert_false(levy_plan_cache_is_told(book, context->device.number + 1));
        levy_results_destroy(results);
        if (turn == 1) assert_int_equal(levy_book_set(book, "A.spot", 101.0), 0);
        if (turn == 1) assert_int_equal(levy_book_refresh(book), 0);
        if (turn == 1) assert_false(levy_plan_cache_is_told(book, context->device.number));
    }
    levy_book_destroy(book);
}

static void test_groups_that_a_gpu_does_not_take_go_to_the_cpu(void **state)
{
    (void)state;
    static const char first[] = "{kind: bridge, first: {components: 17}}";
    compare_threads((wish){.construction = first});
    assert_non_null(strstr(expected.bytes, "functionals of a bridge take up to 32 draws"));
    compare_threads((wish){.construction = first, .device = "auto", .requotes = 1});
    assert_non_null(strstr(expected.bytes, "priced on the CPU: on a GPU"));
}

static void test_a_cancel_leaves_the_groups_before_it(void **state)
{
    (void)state;
    for (uint64_t at = 1; at < 2 * GROUPS; at += 9) compare_threads((wish){.stop_at = at});
    assert_non_null(strstr(expected.bytes, "cancelled"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {CASE(test_results_do_not_depend_on_the_number_of_workers),
                                       CASE(test_a_cpu_has_workers_too),
                                       CASE(test_workers_are_kept),
                                       CASE(test_a_device_is_told_of_plans_once),
                                       CASE(test_groups_that_a_gpu_does_not_take_go_to_the_cpu),
                                       CASE(test_a_cancel_leaves_the_groups_before_it)};
    return cmocka_run_group_tests(tests, workers_start, gpu_finish);
}
