/* smoothed_price.h: shared by the tests of integrated payoffs: prices of a book under a setting of
 * simulation.smoothing, with the context of context_fixture.h. */
#ifndef LEVY_TESTS_SMOOTHED_PRICE_H
#define LEVY_TESTS_SMOOTHED_PRICE_H

#include "tests/context_fixture.h"

#include <math.h>
#include <string.h>

static levy_results *price(const char *text, const char *smoothing, const char *paths,
                           const char *construction)
{
    const levy_setting settings[] = {{"simulation.smoothing", smoothing},
                                     {"simulation.paths", paths},
                                     {"simulation.construction", construction}};
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    levy_book *book;
    levy_results *results;
    if (levy_book_load_text(context, "book.yaml", text, strlen(text), settings, 3, &book) !=
        LEVY_STATUS_OK)
        fail_msg("%s", levy_diagnostic_get(context, 0)->text);
    assert_int_equal(levy_price(book, &options, &results), LEVY_STATUS_OK);
    levy_book_destroy(book);
    return results;
}

static const levy_measure *measure(const levy_results *results, size_t trade, size_t m)
{
    return &levy_results_trade(results, trade)->measures[m];
}

static double normal_below(double x) { return 0.5 * erfc(-x / sqrt(2.0)); }

#endif
