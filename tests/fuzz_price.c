/* fuzz_price.c: libFuzzer entry over the public header: a text is loaded, priced on a few paths,
 * explained and written in every format. What it checks beside the sanitizers: a book comes exactly
 * with success, nothing is refused in silence, and what is called ok is finite and in order.
 * LEVY_FUZZ_KEEP=1: report what is not in order, but go on. Must not know: anything behind levy.h.
 */
#include "engine/levy.h"
#include "tests/fuzz.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* a tolerance may ask for any count of paths: pricing is cancelled then */
enum { PRICE_SECONDS = 3 };

static int fuzz_sink(void *user, const char *text, size_t length)
{
    size_t *const total = user;
    *total += length + (text[0] == '\0' ? 1 : 0); /* reads it */
    return 0;
}

static int fuzz_progress(void *user, const levy_progress *progress)
{
    const time_t *const start = user;
    (void)progress;
    return time(NULL) - *start > PRICE_SECONDS;
}

static void fuzz_complain(const char *what, const levy_trade_result *t)
{
    fprintf(stderr, "fuzz_price: %s: trade %s, price %g +- %g in [%g, %g], %s\n", what, t->id,
            t->price, t->std_error, t->ci_low, t->ci_high, t->interval);
    fuzz_require(getenv("LEVY_FUZZ_KEEP") != NULL);
}

static void fuzz_check_trade(const levy_trade_result *t)
{
    const bool has = strcmp(t->interval, "student_t") == 0 || strcmp(t->interval, "normal") == 0;
    if (strcmp(t->status, "ok") != 0) return;
    if (!isfinite(t->price) || !isfinite(t->unit_price))
        fuzz_complain("the price is not finite", t);
    if (t->std_error < 0.0 || isinf(t->std_error)) fuzz_complain("no standard error", t);
    if (has && !(isfinite(t->ci_low) && isfinite(t->ci_high)))
        fuzz_complain("the interval is not finite", t);
    if (has && !(t->ci_low <= t->price && t->price <= t->ci_high))
        fuzz_complain("the price is outside its interval", t);
    for (size_t i = 0; i < t->n_measures; ++i)
        if (!isfinite(t->measures[i].value) && !t->measures[i].note)
            fuzz_complain(t->measures[i].measure, t);
}

static void fuzz_price_book(levy_book *book)
{
    levy_results *results = NULL;
    size_t total = 0;
    time_t start = time(NULL);
    const levy_price_options options = {.struct_size = sizeof options,
                                        .device = "cpu",
                                        .threads = 1,
                                        .no_times = 1,
                                        .progress = fuzz_progress,
                                        .user = &start};
    fuzz_require(levy_price(book, &options, &results) != LEVY_STATUS_INTERNAL);
    for (size_t i = 0; results && i < levy_results_size(results); ++i)
        fuzz_check_trade(levy_results_trade(results, i));
    for (int format = LEVY_FORMAT_TABLE; results && format <= LEVY_FORMAT_NPY; ++format)
        levy_results_write(results, format, fuzz_sink, &total);
    for (int what = LEVY_PLOT_ERRORS; results && what <= LEVY_PLOT_GRID; ++what)
        levy_results_plot(results, what, NULL, fuzz_sink, &total);
    levy_results_destroy(results);
    fuzz_require(levy_book_explain(book, &options, fuzz_sink, &total) != LEVY_STATUS_INTERNAL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const levy_setting small[] = {{"simulation.paths", "2^6"},
                                         {"simulation.replicates", "2"}};
    static levy_context *context;
    levy_book *book = NULL;
    if (size == 0) return 0;
    if (!context) fuzz_require(levy_context_create(NULL, &context) == LEVY_STATUS_OK);
    const int status =
        levy_book_load_text(context, "fuzz.yaml", (const char *)data, size, small, 2, &book);
    fuzz_require((status == LEVY_STATUS_OK) == (book != NULL) && status != LEVY_STATUS_INTERNAL);
    fuzz_require(status == LEVY_STATUS_OK || levy_diagnostic_count(context) > 0);
    if (!book) return 0;
    fuzz_price_book(book);
    levy_book_destroy(book);
    return 0;
}
