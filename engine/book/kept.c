/* kept.c: what a book was read from, kept for those who make it again. See levy.h. */
#include "engine/book/handles.h"

#include <string.h>

static const char *kept_text(levy_arena *arena, const char *text, bool *ok)
{
    const char *copy = text ? levy_arena_copy_text(arena, text, strlen(text)) : NULL;
    *ok = *ok && (copy || !text);
    return copy;
}

levy_status levy_book_keep(levy_book *book, const levy_input *inputs, size_t n_inputs)
{
    bool ok = true;
    size_t n = 0;
    while (levy_quotes_reference(book->quotes, n)) ++n;
    book->sources = levy_arena_allocate(&book->kept, n_inputs, sizeof *book->sources);
    book->references = levy_arena_allocate(&book->kept, n, sizeof *book->references);
    if (!book->sources || !book->references) return LEVY_MEMORY;
    for (size_t i = 0; i < n_inputs; ++i) {
        const char *text = levy_arena_copy_text(&book->kept, inputs[i].text, inputs[i].length);
        book->sources[i] = (levy_source){.name = kept_text(&book->kept, inputs[i].name, &ok),
                                         .text = text,
                                         .length = inputs[i].length,
                                         .folder = kept_text(&book->kept, inputs[i].base, &ok)};
        ok = ok && text;
    }
    for (size_t i = 0; i < n; ++i) {
        const levy_input *kept = levy_quotes_reference(book->quotes, i);
        book->references[i] =
            (levy_source){.name = kept->name, .text = kept->text, .length = kept->length};
    }
    if (!ok) return LEVY_MEMORY;
    book->n_sources = n_inputs;
    book->n_references = n;
    return LEVY_OK;
}
