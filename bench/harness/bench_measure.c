/* bench_measure.c: how a row is measured: its problem is priced until a run takes a quarter of a
 * second (a row with paths of its own: for so long), then as often as asked; the median counts.
 * Seconds are the engine's own: device time on a GPU, the simulation's wall time on the CPU. Beside
 * them stands the wall time of the whole call in the living process. */
#include "bench/harness/bench.h"
#include "engine/cli/signals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* of a run: long compared with a launch and the start of a thread */
static const double measure_seconds = 0.25;
/* log2 of the paths; MEASURE_MOST_ALONE: with one replicate */
enum { MEASURE_FIRST = 14, MEASURE_MOST = 34, MEASURE_MOST_ALONE = 32 };

static int measure_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, unsigned n)
{
    qsort(values, n, sizeof *values, measure_compare);
    return n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

void bench_summarize(double *values, unsigned n, bench_result *result)
{
    result->value = bench_median(values, n);
    result->spread = (values[n - 1] - values[0]) / result->value;
}

static int measure_stop(void *user, const levy_progress *progress)
{
    (void)user;
    (void)progress;
    return cli_signals_stop();
}

/* The dimensions are the asset-steps, except in models that draw more words a step. */
static double measure_steps(const bench_entry *entry, const levy_trade_result *trade)
{
    if (!entry->model) return (double)trade->dimensions;
    return (double)entry->assets * (entry->dates ? entry->dates : 1);
}

void bench_name_device(char device[192], const char *processor, unsigned threads, const char *isa)
{
    snprintf(device, 192, "%.120s, %u thread%s, %.15s", processor, threads, threads == 1 ? "" : "s",
             isa);
}

static double measure_error(const levy_trade_result *trade)
{
    const levy_measure *last =
        trade->n_measures ? levy_trade_measure(trade, trade->n_measures - 1) : NULL;
    return last ? last->std_error / fabs(last->value) : trade->std_error / fabs(trade->price);
}

static int measure_results(bench_run *run, const bench_entry *entry, const levy_results *results,
                           bench_measured *out)
{
    const levy_trade_result *trade = levy_results_trade(results, 0);
    const levy_run_info *info = levy_results_run(results);
    if (!trade || strcmp(trade->status, "ok") != 0) {
        cli_client_report(&run->client);
        return 1;
    }
    out->gpu = strcmp(trade->backend, "cpu") != 0;
    out->steps = (double)trade->paths * measure_steps(entry, trade);
    out->seconds = trade->seconds > 1e-9 ? trade->seconds : 1e-9;
    out->error = measure_error(trade);
    snprintf(out->processor, sizeof out->processor, "%.120s", trade->device);
    snprintf(out->isa, sizeof out->isa, "%.15s", info->isa);
    out->threads = (unsigned)info->threads;
    if (out->gpu)
        snprintf(out->device, sizeof out->device, "%s", trade->device);
    else
        bench_name_device(out->device, out->processor, out->threads, out->isa);
    return 0;
}

/* Prices the book and moves a spot: the next price fits anew, and the grid and points are there. */
static int measure_first(levy_book *book, const levy_price_options *how)
{
    static const char spot[] = "A.spot";
    levy_results *results = NULL;
    double value;
    int status = levy_price(book, how, &results);
    levy_results_destroy(results);
    if (status == LEVY_STATUS_OK) status = levy_book_get(book, spot, &value);
    if (status == LEVY_STATUS_OK) status = levy_book_set(book, spot, 1.001 * value);
    return status;
}

int bench_measure_run(bench_run *run, const bench_entry *entry, const char *text, const char *asked,
                      unsigned log2_paths, bench_measured *out)
{
    char paths[32];
    const cli_options *options = run->options;
    levy_results *results = NULL;
    levy_price_options how = cli_client_price_options(options);
    snprintf(paths, sizeof paths, "2^%u", log2_paths);
    const levy_setting setting = {"simulation.paths", asked ? asked : paths};
    int status = levy_book_load_text(run->client.context, entry->name, text, strlen(text), &setting,
                                     1, &run->client.book);
    if (status != LEVY_STATUS_OK) return cli_client_failed(&run->client, status);
    /* the device found, so that no row runs elsewhere unnoticed */
    if (run->device[0]) how.device = run->device;
    if (entry->one_core) {
        how.device = "cpu";
        how.threads = 1;
    }
    how.progress = measure_stop;
    if (entry->whole) status = measure_first(run->client.book, &how);
    const double start = bench_now(), worked = bench_processors();
    if (status == LEVY_STATUS_OK) status = levy_price(run->client.book, &how, &results);
    out->wall = bench_now() - start;
    out->processors = bench_processors() - worked;
    int code = status == LEVY_STATUS_CANCELLED ? BENCH_STOPPED : 0;
    if (!code && !results) code = cli_client_failed(&run->client, status);
    if (!code) code = measure_results(run, entry, results, out);
    levy_results_destroy(results);
    levy_book_destroy(run->client.book);
    run->client.book = NULL;
    return code;
}

/* A row with paths of its own: the first runs compile, and leave a GPU at the clock of work. */
static int measure_warm(bench_run *run, const bench_entry *entry, const char *text)
{
    bench_measured out;
    const double start = bench_now();
    int code;
    do code = bench_measure_run(run, entry, text, run->options->paths, entry->paths, &out);
    while (!code && !run->options->paths && bench_now() - start < measure_seconds);
    return code;
}

/* Finds the paths for which a run takes long enough. They are at least doubled each time, and
 * raised by more where the pace shows that it is needed. */
static int measure_calibrate(bench_run *run, const bench_entry *entry, const char *text,
                             unsigned *log2_paths)
{
    bench_measured out;
    const unsigned most =
        strcmp(entry->generator, "sobol_scrambled") == 0 ? MEASURE_MOST : MEASURE_MOST_ALONE;
    *log2_paths = entry->full && run->gpu ? entry->full : MEASURE_FIRST;
    if (entry->paths) {
        *log2_paths = entry->paths;
        return measure_warm(run, entry, text);
    }
    for (;;) {
        const int code =
            bench_measure_run(run, entry, text, run->options->paths, *log2_paths, &out);
        if (code || run->options->paths || *log2_paths == most) return code;
        double left = measure_seconds / (out.seconds > 1e-6 ? out.seconds : 1e-6);
        if (left < 1.5) return 0;
        unsigned more = 1;
        for (left *= 0.5; left > 1.5 && more < 5; left *= 0.5) ++more;
        *log2_paths = *log2_paths + more < most ? *log2_paths + more : most;
    }
}

/* What a repeat counts; `price`: of the price alone, where that is its measure. */
static double measure_value(const bench_entry *entry, const bench_measured *out,
                            const bench_measured *price)
{
    if (price) return out->seconds / price->seconds;
    if (entry->whole) return out->wall;
    return entry->paths ? out->seconds : out->steps / out->seconds;
}

/* Calibrates, then measures as often as asked; `alone` is priced before each time, if it is there,
 * and the value is the cost in prices of it. */
static int measure_repeats(bench_run *run, const bench_entry *entry, const bench_entry *alone,
                           bench_result *result)
{
    unsigned log2_paths = 0;
    bench_measured out = {0}, price = {0};
    double values[BENCH_MOST_REPEATS], kernels[BENCH_MOST_REPEATS], walls[BENCH_MOST_REPEATS],
        processors[BENCH_MOST_REPEATS];
    char *text = bench_problem(entry), *text_alone = alone ? bench_problem(alone) : NULL;
    int code = text && (text_alone || !alone) ? 0 : CLI_EXIT_MEMORY;
    if (code) fputs("levy: out of memory\n", stderr);
    if (!code) code = measure_calibrate(run, entry, text, &log2_paths);
    for (unsigned i = 0; i < run->repeats && !code; ++i) {
        if (alone)
            code =
                bench_measure_run(run, alone, text_alone, run->options->paths, log2_paths, &price);
        if (!code)
            code = bench_measure_run(run, entry, text, run->options->paths, log2_paths, &out);
        kernels[i] = out.seconds;
        walls[i] = out.wall;
        processors[i] = out.processors;
        values[i] = measure_value(entry, &out, alone ? &price : NULL);
    }
    free(text);
    free(text_alone);
    if (code) return code;
    bench_summarize(values, run->repeats, result);
    result->kernel = bench_median(kernels, run->repeats);
    result->wall = bench_median(walls, run->repeats);
    result->processors = bench_median(processors, run->repeats);
    memcpy(result->device, out.device, sizeof result->device);
    return 0;
}

int bench_measure_price(bench_run *run, const bench_entry *entry, bench_result *result)
{
    return measure_repeats(run, entry, NULL, result);
}

int bench_measure_cost(bench_run *run, const bench_entry *entry, bench_result *result)
{
    bench_entry alone = *entry;
    alone.measures = alone.scenarios = NULL;
    return measure_repeats(run, entry, &alone, result);
}

/* What the rows ask for: several GPUs as they were named, or "cuda:0" out of "NVIDIA H200
 * (cuda:0)".
 */
static void measure_ordinal(bench_run *run, const char *device)
{
    const char *const asked = run->options->device, *at = strstr(device, "(cuda:");
    if (asked && strncmp(asked, "cuda:", 5) == 0) {
        snprintf(run->device, sizeof run->device, "%s", asked);
        return;
    }
    snprintf(run->device, sizeof run->device, "cuda:0");
    if (at) snprintf(run->device, sizeof run->device, "%.*s", (int)strcspn(at + 1, ")"), at + 1);
}

/* Whether a GPU can price. auto would keep so small a problem on the CPU. */
static bool measure_finds_gpu(bench_run *run, const char *text)
{
    levy_results *results = NULL;
    levy_price_options how = cli_client_price_options(run->options);
    how.device = "cuda";
    const bool found = levy_book_load_text(run->client.context, "probe", text, strlen(text), NULL,
                                           0, &run->client.book) == LEVY_STATUS_OK &&
                       levy_price(run->client.book, &how, &results) == LEVY_STATUS_OK;
    levy_results_destroy(results);
    levy_book_destroy(run->client.book);
    run->client.book = NULL;
    return found;
}

int bench_find_device(bench_run *run)
{
    static const bench_entry probe = {.name = "probe",
                                      .assets = 1,
                                      .generator = "sobol",
                                      .construction = "incremental",
                                      .precision = "double"};
    bench_measured out = {0};
    char *text = bench_problem(&probe);
    if (!text) return fputs("levy: out of memory\n", stderr), CLI_EXIT_MEMORY;
    const char *const asked = run->options->device;
    if (!asked || strcmp(asked, "auto") == 0)
        snprintf(run->device, sizeof run->device, "%s",
                 measure_finds_gpu(run, text) ? "cuda" : "cpu");
    const int code = bench_measure_run(run, &probe, text, NULL, 10, &out);
    free(text);
    if (code) return code;
    run->gpu = out.gpu;
    if (run->gpu)
        measure_ordinal(run, out.device);
    else
        snprintf(run->device, sizeof run->device, "cpu");
    memcpy(run->device_name, out.device, sizeof run->device_name);
    memcpy(run->processor, out.processor, sizeof run->processor);
    memcpy(run->isa, out.isa, sizeof run->isa);
    run->threads = out.threads;
    return 0;
}
