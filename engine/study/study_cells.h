/* study_cells.h: what the files of a study in parts share: study_parts.c counts the cells and
 * prices those of a part, study_merge.c takes them from the journals. See study_parts.h. */
#ifndef LEVY_STUDY_STUDY_CELLS_H
#define LEVY_STUDY_STUDY_CELLS_H

#include "engine/book/merge.h"
#include "engine/book/part_set.h"
#include "engine/study/study_parts.h"

typedef enum levy_cells_mode {
    LEVY_CELLS_COUNT,
    LEVY_CELLS_PART,
    LEVY_CELLS_MERGE
} levy_cells_mode;

/* One simulation: of `units` cells, each of `blocks` blocks. */
typedef struct levy_study_call {
    size_t units;
    uint64_t blocks;
} levy_study_call;

struct levy_study_parts {
    levy_cells_mode mode;
    levy_arena arena;
    size_t next; /* the call that the study asks for next */
    levy_study_call *calls;
    size_t n_calls, call_room;
    levy_cut cut; /* of a part; its groups are the calls */
    /* of a part */
    levy_study_work *work;
    levy_journal *journal;
    levy_part_set set; /* of a merge */
};

/* The cut into n parts. Arrays live in the arena. */
levy_status levy_study_cut(const struct levy_study_parts *cells, uint32_t parts, levy_arena *arena,
                           levy_cut *cut);
/* The first line of a part's journal. `backend`: where bits depend on it; else not read. */
levy_journal_head levy_study_head(const levy_study_job *job, uint32_t part, uint32_t parts,
                                  const char *backend);

/* Reads the journals, and checks that they are of this study and hold every cell once. */
levy_status levy_study_read(levy_study_job *job, const levy_merge_options *merge);
/* The sums of a call from its pieces. */
levy_status levy_study_take(levy_study_job *job, const levy_group *group, uint32_t n_powers,
                            levy_study_run *run);

#endif
