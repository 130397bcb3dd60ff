/* study_parts.c: the cells of a study counted and cut, and those of one part priced. See
 * study_parts.h. */
#include "engine/study/study_cells.h"

#include "engine/base/hash.h"
#include "engine/book/pricing.h"

#include <string.h>

/* A replicate of fewer blocks is no cell of its own: its line would cost more than it. */
enum { CELLS_LEAST_BLOCKS = 16 };

__extension__ typedef unsigned __int128 cells_wide;

/* ---- The cut ---- */

static levy_status cells_count(levy_study_job *job)
{
    struct levy_study_parts *const cells = job->parts;
    const levy_simulation *const s = &job->problem.simulation;
    const uint64_t points = s->paths / s->replicates,
                   blocks = (points + LEVY_BLOCK_PATHS - 1) / LEVY_BLOCK_PATHS;
    const bool whole = s->replicates == 1 || blocks < CELLS_LEAST_BLOCKS || s->tolerance.asked ||
                       s->supply != LEVY_SUPPLY_NONE;
    if (!LEVY_ARENA_GROW(&cells->arena, cells->calls, cells->n_calls, cells->call_room, 64))
        return LEVY_MEMORY;
    cells->calls[cells->n_calls++] = (levy_study_call){
        .units = whole ? 1 : s->replicates,
        .blocks = whole ? s->replicates * blocks : blocks,
    };
    return LEVY_OK;
}

levy_status levy_study_cut(const struct levy_study_parts *cells, uint32_t parts, levy_arena *arena,
                           levy_cut *cut)
{
    uint64_t total = 0, before = 0;
    size_t units = 0;
    for (size_t c = 0; c < cells->n_calls; ++c) {
        units += cells->calls[c].units;
        total += cells->calls[c].units * cells->calls[c].blocks;
    }
    *cut = (levy_cut){.parts = parts, .n_groups = cells->n_calls};
    cut->first = levy_arena_allocate(arena, cells->n_calls + 1, sizeof *cut->first);
    cut->owner = levy_arena_allocate(arena, units, sizeof *cut->owner);
    if (!cut->first || !cut->owner) return LEVY_MEMORY;
    for (size_t c = 0; c < cells->n_calls; ++c) {
        const uint64_t blocks = cells->calls[c].blocks;
        for (size_t u = 0; u < cells->calls[c].units; ++u, before += blocks) {
            const cells_wide middle = ((cells_wide)before * 2 + blocks) * parts;
            cut->owner[cut->n_units++] = (uint32_t)(middle / ((cells_wide)total * 2)) + 1;
        }
        cut->first[c + 1] = cut->n_units;
    }
    return LEVY_OK;
}

/* ---- What the parts of one study have in common ---- */

static void cells_hash_text(XXH3_state_t *state, const char *text)
{
    XXH3_64bits_update(state, text, strlen(text) + 1);
}

/* Of all that the sums follow from, beside book, settings and quotes. Never 0. */
static uint64_t cells_hash(const levy_study_job *job)
{
    const levy_study_request *const q = &job->request;
    XXH3_state_t state;
    const uint64_t numbers[] = {(uint64_t)job->study->kind,
                                q->first,
                                q->last,
                                q->replicates,
                                job->study->kind == LEVY_STUDY_COVERAGE ? q->seeds : 0,
                                q->has_reference};
    XXH3_64bits_reset(&state);
    XXH3_64bits_update(&state, numbers, sizeof numbers);
    for (size_t m = 0; m < q->n_methods; ++m) cells_hash_text(&state, q->methods[m].name);
    XXH3_64bits_update(&state, q->measures, q->n_measures * sizeof *q->measures);
    for (size_t t = 0; t < q->n_trades; ++t) {
        const uint64_t trade = q->trades[t];
        XXH3_64bits_update(&state, &trade, sizeof trade);
    }
    if (q->last_step) {
        const uint64_t steps[] = {q->first_step, q->last_step};
        XXH3_64bits_update(&state, steps, sizeof steps);
    }
    return XXH3_64bits_digest(&state) | 1;
}

levy_journal_head levy_study_head(const levy_study_job *job, uint32_t part, uint32_t parts,
                                  const char *backend)
{
    const levy_problem *const problem = job->book->problem;
    const bool any = problem->simulation.precision == LEVY_PRECISION_DOUBLE;
    levy_journal_head head =
        levy_journal_head_of(problem, job->parts->n_calls, part, parts, any ? "any" : backend);
    head.trades = job->request.n_trades;
    head.study = cells_hash(job);
    return head;
}

/* ---- One part ---- */

static levy_status part_cell(levy_study_job *job, const levy_group *group, uint32_t n_powers,
                             size_t call, size_t unit, levy_study_run *run)
{
    struct levy_study_parts *const cells = job->parts;
    const levy_image *const image = run->plan->image;
    const bool whole = cells->calls[call].units == 1;
    levy_run_slice slice = {.replicate = (uint32_t)unit, .end_block = image->blocks};
    while (image->blocks > (uint64_t)1 << slice.height) ++slice.height;
    LEVY_TRY(levy_study_run_cells(job, group, n_powers, whole ? NULL : &slice, run));
    levy_journal_group line = {.group = call,
                               .is_unit = !whole,
                               .unit = unit,
                               .n_sums = (size_t)image->n_outputs *
                                         (whole ? image->n_replicates : 1) * (1 + n_powers),
                               .plan_hash = image->numeric_hash,
                               .seconds = job->how.no_times ? 0.0 : run->seconds};
    memcpy(line.backend, job->device.info.backend, sizeof line.backend);
    memcpy(line.device, job->device.info.device, sizeof line.device);
    const levy_status status = levy_journal_append(cells->journal, &line, run->sums);
    levy_study_run_release_sums(job, run);
    return status;
}

static levy_status part_simulate(levy_study_job *job, const levy_group *group, uint32_t n_powers)
{
    const struct levy_study_parts *const cells = job->parts;
    const levy_cut *const cut = &cells->cut;
    const size_t call = job->parts->next++, first = cut->first[call];
    levy_study_run run = {.plan = NULL};
    levy_status status = LEVY_OK;
    for (size_t u = first; u < cut->first[call + 1] && status == LEVY_OK; ++u) {
        if (cut->owner[u] != job->how.part || levy_journal_has(cells->journal, u)) continue;
        if (!run.plan) status = levy_study_plan(job, group, &run);
        if (status == LEVY_OK) status = part_cell(job, group, n_powers, call, u - first, &run);
    }
    levy_study_run_release(job, &run);
    return status;
}

/* The blocks that are left to do. */
static uint64_t part_total(const levy_study_job *job)
{
    const struct levy_study_parts *const cells = job->parts;
    uint64_t total = 0;
    for (size_t c = 0; c < cells->n_calls; ++c)
        for (size_t u = cells->cut.first[c]; u < cells->cut.first[c + 1]; ++u)
            if (cells->cut.owner[u] == job->how.part && !levy_journal_has(cells->journal, u))
                total += cells->calls[c].blocks;
    return total;
}

static levy_status part_work(levy_study_job *job)
{
    struct levy_study_parts *const cells = job->parts;
    const levy_journal_head head =
        levy_study_head(job, job->how.part, job->how.parts, job->device.info.backend);
    const levy_journal_way way = {.path = job->how.journal,
                                  .resume = true,
                                  .write = job->how.part_write,
                                  .user = job->how.part_user};
    LEVY_TRY(levy_journal_open(job->context, &way, &head, &cells->cut, &cells->journal));
    levy_status status =
        levy_part_begin(job->context, cells->journal, &job->device, job->how.part_note);
    cells->next = 0;
    job->total = part_total(job);
    if (status == LEVY_OK) status = cells->work(job);
    if (status == LEVY_OK) status = levy_part_end(job->context, cells->journal);
    const levy_status closed = levy_journal_close(cells->journal);
    cells->journal = NULL;
    return status == LEVY_OK ? closed : status;
}

/* ---- The study ---- */

bool levy_study_has_no_sums(const levy_study_job *job)
{
    return job->parts && job->parts->mode != LEVY_CELLS_MERGE;
}

levy_status levy_study_parts_simulate(levy_study_job *job, const levy_group *group,
                                      uint32_t n_powers, levy_study_run *run)
{
    switch (job->parts->mode) {
    case LEVY_CELLS_COUNT:
        return cells_count(job);
    case LEVY_CELLS_PART:
        return part_simulate(job, group, n_powers);
    case LEVY_CELLS_MERGE:
        return levy_study_take(job, group, n_powers, run);
    }
    return LEVY_INTERNAL;
}

/* The study once, for its cells alone; what it has left behind is thrown away. */
static levy_status cells_run_count(levy_study_job *job, levy_study_work *work)
{
    levy_study *const study = job->study;
    LEVY_TRY(work(job));
    levy_arena_release(&study->arena);
    study->convergences = NULL;
    study->n_convergences = study->convergence_room = 0;
    study->coverage = (levy_coverage_table){.n_rows = 0};
    return LEVY_OK;
}

static levy_status cells_run(levy_study_job *job, const levy_merge_options *merge,
                             levy_study_work *work,
                             levy_status (*on_device)(levy_study_job *job, levy_study_work *work))
{
    struct levy_study_parts *const cells = job->parts;
    LEVY_TRY(cells_run_count(job, work));
    cells->work = work;
    if (!merge) {
        LEVY_TRY(levy_study_cut(cells, job->how.parts, &cells->arena, &cells->cut));
        cells->mode = LEVY_CELLS_PART;
        return on_device(job, part_work);
    }
    LEVY_TRY(levy_study_read(job, merge));
    cells->mode = LEVY_CELLS_MERGE;
    return work(job);
}

levy_status
levy_study_parts_run(levy_study_job *job, const levy_merge_options *merge, levy_study_work *work,
                     levy_status (*on_device)(levy_study_job *job, levy_study_work *work))
{
    struct levy_study_parts cells = {.mode = LEVY_CELLS_COUNT};
    if (!merge) LEVY_TRY(levy_price_check_part(job->context, &job->how));
    levy_arena_init(&cells.arena, &job->context->memory);
    job->parts = &cells;
    const levy_status status = cells_run(job, merge, work, on_device);
    if (merge) levy_part_set_release(&cells.set);
    levy_arena_release(&cells.arena);
    job->parts = NULL;
    return status;
}
