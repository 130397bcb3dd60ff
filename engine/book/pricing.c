/* pricing.c: a book priced: groups, plans, runs, results. See pricing.h. */
#include "engine/book/pricing.h"

#include "engine/book/choice.h"
#include "engine/book/journal.h"
#include "engine/book/plan_cache.h"
#include "engine/book/results.h"
#include "engine/book/tolerance.h"

#include "engine/base/clock.h"
#include "engine/plan/known.h"
#include "engine/run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct price_job {
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
    uint64_t group_blocks, group_run_blocks, group_run_done;
    uint64_t resumed; /* blocks of groups that the journal held */
    levy_journal *journal;
    /* the backend in the journal's first line, if the bits depend on it; "": not yet known */
    char head_backend[16];
    /* why the CPU replaced a GPU, if that changes bits; "": it did not */
    char moved[LEVY_REASON_SIZE];
    double start, told; /* when the run began, and when progress was last reported */
    bool cancelled;
} price_job;

static const double price_pause = 0.02; /* seconds between two reports of progress while planning */

static int price_report(price_job *job, uint64_t done)
{
    job->told = levy_clock_now();
    const levy_progress progress = {done, job->total, job->told - job->start, job->resumed};
    if (job->options.progress && job->options.progress(job->options.user, &progress))
        job->cancelled = true;
    return job->cancelled;
}

/* Planning asks this far more often than progress needs to be reported. */
static int price_stop(void *user)
{
    price_job *job = user;
    if (job->cancelled || levy_clock_now() - job->told < price_pause) return job->cancelled;
    return price_report(job, job->done);
}

/* The run counts the blocks of all its tiles; the caller sees a group's blocks once. */
static int price_progress(void *user, uint64_t done)
{
    price_job *job = user;
    job->group_run_done += done;
    const double share = (double)job->group_run_done / (double)job->group_run_blocks;
    const uint64_t part = job->group_run_done >= job->group_run_blocks
                              ? job->group_blocks
                              : (uint64_t)(share * (double)job->group_blocks);
    return price_report(job, job->done + part);
}

static uint64_t price_blocks(const levy_simulation *simulation)
{
    const uint64_t paths = simulation->paths / simulation->replicates;
    return simulation->replicates * ((paths + LEVY_BLOCK_PATHS - 1) / LEVY_BLOCK_PATHS);
}

static size_t price_sums(const levy_plan *plan)
{
    return (size_t)plan->image->n_outputs * plan->image->n_replicates;
}

/* `moved`: why these sums come from the CPU although the run began on a GPU. "": they do not, or
 * their bits are the same as the GPU's. */
static levy_status price_take(price_job *job, const levy_plan *plan, uint32_t number,
                              const tree_sum *sums, double seconds, const levy_call_device *device,
                              const char *moved)
{
    LEVY_TRY(levy_results_take_group(job->results, plan, number, sums,
                                     job->options.no_times ? NAN : seconds, device));
    return moved[0] ? levy_results_move_group(job->results, plan->group, moved) : LEVY_OK;
}

static levy_status price_journal(price_job *job, const levy_plan *plan, uint32_t number,
                                 const tree_sum *sums, double seconds,
                                 const levy_call_device *device)
{
    levy_journal_group group = {.group = number,
                                .n_sums = price_sums(plan),
                                .plan_hash = plan->image->numeric_hash,
                                .seconds = seconds};
    if (!job->journal) return LEVY_OK;
    memcpy(group.backend, device->info.backend, sizeof group.backend);
    memcpy(group.device, device->info.device, sizeof group.device);
    memcpy(group.moved, job->moved, sizeof group.moved);
    return levy_journal_append(job->journal, &group, sums);
}

static levy_status price_refuse_journal(price_job *job, uint32_t number, const char *what,
                                        char *why)
{
    snprintf(why, LEVY_REASON_SIZE, "the journal's group %u %s", (unsigned)number, what);
    levy_fault_add(&job->context->faults, LEVY_REASON_INCONSISTENT, NULL, "",
                   "Start again with another journal.", "%s", why);
    return LEVY_RESUME;
}

/* As levy_journal_plausible, but a probe sees only a few of the paths. */
static bool price_plausible_probe(const levy_image *image, const tree_sum *sums, uint64_t least,
                                  uint64_t most)
{
    for (uint32_t r = 0; r < image->n_replicates; ++r) {
        uint64_t paths = least;
        while (paths <= most / 2 && (double)levy_probe_paths(image, r, paths) < sums[r].n)
            paths *= 2;
        if (sums[r].n != (double)levy_probe_paths(image, r, paths) || sums[r].m2 < 0.0)
            return false;
    }
    return true;
}

static bool price_plausible(const price_job *job, const levy_plan *plan, const tree_sum *sums)
{
    const levy_simulation *const s = &job->book->problem->simulation;
    const levy_image *const image = plan->image;
    const levy_image_output *const outputs = LEVY_IMAGE_AT(levy_image_output, image, outputs);
    const uint64_t least = image->paths,
                   most = s->tolerance.asked ? s->tolerance.max_paths / s->replicates : least;
    for (uint32_t o = 0; o < image->n_outputs; ++o) {
        const tree_sum *const of = sums + (size_t)o * image->n_replicates;
        if (outputs[o].probe ? !price_plausible_probe(image, of, least, most)
                             : !levy_journal_plausible(of, image->n_replicates, least, most))
            return false;
    }
    return true;
}

/* Takes a group from the journal. LEVY_RESUME: it belongs to another plan, or no run of this plan
 * can have written it. */
static levy_status price_resume(price_job *job, const levy_plan *plan, uint32_t number, char *why)
{
    levy_journal_group group;
    levy_call_device device = job->device;
    const size_t n = price_sums(plan);
    tree_sum *sums = levy_memory_allocate(&job->context->memory, n, sizeof *sums);
    if (!sums) return LEVY_MEMORY;
    levy_status status;
    if (!levy_journal_find(job->journal, number, &group, sums, n) || group.n_sums != n ||
        group.plan_hash != plan->image->numeric_hash)
        status = price_refuse_journal(
            job, number,
            "belongs to another plan: the book, or the version of levy, is another one", why);
    else if (!price_plausible(job, plan, sums))
        status = price_refuse_journal(job, number, "has sums that do not match this plan", why);
    else {
        memcpy(device.info.backend, group.backend, sizeof group.backend);
        memcpy(device.info.device, group.device, sizeof group.device);
        status = price_take(job, plan, number, sums, group.seconds, &device, group.moved);
        job->resumed += job->group_blocks;
    }
    levy_memory_release(&job->context->memory, sums);
    return status;
}

/* A group of known amounts: nothing is simulated on the device. */
static levy_status price_known(price_job *job, const levy_plan *plan, uint32_t number)
{
    tree_sum *sums = levy_memory_allocate(&job->context->memory, price_sums(plan), sizeof *sums);
    if (!sums) return LEVY_MEMORY;
    levy_known_sums(plan, sums);
    levy_status status = price_journal(job, plan, number, sums, 0.0, &job->device);
    if (status == LEVY_OK)
        status = price_take(job, plan, number, sums, 0.0, &job->device, job->moved);
    levy_memory_release(&job->context->memory, sums);
    if (status == LEVY_OK && price_report(job, job->done + job->group_blocks))
        status = LEVY_CANCELLED;
    return status;
}

static levy_status price_run(price_job *job, levy_call_device *device, levy_plan *plan,
                             uint32_t number, char *why)
{
    if (plan->group->known) return price_known(job, plan, number);
    const bool tolerance = job->book->problem->simulation.tolerance.asked;
    const levy_memory *memory = &job->context->memory;
    const size_t n_sums = price_sums(plan);
    levy_run_times times = {0.0, 0.0};
    const levy_run_options run = {.batch_blocks = job->options.batch_blocks,
                                  .progress = price_progress,
                                  .user = job,
                                  .normals = {job->options.normals, job->options.normals_user}};
    tree_sum *sums = levy_memory_allocate(memory, n_sums, sizeof *sums);
    if (!sums) return LEVY_MEMORY;
    job->group_run_done = 0;
    job->group_run_blocks = levy_run_blocks(plan, &device->info);
    levy_status status = tolerance ? levy_tolerance_run(memory, &device->backend, device->state,
                                                        plan, &run, sums, &times, why)
                                   : levy_run_plan(memory, &device->backend, device->state, plan,
                                                   &run, sums, &times, why);
    const double seconds = times.device_seconds > 0.0 ? times.device_seconds : times.seconds;
    if (status == LEVY_OK) status = price_journal(job, plan, number, sums, seconds, device);
    if (status == LEVY_OK)
        status = price_take(job, plan, number, sums, seconds, device, job->moved);
    levy_memory_release(memory, sums);
    return status;
}

/* Runs one group on the CPU, because the GPU that auto chose cannot do it or has no memory for it
 * now. The GPU goes on with the next group. */
static levy_status price_run_spare(price_job *job, levy_plan *plan, uint32_t number,
                                   levy_status failed, char *why)
{
    levy_price_options options = job->options;
    options.device = "cpu";
    if (!job->spare.state) LEVY_TRY(levy_call_device_open(job->context, &options, &job->spare));
    const char *id = job->book->problem->trades[job->groups[number].trades[0]].id;
    if (failed == LEVY_UNSUPPORTED)
        levy_fault_warn(&job->context->faults, LEVY_REASON_UNSUPPORTED, NULL, id ? id : "", NULL,
                        "priced on the CPU: %s", why);
    else
        levy_call_device_warn(job->context, failed, id ? id : "", why);
    why[0] = '\0';
    return price_run(job, &job->spare, plan, number, why);
}

static bool price_bits_differ(const price_job *job)
{
    return job->book->problem->simulation.precision != LEVY_PRECISION_DOUBLE;
}

/* Handles a group that the GPU chosen by auto failed to price. The CPU takes over this group alone
 * if the GPU does not support it, or has no memory for it and the CPU gives the same bits.
 * Otherwise the rest of the run moves to the CPU, with a warning. */
static levy_status price_elsewhere(price_job *job, levy_plan *plan, uint32_t number,
                                   levy_status failed, char *why)
{
    const bool alone =
        failed == LEVY_UNSUPPORTED || (failed == LEVY_MEMORY && !price_bits_differ(job));
    if (!levy_call_device_may_move(&job->options, &job->device)) return failed;
    if (alone) return price_run_spare(job, plan, number, failed, why);
    if (!levy_call_device_failed(failed) ||
        !levy_call_device_fall_back(job->context, &job->options, &job->device, failed, why))
        return failed;
    if (price_bits_differ(job)) snprintf(job->moved, sizeof job->moved, "%s", why);
    why[0] = '\0';
    return price_run(job, &job->device, plan, number, why);
}

static levy_reason price_reason(levy_status status)
{
    if (status == LEVY_UNSUPPORTED) return LEVY_REASON_UNSUPPORTED;
    if (status == LEVY_MEMORY) return LEVY_REASON_MEMORY;
    return status == LEVY_NUMERIC ? LEVY_REASON_NUMERIC_ERROR : LEVY_REASON_DEVICE;
}

/* A group that cannot be priced does not stop the others. Its fault names its first trade. */
static levy_status price_fail_group(price_job *job, const levy_group *group, levy_status status,
                                    const char *why)
{
    const levy_reason reason = price_reason(status);
    const levy_trade *first = &job->book->problem->trades[group->trades[0]];
    const levy_place *place = first->node ? &first->node->place : NULL;
    const char *message = why[0] ? why : levy_status_text(status);
    levy_fault *fault = levy_fault_add(&job->context->faults, reason, place,
                                       first->id ? first->id : "", NULL, "%s", message);
    if (fault) fault->trade = group->trades[0];
    return levy_results_fail_group(job->results, group, reason, message);
}

/* Does the journal hold the group? */
static bool price_resumes(const price_job *job, uint32_t number)
{
    levy_journal_group entry;
    return job->journal && levy_journal_find(job->journal, number, &entry, NULL, SIZE_MAX);
}

static levy_status price_group(price_job *job, uint32_t number)
{
    const levy_group *group = &job->groups[number];
    char why[LEVY_REASON_SIZE] = ""; /* LEVY_PLAN_WHY bytes fit too */
    levy_plan *plan = NULL;
    levy_status status = levy_plan_cache_get(job->book, number, &plan, why);
    const bool resumes = status == LEVY_OK && price_resumes(job, number);
    const bool planned = status == LEVY_OK;
    if (planned)
        status = resumes ? price_resume(job, plan, number, why)
                         : price_run(job, &job->device, plan, number, why);
    if (planned && !resumes) status = price_elsewhere(job, plan, number, status, why);
    levy_plan_cache_put(job->book, number, plan);
    job->done += job->group_blocks;
    if (resumes && status == LEVY_OK && price_report(job, job->done)) return LEVY_CANCELLED;
    if (status == LEVY_OK || status == LEVY_CANCELLED || status == LEVY_IO || status == LEVY_RESUME)
        return status;
    LEVY_TRY(price_fail_group(job, group, status, why));
    return status == LEVY_DEVICE ? LEVY_DEVICE : LEVY_OK; /* a lost device stays lost */
}

/* Tells the device of a group's plan. False: it will be no use to tell it of more. */
static bool price_foresee_group(price_job *job, uint32_t number)
{
    char why[LEVY_REASON_SIZE];
    levy_plan *plan = NULL;
    const levy_call_device *const device = &job->device;
    if (job->groups[number].known || price_resumes(job, number)) return true;
    if (levy_plan_cache_get(job->book, number, &plan, why) != LEVY_OK) return !job->cancelled;
    const levy_status status =
        levy_run_foresee(plan, &device->backend, device->state, &device->info);
    return levy_plan_cache_keep(job->book, number, plan) && status == LEVY_OK;
}

/* Before the first group, as long as plans are kept: a device that compiles does so side by side
 * for all groups. */
static void price_foresee(price_job *job)
{
    uint32_t i = 0;
    if (!job->device.backend.foresee || job->n_groups < 2) return;
    while (i < job->n_groups && price_foresee_group(job, i)) ++i;
    if (!job->cancelled) (void)job->device.backend.foresee(job->device.state, NULL, NULL, 0);
}

static levy_status price_groups(price_job *job)
{
    levy_status status = LEVY_OK;
    if (price_report(job, 0)) return LEVY_CANCELLED;
    price_foresee(job);
    for (uint32_t i = 0; i < job->n_groups && status == LEVY_OK; ++i) status = price_group(job, i);
    if (status == LEVY_DEVICE)
        for (size_t i = 0; i < job->n_groups; ++i)
            for (size_t j = 0; j < job->groups[i].n_trades; ++j) {
                levy_trade_result *result = &job->results->trades[job->groups[i].trades[j]];
                if (strcmp(result->reason, levy_reason_text(LEVY_REASON_CANCELLED)) == 0)
                    result->reason = levy_reason_text(LEVY_REASON_DEVICE);
            }
    return status;
}

/* Whether the caller gets results. With LEVY_DEVICE they are from before the device was lost. */
static bool price_keeps_results(levy_status status)
{
    return status == LEVY_OK || status == LEVY_CANCELLED || status == LEVY_DEVICE ||
           status == LEVY_TOLERANCE;
}

static levy_status price_open_journal(price_job *job)
{
    const levy_problem *problem = job->book->problem;
    const levy_journal_head head = {.text_hash = problem->text_hash,
                                    .setting_hash = problem->setting_hash,
                                    .quote_hash = problem->quote_hash,
                                    .trades = problem->n_trades,
                                    .groups = job->n_groups,
                                    .precision = levy_precision_text(problem->simulation.precision),
                                    .backend = !price_bits_differ(job) ? "any"
                                               : job->head_backend[0]  ? job->head_backend
                                                                       : job->device.info.backend};
    if (!job->options.journal) return LEVY_OK;
    return levy_journal_open(job->context, job->options.journal, job->options.resume != 0, &head,
                             &job->journal);
}

/* What a run that resumes under auto finds in its journal, if bits depend on the device. */
static levy_journal_kind price_peek(const price_job *job)
{
    const levy_price_options *const options = &job->options;
    levy_journal_kind kind = {.backend = ""};
    if (!price_bits_differ(job) || !options->journal || !options->resume ||
        strcmp(options->device, "auto") != 0 ||
        !levy_journal_peek(&job->context->memory, options->journal, &kind))
        return (levy_journal_kind){.backend = ""};
    return kind;
}

static bool price_on_cpu(const char *backend) { return strcmp(backend, "cpu") == 0; }

/* Opens what the journal asks for. A journal of a GPU needs one; if there is none, opening the
 * journal refuses. */
static levy_status price_follow_journal(price_job *job, const levy_journal_kind *kind)
{
    levy_price_options options = job->options;
    const bool moved = kind->moved[0] && !price_on_cpu(kind->backend);
    if (moved || price_on_cpu(kind->backend)) options.device = "cpu";
    levy_call_device_close(&job->device);
    LEVY_TRY(levy_call_device_open(job->context, &options, &job->device));
    if (options.device == job->options.device && price_on_cpu(job->device.info.backend))
        return LEVY_OK;
    snprintf(job->device.reason, sizeof job->device.reason,
             moved ? "auto, moved to the CPU: %s" : "auto: device of the journal%s",
             moved ? kind->moved : "");
    if (moved) memcpy(job->moved, kind->moved, sizeof job->moved);
    if (moved) memcpy(job->head_backend, kind->backend, sizeof job->head_backend);
    return LEVY_OK;
}

/* If bits depend on the device, a run that resumes under auto must stay with the journal's. A
 * journal of any kind leaves the choice to job and machine, so that the reports of a resumed run
 * are those of a whole one. */
static levy_status price_open_device(price_job *job)
{
    const levy_journal_kind kind = price_peek(job);
    const bool alone = price_bits_differ(job) || job->options.journal;
    levy_choice choice;
    if (kind.moved[0]) return price_follow_journal(job, &kind);
    LEVY_TRY(levy_choice_open(job->book, &job->options, job->groups, job->n_groups, alone, &choice,
                              &job->device));
    if (!kind.backend[0] || strcmp(kind.backend, job->device.info.backend) == 0) return LEVY_OK;
    return price_follow_journal(job, &kind);
}

/* Normals come from the program where the book says so, and a journal cannot name them. */
static levy_status price_check_normals(price_job *job)
{
    const bool given = job->book->problem->simulation.supply == LEVY_SUPPLY_CALLER;
    const char *why = NULL;
    if (job->options.normals && !given) why = "normals go with simulation.generator: given alone";
    if (job->options.journal && given) why = "a journal cannot hold a book of given normals";
    if (!why) return LEVY_OK;
    levy_fault_add(&job->context->faults, LEVY_REASON_INCONSISTENT, NULL, "normals", NULL, "%s",
                   why);
    return LEVY_ARGUMENT;
}

static levy_status price_book(price_job *job)
{
    levy_status status = levy_book_refresh(job->book);
    if (status == LEVY_OK) status = price_check_normals(job);
    if (status == LEVY_OK)
        status = levy_plan_cache_prepare(job->book, &job->groups, &job->n_groups);
    job->group_blocks = price_blocks(&job->book->problem->simulation);
    job->total = job->group_blocks * job->n_groups;
    if (status == LEVY_OK) status = price_open_device(job);
    if (status != LEVY_OK) return status;
    status = levy_results_create(job->book, &job->results);
    if (status == LEVY_OK) status = price_open_journal(job);
    if (status == LEVY_OK) status = price_groups(job);
    const levy_status closed = levy_journal_close(job->journal);
    if (price_keeps_results(status) && closed != LEVY_OK) status = closed;
    if (price_keeps_results(status)) {
        const levy_status finished =
            levy_results_finish(job->results, job->book, &job->device, job->n_groups);
        if (finished != LEVY_OK) status = finished;
        if (status == LEVY_OK && job->results->run.tolerance_missed > 0) status = LEVY_TOLERANCE;
    }
    job->device.keep = status == LEVY_OK || status == LEVY_CANCELLED || status == LEVY_TOLERANCE;
    levy_call_device_close(&job->spare);
    levy_call_device_close(&job->device);
    return status;
}

levy_status levy_book_price(levy_book *book, const levy_price_options *options,
                            levy_results **results)
{
    price_job job = {
        .context = book->context, .book = book, .options = *options, .start = levy_clock_now()};
    if (job.options.journal) job.options.no_times = 1;
    levy_call_watch(job.context, price_stop, &job);
    const levy_status status = price_book(&job);
    levy_call_watch(job.context, NULL, NULL);
    if (!job.results || !price_keeps_results(status)) {
        levy_results_release(job.results);
        return status;
    }
    job.results->run.seconds = job.options.no_times ? NAN : levy_clock_now() - job.start;
    job.results->run.interrupted = status == LEVY_CANCELLED;
    *results = job.results;
    return status;
}
