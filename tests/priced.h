/* priced.h: a book that was read and priced, and what is sought in its results, for tests. Included
 * once per test program. */
#ifndef LEVY_TESTS_PRICED_H
#define LEVY_TESTS_PRICED_H

#include "tests/cmocka_all.h"

#include "engine/levy.h"

#include <string.h>

typedef struct priced {
    levy_context *context; /* NULL: the test's own */
    levy_book *book;
    levy_results *results;
    int status; /* of what failed first */
} priced;

/* In a context of its own, whose diagnostics say what failed. */
static inline priced price_alone(const char *text, const levy_setting *settings, size_t n,
                                 const levy_price_options *options)
{
    priced p = {0};
    assert_int_equal(levy_context_create(NULL, &p.context), LEVY_STATUS_OK);
    p.status =
        levy_book_load_text(p.context, "book.yaml", text, strlen(text), settings, n, &p.book);
    if (p.status == LEVY_STATUS_OK) p.status = levy_price(p.book, options, &p.results);
    return p;
}

static inline void assert_priced(const priced *p)
{
    if (p->status == LEVY_STATUS_OK) return;
    for (size_t i = 0; p->context && i < levy_diagnostic_count(p->context); ++i)
        print_error("%s\n", levy_diagnostic_get(p->context, i)->text);
    fail_msg("status %d", p->status);
}

static inline void release(priced *p)
{
    levy_results_destroy(p->results);
    levy_book_destroy(p->book);
    levy_context_destroy(p->context);
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
