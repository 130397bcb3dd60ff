/* problem_load.h: books from texts, for tests of what a file means: load, look, release. */
#ifndef LEVY_TESTS_PROBLEM_LOAD_H
#define LEVY_TESTS_PROBLEM_LOAD_H

#include "engine/problem/problem.h"

/* Reads and resolves. The quotes, which outlive the problem, are NULL if the problem is. */
static inline levy_status create_problem(const levy_memory *memory, const levy_input *inputs,
                                         size_t n, const levy_override *overrides,
                                         size_t n_overrides, levy_fault_list *faults,
                                         levy_quotes **quotes, levy_problem **problem)
{
    *problem = NULL;
    levy_status status = levy_quotes_read(memory, inputs, n, overrides, n_overrides, NULL, quotes);
    if (status != LEVY_OK) return *quotes = NULL, status;
    status = levy_quotes_resolve(*quotes, faults, problem);
    if (status == LEVY_OK) return status;
    levy_quotes_destroy(*quotes);
    *quotes = NULL;
    return status;
}

typedef struct loaded_book {
    levy_fault_list faults; /* sorted */
    levy_quotes *quotes;
    levy_problem *problem; /* NULL: nothing can be priced */
    levy_status status;
} loaded_book;

void loaded_book_release(loaded_book *book);

/* One text named "book.yaml". */
loaded_book load_text(const char *text);
loaded_book load_inputs(const levy_input *inputs, size_t n, const levy_override *overrides,
                        size_t n_overrides);

/* All faults, one line each, hints on lines of their own ("hint: ..."), as the command line prints
 * them. The caller frees. */
char *loaded_book_text(const loaded_book *book);

/* True when some fault's line contains `part`. */
bool loaded_book_says(const loaded_book *book, const char *part);

#endif
