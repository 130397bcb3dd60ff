/* bench_currencies.c: the row of a book in four currencies that is loaded and not priced: what a
 * program pays before the first price. Its options are paid where their shares are quoted, or
 * abroad at levels as quoted or times a rate of exchange. Must not know: how a row is reported. */
#include "bench/harness/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CURRENCIES = 4, SHARES = 5, CURRENCIES_LINE = 256, BOOK_HEAD = 32768 };

static const char currency_names[CURRENCIES][4] = {"EUR", "USD", "JPY", "GBP"};

/* Of a pair, the first in the second: 2, 3 and 4 units of USD, JPY and GBP are an EUR. */
static size_t put_rates(char *to, size_t at)
{
    for (unsigned a = 0; a < CURRENCIES; ++a)
        for (unsigned b = a + 1; b < CURRENCIES; ++b)
            at += (size_t)sprintf(to + at,
                                  "    %s%s: {currency: %s, base_currency: %s, spot: %.17g, "
                                  "volatility: 0.1}\n",
                                  currency_names[a], currency_names[b], currency_names[b],
                                  currency_names[a], (b + 1.0) / (a + 1.0));
    return at;
}

/* Rates are equally far from each other, and shares from them. */
static size_t put_correlations(char *to, size_t at)
{
    at += (size_t)sprintf(to + at, "  correlations:\n    pairs:\n");
    for (unsigned i = 0; i < CURRENCIES * SHARES; ++i) {
        for (unsigned j = 0; j < i; ++j)
            at += (size_t)sprintf(to + at, "      - [S%02u.spot, S%02u.spot, 0.4]\n", j, i);
        for (unsigned a = 0; a < CURRENCIES; ++a)
            for (unsigned b = a + 1; b < CURRENCIES; ++b)
                at += (size_t)sprintf(to + at, "      - [S%02u.spot, %s%s.spot, 0]\n", i,
                                      currency_names[a], currency_names[b]);
    }
    return at;
}

static size_t put_market(char *to)
{
    size_t at = (size_t)sprintf(to, "schema_version: 1\nreport_currency: EUR\nmarket:\n  curves: "
                                    "{EUR: 0.02, USD: 0.04, JPY: 0.01, GBP: 0.04}\n  assets:\n");
    for (unsigned i = 0; i < CURRENCIES * SHARES; ++i)
        at += (size_t)sprintf(to + at, "    S%02u: {currency: %s, spot: 100, volatility: 0.2}\n", i,
                              currency_names[i % CURRENCIES]);
    at = put_correlations(to, put_rates(to, at));
    at += (size_t)sprintf(to + at, "models:\n  m: {kind: black_scholes, assets: [S00");
    for (unsigned i = 1; i < CURRENCIES * SHARES; ++i) at += (size_t)sprintf(to + at, ", S%02u", i);
    return at + (size_t)sprintf(to + at, "]}\nsimulation: {paths: 2^12}\ntrades:\n");
}

/* Four kinds in turn, one of them on three shares of any currencies. */
static int currency_trade(char *line, unsigned trade)
{
    static const char *const payoffs[] = {
        "kind: european, option_type: call, strike: %u",
        "kind: digital, option_type: put, strike: %u, payout: cash, cash: 1",
        "kind: asian, option_type: call, strike: %u, averaging: {observations: {count: 12}}",
        "kind: worst_of, option_type: put, strike: %u"};
    const unsigned kind = trade % 4, share = trade / 4 % (CURRENCIES * SHARES), draw = trade / 80;
    const bool abroad = share % CURRENCIES != draw % CURRENCIES;
    const char *const conversion = kind == 2 && abroad && draw % 3 == 0 ? "composite" : "quanto";
    char payoff[CURRENCIES_LINE / 2], under[64];
    snprintf(payoff, sizeof payoff, payoffs[kind], 80 + trade % 41);
    snprintf(under, sizeof under,
             kind == 3 ? "underlyings: [S%02u, S%02u, S%02u]" : "underlying: S%02u", share,
             (share + 1 + draw % 9) % 20, (share + 10 + draw % 10) % 20);
    return snprintf(
        line, CURRENCIES_LINE,
        "  - {id: t%u, %s, currency: %s, conversion: %s, payoff: {%s}, exercise: %.4f}\n", trade,
        under, currency_names[draw % CURRENCIES], conversion, payoff, 0.25 + 5e-4 * (trade % 7000));
}

char *bench_currencies(unsigned trades)
{
    char *const text = malloc(BOOK_HEAD + (size_t)trades * CURRENCIES_LINE);
    size_t at = text ? put_market(text) : 0;
    for (unsigned i = 0; text && i < trades; ++i) at += (size_t)currency_trade(text + at, i);
    return text;
}

int bench_measure_load(bench_run *run, const bench_entry *entry, bench_result *result)
{
    double values[BENCH_MOST_REPEATS];
    char *const text = entry->book(entry->trades);
    int status = LEVY_STATUS_OK;
    if (!text) return fputs("levy: out of memory\n", stderr), CLI_EXIT_MEMORY;
    for (unsigned i = 0; i < run->repeats && status == LEVY_STATUS_OK; ++i) {
        const double start = bench_now(), worked = bench_processors();
        levy_book *book = NULL;
        status = levy_book_load_text(run->client.context, entry->name, text, strlen(text), NULL, 0,
                                     &book);
        values[i] = entry->trades / (bench_now() - start);
        result->processors = bench_processors() - worked;
        levy_book_destroy(book);
    }
    free(text);
    if (status != LEVY_STATUS_OK) return cli_client_failed(&run->client, status);
    bench_summarize(values, run->repeats, result);
    result->kernel = NAN; /* nothing is simulated */
    result->wall = entry->trades / result->value;
    return 0;
}
