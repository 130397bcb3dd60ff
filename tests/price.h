/* price.h: prices of a book that is a file, for tests. The context is that of context_fixture.h.
 * Included once per test program. */
#ifndef LEVY_TESTS_PRICE_H
#define LEVY_TESTS_PRICE_H

#include "tests/context_fixture.h"

#include <stddef.h>
#include <string.h>

/* Reads the book at `path` and prices it on the CPU. Returns the status of what failed first; the
 * context's diagnostics say why. */
static inline int price_file(const char *path, const levy_setting *settings, size_t n_settings,
                             levy_results **results)
{
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    levy_book *book;
    int status = levy_book_load_files(context, &path, 1, settings, n_settings, &book);
    if (status != LEVY_STATUS_OK) return status;
    status = levy_price(book, &options, results);
    levy_book_destroy(book);
    return status;
}

/* The trade of that id; NULL: there is none. */
static inline const levy_trade_result *find_trade(const levy_results *results, const char *id)
{
    for (size_t t = 0; t < levy_results_size(results); ++t)
        if (strcmp(levy_results_trade(results, t)->id, id) == 0)
            return levy_results_trade(results, t);
    return NULL;
}

/* The measure of that name, and of that factor unless it is NULL; NULL: there is none. */
static inline const levy_measure *find_measure(const levy_trade_result *trade, const char *name,
                                               const char *factor)
{
    for (size_t m = 0; trade && m < trade->n_measures; ++m)
        if (strcmp(trade->measures[m].measure, name) == 0 &&
            (!factor || strcmp(trade->measures[m].factor, factor) == 0))
            return &trade->measures[m];
    return NULL;
}

#endif
