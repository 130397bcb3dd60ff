/* test_cuda_workers.c: a book of many groups on a GPU (fake_module.c in the place of the CUDA
 * module), priced with one thread, two, seven and more: what a user sees is the same, byte for
 * byte, also where groups fail, where the GPU or memory fails, where the caller cancels, and where
 * a journal is written or resumed. */
#include "tests/cmocka_all.h"

#include "engine/book/choice.h"
#include "engine/book/handles.h"
#include "tests/fake_loaded.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    OUT_OF_MEMORY = 2,
    INVALID_HANDLE = 400,
    LAUNCH_FAILED = 719,
    FOR_EVER = 1000000,
    GROUPS = 40,
    TEXT = 1 << 20
};

static const uint32_t counts[] = {2, 7, 32};
enum { COUNTS = sizeof counts / sizeof *counts };

typedef struct text {
    char bytes[TEXT];
    size_t length;
} text;

static fake_cuda *gpu;
static void (*gpu_reset)(void);
static levy_context *context;
static text book_text, expected, seen, journals[2];

/* A GPU that starts at once and is as fast as can be, so that auto takes it for small books too. */
static const levy_choice_costs costs = {.threads = {1e12, 1e12, 1e12}};

static int text_write(void *user, const char *bytes, size_t length)
{
    text *const t = user;
    assert_true(t->length + length < sizeof t->bytes);
    memcpy(t->bytes + t->length, bytes, length);
    t->length += length;
    t->bytes[t->length] = '\0';
    return 0;
}

static void text_add(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void text_add(text *t, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length < sizeof line);
    text_write(t, line, (size_t)length);
}

/* ---- The book ---- */

/* Groups of one trade, but for the first of every ten, which is too large for a worker. One trade
 * in nine is at fault, one in eight has Greeks, one averages over more dates than a GPU takes under
 * construction pca, and one has a known amount. */
static void write_trade(unsigned i, unsigned more, unsigned expiry)
{
    static const char *const payoffs[] = {
        "kind: european, option_type: call, strike: %u",
        "kind: digital, option_type: put, strike: %u, payout: cash, cash: 1",
        "kind: asian, option_type: call, strike: %u, averaging: {method: arithmetic, "
        "observations: {count: 3}}",
        "kind: european, option_type: put, strike: %u"};
    char payoff[256];
    snprintf(payoff, sizeof payoff, payoffs[i % 4], 80 + i);
    if (i % 13 == 7)
        snprintf(payoff, sizeof payoff,
                 "kind: asian, option_type: call, strike: 100, averaging: {method: arithmetic, "
                 "observations: {count: 70}}");
    text_add(&book_text,
             "  - {id: t%u_%u, underlying: A, payoff: {%s%s}, exercise: {expiry: %u.%02u}%s}\n",
             expiry, more, payoff, i % 9 == 8 ? ", strik: 1" : "", 1 + expiry / 50,
             2 * (expiry % 50) + 1, i % 8 == 3 ? ", measures: [price, delta, gamma, vega]" : "");
}

static void write_book(void)
{
    book_text.length = 0;
    text_add(&book_text, "schema_version: 1\n"
                         "market: {curves: {USD: 0.05}, assets: {A: {currency: USD, spot: 100, "
                         "volatility: 0.2}}}\n"
                         "models: {m: {kind: black_scholes, assets: [A]}}\n"
                         "trades:\n");
    for (unsigned i = 0; i < GROUPS; ++i) {
        write_trade(i, 0, i);
        for (unsigned more = 1; i % 10 == 0 && more < 12; ++more) write_trade(4 * more, more, i);
    }
    text_add(&book_text, "simulation: {paths: 2^8, replicates: 2, seed: 7}\n");
}

static int start(void **state)
{
    (void)state;
    const levy_context_options options = {.struct_size = sizeof options, .module_dir = fake_folder};
    write_book();
    gpu = fake_load(&gpu_reset, NULL);
    gpu_reset();
    const int status = levy_context_create(&options, &context);
    if (status == 0) context->costs = &costs;
    return status;
}

static int finish(void **state)
{
    (void)state;
    levy_context_destroy(context);
    return 0;
}

static int reset(void **state)
{
    (void)state;
    levy_call_device_drop(context);
    assert_int_equal(gpu->misuse, 0);
    gpu_reset();
    atomic_store(&levy_call_misuses, 0);
    return 0;
}

/* All is given back, and nothing was misused. */
static int check(void **state)
{
    (void)state;
    levy_call_device_drop(context);
    assert_int_equal(gpu->misuse, 0);
    assert_int_equal(atomic_load(&levy_call_misuses), 0);
    return 0;
}

/* ---- Prices ---- */

typedef struct wish {
    const char *device, *precision, *construction, *journal;
    uint64_t stop_at; /* blocks; 0: never */
    uint64_t progress;
    pthread_t thread;
    int resume, requotes, fails;
} wish;

static int watch(void *user, const levy_progress *progress)
{
    wish *const w = user;
    assert_true(pthread_equal(pthread_self(), w->thread));
    assert_true(progress->done <= progress->total);
    assert_true(w->fails || progress->done >= w->progress); /* what fails is done again */
    w->progress = progress->done;
    return w->stop_at && progress->done >= w->stop_at;
}

/* Removes what stands between a key and an end. */
static void forget(text *t, const char *key, char end)
{
    for (char *at = t->bytes; (at = strstr(at, key)) != NULL;) {
        at += strlen(key);
        char *const rest = strchr(at, end);
        assert_non_null(rest);
        t->length -= (size_t)(rest - at);
        memmove(at, rest, strlen(rest) + 1);
    }
}

/* Status, diagnostics and results. */
static void report(levy_context *of, int status, const levy_results *results, text *out)
{
    text_add(out, "status %d\n", status);
    for (size_t i = 0; i < levy_diagnostic_count(of); ++i) {
        const char *const line = levy_diagnostic_get(of, i)->text;
        text_write(out, line, strlen(line));
        text_write(out, "\n", 1);
    }
    if (results)
        assert_int_equal(levy_results_write(results, LEVY_FORMAT_JSON, text_write, out), 0);
    forget(out, "\"threads\": ", ','); /* of a CPU, which a run that moved there has */
    forget(out, "the CPU would need ", '"');
}

static void price(levy_context *of, wish w, uint32_t threads, text *out)
{
    const levy_setting settings[] = {
        {"simulation.precision", w.precision ? w.precision : "double"},
        {"simulation.construction", w.construction ? w.construction : "bridge"}};
    const levy_price_options how = {.struct_size = sizeof how,
                                    .device = w.device ? w.device : "cuda",
                                    .threads = threads,
                                    .no_kernel_cache = 1,
                                    .no_times = 1,
                                    .progress = watch,
                                    .user = &w,
                                    .journal = w.journal,
                                    .resume = w.resume};
    levy_book *book = NULL;
    out->length = 0;
    w.thread = pthread_self();
    const int loaded = levy_book_load_text(of, "b.yaml", book_text.bytes, strlen(book_text.bytes),
                                           settings, 2, &book);
    if (loaded) text_add(out, "load %d\n", loaded);
    for (int turn = 0; book && turn <= w.requotes; ++turn) {
        levy_results *results = NULL;
        w.progress = 0;
        /* the second price finds its plans, the third must renew them, the fourth make them anew */
        if (turn > 1) assert_int_equal(levy_book_set(book, "A.spot", 100.0 + turn), 0);
        if (turn > 2) assert_int_equal(levy_book_set(book, "A.volatility", 0.3), 0);
        const int status = levy_price(book, &how, &results);
        report(of, status, results, out);
        levy_results_destroy(results);
    }
    levy_book_destroy(book);
}

/* The same with any number of threads, on a GPU whose calls fail as `upset` says. */
static void compare_failing(wish w, void (*upset)(void))
{
    w.fails = upset != NULL;
    reset(NULL);
    if (upset) upset();
    price(context, w, 1, &expected);
    for (size_t c = 0; c < COUNTS; ++c) {
        reset(NULL);
        if (upset) upset();
        price(context, w, counts[c], &seen);
        assert_int_equal(seen.length, expected.length);
        assert_string_equal(seen.bytes, expected.bytes);
    }
}

static void compare(wish w) { compare_failing(w, NULL); }

/* ---- Tests ---- */

static void test_results_do_not_depend_on_the_number_of_workers(void **state)
{
    (void)state;
    static const char *const precisions[] = {"double", "single", "mixed"};
    for (size_t p = 0; p < 3; ++p) compare((wish){.precision = precisions[p], .requotes = 3});
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
    compare((wish){.device = "cpu", .requotes = 3});
    compare((wish){.device = "cpu", .precision = "single", .construction = "pca"});
    compare((wish){.device = "cpu", .stop_at = GROUPS / 2});
    price(context, (wish){.device = "cpu"}, 7, &seen);
    assert_in_range(count_beside(&context->cpu), 1, 7);
    price(context, (wish){.device = "cpu"}, 1, &seen);
    assert_int_equal(count_beside(&context->cpu), 0);
}

/* All but the calling thread are workers; what they have on the GPU is there for the next price. */
static void test_workers_are_kept(void **state)
{
    (void)state;
    void *before[LEVY_BESIDE_MOST];
    price(context, (wish){.requotes = 0}, 7, &seen);
    assert_in_range(count_beside(&context->device), 1, 6);
    memcpy(before, context->device.beside, sizeof before);
    price(context, (wish){.requotes = 0}, 7, &seen);
    for (size_t i = 0; i < LEVY_BESIDE_MOST; ++i)
        if (before[i]) assert_ptr_equal(context->device.beside[i], before[i]);
    levy_call_device_drop(context);
    assert_int_equal(gpu->held, 0);
    price(context, (wish){.requotes = 0}, 1, &seen);
    assert_int_equal(count_beside(&context->device), 0);
}

static void test_groups_that_a_gpu_does_not_take_go_to_the_cpu(void **state)
{
    (void)state;
    compare((wish){.construction = "pca"});
    assert_non_null(strstr(expected.bytes, "construction pca takes up to 64 dates"));
    compare((wish){.construction = "pca", .device = "auto", .requotes = 1});
    assert_non_null(strstr(expected.bytes, "priced on the CPU: on a GPU"));
}

static void test_a_cancel_leaves_the_groups_before_it(void **state)
{
    (void)state;
    for (uint64_t at = 1; at < 2 * GROUPS; at += 9) compare((wish){.stop_at = at});
    assert_non_null(strstr(expected.bytes, "cancelled"));
}

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
static void fail_copies(void) { fail_from("copy_to_host", 1, OUT_OF_MEMORY); }

static void test_a_gpu_that_always_fails_does_so_with_any_number_of_workers(void **state)
{
    (void)state;
    static const char *const devices[] = {"cuda", "auto"};
    for (size_t d = 0; d < 2; ++d) {
        const wish w = {.device = devices[d]},
                   single = {.device = devices[d], .precision = "single"};
        compare_failing(w, fail_images);
        compare_failing(w, fail_launches);
        compare_failing(w, fail_copies);
        compare_failing(single, fail_launches);
        compare_failing(single, fail_copies);
    }
    reset(NULL);
}

/* Whatever call fails, once or from then on: under auto every trade has its price, in double to the
 * same bits. Which groups the failure meets depends on the threads. */
static void test_no_failure_of_a_gpu_costs_a_price(void **state)
{
    (void)state;
    static const int codes[] = {OUT_OF_MEMORY, INVALID_HANDLE, LAUNCH_FAILED};
    levy_results *cpu = NULL, *run = NULL;
    levy_book *book = NULL;
    levy_price_options how = {.struct_size = sizeof how, .device = "cpu", .threads = 1};
    assert_int_equal(levy_book_load_text(context, "b.yaml", book_text.bytes,
                                         strlen(book_text.bytes), NULL, 0, &book),
                     0);
    assert_int_equal(levy_price(book, &how, &cpu), 0);
    how = (levy_price_options){
        .struct_size = sizeof how, .device = "auto", .threads = 7, .no_kernel_cache = 1};
    for (long call = 3; call < 2000; call += LEVY_SANITIZED ? 331 : 53)
        for (size_t c = 0; c < 6; ++c) {
            reset(NULL);
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
    reset(NULL);
    levy_results_destroy(cpu);
    levy_book_destroy(book);
}

static void read_file(const char *path, text *to)
{
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    to->length = fread(to->bytes, 1, sizeof to->bytes - 1, file);
    to->bytes[to->length] = '\0';
    fclose(file);
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
    price(context, (wish){.journal = path}, 1, &expected);
    read_file(path, &journals[0]); /* device seconds are the fake's, and the same */
    for (size_t c = 0; c < COUNTS; ++c) {
        remove(path);
        reset(NULL);
        price(context, (wish){.journal = path}, counts[c], &seen);
        read_file(path, &journals[1]);
        assert_string_equal(journals[1].bytes, journals[0].bytes);
        assert_string_equal(seen.bytes, expected.bytes);
    }
    FILE *const torn = fopen(path, "w");
    fwrite(journals[0].bytes, 1, journals[0].length / 2, torn);
    fclose(torn);
    price(context, (wish){.journal = path, .resume = 1}, 7, &seen);
    assert_string_equal(seen.bytes, expected.bytes);
    read_file(path, &journals[1]);
    assert_string_equal(journals[1].bytes, journals[0].bytes);
    remove(path);
}

/* ---- Memory ---- */

static _Atomic long live, allocations, fail_allocation;

static bool counter_fails(void)
{
    const long call = atomic_fetch_add(&allocations, 1) + 1;
    return call == atomic_load(&fail_allocation);
}

static void *counter_allocate(void *user, size_t size)
{
    (void)user;
    if (counter_fails()) return NULL;
    atomic_fetch_add(&live, 1);
    return malloc(size);
}

static void *counter_reallocate(void *user, void *pointer, size_t size)
{
    (void)user;
    if (counter_fails()) return NULL;
    if (!pointer) atomic_fetch_add(&live, 1);
    return realloc(pointer, size);
}

static void counter_release(void *user, void *pointer)
{
    (void)user;
    if (pointer) atomic_fetch_sub(&live, 1);
    free(pointer);
}

static levy_context *open_counted(uint64_t max_memory)
{
    char limit[32];
    snprintf(limit, sizeof limit, "%llu", (unsigned long long)max_memory);
    const levy_context_options options = {.struct_size = sizeof options,
                                          .module_dir = fake_folder,
                                          .allocate = counter_allocate,
                                          .reallocate = counter_reallocate,
                                          .release = counter_release,
                                          .max_memory = max_memory ? limit : NULL};
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
    fail_allocation = allocations = 0;
    price(counted, w, 7, &expected);
    const long all = allocations;
    levy_context_destroy(counted);
    assert_int_equal(live, 0);
    for (long call = 1; call < all; call += all / (LEVY_SANITIZED ? 30 : 300) + 1) {
        counted = open_counted(0);
        allocations = 0;
        fail_allocation = call;
        price(counted, w, 7, &seen);
        fail_allocation = 0;
        levy_context_destroy(counted);
        assert_int_equal(live, 0);
        assert_int_equal(gpu->held, 0);
        assert_int_equal(gpu->misuse, 0);
        assert_true(strcmp(seen.bytes, expected.bytes) == 0 || strstr(seen.bytes, "memory") ||
                    strstr(seen.bytes, "load") || strstr(seen.bytes, "status -4"));
    }
}

static void price_limited(uint64_t limit, uint32_t threads, text *out)
{
    levy_context *const limited = open_counted(limit);
    price(limited, (wish){.requotes = 2}, threads, out);
    levy_context_destroy(limited);
}

/* A limit on memory refuses the same plans, whoever makes them. */
static void test_a_limit_on_memory_refuses_the_same_plans(void **state)
{
    (void)state;
    size_t refused = 0;
    fail_allocation = 0;
    for (uint64_t limit = (uint64_t)400 << 10; limit < (uint64_t)4 << 20; limit += 333 << 10) {
        price_limited(limit, 1, &expected);
        for (size_t c = 0; c < COUNTS; ++c) {
            price_limited(limit, counts[c], &seen);
            assert_string_equal(seen.bytes, expected.bytes);
        }
        refused += strstr(expected.bytes, "max_memory") != NULL;
    }
    assert_true(refused > 0);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, reset, check)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_results_do_not_depend_on_the_number_of_workers),
        CASE(test_a_cpu_has_workers_too),
        CASE(test_workers_are_kept),
        CASE(test_groups_that_a_gpu_does_not_take_go_to_the_cpu),
        CASE(test_a_cancel_leaves_the_groups_before_it),
        CASE(test_a_gpu_that_always_fails_does_so_with_any_number_of_workers),
        CASE(test_no_failure_of_a_gpu_costs_a_price),
        CASE(test_a_journal_is_that_of_one_thread),
        CASE(test_an_allocation_that_fails_loses_no_memory),
        CASE(test_a_limit_on_memory_refuses_the_same_plans)};
    return cmocka_run_group_tests(tests, start, finish);
}
