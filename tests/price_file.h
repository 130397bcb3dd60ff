/* price_file.h: prices of a book that is a file, for tests. The context is that of
 * context_fixture.h. Included once per test program. */
#ifndef LEVY_TESTS_PRICE_FILE_H
#define LEVY_TESTS_PRICE_FILE_H

#include "tests/context_fixture.h"
#include "tests/priced.h"

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

#endif
