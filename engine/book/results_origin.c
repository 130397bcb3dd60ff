/* results_origin.c: what a run's book was read from, for reports: its texts with their hashes, and
 * the date, the terms and the market in them. See results.h. */
#include "engine/book/results.h"

#include "engine/base/hash.h"

#include <string.h>

static levy_status origin_input(levy_results *results, const levy_source *source)
{
    levy_report_input *const input = &results->inputs[results->n_inputs];
    if (!source->text) return LEVY_OK;
    input->name = levy_arena_copy_text(&results->arena, source->name ? source->name : "",
                                       source->name ? strlen(source->name) : 0);
    input->hash = XXH3_64bits(source->text, source->length);
    input->bytes = source->length;
    results->n_inputs++;
    return input->name ? LEVY_OK : LEVY_MEMORY;
}

levy_status levy_results_note_origin(levy_results *results, const levy_book *book)
{
    const size_t n = book->n_sources + book->n_references;
    results->inputs = levy_arena_allocate(&results->arena, n, sizeof *results->inputs);
    if (!results->inputs) return LEVY_MEMORY;
    for (size_t i = 0; i < book->n_sources; ++i) LEVY_TRY(origin_input(results, &book->sources[i]));
    for (size_t i = 0; i < book->n_references; ++i)
        LEVY_TRY(origin_input(results, &book->references[i]));
    if (n == 0) return LEVY_OK;
    return levy_results_note_terms(results, book) && levy_results_note_market(results, book)
               ? LEVY_OK
               : LEVY_MEMORY;
}
