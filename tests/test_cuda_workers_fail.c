/* test_cuda_workers_fail.c: a book of many groups where calls of the GPU or allocations fail, where
 * memory is limited, and where a journal is written or resumed: as with one thread. */
#include "tests/heap.h"
#include "tests/workers_case.h"
#include "tests/words.h"

#include <unistd.h>

enum { OUT_OF_MEMORY = 2, INVALID_HANDLE = 400, LAUNCH_FAILED = 719, FOR_EVER = 1000000 };

/* The distance of calls of the GPU that fail, how many of the host's allocations do, and the
 * distance of limits on memory, in KiB, which a sanitizer finds dear. */
enum {
    CALLS = LEVY_TEST_FULL   ? 53
            : LEVY_SANITIZED ? 499 * LEVY_SANITIZED
                             : 251,
    ALLOCATIONS = LEVY_TEST_FULL   ? 300
                  : LEVY_SANITIZED ? 20 / LEVY_SANITIZED
                                   : 50,
    LIMITS = LEVY_SANITIZED ? 999 : 333
};

static kept_text journals[2];

static void fail_from(const char *member, long call, int code)
{
    gpu->calls = 0;
    gpu->fail_member = member;
    gpu->fail_at = call;
    gpu->fail_code = code;
    gpu->fail_times = FOR_EVER;
}

static void fail_images(void) { fail_from("copy_to_device", 1, OUT_OF_MEMORY); }
static void fail_launches(void) { fail_from("launch", 1, LAUNCH_FAILED); }
static void fail_waits(void) { fail_from("event_synchronize", 1, OUT_OF_MEMORY); }

static void test_a_gpu_that_always_fails_does_so_with_any_number_of_workers(void **state)
{
    (void)state;
    static const char *const devices[] = {"cuda", "auto"};
    for (size_t d = LEVY_SANITIZED == 2; d < 2; ++d) { /* one has the other's threads and more */
        const wish w = {.device = devices[d]},
                   single = {.device = devices[d], .precision = "single"};
        compare_failing(w, fail_images);
        compare_failing(w, fail_launches);
        compare_failing(w, fail_waits);
        compare_failing(single, fail_launches);
        compare_failing(single, fail_waits);
    }
    workers_reset(NULL);
}

/* Whatever call fails, once or from then on: under auto every trade has its price, in double to the
 * same bits. Which groups the failure meets depends on the threads. */
static void test_no_failure_of_a_gpu_costs_a_price(void **state)
{
    (void)state;
    static const int codes[] = {OUT_OF_MEMORY, INVALID_HANDLE, LAUNCH_FAILED};
    levy_results *cpu = NULL, *run = NULL;
    levy_book *book;
    levy_price_options how = {.struct_size = sizeof how, .device = "cpu", .threads = 1};
    book = read_book(context, book_text.bytes, NULL, 0);
    assert_int_equal(levy_price(book, &how, &cpu), 0);
    how = (levy_price_options){
        .struct_size = sizeof how, .device = "auto", .threads = 7, .no_kernel_cache = 1};
    for (long call = 3; call < 2000; call += CALLS)
        for (size_t c = 0; c < 6; ++c) {
            workers_reset(NULL);
            fail_from(NULL, call, codes[c / 2]);
            gpu->fail_times = c % 2 ? FOR_EVER : 1;
            assert_int_equal(levy_price(book, &how, &run), 0);
            for (size_t i = 0; i < levy_results_run(cpu)->priced + levy_results_run(cpu)->failed;
                 ++i)
                assert_memory_equal(&levy_results_trade(run, i)->price,
                                    &levy_results_trade(cpu, i)->price, sizeof(double));
            levy_results_destroy(run);
            atomic_store(&levy_call_misuses, 0);
        }
    workers_reset(NULL);
    levy_results_destroy(cpu);
    levy_book_destroy(book);
}

/* The groups stand in their order, so that a resumed run goes on where the other ended. */
static void test_a_journal_is_that_of_one_thread(void **state)
{
    (void)state;
    char path[] = "/tmp/levy-journal-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    remove(path);
    price_workers(context, (wish){.journal = path}, 1, &expected);
    text_read(&journals[0], path); /* device seconds are the fake's, and the same */
    for (size_t c = 0; c < COUNTS; ++c) {
        remove(path);
        workers_reset(NULL);
        price_workers(context, (wish){.journal = path}, counts[c], &seen);
        text_read(&journals[1], path);
        assert_string_equal(journals[1].bytes, journals[0].bytes);
        assert_string_equal(seen.bytes, expected.bytes);
    }
    FILE *const torn = fopen(path, "w");
    fwrite(journals[0].bytes, 1, journals[0].length / 2, torn);
    fclose(torn);
    price_workers(context, (wish){.journal = path, .resume = 1}, 7, &seen);
    assert_string_equal(seen.bytes, expected.bytes);
    text_read(&journals[1], path);
    assert_string_equal(journals[1].bytes, journals[0].bytes);
    remove(path);
}

/* ---- Memory ---- */

static test_heap heap;

static levy_context *open_counted(uint64_t max_memory)
{
    char limit[32];
    snprintf(limit, sizeof limit, "%llu", (unsigned long long)max_memory);
    levy_context_options options = heap_options(&heap);
    options.module_dir = fake_folder;
    options.max_memory = max_memory ? limit : NULL;
    levy_context *made = NULL;
    levy_call_device_drop(context);
    gpu_reset();
    assert_int_equal(levy_context_create(&options, &made), 0);
    made->costs = &costs;
    return made;
}

/* No allocation is missed: all prices are there, or an error says that memory was short; nothing is
 * lost and nothing hangs. */
static void test_an_allocation_that_fails_loses_no_memory(void **state)
{
    (void)state;
    const wish w = {.requotes = 0};
    levy_context *counted = open_counted(0);
    heap_fail(&heap, 0);
    price_workers(counted, w, 7, &expected);
    const long all = heap.calls;
    levy_context_destroy(counted);
    assert_int_equal(heap.live, 0);
    for (long call = 1; call < all; call += all / ALLOCATIONS + 1) {
        counted = open_counted(0);
        heap_fail(&heap, call);
        price_workers(counted, w, 7, &seen);
        heap_fail(&heap, 0);
        levy_context_destroy(counted);
        assert_int_equal(heap.live, 0);
        assert_int_equal(gpu->held, 0);
        assert_int_equal(gpu->misuse, 0);
        assert_true(strcmp(seen.bytes, expected.bytes) == 0 || strstr(seen.bytes, "memory") ||
                    strstr(seen.bytes, "load") || strstr(seen.bytes, "status -4"));
    }
}

static void price_limited(uint64_t limit, uint32_t threads, kept_text *out)
{
    levy_context *const limited = open_counted(limit);
    price_workers(limited, (wish){.requotes = 2}, threads, out);
    levy_context_destroy(limited);
}

/* A limit on memory refuses the same plans, whoever makes them. */
static void test_a_limit_on_memory_refuses_the_same_plans(void **state)
{
    (void)state;
    size_t refused = 0;
    heap_fail(&heap, 0);
    for (uint64_t limit = (uint64_t)400 << 10; limit < (uint64_t)4 << 20; limit += LIMITS << 10) {
        price_limited(limit, 1, &expected);
        for (size_t c = 0; c < COUNTS; ++c) {
            price_limited(limit, counts[c], &seen);
            assert_string_equal(seen.bytes, expected.bytes);
        }
        refused += strstr(expected.bytes, "max_memory") != NULL;
    }
    assert_true(refused > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_a_gpu_that_always_fails_does_so_with_any_number_of_workers),
        CASE(test_no_failure_of_a_gpu_costs_a_price), CASE(test_a_journal_is_that_of_one_thread),
        CASE(test_an_allocation_that_fails_loses_no_memory),
        CASE(test_a_limit_on_memory_refuses_the_same_plans)};
    return cmocka_run_group_tests(tests, workers_start, gpu_finish);
}
