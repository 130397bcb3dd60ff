/* api_merge.c: levy_merge and levy_part_read. See levy.h. */
#include "engine/book/merge.h"

static bool merge_is_whole(const levy_merge_options *own)
{
    const size_t n = own->n_paths + own->n_texts;
    bool whole = n > 0 && n >= own->n_texts && n <= UINT32_MAX && (own->paths || !own->n_paths) &&
                 (own->texts || !own->n_texts);
    for (size_t i = 0; whole && i < own->n_paths; ++i) whole = own->paths[i] != NULL;
    for (size_t i = 0; whole && i < own->n_texts; ++i)
        whole = own->texts[i].name && own->texts[i].text;
    return whole;
}

int levy_merge(levy_book *book, const levy_merge_options *options, levy_results **results)
{
    levy_merge_options own;
    if (results) *results = NULL;
    if (!book || !results)
        return levy_call_refuse(book ? book->context : NULL, "results", "is NULL");
    if (!options || !levy_call_copy_options(&own, sizeof own, options))
        return levy_call_refuse(book->context, "struct_size", "is not that of levy_merge_options");
    if (!merge_is_whole(&own))
        return levy_call_refuse(book->context, "paths", "needs at least one path, or a text");
    levy_call_begin(book->context);
    const levy_call_mode mode = levy_call_mode_enter();
    const levy_status status = levy_book_merge(book, &own, results);
    levy_call_mode_leave(&mode);
    return levy_call_end_results(book->context, (int)status, results);
}

int levy_part_read(levy_context *context, const char *path, levy_part_info *info)
{
    if (info) *info = (levy_part_info){.part = 0};
    if (!context || !path || !info) return levy_call_refuse(context, "path", "is NULL");
    levy_call_begin(context);
    const levy_status status =
        levy_part_file_describe(context, path, &context->diagnostics_arena, info);
    return levy_call_end(context, (int)status);
}
