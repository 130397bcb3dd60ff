/* book_files.h: books of files, priced through the public interface, and what they give. */
#ifndef LEVY_TESTS_BOOK_FILES_H
#define LEVY_TESTS_BOOK_FILES_H

#include "tests/cmocka_all.h"

#include "tests/context_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* trades: a second file, or NULL. */
static inline levy_book *book_load(const char *market, const char *trades)
{
    const char *const paths[] = {market, trades};
    levy_book *book;
    if (levy_book_load_files(context, paths, trades ? 2 : 1, NULL, 0, &book) != LEVY_STATUS_OK)
        fail_msg("%s: %s", market, levy_diagnostic_get(context, 0)->text);
    return book;
}

static inline levy_results *book_price(levy_book *book)
{
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    levy_results *results;
    assert_int_equal(levy_price(book, &options, &results), LEVY_STATUS_OK);
    return results;
}

static inline levy_results *book_price_once(const char *market, const char *trades)
{
    levy_book *const book = book_load(market, trades);
    levy_results *const results = book_price(book);
    levy_book_destroy(book);
    return results;
}

static inline const levy_measure *book_measure(const levy_trade_result *trade, const char *measure,
                                               const char *factor)
{
    for (size_t m = 0; m < trade->n_measures; ++m)
        if (!strcmp(trade->measures[m].measure, measure) &&
            !strcmp(trade->measures[m].factor, factor))
            return &trade->measures[m];
    fail_msg("%s has no %s %s", trade->id, measure, factor);
    return NULL;
}

static inline double book_value(const levy_results *r, size_t t, const char *measure,
                                const char *factor)
{
    return book_measure(levy_results_trade(r, t), measure, factor)->value;
}

/* All measures of the first are those of the second, relative to 1e-9; how many there are. */
static inline size_t book_agree(const levy_results *a, const levy_results *b)
{
    size_t n = 0;
    for (size_t t = 0; t < levy_results_size(a); ++t) {
        const levy_trade_result *const x = levy_results_trade(a, t);
        assert_string_equal(x->status, "ok");
        for (size_t m = 0; m < x->n_measures; ++m, ++n) {
            const levy_measure *const it = &x->measures[m];
            const double other = book_value(b, t, it->measure, it->factor);
            if (!(fabs(it->value - other) <= 1e-9 * fabs(other)))
                fail_msg("%s %s %s: %.17g, not %.17g", x->id, it->measure, it->factor, it->value,
                         other);
        }
    }
    return n;
}

/* A move of a quote. */
typedef struct book_move {
    const char *factor;
    double size;
} book_move;

/* Scenario number k, named m<k>, moves prices, to what they are where the quote is moved so,
 * relative to a tolerance. */
static inline void book_scenarios_are_quotes(const char *market, const char *trades,
                                             const book_move *moves, size_t n, double tolerance)
{
    levy_book *const book = book_load(market, trades);
    levy_results *const r = book_price(book);
    for (size_t k = 0; k < n; ++k) {
        double before;
        char id[24];
        snprintf(id, sizeof id, "m%zu", k);
        assert_int_equal(levy_book_get(book, moves[k].factor, &before), LEVY_STATUS_OK);
        assert_int_equal(levy_book_set(book, moves[k].factor, before + moves[k].size),
                         LEVY_STATUS_OK);
        levy_results *const moved = book_price(book);
        assert_int_equal(levy_book_set(book, moves[k].factor, before), LEVY_STATUS_OK);
        for (size_t t = 0; t < levy_results_size(r); ++t) {
            const double a = book_value(r, t, "scenario_price", id),
                         b = levy_results_trade(moved, t)->price;
            assert_true(fabs(a - levy_results_trade(r, t)->price) > 1e-6);
            if (!(fabs(a - b) <= tolerance * fabs(b)))
                fail_msg("%s %s: %.17g, not %.17g", levy_results_trade(r, t)->id, moves[k].factor,
                         a, b);
        }
        levy_results_destroy(moved);
    }
    levy_results_destroy(r);
    levy_book_destroy(book);
}

#endif
