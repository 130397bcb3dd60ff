/* api_merge.c: levy_merge and levy_part_read. See levy.h. */
#include "engine/book/merge.h"
#include "engine/book/part_file.h"

int levy_merge(levy_book *book, const levy_merge_options *options, levy_results **results)
{
    levy_merge_options own;
    if (results) *results = NULL;
    if (!book || !results)
        return levy_call_refuse(book ? book->context : NULL, "results", "is NULL");
    if (!levy_call_merge_options(options, &own))
        return levy_call_refuse(book->context, "options", "need at least one path, or a text");
    levy_call_begin(book->context);
    const levy_status status = levy_book_merge(book, &own, results);
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
