/* api_file.h: a file's text, and the files of a folder. Must not know: what is in a file. */
#ifndef LEVY_API_FILE_H
#define LEVY_API_FILE_H

#include "engine/book/handles.h"

/* Adds a fault of source number `order`. Returns LEVY_INPUT, or LEVY_MEMORY for that reason. */
levy_status levy_file_fault(levy_context *context, const char *name, size_t order,
                            levy_reason reason, const char *what, const char *why);

/* Reads the file that `input` names. *text is the caller's to release, whatever is returned. With a
 * `folder`, the file was found in it and must not lead out of it. NULL: the caller has named the
 * file itself. */
levy_status levy_file_read(levy_context *context, levy_input *input, const char *folder,
                           char **text, size_t order);

/* Sources, and how many there is room for. The caller releases items. */
typedef struct levy_source_list {
    levy_source *items;
    size_t count, room;
} levy_source_list;

/* Whether there are sources, and each has a name. */
bool levy_sources_fit(const levy_source *sources, size_t n);
/* Copies n sources and replaces every folder by its books, or kinds. Only these keep their
 * `folder`, the one they were found in; a file that the caller has named gets none. */
levy_status levy_sources_expand(levy_context *context, levy_arena *arena,
                                const levy_source *sources, size_t n, bool kinds,
                                levy_source_list *list);

#endif
