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

/* Of a piece's number plus 1: 0 unless the file that is being read has the piece. Numbers of
 * earlier files stay where they are, so that nothing is cleared between files. */
static uint32_t merge_own(const levy_merge_job *m, uint32_t number)
{
    return number > m->before ? number : 0;
}

/* The place of the number of the file's own piece of a unit, or of the failure of its group. */
static uint32_t *merge_place(levy_merge_job *m, size_t group, const levy_merge_piece *piece)
{
    const levy_merge_share *const share = &m->shares[piece->file];
    return piece->failed ? &m->failed[group] : &share->own[share->cut->first[group] + piece->unit];
}

/* The last piece of the file that is of this unit, or says that the group failed; plus 1. */
static uint32_t merge_find(const levy_merge_job *m, size_t group, const levy_merge_piece *piece)
{
    const levy_merge_share *const share = &m->shares[piece->file];
    const bool is_unit = piece->unit < levy_cut_units(share->cut, group);
    const uint32_t failed = merge_own(m, m->failed[group]);
    const uint32_t own =
        is_unit ? merge_own(m, share->own[share->cut->first[group] + piece->unit]) : 0;
    return own > failed ? own : failed;
}

/* A later line of the file takes the place of an earlier one of the same unit. */
static levy_status merge_enter(const merge_reading *reading, size_t group, levy_merge_piece piece)
{
    levy_merge_job *const m = reading->merge;
    const uint32_t own = merge_find(m, group, &piece);
    if (own) {
        levy_merge_piece *const old = &m->pieces[own - 1];
        *merge_place(m, group, old) = 0;
        piece.next = old->next;
        *old = piece;
        *merge_place(m, group, &piece) = own;
        return LEVY_OK;
    }
    levy_merge_piece *const pieces = levy_arena_extend(&m->arena, m->pieces, m->n_pieces,
                                                       &m->piece_room, m->n_groups, sizeof *pieces);
    if (!pieces) return LEVY_MEMORY;
    m->pieces = pieces;
    piece.next = m->first[group];
    pieces[m->n_pieces++] = piece;
    m->first[group] = (uint32_t)m->n_pieces;
    *merge_place(m, group, &piece) = (uint32_t)m->n_pieces;
    return LEVY_OK;
}

static levy_status merge_group(merge_reading *reading, const char *line, size_t length,
                               uint32_t number)
{
    const levy_cut *const cut = reading->merge->shares[reading->file].cut;
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
        if (levy_part_line_is_other(line, length)) return merge_line_fault(reading, number);
        return merge_group(reading, line, length, number);
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
    levy_merge_share *const share = &m->shares[f];
    const uint32_t parts = m->files[f].info.parts;
    for (size_t i = 0; i < f && !share->cut; ++i)
        if (m->shares[i].cut->parts == parts) *share = m->shares[i];
    if (share->cut) return LEVY_OK;
    levy_cut *const cut = levy_arena_allocate(&m->arena, 1, sizeof *cut);
    if (!cut) return LEVY_MEMORY;
    LEVY_TRY(levy_cut_create(m->book->problem, m->groups, m->n_groups, parts, &m->arena, cut));
    share->own = levy_arena_allocate(&m->arena, cut->n_units, sizeof *share->own);
    share->cut = cut;
    return share->own ? LEVY_OK : LEVY_MEMORY;
}

/* Of the units that a part should hold, how many the file that was just read does. */
static void merge_count(levy_merge_job *m, size_t f)
{
    levy_merge_share *const share = &m->shares[f];
    const levy_cut *const cut = share->cut;
    const uint32_t part = m->files[f].info.part;
    const size_t start = levy_cut_start(cut, part);
    size_t group = 0;
    share->expected = share->found = 0;
    for (size_t u = start; u < cut->n_units && cut->owner[u] == part; ++u) {
        while (cut->first[group + 1] <= u) ++group;
        ++share->expected;
        share->found += merge_own(m, share->own[u]) || merge_own(m, m->failed[group]);
    }
}

static levy_status merge_file(levy_merge_job *m, size_t f)
{
    merge_reading reading = {.merge = m, .file = (uint32_t)f, .run = m->files[f].info};
    LEVY_TRY(merge_check_head(m, f));
    LEVY_TRY(merge_cut(m, f));
    m->before = m->n_pieces;
    LEVY_TRY(levy_part_file_visit(m->context, &m->files[f], merge_line, &reading));
    merge_count(m, f);
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
    return levy_cut_unit_of(m->shares[piece->file].cut, group, piece->unit);
}

static bool merge_overlap(const levy_cut_unit *a, const levy_cut_unit *b)
{
    return a->whole || b->whole ||
           (a->replicate == b->replicate && a->first_block < b->end_block &&
            b->first_block < a->end_block);
}

static int merge_compare_units(const void *a, const void *b)
{
    const levy_cut_unit *const x = a, *const y = b;
    if (x->replicate != y->replicate) return x->replicate < y->replicate ? -1 : 1;
    return x->first_block < y->first_block ? -1 : x->first_block > y->first_block;
}

/* Whether pieces of a group may overlap: then two neighbours do, once they are in order. Grows
 * `units` for it. */
static levy_status merge_may_overlap(levy_merge_job *m, size_t group, levy_cut_unit **units,
                                     size_t *room, bool *may)
{
    size_t n = 0;
    for (uint32_t i = m->first[group]; i; i = m->pieces[i - 1].next) {
        levy_cut_unit *const grown =
            levy_arena_extend(&m->arena, *units, n, room, 64, sizeof *grown);
        if (!grown) return LEVY_MEMORY;
        *units = grown;
        grown[n++] = levy_merge_unit(m, group, &m->pieces[i - 1]);
    }
    if (n > 1) qsort(*units, n, sizeof **units, merge_compare_units);
    *may = false;
    for (size_t i = 1; i < n && !*may; ++i) *may = merge_overlap(&(*units)[i - 1], &(*units)[i]);
    return LEVY_OK;
}

/* Two parts that hold the same. Pieces of one file cannot. */
static levy_status merge_name_twice(const levy_merge_job *m, size_t group)
{
    for (uint32_t i = m->first[group]; i; i = m->pieces[i - 1].next)
        for (uint32_t j = m->pieces[i - 1].next; j; j = m->pieces[j - 1].next) {
            const levy_merge_piece *const a = &m->pieces[i - 1], *const b = &m->pieces[j - 1];
            const levy_cut_unit x = levy_merge_unit(m, group, a), y = levy_merge_unit(m, group, b);
            if (a->file != b->file && merge_overlap(&x, &y)) return merge_twice(m, group, a, b);
        }
    return LEVY_OK;
}

static levy_status merge_check_twice(levy_merge_job *m)
{
    levy_cut_unit *units = NULL;
    size_t room = 0;
    for (size_t g = 0; g < m->n_groups; ++g) {
        bool may;
        LEVY_TRY(merge_may_overlap(m, g, &units, &room, &may));
        if (may) LEVY_TRY(merge_name_twice(m, g));
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
    return m->n_files > 0 && blocks == m->shares[0].cut->blocks * m->shares[0].cut->replicates;
}

static levy_status merge_check_finished(const levy_merge_job *m, size_t f)
{
    const levy_merge_share *const share = &m->shares[f];
    char why[160];
    if (share->found == share->expected) return LEVY_OK;
    snprintf(why, sizeof why, "part %u/%u is not finished: it has %zu of its %zu groups",
             m->files[f].info.part, m->files[f].info.parts, share->found, share->expected);
    return levy_part_file_refuse(m->context, &m->files[f], 0,
                                 "Run the part again; it goes on where it ended.", why);
}

/* Whether a part, of whatever cut, holds some of a unit. */
static bool merge_holds(const levy_merge_job *m, size_t group, const levy_cut_unit *unit)
{
    for (uint32_t i = m->first[group]; i; i = m->pieces[i - 1].next) {
        const levy_cut_unit piece = levy_merge_unit(m, group, &m->pieces[i - 1]);
        if (merge_overlap(&piece, unit)) return true;
    }
    return false;
}

/* Names the parts that would hold a group that no part holds, counted as the first file counts. */
static levy_status merge_check_missing(levy_merge_job *m)
{
    const levy_cut *const cut = m->shares[0].cut;
    bool *const missing = levy_arena_allocate(&m->arena, (size_t)cut->parts + 1, sizeof *missing);
    bool *const has = levy_arena_allocate(&m->arena, (size_t)cut->parts + 1, sizeof *has);
    bool any = false, named = false;
    if (!missing || !has) return LEVY_MEMORY;
    for (size_t f = 0; f < m->n_files; ++f)
        if (m->files[f].info.parts == cut->parts) has[m->files[f].info.part] = true;
    for (size_t g = 0; g < m->n_groups; ++g) {
        if (merge_is_covered(m, g)) continue;
        any = true;
        for (size_t u = cut->first[g]; u < cut->first[g + 1]; ++u) {
            const levy_cut_unit unit = levy_cut_unit_of(cut, g, u - cut->first[g]);
            if (has[cut->owner[u]] || merge_holds(m, g, &unit)) continue;
            missing[cut->owner[u]] = named = true;
        }
    }
    if (!any) return LEVY_OK;
    levy_part_files_missing(m->context, missing, cut->parts,
                            "Price it with `levy price --part`, and name its journal.");
    if (!named)
        levy_fault_add(&m->context->faults, LEVY_REASON_MISSING_DATA, NULL, "", NULL,
                       "the parts do not cover the book");
    return LEVY_RESUME;
}

static levy_status merge_check(levy_merge_job *m)
{
    levy_status status = LEVY_OK;
    LEVY_TRY(merge_check_twice(m));
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
    m->shares = levy_arena_allocate(&m->arena, n, sizeof *m->shares);
    m->first = levy_arena_allocate(&m->arena, m->n_groups, sizeof *m->first);
    m->failed = levy_arena_allocate(&m->arena, m->n_groups, sizeof *m->failed);
    if (!m->files || !m->shares || !m->first || !m->failed) return LEVY_MEMORY;
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
