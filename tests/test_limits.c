/* test_limits.c: what a book may take: memory is counted before it is taken, by estimate and by a
 * meter; planning tells progress and stops when told to. */
#include "tests/cmocka_all.h"

#include "engine/base/machine.h"
#include "engine/levy.h"
#include "tests/words.h"
#include "tests/files.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- A context whose allocator has so much and no more ---- */

typedef struct purse {
    _Atomic size_t used, most;
    size_t limit;
} purse;

enum { PURSE_HEAD = 16 };

static void *purse_reallocate(void *user, void *pointer, size_t size)
{
    purse *const p = user;
    size_t before = 0;
    if (pointer) memcpy(&before, (char *)pointer - PURSE_HEAD, sizeof before);
    if (p->limit && p->used - before + size > p->limit) return NULL;
    char *const fresh = realloc(pointer ? (char *)pointer - PURSE_HEAD : NULL, size + PURSE_HEAD);
    if (!fresh) return NULL;
    p->used += size - before;
    if (p->used > p->most) p->most = p->used;
    memcpy(fresh, &size, sizeof size);
    return fresh + PURSE_HEAD;
}

static void *purse_allocate(void *user, size_t size) { return purse_reallocate(user, NULL, size); }

static void purse_release(void *user, void *pointer)
{
    purse *const p = user;
    size_t size = 0;
    if (!pointer) return;
    memcpy(&size, (char *)pointer - PURSE_HEAD, sizeof size);
    p->used -= size;
    free((char *)pointer - PURSE_HEAD);
}

static levy_context *context_of(purse *p, const char *max_memory)
{
    levy_context *context = NULL;
    const levy_context_options options = {.struct_size = sizeof options,
                                          .allocate = purse_allocate,
                                          .reallocate = purse_reallocate,
                                          .release = purse_release,
                                          .allocator_user = p,
                                          .max_memory = max_memory};
    assert_int_equal(levy_context_create(&options, &context), LEVY_STATUS_OK);
    return context;
}

static const levy_price_options on_cpu = {
    .struct_size = sizeof on_cpu, .device = "cpu", .threads = 1};

/* ---- Books ---- */

typedef struct text {
    char *bytes;
    size_t length, room;
} text;

static void __attribute__((format(printf, 2, 3))) add(text *t, const char *format, ...)
{
    va_list arguments;
    if (t->room - t->length < 4096) t->bytes = realloc(t->bytes, t->room = 2 * t->room + 8192);
    va_start(arguments, format);
    t->length += (size_t)vsnprintf(t->bytes + t->length, t->room - t->length, format, arguments);
    va_end(arguments);
}

/* A variance gamma Asian whose every interval has tables of its own, several milliseconds each. */
static text irregular_book(int dates)
{
    text t = {NULL, 0, 0};
    add(&t,
        "schema_version: 1\nmarket: {curves: {USD: 0.1}, assets: {S: {currency: USD, spot: 100}}}\n"
        "models: {m: {kind: variance_gamma, assets: [S], sigma: [0.12], nu: [0.2], theta: "
        "[-0.14]}}\n"
        "trades:\n  - {id: a, underlying: S, payoff: {kind: asian, option_type: call, strike: 100,"
        " averaging: {method: arithmetic, observations: {times: [");
    for (int i = 1; i < dates; ++i) add(&t, "%.9f, ", pow((double)i / dates, 1.1));
    add(&t, "1.000000000]}}}, exercise: {expiry: 1.0}}\nsimulation: {paths: 2^8}\n");
    return t;
}

/* A basket with volatilities by term, on a grid of so many dates. */
static text basket_book(int assets, int dates)
{
    text t = {NULL, 0, 0};
    add(&t, "schema_version: 1\nmarket:\n  curves: {USD: 0.03}\n  assets:\n");
    for (int i = 0; i < assets; ++i)
        add(&t,
            "    A%d: {currency: USD, spot: 100, volatility: {kind: term, nodes: [[0.5, 0.2], [1, "
            "0.25]]}}\n",
            i);
    add(&t, "  correlations:\n    names: [");
    for (int i = 0; i < assets; ++i) add(&t, "%sA%d.spot", i ? ", " : "", i);
    add(&t, "]\n    matrix:\n");
    for (int i = 0; i < assets; ++i) {
        add(&t, "      - [");
        for (int j = 0; j < assets; ++j) {
            const char *correlation = i == j ? "1" : "0.3";
            add(&t, "%s%s", j ? ", " : "", correlation);
        }
        add(&t, "]\n");
    }
    add(&t, "models: {m: {kind: black_scholes, assets: [");
    for (int i = 0; i < assets; ++i) add(&t, "%sA%d", i ? ", " : "", i);
    add(&t, "]}}\ntrades:\n  - {id: b, underlyings: [");
    for (int i = 0; i < assets; ++i) add(&t, "%sA%d", i ? ", " : "", i);
    add(&t,
        "], payoff: {kind: asian, aggregate: basket, option_type: call, strike: 100,"
        " averaging: {method: arithmetic, observations: {count: %d}}}, exercise: {expiry: "
        "1.0}}\nsimulation: {paths: 2^8}\n",
        dates);
    return t;
}

static int drop(void *user, const char *bytes, size_t length)
{
    text *const t = user;
    if (t) add(t, "%.*s", (int)(length < 2000 ? length : 2000), bytes);
    return 0;
}

/* ---- Estimates ---- */

static void test_a_plan_too_large_is_refused_before_it_is_built(void **state)
{
    (void)state;
    purse p = {.limit = (size_t)256 << 20}; /* its covariances alone would take 720 MB */
    levy_results *results = NULL;
    text t = basket_book(30, 100000);
    levy_context *context = context_of(&p, NULL);
    levy_book *book = read_book(context, t.bytes, NULL, 0);
    assert_int_equal(levy_price(book, &on_cpu, &results), LEVY_STATUS_OK);
    const levy_trade_result *trade = levy_results_trade(results, 0);
    assert_string_equal(trade->status, "failed");
    assert_string_equal(trade->reason, "unsupported");
    if (!strstr(trade->message, "the plan would need more than 4 GiB: about 8."))
        fail_msg("%s", trade->message);
    levy_results_destroy(results);
    text said = {NULL, 0, 0};
    assert_int_equal(levy_book_explain(book, &on_cpu, drop, &said), LEVY_STATUS_OK);
    assert_non_null(strstr(said.bytes, "cannot be planned: the plan would need more than 4 GiB"));
    free(said.bytes);
    levy_book_destroy(book);
    levy_context_destroy(context);
    free(t.bytes);
    assert_int_equal(p.used, 0);
}

static void test_a_plan_over_the_limit_says_both(void **state)
{
    (void)state;
    purse p = {.limit = 0};
    levy_results *results = NULL;
    text t = basket_book(8, 250), said = {NULL, 0, 0};
    levy_context *context = context_of(&p, "2M");
    levy_book *book = read_book(context, t.bytes, NULL, 0);
    assert_int_equal(levy_price(book, &on_cpu, &results), LEVY_STATUS_OK);
    assert_string_equal(levy_results_trade(results, 0)->reason, "memory");
    if (!strstr(levy_results_trade(results, 0)->message, "the plan would need about 5."))
        fail_msg("%s", levy_results_trade(results, 0)->message);
    assert_non_null(strstr(levy_results_trade(results, 0)->message,
                           "exceeds the memory limit, 2.0 MiB (max_memory)"));
    assert_true(p.most < (size_t)3 << 20);
    levy_results_destroy(results);
    assert_int_equal(levy_book_explain(book, &on_cpu, drop, &said), LEVY_STATUS_OK);
    assert_non_null(strstr(said.bytes, "cannot be planned: the plan would need about 5."));
    free(said.bytes);
    levy_book_destroy(book);
    levy_context_destroy(context);
    context = context_of(&p, "64M");
    book = read_book(context, t.bytes, NULL, 0);
    assert_int_equal(levy_price(book, &on_cpu, &results), LEVY_STATUS_OK);
    assert_string_equal(levy_results_trade(results, 0)->status, "ok");
    levy_results_destroy(results);
    levy_book_destroy(book);
    levy_context_destroy(context);
    free(t.bytes);
}

static void test_tables_that_nobody_could_foresee_meet_the_meter(void **state)
{
    (void)state;
    purse p = {.limit = 0};
    levy_results *results = NULL;
    text t = irregular_book(300);
    levy_context *context = context_of(&p, "8M");
    levy_book *book = read_book(context, t.bytes, NULL, 0);
    assert_int_equal(levy_price(book, &on_cpu, &results), LEVY_STATUS_OK);
    assert_string_equal(levy_results_trade(results, 0)->reason, "memory");
    assert_non_null(strstr(levy_results_trade(results, 0)->message,
                           "more than the memory limit, 8.0 MiB (max_memory)"));
    assert_true(p.most < (size_t)16 << 20);
    levy_results_destroy(results);
    levy_book_destroy(book);
    levy_context_destroy(context);
    free(t.bytes);
}

/* ---- Reading ---- */

static void check_limit(levy_context *context, int status, const char *part)
{
    assert_int_equal(status, LEVY_STATUS_INPUT);
    assert_int_equal(levy_diagnostic_count(context), 1);
    assert_string_equal(levy_diagnostic_get(context, 0)->reason, "limit");
    if (!strstr(levy_diagnostic_get(context, 0)->text, part))
        fail_msg("%s", levy_diagnostic_get(context, 0)->text);
}

static void test_nodes_are_counted_against_the_limit(void **state)
{
    (void)state;
    purse p = {.limit = 0};
    levy_book *book = NULL;
    text t = {NULL, 0, 0};
    levy_context *context = context_of(&p, "4M");
    add(&t, "x: [1");
    for (int i = 0; i < 200000; ++i) add(&t, ",1");
    add(&t, "]\n");
    const int status = levy_book_load_text(context, "book.yaml", t.bytes, t.length, NULL, 0, &book);
    check_limit(context, status,
                "reading 390.6 KiB of text needs more than the memory limit, 4.0 MiB (max_memory)");
    assert_non_null(strstr(levy_diagnostic_get(context, 0)->hint, "Files that it names count"));
    assert_true(p.most < (size_t)5 << 20);
    levy_context_destroy(context);
    p = (purse){.limit = 0};
    context = context_of(&p, NULL);
    (void)levy_book_load_text(context, "book.yaml", t.bytes, t.length, NULL, 0, &book);
    assert_true(p.most < (size_t)200000 * 80); /* a node and its text */
    levy_context_destroy(context);
    free(t.bytes);
}

/* Lines of a script that make 256 numbers times 16 of a list. */
static void test_steps_are_counted_while_they_are_made(void **state)
{
    (void)state;
    purse p = {.limit = 0};
    levy_book *book = NULL;
    text t = {NULL, 0, 0};
    levy_context *context = context_of(&p, NULL);
    add(&t,
        "schema_version: 1\nmarket: {curves: {USD: 0.02}, assets: {S: {currency: USD, spot: 100, "
        "volatility: 0.2}}}\nmodels: {m: {kind: black_scholes, assets: [S]}}\ntrades:\n  - {id: "
        "a, underlying: S, exercise: {expiry: 1}, payoff: {kind: script, parameters: {rungs: [1");
    for (int i = 1; i < 256; ++i) add(&t, ", 2");
    add(&t, "]}, script: \"at expiry { pay sum(rungs^16");
    for (int i = 0; i < 6000; ++i) add(&t, "+rungs^16");
    add(&t, ") }\"}}\n");
    assert_int_equal(levy_book_load_text(context, "book.yaml", t.bytes, t.length, NULL, 0, &book),
                     LEVY_STATUS_INPUT);
    assert_non_null(strstr(levy_diagnostic_get(context, 0)->text,
                           "line 1, column 13: the script takes more than 4096 steps or numbers"));
    assert_true(p.most < (size_t)8 << 20); /* once, 1 GB */
    levy_context_destroy(context);
    free(t.bytes);
}

/* A file of so many bytes, all zero, which takes no room on the disk. */
static void with_zeros(off_t bytes, void (*work)(const char *path))
{
    char path[] = "/tmp/levy-zeros-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, bytes), 0);
    close(file);
    work(path);
    remove(path);
}

static void load_zeros(const char *path)
{
    purse p = {.limit = (size_t)1 << 20};
    levy_book *book = NULL;
    levy_context *context = context_of(&p, NULL);
    assert_int_equal(levy_book_load_files(context, &path, 1, NULL, 0, &book), LEVY_STATUS_INPUT);
    assert_non_null(strstr(levy_diagnostic_get(context, 0)->text, "a NUL byte is not allowed"));
    levy_context_destroy(context);
}

static void test_a_file_that_is_no_text_is_not_read_whole(void **state)
{
    (void)state;
    with_zeros((off_t)1 << 30, load_zeros);
}

static void load_blank(const char *path)
{
    purse p = {.limit = 0};
    levy_book *book = NULL;
    FILE *const file = fopen(path, "r+");
    for (int i = 0; i < 70000; ++i) putc(' ', file); /* what comes later is another matter */
    fclose(file);
    levy_context *context = context_of(&p, "10M");
    check_limit(context, levy_book_load_files(context, &path, 1, NULL, 0, &book),
                "its text alone needs 20.0 MiB, which exceeds the memory limit, 10.0 "
                "MiB (max_memory)");
    assert_true(p.most < 1 << 20);
    levy_context_destroy(context);
}

static void test_a_file_over_the_limit_is_not_read(void **state)
{
    (void)state;
    with_zeros((off_t)20 << 20, load_blank);
}

static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t bytes;
    } good[] = {{"1", 1},      {"512M", (uint64_t)512 << 20}, {"4G", (uint64_t)4 << 30},
                {"3K", 3072},  {"2T", (uint64_t)2 << 40},     {"50%", 500},
                {"100%", 1000}};
    static const char *const wrong[] = {"",         "0",  "0%",  "-1",
                                        "1.5G",     "4g", "4GB", "4 G",
                                        "101%",     "%",  "M",   "99999999999999999999",
                                        "9999999T", "x"};
    uint64_t bytes = 0;
    for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
        assert_true(levy_size_read(good[i].text, 1000, &bytes));
        assert_int_equal(bytes, good[i].bytes);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        levy_context *context = NULL;
        const levy_context_options options = {.struct_size = sizeof options,
                                              .max_memory = wrong[i]};
        assert_false(levy_size_read(wrong[i], 1000, &bytes));
        assert_int_equal(levy_context_create(&options, &context), LEVY_STATUS_ARGUMENT);
    }
    assert_false(levy_size_read("50%", 0, &bytes));
    assert_true(levy_machine_memory() > (uint64_t)64 << 20);
}

static void test_processors(void **state)
{
    (void)state;
    assert_true(levy_machine_read_quota("max 100000\n") == UINT64_MAX);
    assert_true(levy_machine_read_quota("-1 100000\n") == UINT64_MAX);
    assert_true(levy_machine_read_quota("") == UINT64_MAX);
    assert_true(levy_machine_read_quota("100000 0\n") == UINT64_MAX);
    assert_int_equal(levy_machine_read_quota("200000 100000\n"), 2000);
    assert_int_equal(levy_machine_read_quota("1 3\n"), 334); /* rounded up */
    assert_int_equal(levy_machine_read_quota("50000"), 500);
    assert_int_equal(levy_machine_read_set("0-3,8\n"), 5);
    assert_int_equal(levy_machine_read_set("7\n"), 1);
    assert_int_equal(levy_machine_read_set("\n"), 0);
    assert_int_equal(levy_machine_read_set("3-1\n"), 0);
    assert_true(levy_machine_quota() >= 1 && levy_machine_set() >= 1);
}

/* ---- Promptness ---- */

typedef struct watcher {
    int calls, stop_at;
    double last, longest;
} watcher;

static int watch_calls(void *user, const levy_progress *progress)
{
    watcher *const w = user;
    struct timespec now;
    (void)progress;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double at = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (w->calls++ && at - w->last > w->longest) w->longest = at - w->last;
    w->last = at;
    return w->calls >= w->stop_at;
}

static void test_planning_tells_and_is_cancelled(void **state)
{
    (void)state;
    purse p = {.limit = 0};
    watcher w = {.stop_at = 10};
    levy_price_options how = on_cpu;
    levy_results *results = NULL;
    levy_study *study = NULL;
    text t = irregular_book(5000); /* 15 s of tables on one core */
    levy_context *context = context_of(&p, NULL);
    levy_book *book = read_book(context, t.bytes, NULL, 0);
    how.progress = watch_calls;
    how.user = &w;
    assert_int_equal(levy_price(book, &how, &results), LEVY_STATUS_CANCELLED);
    assert_int_equal(w.calls, 10);
    assert_true(w.longest < 5.0); /* a table takes milliseconds, and this machine has other work */
    assert_string_equal(levy_results_trade(results, 0)->reason, "cancelled");
    assert_int_equal(levy_results_run(results)->interrupted, 1);
    levy_results_destroy(results);
    w = (watcher){.stop_at = 10};
    assert_int_equal(levy_book_explain(book, &how, drop, NULL), LEVY_STATUS_CANCELLED);
    assert_int_equal(w.calls, 10);
    w = (watcher){.stop_at = 10};
    const levy_study_options options = {.struct_size = sizeof options,
                                        .points = "2^8",
                                        .methods = "sobol_scrambled+bridge",
                                        .has_reference = 1,
                                        .reference = 1.0};
    assert_int_equal(levy_converge(book, &options, &how, &study), LEVY_STATUS_CANCELLED);
    assert_int_equal(w.calls, 10);
    levy_book_destroy(book);
    free(t.bytes);
    t = irregular_book(2); /* the context is as good as before */
    book = read_book(context, t.bytes, NULL, 0);
    assert_int_equal(levy_price(book, &on_cpu, &results), LEVY_STATUS_OK);
    assert_string_equal(levy_results_trade(results, 0)->status, "ok");
    levy_results_destroy(results);
    levy_book_destroy(book);
    levy_context_destroy(context);
    free(t.bytes);
}

/* Scripts on one date that decide otherwise at 60 levels, each a logarithm of them all away. */
static text ladders_book(int trades)
{
    text t = {NULL, 0, 0};
    add(&t, "schema_version: 1\nmarket: {curves: {USD: 0.1}, assets: {S: {currency: USD, spot: "
            "100, volatility: 0.2}}}\nmodels: {m: {kind: black_scholes, assets: [S]}}\n"
            "measures: [price, delta, gamma, vega, rho]\n"
            "simulation: {paths: 2^8, smoothing: none}\ntrades:\n");
    for (int i = 0; i < trades; ++i) {
        add(&t,
            "  - {id: a%d, underlying: S, exercise: {expiry: 1}, payoff: {kind: script, "
            "script: 'at expiry { ",
            i);
        for (int k = 60; k < 120; ++k) add(&t, "if exp(log(level)) > %d { pay log(level) }; ", k);
        add(&t, "}'}}\n");
    }
    return t;
}

static void test_the_search_for_jumps_is_cancelled(void **state)
{
    (void)state;
    purse p = {.limit = 0};
    watcher w = {.stop_at = 10};
    levy_price_options how = on_cpu;
    levy_results *results = NULL;
    text t = ladders_book(200); /* 20 s of search on one core */
    levy_context *context = context_of(&p, NULL);
    levy_book *book = read_book(context, t.bytes, NULL, 0);
    how.progress = watch_calls;
    how.user = &w;
    assert_int_equal(levy_price(book, &how, &results), LEVY_STATUS_CANCELLED);
    assert_int_equal(w.calls, 10);
    assert_true(w.longest < 5.0);
    levy_results_destroy(results);
    levy_book_destroy(book);
    levy_context_destroy(context);
    free(t.bytes);
}

static void test_an_expiry_of_nothing_takes_no_time(void **state)
{
    (void)state;
    const char *const nothing = text_of_book("texts/limits");
    purse p = {.limit = (size_t)16 << 20}; /* tables that nobody shares took 150 MB, and 18 s */
    levy_results *results = NULL;
    levy_context *context = context_of(&p, NULL);
    levy_book *book = read_book(context, nothing, NULL, 0);
    assert_int_equal(levy_price(book, &on_cpu, &results), LEVY_STATUS_OK);
    for (size_t i = 0; i < 2; ++i)
        assert_true(fabs(levy_results_trade(results, i)->price - 10.0) < 1e-9);
    levy_results_destroy(results);
    levy_book_destroy(book);
    levy_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_plan_too_large_is_refused_before_it_is_built),
        cmocka_unit_test(test_a_plan_over_the_limit_says_both),
        cmocka_unit_test(test_tables_that_nobody_could_foresee_meet_the_meter),
        cmocka_unit_test(test_nodes_are_counted_against_the_limit),
        cmocka_unit_test(test_steps_are_counted_while_they_are_made),
        cmocka_unit_test(test_a_file_that_is_no_text_is_not_read_whole),
        cmocka_unit_test(test_a_file_over_the_limit_is_not_read),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_processors),
        cmocka_unit_test(test_planning_tells_and_is_cancelled),
        cmocka_unit_test(test_the_search_for_jumps_is_cancelled),
        cmocka_unit_test(test_an_expiry_of_nothing_takes_no_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
