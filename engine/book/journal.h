/* journal.h: the journal of a pricing run: a text file of JSON lines, appended to by one process.
 * The first line says what is priced. Each further line holds one finished group: the hash of its
 * plan, its seconds, its device, and its sums as the bit patterns of doubles, so that nothing is
 * lost. Every line ends with the XXH3 of the text before it. A line is written at once and is on
 * disk within about a second. A resumed run drops a torn last line. The hash finds damage, not
 * forgery: anyone who may write to a journal decides the prices that a resumed run takes from
 * it. The journal of a part has lines of further kinds (part_line.h). */
#ifndef LEVY_BOOK_JOURNAL_H
#define LEVY_BOOK_JOURNAL_H

#include "engine/book/cut.h"
#include "engine/book/handles.h"
#include "kernels/lane/tree.h"

/* The facts that a run and its journal must agree on. */
typedef struct levy_journal_head {
    uint64_t text_hash, setting_hash, quote_hash;
    size_t trades, groups;
    const char *precision;
    const char *backend;  /* "any" where all backends give the same bits */
    uint32_t part, parts; /* of part k of n; 0, 0: of a whole run */
    uint64_t study;       /* hash of a study's simulation; 0: the journal is of prices */
} levy_journal_head;

/* Of prices. `backend`: as above. */
levy_journal_head levy_journal_head_of(const levy_problem *problem, size_t groups, uint32_t part,
                                       uint32_t parts, const char *backend);

/* One finished group. */
typedef struct levy_journal_group {
    size_t group, n_sums;
    bool is_unit; /* of a group that is cut: one unit of it (cut.h) */
    size_t unit;
    /* of a part: what comes of the sums (record.h), so that who merges makes no plan; length 0:
     * nothing */
    const char *record;
    size_t record_length;
    uint64_t plan_hash;
    double seconds;
    char backend[16], device[128];
    /* why the run had moved from its GPU to the CPU by then; "": it had not */
    char moved[LEVY_REASON_SIZE];
} levy_journal_group;

/* The kind of device on which a resumed run goes on: where the journal began, or moved to. */
typedef struct levy_journal_kind {
    char backend[16];             /* of the head: "any", "cpu", "cuda" */
    char moved[LEVY_REASON_SIZE]; /* of its last group; "": the run stayed where it began */
} levy_journal_kind;

/* Where a journal lies. */
typedef struct levy_journal_way {
    const char *path; /* NULL: it goes to `write`, and there is nothing to resume */
    bool resume;
    int (*write)(void *user, const char *text, size_t length); /* gets each line; nonzero: failed */
    void *user;
} levy_journal_way;

typedef struct levy_journal levy_journal;

/* LEVY_IO, LEVY_RESUME or LEVY_MEMORY, the first two with a fault that says why. `cut`: of a part,
 * whose lines are numbered by the cut's units (cut.h); else NULL, and they are by groups. */
levy_status levy_journal_open(levy_context *context, const levy_journal_way *way,
                              const levy_journal_head *head, const levy_cut *cut,
                              levy_journal **journal);

/* Looks into a journal before it is opened. False: there is none, or it cannot be used; opening it
 * will say why. */
bool levy_journal_peek(const levy_memory *memory, const char *path, levy_journal_kind *kind);

/* False: the group is not in the journal. Fills sums[n_sums] if the group has that many; else sums
 * stay as they are, and group->n_sums is the number that it has. */
bool levy_journal_find(const levy_journal *journal, size_t number, levy_journal_group *group,
                       tree_sum *sums, size_t n_sums);

levy_status levy_journal_append(levy_journal *journal, const levy_journal_group *group,
                                const tree_sum *sums);

/* Appends a line of another kind (part_line.h), which has its hash and no newline. */
levy_status levy_journal_append_line(levy_journal *journal, const char *line, size_t length);
/* Was the group or unit there when the run began? Any thread may ask. */
bool levy_journal_began_with(const levy_journal *journal, size_t number);
bool levy_journal_has(const levy_journal *journal, size_t number); /* or is it there now? */

/* Syncs the file to disk and closes it. LEVY_IO comes with a fault. NULL is fine. */
levy_status levy_journal_close(levy_journal *journal);

/* ---- Lines (journal_line.c) ---- */

enum { LEVY_JOURNAL_HEAD = 1024 }; /* bytes of a first line */

/* Write a line without its newline. Return its length; 0: no room. */
size_t levy_journal_write_head(const levy_journal_head *head, char *line, size_t room);
size_t levy_journal_write_group(const levy_journal_group *group, const tree_sum *sums, char *line,
                                size_t room);
size_t levy_journal_group_room(const levy_journal_group *group);

bool levy_journal_read_group(const char *line, size_t length, levy_journal_group *group,
                             tree_sum *sums, size_t n_sums);
/* The same of any number of sums, for which a line has room enough if sums has length / 48. */
bool levy_journal_read_all(const char *line, size_t length, levy_journal_group *group,
                           tree_sum *sums);
/* Only which group, or unit of one, the line is of. */
bool levy_journal_read_place(const char *line, size_t length, levy_journal_group *group);

/* Could a run of this plan have left these sums? Each must count `least` paths per replicate, or
 * 2^k times that up to `most`, and its squares must not add up to less than 0. A NaN passes: it
 * makes the trade fail, as it did in the run that wrote it. */
bool levy_journal_plausible(const tree_sum *sums, size_t n_sums, uint64_t least, uint64_t most);
/* reads the backend from a first line */
bool levy_journal_read_backend(const char *line, size_t length, char backend[16]);
/* likewise k and n of part k of n, 0, 0: of a whole run; and whether it is of a study */
bool levy_journal_read_part(const char *line, size_t length, levy_part_info *info);

/* The first difference between a journal's first line and ours, in words (`room` bytes). False: the
 * line is not the first line of a journal. */
bool levy_journal_difference(const char *line, size_t length, const levy_journal_head *head,
                             char *words, size_t room);

#endif
