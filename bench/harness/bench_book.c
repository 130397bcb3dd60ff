/* bench_book.c: the row of a book of many small trades, as a risk system prices it: loaded once,
 * then priced again and again. Its seconds are the caller's: nearly all of them are the host's. */
#include "bench/harness/bench.h"
#include "engine/cli/signals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Trades that are so many apart share a group. */
enum { BOOK_GROUPS = 7000, BOOK_LINE = 256 };

static const char book_head[] = "schema_version: 1\n"
                                "market:\n"
                                "  curves: {USD: 0.05}\n"
                                "  assets: {A: {currency: USD, spot: 100, volatility: 0.2}}\n"
                                "models: {m: {kind: black_scholes, assets: [A]}}\n"
                                "trades:\n";

/* Four kinds in turn, of about the same length each. */
static int book_trade(char *line, unsigned trade)
{
    static const char asian[] = "kind: asian, option_type: call, strike: %u, averaging: {method: "
                                "arithmetic, observations: {count: 12}}",
                      lookback[] = "kind: lookback, option_type: call, lookback: {strike: "
                                   "floating, observations: {count: 12}}";
    static const char *const payoffs[] = {
        "kind: european, option_type: call, strike: %u",
        "kind: digital, option_type: put, strike: %u, payout: cash, cash: 1", asian, lookback};
    char payoff[BOOK_LINE / 2];
    snprintf(payoff, sizeof payoff, payoffs[trade % 4], 80 + trade % 41);
    return snprintf(line, BOOK_LINE,
                    "  - {id: t%u, underlying: A, payoff: {%s}, exercise: {expiry: %.4f}}\n", trade,
                    payoff, 0.25 + 5e-4 * (trade % BOOK_GROUPS));
}

char *bench_book(unsigned trades)
{
    static const char tail[] =
        "simulation: {paths: 2^12, generator: sobol_scrambled, construction: bridge, seed: 42}\n";
    char *const text = malloc(sizeof book_head + sizeof tail + (size_t)trades * BOOK_LINE);
    if (!text) return NULL;
    memcpy(text, book_head, sizeof book_head);
    size_t length = sizeof book_head - 1;
    for (unsigned i = 0; i < trades; ++i) length += (size_t)book_trade(text + length, i);
    memcpy(text + length, tail, sizeof tail);
    return text;
}

static int book_stop(void *user, const levy_progress *progress)
{
    (void)user;
    (void)progress;
    return cli_signals_stop();
}

/* Seconds of one call, and in the result of the processors. */
static int book_price(bench_run *run, bool first, double *seconds, bench_result *result)
{
    levy_results *results = NULL;
    levy_price_options how = cli_client_price_options(run->options);
    how.device = run->device;
    how.progress = book_stop;
    const double start = bench_now(), worked = bench_processors();
    const int status = levy_price(run->client.book, &how, &results);
    *seconds = bench_now() - start;
    result->processors = bench_processors() - worked;
    int code = status == LEVY_STATUS_CANCELLED ? BENCH_STOPPED : 0;
    if (!code && (!results || levy_results_run(results)->failed > 0)) {
        cli_client_report(&run->client);
        code = 1;
    }
    if (!code && first) snprintf(result->device, sizeof result->device, "%s", run->device_name);
    levy_results_destroy(results);
    return code;
}

int bench_measure_book(bench_run *run, const bench_entry *entry, bench_result *result)
{
    double values[BENCH_MOST_REPEATS], seconds;
    const levy_setting paths = {"simulation.paths", run->options->paths};
    char *const text = entry->book(entry->trades);
    if (!text) return fputs("levy: out of memory\n", stderr), CLI_EXIT_MEMORY;
    const int status = levy_book_load_text(run->client.context, entry->name, text, strlen(text),
                                           &paths, run->options->paths != NULL, &run->client.book);
    free(text);
    if (status != LEVY_STATUS_OK) return cli_client_failed(&run->client, status);
    int code = 0; /* the first price plans, and compiles on a GPU */
    for (unsigned i = 0; i <= run->repeats && !code; ++i) {
        code = book_price(run, i == 0, &seconds, result);
        if (i) values[i - 1] = entry->trades / seconds;
    }
    levy_book_destroy(run->client.book);
    run->client.book = NULL;
    if (code) return code;
    bench_summarize(values, run->repeats, result);
    result->kernel = NAN; /* of many kernels side by side */
    result->wall = entry->trades / result->value;
    return 0;
}
