/* price_group.c: one group priced: simulated, taken from the journal or from a worker, or known;
 * where a GPU fails, elsewhere. See price_job.h. */
#include "engine/book/price_job.h"

#include "engine/book/plan_cache.h"
#include "engine/book/tolerance.h"

#include "engine/plan/known.h"
#include "engine/run/pilot.h"
#include "engine/run/stage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int levy_price_progress(void *user, uint64_t done)
{
    levy_price_job *job = user;
    job->group_run_done += done;
    const double share = (double)job->group_run_done / (double)job->group_run_blocks;
    const uint64_t part = job->group_run_done >= job->group_run_blocks
                              ? job->group_blocks
                              : (uint64_t)(share * (double)job->group_blocks);
    return levy_price_report(job, job->done + part);
}

levy_status levy_price_take(levy_price_job *job, const levy_plan *plan, uint32_t number,
                            const levy_price_sum *sum, const levy_call_device *device,
                            const char *moved)
{
    levy_line_out *const record = job->cut.parts ? &job->record : NULL;
    const double seconds = job->options.no_times ? NAN : sum->seconds;
    job->record.used = 0;
    LEVY_TRY(sum->made
                 ? levy_results_take_made(job->results, sum->made, number, seconds, device, record)
                 : levy_results_take_group(job->results, plan, number, sum->sums, seconds, device,
                                           record));
    return moved[0] ? levy_results_move_group(job->results, plan->group, moved) : LEVY_OK;
}

levy_status levy_price_append(levy_price_job *job, const levy_plan *plan, uint32_t number,
                              uint32_t unit, const tree_sum *sums, double seconds,
                              const levy_call_device *device)
{
    const bool whole = unit == UINT32_MAX;
    levy_journal_group group = {.group = number,
                                .n_sums = whole ? levy_price_sums(plan) : plan->image->n_outputs,
                                .is_unit = !whole,
                                .unit = whole ? 0 : unit,
                                .record = job->record.text,
                                .record_length = whole && job->cut.parts ? job->record.used : 0,
                                .plan_hash = plan->image->numeric_hash,
                                .seconds = seconds};
    if (!job->journal) return LEVY_OK;
    memcpy(group.backend, device->info.backend, sizeof group.backend);
    memcpy(group.device, device->info.device, sizeof group.device);
    memcpy(group.moved, job->moved, sizeof group.moved);
    return levy_journal_append(job->journal, &group, sums);
}

/* Keeps the sums of a group. Its line in a part's journal has the results made from them. */
static levy_status price_keep(levy_price_job *job, const levy_plan *plan, uint32_t number,
                              const levy_price_sum *sum, const levy_call_device *device)
{
    if (!job->cut.parts)
        LEVY_TRY(levy_price_append(job, plan, number, UINT32_MAX, sum->sums, sum->seconds, device));
    LEVY_TRY(levy_price_take(job, plan, number, sum, device, job->moved));
    return job->cut.parts
               ? levy_price_append(job, plan, number, UINT32_MAX, sum->sums, sum->seconds, device)
               : LEVY_OK;
}

static double price_seconds(const levy_run_times *times)
{
    return times->device_seconds > 0.0 ? times->device_seconds : times->seconds;
}

/* A group of known amounts: nothing is simulated on the device. */
static levy_status price_known(levy_price_job *job, const levy_plan *plan, uint32_t number)
{
    tree_sum *sums =
        levy_memory_allocate(&job->context->memory, levy_price_sums(plan), sizeof *sums);
    if (!sums) return LEVY_MEMORY;
    levy_known_sums(plan, sums);
    levy_status status =
        price_keep(job, plan, number, &(levy_price_sum){.sums = sums}, &job->device);
    levy_memory_release(&job->context->memory, sums);
    if (status == LEVY_OK && levy_price_report(job, job->done + job->group_blocks))
        status = LEVY_CANCELLED;
    return status;
}

/* Simulates the group on that device. If that fails while workers are at work, it is tried again
 * without them: they may have had the memory that was missing. */
static levy_status price_simulate(levy_price_job *job, levy_call_device *device, levy_plan *plan,
                                  tree_sum *sums, levy_run_times *times, char *why)
{
    const bool tolerance = job->book->problem->simulation.tolerance.asked;
    const levy_memory *memory = &job->context->memory;
    const levy_run_options run = {.batch_blocks = job->options.batch_blocks,
                                  .progress = levy_price_progress,
                                  .user = job,
                                  .normals = {job->options.normals, job->options.normals_user}};
    job->group_run_done = 0;
    job->group_run_blocks = levy_run_blocks(plan, &device->info);
    const levy_status status =
        tolerance
            ? levy_tolerance_run(memory, &device->backend, device->state, plan, &run, sums, times,
                                 why)
            : levy_run_plan(memory, &device->backend, device->state, plan, &run, sums, times, why);
    if (!job->workers || !levy_call_device_failed(status)) return status;
    levy_price_dismiss(job);
    return price_simulate(job, device, plan, sums, times, why);
}

/* Warns of what fits say. */
static void price_remark(levy_price_job *job, const levy_plan *plan)
{
    for (size_t t = 0; plan->remarks && t < plan->group->n_trades; ++t)
        if (plan->remarks[t])
            levy_fault_warn(&job->context->faults, LEVY_REASON_RANGE, NULL,
                            plan->problem->trades[plan->group->trades[t]].header.name,
                            "Fit it to more paths (exercise.fit.paths), unless none can be in the "
                            "money there.",
                            "%s", plan->remarks[t]);
}

/* Fits what the group's trades have fitted first and runs its pilot, also where their sums are in a
 * journal: they are those of a plan that was fitted. As price_simulate beside workers. */
static levy_status price_fit(levy_price_job *job, levy_call_device *device, levy_plan *plan,
                             levy_run_times *times, char *why)
{
    const levy_run_options run = {
        .batch_blocks = job->options.batch_blocks, .progress = levy_price_progress, .user = job};
    job->group_run_done = 0;
    job->group_run_blocks = 1;
    levy_status status =
        levy_stage_prepare(&device->backend, device->state, plan, &run, times, why);
    if (status == LEVY_OK) price_remark(job, plan);
    if (status == LEVY_OK)
        status = levy_pilot_run(&device->backend, device->state, plan, &run, times, why);
    if (!job->workers || !levy_call_device_failed(status)) return status;
    levy_price_dismiss(job);
    return price_fit(job, device, plan, times, why);
}

static levy_status price_run(levy_price_job *job, levy_call_device *device, levy_plan *plan,
                             uint32_t number, char *why)
{
    levy_run_times fit = {0.0, 0.0};
    LEVY_TRY(price_fit(job, device, plan, &fit, why));
    if (levy_price_resumes(job, number)) return levy_price_resume(job, plan, number, why);
    if (levy_group_is_still(plan->group)) return price_known(job, plan, number);
    if (levy_price_share_of(job, number) == LEVY_PRICE_UNITS)
        return levy_price_units(job, device, plan, number, why);
    levy_run_times times = {0.0, 0.0};
    tree_sum *sums =
        levy_memory_allocate(&job->context->memory, levy_price_sums(plan), sizeof *sums);
    if (!sums) return LEVY_MEMORY;
    levy_status status = price_simulate(job, device, plan, sums, &times, why);
    const levy_price_sum sum = {.sums = sums,
                                .seconds = price_seconds(&fit) + price_seconds(&times)};
    if (status == LEVY_OK) status = price_keep(job, plan, number, &sum, device);
    levy_memory_release(&job->context->memory, sums);
    return status;
}

/* As price_run, of a group that a worker has simulated. */
static levy_status price_accept(levy_price_job *job, const levy_plan *plan, uint32_t number,
                                const levy_ready *ready)
{
    if (levy_price_report(job, job->done + job->group_blocks)) return LEVY_CANCELLED;
    const levy_price_sum sum = {ready->sums, ready->made, price_seconds(&ready->times)};
    return price_keep(job, plan, number, &sum, &job->device);
}

/* Runs one group on the CPU, because the GPU that auto chose cannot do it or has no memory for it
 * now. The GPU goes on with the next group. */
static levy_status price_run_spare(levy_price_job *job, levy_plan *plan, uint32_t number,
                                   levy_status failed, char *why)
{
    levy_price_options options = job->options;
    options.device = "cpu";
    if (!job->spare.state) LEVY_TRY(levy_call_device_open(job->context, &options, &job->spare));
    const char *id = job->book->problem->trades[job->groups[number].trades[0]].from->raw->id;
    if (failed == LEVY_UNSUPPORTED)
        levy_fault_warn(&job->context->faults, LEVY_REASON_UNSUPPORTED, NULL, id ? id : "", NULL,
                        "priced on the CPU: %s", why);
    else
        levy_call_device_warn(job->context, failed, id ? id : "", why);
    why[0] = '\0';
    return price_run(job, &job->spare, plan, number, why);
}

/* Handles a group that the GPU chosen by auto failed to price. The CPU takes over this group alone
 * if the GPU does not support it, or has no memory for it and the CPU gives the same bits.
 * Otherwise the rest of the run moves to the CPU, with a warning. */
static levy_status price_elsewhere(levy_price_job *job, levy_plan *plan, uint32_t number,
                                   levy_status failed, char *why)
{
    const bool alone =
        failed == LEVY_UNSUPPORTED || (failed == LEVY_MEMORY && !levy_price_bits_differ(job));
    if (!levy_call_device_may_move(&job->options, &job->device)) return failed;
    if (alone) return price_run_spare(job, plan, number, failed, why);
    if (!levy_call_device_failed(failed)) return failed;
    levy_price_dismiss(job);
    if (!levy_call_device_fall_back(job->context, &job->options, &job->device, failed, why))
        return failed;
    if (levy_price_bits_differ(job)) snprintf(job->moved, sizeof job->moved, "%s", why);
    why[0] = '\0';
    return price_run(job, &job->device, plan, number, why);
}

/* A group that cannot be priced does not stop the others. Its fault names its first trade. */
static levy_status price_fail_group(levy_price_job *job, const levy_group *group,
                                    levy_status status, const char *why)
{
    const levy_reason reason = levy_reason_of(status);
    const char *message = why[0] ? why : levy_status_text(status);
    LEVY_TRY(levy_price_part_fail(job, (size_t)(group - job->groups), reason, message));
    return levy_results_fail_group(job->results, job->book, group, reason, message);
}

/* The group's plan, from a worker or made here. If it does not fit in memory together with the
 * workers' plans, it is tried again without them, unless a limit forbids it (`why`). */
static levy_status price_plan(levy_price_job *job, uint32_t number, const levy_ready *ready,
                              levy_plan **plan, char *why)
{
    *plan = ready->plan;
    if (*plan) return LEVY_OK;
    const levy_status status = levy_plan_cache_get(job->book, number, plan, why);
    if (status != LEVY_MEMORY || why[0] || !job->workers) return status;
    levy_price_dismiss(job);
    return levy_plan_cache_get(job->book, number, plan, why);
}

/* Prices a group whose plan is made, where it can be done. */
static levy_status price_planned(levy_price_job *job, levy_plan *plan, uint32_t number,
                                 const levy_ready *ready, char *why)
{
    levy_status status;
    if (ready->sums) {
        status = price_accept(job, plan, number, ready);
    } else {
        if (levy_call_device_failed(ready->status)) levy_price_dismiss(job);
        status = price_run(job, &job->device, plan, number, why);
    }
    return price_elsewhere(job, plan, number, status, why);
}

levy_status levy_price_group(levy_price_job *job, uint32_t number)
{
    const levy_group *group = &job->groups[number];
    char why[LEVY_REASON_SIZE] = ""; /* LEVY_PLAN_WHY bytes fit too */
    levy_plan *plan = NULL;
    levy_ready ready = {.plan = NULL};
    if (job->workers) LEVY_TRY(levy_workers_take(job->workers, &ready));
    job->group_blocks = levy_price_blocks(job, number);
    job->group_weight = (double)levy_cut_weight(job->book->problem, group);
    if (levy_price_share_of(job, number) == LEVY_PRICE_NONE) { /* others', or done */
        levy_price_count(job, true);
        return LEVY_OK;
    }
    levy_status status = price_plan(job, number, &ready, &plan, why);
    const bool resumes = status == LEVY_OK && levy_price_resumes(job, number);
    if (status == LEVY_OK) status = price_planned(job, plan, number, &ready, why);
    levy_plan_cache_put(job->book, number, plan);
    levy_price_count(job, resumes && status == LEVY_OK);
    if (resumes && status == LEVY_OK && levy_price_report(job, job->done)) return LEVY_CANCELLED;
    if (status == LEVY_OK || status == LEVY_CANCELLED || status == LEVY_IO || status == LEVY_RESUME)
        return status;
    LEVY_TRY(price_fail_group(job, group, status, why));
    return status == LEVY_DEVICE ? LEVY_DEVICE : LEVY_OK; /* a lost device stays lost */
}
