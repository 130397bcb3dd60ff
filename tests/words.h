/* words.h: what a context says, for tests. */
#ifndef LEVY_TESTS_WORDS_H
#define LEVY_TESTS_WORDS_H

#include "tests/cmocka_all.h"

#include "engine/levy.h"

#include <stdbool.h>
#include <string.h>

/* Whether a diagnostic of the last call has this part. */
static inline bool context_says(const levy_context *of, const char *part)
{
    for (size_t i = 0; i < levy_diagnostic_count(of); ++i)
        if (strstr(levy_diagnostic_get(of, i)->text, part)) return true;
    return false;
}

/* Of the first diagnostic; "": there is none. */
static inline const char *first_words(const levy_context *of)
{
    return levy_diagnostic_count(of) ? levy_diagnostic_get(of, 0)->text : "";
}

/* A text that must be a book. */
static inline levy_book *read_book(levy_context *of, const char *text, const levy_setting *settings,
                                   size_t n)
{
    levy_book *book = NULL;
    if (levy_book_load_text(of, "book.yaml", text, strlen(text), settings, n, &book) !=
        LEVY_STATUS_OK)
        fail_msg("%s", first_words(of));
    return book;
}

/* On the CPU, by so many threads. */
static inline levy_results *price_on_cpu(levy_book *book, uint32_t threads)
{
    levy_results *results = NULL;
    const levy_price_options options = {
        .struct_size = sizeof options, .device = "cpu", .threads = threads};
    assert_int_equal(levy_price(book, &options, &results), LEVY_STATUS_OK);
    return results;
}

/* The same of a text. */
static inline levy_results *price_words(levy_context *of, const char *text,
                                        const levy_setting *settings, size_t n, uint32_t threads)
{
    levy_book *const book = read_book(of, text, settings, n);
    levy_results *const results = price_on_cpu(book, threads);
    levy_book_destroy(book);
    return results;
}

#endif
