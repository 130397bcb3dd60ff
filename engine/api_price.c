/* api_price.c: levy_price: groups, plans, runs, results. See levy.h. */
#include "engine/api_results.h"

#include "engine/run/run.h"

#include <string.h>
#include <time.h>

typedef struct price_job {
    levy_context *context;
    levy_book *book;
    levy_price_options options;
    levy_api_device device;
    levy_results *results;
    levy_group *groups;
    size_t n_groups;
    uint64_t done, total; /* for progress: blocks, a group's tiles counted once */
    uint64_t group_blocks, group_run_blocks, group_run_done;
    double start;
    bool cancelled;
} price_job;

static double price_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int price_report(price_job *job, uint64_t done)
{
    const levy_progress progress = {done, job->total, price_now() - job->start};
    if (job->options.progress && job->options.progress(job->options.user, &progress)) job->cancelled = true;
    return job->cancelled;
}

/* The run counts the blocks of all its tiles; the caller sees a group's blocks once. */
static int price_progress(void *user, uint64_t done)
{
    price_job *job = user;
    job->group_run_done += done;
    const double share = (double)job->group_run_done / (double)job->group_run_blocks;
    const uint64_t part = job->group_run_done >= job->group_run_blocks ? job->group_blocks
                                                                       : (uint64_t)(share * (double)job->group_blocks);
    return price_report(job, job->done + part);
}

static uint64_t price_blocks(const levy_simulation *simulation)
{
    const uint64_t paths = simulation->paths / simulation->replicates;
    return simulation->replicates * ((paths + LEVY_BLOCK_PATHS - 1) / LEVY_BLOCK_PATHS);
}

static levy_status price_run(price_job *job, const levy_plan *plan, uint32_t number, char *why)
{
    const levy_memory *memory = &job->context->memory;
    const size_t n_sums = (size_t)plan->image->n_outputs * plan->image->n_replicates;
    levy_run_times times = {0.0, 0.0};
    const levy_run_options run = {.batch_blocks = job->options.batch_blocks, .progress = price_progress, .user = job};
    tree_sum *sums = levy_memory_allocate(memory, n_sums, sizeof *sums);
    if (!sums) return LEVY_MEMORY;
    job->group_run_done = 0;
    job->group_run_blocks = levy_run_blocks(plan, &job->device.info);
    levy_status status = levy_run_plan(memory, &job->device.backend, job->device.state, plan, &run, sums, &times, why);
    const double seconds = times.device_seconds > 0.0 ? times.device_seconds : times.seconds;
    if (status == LEVY_OK) status = levy_results_take_group(job->results, plan, number, sums, seconds, &job->device);
    levy_memory_release(memory, sums);
    return status;
}

static levy_reason price_reason(levy_status status)
{
    if (status == LEVY_UNSUPPORTED) return LEVY_REASON_UNSUPPORTED;
    if (status == LEVY_MEMORY) return LEVY_REASON_MEMORY;
    return status == LEVY_NUMERIC ? LEVY_REASON_NUMERIC_ERROR : LEVY_REASON_DEVICE;
}

/* One group that cannot be priced does not keep the others from it; its faults stand at its first trade. */
static levy_status price_fail_group(price_job *job, const levy_group *group, levy_status status, const char *why)
{
    const levy_reason reason = price_reason(status);
    const levy_trade *first = &job->book->problem->trades[group->trades[0]];
    const levy_place *place = first->node ? &first->node->place : NULL;
    const char *message = why[0] ? why : levy_status_text(status);
    levy_fault *fault =
        levy_fault_add(&job->context->faults, reason, place, first->id ? first->id : "", NULL, "%s", message);
    if (fault) fault->trade = group->trades[0];
    return levy_results_fail_group(job->results, group, reason, message);
}

static levy_status price_group(price_job *job, uint32_t number)
{
    const levy_group *group = &job->groups[number];
    char why[LEVY_REASON_SIZE] = ""; /* and LEVY_PLAN_WHY fits */
    levy_plan *plan = NULL;
    levy_status status = levy_plan_create(&job->context->memory, job->book->problem, group, &plan, why);
    if (status == LEVY_OK) status = price_run(job, plan, number, why);
    if (status == LEVY_DEVICE && levy_api_device_fall_back(job->context, &job->options, &job->device, why)) {
        why[0] = '\0';
        status = price_run(job, plan, number, why);
    }
    if (plan) levy_plan_destroy(plan);
    job->done += job->group_blocks;
    if (status == LEVY_OK || status == LEVY_CANCELLED) return status;
    LEVY_TRY(price_fail_group(job, group, status, why));
    return status == LEVY_DEVICE ? LEVY_DEVICE : LEVY_OK; /* a lost device stays lost */
}

static levy_status price_groups(price_job *job)
{
    levy_status status = LEVY_OK;
    job->group_blocks = price_blocks(&job->book->problem->simulation);
    job->total = job->group_blocks * job->n_groups;
    if (price_report(job, 0)) return LEVY_CANCELLED;
    for (uint32_t i = 0; i < job->n_groups && status == LEVY_OK; i++) status = price_group(job, i);
    if (status == LEVY_DEVICE)
        for (size_t i = 0; i < job->n_groups; i++)
            for (size_t j = 0; j < job->groups[i].n_trades; j++) {
                levy_trade_result *result = &job->results->trades[job->groups[i].trades[j]];
                if (strcmp(result->reason, levy_reason_text(LEVY_REASON_CANCELLED)) == 0)
                    result->reason = levy_reason_text(LEVY_REASON_DEVICE);
            }
    return status;
}

/* A status that leaves results to hand out: all done, cancelled, or the device lost on the way. */
static bool price_keeps_results(levy_status status)
{
    return status == LEVY_OK || status == LEVY_CANCELLED || status == LEVY_DEVICE;
}

static levy_status price_book(price_job *job)
{
    levy_arena arena;
    levy_status status = levy_api_device_open(job->context, &job->options, &job->device);
    if (status != LEVY_OK) return status;
    levy_arena_init(&arena, &job->context->memory);
    status = levy_results_create(job->book, &job->results);
    if (status == LEVY_OK) status = levy_groups_create(job->book->problem, &arena, &job->groups, &job->n_groups);
    if (status == LEVY_OK) status = price_groups(job);
    if (price_keeps_results(status)) {
        const levy_status finished = levy_results_finish(job->results, job->book, &job->device, job->n_groups);
        if (finished != LEVY_OK) status = finished;
    }
    levy_api_device_close(&job->device);
    levy_arena_release(&arena);
    return status;
}

int levy_price(levy_book *book, const levy_price_options *options, levy_results **results)
{
    price_job job = {.book = book, .start = price_now()};
    if (results) *results = NULL;
    if (!book || !results || !levy_api_price_options(options, &job.options)) return LEVY_STATUS_ARGUMENT;
    job.context = book->context;
    levy_api_begin(job.context);
    const levy_api_mode mode = levy_api_mode_enter();
    const levy_status status = price_book(&job);
    levy_api_mode_leave(&mode);
    const int ended = levy_api_end(job.context, (int)status);
    if (!job.results || !price_keeps_results((levy_status)ended)) {
        levy_results_destroy(job.results);
        return ended;
    }
    job.results->run.seconds = price_now() - job.start;
    job.results->run.interrupted = ended == LEVY_STATUS_CANCELLED;
    *results = job.results;
    return ended;
}
