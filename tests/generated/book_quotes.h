/* book_quotes.h: pairs of generated books whose market moves (runner.h). */
#ifndef LEVY_TESTS_GENERATED_BOOK_QUOTES_H
#define LEVY_TESTS_GENERATED_BOOK_QUOTES_H

#include "tests/generated/compare.h"

/* Quotes, the same moves as a scenario, the same numbers in the text; and the quotes set back. */
void pair_quote(const generated_book *book, comparison *c);
/* The book with such moves as scenarios: threads, pipelines, parts and YAML. */
void pair_moved(const generated_book *book, comparison *c);
/* Such a book, priced and set again and again, and each time one that has nothing from before. */
void pair_renewed(const generated_book *book, comparison *c);

#endif
