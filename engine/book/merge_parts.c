/* merge_parts.c: the parts of a run read, and checked: each is of this book, and together they hold
 * every group once. See merge.h. */
#include "engine/book/merge.h"

#include "engine/book/plan_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading ---- */

typedef struct merge_reading {
    levy_merge_job *merge;
    uint32_t file;
    levy_part_info run; /* the last that the file has told of */
    bool has_run, kept;
} merge_reading;

static levy_status merge_line_fault(const merge_reading *reading, uint32_t number)
{
    const levy_merge_job *const m = reading->merge;
    return levy_part_file_refuse(m->context, &m->files[reading->file], number,
                                 "Price the part again into a new file.",
                                 "this line of the part's journal is not of the book");
}

/* Keeps the run that the file's next groups are of. */
static levy_status merge_keep_run(merge_reading *reading)
{
    levy_merge_job *const m = reading->merge;
    if (reading->kept || !reading->has_run) return LEVY_OK;
    levy_part_info *const runs =
        levy_arena_extend(&m->arena, m->runs, m->n_runs, &m->run_room, 16, sizeof *runs);
    if (!runs) return LEVY_MEMORY;
    m->runs = runs;
    runs[m->n_runs++] = reading->run;
    reading->kept = true;
    return LEVY_OK;
}

/* The file's own piece of that unit, or the one that says that the group failed; NULL: none. */
static levy_merge_piece *merge_own_piece(const levy_merge_job *m, uint32_t file, size_t group,
                                         size_t unit)
{
    for (uint32_t at = m->first[group]; at; at = m->pieces[at - 1].next) {
        levy_merge_piece *const piece = &m->pieces[at - 1];
        if (piece->file == file && (piece->unit == unit || piece->failed)) return piece;
    }
    return NULL;
}

/* A later line of the file takes the place of an earlier one of the same unit. */
static levy_status merge_enter(const merge_reading *reading, size_t group, levy_merge_piece piece)
{
    levy_merge_job *const m = reading->merge;
    levy_merge_piece *const own = merge_own_piece(m, reading->file, group, piece.unit);
    if (own) {
        piece.next = own->next;
        *own = piece;
        return LEVY_OK;
    }
    levy_merge_piece *const pieces = levy_arena_extend(&m->arena, m->pieces, m->n_pieces,
                                                       &m->piece_room, m->n_groups, sizeof *pieces);
    if (!pieces) return LEVY_MEMORY;
    m->pieces = pieces;
    piece.next = m->first[group];
    pieces[m->n_pieces++] = piece;
    m->first[group] = (uint32_t)m->n_pieces;
    return LEVY_OK;
}

static levy_status merge_group(merge_reading *reading, const char *line, size_t length,
                               uint32_t number)
{
    const levy_cut *const cut = reading->merge->cuts[reading->file];
    levy_journal_group group;
    if (!levy_journal_read_place(line, length, &group) || group.group >= cut->n_groups ||
        group.unit >= levy_cut_units(cut, group.group) ||
        group.is_unit != (levy_cut_units(cut, group.group) > 1))
        return merge_line_fault(reading, number);
    LEVY_TRY(merge_keep_run(reading));
    return merge_enter(
        reading, group.group,
        (levy_merge_piece){
            .file = reading->file, .line = line, .length = length, .unit = group.unit});
}

static levy_status merge_failure(merge_reading *reading, const char *line, size_t length,
                                 uint32_t number)
{
    levy_merge_job *const m = reading->merge;
    levy_part_failure failure;
    if (!levy_part_line_read_failure(line, length, &m->arena, &failure)) {
        if (levy_part_line_is_end(line, length)) return LEVY_OK;
        return levy_part_line_is_other(line, length) ? merge_line_fault(reading, number)
                                                     : merge_group(reading, line, length, number);
    }
    if (failure.group >= m->n_groups) return merge_line_fault(reading, number);
    LEVY_TRY(merge_keep_run(reading));
    return merge_enter(reading, failure.group,
                       (levy_merge_piece){.file = reading->file,
                                          .line = line,
                                          .length = length,
                                          .unit = failure.unit,
                                          .failed = true});
}

static levy_status merge_line(void *user, const char *line, size_t length, uint32_t number)
{
    merge_reading *const reading = user;
    if (!levy_part_line_read_run(line, length, &reading->merge->arena, &reading->run))
        return merge_failure(reading, line, length, number);
    reading->has_run = true;
    reading->kept = false;
    return LEVY_OK;
}

/* ---- Whose parts they are ---- */

/* A part's first line must be ours, but for the part. Bits that depend on the device must be those
 * of one kind of device: that of the first file. */
static levy_status merge_check_head(levy_merge_job *m, size_t f)
{
    const levy_part_file *const file = &m->files[f];
    const levy_problem *const problem = m->book->problem;
    const size_t length = (size_t)((char *)memchr(file->text, '\n', file->length) - file->text);
    char backend[16] = "", own[LEVY_JOURNAL_HEAD], words[512];
    const char *const start = m->files[0].text;
    (void)levy_journal_read_backend(
        start, (size_t)((char *)memchr(start, '\n', m->files[0].length) - start), backend);
    const levy_journal_head head = {.text_hash = problem->text_hash,
                                    .setting_hash = problem->setting_hash,
                                    .quote_hash = problem->quote_hash,
                                    .trades = problem->n_trades,
                                    .groups = m->n_groups,
                                    .precision = levy_precision_text(problem->simulation.precision),
                                    .backend = backend,
                                    .part = file->info.part,
                                    .parts = file->info.parts};
    const size_t written = levy_journal_write_head(&head, own, sizeof own);
    if (written == length && memcmp(own, file->text, length) == 0) return LEVY_OK;
    if (!levy_journal_difference(file->text, length, &head, words, sizeof words))
        snprintf(words, sizeof words, "its first line is damaged");
    char why[640];
    snprintf(why, sizeof why, "this part is of another run: %s", words);
    return levy_part_file_refuse(m->context, file, 1,
                                 "Merge parts of one book, of the same settings and quotes.", why);
}

/* The cut that a file follows: an earlier file's, if it has as many parts. */
static levy_status merge_cut(levy_merge_job *m, size_t f)
{
    for (size_t i = 0; i < f; ++i)
        if (m->cuts[i]->parts == m->files[f].info.parts) m->cuts[f] = m->cuts[i];
    if (m->cuts[f]) return LEVY_OK;
    levy_cut *const cut = levy_arena_allocate(&m->arena, 1, sizeof *cut);
    if (!cut) return LEVY_MEMORY;
    m->cuts[f] = cut;
    return levy_cut_create(m->book->problem, m->groups, m->n_groups, m->files[f].info.parts,
                           &m->arena, cut);
}

static levy_status merge_file(levy_merge_job *m, size_t f)
{
    merge_reading reading = {.merge = m, .file = (uint32_t)f, .run = m->files[f].info};
    LEVY_TRY(merge_check_head(m, f));
    LEVY_TRY(merge_cut(m, f));
    LEVY_TRY(levy_part_file_visit(m->context, &m->files[f], merge_line, &reading));
    /* a part of an empty share has no group; some run must stand for the whole */
    return m->n_runs == 0 && f + 1 == m->n_files ? merge_keep_run(&reading) : LEVY_OK;
}

static int merge_compare_files(const void *a, const void *b)
{
    const levy_part_file *const x = a, *const y = b;
    const uint64_t left = (uint64_t)x->info.part * y->info.parts,
                   right = (uint64_t)y->info.part * x->info.parts;
    if (left != right) return left < right ? -1 : 1;
    return strcmp(x->path, y->path);
}

/* ---- Whether they cover the book once ---- */

static levy_status merge_twice(const levy_merge_job *m, size_t group, const levy_merge_piece *a,
                               const levy_merge_piece *b)
{
    const levy_part_file *x = &m->files[a->file], *y = &m->files[b->file];
    char why[1024];
    const char *const id = m->book->problem->trades[m->groups[group].trades[0]].id;
    if (merge_compare_files(x, y) > 0) {
        const levy_part_file *const kept = x;
        x = y;
        y = kept;
    }
    if (x->info.part == y->info.part && x->info.parts == y->info.parts)
        snprintf(why, sizeof why, "part %u/%u is there twice: %.400s and %.400s", x->info.part,
                 x->info.parts, x->path, y->path);
    else
        snprintf(why, sizeof why,
                 "%.300s (part %u/%u) and %.300s (part %u/%u) both hold trade %.100s", x->path,
                 x->info.part, x->info.parts, y->path, y->info.part, y->info.parts, id ? id : "");
    return levy_part_file_refuse(m->context, y, 0, "Name each part of the book once.", why);
}

levy_cut_unit levy_merge_unit(const levy_merge_job *m, size_t group, const levy_merge_piece *piece)
{
    return levy_cut_unit_of(m->cuts[piece->file], group, piece->unit);
}

static bool merge_overlap(const levy_cut_unit *a, const levy_cut_unit *b)
{
    return a->whole || b->whole ||
           (a->replicate == b->replicate && a->first_block < b->end_block &&
            b->first_block < a->end_block);
}

/* Two parts that hold the same. Pieces of one file cannot. */
static levy_status merge_check_twice(const levy_merge_job *m, size_t group)
{
    for (uint32_t i = m->first[group]; i; i = m->pieces[i - 1].next)
        for (uint32_t j = m->pieces[i - 1].next; j; j = m->pieces[j - 1].next) {
            const levy_merge_piece *const a = &m->pieces[i - 1], *const b = &m->pieces[j - 1];
            const levy_cut_unit x = levy_merge_unit(m, group, a), y = levy_merge_unit(m, group, b);
            if (a->file != b->file && merge_overlap(&x, &y)) return merge_twice(m, group, a, b);
        }
    return LEVY_OK;
}

/* Whether the pieces of a group, none of which overlap, are all of it. */
static bool merge_is_covered(const levy_merge_job *m, size_t group)
{
    uint64_t blocks = 0;
    for (uint32_t i = m->first[group]; i; i = m->pieces[i - 1].next) {
        const levy_cut_unit unit = levy_merge_unit(m, group, &m->pieces[i - 1]);
        if (unit.whole || m->pieces[i - 1].failed) return true;
        blocks += unit.end_block - unit.first_block;
    }
    return m->n_files > 0 && blocks == m->cuts[0]->blocks * m->cuts[0]->replicates;
}

/* Of the units that a part should hold, how many it does. */
static void merge_count(const levy_merge_job *m, size_t f, size_t *expected, size_t *found)
{
    const levy_cut *const cut = m->cuts[f];
    *expected = *found = 0;
    for (size_t g = 0; g < cut->n_groups; ++g)
        for (size_t u = cut->first[g]; u < cut->first[g + 1]; ++u) {
            if (cut->owner[u] != m->files[f].info.part) continue;
            ++*expected;
            *found += merge_own_piece(m, (uint32_t)f, g, u - cut->first[g]) != NULL;
        }
}

static levy_status merge_check_finished(const levy_merge_job *m, size_t f)
{
    size_t expected, found;
    char why[160];
    merge_count(m, f, &expected, &found);
    if (found == expected) return LEVY_OK;
    snprintf(why, sizeof why, "part %u/%u is not finished: it has %zu of its %zu groups",
             m->files[f].info.part, m->files[f].info.parts, found, expected);
    return levy_part_file_refuse(m->context, &m->files[f], 0,
                                 "Run the part again; it goes on where it ended.", why);
}

static bool merge_has_part(const levy_merge_job *m, uint32_t part, uint32_t parts)
{
    bool has = false;
    for (size_t f = 0; f < m->n_files && !has; ++f)
        has = m->files[f].info.part == part && m->files[f].info.parts == parts;
    return has;
}

/* Names the parts that would hold a group that no part holds, counted as the first file counts. */
static levy_status merge_check_missing(levy_merge_job *m)
{
    const uint32_t parts = m->cuts[0]->parts;
    bool *const missing = levy_arena_allocate(&m->arena, (size_t)parts + 1, sizeof *missing);
    bool any = false, named = false;
    if (!missing) return LEVY_MEMORY;
    for (size_t g = 0; g < m->n_groups; ++g) {
        if (merge_is_covered(m, g)) continue;
        any = true;
        for (size_t u = m->cuts[0]->first[g]; u < m->cuts[0]->first[g + 1]; ++u) {
            const uint32_t owner = m->cuts[0]->owner[u];
            missing[owner] = missing[owner] || !merge_has_part(m, owner, parts);
            named = named || missing[owner];
        }
    }
    if (!any) return LEVY_OK;
    levy_part_files_missing(m->context, missing, parts,
                            "Price it with `levy price --part`, and name its journal.");
    if (!named)
        levy_fault_add(&m->context->faults, LEVY_REASON_MISSING_DATA, NULL, "", NULL,
                       "the parts do not cover the book");
    return LEVY_RESUME;
}

static levy_status merge_check(levy_merge_job *m)
{
    levy_status status = LEVY_OK;
    for (size_t g = 0; g < m->n_groups; ++g) LEVY_TRY(merge_check_twice(m, g));
    for (size_t f = 0; f < m->n_files; ++f) {
        const levy_status one = merge_check_finished(m, f);
        if (one != LEVY_OK) status = one;
    }
    return status == LEVY_OK ? merge_check_missing(m) : status;
}

levy_status levy_merge_read(levy_merge_job *m, const levy_merge_options *options)
{
    const size_t n = options->n_paths + options->n_texts;
    m->files = levy_arena_allocate(&m->arena, n, sizeof *m->files);
    m->cuts = levy_arena_allocate(&m->arena, n, sizeof *m->cuts);
    m->first = levy_arena_allocate(&m->arena, m->n_groups, sizeof *m->first);
    if (!m->files || !m->cuts || !m->first) return LEVY_MEMORY;
    LEVY_TRY(levy_part_files_open(m->context, options, m->files, &m->n_files));
    qsort(m->files, m->n_files, sizeof *m->files, merge_compare_files);
    for (size_t f = 0; f < m->n_files; ++f) LEVY_TRY(merge_file(m, f));
    return merge_check(m);
}

void levy_merge_release(levy_merge_job *m)
{
    for (size_t f = 0; f < m->n_files; ++f) levy_part_file_release(m->context, &m->files[f]);
    levy_arena_release(&m->arena);
}
