/* price_resume.c: a group taken from the journal, if a run of this plan can have written it. See
 * price_job.h. */
#include "engine/book/price_job.h"

#include <stdio.h>
#include <string.h>

bool levy_price_resumes(const levy_price_job *job, size_t group)
{
    levy_journal_group entry;
    return job->journal && !job->cut.parts &&
           levy_journal_find(job->journal, group, &entry, NULL, SIZE_MAX);
}

static levy_status price_refuse_journal(levy_price_job *job, uint32_t number, const char *what,
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

static bool price_plausible(const levy_price_job *job, const levy_plan *plan, const tree_sum *sums)
{
    const levy_simulation *const s = &job->book->problem->simulation;
    const levy_image *const image = plan->image;
    const levy_image_output *const outputs = LEVY_IMAGE_AT(levy_image_output, image, outputs);
    const uint64_t least = image->paths,
                   most = s->tolerance.asked ? s->tolerance.max_paths / s->replicates : least;
    const bool still = levy_group_is_still(plan->group); /* its probes have all paths */
    for (uint32_t o = 0; o < image->n_outputs; ++o) {
        const tree_sum *const of = sums + (size_t)o * image->n_replicates;
        if (outputs[o].probe && !still
                ? !price_plausible_probe(image, of, least, most)
                : !levy_journal_plausible(of, image->n_replicates, least, most))
            return false;
    }
    return true;
}

levy_status levy_price_resume(levy_price_job *job, const levy_plan *plan, uint32_t number,
                              char *why)
{
    levy_journal_group group;
    levy_call_device device = {.info = job->device.info};
    const size_t n = levy_price_sums(plan);
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
        status = levy_price_take(job, plan, number,
                                 &(levy_price_sum){.sums = sums, .seconds = group.seconds}, &device,
                                 group.moved);
    }
    levy_memory_release(&job->context->memory, sums);
    return status;
}
