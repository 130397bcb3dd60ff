/* pricing.c: a book priced: its device, its journal, its groups, its results. See pricing.h. */
#include "engine/book/pricing.h"

#include "engine/book/choice.h"
#include "engine/book/netting_keys.h"
#include "engine/book/plan_cache.h"
#include "engine/book/price_job.h"

#include "engine/base/clock.h"
#include "kernels/cpu/threads.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static uint64_t price_blocks(const levy_simulation *simulation)
{
    const uint64_t paths = simulation->paths / simulation->replicates;
    return simulation->replicates * ((paths + LEVY_BLOCK_PATHS - 1) / LEVY_BLOCK_PATHS);
}

bool levy_price_bits_differ(const levy_price_job *job)
{
    return job->book->problem->simulation.precision != LEVY_PRECISION_DOUBLE;
}

/* Whether the caller gets results. With LEVY_DEVICE they are from before the device was lost. */
static bool price_keeps_results(levy_status status)
{
    return status == LEVY_OK || status == LEVY_CANCELLED || status == LEVY_DEVICE ||
           status == LEVY_TOLERANCE;
}

/* Whether the groups are kept with the results. */
static bool price_is_kept(const levy_price_options *options)
{
    return options->journal || options->part_write;
}

static levy_status price_open_journal(levy_price_job *job)
{
    const char *const backend = job->head_backend[0] ? job->head_backend : job->device.info.backend;
    const levy_journal_head head =
        levy_journal_head_of(job->book->problem, job->n_groups, job->options.part,
                             job->options.parts, levy_price_bits_differ(job) ? backend : "any");
    const levy_journal_way way = {.path = job->options.journal,
                                  .resume = job->options.resume || job->options.parts,
                                  .write = job->options.part_write,
                                  .user = job->options.part_user};
    if (!price_is_kept(&job->options)) return LEVY_OK;
    return levy_journal_open(job->context, &way, &head, job->cut.parts ? &job->cut : NULL,
                             &job->journal);
}

/* What a run that resumes under auto finds in its journal, if bits depend on the device. */
static levy_journal_kind price_peek(const levy_price_job *job)
{
    const levy_price_options *const options = &job->options;
    levy_journal_kind kind = {.backend = ""};
    if (!levy_price_bits_differ(job) || !options->journal || !(options->resume || options->parts) ||
        strcmp(options->device, "auto") != 0 ||
        !levy_journal_peek(&job->context->memory, options->journal, &kind))
        return (levy_journal_kind){.backend = ""};
    return kind;
}

static bool price_on_cpu(const char *backend) { return strcmp(backend, "cpu") == 0; }

/* Opens the device that the journal names. A GPU's journal needs a GPU; if there is none, opening
 * the journal fails. */
static levy_status price_follow_journal(levy_price_job *job, const levy_journal_kind *kind)
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
static levy_status price_open_device(levy_price_job *job)
{
    const levy_journal_kind kind = price_peek(job);
    const bool alone = levy_price_bits_differ(job) || price_is_kept(&job->options);
    levy_choice choice;
    if (kind.moved[0]) return price_follow_journal(job, &kind);
    LEVY_TRY(levy_choice_open(job->book, &job->options, job->groups, job->n_groups, alone, &choice,
                              &job->device));
    if (!kind.backend[0] || strcmp(kind.backend, job->device.info.backend) == 0) return LEVY_OK;
    return price_follow_journal(job, &kind);
}

/* Normals come from the program where the book says so, and a journal cannot name them. */
static levy_status price_check_normals(levy_price_job *job)
{
    const bool given = job->book->problem->simulation.supply == LEVY_SUPPLY_CALLER;
    const char *why = NULL;
    if (job->options.normals && !given) why = "normals go with simulation.generator: given alone";
    if (price_is_kept(&job->options) && given)
        why = "a journal cannot hold a book of given normals";
    if (!why) return LEVY_OK;
    levy_fault_add(&job->context->faults, LEVY_REASON_INCONSISTENT, NULL, "normals", NULL, "%s",
                   why);
    return LEVY_ARGUMENT;
}

static void price_count_group(levy_price_job *job, size_t group)
{
    const uint64_t blocks = levy_price_blocks(job, group);
    job->total += blocks;
    job->work_total +=
        (double)levy_cut_weight(job->book->problem, &job->groups[group]) * (double)blocks;
}

static levy_status price_book(levy_price_job *job)
{
    levy_status status = levy_book_refresh(job->book);
    if (status == LEVY_OK) status = price_check_normals(job);
    if (status == LEVY_OK)
        status = levy_plan_cache_prepare(job->book, &job->groups, &job->n_groups);
    job->all_blocks = price_blocks(&job->book->problem->simulation);
    if (status == LEVY_OK) status = levy_price_cut(job);
    for (size_t g = 0; status == LEVY_OK && g < job->n_groups; ++g) price_count_group(job, g);
    if (status == LEVY_OK) status = price_open_device(job);
    if (status != LEVY_OK) return status;
    status = levy_call_device_check(job->context, &job->device, levy_price_bits_differ(job));
    if (status == LEVY_OK) status = levy_results_create(job->book, &job->results);
    if (status == LEVY_OK)
        status = levy_netting_read_keys(job->options.by, job->book->problem, &job->results->arena,
                                        &job->context->faults, &job->results->netting);
    if (status == LEVY_OK) status = price_open_journal(job);
    if (status == LEVY_OK) status = levy_price_part_begin(job);
    if (status == LEVY_OK) status = levy_price_groups(job);
    if (status == LEVY_OK) status = levy_price_part_end(job);
    const levy_status closed = levy_journal_close(job->journal);
    if (price_keeps_results(status) && closed != LEVY_OK) status = closed;
    levy_call_device_tell(job->context, &job->device);
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
    levy_price_job job = {
        .context = book->context, .book = book, .options = *options, .start = levy_clock_now()};
    if (price_is_kept(options)) job.options.no_times = 1;
    if (job.options.host_processes > 1 && job.options.threads == 0)
        job.options.threads =
            levy_threads_shared(job.options.host_processes, job.options.host_place);
    job.record.memory = &job.context->memory;
    levy_arena_init(&job.cut_arena, &job.context->memory);
    levy_call_watch(job.context, levy_price_stop, &job);
    const levy_status status = price_book(&job);
    levy_call_watch(job.context, NULL, NULL);
    levy_memory_release(&job.context->memory, job.record.text);
    levy_arena_release(&job.cut_arena);
    if (!job.results || !price_keeps_results(status)) {
        levy_results_release(job.results);
        return status;
    }
    job.results->run.seconds = job.options.no_times ? NAN : levy_clock_now() - job.start;
    job.results->run.interrupted = status == LEVY_CANCELLED;
    *results = job.results;
    return status;
}
