/* book_pairs.h: pairs of generated books (runner.h) beside those of compare.h. */
#ifndef LEVY_TESTS_GENERATED_BOOK_PAIRS_H
#define LEVY_TESTS_GENERATED_BOOK_PAIRS_H

#include "tests/generated/compare.h"

void pair_script(const generated_book *book, comparison *c); /* kinds and their scripts */
void pair_units(const generated_book *book, comparison *c);  /* levels as fractions and as quoted */
void pair_sums(const generated_book *book, comparison *c);   /* sums that are 0, or not below 0 */
void pair_construction(const generated_book *book, comparison *c); /* bridge, pca, incremental */
void pair_alone(const generated_book *book, comparison *c);        /* trades one by one */
void pair_price_alone(const generated_book *book, comparison *c);  /* without other measures */
void pair_journal(const generated_book *book, comparison *c);      /* cut off and resumed */
void pair_netted(const generated_book *book, comparison *c);       /* the sum of all trades */
/* the same in one currency */
void pair_reported(const generated_book *book, comparison *c);
/* in one currency and in two */
void pair_split(const generated_book *book, comparison *c);
void pair_lattice(const generated_book *book, comparison *c); /* early exercise, on a lattice */

#endif
