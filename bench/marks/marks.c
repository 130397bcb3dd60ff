/* marks.c: prices under jumps whose marks are a long list of weighted shocks: asian64 with three
 * jumps a year, the list read from a CSV file. With Sobol points a mark is the monotone inverse of
 * its word, with Philox it comes from an alias table. Each row stands beside the same book with
 * normal marks of about the same size, which need no table. Prints JSON rows {name, value, unit,
 * peer, peer_value, ratio}: path-steps a second in the engine's own seconds, medians of both. On
 * the device LEVY_BENCH_DEVICE, by the CPU or by the module. Usage: bench_marks [SHOCKS...] (100000
 * 10000000). bench/marks/build.sh builds it. */
#include "engine/levy.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_REPEATS = 100, MOST_LISTS = 8, STEPS = 64 };
static const double long_enough = 0.25; /* seconds of a run */

static const char book_text[] =
    "schema_version: 1\n"
    "market: {curves: {USD: 0.05}, assets: {A: {currency: USD, spot: 100, volatility: 0.2}}}\n"
    "models: {m: {kind: black_scholes, assets: [A], jumps: [{intensity: 3, mark: %s}]}}\n"
    "trades:\n"
    "  - id: asian\n"
    "    underlying: A\n"
    "    payoff: {kind: asian, option_type: call, strike: 100, averaging: {observations: {count: "
    "64}}}\n"
    "    exercise: {expiry: 1.0}\n"
    "simulation: {generator: %s, construction: bridge, seed: 42, precision: %s}\n";
static const char listed[] = "{kind: empirical, file: shocks.csv}",
                  normal[] = "{kind: normal, mean: -0.08, volatility: 0.109}";

static levy_context *context;
static char folder[] = "/tmp/levy-marks-XXXXXX", file[sizeof folder + 16];

static void finish(void)
{
    if (file[0]) (void)unlink(file);
    (void)rmdir(folder);
}

/* The list of 10^7 shocks has 200 MB: it goes even where `levy bench` ends this program. */
static void stopped(int number)
{
    finish();
    _exit(128 + number);
}

static void give_up(const char *what)
{
    fprintf(stderr, "marks: %s\n", what);
    for (size_t i = 0; context && i < levy_diagnostic_count(context); ++i)
        fprintf(stderr, "%s\n", levy_diagnostic_get(context, i)->text);
    exit(1);
}

/* Logistic quantiles, with weights over three decades. */
static void write_shocks(unsigned n)
{
    snprintf(file, sizeof file, "%s/shocks.csv", folder);
    FILE *const out = fopen(file, "w");
    if (!out) give_up("no file for the shocks");
    for (unsigned i = 0; i < n; ++i) {
        const double p = (i + 0.5) / n;
        fprintf(out, "%.9f,%.6f\n", -0.08 + 0.06 * log(p / (1.0 - p)),
                1.0 / (1 + i * 2654435761u % 1000));
    }
    if (fclose(out)) give_up("the shocks could not be written");
}

static levy_book *load(const char *mark, const char *generator, const char *precision,
                       const char *paths)
{
    char text[2048];
    levy_book *book = NULL;
    snprintf(text, sizeof text, book_text, mark, generator, precision);
    const levy_source source = {"marks", text, strlen(text), folder};
    const levy_setting setting = {"simulation.paths", paths};
    if (levy_book_load(context, &source, 1, &setting, 1, &book) != LEVY_STATUS_OK)
        give_up("the book was refused");
    return book;
}

/* Path-steps a second of one pricing. */
static double price(levy_book *book, double *seconds)
{
    const char *const isa = getenv("LEVY_BENCH_ISA"), *const device = getenv("LEVY_BENCH_DEVICE");
    const levy_price_options options = {
        .struct_size = sizeof options, .device = device ? device : "cpu", .isa = isa};
    levy_results *results = NULL;
    if (levy_price(book, &options, &results) != LEVY_STATUS_OK) give_up("it was not priced");
    const levy_trade_result *const trade = levy_results_trade(results, 0);
    if (strcmp(trade->status, "ok") != 0) give_up(trade->message);
    if (device && strncmp(device, trade->backend, strlen(trade->backend)) != 0)
        give_up("it was priced elsewhere");
    *seconds = trade->seconds > 1e-9 ? trade->seconds : 1e-9;
    const double steps = (double)trade->paths * STEPS;
    levy_results_destroy(results);
    return steps / *seconds;
}

static int by_size(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* log2 of the paths of a run that is long enough, found with normal marks, which are no slower than
 * a list. So a list is read once only, which takes longer than to price it. */
static int long_run(const char *generator, const char *precision)
{
    const char *const device = getenv("LEVY_BENCH_DEVICE");
    int power = device && strncmp(device, "cuda", 4) == 0 ? 22 : 15;
    for (double seconds = 0.0; seconds < long_enough && power < 30; ++power) {
        char paths[32];
        snprintf(paths, sizeof paths, "2^%d", power);
        levy_book *const book = load(normal, generator, precision, paths);
        (void)price(book, &seconds);
        (void)price(book, &seconds); /* the kernels are there now */
        levy_book_destroy(book);
        if (seconds >= long_enough) break;
    }
    return power;
}

/* The median of the repeats that are asked for. */
static double measure(const char *mark, const char *generator, const char *precision,
                      const char *paths)
{
    const char *const repeats = getenv("LEVY_BENCH_REPEATS");
    const int n = repeats && atoi(repeats) > 0 ? atoi(repeats) : 5,
              used = n < MOST_REPEATS ? n : MOST_REPEATS;
    double all[MOST_REPEATS], seconds;
    levy_book *const book = load(mark, generator, precision, paths);
    (void)price(book, &seconds); /* tables in their caches */
    for (int i = 0; i < used; ++i) all[i] = price(book, &seconds);
    levy_book_destroy(book);
    qsort(all, (size_t)used, sizeof *all, by_size);
    return used % 2 ? all[used / 2] : 0.5 * (all[used / 2 - 1] + all[used / 2]);
}

static void rows(const unsigned *shocks, size_t n)
{
    static const char *const generators[] = {"sobol_scrambled", "philox"},
                             *const names[] = {"sobol", "philox"},
                             *const precisions[] = {"single", "double"};
    const char *const asked = getenv("LEVY_BENCH_PATHS");
    char paths[4][32];
    double peers[4];
    for (int k = 0; k < 4; ++k) {
        const char *const generator = generators[k / 2], *const precision = precisions[k % 2];
        if (asked && asked[0])
            snprintf(paths[k], sizeof paths[k], "%s", asked);
        else
            snprintf(paths[k], sizeof paths[k], "2^%d", long_run(generator, precision));
        peers[k] = measure(normal, generator, precision, paths[k]);
    }
    for (size_t i = 0; i < n; ++i) {
        write_shocks(shocks[i]);
        for (int k = 0; k < 4; ++k) {
            const double value = measure(listed, generators[k / 2], precisions[k % 2], paths[k]);
            printf("{\"name\": \"marks_1e%.0f_%s_f%d\", \"value\": %.6g, \"unit\": "
                   "\"path-steps/s\", \"peer\": \"normal marks\", \"peer_value\": %.6g, "
                   "\"ratio\": %.4g}\n",
                   log10(shocks[i]), names[k / 2], k % 2 ? 64 : 32, value, peers[k],
                   value / peers[k]);
            fflush(stdout);
        }
    }
}

int main(int count, char **words)
{
    if (!mkdtemp(folder)) give_up("no folder");
    (void)atexit(finish);
    (void)signal(SIGTERM, stopped);
    (void)signal(SIGINT, stopped);
    if (levy_context_create(NULL, &context) != LEVY_STATUS_OK) give_up("no context");
    unsigned shocks[MOST_LISTS] = {100000, 10000000};
    const size_t n = count > 1 ? (size_t)count - 1 : 2;
    if (n > MOST_LISTS) give_up("too many lists");
    for (int i = 1; i < count; ++i) shocks[i - 1] = (unsigned)strtoul(words[i], NULL, 0);
    rows(shocks, n);
    levy_context_destroy(context);
    return 0;
}
