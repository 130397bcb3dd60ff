/* workers_case.h: a book of many groups on a GPU (fake_module.c in the place of the CUDA module),
 * priced with one thread, two, seven and more: what a user sees is the same, byte for byte.
 * Included once per test program. */
#ifndef LEVY_TESTS_WORKERS_CASE_H
#define LEVY_TESTS_WORKERS_CASE_H

#include "tests/gpu_context.h"
#define TEXT_ROOM (1 << 20)
#include "tests/kept_text.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A sanitizer sees the same threads in half as many groups. */
enum { GROUPS = LEVY_SANITIZED ? 20 : 40 };

static const uint32_t counts[] = {2, 7, 32};
/* the last one asks ThreadSanitizer for more of the same threads */
enum { COUNTS = sizeof counts / sizeof *counts - (LEVY_SANITIZED == 2) };

static kept_text book_text, expected, seen;

static inline void text_add(kept_text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void text_add(kept_text *t, const char *format, ...)
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
 * in nine is at fault, one in eight has Greeks, one in thirteen is on two assets and has twenty
 * dates, and one has a known amount. */
static inline void write_trade(unsigned i, unsigned more, unsigned expiry)
{
    static const char asian[] = "kind: asian, option_type: call, strike: %u, averaging: {method: "
                                "arithmetic, observations: {count: 3}}";
    static const char *const payoffs[] = {
        "kind: european, option_type: call, strike: %u",
        "kind: digital, option_type: put, strike: %u, payout: cash, cash: 1", asian,
        "kind: european, option_type: put, strike: %u"};
    const bool two = i % 13 == 7;
    char payoff[256];
    snprintf(payoff, sizeof payoff, payoffs[i % 4], 80 + i);
    if (two)
        snprintf(payoff, sizeof payoff,
                 "kind: asian, aggregate: best_of, option_type: call, strike: 100, averaging: "
                 "{method: arithmetic, observations: {count: 20}}");
    text_add(&book_text, "  - {id: t%u_%u, %s, payoff: {%s%s}, exercise: {expiry: %u.%02u}%s}\n",
             expiry, more, two ? "underlyings: [A, B]" : "underlying: A", payoff,
             i % 9 == 8 ? ", strik: 1" : "", 1 + expiry / 50, 2 * (expiry % 50) + 1,
             i % 8 == 3 ? ", measures: [price, delta, gamma, vega]" : "");
}

static inline void write_workers_book(void)
{
    book_text.length = 0;
    text_add(&book_text, "schema_version: 1\n"
                         "market: {curves: {USD: 0.05}, assets: {A: {currency: USD, spot: 100, "
                         "volatility: 0.2}, B: {currency: USD, spot: 100, volatility: 0.3}}, "
                         "correlations: {pairs: [[A.spot, B.spot, 0.5]]}}\n"
                         "models: {m: {kind: black_scholes, assets: [A, B]}}\n"
                         "trades:\n");
    for (unsigned i = 0; i < GROUPS; ++i) {
        write_trade(i, 0, i);
        for (unsigned more = 1; i % 10 == 0 && more < 12; ++more) write_trade(4 * more, more, i);
    }
    text_add(&book_text, "simulation: {paths: 2^8, replicates: 2, seed: 7}\n");
}

static inline int workers_start(void **state)
{
    write_workers_book();
    return gpu_start(state);
}

static inline int workers_reset(void **state)
{
    (void)state;
    levy_call_device_drop(context);
    assert_int_equal(gpu->misuse, 0);
    gpu_reset();
    atomic_store(&levy_call_misuses, 0);
    return 0;
}

/* All is given back, and nothing was misused. */
static inline int check(void **state)
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

static inline int workers_watch(void *user, const levy_progress *progress)
{
    wish *const w = user;
    assert_true(pthread_equal(pthread_self(), w->thread));
    assert_true(progress->done <= progress->total);
    assert_true(w->fails || progress->done >= w->progress); /* what fails is done again */
    w->progress = progress->done;
    return w->stop_at && progress->done >= w->stop_at;
}

/* Removes what stands between a key and an end. */
static inline void forget(kept_text *t, const char *key, char end)
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
static inline void text_report(levy_context *of, int status, const levy_results *results,
                               kept_text *out)
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

static inline void price_workers(levy_context *of, wish w, uint32_t threads, kept_text *out)
{
    const levy_setting settings[] = {
        {"simulation.precision", w.precision ? w.precision : "double"},
        {"simulation.construction", w.construction ? w.construction : "bridge"}};
    const levy_price_options how = {.struct_size = sizeof how,
                                    .device = w.device ? w.device : "cuda",
                                    .threads = threads,
                                    .no_kernel_cache = 1,
                                    .no_times = 1,
                                    .progress = workers_watch,
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
        text_report(of, status, results, out);
        levy_results_destroy(results);
    }
    levy_book_destroy(book);
}

/* The same with any number of threads, on a GPU whose calls fail as `upset` says. */
static inline void compare_failing(wish w, void (*upset)(void))
{
    w.fails = upset != NULL;
    workers_reset(NULL);
    if (upset) upset();
    price_workers(context, w, 1, &expected);
    for (size_t c = 0; c < COUNTS; ++c) {
        workers_reset(NULL);
        if (upset) upset();
        price_workers(context, w, counts[c], &seen);
        assert_int_equal(seen.length, expected.length);
        assert_string_equal(seen.bytes, expected.bytes);
    }
}

static inline void compare_threads(wish w) { compare_failing(w, NULL); }

#define CASE(test) cmocka_unit_test_setup_teardown(test, workers_reset, check)

#endif
