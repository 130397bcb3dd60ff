/* part_set.c: see part_set.h. */
#include "engine/book/part_set.h"

#include "engine/base/order.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Reading ---- */

typedef struct set_reading {
    levy_part_set *set;
    uint32_t file;
    levy_part_info run; /* the last that the file has told of */
    bool has_run, kept;
} set_reading;

static levy_status set_line_fault(const set_reading *reading, uint32_t number)
{
    const levy_part_set *const m = reading->set;
    return levy_part_file_refuse(m->context, &m->files[reading->file], number, m->kind->again,
                                 m->kind->stranger);
}

/* Keeps the run that the file's next groups are of. */
static levy_status set_keep_run(set_reading *reading)
{
    levy_part_set *const m = reading->set;
    if (reading->kept || !reading->has_run) return LEVY_OK;
    if (!LEVY_ARENA_GROW(&m->arena, m->runs, m->n_runs, m->run_room, 16)) return LEVY_MEMORY;
    m->runs[m->n_runs++] = reading->run;
    reading->kept = true;
    return LEVY_OK;
}

/* Of a piece's number plus 1: 0 unless the file that is being read has the piece. Numbers of
 * earlier files stay where they are, so that nothing is cleared between files. */
static uint32_t set_own(const levy_part_set *m, uint32_t number)
{
    return number > m->before ? number : 0;
}

/* The place of the number of the file's own piece of a unit, or of the failure of its group. */
static uint32_t *set_place(levy_part_set *m, size_t group, const levy_part_piece *piece)
{
    const levy_part_share *const share = &m->shares[piece->file];
    return piece->failed ? &m->failed[group] : &share->own[share->cut->first[group] + piece->unit];
}

/* The last piece of the file that is of this unit, or says that the group failed; plus 1. */
static uint32_t set_find(const levy_part_set *m, size_t group, const levy_part_piece *piece)
{
    const levy_part_share *const share = &m->shares[piece->file];
    const bool is_unit = piece->unit < levy_cut_units(share->cut, group);
    const uint32_t failed = set_own(m, m->failed[group]);
    const uint32_t own =
        is_unit ? set_own(m, share->own[share->cut->first[group] + piece->unit]) : 0;
    return own > failed ? own : failed;
}

/* A later line of the file takes the place of an earlier one of the same unit. */
static levy_status set_enter(const set_reading *reading, size_t group, levy_part_piece piece)
{
    levy_part_set *const m = reading->set;
    const uint32_t own = set_find(m, group, &piece);
    if (own) {
        levy_part_piece *const old = &m->pieces[own - 1];
        *set_place(m, group, old) = 0;
        piece.next = old->next;
        *old = piece;
        *set_place(m, group, &piece) = own;
        return LEVY_OK;
    }
    if (!LEVY_ARENA_GROW(&m->arena, m->pieces, m->n_pieces, m->piece_room, m->n_groups))
        return LEVY_MEMORY;
    piece.next = m->first[group];
    m->pieces[m->n_pieces++] = piece;
    m->first[group] = (uint32_t)m->n_pieces;
    *set_place(m, group, &piece) = (uint32_t)m->n_pieces;
    return LEVY_OK;
}

static levy_status set_group(set_reading *reading, const char *line, size_t length, uint32_t number)
{
    const levy_cut *const cut = reading->set->shares[reading->file].cut;
    levy_journal_group group;
    if (!levy_journal_read_place(line, length, &group) || group.group >= cut->n_groups ||
        group.unit >= levy_cut_units(cut, group.group) ||
        group.is_unit != (levy_cut_units(cut, group.group) > 1))
        return set_line_fault(reading, number);
    LEVY_TRY(set_keep_run(reading));
    return set_enter(
        reading, group.group,
        (levy_part_piece){
            .file = reading->file, .line = line, .length = length, .unit = group.unit});
}

static levy_status set_failure(set_reading *reading, const char *line, size_t length,
                               uint32_t number)
{
    levy_part_set *const m = reading->set;
    levy_part_failure failure;
    if (!levy_part_line_read_failure(line, length, &m->arena, &failure)) {
        if (levy_part_line_is_end(line, length)) return LEVY_OK;
        if (levy_part_line_is_other(line, length)) return set_line_fault(reading, number);
        return set_group(reading, line, length, number);
    }
    if (failure.group >= m->n_groups || !m->kind->trade) return set_line_fault(reading, number);
    LEVY_TRY(set_keep_run(reading));
    return set_enter(reading, failure.group,
                     (levy_part_piece){.file = reading->file,
                                       .line = line,
                                       .length = length,
                                       .unit = failure.unit,
                                       .failed = true});
}

static levy_status set_line(void *user, const char *line, size_t length, uint32_t number)
{
    set_reading *const reading = user;
    if (!levy_part_line_read_run(line, length, &reading->set->arena, &reading->run))
        return set_failure(reading, line, length, number);
    reading->has_run = true;
    reading->kept = false;
    return LEVY_OK;
}

/* ---- Whose parts they are ---- */

static size_t set_head_length(const levy_part_file *file)
{
    return (size_t)((char *)memchr(file->text, '\n', file->length) - file->text);
}

/* A part's first line must be ours, but for the part. Bits that depend on the device must be those
 * of one kind of device: that of the first file. */
static levy_status set_check_head(levy_part_set *m, size_t f)
{
    const levy_part_file *const file = &m->files[f];
    const size_t length = set_head_length(file);
    char backend[16] = "", own[LEVY_JOURNAL_HEAD], words[512], why[640];
    (void)levy_journal_read_backend(m->files[0].text, set_head_length(&m->files[0]), backend);
    const levy_journal_head head =
        m->kind->head(m->user, file->info.part, file->info.parts, backend);
    const size_t written = levy_journal_write_head(&head, own, sizeof own);
    if (written == length && memcmp(own, file->text, length) == 0) return LEVY_OK;
    if (!levy_journal_difference(file->text, length, &head, words, sizeof words))
        snprintf(words, sizeof words, "its first line is damaged");
    snprintf(why, sizeof why, "this part is of another run: %s", words);
    return levy_part_file_refuse(m->context, file, 1, m->kind->alike, why);
}

/* Whether the part is one of as many as the first one. */
static levy_status set_check_parts(const levy_part_set *m, size_t f)
{
    const levy_part_file *const file = &m->files[f], *const first = &m->files[0];
    char why[640];
    if (!m->kind->one_cut || file->info.parts == first->info.parts) return LEVY_OK;
    snprintf(why, sizeof why, "it is one of %u parts, but %.400s is one of %u", file->info.parts,
             first->path, first->info.parts);
    return levy_part_file_refuse(m->context, file, 1,
                                 "Merge parts of a study that was cut in one way.", why);
}

/* The cut that a file follows: an earlier file's, if it has as many parts. */
static levy_status set_cut(levy_part_set *m, size_t f)
{
    levy_part_share *const share = &m->shares[f];
    const uint32_t parts = m->files[f].info.parts;
    for (size_t i = 0; i < f && !share->cut; ++i)
        if (m->shares[i].cut->parts == parts) *share = m->shares[i];
    if (share->cut) return LEVY_OK;
    levy_cut *const cut = levy_arena_allocate(&m->arena, 1, sizeof *cut);
    if (!cut) return LEVY_MEMORY;
    LEVY_TRY(m->kind->cut(m->user, parts, &m->arena, cut));
    share->own = levy_arena_allocate(&m->arena, cut->n_units, sizeof *share->own);
    share->cut = cut;
    return share->own ? LEVY_OK : LEVY_MEMORY;
}

/* Of the units that a part should hold, how many the file that was just read does. */
static void set_count(levy_part_set *m, size_t f)
{
    levy_part_share *const share = &m->shares[f];
    const levy_cut *const cut = share->cut;
    const uint32_t part = m->files[f].info.part;
    const size_t start = levy_cut_start(cut, part);
    size_t group = 0;
    share->expected = share->found = 0;
    for (size_t u = start; u < cut->n_units && cut->owner[u] == part; ++u) {
        while (cut->first[group + 1] <= u) ++group;
        ++share->expected;
        share->found += set_own(m, share->own[u]) || set_own(m, m->failed[group]);
    }
}

static levy_status set_file(levy_part_set *m, size_t f)
{
    set_reading reading = {.set = m, .file = (uint32_t)f, .run = m->files[f].info};
    LEVY_TRY(set_check_head(m, f));
    LEVY_TRY(set_check_parts(m, f));
    LEVY_TRY(set_cut(m, f));
    m->before = m->n_pieces;
    LEVY_TRY(levy_part_file_visit(m->context, &m->files[f], set_line, &reading));
    set_count(m, f);
    /* a part of an empty share has no group; some run must stand for the whole */
    return m->n_runs == 0 && f + 1 == m->n_files ? set_keep_run(&reading) : LEVY_OK;
}

static int set_compare_files(const void *a, const void *b)
{
    const levy_part_file *const x = a, *const y = b;
    const uint64_t left = (uint64_t)x->info.part * y->info.parts,
                   right = (uint64_t)y->info.part * x->info.parts;
    if (left != right) return left < right ? -1 : 1;
    return strcmp(x->path, y->path);
}

/* ---- Whether they cover the book once ---- */

static levy_status set_twice(const levy_part_set *m, size_t group, const levy_part_piece *a,
                             const levy_part_piece *b)
{
    const levy_part_file *x = &m->files[a->file], *y = &m->files[b->file];
    char why[1024];
    if (set_compare_files(x, y) > 0) {
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
                 x->info.part, x->info.parts, y->path, y->info.part, y->info.parts,
                 m->kind->trade ? m->kind->trade(m->user, group) : "");
    return levy_part_file_refuse(m->context, y, 0, m->kind->once, why);
}

/* A unit of one cut alone is known by its number. */
static levy_cut_unit set_unit(const levy_part_set *m, const levy_cut *cut, size_t group,
                              size_t unit)
{
    if (!m->kind->one_cut) return levy_cut_unit_of(cut, group, unit);
    return (levy_cut_unit){.group = group,
                           .whole = levy_cut_units(cut, group) == 1,
                           .replicate = (uint32_t)unit,
                           .end_block = 1};
}

levy_cut_unit levy_part_unit(const levy_part_set *m, size_t group, const levy_part_piece *piece)
{
    return set_unit(m, m->shares[piece->file].cut, group, piece->unit);
}

static bool set_overlap(const levy_cut_unit *a, const levy_cut_unit *b)
{
    return a->whole || b->whole ||
           (a->replicate == b->replicate && a->first_block < b->end_block &&
            b->first_block < a->end_block);
}

LEVY_ORDER_BY(set_compare_units, levy_cut_unit, replicate, first_block)

/* Whether pieces of a group may overlap: then two neighbours do, once they are in order. Grows
 * `units` for it. */
static levy_status set_may_overlap(levy_part_set *m, size_t group, levy_cut_unit **units,
                                   size_t *room, bool *may)
{
    size_t n = 0;
    for (uint32_t i = m->first[group]; i; i = m->pieces[i - 1].next) {
        if (!LEVY_ARENA_GROW(&m->arena, *units, n, *room, 64)) return LEVY_MEMORY;
        (*units)[n++] = levy_part_unit(m, group, &m->pieces[i - 1]);
    }
    if (n > 1) qsort(*units, n, sizeof **units, set_compare_units);
    *may = false;
    for (size_t i = 1; i < n && !*may; ++i) *may = set_overlap(&(*units)[i - 1], &(*units)[i]);
    return LEVY_OK;
}

/* Two parts that hold the same. Pieces of one file cannot. */
static levy_status set_name_twice(const levy_part_set *m, size_t group)
{
    for (uint32_t i = m->first[group]; i; i = m->pieces[i - 1].next)
        for (uint32_t j = m->pieces[i - 1].next; j; j = m->pieces[j - 1].next) {
            const levy_part_piece *const a = &m->pieces[i - 1], *const b = &m->pieces[j - 1];
            const levy_cut_unit x = levy_part_unit(m, group, a), y = levy_part_unit(m, group, b);
            if (a->file != b->file && set_overlap(&x, &y)) return set_twice(m, group, a, b);
        }
    return LEVY_OK;
}

static levy_status set_check_twice(levy_part_set *m)
{
    levy_cut_unit *units = NULL;
    size_t room = 0;
    for (size_t g = 0; g < m->n_groups; ++g) {
        bool may;
        LEVY_TRY(set_may_overlap(m, g, &units, &room, &may));
        if (may) LEVY_TRY(set_name_twice(m, g));
    }
    return LEVY_OK;
}

/* Whether the pieces of a group, none of which overlap, are all of it. */
static bool set_is_covered(const levy_part_set *m, size_t group)
{
    const levy_cut *const cut = m->shares[0].cut;
    const uint64_t all =
        m->kind->one_cut ? levy_cut_units(cut, group) : cut->blocks * cut->replicates;
    uint64_t blocks = 0;
    for (uint32_t i = m->first[group]; i; i = m->pieces[i - 1].next) {
        const levy_cut_unit unit = levy_part_unit(m, group, &m->pieces[i - 1]);
        if (unit.whole || m->pieces[i - 1].failed) return true;
        blocks += unit.end_block - unit.first_block;
    }
    return blocks == all;
}

static levy_status set_check_finished(const levy_part_set *m, size_t f)
{
    const levy_part_share *const share = &m->shares[f];
    char why[160];
    if (share->found == share->expected) return LEVY_OK;
    snprintf(why, sizeof why, "part %u/%u is not finished: it has %zu of its %zu %s",
             m->files[f].info.part, m->files[f].info.parts, share->found, share->expected,
             m->kind->groups);
    return levy_part_file_refuse(m->context, &m->files[f], 0,
                                 "Run the part again; it goes on where it ended.", why);
}

/* Whether a part, of whatever cut, holds some of a unit. */
static bool set_holds(const levy_part_set *m, size_t group, const levy_cut_unit *unit)
{
    for (uint32_t i = m->first[group]; i; i = m->pieces[i - 1].next) {
        const levy_cut_unit piece = levy_part_unit(m, group, &m->pieces[i - 1]);
        if (set_overlap(&piece, unit)) return true;
    }
    return false;
}

/* A fault for each part k with missing[k], k from 1 to parts: the first ones by name. */
static void set_name_missing(const levy_part_set *m, const bool *missing, uint32_t parts)
{
    enum { NAMED = 10 };
    uint32_t count = 0;
    for (uint32_t part = 1; part <= parts; ++part) {
        if (!missing[part] || count++ >= NAMED) continue;
        levy_fault_add(&m->context->faults, LEVY_REASON_MISSING_DATA, NULL, "", m->kind->absent,
                       "part %u/%u is missing", part, parts);
    }
    if (count > NAMED)
        levy_fault_add(&m->context->faults, LEVY_REASON_MISSING_DATA, NULL, "", NULL,
                       "%u more parts are missing", count - NAMED);
}

/* Names the parts that would hold a group that no part holds, counted as the first file counts. */
static levy_status set_check_missing(levy_part_set *m)
{
    const levy_cut *const cut = m->shares[0].cut;
    bool *const missing = levy_arena_allocate(&m->arena, (size_t)cut->parts + 1, sizeof *missing);
    bool *const has = levy_arena_allocate(&m->arena, (size_t)cut->parts + 1, sizeof *has);
    bool any = false, named = false;
    if (!missing || !has) return LEVY_MEMORY;
    for (size_t f = 0; f < m->n_files; ++f)
        if (m->files[f].info.parts == cut->parts) has[m->files[f].info.part] = true;
    for (size_t g = 0; g < m->n_groups; ++g) {
        if (set_is_covered(m, g)) continue;
        any = true;
        for (size_t u = cut->first[g]; u < cut->first[g + 1]; ++u) {
            const levy_cut_unit unit = set_unit(m, cut, g, u - cut->first[g]);
            if (has[cut->owner[u]] || set_holds(m, g, &unit)) continue;
            missing[cut->owner[u]] = named = true;
        }
    }
    if (!any) return LEVY_OK;
    set_name_missing(m, missing, cut->parts);
    if (!named)
        levy_fault_add(&m->context->faults, LEVY_REASON_MISSING_DATA, NULL, "", NULL,
                       "the parts do not cover the book");
    return LEVY_RESUME;
}

static levy_status set_check(levy_part_set *m)
{
    levy_status status = LEVY_OK;
    LEVY_TRY(set_check_twice(m));
    for (size_t f = 0; f < m->n_files; ++f) {
        const levy_status one = set_check_finished(m, f);
        if (one != LEVY_OK) status = one;
    }
    return status == LEVY_OK ? set_check_missing(m) : status;
}

levy_status levy_part_set_read(levy_part_set *m, const levy_merge_options *options)
{
    const size_t n = options->n_paths + options->n_texts;
    m->files = levy_arena_allocate(&m->arena, n, sizeof *m->files);
    m->shares = levy_arena_allocate(&m->arena, n, sizeof *m->shares);
    m->first = levy_arena_allocate(&m->arena, m->n_groups, sizeof *m->first);
    m->failed = levy_arena_allocate(&m->arena, m->n_groups, sizeof *m->failed);
    if (!m->files || !m->shares || !m->first || !m->failed) return LEVY_MEMORY;
    for (size_t i = 0; i < options->n_paths; ++i, ++m->n_files)
        LEVY_TRY(levy_part_file_read(m->context, options->paths[i], &m->files[m->n_files]));
    for (size_t i = 0; i < options->n_texts; ++i, ++m->n_files)
        LEVY_TRY(levy_part_file_take(m->context, &options->texts[i], &m->files[m->n_files]));
    qsort(m->files, m->n_files, sizeof *m->files, set_compare_files);
    for (size_t f = 0; f < m->n_files; ++f) LEVY_TRY(set_file(m, f));
    return set_check(m);
}

void levy_part_set_release(levy_part_set *m)
{
    for (size_t f = 0; f < m->n_files; ++f) levy_part_file_release(m->context, &m->files[f]);
    levy_arena_release(&m->arena);
}

void levy_part_set_device(const levy_part_set *m, levy_call_device *device)
{
    if (m->n_runs == 0) return;
    const levy_part_info *const run = &m->runs[0];
    snprintf(device->info.backend, sizeof device->info.backend, "%s", run->backend);
    snprintf(device->info.device, sizeof device->info.device, "%s", run->device);
    snprintf(device->info.isa, sizeof device->info.isa, "%s", run->isa);
    snprintf(device->reason, sizeof device->reason, "%s", run->device_reason);
    device->info.threads = run->threads;
}
