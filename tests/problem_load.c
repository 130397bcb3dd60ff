/* problem_load.c: see problem_load.h. */
#include "tests/problem_load.h"

#include <stdlib.h>
#include <string.h>

loaded_book load_inputs(const levy_input *inputs, size_t n, const levy_override *overrides,
                        size_t n_overrides)
{
    loaded_book book = {.problem = NULL};
    levy_fault_list_init(&book.faults, NULL);
    book.status = create_problem(NULL, inputs, n, overrides, n_overrides, &book.faults,
                                 &book.quotes, &book.problem);
    levy_fault_list_sort(&book.faults);
    return book;
}

loaded_book load_text(const char *text)
{
    const levy_input input = {
        .name = "book.yaml", .text = text, .length = strlen(text), .base = "."};
    return load_inputs(&input, 1, NULL, 0);
}

void loaded_book_release(loaded_book *book)
{
    levy_problem_destroy(book->problem);
    levy_quotes_destroy(book->quotes);
    levy_fault_list_release(&book->faults);
}

char *loaded_book_text(const loaded_book *book)
{
    size_t size = 1;
    for (size_t i = 0; i < book->faults.count; ++i) {
        const levy_fault *fault = &book->faults.items[i];
        size += levy_fault_line(fault, NULL, 0) + 1 + (fault->hint ? strlen(fault->hint) + 7 : 0);
    }
    char *text = malloc(size), *at = text;
    if (!text) return NULL;
    *at = '\0';
    for (size_t i = 0; i < book->faults.count; ++i) {
        const levy_fault *fault = &book->faults.items[i];
        at += levy_fault_line(fault, at, size - (size_t)(at - text));
        *at++ = '\n';
        if (fault->hint) {
            memcpy(at, "hint: ", 6);
            at += 6;
            memcpy(at, fault->hint, strlen(fault->hint));
            at += strlen(fault->hint);
            *at++ = '\n';
        }
        *at = '\0';
    }
    return text;
}

bool loaded_book_says(const loaded_book *book, const char *part)
{
    char *text = loaded_book_text(book);
    const bool found = text && strstr(text, part);
    free(text);
    return found;
}
