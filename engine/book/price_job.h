/* price_job.h: one call of levy_price, as its parts share it: pricing.c opens devices and journals,
 * price_groups.c goes through the groups, price_group.c prices one, or price_resume.c takes it from
 * the journal. All of it runs on the caller's thread; what is done ahead of it is in workers.h.
 * Must not know: reports. */
#ifndef LEVY_BOOK_PRICE_JOB_H
#define LEVY_BOOK_PRICE_JOB_H

#include "engine/book/cut.h"
#include "engine/book/handles.h"
#include "engine/book/journal.h"
#include "engine/book/results.h"
#include "engine/book/workers.h"

typedef struct levy_price_job {
    levy_context *context;
    levy_book *book;
    levy_price_options options;
    levy_call_device device;
    /* the CPU, for groups that a GPU which auto chose cannot do; state NULL: not needed yet */
    levy_call_device spare;
    levy_results *results;
    const levy_group *groups;
    size_t n_groups;
    uint64_t done, total; /* for progress: blocks, each counted once for all tiles of its group */
    /* group_blocks: of this run's share of the group; all_blocks: of a whole group */
    uint64_t all_blocks, group_blocks, group_run_blocks, group_run_done;
    uint64_t resumed; /* blocks of groups that the journal held */
    /* The same by weight: a block times what its group's paths cost (cut.h). group_weight: of a
     * block of the group at work. */
    double work_done, work_total, work_resumed, group_weight;
    levy_journal *journal;
    /* the backend in the journal's first line, if the bits depend on it; "": not yet known */
    char head_backend[16];
    /* why the CPU replaced a GPU, if that changes bits; "": it did not */
    char moved[LEVY_REASON_SIZE];
    levy_workers *workers; /* NULL: each group is made ready when its turn comes */
    uint32_t dismissed;    /* how often workers were sent away because something failed */
    double start, told;    /* when the run began, and when progress was last reported */
    size_t finished;       /* trades that the caller was told of */
    bool cancelled;
    levy_cut cut; /* of a part, in cut_arena; parts 0: the whole book is priced */
    levy_arena cut_arena;
    levy_line_out record; /* of a part: the text of the last group's results */
} levy_price_job;

/* Tells the caller that `done` blocks are done. Nonzero: the run is cancelled. */
int levy_price_report(levy_price_job *job, uint64_t done);
/* Counts a group as done; `resumed`: it took no time now. */
void levy_price_count(levy_price_job *job, bool resumed);
/* The same for long work that asks often; `user` is the job. */
int levy_price_stop(void *user);

/* Whether the bits of the results depend on the device. */
bool levy_price_bits_differ(const levy_price_job *job);

/* Does the journal hold the group? Any thread may ask. */
bool levy_price_resumes(const levy_price_job *job, size_t group);

/* ---- Parts (price_part.c) ---- */

/* The work that a run has with a group. Any thread may ask. */
typedef enum levy_price_share {
    LEVY_PRICE_WHOLE, /* all of it */
    LEVY_PRICE_UNITS, /* some units of it */
    LEVY_PRICE_NONE   /* nothing: others price it, or this part's journal holds it */
} levy_price_share;
levy_price_share levy_price_share_of(const levy_price_job *job, size_t group);
/* Blocks of the run's share of a group, for progress. */
uint64_t levy_price_blocks(const levy_price_job *job, size_t group);
/* Cuts the book, if a part is asked for. LEVY_ARGUMENT with a fault: it cannot be. */
levy_status levy_price_cut(levy_price_job *job);
/* Notes in the part's journal who prices it from here on; that it has come to its end; that a group
 * could not be priced. Nothing where no part is asked for. */
levy_status levy_price_part_begin(levy_price_job *job);
levy_status levy_price_part_end(levy_price_job *job);
levy_status levy_price_part_fail(levy_price_job *job, size_t group, levy_reason reason,
                                 const char *message);
/* Prices the units of a group that the journal does not hold yet. */
levy_status levy_price_units(levy_price_job *job, levy_call_device *device, levy_plan *plan,
                             uint32_t number, char *why);

/* A group's sums: of every output and replicate. */
static inline size_t levy_price_sums(const levy_plan *plan)
{
    return (size_t)plan->image->n_outputs * plan->image->n_replicates;
}

/* Appends a group, or a unit of one, to the journal, if there is one. `unit` UINT32_MAX: all of it.
 */
levy_status levy_price_append(levy_price_job *job, const levy_plan *plan, uint32_t number,
                              uint32_t unit, const tree_sum *sums, double seconds,
                              const levy_call_device *device);
/* For levy_run_options: the run counts the blocks of all its tiles; the caller sees a group's
 * blocks once. `user` is the job. */
int levy_price_progress(void *user, uint64_t done);

/* The outcome of a group's simulation. */
typedef struct levy_price_sum {
    const tree_sum *sums;
    levy_results_made *made; /* NULL: not yet made of the sums */
    double seconds;
} levy_price_sum;

/* Makes results of a group's sums. `moved`: why these sums come from the CPU although the run began
 * on a GPU. "": they do not, or their bits are the same as the GPU's. */
levy_status levy_price_take(levy_price_job *job, const levy_plan *plan, uint32_t number,
                            const levy_price_sum *sum, const levy_call_device *device,
                            const char *moved);
/* Takes a group from the journal. LEVY_RESUME: it belongs to another plan, or no run of this plan
 * can have written it. */
levy_status levy_price_resume(levy_price_job *job, const levy_plan *plan, uint32_t number,
                              char *why);

/* Groups are priced in their order. A group that cannot be priced does not stop the others. */
levy_status levy_price_group(levy_price_job *job, uint32_t number);
levy_status levy_price_groups(levy_price_job *job);

/* Ends the workers and closes their states on the device, so that the calling thread has memory and
 * device to itself. */
void levy_price_dismiss(levy_price_job *job);

#endif
