/* test_cuda_choice.c: which device `auto` takes, on a machine whose GPU is fake (fake_module.c):
 * the CPU for a job that it would have done while a GPU starts, and then the driver is not called
 * at all. Open GPUs and compiled kernels count where bits do not depend on the device, and there
 * alone; who names a device gets it. */
#include "tests/gpu_context.h"
#include "tests/kept_text.h"
#include "tests/words.h"
#include "tests/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *journal_path;
static bool with_cache;

#define BOOK(simulation)                                                                           \
    "schema_version: 1\n"                                                                          \
    "market: {curves: {USD: 0.05}, assets: {A: {currency: USD, spot: 100, volatility: 0.2}}}\n"    \
    "models: {m: {kind: black_scholes, assets: [A]}}\n"                                            \
    "trades:\n"                                                                                    \
    "  - {id: a, underlying: A, payoff: {kind: european, option_type: call, strike: 100}, "        \
    "exercise: {expiry: 1.0}}\n"                                                                   \
    "  - {id: b, underlying: A, payoff: {kind: asian, option_type: put, strike: 90, averaging: "   \
    "{method: arithmetic, observations: {count: 4}}}, exercise: {expiry: 2.0}}\n"                  \
    "simulation: " simulation "\n"

static const char small[] = BOOK("{paths: 2^8, replicates: 2}");
/* It counts with its limit, but stops at the second size. */
static const char large[] =
    BOOK("{paths: 2^8, replicates: 2, tolerance: {absolute: 90, max_paths: 2^28}}");

/* It starts so slowly that only a large job is worth it, and compiles more slowly still. */
static const levy_choice_costs slow_compiler = {
    .start = 0.1, .compile = 1e6, .threads = {1e12, 1e12, 1e12}};
/* Only its start speaks against it. */
static const levy_choice_costs slow_start = {.start = 0.1, .threads = {1e12, 1e12, 1e12}};

static int reset_choice(void **state)
{
    (void)state;
    gpu_renew();
    context->costs = NULL;
    with_cache = false;
    return 0;
}

static levy_price_options how(const char *device)
{
    return (levy_price_options){.struct_size = sizeof(levy_price_options),
                                .device = device,
                                .threads = 1,
                                .no_kernel_cache = !with_cache,
                                .no_times = 1,
                                .journal = journal_path};
}

typedef struct priced {
    char backend[16], reason[LEVY_REASON_SIZE];
    double prices[2];
} priced;

static priced price(const char *body, const char *device, const char *precision)
{
    levy_book *const book =
        read_book(context, body, &(levy_setting){"simulation.precision", precision}, 1);
    const levy_price_options options = how(device);
    levy_results *results = NULL;
    priced run;
    assert_int_equal(levy_price(book, &options, &results), LEVY_STATUS_OK);
    snprintf(run.backend, sizeof run.backend, "%s", levy_results_trade(results, 0)->backend);
    snprintf(run.reason, sizeof run.reason, "%s", levy_results_run(results)->device_reason);
    for (size_t i = 0; i < 2; ++i) run.prices[i] = levy_results_trade(results, i)->price;
    levy_results_destroy(results);
    levy_book_destroy(book);
    assert_int_equal(gpu->misuse, 0);
    return run;
}

static void assert_taken(const char *body, const char *precision, const char *backend,
                         const char *reason)
{
    const priced run = price(body, "auto", precision);
    assert_string_equal(run.backend, backend);
    if (!strstr(run.reason, reason)) fail_msg("'%s' does not say '%s'", run.reason, reason);
}

static const char *const precisions[] = {"double", "single", "mixed"};

static void test_a_small_job_leaves_the_driver_alone(void **state)
{
    (void)state;
    for (size_t p = 0; p < 3; ++p)
        assert_taken(small, precisions[p], "cpu",
                     "auto: the CPU needs less than 1 ms; a GPU takes about 250 ms to start");
    assert_int_equal(gpu->calls, 0);
}

static void test_a_large_job_takes_the_gpu(void **state)
{
    for (size_t p = 0; p < 3; ++p) {
        reset_choice(state);
        assert_taken(large, precisions[p], "cuda", "auto: a GPU needs about ");
        assert_true(gpu->calls > 0);
    }
}

static void test_a_device_that_is_named_is_taken(void **state)
{
    (void)state;
    const priced on_gpu = price(small, "cuda", "double");
    assert_true(gpu->held > 0); /* it stays open */
    const priced on_cpu = price(large, "cpu", "double");
    assert_int_equal(gpu->held, 0); /* until another device is asked for */
    const priced by_size = price(small, "auto", "double");
    assert_string_equal(on_gpu.backend, "cuda");
    assert_string_equal(on_gpu.reason, "as asked");
    assert_string_equal(on_cpu.backend, "cpu");
    assert_string_equal(on_cpu.reason, "as asked");
    assert_string_equal(by_size.backend, "cpu");
    assert_memory_equal(on_gpu.prices, by_size.prices, sizeof by_size.prices);
}

static void test_without_a_gpu_nothing_is_weighed(void **state)
{
    (void)state;
    gpu->devices = 0;
    assert_taken(small, "double", "cpu", "auto: no CUDA-capable GPU was found");
    assert_taken(large, "double", "cpu", "auto: no CUDA-capable GPU was found");
}

/* Functionals of more draws than a GPU takes: all of it would be the CPU's in the end. */
static void test_what_no_gpu_takes_starts_none(void **state)
{
    (void)state;
    const char *const body = text_of_book("texts/cuda-choice");
    assert_taken(body, "double", "cpu", "auto: the CPU needs about ");
    assert_int_equal(gpu->calls, 0);
}

/* In double an open GPU costs no start. In single it does, as if it were not open. */
static void test_an_open_gpu_counts_in_double_alone(void **state)
{
    (void)state;
    context->costs = &slow_start;
    assert_taken(small, "double", "cpu", "a GPU takes about 100 ms to start");
    assert_taken(large, "double", "cuda", "auto: a GPU needs about 100 ms");
    assert_taken(small, "double", "cuda", "auto: a GPU needs less than 1 ms");
    for (size_t p = 1; p < 3; ++p)
        assert_taken(small, precisions[p], "cpu", "a GPU takes about 100 ms to start");
    /* it stayed open all the while: nothing of a new context would fit what is held */
    gpu->fail_member = "init";
    gpu->fail_at = 1, gpu->calls = 0, gpu->fail_code = 100, gpu->fail_times = 1000;
    assert_taken(small, "double", "cuda", "auto: a GPU needs less than 1 ms");
    assert_null(gpu->failed);
}

static void remove_files(const char *folder)
{
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert_int_equal(system(command), 0);
}

static void test_compiled_kernels_count_in_double_alone(void **state)
{
    char folder[] = "/tmp/levy-choice-XXXXXX";
    assert_non_null(mkdtemp(folder));
    setenv("LEVY_CACHE_DIR", folder, 1);
    for (size_t p = 0; p < 3; ++p) {
        reset_choice(state);
        with_cache = true;
        context->costs = &slow_compiler;
        if (p == 0) {
            assert_taken(large, "double", "cpu", "a GPU would compile for about 2000000 s first");
            assert_int_equal(gpu->compiles, 0);
            assert_taken(large, "double", "cpu", "a GPU would compile for about 2000000 s first");
        } else {
            assert_taken(large, precisions[p], "cuda", "auto: a GPU needs about 100 ms");
        }
        (void)price(large, "cuda", precisions[p]); /* fills the cache */
        levy_call_device_drop(context);
        gpu->compiles = 0;
        assert_taken(large, precisions[p], "cuda", "auto: a GPU needs about 100 ms");
        assert_int_equal(gpu->compiles, 0);
    }
    unsetenv("LEVY_CACHE_DIR");
    remove_files(folder);
}

/* ---- Journals, explain, cancelling ---- */

static void journal_report(const char *content, const char *precision, bool resume, kept_text *out)
{
    levy_book *const book =
        read_book(context, content, &(levy_setting){"simulation.precision", precision}, 1);
    levy_price_options options = how("auto");
    levy_results *results = NULL;
    out->length = 0;
    options.resume = resume;
    assert_int_equal(levy_price(book, &options, &results), LEVY_STATUS_OK);
    assert_int_equal(levy_results_write(results, LEVY_FORMAT_JSON, text_write, out), 0);
    levy_results_destroy(results);
    levy_book_destroy(book);
}

/* Cuts a journal to its head and its first group. */
static void cut_journal(void)
{
    char bytes[16384];
    FILE *const file = fopen(journal_path, "r");
    const size_t length = fread(bytes, 1, sizeof bytes - 1, file);
    fclose(file);
    bytes[length] = '\0';
    const char *const first = strchr(bytes, '\n'), *const second = strchr(first + 1, '\n');
    assert_int_equal(truncate(journal_path, second + 1 - bytes), 0);
}

/* A resumed run finds kernels compiled and a GPU open that the first did not, and still reports
 * what a whole run does. */
static void test_a_resumed_run_chooses_alike(void **state)
{
    static kept_text whole, resumed;
    char path[] = "/tmp/levy-journal-XXXXXX";
    const char *const books[] = {small, large};
    close(mkstemp(path));
    for (size_t i = 0; i < 4; ++i) {
        reset_choice(state);
        context->costs = &slow_compiler;
        remove(path);
        journal_path = path;
        journal_report(books[i % 2], precisions[i / 2], false, &whole);
        assert_non_null(strstr(whole.bytes, i % 2 ? "\"backend\": \"cuda\"" : "\"cpu\""));
        cut_journal();
        journal_path = NULL;
        context->costs = &slow_start;
        (void)price(large, "auto", "double"); /* opens the GPU */
        context->costs = &slow_compiler;
        journal_path = path;
        journal_report(books[i % 2], precisions[i / 2], true, &resumed);
        assert_string_equal(resumed.bytes, whole.bytes);
    }
    journal_path = NULL;
    remove(path);
}

static void explain(const char *content, const char *device, kept_text *out)
{
    levy_book *const book =
        read_book(context, content, &(levy_setting){"simulation.precision", "double"}, 1);
    const levy_price_options options = how(device);
    out->length = 0;
    assert_int_equal(levy_book_explain(book, &options, text_write, out), LEVY_STATUS_OK);
    levy_book_destroy(book);
}

static void test_explain_says_the_estimate(void **state)
{
    static kept_text out;
    (void)state;
    explain(small, "auto", &out);
    assert_int_equal(gpu->calls, 0);
    assert_non_null(strstr(out.bytes, "\ndevice: cpu, "));
    assert_non_null(strstr(out.bytes,
                           "(auto: the CPU needs less than 1 ms; a GPU takes about 250 "
                           "ms to start)\n"
                           "estimate: less than 1 ms on the CPU; less than 1 ms on a GPU, "
                           "about 250 ms to start it\n"));
    explain(large, "auto", &out);
    assert_non_null(strstr(out.bytes, "\ndevice: cuda, "));
    assert_non_null(strstr(out.bytes, "\nestimate: about "));
    explain(small, "cpu", &out);
    assert_null(strstr(out.bytes, "\nestimate: "));
    assert_non_null(strstr(out.bytes, "\n  effort: less than 1 ms of the CPU (1 thread, "));
}

static int stop_at_once(void *user, const levy_progress *progress)
{
    (void)user, (void)progress;
    return 1;
}

static void test_who_is_told_to_stop_starts_no_gpu(void **state)
{
    (void)state;
    levy_book *const book =
        read_book(context, small, &(levy_setting){"simulation.precision", "double"}, 1);
    levy_price_options options = how("auto");
    levy_results *results = NULL;
    options.progress = stop_at_once;
    assert_int_equal(levy_price(book, &options, &results), LEVY_STATUS_CANCELLED);
    assert_int_equal(gpu->calls, 0);
    assert_non_null(results);
    assert_string_equal(levy_results_run(results)->device_reason,
                        "auto: stopped before a GPU was started");
    levy_results_destroy(results);
    levy_book_destroy(book);
}

#define CASE(test) cmocka_unit_test_setup(test, reset_choice)

int main(void)
{
    const struct CMUnitTest tests[] = {CASE(test_a_small_job_leaves_the_driver_alone),
                                       CASE(test_a_large_job_takes_the_gpu),
                                       CASE(test_a_device_that_is_named_is_taken),
                                       CASE(test_without_a_gpu_nothing_is_weighed),
                                       CASE(test_what_no_gpu_takes_starts_none),
                                       CASE(test_an_open_gpu_counts_in_double_alone),
                                       CASE(test_compiled_kernels_count_in_double_alone),
                                       CASE(test_a_resumed_run_chooses_alike),
                                       CASE(test_explain_says_the_estimate),
                                       CASE(test_who_is_told_to_stop_starts_no_gpu)};
    return cmocka_run_group_tests(tests, gpu_start, gpu_finish);
}
