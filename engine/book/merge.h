/* merge.h: one run from the journals of its parts. merge_parts.c reads them and checks that they
 * cover the book once; merge.c makes the results. Must not know: devices, reports. */
#ifndef LEVY_BOOK_MERGE_H
#define LEVY_BOOK_MERGE_H

#include "engine/book/part_file.h"
#include "engine/book/results.h"

/* A line of a part that is of a group, or of a unit of one. */
typedef struct levy_merge_piece {
    uint32_t file, next; /* next of the group, plus 1; 0: none */
    const char *line;
    size_t length, unit;
    bool failed; /* it says that the group could not be priced */
} levy_merge_piece;

/* What a part should hold, and does. */
typedef struct levy_merge_share {
    const levy_cut *cut; /* into as many parts as there are with it */
    size_t expected, found;
    /* [unit of the cut]: the last piece of it, plus 1; a file's own are those after `before` */
    uint32_t *own;
} levy_merge_share;

typedef struct levy_merge_job {
    levy_context *context;
    levy_book *book;
    const levy_group *groups;
    size_t n_groups;
    levy_arena arena; /* of all arrays below */
    levy_part_file *files;
    levy_merge_share *shares; /* [file] */
    size_t n_files;
    uint32_t *first;  /* [group]: of its pieces, plus 1 */
    uint32_t *failed; /* [group]: the last piece that says that it failed, plus 1 */
    levy_merge_piece *pieces;
    size_t n_pieces, piece_room;
    size_t before;        /* pieces of earlier files */
    levy_part_info *runs; /* those that have priced something, in the order of parts */
    size_t n_runs, run_room;
} levy_merge_job;

/* Reads all files and texts into `merge`, of which context, book, groups and arena are set.
 * LEVY_RESUME with faults: they do not cover the book once, or are not of it. */
levy_status levy_merge_read(levy_merge_job *merge, const levy_merge_options *options);
void levy_merge_release(levy_merge_job *merge);
levy_cut_unit levy_merge_unit(const levy_merge_job *merge, size_t group,
                              const levy_merge_piece *piece);
/* Fits, on the CPU, what the parts have fitted before they priced the plan's group (stage.h). A
 * fault says why it fails. */
levy_status levy_merge_fit(levy_context *context, levy_plan *plan);

/* `options` are complete; a call is under way, as for levy_book_price. */
levy_status levy_book_merge(levy_book *book, const levy_merge_options *options,
                            levy_results **results);

#endif
