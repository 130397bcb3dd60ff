/* ties_case.h: books by seed whose known levels are decimals, and what is right to the bit or
 * within a share. Must not know: payoffs. */
#ifndef LEVY_TESTS_TIES_CASE_H
#define LEVY_TESTS_TIES_CASE_H

#include "tests/context_fixture.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 4 << 20, MOST = 4096 };

static uint64_t random_state;

/* in [from, to] */
static int draw(int from, int to)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return from + (int)((random_state >> 33) % (uint64_t)(to - from + 1));
}

/* ---- A book ---- */

typedef struct book_text {
    char *assets, *pairs, *models, *trades; /* pairs: of correlations */
    size_t n_assets, n_pairs, n_models, n_trades, count;
    double right[MOST];
} book_text;

static book_text book;

static void append(char *to, size_t *n, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    const int length = vsnprintf(to + *n, TEXT_SIZE - *n, format, rest);
    va_end(rest);
    assert_true(length > 0 && (size_t)length < TEXT_SIZE - *n);
    *n += (size_t)length;
}
#define ASSET(...) append(book.assets, &book.n_assets, __VA_ARGS__)
#define PAIR(...) append(book.pairs, &book.n_pairs, __VA_ARGS__)
#define MODEL(...) append(book.models, &book.n_models, __VA_ARGS__)
#define TRADE(...) append(book.trades, &book.n_trades, __VA_ARGS__)

static void open_book(uint64_t seed)
{
    random_state = seed;
    book.n_assets = book.n_pairs = book.n_models = book.n_trades = book.count = 0;
    book.pairs[0] = '\0';
}

static void ends_trade(double right)
{
    assert_true(book.count < MOST);
    book.right[book.count++] = right;
}

/* The price, or that of the scenario. */
static double scenario_price(const levy_trade_result *trade, const char *scenario)
{
    for (size_t m = 0; scenario && m < trade->n_measures; ++m)
        if (strcmp(trade->measures[m].measure, "scenario_price") == 0 &&
            strcmp(trade->measures[m].factor, scenario) == 0)
            return trade->measures[m].value;
    return trade->price;
}

/* Prices the book and returns how many prices are not right, which are the scenario's if there is
 * one. */
static size_t count_wrong(const char *settings, const char *scenario, double within)
{
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    char *const text = malloc(4 * (size_t)TEXT_SIZE);
    levy_book *loaded;
    levy_results *results;
    size_t wrong = 0;
    assert_non_null(text);
    snprintf(text, 4 * (size_t)TEXT_SIZE,
             "schema_version: 1\nvaluation_date: 2026-11-20\nsimulation: {paths: 2^8%s}\n"
             "market:\n  curves: {USD: 0}\n  assets:\n%s  correlations: {pairs: [%s]}\nmodels:\n%s"
             "trades:\n%s",
             settings, book.assets, book.pairs, book.models, book.trades);
    if (levy_book_load_text(context, "ties", text, strlen(text), NULL, 0, &loaded) !=
        LEVY_STATUS_OK)
        fail_msg("%s", levy_diagnostic_get(context, 0)->text);
    assert_int_equal(levy_price(loaded, &options, &results), LEVY_STATUS_OK);
    assert_int_equal(levy_results_size(results), book.count);
    for (size_t t = 0; t < book.count; ++t) {
        const levy_trade_result *const trade = levy_results_trade(results, t);
        const double value = scenario_price(trade, scenario);
        if (fabs(value - book.right[t]) <= within * (1.0 + fabs(book.right[t]))) continue;
        if (wrong++ < 5)
            print_error("%s: %.17g for %.17g %s\n", trade->id, value, book.right[t],
                        trade->message ? trade->message : "");
    }
    levy_results_destroy(results);
    levy_book_destroy(loaded);
    free(text);
    return wrong;
}

/* ---- Assets with a past ---- */

enum { PARTS = 3, GROUPS = 50 };
#define DATES "[2026-10-20, 2026-10-21, 2026-10-22]"

/* Percents whose mean is `mean`; the least, with `least`, is it. */
static void draw_percents(int mean, int *percents)
{
    percents[0] = mean + draw(-20, 20);
    percents[1] = mean + draw(-20, 20);
    percents[2] = 3 * mean - percents[0] - percents[1];
}

/* "98.3450": percent of a level in cents */
static const char *level_text(int percent, int cents)
{
    static char texts[8][32];
    static int next;
    char *const text = texts[next = (next + 1) % 8];
    const long long all = (long long)percent * cents;
    const long long size = all < 0 ? -all : all;
    snprintf(text, sizeof *texts, "%s%lld.%04lld", all < 0 ? "-" : "", size / 10000, size % 10000);
    return text;
}

/* An asset with a fixing on each of three past dates, and a spot. */
static void add_asset(const char *name, int k, int cents, const int *percents, int spot)
{
    ASSET("    %s%d: {currency: USD, spot: %s, volatility: 0.2, fixings: [", name, k,
          level_text(spot, cents));
    for (int i = 0; i < PARTS; ++i)
        ASSET("%s[2026-10-%02d, %s]", i ? ", " : "", 20 + i, level_text(percents[i], cents));
    ASSET("]}\n");
}

/* ---- The program ---- */

static int open_texts(void **state)
{
    book.assets = malloc(TEXT_SIZE);
    book.pairs = malloc(TEXT_SIZE);
    book.models = malloc(TEXT_SIZE);
    book.trades = malloc(TEXT_SIZE);
    return book.assets && book.pairs && book.models && book.trades ? open_context(state) : -1;
}

static int close_texts(void **state)
{
    free(book.assets);
    free(book.pairs);
    free(book.models);
    free(book.trades);
    return close_context(state);
}

#endif
