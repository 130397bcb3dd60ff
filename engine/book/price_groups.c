/* price_groups.c: all groups of a book, one after the other, with workers ahead of them.
 * See price_job.h. */
#include "engine/book/price_job.h"

#include "engine/book/plan_cache.h"

#include "engine/base/clock.h"

#include <math.h>
#include <string.h>

/* After so many failures with workers, the rest is priced without them. */
enum { PRICE_DISMISSALS = 8 };

static const double price_pause = 0.02; /* seconds between two reports of progress while planning */

/* Seconds to go when `done` blocks are done, all but those of the group at work in full groups; 0:
 * not known. */
static double price_left(const levy_price_job *job, uint64_t done, double seconds)
{
    const double work = job->work_done + job->group_weight * (double)(done - job->done),
                 here = work - job->work_resumed;
    return here > 0.0 ? seconds * fmax(job->work_total - work, 0.0) / here : 0.0;
}

void levy_price_count(levy_price_job *job, bool resumed)
{
    const double work = job->group_weight * (double)job->group_blocks;
    job->done += job->group_blocks;
    job->work_done += work;
    if (!resumed) return;
    job->resumed += job->group_blocks;
    job->work_resumed += work;
}

int levy_price_report(levy_price_job *job, uint64_t done)
{
    job->told = levy_clock_now();
    const double all = job->all_blocks ? (double)job->all_blocks : 1.0;
    const double share = (double)(done - job->resumed) / all;
    const levy_progress progress = {
        .done = done,
        .total = job->total,
        .seconds = job->told - job->start,
        .left = price_left(job, done, job->told - job->start),
        .resumed = job->resumed,
        .paths = (uint64_t)(share * (double)job->book->problem->simulation.paths)};
    if (job->options.progress && job->options.progress(job->options.user, &progress))
        job->cancelled = true;
    return job->cancelled;
}

int levy_price_stop(void *user)
{
    levy_price_job *job = user;
    if (job->cancelled || levy_clock_now() - job->told < price_pause) return job->cancelled;
    return levy_price_report(job, job->done);
}

/* ---- Workers ---- */

static levy_share price_share(void *user, size_t group)
{
    const levy_price_job *const job = user;
    const levy_price_share share = levy_price_share_of(job, group);
    if (share == LEVY_PRICE_NONE) return LEVY_SHARE_NONE;
    return share == LEVY_PRICE_UNITS || levy_price_resumes(job, group) ||
                   levy_group_is_still(&job->groups[group]) || job->groups[group].fits ||
                   job->book->problem->simulation.tolerance.asked
               ? LEVY_SHARE_PLAN
               : LEVY_SHARE_SUMS;
}

static void *price_finish(void *user, const levy_plan *plan, const tree_sum *sums,
                          levy_arena *arena)
{
    const levy_price_job *const job = user;
    return levy_results_make(job->results, plan, sums, arena);
}

static levy_share price_share_foresight(void *user, size_t group)
{
    const levy_price_job *const job = user;
    return levy_price_resumes(job, group) || levy_group_is_still(&job->groups[group]) ||
                   levy_price_share_of(job, group) == LEVY_PRICE_NONE
               ? LEVY_SHARE_NONE
               : LEVY_SHARE_TOLD;
}

/* With a GPU the calling thread counts as one of the threads that the caller allows; on a CPU it
 * only waits for them, as it does without workers. */
static void price_hire(levy_price_job *job, uint32_t first,
                       levy_share (*share)(void *user, size_t group))
{
    const levy_workers_job work = {.book = job->book,
                                   .device = &job->device,
                                   .first = first,
                                   .end = job->n_groups,
                                   .batch_blocks = job->options.batch_blocks,
                                   .share = share,
                                   .finish = price_finish,
                                   .stop = levy_price_stop,
                                   .user = job};
    const uint32_t allowed = levy_workers_most(&job->options),
                   most = job->device.info.threads > 0 ? allowed : allowed - 1;
    if (job->device.backend.beside && allowed > 1) job->workers = levy_workers_start(&work, most);
}

static void price_end(levy_price_job *job)
{
    levy_workers_end(job->workers);
    job->workers = NULL;
}

void levy_price_dismiss(levy_price_job *job)
{
    if (!job->workers) return;
    ++job->dismissed;
    price_end(job);
    levy_call_device_close_beside(&job->device);
}

/* ---- All groups ---- */

/* Tells the device of a group's plan. False: it will be no use to tell it of more. */
static bool price_foresee_group(levy_price_job *job, uint32_t number)
{
    char why[LEVY_REASON_SIZE];
    levy_ready ready = {.plan = NULL};
    const levy_call_device *const device = &job->device;
    if (job->workers && levy_workers_take(job->workers, &ready) != LEVY_OK) return false;
    levy_plan *plan = ready.plan;
    levy_status status = ready.status;
    if (price_share_foresight(job, number) == LEVY_SHARE_NONE) return true;
    if (!plan && levy_plan_cache_get(job->book, number, &plan, why) != LEVY_OK)
        return !job->cancelled;
    if (!ready.plan)
        status = levy_run_foresee(plan, &device->backend, device->state, &device->info);
    return levy_plan_cache_keep(job->book, number, plan) && status == LEVY_OK;
}

static int price_foresee_tick(void *user)
{
    levy_price_job *const job = user;
    return levy_price_report(job, job->done);
}

/* Gets the kernels of all plans that the device was told of. */
static void price_foresee_kernels(levy_price_job *job)
{
    const levy_backend *const backend = &job->device.backend;
    /* threads that compile may not ask: only the caller's thread may report progress */
    const levy_cancel cancel = {NULL, NULL, price_foresee_tick, job};
    if (backend->watch) backend->watch(job->device.state, &cancel);
    (void)backend->foresee(job->device.state, NULL, NULL, 0);
    if (backend->watch) backend->watch(job->device.state, NULL);
}

/* Before the first group, as long as plans are kept: a device that compiles does so side by side
 * for all groups. One that was told of all these plans before has their kernels. */
static void price_foresee(levy_price_job *job)
{
    uint32_t i = 0;
    const uint64_t device = job->device.number;
    if (!job->device.backend.foresee || job->n_groups < 2) return;
    if (levy_plan_cache_is_told(job->book, device)) return;
    price_hire(job, 0, price_share_foresight);
    while (i < job->n_groups && price_foresee_group(job, i)) ++i;
    price_end(job);
    if (job->cancelled) return;
    price_foresee_kernels(job);
    if (i == job->n_groups && !job->cancelled) levy_plan_cache_tell(job->book, device);
}

/* Trades whose turn never came, because the device was lost. */
static void price_lose(levy_price_job *job)
{
    for (size_t i = 0; i < job->n_groups; ++i)
        for (size_t j = 0; j < job->groups[i].n_trades; ++j) {
            levy_trade_result *result = &job->results->trades[job->groups[i].trades[j]];
            if (levy_price_share_of(job, i) == LEVY_PRICE_NONE) continue;
            if (strcmp(result->status, "cancelled") != 0) continue;
            result->status = "failed";
            result->reason = levy_reason_text(LEVY_REASON_DEVICE);
        }
}

/* Trades come in the order of the book, whatever groups they are in. A trade of legs is done at the
 * end of the run, and so are those behind it. */
static void price_tell_finished(levy_price_job *job)
{
    const levy_results *const results = job->results;
    size_t n = job->finished;
    while (n < results->n_trades && strcmp(results->trades[n].status, "cancelled") != 0) ++n;
    if (n > job->finished && job->options.finished)
        job->options.finished(job->options.finished_user, results, n);
    job->finished = n;
}

levy_status levy_price_groups(levy_price_job *job)
{
    levy_status status = LEVY_OK;
    if (levy_price_report(job, 0)) return LEVY_CANCELLED;
    price_foresee(job);
    price_hire(job, 0, price_share);
    for (uint32_t i = 0; i < job->n_groups && status == LEVY_OK; ++i) {
        const uint32_t dismissed = job->dismissed;
        status = levy_price_group(job, i);
        price_tell_finished(job);
        if (job->dismissed > dismissed && job->dismissed <= PRICE_DISMISSALS)
            price_hire(job, i + 1, price_share);
    }
    price_end(job);
    if (status == LEVY_DEVICE) price_lose(job);
    return status;
}
