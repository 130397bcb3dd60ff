/* books.h: books from a seed: kinds of payoffs and their terms, market, model, past. */
#ifndef LEVY_TESTS_GENERATED_BOOKS_H
#define LEVY_TESTS_GENERATED_BOOKS_H

#include "tests/generated/compare.h"
#include "tests/generated/choices.h"

void books_write(choices *c, generated_book *book);
/* Its first trade may be exercised early. */
void books_write_early(choices *c, generated_book *book);

/* A trade of `sums` is worth 0, or not less than 0: the first letter of its id. */
enum { SUM_IS_ZERO = 'z', SUM_IS_NOT_NEGATIVE = 'n' };

#endif
