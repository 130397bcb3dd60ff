/* many_case.h: prices on several GPUs (fake_module.c in the place of the CUDA module), and reports
 * of them without the names of devices. Included once per test program. */
#ifndef LEVY_TESTS_MANY_CASE_H
#define LEVY_TESTS_MANY_CASE_H

#include "tests/workers_case.h"
#include "tests/words.h"

enum { OUT_OF_MEMORY = 2, INVALID_HANDLE = 400, LAUNCH_FAILED = 719, FOR_EVER = 1000000 };

static const char all[] = "cuda:all";
static kept_text one_book;

/* One Asian option of many blocks: several waves for each fake GPU of two processors. */
static inline void write_one(const char *simulation)
{
    one_book.length = 0;
    text_add(&one_book, "schema_version: 1\n"
                        "market: {curves: {USD: 0.05}, assets: {A: {currency: USD, spot: 100, "
                        "volatility: 0.2}}}\n"
                        "models: {m: {kind: black_scholes, assets: [A]}}\n"
                        "trades:\n"
                        "  - {id: a, underlying: A, payoff: {kind: asian, option_type: call, "
                        "strike: 100, averaging: {method: arithmetic, observations: {count: 3}}}, "
                        "exercise: {expiry: 1.0}, measures: ");
    text_add(&one_book, "[%s]}\nsimulation: {%s}\n",
             LEVY_SANITIZED ? "price, delta" : "price, delta, gamma, vega", simulation);
}

/* Removes the names of devices. */
static inline void forget_devices(kept_text *t)
{
    static const char key[] = "\"device\": \"";
    for (char *at = t->bytes; (at = strstr(at, key)) != NULL;) {
        at += sizeof key - 1;
        char *const rest = strstr(at, "\", \"");
        assert_non_null(rest);
        t->length -= (size_t)(rest - at);
        memmove(at, rest, strlen(rest) + 1);
    }
}

/* The report without the names of devices. */
static inline void price_one(const char *device, const char *precision, kept_text *out)
{
    const levy_setting setting = {"simulation.precision", precision};
    const levy_price_options how = {.struct_size = sizeof how,
                                    .device = device,
                                    .threads = 8,
                                    .no_kernel_cache = 1,
                                    .no_times = 1};
    levy_book *book;
    levy_results *results = NULL;
    out->length = 0;
    book = read_book(context, one_book.bytes, &setting, 1);
    const int status = levy_price(book, &how, &results);
    text_report(context, status, results, out);
    forget_devices(out);
    levy_results_destroy(results);
    levy_book_destroy(book);
}

static inline void use(int devices)
{
    workers_reset(NULL);
    gpu->devices = devices;
}

/* How many of the GPUs have launched anything. */
static inline int at_work(void)
{
    int n = 0;
    for (int i = 0; i < FAKE_DEVICES; ++i) n += gpu->launches_on[i] > 0;
    return n;
}

static inline void price_many(wish w, uint32_t threads, kept_text *out)
{
    price_workers(context, w, threads, out);
    forget_devices(out);
}

/* The results alone: what a failure of one GPU must not change. */
static inline const char *results_of(const kept_text *t)
{
    const char *const at = strstr(t->bytes, "\"results\"");
    assert_non_null(at);
    return at;
}

static inline void fail_on(int device, const char *member, long call, int code, long times)
{
    gpu->calls = 0;
    gpu->fail_device = device + 1;
    gpu->fail_member = member;
    gpu->fail_at = call;
    gpu->fail_code = code;
    gpu->fail_times = times;
}

#endif
