/* test_stack.c: threads of a small stack read and price. 256 KiB are enough for whatever text is
 * legal or is refused, since recursion follows levels alone and these are counted; 64 KiB are
 * enough for every example. Frames that are not optimised, or that a sanitizer fills, are larger.
 */
#include "tests/cmocka_all.h"

#include "engine/levy.h"
#include "tests/kept_text.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#define STACK_FEATURE(name) __has_feature(name)
#else
#define STACK_FEATURE(name) 0
#endif
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||     \
    STACK_FEATURE(address_sanitizer) || STACK_FEATURE(thread_sanitizer) || LEVY_SANITIZED
enum { STACK_FACTOR = 16 };
#else
enum { STACK_FACTOR = 1 };
#endif
enum { TEXT = 64 << 10, PATH_SIZE = 1024 };

typedef struct stack_work {
    const char *text, *path; /* one of them is NULL */
    int status;              /* of what failed first */
    char says[256];
} stack_work;

static int read_book(stack_work *w, levy_context *context, levy_book **book)
{
    const levy_setting few = {"simulation.paths", "2^8"};
    return w->path ? levy_book_load_files(context, &w->path, 1, &few, 1, book)
                   : levy_book_load_text(context, NULL, w->text, strlen(w->text), NULL, 0, book);
}

/* Reads, prices, explains and writes. */
static void *work(void *user)
{
    stack_work *const w = user;
    const levy_price_options options = {
        .struct_size = sizeof options, .device = "cpu", .threads = 1};
    levy_context *context = NULL;
    levy_book *book = NULL;
    levy_results *results = NULL;
    w->status = levy_context_create(NULL, &context);
    if (w->status == LEVY_STATUS_OK) w->status = read_book(w, context, &book);
    if (w->status == LEVY_STATUS_OK) w->status = levy_price(book, &options, &results);
    if (w->status == LEVY_STATUS_OK)
        w->status = levy_results_write(results, LEVY_FORMAT_JSON, text_drop, NULL);
    if (w->status == LEVY_STATUS_OK) w->status = levy_book_explain(book, &options, text_drop, NULL);
    if (context && levy_diagnostic_count(context))
        snprintf(w->says, sizeof w->says, "%s", levy_diagnostic_get(context, 0)->text);
    levy_results_destroy(results);
    levy_book_destroy(book);
    levy_context_destroy(context);
    return NULL;
}

static void run_in_stack(stack_work *w, size_t kib)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setstacksize(&attributes, kib * STACK_FACTOR << 10), 0);
    assert_int_equal(pthread_create(&thread, &attributes, work, w), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}

/* ---- Texts ---- */

typedef struct stack_text {
    const char *begin, *piece; /* the piece `n` times, the rest `n` times again */
    int n;
    const char *middle, *rest, *end;
    const char *refused; /* words of the refusal; NULL: it has a price */
} stack_text;

static const stack_text texts[] = {
    {"at expiry { pay level", "+1", 2040, "", "", " }", NULL},
    {"at expiry { pay level", "*1", 2040, "", "", " }", NULL},
    {"at expiry { pay level", "+1", 30000, "", "", " }", "4096 steps"},
    {"at expiry { if level > 1", " and level > 2", 900, "", "", " { pay 1 } }", NULL},
    {"at expiry { if level > 1", " or level > 2", 900, "", "", " { pay 1 } }", NULL},
    {"var x = 0; at expiry { if level > 1", " and level > 2", 900, "", "", " { x = 1 }; pay x }",
     NULL},
    {"at expiry { if level < 1 { pay 1 }", " else if level < 2 { pay 2 }", 400, "", "", " }", NULL},
    {"at expiry { if level < 1 { stop }", " else if level < 2 { pay 2 }", 400, "", "", "; pay 3 }",
     NULL},
    {"at expiry { if level < 1 { pay 1 }", " else if level < 2 { pay 2 }", 2000, "", "", " }",
     "4096 steps"},
    {"at expiry { pay ", "(", 99, "level", ")", " }", NULL},
    {"at expiry { pay ", "(", 20000, "level", ")", " }", "100 levels"},
    {"at expiry { pay ", "max(1, ", 99, "level", ")", " }", NULL},
    {"at expiry { pay ", "max(1, ", 5000, "level", ")", " }", "100 levels"},
    {"at expiry { pay max(level", ", 1", 2000, "", "", ") }", NULL},
    {"at expiry { pay ", "-", 98, "level", "", " }", NULL},
    {"at expiry { pay ", "-", 20000, "level", "", " }", "100 levels"},
    {"at expiry { if ", "not ", 98, "level > 1", "", " { pay 1 } }", NULL},
    {"at expiry { if ", "not ", 9000, "level > 1", "", " { pay 1 } }", "100 levels"},
    {"at expiry { pay ", "1 if level < 1 else ", 98, "2", "", " }", NULL},
    {"at expiry { pay ", "1 if level < 1 else ", 2000, "2", "", " }", "100 levels"},
    {"at expiry { ", "if level > 1 { ", 99, "pay 1", " }", " }", NULL},
    {"at expiry { ", "if level > 1 { ", 3000, "pay 1", " }", " }", "100 levels"},
    {"at expiry { ", "if level < 1 { pay 1 } else { ", 99, "pay 2", " }", " }", NULL},
    {"at expiry { ", "if level < 1 { pay 1 } else { ", 1800, "pay 2", " }", " }", "100 levels"},
    {"at expiry { ", "pay level; ", 1300, "", "", " }", NULL},
};

/* A book whose script has these words, which are on one line. */
static void write_text(const stack_text *t, char *text)
{
    size_t n = (size_t)snprintf(
        text, TEXT,
        "schema_version: 1\nmarket: {curves: {USD: 0.02}, assets: {S: {currency: USD, spot: 100, "
        "volatility: 0.2}}}\nmodels: {m: {kind: black_scholes, assets: [S]}}\ntrades:\n  - {id: a, "
        "underlying: S, exercise: {expiry: 1.0}, payoff: {kind: script, script: \"%s",
        t->begin);
    for (int k = 0; k < t->n; ++k) n += (size_t)snprintf(text + n, TEXT - n, "%s", t->piece);
    n += (size_t)snprintf(text + n, TEXT - n, "%s", t->middle);
    for (int k = 0; k < t->n; ++k) n += (size_t)snprintf(text + n, TEXT - n, "%s", t->rest);
    n += (size_t)snprintf(text + n, TEXT - n, "%s\"}}\nsimulation: {paths: 2^8}\n", t->end);
    assert_true(n < TEXT);
}

static void test_any_text_in_256_kib(void **state)
{
    static char text[TEXT];
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
        const stack_text *const t = &texts[k];
        stack_work w = {.text = text};
        write_text(t, text);
        run_in_stack(&w, 256);
        if (t->refused ? w.status != LEVY_STATUS_INPUT || !strstr(w.says, t->refused)
                       : w.status != LEVY_STATUS_OK)
            fail_msg("%s%s %d times: %d %s", t->begin, t->piece, t->n, w.status, w.says);
    }
}

/* Lists in lists, which the reader of documents counts itself. */
static void test_documents_in_256_kib(void **state)
{
    static const char *const open[] = {"[", "{a: ", "[{a: "};
    static char text[TEXT];
    (void)state;
    for (size_t k = 0; k < sizeof open / sizeof *open; ++k) {
        stack_work w = {.text = text};
        size_t n = (size_t)snprintf(text, TEXT, "schema_version: 1\nmarket: ");
        for (int i = 0; i < 9000; ++i) n += (size_t)snprintf(text + n, TEXT - n, "%s", open[k]);
        run_in_stack(&w, 256);
        assert_int_equal(w.status, LEVY_STATUS_INPUT);
        assert_non_null(strstr(w.says, "nested too deeply"));
    }
}

/* ---- Examples ---- */

static int price_folder(const char *folder)
{
    int n = 0;
    DIR *const all = opendir(folder);
    assert_non_null(all);
    for (struct dirent *entry; (entry = readdir(all)) != NULL;) {
        char path[PATH_SIZE];
        const size_t length = strlen(entry->d_name);
        stack_work w = {.path = path};
        if (length < 6 || strcmp(entry->d_name + length - 5, ".yaml") != 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        run_in_stack(&w, 64);
        n += w.status == LEVY_STATUS_OK;
        if (w.status != LEVY_STATUS_OK && w.status != LEVY_STATUS_INPUT)
            fail_msg("%s: %d %s", path, w.status, w.says);
    }
    closedir(all);
    return n;
}

static void test_every_example_in_64_kib(void **state)
{
    (void)state;
    assert_true(price_folder(LEVY_SOURCE_DIR "/configs") >= 40);
    assert_true(price_folder(LEVY_SOURCE_DIR "/configs/payoffs") >= 25);
    (void)price_folder(LEVY_SOURCE_DIR "/configs/kinds"); /* its book names a file of kinds */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_text_in_256_kib),
        cmocka_unit_test(test_documents_in_256_kib),
        cmocka_unit_test(test_every_example_in_64_kib),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
