/* workers.h: makes a book's groups ready ahead of the thread that prices the book: their plans, and
 * where a group is too small to fill the device its sums, and what the caller makes of them.
 * Several threads take groups from one counter, each with a state of its own on the same device.
 * The pricing thread takes what is ready in the order of the groups, so that nothing it does with
 * them depends on how many threads there are. Where a worker fails, the group is left to that
 * thread. Must not know: results, journals, faults. */
#ifndef LEVY_BOOK_WORKERS_H
#define LEVY_BOOK_WORKERS_H

#include "engine/book/handles.h"
#include "engine/plan/plan.h"
#include "engine/run/run.h"

/* How much of a group is done ahead. */
typedef enum levy_share {
    LEVY_SHARE_NONE,
    LEVY_SHARE_PLAN,
    LEVY_SHARE_TOLD, /* the plan, and the device is told of it (levy_run_foresee) */
    LEVY_SHARE_SUMS
} levy_share;

typedef struct levy_workers_job {
    levy_book *book;
    levy_call_device *device;                      /* stays as it is while there are workers */
    size_t first, end;                             /* groups */
    uint64_t batch_blocks;                         /* as of a run */
    levy_share (*share)(void *user, size_t group); /* asked from any thread */
    /* any thread: makes something of a group's sums, in that arena. NULL: no memory */
    void *(*finish)(void *user, const levy_plan *plan, const tree_sum *sums, levy_arena *arena);
    int (*stop)(void *user); /* the pricing thread, while it waits; nonzero: stop */
    void *user;
} levy_workers_job;

/* A group as a worker leaves it. */
typedef struct levy_ready {
    levy_plan *plan; /* lent as by levy_plan_cache_get; NULL: not made */
    tree_sum *sums;  /* they last until the next take; NULL: not made */
    void *made;      /* from the sums, by the job's `finish`, for as long as these; NULL: none */
    levy_run_times times;
    levy_status status; /* why there are no sums, if a device or a lack of memory is to blame */
} levy_ready;

typedef struct levy_workers levy_workers;

/* How many threads a call with these options may have, its own among them: theirs, or one per
 * processor. */
uint32_t levy_workers_most(const levy_price_options *options);

/* Starts up to `most` workers, fewer for few groups. NULL: fewer than one, or no memory or threads
 * for them; the work is then done without. */
levy_workers *levy_workers_start(const levy_workers_job *job, uint32_t most);

/* Waits for the next group, from job->first on, and gives back what the last one was given. The
 * caller has put back its plan. LEVY_CANCELLED: the caller wants to stop. */
levy_status levy_workers_take(levy_workers *workers, levy_ready *ready);

/* Stops the workers, and drops groups that were not taken. NULL does nothing. */
void levy_workers_end(levy_workers *workers);

#endif
