/* study_merge.c: the cells of a study taken from the journals of its parts, which must hold each of
 * them once. See study_parts.h. */
#include "engine/study/study_cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Whose parts they are ---- */

static levy_status merge_open(levy_study_job *job, const levy_merge_options *merge)
{
    struct levy_study_parts *const cells = job->parts;
    cells->files =
        levy_arena_allocate(&cells->arena, merge->n_paths + merge->n_texts, sizeof *cells->files);
    if (!cells->files) return LEVY_MEMORY;
    return levy_part_files_open(job->context, merge, cells->files, &cells->n_files);
}

static int merge_compare(const void *a, const void *b)
{
    const levy_part_file *const x = a, *const y = b;
    if (x->info.part != y->info.part) return x->info.part < y->info.part ? -1 : 1;
    return strcmp(x->path, y->path);
}

static levy_status merge_check_head(levy_study_job *job, const levy_part_file *file,
                                    const char *backend)
{
    char own[LEVY_JOURNAL_HEAD], words[512], why[640];
    const size_t length = (size_t)((char *)memchr(file->text, '\n', file->length) - file->text);
    const levy_journal_head head = levy_study_head(job, file->info.part, file->info.parts, backend);
    const size_t written = levy_journal_write_head(&head, own, sizeof own);
    if (written == length && memcmp(own, file->text, length) == 0) return LEVY_OK;
    if (!levy_journal_difference(file->text, length, &head, words, sizeof words))
        snprintf(words, sizeof words, "its first line is damaged");
    snprintf(why, sizeof why, "this part is of another run: %s", words);
    return levy_part_file_refuse(job->context, file, 1,
                                 "Merge parts of one study, of the same settings and quotes.", why);
}

static levy_status merge_check_files(levy_study_job *job)
{
    const struct levy_study_parts *const cells = job->parts;
    const levy_part_file *const first = &cells->files[0];
    char backend[16] = "", why[1024];
    (void)levy_journal_read_backend(
        first->text, (size_t)((char *)memchr(first->text, '\n', first->length) - first->text),
        backend);
    for (size_t f = 0; f < cells->n_files; ++f) {
        const levy_part_file *const file = &cells->files[f], *const before = f ? file - 1 : NULL;
        LEVY_TRY(merge_check_head(job, file, backend));
        if (file->info.parts != first->info.parts) {
            snprintf(why, sizeof why, "it is one of %u parts, but %.400s is one of %u",
                     file->info.parts, first->path, first->info.parts);
            return levy_part_file_refuse(job->context, file, 1,
                                         "Merge parts of a study that was cut in one way.", why);
        }
        if (!before || before->info.part != file->info.part) continue;
        snprintf(why, sizeof why, "part %u/%u is there twice: %.400s and %.400s", file->info.part,
                 file->info.parts, before->path, file->path);
        return levy_part_file_refuse(job->context, file, 0, "Name each part of the study once.",
                                     why);
    }
    return LEVY_OK;
}

/* ---- Their lines ---- */

typedef struct merge_reading {
    levy_study_job *job;
    size_t file;
} merge_reading;

static levy_status merge_line(void *user, const char *line, size_t length, uint32_t number)
{
    const merge_reading *const reading = user;
    struct levy_study_parts *const cells = reading->job->parts;
    levy_part_file *const file = &cells->files[reading->file];
    const levy_cut *const cut = &cells->cut;
    levy_journal_group of;
    if (levy_part_line_read_run(line, length, &cells->arena, &file->info) ||
        levy_part_line_is_end(line, length))
        return LEVY_OK;
    if (levy_part_line_is_other(line, length) || !levy_journal_read_place(line, length, &of) ||
        of.group >= cut->n_groups || of.unit >= levy_cut_units(cut, of.group) ||
        of.is_unit != (levy_cut_units(cut, of.group) > 1) ||
        cut->owner[cut->first[of.group] + of.unit] != file->info.part)
        return levy_part_file_refuse(reading->job->context, file, number,
                                     "Run the part again into a new file.",
                                     "this line of the part's journal is not of the study");
    cells->pieces[cut->first[of.group] + of.unit] =
        (levy_study_piece){.line = line, .length = length, .file = reading->file};
    return LEVY_OK;
}

/* ---- Whether all is there ---- */

static levy_status merge_not_finished(levy_study_job *job, const levy_part_file *file)
{
    const struct levy_study_parts *const cells = job->parts;
    size_t expected = 0, found = 0;
    char why[160];
    for (size_t u = levy_cut_start(&cells->cut, file->info.part);
         u < cells->cut.n_units && cells->cut.owner[u] == file->info.part; ++u) {
        ++expected;
        found += cells->pieces[u].line != NULL;
    }
    if (found == expected) return LEVY_OK;
    snprintf(why, sizeof why, "part %u/%u is not finished: it has %zu of its %zu simulations",
             file->info.part, file->info.parts, found, expected);
    return levy_part_file_refuse(job->context, file, 0,
                                 "Run the part again; it goes on where it ended.", why);
}

static levy_status merge_check_missing(levy_study_job *job)
{
    struct levy_study_parts *const cells = job->parts;
    const uint32_t parts = cells->cut.parts;
    bool *const missing = levy_arena_allocate(&cells->arena, (size_t)parts + 1, sizeof *missing);
    bool any = false;
    if (!missing) return LEVY_MEMORY;
    for (size_t u = 0; u < cells->cut.n_units; ++u)
        if (!cells->pieces[u].line) any = missing[cells->cut.owner[u]] = true;
    levy_part_files_missing(job->context, missing, parts,
                            "Run it with `levy converge --part`, and name its journal.");
    return any ? LEVY_RESUME : LEVY_OK;
}

/* The device is that of the first part. */
static void merge_take_device(levy_study_job *job)
{
    const levy_part_info *const run = &job->parts->files[0].info;
    levy_call_device *const device = &job->device;
    snprintf(device->info.backend, sizeof device->info.backend, "%s", run->backend);
    snprintf(device->info.device, sizeof device->info.device, "%s", run->device);
    snprintf(device->info.isa, sizeof device->info.isa, "%s", run->isa);
    snprintf(device->reason, sizeof device->reason, "%s", run->device_reason);
    device->info.threads = run->threads;
}

levy_status levy_study_read(levy_study_job *job, const levy_merge_options *merge)
{
    struct levy_study_parts *const cells = job->parts;
    levy_status status = LEVY_OK;
    LEVY_TRY(merge_open(job, merge));
    qsort(cells->files, cells->n_files, sizeof *cells->files, merge_compare);
    LEVY_TRY(merge_check_files(job));
    LEVY_TRY(levy_study_cut(cells, cells->files[0].info.parts));
    cells->pieces = levy_arena_allocate(&cells->arena, cells->cut.n_units, sizeof *cells->pieces);
    if (!cells->pieces) return LEVY_MEMORY;
    for (size_t f = 0; f < cells->n_files; ++f) {
        merge_reading reading = {job, f};
        LEVY_TRY(levy_part_file_visit(job->context, &cells->files[f], merge_line, &reading));
        if (!cells->files[f].info.host) /* no run yet */
            return levy_part_file_refuse(job->context, &cells->files[f], 0, "Run the part again.",
                                         "the part's journal says of no run yet");
    }
    for (size_t f = 0; f < cells->n_files; ++f) {
        const levy_status one = merge_not_finished(job, &cells->files[f]);
        if (one != LEVY_OK) status = one;
    }
    if (status == LEVY_OK) status = merge_check_missing(job);
    if (status == LEVY_OK) merge_take_device(job);
    return status;
}

void levy_study_close_files(levy_study_job *job)
{
    for (size_t f = 0; f < job->parts->n_files; ++f)
        levy_part_file_release(job->context, &job->parts->files[f]);
    job->parts->n_files = 0;
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
    struct levy_study_parts *const cells = job->parts;
    const levy_image *const image = run->plan->image;
    const levy_study_piece *const piece = &cells->pieces[cells->cut.first[call] + unit];
    const bool whole = cells->calls[call].units == 1;
    const size_t n = (size_t)image->n_outputs * (whole ? image->n_replicates : 1) * (1 + n_powers);
    levy_journal_group line;
    if (!levy_journal_read_group(piece->line, piece->length, &line, own, n) || line.n_sums != n ||
        line.plan_hash != image->numeric_hash)
        return levy_part_file_refuse(job->context, &cells->files[piece->file], 0,
                                     "Run the part again into a new file.",
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
