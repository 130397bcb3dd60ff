/* journal.c: the file of a journal: one writer (a lock), lines in single writes, disk within a
 * second. See journal.h. */
#include "engine/book/journal.h"

#include "engine/base/clock.h"
#include "engine/base/io.h"
#include "engine/book/part_line.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const double journal_sync_seconds = 1.0;

typedef struct journal_entry {
    size_t start, length; /* of the line; length 0: it was not there when the run began */
    bool here;            /* this run has appended it */
} journal_entry;

struct levy_journal {
    levy_context *context;
    levy_journal_way way;
    const char *path; /* of `way` */
    int file;         /* -1: none */
    char *text;       /* the lines that were there when the run resumed */
    size_t length;
    const levy_cut *cut;    /* of a part; NULL: an entry is a group */
    journal_entry *entries; /* [n_entries]: groups, or units of a cut */
    size_t n_entries;
    off_t end;      /* of the last whole line */
    bool read_only; /* of a part that is complete; nothing more is written */
    bool ended;     /* the last line that was there is a part's end */
    bool dirty;
    double synced;
    char *line;
    size_t room;
};

/* ---- Faults ---- */

static levy_status journal_io(const levy_journal *j, const char *what)
{
    const levy_place place = {.file = j->path};
    levy_fault_add(&j->context->faults, LEVY_REASON_IO, &place, "", NULL, "%s the journal: %s",
                   what, strerrordesc_np(errno));
    return LEVY_IO;
}

static levy_status journal_refuse(const levy_journal *j, uint32_t line, const char *hint,
                                  const char *why)
{
    const levy_place place = {.file = j->path, .line = line, .column = line ? 1 : 0};
    levy_fault_add(&j->context->faults, LEVY_REASON_INCONSISTENT, &place, "", hint,
                   "the journal cannot be used: %s", why);
    return LEVY_RESUME;
}

/* ---- Writing ---- */

static levy_status journal_sync(levy_journal *j)
{
    if (j->dirty && fdatasync(j->file) != 0 && errno != EINVAL && errno != EROFS)
        return journal_io(j, "cannot sync");
    j->dirty = false;
    j->synced = levy_clock_now();
    return LEVY_OK;
}

static levy_status journal_give(const levy_journal *j, size_t length)
{
    if (j->way.write(j->way.user, j->line, length) == 0) return LEVY_OK;
    levy_fault_add(&j->context->faults, LEVY_REASON_IO, NULL, "part_write", NULL,
                   "the caller did not take a line of the part's journal");
    return LEVY_IO;
}

/* Appends the line, in one write as a rule. If the disk is full, the part written is cut off. */
static levy_status journal_put(levy_journal *j, size_t length)
{
    size_t written;
    j->line[length++] = '\n';
    if (!j->path) return journal_give(j, length);
    const int error = levy_io_write(j->file, j->line, length, &written);
    if (error) {
        /* if this fails too, the resumed run drops the torn line */
        if (ftruncate(j->file, j->end) != 0) j->dirty = true;
        errno = error;
        return journal_io(j, "cannot write to");
    }
    j->end += (off_t)length;
    j->dirty = true;
    return levy_clock_now() - j->synced >= journal_sync_seconds ? journal_sync(j) : LEVY_OK;
}

/* The entry of a line; n_entries or more: there is none. */
static size_t journal_number(const levy_journal *j, const levy_journal_group *group)
{
    if (!j->cut) return group->is_unit ? SIZE_MAX : group->group;
    if (group->group >= j->cut->n_groups) return SIZE_MAX;
    const size_t units = levy_cut_units(j->cut, group->group);
    return group->is_unit == (units > 1) && group->unit < units
               ? j->cut->first[group->group] + group->unit
               : SIZE_MAX;
}

static bool journal_room(levy_journal *j, size_t room)
{
    if (room <= j->room) return true;
    char *const grown = levy_memory_grow(&j->context->memory, j->line, room, 1);
    if (!grown) return false;
    j->line = grown;
    j->room = room;
    return true;
}

levy_status levy_journal_append(levy_journal *j, const levy_journal_group *group,
                                const tree_sum *sums)
{
    if (!journal_room(j, levy_journal_group_room(group))) return LEVY_MEMORY;
    const size_t length = levy_journal_write_group(group, sums, j->line, j->room - 1);
    if (!length) return LEVY_INTERNAL;
    LEVY_TRY(journal_put(j, length));
    j->entries[journal_number(j, group)].here = true;
    return LEVY_OK;
}

levy_status levy_journal_append_line(levy_journal *j, const char *line, size_t length)
{
    if (!length || !journal_room(j, length + 1)) return LEVY_MEMORY;
    if (j->read_only) return LEVY_OK; /* who ran last, and the end, are there */
    memcpy(j->line, line, length);
    return journal_put(j, length);
}

/* A new file is safe only when its folder is on disk. Folders that cannot be synced are skipped. */
static void journal_sync_folder(const levy_journal *j)
{
    const char *slash = strrchr(j->path, '/');
    char folder[4096] = ".";
    const size_t length = slash ? (size_t)(slash - j->path) : 0;
    if (length >= sizeof folder) return;
    if (slash) {
        memcpy(folder, j->path, length + (length == 0));
        folder[length + (length == 0)] = '\0';
    }
    const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    (void)fsync(descriptor);
    close(descriptor);
}

static levy_status journal_begin(levy_journal *j, const levy_journal_head *head)
{
    const size_t length = levy_journal_write_head(head, j->line, j->room - 1);
    if (!length) return LEVY_INTERNAL;
    LEVY_TRY(journal_put(j, length));
    LEVY_TRY(journal_sync(j));
    if (j->path) journal_sync_folder(j);
    return LEVY_OK;
}

/* ---- Reading ---- */

static levy_status journal_read(levy_journal *j, size_t size)
{
    j->text = levy_memory_allocate(&j->context->memory, size + 1, 1);
    if (!j->text) return LEVY_MEMORY;
    errno = levy_io_read(j->file, j->text, size, &j->length);
    return errno ? journal_io(j, "cannot read") : LEVY_OK;
}

static levy_status journal_enter(levy_journal *j, size_t start, size_t length, uint32_t line,
                                 bool last)
{
    levy_journal_group group;
    static const char hint[] = "Remove this line and all later lines, or the file, and resume.";
    /* a line torn by a crash is harmless at the end of the file */
    if (!levy_line_sealed(j->text + start, length))
        return last ? LEVY_CANCELLED : journal_refuse(j, line, hint, "this line is damaged");
    j->ended = levy_part_line_is_end(j->text + start, length);
    if (j->cut && levy_part_line_is_other(j->text + start, length)) return LEVY_OK;
    if (!levy_journal_read_group(j->text + start, length, &group, NULL, SIZE_MAX) ||
        journal_number(j, &group) >= j->n_entries)
        return journal_refuse(j, line, hint, "this line is not a group of the book");
    j->entries[journal_number(j, &group)] = (journal_entry){start, length, false};
    return LEVY_OK;
}

/* Enters the lines after the first, up to the last whole one, and cuts off what follows. */
static levy_status journal_enter_all(levy_journal *j, size_t start)
{
    uint32_t line = 2;
    j->end = (off_t)start;
    while (start < j->length) {
        const char *const newline = memchr(j->text + start, '\n', j->length - start);
        if (!newline) break;
        const size_t length = (size_t)(newline - (j->text + start));
        const levy_status status =
            journal_enter(j, start, length, line++, start + length + 1 == j->length);
        if (status == LEVY_CANCELLED) break;
        if (status != LEVY_OK) return status;
        start += length + 1;
        j->end = (off_t)start;
    }
    if ((size_t)j->end < j->length && !j->read_only && ftruncate(j->file, j->end) != 0)
        return journal_io(j, "cannot drop the torn last line of");
    return LEVY_OK;
}

static levy_status journal_resume(levy_journal *j, const levy_journal_head *head)
{
    char words[512];
    const size_t own = levy_journal_write_head(head, j->line, j->room - 1);
    const char *const newline = memchr(j->text, '\n', j->length);
    const size_t length = newline ? (size_t)(newline - j->text) : j->length;
    if (!own) return LEVY_INTERNAL;
    if (newline && length == own && memcmp(j->text, j->line, own) == 0)
        return journal_enter_all(j, length + 1);
    /* the run was killed while it wrote its first line */
    if (!newline && length <= own && memcmp(j->text, j->line, length) == 0) {
        if (ftruncate(j->file, 0) != 0) return journal_io(j, "cannot drop the torn first line of");
        return journal_begin(j, head);
    }
    if (!levy_journal_difference(j->text, length, head, words, sizeof words))
        return journal_refuse(j, 1, "Name another file.",
                              "the file is not a journal of levy, or its first line is damaged");
    return journal_refuse(j, 1, "Undo the change, or start again with another journal.", words);
}

/* ---- The whole ---- */

/* Some network file systems have no locks. The run goes on there with a warning, because most
 * journals have one writer. */
static levy_status journal_lock(levy_journal *j)
{
    const levy_place place = {.file = j->path};
    if (flock(j->file, LOCK_EX | LOCK_NB) == 0) return LEVY_OK;
    if (errno == EWOULDBLOCK)
        return journal_refuse(j, 0, "Wait for the other run, or name another file.",
                              "another process is writing to it");
    levy_fault_warn(&j->context->faults, LEVY_REASON_IO, &place, "",
                    "Make sure that no other run writes to this file.",
                    "the journal cannot be locked: %s", strerrordesc_np(errno));
    return LEVY_OK;
}

/* A part that is complete needs no writing: its journal may be one that the user cannot write to.
 * `error`: why not, which is the fault of one that is not complete. */
static levy_status journal_open_read_only(levy_journal *j, const levy_journal_head *head, int error)
{
    struct stat state;
    j->read_only = j->cut && (error == EACCES || error == EROFS || error == EPERM);
    if (j->read_only) j->file = open(j->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (j->file >= 0 && fstat(j->file, &state) == 0 && S_ISREG(state.st_mode) &&
        state.st_size > 0) {
        LEVY_TRY(journal_read(j, (size_t)state.st_size));
        if (memchr(j->text, '\n', j->length)) LEVY_TRY(journal_resume(j, head));
        if (j->ended) return LEVY_OK;
    }
    errno = error;
    return journal_io(j, "cannot open");
}

static levy_status journal_open_file(levy_journal *j, const levy_journal_head *head)
{
    struct stat state;
    if (!j->path) return journal_begin(j, head);
    j->file = open(j->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    if (j->file < 0) return journal_open_read_only(j, head, errno);
    if (fstat(j->file, &state) != 0) return journal_io(j, "cannot open");
    if (!S_ISREG(state.st_mode))
        return journal_refuse(j, 0, "Name a regular file.", "it is not a regular file");
    LEVY_TRY(journal_lock(j));
    if (state.st_size == 0) return journal_begin(j, head);
    if (!j->way.resume)
        return journal_refuse(
            j, 0, "Use --resume (in Python resume=True) to continue it, or name another file.",
            "it exists already");
    LEVY_TRY(journal_read(j, (size_t)state.st_size));
    return journal_resume(j, head);
}

static void journal_release(levy_journal *j)
{
    const levy_memory *memory = &j->context->memory;
    if (j->file >= 0) close(j->file);
    levy_memory_release(memory, j->text);
    levy_memory_release(memory, j->entries);
    levy_memory_release(memory, j->line);
    levy_memory_release(memory, j);
}

levy_status levy_journal_open(levy_context *context, const levy_journal_way *way,
                              const levy_journal_head *head, const levy_cut *cut,
                              levy_journal **journal)
{
    levy_journal *j = levy_memory_allocate(&context->memory, 1, sizeof *j);
    *journal = NULL;
    if (!j) return LEVY_MEMORY;
    *j = (levy_journal){.context = context,
                        .way = *way,
                        .path = way->path,
                        .file = -1,
                        .cut = cut,
                        .n_entries = cut ? cut->n_units : head->groups,
                        .synced = levy_clock_now()};
    j->entries = levy_memory_allocate(&context->memory, j->n_entries, sizeof *j->entries);
    levy_status status = j->entries && journal_room(j, LEVY_JOURNAL_HEAD) ? LEVY_OK : LEVY_MEMORY;
    if (status == LEVY_OK) status = journal_open_file(j, head);
    if (status != LEVY_OK)
        journal_release(j);
    else
        *journal = j;
    return status;
}

bool levy_journal_find(const levy_journal *j, size_t number, levy_journal_group *group,
                       tree_sum *sums, size_t n_sums)
{
    const journal_entry entry =
        number < j->n_entries ? j->entries[number] : (journal_entry){0, 0, false};
    return entry.length &&
           levy_journal_read_group(j->text + entry.start, entry.length, group, sums, n_sums);
}

bool levy_journal_began_with(const levy_journal *j, size_t number)
{
    return j->entries[number].length > 0;
}

bool levy_journal_has(const levy_journal *j, size_t number)
{
    return j->entries[number].here || levy_journal_began_with(j, number);
}

levy_status levy_journal_close(levy_journal *journal)
{
    if (!journal) return LEVY_OK;
    const levy_status status = journal_sync(journal);
    journal_release(journal);
    return status;
}
