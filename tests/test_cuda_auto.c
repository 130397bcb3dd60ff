/* test_cuda_auto.c: levy_price on a GPU whose n-th call fails (fake_module.c in the place of the
 * CUDA module): under `auto` the CPU goes on, whatever the code, with the same prices, and says
 * so; asked for by name, the GPU's failure is an error. */
#include "tests/gpu_context.h"
#include "tests/kept_text.h"
#include "tests/words.h"
#include "tests/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    OUT_OF_MEMORY = 2,
    INVALID_VALUE = 1,
    INVALID_HANDLE = 400,
    LAUNCH_FAILED = 719,
    FOR_EVER = 1000000,
    TRADES = 3
};

static const char *journal_path;

/* Three trades of three groups. */
static const char *book_text(void) { return text_of_book("texts/cuda-auto"); }

static int reset(void **state)
{
    (void)state;
    gpu_renew();
    atomic_store(&levy_call_misuses, 0);
    return 0;
}

static void fail_from(long call, int code, long times)
{
    gpu->calls = 0;
    gpu->fail_at = call;
    gpu->fail_code = code;
    gpu->fail_times = times;
}

typedef struct priced {
    int status;
    levy_results *results;
} priced;

static priced price_body(const char *body, const char *device, const char *precision, bool resume)
{
    priced run = {0, NULL};
    levy_book *book = NULL;
    const levy_setting setting = {"simulation.precision", precision};
    const levy_price_options how = {.struct_size = sizeof how,
                                    .device = device,
                                    .threads = 1,
                                    .no_kernel_cache = 1,
                                    .no_times = 1,
                                    .journal = journal_path,
                                    .resume = resume};
    book = read_book(context, body, &setting, 1);
    run.status = levy_price(book, &how, &run.results);
    levy_book_destroy(book);
    return run;
}

static priced price(const char *device, const char *precision, bool resume)
{
    return price_body(book_text(), device, precision, resume);
}

static const levy_trade_result *trade(const priced *run, size_t i)
{
    return levy_results_trade(run->results, i);
}

static const char *reason_of(const char *part)
{
    for (size_t i = 0; i < levy_diagnostic_count(context); ++i)
        if (strstr(levy_diagnostic_get(context, i)->text, part))
            return levy_diagnostic_get(context, i)->reason;
    return "none";
}

static long count_calls(void)
{
    gpu_renew();
    const priced run = price("cuda", "double", false);
    assert_int_equal(run.status, 0);
    assert_string_equal(trade(&run, 0)->backend, "cuda");
    levy_results_destroy(run.results);
    return gpu->calls;
}

/* All priced, to the CPU's bits; nothing was misused but what the fake says. */
static void check_all(const priced *run, const priced *cpu, long call, int code)
{
    if (run->status != 0) fail_msg("call %ld, code %d: status %d", call, code, run->status);
    for (size_t i = 0; i < TRADES; ++i) {
        if (strcmp(trade(run, i)->status, "ok") != 0)
            fail_msg("call %ld (%s), code %d: %s: %s", call, gpu->failed, code,
                     trade(run, i)->reason, trade(run, i)->message);
        assert_true(trade(run, i)->price == trade(cpu, i)->price);
        assert_true(trade(run, i)->std_error == trade(cpu, i)->std_error);
        assert_null(trade(run, i)->message); /* the bits are the same wherever it was */
    }
    assert_int_equal(gpu->misuse, 0);
    assert_int_equal(gpu->calls_after_fatal, 0);
}

static void test_auto_prices_whatever_call_fails(void **state)
{
    (void)state;
    static const int codes[] = {OUT_OF_MEMORY, INVALID_VALUE, INVALID_HANDLE, LAUNCH_FAILED};
    const priced cpu = price("cpu", "double", false);
    const long calls = count_calls();
    assert_true(calls > 60);
    for (size_t c = 0; c < 2 * sizeof codes / sizeof *codes; ++c)
        for (long call = 1; call <= calls; ++call) {
            fail_from(call, codes[c / 2], c % 2 ? FOR_EVER : 1);
            const priced run = price("auto", "double", false);
            check_all(&run, &cpu, call, codes[c / 2]);
            levy_results_destroy(run.results);
        }
    levy_results_destroy(cpu.results);
    atomic_store(&levy_call_misuses, 0);
}

static void test_a_gpu_asked_for_fails_in_its_name(void **state)
{
    (void)state;
    static const int codes[] = {OUT_OF_MEMORY, INVALID_VALUE, LAUNCH_FAILED};
    for (size_t c = 0; c < 3; ++c) {
        gpu_renew();
        gpu->fail_member = "module_load";
        fail_from(1, codes[c], FOR_EVER);
        const priced run = price("cuda", "double", false);
        assert_true(context_says(context, "cuda:0 (Fake"));
        if (run.results) assert_string_equal(trade(&run, 0)->status, "failed");
        levy_results_destroy(run.results);
    }
}

static void test_memory_that_is_short_moves_one_group(void **state)
{
    (void)state;
    gpu->fail_member = "copy_to_device";
    /* after the table of normals and the first group: of the second one, and again when the GPU has
     * been cleared */
    fail_from(3, OUT_OF_MEMORY, 2);
    const priced run = price("auto", "double", false);
    assert_int_equal(run.status, 0);
    assert_string_equal(trade(&run, 0)->backend, "cuda");
    assert_string_equal(trade(&run, 1)->backend, "cpu");
    assert_string_equal(trade(&run, 2)->backend, "cuda");
    assert_string_equal(reason_of("the GPU failed; the run continued on the CPU: "), "memory");
    levy_results_destroy(run.results);
}

static void test_misuse_is_told_and_counted(void **state)
{
    (void)state;
    gpu->fail_member = "launch";
    fail_from(2, INVALID_HANDLE, FOR_EVER);
    const priced run = price("auto", "double", false);
    assert_int_equal(run.status, 0);
    assert_string_equal(trade(&run, 0)->backend, "cuda");
    assert_string_equal(trade(&run, 1)->backend, "cpu");
    assert_string_equal(trade(&run, 2)->backend, "cpu");
    assert_string_equal(reason_of("levy misused the GPU"), "internal");
    assert_int_equal(atomic_load(&levy_call_misuses), 1);
    levy_results_destroy(run.results);
    atomic_store(&levy_call_misuses, 0);
}

static void test_single_precision_says_that_it_moved(void **state)
{
    (void)state;
    static const char *const precisions[] = {"single", "mixed"};
    for (size_t p = 0; p < 2; ++p) {
        gpu_renew();
        gpu->fail_member = "launch";
        fail_from(2, OUT_OF_MEMORY, FOR_EVER);
        const priced run = price("auto", precisions[p], false);
        assert_int_equal(run.status, 0);
        assert_string_equal(trade(&run, 0)->backend, "cuda");
        assert_null(trade(&run, 0)->message);
        for (size_t i = 1; i < TRADES; ++i) {
            assert_string_equal(trade(&run, i)->backend, "cpu");
            assert_non_null(trade(&run, i)->message);
            assert_non_null(
                strstr(trade(&run, i)->message, "moved to the CPU, whose results differ in bits"));
        }
        assert_non_null(
            strstr(levy_results_run(run.results)->device_reason, "auto, moved to the CPU: cuda:0"));
        levy_results_destroy(run.results);
    }
}

/* ---- Journals ---- */

static void write_report(const priced *run, kept_text *out)
{
    out->length = 0;
    assert_int_equal(run->status, 0);
    assert_int_equal(levy_results_write(run->results, LEVY_FORMAT_JSON, text_write, out), 0);
    out->bytes[out->length] = '\0';
}

/* Keeps the first so many lines. */
static void cut_journal(int lines)
{
    kept_text all = {.length = 0};
    FILE *file = fopen(journal_path, "r");
    for (int c; lines > 0 && (c = getc(file)) != EOF; lines -= c == '\n')
        text_write(&all, &(char){(char)c}, 1);
    fclose(file);
    file = fopen(journal_path, "w");
    fwrite(all.bytes, 1, all.length, file);
    fclose(file);
}

static void with_journal(void (*work)(void))
{
    char path[] = "/tmp/levy-journal-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    remove(path);
    journal_path = path;
    work();
    journal_path = NULL;
    remove(path);
}

static void resume_a_run_that_moved(void)
{
    static kept_text whole, resumed;
    gpu->fail_member = "launch";
    fail_from(2, LAUNCH_FAILED, 1);
    const priced first = price("auto", "single", false);
    write_report(&first, &whole);
    assert_string_equal(trade(&first, 1)->backend, "cpu");
    cut_journal(3); /* its head and two groups */
    gpu_renew();
    const priced again = price("auto", "single", true);
    write_report(&again, &resumed);
    assert_string_equal(resumed.bytes, whole.bytes);
    levy_results_destroy(first.results);
    levy_results_destroy(again.results);
}

static void resume_a_run_of_the_cpu(void)
{
    const priced first = price("cpu", "single", false);
    assert_int_equal(first.status, 0);
    cut_journal(2);
    const priced again = price("auto", "single", true);
    assert_int_equal(again.status, 0);
    for (size_t i = 0; i < TRADES; ++i) {
        assert_string_equal(trade(&again, i)->backend, "cpu");
        assert_null(trade(&again, i)->message);
    }
    assert_string_equal(levy_results_run(again.results)->device_reason,
                        "auto: device of the journal");
    levy_results_destroy(first.results);
    levy_results_destroy(again.results);
}

static void resume_a_run_of_the_gpu(void)
{
    const priced first = price("auto", "single", false);
    assert_int_equal(first.status, 0);
    cut_journal(2);
    levy_call_device_drop(context);
    gpu->devices = 0;
    const priced again = price("auto", "single", true);
    assert_int_equal(again.status, LEVY_STATUS_RESUME);
    assert_true(context_says(context,
                             "it was priced in single precision on 'cuda', but this run would use "
                             "'cpu'"));
    levy_results_destroy(first.results);
}

static void test_a_resumed_run_stays_where_it_moved(void **state)
{
    (void)state;
    with_journal(resume_a_run_that_moved);
}

static void test_a_resumed_run_stays_on_the_cpu(void **state)
{
    (void)state;
    with_journal(resume_a_run_of_the_cpu);
}

static void test_a_resumed_run_needs_its_gpu(void **state)
{
    (void)state;
    with_journal(resume_a_run_of_the_gpu);
}

/* Kernels of all groups are there before the first launch. One whose compilation fails then is
 * compiled again where its group's turn comes. */
static void test_kernels_of_all_groups_are_compiled_first(void **state)
{
    const char *const unlike = text_of_book("texts/cuda-auto-unlike");
    priced cpu = price_body(unlike, "cpu", "double", false);
    (void)state;
    for (int turn = 0; turn < 2; ++turn) {
        reset(state);
        if (turn) fail_from(1, INVALID_VALUE, 1), gpu->fail_member = "nvrtc_compile";
        priced run = price_body(unlike, "auto", "double", false);
        assert_int_equal(run.status, LEVY_STATUS_OK);
        /* the one that failed may be a later group's */
        assert_true(gpu->compiles_before >= TRADES - turn);
        assert_int_equal(gpu->compiles, TRADES);
        for (size_t i = 0; i < TRADES; ++i)
            assert_memory_equal(&trade(&run, i)->price, &trade(&cpu, i)->price, sizeof(double));
        assert_int_equal(gpu->misuse, 0);
        levy_results_destroy(run.results);
    }
    levy_results_destroy(cpu.results);
}

#define CASE(test) cmocka_unit_test_setup(test, reset)

int main(void)
{
    const struct CMUnitTest tests[] = {CASE(test_kernels_of_all_groups_are_compiled_first),
                                       CASE(test_auto_prices_whatever_call_fails),
                                       CASE(test_a_gpu_asked_for_fails_in_its_name),
                                       CASE(test_memory_that_is_short_moves_one_group),
                                       CASE(test_misuse_is_told_and_counted),
                                       CASE(test_single_precision_says_that_it_moved),
                                       CASE(test_a_resumed_run_stays_where_it_moved),
                                       CASE(test_a_resumed_run_stays_on_the_cpu),
                                       CASE(test_a_resumed_run_needs_its_gpu)};
    return cmocka_run_group_tests(tests, gpu_start, gpu_finish);
}
