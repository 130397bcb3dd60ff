/* merge.c: results from the parts of a run: what the parts' records say, group by group in their
 * order, so that sums of trades add up as in one run. Only a group that several parts share is
 * planned, since no part had all of its sums. See merge.h. */
#include "engine/book/merge.h"

#include "engine/base/order.h"
#include "engine/book/netting_keys.h"
#include "engine/book/part_set.h"
#include "engine/book/plan_cache.h"
#include "engine/book/price_job.h"
#include "engine/book/record.h"
#include "engine/run/pilot.h"
#include "engine/run/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct merge_job {
    levy_part_set set;
    levy_book *book;
    const levy_group *groups;
} merge_job;

typedef struct merge_piece {
    const levy_part_piece *piece;
    levy_cut_unit unit;
} merge_piece;

/* One group of a merge. */
typedef struct merge_take {
    merge_job *merge;
    levy_results *results;
    size_t group;
    merge_piece *pieces; /* by replicate, then by block */
    size_t n_pieces, room;
} merge_take;

static levy_status merge_damaged(const merge_take *take, const levy_part_piece *piece)
{
    const levy_part_set *const set = &take->merge->set;
    return levy_part_file_refuse(set->context, &set->files[piece->file], 0, set->kind->again,
                                 "a line of the part's journal does not match the book");
}

/* ---- A group that failed ---- */

static levy_reason merge_reason(const char *text)
{
    levy_reason reason = LEVY_REASON_NONE;
    for (levy_reason r = LEVY_REASON_NONE; r <= LEVY_REASON_CANCELLED; ++r)
        if (strcmp(levy_reason_text(r), text) == 0) reason = r;
    return reason;
}

static levy_status merge_take_failure(const merge_take *take, const levy_part_piece *piece)
{
    merge_job *const m = take->merge;
    const levy_group *const group = &m->groups[take->group];
    levy_part_failure failure;
    if (!levy_part_line_read_failure(piece->line, piece->length, &m->set.arena, &failure))
        return merge_damaged(take, piece);
    return levy_results_fail_group(take->results, m->book, group, merge_reason(failure.reason),
                                   failure.message ? failure.message : "");
}

/* ---- A group that one part has priced ---- */

/* A line's counts are of paths, however many a tolerance has taken. */
static bool merge_has_counts(const tree_sum *sums, size_t n)
{
    bool good = true;
    for (size_t i = 0; i < n && good; ++i) good = sums[i].n >= 0.0 && sums[i].n <= 0x1p53;
    return good;
}

static levy_status merge_take_whole(const merge_take *take, const levy_part_piece *piece)
{
    merge_job *const m = take->merge;
    const uint64_t replicates = m->book->problem->simulation.replicates;
    levy_journal_group line;
    levy_status status = LEVY_RESUME;
    tree_sum *const sums =
        levy_memory_allocate(&m->set.context->memory, piece->length / 48 + 1, sizeof *sums);
    if (!sums) return LEVY_MEMORY;
    if (levy_journal_read_all(piece->line, piece->length, &line, sums) && line.n_sums > 0 &&
        line.n_sums % replicates == 0 && line.record_length > 0 &&
        merge_has_counts(sums, line.n_sums))
        status =
            levy_record_take(take->results, m->book->problem, &m->groups[take->group], &line, sums);
    levy_memory_release(&m->set.context->memory, sums);
    if (status == LEVY_RESUME) return merge_damaged(take, piece);
    if (status != LEVY_OK || !line.moved[0]) return status;
    return levy_results_move_group(take->results, &m->groups[take->group], line.moved);
}

/* ---- A group that several parts share ---- */

/* The state while the sums of a group are put together. */
typedef struct merge_units {
    levy_plan *plan;
    levy_run_slice *slices;  /* [piece] */
    tree_sum *parts;         /* [piece][output] */
    tree_sum *sums;          /* [output][replicate] */
    levy_journal_group line; /* of the first piece */
} merge_units;

static levy_status merge_read_units(const merge_take *take, merge_units *units)
{
    const uint32_t outputs = units->plan->image->n_outputs;
    for (size_t i = 0; i < take->n_pieces; ++i) {
        const levy_part_piece *const piece = take->pieces[i].piece;
        const levy_cut_unit of = take->pieces[i].unit;
        levy_journal_group line;
        if (!levy_journal_read_group(piece->line, piece->length, &line, units->parts + i * outputs,
                                     outputs) ||
            line.n_sums != outputs || line.plan_hash != units->plan->image->numeric_hash)
            return merge_damaged(take, piece);
        units->slices[i] = (levy_run_slice){of.replicate, of.height, of.first_block, of.end_block};
        if (i == 0) units->line = line;
    }
    return LEVY_OK;
}

/* Whether joined sums are of as many paths as the plan has. */
static bool merge_counts(const levy_image *image, const tree_sum *sums)
{
    const levy_image_output *const outputs = LEVY_IMAGE_AT(levy_image_output, image, outputs);
    for (uint32_t o = 0; o < image->n_outputs; ++o)
        for (uint32_t r = 0; r < image->n_replicates; ++r, ++sums) {
            const uint64_t paths =
                outputs[o].probe ? levy_probe_paths(image, r, image->paths) : image->paths;
            if (sums->n != (double)paths) return false;
        }
    return true;
}

static levy_status merge_join_units(const merge_take *take, merge_units *units)
{
    const levy_image *const image = units->plan->image;
    levy_call_device device = {.context = take->merge->set.context};
    LEVY_TRY(merge_read_units(take, units));
    for (size_t at = 0, next; at < take->n_pieces; at = next) {
        const uint32_t replicate = units->slices[at].replicate;
        for (next = at; next < take->n_pieces && units->slices[next].replicate == replicate;)
            ++next;
        for (uint32_t o = 0; o < image->n_outputs; ++o)
            units->sums[(size_t)o * image->n_replicates + replicate] =
                levy_run_join(image, o, units->slices + at, next - at,
                              units->parts + at * image->n_outputs + o, image->n_outputs);
    }
    if (!merge_counts(image, units->sums)) return merge_damaged(take, take->pieces[0].piece);
    memcpy(device.info.backend, units->line.backend, sizeof units->line.backend);
    memcpy(device.info.device, units->line.device, sizeof units->line.device);
    LEVY_TRY(levy_results_take_group(take->results, units->plan, (uint32_t)take->group, units->sums,
                                     NAN, &device, NULL));
    return units->line.moved[0]
               ? levy_results_move_group(take->results, units->plan->group, units->line.moved)
               : LEVY_OK;
}

levy_status levy_merge_fit(levy_context *context, levy_plan *plan)
{
    const levy_run_options how = {.user = NULL};
    levy_price_options options;
    levy_call_device device = {.context = context};
    levy_run_times times = {0.0, 0.0};
    char why[LEVY_REASON_SIZE] = "";
    levy_status status = LEVY_MEMORY;
    if (levy_call_price_options(NULL, &options) &&
        levy_call_device_open_cpu(context, &options, &device))
        status = levy_stage_prepare(&device.backend, device.state, plan, &how, &times, why);
    if (status == LEVY_OK)
        status = levy_pilot_run(&device.backend, device.state, plan, &how, &times, why);
    levy_call_device_close(&device);
    if (status != LEVY_OK && status != LEVY_CANCELLED)
        levy_fault_add(&context->faults, levy_reason_of(status), NULL, "", NULL, "%s",
                       why[0] ? why : levy_status_text(status));
    return status;
}

static levy_status merge_take_units(const merge_take *take)
{
    levy_book *const book = take->merge->book;
    const levy_memory *const memory = &take->merge->set.context->memory;
    char why[LEVY_PLAN_WHY];
    merge_units units = {.plan = NULL};
    LEVY_TRY(levy_plan_cache_get(book, take->group, &units.plan, why));
    const size_t outputs = units.plan->image->n_outputs;
    units.slices = levy_memory_allocate(memory, take->n_pieces, sizeof *units.slices);
    units.parts = levy_memory_allocate(memory, take->n_pieces * outputs, sizeof *units.parts);
    units.sums = levy_memory_allocate(memory, levy_price_sums(units.plan), sizeof *units.sums);
    levy_status status = units.slices && units.parts && units.sums ? LEVY_OK : LEVY_MEMORY;
    if (status == LEVY_OK) status = levy_merge_fit(take->merge->set.context, units.plan);
    if (status == LEVY_OK) status = merge_join_units(take, &units);
    levy_memory_release(memory, units.slices);
    levy_memory_release(memory, units.parts);
    levy_memory_release(memory, units.sums);
    levy_plan_cache_put(book, take->group, units.plan);
    return status;
}

/* ---- All groups ---- */

LEVY_ORDER_BY(merge_compare_pieces, merge_piece, unit.replicate, unit.first_block)

/* Lists the pieces of a group. Returns the one that says that the group failed; NULL: none. */
static levy_status merge_list(merge_take *take, const levy_part_piece **failed)
{
    merge_job *const m = take->merge;
    *failed = NULL;
    take->n_pieces = 0;
    for (uint32_t i = m->set.first[take->group]; i; i = m->set.pieces[i - 1].next) {
        if (!LEVY_ARENA_GROW(&m->set.arena, take->pieces, take->n_pieces, take->room, 64))
            return LEVY_MEMORY;
        merge_piece *const next = &take->pieces[take->n_pieces++];
        next->piece = &m->set.pieces[i - 1];
        next->unit = levy_part_unit(&m->set, take->group, next->piece);
        if (m->set.pieces[i - 1].failed) *failed = &m->set.pieces[i - 1];
    }
    qsort(take->pieces, take->n_pieces, sizeof *take->pieces, merge_compare_pieces);
    return LEVY_OK;
}

static levy_status merge_take_all(merge_job *m, levy_results *results)
{
    merge_take take = {.merge = m, .results = results};
    levy_status status = LEVY_OK;
    for (; take.group < m->set.n_groups && status == LEVY_OK; ++take.group) {
        const levy_part_piece *failed;
        LEVY_TRY(merge_list(&take, &failed));
        if (failed)
            status = merge_take_failure(&take, failed);
        else if (take.pieces[0].unit.whole)
            status = merge_take_whole(&take, take.pieces[0].piece);
        else
            status = merge_take_units(&take);
    }
    return status;
}

/* ---- The run ---- */

static levy_status merge_finish(merge_job *m, levy_results *results)
{
    levy_call_device device = {.context = m->set.context};
    levy_part_info *const parts =
        levy_arena_allocate(&results->arena, m->set.n_runs, sizeof *parts);
    bool ok = parts != NULL;
    levy_part_set_device(&m->set, &device);
    for (size_t i = 0; ok && i < m->set.n_runs; ++i) {
        parts[i] = m->set.runs[i];
        parts[i].complete = 1;
        parts[i].host = levy_results_copy(results, m->set.runs[i].host, &ok);
        parts[i].backend = levy_results_copy(results, m->set.runs[i].backend, &ok);
        parts[i].device = levy_results_copy(results, m->set.runs[i].device, &ok);
        parts[i].device_reason = levy_results_copy(results, m->set.runs[i].device_reason, &ok);
        parts[i].isa = levy_results_copy(results, m->set.runs[i].isa, &ok);
        parts[i].note = levy_results_copy(results, m->set.runs[i].note, &ok);
    }
    results->parts = parts;
    results->n_parts = ok ? m->set.n_runs : 0;
    results->run.seconds = NAN;
    return ok ? levy_results_finish(results, m->book, &device, m->set.n_groups) : LEVY_MEMORY;
}

static levy_journal_head merge_head(void *user, uint32_t part, uint32_t parts, const char *backend)
{
    const merge_job *const m = user;
    return levy_journal_head_of(m->book->problem, m->set.n_groups, part, parts, backend);
}

static levy_status merge_cut(void *user, uint32_t parts, levy_arena *arena, levy_cut *cut)
{
    const merge_job *const m = user;
    return levy_cut_create(m->book->problem, m->groups, m->set.n_groups, parts, arena, cut);
}

static const char *merge_trade(void *user, size_t group)
{
    const merge_job *const m = user;
    const char *const id = m->book->problem->trades[m->groups[group].trades[0]].from->raw->id;
    return id ? id : "";
}

static levy_status merge_book(merge_job *m, const levy_merge_options *options,
                              levy_results **results)
{
    LEVY_TRY(levy_book_refresh(m->book));
    LEVY_TRY(levy_plan_cache_prepare(m->book, &m->groups, &m->set.n_groups));
    LEVY_TRY(levy_part_set_read(&m->set, options));
    LEVY_TRY(levy_results_create(m->book, results));
    LEVY_TRY(levy_netting_read_keys(options->by, m->book->problem, &(*results)->arena,
                                    &m->set.context->faults, &(*results)->netting));
    LEVY_TRY(merge_take_all(m, *results));
    return merge_finish(m, *results);
}

levy_status levy_book_merge(levy_book *book, const levy_merge_options *options,
                            levy_results **results)
{
    static const levy_part_kind kind = {
        .groups = "groups",
        .stranger = "this line of the part's journal is not of the book",
        .again = "Price the part again into a new file.",
        .alike = "Merge parts of one book, of the same settings and quotes.",
        .once = "Name each part of the book once.",
        .absent = "Price it with `levy price --part`, and name its journal.",
        .head = merge_head,
        .cut = merge_cut,
        .trade = merge_trade,
    };
    merge_job merge = {.set = {.context = book->context, .kind = &kind}, .book = book};
    *results = NULL;
    merge.set.user = &merge;
    levy_arena_init(&merge.set.arena, &book->context->memory);
    const levy_status status = merge_book(&merge, options, results);
    levy_part_set_release(&merge.set);
    if (status == LEVY_OK) return (*results)->run.tolerance_missed > 0 ? LEVY_TOLERANCE : LEVY_OK;
    levy_results_release(*results);
    *results = NULL;
    return status;
}
