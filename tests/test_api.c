/* test_api.c: liblevy as a program that embeds it: contracts of every call, results, cancellation,
 * the caller's allocator (every allocation fails once, and from then on), the caller's
 * floating-point mode, two contexts at once, and the same bits whatever the schedule. */
#include "tests/cmocka_all.h"

#include "engine/levy.h"
#include "tests/heap.h"
#include "tests/kept_text.h"
#include "tests/near.h"
#include "tests/words.h"
#include "tests/files.h"

#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *api_book(void) { return text_of_book("texts/api"); }

static levy_context *new_context(void)
{
    levy_context *context;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    return context;
}

static levy_book *load_for(levy_context *context, const char *text, int expected)
{
    levy_book *book;
    const int status =
        levy_book_load_text(context, "book.yaml", text, strlen(text), NULL, 0, &book);
    if (status != expected) fail_msg("status %d: %s", status, first_words(context));
    return book;
}

static levy_price_options options_for_cpu(uint32_t threads)
{
    return (levy_price_options){
        .struct_size = sizeof(levy_price_options), .device = "cpu", .threads = threads};
}

/* ---- Contracts ---- */

static void test_statuses_have_sentences_and_exit_codes(void **state)
{
    (void)state;
    static const int codes[] = {0, 2, 3, 3, 4, 4, 5, 7, 130, 1, 4};
    for (int i = 0; i <= 10; ++i) {
        assert_true(strlen(levy_status_message(-i)) > 3);
        assert_int_equal(levy_status_exit_code(-i), codes[i]);
    }
    assert_non_null(levy_status_message(-99));
    assert_string_equal(levy_version(), LEVY_VERSION " (contract " LEVY_QUOTE(LEVY_CONTRACT) ")");
}

static void test_bad_arguments_are_refused(void **state)
{
    (void)state;
    levy_context *context = new_context(), *none = context;
    levy_book *book = NULL;
    levy_results *results = NULL;
    levy_context_options options = {.struct_size = sizeof options, .allocate = heap_allocate};
    assert_int_equal(levy_context_create(&options, &none), LEVY_STATUS_ARGUMENT);
    assert_null(none);
    options = (levy_context_options){.struct_size = 1};
    assert_int_equal(levy_context_create(&options, &none), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_context_create(NULL, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_book_load(context, NULL, 0, NULL, 0, &book), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_book_load_files(context, (const char *[]){NULL}, 1, NULL, 0, &book),
                     LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_book_load_text(context, "x", NULL, 0, NULL, 0, &book),
                     LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_book_load_text(NULL, "x", "", 0, NULL, 0, &book), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_book_load_text(context, "x", "", 0, &(levy_setting){NULL, "1"}, 1, &book),
                     LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_price(NULL, NULL, &results), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_describe(NULL, NULL, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_results_write(NULL, LEVY_FORMAT_JSON, NULL, NULL), LEVY_STATUS_ARGUMENT);
    assert_null(levy_results_trade(NULL, 0));
    assert_int_equal(levy_diagnostic_count(NULL), 0);
    levy_book_destroy(NULL);
    levy_results_destroy(NULL);
    levy_context_destroy(context);
}

static int no_writer(void *user, const char *text, size_t length)
{
    (void)user, (void)text, (void)length;
    return 0;
}

/* What the last call said must not pass for the reason of this one. */
static void assert_own_words(levy_context *context, levy_book *book, int status, int line)
{
    const levy_diagnostic *const first = levy_diagnostic_get(context, 0);
    if (status != LEVY_STATUS_ARGUMENT || levy_diagnostic_count(context) != 1 ||
        strstr(first->message, "Q.spot"))
        print_error("line %d: %d, %s\n", line, status, first ? first->message : "no words");
    assert_int_equal(status, LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_diagnostic_count(context), 1);
    assert_null(strstr(first->message, "Q.spot"));
    assert_int_equal(levy_book_set(book, "Q.spot", 1.0), LEVY_STATUS_ARGUMENT); /* for the next */
    assert_non_null(strstr(levy_diagnostic_get(context, 0)->message, "Q.spot"));
}

static void test_bad_arguments_leave_no_stale_words(void **state)
{
    (void)state;
    levy_context *context = new_context();
    levy_book *book = load_for(context, api_book(), LEVY_STATUS_OK), *other;
    levy_results *results;
    levy_study *study;
    levy_sampler *sampler;
    double value;
    const levy_price_options wrong = {.struct_size = 4097},
                             none = {.struct_size = sizeof(size_t)}, /* of a pointer to it */
        torn = {.struct_size = sizeof(size_t) + 4, .device = "cpu"}, /* ends within a pointer */
        many = {.struct_size = sizeof many, .device = "cpu", .threads = 4097};
    const levy_study_options wrong_study = {.struct_size = 1};
    assert_int_equal(levy_book_set(book, "Q.spot", 1.0), LEVY_STATUS_ARGUMENT);
    assert_own_words(context, book, levy_price(book, &wrong, &results), __LINE__);
    assert_own_words(context, book, levy_price(book, &none, &results), __LINE__);
    assert_own_words(context, book, levy_price(book, &torn, &results), __LINE__);
    assert_own_words(context, book, levy_price(book, &many, &results), __LINE__);
    assert_own_words(context, book, levy_price(book, NULL, NULL), __LINE__);
    assert_own_words(context, book, levy_book_load_text(context, "x", NULL, 0, NULL, 0, &other),
                     __LINE__);
    assert_own_words(context, book, levy_book_load_text(context, "x", "", 0, NULL, 0, NULL),
                     __LINE__);
    assert_own_words(
        context, book,
        levy_book_load_text(context, "x", "", 0, &(levy_setting){NULL, "1"}, 1, &other), __LINE__);
    assert_own_words(context, book, levy_book_load(context, NULL, 0, NULL, 0, &other), __LINE__);
    assert_own_words(context, book, levy_book_load_files(context, NULL, 0, NULL, 0, &other),
                     __LINE__);
    assert_own_words(context, book, levy_book_set(book, NULL, 1.0), __LINE__);
    assert_own_words(context, book, levy_book_get(book, NULL, &value), __LINE__);
    assert_own_words(context, book, levy_book_get(book, "R.spot", &value), __LINE__);
    assert_own_words(context, book, levy_book_explain(book, &wrong, no_writer, NULL), __LINE__);
    assert_own_words(context, book, levy_book_explain(book, NULL, NULL, NULL), __LINE__);
    assert_own_words(context, book, levy_converge(book, &wrong_study, NULL, &study), __LINE__);
    assert_own_words(context, book, levy_coverage(book, NULL, &wrong, &study), __LINE__);
    assert_own_words(context, book, levy_devices_write(context, LEVY_FORMAT_SVG, no_writer, NULL),
                     __LINE__);
    assert_own_words(context, book, levy_kernels_list(context, NULL, NULL, NULL), __LINE__);
    assert_own_words(context, book, levy_kernels_build(book, NULL, NULL, no_writer, NULL),
                     __LINE__);
    assert_own_words(context, book, levy_sampler_create(context, NULL, &sampler), __LINE__);
    assert_own_words(context, book, levy_bridge_create(context, NULL, NULL), __LINE__);
    assert_own_words(context, book, levy_distribution_create(context, NULL, NULL), __LINE__);
    levy_book_destroy(book);
    levy_context_destroy(context);
}

static void test_bad_devices_are_refused_in_words(void **state)
{
    (void)state;
    levy_context *context = new_context();
    levy_book *book = load_for(context, api_book(), LEVY_STATUS_OK);
    levy_results *results = (levy_results *)(void *)context;
    levy_price_options options = options_for_cpu(1);
    options.device = "gpu";
    assert_int_equal(levy_price(book, &options, &results), LEVY_STATUS_ARGUMENT);
    assert_null(results);
    assert_int_equal(levy_diagnostic_count(context), 1);
    assert_non_null(strstr(levy_diagnostic_get(context, 0)->message, "gpu"));
    options = options_for_cpu(1);
    options.isa = "mmx";
    assert_int_equal(levy_price(book, &options, &results), LEVY_STATUS_ARGUMENT);
    assert_non_null(strstr(levy_diagnostic_get(context, 0)->message, "mmx"));
    options.isa = NULL; /* the next call starts afresh */
    assert_int_equal(levy_price(book, &options, &results), LEVY_STATUS_OK);
    assert_int_equal(levy_diagnostic_count(context), 0);
    levy_results_destroy(results);
    levy_book_destroy(book);
    levy_context_destroy(context);
}

static void test_diagnostics_are_sorted_and_complete(void **state)
{
    (void)state;
    levy_context *context = new_context();
    static const char text[] = "schema_version: 1\n"
                               "modelz: {}\n"
                               "trades: 5\n";
    assert_null(load_for(context, text, LEVY_STATUS_INPUT));
    const size_t count = levy_diagnostic_count(context);
    assert_true(count >= 2);
    uint32_t line = 0;
    for (size_t i = 0; i < count; ++i) {
        const levy_diagnostic *diagnostic = levy_diagnostic_get(context, i);
        assert_string_equal(diagnostic->file, "book.yaml");
        assert_true(diagnostic->line >= line);
        line = diagnostic->line;
        assert_non_null(strstr(diagnostic->text, "book.yaml:"));
        assert_non_null(strstr(diagnostic->text, diagnostic->message));
        assert_true(strlen(diagnostic->reason) > 1);
    }
    levy_context_destroy(context);
}

/* ---- Results ---- */

static void test_results_scale_turn_and_outlive_the_book(void **state)
{
    (void)state;
    levy_context *context = new_context();
    levy_book *book = load_for(context, api_book(), LEVY_STATUS_OK);
    levy_results *results;
    assert_int_equal(levy_book_size(book), 3);
    const levy_price_options options = options_for_cpu(2);
    assert_int_equal(levy_price(book, &options, &results), LEVY_STATUS_OK);
    levy_book_destroy(book);
    assert_int_equal(levy_results_size(results), 3);
    const levy_trade_result *bought = levy_results_trade(results, 0),
                            *sold = levy_results_trade(results, 1);
    const levy_trade_result *worst = levy_results_trade(results, 2);
    assert_string_equal(bought->id, "long");
    assert_true(bought->price > 9.5 && bought->price < 11.5 && bought->unit_price == bought->price);
    assert_true(sold->price == -3.0 * bought->price && sold->unit_price == bought->price);
    assert_true(sold->std_error == 3.0 * bought->std_error);
    assert_true(sold->ci_low < sold->price && sold->price < sold->ci_high);
    assert_true(sold->ci_low == -3.0 * bought->ci_high);
    assert_true(worst->price > 50 && worst->price < 400 &&
                fabs(worst->unit_price * 1000 - worst->price) < 1e-9);
    assert_int_equal(bought->n_measures, 2);
    assert_string_equal(levy_trade_measure(bought, 1)->factor, "A.spot");
    assert_true(levy_trade_measure(sold, 1)->value == -3.0 * levy_trade_measure(bought, 1)->value);
    for (size_t i = 0; i < bought->n_measures; ++i)
        assert_ptr_equal(levy_trade_measure(bought, i), &bought->measures[i]);
    assert_null(levy_trade_measure(bought, bought->n_measures));
    assert_null(levy_trade_measure(NULL, 0));
    assert_int_equal(worst->n_measures, 3);
    assert_string_equal(worst->measures[2].factor, "B.spot");
    assert_string_equal(bought->interval, "student_t");
    assert_true(isnan(bought->floor_probability));
    const levy_run_info *run = levy_results_run(results);
    assert_int_equal(run->priced, 3);
    assert_int_equal(run->threads, 2);
    assert_int_equal(run->interrupted, 0);
    assert_null(levy_results_trade(results, 3));
    levy_results_destroy(results);
    levy_context_destroy(context);
}

static int cancel_at(void *user, const levy_progress *progress)
{
    (void)progress;
    return --*(int *)user < 0;
}

typedef struct time_left {
    double of_cheap; /* seconds left over seconds so far, once the cheap trade is done */
    bool is_done;
} time_left;

static int eta_watch(void *user, const levy_progress *progress)
{
    time_left *const eta = user;
    if (progress->done * 2 == progress->total && progress->seconds > 0.0)
        eta->of_cheap = progress->left / progress->seconds;
    if (progress->done == progress->total) assert_true(progress->left == 0.0);
    eta->is_done = progress->done == progress->total;
    return 0;
}

/* Half of the blocks are done, and hardly any of the work: no clock tells that, only the plan. */
static void test_time_left_knows_what_trades_cost(void **state)
{
    (void)state;
    static const char text[] =
        "schema_version: 1\n"
        "market: {curves: {USD: 0.05}, assets: {A: {currency: USD, spot: 100, volatility: 0.2}}}\n"
        "models: {m: {kind: black_scholes, assets: [A]}}\n"
        "simulation: {paths: 2^14}\n"
        "trades:\n"
        "  - {id: cheap, underlying: A, exercise: 1, payoff: {kind: european, option_type: call, "
        "strike: 100}}\n"
        "  - {id: dear, underlying: A, exercise: 1, measures: [price, delta, gamma, vega, rho], "
        "payoff: {kind: asian, option_type: call, strike: 100, averaging: {observations: {count: "
        "252}}}}\n";
    levy_context *context = new_context();
    levy_book *book = load_for(context, text, LEVY_STATUS_OK);
    levy_results *results;
    time_left eta = {0};
    levy_price_options options = options_for_cpu(1);
    options.progress = eta_watch;
    options.user = &eta;
    assert_int_equal(levy_price(book, &options, &results), LEVY_STATUS_OK);
    assert_true(eta.is_done && eta.of_cheap > 30.0);
    levy_results_destroy(results);
    levy_book_destroy(book);
    levy_context_destroy(context);
}

static void test_cancelling_keeps_what_is_done(void **state)
{
    (void)state;
    levy_context *context = new_context();
    levy_book *book = load_for(context, api_book(), LEVY_STATUS_OK);
    size_t priced = 0;
    for (int calls = 0; calls < 200; ++calls) {
        levy_results *results;
        int left = calls;
        levy_price_options options = options_for_cpu(1);
        options.progress = cancel_at;
        options.user = &left;
        options.batch_blocks = 1;
        const int status = levy_price(book, &options, &results);
        const levy_run_info *run = levy_results_run(results);
        assert_true(status == LEVY_STATUS_OK || status == LEVY_STATUS_CANCELLED);
        assert_int_equal(run->interrupted, status == LEVY_STATUS_CANCELLED);
        assert_true(run->priced >= priced && run->priced + run->cancelled == 3);
        assert_int_equal(run->failed, 0);
        priced = run->priced;
        for (size_t i = 0; i < 3; ++i) {
            const levy_trade_result *trade = levy_results_trade(results, i);
            const bool ok = strcmp(trade->status, "ok") == 0;
            assert_string_equal(trade->reason, ok ? "none" : "cancelled");
            if (!ok) assert_string_equal(trade->status, "cancelled");
            assert_int_equal(isnan(trade->price) != 0, !ok);
        }
        levy_results_destroy(results);
        if (status == LEVY_STATUS_OK) break;
        assert_true(calls < 199);
    }
    assert_int_equal(priced, 3);
    levy_book_destroy(book);
    levy_context_destroy(context);
}

/* ---- The caller's allocator ---- */

/* Load, explain, price, write: the first status that is not OK. *price gets the first trade's. */
static int price_once(levy_context *context, const char *text, double *price)
{
    levy_book *book;
    levy_results *results = NULL;
    const levy_price_options options = options_for_cpu(2);
    int status = levy_book_load_text(context, "book.yaml", text, strlen(text), NULL, 0, &book);
    if (status != LEVY_STATUS_OK) return status;
    status = levy_book_explain(book, &options, text_drop, NULL);
    if (status == LEVY_STATUS_OK) status = levy_price(book, &options, &results);
    if (status == LEVY_STATUS_OK) {
        const levy_trade_result *trade = levy_results_trade(results, 0);
        *price = trade->price;
        /* a group had none */
        if (levy_results_run(results)->failed > 0) status = LEVY_STATUS_MEMORY;
        for (size_t i = 0; i < levy_results_size(results); ++i)
            if (strcmp(levy_results_trade(results, i)->status, "ok") != 0)
                assert_string_equal(levy_results_trade(results, i)->reason, "memory");
    }
    if (status == LEVY_STATUS_OK)
        status = levy_results_write(results, LEVY_FORMAT_JSON, text_drop, NULL);
    levy_results_destroy(results);
    levy_book_destroy(book);
    return status;
}

/* A sanitizer makes a price dear; a prime stride still meets every room's allocations. */
static const long api_strides[] = {1, 13, 61};

static void fail_every_allocation(const char *text, bool for_ever)
{
    test_heap heap = {.for_ever = for_ever};
    levy_context_options options = heap_options(&heap);
    options.keep_texts = 1;
    levy_context *context;
    double right = 0.0, price = 0.0;
    assert_int_equal(levy_context_create(&options, &context), LEVY_STATUS_OK);
    assert_int_equal(price_once(context, text, &right), LEVY_STATUS_OK);
    const long calls = heap.calls;
    assert_true(calls > 20);
    for (long n = 1; n <= calls; n += api_strides[LEVY_SANITIZED]) {
        heap_fail(&heap, n);
        const int status = price_once(context, text, &price);
        if (status != LEVY_STATUS_MEMORY && !(status == LEVY_STATUS_OK && price == right))
            fail_msg("allocation %ld of %ld: status %d, price %.17g", n, calls, status, price);
    }
    heap_fail(&heap, 0); /* the same context prices correctly again */
    assert_int_equal(price_once(context, text, &price), LEVY_STATUS_OK);
    assert_true(price == right);
    levy_context_destroy(context);
    assert_int_equal(heap.live, 0);
    heap_fail(&heap, 1);
    assert_int_equal(levy_context_create(&options, &context), LEVY_STATUS_MEMORY);
}

static void test_every_allocation_may_fail_once(void **state)
{
    (void)state;
    fail_every_allocation(api_book(), false);
}

/* A script with soft conditions, and averages that are drawn first. */
static void test_every_allocation_of_scripts_and_averages_may_fail(void **state)
{
    (void)state;
    fail_every_allocation(
        "schema_version: 1\nmarket: {curves: {USD: 0.05}, assets: {A: {currency: USD, spot: 100, "
        "volatility: 0.2}}}\nmodels: {m: {kind: black_scholes, assets: [A]}}\ntrades:\n"
        " - {id: soft, underlying: A, exercise: {expiry: 1}, payoff: {kind: script, schedules: "
        "{days: {count: 4}}, script: \"at days { pay 10 if level > 100 else 0 }\"}}\n"
        " - {id: mean, underlying: A, exercise: {expiry: 1}, payoff: {kind: asian, option_type: "
        "call, strike: 100, averaging: {method: arithmetic, observations: {count: 12}}}}\n"
        "simulation: {paths: 2^8, smoothing: {kind: none, width: 0.05}, construction: {kind: "
        "bridge, first: average}}\n",
        false);
}

/* Volatilities that prices imply, and those of prices. */
static void test_every_allocation_of_implied_volatilities_may_fail(void **state)
{
    (void)state;
    fail_every_allocation(
        "schema_version: 1\nmarket: {curves: {USD: 0.05}, assets: {A: {currency: USD, spot: 100, "
        "volatility: {kind: implied, quotes: [{expiry: 1, strike: 100, option_type: call, price: "
        "10}, {expiry: 2, strike: 100, option_type: call, price: 16}]}}}}\nmodels: {m: {kind: "
        "black_scholes, assets: [A]}}\ntrades: [{id: a, underlying: A, exercise: {expiry: 1}, "
        "payoff: {kind: european, option_type: call, strike: 100}}]\n"
        "measures: [price, implied_volatility]\nsimulation: {paths: 2^8}\n",
        false);
}

static void test_every_allocation_may_fail_for_ever(void **state)
{
    (void)state;
    fail_every_allocation(api_book(), true);
}

/* A grid that takes a chunk of its own: any one of its lists may be what is missing. */
static const char *api_days(void) { return text_of_book("texts/api-days"); }

static int price_days(levy_book *book, double *price)
{
    const levy_price_options options = options_for_cpu(1);
    levy_results *results = NULL;
    int status = levy_price(book, &options, &results);
    if (status == LEVY_STATUS_OK) {
        *price = levy_results_trade(results, 0)->price;
        if (levy_results_run(results)->failed > 0) status = LEVY_STATUS_MEMORY;
    }
    levy_results_destroy(results);
    return status;
}

/* A plan that an allocation failed is not kept half made for the next quotes. */
static void test_new_quotes_after_a_failed_allocation(void **state)
{
    (void)state;
    test_heap heap = {.fail_at = 0};
    const levy_context_options own = heap_options(&heap);
    levy_context *context;
    double right = 0.0, first = 0.0, price = 0.0;
    assert_int_equal(levy_context_create(&own, &context), LEVY_STATUS_OK);
    long calls = 1;
    for (long n = 0; n <= calls;
         n += n ? api_strides[LEVY_SANITIZED] : 1) { /* the first fails none */
        levy_book *book = load_for(context, api_days(), LEVY_STATUS_OK);
        heap_fail(&heap, n);
        const int status = price_days(book, &first);
        if (n == 0) calls = heap.calls;
        assert_true(status == LEVY_STATUS_OK || (n > 0 && status == LEVY_STATUS_MEMORY));
        heap_fail(&heap, 0);
        assert_int_equal(levy_book_set(book, "A.spot", 110.0), LEVY_STATUS_OK);
        assert_int_equal(price_days(book, n == 0 ? &right : &price), LEVY_STATUS_OK);
        assert_true(n == 0 || price == right);
        levy_book_destroy(book);
    }
    assert_true(calls > 10);
    levy_context_destroy(context);
    assert_int_equal(heap.live, 0);
}

/* The whole truth, or a failure: no count of passes that a missing allocation made 0. */
static void test_explain_says_the_same_or_fails(void **state)
{
    (void)state;
    static kept_text right, now;
    test_heap heap = {.fail_at = 0};
    const levy_context_options own = heap_options(&heap);
    const levy_price_options options = options_for_cpu(1);
    levy_context *context;
    levy_book *book;
    assert_int_equal(levy_context_create(&own, &context), LEVY_STATUS_OK);
    book = read_book(context, api_book(), NULL, 0);
    heap_fail(&heap, 0);
    assert_int_equal(levy_book_explain(book, &options, text_write, &right), LEVY_STATUS_OK);
    const long calls = heap.calls;
    assert_true(calls > 10);
    for (long n = 1; n <= calls; ++n) {
        heap_fail(&heap, n);
        now.length = 0;
        const int status = levy_book_explain(book, &options, text_write, &now);
        if (status == LEVY_STATUS_OK)
            assert_string_equal(now.bytes, right.bytes);
        else
            assert_int_equal(status, LEVY_STATUS_MEMORY);
    }
    levy_book_destroy(book);
    levy_context_destroy(context);
    assert_int_equal(heap.live, 0);
}

enum { LONG_NAMES = 24 };

static void put_text(kept_text *to, const char *text) { (void)text_write(to, text, strlen(text)); }

/* A trade on many assets, whose names with commas between them are longer than a chunk's rest. */
static void long_names_book(kept_text *book, kept_text *names)
{
    char name[32];
    book->length = names->length = 0;
    put_text(book, "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n");
    for (int i = 0; i < LONG_NAMES; ++i) {
        snprintf(name, sizeof name, "%sAN_ASSET_OF_A_LONG_NAME_%02d", i ? "," : "", i);
        put_text(names, name);
        put_text(book, "    ");
        put_text(book, name + (i > 0));
        put_text(book, ": {currency: USD, spot: 100}\n");
    }
    put_text(book, "models: {m: {kind: variance_gamma, sigma: 0.2, nu: 0.2, theta: 0, assets: [");
    put_text(book, names->bytes);
    put_text(book, "]}}\ntrades: [{id: best, exercise: {expiry: 1}, payoff: {kind: best_of, "
                   "option_type: call, strike: 100}, underlyings: [");
    put_text(book, names->bytes);
    put_text(book, "]}]\nsimulation: {paths: 2^5}\n");
}

static void test_underlyings_are_whole_or_the_run_fails(void **state)
{
    (void)state;
    static kept_text text, names;
    test_heap heap = {.fail_at = 0};
    const levy_context_options own = heap_options(&heap);
    const levy_price_options options = options_for_cpu(1);
    levy_context *context;
    long calls = 1, whole = 0;
    long_names_book(&text, &names);
    assert_int_equal(levy_context_create(&own, &context), LEVY_STATUS_OK);
    levy_book *const book = load_for(context, text.bytes, LEVY_STATUS_OK);
    for (long n = 0; n <= calls; ++n) {
        levy_results *results = NULL;
        heap_fail(&heap, n);
        if (levy_price(book, &options, &results) == LEVY_STATUS_OK) {
            assert_string_equal(levy_results_trade(results, 0)->underlying, names.bytes);
            ++whole;
        }
        if (n == 0) calls = heap.calls;
        levy_results_destroy(results);
    }
    assert_true(calls > 10 && whole > 0);
    levy_book_destroy(book);
    levy_context_destroy(context);
    assert_int_equal(heap.live, 0);
}

/* ---- The caller's process ---- */

static void test_the_callers_rounding_mode_neither_matters_nor_changes(void **state)
{
    (void)state;
    levy_context *context = new_context();
    double price = 0.0, again = 0.0;
    assert_int_equal(price_once(context, api_book(), &price), LEVY_STATUS_OK);
    assert_int_equal(fesetround(FE_UPWARD), 0);
    const int status = price_once(context, api_book(), &again), mode = fegetround();
    fesetround(FE_TONEAREST);
    assert_int_equal(status, LEVY_STATUS_OK);
    assert_int_equal(mode, FE_UPWARD);
    assert_int_equal(bits_of(price), bits_of(again));
    levy_context_destroy(context);
}

static void *price_in_thread(void *user)
{
    double *prices = user;
    levy_context *context;
    if (levy_context_create(NULL, &context) != LEVY_STATUS_OK) return NULL;
    for (int i = 0; i < 5; ++i)
        if (price_once(context, api_book(), &prices[i]) != LEVY_STATUS_OK) prices[i] = NAN;
    levy_context_destroy(context);
    return NULL;
}

static void test_contexts_in_threads_do_not_meet(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    double prices[THREADS][5] = {{0}};
    (void)api_book(); /* is read before there are threads */
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, price_in_thread, prices[i]), 0);
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
    assert_true(prices[0][0] > 0.0);
    for (int i = 0; i < THREADS; ++i)
        for (int j = 0; j < 5; ++j) assert_int_equal(bits_of(prices[i][j]), bits_of(prices[0][0]));
}

/* ---- The same bits ---- */

typedef struct api_bits {
    uint64_t bits[4096];
    size_t count;
} api_bits;

static void collect_bits(levy_book *book, const levy_price_options *options, api_bits *bits)
{
    levy_results *results;
    assert_int_equal(levy_price(book, options, &results), LEVY_STATUS_OK);
    bits->count = 0;
    for (size_t i = 0; i < levy_results_size(results); ++i) {
        const levy_trade_result *trade = levy_results_trade(results, i);
        assert_string_equal(trade->status, "ok");
        bits->bits[bits->count++] = trade->plan_hash;
        bits->bits[bits->count++] = bits_of(trade->ci_low);
        for (size_t j = 0; j < trade->n_measures && bits->count + 2 < 4096; ++j) {
            bits->bits[bits->count++] = bits_of(trade->measures[j].value);
            bits->bits[bits->count++] = bits_of(trade->measures[j].std_error);
        }
    }
    levy_results_destroy(results);
}

/* paths in two replicates, price and Greeks */
static levy_book *load_small(levy_context *context, const char *path, const char *paths)
{
    const levy_setting settings[] = {{"simulation.paths", paths},
                                     {"simulation.replicates", "2"},
                                     {"measures", "price,delta,vega"}};
    levy_book *book;
    assert_int_equal(levy_book_load_files(context, &path, 1, settings, 3, &book), LEVY_STATUS_OK);
    return book;
}

static void assert_same_bits(const char *path, const char *schedule, const api_bits *first,
                             const api_bits *other)
{
    assert_int_equal(other->count, first->count);
    if (memcmp(other->bits, first->bits, first->count * sizeof *first->bits) != 0)
        fail_msg("%s: %s has other bits", path, schedule);
}

/* Four blocks, two under a sanitizer. */
static void compare_threads_and_batches(const char *path)
{
    static const struct {
        uint32_t threads;
        uint64_t batch;
    } schedules[] = {{1, 1}, {2, 3}, {3, 0}, {7, 2}, {7, 1}};
    static api_bits first, other;
    levy_context *context = new_context();
    levy_book *book = load_small(context, path, LEVY_SANITIZED ? "2^13" : "2^14");
    levy_price_options options = options_for_cpu(1);
    collect_bits(book, &options, &first);
    for (size_t i = 0; i < sizeof schedules / sizeof *schedules; ++i) {
        options = options_for_cpu(schedules[i].threads);
        options.batch_blocks = schedules[i].batch;
        collect_bits(book, &options, &other);
        assert_same_bits(path, "another count of threads or another batch", &first, &other);
    }
    levy_book_destroy(book);
    levy_context_destroy(context);
}

/* One block a replicate, and not a full one: emulated fma is slow. */
static void compare_instruction_sets(const char *path)
{
    static const char *const isas[] = {"avx2", "avx512", "neon", "baseline"};
    static api_bits first, other;
    levy_context *context = new_context();
    levy_book *book = load_small(context, path, "2^8");
    levy_price_options options = options_for_cpu(1);
    collect_bits(book, &options, &first);
    for (size_t i = 0; i < sizeof isas / sizeof *isas; ++i) {
        levy_results *results;
        options = options_for_cpu(2);
        options.isa = isas[i];
        /* not on this machine */
        if (levy_price(book, &options, &results) == LEVY_STATUS_ARGUMENT) continue;
        levy_results_destroy(results);
        collect_bits(book, &options, &other);
        assert_same_bits(path, isas[i], &first, &other);
    }
    levy_book_destroy(book);
    levy_context_destroy(context);
}

/* Through the public interface, one file of each kind, two under a sanitizer; test_contract takes
 * all of them, below it. */
static void test_no_schedule_changes_a_bit(void **state)
{
    static const char *const files[] = {"quickstart", "asian", "barrier_continuous", "dividends",
                                        "greeks"};
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i += LEVY_SANITIZED ? 3 : 1) {
        char path[1024];
        snprintf(path, sizeof path, "%s/configs/%s.yaml", LEVY_SOURCE_DIR, files[i]);
        compare_threads_and_batches(path);
        compare_instruction_sets(path);
    }
}

/* ---- What a book was read from ---- */

static const char *api_referring(void) { return text_of_book("texts/api-referring"); }
static const char api_market[] =
    "curves: {USD: 0.05}\nassets: {A: {currency: USD, spot: 100, volatility: 0.2}}\n";

static double only_price(levy_book *book)
{
    const levy_price_options options = options_for_cpu(1);
    levy_results *results;
    assert_int_equal(levy_price(book, &options, &results), LEVY_STATUS_OK);
    const double price = levy_results_trade(results, 0)->price;
    levy_results_destroy(results);
    return price;
}

static void test_a_book_is_made_again_from_what_was_kept(void **state)
{
    (void)state;
    const levy_context_options keeps = {.struct_size = sizeof keeps, .keep_texts = 1};
    const levy_source source = {"book.yaml", api_referring(), strlen(api_referring()), "folder"};
    const levy_source market = {"folder/FILE", api_market, sizeof api_market - 1, NULL};
    levy_context *context, *other = new_context();
    levy_book *book, *again;
    assert_int_equal(levy_context_create(&keeps, &context), LEVY_STATUS_OK);
    /* there is no such file */
    assert_int_equal(levy_book_load(context, &source, 1, NULL, 0, &book), LEVY_STATUS_INPUT);
    assert_int_equal(levy_book_load_kept(context, &source, 1, NULL, 0, NULL, 0, &book),
                     LEVY_STATUS_INPUT);
    assert_int_equal(levy_book_load_kept(context, &source, 1, NULL, 1, NULL, 0, &book),
                     LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_book_load_kept(context, &source, 1, &(levy_source){"x", NULL, 0, NULL}, 1,
                                         NULL, 0, &book),
                     LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_book_load_kept(context, &source, 1, &market, 1, NULL, 0, &book),
                     LEVY_STATUS_OK);
    const levy_source *kept = levy_book_source(book, 0), *reference = levy_book_reference(book, 0);
    assert_string_equal(kept->name, "book.yaml");
    assert_string_equal(kept->text, api_referring());
    assert_string_equal(kept->folder, "folder");
    assert_string_equal(reference->name, "folder/FILE");
    assert_string_equal(reference->text, api_market);
    assert_int_equal(reference->length, sizeof api_market - 1);
    assert_null(levy_book_source(book, 1));
    assert_null(levy_book_reference(book, 1));
    assert_int_equal(levy_book_load_kept(other, kept, 1, reference, 1, NULL, 0, &again),
                     LEVY_STATUS_OK);
    assert_null(levy_book_source(again, 0)); /* its context keeps no texts */
    assert_true(only_price(again) == only_price(book));
    levy_book_destroy(book);
    levy_book_destroy(again);
    levy_context_destroy(context);
    levy_context_destroy(other);
}

/* A message shows a name's control characters as \\x09, so its path is not the text's: what is
 * missing there was missed, and read through a null pointer. */
static void test_a_strange_name_hides_no_missing_key(void **state)
{
    (void)state;
    static const char text[] =
        "schema_version: 1\nmarket: {curves: {USD: 0.04}, assets: {\"e\\tx\": {spot: 1}}}\n";
    levy_context *context;
    levy_book *book;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    assert_int_equal(
        levy_book_load_text(context, "book.yaml", text, sizeof text - 1, NULL, 0, &book),
        LEVY_STATUS_INPUT);
    levy_context_destroy(context);
}

static int take_one_piece(void *user, const char *text, size_t length)
{
    size_t *const pieces = user;
    (void)text;
    (void)length;
    return ++*pieces > 1;
}

/* They come in few pieces, and a writer that stops ends them. */
static void test_texts_of_the_engine_stop(void **state)
{
    (void)state;
    levy_context *context;
    size_t pieces[3] = {0};
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    assert_int_equal(levy_schema(take_one_piece, &pieces[0]), LEVY_STATUS_IO);
    assert_int_equal(levy_context_schema(context, NULL, take_one_piece, &pieces[1]),
                     LEVY_STATUS_IO);
    assert_int_equal(levy_context_describe(context, "trade", take_one_piece, &pieces[2]),
                     LEVY_STATUS_IO);
    for (size_t i = 0; i < 3; ++i) assert_int_equal(pieces[i], 2);
    levy_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_strange_name_hides_no_missing_key),
        cmocka_unit_test(test_a_book_is_made_again_from_what_was_kept),
        cmocka_unit_test(test_statuses_have_sentences_and_exit_codes),
        cmocka_unit_test(test_bad_arguments_are_refused),
        cmocka_unit_test(test_bad_arguments_leave_no_stale_words),
        cmocka_unit_test(test_bad_devices_are_refused_in_words),
        cmocka_unit_test(test_diagnostics_are_sorted_and_complete),
        cmocka_unit_test(test_results_scale_turn_and_outlive_the_book),
        cmocka_unit_test(test_time_left_knows_what_trades_cost),
        cmocka_unit_test(test_cancelling_keeps_what_is_done),
        cmocka_unit_test(test_every_allocation_may_fail_once),
        cmocka_unit_test(test_every_allocation_of_scripts_and_averages_may_fail),
        cmocka_unit_test(test_every_allocation_of_implied_volatilities_may_fail),
        cmocka_unit_test(test_every_allocation_may_fail_for_ever),
        cmocka_unit_test(test_new_quotes_after_a_failed_allocation),
        cmocka_unit_test(test_explain_says_the_same_or_fails),
        cmocka_unit_test(test_underlyings_are_whole_or_the_run_fails),
        cmocka_unit_test(test_the_callers_rounding_mode_neither_matters_nor_changes),
        cmocka_unit_test(test_contexts_in_threads_do_not_meet),
        cmocka_unit_test(test_no_schedule_changes_a_bit),
        cmocka_unit_test(test_texts_of_the_engine_stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
