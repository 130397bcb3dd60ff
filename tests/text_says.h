/* text_says.h: what must be said of a book's text, for tests. */
#ifndef LEVY_TESTS_TEXT_SAYS_H
#define LEVY_TESTS_TEXT_SAYS_H

#include "tests/cmocka_all.h"

#include "tests/problem_load.h"

static inline void assert_text_says(const char *text, const char *name, const char *part)
{
    loaded_book book = load_text(text);
    if (!loaded_book_says(&book, part)) {
        char *const said = loaded_book_text(&book);
        print_error("%s\n", said);
        fail_msg("%s: not refused by '%s'", name, part);
    }
    loaded_book_release(&book);
}

#endif
