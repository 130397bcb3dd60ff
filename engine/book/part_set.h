/* part_set.h: the parts of one run, of a book or of a study, read and checked: each is of it, and
 * together they hold every group once. Must not know: what a group is, results. */
#ifndef LEVY_BOOK_PART_SET_H
#define LEVY_BOOK_PART_SET_H

#include "engine/book/part_file.h"

/* A line of a part that is of a group, or of a unit of one. */
typedef struct levy_part_piece {
    uint32_t file, next; /* next of the group, plus 1; 0: none */
    const char *line;
    size_t length, unit;
    bool failed; /* it says that the group could not be priced */
} levy_part_piece;

/* Of what the parts are: of a book, or of a study. */
typedef struct levy_part_kind {
    const char *groups;   /* "groups": what a part has so many of */
    const char *stranger; /* what is wrong with a line that names none of them */
    /* hints: how to do a part again, which parts go together, each once, and how to make one */
    const char *again, *alike, *once, *absent;
    bool one_cut; /* all parts are of as many, and a unit is known by its number alone */
    /* What our first line of a part would be. `backend`: where bits depend on it. */
    levy_journal_head (*head)(void *user, uint32_t part, uint32_t parts, const char *backend);
    levy_status (*cut)(void *user, uint32_t parts, levy_arena *arena, levy_cut *cut);
    const char *(*trade)(void *user, size_t group); /* its name, in a message; NULL: it has none */
} levy_part_kind;

/* What a part should hold, and does. */
typedef struct levy_part_share {
    const levy_cut *cut; /* into as many parts as there are with it */
    size_t expected, found;
    /* [unit of the cut]: the last piece of it, plus 1; a file's own are those after `before` */
    uint32_t *own;
} levy_part_share;

typedef struct levy_part_set {
    levy_context *context;
    const levy_part_kind *kind;
    void *user; /* of the kind's functions */
    size_t n_groups;
    levy_arena arena; /* of all arrays below */
    levy_part_file *files;
    levy_part_share *shares; /* [file] */
    size_t n_files;
    uint32_t *first;  /* [group]: of its pieces, plus 1 */
    uint32_t *failed; /* [group]: the last piece that says that it failed, plus 1 */
    levy_part_piece *pieces;
    size_t n_pieces, piece_room;
    size_t before;        /* pieces of earlier files */
    levy_part_info *runs; /* those that have priced something, in the order of parts */
    size_t n_runs, run_room;
} levy_part_set;

/* Reads all files and texts into `set`, of which context, kind, user and n_groups are set, and
 * arena is ready. LEVY_RESUME with faults: they do not cover the whole once, or are not of it. */
levy_status levy_part_set_read(levy_part_set *set, const levy_merge_options *options);
void levy_part_set_release(levy_part_set *set);
levy_cut_unit levy_part_unit(const levy_part_set *set, size_t group, const levy_part_piece *piece);
/* The device of a run whose parts they are: that of the first part. */
void levy_part_set_device(const levy_part_set *set, levy_call_device *device);

#endif
