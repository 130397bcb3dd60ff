/* script_books.h: books of one script each, made of choices: well-typed texts of what the language
 * has (docs/language.md), most of them in shapes that are integrated, over several models,
 * schedules, constructions, curves and pasts. The twin has levels as quoted where the text has
 * fractions of the initial ones, and the other way round. */
#ifndef LEVY_TESTS_GENERATED_SCRIPT_BOOKS_H
#define LEVY_TESTS_GENERATED_SCRIPT_BOOKS_H

#include "tests/generated/choices.h"
#include "tests/generated/compare.h"

void scripts_write(choices *c, generated_book *book);

#endif
