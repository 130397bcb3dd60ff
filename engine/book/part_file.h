/* part_file.h: the journal of a part, read whole, for whoever merges it: its lines, by the group
 * that they are of. It takes no lock and writes nothing, so that it may be read while a process
 * appends to it. Must not know: results. */
#ifndef LEVY_BOOK_PART_FILE_H
#define LEVY_BOOK_PART_FILE_H

#include "engine/book/journal.h"
#include "engine/book/part_line.h"

typedef struct levy_part_file {
    const char *path; /* or name */
    const char *text;
    char *own; /* the text, if it is of the context's memory; NULL: it is the caller's */
    size_t length;
    levy_part_info info; /* of its last run */
} levy_part_file;

/* Called with each line after the first, whose hash is right. A line of no kind is a fault. */
typedef levy_status (*levy_part_visit)(void *user, const char *line, size_t length,
                                       uint32_t number);

/* Reads the file and its first line. LEVY_IO, LEVY_RESUME or LEVY_MEMORY, the first two with a
 * fault. */
levy_status levy_part_file_read(levy_context *context, const char *path, levy_part_file *file);
/* The same of a text in memory, which must stay. */
levy_status levy_part_file_take(levy_context *context, const levy_source *text,
                                levy_part_file *file);
/* Up to a torn last line. */
levy_status levy_part_file_visit(levy_context *context, const levy_part_file *file,
                                 levy_part_visit visit, void *user);
/* A fault at a line (0: of the file) that says why the part cannot be used. */
levy_status levy_part_file_refuse(levy_context *context, const levy_part_file *file, uint32_t line,
                                  const char *hint, const char *why);
void levy_part_file_release(levy_context *context, levy_part_file *file);

/* Fills `info` with what the file says of itself; texts live in the arena. LEVY_RESUME also where
 * it has no line of a run yet. */
levy_status levy_part_file_describe(levy_context *context, const char *path, levy_arena *arena,
                                    levy_part_info *info);

#endif
