/* part_line.h: the lines that only the journal of a part has, beside its finished groups: who
 * prices it from here on, a group that could not be priced, and the end. Whoever merges wants to
 * know them; a run that resumes a part passes over them. Must not know: files. */
#ifndef LEVY_BOOK_PART_LINE_H
#define LEVY_BOOK_PART_LINE_H

#include "engine/book/journal_text.h"
#include "engine/levy.h"

/* A group, or a unit of one, that failed. Texts live in the reader's arena. */
typedef struct levy_part_failure {
    size_t group, unit;
    const char *reason, *message; /* the reason is one of the closed list (status.h) */
} levy_part_failure;

/* Write a line with its hash and without its newline. Return its length; 0: no memory. */
size_t levy_part_line_run(levy_line_out *out, const levy_part_info *run);
size_t levy_part_line_failure(levy_line_out *out, const levy_part_failure *failure);
size_t levy_part_line_end(levy_line_out *out);

/* Read a line whose hash is right. False: it is of another kind. Texts are copied. `run` keeps its
 * numbers of part and parts. */
bool levy_part_line_read_run(const char *line, size_t length, levy_arena *arena,
                             levy_part_info *run);
bool levy_part_line_read_failure(const char *line, size_t length, levy_arena *arena,
                                 levy_part_failure *failure);
bool levy_part_line_is_end(const char *line, size_t length);
bool levy_part_line_is_other(const char *line, size_t length); /* of one of these kinds */

#endif
