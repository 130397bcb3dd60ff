/* smoothed_price.h: shared by the tests of integrated payoffs: prices of a book under a setting of
 * simulation.smoothing, with the context of context_fixture.h. */
#ifndef LEVY_TESTS_SMOOTHED_PRICE_H
#define LEVY_TESTS_SMOOTHED_PRICE_H

#include "tests/context_fixture.h"
#include "tests/normal_law.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static inline levy_results *price_source(const levy_source *source, const char *smoothing,
                                         const char *paths, const char *construction)
{
    const levy_setting settings[] = {{"simulation.smoothing", smoothing},
                                     {"simulation.paths", paths},
                                     {"simulation.construction", construction}};
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    levy_book *book;
    levy_results *results;
    if (levy_book_load(context, source, 1, settings, 3, &book) != LEVY_STATUS_OK)
        fail_msg("%s", levy_diagnostic_get(context, 0)->text);
    assert_int_equal(levy_price(book, &options, &results), LEVY_STATUS_OK);
    levy_book_destroy(book);
    return results;
}

static inline levy_results *smoothed(const char *text, const char *smoothing, const char *paths,
                                     const char *construction)
{
    const levy_source source = {.name = "book.yaml", .text = text, .length = strlen(text)};
    return price_source(&source, smoothing, paths, construction);
}

/* A book of tests/books, by its name without the ending. */
static inline levy_results *smoothed_book(const char *name, const char *smoothing,
                                          const char *paths, const char *construction)
{
    char path[512];
    snprintf(path, sizeof path, LEVY_SOURCE_DIR "/tests/books/%s.yaml", name);
    return price_source(&(levy_source){.name = path}, smoothing, paths, construction);
}

static const levy_measure *measure(const levy_results *results, size_t trade, size_t m)
{
    return &levy_results_trade(results, trade)->measures[m];
}

#endif
