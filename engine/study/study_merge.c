/* study_merge.c: the cells of a study taken from the journals of its parts, which must hold each of
 * them once (engine/book/part_set.h). See study_parts.h. */
#include "engine/study/study_cells.h"

#include <math.h>
#include <string.h>

static levy_journal_head merge_head(void *user, uint32_t part, uint32_t parts, const char *backend)
{
    return levy_study_head(user, part, parts, backend);
}

static levy_status merge_cut(void *user, uint32_t parts, levy_arena *arena, levy_cut *cut)
{
    const levy_study_job *const job = user;
    return levy_study_cut(job->parts, parts, arena, cut);
}

levy_status levy_study_read(levy_study_job *job, const levy_merge_options *merge)
{
    static const levy_part_kind kind = {
        .groups = "simulations",
        .stranger = "this line of the part's journal is not of the study",
        .again = "Run the part again into a new file.",
        .alike = "Merge parts of one study, of the same settings and quotes.",
        .once = "Name each part of the study once.",
        .absent = "Run it with `levy converge --part`, and name its journal.",
        .one_cut = true,
        .head = merge_head,
        .cut = merge_cut,
    };
    levy_part_set *const set = &job->parts->set;
    *set = (levy_part_set){
        .context = job->context, .kind = &kind, .user = job, .n_groups = job->parts->n_calls};
    levy_arena_init(&set->arena, &job->context->memory);
    LEVY_TRY(levy_part_set_read(set, merge));
    levy_part_set_device(set, &job->device);
    return LEVY_OK;
}

/* ---- Sums ---- */

/* One replicate's sums, in their places among those of all. */
static void take_place(const levy_image *image, uint32_t n_powers, size_t replicate,
                       const tree_sum *own, levy_study_run *run)
{
    const size_t outputs = image->n_outputs;
    for (size_t o = 0; o < outputs; ++o) {
        const size_t row = o * image->n_replicates + replicate;
        run->sums[row] = own[o];
        for (size_t k = 0; k < n_powers; ++k)
            run->powers[row * n_powers + k] = own[outputs + o * n_powers + k];
    }
}

static levy_status take_cell(levy_study_job *job, uint32_t n_powers, size_t call, size_t unit,
                             tree_sum *own, levy_study_run *run)
{
    const levy_part_set *const set = &job->parts->set;
    const levy_image *const image = run->plan->image;
    const levy_part_share *const share = &set->shares[0]; /* all have one cut */
    const levy_part_piece *const piece =
        &set->pieces[share->own[share->cut->first[call] + unit] - 1];
    const bool whole = job->parts->calls[call].units == 1;
    const size_t n = (size_t)image->n_outputs * (whole ? image->n_replicates : 1) * (1 + n_powers);
    levy_journal_group line;
    if (!levy_journal_read_group(piece->line, piece->length, &line, own, n) || line.n_sums != n ||
        line.plan_hash != image->numeric_hash)
        return levy_part_file_refuse(job->context, &set->files[piece->file], 0, set->kind->again,
                                     "a line of the part's journal does not match the study");
    if (whole)
        memcpy(run->sums, own, n * sizeof *own);
    else
        take_place(image, n_powers, unit, own, run);
    return LEVY_OK;
}

levy_status levy_study_take(levy_study_job *job, const levy_group *group, uint32_t n_powers,
                            levy_study_run *run)
{
    const size_t call = job->parts->next++, units = job->parts->calls[call].units;
    LEVY_TRY(levy_study_plan(job, group, run));
    LEVY_TRY(levy_merge_fit(job->context, run->plan));
    const size_t rows = (size_t)run->plan->image->n_outputs * run->plan->image->n_replicates,
                 all = rows * (1 + n_powers);
    tree_sum *const own = levy_memory_allocate(&job->context->memory, all, sizeof *own);
    run->sums = levy_memory_allocate(&job->context->memory, all, sizeof *run->sums);
    run->powers = run->sums ? run->sums + rows : NULL;
    run->seconds = NAN;
    levy_status status = own && run->sums ? LEVY_OK : LEVY_MEMORY;
    for (size_t u = 0; u < units && status == LEVY_OK; ++u)
        status = take_cell(job, n_powers, call, u, own, run);
    levy_memory_release(&job->context->memory, own);
    return status;
}
