/* price_part.c: what a run does differently when it prices one part of a book: it passes over what
 * others price and what its journal holds, prices a large group unit by unit, and notes in the
 * journal what whoever merges must know. See price_job.h. */
#include "engine/book/price_job.h"
#include "engine/book/pricing.h"

#include "engine/book/part_line.h"

#include <string.h>
#include <unistd.h>

/* ---- The cut ---- */

levy_status levy_price_check_part(levy_context *context, const levy_price_options *options)
{
    const char *why = NULL;
    const bool whole = options->part == 0 && options->parts == 0;
    if (options->part_write && (options->journal || options->parts == 0))
        why = "has part_write in place of a journal; a whole run has none";
    else if (!whole && (options->part < 1 || options->part > options->parts ||
                        options->parts > LEVY_CUT_MOST))
        why = "is k of n, with 1 <= k <= n <= 65536";
    else if (!whole && !options->journal && !options->part_write)
        why = "needs a journal, or part_write, for its results";
    if (!why) return LEVY_OK;
    levy_fault_add(&context->faults, LEVY_REASON_RANGE, NULL, "part", NULL, "%s", why);
    return LEVY_ARGUMENT;
}

levy_status levy_price_cut(levy_price_job *job)
{
    const levy_price_options *const options = &job->options;
    LEVY_TRY(levy_price_check_part(job->context, options));
    if (options->parts == 0) return LEVY_OK;
    return levy_cut_create(job->book->problem, job->groups, job->n_groups, options->parts,
                           &job->cut_arena, &job->cut);
}

levy_price_share levy_price_share_of(const levy_price_job *job, size_t group)
{
    const levy_cut *const cut = &job->cut;
    if (!cut->parts) return LEVY_PRICE_WHOLE;
    for (size_t u = cut->first[group]; u < cut->first[group + 1]; ++u)
        if (cut->owner[u] == job->options.part && !levy_journal_began_with(job->journal, u))
            return levy_cut_units(cut, group) == 1 ? LEVY_PRICE_WHOLE : LEVY_PRICE_UNITS;
    return LEVY_PRICE_NONE;
}

uint64_t levy_price_blocks(const levy_price_job *job, size_t group)
{
    const levy_cut *const cut = &job->cut;
    uint64_t blocks = 0;
    if (!cut->parts) return job->all_blocks;
    for (size_t u = cut->first[group]; u < cut->first[group + 1]; ++u) {
        const levy_cut_unit unit = levy_cut_unit_of(cut, group, u - cut->first[group]);
        if (cut->owner[u] == job->options.part)
            blocks += unit.whole ? job->all_blocks : unit.end_block - unit.first_block;
    }
    return blocks;
}

/* ---- The journal's other lines ---- */

static levy_status price_put_line(levy_context *context, levy_journal *journal, levy_line_out *line,
                                  size_t length)
{
    const levy_status status = levy_journal_append_line(journal, line->text, length);
    levy_memory_release(&context->memory, line->text);
    return status;
}

levy_status levy_part_begin(levy_context *context, levy_journal *journal,
                            const levy_call_device *device, const char *note)
{
    levy_line_out line = {.memory = &context->memory};
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0) strcpy(host, "unknown");
    const levy_part_info run = {.host = host,
                                .backend = device->info.backend,
                                .device = device->info.device,
                                .device_reason = device->reason,
                                .isa = device->info.isa,
                                .threads = device->info.threads,
                                .note = note};
    return price_put_line(context, journal, &line, levy_part_line_run(&line, &run));
}

levy_status levy_part_end(levy_context *context, levy_journal *journal)
{
    levy_line_out line = {.memory = &context->memory};
    return price_put_line(context, journal, &line, levy_part_line_end(&line));
}

levy_status levy_price_part_begin(levy_price_job *job)
{
    if (!job->cut.parts) return LEVY_OK;
    return levy_part_begin(job->context, job->journal, &job->device, job->options.part_note);
}

levy_status levy_price_part_end(levy_price_job *job)
{
    return job->cut.parts ? levy_part_end(job->context, job->journal) : LEVY_OK;
}

levy_status levy_price_part_fail(levy_price_job *job, size_t group, levy_reason reason,
                                 const char *message)
{
    levy_line_out line = {.memory = &job->context->memory};
    levy_part_failure failure = {
        .group = group, .reason = levy_reason_text(reason), .message = message};
    if (!job->cut.parts) return LEVY_OK;
    for (size_t u = job->cut.first[group]; u < job->cut.first[group + 1]; ++u)
        if (job->cut.owner[u] == job->options.part) failure.unit = u - job->cut.first[group];
    return price_put_line(job->context, job->journal, &line,
                          levy_part_line_failure(&line, &failure));
}

/* ---- Units ---- */

static levy_status price_unit(levy_price_job *job, levy_call_device *device, levy_plan *plan,
                              uint32_t number, uint32_t unit, tree_sum *sums, char *why)
{
    const levy_cut_unit of = levy_cut_unit_of(&job->cut, number, unit);
    const levy_run_slice slice = {of.replicate, of.height, of.first_block, of.end_block};
    const levy_run_options run = {.batch_blocks = job->options.batch_blocks,
                                  .progress = levy_price_progress,
                                  .user = job,
                                  .slice = &slice};
    levy_run_times times;
    LEVY_TRY(levy_run_plan(&job->context->memory, &device->backend, device->state, plan, &run, sums,
                           &times, why));
    const double seconds = times.device_seconds > 0.0 ? times.device_seconds : times.seconds;
    return levy_price_append(job, plan, number, unit, sums, seconds, device);
}

/* Workers have no part in it: they would have had memory that may be missing. */
levy_status levy_price_units(levy_price_job *job, levy_call_device *device, levy_plan *plan,
                             uint32_t number, char *why)
{
    const levy_cut *const cut = &job->cut;
    const size_t units = levy_cut_units(cut, number);
    tree_sum *const sums =
        levy_memory_allocate(&job->context->memory, plan->image->n_outputs, sizeof *sums);
    if (!sums) return LEVY_MEMORY;
    levy_status status = LEVY_OK;
    job->group_run_done = 0;
    job->group_run_blocks =
        1 + levy_run_blocks(plan, &device->info) * job->group_blocks / job->all_blocks;
    for (uint32_t u = 0; status == LEVY_OK && u < units; ++u)
        if (cut->owner[cut->first[number] + u] == job->options.part &&
            !levy_journal_has(job->journal, cut->first[number] + u))
            status = price_unit(job, device, plan, number, u, sums, why);
    levy_memory_release(&job->context->memory, sums);
    return status;
}
